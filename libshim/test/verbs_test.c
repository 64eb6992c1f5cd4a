// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mlx5dv_devx_qp_modify(3): objects created by verbs. */
#include "user.h"

#include "opcodes.h"

#define HANDLE 0x1234

static struct ibv_cq cq = { .handle = HANDLE };
static struct ibv_qp qp = { .handle = HANDLE + 1 };
static struct ibv_srq srq = { .handle = HANDLE + 2 };
static struct ibv_wq wq = { .handle = HANDLE + 3 };
static struct ibv_rwq_ind_table ind_tbl = { .ind_tbl_handle = HANDLE + 4 };

#define CALL(type)							\
static int type##_query(void)						\
{									\
	return mlx5dv_devx_##type##_query(&type, in, 16, out,		\
					  sizeof(out));			\
}									\
static int type##_modify(void)						\
{									\
	return mlx5dv_devx_##type##_modify(&type, in, sizeof(in), out,	\
					   sizeof(out));		\
}

CALL(cq)
CALL(qp)
CALL(srq)
CALL(wq)
CALL(ind_tbl)

static const struct {
	const char *name;
	int (*query)(void);
	int (*modify)(void);
	const void *verbs;
	unsigned int handle;
	unsigned int obj_type;
} types[] = {
	{ "cq", cq_query, cq_modify, &cq, HANDLE, 1 },
	{ "qp", qp_query, qp_modify, &qp, HANDLE + 1, 2 },
	{ "srq", srq_query, srq_modify, &srq, HANDLE + 2, 3 },
	{ "wq", wq_query, wq_modify, &wq, HANDLE + 3, 4 },
	{ "ind_tbl", ind_tbl_query, ind_tbl_modify, &ind_tbl, HANDLE + 4, 5 },
};

#define TYPES ((int)(sizeof(types) / sizeof(types[0])))

static void set_opcode(unsigned int opcode)
{
	in[0] = opcode >> 8;
	in[1] = opcode;
}

static struct ibv_context *use_context(struct ibv_context *context)
{
	cq.context = context;
	qp.context = context;
	srq.context = context;
	wq.context = context;
	ind_tbl.context = context;
	set_opcode(0);
	return context;
}

static void verbs_requests(void)
{
	struct ibv_context *context = use_context(open_bound());
	unsigned char want[40] = { 40 };
	int i;

	put_pointer(want + 8, in);
	put_pointer(want + 16, out);
	want[24] = 0x10;
	want[28] = 0x40;
	for (i = 0; i < TYPES; i++) {
		want[25] = 0;
		want[32] = types[i].handle;
		want[33] = types[i].handle >> 8;
		want[36] = types[i].obj_type;
		fake_events_reset();
		EXPECT_OK(types[i].query());
		EXPECT_STR("Y", fake_events);
		EXPECT(!memcmp(kernel.last[MDX_CMD_VERBS_QUERY].bytes, want,
			       40));
		want[25] = 1;
		EXPECT_OK(types[i].modify());
		EXPECT_STR("YX", fake_events);
		EXPECT(!memcmp(kernel.last[MDX_CMD_VERBS_MODIFY].bytes, want,
			       40));
	}
	ibv_close_device(context);
}

static void verbs_first_use_binds(void)
{
	struct ibv_context *context;

	reset_fakes();
	context = use_context(open_ctx());
	EXPECT_OK(cq_query());
	EXPECT_STR("OPBY", fake_events);
	ibv_close_device(context);
}

static void verbs_length_saturated(void)
{
	struct ibv_context *context = use_context(open_bound());
	size_t big = (1ull << 32) + 16;

	mlx5dv_devx_cq_query(&cq, in, big, out, 16);
	EXPECT_EQ(UINT32_MAX, kernel.last[MDX_CMD_VERBS_QUERY].verbs.in_len);
	EXPECT_EQ(16, kernel.last[MDX_CMD_VERBS_QUERY].verbs.out_len);
	mlx5dv_devx_wq_modify(&wq, in, 16, out, big);
	EXPECT_EQ(16, kernel.last[MDX_CMD_VERBS_MODIFY].verbs.in_len);
	EXPECT_EQ(UINT32_MAX, kernel.last[MDX_CMD_VERBS_MODIFY].verbs.out_len);
	ibv_close_device(context);
}

static void verbs_errno_returned(void)
{
	static const int errs[] = {
		ENOENT, EIO, ENXIO, EAGAIN, ENOMEM, EFAULT, EBUSY, EINVAL,
		EOPNOTSUPP, ENOTCONN, ETIMEDOUT, ECANCELED,
	};
	struct ibv_context *context = use_context(open_bound());
	size_t i;
	int j;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		kernel.err[MDX_CMD_VERBS_QUERY] = errs[i];
		kernel.err[MDX_CMD_VERBS_MODIFY] = errs[i];
		for (j = 0; j < TYPES; j++) {
			memset(out, 0xa5, sizeof(out));
			EXPECT_ERR(errs[i], types[j].query());
			EXPECT_ERR(errs[i], types[j].modify());
			EXPECT(out_untouched());
		}
	}
	ibv_close_device(context);
}

static void verbs_refused_eremoteio(void)
{
	static const unsigned char want[sizeof(out)] = {
		0x05, 0, 0, 0, 0x00, 0xab, 0xcd, 0xef
	};
	struct ibv_context *context = use_context(open_bound());
	int i;

	kernel.status = 0x05;
	for (i = 0; i < TYPES; i++) {
		memset(out, 0xa5, sizeof(out));
		EXPECT_ERR(EREMOTEIO, types[i].query());
		EXPECT(!memcmp(out, want, sizeof(out)));
		memset(out, 0xa5, sizeof(out));
		EXPECT_ERR(EREMOTEIO, types[i].modify());
		EXPECT(!memcmp(out, want, sizeof(out)));
	}
	ibv_close_device(context);
}

static void expect_next(int i, bool modify)
{
	char name[64];

	snprintf(name, sizeof(name), "mlx5dv_devx_%s_%s", types[i].name,
		 modify ? "modify" : "query");
	EXPECT_STR(name, fake_mlx5.func);
	EXPECT(fake_mlx5.verbs == types[i].verbs);
	EXPECT(fake_mlx5.in == in && fake_mlx5.out == out);
	EXPECT_EQ(modify ? sizeof(in) : 16, fake_mlx5.inlen);
	EXPECT_EQ(sizeof(out), fake_mlx5.outlen);
}

static void expect_all_next(const char *query, const char *modify)
{
	int i;

	for (i = 0; i < TYPES; i++) {
		fake_events_reset();
		EXPECT_OK(types[i].query());
		EXPECT_STR(query, fake_events);
		expect_next(i, false);
		if (tap_failed)
			return;
		fake_events_reset();
		EXPECT_OK(types[i].modify());
		EXPECT_STR(modify, fake_events);
		expect_next(i, true);
		if (tap_failed)
			return;
		fake_mlx5.err = EREMOTEIO;
		EXPECT_ERR(EREMOTEIO, types[i].query());
		EXPECT_ERR(EREMOTEIO, types[i].modify());
		fake_mlx5.err = 0;
	}
}

static void verbs_unserved_forwarded(void)
{
	struct ibv_context *context;

	reset_fakes();
	context = use_context(open_ctx());
	kernel.open_err = ENOENT;
	general_cmd(context);
	expect_all_next("y", "x");
	ibv_close_device(context);
}

static void verbs_enotty_forwarded(void)
{
	struct ibv_context *context = use_context(open_bound());

	kernel.err[MDX_CMD_VERBS_QUERY] = ENOTTY;
	kernel.err[MDX_CMD_VERBS_MODIFY] = ENOTTY;
	expect_all_next("Yy", "Xx");
	ibv_close_device(context);
}

static void verbs_bind_failed_errno(void)
{
	struct ibv_context *context;
	int i;

	reset_fakes();
	context = use_context(open_ctx());
	kernel.open_err = EMFILE;
	for (i = 0; i < TYPES; i++) {
		EXPECT_ERR(EMFILE, types[i].query());
		EXPECT_ERR(EMFILE, types[i].modify());
	}
	EXPECT(out_untouched());
	ibv_close_device(context);
}

static void qp_transition_forwarded(void)
{
	static const unsigned int opcodes[] = {
		MDX_OPCODE_RST2INIT_QP, MDX_OPCODE_INIT2RTR_QP,
		MDX_OPCODE_RTR2RTS_QP, MDX_OPCODE_RTS2RTS_QP,
		MDX_OPCODE_SQERR2RTS_QP, MDX_OPCODE_2ERR_QP,
		MDX_OPCODE_2RST_QP, MDX_OPCODE_SQD_RTS_QP,
		MDX_OPCODE_INIT2INIT_QP,
	};
	struct ibv_context *context = use_context(open_bound());
	size_t i;

	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
		set_opcode(opcodes[i]);
		fake_events_reset();
		EXPECT_OK(qp_modify());
		EXPECT_STR(opcodes[i] == MDX_OPCODE_2RST_QP ? "xR" : "x",
			   fake_events);
		expect_next(1, true);
		if (tap_failed)
			return;
		fake_mlx5.err = EREMOTEIO;
		EXPECT_ERR(EREMOTEIO, qp_modify());
		fake_mlx5.err = 0;
	}
	ibv_close_device(context);
}

static void qp_other_command_served(void)
{
	/* The last ones: transitions with one byte changed or bytes swapped. */
	static const unsigned int opcodes[] = {
		MDX_OPCODE_CREATE_QP, MDX_OPCODE_DESTROY_QP,
		MDX_OPCODE_MODIFY_SQ, MDX_OPCODE_MODIFY_RQ,
		MDX_OPCODE_MODIFY_TIR, MDX_OPCODE_MODIFY_TIS,
		MDX_OPCODE_ARM_DCT_FOR_KEY_VIOLATION, UINT16_MAX,
		MDX_OPCODE_INIT2INIT_QP + 1, MDX_OPCODE_RST2INIT_QP - 0x100,
		MDX_OPCODE_RST2INIT_QP + 0x100,
		(MDX_OPCODE_RST2INIT_QP & 0xff) << 8 |
			MDX_OPCODE_RST2INIT_QP >> 8,
	};
	struct ibv_context *context = use_context(open_bound());
	size_t i;

	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
		set_opcode(opcodes[i]);
		fake_events_reset();
		EXPECT_OK(qp_modify());
		EXPECT_STR("X", fake_events);
	}
	/* An input without an opcode is not read. */
	set_opcode(MDX_OPCODE_RST2INIT_QP);
	fake_events_reset();
	mlx5dv_devx_qp_modify(&qp, in, 1, out, sizeof(out));
	mlx5dv_devx_qp_modify(&qp, NULL, 16, out, sizeof(out));
	EXPECT_STR("XX", fake_events);
	/* In the function of another object type, the module rejects it. */
	EXPECT_OK(cq_modify());
	EXPECT_STR("XXX", fake_events);
	ibv_close_device(context);
}

/* A reset empties the queues of libmlx5, if the device made it. */
static void qp_reset_empties_queues(void)
{
	struct ibv_context *context = use_context(open_bound());

	set_opcode(MDX_OPCODE_2RST_QP);
	fake_verbs.modify_ret = EINVAL;
	EXPECT_OK(qp_modify());
	EXPECT_STR("xR", fake_events);
	EXPECT(fake_verbs.modified == &qp);
	fake_mlx5.err = EREMOTEIO;
	fake_events_reset();
	EXPECT_ERR(EREMOTEIO, qp_modify());
	EXPECT_STR("x", fake_events);
	ibv_close_device(context);

	/* A context that is not served is libmlx5's altogether. */
	reset_fakes();
	context = use_context(open_ctx());
	kernel.open_err = ENOENT;
	set_opcode(MDX_OPCODE_2RST_QP);
	general_cmd(context);
	fake_events_reset();
	EXPECT_OK(qp_modify());
	EXPECT_STR("x", fake_events);
	ibv_close_device(context);
}

static void verbs_libmlx5_forwarded(void)
{
	struct ibv_context *context = use_context(open_bound());

	EXPECT_EQ(0, fake_mlx5_qp_query(&qp));
	EXPECT_STR("y", fake_events);
	ibv_close_device(context);
}

static void verbs_eintr_restarted(void)
{
	struct ibv_context *context = use_context(open_bound());

	kernel.eintr = 2;
	EXPECT_OK(srq_query());
	EXPECT_STR("YYY", fake_events);
	ibv_close_device(context);
}

const struct tap_test verbs_tests[] = {
	TEST(verbs_requests),
	TEST(verbs_first_use_binds),
	TEST(verbs_length_saturated),
	TEST(verbs_errno_returned),
	TEST(verbs_refused_eremoteio),
	TEST(verbs_unserved_forwarded),
	TEST(verbs_enotty_forwarded),
	TEST(verbs_bind_failed_errno),
	TEST(qp_transition_forwarded),
	TEST(qp_other_command_served),
	TEST(qp_reset_empties_queues),
	TEST(verbs_libmlx5_forwarded),
	TEST(verbs_eintr_restarted),
	{ NULL, NULL }
};

/* Without a libmlx5 that has DEVX, the module executes transitions, too. */
static void verbs_no_libmlx5_eopnotsupp(void)
{
	struct ibv_context *context = use_context(open_bound());
	struct mlx5dv_port port;
	int i;

	/* The next library has no function to forward to. */
	set_opcode(MDX_OPCODE_RST2INIT_QP);
	EXPECT_OK(qp_modify());
	EXPECT_STR("X", fake_events);
	memset(out, 0xa5, sizeof(out));
	kernel.err[MDX_CMD_VERBS_QUERY] = ENOTTY;
	kernel.err[MDX_CMD_VERBS_MODIFY] = ENOTTY;
	kernel.err[MDX_CMD_QUERY_PORT] = ENOTTY;
	for (i = 0; i < TYPES; i++) {
		EXPECT_ERR(EOPNOTSUPP, types[i].query());
		EXPECT_ERR(EOPNOTSUPP, types[i].modify());
	}
	EXPECT_ERR(EOPNOTSUPP, mlx5dv_query_port(context, 1, &port));
	EXPECT(out_untouched());
	ibv_close_device(context);
}

const struct tap_test bare_verbs_tests[] = {
	TEST(verbs_no_libmlx5_eopnotsupp),
	{ NULL, NULL }
};
