#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# bench.sh commands|teardown|fairness [ARGUMENT]... - in the guest: devx_bench, with its kernel module.
set -e
dir=$(dirname "$0")
[ "$1" != commands ] || [ -e /dev/mdx_floor ] || insmod "$dir/mdx_floor.ko"
exec "$dir/devx_bench" "$@"
