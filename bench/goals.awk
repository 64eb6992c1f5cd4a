# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# awk -f goals.awk CSV: prints the figures of bench/run that miss a goal. The exit
# status is 1 if there are any. The goals:
#
# ratio			at most 0.60, in each case
# over_limit		at most 1.5, for commands of 4 KiB and above
# bytes_per_object	at most 192
BEGIN { FS = "," }

FNR == 1 { next }

function check(most) {
	checked++
	if ($4 > most) {
		printf "# goal missed: %s %s %s %s, at most %s\n", $1, $2, $3, $4, most
		missed++
	}
}

$3 == "ratio" && $2 !~ /^pool-/ { check(0.60) }
$3 == "over_limit" && $2 ~ /^(query-4112|general-4112|rqt-64k|query-1m)$/ { check(1.5) }
$3 == "bytes_per_object" { check(192) }

END {
	printf "# %d of %d goals are met\n", checked - missed, checked
	exit missed > 0 || !checked
}
