# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# checkpatch --strict of the newest kernel.

# Ignored: kzalloc_obj() is missing in the older kernels; rows of tables are built by
# macros, whose arguments are constants; _Static_assert.
KERNEL=ALLOC_WITH_SIZEOF,MACRO_ARG_REUSE,CAMELCASE
# TRACE_EVENT() is laid out by its own rules.
TRACE=OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT
# Rules about the kernel's own macros and conventions, in user space.
USER=$KERNEL,SPACING,ARRAY_SIZE,USE_NEGATIVE_ERRNO,COMPLEX_MACRO,FUNCTION_ARGUMENTS
USER+=,PREFER_DEFINED_ATTRIBUTE_MACRO,MACRO_WITH_FLOW_CONTROL
USER+=,MULTISTATEMENT_MACRO_USE_DO_WHILE,NEW_TYPEDEFS,AVOID_EXTERNS
USER+=,LEADING_SPACE,EMBEDDED_FUNCTION_NAME,STRCPY,MACRO_ARG_PRECEDENCE,SPLIT_STRING,PREFER_KERNEL_TYPES
USER+=,ENOSYS,MACRO_ARG_UNUSED

# A message is one line of any length. A signal handler sets a volatile variable.
TOOL=$USER,PARENTHESIS_ALIGNMENT,LONG_LINE,LONG_LINE_STRING,REPEATED_WORD,NAKED_SSCANF,VOLATILE,OPEN_BRACE

# Initialisers in the harness' macros; its ASSERT_ macros are no single statement;
# a row of a list becomes a definition.
HARNESS=$USER,PARENTHESIS_ALIGNMENT,BRACES,TRAILING_SEMICOLON
# KUnit's macros with messages; a macro that is a list.
UNIT=$KERNEL,PARENTHESIS_ALIGNMENT,COMPLEX_MACRO,MACRO_ARG_UNUSED,MACRO_ARG_PRECEDENCE,TRAILING_SEMICOLON
UNIT+=,EMBEDDED_FUNCTION_NAME

checkpatch()
{
	local ignore=$1

	shift
	# checkpatch leaves a file in its working directory.
	cd "$(mktemp -d)" || return
	perl /checkpatch/checkpatch.pl --no-tree --strict --terse --no-summary \
		--show-types --ignore "$ignore" -f "${@/#/$top/}"
}

style_checks()
{
	t checkpatch_kmod checkpatch "$KERNEL,$TRACE" kmod/*.[ch]
	t checkpatch_uapi checkpatch "$KERNEL" uapi/mdx/*.h
	t checkpatch_libshim checkpatch "$USER" \
		libshim/*.[ch] libshim/mdx/*.h libshim/test/*.[ch]
	t checkpatch_hca checkpatch "$USER" \
		selftests/hca/*.[ch] selftests/hca/test/*.[ch] \
		selftests/hca/fuzz/*.[ch]
	t checkpatch_kselftests checkpatch "$HARNESS" selftests/mdx/*.[ch]
	t checkpatch_demo checkpatch "$USER" selftests/demo/*.c
	t checkpatch_tool checkpatch "$TOOL" \
		tools/mdx/*.[ch] tools/mdx/test/*.c
	t checkpatch_examples checkpatch "$USER" examples/*.[ch]
	t checkpatch_kunit checkpatch "$UNIT" kunit/*.[ch]
	t checkpatch_kunit_user checkpatch "$USER" \
		kunit/user/*.[ch] kunit/user/*/*.h kunit/user/*/*/*.h
	t checkpatch_fuzz checkpatch "$USER" fuzz/*.c
	t checkpatch_opcodes checkpatch "$USER" opcodes/*.h
}
