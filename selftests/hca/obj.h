/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The objects of the device: their numbers, owners, and who names whom.
 */
#ifndef HCA_OBJ_H
#define HCA_OBJ_H

#include "fw.h"
#include "prm.h"

enum fw_kind {
	K_NONE, K_UCTX, K_PD, K_UAR, K_TD, K_XRCD, K_EQ, K_MKEY, K_CQ, K_QP,
	K_SQ, K_RQ, K_DCT, K_SRQ, K_XRC_SRQ, K_RMP, K_XRQ, K_RQT, K_TIR, K_TIS,
	K_PSV, K_Q_COUNTER, K_UMEM, K_FLOW_TABLE, K_FLOW_GROUP, K_FTE,
	K_FLOW_COUNTER, K_REFORMAT, K_MODIFY_HEADER, K_SCHED, K_MCG, K_VXLAN,
	K_L2, K_GENERAL,
	K_COUNT
};

/* uid of what everybody may name, as completion EQs are. */
#define FW_UID_SHARED 0xffff

/**
 * struct fw_kind_desc - what the generic code knows of a kind
 * @name: in the control language
 * @space: kind whose numbers it shares (itself, mostly)
 * @first: lowest number
 * @last: highest number
 * @cap_bit: where general capabilities have the log2 of its limit
 * @cap_width: its width; 0 for no such field: then all of its numbers
 * @ctx_in: its context in a create's (and modify's) input, in bytes
 * @ctx_out: its context in a query's output
 * @ctx_len: length of the context
 * @list: page or other list behind it, in input and output; 0 for none
 */
struct fw_kind_desc {
	const char *name;
	enum fw_kind space;
	u32 first;
	u32 last;
	u16 cap_bit;
	u16 cap_width;
	u16 ctx_in;
	u16 ctx_out;
	u16 ctx_len;
	u16 list;
};

extern const struct fw_kind_desc fw_kinds[K_COUNT];

/**
 * struct fw_mem - a queue's memory, or a umem
 * @umem: the umem it is in; NULL for a page list of its own
 * @pas: page list, in host order without flag bits: @npas of them
 * @npas: number of pages
 * @log_page: log2 of the page size in bytes
 * @off: of the first byte: in the first page, or in the umem
 * @dbr: guest physical address of the doorbell record
 */
struct fw_mem {
	struct fw_obj *umem;
	u64 *pas;
	size_t npas;
	u8 log_page;
	u64 off;
	u64 dbr;
};

/**
 * struct fw_obj - an object
 * @older: list of all, in the order of creation
 * @newer: list of all
 * @chain: next in its hash bucket
 * @kind: its kind
 * @uid: its owner
 * @state: where a kind has one; else 0
 * @dead: drained (DCT)
 * @key: its number; what tells it apart in its space
 * @span: numbers it takes: 1, but for bulks
 * @refs: how many objects name it
 * @deps: the objects it names, @ndeps of them
 * @in: the create's input mailbox, as modifies changed it: @in_len bytes
 * @mem: its memory
 */
struct fw_obj {
	struct fw_obj *older;
	struct fw_obj *newer;
	struct fw_obj *chain;
	enum fw_kind kind;
	u16 uid;
	u8 state;
	bool dead;
	u64 key;
	u32 span;
	u32 refs;
	struct fw_obj **deps;
	size_t ndeps;
	u8 *in;
	size_t in_len;
	struct fw_mem mem;
};

#define FW_BUCKETS 4096

struct fw_store {
	struct fw_obj *oldest;
	struct fw_obj *newest;
	struct fw_obj *bucket[FW_BUCKETS];
	u32 live[K_COUNT];
	u32 next[K_COUNT];	/* by space: where the next number is sought */
	u32 bulks;		/* objects that take more than one number */
};

struct fw_obj *obj_find(struct fw_store *store, enum fw_kind kind, u64 key);
/* A free number of @kind's space, or 0; they come back as late as possible. */
u32 obj_number(struct fw_store *store, enum fw_kind kind, u32 span);
struct fw_obj *obj_add(struct fw_store *store, enum fw_kind kind, u64 key,
		       u16 uid, const u8 *in, size_t in_len);
void obj_del(struct fw_store *store, struct fw_obj *obj);
/* @obj names @deps (whose memory it takes over) instead of what it named. */
void obj_name(struct fw_obj *obj, struct fw_obj **deps, size_t ndeps);
/* The first dependency of @kind, or NULL. */
struct fw_obj *obj_dep(const struct fw_obj *obj, enum fw_kind kind);

/* The object's own context, inside its stored mailbox. */
static inline u8 *obj_ctx(const struct fw_obj *obj)
{
	return obj->in + fw_kinds[obj->kind].ctx_in;
}

#endif /* HCA_OBJ_H */
