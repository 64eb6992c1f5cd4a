#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# The messages of the build and the packages when something is missing on the machine, as
# TAP. Nothing is installed; what is missing is left out of a made-up machine, of
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
	MDX_ROOT=$root sh "$top/packaging/after-install.sh" "$kver"
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

# empty_module: as much of one as modinfo and sign-file need.
empty_module()
{
	echo 'char info[] __attribute__((section(".modinfo"))) = "license=GPL";' |
		gcc -xc -c -o "$modules/mlx5_devx.ko" -
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

for name in not_built_without_headers not_built not_signed not_enrolled no_word_when_all_is_well no_headers not_prepared \
	without_mlx5 as_nobody package_does_it no_build_dependencies no_dpkg_dev no_lowdown; do
	t "$name" "$name"
done
rm -rf "$tmp"
plan
