#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# dkms-install.sh install|remove - gives the module of this tree to DKMS, builds
# and installs it for KERNELVER (default: the running kernel); or takes it back.
set -eu

verb=$1
kver=${KERNELVER:-$(uname -r)}
top=$(cd "$(dirname "$0")/.." && pwd)
name=mlx5-devx
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$top/dkms.conf")
source=/usr/src/$name-$version

stop()
{
	printf 'mlx5-devx: %s\n' "$@" >&2
	exit 1
}

remove_all()
{
	for tree in /var/lib/dkms/"$name"/*/source; do
		[ -L "$tree" ] || continue
		tree=${tree%/source}
		dkms remove "$name/${tree##*/}" --all
	done
	rm -rf /usr/src/"$name"-[0-9]*
}

[ "$(id -u)" = 0 ] || stop "this needs root."
command -v dkms >/dev/null || stop \
	"dkms is not installed (Debian: apt-get install dkms; Fedora, RHEL with EPEL: dnf install dkms)." \
	"Without it: make modules install, again after each new kernel."
package=$(dpkg-query -W -f '${db:Status-Status}' mlx5-devx-dkms 2>/dev/null || true)
[ "$package" != installed ] || stop \
	"the package mlx5-devx-dkms is installed and does the same." \
	"Remove it first: apt-get remove mlx5-devx-dkms"

if [ "$verb" = remove ]; then
	remove_all
	exit 0
fi

[ -e "/lib/modules/$kver/build/Makefile" ] || stop \
	"the headers of kernel $kver are not installed (no /lib/modules/$kver/build)." \
	"Install them (Debian: apt-get install linux-headers-$kver;" \
	"Fedora, RHEL: dnf install kernel-devel-$kver), then run this again."
sh "$top/kmod/ofed.sh" "$kver" >/dev/null
remove_all
sh "$top/packaging/dkms-source.sh" "$source"
dkms add -m "$name" -v "$version"
dkms build -m "$name" -v "$version" -k "$kver" || {
	log=/var/lib/dkms/$name/$version/build/make.log
	[ ! -e "$log" ] || grep -a '^mlx5-devx:' "$log" >&2 || tail -n 15 "$log" >&2
	exit 1
}
dkms install -m "$name" -v "$version" -k "$kver"
sh "$top/packaging/after-install.sh" "$kver"
echo "mlx5-devx: installed for kernel $kver. To load it: modprobe mlx5_devx"
