// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MDX_IOC_SUBMIT: the rules of a batch, one by one.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include "kselftest_harness.h"
#include "batch.h"

#define STATUS 0x08
#define SYNDROME 0x00abcdef
#define LINK MDX_ITEM_LINK
#define DRAIN MDX_ITEM_DRAIN
#define BACK MDX_ITEM_OBJ_BACK

FIXTURE(submit)
{
	struct mdx_world w;
	struct test_batch b;
	uint32_t objs;
	int fd;
};

FIXTURE_SETUP(submit)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	self->fd = self->w.mdx.fd;
	self->objs = mdx_objs(self->fd);
	batch_begin(&self->b);
}

FIXTURE_TEARDOWN(submit)
{
	world_stop(&self->w);
}

#define CREATE(_type, _flags) \
	batch_create(&self->b, &self->w, OBJTYPE_##_type, _flags)
#define NOP(_flags) batch_nop(&self->b, &self->w, _flags)
#define SUBMIT() batch_submit(&self->b, self->fd)
#define FAIL(_op, _n) \
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_##_op, STATUS, SYNDROME, _n))

/* The call fails before anything begins. */
#define EXPECT_NOTHING(_errno)						\
	do {								\
		EXPECT_EQ(_errno, SUBMIT());				\
		EXPECT_TRUE(batch_untouched(&self->b));			\
		EXPECT_EQ(self->objs, mdx_objs(self->fd));		\
	} while (0)

#define EXPECT_DONE(_done, _failed, _first)				\
	do {								\
		EXPECT_EQ(_done, self->b.arg.out_done);			\
		EXPECT_EQ(_failed, self->b.arg.out_failed);		\
		EXPECT_EQ(_first, self->b.arg.out_first_failed);	\
	} while (0)

TEST_F(submit, info_feature)
{
	struct mdx_ioc_info info;

	test_mdx_info(self->fd, &info);
	EXPECT_TRUE(info.out_features & MDX_FEATURE_SUBMIT);
}

TEST_F(submit, one_item)
{
	struct mdx_item *item = CREATE(PD, 0);

	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(1, 0, 1);
	EXPECT_EQ(0, item->out_err);
	EXPECT_NE(0, item->out_obj);
	EXPECT_EQ(0, item->out_status);
	EXPECT_EQ(self->objs + 1, mdx_objs(self->fd));
	test_mdx_destroy(self->fd, item->out_obj);
}

TEST_F(submit, unbound_enotconn)
{
	int fd = mdx_node_open();

	NOP(0);
	ASSERT_GE(fd, 0);
	EXPECT_EQ(ENOTCONN, batch_submit(&self->b, fd));
	close(fd);
}

/* A query shows the number that the reference wrote. */
TEST_F(submit, ref_patches_input)
{
	struct mdx_item *td = CREATE(TD, 0), *tis, *query;
	struct mbox_field num = objtypes[OBJTYPE_TIS].query_num;

	tis = CREATE(TIS, LINK);
	batch_ref(&self->b, 1, TIS_TD_BIT, TIS_TD_WIDTH);
	objtype_build_query(&self->w, OBJTYPE_TIS);
	query = batch_add(&self->b, &self->w, MDX_CMD_OBJ_QUERY, LINK | BACK);
	query->obj = 1;
	batch_ref(&self->b, 1, num.bit, num.width);
	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(3, 0, 3);
	EXPECT_EQ(DEVX_GET(alloc_transport_domain_out, self->b.out[0],
			   transport_domain),
		  DEVX_GET(query_tis_out, self->b.out[2],
			   tis_context.transport_domain));
	test_mdx_destroy(self->fd, tis->out_obj);
	test_mdx_destroy(self->fd, td->out_obj);
}

TEST_F(submit, drain_allows_ref)
{
	CREATE(TD, 0);
	NOP(0);
	CREATE(TIS, DRAIN);
	batch_ref(&self->b, 2, TIS_TD_BIT, TIS_TD_WIDTH);
	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(3, 0, 3);
}

TEST_F(submit, destroy_created)
{
	struct mdx_item *item;

	CREATE(PD, 0);
	item = batch_destroy(&self->b, 1, LINK | BACK);
	ASSERT_EQ(0, SUBMIT());
	EXPECT_EQ(0, item->out_err);
	EXPECT_EQ(self->objs, mdx_objs(self->fd));
}

/* A reference between chains that run beside each other */
TEST_F(submit, ref_other_chain_einval)
{
	CREATE(TD, 0);
	CREATE(TIS, 0);
	batch_ref(&self->b, 1, TIS_TD_BIT, TIS_TD_WIDTH);
	EXPECT_NOTHING(EINVAL);
}

TEST_F(submit, ref_creates_nothing_einval)
{
	NOP(0);
	CREATE(TIS, LINK);
	batch_ref(&self->b, 1, TIS_TD_BIT, TIS_TD_WIDTH);
	EXPECT_NOTHING(EINVAL);
}

TEST_F(submit, ref_not_earlier_einval)
{
	struct mdx_ref *ref;

	CREATE(TD, 0);
	CREATE(TIS, LINK);
	ref = batch_ref(&self->b, 0, TIS_TD_BIT, TIS_TD_WIDTH);
	EXPECT_NOTHING(EINVAL);
	ref->back = 2;
	EXPECT_NOTHING(EINVAL);
	ref->back = UINT16_MAX;
	EXPECT_NOTHING(EINVAL);
}

/* Opcode, uid, tunnel and obj_type are out of reach. */
TEST_F(submit, ref_header_einval)
{
	struct mdx_ref *ref;
	uint32_t bit;

	CREATE(TD, 0);
	CREATE(TIS, LINK);
	ref = batch_ref(&self->b, 1, 0, 1);
	for (bit = 0; bit < 64; bit++) {
		ref->bit = bit;
		EXPECT_NOTHING(EINVAL);
	}
}

TEST_F(submit, ref_bounds_einval)
{
	struct mdx_item *tis;
	struct mdx_ref *ref;

	CREATE(TD, 0);
	tis = CREATE(TIS, LINK);
	ref = batch_ref(&self->b, 1, TIS_TD_BIT, 0);
	EXPECT_NOTHING(EINVAL);
	ref->width = 33;
	EXPECT_NOTHING(EINVAL);
	ref->bit = 64 + 31;
	ref->width = 2;
	EXPECT_NOTHING(EINVAL);
	ref->bit = tis->in_len * 8;
	ref->width = 1;
	EXPECT_NOTHING(EINVAL);
	ref->bit = UINT32_MAX;
	EXPECT_NOTHING(EINVAL);
	ref->bit = TIS_TD_BIT;
	ref->what = MDX_REF_LKEY + 1;
	EXPECT_NOTHING(EOPNOTSUPP);
}

TEST_F(submit, refs_n_einval)
{
	CREATE(TD, 0);
	CREATE(TIS, LINK)->refs_n = 1;
	EXPECT_NOTHING(EINVAL);
	self->b.items[1].refs_n = 0;
	self->b.arg.refs_n = 1;
	EXPECT_NOTHING(EINVAL);
	self->b.arg.refs_n = MDX_SUBMIT_REFS_MAX + 1;
	EXPECT_NOTHING(EINVAL);
}

TEST_F(submit, counts_einval)
{
	CREATE(PD, 0);
	self->b.arg.items_n = 0;
	EXPECT_NOTHING(EINVAL);
	self->b.arg.items_n = MDX_SUBMIT_ITEMS_MAX + 1;
	EXPECT_EQ(EINVAL, SUBMIT());
	self->b.arg.items_n = 1;
	self->b.arg.item_size = 56;
	EXPECT_NOTHING(EINVAL);
	self->b.arg.item_size = 68;
	EXPECT_NOTHING(EINVAL);
	self->b.arg.item_size = MDX_SUBMIT_ITEM_SIZE_MAX + 8;
	EXPECT_NOTHING(EINVAL);
}

/* Items of a later version, with zeros and without */
TEST_F(submit, longer_items)
{
	struct mdx_item *item = CREATE(PD, 0);
	uint8_t buf[2][72] = {};

	memcpy(buf[0], item, sizeof(*item));
	memcpy(buf[1], item, sizeof(*item));
	self->b.arg.items = (uintptr_t)buf;
	self->b.arg.items_n = 2;
	self->b.arg.item_size = sizeof(buf[0]);
	buf[1][71] = 1;
	EXPECT_EQ(E2BIG, SUBMIT());
	EXPECT_EQ(self->objs, mdx_objs(self->fd));
	buf[1][71] = 0;
	EXPECT_EQ(0, SUBMIT());
	EXPECT_EQ(self->objs + 2, mdx_objs(self->fd));
	EXPECT_NE(0, ((struct mdx_item *)buf[1])->out_obj);
}

TEST_F(submit, first_linked_einval)
{
	CREATE(PD, LINK);
	EXPECT_NOTHING(EINVAL);
}

TEST_F(submit, unknown_eopnotsupp)
{
	struct mdx_item *item;

	CREATE(PD, 0);
	item = NOP(BACK << 1);
	EXPECT_NOTHING(EOPNOTSUPP);
	item->flags = 0;
	item->__reserved = 1;
	EXPECT_NOTHING(EOPNOTSUPP);
	item->__reserved = 0;
	item->cmd = MDX_CMD_INFO;
	EXPECT_NOTHING(EOPNOTSUPP);
	item->cmd = MDX_CMD_SUBMIT;
	EXPECT_NOTHING(EOPNOTSUPP);
	item->cmd = UINT16_MAX;
	EXPECT_NOTHING(EOPNOTSUPP);
	item->cmd = MDX_CMD_GENERAL;
	self->b.arg.flags = MDX_SUBMIT_UNDO << 1;
	EXPECT_NOTHING(EOPNOTSUPP);
}

TEST_F(submit, unused_field_einval)
{
	struct mdx_item *item = NOP(0);

	item->obj = 1;
	EXPECT_NOTHING(EINVAL);
	item->obj = 0;
	item->kind = MDX_VERBS_CQ;
	EXPECT_NOTHING(EINVAL);
	item->kind = 0;
	item->cookie = 1;
	EXPECT_NOTHING(EINVAL);
	item->cookie = 0;
	item->cmd = MDX_CMD_OBJ_DESTROY;
	EXPECT_NOTHING(EINVAL);
}

TEST_F(submit, arrays_efault)
{
	NOP(0);
	self->b.arg.items = 0;
	EXPECT_NOTHING(EFAULT);
	self->b.arg.items = (uintptr_t)self->b.items;
	CREATE(TIS, LINK);
	batch_ref(&self->b, 1, TIS_TD_BIT, TIS_TD_WIDTH);
	self->b.arg.refs = 0;
	EXPECT_NOTHING(EFAULT);
}

/* An id of another file, of no object, and of an object of another type */
TEST_F(submit, item_errors)
{
	struct mdx_item *bad_in, *no_obj, *short_in;

	bad_in = NOP(0);
	bad_in->in = 0;
	no_obj = batch_destroy(&self->b, 4711, 0);
	short_in = NOP(0);
	short_in->in_len = 8;
	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(3, 3, 0);
	EXPECT_EQ(EFAULT, bad_in->out_err);
	EXPECT_EQ(ENOENT, no_obj->out_err);
	EXPECT_EQ(EINVAL, short_in->out_err);
}

TEST_F(submit, failed_item_cancels_chain)
{
	struct mdx_item *items = self->b.items;

	SKIP_NO_HCA(self->w.hca, return);
	NOP(0);
	CREATE(PD, 0);
	NOP(LINK);
	NOP(LINK);
	NOP(0);
	FAIL(ALLOC_PD, 1);
	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(3, 1, 1);
	EXPECT_EQ(0, items[0].out_err);
	EXPECT_EQ(EREMOTEIO, items[1].out_err);
	EXPECT_EQ(STATUS, items[1].out_status);
	EXPECT_EQ(SYNDROME, items[1].out_syndrome);
	EXPECT_EQ(0, items[1].out_obj);
	EXPECT_EQ(STATUS, batch_out_status(&self->b, 1));
	EXPECT_EQ(ECANCELED, items[2].out_err);
	EXPECT_EQ(ECANCELED, items[3].out_err);
	EXPECT_EQ(0, items[4].out_err);
}

TEST_F(submit, failed_ref_cancels)
{
	SKIP_NO_HCA(self->w.hca, return);
	CREATE(TD, 0);
	CREATE(TIS, DRAIN);
	batch_ref(&self->b, 1, TIS_TD_BIT, TIS_TD_WIDTH);
	FAIL(ALLOC_TRANSPORT_DOMAIN, 1);
	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(1, 1, 0);
	EXPECT_EQ(ECANCELED, self->b.items[1].out_err);
}

TEST_F(submit, stop_cancels_rest)
{
	SKIP_NO_HCA(self->w.hca, return);
	CREATE(PD, 0);
	NOP(DRAIN);
	NOP(0);
	FAIL(ALLOC_PD, 1);
	self->b.arg.flags = MDX_SUBMIT_STOP;
	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(1, 1, 0);
	EXPECT_EQ(ECANCELED, self->b.items[1].out_err);
	EXPECT_EQ(ECANCELED, self->b.items[2].out_err);
}

/* PD, TD, and a TIS of the TD, which has to be destroyed before the TD */
static void chain_build(struct test_batch *b, struct mdx_world *w)
{
	batch_begin(b);
	batch_create(b, w, OBJTYPE_PD, 0);
	batch_create(b, w, OBJTYPE_TD, LINK);
	batch_create(b, w, OBJTYPE_TIS, LINK);
	batch_ref(b, 1, TIS_TD_BIT, TIS_TD_WIDTH);
	batch_nop(b, w, LINK);
	b->arg.flags = MDX_SUBMIT_UNDO;
}

/* Each item is refused with each status. */
TEST_F(submit, undo_leaves_nothing)
{
	static const uint16_t ops[] = {
		MLX5_CMD_OP_ALLOC_PD, MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN,
		MLX5_CMD_OP_CREATE_TIS, MLX5_CMD_OP_NOP,
	};
	static const uint8_t statuses[] = {
		0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0a, 0x0f,
		0x10, 0x30, 0x40, 0x50, 0x51,
	};
	unsigned int i, k, j;

	SKIP_NO_HCA(self->w.hca, return);
	for (i = 0; i < 4; i++) {
		for (k = 0; k < sizeof(statuses); k++) {
			chain_build(&self->b, &self->w);
			ASSERT_EQ(0, hca_fail(self->w.hca, ops[i], statuses[k],
					      SYNDROME, 1));
			ASSERT_EQ(0, SUBMIT());
			EXPECT_DONE(i + 1, 1, i);
			for (j = 0; j < 4; j++)
				EXPECT_EQ(0, self->b.items[j].out_obj);
			for (j = 0; j < i; j++)
				EXPECT_EQ(0, self->b.items[j].out_err);
			ASSERT_EQ(self->objs, mdx_objs(self->fd));
		}
	}
	EXPECT_EQ(0, hca_live(self->w.hca, self->w.mdx.uid, "tis", -1));
}

/* The TIS stays, and so its TD does; the PD is destroyed. */
TEST_F(submit, undo_refused_keeps)
{
	struct mdx_item *items = self->b.items;

	SKIP_NO_HCA(self->w.hca, return);
	chain_build(&self->b, &self->w);
	FAIL(NOP, 1);
	FAIL(DESTROY_TIS, 1);
	ASSERT_EQ(0, SUBMIT());
	EXPECT_EQ(0, items[0].out_obj);
	EXPECT_NE(0, items[1].out_obj);
	EXPECT_NE(0, items[2].out_obj);
	EXPECT_EQ(self->objs + 2, mdx_objs(self->fd));
	test_mdx_destroy(self->fd, items[2].out_obj);
	test_mdx_destroy(self->fd, items[1].out_obj);
}

/* Chains that succeed are left alone. */
TEST_F(submit, undo_other_chain_stays)
{
	struct mdx_item *other;

	SKIP_NO_HCA(self->w.hca, return);
	chain_build(&self->b, &self->w);
	other = CREATE(PD, 0);
	FAIL(CREATE_TIS, 1);
	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(4, 1, 2);
	EXPECT_NE(0, other->out_obj);
	EXPECT_EQ(self->objs + 1, mdx_objs(self->fd));
}

TEST_F(submit, answer_unwritable_efault)
{
	struct mdx_item *item = CREATE(PD, 0);

	item->out = 0;
	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(1, 1, 0);
	EXPECT_EQ(EFAULT, item->out_err);
	EXPECT_EQ(0, item->out_obj);
	EXPECT_EQ(self->objs, mdx_objs(self->fd));
}

/* The caller cannot be told: the object is destroyed, and nothing begins any more. */
TEST_F(submit, result_unwritable_efault)
{
	struct mdx_item *items = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, items);
	CREATE(PD, 0);
	CREATE(PD, LINK);
	memcpy(items, self->b.items, 2 * sizeof(*items));
	ASSERT_EQ(0, mprotect(items, page_size(), PROT_READ));
	self->b.arg.items = (uintptr_t)items;
	EXPECT_EQ(EFAULT, SUBMIT());
	EXPECT_EQ(self->objs, mdx_objs(self->fd));
}

/* As a call of its own, with the number of the item */
TEST_F(submit, last_error_names_item)
{
	struct mdx_ioc_last_error last = { .size = sizeof(last) };

	SKIP_NO_HCA(self->w.hca, return);
	NOP(0);
	CREATE(PD, 0);
	FAIL(ALLOC_PD, 1);
	ASSERT_EQ(0, SUBMIT());
	ASSERT_EQ(0, mdx_ioctl(self->fd, MDX_IOC_LAST_ERROR, &last));
	EXPECT_EQ(MDX_CMD_OBJ_CREATE, last.out_cmd);
	EXPECT_EQ(MDX_STAGE_DEVICE, last.out_stage);
	EXPECT_EQ(EREMOTEIO, last.out_errno);
	EXPECT_EQ(STATUS, last.out_status);
	EXPECT_EQ(SYNDROME, last.out_syndrome);
	EXPECT_EQ(MLX5_CMD_OP_ALLOC_PD, last.out_opcode);
	EXPECT_EQ(2, last.out_item);
	test_err_destroy(ENOENT, self->fd, 4711);
	ASSERT_EQ(0, mdx_ioctl(self->fd, MDX_IOC_LAST_ERROR, &last));
	EXPECT_EQ(0, last.out_item);
}

static double seconds_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Eight of 16 commands are with the device at a time. */
TEST_F(submit, items_overlap)
{
	double begin, serial, beside;
	int i;

	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, hca_cmd(self->w.hca, "parallel 32"));
	ASSERT_EQ(0, hca_cmd(self->w.hca, "delay 0x%x %u", MLX5_CMD_OP_NOP,
			     100000));
	for (i = 0; i < 16; i++)
		NOP(0);
	begin = seconds_now();
	EXPECT_EQ(0, SUBMIT());
	beside = seconds_now() - begin;
	self->b.arg.in_flight = 1;
	begin = seconds_now();
	EXPECT_EQ(0, SUBMIT());
	serial = seconds_now() - begin;
	TH_LOG("16 items of 100 ms: %.2f s, one at a time %.2f s", beside, serial);
	EXPECT_LT(beside * 3, serial);
	hca_cmd(self->w.hca, "reset-script");
}

#define MANY 4096

/* Memory and time are those of what is under way. */
TEST_F_TIMEOUT(submit, many_items, 120)
{
	struct mdx_item *items = calloc(MANY, sizeof(*items)), *nop = NOP(0);
	/* The debug kernel is slow. */
	uint32_t i, n = mdx_lane_debug() ? MANY / 8 : MANY;

	ASSERT_NE(NULL, items);
	for (i = 0; i < n; i++) {
		items[i] = *nop;
		items[i].flags = i % 3 ? LINK : 0;
	}
	self->b.arg.items = (uintptr_t)items;
	self->b.arg.items_n = n;
	ASSERT_EQ(0, SUBMIT());
	EXPECT_DONE(n, 0, n);
	for (i = 0; i < n; i++)
		ASSERT_EQ(0, items[i].out_err);
	free(items);
}

MDX_HARNESS_MAIN(world_share())
