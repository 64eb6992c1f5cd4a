#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# check.sh DIRECTORY PAGE... - tests of the manuals in DIRECTORY and the pages they
# come from, as TAP: man and mandoc accept them; manuals, header and library have
# the same functions; messages are explained; and the tests of ../pages.sh. Needs
# man-db, mandoc, perl, a compiler, rdma-core's headers, and KHDR (the include
# directory of a kernel tree).

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
out=$1
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0
failed=0

# t NAME COMMAND...: one test; it passes if the command succeeds and is silent.
t()
{
	name=$1
	shift
	count=$((count + 1))
	if "$@" >"$tmp/said" 2>&1 && [ ! -s "$tmp/said" ]; then
		echo "ok $count $name"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count $name"
	sed 's/^/# /' "$tmp/said"
}

renders()
{
	LC_ALL=C.UTF-8 MANROFFOPT='' man --warnings=w -E UTF-8 -l "$out/$1" >"$tmp/page"
	[ -s "$tmp/page" ]
}

lints()
{
	mandoc -Tlint -W warning "$out/$1"
}

# man's index knows a page by its first section.
named()
{
	LC_ALL=C.UTF-8 lexgrog "$out/$1" >"$tmp/names" || { cat "$tmp/names"; return 1; }
	grep -q ": \"${1%.*} - " "$tmp/names" || { echo "not named: ${1%.*}"; return 1; }
}

installed()
{
	sh "$here/install.sh" "$out" "$tmp/man" "$@"
}

# Each function that libmdx exports has a page, and each page a function.
functions()
{
	for page in "$tmp"/man/man3/*.3mdx; do
		basename "$page" .3mdx
	done | sort >"$tmp/pages"
	# Functions that are only interposed have rdma-core's page.
	sed -n 's/^\t\t\([a-z0-9_]*\);/\1/p' "$top/libshim/libmdx.map" |
		grep -vxE 'ibv_(open|import|close)_device|mlx5dv_open_device|_mlx5dv_query_port' |
		sort -u >"$tmp/exported"
	diff "$tmp/pages" "$tmp/exported"
}

# A prototype that differs from the header's does not compile.
synopsis()
{
	for page in "$here"/*.3mdx.md; do
		sed -n '/^```c$/,/^```$/p' "$page" | sed '/^```/d'
	done >"$tmp/synopsis.c"
	grep -q mlx5dv_devx_obj_create "$tmp/synopsis.c" || return
	${CC:-gcc} -Wall -Werror -fsyntax-only -I "$top/libshim" -I "$top/uapi" "$tmp/synopsis.c"
}

# Messages of module, scripts, library and tool, up to the values filled in, are in the
# page.
messages()
{
	perl -e '
		my $page = shift;
		open(my $f, "<", $page) or die; local $/;
		my $known = <$f>; $known =~ s/\s+/ /g;
		my $n = 0;
		for my $file (grep { -e } @ARGV) {
			open(my $s, "<", $file) or die "$file: $!\n";
			my $text = <$s>;
			my @said;
			if ($file =~ /\.sh$/) {
				push @said, $1 while $text =~ /\b(?:stop|say)\s+(?:\\\s*)?"((?:[^"\\]|\\.)*)"/g;
			} elsif ($file =~ m{/tools/}) {
				push @said, $1 while $text =~ /CHECK_(?:BAD|NOTE), "([^"]*)"/g;
			} elsif ($file =~ /ctx\.c$/) {
				$text =~ s/" MDX_NODE/\/dev\/infiniband\/mlx5_devx/g;
				$text =~ s/mlx5_devx "/mlx5_devx/g;
				push @said, $1 while $text =~ /\t\t"?((?:[a-zA-Z\/]+ )[^"]+)"\n\t\}/g;
			} else {
				push @said, $1 while $text =~ /"mlx5_devx: ([^"]*)\\n"/g;
			}
			for my $said (@said) {
				next if $said eq "%s";
				my @parts = grep { length > 8 && /[a-z]/ }
					split /%#?[a-z]+|\$\([^)]*\)?|\$\{[^}]*\}|\$\w+|[.:(] *|\\"/, $said;
				s/^[\s,;]+|[\s,;]+$//g for @parts;
				$n++;
				print "$file: \"$said\" is not in troubleshooting.md\n"
					unless grep { index($known, $_) >= 0 } @parts;
			}
		}
		print "only $n messages found\n" if $n < 30;
	' "$top/Documentation/troubleshooting.md" "$top"/kmod/*.c "$top"/kmod/*.sh "$top"/packaging/*.sh \
		"$top/libshim/ctx.c" "$top"/tools/mdx/*.c
}

for page; do
	t "${page}_renders" renders "$page"
	t "${page}_lints" lints "$page"
	t "${page}_is_named" named "$page"
done
t pages_install installed "$@"
t functions_have_pages functions
t synopses_are_those_of_the_headers synopsis
t messages_are_explained messages
# shellcheck source=/dev/null
. "$here/../pages.sh"
echo "1..$count"
[ "$failed" = 0 ]
