#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# session.sh - runs in trixie's chroot, as the first process of its own pid namespace: one software ConnectX and
# one QEMU. Errors before QEMU runs go to stderr; the exit status is that of QEMU, 124 for a guest that was given up.
#   environment: LANE IMAGE MODE=run|shell ACCEL=kvm|tcg ICOUNT=yes|profile|'' DEVICE=yes|no HCA_OPTIONS TIMEOUT MEMORY APPEND
#   /kernel the lane's kernel, /build/mdx-hca, /job initrd, /logs where to write, /image disk images
set -euo pipefail

# shellcheck source=/dev/null
source /lab/arm64-qemu.sh

END_TIMEOUT=60

start_hca()
{
	local options=() i pid

	[ -z "$HCA_OPTIONS" ] || options=(-o "$HCA_OPTIONS")
	/build/mdx-hca --sock /run/hca.sock --ctl /run/hca.ctl --qmp /run/qmp.sock --log /logs/hca.log \
		${options[@]+"${options[@]}"} </dev/null >/logs/hca.out 2>&1 &
	pid=$!
	for ((i = 0; i < 100; i++)); do
		[ -S /run/hca.sock ] && [ -S /run/hca.ctl ] && return
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.05
	done
	echo "the software ConnectX did not start:"
	tail -n 20 /logs/hca.out
	exit 125
}

qemu_amd64()
{
	local cpu=host

	[ "$ACCEL" = kvm ] || cpu=max
	QEMU=(
		qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot
		-machine q35,memory-backend=memory,accel="$ACCEL" -cpu "$cpu" -smp "$1" -m "$MEMORY"
		# So that the device's attention button is all that device_del presses (Documentation/hca.md).
		-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off
	)
}

qemu_options()
{
	local cpus=2

	[ -z "$ICOUNT" ] || cpus=1
	case $LANE in
	arm64*) qemu_arm64 "$cpus" ;;
	*) qemu_amd64 "$cpus" ;;
	esac
	QEMU+=(
		-object memory-backend-memfd,id=memory,size="$MEMORY",share=on
		-kernel /kernel/vmlinuz -initrd /job/initrd -append "$APPEND"
		-chardev file,id=console,path=/logs/console.log -serial chardev:console
		-chardev socket,id=qmp,path=/run/qmp.sock,server=on,wait=off -object monitor-qmp,id=monitor,chardev=qmp
		-device pcie-root-port,id=rp0,bus=pcie.0,chassis=1,slot=1,power_controller_present=off
		-device virtio-serial-pci,id=ports
		-chardev file,id=status,path=/logs/status -device virtserialport,chardev=status,name=status
	)
	# One instruction, one nanosecond of the guest's clocks.
	[ -z "$ICOUNT" ] || QEMU+=(-icount shift=0)
	# The writes of a guest end with it.
	[ -z "$IMAGE" ] || QEMU+=(-drive "file=/image/$IMAGE.img,format=raw,if=virtio,snapshot=on")
	[ "$ICOUNT" != profile ] || QEMU+=(-plugin /build/profile.so,out=/logs/profile)
	if [ "$MODE" = shell ]; then
		QEMU+=(-chardev stdio,id=shell,signal=off -device virtconsole,chardev=shell)
	else
		QEMU+=(-chardev file,id=stdout,path=/proc/self/fd/1 -device virtserialport,chardev=stdout,name=stdout)
	fi
	[ "$DEVICE" = yes ] || return 0
	QEMU+=(
		-chardev socket,id=hca,path=/run/hca.ctl,server=off -device virtserialport,chardev=hca,name=hca
		-device '{"driver":"vfio-user-pci","id":"hca0","bus":"rp0","socket":{"type":"unix","path":"/run/hca.sock"}}'
	)
}

# A guest that measures its clock while the machine is busy can be wrong by an order of magnitude.
tell_the_clock()
{
	local khz

	case $LANE in arm64*) return ;; esac
	[ "$ACCEL" != kvm ] && [ -x /build/tsc-khz ] || return 0
	# Under -icount it counts instructions, which are nanoseconds.
	khz=1000000
	[ -n "$ICOUNT" ] || khz=$(/build/tsc-khz)
	APPEND+=" tsc_early_khz=$khz"
}

# Bytes on all channels of the guest so far.
bytes_said()
{
	stat -c %s /logs/console.log /logs/stdout /logs/status 2>/dev/null | awk '{ n += $1 } END { print n + 0 }'
}

# The guest's own measure (MDX_SLOWNESS in init), in percent.
slowness()
{
	awk '$1 == "slowness" { n = $2 } END { print (n > 100 ? n : 100) }' /logs/status 2>/dev/null || echo 100
}

# A guest is given up after TIMEOUT seconds without a word, times its slowness; so is one that talks for ever, and one
# that is still there END_TIMEOUT seconds after its command has ended.
watch_silence()
{
	local pid=$1 before=-1 now last=$SECONDS limit ended=

	while sleep 1; do
		now=$(bytes_said)
		limit=$((TIMEOUT * $(slowness) / 100))
		[ "$now" = "$before" ] || last=$SECONDS
		before=$now
		[ -n "$ended" ] || ! grep -qx end /logs/status || ended=$SECONDS
		[ $((SECONDS - last)) -ge "$limit" ] || [ "$SECONDS" -ge $((24 * limit)) ] ||
			{ [ -n "$ended" ] && [ $((SECONDS - ended)) -ge $((END_TIMEOUT * $(slowness) / 100)) ]; } || continue
		touch /run/given-up
		kill "$pid"
		sleep 2
		kill -KILL "$pid" 2>/dev/null
		return
	done
}

# QEMU makes its end of stdout non-blocking, so it gets a pipe of its own.
run_qemu()
{
	local qemu reader status=0

	mkfifo /run/stdout
	tee /logs/stdout </run/stdout &
	reader=$!
	"${QEMU[@]}" </dev/null >/run/stdout 2>/logs/qemu.log &
	qemu=$!
	watch_silence "$qemu" &
	wait "$qemu" || status=$?
	wait "$reader"
	[ ! -e /run/given-up ] || status=124
	exit "$status"
}

[ "$DEVICE" = no ] || start_hca >&2
tell_the_clock
qemu_options
printf '%q ' "${QEMU[@]}" >/logs/qemu.cmdline
if [ "$MODE" = shell ]; then
	"${QEMU[@]}" 2>/logs/qemu.log
	exit
fi
run_qemu
