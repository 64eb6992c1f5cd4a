# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # for selftests/check, whose variables these are

# Programs of other projects: two suites on the newest kernel, and all of them with
# LONG_SECONDS.
check_clients()
{
	local lane=$1 suite short=()

	is_long || short=(--short)
	for suite in pyverbs ucx perftest dpdk rdmacm libfabric pyverbs-sid; do
		is_long || [ "$lane-$suite" = next-pyverbs ] ||
			[ "$lane-$suite" = next-ucx ] || continue
		[ "$suite" != pyverbs-sid ] || [ "$lane" = next ] || continue
		step "$lane-clients-$suite" tap "$top/selftests/clients/clients" \
			--tap ${short[@]+"${short[@]}"} --only "$suite" "$lane" || true
	done
}
