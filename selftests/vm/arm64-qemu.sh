# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Sourced by session.sh: the QEMU of the arm64 lanes.

# Without firmware the kernel finds a device tree, and hotplugs PCIe by itself. MSI-X needs the GICv3's ITS.
qemu_arm64()
{
	QEMU=(
		qemu-system-aarch64 -nodefaults -no-user-config -display none -no-reboot
		-machine virt,gic-version=3,its=on,memory-backend=memory,accel=tcg
		# Pointer authentication by QEMU's own function: the architected one takes most of a guest's time.
		-cpu max,pauth-impdef=on -smp "$1" -m "$MEMORY"
	)
}
