#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# snippets.sh - adding-an-opcode.md is true, as TAP: its changes apply to a copy of
# the tree, which then passes the unit tests and compiles; what it quotes is in the
# tree; each change touches as many files as its table says. Takes KHDR and KSELFTEST
# from the environment, as selftests/vm/lab exec sets them.
#
# snippets.sh apply DIRECTORY - make the changes in a tree, to try them in a VM.
#
# A block "```diff" has a line "+++ FILE" before the changes to that file, and a line
# "@@" before each of them. A block "```c FILE" is a quotation.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/.." && pwd)
page=$here/adding-an-opcode.md
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tree=$tmp/tree
count=0
failed=0

# t NAME COMMAND...: one test; what a failing one printed is shown.
t()
{
	name=$1
	shift
	count=$((count + 1))
	if "$@" >"$tmp/said" 2>&1; then
		echo "ok $count $name"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count $name"
	tail -n 40 "$tmp/said" | sed 's/^/# /'
}

# Applies the changes; each one's old lines must be in the file exactly once. The
# files are listed by the heading that they are under.
apply()
{
	perl -e '
		my ($page, $tree, $list) = @ARGV;
		my ($heading, $file, $old, $new, %text, %touched) = ("", "", "", "");
		sub change {
			return if $old eq "" && $new eq "";
			my $n = () = $text{$file} =~ /^\Q$old\E/gm;
			die "$file has this $n times, not once:\n$old" if $n != 1;
			$text{$file} =~ s/^\Q$old\E/$new/m;
			$old = $new = "";
		}
		open(my $in, "<", $page) or die "$page: $!\n";
		my $in_diff = 0;
		while (<$in>) {
			if (!$in_diff) {
				$heading = $1 if /^## (.*)/;
				$in_diff = /^```diff$/;
				next;
			}
			if (/^(```|\+\+\+ (\S+)|@@)$/) {
				change();
				$in_diff = 0 if $1 eq "```";
				next unless $2;
				$file = $2;
				$touched{"$heading\t$file"} = 1;
				next if exists $text{$file};
				open(my $f, "<", "$tree/$file") or die "$file: $!\n";
				local $/;
				$text{$file} = <$f>;
				next;
			}
			/^([-+ ])(.*\n)/ or die "not a line of a change: $_";
			$old .= $2 if $1 ne "+";
			$new .= $2 if $1 ne "-";
		}
		for (keys %text) {
			open(my $f, ">", "$tree/$_") or die "$_: $!\n";
			print $f $text{$_};
		}
		open(my $l, ">", $list) or die;
		print $l "$_\n" for sort keys %touched;
		die "no changes\n" unless %touched;
	' "$page" "$tree" "$tmp/touched"
}

quotes()
{
	perl -e '
		my ($page, $top) = @ARGV;
		open(my $in, "<", $page) or die; local $/;
		my $text = <$in>; my $n = 0;
		while ($text =~ /^```c (\S+)\n(.*?)^```$/gms) {
			my ($file, $quote) = ($1, $2);
			open(my $f, "<", "$top/$file") or die "$file: $!\n";
			die "$file has not:\n$quote" if index(<$f>, $quote) < 0;
			$n++;
		}
		die "no quotations\n" unless $n;
	' "$page" "$top"
}

# The number in the row of the table that begins so.
claimed()
{
	sed -n "s/^| $1 | \([0-9]*\) |$/\1/p" "$page"
}

# files_of HEADING [MORE...]: how many files its changes touch, and MORE.
files_of()
{
	heading=$1
	shift
	{
		grep "^$heading	" "$tmp/touched" | cut -f 2
		for file; do
			[ -e "$top/$file" ] && echo "$file"
		done
	} | sort -u | wc -l
}

# The software ConnectX's files in the table of tables.
hca_files()
{
	sed -n 's/^| \(`selftests\/hca[^|]*\) | .*/\1/p' "$page" | tr -d '`,' | tr ' ' '\n' |
		sed '1h; 1!{G; s,\(.*\)\n\(.*/\)[^/]*$,\2\1,}'
}

counts()
{
	# shellcheck disable=SC2046 # One file is one word.
	[ "$(claimed 'an opcode')" = "$(files_of 'A command without an object')" ] &&
		[ "$(claimed 'an object type that the software ConnectX knows')" = \
			"$(files_of 'An object type')" ] &&
		[ "$(claimed 'an object type that the software ConnectX does not know')" = \
			"$(files_of 'An object type' $(hca_files))" ] || {
		cat "$tmp/touched"
		hca_files
		return 1
	}
}

# Files of the module that name opcodes: the table, and those that the page names.
opcodes_elsewhere()
{
	{
		echo optab.c
		sed -n '/^Other files of the module/,/^$/p' "$page" |
			grep -o '`[a-z_]*\.[ch]`' | tr -d '\`'
	} | sort -u >"$tmp/named"
	(cd "$top/kmod" && grep -l MLX5_CMD_OP_ ./*.[ch]) | sed 's,^\./,,' | sort |
		diff "$tmp/named" -
}

unit_tests()
{
	make -s -C "$tree/kunit/user" O="$tmp/kunit" check
}

# The changed tables of the kselftests, and a program that is made of them.
kselftests_compile()
{
	objs=$(grep -o 'selftests/mdx/[a-z_]*\.c' "$tmp/touched" |
		sed "s,.*/\(.*\)\.c,$tmp/mdx/\1.o," | sort -u)
	prog=$(cd "$tree/selftests/mdx" && grep -lE '^OBJTYPES\(' ./*_test.c |
		sed "s,\./\(.*\)\.c,$tmp/mdx/\1.o,")
	[ -n "$objs" ] && [ -n "$prog" ] || return
	# shellcheck disable=SC2086 # One file is one word.
	make -s -C "$tree/selftests/mdx" O="$tmp/mdx" $objs $prog
}

opcodes_compile()
{
	${CC:-gcc} -Wall -Werror -fsyntax-only -xc -I "$tree/opcodes" - <<-'C'
		#include "opcodes.h"
		int example[] = { MDX_OPCODE_QUERY_SPECIAL_CONTEXTS, MDX_OPCODE_ALLOC_UAR };
	C
}

if [ "${1:-}" = apply ]; then
	tree=${2:?a directory}
	apply
	exit
fi

mkdir "$tree" "$tree/selftests"
cp -r "$top/kmod" "$top/kunit" "$top/opcodes" "$top/uapi" "$tree/"
cp -r "$top/selftests/mdx" "$tree/selftests/"

t the_changes_apply apply
t the_quotations_are_in_the_tree quotes
t the_changes_touch_as_many_files_as_said counts
t opcodes_are_named_where_said opcodes_elsewhere
t the_description_compiles opcodes_compile
t the_unit_tests_pass unit_tests
t the_kselftests_compile kselftests_compile
echo "1..$count"
[ "$failed" = 0 ]
