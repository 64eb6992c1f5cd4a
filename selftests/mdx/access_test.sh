#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Access to the module, as TAP: by ordinary users, from namespaces with nothing but
# /dev/infiniband, and from other network namespaces. The program is plain_devx with
# libmdx preloaded: it works in any case, and prints which driver served it. Runs in
# a guest.

dir=$(cd "$(dirname "$0")" && pwd)
. "$dir/tap.sh"
. "$dir/opcodes.sh"

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

with_libmdx()
{
	LD_PRELOAD=libmdx.so.1 "$@"
}

has_open_modes()
{
	[ "$(stat -c '%a %U' $node)" = "666 root" ] && [ "$(stat -c %a /dev/infiniband/uverbs0)" = 666 ]
}

restrict_to_group()
{
	chgrp rdma $node && chmod 660 $node
}

# A root for the box: programs and libraries, /sys, /proc, and of /dev only
# infiniband. No /run, no debugfs, no other device.
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

# in_box WORDS...: runs them as an ordinary user that is root in its own user
# namespace, with a pid and a mount namespace.
in_box()
{
	su -s /bin/sh nobody -c \
		"unshare -U -r -m -p -f chroot $box /bin/sh -c 'LD_PRELOAD=libmdx.so.1 $*'"
}

box_has_no_other_device()
{
	[ "$(ls $box/dev)" = infiniband ]
}

# Hides the node in the box.
hide_node()
{
	umount -l $box/dev/infiniband
	cp -a /dev/infiniband/uverbs0 $box/dev/infiniband/
}

# An exited namespace is destroyed asynchronously; until then it is EBUSY.
netns_mode()
{
	for try in 1 2 3 4 5 6 7 8 9 10; do
		rdma system set netns "$1" && break
		sleep 1
	done
	echo "try $try"
	rdma system show | grep "netns $1"
}

is_refused()
{
	! "$@"
}

# Opens the context in this namespace, then enters another one.
went_elsewhere()
{
	says "$1" with_libmdx "$dir/plain_devx" "$2"
}

# The other namespace, with the devices that /sys shows there.
in_other()
{
	nsenter --net=/run/netns/other unshare -m \
		sh -c 'mount -t sysfs sysfs /sys && exec "$@"' - "$@"
}

move_to_other()
{
	rdma dev set "$device" netns other && in_other rdma dev show | grep "$device"
}

is_served()
{
	trace_start
	says "$SERVED" "$@" && asked plain_devx "$MDX_OPCODE_ALLOC_PD"
}

move_back()
{
	in_other rdma dev set "$device" netns home && [ -e "/sys/class/infiniband/$device" ]
}

device=$(ls /sys/class/infiniband | head -n 1)
grep -q '^rdma:' /etc/group || echo 'rdma:x:110:' >>/etc/group

t nodes_open_to_all has_open_modes
t ordinary_user_served says "$SERVED" as_nobody "$dir/plain_devx"
t node_of_group restrict_to_group
t outside_group_libmlx5 says "$CLOSED" as_nobody "$dir/plain_devx"
sed -i 's/^rdma:x:110:$/rdma:x:110:nobody/' /etc/group
t group_member_served says "$SERVED" as_nobody "$dir/plain_devx"
t node_open_again chmod 666 $node

make_box
t box_no_other_device box_has_no_other_device
t box_with_nodes_served says "$SERVED" in_box "$dir/plain_devx"
hide_node
t box_no_node_libmlx5 says "$ABSENT" in_box "$dir/plain_devx"
umount -l $box

mkdir -p /run/netns
t shared_mode netns_mode shared
t shared_any_netns_served went_elsewhere "$SERVED" new
t exclusive_mode netns_mode exclusive
t exclusive_own_netns_served says "$SERVED" with_libmdx "$dir/plain_devx"
t exclusive_other_netns_open is_refused unshare -n "$dir/plain_devx"
t exclusive_other_netns_bind went_elsewhere "$ELSEWHERE" new
touch /run/netns/home /run/netns/other
mount --bind /proc/self/ns/net /run/netns/home
unshare --net=/run/netns/other true
t device_moves_netns move_to_other
t moved_device_served_there is_served in_other env LD_PRELOAD=libmdx.so.1 "$dir/plain_devx"
t moved_device_not_here is_refused "$dir/plain_devx"
t device_moves_back move_back
t returned_device_served is_served with_libmdx "$dir/plain_devx"
umount /run/netns/other /run/netns/home
t shared_mode_again netns_mode shared
plan
