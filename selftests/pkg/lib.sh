# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
#
# TAP for the tests of this directory that run in a chroot, and the messages for users.

count=0
failed=0

# t NAME COMMAND...: one test; all output of a failing one is shown, and of the others
# the messages for users.
t()
{
	local name=$1 out

	shift
	count=$((count + 1))
	if out=$("$@" 2>&1); then
		echo "ok $count $name"
		grep '^# seen: ' <<<"$out"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count $name"
	printf '%s\n' "$out" | sed 's/^/# /' | tail -n 60
}

# stops TEXT COMMAND...: it fails, and says TEXT in lines that begin with our name.
stops()
{
	local text=$1 out

	shift
	if out=$("$@" 2>&1); then
		echo "did not stop: $out"
		return 1
	fi
	seen "$text" <<<"$out"
}

# seen TEXT: in a line of stdin that begins with our name; all that is said goes to the log.
seen()
{
	local out

	out=$(cat)
	grep -q "^mlx5-devx: .*$1" <<<"$out" || { echo "said: $out"; return 1; }
	grep '^mlx5-devx: ' <<<"$out" | sed 's/^/# seen: /'
}

says()
{
	local text=$1

	shift
	"$@" 2>&1 | seen "$text"
}

plan()
{
	echo "1..$count"
	[ "$failed" = 0 ]
}
