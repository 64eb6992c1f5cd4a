# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Coccinelle, cppcheck, clang-tidy and clang-format.

cppcheck_user()
{
	cppcheck -q --enable=warning,performance,portability --std=c11 \
		--inline-suppr --error-exitcode=1 \
		--suppress=normalCheckLevelMaxBranches --suppress=unknownMacro \
		-Iuapi -Ilibshim "$@"
}

# tidy FILE... -- OPTION...
tidy()
{
	clang-tidy --quiet "$@" 2>&1 | grep -E -A 12 'error:|warning:' && return 1
	[ "${PIPESTATUS[0]}" -eq 0 ]
}

# Coccinelle's scripts of the newest kernel that report by themselves, that is,
# without a compiler for OCaml.
cocci_scripts()
{
	grep -rlE '^virtual.*\breport\b' --include='*.cocci' \
		"${COCCINELLE:-/checkpatch/coccinelle}" |
		xargs grep -L ocaml | sort
}

coccicheck()
{
	local script options out count=0

	while read -r script; do
		read -ra options < <(sed -n 's,^// Options: ,,p' "$script")
		out=$(spatch -D report --very-quiet --cocci-file "$script" \
			${options[@]+"${options[@]}"} --dir "$1" -I uapi \
			-I "$KHDR" 2>&1) || {
			echo "$script failed: $out"
			return 1
		}
		if grep -E '^[^ ]+:[0-9]+' <<<"$out"; then
			echo "# by $script"
			return 1
		fi
		count=$((count + 1))
	done < <(cocci_scripts)
	[ "$count" -gt 40 ]
}

# The scripts find a planted use after free in a file of the module.
coccicheck_finds()
{
	local dir out

	dir=$(mktemp -d)
	{
		cat kmod/debugfs.c
		echo 'int bad(int *p) { kfree(p); return *p; }'
	} >"$dir/bad.c"
	out=$(COCCINELLE=/checkpatch/coccinelle/free coccicheck "$dir")
	grep -q 'reference preceded by free' <<<"$out"
}

# format PERCENT FILE...: at most so many lines are not as clang-format has them.
format()
{
	local most=$1 file other=0 lines=0

	shift
	for file; do
		other=$((other + $(clang-format --style=file "$file" |
			diff "$file" - | grep -c '^<')))
		lines=$((lines + $(wc -l <"$file")))
	done
	echo "$other of $lines lines"
	[ "$lines" -gt 0 ] && [ $((other * 100)) -le $((most * lines)) ]
}

# With the headers as they are installed.
tidy_examples()
{
	local dir

	dir=$(mktemp -d)
	make -s -C libshim O="$dir" headers || return
	tidy examples/*.c -- \
		-std=gnu11 -D_GNU_SOURCE -I"$dir/include" -iquote "$KHDR/linux/mlx5"
}

lint_checks()
{
	t format_uapi format 0 uapi/mdx/*.h
	t format_kmod format 6 kmod/*.[ch]
	t format_libshim format 8 libshim/*.[ch] libshim/mdx/*.h libshim/test/*.[ch]
	t format_hca format 6 selftests/hca/*.[ch] selftests/hca/*/*.[ch]
	t format_kselftests format 8 selftests/mdx/*.[ch]
	t coccicheck_kmod coccicheck kmod
	t coccicheck_finds_a_fault coccicheck_finds
	t cppcheck_libshim cppcheck_user libshim/*.c
	t cppcheck_hca cppcheck_user selftests/hca/*.c
	t cppcheck_kselftests cppcheck_user selftests/mdx/*.c
	t cppcheck_examples cppcheck_user selftests/demo/*.c examples/*.c
	t clang_tidy_libshim tidy libshim/*.c -- \
		-std=gnu11 -D_GNU_SOURCE -Iuapi -Ilibshim
	t clang_tidy_hca tidy selftests/hca/*.c -- \
		-std=gnu11 -D_GNU_SOURCE -idirafter "$KHDR"
	t clang_tidy_examples tidy_examples
}
