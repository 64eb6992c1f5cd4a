# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# awk -v n=COMMANDS -f profile.awk KALLSYMS PROFILE: prints the instructions of a command by function, most first.
# Addresses in both files have 16 lower case digits. User space has no symbols.
function name_of(addr,	lo, hi, mid) {
	if (addr < "8000000000000000") return "user"
	lo = 1; hi = m
	while (lo < hi) {
		mid = int((lo + hi + 1) / 2)
		if (at[mid] <= addr) lo = mid; else hi = mid - 1
	}
	return sym[lo]
}
FNR == NR { if ($2 ~ /[tTwW]/) { at[++m] = $1; sym[m] = $3 ($4 != "" ? " " $4 : "") } next }
{ sum[name_of($1)] += $2; all += $2 }
END {
	printf "%8.1f all\n", all / n
	for (s in sum) if (sum[s] / n >= 0.5) printf "%8.1f %s\n", sum[s] / n, s | "sort -rn"
}
