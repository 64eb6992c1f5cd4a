#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# opcodes.sh check|update - the lists of opcodes in dev_mlx5_devx.txt, which are those
# of opcodes/opcodes.def. check compares them, update writes them anew.
set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
text=$top/selftests/syzkaller/dev_mlx5_devx.txt
first='# Opcodes: written by opcodes.sh from opcodes.def.'
last='# End of the opcodes.'

# The opcodes of one list, by the macros of opcodes.def: "0x800, 0x816".
list_opcodes()
{
	local macro

	{
		echo '#define OPCODE(number, name)'
		for macro; do
			echo "#define $macro(number, ...) number"
		done
		echo '#include "opcodes.def"'
	} | gcc -E -P -I"$top/opcodes" -xc - | grep -oE '0x[0-9a-f]+' | sort -u |
		paste -s -d , | sed 's/,/, /g'
}

range_first()
{
	sed -n 's/^#define MDX_OPCODE_RANGE_FIRST //p' "$top/opcodes/opcodes.h"
}

generated_block()
{
	echo "$first"
	echo "mdx_op_create = $(list_opcodes OPCODE_CREATE OPCODE_CREATE_AT)"
	echo "mdx_op_obj = $(list_opcodes OPCODE_QUERY OPCODE_MODIFY OPCODE_ALSO_MODIFY)"
	echo "mdx_op_general = $(list_opcodes OPCODE_GENERAL), $(range_first)"
	echo "$last"
}

present_block()
{
	sed -n "/^$first\$/,/^$last\$/p" "$text"
}

case ${1:-} in
check)
	[ "$(generated_block | grep -oc 0x)" -eq 3 ] || { echo "no opcodes in opcodes.def"; exit 1; }
	diff <(present_block) <(generated_block) ||
		{ echo "stale: run selftests/syzkaller/opcodes.sh update"; exit 1; }
	;;
update)
	new=$(mktemp)
	generated_block >"$new.block"
	awk -v first="$first" -v last="$last" -v block="$new.block" '
		$0 == first { while ((getline line <block) > 0) print line; skip = 1 }
		!skip { print }
		$0 == last { skip = 0 }' "$text" >"$new"
	cat "$new" >"$text"
	rm "$new" "$new.block"
	;;
*)
	echo "usage: ${0##*/} check|update" >&2
	exit 2
	;;
esac
