# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
#
# For suites that are shell scripts in a guest: programs with a time limit, alone and
# in pairs. WAY and PRELOAD come from guest.sh.

# shellcheck disable=SC2034 # for the suites
ADDRESS=192.0.2.1
DEVICE=$(basename /sys/class/infiniband/*)
OUT=$(mktemp -d)
INPUT=/dev/null
SERVES_ON=
# Text of a server that waits for its client; for servers without one, wait_idle decides.
READY=

result()
{
	echo "result $WAY $1 $2 ${3:-}"
}

# The line of a program's output that says best what was wrong.
last_words()
{
	{
		grep -iE 'error|fail|unable|cannot|could.?n.t|no such|not supp|unsupp|refused|reject|timed out' "$@"
		cat "$@"
	} | grep -m 1 '[[:alnum:]]' | tr -s '[:space:]' ' ' | tr -d '|' | cut -c 1-160
}

# limits SECONDS: sets LIMITED, the command that starts a program with that limit, times the guest's slowness.
limits()
{
	LIMITED=(timeout -k 3 $(($1 * ${MDX_SLOWNESS:-100} / 100)) env ${PRELOAD:+"LD_PRELOAD=$PRELOAD"})
}

limited()
{
	limits "$1"
	shift
	"${LIMITED[@]}" "$@"
}

# No process is started for a pause.
exec {NEVER}<> <(:)
pause()
{
	read -r -t "$1" -u "$NEVER" || true
}

# Sets STATE to the state of a process and the CPU time that it has used.
process_state()
{
	local line=''

	STATE=
	{ read -r line <"/proc/$1/stat"; } 2>/dev/null
	[ -n "$line" ] || return 0
	# shellcheck disable=SC2086 # words
	set -- ${line##*) }
	STATE="$1 $((${12} + ${13}))"
}

# wait_idle PID: until the program that the timeout PID runs sleeps and uses no more time: a server that waits for
# its client.
wait_idle()
{
	local child before='' still=0 tries

	for ((tries = 0; tries < 200 && still < 3; tries++)); do
		pause 0.1
		child=
		{ read -r child _ <"/proc/$1/task/$1/children"; } 2>/dev/null
		process_state "${child:-$1}"
		[ -n "$STATE" ] || return
		if [ -n "$child" ] && [ "$STATE" = "$before" ] && [[ $STATE = S* ]]; then
			still=$((still + 1))
		else
			still=0
		fi
		before=$STATE
	done
}

# wait_ready PID: until that server waits for its client.
wait_ready()
{
	local tries

	if [ -z "$READY" ]; then
		wait_idle "$1"
		return
	fi
	for ((tries = 0; tries < 600; tries++)); do
		[[ $(<"$OUT/server") != *"$READY"* ]] || return
		kill -0 "$1" 2>/dev/null || return
		pause 0.1
	done
}

# alone TEST SECONDS COMMAND...: passes if the program does.
alone()
{
	local test=$1 seconds=$2 status=0

	shift 2
	limited "$seconds" "$@" >"$OUT/client" 2>&1 <"$INPUT" || status=$?
	if [ $status = 0 ]; then
		result "$test" passed
	else
		result "$test" failed "status $status: $(last_words "$OUT/client")"
	fi
}

# both SECONDS SERVER... -- CLIENT...: output in $OUT/server and $OUT/client, statuses in SERVER_STATUS and
# CLIENT_STATUS. A server that has not ended 5 s after a client that failed is ended, and with SERVES_ON=yes, one
# that does not end by itself.
both()
{
	local seconds=$1 server=() pid i
	shift

	while [ "$1" != -- ]; do
		server+=("$1")
		shift
	done
	shift
	limits "$seconds"
	: >"$OUT/server"
	"${LIMITED[@]}" "${server[@]}" >"$OUT/server" 2>&1 <"$INPUT" &
	pid=$!
	wait_ready $pid
	CLIENT_STATUS=0 SERVER_STATUS=0
	"${LIMITED[@]}" "$@" >"$OUT/client" 2>&1 <"$INPUT" || CLIENT_STATUS=$?
	if [ -n "$SERVES_ON" ]; then
		kill $pid 2>/dev/null
		wait $pid
		return
	fi
	for ((i = 0; i < 50 && CLIENT_STATUS != 0; i++)); do
		kill -0 $pid 2>/dev/null || break
		pause 0.1
	done
	[ $CLIENT_STATUS = 0 ] || kill $pid 2>/dev/null
	wait $pid || SERVER_STATUS=$?
}

# A group of tests whose first one hung fails as a whole, without being run.
HUNG=

# hung GROUP TEST: TEST is not run, as an earlier one of GROUP hung.
hung()
{
	[ -n "$1" ] && [ "$HUNG" = "$1" ] || return 1
	result "$2" failed "not run, as an earlier test of $1 hung"
}

note_hang()
{
	[ $CLIENT_STATUS != 124 ] && [ $SERVER_STATUS != 124 ] || HUNG=$1
}

# pair TEST SECONDS SERVER... -- CLIENT...: passes if both programs do.
pair()
{
	local test=$1

	shift
	both "$@"
	pair_result "$test"
}

pair_result()
{
	if [ $CLIENT_STATUS = 0 ] && [ $SERVER_STATUS = 0 ]; then
		result "$1" passed
	else
		result "$1" failed "client $CLIENT_STATUS, server $SERVER_STATUS: $(last_words "$OUT/client" "$OUT/server")"
	fi
}

# pair_says TEST WHICH TEXT SECONDS SERVER... -- CLIENT...: both programs pass, and the output of WHICH has TEXT.
pair_says()
{
	local test=$1 which=$2 text=$3

	shift 3
	both "$@"
	if [ $CLIENT_STATUS = 0 ] && [ $SERVER_STATUS = 0 ] && [[ $(<"$OUT/$which") != *"$text"* ]]; then
		result "$test" failed "the $which's data is not that which was sent"
	else
		pair_result "$test"
	fi
}

# has PROGRAM TEST: skips TEST where the release lacks the program.
has()
{
	command -v "$1" >/dev/null && return
	result "$2" skipped "the release has no $1"
	return 1
}
