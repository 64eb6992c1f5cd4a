// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx ps: who has a file open, and what it owns. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

#define FILES "/sys/kernel/debug/mlx5_devx/files"

static void type_name(char *buf, size_t size, unsigned int opcode,
		      unsigned int type)
{
	const char *name = mdx_opcode_name(opcode);
	const char *underscore = strchr(name, '_');
	size_t i;

	if (!opcode)
		snprintf(buf, size, "other");
	else if (type)
		snprintf(buf, size, "general_object_%#x", type);
	else if (!underscore || !strcmp(name, "UNKNOWN"))
		snprintf(buf, size, "%#x", opcode);
	else	/* what CREATE_, ALLOC_, SET_, ATTACH_TO_ ... makes */
		snprintf(buf, size, "%s", underscore + 1);
	for (i = 0; buf[i]; i++)
		if (buf[i] >= 'A' && buf[i] <= 'Z')
			buf[i] += 'a' - 'A';
}

/* Arguments, with spaces between them; nothing of a process that is gone. */
static void read_cmdline(char *buf, size_t size, long pid)
{
	FILE *f = fopen(root_path("/proc/%ld/cmdline", pid), "r");
	size_t len = 0, i;

	if (f) {
		len = fread(buf, 1, size - 1, f);
		fclose(f);
	}
	while (len && !buf[len - 1])
		len--;
	buf[len] = '\0';
	for (i = 0; i < len; i++)
		if ((unsigned char)buf[i] < 0x20)
			buf[i] = ' ';
}

static void show_json(const struct bound_file *file, const char *cmdline)
{
	char name[64];
	int i;

	out_open(NULL, '{');
	out_str("device", "%s", file->ibdev);
	out_num("pid", file->pid);
	out_str("comm", "%s", file->comm);
	out_str("cmdline", "%s", cmdline);
	out_bool("running", exists("/proc/%ld", file->pid));
	out_num("uid", file->uid);
	out_num("objects", file->objects);
	out_num("in_flight", file->in_flight);
	out_open("types", '[');
	for (i = 0; i < file->types_n; i++) {
		type_name(name, sizeof(name), file->types[i].opcode,
			  file->types[i].type);
		out_open(NULL, '{');
		out_str("name", "%s", name);
		out_num("opcode", file->types[i].opcode);
		out_num("type", file->types[i].type);
		out_num("count", file->types[i].count);
		out_close();
	}
	out_close();
	out_close();
}

static void show_text(const struct bound_file *file, const char *cmdline)
{
	char name[64];
	int i;

	printf("%-10s %7ld %5u %8u %6u  %s", file->ibdev, file->pid, file->uid,
	       file->objects, file->in_flight,
	       *cmdline ? cmdline : out_clean(file->comm, sizeof(file->comm)));
	if (!exists("/proc/%ld", file->pid))
		fputs(" (gone; another process has the file)", stdout);
	putchar('\n');
	for (i = 0; i < file->types_n; i++) {
		type_name(name, sizeof(name), file->types[i].opcode,
			  file->types[i].type);
		printf("%s%s %u", i ? ", " : "           ", name,
		       file->types[i].count);
	}
	if (file->types_n)
		putchar('\n');
}

static int show_files(FILE *f)
{
	struct bound_file file;
	char line[2048], cmdline[256];

	while (fgets(line, sizeof(line), f)) {
		if (!parse_bound_file(line, &file)) {
			complain("a line is not understood: %s", line);
			return EXIT_FAILED;
		}
		if (opt_device && strcmp(opt_device, file.ibdev))
			continue;
		read_cmdline(cmdline, sizeof(cmdline), file.pid);
		if (opt_json)
			show_json(&file, cmdline);
		else
			show_text(&file, cmdline);
	}
	return EXIT_OK;
}

int verb_ps(int argc, char **argv)
{
	static const struct opt opts[] = { { 0 } };
	FILE *f;
	int ret;

	while (next_opt(argc, argv, opts) != -1)
		;
	if (optind != argc)
		usage("no arguments, please");
	f = fopen(root_path(FILES), "r");
	if (!f && errno == EACCES) {
		complain("only root may read " FILES);
		return EXIT_FAILED;
	}
	if (!f) {
		complain("there is no " FILES ": is mlx5_devx loaded (mdx doctor), and debugfs mounted (mount -t debugfs debugfs /sys/kernel/debug)?");
		return EXIT_NOTHING;
	}
	if (opt_json)
		out_open(NULL, '[');
	else
		puts("DEVICE         PID   UID  OBJECTS FLIGHT  COMMAND");
	ret = show_files(f);
	if (opt_json)
		out_close();
	fclose(f);
	return ret;
}
