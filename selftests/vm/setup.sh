# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# lab setup, path and clean.

HOST_PACKAGES=(mmdebstrap debian-archive-keyring util-linux e2fsprogs)

# The releases a lane needs: its own, and trixie, where QEMU and the software ConnectX live.
lane_releases()
{
	local release

	release=$(lane_release "$1")
	echo trixie
	[ "$release" = trixie ] || echo "$release"
}

setup_forget()
{
	local lane=$1 release

	for release in $(lane_releases "$lane"); do
		rm -f "$(chroot_dir "$release").packages" "$(chroot_dir "$release").kernel-packages"
	done
	rm -f "$(kernel_dir "$lane")/stamp" "$CACHE/source/stamp" "$CACHE"/image/*.stamp
}

setup_lane()
{
	local lane=$1 release

	for release in $(lane_releases "$lane"); do
		lock "chroot-$release" -x
		case $release in
		"$ARM64_RELEASE") arm64_chroot_setup ;;
		*) chroot_setup "$release" ;;
		esac
		[ "$release" != trixie ] || source_setup
		! lane_builds_kernel "$lane" || debug_packages "$lane"
		unlock
	done
	if lane_builds_kernel "$lane"; then
		debug_setup "$lane"
	else
		lock "chroot-$release" -x
		if lane_is_arm64 "$lane"; then
			arm64_kernel_setup "$lane"
		else
			kernel_setup "$lane"
		fi
		unlock
	fi
	say "lane $lane is set up: kernel $(kernel_release "$lane"); next:  lab build $lane"
}

verb_setup()
{
	local lanes=() lane upgrade=no

	while [ $# -gt 0 ]; do
		case $1 in
		--upgrade) upgrade=yes ;;
		-*) usage_error "setup has no option '$1'" ;;
		*) lane_release "$1" >/dev/null && lanes+=("$1") ;;
		esac
		shift
	done
	[ ${#lanes[@]} -gt 0 ] || usage_error "setup needs a lane"
	need_root
	mkdir -p "$CACHE/logs"
	host_install "${HOST_PACKAGES[@]}"
	for lane in "${lanes[@]}"; do
		[ $upgrade = no ] || setup_forget "$lane"
	done
	for lane in "${lanes[@]}"; do
		setup_lane "$lane"
	done
}

need_setup()
{
	kernel_release "$1" >/dev/null
}

verb_path()
{
	case ${1:-} in
	kselftest | checkpatch) echo "$CACHE/source/$1" ;;
	'') usage_error "path needs a lane, kselftest or checkpatch" ;;
	*) lane_release "$1" >/dev/null && kernel_dir "$1" ;;
	esac
}

verb_clean()
{
	local what=(build logs run)

	case ${1:-} in
	--all) what+=(chroot image kernel source accel lock) ;;
	'') ;;
	*) usage_error "clean has no option '$1'" ;;
	esac
	need_root
	[ -d "$CACHE" ] || return 0
	cd "$CACHE" || exit
	rm -rf --one-file-system "${what[@]}"
	say "removed ${what[*]} from $CACHE"
}
