# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# The uapi header: languages, layout, syzkaller's description.

# The header alone, in a language: compiler and options.
uapi_alone()
{
	echo '#include <mdx/mdx_uapi.h>' |
		"$@" -Wall -Wextra -Werror -Iuapi -fsyntax-only -
}

# A struct whose size the compiler gets wrong must not compile.
uapi_refuses()
{
	local broken

	broken=$(mktemp)
	sed 's/__u32 out_uid;/__u64 out_uid;/' uapi/mdx/mdx_uapi.h >"$broken"
	if gcc -xc -fsyntax-only "$broken" 2>/dev/null; then
		rm "$broken"
		return 1
	fi
	rm "$broken"
}

# A variable of each structure of the uapi, for pahole; without debug information
# of one it would say nothing.
uapi_structs()
{
	grep -oE '^struct mdx_[a-z_]+ \{' uapi/mdx/mdx_uapi.h | cut -d ' ' -f 2
}

uapi_object()
{
	local out=$1

	shift
	{
		echo '#include <mdx/mdx_uapi.h>'
		uapi_structs | sed 's/.*/struct & v_&;/'
	} | gcc "$@" -xc -g -c -Iuapi -o "$out" -
}

# Neither holes nor padding at the end, nor bits, whatever the word's size.
uapi_has_no_holes()
{
	local obj name text

	obj=$(mktemp)
	uapi_object "$obj" "$@" || return
	for name in $(uapi_structs); do
		text=$(pahole -C "$name" "$obj" 2>/dev/null)
		if ! grep -q 'size:' <<<"$text" ||
			grep -E 'XXX|holes:|padding:' <<<"$text"; then
			echo "$name"
			return 1
		fi
	done
	pahole --sizes "$obj" 2>/dev/null >"$obj.sizes"
	[ "$(wc -l <"$obj.sizes")" -eq "$(uapi_structs | wc -l)" ]
}

# One layout for 32 and 64 bits.
uapi_same_in_32_bits()
{
	local dir

	dir=$(mktemp -d)
	uapi_object "$dir/64" && uapi_object "$dir/32" -m32 || return
	pahole "$dir/64" >"$dir/64.txt" 2>/dev/null
	pahole "$dir/32" >"$dir/32.txt" 2>/dev/null
	[ -s "$dir/64.txt" ] && diff "$dir/64.txt" "$dir/32.txt"
}

# "STRUCT FIELD BYTES" of every field, from the header and from the description.
syz_fields_of_header()
{
	awk '/^struct mdx_ioc_[a-z_]+ \{/ { s = $2; next }
		/^};/ { s = "" }
		s && $1 ~ /^__[us]32$/ { print s, $2, 4 }
		s && $1 == "__aligned_u64" { print s, $2, 8 }' \
		uapi/mdx/mdx_uapi.h | tr -d ';'
}

syz_fields_of_text()
{
	awk '/^mdx_ioc_[a-z_]+ \{/ { s = $1; next }
		/^}/ { s = "" }
		s { print s, $1, /int64|ptr64/ ? 8 : 4 }' "$1"
}

# The numbers of the description's constants, as a compiler sees them.
syz_numbers()
{
	local names

	names=$(grep -oE '\bMDX_(BIND|CHANNEL|CMD|IOC|ITEM|SUBMIT|UMEM|VERBS)_[A-Z_]+' "$1" | sort -u)
	{
		printf '#include <stdio.h>\n#include <mdx/mdx_uapi.h>\n'
		echo 'int main(void) {'
		for name in $names; do
			echo "printf(\"$name = %u\\n\", (unsigned int)$name);"
		done
		echo 'return 0; }'
	} | gcc -xc -Iuapi -o "$2" - && "$2"
}

# Every call and every field is there, and the numbers are the header's.
syzkaller_matches()
{
	local text=selftests/syzkaller/dev_mlx5_devx.txt dir

	dir=$(mktemp -d)
	syz_fields_of_header >"$dir/header"
	syz_fields_of_text "$text" >"$dir/text"
	[ "$(wc -l <"$dir/header")" -gt 100 ] || return
	diff "$dir/header" "$dir/text" || return
	diff <(grep -oE '^#define MDX_IOC_[A-Z_]+ _IO\(' uapi/mdx/mdx_uapi.h |
		cut -d ' ' -f 2 | sort) \
		<(grep -oE '^ioctl\$MDX_IOC_[A-Z_]+' "$text" |
		cut -d '$' -f 2 | sort) || return
	syz_numbers "$text" "$dir/numbers" >"$dir/const" || return
	diff "$dir/const" <(grep '^MDX_' "$text.const")
}

uapi_checks()
{
	t uapi_compiles_as_c99 uapi_alone gcc -xc -std=c99 -pedantic
	t uapi_compiles_as_c11 uapi_alone gcc -xc -std=c11
	t uapi_compiles_as_cpp uapi_alone g++ -xc++ -pedantic
	t uapi_refuses_another_layout uapi_refuses
	t uapi_has_no_holes uapi_has_no_holes
	t uapi_has_no_holes_in_32_bits uapi_has_no_holes -m32
	t uapi_is_the_same_in_32_bits uapi_same_in_32_bits
	t syzkaller_description_matches syzkaller_matches
}
