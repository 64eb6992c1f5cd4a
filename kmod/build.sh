#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# build.sh KERNELVER KERNELDIR [MAKE ARGUMENT]... - builds the module for the
# kernel KERNELVER, whose headers are in KERNELDIR; KERNELVER may be - for the
# kernel of these headers. For DKMS and for make modules.
#
# Environment: MDX_OFED     see ofed.sh
#              MDX_WITHOUT  optional parts to leave out (compat.mk)
#              MDX_ROOT     stands for / (for tests)
set -eu

kver=$1
kdir=$2
shift 2
top=$(cd "$(dirname "$0")/.." && pwd)
root=${MDX_ROOT:-}

stop()
{
	printf 'mlx5-devx: %s\n' "$@" >&2
	exit 1
}

# depmod prefers the one of two that is not the kernel's own.
installed_mlx5_ib()
{
	[ -d "$root/lib/modules/$kver/" ] || return 0
	find "$root/lib/modules/$kver/" -name 'mlx5_ib.ko*' |
		awk '{ print ($0 ~ "/kernel/"), $0 }' | sort | sed -n '1s/^. //p'
}

# Compares the versions of mlx5_core's symbols that the installed mlx5_ib was built
# with and those of the headers. Kernels without symbol versions pass.
symvers_check()
{
	symvers=$1
	module=$(installed_mlx5_ib)

	[ -n "$module" ] && command -v modprobe >/dev/null || return 0
	odd=$(modprobe --dump-modversions "$module" 2>/dev/null | awk '
		FNR == NR { if ($3 ~ /mlx5_core$/) crc[$2] = $1; next }
		$2 in crc && $1 != crc[$2] { print $2; exit }' "$symvers" -)
	[ -z "$odd" ] || stop \
		"the mlx5 drivers of kernel $kver are not those of the headers:" \
		"$module and $symvers" \
		"disagree about the version of $odd. Install the headers of the drivers" \
		"that are installed, or the drivers of the headers."
}

# A module needs the compiler of its kernel.
built_by_clang()
{
	grep -qs '^CONFIG_CC_IS_CLANG=y' "$kdir/.config" "$kdir/include/config/auto.conf"
}

compiler_named()
{
	[ -z "${LLVM:-}${CC:-}" ] || return 0
	for arg; do
		case $arg in
		LLVM=* | CC=*) return 0 ;;
		esac
	done
	return 1
}

[ -e "$kdir/Makefile" ] || stop \
	"no kernel headers in $kdir." \
	"Install them (Debian: apt-get install linux-headers-$([ "$kver" != - ] && echo "$kver" ||
		echo '$(uname -r)');" \
	"Fedora, RHEL: the same version of kernel-devel), or set KERNELDIR."

of=$(sed -n 's/^#define UTS_RELEASE "\(.*\)".*/\1/p' \
	"$kdir/include/generated/utsrelease.h" 2>/dev/null || true)
if [ "$kver" = - ]; then
	[ -n "$of" ] || stop "$kdir is not prepared: it does not say which kernel it is of."
	kver=$of
fi
[ -z "$of" ] || [ "$of" = "$kver" ] || stop \
	"the headers in $kdir are of kernel $of, not of $kver." \
	"Install the headers of $kver (Debian: apt-get install linux-headers-$kver)."

ofed=$(sh "$top/kmod/ofed.sh" "$kver")
symvers=${ofed:-$kdir}/Module.symvers
grep -qsw mlx5_cmd_do "$symvers" || stop \
	"kernel $kver has no mlx5_core module: $symvers does not name it."
symvers_check "$symvers"
if [ -n "$ofed" ]; then
	echo "mlx5-devx: headers and symbol versions of $ofed"
	# modpost complains of two modules of one name that export the same; of two
	# symbols of one name it takes the later one.
	awk -F'\t' -v OFS='\t' -v dir="$ofed" '{ $3 = dir "/" $3; print }' "$symvers" >"$top/kmod/ofed.symvers"
	set -- "MDX_OFED=$ofed" "KBUILD_EXTRA_SYMBOLS=$top/kmod/ofed.symvers" "$@"
fi
unset MDX_OFED
built_for=$(sh "$top/kmod/built_for.sh" "$kver" "$kdir" "$ofed")
set -- "MDX_BUILT_FOR=$built_for" "$@"
for driver in core ib; do
	srcversion=$(echo "$built_for" | sed "s/.*,mlx5_$driver:\([^,]*\).*/\1/")
	[ "$srcversion" = - ] ||
		set -- "MDX_BUILT_FOR_$(echo $driver | tr a-z A-Z)=$srcversion" "$@"
done
if built_by_clang && ! compiler_named "$@"; then
	set -- LLVM=1 "$@"
fi
# A parent make has its own number of jobs.
[ -n "${MAKEFLAGS:-}" ] || set -- "-j$(nproc)" "$@"
exec make -C "$kdir" M="$top" modules "$@"
