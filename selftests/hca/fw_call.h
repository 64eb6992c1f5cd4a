/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A command being executed, and the steps that most commands share. */
#ifndef HCA_FW_CALL_H
#define HCA_FW_CALL_H

#include <string.h>

#include "fw_state.h"
#include "synd.h"

struct fw_cmd;

/**
 * struct fw_call - a command being executed
 * @fw: the firmware
 * @cmd: row of the command
 * @in: input mailbox
 * @in_len: length of @in, no less than the row's
 * @out: output mailbox
 * @out_len: length of @out, no less than the row's
 * @uid: user context that issued the command
 * @op_mod: modifier
 * @synd: reason of a refusal
 * @obj: object that the command addresses; of a create, the new object
 * @deps: objects that the command refers to, @ndeps of them
 * @ndeps: number of @deps
 * @mem: memory of the queue being created
 */
struct fw_call {
	struct fw *fw;
	const struct fw_cmd *cmd;
	const u8 *in;
	size_t in_len;
	u8 *out;
	size_t out_len;
	u16 uid;
	u16 op_mod;
	u32 synd;
	struct hca_obj *obj;
	struct hca_obj **deps;
	size_t ndeps;
	struct fw_mem mem;
};

enum fw_cmd_flags {
	CMD_CREATE = 1,		/* creates an object, numbered in the output */
	CMD_KERNEL = 2,		/* for uid 0 only */
	CMD_EARLY = 4,		/* allowed before INIT_HCA */
	CMD_NO_MOD = 8,		/* op_mod is the handler's, or absent */
};

/**
 * struct fw_cmd - a row of the table of commands
 * @opcode: opcode
 * @name: name
 * @in: least length of the input mailbox
 * @out: least length of the output mailbox
 * @obj_type: type of the object that the command addresses
 * @id_bit: position of its number: in the output of a create, else in the input
 * @id_width: width of the number; 0 if the handler finds the object
 * @flags: enum fw_cmd_flags
 * @used: bits of input bytes 8 to 15 that have a meaning, beside the number
 * @fn: handler: returns a status, with the syndrome in the call
 */
struct fw_cmd {
	u16 opcode;
	const char *name;
	u16 in;
	u16 out;
	enum hca_obj_type obj_type;
	u16 id_bit;
	u8 id_width;
	u8 flags;
	u64 used;
	int (*fn)(struct fw_call *c);
};

/* Refuse with @status; @synd holds the reason and the object type. */
static inline int fw_fail(struct fw_call *c, int status, u32 synd)
{
	c->synd = synd;
	return status;
}

/* Find the object that the command addresses; only its owner may. */
int fw_find(struct fw_call *c, enum hca_obj_type type, u64 key);
/* Check that a list of @n bytes at @at is in the input mailbox. */
int fw_list(struct fw_call *c, size_t at, u64 n);
/* Create an object with @key, or with a free number if @key is 0. */
int fw_create_key(struct fw_call *c, u64 key, u32 span);
/* Remove @obj, whether or not others refer to it. */
void fw_obj_remove(struct fw *fw, struct hca_obj *obj);
/* Remove all objects. */
void fw_clear(struct fw *fw);

/* Handlers that many commands share. */
int fw_ok(struct fw_call *c);
int fw_create(struct fw_call *c);
int fw_query(struct fw_call *c);
int fw_destroy(struct fw_call *c);

#endif /* HCA_FW_CALL_H */
