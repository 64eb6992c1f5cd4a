#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# mdx run on the real module, as TAP. In a guest: lab run LANE -- run_test.sh
# Needs no more than BusyBox, and root.

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_tap.sh"
tracing=/sys/kernel/tracing

# asked COUNT PROGRAM [ARGUMENT]...: the module executed so many QUERY_HCA_CAP for it.
asked()
{
	want=$1
	shift
	echo 1 >$tracing/events/mlx5_devx/mdx_cmd/enable
	echo >$tracing/trace
	"$@" >"$tmp/out" 2>&1
	is=$?
	echo 0 >$tracing/events/mlx5_devx/mdx_cmd/enable
	[ $is = 0 ] || { echo "status $is"; return 1; }
	is=$(grep -c 'run-.* opcode=0x100 ' $tracing/trace)
	[ "$is" = "$want" ] || { echo "$is commands of the module, not $want"; return 1; }
}

by_preload()
{
	LD_PRELOAD=libmdx.so.1 "$@"
}

by_run()
{
	"$mdx" run -- "$@"
}

by_report()
{
	"$mdx" run --report -- "$@"
}

# reported KIND: exactly these calls of test/run_prog.c.
reported()
{
	asked 3 by_report "$dir/run-$1" || return
	sed 's/^/# seen: /' "$tmp/out"
	says "the context is served by mlx5_devx: 6 calls served, 1 by the stock driver (mlx5dv_devx_umem_reg 1); 1 failed, the last: CREATE_TIS (0x912), Remote I/O error, status BAD_RES (0x5)" &&
		says "without a context: 0 calls served, 1 by the stock driver (mlx5dv_devx_umem_dereg 1)"
}

plt_stock()
{
	asked 0 "$dir/run-plt"
}

plt_preload()
{
	asked 3 by_preload "$dir/run-plt"
}

plt_run()
{
	asked 3 by_run "$dir/run-plt"
}

plt_report()
{
	reported plt
}

open_stock()
{
	asked 0 "$dir/run-open"
}

open_preload()
{
	asked 0 by_preload "$dir/run-open"
}

open_run()
{
	asked 3 by_run "$dir/run-open"
}

open_report()
{
	reported open
}

dlsym_stock()
{
	asked 0 "$dir/run-dlsym"
}

dlsym_preload()
{
	asked 0 by_preload "$dir/run-dlsym"
}

dlsym_run()
{
	asked 3 by_run "$dir/run-dlsym"
}

dlsym_report()
{
	reported dlsym
}

# Not closed: the report is made at exit.
report_context_open()
{
	asked 3 by_report "$dir/run-dlsym" leave && says '6 calls served, 1 by the stock driver'
}

# An object that flow rules of libmlx5 take is libmlx5's, and said to be.
report_consumed()
{
	asked 3 by_report "$dir/run-dlsym" table &&
		says '6 calls served, 2 for flow rules of libmlx5 (mlx5dv_devx_obj_create 1, mlx5dv_devx_obj_destroy 1), 1 by the stock driver (mlx5dv_devx_umem_reg 1)'
}

report_serve_all()
{
	asked 3 env MDX_SERVE=all "$mdx" run --report -- "$dir/run-plt" table &&
		says '8 calls served, 1 by the stock driver (mlx5dv_devx_umem_reg 1)'
}

# Without --report, too, a call that the stock driver executed is not passed over.
run_says_stock()
{
	asked 3 by_run "$dir/run-plt" && says '2 calls were executed by the stock driver'
}

report_no_node()
{
	mv /dev/infiniband/mlx5_devx "$tmp/node" || return
	exits 0 by_report "$dir/run-dlsym" && says 'there is no /dev/infiniband/mlx5_devx' &&
		says ': 0 calls served, 7 by the stock driver (mlx5dv_devx_obj_create 2, mlx5dv_devx_obj_destroy 1, mlx5dv_devx_general_cmd 3, mlx5dv_devx_umem_reg 1)'
	ret=$?
	mv "$tmp/node" /dev/infiniband/mlx5_devx
	return $ret
}

report_signal()
{
	mkfifo "$tmp/fifo"
	"$mdx" run --report -- "$dir/run-plt" wait <"$tmp/fifo" >"$tmp/out" 2>&1 &
	runner=$!
	exec 5>"$tmp/fifo"
	until_true grep -qs '^State:.*S' "/proc/$runner/status"
	sleep 2
	kill -USR1 $runner
	until_true grep -q '5 calls served' "$tmp/out"
	ret=$?
	exec 5>&-
	wait $runner && says '6 calls served' && return $ret
}

report_no_calls()
{
	exits 0 by_report /bin/busybox true || exits 126 by_report /bin/busybox true
}

run_static()
{
	exits 126 by_run "$dir/run-static" && says 'is a static'
}

run_missing()
{
	exits 127 by_run "$dir/no-such-program" && says 'there is no program'
}

run_nothing()
{
	exits 2 "$mdx" run -- && says 'a program after --'
}

run_setuid()
{
	cp "$dir/run-plt" "$tmp/setuid" && chmod 4755 "$tmp/setuid" || return
	exits 126 nobody "$mdx" run -- "$tmp/setuid" && says 'is setuid'
}

run_as_nobody()
{
	exits 0 nobody "$mdx" run --report -- "$dir/run-dlsym" && says '6 calls served'
}

# A script's program is served.
run_script()
{
	printf '#!/bin/sh\n%s\n' "$dir/run-dlsym" >"$tmp/script"
	chmod 755 "$tmp/script"
	asked 3 by_run "$tmp/script"
}

for name in plt_stock plt_preload plt_run plt_report open_stock open_preload open_run open_report dlsym_stock \
	dlsym_preload dlsym_run dlsym_report report_context_open report_consumed report_serve_all run_says_stock report_no_node report_signal \
	report_no_calls run_static run_missing run_nothing run_setuid run_as_nobody run_script; do
	t "$name" "$name"
done
plan
