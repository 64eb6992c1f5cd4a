#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# awk -f man.awk PAGE - makes of one page of this directory what lowdown makes a
# manual of:
#
# - A line that is nothing but a link to another page, or to a section of one, is
#   replaced by that text: it is written once.
# - The first heading goes, the others move up by one, and those on top are in
#   capitals. Those of a whole page that replaces a link stay sections under
#   "Description", and are parts of the section elsewhere.
# - Tables become lists: the last column explains what is before it. A column
#   named "test" is left out, and the whole table if no more than one is left.
# - Links to what is a manual, too, name that; other links only say their text.

BEGIN {
	manual["libmdx.md"] = "**libmdx**(7)"
	manual["uapi.md"] = "**mdx_uapi**(5)"
	manual["mdx.md"] = "**mdx**(1)"
	manual["troubleshooting.md"] = "**mlx5-devx**(7)"
	manual["security.md"] = "**mlx5-devx**(7)"
	manual["limits.md"] = "**mlx5-devx**(7)"
	manual["differences.md"] = "**mlx5-devx**(7)"
	manual["capabilities.md"] = "**mlx5_devx**(4)"
	dir = ARGV[1]
	if (!sub(/\/[^\/]*$/, "", dir))
		dir = "."
	page(ARGV[1], "")
	if (missing)
		exit 1
	exit 0
}

# As the forges make the anchor of a heading.
function anchor(text)
{
	text = tolower(text)
	gsub(/[^-a-z0-9_ ]/, "", text)
	gsub(/ /, "-", text)
	return text
}

# The text of FILE, or of its section WANTED with the ones below it.
function page(file, wanted,	line, in_code, level, at, found, first)
{
	first = 1
	depth++
	while ((getline line < file) > 0) {
		if (line ~ /^```/)
			in_code = !in_code
		if (!in_code && line ~ /^#+ /) {
			match(line, /^#+/)
			level = RLENGTH
			if (wanted != "") {
				if (at && level <= at)
					break
				if (!at && anchor(substr(line, level + 2)) == wanted) {
					at = level
					found = 1
					continue
				}
			} else if (first) {
				first = 0
				continue
			}
		}
		if (wanted == "" || at)
			text(line, in_code || line ~ /^```/, wanted == "" && depth > 1 && under != "Description")
	}
	close(file)
	flush()
	depth--
	if (wanted != "" && !found || wanted == "" && first) {
		print "man.awk: " file ": no " (wanted == "" ? "page" : "section #" wanted) > "/dev/stderr"
		missing = 1
	}
}

function text(line, is_code, is_part,	target, file)
{
	if (!is_code && line ~ /^\|/) {
		row(line)
		return
	}
	flush()
	if (is_code || line ~ /^    /) {
		print line
		return
	}
	if (line ~ /^\[[^]]*\]\([^)]*\.md[^)]*\)$/) {
		target = line
		sub(/^\[[^]]*\]\(/, "", target)
		sub(/\)$/, "", target)
		file = target
		sub(/#.*/, "", file)
		sub(/^[^#]*#?/, "", target)
		page(dir "/" file, target)
		return
	}
	if (line ~ /^#/) {
		if (depth == 1)
			under = substr(line, 4)
		if (!is_part)
			sub(/^#/, "", line)
		print line ~ /^# / ? toupper(line) : line
		return
	}
	print links(line)
}

# Links become text; a name of a manual has its section already.
function links(line,	all, name, target)
{
	while (match(line, /\[[^]]*\]\([^)]*\)/)) {
		all = substr(line, RSTART, RLENGTH)
		name = target = all
		sub(/^\[/, "", name)
		sub(/\]\(.*/, "", name)
		sub(/.*\(/, "", target)
		sub(/\)$/, "", target)
		sub(/#.*/, "", target)
		sub(/.*\//, "", target)
		if (target in manual && name !~ /\([0-9]/)
			name = name ~ /\.md$/ ? manual[target] : name " (" manual[target] ")"
		line = substr(line, 1, RSTART - 1) name substr(line, RSTART + length(all))
	}
	return line
}

function trim(s)
{
	gsub(/^[ \t]+|[ \t]+$/, "", s)
	return s
}

function row(line,	n, i, cells)
{
	# A bar within a cell is written \|.
	gsub(/\\\|/, "\001", line)
	n = split(line, cells, "|") - 2
	for (i = 1; i <= n; i++) {
		cells[i] = trim(cells[i + 1])
		gsub(/\001/, "|", cells[i])
	}
	rows++
	if (rows == 1) {
		columns = n
		if (cells[n] == "test")
			columns--
	}
	if (rows <= 2 || columns < 2)
		return
	for (i = 1; i < columns; i++)
		cell[i] = cells[i] == "" && i == 1 ? cell[i] : cells[i]
	item(cells[columns])
}

function item(last,	i, term)
{
	term = ""
	for (i = 1; i < columns; i++)
		if (cell[i] != "")
			term = term (term == "" ? "" : ": ") cell[i]
	printf "\n%s\n: %s\n", links(term), links(last == "" ? "(nothing)" : last)
}

function flush()
{
	rows = 0
}
