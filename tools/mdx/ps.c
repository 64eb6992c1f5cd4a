// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx ps: who has a file open, and what it owns. objects.c shows the objects. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

#define DEBUGFS "/sys/kernel/debug/mlx5_devx"

void object_type_name(char *buf, size_t size, unsigned int opcode,
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
	out_bool("shared", file->shared);
	out_num("in_flight", file->in_flight);
	out_open("types", '[');
	for (i = 0; i < file->types_n; i++) {
		object_type_name(name, sizeof(name), file->types[i].opcode,
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

	printf("%-10s %7ld %5u %8u %-6s %6u  %s", file->ibdev, file->pid,
	       file->uid, file->objects, file->shared ? "shared" : "own",
	       file->in_flight,
	       *cmdline ? cmdline : out_clean(file->comm, sizeof(file->comm)));
	if (!exists("/proc/%ld", file->pid))
		fputs(" (gone; another process has the file)", stdout);
	putchar('\n');
	for (i = 0; i < file->types_n; i++) {
		object_type_name(name, sizeof(name), file->types[i].opcode,
				 file->types[i].type);
		printf("%s%s %u", i ? ", " : "           ", name,
		       file->types[i].count);
	}
	if (file->types_n)
		putchar('\n');
}

static void show_files_head(void)
{
	puts("DEVICE         PID   UID  OBJECTS OWNER  FLIGHT  COMMAND");
}

/* False if @line is not understood; @pid is 0 for all. */
static bool show_file_line(const char *line, long pid)
{
	struct bound_file file;
	char cmdline[256];

	if (!parse_bound_file(line, &file))
		return false;
	if ((opt_device && strcmp(opt_device, file.ibdev)) ||
	    (pid && pid != file.pid))
		return true;
	read_cmdline(cmdline, sizeof(cmdline), file.pid);
	if (opt_json)
		show_json(&file, cmdline);
	else
		show_text(&file, cmdline);
	return true;
}

static const struct list {
	const char *path;
	void (*head)(void);
	bool (*line)(const char *line, long pid);
} files = {
	DEBUGFS "/files", show_files_head, show_file_line,
}, objects = {
	DEBUGFS "/objects", show_objects_head, show_object_line,
};

static int show_lines(const struct list *list, FILE *f, long pid)
{
	char line[2048];

	while (fgets(line, sizeof(line), f)) {
		if (!list->line(line, pid)) {
			complain("a line is not understood: %s", line);
			return EXIT_FAILED;
		}
	}
	return EXIT_OK;
}

static int show_list(const struct list *list, long pid)
{
	FILE *f = fopen(root_path("%s", list->path), "r");
	int ret;

	if (!f && errno == EACCES) {
		complain("only root may read %s", list->path);
		return EXIT_FAILED;
	}
	if (!f) {
		complain("there is no %s: is mlx5_devx loaded (mdx doctor), and debugfs mounted (mount -t debugfs debugfs /sys/kernel/debug)?",
			 list->path);
		return EXIT_NOTHING;
	}
	if (opt_json)
		out_open(NULL, '[');
	else
		list->head();
	ret = show_lines(list, f, pid);
	if (opt_json)
		out_close();
	fclose(f);
	return ret;
}

int verb_ps(int argc, char **argv)
{
	static const struct opt opts[] = {
		{ "objects", 'o', false },
		{ 0 }
	};
	const struct list *list = &files;
	long pid = 0;

	while (next_opt(argc, argv, opts) != -1)
		list = &objects;
	if (optind + 1 < argc)
		usage("one PID at most, please");
	if (optind < argc) {
		pid = number(argv[optind], INT_MAX, "PID");
		if (!pid)
			usage("no process has PID 0");
	}
	return show_list(list, pid);
}
