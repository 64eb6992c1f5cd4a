// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Concurrent calls. The control port tells when a command has reached the
 * device, and the device holds it until the test is done, so no result depends
 * on timing.
 */
#include <pthread.h>
#include <time.h>

#include "kselftest_harness.h"
#include "objtypes.h"

/* Long enough to look at things, short enough for a slow machine's patience. */
#define HOLD_US 1500000
#define THREADS 4

struct race_call {
	struct mdx_world *w;
	int (*fn)(struct race_call *call);
	pthread_t thread;
	uint64_t in[64];
	uint64_t out[64];
	struct mbox_pair m;
	enum objtype_id type;
	int ret;
	bool done;
};

static void *call_thread(void *arg)
{
	struct race_call *call = arg;

	call->ret = call->fn(call);
	__atomic_store_n(&call->done, true, __ATOMIC_SEQ_CST);
	return NULL;
}

static int call_query(struct race_call *call)
{
	return _test_mdx_query(call->w->mdx.fd, call->w->obj[call->type].id,
			       &call->m);
}

static int call_modify(struct race_call *call)
{
	return _test_mdx_modify(call->w->mdx.fd, call->w->obj[call->type].id,
				&call->m);
}

static int call_destroy(struct race_call *call)
{
	return _test_mdx_destroy(call->w->mdx.fd, call->w->obj[call->type].id);
}

static int call_start(struct race_call *call, struct mdx_world *w,
		      enum objtype_id t, int (*fn)(struct race_call *call))
{
	call->w = w;
	call->type = t;
	call->fn = fn;
	call->done = false;
	if (fn == call_modify)
		objtype_build_modify(w, t);
	else
		objtype_build_query(w, t);
	memcpy(call->in, w->in, sizeof(call->in));
	call->m = (struct mbox_pair){
		call->in, call->out, w->m.in_len, w->m.out_len,
	};
	return pthread_create(&call->thread, NULL, call_thread, call);
}

static bool call_is_done(struct race_call *call)
{
	return __atomic_load_n(&call->done, __ATOMIC_SEQ_CST);
}

static int call_end(struct race_call *call)
{
	pthread_join(call->thread, NULL);
	return call->ret;
}

static void short_sleep(void)
{
	struct timespec ts = { .tv_nsec = 2000000 };

	nanosleep(&ts, NULL);
}

/* Wait until the device has received @n commands of @opcode. */
static bool wait_count(struct hca_ctl *hca, uint16_t opcode, long n)
{
	int i;

	for (i = 0; i < 2000; i++) {
		if (hca_count(hca, opcode) >= n)
			return true;
		short_sleep();
	}
	return false;
}

static bool hold_opcode(struct mdx_world *w, uint16_t opcode, unsigned int us)
{
	return !hca_cmd(w->hca, "parallel 16") &&
	       !hca_cmd(w->hca, "delay 0x%x %u", opcode, us);
}

FIXTURE(race)
{
	struct mdx_world w;
	struct race_call call[THREADS];
	long seen;
};

FIXTURE_SETUP(race)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	if (!self->w.hca) {
		world_stop(&self->w);
		SKIP_NO_HCA(self->w.hca, return);
	}
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_TIS));
}

FIXTURE_TEARDOWN(race)
{
	world_stop(&self->w);
}

/* A destroy while a query runs is busy. */
TEST_F(race, destroy_during_query_ebusy)
{
	struct mdx_world *w = &self->w;

	self->seen = hca_count(w->hca, MLX5_CMD_OP_QUERY_TIS);
	ASSERT_TRUE(hold_opcode(w, MLX5_CMD_OP_QUERY_TIS, HOLD_US));
	ASSERT_EQ(0, call_start(&self->call[0], w, OBJTYPE_TIS, call_query));
	ASSERT_TRUE(wait_count(w->hca, MLX5_CMD_OP_QUERY_TIS, self->seen + 1));
	test_err_destroy(EBUSY, w->mdx.fd, w->obj[OBJTYPE_TIS].id);
	EXPECT_FALSE(call_is_done(&self->call[0]));
	EXPECT_EQ(0, call_end(&self->call[0]));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_TIS));
}

/* A destroy while a modify runs is busy. */
TEST_F(race, destroy_during_modify_ebusy)
{
	struct mdx_world *w = &self->w;

	self->seen = hca_count(w->hca, MLX5_CMD_OP_MODIFY_TIS);
	ASSERT_TRUE(hold_opcode(w, MLX5_CMD_OP_MODIFY_TIS, HOLD_US));
	ASSERT_EQ(0, call_start(&self->call[0], w, OBJTYPE_TIS, call_modify));
	ASSERT_TRUE(wait_count(w->hca, MLX5_CMD_OP_MODIFY_TIS,
			       self->seen + 1));
	test_err_destroy(EBUSY, w->mdx.fd, w->obj[OBJTYPE_TIS].id);
	EXPECT_FALSE(call_is_done(&self->call[0]));
	EXPECT_EQ(0, call_end(&self->call[0]));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_TIS));
}

/* Queries and a second destroy while a destroy runs are busy. */
TEST_F(race, calls_during_destroy_ebusy)
{
	struct mdx_world *w = &self->w;

	self->seen = hca_count(w->hca, MLX5_CMD_OP_DESTROY_TIS);
	ASSERT_TRUE(hold_opcode(w, MLX5_CMD_OP_DESTROY_TIS, HOLD_US));
	ASSERT_EQ(0, call_start(&self->call[0], w, OBJTYPE_TIS, call_destroy));
	ASSERT_TRUE(wait_count(w->hca, MLX5_CMD_OP_DESTROY_TIS,
			       self->seen + 1));
	objtype_build_query(w, OBJTYPE_TIS);
	test_err_query(EBUSY, w->mdx.fd, w->obj[OBJTYPE_TIS].id, &w->m);
	test_err_destroy(EBUSY, w->mdx.fd, w->obj[OBJTYPE_TIS].id);
	EXPECT_FALSE(call_is_done(&self->call[0]));
	EXPECT_EQ(0, call_end(&self->call[0]));
	test_err_destroy(ENOENT, w->mdx.fd, w->obj[OBJTYPE_TIS].id);
}

/* Another object is destroyed while a query runs. */
TEST_F(race, destroy_other_during_query)
{
	struct mdx_world *w = &self->w;

	ASSERT_EQ(0, objtype_create(w, OBJTYPE_PD));
	self->seen = hca_count(w->hca, MLX5_CMD_OP_QUERY_TIS);
	ASSERT_TRUE(hold_opcode(w, MLX5_CMD_OP_QUERY_TIS, HOLD_US));
	ASSERT_EQ(0, call_start(&self->call[0], w, OBJTYPE_TIS, call_query));
	ASSERT_TRUE(wait_count(w->hca, MLX5_CMD_OP_QUERY_TIS, self->seen + 1));
	EXPECT_EQ(0, objtype_destroy(w, OBJTYPE_PD));
	EXPECT_FALSE(call_is_done(&self->call[0]));
	EXPECT_EQ(0, call_end(&self->call[0]));
}

/* All of them are in the device before the first of them is answered. */
static bool all_overlap(struct mdx_world *w, struct race_call *call,
			uint16_t opcode, long seen)
{
	bool all = wait_count(w->hca, opcode, seen + THREADS);
	int i;

	for (i = 0; i < THREADS; i++)
		if (call_is_done(&call[i]))
			all = false;
	return all;
}

TEST_F(race, queries_overlap)
{
	struct mdx_world *w = &self->w;
	int i;

	self->seen = hca_count(w->hca, MLX5_CMD_OP_QUERY_TIS);
	ASSERT_TRUE(hold_opcode(w, MLX5_CMD_OP_QUERY_TIS, HOLD_US));
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, call_start(&self->call[i], w, OBJTYPE_TIS,
					call_query));
	EXPECT_TRUE(all_overlap(w, self->call, MLX5_CMD_OP_QUERY_TIS,
				self->seen));
	for (i = 0; i < THREADS; i++)
		EXPECT_EQ(0, call_end(&self->call[i]));
}

TEST_F(race, modifies_overlap)
{
	struct mdx_world *w = &self->w;
	int i;

	self->seen = hca_count(w->hca, MLX5_CMD_OP_MODIFY_TIS);
	ASSERT_TRUE(hold_opcode(w, MLX5_CMD_OP_MODIFY_TIS, HOLD_US));
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, call_start(&self->call[i], w, OBJTYPE_TIS,
					call_modify));
	EXPECT_TRUE(all_overlap(w, self->call, MLX5_CMD_OP_MODIFY_TIS,
				self->seen));
	for (i = 0; i < THREADS; i++)
		EXPECT_EQ(0, call_end(&self->call[i]));
}

TEST_F(race, info_during_query)
{
	struct mdx_world *w = &self->w;

	self->seen = hca_count(w->hca, MLX5_CMD_OP_QUERY_TIS);
	ASSERT_TRUE(hold_opcode(w, MLX5_CMD_OP_QUERY_TIS, HOLD_US));
	ASSERT_EQ(0, call_start(&self->call[0], w, OBJTYPE_TIS, call_query));
	ASSERT_TRUE(wait_count(w->hca, MLX5_CMD_OP_QUERY_TIS, self->seen + 1));
	EXPECT_EQ(2, mdx_objs(w->mdx.fd));
	EXPECT_FALSE(call_is_done(&self->call[0]));
	EXPECT_EQ(0, call_end(&self->call[0]));
}

/* Errors that a thread must not get about an object other threads use, too. */
static bool is_odd(int ret)
{
	return ret && ret != ENOENT && ret != EBUSY;
}

#define ROUNDS 60

static uint32_t shared_id, shared_num;

static int call_churn(struct race_call *call)
{
	struct mdx_world *w = call->w;
	uint64_t in[64] = { 0 }, out[64];
	struct mbox_pair m = { in, out, 0, 16 };
	int round, ret, odd = 0;
	uint32_t id;

	for (round = 0; round < ROUNDS; round++) {
		mdx_hdr(in, MLX5_CMD_OP_CREATE_TIS, 0, 0);
		memset(in + 2, 0, sizeof(in) - 16);
		DEVX_SET(create_tis_in, in, ctx.transport_domain,
			 w->obj[OBJTYPE_TD].num);
		m.in_len = SZ(create_tis_in);
		m.out_len = 16;
		odd += !!_test_mdx_create(w->mdx.fd, &m, &id);
		shared_num = DEVX_GET(create_tis_out, out, tisn);
		shared_id = id;

		mdx_hdr(in, MLX5_CMD_OP_QUERY_TIS, 0, shared_num);
		m.in_len = 16;
		m.out_len = SZ(query_tis_out);
		ret = _test_mdx_query(w->mdx.fd, shared_id, &m);
		odd += is_odd(ret) && ret != EINVAL;
		odd += is_odd(_test_mdx_destroy(w->mdx.fd, shared_id));
		odd += is_odd(_test_mdx_destroy(w->mdx.fd, id));
	}
	return odd;
}

/* Threads that share objects leave none behind. */
TEST_F(race, shared_objects_nothing_left)
{
	struct mdx_world *w = &self->w;
	int i;

	ASSERT_EQ(0, objtype_destroy(w, OBJTYPE_TIS));
	for (i = 0; i < THREADS; i++) {
		self->call[i].w = w;
		self->call[i].fn = call_churn;
		ASSERT_EQ(0, pthread_create(&self->call[i].thread, NULL,
					    call_thread, &self->call[i]));
	}
	for (i = 0; i < THREADS; i++)
		EXPECT_EQ(0, call_end(&self->call[i]));
	close(w->mdx.fd);
	w->mdx.fd = -1;
	EXPECT_EQ(0, hca_live(w->hca, w->mdx.uid, "tis", -1));
}

MDX_HARNESS_MAIN(world_share())
