// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The mkey by which bind verifies the uid: its mailbox, and a device that refuses
 * it.
 */
#include "kselftest_harness.h"
#include "mdx_utils.h"
#include "opcodes.h"

#define REFUSED "the device refused an mkey"
#define SYNDROME 0x00abc123
/* On a slow guest, a module takes its time to unload and load. */
#define RELOAD_SECONDS 120

struct unbound {
	struct hca_ctl *hca;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	int fd;
};

/*
 * A module logs only the first refusal, so each test loads its own. A test that was
 * ended by its timeout may have left none.
 */
static bool module_reload(void)
{
	if (mdx_module_loaded() && run("rmmod mlx5_devx"))
		return false;
	return !run("modprobe mlx5_devx");
}

static int unbound_start(struct unbound *u)
{
	u->ctx = mdx_ctx_open();
	if (!u->ctx)
		return errno;
	u->pd = ibv_alloc_pd(u->ctx);
	if (!u->pd)
		return errno;
	u->fd = mdx_node_open();
	return u->fd < 0 ? errno : 0;
}

static void unbound_stop(struct unbound *u)
{
	if (u->fd >= 0)
		close(u->fd);
	if (u->pd)
		ibv_dealloc_pd(u->pd);
	if (u->ctx)
		ibv_close_device(u->ctx);
	hca_close(u->hca);
}

#define SETUP_UNBOUND(u) do {						\
	(u)->fd = -1;							\
	if (hca_expected())						\
		ASSERT_TRUE(module_reload());				\
	SETUP_DEVICE(return);						\
	(u)->hca = hca_open();						\
	SKIP_NO_HCA((u)->hca, return);					\
	ASSERT_EQ(0, unbound_start(u));					\
} while (0)

static int bind_file(struct unbound *u)
{
	return _test_mdx_bind(u->fd, u->ctx->cmd_fd, u->pd->handle);
}

static int bind_refused(struct unbound *u, uint8_t status)
{
	if (hca_fail(u->hca, MDX_OPCODE_CREATE_MKEY, status, SYNDROME, 1))
		return EIO;
	return bind_file(u);
}

FIXTURE(probe_mkey)
{
	struct unbound u;
};

FIXTURE_SETUP(probe_mkey)
{
	SETUP_UNBOUND(&self->u);
}

FIXTURE_TEARDOWN(probe_mkey)
{
	unbound_stop(&self->u);
}

#define MKC(in, field) \
	DEVX_GET(create_mkey_in, in, memory_key_mkey_entry.field)

/* The mkey that rdma-core creates for UMR: no right but local read. */
TEST_F_TIMEOUT(probe_mkey, mailbox_as_umr, RELOAD_SECONDS)
{
	struct unbound *u = &self->u;
	long count = hca_count(u->hca, MDX_OPCODE_CREATE_MKEY);
	uint64_t in[1024 / 8] = {};
	struct mdx_ioc_info info;

	ASSERT_EQ(0, bind_file(u));
	ASSERT_EQ(count + 1, hca_count(u->hca, MDX_OPCODE_CREATE_MKEY));
	ASSERT_LE(SZ(create_mkey_in),
		  hca_last(u->hca, MDX_OPCODE_CREATE_MKEY, in, sizeof(in)));
	test_mdx_info(u->fd, &info);
	EXPECT_EQ(info.out_uid, DEVX_GET(create_mkey_in, in, uid));
	EXPECT_EQ(1, MKC(in, lr));
	EXPECT_EQ(0, MKC(in, lw));
	EXPECT_EQ(0, MKC(in, rr));
	EXPECT_EQ(0, MKC(in, rw));
	EXPECT_EQ(0, MKC(in, a));
	EXPECT_EQ(1, MKC(in, free));
	EXPECT_EQ(1, MKC(in, umr_en));
	EXPECT_EQ(MLX5_MKC_ACCESS_MODE_KLMS, MKC(in, access_mode_1_0));
	EXPECT_EQ(0xffffff, MKC(in, qpn));
}

/* The first status: a user that binds again and again cannot fill the log. */
TEST_F_TIMEOUT(probe_mkey, refused_logged_once, RELOAD_SECONDS)
{
	int mark = kmsg_mark(), again = kmsg_mark();

	EXPECT_EQ(EOPNOTSUPP, bind_refused(&self->u, STATUS_BAD_PARAM));
	EXPECT_EQ(EOPNOTSUPP, bind_refused(&self->u, STATUS_BAD_RES));
	EXPECT_EQ(1, kmsg_count(mark, REFUSED));
	EXPECT_EQ(1, kmsg_count(again, REFUSED ": bad parameter (status 0x3,"));
	close(again);
}

FIXTURE(status)
{
	struct unbound u;
};

/**
 * @status: of the refused mkey
 * @ret: of bind
 * @line: in the log, NULL: none
 */
FIXTURE_VARIANT(status)
{
	uint8_t status;
	int ret;
	const char *line;
};

#define FULL(name, value, _ret)						\
	FIXTURE_VARIANT_ADD(status, name) {				\
		.status = value,					\
		.ret = _ret,						\
	}
#define REFUSAL(name, value, text)					\
	FIXTURE_VARIANT_ADD(status, name) {				\
		.status = value,					\
		.ret = EOPNOTSUPP,					\
		.line = REFUSED ": " text " (status " #value		\
			", syndrome 0xabc123)",				\
	}

/* A device that is full says nothing of the PD. */
FULL(resource_busy, 0x6, EAGAIN);
FULL(limit, 0x8, ENOMEM);
FULL(no_resources, 0xf, EAGAIN);
REFUSAL(internal_error, 0x1, "internal error");
REFUSAL(bad_operation, 0x2, "bad operation");
REFUSAL(bad_parameter, 0x3, "bad parameter");
REFUSAL(bad_system_state, 0x4, "bad system state");
REFUSAL(bad_resource, 0x5, "bad resource");
REFUSAL(bad_resource_state, 0x9, "bad resource state");
REFUSAL(bad_input_length, 0x50, "bad input length");
REFUSAL(unknown, 0x77, "status not known");

FIXTURE_SETUP(status)
{
	SETUP_UNBOUND(&self->u);
}

FIXTURE_TEARDOWN(status)
{
	unbound_stop(&self->u);
}

TEST_F_TIMEOUT(status, refused_errno_and_line, RELOAD_SECONDS)
{
	int mark = kmsg_mark(), again = kmsg_mark();

	EXPECT_EQ(variant->ret, bind_refused(&self->u, variant->status));
	EXPECT_EQ(variant->line ? 1 : 0, kmsg_count(mark, REFUSED));
	if (variant->line)
		EXPECT_EQ(1, kmsg_count(again, variant->line));
	close(again);
	/* The file is as it was. */
	EXPECT_EQ(0, bind_file(&self->u));
}

TEST_HARNESS_MAIN
