# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# The lanes' kernels, and the files of the newest kernel's source that tests need.

# kernel_package RELEASE SUITE image|headers: the real package behind the newest linux-KIND-amd64 of SUITE.
kernel_package()
{
	local release=$1 suite=$2 kind=$3 options=() name

	[ "$suite" = "$release" ] || options=(-o "APT::Default-Release=$suite")
	name=$(in_chroot "$release" -- bash -c '
		kind=$1; shift
		version=$(apt-cache "$@" policy "linux-$kind-amd64" | awk "/Candidate:/ { print \$2 }")
		apt-cache show "linux-$kind-amd64=$version" | grep -o -m1 "linux-$kind-[0-9][^ ,]*"' \
		- "$kind" ${options[@]+"${options[@]}"})
	[ -n "$name" ] || die "no linux-$kind-amd64 in Debian $suite's package lists"
	echo "$name"
}

# The release (uname -r) of a lane's kernel.
kernel_release()
{
	local file

	file=$(kernel_dir "$1")/release
	[ -f "$file" ] || die "lane $1 is not set up here: run  lab setup $1"
	cat "$file"
}

kernel_fetch()
{
	local release=$1 package=$2 dir=$3

	rm -rf "$dir.new"
	mkdir -p "$dir.new"
	in_chroot "$release" "$LAB_DIR:vm:ro" "$dir.new:job" -- /vm/guest-files.sh "$package" /job
	rm -rf "$dir"
	mv "$dir.new" "$dir"
}

kernel_setup()
{
	local lane=$1 release dir package want

	release=$(lane_release "$lane")
	dir=$(kernel_dir "$lane")
	want=$(hash_of "$(hash_files "$LAB_DIR/guest-files.sh")" "$(<"$(chroot_dir "$release").packages")")
	stamp_is "$dir/stamp" "$want" && return
	package=$(kernel_package "$release" "$(lane_suite "$lane")" image)
	step "unpacking $package and what its guests need" "$CACHE/logs/setup-$lane-kernel.log" \
		kernel_fetch "$release" "$package" "$dir"
	[ -d "$(chroot_dir "$release")/usr/src/linux-headers-$(<"$dir/release")" ] ||
		die "the headers in the chroot are not those of $package: run  lab setup --upgrade $lane"
	stamp_set "$dir/stamp" "$want"
}

# From the newest kernel's source: one kselftest harness for all lanes, checkpatch with its helpers, and
# Coccinelle's scripts.
source_fetch()
{
	local dir=$1

	rm -rf "$dir.new"
	mkdir -p "$dir.new"
	in_chroot trixie "$dir.new:source" -- bash -euc '
		cd /source
		version=$(apt-cache -o APT::Default-Release=trixie-backports policy linux-source |
			awk "/Candidate:/ { print \$2 }")
		package=$(apt-cache show "linux-source=$version" | grep -o -m1 "linux-source-[0-9][^ ,]*")
		apt-get -q download "$package=$version"
		dpkg-deb --fsys-tarfile ./*.deb | tar -xO --wildcards "*/linux-source-*.tar.xz" | xz -dc -T0 |
			tar -x --strip-components=1 --wildcards "*/scripts/checkpatch.pl" "*/scripts/spelling.txt" \
			"*/scripts/const_structs.checkpatch" "*/scripts/coccinelle" "*/tools/testing/selftests/kselftest*.h"
		rm ./*.deb
		mv tools/testing/selftests kselftest
		mv scripts checkpatch
		rm -r tools'
	rm -rf "$dir"
	mv "$dir.new" "$dir"
}

source_setup()
{
	local dir=$CACHE/source want

	want=$(hash_of "$(<"$(chroot_dir trixie).packages")" 1)
	stamp_is "$dir/stamp" "$want" && return
	step "fetching the newest kernel's kselftest harness and scripts" "$CACHE/logs/setup-source.log" \
		source_fetch "$dir"
	stamp_set "$dir/stamp" "$want"
}
