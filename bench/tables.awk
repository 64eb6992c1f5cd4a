# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# awk -f tables.awk CSV PAGE: prints the page with its tables replaced by the figures
# of CSV. A table follows a line <!-- bench: NAME --> and ends before the first line
# that is not a row.

function has(lane, name, measure)
{
	return (lane, name, measure) in v
}

function get(lane, name, measure)
{
	return has(lane, name, measure) ? v[lane, name, measure] : "-"
}

# The cells of a row, which begins with "|".
function cells(lane, name, columns,  c, i, n)
{
	n = split(columns, c, " ")
	for (i = 1; i <= n; i++)
		printf " %s |", get(lane, name, c[i])
	printf "\n"
}

function commands(  c, l)
{
	print "| case | lane | ours | stock | floor | limit | ratio | over limit |"
	print "|---|---|---|---|---|---|---|---|"
	for (c = 1; c <= cases; c++)
		for (l = 1; l <= lanes; l++)
			if (has(lane[l], name[c], "over_limit")) {
				printf "| %s | %s |", name[c], lane[l]
				cells(lane[l], name[c], "ours stock floor limit ratio over_limit")
			}
}

function pool(prefix,  c, l)
{
	print "| lane | bytes | pool | kvzalloc |"
	print "|---|---|---|---|"
	for (l = 1; l <= lanes; l++)
		for (c = 1; c <= cases; c++)
			if (index(name[c], prefix "-") == 1 && has(lane[l], name[c], "pool")) {
				printf "| %s | %s |", lane[l], substr(name[c], length(prefix) + 2)
				cells(lane[l], name[c], "pool kvzalloc")
			}
}

# Benchmarks measured both on two CPUs in wall time and on one by instructions.
function two_ways(what, columns, heads,  c, h, i, l, n, w, way)
{
	n = split(columns, c, " ")
	split(heads, h, ",")
	split("cpus icount", way, " ")
	printf "| lane | how |"
	for (i = 1; i <= n; i++)
		printf " %s |", h[i]
	printf "\n|---|---|"
	for (i = 1; i <= n; i++)
		printf "---|"
	printf "\n"
	for (l = 1; l <= lanes; l++)
		for (w = 1; w <= 2; w++) {
			if (!has(lane[l], what "-" way[w], c[1]))
				continue
			printf "| %s | %s |", lane[l],
			       way[w] == "cpus" ? "wall time, 2 CPUs" : "icount, 1 CPU"
			cells(lane[l], what "-" way[w], columns)
		}
}

function bulk(  c, l)
{
	print "| case | lane | batches (ms) | 8 in flight (ms) | threads over stock (ms) | one by one (ms) | stock one by one (ms) | batches / one by one |"
	print "|---|---|---|---|---|---|---|---|"
	for (c = 1; c <= cases; c++)
		for (l = 1; l <= lanes; l++)
			if (name[c] ~ /^bulk-(qp|ibgda)/ && has(lane[l], name[c], "ratio")) {
				printf "| %s | %s |", name[c], lane[l]
				cells(lane[l], name[c], "ours default threads single stock ratio")
			}
}

# Instructions of a command in a batch.
function bulk_cpu(  l)
{
	print "| lane | batch of one | item of 256 | call of its own | stock | batch of one / call |"
	print "|---|---|---|---|---|---|"
	for (l = 1; l <= lanes; l++)
		if (has(lane[l], "bulk-one", "ours"))
			printf "| %s | %s | %s | %s | %s | %s |\n", lane[l],
			       get(lane[l], "bulk-one", "ours"),
			       get(lane[l], "bulk-item", "ours"),
			       get(lane[l], "bulk-one", "single"),
			       get(lane[l], "bulk-one", "stock"),
			       get(lane[l], "bulk-one", "ratio")
}

FNR == NR {
	split($0, f, ",")
	if (FNR == 1)
		next
	if (!(f[1] in lane_seen))
		lane[++lanes] = f[1]
	if (!(f[2] in name_seen))
		name[++cases] = f[2]
	lane_seen[f[1]] = name_seen[f[2]] = 1
	v[f[1], f[2], f[3]] = f[4]
	next
}

skip && /^\|/ { next }
{ skip = 0; print }

/^<!-- bench: .* -->$/ {
	skip = 1
	if ($3 == "commands")
		commands()
	else if ($3 ~ /^pool-/)
		pool($3)
	else if ($3 == "bulk")
		bulk()
	else if ($3 == "bulk-cpu")
		bulk_cpu()
	else if ($3 == "teardown")
		two_ways($3, "n ours_ms serial_ms stock_ms ours/serial",
			 "objects,ours (ms),one by one (ms),stock (ms),ours / one by one")
	else if ($3 == "fairness-batch")
		two_ways($3, "idle_us busy_us busy/idle median_idle_us median_busy_us cpu_idle_us cpu_busy_us",
			 "idle (us),beside a batch,beside / idle,median idle,median beside,CPU idle,CPU beside")
	else if ($3 == "fairness")
		two_ways($3, "idle_us busy_us stock_busy_us median_idle_us median_busy_us cpu_idle_us cpu_busy_us",
			 "idle (us),beside 64 of ours,beside 64 of stock,median idle,median beside ours,CPU idle,CPU beside ours")
}
