// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "log.h"
#include "qmp.h"

enum { LIMIT_US = 10 * 1000000 };

enum {
	STEP_GREETING,
	STEP_CAPABILITIES,
	STEP_COMMAND,
};

static void qmp_finish(struct qmp *qmp, const char *err)
{
	qmp_done_fn *done = qmp->done;

	watch_stop(qmp->loop, &qmp->conn);
	timer_cancel(qmp->loop, &qmp->limit);
	qmp->done = NULL;
	if (err)
		log_warn("qmp: %s", err);
	if (done)
		done(qmp->arg, err);
}

static void limit_expired(void *arg)
{
	qmp_finish(arg, "QEMU did not answer");
}

static void qmp_say(struct qmp *qmp, const char *text)
{
	if (send(qmp->conn.fd, text, strlen(text), MSG_NOSIGNAL) !=
	    (ssize_t)strlen(text))
		qmp_finish(qmp, "cannot send to QEMU");
}

/* An "error" member holds a "desc". */
static void qmp_refused(struct qmp *qmp, char *line)
{
	char *desc = strstr(line, "\"desc\": \"");
	char *end;

	if (!desc) {
		qmp_finish(qmp, "QEMU refused");
		return;
	}
	desc += strlen("\"desc\": \"");
	end = strchr(desc, '"');
	if (end)
		*end = '\0';
	qmp_finish(qmp, desc);
}

static void qmp_device_del(struct qmp *qmp)
{
	char cmd[256];

	snprintf(cmd, sizeof(cmd),
		 "{\"execute\": \"device_del\", \"arguments\": {\"id\": \"%s\"}}\r\n",
		 qmp->conf.id);
	qmp_say(qmp, cmd);
}

static void take_line(struct qmp *qmp, char *line)
{
	if (strstr(line, "\"event\""))
		return;
	if (strstr(line, "\"error\"")) {
		qmp_refused(qmp, line);
		return;
	}
	switch (qmp->step++) {
	case STEP_GREETING:
		qmp_say(qmp, "{\"execute\": \"qmp_capabilities\"}\r\n");
		break;
	case STEP_CAPABILITIES:
		qmp_device_del(qmp);
		break;
	case STEP_COMMAND:
		qmp_finish(qmp, NULL);
		break;
	}
}

static void conn_event(void *arg, uint32_t events)
{
	struct qmp *qmp = arg;
	char *nl;
	ssize_t n;

	(void)events;
	n = recv(qmp->conn.fd, qmp->line + qmp->len,
		 sizeof(qmp->line) - 1 - qmp->len, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		qmp_finish(qmp, "QEMU closed the monitor");
		return;
	}
	qmp->len += (size_t)n;
	qmp->line[qmp->len] = '\0';
	while (qmp->conn.fd >= 0) {
		nl = strchr(qmp->line, '\n');
		if (!nl)
			break;
		*nl = '\0';
		take_line(qmp, qmp->line);
		qmp->len -= (size_t)(nl + 1 - qmp->line);
		memmove(qmp->line, nl + 1, qmp->len + 1);
	}
	/* A line that long is not an expected answer. */
	if (qmp->len == sizeof(qmp->line) - 1)
		qmp->len = 0;
}

void qmp_init(struct qmp *qmp, struct loop *loop, const struct qmp_conf *conf)
{
	*qmp = (struct qmp){
		.loop = loop,
		.conf = *conf,
		.conn = { .fd = -1, .fn = conn_event, .arg = qmp },
		.limit = { .fn = limit_expired, .arg = qmp },
	};
}

void qmp_fini(struct qmp *qmp)
{
	qmp->done = NULL;
	watch_stop(qmp->loop, &qmp->conn);
	timer_cancel(qmp->loop, &qmp->limit);
}

static const char *connect_qmp(struct qmp *qmp)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	if (!qmp->conf.path)
		return "no --qmp was given";
	if (strlen(qmp->conf.path) >= sizeof(addr.sun_path))
		return "the monitor's path is too long";
	strcpy(addr.sun_path, qmp->conf.path);
	qmp->conn.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (qmp->conn.fd < 0 ||
	    connect(qmp->conn.fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    watch_start(qmp->loop, &qmp->conn, EPOLLIN)) {
		if (qmp->conn.fd >= 0)
			close(qmp->conn.fd);
		qmp->conn.fd = -1;
		return "cannot connect to QEMU's monitor";
	}
	return NULL;
}

void qmp_press_button(struct qmp *qmp, qmp_done_fn *done, void *arg)
{
	const char *err;

	if (qmp->conn.fd >= 0) {
		done(arg, "another press is under way");
		return;
	}
	err = connect_qmp(qmp);
	if (err) {
		done(arg, err);
		return;
	}
	qmp->done = done;
	qmp->arg = arg;
	qmp->step = STEP_GREETING;
	qmp->len = 0;
	timer_set(qmp->loop, &qmp->limit, LIMIT_US);
}

void qmp_forget(struct qmp *qmp, void *arg)
{
	if (qmp->done && qmp->arg == arg)
		qmp->done = NULL;
}
