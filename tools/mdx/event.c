// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A line of trace_pipe:
 * "   comm-tid   [cpu] flags time: mdx_cmd: dev=... uid=... opcode=... pid=..."
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static const char mark[] = ": mdx_cmd: ";

/* "comm-tid": a comm may hold spaces and dashes. */
static bool parse_comm(const char *line, struct event *event)
{
	const char *bracket = strstr(line, " [");
	char buf[128], *dash;

	while (*line == ' ')
		line++;
	if (!bracket || bracket - line >= (int)sizeof(buf) || bracket <= line)
		return false;
	memcpy(buf, line, bracket - line);
	buf[bracket - line] = '\0';
	dash = strrchr(buf, '-');
	if (!dash)
		return false;
	*dash = '\0';
	snprintf(event->comm, sizeof(event->comm), "%.63s", buf);
	return true;
}

bool parse_event(const char *line, struct event *event)
{
	const char *at = strstr(line, mark), *time;

	memset(event, 0, sizeof(*event));
	if (!at || !parse_comm(line, event))
		return false;
	for (time = at; time > line && time[-1] != ' '; time--)
		;
	snprintf(event->time, sizeof(event->time), "%.*s", (int)(at - time),
		 time);
	return sscanf(at + sizeof(mark) - 1,
		      "dev=%31s uid=%x opcode=%x obj=%u status=%x syndrome=%x ret=%d ns=%llu pid=%ld",
		      event->dev, &event->uid, &event->opcode, &event->object,
		      &event->status, &event->syndrome, &event->ret,
		      &event->ns, &event->pid) == 9;
}
