# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh
#
# For the tests of mdx in a guest: TAP, and statements about what mdx printed. Needs
# no more than BusyBox.

dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2034 # of the scripts that read this
mdx=$dir/mdx
tmp=$(mktemp -d)
count=0
failed=0
chmod 755 "$tmp"

# t NAME COMMAND...: what a failing one printed is shown, and of the others what a
# user would read.
t()
{
	name=$1
	shift
	count=$((count + 1))
	if "$@" >"$tmp/log" 2>&1; then
		echo "ok $count mdx: $name"
		grep '^# seen: ' "$tmp/log"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count mdx: $name"
	sed 's/^/# /' "$tmp/log"
	sed 's/^/# | /' "$tmp/out" 2>/dev/null | head -n 40
}

skip()
{
	count=$((count + 1))
	echo "ok $count mdx: $1 # SKIP $2"
}

# exits STATUS COMMAND...: its output goes to $tmp/out.
exits()
{
	want=$1
	shift
	"$@" >"$tmp/out" 2>&1
	is=$?
	[ "$is" = "$want" ] || { echo "status $is, not $want"; return 1; }
	grep -E '^(mdx( [a-z]+)?: |bad |note )' "$tmp/out" | sed 's/^/# seen: /'
	true
}

says()
{
	grep -qF -- "$1" "$tmp/out" || { echo "does not say: $1"; return 1; }
}

json()
{
	"$dir/json-check" "$@" <"$tmp/out" || { echo "not JSON"; return 1; }
}

# hca COMMAND: to the software ConnectX. What is to fail is a NOP: nobody else sends one.
hca()
{
	exec 3<>"$MDX_HCA"
	echo "$1" >&3
	read -r answer <&3
	exec 3>&-
	case $answer in ok*) ;; *) echo "hca: $answer"; return 1 ;; esac
}

# until_true COMMAND...: for a minute
until_true()
{
	i=0
	until "$@"; do
		i=$((i + 1))
		[ $i -lt 600 ] || return 1
		sleep 0.1
	done
}

nobody()
{
	su -s /bin/sh nobody -c "PATH=$PATH $*"
}

plan()
{
	echo "1..$count"
	rm -rf "$tmp"
	[ "$failed" = 0 ]
}
