# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # for selftests/check, whose variables these are

# Programs of other projects: two suites on the newest kernel, and with LONG_SECONDS
# all that have expected results for the lane.
check_clients()
{
	local lane=$1 suite short=()

	is_long || short=(--short)
	for suite in pyverbs ucx perftest dpdk rdmacm libfabric pyverbs-sid; do
		case $lane-$suite in
		next-pyverbs | next-ucx) ;;
		*)
			is_long || continue
			[ -e "$top/selftests/clients/expected/$suite-$lane" ] || continue
			;;
		esac
		step "$lane-clients-$suite" tap "$top/selftests/clients/clients" \
			--tap ${short[@]+"${short[@]}"} --only "$suite" "$lane" || true
	done
}
