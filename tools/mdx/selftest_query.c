// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queries of the command table by mlx5_devx and by the stock driver, whose answers
 * have to be equal; and what the device says to inputs of other lengths.
 */
#include <errno.h>
#include <string.h>

#include "opcodes/opcodes.h"
#include "selftest.h"

#define CAP_TYPES 0x40
/* Behind the longest layout; the device ignores them, or refuses. */
#define MORE 4

struct general_query {
	uint16_t opcode;
	uint16_t in_len;
	const char *name;
};

#define OPCODE(number, name)
#define OPCODE_GENERAL(number, name, in) { number, SZ(in), #name },
static const struct general_query general_queries[] = {
#include "opcodes/opcodes.def"
};

/* Counts of both kinds of queries. */
struct query_counts {
	unsigned int equal;
	unsigned int refused;	/* by both, for the same reason */
	unsigned int differ;
	unsigned int changing;	/* the stock driver has two answers, too */
	unsigned int absent;
	char first[96];		/* that differs */
};

static struct cmd_outcome stock_general(struct selftest *t, const void *in, size_t in_len,
				    void *out, size_t out_len)
{
	int err;

	memset(out, 0, out_len);
	err = mlx5dv_devx_general_cmd(t->conn.ctx, in, in_len, out, out_len);
	return outcome_of(err < 0 ? errno : err, out);
}

static struct cmd_outcome our_general(struct selftest *t, const void *in, size_t in_len,
				  void *out, size_t out_len)
{
	struct mbox_pair m = { in, out, in_len, out_len };

	memset(out, 0, out_len);
	return outcome_of(_test_mdx_general(t->conn.fd, &m), out);
}

static void count_difference(struct query_counts *counts, const char *name, long at)
{
	if (!counts->differ++)
		snprintf(counts->first, sizeof(counts->first), "%s at %#lx", name, at);
}

static void compare_general(struct selftest *t, const struct general_query *query,
			    uint16_t op_mod, struct query_counts *counts)
{
	static uint64_t stock[(MBOX_HDR_LEN + CAP_LEN) / 8], ours[(MBOX_HDR_LEN + CAP_LEN) / 8];
	static uint64_t again[(MBOX_HDR_LEN + CAP_LEN) / 8];
	uint64_t in[512 / 8] = { 0 };
	struct cmd_outcome s, o;
	size_t at = 0;

	mdx_hdr(in, query->opcode, op_mod, 0);
	s = stock_general(t, in, query->in_len, stock, sizeof(stock));
	o = our_general(t, in, query->in_len, ours, sizeof(ours));
	stock_general(t, in, query->in_len, again, sizeof(again));
	if (!outcome_equal(&s, &o)) {
		report_line(t, "query %s %#x stock %s ours %s", query->name, op_mod,
			    outcome_text(&s), outcome_text(&o));
		count_difference(counts, query->name, 0);
	} else if (s.err) {
		/* Most types of capabilities are not there. */
		if (query->opcode != MDX_OPCODE_QUERY_HCA_CAP)
			report_line(t, "query %s %#x both %s", query->name, op_mod,
				    outcome_text(&s));
		counts->refused++;
	} else if (!memcmp(stock, ours, sizeof(stock))) {
		report_line(t, "query %s %#x equal", query->name, op_mod);
		counts->equal++;
	} else if (memcmp(stock, again, sizeof(stock))) {
		report_line(t, "query %s %#x changes", query->name, op_mod);
		counts->changing++;
	} else {
		while (((uint8_t *)stock)[at] == ((uint8_t *)ours)[at])
			at++;
		report_line(t, "query %s %#x differs %#zx", query->name, op_mod, at);
		count_difference(counts, query->name, at);
	}
}

static void report_counts(struct selftest *t, const char *name, const struct query_counts *c)
{
	char absent[48] = "";

	if (c->absent)
		snprintf(absent, sizeof(absent), ", %u not of this device or user", c->absent);
	if (c->differ)
		report_result(t, TEST_BAD, name, "%u answers differ from the stock driver's, the first: %s",
			      c->differ, c->first);
	else
		report_result(t, TEST_OK, name,
			      "%u answers equal to the stock driver's, %u refused by both, %u change by themselves%s",
			      c->equal, c->refused, c->changing, absent);
}

void selftest_general(struct selftest *t)
{
	struct query_counts counts = { 0 };
	unsigned int mod;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(general_queries); i++) {
		if (general_queries[i].opcode != MDX_OPCODE_QUERY_HCA_CAP) {
			compare_general(t, &general_queries[i], 0, &counts);
			continue;
		}
		for (mod = 0; mod < 2 * CAP_TYPES; mod++)
			compare_general(t, &general_queries[i], mod, &counts);
	}
	report_counts(t, "general-queries", &counts);
}

/* Those that would change what the port receives. */
static bool left_out(enum objtype_id type)
{
	return type == OBJTYPE_MCG || type == OBJTYPE_L2 || type == OBJTYPE_VXLAN;
}

/*
 * Offset of the first dword that differs, -1 if none does. The objects are two, and
 * where an answer has the number of one, the other may have the number of the other.
 */
static long first_difference(const void *stock, uint32_t stock_num, const void *ours,
			     uint32_t our_num, size_t len)
{
	size_t at;

	for (at = 0; at + 4 <= len; at += 4) {
		uint32_t a = mbox_get32(stock, at), b = mbox_get32(ours, at);

		if (a != b && !((a ^ b) == (stock_num ^ our_num) &&
				(a & 0xffffff) == (stock_num & 0xffffff)))
			return at;
	}
	return -1;
}

/* Builds, creates and queries an object by the stock driver, and destroys it. */
static struct cmd_outcome stock_object(struct selftest *t, enum objtype_id type, uint32_t *num,
				   void *out, size_t out_len)
{
	const struct objtype *o = &objtypes[type];
	struct mdx_world *w = &t->world;
	struct cmd_outcome result;
	struct mlx5dv_devx_obj *obj;
	int err;

	objtype_build_create(w, type);
	obj = mlx5dv_devx_obj_create(w->mdx.ctx, w->in, w->m.in_len, w->out, w->m.out_len);
	if (!obj)
		return outcome_of(errno, w->out);
	*num = mbox_get_field(o->num_chosen ? w->in : w->out, o->num);
	w->obj[type].num = *num;
	objtype_build_query(w, type);
	memset(out, 0, out_len);
	err = mlx5dv_devx_obj_query(obj, w->in, w->m.in_len, out, out_len);
	result = outcome_of(err < 0 ? errno : err, out);
	mlx5dv_devx_obj_destroy(obj);
	w->obj[type].num = 0;
	return result;
}

/* The same by mlx5_devx; the answer is in the world's output. */
static struct cmd_outcome our_object(struct selftest *t, enum objtype_id type, uint32_t *num)
{
	const struct objtype *o = &objtypes[type];
	struct mdx_world *w = &t->world;
	struct test_obj *obj = &w->obj[type];
	struct cmd_outcome result;
	int err;

	objtype_build_create(w, type);
	err = _test_mdx_create(w->mdx.fd, &w->m, &obj->id);
	if (err)
		return outcome_of(err, w->out);
	*num = mbox_get_field(o->num_chosen ? w->in : w->out, o->num);
	obj->num = *num;
	objtype_build_query(w, type);
	result = outcome_of(_test_mdx_query(w->mdx.fd, obj->id, &w->m), w->out);
	objtype_destroy(w, type);
	return result;
}

static void compare_object(struct selftest *t, enum objtype_id type,
			   struct query_counts *counts)
{
	const struct objtype *o = &objtypes[type];
	/* There may be one that another type needs. */
	struct test_obj kept;
	static uint64_t stock[8192 / 8];
	uint32_t stock_num = 0, our_num = 0;
	struct cmd_outcome a, b;
	long at;

	if (left_out(type) || !objtype_advertised(&t->world, type) ||
	    objtype_create_needs(&t->world, type)) {
		report_line(t, "query-object %s absent", o->name);
		counts->absent++;
		return;
	}
	kept = t->world.obj[type];
	a = stock_object(t, type, &stock_num, stock, o->query_out);
	b = our_object(t, type, &our_num);
	t->world.obj[type] = kept;
	if (!outcome_equal(&a, &b)) {
		report_line(t, "query-object %s stock %s ours %s", o->name, outcome_text(&a),
			    outcome_text(&b));
		count_difference(counts, o->name, 0);
		return;
	}
	if (a.err) {
		report_line(t, "query-object %s both %s", o->name, outcome_text(&a));
		counts->refused++;
		return;
	}
	at = first_difference(stock, stock_num, t->world.out, our_num, o->query_out);
	if (at < 0) {
		report_line(t, "query-object %s equal", o->name);
		counts->equal++;
	} else {
		report_line(t, "query-object %s differs %#lx", o->name, at);
		count_difference(counts, o->name, at);
	}
}

/* All objects of the world, of the newest type first. */
static void destroy_all(struct mdx_world *w)
{
	bool progress = true;
	int i;

	while (progress) {
		progress = false;
		for (i = OBJTYPE_COUNT - 1; i >= 0; i--)
			if (w->obj[i].id && !objtype_destroy(w, i))
				progress = true;
	}
}

void selftest_objects(struct selftest *t)
{
	struct query_counts counts = { 0 };
	int i;

	for (i = 0; i < OBJTYPE_COUNT; i++)
		if (objtypes[i].query)
			compare_object(t, i, &counts);
	destroy_all(&t->world);
	report_counts(t, "object-queries", &counts);
}

/*
 * Shorter than the layout, the module refuses; a longer input reaches the device on
 * both ways. By the stock driver, a shorter one reaches it, too.
 */
static bool lengths_of(struct selftest *t, const struct general_query *query)
{
	static uint64_t out[(MBOX_HDR_LEN + CAP_LEN) / 8];
	uint64_t in[512 / 8] = { 0 };
	struct cmd_outcome stock_short, our_short, stock_long, our_long;

	mdx_hdr(in, query->opcode, 0, 0);
	stock_short = stock_general(t, in, query->in_len - 1, out, sizeof(out));
	our_short = our_general(t, in, query->in_len - 1, out, sizeof(out));
	stock_long = stock_general(t, in, query->in_len + MORE, out, sizeof(out));
	our_long = our_general(t, in, query->in_len + MORE, out, sizeof(out));
	report_line(t, "length %s short stock %s ours %s", query->name,
		    outcome_text(&stock_short), outcome_text(&our_short));
	report_line(t, "length %s long stock %s ours %s", query->name,
		    outcome_text(&stock_long), outcome_text(&our_long));
	return our_short.err == EINVAL && outcome_equal(&stock_long, &our_long);
}

void selftest_lengths(struct selftest *t)
{
	const char *first = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(general_queries); i++)
		if (!lengths_of(t, &general_queries[i]) && !first)
			first = general_queries[i].name;
	if (first)
		report_result(t, TEST_BAD, "lengths", "%s: other results than expected", first);
	else
		report_result(t, TEST_OK, "lengths",
			      "%zu commands: one byte less is refused, more is as by the stock driver",
			      ARRAY_SIZE(general_queries));
}
