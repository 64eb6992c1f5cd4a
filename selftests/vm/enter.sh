#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# enter.sh ROOT [SOURCE:NAME[:ro]]... -- COMMAND...
# Runs COMMAND in the chroot ROOT, each SOURCE mounted as /NAME. It is the first process of its own mount
# and pid namespaces (lab starts it so): all mounts and processes go away with it. With SCRATCH=yes, so does all
# that it writes in the chroot.
set -euo pipefail

root=$1
shift

if [ "${SCRATCH:-}" = yes ]; then
	mount -t tmpfs tmpfs "$root/mnt"
	mkdir "$root/mnt/upper" "$root/mnt/work"
	mount -t overlay overlay -o "lowerdir=$root,upperdir=$root/mnt/upper,workdir=$root/mnt/work" "$root"
else
	mount --bind "$root" "$root"
fi
mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
if [ -e /etc/resolv.conf ]; then
	cat /etc/resolv.conf >"$root/run/resolv.conf"
	if [ -L "$root/etc/resolv.conf" ]; then rm "$root/etc/resolv.conf"; fi
	touch "$root/etc/resolv.conf"
	mount --bind "$root/run/resolv.conf" "$root/etc/resolv.conf"
fi

while [ "$1" != -- ]; do
	IFS=: read -r source name mode <<<"$1"
	mkdir -p "$root/$name"
	mount --rbind "$source" "$root/$name"
	if [ "$mode" = ro ]; then mount -o remount,bind,ro "$root/$name"; fi
	shift
done
shift

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL=C.UTF-8 HOME=/root TMPDIR=/tmp
exec chroot "$root" "$@"
