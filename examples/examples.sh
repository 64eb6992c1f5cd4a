#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# examples.sh [NAME]... - runs the examples in its directory and compares their
# output with NAME.expected, whose lines are shell patterns. TAP. The expected
# output is that of the software ConnectX: without its control port (MDX_HCA) an
# example only has to succeed. Runs in BusyBox.

dir=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
count=0
failed=0
[ $# -gt 0 ] || set -- batch_qps devx_obj_create devx_qp_modify devx_restart \
	query_device_ex query_port

# as_expected NAME: compares $tmp/out line by line
as_expected()
{
	line=0
	exec 3<"$tmp/out"
	while IFS= read -r want; do
		line=$((line + 1))
		IFS= read -r is <&3 || is="(nothing)"
		# shellcheck disable=SC2254
		case $is in
		$want) ;;
		*)
			echo "# line $line: $is"
			echo "# expected: $want"
			return 1
			;;
		esac
	done <"$dir/$1.expected"
	if IFS= read -r is <&3; then
		echo "# unexpected: $is"
		return 1
	fi
}

for name; do
	count=$((count + 1))
	timeout -s KILL 60 "$dir/$name" >"$tmp/out" 2>&1
	status=$?
	sed 's/^/# /' "$tmp/out"
	[ $status -eq 0 ] || echo "# exit status $status"
	if [ $status -eq 0 ] && { [ -z "$MDX_HCA" ] || as_expected "$name"; }; then
		echo "ok $count $name"
	else
		echo "not ok $count $name"
		failed=1
	fi
done
rm -rf "$tmp"
echo "1..$count"
exit $failed
