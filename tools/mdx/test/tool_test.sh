#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# mdx on the real module, as TAP. In a guest: lab run LANE -- tool_test.sh
# Needs no more than BusyBox, and root.

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_tap.sh"
instances=/sys/kernel/tracing/instances

info_text()
{
	exits 0 "$mdx" info && says 'served: yes' && says '- last-error' && says 'firmware: ' && says 'calls_per_context_max: '
}

info_json()
{
	exits 0 "$mdx" info --json && json && says '"served": true' && says '"last-error"'
}

info_no_such_device()
{
	exits 4 "$mdx" info -d mlx5_99 && says 'no such mlx5 device'
}

info_as_nobody()
{
	exits 0 nobody "$mdx" info && says 'served: yes'
}

port_text()
{
	exits 0 "$mdx" port && says 'port: 1'
}

port_json()
{
	exits 0 "$mdx" port 1 --json && json && says '"port": 1'
}

port_none()
{
	exits 1 "$mdx" port 99 && says 'error: Invalid argument' && says 'stage "device"'
}

device_text()
{
	exits 0 "$mdx" device && says 'firmware: ' && says 'max_qp: '
}

device_json()
{
	exits 0 "$mdx" device --json && json && says '"max_qp"'
}

device_none()
{
	exits 4 "$mdx" device -d mlx5_99 && says 'libibverbs does not know it'
}

cmd_fields()
{
	exits 0 "$mdx" cmd opcode=QUERY_ADAPTER && says 'name: QUERY_ADAPTER' && says 'status_name: OK'
}

cmd_hex()
{
	exits 0 "$mdx" cmd 01010000 0x00000000 && says 'name: QUERY_ADAPTER'
}

cmd_json()
{
	exits 0 "$mdx" cmd opcode=0x101 --json && json && says '"status": 0'
}

cmd_field_by_bit()
{
	exits 0 "$mdx" cmd @0:16=0x101 @8:8=1 && says 'opcode: 0x101'
}

cmd_creates()
{
	exits 0 "$mdx" cmd opcode=ALLOC_PD && says 'object: 1' && says 'destroyed when this program ends'
}

cmd_capabilities()
{
	exits 0 "$mdx" cmd opcode=QUERY_HCA_CAP op_mod=1 --json && json && [ "$(wc -l <"$tmp/out")" -gt 30 ]
}

cmd_unknown()
{
	exits 1 "$mdx" cmd opcode=0xffff && says 'stage "check"' && says 'opcode 0xffff'
}

cmd_short()
{
	exits 1 "$mdx" cmd opcode=CREATE_CQ && says 'stage "check"'
}

cmd_about_an_object()
{
	exits 1 "$mdx" cmd opcode=DEALLOC_PD && says 'DEALLOC_PD'
}

cmd_as_nobody()
{
	exits 0 nobody "$mdx" cmd opcode=ALLOC_PD
}

cmd_no_device()
{
	exits 4 "$mdx" cmd -d mlx5_99 opcode=NOP
}

cmd_refused()
{
	hca "fail 0x80d 0x8 0xabcdef 1" || return
	exits 3 "$mdx" cmd opcode=NOP && says 'status_name: EXCEED_LIM' && says 'syndrome: 0xabcdef'
}

cmd_refused_json()
{
	hca "fail 0x80d 0x8 0xabcdef 1" || return
	exits 3 "$mdx" cmd opcode=NOP -j && json && says '"status": 8' && says '"syndrome": 11259375'
}

# batch STATUS [OPTION]...: of the file that is written here.
batch_exits()
{
	status=$1
	shift
	exits "$status" "$mdx" batch "$@" "$tmp/batch"
}

# A transport domain, and a TIS in it.
chain()
{
	cat <<-END
		opcode=ALLOC_TRANSPORT_DOMAIN	# item 1
		link opcode=CREATE_TIS in-len=192 @0x228:24=%1
	END
}

batch_refers()
{
	{ chain; echo "link opcode=QUERY_TIS object=%2 id=%2"; } >"$tmp/batch"
	batch_exits 0 -a && says '1 ALLOC_TRANSPORT_DOMAIN ok object 1' && says '2 CREATE_TIS ok object 2' &&
		says '3 QUERY_TIS ok' && says '- 0000'
}

batch_destroys()
{
	{ chain; echo "drain destroy object=%2"; echo "link destroy object=%1"; } >"$tmp/batch"
	batch_exits 0 && says '3 destroy ok' && says '4 destroy ok'
}

batch_stdin()
{
	echo opcode=NOP | exits 0 "$mdx" batch - && says '1 NOP ok'
}

batch_json()
{
	{ echo; echo opcode=NOP; } >"$tmp/batch"
	batch_exits 0 --json && json && says '"line": 2' && says '"result": "ok"'
}

batch_as_nobody()
{
	chain >"$tmp/batch"
	exits 0 nobody "$mdx" batch "$tmp/batch" && says '2 CREATE_TIS ok'
}

batch_fails()
{
	{ echo opcode=CREATE_CQ; echo link opcode=NOP; echo opcode=NOP; } >"$tmp/batch"
	batch_exits 1 && says '1 CREATE_CQ failed: Invalid argument' && says '2 NOP canceled' && says '3 NOP ok'
}

# The TIS is refused, and the transport domain destroyed again.
batch_undoes()
{
	hca "fail 0x912 0x8 0xabcdef 1" || return
	{ chain; echo undo; } >"$tmp/batch"
	batch_exits 3 && says '2 CREATE_TIS refused status 0x8 (EXCEED_LIM) syndrome 0xabcdef' && ! grep -q 'object 1' "$tmp/out"
}

batch_stops()
{
	hca "fail 0x80d 0x8 0xabcdef 1" || return
	{ echo stop; echo opcode=NOP; echo drain opcode=NOP; } >"$tmp/batch"
	batch_exits 3 && says '1 NOP refused' && says '2 NOP canceled'
}

# Something to look at: a PD held by a mdx, until let_go.
hold()
{
	mkfifo "$tmp/fifo"
	"$mdx" cmd -w opcode=ALLOC_PD <"$tmp/fifo" >"$tmp/held" 2>&1 &
	holder=$!
	exec 5>"$tmp/fifo"
	until_true grep -q 'bytes:' "$tmp/held"
}

let_go()
{
	exec 5>&-
	wait "$holder"
	rm "$tmp/fifo"
}

ps_text()
{
	hold
	exits 0 "$mdx" ps && says "cmd -w opcode=ALLOC_PD" && says 'pd 1' && says " $holder "
	ret=$?
	let_go
	return $ret
}

ps_json()
{
	hold
	exits 0 "$mdx" ps --json && json && says "\"pid\": $holder" && says '"name": "pd"' && says '"running": true'
	ret=$?
	let_go
	return $ret
}

ps_own()
{
	hold
	exits 0 "$mdx" ps "$holder" && says ' 1 own ' && exits 0 "$mdx" ps --json "$holder" && json && says '"shared": false'
	ret=$?
	let_go
	return $ret
}

objects_text()
{
	hold
	exits 0 "$mdx" ps --objects "$holder" && [ "$(wc -l <"$tmp/out")" = 2 ] && sed 's/^/# seen: /' "$tmp/out" &&
		grep -Eq "^mlx5_[0-9]+ +$holder +[0-9]+ +1 +pd +0x[0-9a-f]+ +16 +[0-9]+[sm]\$" "$tmp/out"
	ret=$?
	let_go
	return $ret
}

objects_json()
{
	hold
	exits 0 "$mdx" ps --objects --json && json && says "\"pid\": $holder" && says '"name": "pd"' && says '"numbers": 1' &&
		says '"destroy_bytes": 16'
	ret=$?
	let_go
	return $ret
}

objects_nothing()
{
	exits 0 "$mdx" ps --objects --json && json && ! says '"pid"' && exits 0 "$mdx" ps --objects && [ "$(wc -l <"$tmp/out")" = 1 ]
}

objects_as_nobody()
{
	exits 1 nobody "$mdx" ps --objects && says 'only root'
}

ps_nothing()
{
	exits 0 "$mdx" ps --json && json && ! says '"pid"'
}

ps_as_nobody()
{
	exits 1 nobody "$mdx" ps || exits 4 nobody "$mdx" ps
}

# trace ARGUMENT...: in the background, until end_trace; its output in $tmp/out.
trace()
{
	# Without the end of the pipe that holds a PD: it would never be closed.
	"$mdx" trace "$@" >"$tmp/out" 2>&1 5>&- &
	tracer=$!
	until_true grep -qs 1 "$instances/mdx-$tracer/events/mlx5_devx/mdx_cmd/enable"
}

# It ends by itself, or is made to; and leaves nothing.
end_trace()
{
	[ -z "$1" ] || kill -s "$1" "$tracer"
	wait "$tracer" || { echo "trace: status $?"; return 1; }
	[ ! -e "$instances/mdx-$tracer" ] || { echo "the instance stays"; return 1; }
}

trace_opcode()
{
	trace -n 2 -c ALLOC_PD || return
	"$mdx" cmd opcode=ALLOC_PD && "$mdx" cmd opcode=QUERY_ADAPTER && "$mdx" cmd opcode=ALLOC_PD || return
	end_trace '' && [ "$(grep -c 'ALLOC_PD (0x800) object 1' "$tmp/out")" = 2 ] && ! says QUERY_ADAPTER
}

trace_json()
{
	trace --json -n 3 || return
	"$mdx" cmd opcode=ALLOC_PD || return
	end_trace '' && json -l && says '"name": "CREATE_MKEY"' && says '"status": 0'
}

trace_failed()
{
	trace -n 1 --failed || return
	hca "fail 0x80d 0x8 0xabcdef 1" || return
	"$mdx" cmd opcode=NOP
	end_trace '' && says 'refused: EXCEED_LIM (0x8), syndrome 0xabcdef' && [ "$(grep -c ' mlx5_' "$tmp/out")" = 1 ]
}

trace_pid()
{
	hold
	trace -p "$holder" -n 1 || return
	"$mdx" cmd opcode=QUERY_ADAPTER
	let_go
	end_trace '' && says 'DEALLOC_PD' && ! says QUERY_ADAPTER
}

# Workers execute the commands of a batch.
trace_batch()
{
	{ echo opcode=NOP; echo opcode=NOP; echo opcode=NOP; } >"$tmp/batch"
	mkfifo "$tmp/fifo"
	"$mdx" batch -w "$tmp/batch" <"$tmp/fifo" >"$tmp/held" 2>&1 &
	holder=$!
	trace -n 3 -c NOP || return
	exec 5>"$tmp/fifo"
	end_trace '' && [ "$(grep -c " mdx-$holder " "$tmp/out")" = 3 ]
	ret=$?
	let_go
	return $ret
}

trace_interrupted()
{
	trace && end_trace TERM
}

trace_no_process()
{
	exits 1 "$mdx" trace -p 999999 && says 'No such process'
}

trace_as_nobody()
{
	exits 1 nobody "$mdx" trace && says 'only root'
}

doctor_text()
{
	exits 0 "$mdx" doctor && says 'DEVX works here' && says 'is served: DEVX uid'
}

doctor_json()
{
	exits 0 "$mdx" doctor --json && json && says '"healthy": true'
}

doctor_as_nobody()
{
	exits 0 nobody "$mdx" doctor && says 'DEVX works here'
}

doctor_no_permission()
{
	chmod 600 /dev/infiniband/mlx5_devx
	exits 1 nobody "$mdx" doctor && says 'you may not open /dev/infiniband/mlx5_devx (mode 600)' &&
		exits 4 nobody "$mdx" info && says 'no permission to open'
	ret=$?
	chmod 666 /dev/infiniband/mlx5_devx
	return $ret
}

doctor_no_uverbs()
{
	chmod 600 /dev/infiniband/uverbs0
	exits 1 nobody "$mdx" doctor && says 'is not served: '
	ret=$?
	chmod 666 /dev/infiniband/uverbs0
	return $ret
}

doctor_no_node()
{
	mv /dev/infiniband/mlx5_devx "$tmp/node" || return
	exits 1 "$mdx" doctor && says 'there is no /dev/infiniband/mlx5_devx' && says 'devtmpfs or udev'
	ret=$?
	mv "$tmp/node" /dev/infiniband/mlx5_devx
	return $ret
}

doctor_wrong_node()
{
	mv /dev/infiniband/mlx5_devx "$tmp/node" || return
	mknod /dev/infiniband/mlx5_devx c 1 3
	chmod 666 /dev/infiniband/mlx5_devx
	exits 1 "$mdx" doctor && says 'is not the node of mlx5_devx'
	ret=$?
	rm /dev/infiniband/mlx5_devx
	mv "$tmp/node" /dev/infiniband/mlx5_devx
	return $ret
}

without_module()
{
	rmmod mlx5_devx || return
	exits 1 "$mdx" doctor && says 'mlx5_devx is not loaded' && says 'modprobe mlx5_devx' && says 'is built for this kernel' &&
		exits 1 "$mdx" doctor --json && json &&
		exits 4 "$mdx" info --json && says 'modprobe mlx5_devx' &&
		exits 4 "$mdx" port && exits 4 "$mdx" device && exits 4 "$mdx" cmd opcode=NOP &&
		exits 4 "$mdx" ps && exits 4 "$mdx" ps --objects && exits 4 "$mdx" trace
	ret=$?
	modprobe mlx5_devx
	return $ret
}

for name in info_text info_json info_no_such_device info_as_nobody port_text port_json port_none device_text \
	device_json device_none cmd_fields cmd_hex cmd_json cmd_field_by_bit cmd_creates cmd_capabilities \
	cmd_unknown cmd_short cmd_about_an_object cmd_as_nobody cmd_no_device \
	batch_refers batch_destroys batch_stdin batch_json batch_as_nobody batch_fails; do
	t "$name" "$name"
done
for name in cmd_refused cmd_refused_json batch_undoes batch_stops trace_failed; do
	if [ -n "$MDX_HCA" ]; then
		t "$name" "$name"
	else
		skip "$name" "no control port (MDX_HCA)"
	fi
done
for name in ps_text ps_json ps_own ps_nothing ps_as_nobody objects_text objects_json objects_nothing \
	objects_as_nobody trace_opcode trace_json trace_pid trace_batch trace_interrupted \
	trace_no_process trace_as_nobody doctor_text doctor_json doctor_as_nobody doctor_no_permission \
	doctor_no_uverbs doctor_no_node doctor_wrong_node without_module doctor_text; do
	t "$name" "$name"
done
plan
