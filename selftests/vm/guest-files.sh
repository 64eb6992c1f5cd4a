#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# guest-files.sh PACKAGE DIR [KERNEL] - runs in a chroot: from the kernel package PACKAGE (or from KERNEL, where its
# files are) and the chroot's own programs makes DIR/vmlinuz, DIR/config, DIR/release, DIR/root (the files of
# every guest) and DIR/base.cpio (the same). With FILES, MULTIARCH and ARCH, programs and libraries come
# from FILES, where packages of another architecture are unpacked.
set -euo pipefail

MODULES=(mlx5_ib ib_umad rdma_ucm virtio_pci virtio_console)
# For disk images, which kernels built here do without.
MODULES_DISK=(virtio_blk ext4)
PROGRAMS=(modprobe depmod lsmod rmmod ip rdma devlink ibv_devices ibv_devinfo ibv_asyncwatch
	ibv_rc_pingpong ibv_uc_pingpong ibv_ud_pingpong ibv_srq_pingpong ibv_xsrq_pingpong
	ib_read_bw crun ucx_info)
LIBRARIES=(libibverbs.so.1 libmlx5.so.1 libgcc_s.so.1 libpthread.so.0 libdl.so.2 libbpf.so.1)
FILES=${FILES:-}
LIBDIR=/usr/lib/${MULTIARCH:-x86_64-linux-gnu}

package=$1
dir=$2
KERNEL=${3:-}
root=$dir/root
release=${package#linux-image-}

# Sets KERNEL to where the kernel's files are: in the chroot itself when its headers brought the kernel in,
# else unpacked from its package, or the packages it is split into.
fetch_kernel()
{
	local packages deb

	[ -z "$KERNEL" ] || return 0
	! dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -x installed >/dev/null || return 0
	KERNEL=$dir/unpacked
	mapfile -t packages < <(echo "$package${ARCH:+:$ARCH}"
		apt-cache depends "$package${ARCH:+:$ARCH}" | grep -oE 'Depends: linux-(base|binary|modules)-[0-9].*' | sed 's/.*: //')
	mkdir "$KERNEL"
	cd "$KERNEL"
	apt-get -q download "${packages[@]}"
	for deb in *.deb; do
		echo "unpacking $deb"
		dpkg-deb --fsys-tarfile "$deb" | tar -x --exclude='./usr/share'
		rm "$deb"
	done
	[ -d lib/modules ] || { mkdir -p lib && ln -s ../usr/lib/modules lib/modules; }
	cd "$dir"
	depmod -b "$KERNEL" "$release"
}

# Kernel packages have moved some of their files over time.
copy_first()
{
	local to=$1 from
	shift

	for from in "$@"; do
		[ ! -f "$from" ] || { cp "$from" "$to" && return; }
	done
	echo "$package: none of $* exists"
	return 1
}

unpack_one()
{
	local from=$1 to=$2

	mkdir -p "$(dirname "$to")"
	case $from in
	*.xz) xz -dc "$from" >"${to%.xz}" ;;
	*.zst) zstd -qdc "$from" >"${to%.zst}" ;;
	*) cp "$from" "$to" ;;
	esac
}

# Modules are decompressed here once and not in each (slow) guest.
copy_modules()
{
	local from=$KERNEL name path

	{
		for name in "${MODULES[@]}"; do
			modprobe -d "$from/" -S "$release" --show-depends "$name"
		done
		for name in "${MODULES_DISK[@]}"; do
			modprobe -q -d "$from/" -S "$release" --show-depends "$name" || true
		done
	} | awk '$1 == "insmod" { print $2 }' | sort -u >"$dir/modules"
	while read -r path; do
		path=${path#"$from"}
		unpack_one "$from$path" "$root/lib/modules/${path#*/lib/modules/}"
	done <"$dir/modules"
	cp "$from/lib/modules/$release"/modules.{builtin,order} "$root/lib/modules/$release/"
	cp "$from/lib/modules/$release/modules.builtin.modinfo" "$root/lib/modules/$release/" 2>/dev/null || true
	depmod -b "$root" "$release"
	rm "$dir/modules"
}

# Copies a file and the target of a link: libraries stay one file under several names.
copy_linked()
{
	local path=$1 target

	while :; do
		mkdir -p "$root$(dirname "$path")"
		[ -e "$root$path" ] || [ -L "$root$path" ] || cp -a "$FILES$path" "$root$path"
		[ -L "$FILES$path" ] || return 0
		target=$(readlink "$FILES$path")
		case $target in
		/*) path=$target ;;
		*) path=$(dirname "$path")/$target ;;
		esac
	done
}

# In FILES nothing can be executed, so not ldd either: the names are looked up, and theirs in turn.
copy_foreign_libraries_of()
{
	local library path

	for library in $("$MULTIARCH-readelf" -W -d -l "$FILES$1" |
		sed -nE 's/.*(NEEDED.*\[|program interpreter: )([^]]*)\].*/\2/p'); do
		path=$library
		[[ $library = /* ]] || path=$LIBDIR/$library
		# Plugins lie beside the libraries they need.
		[ -e "$FILES$path" ] || path=$(dirname "$1")/$library
		[ ! -e "$root$path" ] || continue
		copy_linked "$path"
		copy_foreign_libraries_of "$path"
	done
}

copy_libraries_of()
{
	local library

	if [ -n "$FILES" ]; then
		copy_foreign_libraries_of "$1"
		return
	fi
	for library in $(ldd "$1" 2>/dev/null | grep -oE '(/[^ ]+)'); do
		copy_linked "$library"
	done
}

program_path()
{
	local path

	if [ -z "$FILES" ]; then
		command -v "$1"
		return
	fi
	for path in /usr/bin/"$1" /usr/sbin/"$1"; do
		[ ! -e "$FILES$path" ] || { echo "$path" && return; }
	done
	echo "no program $1 in $FILES" >&2
	return 1
}

copy_programs()
{
	local name path

	for name in "${PROGRAMS[@]}"; do
		path=$(program_path "$name")
		copy_linked "$path"
		copy_libraries_of "$path"
	done
	for name in "${LIBRARIES[@]}"; do
		copy_linked "$LIBDIR/$name"
		copy_libraries_of "$LIBDIR/$name"
	done
	for path in "$FILES$LIBDIR"/libibverbs/libmlx5-*.so "$FILES$LIBDIR"/ucx/libuct_ib*.so*; do
		copy_linked "${path#"$FILES"}"
		copy_libraries_of "${path#"$FILES"}"
	done
	mkdir -p "$root/etc/libibverbs.d"
	cp -a "$FILES/etc/libibverbs.d/mlx5.driver" "$root/etc/libibverbs.d/"
	cp -a "$FILES/usr/bin/busybox" "$root/bin/"
	for name in $(busybox --list); do
		[ -e "$root/bin/$name" ] || [ -e "$root/sbin/$name" ] || ln -s busybox "$root/bin/$name"
	done
}

make_root()
{
	mkdir -p "$root"/usr/{bin,sbin,lib,lib64} "$root"/{dev,proc,sys,run,tmp,root,opt/put,opt/mdx/bin,etc}
	ln -s usr/bin usr/sbin usr/lib usr/lib64 "$root/"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
	echo 'nobody:x:65534:65534:nobody:/:/bin/sh' >>"$root/etc/passwd"
	echo 'root:x:0:' >"$root/etc/group"
	echo 'nogroup:x:65534:' >>"$root/etc/group"
}

make_root
fetch_kernel
copy_first "$dir/vmlinuz" "$KERNEL/boot/vmlinuz-$release" "$KERNEL/lib/modules/$release/vmlinuz"
copy_first "$dir/config" "$KERNEL/boot/config-$release" "$KERNEL/lib/modules/$release/config"
echo "copying modules and programs"
copy_modules
copy_programs
(cd "$root" && find . | cpio -o -H newc --quiet --owner root:root) >"$dir/base.cpio"
rm -rf "$dir/unpacked"
echo "$release" >"$dir/release"
