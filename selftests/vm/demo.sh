# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# lab demo: setup, build and run of the demo, a line each; everything else in a log.

# demo_part TEXT COMMAND...: one line with the time that COMMAND took.
demo_part()
{
	local text=$1 start=$SECONDS rc=0
	shift

	printf '%-44s' "$text" >&2
	( "$@" ) >>"$DEMO_LOG" 2>&1 </dev/null || rc=$?
	if [ "$rc" != 0 ]; then
		printf 'failed\n' >&2
		tail -n 25 "$DEMO_LOG" | sed 's/^/    /' >&2
		die "the whole log is $DEMO_LOG"
	fi
	printf '%4d s\n' $((SECONDS - start)) >&2
}

verb_demo()
{
	local lane=${1:-next} start rc=0

	[ $# -le 1 ] || usage_error "demo takes a lane"
	lane_release "$lane" >/dev/null
	need_root
	mkdir -p "$CACHE/logs"
	DEMO_LOG=$CACHE/logs/demo.log
	: >"$DEMO_LOG"
	echo "The whole log: $DEMO_LOG" >&2
	demo_part "Installing kernel and tools (first: 2 min)" verb_setup "$lane"
	demo_part "Building module, library, ConnectX, demo" build_parts "$lane" "${DEMO_PARTS[@]}"
	printf 'Booting a VM with a software ConnectX ...\n\n' >&2
	start=$SECONDS
	"$LAB_DIR/lab" run --hca ecpf,vfs=2 "$lane" -- /opt/mdx/bin/demo.sh 2>>"$DEMO_LOG" || rc=$?
	[ "$rc" = 0 ] || tail -n 25 "$DEMO_LOG" | sed 's/^/    /' >&2
	printf '\n%-44s%4d s\n' "Demo, from boot to power-off" $((SECONDS - start)) >&2
	return "$rc"
}
