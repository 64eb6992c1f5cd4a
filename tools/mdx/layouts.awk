# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# layouts.awk OPCODES_DEF MLX5_IFC_H - the layouts of mlx5_ifc.h that the commands
# of opcodes.def have, as C: one array of struct named_field for each structure.

# The arguments of the rows, which may go over two lines, name the structures.
FNR == NR {
	line = $0
	# Rows without a layout may have one by their name.
	if (match(line, /^OPCODE_(OTHER|RANGE)\(0x[0-9a-f]+, /)) {
		row = substr(line, RSTART + RLENGTH)
		sub(/\).*/, "", row)
		by_name[row] = tolower(row) "_in"
		next
	}
	while (match(line, /[a-z][a-z0-9_]*_(in|out|hdr)[,)]/)) {
		part_name = substr(line, RSTART, RLENGTH - 1)
		wanted[part_name] = 1
		# The answer, which rows do not name where nothing is created.
		answer = part_name
		if (sub(/_in$/, "_out", answer) || sub(/_in_cmd_hdr$/, "_out_cmd_hdr", answer))
			answers[part_name] = answer
		line = substr(line, RSTART + RLENGTH)
	}
	next
}

function to_number(text,   i, val, digit)
{
	if (text !~ /^0x/)
		return text + 0
	for (i = 3; i <= length(text); i++) {
		digit = index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
		val = 16 * val + digit
	}
	return val + 0
}

# add_field NAME BITS COUNT STRUCT: COUNT 0 is "up to the mailbox's end".
function add_field(field, bits, n, nested)
{
	if (inner) {
		if (bits * n > inner_bits)
			inner_bits = bits * n
		return
	}
	if (field !~ /^reserved/)
		text[name] = text[name] sprintf("\t{ \"%s\", %d, %d, %d, %s },\n",
			field, is_union ? 0 : at, bits, n,
			nested == "" ? "NULL" : "layout_" nested)
	if (nested != "")
		uses[name] = uses[name] " " nested
	if (!is_union)
		at += bits * n
	else if (bits * n > at)
		at = bits * n
}

/^(struct|union) mlx5_ifc_[a-z0-9_]+_bits \{/ {
	name = $2
	sub(/^mlx5_ifc_/, "", name)
	sub(/_bits$/, "", name)
	is_union = $1 == "union"
	at = inner = 0
	next
}
name == "" { next }
/^\};/ {
	width[name] = at
	order[++structs] = name
	name = ""
	next
}
# A union without a name: its place is kept, its fields are not told.
/^\t(union|struct) \{/ { inner = 1; inner_bits = 0; next }
/^\t\}/ {
	inner = 0
	field = $2
	sub(/;.*/, "", field)
	add_field("reserved_" field, inner_bits, 1, "")
	next
}
{
	sub(/\/\*.*/, "")
	if (inner && $1 == "struct" && $2 == "{")
		next
}
$1 == "u8" {
	n = split($2, part, /[][;]+/)
	bits = to_number(part[n - 1])
	count = 1
	if ($2 ~ /\[\]\[/) {
		count = 0
		bits = to_number(part[2])
	} else if (n == 4) {
		count = to_number(part[2])
	}
	add_field(part[1], bits, count, "")
}
($1 == "struct" || $1 == "union") && $2 ~ /^mlx5_ifc_.*_bits$/ && $3 != "" {
	nested = $2
	sub(/^mlx5_ifc_/, "", nested)
	sub(/_bits$/, "", nested)
	n = split($3, part, /[][;]+/)
	count = 1
	if ($3 ~ /\[\]/)
		count = 0
	else if ($3 ~ /\[/)
		count = to_number(part[2])
	# Of another header: only in unions, where it moves nothing.
	if (nested in width)
		add_field(part[1], width[nested], count, nested)
}

function mark(struct,   list, i, n)
{
	if (struct in marked)
		return
	marked[struct] = 1
	n = split(uses[struct], list, " ")
	for (i = 1; i <= n; i++)
		mark(list[i])
}

END {
	for (row in by_name)
		if (by_name[row] in width)
			mark(by_name[row])
	for (struct in wanted)
		mark(struct)
	for (struct in answers)
		if (answers[struct] in width)
			mark(answers[struct])
	# Without the header, or with one that is older, a command has no fields.
	for (struct in wanted)
		if (!(struct in width))
			printf "static const struct named_field layout_%s[] = { { NULL } };\n\n", struct
	for (i = 1; i <= structs; i++) {
		if (!(order[i] in marked))
			continue
		printf "static const struct named_field layout_%s[] = {\n%s\t{ NULL }\n};\n\n",
			order[i], text[order[i]]
	}
	for (struct in answers)
		printf "#define ANSWER_%s %s\n", struct,
			answers[struct] in width ? "layout_" answers[struct] : "NULL"
	for (row in by_name)
		printf "#define LAYOUT_%s %s\n", row,
			by_name[row] in width ? "layout_" by_name[row] : "NULL"
}
