#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# after-install.sh KERNELVER - says why mlx5_devx cannot be loaded on kernel KERNELVER
# and how to change that; prints nothing when it can. Runs after the package, after the
# headers of a kernel, and at boot, where its words go to the journal.
# MDX_ROOT stands for / (for tests), MDX_SOURCE for the module's sources.
set -eu

kver=$1
root=${MDX_ROOT:-}
headers=$root/lib/modules/$kver/build

say()
{
	printf 'mlx5-devx: %s\n' "$@"
}

# The sources that DKMS builds from, or those of the tree.
source_dir()
{
	if [ -n "${MDX_SOURCE:-}" ]; then
		echo "$MDX_SOURCE"
	elif [ -e "$(dirname "$0")/../kmod/ofed.sh" ]; then
		echo "$(dirname "$0")/.."
	else
		for dir in "$root"/usr/src/mlx5-devx-[0-9]*; do
			echo "$dir"
		done | sort -V | sed -n '$p'
	fi
}

# Sets tree to the vendor's tree, or reason to why ofed.sh finds no stack to build for.
find_stack()
{
	reason=
	tree=
	[ -e "$source/kmod/ofed.sh" ] || return 0
	if ! tree=$(sh "$source/kmod/ofed.sh" "$kver" 2>&1); then
		reason=$tree
		tree=
	fi
}

# Sets now to the word that a module built now would have, was to that of this one; both
# empty where that cannot be known.
compare_built_for()
{
	was=
	now=
	[ -e "$source/kmod/built_for.sh" ] && [ -e "$headers/Makefile" ] || return 0
	was=$(modinfo -F built_for "$module" 2>/dev/null || true)
	[ -z "$was" ] || now=$(sh "$source/kmod/built_for.sh" "$kver" "$headers" "$tree")
}

# Does the running kernel refuse modules that it has no key for?
signatures_wanted()
{
	grep -qs Y "$root/sys/module/module/parameters/sig_enforce" ||
		grep -Eqs '\[(integrity|confidentiality)\]' "$root/sys/kernel/security/lockdown"
}

key_enrolled()
{
	command -v mokutil >/dev/null &&
		mokutil --test-key /var/lib/dkms/mok.pub 2>/dev/null | grep 'is already enrolled' >/dev/null
}

say_not_built()
{
	if [ ! -e "$headers/Makefile" ]; then
		say "the module is not built for kernel $kver, whose headers are not installed." \
			"Install them (Debian: apt-get install linux-headers-$kver);" \
			"then: dkms autoinstall -k $kver"
	elif [ -n "$reason" ]; then
		say "the module is not built for kernel $kver:"
		printf '%s\n' "$reason"
		say "Then: dkms autoinstall -k $kver"
	else
		say "the module is not built for kernel $kver. Try: dkms autoinstall -k $kver" \
			"It prints where its log is when it fails."
	fi
}

say_signature()
{
	signatures_wanted || return 0
	if [ -z "$(modinfo -F signer "$module" 2>/dev/null)" ]; then
		say "this kernel loads signed modules only (Secure Boot), and mlx5_devx is not signed:" \
			"modprobe will say \"Key was rejected by service\" or \"Operation not permitted\"." \
			"Install openssl and kmod so that DKMS signs, then: dkms install --force" \
			"Documentation/install.md has the steps."
	elif ! key_enrolled; then
		say "this kernel loads only modules signed with a key it knows (Secure Boot)." \
			"If modprobe says \"Key was rejected by service\", make DKMS's key known, once:" \
			"    mokutil --import /var/lib/dkms/mok.pub" \
			"then reboot and choose \"Enroll MOK\" in the screen that appears."
	fi
}

[ -d "$root/lib/modules/$kver" ] || exit 0
module=$(find "$root/lib/modules/$kver/" -name 'mlx5_devx.ko*' | sed -n 1p)
source=$(source_dir)
find_stack
if [ -z "$module" ]; then
	say_not_built
	exit 0
fi
if [ -n "$reason" ]; then
	say "the module was built for kernel $kver before its RDMA stack changed:"
	printf '%s\n' "$reason"
	exit 0
fi
compare_built_for
if [ "$was" != "$now" ]; then
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$source/dkms.conf")
	say "the module for kernel $kver was built for other mlx5 drivers than are installed:" \
		"built for $was" "installed $now" \
		"Build it again: dkms install --force mlx5-devx/$version -k $kver"
fi
say_signature
