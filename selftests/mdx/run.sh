#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# run.sh [-t SECONDS] [-x PROGRAM]... [PROGRAM]...
#
# Runs test programs that lie beside it (default: those of kselftests.sh, which the
# Makefile writes, without those of -x) and prints their TAP. A program that crashes, that prints nothing
# for SECONDS, or that loses results counts as a failed test. Ends with "N passed, N
# failed, N skipped"; the reason of each skip is in its line. Needs no more than
# BusyBox.

dir=$(cd "$(dirname "$0")" && pwd)
# Seconds of silence after which a program hangs. The lab measures how slow its guest
# is, in percent; kernels with checkers need more between two lines.
limit=$((180 * ${MDX_SLOWNESS:-100} / 100))
case $MDX_LANE in debug | kcsan) limit=$((limit * 4)) ;; esac
passed=0
failed=0
skipped=0
log=$(mktemp)
status=$(mktemp)
pid=$(mktemp)

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
		why="killed, or silent for $limit s"
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

# watch_silence PIPELINE: ends the program when its output does not grow for $limit s
watch_silence()
{
	size=-1
	silent=0
	while kill -0 "$1" 2>/dev/null; do
		now=$(wc -c <"$log")
		[ "$now" -eq "$size" ] || silent=0
		size=$now
		[ "$silent" -lt $((limit * 5)) ] || kill -9 "$(cat "$pid")" 2>/dev/null
		silent=$((silent + 1))
		sleep 0.2
	done
}

run_program()
{
	echo "# $1"
	start=$(cut -d . -f 1 /proc/uptime)
	: >"$log"
	{
		sh -c 'echo $$ >"$1"; exec "$0"' "$dir/$1" "$pid" 2>&1
		echo $? >"$status"
	} | tee "$log" &
	watch_silence $!
	wait
	judge_program "$1" "$(cat "$status")"
	echo "# $1: $(($(cut -d . -f 1 /proc/uptime) - start)) s"
	# Tests are processes of their own and outlive a program that was killed.
	killall -9 "$1" 2>/dev/null
}

device_present()
{
	[ -e "$(echo /sys/class/infiniband/*/ports | cut -d ' ' -f 1)" ] &&
		[ -e /dev/infiniband/mlx5_devx ]
}

# In the lab, a test that was ended in the middle of a probe may leave the device
# without its driver, for all tests that follow. Returns 1 if that cannot be mended.
restore_device()
{
	[ -n "$MDX_HCA" ] && [ "$MDX_DEVICE_PRESENT" = yes ] || return 0
	! device_present || return 0
	echo "# the mlx5 device is missing: it is bound to its driver again"
	for pci in /sys/bus/pci/devices/*; do
		[ "$(cat "$pci/vendor")" = 0x15b3 ] || continue
		addr=${pci##*/}
		[ ! -e "$pci/driver" ] || echo "$addr" >"$pci/driver/unbind"
		echo "$addr" >/sys/bus/pci/drivers/mlx5_core/bind
	done
	modprobe -a mlx5_ib mlx5_devx
	tries=300
	until device_present || [ $tries -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	for netdev in /sys/class/infiniband/*/device/net/*; do
		ip link set "${netdev##*/}" up 2>/dev/null
	done
	device_present
}

left_out=
while getopts t:x: opt; do
	case $opt in
	t) limit=$OPTARG ;;
	x) left_out="$left_out $OPTARG" ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
# A guest's slowness in percent, which the lab measures.
limit=$((limit * ${MDX_SLOWNESS:-100} / 100))
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all

MDX_DEVICE_PRESENT=no
! device_present || MDX_DEVICE_PRESENT=yes
for prog; do
	case "$left_out " in *" $prog "*) continue ;; esac
	if ! restore_device; then
		echo "not ok the mlx5 device is lost: $prog and those after it were not run"
		failed=$((failed + 1))
		break
	fi
	run_program "$prog"
done
rm -f "$log" "$status" "$pid"
# Messages a user would have read in the kernel's log.
dmesg | sed -nE 's/^\[[^]]*\] (.*(mlx5_devx: |mlx5_cmd_out_err:|Will cause a leak).*)/# seen: \1/p' | sort -u

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
