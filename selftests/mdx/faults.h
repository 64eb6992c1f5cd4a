/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Calls of the module, each with a command that it makes the device execute and
 * that can go wrong: the rows of Documentation/faults.md.
 */
#ifndef MDX_TEST_FAULTS_H
#define MDX_TEST_FAULTS_H

#include "objtypes.h"
#include "vobj.h"

struct fault_row;

/**
 * struct fault_call - a call and its environment
 * @w: a context of its own, with a bound file; without a control port
 * @v: a verbs object, where the call is about one
 * @there: the context's own objects in the device, as "live" lists them
 * @arg: structure of an ioctl that has no mailboxes
 * @arg_len: its length, 0 for a call with mailboxes
 * @in: mailboxes
 * @m: lengths
 * @ro: memory that cannot be written
 * @ret: 0 or a positive errno
 */
struct fault_call {
	struct mdx_world w;
	struct vobj v;
	char *there;
	uint8_t arg[512];
	uint32_t arg_len;
	uint64_t in[4096 / 8];
	uint64_t out[8192 / 8];
	struct mbox_pair m;
	void *ro;
	int ret;
};

/**
 * struct fault_row - a call and one of its commands
 * @call: the call
 * @command: a command that it sends to the device
 * @opcode: of @command
 * @type: of the object it is about
 * @few: a fault leaves objects in the device, so only one fault is tried
 * @always: the fault repeats until it is cleared
 * @esw: takes a device in switchdev mode
 * @ret: how the call ends without a fault
 * @prepare: creates what the call needs; 0 or a positive errno
 * @issue: fills and makes the call
 * @restore: brings back what @prepare made, after a call that succeeded
 */
struct fault_row {
	const char *call;
	const char *command;
	uint16_t opcode;
	enum objtype_id type;
	bool few;
	bool always;
	bool esw;
	int ret;
	int (*prepare)(struct fault_call *s, const struct fault_row *row);
	int (*issue)(struct fault_call *s, const struct fault_row *row);
	int (*restore)(struct fault_call *s, const struct fault_row *row);
};

extern const struct fault_row fault_rows[];
extern const int fault_rows_n;

/* 0, a positive errno, or EOPNOTSUPP if the device is not made for it. */
int fault_call_start(struct fault_call *s, struct hca_ctl *hca,
		     const struct fault_row *row);
/* Destroys objects left in the device by a fault, then closes the context. */
void fault_call_stop(struct fault_call *s, struct hca_ctl *hca);
/* Fills the memory that the kernel may write, and makes the call. */
void fault_call_issue(struct fault_call *s, const struct fault_row *row);
/* "untouched", "answer" if it holds that refusal, "written", or "-". */
const char *fault_call_output(const struct fault_call *s, uint8_t status,
			      uint32_t syndrome);

#endif /* MDX_TEST_FAULTS_H */
