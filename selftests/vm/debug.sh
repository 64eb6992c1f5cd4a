# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# The kernels of lanes debug, kcsan and arm64-64k: built here from Debian's newest source, with all checks on.

PACKAGES_KERNEL=(flex bison bc libelf-dev)

debug_built()
{
	echo "$CACHE/kernel/$1-built"
}

# The files that configure a lane's kernel; a later one overrides.
debug_configs()
{
	echo debug.config
	[ "$1" = debug ] || echo "$1.config"
}

# Packages for building kernels, which the other lanes do without.
debug_packages()
{
	local release stamp want

	release=$(lane_release "$1")
	stamp=$(chroot_dir "$release").kernel-packages
	want=$(hash_of "${PACKAGES_KERNEL[@]}")
	stamp_is "$stamp" "$want" && return
	step "installing what building a kernel needs" "$CACHE/logs/setup-debug-packages.log" \
		chroot_apt "$release" install "${PACKAGES_KERNEL[@]}"
	chroot_apt "$release" clean
	stamp_set "$stamp" "$want"
}

debug_source_version()
{
	in_chroot trixie -- apt-cache -o APT::Default-Release=trixie-backports policy linux-source |
		awk '/Candidate:/ { print $2 }'
}

# Resumes an unfinished build of the same kernel.
debug_build()
{
	local lane=$1 want=$2 version=$3 work=$CACHE/kernel/$1-work built configs cross

	built=$(debug_built "$lane")
	mapfile -t configs < <(debug_configs "$lane")
	mapfile -t cross < <(lane_cross "$lane")
	stamp_is "$work/stamp" "$want" || rm -rf "$work"
	mkdir -p "$work/source"
	stamp_set "$work/stamp" "$want"
	in_chroot "$(lane_release "$lane")" "$LAB_DIR:vm:ro" "$work:job" "$work/source:linux" -- \
		env ${cross[@]+"${cross[@]}"} nice -n 15 /vm/debug-kernel.sh "$version" "${configs[@]/#//vm/}"
	rm -rf "$built"
	mv "$work/built" "$built"
	rm -rf "$work"
	stamp_set "$built/stamp" "$want"
}

# A kernel is built once for a source and a configuration.
debug_kernel()
{
	local lane=$1 version want configs

	version=$(debug_source_version)
	[ -n "$version" ] || die "no linux-source in the package lists of trixie-backports"
	mapfile -t configs < <(debug_configs "$lane")
	want=$(hash_of "$version" "$(hash_files "${configs[@]/#/$LAB_DIR/}")" 1)
	stamp_is "$(debug_built "$lane")/stamp" "$want" ||
		step "building lane $lane's kernel from linux-source $version (8 to 13 minutes on two cores, once)" \
			"$CACHE/logs/setup-$lane-build.log" debug_build "$lane" "$want" "$version"
}

debug_fetch()
{
	local lane=$1 built=$2 dir=$3 files=() mounts=()

	if lane_is_arm64 "$lane"; then
		mapfile -t files < <(arm64_files_environment)
		mounts=("$(arm64_files):files:ro")
	fi
	rm -rf "$dir.new"
	mkdir -p "$dir.new"
	in_chroot "$(lane_release "$lane")" "$LAB_DIR:vm:ro" "$dir.new:job" "$built:kernel" ${mounts[@]+"${mounts[@]}"} -- \
		env ${files[@]+"${files[@]}"} /vm/guest-files.sh "linux-image-$(<"$built/release")" /job /kernel
	rm -rf "$dir"
	mv "$dir.new" "$dir"
}

debug_setup()
{
	local lane=$1 dir want built

	lock "kernel-$lane" -x
	debug_kernel "$lane"
	dir=$(kernel_dir "$lane")
	built=$(debug_built "$lane")
	want=$(hash_of "$(hash_files "$LAB_DIR/guest-files.sh")" "$(<"$(chroot_dir "$(lane_release "$lane")").packages")" \
		"$(<"$built/stamp")")
	stamp_is "$dir/stamp" "$want" ||
		step "collecting what its guests need" "$CACHE/logs/setup-$lane-kernel.log" \
			debug_fetch "$lane" "$built" "$dir"
	stamp_set "$dir/stamp" "$want"
	unlock
}
