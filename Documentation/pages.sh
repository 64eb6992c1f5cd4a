# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154
#
# Tests of the pages, sourced by man/check.sh: links, lists, names of tests, the
# code of uapi.md, and the size of design.md. t() takes a name and a command that
# succeeds and is silent; $top is the tree, $tmp a directory.

pages()
{
	find "$top" -name '*.md' -not -path '*/build/*' -not -path '*/.git/*' | sort
}

# Links from a page to a file of the tree or to a heading.
links()
{
	pages | perl -e '
		sub anchors {
			my %a;
			open(my $f, "<", shift) or return;
			local $/ = "\n";
			while (<$f>) {
				next unless s/^#+ //;
				chomp; $_ = lc; s/[^-a-z0-9_ ]//g; s/ /-/g; $a{$_} = 1;
			}
			return %a;
		}
		chomp(my @pages = <STDIN>);
		for my $page (@pages) {
			my ($dir) = $page =~ m{^(.*)/};
			open(my $f, "<", $page) or die "$page: $!\n";
			local $/; my $text = <$f>;
			$text =~ s/^```.*?^```//gms;
			while ($text =~ /\]\(([^)\s]+)\)/g) {
				my ($file, $anchor) = split /#/, $1;
				next if $1 =~ /^[a-z]+:/;
				my $path = $file eq "" ? $page : "$dir/$file";
				print "$page: no $file\n" unless -e $path;
				my %a = $anchor ? anchors($path) : ();
				print "$page: no #$anchor in $file\n" if $anchor && !$a{$anchor};
			}
		}'
}

# The first cells of the rows of a table in a page, without their quotes or links.
listed()
{
	sed -n 's/^| \[*`*\([^]`|]*[^]`| ]\).*/\1/p' "$1" | sort -u
}

# Each folder at the top is in README.md's table, and each of the table is there.
folders()
{
	(cd "$top" && find . -mindepth 1 -maxdepth 1 -type d -not -name '.*' \
		-not -name build) | sed 's,^\./\(.*\),\1/,' | sort >"$tmp/there"
	listed "$top/README.md" | grep '/$' | diff "$tmp/there" -
}

# Each page is in the list of pages, and each of the list is there.
index()
{
	(cd "$top/Documentation" && ls ./*.md) | sed 's,^\./,,' |
		grep -v '^index.md$' >"$tmp/there"
	listed "$top/Documentation/index.md" | grep '\.md$' | diff "$tmp/there" -
}

design_is_short()
{
	awk '
		length > 80 { print FILENAME ":" FNR ": " length " columns" }
		END { if (NR > 150) print FILENAME ": " NR " lines" }
	' "$top/Documentation/design.md"
}

# Every .c of the module has its place in design.md, and calls those behind it only.
design_layers()
{
	perl -e '
		my ($page, @files) = @ARGV;
		my (%place, %home, %text);
		local $/;
		open(my $p, "<", $page) or die "$page: $!\n";
		my ($layers) = <$p> =~ /^## Layers\n\n((?: {4}.*\n)+)/m or die "no layers\n";
		$place{$1} = keys %place while $layers =~ /(\w+\.c)/g;
		for (@files) {
			my ($file) = m{([^/]*)$};
			open(my $f, "<", $_) or die "$_: $!\n";
			$text{$file} = <$f> =~ s{/\*.*?\*/}{}gsr;
			print "$file has no layer\n" unless exists $place{$file};
			$home{$1} = $file while $text{$file} =~ /^(?!static)\w[\w *]*\b(mdx_\w+)\([^;{]*\{/gm;
		}
		exists $text{$_} or print "there is no $_\n" for keys %place;
		die "too few functions\n" if keys %home < 40;
		for my $file (keys %text) {
			while ($text{$file} =~ /(?<!struct )\b(mdx_\w+)\(/g) {
				my $to = $home{$1} or next;
				print "$file calls $1() of $to\n" if $place{$to} < $place{$file};
			}
		}' "$top/Documentation/design.md" "$top"/kmod/*.c
}

# Lines of text, tables and code aside.
columns()
{
	for page in "$top/README.md" "$top"/Documentation/*.md; do
		awk '
			/^```/ { in_code = !in_code }
			in_code || /^(    |\||!)/ { next }
			{ text = $0; gsub(/`[^`]*`/, "", text) }
			length(text) > 128 { print FILENAME ":" FNR ": " length " columns" }
		' "$page"
	done
}

# Programs that the column "test" of a page names, and tests of capability_test.
named_tests()
{
	sed -n 's/^|.*| \([^|]*`[^|]*\) |$/\1/p' "$top/Documentation/differences.md" |
		grep -o '`[a-z_]*`' | tr -d '`' | sort -u >"$tmp/programs"
	grep -q . "$tmp/programs" || echo "differences.md names no tests"
	while read -r prog; do
		[ -e "$top/selftests/mdx/$prog.c" ] || [ -e "$top/kunit/$prog.c" ] ||
			echo "differences.md: no $prog"
	done <"$tmp/programs"
	{
		sed -n 's/^|.*| \([^|]*`[^|]*\) |$/\1/p' "$top/Documentation/capabilities.md"
		sed -n 's/.*(\(`.*`\)).*/\1/p' "$top/Documentation/capabilities.md"
	} | grep -o '`[a-z_.]*`' | tr -d '`' | sort -u >"$tmp/tests"
	[ "$(wc -l <"$tmp/tests")" -ge 10 ] || echo "capabilities.md names too few tests"
	while IFS=. read -r one two; do
		grep -qE "^TEST_F\([a-z]+, ${two:-$one}\)|VARIANT_ADD\($one, $two\)" \
			"$top/selftests/mdx/capability_test.c" ||
			echo "capabilities.md: no $one $two"
	done <"$tmp/tests"
}

# Each call of the uapi has a section.
uapi_calls()
{
	grep -oE '^#define MDX_IOC_[A-Z_]+ _IO\(' "$top/uapi/mdx/mdx_uapi.h" |
		cut -d ' ' -f 2 | sort >"$tmp/calls"
	grep '^## MDX_IOC' "$top/Documentation/uapi.md" | grep -oE 'MDX_IOC_[A-Z_]+' |
		sort | diff "$tmp/calls" -
}

# The code of uapi.md, one piece after the other.
uapi_code()
{
	{
		cat <<-'C'
			#include <err.h>
			#include <stdio.h>
			#include "mdx_utils.h"
			void tour(struct ibv_context *context, struct ibv_pd *pd, struct ibv_cq *cq);
			void tour(struct ibv_context *context, struct ibv_pd *pd, struct ibv_cq *cq)
			{
		C
		sed -n 's/^    //p' "$top/Documentation/uapi.md"
		echo '}'
	} >"$tmp/uapi.c"
	${CC:-gcc} -Wall -Werror -Wno-unused-variable -D_GNU_SOURCE -fsyntax-only \
		-I "$top/uapi" -I "$top/selftests/mdx" -iquote "${KHDR:?}/linux/mlx5" "$tmp/uapi.c"
}

t links_resolve links
t folders_are_listed folders
t pages_are_listed index
t design_is_short design_is_short
t calls_go_down design_layers
t lines_are_short columns
t named_tests_exist named_tests
t uapi_calls_have_sections uapi_calls
t uapi_code_compiles uapi_code
