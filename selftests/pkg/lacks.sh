#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# The messages of the build and the packages when something is missing on the machine, as
# TAP. Nothing is installed; the missing part is left out of a made-up machine, of
# PATH, or of dpkg's records: selftests/vm/lab exec LANE -- selftests/pkg/lacks.sh
set -uo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
chmod 755 "$tmp"
. "$top/selftests/pkg/lib.sh"

root=$tmp/root
kver=9.9.9-test
modules=$root/lib/modules/$kver

# A machine with this kernel and no more.
machine()
{
	rm -rf "$root"
	mkdir -p "$modules"
}

after_install()
{
	MDX_ROOT=$root MDX_SOURCE=${source:-$top} sh "$top/packaging/after-install.sh" "$kver"
}

not_built_without_headers()
{
	machine && says "kernel $kver, whose headers are not installed" after_install
}

not_built()
{
	machine && mkdir "$modules/build" && touch "$modules/build/Makefile" &&
		says "not built for kernel $kver. Try: dkms autoinstall" after_install
}

enforces()
{
	machine && mkdir -p "$root/sys/module/module/parameters" && echo Y >"$root/sys/module/module/parameters/sig_enforce"
}

# empty_module [NAME [TAG=VALUE]]: as much of a module as modinfo and sign-file need.
empty_module()
{
	printf 'char info[] __attribute__((section(".modinfo"))) = "license=GPL\\0%s";\n' "${2:-x=y}" |
		gcc -xc -c -o "$modules/${1:-mlx5_devx}.ko" -
}

not_signed()
{
	enforces && empty_module &&
		says 'and mlx5_devx is not signed' after_install
}

not_enrolled()
{
	enforces || return
	openssl req -new -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=nobody \
		-keyout "$tmp/key" -out "$tmp/cert" 2>/dev/null || return
	empty_module && "$KERNELDIR/scripts/sign-file" sha256 "$tmp/key" "$tmp/cert" "$modules/mlx5_devx.ko" &&
		says 'signed with a key it knows' after_install
}

# vendor_tree KERNEL: one that ofed.sh takes, whose struct mlx5_core_dev is a name.
vendor_tree()
{
	local tree

	tree=$root/usr/src/ofa_kernel/$(uname -m)/$1
	mkdir -p "$tree/include/linux/mlx5" "$tree/include/rdma"
	printf 'struct mlx5_core_dev {\n\tint vendor;\n};\n' >"$tree/include/linux/mlx5/driver.h"
	echo '/* none */' >"$tree/include/rdma/ib_verbs.h"
	printf '0x1\tmlx5_cmd_do\tmlx5_core\tEXPORT_SYMBOL\t\n' >"$tree/Module.symvers"
}

built_for()
{
	MDX_ROOT=$root sh "$top/kmod/built_for.sh" "$kver" "$tmp/headers" "$@"
}

# headers_of_mlx5: the headers of a kernel with an mlx5_core of its own. Its Makefile
# prints the variables of build.sh.
headers_of_mlx5()
{
	headers $kver
	mkdir -p "$tmp/headers/include/linux/mlx5"
	printf 'struct mlx5_core_dev {\n\tint own;\n};\n' >"$tmp/headers/include/linux/mlx5/driver.h"
	printf '0x1\tmlx5_cmd_do\tmlx5_core\tEXPORT_SYMBOL\t\n' >"$tmp/headers/Module.symvers"
	printf 'modules:\n\t@echo "LLVM=$(LLVM) CC=$(CC) core=$(MDX_BUILT_FOR_CORE) ib=$(MDX_BUILT_FOR_IB)"\n' \
		>"$tmp/headers/Makefile"
	printf '\t@echo "without=$(MDX_WITHOUT) $(MDX_BUILT_FOR)"\n' >>"$tmp/headers/Makefile"
	ln -sfn "$tmp/headers" "$modules/build"
}

build()
{
	MDX_ROOT=$root sh "$top/kmod/build.sh" "$kver" "$tmp/headers" "$@"
}

# prints PATTERN COMMAND...: a line of the output of COMMAND matches.
prints()
{
	local pattern=$1 out

	shift
	out=$("$@" 2>&1) && grep -E -- "$pattern" <<<"$out" >/dev/null || { echo "$out"; return 1; }
}

built_for_the_kernel()
{
	machine && headers_of_mlx5 && prints "^kernel:$kver,layouts:[0-9a-f]{16},mlx5_core:-,mlx5_ib:-\$" built_for &&
		empty_module mlx5_core srcversion=ABCDEF &&
		prints ',mlx5_core:ABCDEF,mlx5_ib:-$' built_for
}

built_for_a_vendor()
{
	local own tree

	tree=$root/usr/src/ofa_kernel/$(uname -m)/$kver
	machine && headers_of_mlx5 && vendor_tree $kver && own=$(built_for) || return
	prints "^vendor:$tree,layouts:[0-9a-f]{16}," built_for "$tree" || return
	own=${own#*,layouts:}
	! built_for "$tree" | grep "layouts:${own%%,*}"
}

build_records_the_drivers()
{
	machine && headers_of_mlx5 && mkdir "$modules/kernel" && empty_module kernel/mlx5_core srcversion=ABCDEF &&
		prints 'core=ABCDEF ib=$' build && prints " kernel:$kver,layouts:.*,mlx5_core:ABCDEF," build
}

# A kernel that clang built; a compiler named by hand stays.
kernel_built_by_clang()
{
	machine && headers_of_mlx5 && prints '^LLVM= ' build &&
		echo CONFIG_CC_IS_CLANG=y >"$tmp/headers/.config" && prints '^LLVM=1 ' build &&
		prints '^LLVM= CC=gcc' build CC=gcc
}

parts_are_left_out()
{
	machine && headers_of_mlx5 && prints '^without=late-creates cq-status ' \
		env MDX_ROOT="$root" MDX_WITHOUT='late-creates cq-status' \
		sh "$top/kmod/build.sh" $kver "$tmp/headers"
}

# The module was built, then other drivers came.
built_for_other_drivers()
{
	machine && headers_of_mlx5 && empty_module mlx5_devx "built_for=$(built_for)" || return
	[ -z "$(after_install)" ] || { after_install; return 1; }
	vendor_tree $kver && says 'was built for other mlx5 drivers' after_install
}

# The module was built, then a vendor's tree came for another kernel.
built_before_a_mix()
{
	machine && headers_of_mlx5 && empty_module mlx5_devx "built_for=$(built_for)" && vendor_tree 1.1.1-old &&
		says "built for kernel $kver before its RDMA stack changed" after_install
}

not_built_for_a_mix()
{
	machine && headers_of_mlx5 && vendor_tree 1.1.1-old && says "not built for kernel $kver:" after_install &&
		says 'but not for kernel' after_install
}

# kernel_choice COMMAND...: with MDX_OFED=none in the configuration file.
kernel_choice()
{
	mkdir -p "$root/etc"
	echo MDX_OFED=none >"$root/etc/mlx5-devx.conf"
	"$@"
}

kernels_own_by_configuration()
{
	machine && headers_of_mlx5 && vendor_tree 1.1.1-old &&
		[ -z "$(kernel_choice env MDX_ROOT="$root" sh "$top/kmod/ofed.sh" $kver)" ]
}

# dkms_conf VARIABLE: its value as DKMS sees it.
dkms_conf()
{
	MDX_ROOT=$root bash -c 'kernelver=$1 dkms_tree=$2; . "$3/dkms.conf"; echo "${!4}"' - \
		$kver "$root/dkms" "$top" "$1"
}

dkms_passes_over_a_mix()
{
	machine && prints '^CONFIG_MLX5_INFINIBAND' dkms_conf BUILD_EXCLUSIVE_CONFIG &&
		prints '6' dkms_conf BUILD_EXCLUSIVE_KERNEL && vendor_tree 1.1.1-old &&
		prints '^.no build for a mix' dkms_conf BUILD_EXCLUSIVE_KERNEL && prints '^$' dkms_conf AUTOINSTALL && vendor_tree $kver &&
		prints '6' dkms_conf BUILD_EXCLUSIVE_KERNEL && prints '^$' dkms_conf BUILD_EXCLUSIVE_CONFIG
}

dkms_builds_after_a_vendor()
{
	machine && prints '^$' dkms_conf BUILD_DEPENDS && mkdir -p "$root/dkms/mlnx-ofed-kernel" &&
		prints '^mlnx-ofed-kernel$' dkms_conf BUILD_DEPENDS
}

no_word_when_all_is_well()
{
	machine && touch "$modules/mlx5_devx.ko" && [ -z "$(after_install)" ]
}

# headers VERSION: of kernel VERSION, or of no kernel in particular; without symbols of mlx5.
headers()
{
	rm -rf "$tmp/headers"
	mkdir -p "$tmp/headers/include/generated"
	touch "$tmp/headers/Makefile" "$tmp/headers/Module.symvers"
	[ -z "$1" ] || echo "#define UTS_RELEASE \"$1\"" >"$tmp/headers/include/generated/utsrelease.h"
}

no_headers()
{
	stops 'no kernel headers' make -s -C "$top" modules KERNELDIR=/nowhere
}

not_prepared()
{
	headers '' && stops 'is not prepared' make -s -C "$top" modules KERNELDIR="$tmp/headers"
}

without_mlx5()
{
	headers $kver && machine &&
		stops "kernel $kver has no mlx5_core" env MDX_ROOT="$root" sh "$top/kmod/build.sh" $kver "$tmp/headers"
}

as_nobody()
{
	stops 'this needs root' setpriv --reuid 65534 --regid 65534 --clear-groups \
		sh "$top/packaging/dkms-install.sh" install
}

# In dpkg's records the package is installed.
package_does_it()
{
	mkdir -p "$tmp/dpkg/updates" "$tmp/dpkg/info"
	printf '%s\n' 'Package: mlx5-devx-dkms' 'Status: install ok installed' 'Architecture: all' \
		'Maintainer: nobody <nobody@example>' 'Version: 1' 'Description: none' >"$tmp/dpkg/status"
	stops 'does the same' \
		env DPKG_ADMINDIR="$tmp/dpkg" sh "$top/packaging/dkms-install.sh" install
}

no_build_dependencies()
{
	mkdir -p "$tmp/tree"
	cp -R "$top/packaging" "$top/dkms.conf" "$tmp/tree/"
	sed -i 's/^Build-Depends: /&what-nobody-has, /' "$tmp/tree/packaging/debian/control"
	stops '[Uu]nmet build dependencies: what-nobody-has' sh "$tmp/tree/packaging/deb.sh" "$tmp/deb"
}

# without PROGRAM: a PATH with all programs but that.
without()
{
	rm -rf "${tmp:?}/bin"
	mkdir "$tmp/bin"
	ln -s /usr/bin/* /usr/sbin/* "$tmp/bin/" 2>/dev/null
	rm -f "${tmp:?}/bin/$1"
}

no_dpkg_dev()
{
	without dpkg-buildpackage && stops 'dpkg-buildpackage is not installed' \
		env PATH="$tmp/bin" sh "$top/packaging/deb.sh" "$tmp/deb"
}

no_lowdown()
{
	without lowdown && says 'lowdown is not installed' env PATH="$tmp/bin" make -s -C "$top" man
}

for name in built_for_the_kernel built_for_a_vendor build_records_the_drivers kernel_built_by_clang parts_are_left_out \
	built_for_other_drivers built_before_a_mix not_built_for_a_mix kernels_own_by_configuration dkms_passes_over_a_mix \
	dkms_builds_after_a_vendor not_built_without_headers not_built not_signed not_enrolled no_word_when_all_is_well no_headers not_prepared \
	without_mlx5 as_nobody package_does_it no_build_dependencies no_dpkg_dev no_lowdown; do
	t "$name" "$name"
done
rm -rf "$tmp"
plan
