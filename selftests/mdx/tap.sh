# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh
#
# For tests that are shell scripts in a guest: TAP, and commands seen in the trace.

count=0
failed=0
said=/tmp/said
tracing=/sys/kernel/tracing

# t NAME COMMAND...: one test; the output of a failing one is shown.
t()
{
	name=$1
	shift
	count=$((count + 1))
	if "$@" >$said 2>&1; then
		echo "ok $count $name"
		grep '^# seen: ' $said
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count $name"
	sed 's/^/# /' $said
}

# skip NAME REASON
skip()
{
	count=$((count + 1))
	echo "ok $count $1 # SKIP $2"
}

plan()
{
	echo "1..$count"
	[ "$failed" = 0 ]
}

trace_start()
{
	echo 1 >$tracing/events/mlx5_devx/mdx_cmd/enable
	echo >$tracing/trace
}

# asked PROGRAM OPCODE: PROGRAM sent the command through the module since
# trace_start.
asked()
{
	grep -E "^ *$1-[0-9].* mdx_cmd: .* opcode=$2 " $tracing/trace
}

# seen TEXT FILE: TEXT, which a user would read, is in FILE; it goes to the log.
seen()
{
	grep -m 1 -F "$1" "$2" | sed 's/^/# seen: /' | grep .
}

# fails_with TEXT COMMAND...: it fails and prints TEXT.
fails_with()
{
	text=$1
	shift
	if "$@" >/tmp/output 2>&1; then
		echo "did not fail"
		return 1
	fi
	cat /tmp/output
	seen "$text" /tmp/output
}

# says TEXT COMMAND...: it succeeds and prints TEXT.
says()
{
	text=$1
	shift
	"$@" >/tmp/output 2>&1 || { cat /tmp/output; return 1; }
	cat /tmp/output
	seen "$text" /tmp/output
}
