// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MDX_IOC_LAST_ERROR: the last failure of a file, its stage, and the device's
 * answer.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "objtypes.h"

#define STATUS 0x08
#define SYNDROME 0x00abcdef

FIXTURE(last)
{
	struct mdx_world w;
	struct mdx_ioc_last_error last;
	int unbound;
	int fd;
};

FIXTURE_SETUP(last)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	self->fd = self->w.mdx.fd;
	self->unbound = mdx_node_open();
	ASSERT_GE(self->unbound, 0);
}

FIXTURE_TEARDOWN(last)
{
	close(self->unbound);
	world_stop(&self->w);
}

static int last_error(int fd, struct mdx_ioc_last_error *last)
{
	memset(last, FILL, sizeof(*last));
	last->size = sizeof(*last);
	last->flags = 0;
	return mdx_ioctl(fd, MDX_IOC_LAST_ERROR, last);
}

/* The expected failure, of this thread. */
#define EXPECT_LAST(_fd, _cmd, _stage, _errno, _opcode, _obj)		\
	do {								\
		ASSERT_EQ(0, last_error(_fd, &self->last));		\
		EXPECT_EQ(MDX_CMD_##_cmd, self->last.out_cmd);		\
		EXPECT_EQ(MDX_STAGE_##_stage, self->last.out_stage);	\
		EXPECT_EQ(_errno, self->last.out_errno);		\
		EXPECT_EQ(_opcode, self->last.out_opcode);		\
		EXPECT_EQ(_obj, self->last.out_obj);			\
		EXPECT_EQ(syscall(SYS_gettid), self->last.out_tid);	\
	} while (0)

#define EXPECT_SAID(_status, _syndrome)					\
	do {								\
		EXPECT_EQ(_status, self->last.out_status);		\
		EXPECT_EQ(_syndrome, self->last.out_syndrome);		\
	} while (0)

static void build_general(struct mdx_world *w, uint16_t opcode)
{
	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(w->in, opcode, 0, 0);
	w->m = (struct mbox_pair){ w->in, w->out, 16, 4096 + 16 };
}

static uint32_t pd_of(struct mdx_world *w)
{
	return objtype_create(w, OBJTYPE_PD) ? 0 : w->obj[OBJTYPE_PD].id;
}

TEST_F(last, new_file_none)
{
	struct mdx_ioc_last_error none = { .size = sizeof(none) };

	ASSERT_EQ(0, last_error(self->unbound, &self->last));
	EXPECT_EQ(0, memcmp(&none, &self->last, sizeof(none)));
	ASSERT_EQ(0, last_error(self->fd, &self->last));
	EXPECT_EQ(MDX_STAGE_NONE, self->last.out_stage);
}

TEST_F(last, info_feature)
{
	struct mdx_ioc_info info;

	test_mdx_info(self->fd, &info);
	EXPECT_TRUE(info.out_features & MDX_FEATURE_LAST_ERROR);
}

TEST_F(last, not_bound)
{
	build_general(&self->w, MLX5_CMD_OP_QUERY_ADAPTER);
	test_err_general(ENOTCONN, self->unbound, &self->w.m);
	EXPECT_LAST(self->unbound, GENERAL, CHECK, ENOTCONN, 0, 0);
	EXPECT_SAID(0, 0);
}

TEST_F(last, opcode_unknown)
{
	build_general(&self->w, NO_OPCODE);
	test_err_general(EOPNOTSUPP, self->fd, &self->w.m);
	EXPECT_LAST(self->fd, GENERAL, CHECK, EOPNOTSUPP, NO_OPCODE, 0);
}

TEST_F(last, opcode_other_class)
{
	build_general(&self->w, MLX5_CMD_OP_ALLOC_PD);
	test_err_general(EINVAL, self->fd, &self->w.m);
	EXPECT_LAST(self->fd, GENERAL, CHECK, EINVAL, MLX5_CMD_OP_ALLOC_PD, 0);
}

TEST_F(last, struct_short)
{
	struct mdx_ioc_general arg = { .size = 8 };

	EXPECT_EQ(EINVAL, mdx_ioctl(self->fd, MDX_IOC_GENERAL, &arg));
	EXPECT_LAST(self->fd, GENERAL, CHECK, EINVAL, 0, 0);
}

TEST_F(last, struct_unmapped)
{
	EXPECT_EQ(EFAULT, mdx_ioctl(self->fd, MDX_IOC_OBJ_CREATE, NULL));
	EXPECT_LAST(self->fd, OBJ_CREATE, MEMORY, EFAULT, 0, 0);
}

TEST_F(last, mailbox_unmapped)
{
	build_general(&self->w, MLX5_CMD_OP_QUERY_ADAPTER);
	self->w.m.in = NULL;
	test_err_general(EFAULT, self->fd, &self->w.m);
	EXPECT_LAST(self->fd, GENERAL, MEMORY, EFAULT, 0, 0);
}

/* A mailbox whose end is not there. */
TEST_F(last, mailbox_end_unmapped)
{
	uint8_t *in = guard_alloc(16, 0);

	ASSERT_NE(NULL, in);
	build_general(&self->w, MLX5_CMD_OP_QUERY_ADAPTER);
	memcpy(in, self->w.in, 16);
	self->w.m.in = in;
	self->w.m.in_len = 32;
	test_err_general(EFAULT, self->fd, &self->w.m);
	EXPECT_LAST(self->fd, GENERAL, MEMORY, EFAULT,
		    MLX5_CMD_OP_QUERY_ADAPTER, 0);
}

TEST_F(last, answer_unwritable)
{
	build_general(&self->w, MLX5_CMD_OP_QUERY_ADAPTER);
	self->w.m.out = NULL;
	test_err_general(EFAULT, self->fd, &self->w.m);
	EXPECT_LAST(self->fd, GENERAL, ANSWER, EFAULT,
		    MLX5_CMD_OP_QUERY_ADAPTER, 0);
}

TEST_F(last, object_missing)
{
	test_err_destroy(ENOENT, self->fd, 12345);
	EXPECT_LAST(self->fd, OBJ_DESTROY, OBJECT, ENOENT, 0, 12345);
}

TEST_F(last, other_object)
{
	uint32_t id = pd_of(&self->w);

	ASSERT_NE(0, id);
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_TIS));
	objtype_build_query(&self->w, OBJTYPE_TIS);
	test_err_query(EINVAL, self->fd, id, &self->w.m);
	EXPECT_LAST(self->fd, OBJ_QUERY, OBJECT, EINVAL,
		    MLX5_CMD_OP_QUERY_TIS, id);
}

/* A verbs object that does not exist. */
TEST_F(last, verbs_object_missing)
{
	struct mdx_world *w = &self->w;

	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(w->in, MLX5_CMD_OP_QUERY_CQ, 0, 1);
	w->m = (struct mbox_pair){ w->in, w->out, SZ(query_cq_in),
			      SZ(query_cq_out) };
	EXPECT_EQ(ENOENT, _test_mdx_verbs_query(self->fd, MDX_VERBS_CQ, 77777,
						&w->m));
	EXPECT_LAST(self->fd, VERBS_QUERY, OBJECT, ENOENT,
		    MLX5_CMD_OP_QUERY_CQ, 77777);
}

TEST_F(last, bind_no_uverbs)
{
	test_err_bind(EBADF, self->unbound, -1, 0);
	EXPECT_LAST(self->unbound, BIND, CHECK, EBADF, 0, 0);
}

TEST_F(last, bind_no_pd)
{
	test_err_bind(ENOENT, self->unbound, self->w.mdx.ctx->cmd_fd, 77777);
	EXPECT_LAST(self->unbound, BIND, OBJECT, ENOENT, 0, 77777);
}

TEST_F(last, bind_refused)
{
	struct ibv_context *ctx = mdx_ctx_open();
	struct ibv_pd *verbs_pd;
	uint32_t pd;

	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_NE(NULL, ctx);
	verbs_pd = ibv_alloc_pd(ctx);
	ASSERT_NE(NULL, verbs_pd);
	pd = verbs_pd->handle;
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_CREATE_MKEY, STATUS,
			      SYNDROME, 1));
	test_err_bind(ENOMEM, self->unbound, ctx->cmd_fd, pd);
	EXPECT_LAST(self->unbound, BIND, DEVICE, ENOMEM,
		    MLX5_CMD_OP_CREATE_MKEY, pd);
	EXPECT_SAID(STATUS, SYNDROME);
	/* It was given back. */
	EXPECT_EQ(0, ibv_dealloc_pd(verbs_pd));
	ibv_close_device(ctx);
}

TEST_F(last, command_refused)
{
	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_QUERY_ADAPTER, STATUS,
			      SYNDROME, 1));
	build_general(&self->w, MLX5_CMD_OP_QUERY_ADAPTER);
	test_err_general(EREMOTEIO, self->fd, &self->w.m);
	EXPECT_LAST(self->fd, GENERAL, DEVICE, EREMOTEIO,
		    MLX5_CMD_OP_QUERY_ADAPTER, 0);
	EXPECT_SAID(STATUS, SYNDROME);
}

TEST_F(last, create_refused)
{
	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_ALLOC_PD, STATUS,
			      SYNDROME, 1));
	objtype_build_create(&self->w, OBJTYPE_PD);
	test_err_create(EREMOTEIO, self->fd, &self->w.m);
	EXPECT_LAST(self->fd, OBJ_CREATE, DEVICE, EREMOTEIO,
		    MLX5_CMD_OP_ALLOC_PD, 0);
	EXPECT_SAID(STATUS, SYNDROME);
}

TEST_F(last, refusal_unwritable)
{
	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_QUERY_ADAPTER, STATUS,
			      SYNDROME, 1));
	build_general(&self->w, MLX5_CMD_OP_QUERY_ADAPTER);
	self->w.m.out = NULL;
	test_err_general(EFAULT, self->fd, &self->w.m);
	EXPECT_LAST(self->fd, GENERAL, ANSWER, EFAULT,
		    MLX5_CMD_OP_QUERY_ADAPTER, 0);
	EXPECT_SAID(STATUS, SYNDROME);
}

/* A destroy has no mailbox: its opcode is that of the command the kernel sent. */
FIXTURE(destroy)
{
	struct mdx_world w;
	struct mdx_ioc_last_error last;
};

FIXTURE_VARIANT(destroy)
{
	enum objtype_id type;
	uint16_t opcode;
};

#define DESTROY(name, _type, op)					\
	FIXTURE_VARIANT_ADD(destroy, name) { .type = _type, .opcode = op }

DESTROY(pd, OBJTYPE_PD, MLX5_CMD_OP_DEALLOC_PD);
DESTROY(mkey, OBJTYPE_MKEY, MLX5_CMD_OP_DESTROY_MKEY);
DESTROY(cq, OBJTYPE_CQ, MLX5_CMD_OP_DESTROY_CQ);
DESTROY(tis, OBJTYPE_TIS, MLX5_CMD_OP_DESTROY_TIS);
DESTROY(dct_drain, OBJTYPE_DCT, MLX5_CMD_OP_DRAIN_DCT);

FIXTURE_SETUP(destroy)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
}

FIXTURE_TEARDOWN(destroy)
{
	world_stop(&self->w);
}

TEST_F(destroy, device_refuses)
{
	struct mdx_world *w = &self->w;
	int fd = w->mdx.fd;
	uint32_t id;

	SKIP_NO_HCA(w->hca, return);
	if (!objtype_advertised(w, variant->type))
		SKIP(return, "the device has no such objects");
	ASSERT_EQ(0, objtype_create(w, variant->type));
	id = w->obj[variant->type].id;
	ASSERT_EQ(0, hca_fail(w->hca, variant->opcode, STATUS, SYNDROME, 1));
	test_err_destroy(EREMOTEIO, fd, id);
	EXPECT_LAST(fd, OBJ_DESTROY, DEVICE, EREMOTEIO, variant->opcode, id);
	EXPECT_SAID(STATUS, SYNDROME);
	test_mdx_destroy(fd, id);
}

TEST_F(last, port_missing)
{
	struct mdx_ioc_query_port arg = {
		.size = sizeof(arg),
		.port_num = 99,
	};

	EXPECT_EQ(EINVAL, mdx_ioctl(self->fd, MDX_IOC_QUERY_PORT, &arg));
	EXPECT_LAST(self->fd, QUERY_PORT, DEVICE, EINVAL, 0, 0);
}

TEST_F(last, success_keeps_it)
{
	test_err_destroy(ENOENT, self->fd, 12345);
	ASSERT_NE(0, pd_of(&self->w));
	build_general(&self->w, MLX5_CMD_OP_QUERY_ADAPTER);
	test_mdx_general(self->fd, &self->w.m);
	EXPECT_LAST(self->fd, OBJ_DESTROY, OBJECT, ENOENT, 0, 12345);
}

TEST_F(last, next_failure_replaces)
{
	test_err_destroy(ENOENT, self->fd, 12345);
	build_general(&self->w, NO_OPCODE);
	test_err_general(EOPNOTSUPP, self->fd, &self->w.m);
	EXPECT_LAST(self->fd, GENERAL, CHECK, EOPNOTSUPP, NO_OPCODE, 0);
	test_err_destroy(ENOENT, self->fd, 54321);
	EXPECT_LAST(self->fd, OBJ_DESTROY, OBJECT, ENOENT, 0, 54321);
	EXPECT_SAID(0, 0);
}

TEST_F(last, failures_counted)
{
	uint64_t before;
	int i;

	ASSERT_EQ(0, last_error(self->fd, &self->last));
	before = self->last.out_count;
	for (i = 0; i < 5; i++)
		test_err_destroy(ENOENT, self->fd, 12345);
	ASSERT_EQ(0, last_error(self->fd, &self->last));
	EXPECT_EQ(before + 5, self->last.out_count);
}

TEST_F(last, own_failure_not_counted)
{
	struct mdx_ioc_last_error arg = { .size = sizeof(arg), .flags = 1 };

	test_err_destroy(ENOENT, self->fd, 12345);
	EXPECT_EQ(EOPNOTSUPP, mdx_ioctl(self->fd, MDX_IOC_LAST_ERROR, &arg));
	EXPECT_EQ(EFAULT, mdx_ioctl(self->fd, MDX_IOC_LAST_ERROR, NULL));
	EXPECT_LAST(self->fd, OBJ_DESTROY, OBJECT, ENOENT, 0, 12345);
}

TEST_F(last, unknown_ioctl_not_counted)
{
	test_err_destroy(ENOENT, self->fd, 12345);
	EXPECT_EQ(ENOTTY, mdx_ioctl(self->fd, _IO(MDX_IOC_TYPE, 200), NULL));
	EXPECT_LAST(self->fd, OBJ_DESTROY, OBJECT, ENOENT, 0, 12345);
}

TEST_F(last, own_per_file)
{
	test_err_destroy(ENOENT, self->fd, 12345);
	ASSERT_EQ(0, last_error(self->unbound, &self->last));
	EXPECT_EQ(0, self->last.out_count);
}

struct error_caller {
	int fd;
	pid_t tid;
};

static void *fail_once(void *arg)
{
	struct error_caller *caller = arg;

	caller->tid = syscall(SYS_gettid);
	_test_mdx_destroy(caller->fd, 12345);
	return NULL;
}

TEST_F(last, thread_named)
{
	struct error_caller caller = { .fd = self->fd };
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, fail_once, &caller));
	pthread_join(thread, NULL);
	ASSERT_EQ(0, last_error(self->fd, &self->last));
	EXPECT_EQ((__u32)caller.tid, self->last.out_tid);
	EXPECT_NE(syscall(SYS_gettid), self->last.out_tid);
}

#define RACERS 4
#define ROUNDS 300

/* Every answer of one failure is of one failure. */
static void *fail_often(void *arg)
{
	int fd = *(int *)arg, i;
	struct mdx_ioc_last_error last;
	long torn = 0;

	for (i = 0; i < ROUNDS; i++) {
		_test_mdx_destroy(fd, syscall(SYS_gettid));
		if (last_error(fd, &last) || last.out_obj != last.out_tid)
			torn++;
	}
	return (void *)torn;
}

/* Threads never see half of a failure. */
TEST_F(last, threads_see_whole_failure)
{
	pthread_t thread[RACERS];
	void *torn;
	int i;

	for (i = 0; i < RACERS; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, fail_often,
					    &self->fd));
	for (i = 0; i < RACERS; i++) {
		pthread_join(thread[i], &torn);
		EXPECT_EQ(NULL, torn);
	}
	ASSERT_EQ(0, last_error(self->fd, &self->last));
	EXPECT_EQ(RACERS * ROUNDS, self->last.out_count);
}

MDX_HARNESS_MAIN(world_share())
