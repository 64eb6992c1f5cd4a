#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# fuzz/run.sh SECONDS [SEED [FILE...]] - builds the fuzzer of the PURE files with
# clang, runs it for SECONDS on the corpus, and prints the result as TAP. With
# FILEs, runs these inputs only: a finding once more. In a lane's chroot:
#
#	selftests/vm/lab exec next -- fuzz/run.sh 60
#
# O (default /build/fuzz) gets the program, inputs that were new, and findings;
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

mkdir -p "$dir/new" "$dir/found"
clang -std=gnu2x -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	-Wall -Wno-pointer-arith -Wno-gnu-variable-sized-type-not-at-end \
	-I"$top/kunit/user" -idirafter "$KHDR" \
	-o "$dir/mbox_fuzz" "$top/fuzz/mbox_fuzz.c" "$top/kunit/user/obj_ops.c"

# The corpus: an input a line, in hexadecimal.
rm -rf "$dir/corpus"
mkdir "$dir/corpus"
DIR=$dir/corpus perl -ne 'chomp; next if /^#/; open my $f, ">", "$ENV{DIR}/$."; print $f pack "H*", $_' \
	<"$top/fuzz/corpus.hex"

if [ $# -gt 0 ]; then
	exec "$dir/mbox_fuzz" -seed="$seed" "$@"
fi

echo "# seed $seed, $seconds s, $(find "$dir/corpus" -type f | wc -l) inputs in the corpus"
ret=0
"$dir/mbox_fuzz" -seed="$seed" -max_total_time="$seconds" -max_len=$max_len -timeout=20 -rss_limit_mb=1024 \
	-artifact_prefix="$dir/found/" -print_final_stats=1 -verbosity=0 \
	"$dir/new" "$dir/corpus" >"$dir/log" 2>&1 || ret=$?
executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log")
if [ "$ret" -eq 0 ]; then
	echo "ok 1 mbox_fuzz: $executions executions in $seconds s, seed $seed"
else
	echo "not ok 1 mbox_fuzz: seed $seed, the input is in $dir/found"
	sed 's/^/# /' "$dir/log" | tail -n 60
fi
echo "1..1"
exit "$ret"
