#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# guest.sh SUITE [WAY...] - runs in the root of a disk image (lab run --image --no-module):
# the suite three ways, without the module, with it, and with libmdx preloaded, or only
# those that are named. A line for each test and way, for compare.pl:
#   result WAY TEST passed|skipped|failed [MESSAGE]
#   commands WAY N    commands that went through the module meanwhile
set -u

suite=$1
shift
[ $# -gt 0 ] || set -- stock module preload
here=$(cd "$(dirname "$0")" && pwd)
trace=/sys/kernel/tracing

trace_begin()
{
	[ -e $trace/events/mlx5_devx ] || return 0
	echo >$trace/trace
	echo 1 >$trace/events/mlx5_devx/enable
}

# Commands since then, those that the buffers no longer hold among them.
trace_count()
{
	[ -e $trace/events/mlx5_devx ] || { echo 0 && return; }
	awk '/^entries:|^overrun:/ { n += $2 } END { print n + 0 }' $trace/per_cpu/cpu*/stats
}

prepare()
{
	ulimit -l unlimited
	ulimit -c 0
	echo 300 >/proc/sys/vm/nr_hugepages
	mkdir -p /dev/hugepages
	mount -t hugetlbfs hugetlbfs /dev/hugepages
}

prepare
for way; do
	[ "$way" = stock ] || modprobe mlx5_devx || exit
	preload=
	[ "$way" != preload ] || preload=libmdx.so.1
	trace_begin
	echo "# $suite: $way"
	echo "mdx: clients: $suite $way" >/dev/kmsg
	WAY=$way PRELOAD=$preload "$here/$suite" || echo "broken $way status $?"
	echo "commands $way $(trace_count)"
done
