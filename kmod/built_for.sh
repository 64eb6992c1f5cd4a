#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# built_for.sh KERNELVER KERNELDIR [OFED] - prints which mlx5 drivers a module is for that
# is built with the headers in KERNELDIR and those of the vendor's tree OFED, as one word:
#
#   kernel:KERNELVER,layouts:DIGEST,mlx5_core:SRCVERSION,mlx5_ib:SRCVERSION
#   vendor:OFED,layouts:DIGEST,mlx5_core:SRCVERSION,mlx5_ib:SRCVERSION
#
# DIGEST is that of the private structures in these headers; SRCVERSION is that of the
# driver that is installed for KERNELVER, - where it has none or is not installed. The
# module has this word in its modinfo field built_for. Printed again later, a different
# word means that the module has to be built again.
#
# Environment: MDX_ROOT  stands for / (for tests)
set -eu

kver=$1
kdir=$2
ofed=${3:-}
root=${MDX_ROOT:-}

# The directories of headers, in the compiler's order. Debian's are split in two.
include_dirs()
{
	[ -z "$ofed" ] || echo "$ofed/include"
	echo "$kdir/include"
	sed -n 's,^include \(.*\)/Makefile$,\1/include,p' "$kdir/Makefile" 2>/dev/null || true
	echo "$kdir/source/include"
}

header()
{
	include_dirs | while read -r dir; do
		if [ -e "$dir/$1" ]; then
			echo "$dir/$1"
		fi
	done | sed -n 1p
}

# structs HEADER NAME...: their text.
structs()
{
	file=$(header "$1")
	shift
	[ -n "$file" ] || return 0
	for name; do
		awk -v name="$name" '
			$1 == "struct" && $2 == name && $3 == "{" { in_it = 1 }
			in_it { print }
			/^}/ { in_it = 0 }' "$file"
	done
}

layouts()
{
	text=$(structs linux/mlx5/driver.h mlx5_core_dev mlx5_priv mlx5_cmd mlx5_cmd_work_ent
		structs linux/mlx5/cq.h mlx5_core_cq
		structs rdma/ib_verbs.h ib_client ib_device ib_device_ops ib_pd ib_cq)
	if [ -n "$text" ]; then
		echo "$text" | sha256sum | cut -c1-16
	else
		echo -
	fi
}

# depmod prefers the one of two that is not the kernel's own.
installed()
{
	[ -d "$root/lib/modules/$kver/" ] || return 0
	find "$root/lib/modules/$kver/" -name "$1.ko*" |
		awk '{ print ($0 ~ "/kernel/"), $0 }' | sort | sed -n '1s/^. //p'
}

srcversion()
{
	module=$(installed "$1")
	version=
	if [ -n "$module" ] && command -v modinfo >/dev/null; then
		version=$(modinfo -F srcversion "$module" 2>/dev/null || true)
	fi
	echo "${version:--}"
}

tree=kernel:$kver
[ -z "$ofed" ] || tree=vendor:$ofed
echo "$tree,layouts:$(layouts),mlx5_core:$(srcversion mlx5_core),mlx5_ib:$(srcversion mlx5_ib)"
