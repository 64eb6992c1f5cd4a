/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Client of the software ConnectX's control port. A machine with a real ConnectX
 * has no such port: hca_open() returns NULL, and tests that need it are skipped.
 */
#ifndef MDX_TEST_HCA_CTL_H
#define MDX_TEST_HCA_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hca_ctl {
	int fd;
	char *answer;		/* of the last command, without the "ok" line */
	size_t len;
	size_t room;
};

/*
 * True if the environment has a control port: a missing device is a failure
 * then.
 */
bool hca_expected(void);

/* The port takes one opener at a time. Forgets what earlier tests scripted. */
struct hca_ctl *hca_open(void);
void hca_close(struct hca_ctl *hca);

/* 0 after "ok", -1 after "err" or without an answer; then answer is the text. */
int hca_cmd(struct hca_ctl *hca, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define HCA_ALWAYS -1

int hca_fail(struct hca_ctl *hca, uint16_t opcode, uint8_t status,
	     uint32_t syndrome, int count);

/* Number of live objects. Negative uid, NULL type, negative id: any. */
int hca_live(struct hca_ctl *hca, int uid, const char *type, int64_t id);

/* Commands of this opcode the device has received; negative on failure. */
long hca_count(struct hca_ctl *hca, uint16_t opcode);

/* Last mailbox of this opcode the device has received; its length, 0 if none. */
size_t hca_last(struct hca_ctl *hca, uint16_t opcode, void *buf, size_t size);

#define SKIP_NO_HCA(hca, statement)					\
	do {								\
		if (!(hca))						\
			SKIP(statement, "no control port (MDX_HCA)");	\
	} while (0)

#endif /* MDX_TEST_HCA_CTL_H */
