/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the tests of every kind of object share. Their variants are the kinds;
 * those that the device does not advertise are taken out before the tests run.
 */
#ifndef MDX_TEST_KIND_HARNESS_H
#define MDX_TEST_KIND_HARNESS_H

#include "kselftest_harness.h"
#include "kinds.h"

#define FAULT_SYNDROME 0x00abcdef

#define SETUP_WORLD(w, statement)					\
	do {								\
		SETUP_DEVICE(statement);				\
		ASSERT_EQ(0, world_start(w));				\
	} while (0)

/* The call fails, neither the device nor the answer saw anything of it. */
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
 * On the debug kernel, where every test takes a third of a second, those kinds do
 * that the module does not treat alike. fail_nth_test has all of them there.
 */
static inline void kinds_few(bool *there)
{
	static const uint64_t few = NEEDS(KIND_PD) | NEEDS(KIND_PSV) |
		NEEDS(KIND_MKEY) | NEEDS(KIND_MKEY_KLM) | NEEDS(KIND_CQ) |
		NEEDS(KIND_QP) | NEEDS(KIND_MCG) | NEEDS(KIND_RQT) |
		NEEDS(KIND_DCT) | NEEDS(KIND_FTE) | NEEDS(KIND_FLOW_COUNTERS) |
		NEEDS(KIND_L2) | NEEDS(KIND_GENERAL);
	int k;

	for (k = 0; mdx_lane_debug() && k < KIND_COUNT; k++)
		there[k] = there[k] && few & NEEDS(k);
}

/* Every variant's data starts with its kind. */
static inline void kind_prune(struct __fixture_metadata *f, const bool *there)
{
	struct __fixture_variant_metadata **v = &f->variant;

	while (*v)
		if (there[*(const enum kind_id *)(*v)->data])
			v = &(*v)->next;
		else
			*v = (*v)->next;
}

/* False without a device: there is nothing to ask, and every test says so. */
static inline bool kinds_there(bool *there)
{
	static struct world w;
	int k;

	world_share();
	if (!mdx_ibv_device() || access(MDX_NODE, F_OK) || world_start(&w))
		return false;
	for (k = 0; k < KIND_COUNT; k++)
		there[k] = kind_there(&w, k);
	world_stop(&w);
	return true;
}

#endif /* MDX_TEST_KIND_HARNESS_H */
