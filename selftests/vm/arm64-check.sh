# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # lab, logs, results and the rest are those of selftests/check
# Sourced by selftests/check: the steps of the arm64 lanes. Guests are slow there, so tests that do not depend on
# the architecture are left to the other lanes.

# Objects, their life, verbs objects, traffic through queues, doorbell records and UARs, events, submission.
ARM64_SMOKE=(obj_test life_test interop_test devx_traffic_test events_test submit_test)
# What the demo needs (DEMO_PARTS in build.sh).
ARM64_DEMO_PARTS=(--only module --only libmdx --only demo --only examples --only hca)

check_arm64()
{
	if [ "$long_seconds" -gt 0 ]; then
		check_arm64_whole "$1"
	elif [ "$1" = arm64 ]; then
		check_arm64_smoke "$1"
	else
		check_arm64_demo "$1" "${ARM64_DEMO_PARTS[@]}" || true
	fi
	: >"$results/$1.done"
}

# Fails if the lane does not build.
check_arm64_demo()
{
	local lane=$1
	shift

	step "$lane-build" status "$lab" build "$lane" "$@" W=1 || return
	step "$lane-warnings" status no_warnings "$logs/$lane-build.log" || true
	step "$lane-demo" status "$lab" run --hca ecpf,vfs=2 "$lane" -- demo.sh || true
}

check_arm64_smoke()
{
	local lane=$1

	check_arm64_demo "$lane" "${ARM64_DEMO_PARTS[@]}" --only tests --only tool || return 0
	step "$lane-smoke" tap "$lab" run "$lane" -- run.sh "${ARM64_SMOKE[@]}" || true
}

# Steps of make check-nightly.
check_arm64_whole()
{
	local lane=$1

	check_arm64_demo "$lane" || return 0
	[ "$lane" != arm64-64k ] || step "$lane-kunit" tap "$lab" run --timeout 600 --no-hca --no-module \
		--append kunit.enable=1 "$lane" -- kunit.sh || true
	step "$lane-kselftest" tap "$lab" run --timeout 2700 "$lane" -- run.sh || true
	step "$lane-switchdev" tap "$lab" run --timeout 900 --hca ecpf,vfs=2 "$lane" -- esw.sh || true
	# A device, or a driver, that knows only UAR pages as large as the system's.
	step "$lane-large-uars" tap "$lab" run --timeout 900 --hca uar-4k=off "$lane" -- \
		run.sh obj_test interop_test traffic_test devx_traffic_test send_shim_test || true
	step "$lane-tool" tap "$lab" run "$lane" -- tool_test.sh || true
	step "$lane-selftest" tap "$lab" run --timeout 900 "$lane" -- selftest_test.sh || true
	step "$lane-examples" tap "$lab" run "$lane" -- examples.sh || true
	[ "$lane" != arm64 ] || check_arm64_packages "$lane"
}

check_arm64_packages()
{
	local lane=$1

	step "$lane-packages" tap "$lab" exec "$lane" -- selftests/pkg/cross.sh || return 0
	step "$lane-packages-guest" tap "$lab" run --no-module --put "$cache/build/$lane/pkg" \
		--put "$top/selftests/pkg/guest.sh" "$lane" -- sh /opt/put/guest.sh || true
}
