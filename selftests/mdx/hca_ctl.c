// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hca_ctl.h"

#define HCA_TIMEOUT_MS 10000

static const char *hca_port(void)
{
	const char *port = getenv("MDX_HCA");

	return port && *port ? port : NULL;
}

bool hca_expected(void)
{
	return hca_port();
}

/*
 * The port does not signal a new opener, so answers to the last one may be
 * left.
 */
static void hca_drain(struct hca_ctl *hca)
{
	struct pollfd pfd = { .fd = hca->fd, .events = POLLIN };
	char buf[512];

	while (poll(&pfd, 1, 2) > 0 && read(hca->fd, buf, sizeof(buf)) > 0)
		;
}

struct hca_ctl *hca_open(void)
{
	struct hca_ctl *hca;

	if (!hca_port())
		return NULL;
	hca = calloc(1, sizeof(*hca));
	if (!hca)
		return NULL;
	hca->fd = open(hca_port(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (hca->fd < 0) {
		fprintf(stderr, "# %s: %s\n", hca_port(), strerror(errno));
		free(hca);
		return NULL;
	}
	hca_drain(hca);
	if (hca_cmd(hca, "reset-script"))
		fprintf(stderr, "# reset-script: %s\n", hca->answer);
	return hca;
}

void hca_close(struct hca_ctl *hca)
{
	if (!hca)
		return;
	hca_cmd(hca, "reset-script");
	close(hca->fd);
	free(hca->answer);
	free(hca);
}

static int hca_wait(struct hca_ctl *hca, short events)
{
	struct pollfd pfd = { .fd = hca->fd, .events = events };

	return poll(&pfd, 1, HCA_TIMEOUT_MS) > 0 ? 0 : -1;
}

static int hca_send(struct hca_ctl *hca, const char *line, size_t len)
{
	ssize_t n;

	while (len) {
		n = write(hca->fd, line, len);
		if (n < 0 && errno != EAGAIN)
			return -1;
		if (n < 0 && hca_wait(hca, POLLOUT))
			return -1;
		if (n > 0) {
			line += n;
			len -= n;
		}
	}
	return 0;
}

/* Start of the answer's last line, or NULL before that line is complete. */
static char *hca_last_line(struct hca_ctl *hca)
{
	char *line;

	if (!hca->len || hca->answer[hca->len - 1] != '\n')
		return NULL;
	line = hca->answer + hca->len - 1;
	while (line > hca->answer && line[-1] != '\n')
		line--;
	if (!strcmp(line, "ok\n") || !strncmp(line, "err", 3))
		return line;
	return NULL;
}

static int hca_receive(struct hca_ctl *hca)
{
	char *line;
	ssize_t n;

	while (!(line = hca_last_line(hca))) {
		if (hca->len + 4096 > hca->room) {
			char *more = realloc(hca->answer, hca->room + 65536);

			if (!more)
				return -1;
			hca->answer = more;
			hca->room += 65536;
		}
		n = read(hca->fd, hca->answer + hca->len,
			 hca->room - hca->len - 1);
		if (!n || (n < 0 && errno != EAGAIN))
			return -1;
		if (n < 0 && hca_wait(hca, POLLIN))
			return -1;
		if (n > 0)
			hca->len += n;
		hca->answer[hca->len] = '\0';
	}
	if (strncmp(line, "ok", 2))
		return -1;
	*line = '\0';
	hca->len = line - hca->answer;
	return 0;
}

int hca_cmd(struct hca_ctl *hca, const char *fmt, ...)
{
	char line[512];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= sizeof(line) - 1)
		return -1;
	line[len++] = '\n';
	hca->len = 0;
	if (hca->answer)
		hca->answer[0] = '\0';
	if (hca_send(hca, line, len) || hca_receive(hca)) {
		fprintf(stderr, "# hca: %.*s: %s\n", len - 1, line,
			hca->answer && *hca->answer ? hca->answer : "no answer");
		return -1;
	}
	return 0;
}

int hca_fail(struct hca_ctl *hca, uint16_t opcode, uint8_t status,
	     uint32_t syndrome, int count)
{
	if (count == HCA_ALWAYS)
		return hca_cmd(hca, "fail 0x%x 0x%x 0x%x always", opcode,
			       status, syndrome);
	return hca_cmd(hca, "fail 0x%x 0x%x 0x%x %d", opcode, status, syndrome,
		       count);
}

int hca_live(struct hca_ctl *hca, int uid, const char *type, int64_t id)
{
	char *line, *save = NULL;
	int found = 0, ret;

	if (uid < 0)
		ret = hca_cmd(hca, "live");
	else
		ret = hca_cmd(hca, "live 0x%x", uid);
	if (ret)
		return -1;
	for (line = strtok_r(hca->answer, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		unsigned int obj_id, owner;
		char obj_type[32];

		if (sscanf(line, "live %31s %i %i", obj_type, (int *)&obj_id,
			   (int *)&owner) != 3)
			return -1;
		if (type && strcmp(type, obj_type))
			continue;
		if (id >= 0 && obj_id != (uint32_t)id)
			continue;
		found++;
	}
	return found;
}

long hca_count(struct hca_ctl *hca, uint16_t opcode)
{
	if (hca_cmd(hca, "count 0x%x", opcode))
		return -1;
	return strtol(hca->answer, NULL, 0);
}

size_t hca_last(struct hca_ctl *hca, uint16_t opcode, void *buf, size_t size)
{
	uint8_t *bytes = buf;
	size_t len = 0;
	char *hex;

	if (hca_cmd(hca, "last 0x%x", opcode))
		return 0;
	for (hex = hca->answer; len < size; len++, hex += 2) {
		unsigned int byte;

		if (sscanf(hex, "%2x", &byte) != 1)
			break;
		bytes[len] = byte;
	}
	return len;
}
