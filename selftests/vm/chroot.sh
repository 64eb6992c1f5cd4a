# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# The chroots: one per Debian release.

# Both releases: for building modules, libmdx and the tests, and for the files of guests.
PACKAGES_COMMON=(
	ca-certificates gcc g++ make libc6-dev pkgconf perl rsync
	sparse pahole
	libibverbs-dev
	linux-headers-amd64
	busybox-static kmod cpio xz-utils zstd iproute2 ibverbs-utils ibverbs-providers
	dkms debhelper dh-dkms lintian
	lowdown mandoc man-db groff-base
	perftest crun ucx-utils
	clang libbpf-dev
)
# Needed by selftests/static and the fuzzers, which run in one release only.
PACKAGES_TRIXIE=(clang-tidy clang-format libclang-rt-dev cppcheck shellcheck coccinelle libpython3-dev
	gcc-multilib)
# Debian 12 has the smallest version of these.
PACKAGES_BOOKWORM=(abigail-tools)
# The newest kernel's headers, and a QEMU with vfio-user-pci.
PACKAGES_BACKPORTS=(linux-headers-amd64 qemu-system-x86)

# Sets ENTER to the command that runs another in RELEASE's chroot (enter.sh has its arguments). It ends with lab.
enter_command()
{
	ENTER=(
		setpriv --pdeathsig KILL
		unshare --mount --pid --fork --kill-child --propagation private
		"$LAB_DIR/enter.sh" "$(chroot_dir "$1")"
	)
}

# in_chroot RELEASE [SOURCE:NAME[:ro]]... -- COMMAND...
in_chroot()
{
	local ENTER

	enter_command "$1"
	shift
	"${ENTER[@]}" "$@"
}

chroot_make()
{
	local release=$1 root=$2 conf

	rm -rf --one-file-system "$root.new"
	conf=$(mktemp)
	apt_conf >"$conf"
	setpriv --pdeathsig TERM mmdebstrap --mode=root --variant=apt --keyring="$KEYRING" \
		--aptopt="$conf" --include=ca-certificates "$release" "$root.new" - < <(sources_for "$release")
	rm -f "$conf"
	printf '#!/bin/sh\nexit 101\n' >"$root.new/usr/sbin/policy-rc.d"
	chmod +x "$root.new/usr/sbin/policy-rc.d"
	echo force-unsafe-io >"$root.new/etc/dpkg/dpkg.cfg.d/lab"
	mv "$root.new" "$root"
}

chroot_apt()
{
	local release=$1

	shift
	in_chroot "$release" -- env DEBIAN_FRONTEND=noninteractive INITRD=No apt-get -qy "$@"
}

# Runs in a step. With backports, the packages of two kernels are wanted: the release's own first.
chroot_fill()
{
	local release=$1 own

	chroot_apt "$release" update
	own=$(kernel_package "$release" "$release" headers)
	chroot_apt "$release" upgrade
	chroot_apt "$release" install "${PACKAGES_COMMON[@]/#linux-headers-amd64/$own}"
	[ "$release" != bookworm ] || chroot_apt "$release" install "${PACKAGES_BOOKWORM[@]}"
	[ "$release" = trixie ] || return 0
	chroot_apt "$release" install "${PACKAGES_TRIXIE[@]}"
	chroot_apt "$release" install -t trixie-backports "${PACKAGES_BACKPORTS[@]}"
}

chroot_setup()
{
	local release=$1 root want lists=("${PACKAGES_COMMON[@]}" "${PACKAGES_BACKPORTS[@]}")

	root=$(chroot_dir "$release")
	mkdir -p "$CACHE/chroot"
	[ -d "$root" ] || step "making a chroot of Debian $release" "$CACHE/logs/setup-$release-base.log" \
		chroot_make "$release" "$root"
	[ "$release" != trixie ] || lists+=("${PACKAGES_TRIXIE[@]}")
	[ "$release" != bookworm ] || lists+=("${PACKAGES_BOOKWORM[@]}")
	want=$(hash_of "${lists[@]}")
	stamp_is "$root.packages" "$want" && return
	sources_for "$release" >"$root/etc/apt/sources.list"
	rm -f "$root/etc/apt/sources.list.d/"*
	apt_conf >"$root/etc/apt/apt.conf.d/90lab"
	step "installing compilers, headers and tools into it" "$CACHE/logs/setup-$release-packages.log" \
		chroot_fill "$release"
	chroot_apt "$release" clean
	stamp_set "$root.packages" "$want"
}
