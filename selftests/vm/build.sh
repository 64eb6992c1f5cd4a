# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# lab build and exec.

# The environment in which a lane's sources are compiled, as arguments of env; paths are the chroot's.
lane_environment()
{
	local release

	release=$(kernel_release "$1")
	lane_cross "$1"
	if lane_builds_kernel "$1"; then
		echo "KERNELDIR=/kernel-build"
		echo "KHDR=/kernel-build/include"
	else
		echo "KERNELDIR=/usr/src/linux-headers-$release"
		echo "KHDR=/usr/src/linux-headers-$(headers_common "$release")/include"
	fi
	echo "KSELFTEST=/kselftest"
	echo "LIBMDX=/build/libshim"
}

# in_lane LANE COMMAND...: the source tree in /src (read-only), the lane's outputs in /build. MOUNTS are further ones.
MOUNTS=()
in_lane()
{
	local lane=$1 environment mounts=()
	shift

	mapfile -t environment < <(lane_environment "$lane")
	mkdir -p "$(build_dir "$lane")"
	! lane_builds_kernel "$lane" || mounts=("$(debug_built "$lane")/build:kernel-build:ro")
	in_chroot "$(lane_release "$lane")" "$REPO:src:ro" "$(build_dir "$lane"):build" \
		"$CACHE/source/kselftest:kselftest:ro" "$CACHE/source/checkpatch:checkpatch:ro" \
		${mounts[@]+"${mounts[@]}"} ${MOUNTS[@]+"${MOUNTS[@]}"} -- \
		env -C /src "${environment[@]}" "$@"
}

build_hca()
{
	local headers

	mkdir -p "$(build_dir hca)"
	headers=$(cd "$(chroot_dir trixie)/usr/src" && printf '%s\n' linux-headers-*-common | sort -V | tail -n 1)
	say "building the software ConnectX"
	lock build-hca -x
	in_chroot trixie "$REPO:src:ro" "$(build_dir hca):build" -- \
		make -C /src/selftests/hca --no-print-directory -j "$(nproc)" O=/build \
		KHDR="/usr/src/$headers/include" || BROKEN+=(selftests/hca)
	in_chroot trixie "$REPO:src:ro" "$(build_dir hca):build" -- \
		cc -O2 -Wall -Wextra -shared -fPIC -o /build/profile.so /src/bench/profile.c || BROKEN+=(bench/profile.c)
	in_chroot trixie "$REPO:src:ro" "$(build_dir hca):build" -- \
		cc -O2 -Wall -Wextra -o /build/tsc-khz /src/selftests/vm/tsc-khz.c || BROKEN+=(selftests/vm/tsc-khz.c)
	unlock
}

# The 32-bit tests: static, and of Debian 13's compiler in every lane.
build_compat()
{
	local lane=$1 headers

	headers=$(cd "$(chroot_dir trixie)/usr/src" && printf '%s\n' linux-headers-*-common | sort -V | tail -n 1)
	say "building selftests/mdx for 32 bits"
	mkdir -p "$(build_dir "$lane")"
	in_chroot trixie "$REPO:src:ro" "$(build_dir "$lane"):build" "$CACHE/source/kselftest:kselftest:ro" -- \
		make -C /src/selftests/mdx --no-print-directory -j "$(nproc)" O=/build/mdx32 \
		KHDR="/usr/src/$headers/include" KSELFTEST=/kselftest compat || BROKEN+=("selftests/mdx for 32 bits")
}

# 6.1 and 6.12 build a module only beside its sources: changed files are copied.
build_module()
{
	local lane=$1
	shift

	say "building the module for $(kernel_release "$lane")"
	in_lane "$lane" /src/selftests/vm/build-module.sh /build/module "$@" || BROKEN+=(kmod)
}

# A module that swaps the uid and the number of a PD, for proof_test. It is built in a copy of the right one, in its
# place, so that only what depends on the layout is compiled again.
build_wrong_module()
{
	local lane=$1 dir
	shift

	dir=$(build_dir "$lane")
	say "building a module with a wrong layout, for a test"
	rm -rf "$dir/module-wrong"
	cp -a "$dir/module" "$dir/module-wrong"
	local MOUNTS=("$dir/module-wrong:build/module")
	in_lane "$lane" env WRONG_LAYOUT=1 /src/selftests/vm/build-module.sh /build/module "$@" ||
		BROKEN+=("kmod with a wrong layout")
}

# For kernels with KUnit: those built here.
build_kunit()
{
	local lane=$1
	shift

	# shellcheck disable=SC2016
	in_lane "$lane" sh -c 'grep -qs "^CONFIG_KUNIT=" "$KERNELDIR/.config"' || return 0
	say "building the unit tests"
	in_lane "$lane" env KUNIT=1 /src/selftests/vm/build-module.sh /build/kunit "$@" || BROKEN+=(kunit)
}

# The benchmark's floor: the cost of a command without this module.
build_floor_module()
{
	local lane=$1
	shift

	say "building bench/mdx_floor.ko"
	# shellcheck disable=SC2016
	in_lane "$lane" bash -c 'set -e; d=/build/module-floor; mkdir -p "$d/bench" "$d/kmod"
		cp -u /src/bench/Kbuild /src/bench/mdx_floor.c /src/bench/floor.h "$d/bench/"
		cp -u /src/kmod/pool.c /src/kmod/pool.h "$d/kmod/"
		exec make -C "$KERNELDIR" --no-print-directory M="$d/bench" modules "$@"' build "$@" || BROKEN+=(bench)
}

# build_part LANE DIRECTORY NAME [VAR=VALUE]...
build_part()
{
	local lane=$1 directory=$2 name=$3
	shift 3

	say "building $directory"
	in_lane "$lane" make -C "/src/$directory" --no-print-directory -j "$(nproc)" O="/build/$name" "$@" ||
		BROKEN+=("$directory")
}

# Optional parts of the module, each of which a kernel may lack (kmod/compat.mk).
MODULE_PARTS=(verbs-layout late-creates cq-status)

# The module without one of its optional parts, beside the whole one.
build_module_without()
{
	local lane=$1 part=$2
	shift 2

	say "building the module without $part"
	in_lane "$lane" env MDX_WITHOUT="$part" /src/selftests/vm/build-module.sh "/build/module-without-$part" "$@" ||
		BROKEN+=("kmod without $part")
}

# The parts of lab build, in this order, and those that the demo needs.
BUILD_PARTS=(module wrong-module kunit libmdx tests tests32 demo tool examples floor bench hca)
DEMO_PARTS=(module libmdx demo examples hca)

# build_one LANE PART [VAR=VALUE]...
build_one()
{
	local lane=$1 part=$2
	shift 2

	case $part in
	module) build_module "$lane" "$@" ;;
	wrong-module) build_wrong_module "$lane" "$@" ;;
	kunit) build_kunit "$lane" "$@" ;;
	libmdx) build_part "$lane" libshim libshim "$@" ;;
	tests) build_part "$lane" selftests/mdx mdx "$@" ;;
	tests32) build_compat "$lane" ;;
	demo) build_part "$lane" selftests/demo demo "$@" ;;
	tool) build_part "$lane" tools/mdx tool "$@" ;;
	examples) build_part "$lane" examples examples "$@" ;;
	floor) build_floor_module "$lane" "$@" ;;
	bench) build_part "$lane" bench bench "$@" ;;
	hca) build_hca ;;
	*) usage_error "build has no part '$part' (${BUILD_PARTS[*]})" ;;
	esac
}

# build_parts LANE PART... [-- VAR=VALUE...]
build_parts()
{
	local lane=$1 part parts=() BROKEN=()
	shift

	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		parts+=("$1")
		shift
	done
	[ $# = 0 ] || shift
	lock "build-$lane" -x
	for part in "${parts[@]}"; do
		case $part in
		without-*) build_module_without "$lane" "${part#without-}" "$@" ;;
		*) build_one "$lane" "$part" "$@" ;;
		esac
	done
	[ ${#BROKEN[@]} = 0 ] || die "these do not build for lane $lane: ${BROKEN[*]}"
}

verb_build()
{
	[ $# -ge 1 ] || usage_error "build needs a lane"
	local lane=$1 variables=() parts=()
	shift
	lane_release "$lane" >/dev/null
	while [ $# -gt 0 ]; do
		case $1 in
		--only | --without)
			[ $# -ge 2 ] || usage_error "$1 needs the name of a part"
			if [ "$1" = --only ]; then
				parts+=("$2")
			else
				[[ " ${MODULE_PARTS[*]} " = *" $2 "* ]] ||
					usage_error "the module has no part '$2' (${MODULE_PARTS[*]})"
				parts+=("without-$2")
			fi
			shift
			;;
		*=*)
			[[ $1 =~ ^[A-Za-z_0-9]+= ]] || usage_error "build takes VAR=VALUE after the lane, not '$1'"
			variables+=("$1")
			;;
		*) usage_error "build takes VAR=VALUE after the lane, not '$1'" ;;
		esac
		shift
	done
	[ ${#parts[@]} -gt 0 ] || ! lane_is_arm64 "$lane" || parts=("${ARM64_PARTS[@]}")
	[ ${#parts[@]} -gt 0 ] || parts=("${BUILD_PARTS[@]}")
	need_root
	need_setup "$lane"
	build_parts "$lane" "${parts[@]}" -- ${variables[@]+"${variables[@]}"}
	say "built in $(build_dir "$lane"); next:  lab run $lane -- COMMAND"
}

verb_exec()
{
	local lane scratch=no

	if [ "${1:-}" = --scratch ]; then
		scratch=yes
		shift
	fi
	[ $# -ge 1 ] || usage_error "exec needs a lane"
	lane=$1
	shift
	lane_release "$lane" >/dev/null
	need_root
	need_setup "$lane"
	[ "${1:-}" != -- ] || shift
	[ $# -gt 0 ] || set -- bash
	SCRATCH=$scratch in_lane "$lane" "$@"
}
