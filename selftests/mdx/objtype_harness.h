/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Shared by the tests of every object type. Their variants are the types; those
 * that the device does not advertise are removed before the tests run.
 */
#ifndef MDX_TEST_OBJTYPE_HARNESS_H
#define MDX_TEST_OBJTYPE_HARNESS_H

#include "kselftest_harness.h"
#include "objtypes.h"

#define FAULT_SYNDROME 0x00abcdef

#define SETUP_WORLD(w, statement)					\
	do {								\
		SETUP_DEVICE(statement);				\
		ASSERT_EQ(0, world_start(w));				\
	} while (0)

/* The call fails before the device sees the command, and writes no answer. */
#define EXPECT_REFUSED(err, w, opcode, expr)				\
	do {								\
		long seen_ = (w)->hca ? hca_count((w)->hca, opcode) : 0; \
		uint32_t objs_ = mdx_objs((w)->mdx.fd);			\
									\
		memset((w)->out, FILL, sizeof((w)->out));		\
		EXPECT_EQ(err, expr);					\
		EXPECT_TRUE(all_bytes((w)->out, FILL, sizeof((w)->out))); \
		EXPECT_EQ(objs_, mdx_objs((w)->mdx.fd));		\
		if ((w)->hca)						\
			EXPECT_EQ(seen_, hca_count((w)->hca, opcode));	\
	} while (0)

/*
 * The debug kernel takes a third of a second for a test, so it runs one object
 * type of each group that the module treats alike. fail_nth_test covers all.
 */
static inline void objtypes_few(bool *there)
{
	static const uint64_t few =
		NEEDS(OBJTYPE_PD) | NEEDS(OBJTYPE_PSV) | NEEDS(OBJTYPE_MKEY) |
		NEEDS(OBJTYPE_MKEY_KLM) | NEEDS(OBJTYPE_CQ) |
		NEEDS(OBJTYPE_QP) | NEEDS(OBJTYPE_MCG) | NEEDS(OBJTYPE_RQT) |
		NEEDS(OBJTYPE_DCT) | NEEDS(OBJTYPE_FTE) |
		NEEDS(OBJTYPE_FLOW_COUNTERS) | NEEDS(OBJTYPE_L2) |
		NEEDS(OBJTYPE_GENERAL);
	int t;

	for (t = 0; mdx_lane_debug() && t < OBJTYPE_COUNT; t++)
		there[t] = there[t] && few & NEEDS(t);
}

/* Every variant's data starts with its object type. */
static inline void objtype_prune(struct __fixture_metadata *f,
				 const bool *there)
{
	struct __fixture_variant_metadata **v = &f->variant;

	while (*v)
		if (there[*(const enum objtype_id *)(*v)->data])
			v = &(*v)->next;
		else
			*v = (*v)->next;
}

/* False without a device; each test is skipped with that reason then. */
static inline bool objtypes_advertised(bool *there)
{
	static struct mdx_world w;
	int t;

	world_share();
	if (!mdx_ibv_device() || access(MDX_NODE, F_OK) || world_start(&w))
		return false;
	for (t = 0; t < OBJTYPE_COUNT; t++)
		there[t] = objtype_advertised(&w, t);
	world_stop(&w);
	return true;
}

#endif /* MDX_TEST_OBJTYPE_HARNESS_H */
