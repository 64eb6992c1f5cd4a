#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# Programs that know nothing of libmdx, as TAP: plain_devx, built with nothing but
# rdma-core, and Debian's ib_read_bw, which asks DEVX for the capabilities of a
# device when its QPs are DC. Preloaded, their commands go through the module, as
# the tracepoint shows; otherwise they run as ever. Runs in a guest.

dir=$(cd "$(dirname "$0")" && pwd)
. "$dir/tap.sh"

SERVED="libmdx: the context is served by mlx5_devx"

preloaded()
{
	LD_PRELOAD=libmdx.so.1 "$@"
}

# The trace is the module's, so this is only asked while it is loaded.
plain_asked()
{
	asked plain_devx 0x800 && asked plain_devx 0x801 && asked plain_devx 0x10a
}

plain()
{
	trace_start
	says "libmdx: not loaded" "$dir/plain_devx" && ! plain_asked
}

plain_preloaded()
{
	trace_start
	says "$SERVED" preloaded "$dir/plain_devx" && plain_asked
}

plain_linked_with()
{
	ldd "$dir/plain_devx" >/tmp/linked 2>/dev/null || return 0
	! grep libmdx /tmp/linked
}

# bw COMMAND... : server and client on this device.
bw()
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
	says "65536      5" bw "$@"
}

bw_dc_asks()
{
	trace_start
	bw_result preloaded ib_read_bw -c DC && asked ib_read_bw 0x100
}

bw_rc_does_not_ask()
{
	trace_start
	bw_result preloaded ib_read_bw -c RC && ! asked ib_read_bw 0x100
}

without_preload()
{
	trace_start
	bw_result ib_read_bw -c DC && ! asked ib_read_bw 0x100
}

without_module()
{
	says "libmdx: there is no /dev/infiniband/mlx5_devx" preloaded "$dir/plain_devx"
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

t plain_program_knows_no_libmdx plain_linked_with
t plain_program_runs_on_libmlx5 plain
t plain_program_preloaded_goes_through_the_module plain_preloaded
if command -v ib_read_bw >/dev/null; then
	t perftest_with_dc_preloaded_goes_through_the_module bw_dc_asks
	t perftest_with_rc_preloaded_is_left_alone bw_rc_does_not_ask
	t perftest_without_preload_is_left_alone without_preload
else
	skip perftest "ib_read_bw is not here"
fi
library=$(find /opt /usr/lib -name libmdx.so.1)
t library_that_is_not_installed_is_not_preloaded with_file_away "$library" \
	says "object 'libmdx.so.1' from LD_PRELOAD cannot be preloaded" preloaded "$dir/plain_devx"
t library_that_is_not_installed_is_not_linked with_file_away "$library" \
	fails_with "libmdx.so.1: cannot open shared object file" "$dir/devx_demo"
t module_unloads rmmod mlx5_devx
t plain_program_without_module_runs_on_libmlx5 says "libmdx: not loaded" "$dir/plain_devx"
t plain_program_preloaded_without_module_runs_on_libmlx5 without_module
if command -v ib_read_bw >/dev/null; then
	t perftest_preloaded_without_module_runs bw_result preloaded ib_read_bw -c DC
fi
t module_loads_again modprobe mlx5_devx
t plain_program_is_served_again plain_preloaded
plan
