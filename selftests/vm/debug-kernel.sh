#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# debug-kernel.sh VERSION CONFIG... - runs in trixie's chroot: builds version VERSION of Debian's linux-source in
# /linux, configured by CONFIG, of which a later one overrides. Leaves boot/, lib/modules/, release, and build/,
# against which modules are built, in /job/built.
set -euo pipefail

version=$1
shift
case ${ARCH:-} in
arm64) image=Image ;;
*) image=bzImage ;;
esac
export KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=lab KBUILD_BUILD_HOST=lab

fetch_source()
{
	local package

	[ ! -e /job/unpacked ] || return 0
	rm -rf /job/deb
	mkdir /job/deb
	cd /job/deb
	# Reads all of its input: apt-cache fails on a closed pipe.
	package=$(apt-cache show "linux-source=$version" |
		awk '!found && match($0, /linux-source-[0-9][^ ,]*/) { found = substr($0, RSTART, RLENGTH) }
			END { print found }')
	apt-get -q download "$package=$version"
	echo "unpacking $package"
	dpkg-deb --fsys-tarfile ./*.deb | tar -xO --wildcards '*/linux-source-*.tar.xz' | xz -dc -T0 |
		tar -x -C /linux --strip-components=1 --exclude='*/Documentation/*/*'
	rm -r /job/deb
	touch /job/unpacked
}

# The last line about each symbol.
merge()
{
	awk '
		/^(# )?CONFIG_/ { name = $1 == "#" ? $2 : $1; sub(/=.*/, "", name); line[name] = $0 }
		END { for (name in line) print line[name] }' "$@"
}

# Kconfig silently drops unknown options and those that another option forbids.
configure()
{
	local line name missing=0 config=/job/config

	merge "$@" >"$config"
	make KCONFIG_ALLCONFIG="$config" allnoconfig
	while read -r line; do
		name=${line#\# }
		name=${name%%[= ]*}
		case $line in
		CONFIG_*) grep -qxF -- "$line" .config && continue ;;
		'# CONFIG_'*' is not set') ! grep -q "^$name=" .config && continue ;;
		*) continue ;;
		esac
		echo "not so in .config: $line"
		missing=1
	done <"$config"
	return $missing
}

install_kernel()
{
	local built=/job/built command release

	rm -rf "$built"
	mkdir -p "$built/boot"
	release=$(make -s kernelrelease)
	cp "arch/${ARCH:-x86}/boot/$image" "$built/boot/vmlinuz-$release"
	cp .config "$built/boot/config-$release"
	make INSTALL_MOD_PATH="$built" modules_install
	rm -f "$built/lib/modules/$release/build"
	command="\$(srctree)/scripts/package/install-extmod-build $built/build"
	# Modules are cross-built here: the tools stay this machine's, whatever the compiler is.
	[ -z "${ARCH:-}" ] || command="HOSTCC=\"\$(CC)\" $command"
	make run-command KBUILD_RUN_COMMAND="$command"
	cp .config System.map "$built/build/"
	echo "$release" >"$built/release"
}

fetch_source
cd /linux
configure "$@"
make -j "$(nproc)" "$image" modules
install_kernel
