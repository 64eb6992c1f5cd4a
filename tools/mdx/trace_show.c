// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lines of mdx trace --all and of mdx replay. */
#include <stdio.h>
#include <string.h>

#include "command_layouts.h"
#include "tool.h"
#include "trace_parts.h"

#define DEVICES_MAX 64

static struct {
	char pci[EVENT_DEVICE + 1];
	char ibdev[64];
} devices[DEVICES_MAX];
static int devices_n;

static void add_device(const char *ibdev, void *arg)
{
	char link[64];

	(void)arg;
	if (devices_n == DEVICES_MAX ||
	    !link_name(link, sizeof(link), "/sys/class/infiniband/%s/device", ibdev))
		return;
	snprintf(devices[devices_n].pci, sizeof(devices[0].pci), "%.*s",
		 EVENT_DEVICE, link);
	snprintf(devices[devices_n++].ibdev, sizeof(devices[0].ibdev), "%.63s", ibdev);
}

const char *event_device(const char *device)
{
	static char name[EVENT_DEVICE + 1];
	int i;

	if (!devices_n)
		for_each_entry("/sys/class/infiniband", add_device, NULL);
	snprintf(name, sizeof(name), "%.*s", EVENT_DEVICE, device);
	for (i = 0; i < devices_n; i++)
		if (!strcmp(devices[i].pci, name))
			return devices[i].ibdev;
	return *name ? name : "unknown";
}

/* Meaning of a status, after the public programming manual and mlx5_core's errnos. */
static const char *status_meaning(uint8_t status)
{
	switch (status) {
	case 0x01: return "internal error of the device";
	case 0x02: return "the device does not support this command or op_mod";
	case 0x03: return "a field has a value the device does not accept";
	case 0x04: return "system state does not allow it";
	case 0x05: return "a resource named in it is wrong, or not of this uid";
	case 0x06: return "the object is in use by another";
	case 0x08: return "a limit of the device is exceeded";
	case 0x09: return "the resource is in the wrong state";
	case 0x0a: return "no such index";
	case 0x0f: return "the device has no resources left";
	case 0x50: return "input length";
	case 0x51: return "output length";
	default: return NULL;
	}
}

void show_command_json(const struct command_event *event)
{
	const char *meaning = status_meaning(event->out[0]);
	uint16_t opcode = bits_get(event->in, EVENT_IN, 0, 16);
	uint32_t number;

	printf("{\"time\": %llu.%06llu, \"pid\": %u, \"tid\": %u, \"comm\": ",
	       event->start / 1000000000, event->start / 1000 % 1000000,
	       event->pid, event->tid);
	out_quoted(event->comm, sizeof(event->comm));
	fputs(", \"device\": ", stdout);
	out_quoted(event_device(event->device), 64);
	printf(", \"uid\": %u, \"opcode\": %u, \"name\": \"%s\", \"op_mod\": %u",
	       (unsigned int)bits_get(event->in, EVENT_IN, 16, 16), opcode,
	       mdx_opcode_name(opcode),
	       (unsigned int)bits_get(event->in, EVENT_IN, 48, 16));
	if (object_number(event->in, EVENT_IN, event->out, EVENT_OUT, &number))
		printf(", \"number\": %u", number);
	printf(", \"in_len\": %u, \"out_len\": %u, \"async\": %s, \"status\": %u, \"status_name\": \"%s\", \"syndrome\": %u, \"ret\": %d, \"ns\": %llu",
	       event->in_len, event->out_len,
	       event->flags & EVENT_ASYNC ? "true" : "false", event->out[0],
	       mdx_status_name(event->out[0]),
	       (unsigned int)bits_get(event->out, EVENT_OUT, 32, 32), event->ret,
	       event->ns);
	if (meaning)
		printf(", \"meaning\": \"%s\"", meaning);
	putchar('}');
}

static void show_result(const struct command_event *event)
{
	const char *meaning = status_meaning(event->out[0]);

	if (event->out[0]) {
		printf(" refused: %s (%#x)", mdx_status_name(event->out[0]),
		       event->out[0]);
		if (meaning)
			printf(": %s", meaning);
		printf("; syndrome %#x",
		       (unsigned int)bits_get(event->out, EVENT_OUT, 32, 32));
	} else if (event->ret) {
		printf(" failed: %s", strerror(-event->ret));
	}
}

void show_command(const struct command_event *event)
{
	uint16_t opcode = bits_get(event->in, EVENT_IN, 0, 16);
	unsigned int op_mod = bits_get(event->in, EVENT_IN, 48, 16);
	const struct command_layout *layout = layout_of(opcode);
	uint32_t number;

	if (opt_json) {
		show_command_json(event);
		putchar('\n');
		return;
	}
	printf("%llu.%06llu %s-%u/%u %s uid %u %s (%#x)",
	       event->start / 1000000000, event->start / 1000 % 1000000,
	       out_clean(event->comm, EVENT_COMM), event->pid, event->tid,
	       event_device(event->device),
	       (unsigned int)bits_get(event->in, EVENT_IN, 16, 16),
	       mdx_opcode_name(opcode), opcode);
	if (layout && layout->object && !strcmp(layout->object, "GENERAL_OBJECT"))
		printf(" obj_type %#x", op_mod);
	else if (op_mod)
		printf(" op_mod %#x", op_mod);
	if (!event->ret &&
	    object_number(event->in, EVENT_IN, event->out, EVENT_OUT, &number))
		printf(" number %#x", number);
	printf(" in %u out %u", event->in_len, event->out_len);
	if (event->flags & EVENT_SUBMIT) {
		puts(" submitted");
		return;
	}
	printf(" %llu.%03llu us", event->ns / 1000, event->ns % 1000);
	if (event->flags & EVENT_ASYNC)
		fputs(" async", stdout);
	show_result(event);
	putchar('\n');
}
