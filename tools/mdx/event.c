// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A line of trace_pipe:
 * "   comm-pid   [cpu] flags time: mdx_cmd: dev=... uid=... opcode=..."
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static const char mark[] = ": mdx_cmd: ";

/* "comm-pid": a comm may hold spaces and dashes. */
static bool parse_who(const char *line, struct event *event)
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
	event->pid = atol(dash + 1);
	snprintf(event->comm, sizeof(event->comm), "%.63s", buf);
	return true;
}

bool parse_event(const char *line, struct event *event)
{
	const char *at = strstr(line, mark), *time;

	memset(event, 0, sizeof(*event));
	if (!at || !parse_who(line, event))
		return false;
	for (time = at; time > line && time[-1] != ' '; time--)
		;
	snprintf(event->time, sizeof(event->time), "%.*s", (int)(at - time),
		 time);
	return sscanf(at + sizeof(mark) - 1,
		      "dev=%31s uid=%x opcode=%x obj=%u status=%x syndrome=%x ret=%d ns=%llu",
		      event->dev, &event->uid, &event->opcode, &event->object,
		      &event->status, &event->syndrome, &event->ret,
		      &event->ns) == 8;
}
