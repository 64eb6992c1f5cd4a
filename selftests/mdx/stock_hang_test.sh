#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# A fault of the stock driver that Documentation/limits.md tells of, as TAP: after
# one command that timed out, unbinding it hangs when the device then dies.
# mlx5_cmd_flush() waits for all command slots, and only an answer of the device frees
# the slot of a command that timed out. Without mlx5_devx, so that the driver is
# alone; with a device that keeps drivers waiting for seconds (cmd-timeout). A kernel
# that no longer hangs fails here.

dir=$(cd "$(dirname "$0")" && pwd)
. "$dir/tap.sh"
. "$dir/opcodes.sh"

DRIVER=/sys/bus/pci/drivers/mlx5_core
HANG_SECONDS=20

# hca COMMAND: to the control port of the device; false unless it says "ok".
hca()
{
	echo "$*" >&5
	while read -r answer <&5; do
		case $answer in
		ok) return 0 ;;
		err*) echo "# hca: $*: $answer" && return 1 ;;
		esac
	done
	return 1
}

# unbound_within SECONDS
unbound_within()
{
	end=$(($(cut -d . -f 1 /proc/uptime) + $1))
	until [ -e /tmp/unbound ]; do
		[ "$(cut -d . -f 1 /proc/uptime)" -lt $end ] || return 1
		sleep 0.2
	done
}

command_times_out()
{
	hca "drop $MDX_OPCODE_ALLOC_PD" || return 1
	"$dir/plain_devx" 2>&1 | grep "Connection timed out"
}

# The driver looks at the device's health every two seconds.
device_dies()
{
	devlink health set "pci/$addr" reporter fw_fatal auto_recover false || return 1
	hca "internal-error on" || return 1
	tries=0
	until dmesg | grep -q "mlx5_core $addr:.*Fatal error"; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || return 1
		sleep 0.2
	done
}

unbind_hangs()
{
	{
		echo "$addr" >$DRIVER/unbind
		: >/tmp/unbound
	} &
	if unbound_within $HANG_SECONDS; then
		echo "# the stock driver does not hang any more: take it out of limits.md"
		return 1
	fi
}

# The answer comes after all, which lets the guest end.
answer_ends_hang()
{
	hca "complete-dropped" && unbound_within 60 && [ ! -e "$DRIVER/$addr" ]
}

if [ ! -e "$MDX_HCA" ]; then
	skip stock_hang "no control port (MDX_HCA)"
	plan
	exit
fi
exec 5<>"$MDX_HCA"
for device in "$DRIVER"/*:*; do
	addr=$(basename "$device")
done
t reset_script hca reset-script
t command_times_out command_times_out
t device_dies device_dies
t unbind_hangs unbind_hangs
t answer_ends_hang answer_ends_hang
plan
