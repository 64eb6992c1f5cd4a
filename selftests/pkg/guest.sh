#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# In a guest that has not loaded mlx5_devx: the module that DKMS built and the
# library of the package, as TAP. test.sh leaves both in pkg/ of the lane's build:
# selftests/vm/lab run LANE --no-module --put .../pkg --put guest.sh -- sh /opt/put/guest.sh
. /opt/mdx/bin/tap.sh

put=/opt/put/pkg
modules=/lib/modules/$(uname -r)
mkdir -p "$modules/updates/dkms"
rm -f "$modules/extra/mlx5_devx.ko"

# install FILE: as the module. depmod and modprobe are kmod's, as on any machine:
# BusyBox' have other words, and an index of their own.
install()
{
	cp "$1" "$modules/updates/dkms/mlx5_devx.ko" && /sbin/depmod
}

not_installed()
{
	/sbin/depmod && fails_with "Module mlx5_devx not found" /sbin/modprobe mlx5_devx
}

# With symbol versions, the loader does not compare the kernel's release, but its options.
of_another_kernel()
{
	sed 's/\(vermagic=[^ ]*\) SMP/\1 SMQ/' $put/mlx5_devx.ko >/tmp/other.ko && install /tmp/other.ko &&
		fails_with "Exec format error" /sbin/modprobe mlx5_devx
}

# Built for a vendor's drivers. Where the kernel has symbol versions, it refuses the
# module; elsewhere the module itself does.
beside_other_drivers()
{
	install $put/vendor.ko || return
	if [ -e $put/modversions ]; then
		fails_with "Invalid argument" /sbin/modprobe mlx5_devx &&
			dmesg | grep "mlx5_devx: disagrees about version of symbol mlx5_"
	else
		fails_with "Exec format error" /sbin/modprobe mlx5_devx &&
			says "mlx5_devx: built for vendor:" dmesg
	fi
}

# In use, and so not unloaded.
in_use()
{
	exec 3<>/dev/infiniband/mlx5_devx
	"$@"
	status=$?
	exec 3>&-
	[ $status = 0 ] && [ -e /sys/module/mlx5_devx ]
}

module_of_dkms()
{
	/sbin/modprobe --show-depends mlx5_devx | grep "updates/dkms/mlx5_devx.ko"
}

node()
{
	[ "$(stat -c '%a' /dev/infiniband/mlx5_devx)" = 666 ]
}

# As the user nobody, with the package's library before the lab's.
demo()
{
	su -s /bin/sh nobody -c "LD_LIBRARY_PATH=$put /opt/mdx/bin/devx_demo"
}

prerm()
{
	[ -z "$(sh $put/prerm remove)" ]
}

# modprobe's rules of the package.
rules()
{
	mkdir -p /etc/modprobe.d && cp $put/modprobe.conf /etc/modprobe.d/mlx5-devx.conf
}

stays()
{
	rules && fails_with "in use" /sbin/modprobe -r mlx5_core
}

stock_stack_unloads()
{
	/sbin/modprobe -r mlx5_ib && /sbin/modprobe -r mlx5_core &&
		[ ! -e /sys/module/mlx5_devx ] && [ ! -e /sys/module/mlx5_core ]
}

node_is_gone()
{
	[ ! -e /dev/infiniband/mlx5_devx ] && [ ! -e /sys/module/mlx5_devx ]
}

t module_that_is_not_installed not_installed
t module_of_another_kernel of_another_kernel
if [ -e $put/vendor.ko ]; then
	t module_beside_other_drivers beside_other_drivers
else
	skip module_beside_other_drivers "cross.sh builds for no vendor's drivers"
fi
t dkms_module_installs install $put/mlx5_devx.ko
t dkms_module_is_what_modprobe_takes module_of_dkms
t modprobe /sbin/modprobe mlx5_devx
t node_is_open_to_everyone node
t demo_as_an_ordinary_user demo
t module_in_use_is_not_unloaded in_use fails_with "Module mlx5_devx is in use" /sbin/rmmod mlx5_devx
t module_in_use_outlives_the_package in_use \
	says "mlx5_devx is in use and stays loaded until the next boot" sh $put/prerm remove
t module_goes_with_the_package prerm
t node_is_gone node_is_gone
t modprobe_again /sbin/modprobe mlx5_devx
t stock_stack_in_use_stays in_use stays
t stock_stack_unloads_with_the_module stock_stack_unloads
plan
