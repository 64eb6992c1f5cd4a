#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# abi.sh check|update DIRECTORY - builds the library in DIRECTORY. "check" compares
# it with the interface in libmdx.abi and reports as TAP; an addition is not a
# failure, a removal or a change is. "update" prints a new libmdx.abi. Both need the
# abigail-tools of Debian 12: other versions, and other headers of rdma-core,
# describe the same types differently. Update the file in the commit that adds a
# function:
#
#     selftests/vm/lab exec bookworm -- sh libshim/abi/abi.sh update >libshim/abi/libmdx.abi
set -eu

here=$(cd "$(dirname "$0")" && pwd)
lib=$(dirname "$here")
verb=$1
out=${2:-/tmp/abi}
count=0
failed=0

build()
{
	make -s -C "$1" O="$2" "$2/libmdx.so.1" >&2
}

describe()
{
	abidw --exported-interfaces-only --headers-dir "$lib/mdx" --drop-private-types \
		--no-corpus-path --no-comp-dir-path --no-show-locs --type-id-style hash "$1" |
		sed "s| path='[^']*/libshim/| path='|"
}

# same_abi DIRECTORY: the status of abidiff has bits for errors (1, 2), changes (4)
# and incompatible changes (8).
same_abi()
{
	abidiff --no-added-syms --headers-dir2 "$lib/mdx" "$here/libmdx.abi" "$1/libmdx.so.1"
}

abi_differs()
{
	ret=0
	same_abi "$1" || ret=$?
	[ $((ret & 3)) = 0 ] && [ $((ret & 4)) != 0 ]
}

t()
{
	name=$1
	shift
	count=$((count + 1))
	if said=$("$@" 2>&1); then
		echo "ok $count $name"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count $name"
	printf '%s\n' "$said" | sed 's/^/# /'
}

# build_changed DIRECTORY SCRIPT FILE...: the library, with files edited by sed.
build_changed()
{
	to=$1
	script=$2
	shift 2
	rm -rf "$to.src" "$to"
	mkdir -p "$to.src/kmod"
	cp "$lib"/../kmod/submit_chain.[ch] "$lib"/../kmod/submit_item.h "$to.src/kmod/"
	cp -R "$lib" "$lib/../uapi" "$lib/../opcodes" "$lib/../dkms.conf" "$to.src/"
	(cd "$to.src/libshim" && sed -i "$script" "$@")
	build "$to.src/libshim" "$to"
}

command -v abidw >/dev/null || {
	echo "ok 1 abi # SKIP abigail-tools is not installed"
	echo "1..1"
	exit 0
}
mkdir -p "$out"
build "$lib" "$out/lib"
if [ "$verb" = update ]; then
	describe "$out/lib/libmdx.so.1"
	exit 0
fi
t abi_unchanged same_abi "$out/lib"
# The comparison detects changes:
build_changed "$out/removed" '/mdx_context_reason;/d' libmdx.map
t abi_removed_function_detected abi_differs "$out/removed"
build_changed "$out/changed" 's/size_t attr_size)/unsigned int attr_size)/' query.c mdx/mdx.h
t abi_changed_prototype_detected abi_differs "$out/changed"
build_changed "$out/added" 's/mdx_context_reason;/&\n\t\tmdx_added;/
	s/^#include "ctx.h"$/&\nMDX_PUBLIC int mdx_added(void);\nMDX_PUBLIC int mdx_added(void) { return 0; }/' \
	libmdx.map obj.c
t abi_added_function_accepted same_abi "$out/added"
echo "1..$count"
[ "$failed" = 0 ]
