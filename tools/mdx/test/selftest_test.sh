#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# mdx selftest on the software ConnectX, as TAP. In a guest:
# lab run LANE -- selftest_test.sh
# Needs no more than BusyBox. The tests of the report read that of the first.

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_tap.sh"
report=$tmp/report

# As nobody, whose file it is.
runs_as_nobody()
{
	chmod 777 "$tmp"
	start=$(cut -d . -f 1 /proc/uptime)
	exits 0 nobody "$mdx" selftest -o "$report"
	ret=$?
	took=$(($(cut -d . -f 1 /proc/uptime) - start))
	sed 's/^/# seen: /' "$tmp/out"
	[ $ret = 0 ] || return
	[ $took -lt 60 ] || { echo "it took $took s"; return 1; }
}

# Each test has a result, and none is skipped.
all_have_results()
{
	for part in inventory bind foreign-uid general-queries object-queries lengths destroy kill dct-drain events \
		latency overlap; do
		grep -qE "^result $part ok ..." "$report" || { echo "not ok: $part"; return 1; }
	done
}

has_inventory()
{
	for line in 'kernel [0-9]' 'module mlx5_ib build-id [0-9a-f]{16}' 'layout ib_pd [0-9]+ mlx5_ib_pd' \
		'device function PF' 'device firmware ' 'cap 0x00 max 0x000 [0-9a-f]{64}$' 'cap 0x00 cur 0x000 '; do
		grep -qE "^$line" "$report" || { echo "does not have: $line"; return 1; }
	done
}

has_measurements()
{
	for n in 1 2 4 8 16; do
		grep -qE "^overlap $n ALLOC_PD count [0-9]+ p50-ns [0-9]+ p99-ns [0-9]+ wall-ns [0-9]+$" "$report" ||
			{ echo "no overlap of $n"; return 1; }
	done
	grep -qE '^latency NOP count 64 p50-ns [0-9]+ p99-ns [0-9]+ max-ns [0-9]+$' "$report" &&
		grep -qE '^refusal foreign CREATE_TIS refused 0x[0-9a-f]+ 0x[0-9a-f]+$' "$report" &&
		grep -qE '^refusal in-use DEALLOC_TRANSPORT_DOMAIN refused 0x[0-9a-f]+ 0x[0-9a-f]+$' "$report"
}

# One CQ after the other.
has_events()
{
	[ "$(grep -cE '^event completion ns [0-9]+$' "$report")" = 2 ] && grep -qx 'event port subscribed errno 0' "$report"
}

# The queries of both kinds, and none of them differs.
queries_equal()
{
	grep '^query' "$report" | grep -v '^query QUERY_HCA_CAP' | sed 's/^/# seen: /'
	[ "$(grep -cE '^query(-object)? .* equal$' "$report")" -ge 30 ] && ! grep -E '^query.* (differs|stock) ' "$report"
}

# The port's MAC, in any form, and the GUIDs of sysfs.
has_no_address()
{
	for file in /sys/class/net/*/address /sys/class/infiniband/*/node_guid /sys/class/infiniband/*/sys_image_guid; do
		digits=$(tr -d ':\n' <"$file" | tr A-F a-f)
		case $digits in *[1-9a-f]*) ;; *) continue ;; esac
		! tr -d ':' <"$report" | grep -i "$digits" || { echo "$file is in it"; return 1; }
	done
}

shows_fields()
{
	exits 0 nobody "$mdx" selftest --show "$report" && says 'capabilities 0, cmd_hca_cap, at most:' &&
		says '    log_max_qp 0x12' && says 'result kill ok 0 of 1000 objects left'
}

show_other_file()
{
	exits 1 "$mdx" selftest --show "$mdx" && says 'is no report of mdx selftest'
}

show_cut_off()
{
	head -n 40 "$report" >"$tmp/cut"
	exits 1 "$mdx" selftest --show "$tmp/cut" && says 'is cut off'
}

show_no_file()
{
	exits 1 "$mdx" selftest --show "$tmp/none" && says 'No such file'
}

json_results()
{
	exits 0 "$mdx" selftest --json && json && says '"test": "kill"' && says '"result": "ok"'
}

no_device()
{
	exits 4 "$mdx" selftest -d mlx5_99 && says 'libibverbs does not know it'
}

# A device that takes more than a second for a command: it is said, and the rest goes on.
slow_command()
{
	hca "delay 0x800 1500000" || return
	exits 1 "$mdx" selftest
	ret=$?
	hca "reset-script"
	[ $ret = 0 ] && says 'bad   latency' && says 'no more are sent'
}

# A device that says nothing against an object of another uid.
foreign_accepted()
{
	hca "answer 0x912 00000000000000000000000100000000 1" || return
	hca "answer 0x914 00000000000000000000000000000000 1" || return
	exits 1 "$mdx" selftest
	ret=$?
	hca "reset-script"
	[ $ret = 0 ] && says 'bad   foreign-uid' && says 'the device accepted 1 of 3 objects of another uid'
}

# A device that leaves a QP as it is, and so completes nothing.
no_event()
{
	hca "answer 0x507 00000000000000000000000000000000 1" || return
	exits 1 "$mdx" selftest
	ret=$?
	hca "reset-script"
	[ $ret = 0 ] && says 'bad   events           the device flushed nothing'
}

for name in runs_as_nobody all_have_results has_inventory has_measurements has_events queries_equal \
	has_no_address shows_fields show_other_file show_cut_off show_no_file json_results no_device; do
	t "$name" "$name"
done
if [ -n "$MDX_HCA" ]; then
	t slow_command slow_command
	t foreign_accepted foreign_accepted
	t no_event no_event
else
	skip slow_command "no control port (MDX_HCA)"
	skip foreign_accepted "no control port (MDX_HCA)"
	skip no_event "no control port (MDX_HCA)"
fi
plan
