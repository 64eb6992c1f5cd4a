/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The command table. A row has all that the module knows about a command, but for
 * the object types with a life of their own.
 */
#ifndef MDX_OPTAB_H
#define MDX_OPTAB_H

#include <linux/types.h>

/* Longest destroy inbox. */
#define MDX_DINBOX_LEN_MAX 64

/* Header of every command and of every answer. */
#define MDX_HDR_LEN 16

struct mdx_obj_ops;

/**
 * enum mdx_class - The ioctl a command belongs to
 * @MDX_OP_NONE: no command
 * @MDX_OP_CREATE: MDX_IOC_OBJ_CREATE
 * @MDX_OP_MODIFY: MDX_IOC_OBJ_MODIFY
 * @MDX_OP_QUERY: MDX_IOC_OBJ_QUERY
 * @MDX_OP_GENERAL: MDX_IOC_GENERAL
 * @MDX_OP_UMEM: MDX_IOC_UMEM_REG. Its row is not in the command table: the kernel writes the
 *	command
 *
 * A command that destroys has no row: it is part of the row that creates.
 */
enum mdx_class {
	MDX_OP_NONE,
	MDX_OP_CREATE,
	MDX_OP_MODIFY,
	MDX_OP_QUERY,
	MDX_OP_GENERAL,
	MDX_OP_UMEM,
};

/**
 * enum mdx_op_flags - Exceptions
 * @MDX_OP_F_ID_IN: the caller chooses the id of the object: it is in the input,
 *	not in the answer
 * @MDX_OP_F_OBJ_TYPE: the header's obj_type is part of the object's identity
 * @MDX_OP_F_BULK: creates as many consecutive ids as the input asks for
 * @MDX_OP_F_MKEY: an mkey names memory only if it is not made of other mkeys
 * @MDX_OP_F_SPLIT: input and output do not share a buffer: mlx5_core's helper
 *	clears the output before it copies the input
 * @MDX_OP_F_ISSI0: on a device in issi 0 it names memory by physical address
 */
enum mdx_op_flags {
	MDX_OP_F_ID_IN = 1 << 0,
	MDX_OP_F_OBJ_TYPE = 1 << 1,
	MDX_OP_F_BULK = 1 << 2,
	MDX_OP_F_MKEY = 1 << 3,
	MDX_OP_F_SPLIT = 1 << 4,
	MDX_OP_F_ISSI0 = 1 << 5,
};

/*
 * Teardown order. An object may refer only to objects of a lower level, except
 * scheduling elements and mkeys.
 */
enum mdx_level {
	MDX_LEVEL_UMEM,		/* umem */
	MDX_LEVEL_DOMAIN,	/* PD, TD, XRCD */
	MDX_LEVEL_CQ,		/* CQ, counters of queues */
	MDX_LEVEL_SRQ,		/* shared receive queues, PSV, scheduling */
	MDX_LEVEL_RQ,		/* RQ, TIS, mkey */
	MDX_LEVEL_QP,		/* QP, DCT, SQ, RQT */
	MDX_LEVEL_TIR,		/* TIR, and other targets of flow rules */
	MDX_LEVEL_TABLE,	/* flow table */
	MDX_LEVEL_GROUP,	/* flow group */
	MDX_LEVEL_RULE,		/* flow rule, multicast */
	MDX_LEVELS
};

/* Types of queues in events. An RMP is an RQ there, other objects have that of a QP. */
enum mdx_queue_type {
	MDX_QUEUE_TYPE_QP = 0,
	MDX_QUEUE_TYPE_RQ = 1,
	MDX_QUEUE_TYPE_SQ = 2,
	MDX_QUEUE_TYPE_DCT = 6,
};

/**
 * struct mdx_field - A field of a mailbox
 * @bit: offset of its most significant bit
 * @width: in bits; at most 32 and within a dword, or whole dwords. 0: no field
 */
struct mdx_field {
	u16 bit;
	u16 width;
};

/**
 * struct mdx_destroy - The command that destroys an object
 * @opcode: of the command
 * @len: length of the destroy inbox
 * @id: the field with the object's id
 * @copy: other fields that identify the object, copied from the same place of the
 *	input that created it; ends with a zero width
 */
struct mdx_destroy {
	u16 opcode;
	u16 len;
	struct mdx_field id;
	struct mdx_field copy[7];
};

/**
 * struct mdx_list - A list at the end of an input
 * @at: offset of the list, in bytes
 * @unit: length of an entry, in bytes; 0 ends an array of lists
 * @count: the field with the number of entries
 * @when: a bit that decides whether the list is there; no width: it always is
 * @when_is: value of that bit if the list is there
 *
 * Several lists of a command follow each other.
 */
struct mdx_list {
	u16 at;
	u8 unit;
	u8 when_is;
	struct mdx_field count;
	struct mdx_field when;
};

/**
 * struct mdx_op - A command in one of its roles
 * @opcode: of the command
 * @create: opcode that creates the objects it is about; 0 in MDX_OP_GENERAL
 * @class: enum mdx_class
 * @flags: enum mdx_op_flags
 * @level: enum mdx_level of the created object
 * @queue_type: enum mdx_queue_type of the created object
 * @event_type: type of the created object in events that are not about queues; 0: it
 *	has none, or that of the header
 * @min_in: length of the input's layout without a variable part at its end
 * @min_out: minimum length of the output
 * @id: the field with the id: in the input, or in the answer of a create without
 *	MDX_OP_F_ID_IN
 * @must: a field of the header that has to be @must_be; no width: none
 * @must_be: value of @must
 * @force: bits the kernel sets in the input, ends with 0: they say that memory
 *	is named by umem
 * @lists: lists at the end of the input, which have to fit; NULL: none is checked
 * @destroy: command that destroys the created object
 * @ops: for an object type with a life of its own
 */
struct mdx_op {
	u16 opcode;
	u16 create;
	u8 class;
	u8 flags;
	u8 level;
	u8 queue_type;
	u16 event_type;
	u16 min_in;
	u16 min_out;
	struct mdx_field id;
	struct mdx_field must;
	u16 must_be;
	u16 force[3];
	const struct mdx_list *lists;
	const struct mdx_destroy *destroy;
	const struct mdx_obj_ops *ops;
};

extern const struct mdx_op mdx_ops[];
extern const unsigned int mdx_ops_n;

/* obj_cq.c and obj_dct.c */
extern const struct mdx_obj_ops mdx_cq_ops;
extern const struct mdx_obj_ops mdx_dct_ops;

void mdx_op_init(void);
int mdx_op_find(const struct mdx_op **opp, const void *hdr,
		enum mdx_class class);

#endif /* MDX_OPTAB_H */
