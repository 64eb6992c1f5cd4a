#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# dkms-source.sh DIRECTORY - copies the sources that DKMS builds from to DIRECTORY,
# without the outputs of a build in the tree.
set -eu

dest=$1
cd "$(dirname "$0")/.."
mkdir -p "$dest"
find dkms.conf Kbuild kmod uapi -type f \
	\( -name '*.[ch]' -o -name '*.mk' -o -name '*.sh' -o -name Kbuild -o -name dkms.conf \) \
	! -name '*.mod.c' ! -name '.*' | sort | while read -r file; do
	mode=644
	[ "${file%.sh}" = "$file" ] || mode=755
	install -D -m "$mode" "$file" "$dest/$file"
done
