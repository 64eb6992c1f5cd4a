#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Who can use the module, as TAP: ordinary users, what sits in namespaces with
# nothing but /dev/infiniband, and other network namespaces. The program is
# plain_devx with libmdx preloaded: it works in any case, and says who served it.
# Runs in a guest.

dir=$(cd "$(dirname "$0")" && pwd)
. "$dir/tap.sh"

node=/dev/infiniband/mlx5_devx
box=/tmp/box
SERVED="libmdx: the context is served by mlx5_devx"
CLOSED="libmdx: no permission to open $node"
ABSENT="libmdx: there is no $node"
ELSEWHERE="libmdx: the device is in another network namespace"

as_nobody()
{
	su -s /bin/sh nobody -c "LD_PRELOAD=libmdx.so.1 $*"
}

preloaded()
{
	LD_PRELOAD=libmdx.so.1 "$@"
}

modes()
{
	[ "$(stat -c '%a %U' $node)" = "666 root" ] && [ "$(stat -c %a /dev/infiniband/uverbs0)" = 666 ]
}

restrict()
{
	chgrp rdma $node && chmod 660 $node
}

# A root for the box: programs and libraries, /sys, /proc, and of /dev what is
# named. No /run, no debugfs, no other device.
make_box()
{
	mkdir -p $box
	mount -t tmpfs tmpfs $box
	mkdir -p $box/usr $box/etc $box/proc $box/sys $box/tmp $box/opt $box/dev/infiniband
	cp -a /bin /lib /lib64 /sbin $box/ 2>/dev/null
	mount --bind /usr $box/usr
	mount --bind /etc $box/etc
	mount --bind /opt $box/opt
	mount --rbind /sys $box/sys
	mount --rbind /dev/infiniband $box/dev/infiniband
}

# in_box WORDS...: as an ordinary user who is root in a user namespace of his own,
# with a pid and a mount namespace.
in_box()
{
	su -s /bin/sh nobody -c \
		"unshare -U -r -m -p -f chroot $box /bin/sh -c 'LD_PRELOAD=libmdx.so.1 $*'"
}

box_has_no_other_device()
{
	[ "$(ls $box/dev)" = infiniband ]
}

# Over the node in the box: nothing at that place.
hide_node()
{
	umount -l $box/dev/infiniband
	cp -a /dev/infiniband/uverbs0 $box/dev/infiniband/
}

# A namespace that was left goes away some time later; till then it is EBUSY.
netns_mode()
{
	for try in 1 2 3 4 5 6 7 8 9 10; do
		rdma system set netns "$1" && break
		sleep 1
	done
	echo "try $try"
	rdma system show | grep "netns $1"
}

refused()
{
	! "$@"
}

# What it has open was opened at home; then it goes elsewhere.
went_elsewhere()
{
	says "$1" preloaded "$dir/plain_devx" "$2"
}

# The other namespace, with the devices that /sys shows there.
other()
{
	nsenter --net=/run/netns/other unshare -m \
		sh -c 'mount -t sysfs sysfs /sys && exec "$@"' - "$@"
}

moved()
{
	rdma dev set "$device" netns other && other rdma dev show | grep "$device"
}

is_served()
{
	trace_start
	says "$SERVED" "$@" && asked plain_devx 0x800
}

back()
{
	other rdma dev set "$device" netns home && [ -e "/sys/class/infiniband/$device" ]
}

device=$(ls /sys/class/infiniband | head -n 1)
grep -q '^rdma:' /etc/group || echo 'rdma:x:110:' >>/etc/group

t nodes_are_open_to_everyone modes
t ordinary_user_is_served says "$SERVED" as_nobody "$dir/plain_devx"
t node_of_a_group restrict
t others_are_left_to_libmlx5 says "$CLOSED" as_nobody "$dir/plain_devx"
sed -i 's/^rdma:x:110:$/rdma:x:110:nobody/' /etc/group
t members_of_the_group_are_served says "$SERVED" as_nobody "$dir/plain_devx"
t node_open_again chmod 666 $node

make_box
t box_has_no_other_device box_has_no_other_device
t box_with_the_nodes_is_served says "$SERVED" in_box "$dir/plain_devx"
hide_node
t box_without_our_node_is_left_to_libmlx5 says "$ABSENT" in_box "$dir/plain_devx"
umount -l $box

mkdir -p /run/netns
t shared_mode netns_mode shared
t shared_devices_are_served_from_any_namespace went_elsewhere "$SERVED" new
t exclusive_mode netns_mode exclusive
t exclusive_device_is_served_at_home says "$SERVED" preloaded "$dir/plain_devx"
t exclusive_device_is_not_opened_elsewhere refused unshare -n "$dir/plain_devx"
t exclusive_device_is_not_bound_elsewhere went_elsewhere "$ELSEWHERE" new
touch /run/netns/home /run/netns/other
mount --bind /proc/self/ns/net /run/netns/home
unshare --net=/run/netns/other true
t device_moves_to_another_namespace moved
t moved_device_is_served_there is_served other env LD_PRELOAD=libmdx.so.1 "$dir/plain_devx"
t moved_device_is_not_opened_here refused "$dir/plain_devx"
t moved_device_comes_back back
t device_that_came_back_is_served is_served preloaded "$dir/plain_devx"
umount /run/netns/other /run/netns/home
t shared_mode_again netns_mode shared
plan
