#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# abi.sh check|update DIRECTORY - builds the library in DIRECTORY and compares it
# with the interface in libmdx.abi, as TAP, or prints what libmdx.abi is to be. What is new is no
# failure; what is gone or different is. Needs abigail-tools, of Debian 12: other
# versions, and other headers of rdma-core, describe the same types differently.
# The file is made anew when functions were added, in the commit that adds them:
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

# same DIRECTORY: abidiff's status has bits for errors (1, 2), changes (4) and
# incompatible ones (8).
same()
{
	abidiff --no-added-syms --headers-dir2 "$lib/mdx" "$here/libmdx.abi" "$1/libmdx.so.1"
}

differs()
{
	ret=0
	same "$1" || ret=$?
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

# changed DIRECTORY SCRIPT FILE...: the library with files changed by sed.
changed()
{
	to=$1
	script=$2
	shift 2
	rm -rf "$to.src" "$to"
	mkdir -p "$to.src"
	cp -R "$lib" "$lib/../uapi" "$lib/../dkms.conf" "$to.src/"
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
t abi_is_kept same "$out/lib"
# The comparison is worth something:
changed "$out/gone" '/mdx_context_reason;/d' libmdx.map
t abi_sees_a_function_that_is_gone differs "$out/gone"
changed "$out/other" 's/size_t attr_size)/unsigned int attr_size)/' query.c mdx/mdx.h
t abi_sees_another_prototype differs "$out/other"
changed "$out/more" 's/mdx_context_reason;/&\n\t\tmdx_more;/
	s/^#include "shim.h"$/&\nMDX_PUBLIC int mdx_more(void);\nMDX_PUBLIC int mdx_more(void) { return 0; }/' \
	libmdx.map shim.c
t abi_takes_what_is_new same "$out/more"
echo "1..$count"
[ "$failed" = 0 ]
