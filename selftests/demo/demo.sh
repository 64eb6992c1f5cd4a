#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# demo.sh [-v] - a tour: objects created by DEVX, verbs objects changed by DEVX, the
# device and its ports. Prints one line per part with its time. With -v, prints the
# output of each part behind its title, and then that line, with "==> " before it.
# Runs in a guest whose software ConnectX manages an e-switch (make demo).

dir=$(cd "$(dirname "$0")" && pwd)
output=/tmp/demo.output
verbose=no
[ "${1:-}" != -v ] || verbose=yes

# Hundredths of a second since boot.
now_centis()
{
	cut -d ' ' -f 1 /proc/uptime | tr -d .
}

# part TITLE COMMAND...: one part of the tour. A part that fails ends it.
part()
{
	title=$1
	start=$(now_centis)
	shift
	if [ $verbose = yes ]; then
		printf '=== %s\n    (%s)\n\n' "$title" "$*"
	fi
	"$@" >$output 2>&1
	status=$?
	if [ $verbose = yes ] || [ $status -ne 0 ]; then
		cat $output
	fi
	if [ $status -ne 0 ]; then
		echo "$title: $* failed with status $status"
		exit 1
	fi
	took=$(($(now_centis) - start))
	[ $verbose = no ] || printf '\n==> '
	printf '%-52s %3d.%02d s\n' "$title" $((took / 100)) $((took % 100))
}

enter_switchdev()
{
	for device in /sys/class/infiniband/*/device; do
		addr=$(basename "$(readlink -f "$device")")
	done
	devlink dev eswitch set "pci/$addr" mode switchdev
}

PATH=$dir:$PATH
part "Objects by DEVX" devx_demo
part "Two QPs, connected by mlx5dv_devx_qp_modify(3)" devx_qp_modify
part "QPs go on when their process restarts: mdx_adopt()" devx_restart
part "The device: ibv_query_device_ex(3)" query_device_ex
part "The e-switch goes to switchdev mode" enter_switchdev
part "Its ports: mlx5dv_query_port(3)" query_port
part "Objects left in the device" devx_demo held
