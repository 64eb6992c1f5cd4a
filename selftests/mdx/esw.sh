#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# esw.sh [PROGRAM]...
#
# Puts the e-switch of the device into switchdev mode and runs test programs
# there, as run.sh does; by default those that look at ports.

dir=$(cd "$(dirname "$0")" && pwd)
for device in /sys/class/infiniband/*/device; do
	addr=$(basename "$(readlink -f "$device")")
done
devlink dev eswitch set "pci/$addr" mode switchdev || exit 1
[ $# -gt 0 ] || set -- port_test device_test attr_shim_test port_esw_test
# Each mode and each capability is a bind or a flip of seconds.
exec "$dir/run.sh" -t 600 "$@"
