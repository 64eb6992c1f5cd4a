#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# In a guest that has not loaded mlx5_devx: the module that DKMS built and the
# library of the package, as TAP. test.sh leaves both in pkg/ of the lane's build:
# selftests/vm/lab run LANE --no-module --put .../pkg --put guest.sh -- sh /opt/put/guest.sh
put=/opt/put/pkg
modules=/lib/modules/$(uname -r)
count=0
failed=0

# t NAME COMMAND...: one test; what a failing one printed is shown.
t()
{
	name=$1
	shift
	count=$((count + 1))
	if "$@" >/tmp/out 2>&1; then
		echo "ok $count $name"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count $name"
	sed 's/^/# /' /tmp/out
}

install_module()
{
	rm -f "$modules/extra/mlx5_devx.ko"
	mkdir -p "$modules/updates/dkms"
	cp "$put/mlx5_devx.ko" "$modules/updates/dkms/" && depmod
}

module_of_dkms()
{
	modprobe --show-depends mlx5_devx | grep "updates/dkms/mlx5_devx.ko"
}

node()
{
	[ "$(stat -c '%a' /dev/infiniband/mlx5_devx)" = 666 ]
}

# As nobody, with the package's library before the lab's.
demo()
{
	su -s /bin/sh nobody -c "LD_LIBRARY_PATH=$put /opt/mdx/bin/devx_demo"
}

node_is_gone()
{
	[ ! -e /dev/infiniband/mlx5_devx ] && [ ! -e /sys/module/mlx5_devx ]
}

t dkms_module_installs install_module
t dkms_module_is_what_modprobe_takes module_of_dkms
t modprobe modprobe mlx5_devx
t node_is_open_to_everyone node
t demo_as_an_ordinary_user demo
t module_unloads rmmod mlx5_devx
t node_is_gone node_is_gone
echo "1..$count"
[ "$failed" = 0 ]
