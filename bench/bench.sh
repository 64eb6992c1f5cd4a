#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# bench.sh [commands|teardown|fairness|objects|pool [ARGUMENT]...]... - in the guest: devx_bench, with its kernel
# module. Several, one after the other, are separated by "+".
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
