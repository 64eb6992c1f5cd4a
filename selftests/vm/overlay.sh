#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# overlay.sh RELEASE [MODULE] - runs in a lane's chroot: makes /job/initrd from the lane's base and the files of
# this run: the module of /build/MODULE, libmdx, the test programs, and /job/files (the lab's own, and those of --put).
set -euo pipefail

release=$1
module=/build/${2:-module}/kmod/mlx5_devx.ko
root=/tmp/overlay
modules=$root/usr/lib/modules/$release
libdir=$root/usr/lib/$(basename /kernel/root/usr/lib/*-linux-gnu)

add_module()
{
	[ -f "$module" ] || return 0
	mkdir -p "$modules/extra"
	cp -a "/kernel/root/usr/lib/modules/$release/." "$modules/"
	cp "$module" "$modules/extra/"
	depmod -b "$root/usr" "$release"
	rm -r "$modules/kernel"
}

add_library()
{
	local file

	for file in /build/libshim/libmdx.so* /build/tool/libmdx-audit.so.1; do
		[ -e "$file" ] || continue
		mkdir -p "$libdir"
		cp -a "$file" "$libdir/"
	done
}

add_programs()
{
	mkdir -p "$root/opt/mdx/bin"
	find /src/selftests/mdx /src/selftests/demo /src/examples /src/kunit /src/bench /src/tools/mdx/test -maxdepth 1 \
		\( -name '*.sh' -perm /111 -o -name '*.expected' -o -name '*.list' \) -exec cp -t "$root/opt/mdx/bin" {} +
	install -D -m 0644 /src/tools/mdx/cdi/mlx5-devx.yaml "$root/usr/share/mlx5-devx/cdi/mlx5-devx.yaml"
	find /build/mdx -maxdepth 1 -name '*.list' -exec cp -t "$root/opt/mdx/bin" {} + 2>/dev/null || true
	find /build/mdx /build/mdx32 /build/demo /build/examples /build/bench /build/tool -maxdepth 1 -type f -perm /111 ! -name '*.so*' \
		-exec cp -t "$root/opt/mdx/bin" {} + 2>/dev/null || true
}

# Beside the programs that load them.
add_test_modules()
{
	local wrong=/build/module-wrong/kmod/mlx5_devx.ko kunit=/build/kunit/kunit/mlx5_devx_kunit.ko
	local floor=/build/module-floor/bench/mdx_floor.ko

	[ ! -e "$wrong" ] || cp "$wrong" "$root/opt/mdx/bin/wrong_layout.ko"
	[ ! -e "$kunit" ] || cp "$kunit" "$root/opt/mdx/bin/"
	[ ! -e "$floor" ] || cp "$floor" "$root/opt/mdx/bin/"
}

mkdir -p "$root"
add_module
add_library
add_programs
add_test_modules
cp -a /job/files/. "$root/"
cd "$root"
find . | cpio -o -H newc --quiet --owner root:root | cat /kernel/base.cpio - >/job/initrd
