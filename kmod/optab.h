/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The command table: everything the module knows about an opcode.
 */
#ifndef MDX_OPTAB_H
#define MDX_OPTAB_H

#include <linux/types.h>

/* Longest mailbox that destroys an object. */
#define MDX_UNDO_LEN_MAX 64

/* Every command and every answer has at least this much. */
#define MDX_HDR_LEN 16

/**
 * enum mdx_class - Which ioctl a command belongs to
 * @MDX_OP_CREATE: MDX_IOC_OBJ_CREATE
 * @MDX_OP_MODIFY: MDX_IOC_OBJ_MODIFY
 * @MDX_OP_QUERY: MDX_IOC_OBJ_QUERY
 * @MDX_OP_GENERAL: MDX_IOC_GENERAL
 *
 * What destroys an object is in the row that creates it.
 */
enum mdx_class {
	MDX_OP_CREATE,
	MDX_OP_MODIFY,
	MDX_OP_QUERY,
	MDX_OP_GENERAL,
};

/**
 * enum mdx_op_flags - What is special about a command
 * @MDX_OP_F_ID_IN: the caller chooses the id of what is created: it is in the
 *	input, not in the answer
 * @MDX_OP_F_OBJ_TYPE: the header's obj_type is part of the object's identity
 * @MDX_OP_F_BULK: creates as many ids in a row as the input asks for
 * @MDX_OP_F_MKEY: an mkey names memory only if it is not made of other mkeys
 * @MDX_OP_F_CQ: goes through mlx5_core, which delivers the events of CQs
 * @MDX_OP_F_DCT: drained before it is destroyed
 * @MDX_OP_F_ISSI0: on a device in issi 0 it names memory by physical address
 */
enum mdx_op_flags {
	MDX_OP_F_ID_IN = 1 << 0,
	MDX_OP_F_OBJ_TYPE = 1 << 1,
	MDX_OP_F_BULK = 1 << 2,
	MDX_OP_F_MKEY = 1 << 3,
	MDX_OP_F_CQ = 1 << 4,
	MDX_OP_F_DCT = 1 << 5,
	MDX_OP_F_ISSI0 = 1 << 6,
};

/*
 * What names what when it is created, from the top: an object names such of lower
 * levels only, scheduling elements and mkeys aside.
 */
enum mdx_level {
	MDX_LEVEL_DOMAIN,	/* PD, TD, XRCD */
	MDX_LEVEL_CQ,		/* CQ, counters of queues */
	MDX_LEVEL_SRQ,		/* shared receive queues, PSV, scheduling */
	MDX_LEVEL_RQ,		/* RQ, TIS, mkey */
	MDX_LEVEL_QP,		/* QP, DCT, SQ, RQT */
	MDX_LEVEL_TIR,		/* TIR, and what flow rules name */
	MDX_LEVEL_TABLE,	/* flow table */
	MDX_LEVEL_GROUP,	/* flow group */
	MDX_LEVEL_RULE,		/* flow rule, multicast */
	MDX_LEVELS
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
 * struct mdx_undo - How an object is destroyed
 * @opcode: the command
 * @len: its length
 * @id: where the id goes
 * @copy: what else tells the object apart: goes where it was in the input that
 *	created it; ends with a zero width
 */
struct mdx_undo {
	u16 opcode;
	u16 len;
	struct mdx_field id;
	struct mdx_field copy[7];
};

/**
 * struct mdx_op - A command in one of its roles
 * @opcode: of the command
 * @kind: opcode that creates the objects it is about; 0 in MDX_OP_GENERAL
 * @class: enum mdx_class
 * @flags: enum mdx_op_flags
 * @level: enum mdx_level of what is created
 * @min_in: length of the input's layout without a variable part at its end
 * @min_out: length an answer needs at least
 * @id: where the id is: in the input, or in the answer of a create without
 *	MDX_OP_F_ID_IN
 * @must: a field of the header that has to be @must_be; no width: none
 * @must_be: value of @must
 * @force: bits the kernel sets in the input, ends with 0: they say that memory
 *	is named by umem
 * @undo: how to destroy what is created
 */
struct mdx_op {
	u16 opcode;
	u16 kind;
	u8 class;
	u8 flags;
	u8 level;
	u16 min_in;
	u16 min_out;
	struct mdx_field id;
	struct mdx_field must;
	u16 must_be;
	u16 force[3];
	const struct mdx_undo *undo;
};

extern const struct mdx_op mdx_ops[];
extern const unsigned int mdx_ops_n;

void mdx_op_init(void);
int mdx_op_find(const struct mdx_op **opp, const void *hdr,
		enum mdx_class class);

#endif /* MDX_OPTAB_H */
