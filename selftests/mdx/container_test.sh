#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Containers, as TAP: crun starts them as docker and podman do, with namespaces of
# their own, a cgroup that lets through named devices and no others, and none of
# root's capabilities. plain_devx with libmdx preloaded says who served it. Runs in
# a guest.

dir=$(cd "$(dirname "$0")" && pwd)
. "$dir/tap.sh"

bundle=/tmp/bundle
root=$bundle/rootfs
SERVED="libmdx: the context is served by mlx5_devx"

# node PATH: its numbers, as config.json wants them.
node()
{
	printf '"type": "c", "major": %d, "minor": %d' "0x$(stat -c %t "$1")" "0x$(stat -c %T "$1")"
}

# In the container's /dev, as docker run --device puts it there.
device()
{
	printf '{ "path": "%s", %s, "fileMode": 438 }' "$1" "$(node "$1")"
}

# What the container's cgroup lets through.
allow()
{
	printf ', { "allow": true, "access": "rw", %s }' "$(node "$1")"
}

# make_bundle DEVICES ALLOWED: what crun needs. The program is another user's, and
# may lock memory, as verbs needs it.
make_bundle()
{
	cat >$bundle/config.json <<-JSON
	{
		"ociVersion": "1.0.0",
		"process": {
			"user": { "uid": 65534, "gid": 65534 },
			"args": [ "$dir/plain_devx" ],
			"env": [ "PATH=/usr/bin", "LD_PRELOAD=libmdx.so.1" ],
			"cwd": "/",
			"noNewPrivileges": true,
			"capabilities": {},
			"rlimits": [ { "type": "RLIMIT_MEMLOCK", "hard": 1073741824, "soft": 1073741824 } ]
		},
		"root": { "path": "rootfs", "readonly": true },
		"mounts": [
			{ "destination": "/proc", "type": "proc", "source": "proc" },
			{ "destination": "/dev", "type": "tmpfs", "source": "tmpfs" },
			{ "destination": "/sys", "type": "none", "source": "/sys", "options": [ "rbind", "ro" ] }
		],
		"linux": {
			"namespaces": [ { "type": "pid" }, { "type": "mount" }, { "type": "ipc" },
				{ "type": "uts" }, { "type": "network" }, { "type": "cgroup" } ],
			"devices": [ $1 ],
			"resources": { "devices": [ { "allow": false, "access": "rwm" } $2 ] }
		}
	}
	JSON
}

# The guest's root is no file system one can pivot from.
container()
{
	crun run --no-pivot --bundle $bundle "mdx$count" </dev/null
}

with_both_nodes()
{
	make_bundle "$(device "$uverbs"), $(device "$mdx")" "$(allow "$uverbs") $(allow "$mdx")"
	trace_start
	says "$SERVED" container && asked plain_devx 0x800
}

with_uverbs_alone()
{
	make_bundle "$(device "$uverbs")" "$(allow "$uverbs")"
	says "libmdx: there is no $mdx" container
}

with_a_node_that_the_cgroup_forbids()
{
	make_bundle "$(device "$uverbs"), $(device "$mdx")" "$(allow "$uverbs")"
	says "libmdx: no permission to open $mdx" container
}

without_uverbs()
{
	make_bundle "$(device "$mdx")" "$(allow "$mdx")"
	! container
}

mdx=/dev/infiniband/mlx5_devx
uverbs=/dev/infiniband/uverbs0
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p $root/proc $root/sys $root/dev $root/usr $root/opt $root/etc
cp -a /bin /lib /lib64 /sbin $root/ 2>/dev/null
for place in usr opt etc; do
	mount --bind /$place $root/$place
done

t container_with_both_nodes_is_served with_both_nodes
t container_without_our_node_is_left_to_libmlx5 with_uverbs_alone
t container_whose_cgroup_forbids_our_node_is_left_to_libmlx5 with_a_node_that_the_cgroup_forbids
t our_node_alone_opens_no_device without_uverbs
plan
