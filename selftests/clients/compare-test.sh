#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# compare.pl on made-up results: it takes those that are expected, and no others.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$here/compare.pl" "$dir/"
mkdir "$dir/expected"
printf '%s\n\t%s\n' 'no such unit' 'skipped ucx . unit' 'it has no wheels' 'failed ucx ^car$ wheel' \
	'not served' 'differs ucx ^boat$' >"$dir/causes"

# results [SED-SCRIPT]: those of a suite that uses DEVX, changed.
results()
{
	local way

	for way in stock module preload; do
		printf "result $way %s\n" 'bike passed' 'car failed no wheels' 'plane skipped no unit'
		if [ $way = preload ]; then
			printf '%s\n' "result $way boat failed lost" "commands $way 7"
		else
			printf '%s\n' "result $way boat passed" "commands $way 0"
		fi
	done | sed -E "${1:-}" >"$dir/results"
}

# compare [-u] STATUS [WAY...]
compare()
{
	local update=()

	[ "$1" != -u ] || { update=(-u) && shift; }
	"$dir/compare.pl" ${update[@]+"${update[@]}"} ucx next "$dir/results" "$@" >"$dir/out"
}

# refused WORDS SED-SCRIPT [STATUS [WAY...]]
refused()
{
	results "$2"
	if compare "${@:3}" || ! grep -q '^not ok' "$dir/out"; then
		echo "taken: $1"
		return 1
	fi
}

results
! compare 0 || { echo "taken without expected results" && exit 1; }
compare -u 0 || { cat "$dir/out" && exit 1; }
compare 0
grep -qx 'clients: ucx next stock=2/1/1 preload=1/2/1 differ=1' "$dir/out"
results '/module/d'
compare 0 stock preload || { cat "$dir/out" && exit 1; }
! compare -u 0 stock preload 2>"$dir/errors" || { echo "taken: an update without all ways" && exit 1; }
refused "a failure" 's/^(result stock bike) passed/\1 failed hard/' 0
refused "a new difference" 's/^(result preload bike) passed/\1 failed hard/' 0
refused "a difference that the module makes" 's/^(result module bike) passed/\1 skipped/' 0
refused "a better result" 's/ car failed.*/ car passed/' 0
refused "a missing test" '/ bike /d' 0
refused "a new test" 's/(.*) bike (.*)/&\n\1 trike \2/' 0
refused "a preload that reaches no module" 's/(commands preload) 7/\1 0/' 0
refused "a stock program that uses the module" 's/(commands stock) 0/\1 1/' 0
refused "a suite that broke" '$s/$/\nbroken preload status 1/' 0
refused "a guest with complaints" '' 99
refused "a difference of two ways" '/module/d; s/^(result preload bike) passed/\1 failed hard/' 0 stock preload
refused "a way that did not run" '/module/d' 0
refused "two results of a test" '1s/.*/&\n&/' 0
sed -i 's/^\(failed .* car\) .*/\1/' "$dir/expected/ucx-next"
refused "a failure without a reason" '' 0
printf '%s\n\t%s\n' 'no such unit' 'skipped ucx . unit' >"$dir/causes"
results
! compare -u 0 || { echo "taken: failures whose cause is not listed" && exit 1; }
