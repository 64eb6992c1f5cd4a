// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctl.h"
#include "ctl_cmd.h"
#include "sock.h"

static void client_free(struct ctl_client *c)
{
	struct ctl_client **p;

	for (p = &c->ctl->clients; *p != c; p = &(*p)->next)
		;
	*p = c->next;
	qmp_forget(c->ctl->qmp, c);
	watch_stop(c->ctl->hca->loop, &c->conn);
	free(c->out);
	free(c);
}

/* Send pending output; returns false if the client is lost. */
static bool flush_out(struct ctl_client *c)
{
	ssize_t n;

	while (c->out_len) {
		n = send(c->conn.fd, c->out, c->out_len,
			 MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		c->out_len -= (size_t)n;
		memmove(c->out, c->out + n, c->out_len);
	}
	return true;
}

static void execute_lines(struct ctl_client *c);

static void client_events(struct ctl_client *c)
{
	uint32_t events = c->waits ? 0 : EPOLLIN;

	if (c->out_len)
		events |= EPOLLOUT;
	watch_events(c->ctl->hca->loop, &c->conn, events);
}

/* The button was pressed, or could not be. */
static void on_button(void *arg, const char *err)
{
	struct ctl_client *c = arg;

	c->waits = false;
	ctl_end(c, err);
	execute_lines(c);
	/* An error shows again when the loop comes to this client. */
	flush_out(c);
	client_events(c);
}

/* Execute the complete lines received, until one has to wait. */
static void execute_lines(struct ctl_client *c)
{
	char line[CTL_LINE_MAX], *nl;
	size_t n;

	while (!c->waits) {
		nl = memchr(c->in, '\n', c->in_len);
		if (!nl)
			break;
		n = (size_t)(nl - c->in);
		memcpy(line, c->in, n);
		line[n] = '\0';
		c->in_len -= n + 1;
		memmove(c->in, nl + 1, c->in_len);
		if (c->skip) {
			c->skip = false;
			ctl_end(c, "line too long");
		} else if (ctl_execute(c, line) == CTL_BUTTON) {
			c->waits = true;
			qmp_press_button(c->ctl->qmp, on_button, c);
		}
	}
	if (!c->waits && c->in_len == sizeof(c->in)) {
		c->skip = true;
		c->in_len = 0;
	}
}

static void client_event(void *arg, uint32_t events)
{
	struct ctl_client *c = arg;
	ssize_t n = 1;

	if (events & EPOLLIN && !c->waits) {
		n = recv(c->conn.fd, c->in + c->in_len,
			 sizeof(c->in) - c->in_len, MSG_DONTWAIT);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			n = 1;
		else if (n > 0)
			c->in_len += (size_t)n;
	} else if (events & (EPOLLHUP | EPOLLERR)) {
		n = 0;
	}
	if (n > 0)
		execute_lines(c);
	if (n <= 0 || !flush_out(c)) {
		client_free(c);
		return;
	}
	client_events(c);
}

int ctl_attach(struct ctl *ctl, int fd)
{
	struct ctl_client *c = calloc(1, sizeof(*c));

	if (!c) {
		close(fd);
		return -1;
	}
	c->ctl = ctl;
	c->conn = (struct watch){ .fd = fd, .fn = client_event, .arg = c };
	if (watch_start(ctl->hca->loop, &c->conn, EPOLLIN)) {
		close(fd);
		free(c);
		return -1;
	}
	c->next = ctl->clients;
	ctl->clients = c;
	return 0;
}

static void ctl_accept(void *arg, uint32_t events)
{
	struct ctl *ctl = arg;
	int fd = sock_accept(ctl->listen.fd);

	(void)events;
	if (fd >= 0)
		ctl_attach(ctl, fd);
}

int ctl_init(struct ctl *ctl, struct hca *hca, struct qmp *qmp,
	     const char *path)
{
	*ctl = (struct ctl){
		.hca = hca,
		.qmp = qmp,
		.listen = { .fd = -1, .fn = ctl_accept, .arg = ctl },
	};
	if (!path)
		return 0;
	ctl->listen.fd = sock_listen(path);
	if (ctl->listen.fd < 0)
		return -1;
	return watch_start(hca->loop, &ctl->listen, EPOLLIN);
}

void ctl_fini(struct ctl *ctl)
{
	while (ctl->clients)
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): not in the list */
		client_free(ctl->clients);
	watch_stop(ctl->hca->loop, &ctl->listen);
}
