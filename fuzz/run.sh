#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# fuzz/run.sh SECONDS [SEED [FILE...]] - builds the fuzzers of the PURE files with
# clang, runs each for a third of SECONDS, and prints the results as TAP. With FILEs,
# runs these inputs only: findings of one fuzzer once more. In a lane's chroot:
#
#	selftests/vm/lab exec next -- fuzz/run.sh 60
#
# O (default /build/fuzz) gets the programs, inputs that were new, and findings;
# KHDR is the include directory of a kernel tree.
set -eu

[ $# -ge 1 ] || {
	sed -n '4,6s/^# *//p' "$0" >&2
	exit 2
}
seconds=$1
seed=${2:-$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')}
shift
[ $# -eq 0 ] || shift
top=$(cd "$(dirname "$0")/.." && pwd)
dir=${O:-/build/fuzz}
# Short enough that an execution costs microseconds, long enough for every row.
max_len=2048

mkdir -p "$dir/found"
for name in mbox chain evtab; do
	mkdir -p "$dir/new/$name"
	clang -std=gnu2x -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-Wall -Wno-pointer-arith -Wno-gnu-variable-sized-type-not-at-end \
		-I"$top/kunit/user" -idirafter "$KHDR" \
		-o "$dir/${name}_fuzz" "$top/fuzz/${name}_fuzz.c" "$top/kunit/user/obj_ops.c"
done

# The corpus of mbox_fuzz: an input a line, in hexadecimal.
rm -rf "$dir/corpus"
mkdir -p "$dir/corpus/mbox" "$dir/corpus/chain" "$dir/corpus/evtab"
DIR=$dir/corpus/mbox perl -ne 'chomp; next if /^#/; open my $f, ">", "$ENV{DIR}/$."; print $f pack "H*", $_' \
	<"$top/fuzz/corpus.hex"

if [ $# -gt 0 ]; then
	case ${1##*/} in
	chain-*) exec "$dir/chain_fuzz" -seed="$seed" "$@" ;;
	evtab-*) exec "$dir/evtab_fuzz" -seed="$seed" "$@" ;;
	*) exec "$dir/mbox_fuzz" -seed="$seed" "$@" ;;
	esac
fi

# fuzz_run N NAME - NAME_fuzz is test N.
fuzz_run()
{
	ret=0
	"$dir/$2_fuzz" -seed="$seed" -max_total_time="$share" -max_len=$max_len -timeout=20 -rss_limit_mb=1024 \
		-artifact_prefix="$dir/found/$2-" -print_final_stats=1 -verbosity=0 \
		"$dir/new/$2" "$dir/corpus/$2" >"$dir/log" 2>&1 || ret=$?
	executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log")
	if [ "$ret" -eq 0 ]; then
		echo "ok $1 $2_fuzz: $executions executions in $share s, seed $seed"
		return
	fi
	echo "not ok $1 $2_fuzz: seed $seed, the input is in $dir/found"
	sed 's/^/# /' "$dir/log" | tail -n 60
	failed=1
}

share=$(((seconds + 2) / 3))
failed=0
echo "# seed $seed, $seconds s, $(find "$dir/corpus" -type f | wc -l) inputs in the corpus"
fuzz_run 1 mbox
fuzz_run 2 chain
fuzz_run 3 evtab
echo "1..3"
exit $failed
