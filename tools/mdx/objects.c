// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx ps --objects: the objects of bound files, from the lines of
 * /sys/kernel/debug/mlx5_devx/objects:
 * "ibdev pid uid id opcode type number numbers destroy-bytes seconds"
 */
#include <stdio.h>
#include <string.h>

#include "tool.h"

#define MINUTE 60ULL
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

bool parse_bound_object(const char *line, struct bound_object *obj)
{
	int end = 0;

	memset(obj, 0, sizeof(*obj));
	return sscanf(line, "%63s %ld %x %u %x %x %x %u %u %llu%n", obj->ibdev,
		      &obj->pid, &obj->uid, &obj->id, &obj->opcode, &obj->type,
		      &obj->number, &obj->numbers, &obj->destroy_bytes,
		      &obj->seconds, &end) == 10 &&
	       (!line[end] || !strcmp(line + end, "\n"));
}

void age_text(char *buf, size_t size, unsigned long long seconds)
{
	static const struct {
		unsigned long long seconds;
		char letter;
	} units[] = { { DAY, 'd' }, { HOUR, 'h' }, { MINUTE, 'm' }, { 1, 's' } };
	int i = 0;

	while (units[i].seconds > 1 && seconds < units[i].seconds)
		i++;
	snprintf(buf, size, "%llu%c", seconds / units[i].seconds,
		 units[i].letter);
}

static void show_json(const struct bound_object *obj, const char *name)
{
	out_open(NULL, '{');
	out_str("device", "%s", obj->ibdev);
	out_num("pid", obj->pid);
	out_num("uid", obj->uid);
	out_num("id", obj->id);
	out_str("name", "%s", name);
	out_num("opcode", obj->opcode);
	out_num("type", obj->type);
	out_num("number", obj->number);
	out_num("numbers", obj->numbers);
	out_num("destroy_bytes", obj->destroy_bytes);
	out_num("age_seconds", obj->seconds);
	out_close();
}

static void show_text(const struct bound_object *obj, const char *name)
{
	char age[32], numbers[32];
	int len;

	age_text(age, sizeof(age), obj->seconds);
	len = snprintf(numbers, sizeof(numbers), "%#x", obj->number);
	if (obj->numbers > 1)
		snprintf(numbers + len, sizeof(numbers) - len, "-%#x",
			 obj->number + obj->numbers - 1);
	printf("%-10s %7ld %5u %6u  %-24s %-21s %7u %5s\n", obj->ibdev, obj->pid,
	       obj->uid, obj->id, name, numbers, obj->destroy_bytes, age);
}

void show_objects_head(void)
{
	printf("%-10s %7s %5s %6s  %-24s %-21s %7s %5s\n", "DEVICE", "PID", "UID",
	       "ID", "TYPE", "NUMBER", "DESTROY", "AGE");
}

bool show_object_line(const char *line, long pid)
{
	struct bound_object obj;
	char name[64];

	if (!parse_bound_object(line, &obj))
		return false;
	if ((opt_device && strcmp(opt_device, obj.ibdev)) ||
	    (pid && pid != obj.pid))
		return true;
	object_type_name(name, sizeof(name), obj.opcode, obj.type);
	if (opt_json)
		show_json(&obj, name);
	else
		show_text(&obj, name);
	return true;
}
