#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# summary.sh - the table of mdx trace --all --summary for a program of verbs, one of
# DEVX, and ucx_info where there is one. The README has a picture of it (picture.sh).
# Runs in a guest, with the module or without.
set -e

dir=$(cd "$(dirname "$0")" && pwd)
"$dir/mdx" trace --all --summary >/tmp/summary 2>/tmp/summary.log &
tracer=$!
until grep -q 'end with' /tmp/summary.log; do
	kill -0 $tracer
	sleep 0.1
done
"$dir/devx_obj_create" >/dev/null
ibv_devinfo >/dev/null
! command -v ucx_info >/dev/null || ucx_info -d >/dev/null 2>&1
kill -s INT $tracer
wait $tracer
cat /tmp/summary
