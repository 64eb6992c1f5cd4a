#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# The Debian packages, cross-built for arm64, as TAP: selftests/vm/lab exec --scratch arm64 -- selftests/pkg/cross.sh
# Leaves in /build/pkg what guest.sh runs in a guest.
# No grep -q behind a pipe: a writer that it ends early would count as a failure.
set -uo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
kver=${KERNELDIR##*/linux-headers-}
tmp=$(mktemp -d)
pkg=/build/pkg
. "$top/selftests/pkg/lib.sh"

deb_build()
{
	unshare --net sh "$top/packaging/deb.sh" "$tmp/deb" || return
	ls "$tmp"/deb/{libmdx1,libmdx-dev,mlx5-devx-utils}_*_arm64.deb "$tmp"/deb/mlx5-devx-{dkms,doc}_*_all.deb || return
	mkdir "$tmp/root" "$tmp/dkms"
	for deb in "$tmp"/deb/*_arm64.deb; do
		dpkg-deb -x "$deb" "$tmp/root" || return
	done
	dpkg-deb -R "$tmp"/deb/mlx5-devx-dkms_*_all.deb "$tmp/dkms"
}

lint()
{
	lintian --allow-root --fail-on error,warning "$tmp"/deb/*.changes
}

# Programs and libraries of this machine would only be found out on the other one.
machines()
{
	local file machine found=0 ret=0

	while read -r file; do
		machine=$(readelf -h "$file" 2>/dev/null | sed -n 's/ *Machine: *//p')
		[ -n "$machine" ] || continue
		found=$((found + 1))
		[ "$machine" = AArch64 ] || { echo "$file: $machine"; ret=1; }
	done < <(find "$tmp/root" -type f)
	[ "$found" -ge 3 ] || { echo "only $found programs and libraries"; ret=1; }
	return $ret
}

library_place()
{
	ls -l "$tmp"/root/usr/lib/aarch64-linux-gnu/{libmdx.so.1,libmdx.so,libmdx-audit.so.1,pkgconfig/libmdx.pc}
}

# The probes of mdx trace --all need libbpf, which is looked up for the architecture that is built for.
tool_probes()
{
	readelf -d "$tmp/root/usr/bin/mdx" | grep 'NEEDED.*libbpf' &&
		dpkg-deb -f "$tmp"/deb/mlx5-devx-utils_*_arm64.deb Depends | grep libbpf1
}

# DKMS does the same on the machine itself.
dkms_source()
{
	local source file

	source=$(echo "$tmp"/dkms/usr/src/mlx5-devx-*)
	sh "$source/kmod/build.sh" "$kver" "$KERNELDIR" || return
	file=$source/kmod/mlx5_devx.ko
	modinfo -F vermagic "$file" | grep "^$kver .*aarch64" || return
	modinfo -F built_for "$file" | grep "^kernel:$kver," || return
	mkdir -p "$pkg"
	aarch64-linux-gnu-strip --strip-debug -o "$pkg/mlx5_devx.ko" "$file"
}

kept_for_guest()
{
	cp -L "$tmp"/root/usr/lib/aarch64-linux-gnu/libmdx.so.1 "$pkg/" &&
		cp "$tmp/dkms/usr/lib/modprobe.d/mlx5-devx.conf" "$pkg/modprobe.conf" &&
		cp "$tmp/dkms/DEBIAN/prerm" "$pkg/"
}

cd /
t deb_builds_for_arm64_offline deb_build
t deb_arm64_lintian lint
t deb_arm64_has_no_program_of_this_machine machines
t deb_arm64_libraries_place library_place
t deb_arm64_tool_has_probes tool_probes
t dkms_source_builds_for_arm64 dkms_source
t deb_arm64_kept_for_guest kept_for_guest
rm -rf "$tmp"
plan
