# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# The arm64 lanes. All is cross-built in an amd64 chroot of its own: a copy of trixie's, as cross compilers do not go
# together with its gcc-multilib. Guests are filled from extracted packages, and no arm64 program runs outside of a guest.

ARM64_RELEASE=trixie-arm64
# Programs for this machine: compilers, the headers' tools (linux-kbuild is native), QEMU.
PACKAGES_ARM64=(
	ca-certificates gcc g++ make pkgconf perl rsync pahole
	gcc-aarch64-linux-gnu g++-aarch64-linux-gnu
	kmod cpio xz-utils zstd busybox-static
	libibverbs-dev:arm64 libbpf-dev:arm64 pkgconf:arm64 clang
	debhelper dh-dkms lintian lowdown
)
# Programs for the guests.
PACKAGES_ARM64_GUEST=(busybox-static kmod iproute2 ibverbs-utils ibverbs-providers perftest crun ucx-utils libbpf1
	libgcc-s1)

# The parts of lab build: tests32, floor and bench are amd64's.
ARM64_PARTS=(module wrong-module kunit libmdx tests demo tool examples hca)

lane_is_arm64()
{
	[[ $1 == arm64* ]]
}

arm64_files()
{
	echo "$CACHE/chroot/arm64-files"
}

# The environment in which guest-files.sh takes programs from there.
arm64_files_environment()
{
	printf '%s\n' FILES=/files MULTIARCH=aarch64-linux-gnu ARCH=arm64
}

# linux-headers-6.12.1+deb13-arm64-16k goes with linux-headers-6.12.1+deb13-common.
headers_common()
{
	sed -E 's/-(amd64|arm64(-16k)?)$/-common/' <<<"$1"
}

arm64_chroot_fill()
{
	in_chroot "$ARM64_RELEASE" -- dpkg --add-architecture arm64
	chroot_apt "$ARM64_RELEASE" update
	chroot_apt "$ARM64_RELEASE" upgrade
	chroot_apt "$ARM64_RELEASE" install "${PACKAGES_ARM64[@]}"
	chroot_apt "$ARM64_RELEASE" install -t trixie-backports qemu-system-arm
}

# Packages with what they depend on are unpacked, not installed.
arm64_files_fetch()
{
	local root=$1 conf include

	rm -rf --one-file-system "$root"
	conf=$(mktemp)
	apt_conf >"$conf"
	include=$(IFS=, && echo "${PACKAGES_ARM64_GUEST[*]}")
	setpriv --pdeathsig TERM mmdebstrap --mode=root --variant=extract --architectures=arm64 --keyring="$KEYRING" \
		--aptopt="$conf" --include="$include" trixie "$root" - < <(sources_for trixie)
	rm -f "$conf"
	ln -s usr/bin usr/sbin usr/lib "$root/"
}

arm64_chroot_copy()
{
	local root=$1

	rm -rf --one-file-system "$root.new"
	cp -a --one-file-system --reflink=auto "$(chroot_dir trixie)" "$root.new"
	mv "$root.new" "$root"
}

# The caller holds the new chroot's own lock.
arm64_chroot_make()
{
	local root=$1 held=$LOCK_FD

	lock chroot-trixie -s
	step "copying Debian trixie's chroot for arm64's cross compilers" "$CACHE/logs/setup-arm64-base.log" \
		arm64_chroot_copy "$root"
	unlock
	LOCK_FD=$held
}

arm64_chroot_setup()
{
	local root want

	root=$(chroot_dir "$ARM64_RELEASE")
	[ -d "$root" ] || arm64_chroot_make "$root"
	want=$(hash_of "${PACKAGES_ARM64[@]}" "${PACKAGES_ARM64_GUEST[@]}")
	stamp_is "$root.packages" "$want" && return
	sources_for trixie >"$root/etc/apt/sources.list"
	rm -f "$root/etc/apt/sources.list.d/"*
	apt_conf >"$root/etc/apt/apt.conf.d/90lab"
	step "installing cross compilers and QEMU into it" "$CACHE/logs/setup-arm64-packages.log" arm64_chroot_fill
	chroot_apt "$ARM64_RELEASE" clean
	step "unpacking arm64's programs for guests" "$CACHE/logs/setup-arm64-files.log" \
		arm64_files_fetch "$(arm64_files).new"
	rm -rf --one-file-system "$(arm64_files)"
	mv "$(arm64_files).new" "$(arm64_files)"
	stamp_set "$root.packages" "$want"
}

# The real package behind a lane's newest linux-image-FLAVOUR; lanes are named as Debian's flavours.
arm64_kernel_package()
{
	local name

	# shellcheck disable=SC2016
	name=$(in_chroot "$ARM64_RELEASE" -- bash -c '
		version=$(apt-cache policy "$1:arm64" | awk "/Candidate:/ { print \$2 }")
		apt-cache show "$1:arm64=$version" | grep -o -m1 "linux-image-[0-9][^ ,]*"' - "linux-image-$1")
	[ -n "$name" ] || die "no linux-image-$1 in Debian trixie's package lists"
	echo "$name"
}

# The headers, unpacked to where their links to linux-kbuild's tools lead; linux-kbuild is installed.
arm64_headers_install()
{
	local release=$1

	chroot_apt "$ARM64_RELEASE" install "linux-kbuild-${release%%-*}"
	# shellcheck disable=SC2016
	in_chroot "$ARM64_RELEASE" -- bash -euc '
		cd /tmp
		apt-get -q download "linux-headers-$1:arm64" "linux-headers-$2"
		for deb in ./*.deb; do
			dpkg-deb --fsys-tarfile "$deb" | tar -x -C / --exclude=./usr/share
		done' - "$release" "$(headers_common "$release")"
}

arm64_kernel_fetch()
{
	local package=$1 dir=$2 files

	mapfile -t files < <(arm64_files_environment)
	rm -rf "$dir.new"
	mkdir -p "$dir.new"
	in_chroot "$ARM64_RELEASE" "$LAB_DIR:vm:ro" "$dir.new:job" "$(arm64_files):files:ro" -- \
		env "${files[@]}" /vm/guest-files.sh "$package" /job
	arm64_headers_install "$(<"$dir.new/release")"
	rm -rf "$dir"
	mv "$dir.new" "$dir"
}

arm64_kernel_setup()
{
	local lane=$1 dir package want

	dir=$(kernel_dir "$lane")
	want=$(hash_of "$(hash_files "$LAB_DIR/guest-files.sh")" "$(<"$(chroot_dir "$ARM64_RELEASE").packages")")
	stamp_is "$dir/stamp" "$want" && return
	package=$(arm64_kernel_package "$lane")
	step "unpacking $package, its headers and what its guests need" "$CACHE/logs/setup-$lane-kernel.log" \
		arm64_kernel_fetch "$package" "$dir"
	stamp_set "$dir/stamp" "$want"
}

# Variables for make, if the lane's guests have another architecture than this machine.
lane_cross()
{
	lane_is_arm64 "$1" || return 0
	echo ARCH=arm64
	echo CROSS_COMPILE=aarch64-linux-gnu-
	echo CC=aarch64-linux-gnu-gcc
	echo CXX=aarch64-linux-gnu-g++
	echo PKG_CONFIG=aarch64-linux-gnu-pkg-config
	echo DEB_HOST_ARCH=arm64
}
