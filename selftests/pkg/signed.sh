#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# A kernel that only takes signed modules, as Secure Boot makes it, as TAP: the messages
# of modprobe and mdx doctor, and the service of a loaded module. In a guest with the
# module loaded; pkg/ has the module that DKMS built and signed (test.sh):
# selftests/vm/lab run LANE --put .../pkg --put signed.sh -- sh /opt/put/signed.sh
# Lockdown and enforcement can only be switched on, so the order matters.
. /opt/mdx/bin/tap.sh

lockdown=/sys/kernel/security/lockdown
enforce=/sys/module/module/parameters/sig_enforce
modules=/lib/modules/$(uname -r)

lock_down()
{
	mount -t securityfs securityfs /sys/kernel/security
	echo integrity >$lockdown && grep -F '[integrity]' $lockdown
}

unload()
{
	rmmod mlx5_devx && [ ! -e /dev/infiniband/mlx5_devx ]
}

# refused TEXT: kmod's modprobe, as on any machine, fails with it. BusyBox' has
# other words, and an index of modules of its own.
refused()
{
	fails_with "$1" /sbin/modprobe mlx5_devx
}

# doctor STATUS TEXT
doctor()
{
	mdx doctor >/tmp/output
	status=$?
	cat /tmp/output
	[ $status = "$1" ] && seen "$2" /tmp/output
}

signed_by_dkms()
{
	rm "$modules/extra/mlx5_devx.ko"
	mkdir -p "$modules/updates/dkms"
	cp /opt/put/pkg/mlx5_devx.ko "$modules/updates/dkms/" && /sbin/depmod
}

if [ ! -e $enforce ]; then
	skip signatures "this kernel knows no signatures"
	plan
	exit
fi
t kernel_is_locked_down lock_down
t module_that_was_let_in_serves devx_demo
t its_files_are_listed says "DEVICE" mdx ps
t doctor_says_it_was_let_in doctor 0 "the kernel is locked down (Secure Boot), and mlx5_devx was let in"
t module_unloads unload
t lockdown_refuses_an_unsigned_module refused "Operation not permitted"
t doctor_says_locked_down doctor 1 "the kernel is locked down (Secure Boot), and mlx5_devx is not signed"
t signatures_are_enforced sh -c "echo Y >$enforce"
t unsigned_module_is_rejected refused "Key was rejected by service"
t doctor_says_not_signed doctor 1 "module signatures are enforced (Secure Boot), and mlx5_devx is not signed"
t module_of_dkms_is_signed signed_by_dkms
t key_that_is_not_enrolled_is_rejected refused "Key was rejected by service"
t doctor_says_enroll doctor 1 "module signatures are enforced (Secure Boot); mlx5_devx is signed"
plan
