/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Object types of the tests: all that DEVX can create, with the builders of
 * their mailboxes and the objects they need. Creating an object creates those
 * it needs.
 */
#ifndef MDX_TEST_OBJTYPES_H
#define MDX_TEST_OBJTYPES_H

#include "world.h"

#define NEEDS(id) (1ULL << (id))

/**
 * struct objtype - an object type
 * @name: in test names and messages
 * @live: in the answers of the control port
 * @create: opcodes, 0 where there is no such command
 * @in_len: of the create, without a list; the length that the module requires
 * @list_len: of the list the builder appends
 * @out_len: of its answer
 * @num: field with the number, of the answer or, if @num_chosen, of the input
 * @num_chosen: the caller chooses the number
 * @query_in: lengths of the query
 * @query_out: see @query_in
 * @query_num: field of the query with the number
 * @modify_in: length of the modify, without a list
 * @modify_list: of the list the builder appends
 * @modify_num: field of the modify with the number
 * @needs: bit per type of the objects it refers to
 * @fill: fills the create, whose header is there already
 * @fill_query: fills the query, whose number is there already
 * @fill_modify: likewise
 * @has: does the device advertise it; NULL: every device has it
 * @check: does the answer of a query show what create wrote; NULL: nothing to
 *	compare
 * @check_modify: likewise, for what modify wrote
 */
struct objtype {
	const char *name;
	const char *live;
	uint16_t create;
	uint16_t destroy;
	uint16_t query;
	uint16_t modify;
	uint16_t in_len;
	uint16_t list_len;
	uint16_t out_len;
	struct mbox_field num;
	bool num_chosen;
	uint16_t query_in;
	uint16_t query_out;
	struct mbox_field query_num;
	uint16_t modify_in;
	uint16_t modify_list;
	struct mbox_field modify_num;
	uint64_t needs;
	void (*fill)(struct mdx_world *w, void *in);
	void (*fill_query)(struct mdx_world *w, void *in);
	void (*fill_modify)(struct mdx_world *w, void *in);
	bool (*has)(struct mdx_world *w);
	bool (*check)(struct mdx_world *w, const void *out);
	bool (*check_modify)(struct mdx_world *w, const void *out);
};

extern const struct objtype objtypes[OBJTYPE_COUNT];

/* The device advertises the type and all it needs. */
bool objtype_advertised(struct mdx_world *w, enum objtype_id t);

/* Number by which the control port lists it, or -1 if that is another one. */
int64_t objtype_live_num(struct mdx_world *w, enum objtype_id t);

/* Everything an object needs, but not itself. */
int objtype_create_needs(struct mdx_world *w, enum objtype_id t);

/* Build a command into w->in and describe it in w->m. */
void objtype_build_create(struct mdx_world *w, enum objtype_id t);
void objtype_build_query(struct mdx_world *w, enum objtype_id t);
void objtype_build_modify(struct mdx_world *w, enum objtype_id t);

/* All it needs and itself; objects that exist already stay. */
int objtype_create(struct mdx_world *w, enum objtype_id t);
/* One more object, even if there is one already. */
int objtype_create_more(struct mdx_world *w, enum objtype_id t,
			struct test_obj *obj);
int objtype_destroy(struct mdx_world *w, enum objtype_id t);

/* Transitions of a QP by DEVX: RST to INIT, INIT to RTR, RTR to RTS. */
void qp_build_init(struct mdx_world *w);
void qp_build_rtr(struct mdx_world *w);
void qp_build_rts(struct mdx_world *w);

#endif /* MDX_TEST_OBJTYPES_H */
