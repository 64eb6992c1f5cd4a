#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# mdx trace --all and mdx replay, as TAP. In a guest, with the module or without:
# lab run [--no-module] LANE -- trace_test.sh
# Needs no more than BusyBox, and root.

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_tap.sh"
kprobes=/sys/kernel/debug/kprobes/list
functions=/sys/kernel/tracing/enabled_functions

# trace ARGUMENT...: in the background, until end_trace; its output in $tmp/out.
trace()
{
	"$mdx" trace --all "$@" >"$tmp/out" 2>"$tmp/err" &
	tracer=$!
	# Not with --json, which says nothing.
	until_true probes || { cat "$tmp/err"; return 1; }
	case " $* " in
	*json*) sleep 2 ;;
	*) until_true grep -q 'end with' "$tmp/err" || { cat "$tmp/err"; return 1; } ;;
	esac
}

probes()
{
	grep -q 'mlx5_cmd' $kprobes $functions
}

no_probes()
{
	! probes
}

# end_trace [SIGNAL]: it ends, and leaves no probe.
end_trace()
{
	[ -z "$1" ] || kill -s "$1" "$tracer"
	wait "$tracer"
	is=$?
	[ "$is" = 0 ] || [ "$1" = KILL ] || { echo "trace: status $is"; cat "$tmp/err"; return 1; }
	until_true no_probes || { grep mlx5_cmd $kprobes $functions; return 1; }
}

# in_order OPCODE...: the traced opcodes, of all or of the process $only. With the module, a context is bound by
# commands about a PD and a mkey, which are left out.
in_order()
{
	for opcode; do
		echo "$opcode"
	done >"$tmp/want"
	sed -nE "s/^[0-9.]+ ${only:-.*}-[0-9]+\/[0-9]+ mlx5_[0-9]+ uid [0-9]+ ([A-Z0-9_]+) .*/\1/p" "$tmp/out" |
		grep -vE '_PD$|_MKEY$' >"$tmp/is"
	cmp "$tmp/want" "$tmp/is" || { cat "$tmp/is"; return 1; }
}

# Each command of examples/devx_obj_create, on the stock path.
stock_commands()
{
	trace || return
	"$dir/devx_obj_create" >/dev/null || return
	sleep 1
	end_trace INT && stock_is_complete
}

# The first four are those with which libmlx5 opens a context.
stock_is_complete()
{
	only=devx_obj_create
	sed 's/^/# seen: /' "$tmp/out" | head -n 3
	in_order ALLOC_TRANSPORT_DOMAIN QUERY_HCA_CAP ALLOC_UAR QUERY_ADAPTER ALLOC_TRANSPORT_DOMAIN CREATE_TIS QUERY_TIS \
		MODIFY_TIS QUERY_TIS CREATE_TIS DEALLOC_TRANSPORT_DOMAIN DESTROY_TIS DEALLOC_TRANSPORT_DOMAIN DEALLOC_UAR \
		DEALLOC_TRANSPORT_DOMAIN && says 'refused: BAD_RES (0x5)' && says 'refused: BAD_RES_STATE (0x9)' && says 'syndrome 0x'
}

# The same by the module.
module_commands()
{
	trace -p $$ || return
	LD_PRELOAD=libmdx.so.1 "$dir/devx_obj_create" >/dev/null || return
	sleep 1
	end_trace TERM && says ' CREATE_TIS ' && says ' QUERY_TIS ' && says ' MODIFY_TIS ' && says ' CREATE_MKEY ' &&
		says 'refused: BAD_RES (0x5)' && [ "$(grep -c ' DESTROY_TIS ' "$tmp/out")" = 1 ]
}

# A driver without BTF, as vendors have it, is traced by kprobes.
kprobes_commands()
{
	mkdir "$tmp/btf" && cp /sys/kernel/btf/vmlinux "$tmp/btf/" && mount --bind "$tmp/btf" /sys/kernel/btf || return
	stock_commands && grep -q 'by kprobes' "$tmp/err"
	ret=$?
	umount /sys/kernel/btf
	return $ret
}

fentry_used()
{
	trace && end_trace INT && cat "$tmp/err" && grep -q 'by fentry' "$tmp/err"
}

json_lines()
{
	trace --json || return
	"$dir/devx_obj_create" >/dev/null
	sleep 1
	end_trace INT && json -l && says '"name": "CREATE_TIS"' && says '"status_name": "BAD_RES"' && says '"in_len": 192'
}

opcode_filter()
{
	trace -c QUERY_TIS -n 2 || return
	"$dir/devx_obj_create" >/dev/null
	end_trace '' && only= && in_order QUERY_TIS QUERY_TIS
}

failed_filter()
{
	trace --failed -n 2 || return
	"$dir/devx_obj_create" >/dev/null
	end_trace '' && only= && in_order CREATE_TIS DEALLOC_TRANSPORT_DOMAIN
}

pid_filter()
{
	trace -p 1 || return
	"$dir/devx_obj_create" >/dev/null
	sleep 1
	end_trace INT && [ ! -s "$tmp/out" ]
}

device_filter()
{
	trace -d mlx5_99 || return
	"$dir/devx_obj_create" >/dev/null
	sleep 1
	end_trace INT && [ ! -s "$tmp/out" ]
}

kernel_commands()
{
	trace --kernel || return
	ibv_devinfo >/dev/null
	sleep 1
	end_trace INT && says ' uid 0 QUERY_NIC_VPORT_CONTEXT '
}

time_limit()
{
	trace -t 1 && end_trace ''
}

summary()
{
	trace --summary || return
	"$dir/devx_obj_create" >/dev/null
	"$dir/devx_obj_create" >/dev/null
	end_trace INT || return
	sed 's/^/# seen: /' "$tmp/out"
	[ "$(grep -cE 'devx_obj_create +mlx5_[0-9]+ +QUERY_TIS +2 +0 ' "$tmp/out")" = 2 ] &&
		[ "$(grep -cE 'devx_obj_create +mlx5_[0-9]+ +CREATE_TIS +2 +1 ' "$tmp/out")" = 2 ]
}

summary_json()
{
	trace --summary --json || return
	"$dir/devx_obj_create" >/dev/null
	end_trace INT && json && says '"name": "QUERY_TIS"' && says '"p99_ns"'
}

ucx_commands()
{
	trace --summary || return
	ucx_info -d >"$tmp/ucx" 2>&1
	end_trace INT || return
	grep -E 'Transport' "$tmp/ucx" | sort -u | sed 's/^/# seen: /'
	sed 's/^/# seen: /' "$tmp/out"
	says ucx_info
}

killed_leaves_nothing()
{
	trace && end_trace KILL && trace --summary && end_trace KILL
}

as_nobody()
{
	exits 1 nobody "$mdx" trace --all && says 'only root may trace'
}

no_process()
{
	exits 1 "$mdx" trace --all -p 999999 && says 'No such process'
}

no_btf()
{
	mkdir "$tmp/none" && mount --bind "$tmp/none" /sys/kernel/btf || return
	exits 1 "$mdx" trace --all && says 'has no BTF' && says 'CONFIG_DEBUG_INFO_BTF'
	ret=$?
	umount /sys/kernel/btf
	return $ret
}

options_without_all()
{
	exits 2 "$mdx" trace --summary && says 'are for --all'
}

summary_with_count()
{
	exits 2 "$mdx" trace --all --summary -n 3 && says 'takes neither'
}

record()
{
	trace --record "$tmp/file" || return
	"$dir/run-plt"
	ret=$?
	sleep 1
	end_trace INT && [ $ret = 0 ] && cat "$tmp/err" && grep -q ' 13 commands in ' "$tmp/err" && [ "$(stat -c %a "$tmp/file")" = 600 ] &&
		grep -q 'Treat it as a' "$tmp/file"
}

# Memory is two pages, or one of twice the size.
replay_text()
{
	exits 0 "$mdx" replay "$tmp/file" && says ' CREATE_TIS (0x912)' && says '    opcode 0x912' &&
		says '    umem.num_of_mtt 0x' && says '    answer.dword_0x' || return
	sed 's/^/# seen: /' "$tmp/out" | tail -n 20
}

replay_json()
{
	exits 0 "$mdx" replay --json "$tmp/file" && json -l && says '"op_mod": 0' && says '"opcode": "0x912"'
}

# Objects have other numbers now, and what was refused is refused again.
replay_execute()
{
	exits 0 "$mdx" replay --execute "$tmp/file"
	ret=$?
	sed 's/^/# seen: /' "$tmp/out"
	[ $ret = 0 ] && says ' 0 answers differ'
}

replay_differs()
{
	hca "fail 0xa08 0x8 0xabcdef 1" || return
	exits 1 "$mdx" replay --execute "$tmp/file" && says 'CREATE_UMEM (0xa08): recorded OK, now ' &&
		says ' 1 answers differ'
}

# The answer of a query that succeeds, with another content.
replay_answer_differs()
{
	trace --record "$tmp/queries" || return
	"$dir/devx_obj_create" >/dev/null
	ret=$?
	sleep 1
	end_trace INT && [ $ret = 0 ] && exits 0 "$mdx" replay "$tmp/queries" && says '    answer.tis_context.transport_domain 0x' || return
	hca "answer 0x915 00000000000000000000000000000000 1" || return
	exits 1 "$mdx" replay --execute "$tmp/queries" || return
	sed 's/^/# seen: /' "$tmp/out"
	says 'QUERY_TIS (0x915): the answer differs in 1 dwords, the first at 0x' &&
		says ' tis_context.transport_domain: recorded 0x' && says ' 1 answers differ'
}

# A modify has its effect, also where the driver put its answer over the input.
replay_modifies()
{
	exits 0 "$mdx" replay "$tmp/queries" && says '    bitmask.prio 0x1' || return
	exits 0 "$mdx" replay --execute "$tmp/queries" && says ' 0 answers differ'
}

replay_no_file()
{
	exits 1 "$mdx" replay "$tmp/no-file" && says 'No such file'
}

replay_other_file()
{
	exits 1 "$mdx" replay "$mdx" && says 'is no file of mdx trace'
}

replay_cut_off()
{
	head -c 700 "$tmp/file" >"$tmp/cut" && exits 1 "$mdx" replay "$tmp/cut" && says 'is cut off'
}
record_as_nobody()
{
	exits 1 nobody "$mdx" trace --all --record /tmp/x && says 'only root' && [ ! -e /tmp/x ]
}

# A file that others may read becomes private; one of another user is not written to.
record_private()
{
	echo old >"$tmp/shared" && chmod 666 "$tmp/shared"
	exits 0 "$mdx" trace --all -t 1 --record "$tmp/shared" || return
	[ "$(stat -c %a "$tmp/shared")" = 600 ] || return
	chown nobody "$tmp/shared"
	exits 1 "$mdx" trace --all -t 1 --record "$tmp/shared" && says 'File exists'
}
record_no_room()
{
	exits 1 "$mdx" trace --all -t 1 --record /no/such/dir && says 'No such file'
}

for name in fentry_used stock_commands json_lines opcode_filter failed_filter pid_filter device_filter kernel_commands \
	time_limit summary summary_json killed_leaves_nothing as_nobody no_process no_btf options_without_all \
	summary_with_count record replay_text replay_json replay_execute replay_no_file replay_other_file \
	replay_cut_off record_as_nobody record_private record_no_room kprobes_commands; do
	t "$name" "$name"
done
if [ -n "$MDX_HCA" ]; then
	t replay_differs replay_differs
	t replay_answer_differs replay_answer_differs
	t replay_modifies replay_modifies
else
	skip replay_differs "no control port (MDX_HCA)"
	skip replay_answer_differs "no control port (MDX_HCA)"
	skip replay_modifies "no control port (MDX_HCA)"
fi
if [ -x /usr/bin/ucx_info ]; then
	t ucx_commands ucx_commands
else
	skip ucx_commands "no ucx_info"
fi
if [ -e /sys/module/mlx5_devx ]; then
	t module_commands module_commands
else
	skip module_commands "no module"
fi
plan
