#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# root_test.sh DIRECTORY - the mdx and json-check of DIRECTORY on made-up machines
# (MDX_ROOT), as TAP.
set -uo pipefail

mdx=$1/mdx
json_check=$1/json-check
here=$(cd "$(dirname "$0")" && pwd)
kver=6.12.1-test
tmp=$(mktemp -d)
export MDX_ROOT=$tmp/root
count=0
failed=0
out=

# t NAME COMMAND...: what a failing one printed is shown, and of the others what a
# user would read.
t()
{
	local name=$1

	shift
	count=$((count + 1))
	if "$@" >"$tmp/log" 2>&1; then
		echo "ok $count root: $name"
		grep '^# seen: ' "$tmp/log"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count root: $name"
	sed 's/^/# /' "$tmp/log"
	printf '%s\n' "$out" | sed 's/^/# | /'
}

# exits STATUS COMMAND...: leaves the output in $out.
exits()
{
	local want=$1 is=0

	shift
	out=$("$@" 2>&1) || is=$?
	[ "$is" = "$want" ] || { echo "status $is, not $want"; return 1; }
	grep -E '^(mdx( [a-z]+)?: |bad |note )' <<<"$out" | sed 's/^/# seen: /'
	true
}

says()
{
	grep -qF -- "$1" <<<"$out" || { echo "does not say: $1"; return 1; }
}

# doctor STATUS TEXT...: what it says of this machine.
doctor()
{
	local status=$1 text

	shift
	exits "$status" "$mdx" doctor || return
	for text; do
		says "$text" || return
	done
	{ "$mdx" doctor --json || true; } | "$json_check"
}

put()
{
	mkdir -p "$MDX_ROOT/$(dirname "$1")"
	printf '%s\n' "${2-}" >"$MDX_ROOT/$1"
}

driver()
{
	mkdir -p "$MDX_ROOT/sys/bus/pci/drivers/$2" "$MDX_ROOT/sys/bus/pci/devices/$1"
	ln -sfn "../../drivers/$2" "$MDX_ROOT/sys/bus/pci/devices/$1/driver"
}

# A machine where all is well.
machine()
{
	local name

	rm -rf "$MDX_ROOT"
	put proc/sys/kernel/osrelease "$kver"
	put sys/bus/pci/devices/0000:01:00.0/vendor 0x15b3
	driver 0000:01:00.0 mlx5_core
	put sys/bus/pci/devices/0000:02:00.0/vendor 0x8086
	for name in mlx5_core mlx5_ib ib_uverbs mlx5_devx; do
		mkdir -p "$MDX_ROOT/sys/module/$name"
	done
	mkdir -p "$MDX_ROOT/lib/modules/$kver/build"
	printf 'x\0vermagic=%s SMP mod_unload \0' "$kver" >"$tmp/ko"
	mkdir -p "$MDX_ROOT/lib/modules/$kver/updates/dkms"
	cp "$tmp/ko" "$MDX_ROOT/lib/modules/$kver/updates/dkms/mlx5_devx.ko"
	put sys/kernel/security/lockdown '[none] integrity confidentiality'
	put sys/module/module/parameters/sig_enforce N
	put dev/infiniband/mlx5_devx
	chmod 666 "$MDX_ROOT/dev/infiniband/mlx5_devx"
	mkdir -p "$MDX_ROOT/sys/class/infiniband/mlx5_0/device"
	put sys/class/infiniband/mlx5_0/device/vendor 0x15b3
}

ko()
{
	echo "$MDX_ROOT/lib/modules/$kver/updates/dkms/mlx5_devx.ko"
}

unload()
{
	rm -r "$MDX_ROOT/sys/module/mlx5_devx"
	rm -f "$MDX_ROOT/dev/infiniband/mlx5_devx"
}

healthy()
{
	machine && doctor 0 'DEVX works here'
}

old_kernel()
{
	machine && put proc/sys/kernel/osrelease 5.15.0 && doctor 1 'older than 6.1'
}

no_hardware()
{
	machine && rm -r "$MDX_ROOT/sys/bus/pci/devices/0000:01:00.0" && doctor 1 'no PCI device of NVIDIA' 'lspci -d 15b3:'
}

vfio()
{
	machine && driver 0000:01:00.0 vfio-pci && doctor 1 '0000:01:00.0 is bound to vfio-pci' 'modprobe mlx5_core'
}

no_driver()
{
	machine && rm "$MDX_ROOT/sys/bus/pci/devices/0000:01:00.0/driver" && doctor 1 'is bound to no driver'
}
# without_driver NAME: no module NAME, and so no RDMA device either.
without_driver()
{
	machine && rm -r "$MDX_ROOT/sys/module/$1" "$MDX_ROOT/sys/class/infiniband/mlx5_0"
}

no_mlx5_ib()
{
	without_driver mlx5_ib && doctor 1 'mlx5_ib is not loaded' 'modprobe mlx5_ib'
}

no_uverbs()
{
	without_driver ib_uverbs && doctor 1 'modprobe ib_uverbs'
}

drivers_builtin()
{
	without_driver mlx5_ib && put "lib/modules/$kver/modules.builtin" kernel/drivers/infiniband/hw/mlx5/mlx5_ib.ko &&
		doctor 1 'mlx5_core, mlx5_ib and ib_uverbs are there' 'no mlx5 RDMA device'
}

drivers_builtin_device()
{
	machine && rm -r "$MDX_ROOT"/sys/module/mlx5_{core,ib} "$MDX_ROOT/sys/module/ib_uverbs" &&
		doctor 0 'mlx5_core, mlx5_ib and ib_uverbs are there'
}

vendor_loaded()
{
	machine && mkdir "$MDX_ROOT/sys/module/mlx_compat" && doctor 0 "vendor's RDMA drivers are loaded" 'Which headers'
}

vendor_headers()
{
	machine && mkdir -p "$MDX_ROOT/usr/src/ofa_kernel" && doctor 0 "vendor's RDMA headers"
}

not_built()
{
	machine && unload && rm "$(ko)" && doctor 1 "not built for kernel $kver" "dkms autoinstall -k $kver"
}

no_headers()
{
	machine && unload && rm -r "$(ko)" "$MDX_ROOT/lib/modules/$kver/build" &&
		doctor 1 'headers are not installed' "apt-get install linux-headers-$kver"
}

other_kernel()
{
	machine && unload && printf 'vermagic=6.1.0-other SMP \0' >"$(ko)" &&
		doctor 1 'is built for kernel 6.1.0-other' 'dkms install --force'
}

kernel_with_this_as_prefix()
{
	machine && printf 'vermagic=%s2 SMP \0' "$kver" >"$(ko)" && doctor 0 "is built for kernel ${kver}2, but it is loaded"
}

by_hand()
{
	machine && rm "$(ko)" && doctor 0 'but it is loaded'
}

unsigned()
{
	machine && unload && put sys/module/module/parameters/sig_enforce Y && doctor 1 'signatures are enforced' 'is not signed'
}

lockdown()
{
	machine && unload && put sys/kernel/security/lockdown 'none [integrity] confidentiality' && doctor 1 'locked down (Secure Boot)'
}

signed()
{
	machine && unload && put sys/module/module/parameters/sig_enforce Y &&
		printf '~Module signature appended~\n' >>"$(ko)" && doctor 1 'mlx5_devx is signed' 'mokutil --import'
}

no_securityfs()
{
	machine && rm "$MDX_ROOT/sys/kernel/security/lockdown" && doctor 0 'if it is not locked down'
}

signed_loaded()
{
	machine && put sys/module/module/parameters/sig_enforce Y && doctor 0 'was let in'
}

signature_to_come()
{
	machine && unload && rm "$(ko)" && put sys/module/module/parameters/sig_enforce Y && doctor 1 'will have to be signed'
}

not_loaded()
{
	machine && unload && doctor 1 'mlx5_devx is not loaded' 'modprobe mlx5_devx' 'it comes with the module'
}

no_node()
{
	machine && rm "$MDX_ROOT/dev/infiniband/mlx5_devx" && doctor 1 'there is no /dev/infiniband/mlx5_devx' 'devtmpfs or udev'
}

container()
{
	machine && rm "$MDX_ROOT/dev/infiniband/mlx5_devx" && put .dockerenv &&
		doctor 1 '--device /dev/infiniband/mlx5_devx'
}
# Not as root, whom no mode keeps out.
as_nobody()
{
	chmod -R a+rX "$tmp"
	exits 1 setpriv --reuid 65534 --regid 65534 --clear-groups "$mdx" doctor && says 'you may not open' && says "$1"
}

no_permission()
{
	machine && chmod 600 "$MDX_ROOT/dev/infiniband/mlx5_devx" && as_nobody 'a udev rule'
}

group()
{
	machine && chmod 660 "$MDX_ROOT/dev/infiniband/mlx5_devx" && chgrp daemon "$MDX_ROOT/dev/infiniband/mlx5_devx" &&
		as_nobody 'join the group daemon'
}

no_rdma()
{
	machine && rm -r "$MDX_ROOT/sys/class/infiniband/mlx5_0" && doctor 1 'no mlx5 RDMA device' 'dmesg | grep mlx5'
}

empty()
{
	rm -rf "$MDX_ROOT" && mkdir "$MDX_ROOT" && doctor 1 'kernel unknown' 'no PCI device'
}

files()
{
	machine
	put sys/kernel/debug/mlx5_devx/files 'mlx5_0 4711 a "b" 0x2 7 1 own 800:2 a00/13:5'
	mkdir -p "$MDX_ROOT/proc/4711"
	printf 'prog\0-x\0' >"$MDX_ROOT/proc/4711/cmdline"
}

ps_text()
{
	files && exits 0 "$mdx" ps && says 'prog -x' && says 'pd 2, general_object_0x13 5'
}

ps_json()
{
	files && exits 0 "$mdx" ps --json && "$json_check" <<<"$out" && says '"comm": "a \"b\""' && says '"count": 5'
}

ps_other_device()
{
	files && exits 0 "$mdx" ps -d mlx5_7 && ! says prog
}

ps_gone()
{
	files && rm -r "$MDX_ROOT/proc/4711" && exits 0 "$mdx" ps && says 'another process has the file'
}

ps_none()
{
	machine && put sys/kernel/debug/mlx5_devx/files && : >"$MDX_ROOT/sys/kernel/debug/mlx5_devx/files" && exits 0 "$mdx" ps --json && "$json_check" <<<"$out"
}

ps_no_module()
{
	machine && exits 4 "$mdx" ps && says 'mlx5_devx loaded'
}

ps_garbage()
{
	machine && put sys/kernel/debug/mlx5_devx/files 'what is this' && exits 1 "$mdx" ps && says 'not understood'
}

ps_own()
{
	files && exits 0 "$mdx" ps && says '       7 own ' && exits 0 "$mdx" ps --json && says '"shared": false'
}

ps_shared()
{
	machine && put sys/kernel/debug/mlx5_devx/files 'mlx5_0 4711 prog 0x2 7 1 shared 800:7' &&
		exits 0 "$mdx" ps && says '       7 shared ' && exits 0 "$mdx" ps --json && "$json_check" <<<"$out" && says '"shared": true'
}

ps_other_pid()
{
	files && exits 0 "$mdx" ps 4711 && says 'prog -x' && exits 0 "$mdx" ps 471 && ! says prog
}

ps_bad_pid()
{
	exits 2 "$mdx" ps -o prog && says 'PID: not a number' && exits 2 "$mdx" ps 0 && says 'PID 0' &&
		exits 2 "$mdx" ps 1 2 && says 'one PID'
}

# Lines as the kernel prints them: a PD, a range of four counters, a general object.
objects()
{
	machine
	put sys/kernel/debug/mlx5_devx/objects 'mlx5_0 4711 0x2 0 800 0 0x17 1 16 3
mlx5_0 4711 0x2 1 939 0 0x20 4 16 7260
mlx5_1 4712 0x3 0 a00 13 0x1c 1 24 172800'
}

# columns WORD...: of a line of text.
columns()
{
	tr -s ' ' <<<"$out" | grep -xF -- "$*" || { echo "no line: $*"; return 1; }
}

objects_text()
{
	objects && exits 0 "$mdx" ps --objects && columns DEVICE PID UID ID TYPE NUMBER DESTROY AGE &&
		columns mlx5_0 4711 2 0 pd 0x17 16 3s && columns mlx5_0 4711 2 1 flow_counter 0x20-0x23 16 2h &&
		columns mlx5_1 4712 3 0 general_object_0x13 0x1c 24 2d && [ "$(wc -l <<<"$out")" = 4 ]
}

objects_json()
{
	objects && exits 0 "$mdx" ps -oj && "$json_check" <<<"$out" && says '"name": "flow_counter"' && says '"opcode": 2361' &&
		says '"type": 19' && says '"number": 32' && says '"numbers": 4' && says '"destroy_bytes": 24' && says '"age_seconds": 7260'
}

objects_other_pid()
{
	objects && exits 0 "$mdx" ps --objects 4712 && says general_object_0x13 && ! says 4711 &&
		exits 0 "$mdx" ps --objects 471 && [ "$(wc -l <<<"$out")" = 1 ]
}

objects_other_device()
{
	objects && exits 0 "$mdx" ps --objects -d mlx5_0 && says pd && ! says mlx5_1
}

objects_none()
{
	objects && : >"$MDX_ROOT/sys/kernel/debug/mlx5_devx/objects" && exits 0 "$mdx" ps --objects --json && "$json_check" <<<"$out" &&
		exits 0 "$mdx" ps --objects && [ "$(wc -l <<<"$out")" = 1 ]
}

objects_garbage()
{
	objects && put sys/kernel/debug/mlx5_devx/objects 'mlx5_0 4711 0x2 0 800 0 0x17 1 16 3
mlx5_0 4711 0x2 1 800 0 0x18 1 16' && exits 1 "$mdx" ps --objects && says 0x17 && says 'not understood: mlx5_0 4711 0x2 1'
}

objects_no_module()
{
	machine && exits 4 "$mdx" ps --objects && says 'there is no /sys/kernel/debug/mlx5_devx/objects' && says 'mlx5_devx loaded'
}

objects_as_nobody()
{
	objects && chmod -R a+rX "$tmp" && chmod 400 "$MDX_ROOT/sys/kernel/debug/mlx5_devx/objects" &&
		exits 1 setpriv --reuid 65534 --regid 65534 --clear-groups "$mdx" ps --objects &&
		says 'only root may read /sys/kernel/debug/mlx5_devx/objects'
}

no_verb()
{
	exits 2 "$mdx" && says 'usage: mdx VERB'
}

bad_verb()
{
	exits 2 "$mdx" nonsense && says "no verb 'nonsense'"
}

bad_option()
{
	exits 2 "$mdx" info --nonsense && says 'unknown option'
}

no_value()
{
	exits 2 "$mdx" cmd --in-len && says 'needs a value'
}

help()
{
	exits 0 "$mdx" --help && says 'mdx doctor' && exits 0 "$mdx" cmd -h
}

version()
{
	exits 0 "$mdx" --version && says "mdx $(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$here/../../../dkms.conf")"
}

cmd_no_command()
{
	exits 2 "$mdx" cmd && says 'what command?'
}

cmd_bad_opcode()
{
	exits 2 "$mdx" cmd opcode=NONSENSE && says 'mdx cmd --list'
}

cmd_bad_field()
{
	exits 2 "$mdx" cmd nonsense=1 && says "no field 'nonsense'"
}

cmd_bad_value()
{
	exits 2 "$mdx" cmd opcode=NOP id=x && says 'not a number'
}

cmd_too_wide()
{
	exits 2 "$mdx" cmd @0:4=16 && says 'more than 4 bits'
}

cmd_far()
{
	exits 2 "$mdx" cmd @99999999:8=1 && says 'no field of 8 bits'
}

cmd_odd()
{
	exits 2 "$mdx" cmd 123 && says 'odd number of digits'
}

cmd_no_hex()
{
	exits 2 "$mdx" cmd 12zz && says 'neither hex'
}

cmd_short_answer()
{
	exits 2 "$mdx" cmd --out-len 8 opcode=NOP && says 'an answer has at least 16 bytes'
}

cmd_list()
{
	exits 0 "$mdx" cmd --list && says '0x100 QUERY_HCA_CAP' && [ "$(wc -l <<<"$out")" -gt 150 ]
}

cmd_list_json()
{
	exits 0 "$mdx" cmd --list --json && "$json_check" <<<"$out"
}

trace_bad_opcode()
{
	exits 2 "$mdx" trace -c NONSENSE && says 'no opcode'
}

trace_no_module()
{
	machine && exits 4 "$mdx" trace && says 'is the module loaded'
}

trace_all_no_driver()
{
	machine && rm -r "$MDX_ROOT/sys/module/mlx5_core" && exits 4 "$mdx" trace --all && says 'mlx5_core is not loaded'
}

trace_all_no_btf()
{
	machine && exits 1 "$mdx" trace --all && says 'this kernel has no BTF'
}

trace_all_lockdown()
{
	machine && put sys/kernel/btf/vmlinux && put sys/kernel/security/lockdown 'none integrity [confidentiality]' &&
		exits 1 "$mdx" trace --all && says 'locked down (confidentiality)'
}

trace_all_no_process()
{
	machine && exits 1 "$mdx" trace --all -p 4711 && says 'No such process'
}

# bad_batch MESSAGE LINE...: the last line is refused.
bad_batch()
{
	local message=$1

	shift
	printf '%s\n' "$@" >"$tmp/batch"
	exits 2 "$mdx" batch "$tmp/batch" && says "$tmp/batch:$#: $message"
}

batch_bad_words()
{
	bad_batch "no opcode 'NONE'" opcode=NOP opcode=NONE && bad_batch "neither hex nor FIELD=VALUE: 'lunk'" 'lunk opcode=NOP'
}

batch_bad_references()
{
	bad_batch '%1 is no item before this one' 'opcode=NOP id=%1' &&
		bad_batch 'item 1 creates nothing' opcode=NOP 'opcode=NOP id=%1' &&
		bad_batch '%0 is no item' opcode=ALLOC_PD 'opcode=NOP id=%0' &&
		bad_batch '%ITEM or %ITEM.lkey' opcode=ALLOC_PD 'opcode=NOP id=%1.rkey' &&
		bad_batch 'a reference is within a dword' opcode=ALLOC_PD 'opcode=%1' &&
		bad_batch 'object=%ITEM' opcode=ALLOC_PD 'opcode=NOP object=1'
}

batch_bad_order()
{
	bad_batch 'there is no item before the first' 'link opcode=NOP' &&
		bad_batch 'destroy needs object=%ITEM' opcode=ALLOC_PD 'destroy opcode=NOP' &&
		bad_batch 'ALLOC_PD is about no object' opcode=ALLOC_PD 'opcode=ALLOC_PD object=%1'
}

batch_no_items()
{
	printf '# none\n\nundo\n' >"$tmp/batch"
	exits 2 "$mdx" batch "$tmp/batch" && says 'has no item' &&
		exits 2 "$mdx" batch && says 'one FILE' && exits 2 "$mdx" batch "$tmp/no-file" && says 'No such file'
}

trace_all_options()
{
	exits 2 "$mdx" trace --kernel && says 'are for --all'
}

replay_no_file()
{
	exits 2 "$mdx" replay && exits 1 "$mdx" replay "$tmp/no-file" && says 'No such file'
}

replay_other_file()
{
	exits 1 "$mdx" replay "$mdx" && says 'is no file of mdx trace'
}

run_no_program()
{
	exits 2 "$mdx" run && exits 2 "$mdx" run --
}

# The names of the kernel's headers, and no other.
names()
{
	[ -e "${KHDR:-}/linux/mlx5/mlx5_ifc.h" ] || return 0
	"$mdx" cmd --list | awk '{ print tolower($1), $2 }' | sort >"$tmp/names"
	sed -nE 's/^\tMLX5_CMD_OP_(\w+) *= *(0x[0-9a-f]+).*/\2 \1/p' "$KHDR/linux/mlx5/mlx5_ifc.h" |
		grep -Ev ' (MAX|GENERAL_START)$|^0x1 ' | sort >"$tmp/header"
	! comm -13 "$tmp/names" "$tmp/header" | grep .
}

completion()
{
	bash -c ". $here/../mdx.bash
		PATH=${mdx%/*}:\$PATH
		compopt() { :; }
		COMP_WORDS=(mdx d) COMP_CWORD=1; _mdx; [ \"\${COMPREPLY[*]}\" = 'device doctor' ] || exit 1
		COMP_WORDS=(mdx trace --fa) COMP_CWORD=2; _mdx; [ \"\${COMPREPLY[*]}\" = --failed ] || exit 2
		COMP_WORDS=(mdx ps --o) COMP_CWORD=2; _mdx; [ \"\${COMPREPLY[*]}\" = --objects ] || exit 4
		COMP_WORDS=(mdx ps --objects \$\$) COMP_CWORD=3; _mdx; [[ \" \${COMPREPLY[*]} \" == *\" \$\$ \"* ]] || exit 5
		COMP_WORDS=(mdx cmd opcode = QUERY_AD) COMP_CWORD=4; _mdx; [ \"\${COMPREPLY[*]}\" = QUERY_ADAPTER ] || exit 3"
}

for name in healthy old_kernel no_hardware vfio no_driver no_mlx5_ib no_uverbs drivers_builtin drivers_builtin_device vendor_loaded vendor_headers not_built \
	no_headers other_kernel kernel_with_this_as_prefix by_hand unsigned lockdown no_securityfs signed signed_loaded \
	signature_to_come not_loaded no_node container no_permission group no_rdma empty; do
	t "doctor_$name" "$name"
done
for name in ps_text ps_json ps_other_device ps_gone ps_none ps_no_module ps_garbage ps_own ps_shared \
	ps_other_pid ps_bad_pid objects_text objects_json objects_other_pid objects_other_device objects_none \
	objects_garbage objects_no_module objects_as_nobody no_verb bad_verb bad_option \
	no_value help version cmd_no_command cmd_bad_opcode cmd_bad_field cmd_bad_value cmd_too_wide cmd_far \
	cmd_odd cmd_no_hex cmd_short_answer cmd_list cmd_list_json batch_bad_words batch_bad_references batch_bad_order batch_no_items trace_bad_opcode trace_no_module trace_all_no_driver trace_all_no_btf \
	trace_all_lockdown trace_all_no_process trace_all_options replay_no_file replay_other_file run_no_program names completion; do
	t "$name" "$name"
done
echo "1..$count"
rm -rf "$tmp"
[ "$failed" = 0 ]
