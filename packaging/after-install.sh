#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# after-install.sh KERNELVER - says what still keeps mlx5_devx from being loaded
# on kernel KERNELVER, and what to do about it; nothing when nothing does.
# MDX_ROOT is what / is (for tests).
set -eu

kver=$1
root=${MDX_ROOT:-}

say()
{
	printf 'mlx5-devx: %s\n' "$@"
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
		mokutil --test-key /var/lib/dkms/mok.pub 2>/dev/null | grep -q 'is already enrolled'
}

[ -d "$root/lib/modules/$kver" ] || exit 0
module=$(find "$root/lib/modules/$kver/" -name 'mlx5_devx.ko*' | head -n 1)

if [ -z "$module" ] && [ ! -e "$root/lib/modules/$kver/build/Makefile" ]; then
	say "the module is not built for kernel $kver, whose headers are not installed." \
		"Install them (Debian: apt-get install linux-headers-$kver);" \
		"then: dkms autoinstall -k $kver"
elif [ -z "$module" ]; then
	say "the module is not built for kernel $kver. Try: dkms autoinstall -k $kver" \
		"It prints where its log is when it fails."
elif signatures_wanted && [ -z "$(modinfo -F signer "$module" 2>/dev/null)" ]; then
	say "this kernel loads signed modules only (Secure Boot), and mlx5_devx is not signed:" \
		"modprobe will say \"Key was rejected by service\" or \"Operation not permitted\"." \
		"Install openssl and kmod so that DKMS signs, then: dkms install --force" \
		"Documentation/install.md has the steps."
elif signatures_wanted && ! key_enrolled; then
	say "this kernel loads only modules signed with a key it knows (Secure Boot)." \
		"If modprobe says \"Key was rejected by service\", make DKMS's key known, once:" \
		"    mokutil --import /var/lib/dkms/mok.pub" \
		"then reboot and choose \"Enroll MOK\" in the screen that appears."
fi
