/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The control language: one command a line, over a UNIX socket, from several
 * clients at a time. ctl.c moves lines, ctl_cmd.c understands them.
 */
#ifndef HCA_CTL_H
#define HCA_CTL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "hca.h"
#include "loop.h"
#include "qmp.h"

enum { CTL_LINE_MAX = 4096 };

struct ctl {
	struct hca *hca;
	struct qmp *qmp;
	struct watch listen;
	struct ctl_client *clients;
};

/**
 * struct ctl_client - one of them
 * @waits: its command will be answered later; until then no other is read
 * @skip: the line is too long, its rest is dropped
 * @in: what was received of the next lines, @in_len bytes
 * @out: answers that were not sent yet, @out_len of @out_size bytes
 */
struct ctl_client {
	struct ctl_client *next;
	struct ctl *ctl;
	struct watch conn;
	bool waits;
	bool skip;
	char in[CTL_LINE_MAX];
	size_t in_len;
	char *out;
	size_t out_len;
	size_t out_size;
};

int ctl_init(struct ctl *ctl, struct hca *hca, struct qmp *qmp,
	     const char *path);
void ctl_fini(struct ctl *ctl);
/* Serve the connected socket @fd, which becomes ours. */
int ctl_attach(struct ctl *ctl, int fd);

/* For the commands: a line of an answer, and its end; NULL for ok. */
void ctl_say(struct ctl_client *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void ctl_end(struct ctl_client *c, const char *err);
/* The late end of the command of a client that waits. */
void ctl_resume(struct ctl_client *c, const char *err);

/* ctl_cmd.c: execute @line, which it may change. */
void ctl_execute(struct ctl_client *c, char *line);

#endif /* HCA_CTL_H */
