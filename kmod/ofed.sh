#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# ofed.sh KERNELVER - chooses the RDMA stack to build for: prints the directory of
# a vendor's (MLNX_OFED, DOCA), or nothing for the kernel's own. It fails, and says
# why, where the module would be built with the headers of one stack and loaded
# beside the drivers of another. DKMS then passes over that kernel (dkms.conf).
#
# Environment: MDX_OFED=DIR   take that tree
#              MDX_OFED=none  take the kernel's own, whatever is installed
#              MDX_ROOT       stands for / (for tests)
# /etc/mlx5-devx.conf may say the same in a line MDX_OFED=..., for DKMS as well.
set -eu

kver=$1
root=${MDX_ROOT:-}
src=$root/usr/src/ofa_kernel

stop()
{
	printf 'mlx5-devx: %s\n' "$@" >&2
	exit 1
}

is_tree()
{
	[ -d "$1/include/rdma" ] || [ -e "$1/Module.symvers" ]
}

# The kernel that a tree was made for: by its configuration, else by its name.
tree_kernel()
{
	said=$(sed -n 's/^KVERSION[[:space:]]*[:?]*=[[:space:]]*//p' \
		"$1/configure.mk.kernel" 2>/dev/null || true)
	if [ -n "$said" ]; then
		echo "$said"
	else
		basename "$(readlink -f "$1")"
	fi
}

tree_check()
{
	tree=$1

	[ "$(tree_kernel "$tree")" = "$kver" ] || stop \
		"$tree is for kernel $(tree_kernel "$tree"), not for $kver." \
		"Install the vendor's kernel headers package for $kver."
	for file in Module.symvers include/linux/mlx5/driver.h include/rdma/ib_verbs.h; do
		[ -s "$tree/$file" ] || stop \
			"$tree is not whole: it has no $file." \
			"Install the vendor's kernel headers package for $kver again."
	done
	grep -qw mlx5_cmd_do "$tree/Module.symvers" || stop \
		"$tree/Module.symvers has no symbols of mlx5_core." \
		"Install the vendor's kernel headers package for $kver again."
}

# Trees for other kernels, one a line.
trees_of_others()
{
	for tree in "$src"/* "$src"/*/*; do
		if [ ! -L "$tree" ] && is_tree "$tree"; then
			echo "$tree"
		fi
	done
}

# An mlx5_core that is not the kernel's own.
vendor_module()
{
	[ -d "$root/lib/modules/$kver/" ] || return 0
	find "$root/lib/modules/$kver/" -path '*/kernel' -prune -o -name 'mlx5_core.ko*' -print |
		sed -n 1p
}

# The choice by hand, if there is one.
choice=${MDX_OFED:-$(sed -n 's/^[[:space:]]*MDX_OFED=//p' "$root/etc/mlx5-devx.conf" 2>/dev/null | sed -n '$p')}
case $choice in
none)
	exit 0
	;;
?*)
	tree_check "$choice"
	echo "$choice"
	exit 0
	;;
esac

for tree in "$src/$(uname -m)/$kver" "$src/$kver" "$src/default"; do
	is_tree "$tree" || continue
	[ "${tree##*/}" = "$kver" ] || [ "$(tree_kernel "$tree")" = "$kver" ] || continue
	tree_check "$tree"
	echo "$tree"
	exit 0
done

others=$(trees_of_others)
[ -z "$others" ] || stop \
	"a vendor's RDMA stack is installed, but not for kernel $kver:" "$others" \
	"Install it for $kver as well, or, if that kernel is to use its own mlx5 drivers," \
	"say so in /etc/mlx5-devx.conf: MDX_OFED=none"
module=$(vendor_module)
[ -z "$module" ] || stop \
	"kernel $kver loads a vendor's $module," \
	"whose headers are not installed (no $src/$(uname -m)/$kver)." \
	"Install the vendor's kernel headers package for $kver."
