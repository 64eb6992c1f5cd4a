# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # lab, logs, results and long_seconds are those of selftests/check
# Sourced by selftests/check: the steps of the arm64 lanes. Guests are slow there, so tests that do not depend on
# the architecture are left to the other lanes.

check_arm64()
{
	local lane=$1

	if step "$lane-build" status "$lab" build "$lane" W=1; then
		step "$lane-warnings" status no_warnings "$logs/$lane-build.log" || true
		step "$lane-demo" status "$lab" run --hca ecpf,vfs=2 "$lane" -- demo.sh || true
		if [ "$long_seconds" -gt 0 ]; then
			check_arm64_whole "$lane"
		else
			step "$lane-smoke" tap "$lab" run "$lane" -- \
				run.sh obj_test life_test interop_test devx_traffic_test || true
		fi
	fi
	: >"$results/$lane.done"
}

# Steps of make check-nightly.
check_arm64_whole()
{
	local lane=$1

	[ "$lane" != arm64-64k ] || step "$lane-kunit" tap "$lab" run --timeout 600 --no-hca --no-module \
		--append kunit.enable=1 "$lane" -- kunit.sh || true
	step "$lane-kselftest" tap "$lab" run --timeout 2700 "$lane" -- run.sh || true
	step "$lane-switchdev" tap "$lab" run --timeout 900 --hca ecpf,vfs=2 "$lane" -- esw.sh || true
	# A device, or a driver, that knows only UAR pages as large as the system's.
	step "$lane-large-uars" tap "$lab" run --timeout 900 --hca uar-4k=off "$lane" -- \
		run.sh obj_test interop_test traffic_test devx_traffic_test send_shim_test || true
	step "$lane-tool" tap "$lab" run "$lane" -- tool_test.sh || true
	step "$lane-examples" tap "$lab" run "$lane" -- examples.sh || true
}
