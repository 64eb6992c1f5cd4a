# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Documentation against the tests that it names.

# Each test that Documentation/functions.md names as a proof exists.
documented_tests()
{
	local prog name

	grep -oE '`[a-z_]+_test: [a-z_0-9]+`' Documentation/functions.md |
		tr -d '`' | sort -u | while IFS=': ' read -r prog name; do
		grep -qsE "\b$name\b" "selftests/mdx/$prog.c" \
			"libshim/test/$prog.c" || echo "$prog: $name"
	done | grep . && return 1
	return 0
}

# Documentation/clients.md is what the expected results make it.
clients_page()
{
	selftests/clients/page.pl | diff Documentation/clients.md -
}

docs_checks()
{
	t clients_page_is_current clients_page
	t clients_results_are_compared selftests/clients/compare-test.sh
	t documented_tests_exist documented_tests
	t syzkaller_opcodes_match selftests/syzkaller/opcodes.sh check
	t adding_an_opcode_is_true Documentation/snippets.sh
}
