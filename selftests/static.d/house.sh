# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Words, names and shell style: the rules of house.pl, shellcheck, one brace style,
# one list of kselftests.

# Sources only: nothing that a build in the tree leaves.
sources()
{
	find bench examples fuzz kmod kunit libshim opcodes packaging selftests tools uapi \
		Documentation/man .ci -type f ! -name '*.mod.c' ! -name '.*' ! -path '*/build/*' "$@" | sort
}

c_sources()
{
	sources -name '*.[ch]'
}

# Shell scripts by name or by their first line, and those that are only sourced.
shell_sources()
{
	local file line

	sources -size -100k ! -name '*.[ch]' ! -name '*.md' | while read -r file; do
		case $file in
		*.sh | *.bash)
			echo "$file"
			continue
			;;
		esac
		read -r line <"$file" || continue
		[[ ! $line =~ ^'#!'.*[/\ ](ba)?sh( |$) ]] || echo "$file"
	done
}

# Files whose opcodes are written by name. The software ConnectX and kunit/layouts.h have
# tables of their own, on purpose.
opcode_users()
{
	c_sources | grep -E '^(selftests/(mdx|demo|hca/test)|kunit|libshim/test|tools/mdx/test|examples|bench)/' |
		grep -v '^kunit/layouts.h$'
}

house()
{
	local check=$1

	shift
	perl selftests/static.d/house.pl "$check" "$@"
}

# t_house NAME CHECK LIST...: house.pl on the files that each LIST prints.
t_house()
{
	local name=$1 check=$2 list files=() more

	shift 2
	for list; do
		mapfile -t more < <("$list")
		files+=("${more[@]}")
	done
	t_figures "$name" house "$check" "${files[@]}"
}

# Each rule of house.pl fails on files that break it.
house_finds()
{
	local dir check

	dir=$(mktemp -d)
	cat >"$dir/a.h" <<-'C'
		/* What this is for. */
		struct twice {
			int opcode;
		};
		static int help(int opcode)
		{
			return opcode == 0x400;
		}
	C
	mkdir "$dir/other"
	cp "$dir/a.h" "$dir/other/"
	for check in comments functions headers tags opcodes; do
		if house "$check" "$dir/a.h" "$dir/other/a.h" >"$dir/out"; then
			echo "$check finds nothing: $(<"$dir/out")"
			return 1
		fi
		[ "$(grep -c 'a\.h' "$dir/out")" -gt 0 ] || { echo "$check names no file"; return 1; }
	done
	rm -r "$dir"
}

shellcheck_all()
{
	local files

	mapfile -t files < <(shell_sources)
	[ "${#files[@]}" -gt 30 ] && shellcheck -S warning -f gcc "${files[@]}"
}

# The brace of a shell function stands on a line of its own, as that of a C function.
shell_braces()
{
	local files odd

	mapfile -t files < <(shell_sources)
	odd=$(grep -nE '^[a-z_0-9]+\(\) *\{' /dev/null "${files[@]}")
	echo "$(grep -c . <<<"$odd") shell functions have their brace on the line of the name"
	[ -z "$odd" ] || { echo "$odd"; return 1; }
}

# The kselftests are listed by their Makefile. run.sh may name those that it treats
# differently.
one_list_of_kselftests()
{
	local names name said=()

	names=$(make -s --no-print-directory -C selftests/mdx -f - print 2>/dev/null <<-'MAKE'
		include Makefile
		print: ; @echo $(notdir $(BIN))
	MAKE
	)
	for name in $names; do
		! grep -qw -- "$name" selftests/mdx/run.sh || said+=("$name")
	done
	echo "run.sh names ${#said[@]} of the $(wc -w <<<"$names") kselftests of the Makefile"
	[ "$(wc -w <<<"$names")" -gt 20 ] && [ "${#said[@]}" -le 4 ]
}

# Under pipefail, the end of a reader that has seen enough is a failure of the writer: a
# pipeline reads all of its input.
pipelines_read_all()
{
	local files odd

	mapfile -t files < <(shell_sources | xargs grep -l pipefail)
	# The parts of lab are sourced by it.
	odd=$(grep -nE '[|][[:space:]]*(head|grep( -[a-zA-Z]+)* -[a-zA-Z]*[qm]|awk .*exit)\b' \
		"${files[@]}" selftests/vm/*.sh selftests/static.d/*.sh selftests/pkg/lib.sh |
		grep -v -e '|| *\(head\|grep\|awk\)' -e 'odd=' | sort -u)
	echo "$(grep -c . <<<"$odd") pipelines under pipefail end before their input"
	[ -z "$odd" ] || { echo "$odd"; return 1; }
}

house_checks()
{
	t house_rules_can_fail house_finds
	t_house comments_begin_with_their_subject comments c_sources shell_sources
	t_house static_functions_have_two_words functions c_sources
	t_house header_names_are_unique headers c_sources
	t_house struct_tags_are_unique tags c_sources
	t_house opcodes_have_names opcodes opcode_users
	t_figures shell_braces_on_their_own_line shell_braces
	t_figures kselftests_are_listed_once one_list_of_kselftests
	t_figures pipelines_read_to_the_end pipelines_read_all
	t shellcheck_is_clean shellcheck_all
}
