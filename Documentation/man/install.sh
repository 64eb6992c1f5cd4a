#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# install.sh FROM MANDIR PAGE... - installs manuals, each under all its names.
set -eu

from=$1
mandir=$2
shift 2

for page; do
	section=${page##*.}
	dir=$mandir/man$(printf %.1s "$section")
	mkdir -p "$dir"
	install -m 0644 "$from/$page" "$dir/$page"
	# NAME: "a, b, c - what they are"
	sed -n '/^\.SH NAME/,/^\.SH/p' "$from/$page" | sed '/^\./d; s/\\//g' | tr '\n' ' ' |
		sed 's/ - .*//' | tr -d ' ' | tr , '\n' | while read -r name || [ -n "$name" ]; do
		[ "$name.$section" = "$page" ] || ln -sf "$page" "$dir/$name.$section"
	done
done
