#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# bench.sh BENCHMARK [ARGUMENT]... [+ BENCHMARK [ARGUMENT]...]... - loads mdx_floor.ko and
# runs devx_bench for each benchmark, see devx_bench.c. Runs in the guest.
set -e
dir=$(dirname "$0")
[ -e /dev/mdx_floor ] || insmod "$dir/mdx_floor.ko"
run=
for word in "$@" +; do
	if [ "$word" = + ]; then
		# shellcheck disable=SC2086 # words
		"$dir/devx_bench" $run
		run=
	else
		run="$run $word"
	fi
done
