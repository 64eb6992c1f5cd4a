#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# The whole tour: objects made by DEVX, objects made by verbs, and what the
# device and its ports are. Runs in a guest whose software ConnectX manages an
# e-switch (make demo).

dir=$(cd "$(dirname "$0")" && pwd)

# title TEXT PROGRAM
title() {
	printf '\n=== %s\n    (%s)\n\n' "$1" "$2"
}

eswitch() {
	for device in /sys/class/infiniband/*/device; do
		addr=$(basename "$(readlink -f "$device")")
	done
	devlink dev eswitch set "pci/$addr" mode "$1"
}

set -e
title "Objects by DEVX" devx_demo
"$dir/devx_demo"
title "Two QPs of verbs, connected by DEVX: mlx5dv_devx_qp_modify(3)" \
	devx_qp_modify
"$dir/devx_qp_modify"
title "The device: ibv_query_device_ex(3)" query_device_ex
"$dir/query_device_ex"
title "The ports, with the e-switch in switchdev mode: mlx5dv_query_port(3)" \
	query_port
eswitch switchdev
"$dir/query_port"
title "What is left" "devx_demo held"
"$dir/devx_demo" held
