#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# DKMS and Debian packages in a lane's chroot, as TAP. All that it installs goes away
# with the chroot: selftests/vm/lab exec --scratch LANE -- selftests/pkg/test.sh [PART]
# PART is ofed, dkms, deb or upgrade.
# The kernel is never the running one.
# No grep -q behind a pipe: a writer that it ends early would count as a failure.
set -uo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
kver=${KERNELDIR##*/linux-headers-}
ofa=/usr/src/ofa_kernel
tmp=$(mktemp -d)
. "$top/selftests/pkg/lib.sh"

modversions()
{
	grep -q '^CONFIG_MODVERSIONS=y' "$KERNELDIR/.config"
}

# As t, where the kernel has symbol versions.
t_modversions()
{
	if modversions; then
		t "$@"
		return
	fi
	count=$((count + 1))
	echo "ok $count $1 # SKIP this kernel is built without symbol versions"
}

# All files that the tests may not change. dpkg's own records and DKMS's key are not
# ours, and DKMS removes depmod's files with the last module.
files()
{
	find / -xdev \( -path "$tmp" -o -path /var/lib/dpkg -o -path /var/log -o -path /var/cache \
		-o -path '/var/lib/dkms/mok.*' -o -path "/usr/lib/modules/$kver/modules.*" -o -path /mnt -o -path /etc/ld.so.cache \) -prune \
		-o -printf '%y %p %l\n' | sort
}

same_files()
{
	files | diff "$tmp/files" -
}

dkms_install()
{
	KERNELVER=$kver sh "${1:-$top}/packaging/dkms-install.sh" install
}

installed()
{
	find "/lib/modules/$kver" -name 'mlx5_devx.ko*'
}

for_this_kernel()
{
	local magic

	[ "$(installed | wc -l)" = 1 ] || { echo "installed: $(installed)"; return 1; }
	magic=$(modinfo -F vermagic "$(installed)")
	[ "${magic%% *}" = "$kver" ] || { echo "vermagic $magic"; return 1; }
}

# crcs FILE SYMVERS...: every symbol version in the module is that of the first SYMVERS with that symbol.
crcs()
{
	local file=$1

	shift
	modprobe --dump-modversions "$file" | awk '
		FILENAME != "-" { if (!($2 in crc)) crc[$2] = $1; next }
		crc[$2] != $1 { print $2 ": " $1 ", not " crc[$2]; bad = 1 }
		END { exit bad + 0 }' "$@" - || return
	modprobe --dump-modversions "$file" | grep -w mlx5_cmd_do >/dev/null
}

crcs_of_headers()
{
	crcs "$(installed)" "$KERNELDIR/Module.symvers"
}

# stub_source DIRECTORY...: one small file in place of the module's sources, which DKMS has built before.
stub_source()
{
	local dir

	for dir; do
		cat >"$dir/Kbuild" <<-'KBUILD'
			obj-m := mlx5_devx.o
			mlx5_devx-y := stub.o
			ccflags-y := -DMDX_BUILT_FOR='"$(MDX_BUILT_FOR)"'
		KBUILD
		cat >"$dir/stub.c" <<-'C'
			#include <linux/module.h>
			MODULE_INFO(built_for, MDX_BUILT_FOR);
			MODULE_DESCRIPTION("stub");
			MODULE_LICENSE("Dual BSD/GPL");
		C
	done
}

# The tree under another version, as it will be some day.
next_tree()
{
	mkdir -p "$tmp/next"
	cp -R "$top"/{dkms.conf,Kbuild,kmod,uapi,libshim,opcodes,packaging,tools,LICENSES,README.md,Documentation} "$tmp/next/"
	mkdir -p "$tmp/next/selftests/mdx"
	cp "$top"/selftests/mdx/*.[ch] "$tmp/next/selftests/mdx/"
	sed -i 's/^PACKAGE_VERSION=.*/PACKAGE_VERSION="99.0"/' "$tmp/next/dkms.conf"
	stub_source "$tmp/next/kmod"
}

only_next_in_dkms()
{
	[ "$(dkms status | grep -c '^mlx5-devx')" = 1 ] && dkms status | grep '^mlx5-devx/99.0.*installed' >/dev/null &&
		[ "$(echo /usr/src/mlx5-devx-*)" = /usr/src/mlx5-devx-99.0 ]
}

# vendor_tree DIRECTORY: a vendor's headers with a longer struct mlx5_core_dev, and versions of mlx5_core's symbols
# that the kernel's own do not have.
vendor_tree()
{
	local include driver=$1/include/linux/mlx5/driver.h

	include=$(sed -n 's/^include \(.*\)\/Makefile$/\1/p' "$KERNELDIR/Makefile" | sed -n 1p)/include
	[ -d "$include/rdma" ] || include=$KHDR
	mkdir -p "$1/include/linux"
	cp -R "$include/rdma" "$1/include/"
	cp -R "$include/linux/mlx5" "$1/include/linux/"
	sed -i 's/^struct mlx5_core_dev {/&\n\tu8 vendors_own[128];/' "$driver"
	awk -F'\t' -v OFS='\t' '$3 ~ /mlx5_core$/ { $1 = "0x12345678" } $3 ~ /mellanox|infiniband/ { print }' \
		"$KERNELDIR/Module.symvers" >"$1/Module.symvers"
}

build_in()
{
	rm -rf "$tmp/build"
	sh "$top/packaging/dkms-source.sh" "$tmp/build" && sh "$tmp/build/kmod/build.sh" "$kver" "$KERNELDIR"
}

# recorded FILE STACK: the module's modinfo says that it was built for STACK.
recorded()
{
	modinfo -F built_for "$1" | grep "^$2,layouts:[0-9a-f]*,mlx5_core:" >/dev/null ||
		{ echo "built_for: $(modinfo -F built_for "$1")"; return 1; }
}

vendor_used_whole()
{
	build_in || return
	grep -q "$1/include/linux/mlx5/driver.h" "$tmp/build/kmod/.dev.o.cmd" || { echo "other headers"; return 1; }
	! grep -E "linux-headers.*/include/(rdma|linux/mlx5)/" "$tmp/build/kmod/.dev.o.cmd" || return
	mkdir -p /build/pkg
	rm -f /build/pkg/vendor.ko
	recorded "$tmp/build/kmod/mlx5_devx.ko" "vendor:$1" || return
	modversions || {
		strip --strip-debug -o /build/pkg/vendor.ko "$tmp/build/kmod/mlx5_devx.ko"
		return
	}
	crcs "$tmp/build/kmod/mlx5_devx.ko" "$1/Module.symvers" "$KERNELDIR/Module.symvers" || return
	strip --strip-debug -o /build/pkg/vendor.ko "$tmp/build/kmod/mlx5_devx.ko"
}

# A driver that wants the vendor's symbol versions, where the headers are the kernel's own. One of ours will do.
drivers_of_other_headers()
{
	local file=/lib/modules/$kver/updates/mlx5_ib.ko
	local ret=0

	mkdir -p "${file%/*}"
	cp "$tmp/build/kmod/mlx5_devx.ko" "$file" || return
	stops 'disagree about the version of mlx5_' sh "$top/kmod/build.sh" "$kver" "$KERNELDIR" || ret=1
	rm "$file"
	return $ret
}

deb_build()
{
	sh "$1/packaging/deb.sh" "$2" && ls "$2"/{libmdx1,libmdx-dev,mlx5-devx-dkms,mlx5-devx-utils,mlx5-devx-doc}_*.deb
}

lint()
{
	lintian --allow-root --fail-on error "$tmp"/deb/*.changes
}

deb_install()
{
	unshare --net dpkg -i "$1"/{libmdx1,libmdx-dev,mlx5-devx-dkms,mlx5-devx-utils,mlx5-devx-doc}_*.deb
}

deb_purge()
{
	dpkg --purge libmdx-dev libmdx1 mlx5-devx-dkms mlx5-devx-utils mlx5-devx-doc
}

deb_content()
{
	man -w 3mdx mlx5dv_devx_qp_query && man -w 1 mdx && man -w 4 mlx5_devx && man -w 5 mdx_uapi && man -w 7 mlx5-devx &&
		grep -q 'MODE="0666"' /usr/lib/udev/rules.d/60-mlx5-devx-dkms.rules &&
		grep -qx mlx5_devx /usr/lib/modules-load.d/mlx5-devx.conf &&
		[ -x /etc/kernel/header_postinst.d/zz-mlx5-devx ] &&
		[ -n "$(find /lib/systemd/system/ -name mlx5-devx-check.service)" ] &&
		dpkg -s libmdx1 | grep '^Depends:.*ibverbs-providers' >/dev/null &&
		ls /usr/share/doc/mlx5-devx-doc/install.md* &&
		mdx --version && ls /usr/share/bash-completion/completions/mdx
}

# Kept for a guest of the lane, which loads and runs it (selftests/pkg/guest.sh).
deb_kept_for_guest()
{
	local file

	file=$(installed)
	mkdir -p /build/pkg
	case $file in
	*.xz) xz -dc "$file" ;;
	*.zst) zstd -dcq "$file" ;;
	*) cat "$file" ;;
	esac >/build/pkg/mlx5_devx.ko
	cp -L /usr/lib/*/libmdx.so.1 /build/pkg/
	cp /usr/lib/modprobe.d/mlx5-devx.conf /build/pkg/modprobe.conf
	rm -f /build/pkg/modversions
	! modversions || touch /build/pkg/modversions
	cp /var/lib/dpkg/info/mlx5-devx-dkms.prerm /build/pkg/prerm
}

# headers_package: like that of a kernel's headers, whose postinst lets the hooks of other packages run.
headers_package()
{
	local dir=$tmp/headers-package

	mkdir -p "$dir/DEBIAN"
	printf '%s\n' 'Package: linux-headers-upgrade' 'Version: 1' 'Architecture: all' \
		'Maintainer: the tests <tests@example>' 'Description: headers of a new kernel' >"$dir/DEBIAN/control"
	printf '#!/bin/sh -e\nrun-parts --verbose --exit-on-error --arg=%s /etc/kernel/header_postinst.d\n' "$kver" \
		>"$dir/DEBIAN/postinst"
	chmod 755 "$dir/DEBIAN/postinst"
	dpkg-deb --build "$dir" "$tmp/headers.deb"
}

# upgrade KERNEL...: with a vendor's trees for each KERNEL, and our package installed, the headers of $kver come. The
# package that brings them is configured whatever we do.
upgrade()
{
	local tree ret=0

	for tree; do
		vendor_tree "$ofa/x86_64/$tree"
	done
	mkdir -p /lib/modules/1.1.1-old
	mv "/lib/modules/$kver" "$tmp/new-kernel"
	dpkg -i "$tmp"/deb/mlx5-devx-dkms_*.deb || ret=1
	stub_source /usr/src/mlx5-devx-*/kmod
	mv "$tmp/new-kernel" "/lib/modules/$kver"
	dpkg -i "$tmp/headers.deb" 2>&1 | tee "$tmp/upgrade.log"
	[ "$(dpkg-query -W -f '${db:Status-Status}' linux-headers-upgrade)" = installed ] || ret=1
	return $ret
}

upgrade_end()
{
	rm -f /usr/src/mlx5-devx-*/kmod/stub.c
	dpkg --purge linux-headers-upgrade mlx5-devx-dkms >/dev/null 2>&1
	rm -rf "$ofa" /lib/modules/1.1.1-old /etc/mlx5-devx.conf
}

# upgrade_builds STACK KERNEL...
upgrade_builds()
{
	local stack=$1 ret=0

	shift
	{ upgrade "$@" && for_this_kernel && recorded "$(installed)" "$stack"; } || ret=1
	upgrade_end
	return $ret
}

upgrade_passes_over()
{
	local ret=0

	{ upgrade "$@" && [ -z "$(installed)" ]; } || ret=1
	grep '^mlx5-devx: ' "$tmp/upgrade.log" | sed 's/^/# seen: /'
	grep -F "the module is not built for kernel $kver:" "$tmp/upgrade.log" >/dev/null &&
		grep -F "but not for kernel $kver" "$tmp/upgrade.log" >/dev/null || ret=1
	upgrade_end
	return $ret
}

own_drivers_by_choice()
{
	echo MDX_OFED=none >/etc/mlx5-devx.conf
	upgrade_builds "kernel:$kver" 1.1.1-old
}

test_upgrade()
{
	headers_package >/dev/null
	[ -e "$tmp/deb" ] || t deb_for_the_upgrades_builds deb_build "$top" "$tmp/deb"
	t kernel_upgrade_without_a_vendor upgrade_builds "kernel:$kver"
	t kernel_upgrade_vendor_for_the_old_one upgrade_passes_over 1.1.1-old
	t kernel_upgrade_vendor_for_the_new_one upgrade_builds "vendor:$ofa/x86_64/$kver" "$kver"
	t kernel_upgrade_vendor_for_both upgrade_builds "vendor:$ofa/x86_64/$kver" 1.1.1-old "$kver"
	t kernel_upgrade_own_drivers_by_choice own_drivers_by_choice
	t kernel_upgrades_leave_nothing same_files
}

pkg_config_program()
{
	cat >"$tmp/prog.c" <<-C
	#include <mdx/mdx.h>
	#include <mdx/mdx_uapi.h>
	void *volatile used[] = { mlx5dv_devx_obj_destroy, mdx_context_check };
	int main(void)
	{
		return !used[0] || !used[1];
	}
	C
	# shellcheck disable=SC2046
	gcc -Wall -Werror -o "$tmp/prog" "$tmp/prog.c" $(pkg-config --cflags --libs libmdx) &&
		"$tmp/prog" && readelf -d "$tmp/prog" | grep 'NEEDED.*libmdx.so.1' >/dev/null
}

test_ofed()
{
	local tree=$ofa/x86_64/$kver other=$ofa/x86_64/9.9.9-other

	t no_headers_stop stops 'no kernel headers' sh "$top/kmod/build.sh" 9.9.9 /lib/modules/9.9.9/build
	t headers_of_another_kernel_stop stops "of kernel $kver, not of 9.9.9" \
		sh "$top/kmod/build.sh" 9.9.9 "$KERNELDIR"
	vendor_tree "$tree"
	t vendor_tree_of_this_kernel_is_used_whole vendor_used_whole "$tree"
	mv "$ofa" "$tmp/ofa"
	t_modversions drivers_of_other_headers_stop drivers_of_other_headers
	mv "$tmp/ofa" "$ofa"
	mv "$tree/Module.symvers" "$tmp/symvers"
	t vendor_tree_without_symvers_stops stops 'not whole' sh "$top/kmod/ofed.sh" "$kver"
	grep -v mlx5_core "$tmp/symvers" >"$tree/Module.symvers"
	t vendor_tree_without_mlx5_core_stops stops 'no symbols of mlx5_core' sh "$top/kmod/ofed.sh" "$kver"
	cp "$tmp/symvers" "$tree/Module.symvers"
	echo 'KVERSION = 9.9.9-other' >"$tree/configure.mk.kernel"
	t vendor_tree_that_says_another_kernel_stops stops 'is for kernel 9.9.9-other' \
		sh "$top/kmod/ofed.sh" "$kver"
	rm "$tree/configure.mk.kernel"
	mv "$tree" "$other"
	ln -s "$other" "$ofa/default"
	t vendor_tree_of_another_kernel_stops stops "not for kernel $kver" sh "$top/kmod/build.sh" "$kver" "$KERNELDIR"
	t vendor_tree_of_another_kernel_stops_dkms stops "not for kernel $kver" dkms_install
	t vendor_tree_named_by_hand_is_checked stops 'is for kernel 9.9.9' \
		env MDX_OFED="$other" sh "$top/kmod/build.sh" "$kver" "$KERNELDIR"
	t kernels_own_drivers_on_demand env MDX_OFED=none sh "$top/kmod/ofed.sh" "$kver"
	rm -rf "$ofa"
	mkdir -p "/lib/modules/$kver/updates"
	touch "/lib/modules/$kver/updates/mlx5_core.ko"
	t vendor_drivers_without_headers_stop stops "loads a vendor's" sh "$top/kmod/ofed.sh" "$kver"
	rm -r "/lib/modules/$kver/updates"
}

test_dkms()
{
	# dkms is in /usr/sbin.
	t dkms_missing_stops stops 'dkms is not installed' \
		env PATH=/usr/bin sh "$top/packaging/dkms-install.sh" install
	t dkms_without_headers_stops stops 'headers of kernel 9.9.9 are not installed' \
		env KERNELVER=9.9.9 sh "$top/packaging/dkms-install.sh" install
	t dkms_installs dkms_install
	t dkms_module_is_for_the_kernel for_this_kernel
	t_modversions dkms_symbol_versions_are_the_headers crcs_of_headers
	t dkms_module_says_its_drivers recorded "$(installed)" "kernel:$kver"
	t dkms_upgrades dkms_install "$tmp/next"
	t dkms_upgrade_leaves_one_version only_next_in_dkms
	t dkms_removes sh "$top/packaging/dkms-install.sh" remove
	rmdir "/lib/modules/$kver/updates/dkms" "/lib/modules/$kver/updates" /var/lib/dkms/mlx5-devx 2>/dev/null
	t dkms_leaves_nothing same_files
}

test_deb()
{
	t deb_builds_offline unshare --net bash -c "$(declare -f deb_build); deb_build '$top' '$tmp/deb'"
	t deb_lintian lint
	t deb_installs deb_install "$tmp/deb"
	t deb_content deb_content
	t deb_module_is_for_the_kernel for_this_kernel
	t_modversions deb_symbol_versions_are_the_headers crcs_of_headers
	t deb_kept_for_guest deb_kept_for_guest
	t deb_dev_compiles_a_program pkg_config_program
	t deb_next_builds deb_build "$tmp/next" "$tmp/deb-next"
	t deb_upgrades deb_install "$tmp/deb-next"
	t deb_upgrade_leaves_one_version only_next_in_dkms
	t deb_purges deb_purge
	t deb_leaves_nothing same_files
}

cd /
# Packages build for every kernel there is when the running one is not there.
for dir in /lib/modules/*; do
	[ "$dir" = "/lib/modules/$kver" ] || rm -rf "$dir"
done
# Some chroots have the kernel itself, some have not.
rm -rf "/lib/modules/$kver/kernel"
depmod "$kver" 2>"$tmp/depmod" || cat "$tmp/depmod"
next_tree
mkdir -p /var/lib/dkms
files >"$tmp/files"
for part in ${1:-ofed dkms deb upgrade}; do
	"test_$part"
done
rm -rf "$tmp"
plan
