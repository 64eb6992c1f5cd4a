#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Containers, as TAP: crun starts them as docker and podman do, with namespaces of
# their own, a cgroup that lets through named devices and no others, and none of
# root's capabilities. plain_devx with libmdx preloaded prints which driver
# served it. Runs in a guest.

dir=$(cd "$(dirname "$0")" && pwd)
. "$dir/tap.sh"
. "$dir/opcodes.sh"

bundle=/tmp/bundle
root=$bundle/rootfs
SERVED="libmdx: the context is served by mlx5_devx"

# node_numbers PATH: type, major and minor number for config.json.
node_numbers()
{
	printf '"type": "c", "major": %d, "minor": %d' "0x$(stat -c %t "$1")" "0x$(stat -c %T "$1")"
}

# device_json PATH: an entry of the container's /dev, as docker run --device makes.
device_json()
{
	printf '{ "path": "%s", %s, "fileMode": 438 }' "$1" "$(node_numbers "$1")"
}

# allow_json PATH [ACCESS]: an exception of the container's device cgroup.
allow_json()
{
	printf ', { "allow": true, "access": "%s", %s }' "${2:-rw}" "$(node_numbers "$1")"
}

# make_bundle DEVICES ALLOWED: writes config.json for crun. $args, plain_devx if it is
# empty, runs as an ordinary user and may lock memory, which verbs needs.
make_bundle()
{
	cat >$bundle/config.json <<-JSON
	{
		"ociVersion": "1.0.0",
		"process": {
			"user": { "uid": 65534, "gid": 65534 },
			"args": [ ${args:-"\"$dir/plain_devx\""} ],
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

# The guest's root file system cannot be pivoted.
run_container()
{
	# shellcheck disable=SC2154 # count is that of tap.sh
	crun run --no-pivot --bundle $bundle "mdx$count" </dev/null
}

with_both_nodes()
{
	make_bundle "$(device_json "$uverbs"), $(device_json "$mdx")" "$(allow_json "$uverbs") $(allow_json "$mdx")"
	trace_start
	says "$SERVED" run_container && asked plain_devx "$MDX_OPCODE_ALLOC_PD"
}

# The nodes are made in the container: nothing of the host's /dev is mounted there.
without_bind_mount()
{
	args='"/bin/cat", "/proc/self/mountinfo"'
	make_bundle "$(device_json "$uverbs"), $(device_json "$mdx")" "$(allow_json "$uverbs") $(allow_json "$mdx")"
	args=
	run_container >/tmp/mounts || return
	cat /tmp/mounts
	grep -q ' /dev ' /tmp/mounts && ! grep -E 'infiniband|devtmpfs' /tmp/mounts
}

# What the specification gives, as docker, podman and CRI-O would.
with_cdi_device()
{
	spec=/usr/share/mlx5-devx/cdi/mlx5-devx.yaml
	grep -qx 'kind: "mlx5-devx.org/node"' $spec || return
	path=$(sed -n 's/^ *- path: "\(.*\)"$/\1/p' $spec)
	access=$(sed -n 's/^ *permissions: "\(.*\)"$/\1/p' $spec)
	make_bundle "$(device_json "$uverbs"), $(device_json "$path")" \
		"$(allow_json "$uverbs") $(allow_json "$path" "$access")"
	trace_start
	says "$SERVED" run_container && asked plain_devx "$MDX_OPCODE_ALLOC_PD"
}

with_uverbs_alone()
{
	make_bundle "$(device_json "$uverbs")" "$(allow_json "$uverbs")"
	says "libmdx: there is no $mdx" run_container
}

with_forbidden_node()
{
	make_bundle "$(device_json "$uverbs"), $(device_json "$mdx")" "$(allow_json "$uverbs")"
	says "libmdx: no permission to open $mdx" run_container
}

without_uverbs()
{
	make_bundle "$(device_json "$mdx")" "$(allow_json "$mdx")"
	! run_container
}

mdx=/dev/infiniband/mlx5_devx
uverbs=/dev/infiniband/uverbs0
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p $root/proc $root/sys $root/dev $root/usr $root/opt $root/etc
cp -a /bin /lib /lib64 /sbin $root/ 2>/dev/null
for place in usr opt etc; do
	mount --bind /$place $root/$place
done

t container_both_nodes_served with_both_nodes
t container_nodes_not_mounted without_bind_mount
t container_cdi_device_served with_cdi_device
t container_no_node_libmlx5 with_uverbs_alone
t container_forbidden_node_libmlx5 with_forbidden_node
t container_node_only_refused without_uverbs
plan
