#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Programs that know nothing of libmdx, as TAP: plain_devx and plain_dc, built with
# nothing but rdma-core, and Debian's ib_read_bw, which queries the device's
# capabilities by DEVX when its QPs are DC. Preloaded, their commands go through the
# module, as the tracepoint shows; otherwise libmlx5 serves them. Of the two programs
# with DC, plain_dc compares the data that arrived; ib_read_bw does not. Runs in a
# guest.

dir=$(cd "$(dirname "$0")" && pwd)
. "$dir/tap.sh"
. "$dir/opcodes.sh"

SERVED="libmdx: the context is served by mlx5_devx"

with_libmdx()
{
	LD_PRELOAD=libmdx.so.1 "$@"
}

# Needs the module, whose trace it reads.
plain_traced()
{
	asked plain_devx "$MDX_OPCODE_ALLOC_PD" && asked plain_devx "$MDX_OPCODE_DEALLOC_PD" &&
		asked plain_devx "$MDX_OPCODE_QUERY_ISSI"
}

plain_unserved()
{
	trace_start
	says "libmdx: not loaded" "$dir/plain_devx" && ! plain_traced
}

plain_preloaded()
{
	trace_start
	says "$SERVED" with_libmdx "$dir/plain_devx" && plain_traced
}

plain_linked_with()
{
	ldd "$dir/plain_devx" >/tmp/linked 2>/dev/null || return 0
	! grep libmdx /tmp/linked
}

# run_bw COMMAND...: server and client on this device.
run_bw()
{
	"$@" -F -n 5 >/tmp/server 2>&1 &
	server=$!
	tries=0
	# Port 18515 listens.
	until grep -qE ':4853 [0-9A-F]+:0000 0A' /proc/net/tcp /proc/net/tcp6; do
		tries=$((tries + 1))
		if [ $tries -gt 100 ] || ! kill -0 $server; then
			cat /tmp/server
			return 1
		fi
		sleep 0.3
	done
	if ! "$@" -F -n 5 127.0.0.1 || ! wait $server; then
		cat /tmp/server
		return 1
	fi
}

bw_result()
{
	says "65536      5" run_bw "$@"
}

bw_dc_queries_caps()
{
	trace_start
	bw_result with_libmdx ib_read_bw -c DC && asked ib_read_bw "$MDX_OPCODE_QUERY_HCA_CAP"
}

bw_rc_queries_none()
{
	trace_start
	bw_result with_libmdx ib_read_bw -c RC && ! asked ib_read_bw "$MDX_OPCODE_QUERY_HCA_CAP"
}

dc_data_arrives()
{
	says "data is equal" "$@" "$dir/plain_dc"
}

dc_data_preloaded()
{
	trace_start
	dc_data_arrives with_libmdx && asked plain_dc "$MDX_OPCODE_QUERY_HCA_CAP"
}

dc_data_unserved()
{
	trace_start
	dc_data_arrives && ! asked plain_dc "$MDX_OPCODE_QUERY_HCA_CAP"
}

without_preload()
{
	trace_start
	bw_result ib_read_bw -c DC && ! asked ib_read_bw "$MDX_OPCODE_QUERY_HCA_CAP"
}

without_module()
{
	says "libmdx: there is no /dev/infiniband/mlx5_devx" with_libmdx "$dir/plain_devx"
}

without_module_debug()
{
	says "is not served: there is no /dev/infiniband/mlx5_devx" with_libmdx env MDX_DEBUG=1 "$dir/plain_devx"
}

# with_file_away FILE COMMAND...
with_file_away()
{
	file=$1
	shift
	mv "$file" /tmp/away
	"$@"
	status=$?
	mv /tmp/away "$file"
	return $status
}

t plain_program_no_libmdx plain_linked_with
t plain_program_libmlx5 plain_unserved
t plain_preloaded_module plain_preloaded
t dc_data_preloaded_module dc_data_preloaded
t dc_data_libmlx5 dc_data_unserved
if command -v ib_read_bw >/dev/null; then
	t perftest_dc_preloaded_module bw_dc_queries_caps
	t perftest_rc_preloaded_libmlx5 bw_rc_queries_none
	t perftest_dc_libmlx5 without_preload
else
	skip perftest "ib_read_bw is not here"
fi
library=$(find /opt /usr/lib -name libmdx.so.1)
t library_missing_not_preloaded with_file_away "$library" \
	says "object 'libmdx.so.1' from LD_PRELOAD cannot be preloaded" with_libmdx "$dir/plain_devx"
t library_missing_not_linked with_file_away "$library" \
	fails_with "libmdx.so.1: cannot open shared object file" "$dir/devx_demo"
t module_unloads rmmod mlx5_devx
t no_module_plain_program says "libmdx: not loaded" "$dir/plain_devx"
t no_module_plain_preloaded without_module
t no_module_plain_debug_line without_module_debug
t no_module_dc_data_preloaded dc_data_arrives with_libmdx
if command -v ib_read_bw >/dev/null; then
	t no_module_perftest_preloaded bw_result with_libmdx ib_read_bw -c DC
fi
t module_loads_again modprobe mlx5_devx
t plain_preloaded_served_again plain_preloaded
plan
