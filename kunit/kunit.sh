#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# kunit.sh [SUITE]... - loads the unit tests that lie beside it, runs them, or
# those of SUITEs, and prints the results as TAP. They are read from debugfs: the
# kernel's log has them as well, between other lines.

dir=$(cd "$(dirname "$0")" && pwd)
results=/sys/kernel/debug/kunit
n=0
failed=0

# bad NAME REASON
bad()
{
	n=$((n + 1))
	failed=$((failed + 1))
	echo "not ok $n $1: $2"
}

# A suite's tests are one level in, their parameters deeper. The messages of a failed
# test stand before its result.
show()
{
	suite=$1
	awk -v suite="$suite" -v n="$n" '
		/^    1\.\.[0-9]+/ { plan = substr($1, 4) }
		/^    (not )?ok [0-9]+ / {
			bad = $1 == "not"
			sub(/^ *(not )?ok [0-9]+ (- )?/, "")
			printf "%sok %d %s.%s\n", bad ? "not " : "", ++n, suite, $0
			seen++
			failed += bad
			next
		}
		/^    #|^ +[^ ]/ && !/KTAP|Subtest|# module:|^    1\.\./ { print "# " $0 }
		END {
			if (!plan || seen != plan) {
				printf "not ok %d %s: %d results of %d\n",
				       ++n, suite, seen, plan
				failed++
			}
			print n, failed + 0 >"/tmp/kunit.count"
		}' "$results/$suite/results"
	read -r n more </tmp/kunit.count
	failed=$((failed + more))
}

if ! insmod "$dir/mlx5_devx_kunit.ko"; then
	echo "not ok 1 mlx5_devx_kunit: cannot be loaded"
	echo "1..1"
	exit 1
fi
# The pool is last: nothing uses it any more when it is empty.
if [ $# -eq 0 ]; then
	for path in "$results"/mdx_*; do
		[ "${path##*/}" = mdx_pool ] || set -- "$@" "${path##*/}"
	done
	set -- "$@" mdx_pool
fi
for suite; do
	if echo 1 >"$results/$suite/run"; then
		show "$suite"
	else
		bad "$suite" "did not run"
	fi
done
rmmod mlx5_devx_kunit || bad mlx5_devx_kunit "cannot be unloaded"
echo "1..$n"
[ "$failed" -eq 0 ]
