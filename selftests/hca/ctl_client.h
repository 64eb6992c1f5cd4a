/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A client of the control protocol, and output to it. */
#ifndef HCA_CTL_CLIENT_H
#define HCA_CTL_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "loop.h"

enum { CTL_LINE_MAX = 4096 };

struct ctl;

/**
 * struct ctl_client - a client
 * @next: list of all
 * @ctl: control socket
 * @conn: connection
 * @waits: its command is answered later; no other is read until then
 * @skip: the line is too long, and the rest of it is dropped
 * @in: input that was not executed yet
 * @in_len: length of @in
 * @out: output that was not sent yet
 * @out_len: length of @out
 * @out_size: size of the buffer @out
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

/* Send a line of an answer. */
void ctl_say(struct ctl_client *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Send the last line of an answer: the error @err, or NULL for ok. */
void ctl_end(struct ctl_client *c, const char *err);

#endif /* HCA_CTL_CLIENT_H */
