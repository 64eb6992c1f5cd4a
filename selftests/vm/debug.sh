# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Lane debug's kernel: built here from Debian's newest source, with all checks on.

PACKAGES_KERNEL=(flex bison bc libelf-dev)

debug_built() { echo "$CACHE/kernel/debug-built"; }

# What the chroot needs for building kernels, the other lanes don't.
debug_packages()
{
	local stamp want

	stamp=$(chroot_dir trixie).kernel-packages
	want=$(hash_of "${PACKAGES_KERNEL[@]}")
	stamp_is "$stamp" "$want" && return
	step "installing what building a kernel needs" "$CACHE/logs/setup-debug-packages.log" \
		chroot_apt trixie install "${PACKAGES_KERNEL[@]}"
	chroot_apt trixie clean
	stamp_set "$stamp" "$want"
}

debug_source_version()
{
	in_chroot trixie -- apt-cache -o APT::Default-Release=trixie-backports policy linux-source |
		awk '/Candidate:/ { print $2 }'
}

# An unfinished build of the same is gone on with.
debug_build()
{
	local want=$1 version=$2 work=$CACHE/kernel/debug-work built

	built=$(debug_built)
	stamp_is "$work/stamp" "$want" || rm -rf "$work"
	mkdir -p "$work/source"
	stamp_set "$work/stamp" "$want"
	in_chroot trixie "$LAB_DIR:vm:ro" "$work:job" "$work/source:linux" -- \
		nice -n 15 /vm/debug-kernel.sh "$version" /vm/debug.config
	rm -rf "$built"
	mv "$work/built" "$built"
	rm -rf "$work"
	stamp_set "$built/stamp" "$want"
}

# A kernel is built once for a source and a configuration.
debug_kernel()
{
	local version want

	version=$(debug_source_version)
	[ -n "$version" ] || die "no linux-source in the package lists of trixie-backports"
	want=$(hash_of "$version" "$(hash_files "$LAB_DIR/debug.config")" 1)
	stamp_is "$(debug_built)/stamp" "$want" ||
		step "building a kernel with all checks on from linux-source $version (about ten minutes)" \
			"$CACHE/logs/setup-debug-build.log" debug_build "$want" "$version"
}

debug_fetch()
{
	local dir=$1

	rm -rf "$dir.new"
	mkdir -p "$dir.new"
	in_chroot trixie "$LAB_DIR:vm:ro" "$dir.new:job" "$(debug_built):kernel" -- \
		/vm/guest-files.sh "linux-image-$(<"$(debug_built)/release")" /job /kernel
	rm -rf "$dir"
	mv "$dir.new" "$dir"
}

debug_setup()
{
	local dir want

	lock kernel-debug -x
	debug_kernel
	dir=$(kernel_dir debug)
	want=$(hash_of "$(hash_files "$LAB_DIR/guest-files.sh")" "$(<"$(chroot_dir trixie).packages")" \
		"$(<"$(debug_built)/stamp")")
	stamp_is "$dir/stamp" "$want" ||
		step "collecting what its guests need" "$CACHE/logs/setup-debug-kernel.log" debug_fetch "$dir"
	stamp_set "$dir/stamp" "$want"
	unlock
}
