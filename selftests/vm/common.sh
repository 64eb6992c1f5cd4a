# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Used by every part of lab: directories, messages, locks, stamps.

CACHE=${MDX_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/mlx5-devx}
EXIT_USAGE=2
EXIT_KERNEL=99
EXIT_TIMEOUT=124
EXIT_LAB=125
SECONDS=0

say()
{
	printf 'lab: [%3ds] %s\n' "$SECONDS" "$*" >&2
}

die()
{
	printf 'lab: error: %s\n' "$*" >&2
	exit "$EXIT_LAB"
}

usage_error()
{
	printf "lab: %s; 'lab help' shows what there is\n" "$*" >&2
	exit "$EXIT_USAGE"
}

need_root()
{
	[ "$(id -u)" = 0 ] || die "this needs root: try  sudo -E $0 ..."
}

# The Debian release in whose chroot a lane is built and from which its guest's files come.
lane_release()
{
	case $1 in
	bookworm) echo bookworm ;;
	trixie | next | debug | kcsan) echo trixie ;;
	arm64 | arm64-16k | arm64-64k) echo "$ARM64_RELEASE" ;;
	*) usage_error "unknown lane '$1' (bookworm, trixie, next, debug, kcsan, arm64, arm64-16k or arm64-64k)" ;;
	esac
}

# Is the lane's kernel built here?
lane_builds_kernel()
{
	[ "$1" = debug ] || [ "$1" = kcsan ] || [ "$1" = arm64-64k ]
}

# The apt release from which a lane's kernel comes.
lane_suite()
{
	case $1 in
	next) echo trixie-backports ;;
	*) echo "$1" ;;
	esac
}

chroot_dir()
{
	echo "$CACHE/chroot/$1"
}

kernel_dir()
{
	echo "$CACHE/kernel/$1"
}

build_dir()
{
	echo "$CACHE/build/$1"
}

# A stamp says which content a step was last done for.
stamp_is()
{
	[ -f "$1" ] && [ "$(<"$1")" = "$2" ]
}

stamp_set()
{
	printf '%s\n' "$2" >"$1.new"
	mv "$1.new" "$1"
}

hash_of()
{
	printf '%s\n' "$@" | sha256sum | cut -c1-16
}

hash_files()
{
	cat "$@" | sha256sum | cut -c1-16
}

# lock NAME MODE: hold the lock NAME until the shell ends; MODE is -x (alone) or -s (shared).
# The descriptor is returned in LOCK_FD.
lock()
{
	local file=$CACHE/lock/$1

	mkdir -p "$CACHE/lock"
	exec {LOCK_FD}>"$file"
	flock -n "$2" "$LOCK_FD" && return
	say "waiting for another lab that uses $1"
	flock "$2" "$LOCK_FD"
}

unlock()
{
	exec {LOCK_FD}>&-
	LOCK_FD=
}

# step TEXT LOG COMMAND...: run COMMAND with its output in LOG, say TEXT and every ten seconds the last line of LOG,
# show the log's end when it fails.
step()
{
	local what=$1 log=$2 start=$SECONDS pid rc=0
	shift 2

	say "$what"
	mkdir -p "$(dirname "$log")"
	: >"$log"
	( "$@" ) >"$log" 2>&1 </dev/null &
	pid=$!
	step_heartbeat "$pid" "$log" &
	local beat=$!
	wait "$pid" || rc=$?
	kill "$beat" 2>/dev/null || true
	wait "$beat" 2>/dev/null || true
	if [ "$rc" != 0 ]; then
		tail -n 25 "$log" | sed 's/^/    /' >&2
		die "failed (status $rc): $what; the whole log is $log"
	fi
	[ $((SECONDS - start)) -lt 5 ] || say "    done in $((SECONDS - start)) s"
}

step_heartbeat()
{
	local pid=$1 log=$2 line

	[ -z "${LOCK_FD:-}" ] || unlock
	while sleep 10 && kill -0 "$pid" 2>/dev/null; do
		line=$(tail -n 1 "$log" | tr -dc '[:print:]' | cut -c1-80)
		say "    ... $line"
	done
}

# Background jobs and this run's directory go away with lab, however it ends.
JOB=
cleanup()
{
	local pids

	pids=$(jobs -p)
	# shellcheck disable=SC2086
	[ -z "$pids" ] || kill $pids 2>/dev/null || true
	[ -z "$JOB" ] || rm -rf "$JOB"
}

trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
