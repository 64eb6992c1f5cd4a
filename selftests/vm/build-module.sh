#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# build-module.sh DIRECTORY [VAR=VALUE]... - runs in a lane's chroot: builds the module of /src in DIRECTORY.
# With WRONG_LAYOUT set, the two numbers behind a struct ib_pd change places. With KUNIT set, it is the one of unit
# tests, in DIRECTORY/kunit.
set -euo pipefail

dir=$1
shift

mkdir -p "$dir"
rsync -rc --delete --exclude='*.o' --exclude='*.ko' --exclude='*.mod' --exclude='*.mod.c' --exclude='.*' \
	--exclude='*.gcno' --exclude=Module.symvers --exclude=modules.order --exclude=/kmod/verbs_layout.h \
	/src/Kbuild /src/dkms.conf /src/kmod /src/kunit /src/opcodes /src/uapi "$dir/"

layout=$(</src/kmod/verbs_layout.h)
if [ -n "${WRONG_LAYOUT:-}" ]; then
	right=$layout
	layout=${layout/'	u32 pdn;'$'\n''	u16 uid;'/'	u16 uid;'$'\n''	u32 pdn;'}
	[ "$layout" != "$right" ] || { echo 'verbs_layout.h has no "u32 pdn; u16 uid;" to change'; exit 1; }
fi
file=$dir/kmod/verbs_layout.h
[ -e "$file" ] && [ "$(<"$file")" = "$layout" ] || printf '%s\n' "$layout" >"$file"

exec make -C "$KERNELDIR" --no-print-directory -j "$(nproc)" M="$dir${KUNIT:+/kunit}" modules "$@"
