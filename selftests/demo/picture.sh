#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# picture.sh <LOG >SVG - a picture of a terminal with the output of the first part
# of demo.sh -v. With a COMMAND, all of the log is its output. Those in the README are
# made by
#
#     selftests/vm/lab run --hca ecpf,vfs=2 next -- demo.sh -v |
#         selftests/demo/picture.sh >Documentation/demo.svg
#     selftests/vm/lab run next -- summary.sh |
#         selftests/demo/picture.sh "mdx trace --all --summary" >Documentation/summary.svg
set -eu

LC_ALL=C.UTF-8 awk -v command="${1:-}" '
	BEGIN { lines = 0; wide = 80; titles = command != "" }
	/^=== / { if (++titles == 2) exit }
	/^==> / { next }
	titles == 0 { next }
	{
		gsub(/\t/, "        ")
		gsub(/\r/, "")
		if (length($0) > wide)
			wide = length($0)
		line[++lines] = $0
	}
	function escape(s)
	{
		gsub(/&/, "\\&amp;", s)
		gsub(/</, "\\&lt;", s)
		gsub(/>/, "\\&gt;", s)
		return s
	}
	function put(row, colour, s)
	{
		printf "<text x=\"16\" y=\"%d\" fill=\"%s\">%s</text>\n", \
			52 + row * 18, colour, escape(s)
	}
	function colour_of(s)
	{
		if (s ~ /^===/)
			return "#8be9fd"
		if (s ~ /^ *PID /)
			return "#8be9fd"
		if (s ~ /^ *[0-9]+ / && s !~ / 0 +[0-9.]+ +[0-9.]+ *$/)
			return "#ffb86c"
		if (s ~ /^ *[0-9]+ /)
			return "#f8f8f2"
		if (s ~ /refused|status 0x0?[1-9a-f]/)
			return "#ffb86c"
		if (s ~ /^    / || s ~ /^ *$/)
			return "#9aa5b1"
		return "#f8f8f2"
	}
	END {
		if (!lines) {
			print "picture.sh: no output" >"/dev/stderr"
			exit 1
		}
		while (lines && line[lines] ~ /^ *$/)
			lines--
		printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" ", \
			wide * 8.43 + 32, 72 + lines * 18
		print "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\" xml:space=\"preserve\">"
		print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e222a\"/>"
		split("#ff5f56 #ffbd2e #27c93f", dot, " ")
		for (i = 1; i <= 3; i++)
			printf "<circle cx=\"%d\" cy=\"18\" r=\"6\" fill=\"%s\"/>\n", i * 20, dot[i]
		put(0, "#50fa7b", "# " (command == "" ? "make demo" : command))
		for (i = 1; i <= lines; i++)
			if (line[i] !~ /^ *$/)
				put(i, colour_of(line[i]), line[i])
		print "</svg>"
	}'
