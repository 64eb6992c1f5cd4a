/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Objects of the device: numbers, owners, references. */
#ifndef HCA_HCA_OBJ_H
#define HCA_HCA_OBJ_H

#include <stdbool.h>

#include "prm.h"

enum hca_obj_type {
	OBJ_NONE, OBJ_UCTX, OBJ_PD, OBJ_UAR, OBJ_TD, OBJ_XRCD, OBJ_EQ, OBJ_MKEY,
	OBJ_CQ, OBJ_QP, OBJ_SQ, OBJ_RQ, OBJ_DCT, OBJ_SRQ, OBJ_XRC_SRQ, OBJ_RMP,
	OBJ_XRQ, OBJ_RQT, OBJ_TIR, OBJ_TIS, OBJ_PSV, OBJ_Q_COUNTER, OBJ_UMEM,
	OBJ_FLOW_TABLE, OBJ_FLOW_GROUP, OBJ_FTE, OBJ_FLOW_COUNTER, OBJ_REFORMAT,
	OBJ_MODIFY_HEADER, OBJ_SCHED, OBJ_MCG, OBJ_VXLAN, OBJ_L2, OBJ_GENERAL,
	OBJ_COUNT
};

/* Owner of objects that every user may refer to, such as completion EQs. */
#define FW_UID_SHARED 0xffff

/**
 * struct hca_obj_desc - properties of an object type
 * @name: name in the control protocol
 * @space: object type whose numbers it shares, itself for most
 * @first: lowest number
 * @last: highest number
 * @cap_bit: position of the log2 of its limit in the general capabilities
 * @cap_width: width of that field; 0 for none: @first to @last is the limit
 * @ctx_in: offset of the context in a create's (and modify's) input, in bytes
 * @ctx_out: offset of the context in a query's output
 * @ctx_len: length of the context
 * @list: offset of the list behind it, in input and output; 0 for none
 */
struct hca_obj_desc {
	const char *name;
	enum hca_obj_type space;
	u32 first;
	u32 last;
	u16 cap_bit;
	u16 cap_width;
	u16 ctx_in;
	u16 ctx_out;
	u16 ctx_len;
	u16 list;
};

extern const struct hca_obj_desc hca_obj_descs[OBJ_COUNT];

/**
 * struct fw_mem - memory of a queue or a umem
 * @umem: umem that holds the queue; NULL if the queue has its own page list
 * @pas: page list in host order without flag bits, @npas entries
 * @npas: number of pages
 * @log_page: log2 of the page size in bytes
 * @off: offset of the first byte: in the first page, or in the umem
 * @dbr: guest physical address of the doorbell record
 */
struct fw_mem {
	struct hca_obj *umem;
	u64 *pas;
	size_t npas;
	u8 log_page;
	u64 off;
	u64 dbr;
};

/**
 * struct hca_obj - an object
 * @older: list of all objects in the order of creation
 * @newer: list of all objects
 * @chain: next in the hash bucket
 * @type: object type
 * @uid: owner
 * @state: state, for object types that have one; else 0
 * @drained: DRAIN_DCT was executed (DCT)
 * @key: number, unique in the type's space
 * @span: number of consecutive numbers it has: 1, except for bulks
 * @refs: number of objects that refer to it
 * @deps: the objects it refers to, @ndeps of them
 * @ndeps: number of @deps
 * @in: input mailbox of its create, changed by modifies, of @in_len bytes
 * @in_len: length of @in
 * @mem: memory
 */
struct hca_obj {
	struct hca_obj *older;
	struct hca_obj *newer;
	struct hca_obj *chain;
	enum hca_obj_type type;
	u16 uid;
	u8 state;
	bool drained;
	u64 key;
	u32 span;
	u32 refs;
	struct hca_obj **deps;
	size_t ndeps;
	u8 *in;
	size_t in_len;
	struct fw_mem mem;
};

#define HCA_OBJ_BUCKETS 4096

/**
 * struct hca_obj_store - all objects of the device
 * @oldest: list of all objects
 * @newest: list of all objects
 * @bucket: hash of the objects by space and number
 * @live: number of objects by type
 * @next: by space: start of the search for a free number
 * @bulks: number of objects with more than one number
 * @fte_changes: flow table entries created and destroyed so far
 */
struct hca_obj_store {
	struct hca_obj *oldest;
	struct hca_obj *newest;
	struct hca_obj *bucket[HCA_OBJ_BUCKETS];
	u32 live[OBJ_COUNT];
	u32 next[OBJ_COUNT];
	u32 bulks;
	u32 fte_changes;
};

struct hca_obj *obj_find(struct hca_obj_store *store, enum hca_obj_type type,
			 u64 key);
/*
 * The first of @span free numbers of @type's space, or 0. A number that was
 * freed is used again as late as possible.
 */
u32 obj_number(struct hca_obj_store *store, enum hca_obj_type type, u32 span);
struct hca_obj *obj_add(struct hca_obj_store *store, enum hca_obj_type type,
			u64 key, u16 uid, const u8 *in, size_t in_len);
void obj_del(struct hca_obj_store *store, struct hca_obj *obj);
/*
 * Replace the references of @obj by @deps, whose memory @obj owns from now on.
 */
void obj_set_refs(struct hca_obj *obj, struct hca_obj **deps, size_t ndeps);
/* The first object of @type that @obj refers to, or NULL. */
struct hca_obj *obj_dep(const struct hca_obj *obj, enum hca_obj_type type);

/* The context of @obj in its stored mailbox. */
static inline u8 *obj_ctx(const struct hca_obj *obj)
{
	return obj->in + hca_obj_descs[obj->type].ctx_in;
}

#endif /* HCA_HCA_OBJ_H */
