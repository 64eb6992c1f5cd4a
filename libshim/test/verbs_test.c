// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* The ten functions about objects that verbs created. */
#include "user.h"

#define HANDLE 0x1234

static struct ibv_cq cq = { .handle = HANDLE };
static struct ibv_qp qp = { .handle = HANDLE + 1 };
static struct ibv_srq srq = { .handle = HANDLE + 2 };
static struct ibv_wq wq = { .handle = HANDLE + 3 };
static struct ibv_rwq_ind_table ind_tbl = { .ind_tbl_handle = HANDLE + 4 };

#define CALL(kind)							\
static int kind##_query(void)						\
{									\
	return mlx5dv_devx_##kind##_query(&kind, in, 16, out,		\
					  sizeof(out));			\
}									\
static int kind##_modify(void)						\
{									\
	return mlx5dv_devx_##kind##_modify(&kind, in, sizeof(in), out,	\
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
	unsigned int kind;
} kinds[] = {
	{ "cq", cq_query, cq_modify, &cq, HANDLE, 1 },
	{ "qp", qp_query, qp_modify, &qp, HANDLE + 1, 2 },
	{ "srq", srq_query, srq_modify, &srq, HANDLE + 2, 3 },
	{ "wq", wq_query, wq_modify, &wq, HANDLE + 3, 4 },
	{ "ind_tbl", ind_tbl_query, ind_tbl_modify, &ind_tbl, HANDLE + 4, 5 },
};

#define KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

static void set_opcode(unsigned int opcode)
{
	in[0] = opcode >> 8;
	in[1] = opcode;
}

static struct ibv_context *use(struct ibv_context *context)
{
	cq.context = context;
	qp.context = context;
	srq.context = context;
	wq.context = context;
	ind_tbl.context = context;
	set_opcode(0);
	return context;
}

static void put64(unsigned char *at, const void *ptr)
{
	uintptr_t value = (uintptr_t)ptr;

	memcpy(at, &value, 8);
}

static void verbs_query_and_modify_are_these_requests(void)
{
	struct ibv_context *context = use(open_bound());
	unsigned char want[40] = { 40 };
	int i;

	put64(want + 8, in);
	put64(want + 16, out);
	want[24] = 0x10;
	want[28] = 0x40;
	for (i = 0; i < KINDS; i++) {
		want[25] = 0;
		want[32] = kinds[i].handle;
		want[33] = kinds[i].handle >> 8;
		want[36] = kinds[i].kind;
		fake_events_reset();
		EXPECT_OK(kinds[i].query());
		EXPECT_STR("Y", fake_events);
		EXPECT(!memcmp(kernel.last[MDX_CMD_VERBS_QUERY].bytes, want,
			       40));
		want[25] = 1;
		EXPECT_OK(kinds[i].modify());
		EXPECT_STR("YX", fake_events);
		EXPECT(!memcmp(kernel.last[MDX_CMD_VERBS_MODIFY].bytes, want,
			       40));
	}
	ibv_close_device(context);
}

static void a_verbs_object_may_be_the_first_use(void)
{
	struct ibv_context *context;

	fresh();
	context = use(open_ctx());
	EXPECT_OK(cq_query());
	EXPECT_STR("OPBpY", fake_events);
	ibv_close_device(context);
}

static void verbs_lengths_are_not_cut_to_32_bits(void)
{
	struct ibv_context *context = use(open_bound());
	size_t big = (1ull << 32) + 16;

	mlx5dv_devx_cq_query(&cq, in, big, out, 16);
	EXPECT_EQ(UINT32_MAX, kernel.last[MDX_CMD_VERBS_QUERY].verbs.in_len);
	EXPECT_EQ(16, kernel.last[MDX_CMD_VERBS_QUERY].verbs.out_len);
	mlx5dv_devx_wq_modify(&wq, in, 16, out, big);
	EXPECT_EQ(16, kernel.last[MDX_CMD_VERBS_MODIFY].verbs.in_len);
	EXPECT_EQ(UINT32_MAX, kernel.last[MDX_CMD_VERBS_MODIFY].verbs.out_len);
	ibv_close_device(context);
}

static void every_errno_about_verbs_reaches_the_caller(void)
{
	static const int errs[] = {
		ENOENT, EIO, ENXIO, EAGAIN, ENOMEM, EFAULT, EBUSY, EINVAL,
		EOPNOTSUPP, ENOTCONN, ETIMEDOUT, ECANCELED,
	};
	struct ibv_context *context = use(open_bound());
	size_t i;
	int j;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		kernel.err[MDX_CMD_VERBS_QUERY] = errs[i];
		kernel.err[MDX_CMD_VERBS_MODIFY] = errs[i];
		for (j = 0; j < KINDS; j++) {
			memset(out, 0xa5, sizeof(out));
			EXPECT_ERR(errs[i], kinds[j].query());
			EXPECT_ERR(errs[i], kinds[j].modify());
			EXPECT(out_untouched());
		}
	}
	ibv_close_device(context);
}

static void a_refused_verbs_command_is_eremoteio_and_out_is_the_answer(void)
{
	static const unsigned char want[sizeof(out)] = {
		0x05, 0, 0, 0, 0x00, 0xab, 0xcd, 0xef
	};
	struct ibv_context *context = use(open_bound());
	int i;

	kernel.status = 0x05;
	for (i = 0; i < KINDS; i++) {
		memset(out, 0xa5, sizeof(out));
		EXPECT_ERR(EREMOTEIO, kinds[i].query());
		EXPECT(!memcmp(out, want, sizeof(out)));
		memset(out, 0xa5, sizeof(out));
		EXPECT_ERR(EREMOTEIO, kinds[i].modify());
		EXPECT(!memcmp(out, want, sizeof(out)));
	}
	ibv_close_device(context);
}

static void expect_next(int i, bool modify)
{
	char name[64];

	snprintf(name, sizeof(name), "mlx5dv_devx_%s_%s", kinds[i].name,
		 modify ? "modify" : "query");
	EXPECT_STR(name, fake_mlx5.func);
	EXPECT(fake_mlx5.verbs == kinds[i].verbs);
	EXPECT(fake_mlx5.in == in && fake_mlx5.out == out);
	EXPECT_EQ(modify ? sizeof(in) : 16, fake_mlx5.inlen);
	EXPECT_EQ(sizeof(out), fake_mlx5.outlen);
}

static void expect_all_next(const char *query, const char *modify)
{
	int i;

	for (i = 0; i < KINDS; i++) {
		fake_events_reset();
		EXPECT_OK(kinds[i].query());
		EXPECT_STR(query, fake_events);
		expect_next(i, false);
		if (tap_failed)
			return;
		fake_events_reset();
		EXPECT_OK(kinds[i].modify());
		EXPECT_STR(modify, fake_events);
		expect_next(i, true);
		if (tap_failed)
			return;
		fake_mlx5.err = EREMOTEIO;
		EXPECT_ERR(EREMOTEIO, kinds[i].query());
		EXPECT_ERR(EREMOTEIO, kinds[i].modify());
		fake_mlx5.err = 0;
	}
}

static void verbs_objects_of_a_context_not_served_are_libmlx5s(void)
{
	struct ibv_context *context;

	fresh();
	context = use(open_ctx());
	kernel.open_err = ENOENT;
	general(context);
	expect_all_next("y", "x");
	ibv_close_device(context);
}

static void verbs_calls_that_the_module_lacks_are_libmlx5s(void)
{
	struct ibv_context *context = use(open_bound());

	kernel.err[MDX_CMD_VERBS_QUERY] = ENOTTY;
	kernel.err[MDX_CMD_VERBS_MODIFY] = ENOTTY;
	expect_all_next("Yy", "Xx");
	ibv_close_device(context);
}

static void a_failed_bind_fails_the_verbs_call(void)
{
	struct ibv_context *context;
	int i;

	fresh();
	context = use(open_ctx());
	kernel.open_err = EMFILE;
	for (i = 0; i < KINDS; i++) {
		EXPECT_ERR(EMFILE, kinds[i].query());
		EXPECT_ERR(EMFILE, kinds[i].modify());
	}
	EXPECT(out_untouched());
	ibv_close_device(context);
}

static void libmlx5_learns_of_every_transition(void)
{
	static const unsigned int opcodes[] = {
		0x502, 0x503, 0x504, 0x505, 0x506, 0x507, 0x50a, 0x50c, 0x50e,
	};
	struct ibv_context *context = use(open_bound());
	size_t i;

	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
		set_opcode(opcodes[i]);
		fake_events_reset();
		EXPECT_OK(qp_modify());
		EXPECT_STR("x", fake_events);
		expect_next(1, true);
		if (tap_failed)
			return;
		fake_mlx5.err = EREMOTEIO;
		EXPECT_ERR(EREMOTEIO, qp_modify());
		fake_mlx5.err = 0;
	}
	ibv_close_device(context);
}

static void what_is_no_transition_is_the_modules(void)
{
	static const unsigned int opcodes[] = {
		0x500, 0x501, 0x50f, 0x402, 0x602, 0x905, 0x909, 0x901, 0x913,
		0x714, 0xffff, 0x0205,
	};
	struct ibv_context *context = use(open_bound());
	size_t i;

	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
		set_opcode(opcodes[i]);
		fake_events_reset();
		EXPECT_OK(qp_modify());
		EXPECT_STR("X", fake_events);
	}
	/* Too short to say, or nothing at all: never read. */
	set_opcode(0x502);
	fake_events_reset();
	mlx5dv_devx_qp_modify(&qp, in, 1, out, sizeof(out));
	mlx5dv_devx_qp_modify(&qp, NULL, 16, out, sizeof(out));
	EXPECT_STR("XX", fake_events);
	/* Of another object's function it is a mistake for the module to see. */
	EXPECT_OK(cq_modify());
	EXPECT_STR("XXX", fake_events);
	ibv_close_device(context);
}

static void calls_of_libmlx5_itself_about_verbs_stay_its_own(void)
{
	struct ibv_context *context = use(open_bound());

	EXPECT_EQ(0, fake_mlx5_qp_query(&qp));
	EXPECT_STR("y", fake_events);
	ibv_close_device(context);
}

static void verbs_calls_try_again_after_eintr(void)
{
	struct ibv_context *context = use(open_bound());

	kernel.eintr = 2;
	EXPECT_OK(srq_query());
	EXPECT_STR("YYY", fake_events);
	ibv_close_device(context);
}

const struct tap_test verbs_tests[] = {
	TEST(verbs_query_and_modify_are_these_requests),
	TEST(a_verbs_object_may_be_the_first_use),
	TEST(verbs_lengths_are_not_cut_to_32_bits),
	TEST(every_errno_about_verbs_reaches_the_caller),
	TEST(a_refused_verbs_command_is_eremoteio_and_out_is_the_answer),
	TEST(verbs_objects_of_a_context_not_served_are_libmlx5s),
	TEST(verbs_calls_that_the_module_lacks_are_libmlx5s),
	TEST(a_failed_bind_fails_the_verbs_call),
	TEST(libmlx5_learns_of_every_transition),
	TEST(what_is_no_transition_is_the_modules),
	TEST(calls_of_libmlx5_itself_about_verbs_stay_its_own),
	TEST(verbs_calls_try_again_after_eintr),
	{ NULL, NULL }
};

static void verbs_objects_without_libmlx5_are_the_modules_alone(void)
{
	struct ibv_context *context = use(open_bound());
	struct mlx5dv_port port;
	int i;

	/* There is nobody behind who could learn of it. */
	set_opcode(0x502);
	EXPECT_OK(qp_modify());
	EXPECT_STR("X", fake_events);
	memset(out, 0xa5, sizeof(out));
	kernel.err[MDX_CMD_VERBS_QUERY] = ENOTTY;
	kernel.err[MDX_CMD_VERBS_MODIFY] = ENOTTY;
	kernel.err[MDX_CMD_QUERY_PORT] = ENOTTY;
	for (i = 0; i < KINDS; i++) {
		EXPECT_ERR(EOPNOTSUPP, kinds[i].query());
		EXPECT_ERR(EOPNOTSUPP, kinds[i].modify());
	}
	EXPECT_ERR(EOPNOTSUPP, mlx5dv_query_port(context, 1, &port));
	EXPECT(out_untouched());
	ibv_close_device(context);
}

const struct tap_test bare_verbs_tests[] = {
	TEST(verbs_objects_without_libmlx5_are_the_modules_alone),
	{ NULL, NULL }
};
