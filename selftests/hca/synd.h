/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Syndromes: why a command was refused.
 *
 * A device's own are not public. These are the model's, so that a test can tell
 * one reason from another: the low byte is the kind of object the reason is
 * about (enum fw_kind, obj.h) or 0, the rest one of these.
 */
#ifndef HCA_SYND_H
#define HCA_SYND_H

enum fw_synd {
	/* The command itself */
	SYND_OPCODE = 0xd00100,		/* no such command */
	SYND_IN_LEN = 0xd00200,		/* input mailbox too short */
	SYND_OUT_LEN = 0xd00300,	/* output mailbox too short */
	SYND_OP_MOD = 0xd00400,		/* no such modifier of the command */
	SYND_RESERVED = 0xd00500,	/* reserved field not zero (strict) */
	SYND_LIST_LEN = 0xd00600,	/* mailbox ends before its list does */
	SYND_NOT_INIT = 0xd00700,	/* INIT_HCA or ENABLE_HCA is missing */
	SYND_TUNNEL = 0xd00800,		/* vhca_tunnel_id, but no capability */

	/* Who asks */
	SYND_UID_UNKNOWN = 0xd01100,	/* no user context has this uid */
	SYND_UID_KERNEL = 0xd01200,	/* command is for uid 0 only */
	SYND_UID_CAP = 0xd01300,	/* the uid lacks the right it takes */

	/* The object the command is about */
	SYND_UNKNOWN = 0xd02100,	/* no such object */
	SYND_FOREIGN = 0xd02200,	/* object of another uid */
	SYND_IN_USE = 0xd02300,		/* other objects still name it */
	SYND_STATE = 0xd02400,		/* no such transition from its state */
	SYND_CUR_STATE = 0xd02500,	/* not in the state the command says */
	SYND_EXISTS = 0xd02600,		/* there is one with this key */
	SYND_NOT_DRAINED = 0xd02700,	/* DESTROY_DCT before DRAIN_DCT */

	/* Objects the command names */
	SYND_REF_UNKNOWN = 0xd03100,	/* names an object that is not there */
	SYND_REF_FOREIGN = 0xd03200,	/* names an object of another uid */
	SYND_REF_KIND = 0xd03300,	/* names an object that does not fit */
	SYND_UMEM_RANGE = 0xd03400,	/* buffer reaches past the umem's end */

	/* Values */
	SYND_LIMIT = 0xd04100,		/* as many objects as there may be */
	SYND_NO_ID = 0xd04200,		/* no number is free */
	SYND_VALUE = 0xd04300,		/* value out of range */
	SYND_SIZE = 0xd04400,		/* size out of range */
	SYND_CAP = 0xd04500,		/* capability not there or not on */
	SYND_OBJ_TYPE = 0xd04600,	/* no such type of general object */
	SYND_REGISTER = 0xd04700,	/* no such register */
	SYND_CAP_TYPE = 0xd04800,	/* no such type of capability */
	SYND_INDEX = 0xd04900,		/* index past the end of a table */
	SYND_TABLE = 0xd04a00,		/* object is in another flow table */
	SYND_GROUP_RANGE = 0xd04b00,	/* flow index not in group's range */
	SYND_OVERLAP = 0xd04c00,	/* flow groups overlap */
	SYND_VPORT = 0xd04d00,		/* vport that is not ours to manage */
	SYND_MEMORY = 0xd04e00,		/* the model is out of memory */
};

#endif /* HCA_SYND_H */
