#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# deb.sh DIRECTORY - builds the Debian packages of this tree in DIRECTORY, which
# is emptied first. Needs no network and leaves the tree alone. SOURCE_DATE_EPOCH
# is the date of the changelog, else that of dkms.conf. DEB_HOST_ARCH is the
# architecture to build for (with cross compilers), else this machine's.
set -eu

mkdir -p "$1"
dir=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
epoch=${SOURCE_DATE_EPOCH:-$(stat -c %Y dkms.conf)}
stage=$dir/mlx5-devx-$version

command -v dpkg-buildpackage >/dev/null || {
	echo 'mlx5-devx: dpkg-buildpackage is not installed. Install dpkg-dev, or let the lab' >&2
	echo 'build the packages: make deb DEB_LANE=trixie (or bookworm)' >&2
	exit 1
}
arch=${DEB_HOST_ARCH:-$(dpkg --print-architecture)}
if ! missing=$(dpkg-checkbuilddeps -a "$arch" -I packaging/debian/control 2>&1); then
	printf 'mlx5-devx: %s\n' "$missing" \
		"Install these (apt-get build-dep needs no more than packaging/debian/control)," \
		"or let the lab build the packages: make deb DEB_LANE=trixie (or bookworm)" >&2
	exit 1
fi

rm -rf "$dir"/mlx5-devx* "$dir"/libmdx*
mkdir -p "$stage"
sh packaging/dkms-source.sh "$stage"
cp -R README.md Documentation LICENSES libshim opcodes packaging tools "$stage/"
# mdx selftest makes the objects of the kselftests.
mkdir -p "$stage/selftests/mdx"
cp selftests/mdx/*.[ch] "$stage/selftests/mdx/"
[ ! -d examples ] || cp -R examples "$stage/"
mv "$stage/packaging/debian" "$stage/debian"
maintainer=$(sed -n 's/^Maintainer: //p' packaging/debian/control)
cat >"$stage/debian/changelog" <<TEXT
mlx5-devx ($version) unstable; urgency=medium

  * Built from the source tree of this version.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$epoch")
TEXT
cd "$stage"
SOURCE_DATE_EPOCH=$epoch dpkg-buildpackage -b -a "$arch" -us -uc --ignore-builtin-builddeps
