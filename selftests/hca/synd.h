/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Syndromes: reasons of refusals.
 *
 * Those of a device are not public. These are the model's own, so that a test
 * can tell one reason from another. The low byte is the type of the object
 * concerned (enum hca_obj_type) or 0.
 */
#ifndef HCA_SYND_H
#define HCA_SYND_H

enum fw_synd {
	/* The command */
	SYND_OPCODE = 0xd00100,		/* no such command */
	SYND_IN_LEN = 0xd00200,		/* input mailbox too short */
	SYND_OUT_LEN = 0xd00300,	/* output mailbox too short */
	SYND_OP_MOD = 0xd00400,		/* no such modifier of the command */
	SYND_RESERVED = 0xd00500,	/* reserved field not zero (strict) */
	SYND_LIST_LEN = 0xd00600,	/* list exceeds the mailbox */
	SYND_NOT_INIT = 0xd00700,	/* INIT_HCA or ENABLE_HCA is missing */
	SYND_TUNNEL = 0xd00800,		/* vhca_tunnel_id, but no capability */

	/* The user context */
	SYND_UID_UNKNOWN = 0xd01100,	/* unknown uid */
	SYND_UID_KERNEL = 0xd01200,	/* command is for uid 0 only */
	SYND_UID_CAP = 0xd01300,	/* uid lacks a capability */

	/* The object that the command addresses */
	SYND_UNKNOWN = 0xd02100,	/* no such object */
	SYND_FOREIGN = 0xd02200,	/* object of another uid */
	SYND_IN_USE = 0xd02300,		/* other objects refer to it */
	SYND_STATE = 0xd02400,		/* no such transition from its state */
	SYND_CUR_STATE = 0xd02500,	/* not in the state of the command */
	SYND_EXISTS = 0xd02600,		/* an object has this key already */
	SYND_NOT_DRAINED = 0xd02700,	/* DESTROY_DCT before DRAIN_DCT */

	/* Objects that the command refers to */
	SYND_REF_UNKNOWN = 0xd03100,	/* no such object */
	SYND_REF_FOREIGN = 0xd03200,	/* object of another uid */
	SYND_REF_TYPE = 0xd03300,	/* object of the wrong type */
	SYND_UMEM_RANGE = 0xd03400,	/* buffer exceeds the umem */

	/* Values */
	SYND_LIMIT = 0xd04100,		/* maximum number of objects */
	SYND_NO_ID = 0xd04200,		/* no number is free */
	SYND_VALUE = 0xd04300,		/* value out of range */
	SYND_SIZE = 0xd04400,		/* size out of range */
	SYND_CAP = 0xd04500,		/* capability absent or off */
	SYND_OBJ_TYPE = 0xd04600,	/* no such type of general object */
	SYND_REGISTER = 0xd04700,	/* no such register */
	SYND_CAP_TYPE = 0xd04800,	/* no such type of capability */
	SYND_INDEX = 0xd04900,		/* index out of range */
	SYND_TABLE = 0xd04a00,		/* object is in another flow table */
	SYND_GROUP_RANGE = 0xd04b00,	/* flow index out of group */
	SYND_OVERLAP = 0xd04c00,	/* flow groups overlap */
	SYND_VPORT = 0xd04d00,		/* vport of another manager */
	SYND_MEMORY = 0xd04e00,		/* the model is out of memory */
};

#endif /* HCA_SYND_H */
