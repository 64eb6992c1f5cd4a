// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Mailboxes: lengths, addresses, alignment, and the output after each error. */
#include <sys/mman.h>

#include "kselftest_harness.h"
#include "objtypes.h"

#define SYNDROME 0x00abcdef
#define MBOX_MAX (2 << 20)

FIXTURE(mbox)
{
	struct mdx_world w;
};

FIXTURE_SETUP(mbox)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
}

FIXTURE_TEARDOWN(mbox)
{
	world_stop(&self->w);
}

static int query_obj(struct mdx_world *w, enum objtype_id t)
{
	return _test_mdx_query(w->mdx.fd, w->obj[t].id, &w->m);
}

static int create_obj(struct mdx_world *w)
{
	return _test_mdx_create(w->mdx.fd, &w->m, NULL);
}

/* Lengths. */

/* Input longer than the limit is refused. */
TEST_F(mbox, input_too_long_einval)
{
	struct mdx_world *w = &self->w;

	w->m = (struct mbox_pair){ w->in, w->out, MBOX_MAX + 1, 16 };
	test_err_general(EINVAL, w->mdx.fd, &w->m);
}

/* Output longer than the limit is refused. */
TEST_F(mbox, output_too_long_einval)
{
	struct mdx_world *w = &self->w;

	w->m = (struct mbox_pair){ w->in, w->out, 16, MBOX_MAX + 1 };
	test_err_general(EINVAL, w->mdx.fd, &w->m);
}

TEST_F(mbox, lengths_4gib_einval)
{
	struct mdx_world *w = &self->w;

	w->m = (struct mbox_pair){ w->in, w->out, UINT32_MAX, UINT32_MAX };
	test_err_general(EINVAL, w->mdx.fd, &w->m);
}

TEST_F(mbox, lengths_zero_einval)
{
	struct mdx_world *w = &self->w;

	w->m = (struct mbox_pair){ w->in, w->out, 0, 0 };
	test_err_general(EINVAL, w->mdx.fd, &w->m);
}

/* A bad length is reported before a bad address. */
TEST_F(mbox, bad_length_before_address)
{
	struct mdx_world *w = &self->w;

	w->m = (struct mbox_pair){ NULL, NULL, 15, 16 };
	test_err_general(EINVAL, w->mdx.fd, &w->m);
}

/* An input of the longest length reaches the device. */
TEST_F(mbox, input_longest)
{
	struct mdx_world *w = &self->w;
	void *in = mmap(NULL, MBOX_MAX, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long before;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_NE(MAP_FAILED, in);
	before = hca_count(w->hca, MLX5_CMD_OP_NOP);
	mdx_hdr(in, MLX5_CMD_OP_NOP, 0, 0);
	w->m = (struct mbox_pair){ in, w->out, MBOX_MAX, 16 };
	EXPECT_EQ(0, _test_mdx_general(w->mdx.fd, &w->m));
	EXPECT_EQ(before + 1, hca_count(w->hca, MLX5_CMD_OP_NOP));
}

/* An answer of the longest length is written whole. */
TEST_F(mbox, output_longest)
{
	struct mdx_world *w = &self->w;
	uint8_t *out = mmap(NULL, MBOX_MAX, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, out);
	memset(out, FILL, MBOX_MAX);
	mdx_hdr(w->in, MLX5_CMD_OP_QUERY_ADAPTER, 0, 0);
	w->m = (struct mbox_pair){ w->in, out, 16, MBOX_MAX };
	ASSERT_EQ(0, _test_mdx_general(w->mdx.fd, &w->m));
	EXPECT_TRUE(all_bytes(out + SZ(query_adapter_out), 0,
			      MBOX_MAX - SZ(query_adapter_out)));
}

#define RQT_ENTRIES 32768

/* A table of 128 KiB is created and queried. */
TEST_F(mbox, rqt_128k)
{
	size_t in_len = SZ(create_rqt_in) + 4 * RQT_ENTRIES;
	size_t out_len = SZ(query_rqt_out) + 4 * RQT_ENTRIES;
	struct mdx_world *w = &self->w;
	uint8_t *in = guard_alloc(in_len, 0);
	uint8_t *out = guard_alloc(out_len, 0);
	uint32_t id, i;

	ASSERT_NE(NULL, in);
	ASSERT_NE(NULL, out);
	if (DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL),
		     log_max_rqt_size) < 15)
		SKIP(return, "the device has no RQT of %d entries",
		     RQT_ENTRIES);
	ASSERT_EQ(0, objtype_create(w, OBJTYPE_RQ));
	mdx_hdr(in, MLX5_CMD_OP_CREATE_RQT, 0, 0);
	DEVX_SET(create_rqt_in, in, rqt_context.rqt_max_size, RQT_ENTRIES);
	DEVX_SET(create_rqt_in, in, rqt_context.rqt_actual_size, RQT_ENTRIES);
	for (i = 0; i < RQT_ENTRIES; i++)
		mbox_set32(in, SZ(create_rqt_in) + 4 * i,
			   w->obj[OBJTYPE_RQ].num);
	w->m = (struct mbox_pair){ in, out, in_len, 16 };
	ASSERT_EQ(0, _test_mdx_create(w->mdx.fd, &w->m, &id));

	mdx_hdr(in, MLX5_CMD_OP_QUERY_RQT, 0,
		DEVX_GET(create_rqt_out, out, rqtn));
	w->m = (struct mbox_pair){ in, out, 16, out_len };
	ASSERT_EQ(0, _test_mdx_query(w->mdx.fd, id, &w->m));
	for (i = 0; i < RQT_ENTRIES; i++)
		ASSERT_EQ(w->obj[OBJTYPE_RQ].num,
			  mbox_get32(out, SZ(query_rqt_out) + 4 * i));
}

#define KLMS 8192

/* An mkey of 128 KiB of KLMs is created. */
TEST_F(mbox, mkey_128k_klms)
{
	size_t in_len = SZ(create_mkey_in) + 16 * KLMS;
	struct mdx_world *w = &self->w;
	uint64_t *in = guard_alloc(in_len, 0);

	ASSERT_NE(NULL, in);
	ASSERT_EQ(0, objtype_create_needs(w, OBJTYPE_MKEY_KLM));
	objtype_build_create(w, OBJTYPE_MKEY_KLM);
	memcpy(in, w->in, SZ(create_mkey_in));
	DEVX_SET(create_mkey_in, in,
		 memory_key_mkey_entry.translations_octword_size, KLMS);
	DEVX_SET(create_mkey_in, in, translations_octword_actual_size, KLMS);
	w->m.in = in;
	w->m.in_len = in_len;
	ASSERT_EQ(0, create_obj(w));
}

/* Addresses. */

/* An input at address zero is refused. */
TEST_F(mbox, input_null_efault)
{
	struct mdx_world *w = &self->w;

	w->m = (struct mbox_pair){ NULL, w->out, 16, 16 };
	test_err_create(EFAULT, w->mdx.fd, &w->m);
}

/* An input that ends in unmapped memory is refused. */
TEST_F(mbox, input_unmapped_end_efault)
{
	struct mdx_world *w = &self->w;
	uint8_t *in = guard_alloc(15, 0);

	ASSERT_NE(NULL, in);
	memset(in, 0, 15);
	in[0] = MLX5_CMD_OP_ALLOC_PD >> 8;
	w->m = (struct mbox_pair){ in, w->out, 16, 16 };
	test_err_create(EFAULT, w->mdx.fd, &w->m);
}

/* An input whose second page is unmapped is refused. */
TEST_F(mbox, input_second_page_efault)
{
	struct mdx_world *w = &self->w;
	uint64_t *in = guard_alloc(4096, 0);
	uint32_t objs = mdx_objs(w->mdx.fd);

	ASSERT_NE(NULL, in);
	mdx_hdr(in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	w->m = (struct mbox_pair){ in, w->out, 4097, 16 };
	test_err_create(EFAULT, w->mdx.fd, &w->m);
	EXPECT_EQ(objs, mdx_objs(w->mdx.fd));
}

/* A kernel address for the input is refused. */
TEST_F(mbox, input_kernel_address_efault)
{
	struct mdx_world *w = &self->w;

	w->m = (struct mbox_pair){ (void *)0xffff888000000000UL, w->out, 16,
				   16 };
	test_err_create(EFAULT, w->mdx.fd, &w->m);
}

/* An answer that ends in unmapped memory is refused. */
TEST_F(mbox, output_unmapped_end_efault)
{
	struct mdx_world *w = &self->w;
	void *out = guard_alloc(15, 0);

	ASSERT_NE(NULL, out);
	mdx_hdr(w->in, MLX5_CMD_OP_QUERY_ADAPTER, 0, 0);
	w->m = (struct mbox_pair){ w->in, out, 16, 16 };
	test_err_general(EFAULT, w->mdx.fd, &w->m);
}

/* A kernel address for the answer is refused. */
TEST_F(mbox, output_kernel_address_efault)
{
	struct mdx_world *w = &self->w;
	uint32_t objs = mdx_objs(w->mdx.fd);

	mdx_hdr(w->in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	w->m = (struct mbox_pair){ w->in, (void *)0xffff888000000000UL, 16,
				   16 };
	test_err_create(EFAULT, w->mdx.fd, &w->m);
	EXPECT_EQ(objs, mdx_objs(w->mdx.fd));
}

TEST_F(mbox, output_over_input)
{
	struct mdx_world *w = &self->w;

	objtype_build_create(w, OBJTYPE_PD);
	w->m.out = w->in;
	ASSERT_EQ(0, create_obj(w));
	EXPECT_NE(0, DEVX_GET(alloc_pd_out, w->in, pd));
}

/* An id that cannot be written aborts the create. */
TEST_F(mbox, create_id_efault)
{
	struct mdx_world *w = &self->w;
	struct mdx_ioc_obj_create *arg = guard_alloc(page_size(), 0);
	int before = w->hca ? hca_live(w->hca, w->mdx.uid, NULL, -1) : 0;

	ASSERT_NE(NULL, arg);
	objtype_build_create(w, OBJTYPE_PD);
	*arg = (struct mdx_ioc_obj_create){
		.size = sizeof(*arg),
		.in = (uintptr_t)w->in, .out = (uintptr_t)w->out,
		.in_len = w->m.in_len, .out_len = w->m.out_len,
	};
	ASSERT_EQ(0, mprotect(arg, page_size(), PROT_READ));
	EXPECT_EQ(EFAULT, mdx_ioctl(w->mdx.fd, MDX_IOC_OBJ_CREATE, arg));
	EXPECT_EQ(0, mdx_objs(w->mdx.fd));
	if (w->hca)
		EXPECT_EQ(before, hca_live(w->hca, w->mdx.uid, NULL, -1));
}

/* A destroy whose result cannot be written is done. */
TEST_F(mbox, destroy_result_efault)
{
	struct mdx_world *w = &self->w;
	int before = w->hca ? hca_live(w->hca, w->mdx.uid, NULL, -1) : 0;
	struct mdx_ioc_obj_destroy *arg = guard_alloc(page_size(), 0);

	ASSERT_NE(NULL, arg);
	objtype_build_create(w, OBJTYPE_PD);
	*arg = (struct mdx_ioc_obj_destroy){ .size = sizeof(*arg) };
	test_mdx_create(w->mdx.fd, &w->m, &arg->id);
	ASSERT_EQ(0, mprotect(arg, page_size(), PROT_READ));
	EXPECT_EQ(EFAULT, mdx_ioctl(w->mdx.fd, MDX_IOC_OBJ_DESTROY, arg));
	EXPECT_EQ(0, mdx_objs(w->mdx.fd));
	EXPECT_EQ(ENOENT, mdx_ioctl(w->mdx.fd, MDX_IOC_OBJ_DESTROY, arg));
	if (w->hca)
		EXPECT_EQ(before, hca_live(w->hca, w->mdx.uid, NULL, -1));
}

/* Buffers at every place in a word. */
FIXTURE(align)
{
	struct mdx_world w;
};

FIXTURE_VARIANT(align)
{
	size_t skew;
};

FIXTURE_VARIANT_ADD(align, one) { .skew = 1 };
FIXTURE_VARIANT_ADD(align, two) { .skew = 2 };
FIXTURE_VARIANT_ADD(align, three) { .skew = 3 };
FIXTURE_VARIANT_ADD(align, four) { .skew = 4 };
FIXTURE_VARIANT_ADD(align, seven) { .skew = 7 };

FIXTURE_SETUP(align)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
}

FIXTURE_TEARDOWN(align)
{
	world_stop(&self->w);
}

/* A CQ is created and queried from unaligned buffers. */
TEST_F(align, cq_create_query)
{
	struct mdx_world *w = &self->w;
	uint8_t *in = guard_alloc(SZ(create_cq_in), variant->skew);
	uint8_t *out = guard_alloc(SZ(query_cq_out), variant->skew);
	uint32_t id;

	ASSERT_NE(NULL, in);
	ASSERT_NE(NULL, out);
	objtype_build_create(w, OBJTYPE_CQ);
	memcpy(in, w->in, SZ(create_cq_in));
	w->m.in = in;
	w->m.out = out;
	ASSERT_EQ(0, _test_mdx_create(w->mdx.fd, &w->m, &id));
	memcpy(w->out, out, 16);
	mdx_hdr(w->in, MLX5_CMD_OP_QUERY_CQ, 0,
		DEVX_GET(create_cq_out, w->out, cqn));
	memcpy(in, w->in, 16);
	w->m = (struct mbox_pair){ in, out, 16, SZ(query_cq_out) };
	ASSERT_EQ(0, _test_mdx_query(w->mdx.fd, id, &w->m));
	memcpy(w->out, out, SZ(query_cq_out));
	EXPECT_TRUE(objtypes[OBJTYPE_CQ].check(w, w->out));
}

/* Answers. */

/* Bytes behind the answer of the device are zero. */
TEST_F(mbox, output_tail_zero)
{
	struct mdx_world *w = &self->w;

	objtype_build_create(w, OBJTYPE_PD);
	memset(w->out, FILL, sizeof(w->out));
	w->m.out_len = 1000;
	ASSERT_EQ(0, create_obj(w));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + 16, 0, 1000 - 16));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + 1000, FILL, 64));
}

/* A general command refused by the device shows its answer. */
TEST_F(mbox, general_refused_eremoteio)
{
	struct mdx_world *w = &self->w;

	SKIP_NO_HCA(w->hca, return);
	ASSERT_EQ(0, hca_fail(w->hca, MLX5_CMD_OP_QUERY_ADAPTER, STATUS_BAD_OP,
			      SYNDROME, 1));
	mdx_hdr(w->in, MLX5_CMD_OP_QUERY_ADAPTER, 0, 0);
	memset(w->out, FILL, sizeof(w->out));
	w->m = (struct mbox_pair){ w->in, w->out, 16, 64 };
	test_err_general(EREMOTEIO, w->mdx.fd, &w->m);
	EXPECT_EQ(STATUS_BAD_OP << 24, mbox_get32(w->out, 0));
	EXPECT_EQ(SYNDROME, mbox_get32(w->out, 4));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + 8, 0, 56));
	EXPECT_TRUE(all_bytes((uint8_t *)w->out + 64, FILL, 64));
}

TEST_F(mbox, device_refusal_shown)
{
	struct mdx_world *w = &self->w;

	objtype_build_create(w, OBJTYPE_TIS);
	DEVX_SET(create_tis_in, w->in, ctx.transport_domain, 0xfffff0);
	test_err_create(EREMOTEIO, w->mdx.fd, &w->m);
	EXPECT_NE(0, mbox_get32(w->out, 0) >> 24);
	EXPECT_NE(0, mbox_get32(w->out, 4));
}

/* Delivery errors: the device never saw a command it could answer. */
FIXTURE(transport)
{
	struct mdx_world w;
};

FIXTURE_VARIANT(transport)
{
	int code;
	int err;
};

#define TRANSPORT(name, c, e)						\
	FIXTURE_VARIANT_ADD(transport, name) { .code = c, .err = e }

TRANSPORT(bad_token, 2, EBADR);
TRANSPORT(bad_input_pointer, 5, EFAULT);
TRANSPORT(firmware_error, 6, EIO);
TRANSPORT(bad_input_length, 7, ENOMSG);

FIXTURE_SETUP(transport)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	if (!self->w.hca)
		world_stop(&self->w);
	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_TIS));
}

FIXTURE_TEARDOWN(transport)
{
	world_stop(&self->w);
}

TEST_F(transport, query_output_untouched)
{
	struct mdx_world *w = &self->w;

	objtype_build_query(w, OBJTYPE_TIS);
	memset(w->out, FILL, sizeof(w->out));
	ASSERT_EQ(0, hca_cmd(w->hca, "transport 0x%x %d 1",
			     MLX5_CMD_OP_QUERY_TIS, variant->code));
	EXPECT_EQ(variant->err, query_obj(w, OBJTYPE_TIS));
	EXPECT_TRUE(all_bytes(w->out, FILL, sizeof(w->out)));
	EXPECT_EQ(0, query_obj(w, OBJTYPE_TIS));
}

TEST_F(transport, destroy_keeps_object)
{
	struct mdx_world *w = &self->w;
	struct mdx_ioc_obj_destroy res;

	ASSERT_EQ(0, hca_cmd(w->hca, "transport 0x%x %d 1",
			     MLX5_CMD_OP_DESTROY_TIS, variant->code));
	EXPECT_EQ(variant->err,
		  _test_mdx_destroy_status(w->mdx.fd, w->obj[OBJTYPE_TIS].id,
					   &res));
	EXPECT_EQ(0, res.out_status);
	objtype_build_query(w, OBJTYPE_TIS);
	EXPECT_EQ(0, query_obj(w, OBJTYPE_TIS));
}

TEST_F(transport, create_no_object)
{
	struct mdx_world *w = &self->w;
	uint32_t objs = mdx_objs(w->mdx.fd);

	objtype_build_create(w, OBJTYPE_TD);
	memset(w->out, FILL, sizeof(w->out));
	ASSERT_EQ(0, hca_cmd(w->hca, "transport 0x%x %d 1",
			     MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN,
			     variant->code));
	EXPECT_EQ(variant->err, create_obj(w));
	EXPECT_TRUE(all_bytes(w->out, FILL, sizeof(w->out)));
	EXPECT_EQ(objs, mdx_objs(w->mdx.fd));
}

MDX_HARNESS_MAIN(world_share())
