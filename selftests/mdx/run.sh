#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# run.sh [-t SECONDS] [PROGRAM]...
#
# Runs test programs that lie beside it (default: those of kselftests.sh, which the
# Makefile writes) and prints their TAP. A program that crashes, hangs or loses results counts as a failed test.
# Ends with "N passed, N failed, N skipped"; the reason of each skip is in its
# line. Needs no more than BusyBox.

dir=$(cd "$(dirname "$0")" && pwd)
limit=180
# Kernels with checkers are slow.
case $MDX_LANE in debug | kcsan) limit=900 ;; esac
passed=0
failed=0
skipped=0
log=$(mktemp)
status=$(mktemp)

kselftests=
kselftests_newest=
# shellcheck source=/dev/null
. "$dir/kselftests.sh"
all=$kselftests
case $MDX_LANE in
next | debug) all="$all $kselftests_newest" ;;
esac

count_lines()
{
	grep -c "$@" "$log"
}

# Counts the results of a program's TAP, and reports a broken one.
judge_program()
{
	prog=$1
	ret=$2
	skip=$(count_lines -E '^ok .*# SKIP')
	ok=$(($(count_lines '^ok ') - skip))
	bad=$(count_lines '^not ok ')
	plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log" | tail -n 1)
	why=
	if [ "$ret" -eq 137 ] || [ "$ret" -eq 143 ]; then
		why="killed, or ran for more than $limit s"
	elif [ -z "$plan" ]; then
		why="exit status $ret without a plan"
	elif [ $((ok + bad + skip)) -ne "$plan" ]; then
		why="$((ok + bad + skip)) results of $plan, exit status $ret"
	elif [ "$ret" -ne 0 ] && [ "$bad" -eq 0 ] && [ "$ret" -ne 4 ]; then
		why="exit status $ret"
	fi
	if [ -n "$why" ]; then
		echo "not ok $prog: $why"
		bad=$((bad + 1))
	fi
	passed=$((passed + ok))
	failed=$((failed + bad))
	skipped=$((skipped + skip))
	echo "# $prog: $ok passed, $bad failed, $skip skipped"
}

run_program()
{
	echo "# $1"
	start=$(cut -d . -f 1 /proc/uptime)
	{
		timeout -s KILL "$limit" "$dir/$1" 2>&1
		echo $? >"$status"
	} | tee "$log"
	judge_program "$1" "$(cat "$status")"
	echo "# $1: $(($(cut -d . -f 1 /proc/uptime) - start)) s"
	# Tests are processes of their own and outlive a program that was killed.
	killall -9 "$1" 2>/dev/null
}

while getopts t: opt; do
	case $opt in
	t) limit=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all

for prog; do
	run_program "$prog"
done
rm -f "$log" "$status"
# Messages a user would have read in the kernel's log.
dmesg | sed -nE 's/^\[[^]]*\] (.*(mlx5_devx: |mlx5_cmd_out_err:|Will cause a leak).*)/# seen: \1/p' | sort -u

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
