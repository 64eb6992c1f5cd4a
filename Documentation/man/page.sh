#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# page.sh PAGE.md VERSION - the manual that PAGE.md becomes, on stdout. Its date is
# SOURCE_DATE_EPOCH, else that of dkms.conf.
set -eu

dir=$(dirname "$0")
name=$(basename "$1" .md)
section=${name##*.}
name=${name%.*}
epoch=${SOURCE_DATE_EPOCH:-$(stat -c %Y "$dir/../../dkms.conf")}

command -v lowdown >/dev/null || {
	echo "mlx5-devx: lowdown is not installed (Debian: apt-get install lowdown)." >&2
	exit 1
}
text=$(awk -f "$dir/man.awk" "$1")
# Versions of lowdown differ in what they make of headings and fixed-width words.
printf '%s\n' "$text" |
	lowdown -s -tman --nroff-nolinks --parse-no-autolink --parse-no-intraemph \
		-m "title=$name" -m "section=$section" -m "source=mlx5-devx $2" \
		-m "date=$(LC_ALL=C date -u -d "@$epoch" +%Y-%m-%d)" - |
	awk '
		/^\.S[HS]$/ { held = $0; next }
		/^\.(LP|PP)$/ && head { next }
		{ gsub(/\\fC/, "\\f(CR") }
		{ print held == "" ? $0 : held " " $0 }
		{ head = held != "" || /^\.S[HS] / || head && /^$/; held = "" }
	'
