#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# coverage.sh LOG [DIRECTORY] - from what "env GCOV=1 kunit.sh" printed in the
# guest: which lines and branches of kmod/ the unit tests reached, a file a line,
# and after them the lines that were not. DIRECTORY is where the unit tests were
# built (default: /build/kunit/kunit, so run it by selftests/vm/lab exec debug).
set -eu

log=$(realpath "$1")
dir=${2:-/build/kunit/kunit}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sed -n 's/^# gcov: //p' "$log" | base64 -d | tar -xz
for file in *.gcda; do
	cp "$dir/${file%.gcda}.gcno" .
	gcov -b -c "${file%.gcda}.o" -o . >/dev/null 2>&1
done

# Branches that the sanitizers add have no number in the source, or are never taken.
for file in *.c.gcov; do
	case $file in
	*_test.c.gcov) continue ;;
	esac
	grep -q '0:Source:.*kmod/' "$file" || continue
	awk -v name="${file%.gcov}" '
		$1 == "branch" {
			branches++
			taken += $0 ~ /taken [1-9]/
			next
		}
		/^ *[0-9]+\*?:|^ *#####:|^ *=====:/ {
			lines++
			if ($0 ~ /^ *[#=]/) {
				text = $0
				sub(/^ *[^:]*: */, "", text)
				missed = missed "    " text "\n"
			} else {
				run++
			}
		}
		END {
			printf "%-12s %4d of %4d lines, %4d of %4d branches\n",
			       name, run, lines, taken, branches
			printf "%s", missed
		}' "$file"
done
