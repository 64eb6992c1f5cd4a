# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# awk -f goals.awk CSV: prints the figures of bench/run that miss a goal. The exit
# status is 1 if there are any. The goals:
#
# ratio			at most 0.67, in each case that compares single commands
# ratio of a batch	at most 1/6, with 16 commands at a time 1/10, of one item 1.3
# busy/idle		at most 2.0 for NOPs beside a batch
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

$3 == "ratio" && $2 !~ /^(pool|bulk)-/ { check(0.67) }
$3 == "ratio" && $2 ~ /^bulk-(qp|ibgda)$/ { check(1 / 6) }
$3 == "ratio" && $2 ~ /^bulk-(qp|ibgda)-16$/ { check(1 / 10) }
$3 == "ratio" && $2 == "bulk-one" { check(1.3) }
$3 == "busy/idle" && $2 ~ /^fairness-batch-/ { check(2) }
$3 == "over_limit" && $2 ~ /^(query-4112|general-4112|rqt-64k|query-1m)$/ { check(1.5) }
$3 == "bytes_per_object" { check(192) }

END {
	printf "# %d of %d goals are met\n", checked - missed, checked
	exit missed > 0 || !checked
}
