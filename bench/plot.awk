# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# awk -f plot.awk CSV >SVG: plots the figures of bench/run. The bars show, for each case and lane, the cost above the
# floor: relative to that of the stock driver on the left, relative to the copies alone on the right. Dashed lines are
# the goals of goals.awk.
BEGIN {
	FS = ","
	split("#4477aa #ee7733 #228833 #aa3377", color, " ")
}
FNR == 1 { next }
$3 == "ratio" || $3 == "over_limit" {
	if ($2 ~ /^(pool|fairness|teardown|memory|bulk)/) next
	if (!($1 in lane_nr)) { lane_nr[$1] = ++lanes; lane[lanes] = $1 }
	if (!($2 in case_nr)) { case_nr[$2] = ++cases; name[cases] = $2 }
	value[$1, $2, $3] = $4
}
function text(x, y, anchor, s) {
	printf "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, s
}
function panel(x, title, key, most, goal,	i, j, y, v, w) {
	text(x + width / 2, 16, "middle", title)
	for (i = 1; i <= cases; i++) {
		for (j = 1; j <= lanes; j++) {
			if (!((lane[j], name[i], key) in value)) continue
			v = value[lane[j], name[i], key]
			w = v < 0 ? 0 : v > most ? width : v / most * width
			y = top + (i - 1) * row + (j - 1) * bar
			printf "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x, y, w, bar - 1, color[j]
			text(x + w + 3, y + bar - 2, "start", v)
		}
	}
	w = x + goal / most * width
	printf "<path d=\"M%.1f %d V%d\" stroke=\"black\" stroke-dasharray=\"4 3\"/>\n", w, top - 4, bottom
}
END {
	left = 100; width = 260; top = 30; bar = 10
	row = bar * lanes + 8
	bottom = top + cases * row
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"10\">\n", left + 2 * width + 110, bottom + 30
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	for (i = 1; i <= cases; i++)
		text(left - 6, top + (i - 1) * row + row / 2, "end", name[i])
	panel(left, "above the floor / the stock driver's (goal 0.6)", "ratio", 1, 0.6)
	panel(left + width + 50, "above the floor / the copies alone (goal 1.5 from 4 KiB)", "over_limit", 3, 1.5)
	for (j = 1; j <= lanes; j++) {
		printf "<rect x=\"%d\" y=\"%d\" width=\"9\" height=\"9\" fill=\"%s\"/>\n", left + (j - 1) * 90, bottom + 10, color[j]
		text(left + (j - 1) * 90 + 13, bottom + 18, "start", lane[j])
	}
	print "</svg>"
}
