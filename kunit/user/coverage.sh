#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# coverage.sh DIRECTORY FILE... - runs DIRECTORY/kunit-user and prints, for each
# kmod/FILE.c and its header, which part of its lines and branches was executed, as
# TAP. Lines and branches that were not are printed; such a line is a failure.
set -eu

dir=$1
shift
cd "$dir"
rm -f ./*.gcda ./*.gcov
./kunit-user >tests.log || {
	cat tests.log
	exit 1
}

n=0
failed=0
for file; do
	gcov -b -c "$file.o" >/dev/null
	for source in "$file.c" "$file.h"; do
		# Most headers have no code.
		[ -e "$source.gcov" ] || continue
		n=$((n + 1))
		awk -v name="$source" -v nr="$n" '
			$1 == "branch" {
				branches++
				if ($0 ~ /taken [1-9]/)
					taken++
				else
					missed = missed "# branch not taken: " line "\n"
				next
			}
			/^ *[0-9]+\*?:|^ *#####:|^ *=====:/ {
				lines++
				line = $0
				sub(/^ *[^:]*: */, "", line)
				if ($0 ~ /^ *[#=]/)
					missed = missed "# not executed: " line "\n"
				else
					run++
			}
			END {
				printf "%s %d %s: %d of %d lines, %d of %d branches\n",
				       run == lines && lines ? "ok" : "not ok", nr,
				       name, run, lines, taken, branches
				printf "%s", missed
				exit run != lines || !lines
			}' "$source.gcov" || failed=1
	done
done
echo "1..$n"
exit $failed
