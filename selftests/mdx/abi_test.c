// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The ioctl structures: sizes, tails, flags, reserved fields, addresses. */
#include <sys/mman.h>

#include "kselftest_harness.h"
#include "mdx_utils.h"

#define BIG (3 * 4096)

/*
 * One valid request per ioctl: on a bound file with a TD and a TIS of that TD,
 * or on an unbound one for MDX_IOC_BIND.
 */
FIXTURE(abi)
{
	struct mdx_binding mdx;
	int unbound;
	int fd;
	uint32_t td;
	uint32_t tis;
	uint32_t tisn;
	struct ibv_cq *cq;
	uint8_t *req;
	uint64_t in[512 / 8];
	uint64_t out[512 / 8];
};

FIXTURE_VARIANT(abi)
{
	unsigned long nr;
	size_t size;
	size_t size_min;	/* of the first version; 0: @size */
	uint32_t flags;		/* that are known */
	size_t out;		/* where the out_* fields are */
	size_t out_len;
};

#define OUT_FIELDS(type, first, last)					\
	.out = offsetof(struct type, first),				\
	.out_len = offsetof(struct type, last) +			\
		sizeof(((struct type *)0)->last) - offsetof(struct type, first)

FIXTURE_VARIANT_ADD(abi, info)
{
	.nr = MDX_IOC_INFO,
	.size = sizeof(struct mdx_ioc_info),
	.size_min = offsetof(struct mdx_ioc_info, out_calls_max),
	OUT_FIELDS(mdx_ioc_info, out_features, out_long_bytes_max),
};

FIXTURE_VARIANT_ADD(abi, bind)
{
	.nr = MDX_IOC_BIND,
	.size = sizeof(struct mdx_ioc_bind),
	.flags = MDX_BIND_SHARE,
};

FIXTURE_VARIANT_ADD(abi, obj_create)
{
	.nr = MDX_IOC_OBJ_CREATE,
	.size = sizeof(struct mdx_ioc_obj_create),
	OUT_FIELDS(mdx_ioc_obj_create, out_id, out_id),
};

FIXTURE_VARIANT_ADD(abi, obj_destroy)
{
	.nr = MDX_IOC_OBJ_DESTROY,
	.size = sizeof(struct mdx_ioc_obj_destroy),
	OUT_FIELDS(mdx_ioc_obj_destroy, out_status, out_syndrome),
};

FIXTURE_VARIANT_ADD(abi, obj_modify)
{
	.nr = MDX_IOC_OBJ_MODIFY,
	.size = sizeof(struct mdx_ioc_obj_cmd),
};

FIXTURE_VARIANT_ADD(abi, obj_query)
{
	.nr = MDX_IOC_OBJ_QUERY,
	.size = sizeof(struct mdx_ioc_obj_cmd),
};

FIXTURE_VARIANT_ADD(abi, general)
{
	.nr = MDX_IOC_GENERAL,
	.size = sizeof(struct mdx_ioc_general),
};

FIXTURE_VARIANT_ADD(abi, verbs_modify)
{
	.nr = MDX_IOC_VERBS_MODIFY,
	.size = sizeof(struct mdx_ioc_verbs_cmd),
};

FIXTURE_VARIANT_ADD(abi, verbs_query)
{
	.nr = MDX_IOC_VERBS_QUERY,
	.size = sizeof(struct mdx_ioc_verbs_cmd),
};

FIXTURE_VARIANT_ADD(abi, query_port)
{
	.nr = MDX_IOC_QUERY_PORT,
	.size = sizeof(struct mdx_ioc_query_port),
	OUT_FIELDS(mdx_ioc_query_port, out_flags, out_reserved),
};

FIXTURE_VARIANT_ADD(abi, query_device)
{
	.nr = MDX_IOC_QUERY_DEVICE,
	.size = sizeof(struct mdx_ioc_query_device),
	OUT_FIELDS(mdx_ioc_query_device, out_fw_ver, out_reserved),
};

FIXTURE_VARIANT_ADD(abi, umem_reg)
{
	.nr = MDX_IOC_UMEM_REG,
	.size = sizeof(struct mdx_ioc_umem_reg),
	.flags = MDX_UMEM_DMABUF | MDX_UMEM_PGSZ_STRICT,
	OUT_FIELDS(mdx_ioc_umem_reg, out_id, out_reserved),
};

FIXTURE_VARIANT_ADD(abi, last_error)
{
	.nr = MDX_IOC_LAST_ERROR,
	.size = sizeof(struct mdx_ioc_last_error),
	.size_min = offsetof(struct mdx_ioc_last_error, out_item),
	OUT_FIELDS(mdx_ioc_last_error, out_count, out_reserved),
};

FIXTURE_VARIANT_ADD(abi, obj_list)
{
	.nr = MDX_IOC_OBJ_LIST,
	.size = sizeof(struct mdx_ioc_obj_list),
	OUT_FIELDS(mdx_ioc_obj_list, out_n, out_next),
};

FIXTURE_VARIANT_ADD(abi, submit)
{
	.nr = MDX_IOC_SUBMIT,
	.size = sizeof(struct mdx_ioc_submit),
	.flags = MDX_SUBMIT_STOP | MDX_SUBMIT_UNDO,
	OUT_FIELDS(mdx_ioc_submit, out_done, out_reserved),
};

FIXTURE_VARIANT_ADD(abi, channel)
{
	.nr = MDX_IOC_CHANNEL,
	.size = sizeof(struct mdx_ioc_channel),
	.flags = MDX_CHANNEL_EVENTS | MDX_CHANNEL_COMPLETIONS |
		 MDX_CHANNEL_OMIT_DATA | MDX_CHANNEL_PLAIN,
	OUT_FIELDS(mdx_ioc_channel, out_fd, out_fd),
};

FIXTURE_VARIANT_ADD(abi, subscribe)
{
	.nr = MDX_IOC_SUBSCRIBE,
	.size = sizeof(struct mdx_ioc_subscribe),
};

static void fill_create(struct mdx_ioc_obj_create *arg, void *in, void *out)
{
	mdx_hdr(in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	arg->in = (uintptr_t)in;
	arg->out = (uintptr_t)out;
	arg->in_len = SZ(alloc_pd_in);
	arg->out_len = SZ(alloc_pd_out);
}

static void fill_list(struct mdx_ioc_obj_list *arg, void *out)
{
	arg->objs = (uintptr_t)out;
	arg->objs_n = 4;
}

/* One item, whose answer goes behind it. */
static void fill_umem(struct mdx_ioc_umem_reg *arg)
{
	static uint64_t mem[64];

	arg->addr = (uintptr_t)mem;
	arg->length = sizeof(mem);
	arg->access = IBV_ACCESS_LOCAL_WRITE;
}

static void fill_submit(struct mdx_ioc_submit *arg, void *in, void *out)
{
	static struct mdx_item item;

	mdx_hdr(in, MLX5_CMD_OP_QUERY_ADAPTER, 0, 0);
	item = (struct mdx_item){
		.cmd = MDX_CMD_GENERAL,
		.in = (uintptr_t)in,
		.out = (uintptr_t)out,
		.in_len = SZ(query_adapter_in),
		.out_len = SZ(query_adapter_out),
	};
	arg->items = (uintptr_t)&item;
	arg->items_n = 1;
	arg->item_size = sizeof(item);
	arg->channel = -1;
}

static void fill_general(struct mdx_ioc_general *arg, void *in, void *out)
{
	mdx_hdr(in, MLX5_CMD_OP_QUERY_ADAPTER, 0, 0);
	arg->in = (uintptr_t)in;
	arg->out = (uintptr_t)out;
	arg->in_len = SZ(query_adapter_in);
	arg->out_len = SZ(query_adapter_out);
}

static void fill_obj_cmd(struct mdx_ioc_obj_cmd *arg, bool modify,
			 uint32_t tisn, void *in, void *out)
{
	if (modify) {
		mdx_hdr(in, MLX5_CMD_OP_MODIFY_TIS, 0, tisn);
		DEVX_SET(modify_tis_in, in, bitmask.prio, 1);
		DEVX_SET(modify_tis_in, in, ctx.prio, 3);
		arg->in_len = SZ(modify_tis_in);
		arg->out_len = SZ(modify_tis_out);
	} else {
		mdx_hdr(in, MLX5_CMD_OP_QUERY_TIS, 0, tisn);
		arg->in_len = SZ(query_tis_in);
		arg->out_len = SZ(query_tis_out);
	}
	arg->in = (uintptr_t)in;
	arg->out = (uintptr_t)out;
}

static void fill_verbs_cmd(FIXTURE_DATA(abi) *self, bool modify)
{
	struct mdx_ioc_verbs_cmd *arg = (void *)self->req;
	struct mlx5dv_cq dv = { 0 };
	struct mlx5dv_obj obj = { .cq = { .in = self->cq, .out = &dv } };

	mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ);
	mdx_hdr(self->in, modify ? MLX5_CMD_OP_MODIFY_CQ : MLX5_CMD_OP_QUERY_CQ,
		0, dv.cqn);
	arg->in = (uintptr_t)self->in;
	arg->out = (uintptr_t)self->out;
	arg->in_len = modify ? SZ(modify_cq_in) : SZ(query_cq_in);
	arg->out_len = modify ? SZ(modify_cq_out) : SZ(query_cq_out);
	arg->handle = self->cq->handle;
	arg->obj_type = MDX_VERBS_CQ;
}

static int create_td(FIXTURE_DATA(abi) *self, uint32_t *tdn)
{
	struct mbox_pair m = {
		.in = self->in,
		.out = self->out,
		.in_len = SZ(alloc_transport_domain_in),
		.out_len = SZ(alloc_transport_domain_out),
	};
	int ret;

	mdx_hdr(self->in, MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN, 0, 0);
	ret = _test_mdx_create(self->mdx.fd, &m, &self->td);
	*tdn = DEVX_GET(alloc_transport_domain_out, self->out,
			transport_domain);
	return ret;
}

static int create_tis(FIXTURE_DATA(abi) *self, uint32_t tdn)
{
	struct mbox_pair m = {
		.in = self->in,
		.out = self->out,
		.in_len = SZ(create_tis_in),
		.out_len = SZ(create_tis_out),
	};
	int ret;

	mdx_hdr(self->in, MLX5_CMD_OP_CREATE_TIS, 0, 0);
	DEVX_SET(create_tis_in, self->in, ctx.transport_domain, tdn);
	ret = _test_mdx_create(self->mdx.fd, &m, &self->tis);
	self->tisn = DEVX_GET(create_tis_out, self->out, tisn);
	memset(self->in, 0, sizeof(self->in));
	return ret;
}

/* To changes of the port. */
static bool fill_subscribe(FIXTURE_DATA(abi) *self)
{
	struct mdx_ioc_channel chan = {
		.size = sizeof(chan), .flags = MDX_CHANNEL_EVENTS,
	};
	struct mdx_ioc_subscribe *arg = (void *)self->req;
	static const uint16_t event = 0x09;

	if (mdx_ioctl(self->fd, MDX_IOC_CHANNEL, &chan))
		return false;
	arg->events = (uintptr_t)&event;
	arg->events_n = 1;
	arg->channel = chan.out_fd;
	arg->eventfd = -1;
	return true;
}

FIXTURE_SETUP(abi)
{
	uint32_t tdn;

	SETUP_DEVICE(return);
	ASSERT_EQ(0, mdx_start(&self->mdx));
	self->unbound = mdx_node_open();
	ASSERT_GE(self->unbound, 0);
	ASSERT_EQ(0, create_td(self, &tdn));
	ASSERT_EQ(0, create_tis(self, tdn));
	self->req = guard_alloc(BIG, 0);
	ASSERT_NE(NULL, self->req);
	self->fd = self->mdx.fd;

	*(uint32_t *)self->req = variant->size;
	switch (variant->nr) {
	case MDX_IOC_BIND: {
		struct mdx_ioc_bind *arg = (void *)self->req;

		self->fd = self->unbound;
		arg->uverbs_fd = self->mdx.ctx->cmd_fd;
		arg->pd_handle = self->mdx.pd->handle;
		break;
	}
	case MDX_IOC_OBJ_CREATE:
		fill_create((void *)self->req, self->in, self->out);
		break;
	case MDX_IOC_OBJ_DESTROY:
		((struct mdx_ioc_obj_destroy *)self->req)->id = self->tis;
		break;
	case MDX_IOC_OBJ_MODIFY:
	case MDX_IOC_OBJ_QUERY:
		((struct mdx_ioc_obj_cmd *)self->req)->id = self->tis;
		fill_obj_cmd((void *)self->req,
			     variant->nr == MDX_IOC_OBJ_MODIFY, self->tisn,
			     self->in, self->out);
		break;
	case MDX_IOC_GENERAL:
		fill_general((void *)self->req, self->in, self->out);
		break;
	case MDX_IOC_VERBS_MODIFY:
	case MDX_IOC_VERBS_QUERY:
		self->cq = ibv_create_cq(self->mdx.ctx, 16, NULL, NULL, 0);
		ASSERT_NE(NULL, self->cq);
		fill_verbs_cmd(self, variant->nr == MDX_IOC_VERBS_MODIFY);
		break;
	case MDX_IOC_QUERY_PORT:
		((struct mdx_ioc_query_port *)self->req)->port_num = 1;
		break;
	case MDX_IOC_OBJ_LIST:
		fill_list((void *)self->req, self->out);
		break;
	case MDX_IOC_UMEM_REG:
		fill_umem((void *)self->req);
		break;
	case MDX_IOC_SUBMIT:
		fill_submit((void *)self->req, self->in, self->out);
		break;
	case MDX_IOC_CHANNEL:
		((struct mdx_ioc_channel *)self->req)->flags =
			MDX_CHANNEL_EVENTS;
		break;
	case MDX_IOC_SUBSCRIBE:
		ASSERT_TRUE(fill_subscribe(self));
		break;
	}
}

FIXTURE_TEARDOWN(abi)
{
	if (self->cq)
		ibv_destroy_cq(self->cq);
	if (self->unbound > 0)
		close(self->unbound);
	mdx_stop(&self->mdx);
}

static int run_ioctl(FIXTURE_DATA(abi) * self,
		     const FIXTURE_VARIANT(abi) * variant)
{
	return mdx_ioctl(self->fd, variant->nr, self->req);
}

/* The call fails and leaves structure, mailbox and objects as they were. */
static bool is_refused(FIXTURE_DATA(abi) *self,
		    const FIXTURE_VARIANT(abi) *variant, int err)
{
	uint32_t objs = mdx_objs(self->mdx.fd);
	uint8_t before[BIG];
	int ret;

	memset(self->out, FILL, sizeof(self->out));
	memcpy(before, self->req, BIG);
	ret = run_ioctl(self, variant);
	if (ret != err) {
		fprintf(stderr, "# expected %s, got %s\n", strerror(err),
			strerror(ret));
		return false;
	}
	return !memcmp(before, self->req, BIG) &&
	       all_bytes(self->out, FILL, sizeof(self->out)) &&
	       mdx_objs(self->mdx.fd) == objs;
}

static void set_size(FIXTURE_DATA(abi) *self, uint32_t size)
{
	*(uint32_t *)self->req = size;
}

TEST_F(abi, size_exact)
{
	EXPECT_EQ(0, run_ioctl(self, variant));
}

TEST_F(abi, size_zero_einval)
{
	set_size(self, 0);
	EXPECT_TRUE(is_refused(self, variant, EINVAL));
}

/* The size of the size field alone is refused. */
TEST_F(abi, size_four_einval)
{
	set_size(self, 4);
	EXPECT_TRUE(is_refused(self, variant, EINVAL));
}

TEST_F(abi, size_short_einval)
{
	set_size(self, (variant->size_min ?: variant->size) - 1);
	EXPECT_TRUE(is_refused(self, variant, EINVAL));
}

TEST_F(abi, zero_tail)
{
	set_size(self, variant->size + 8);
	EXPECT_EQ(0, run_ioctl(self, variant));
}

/* A zero tail of odd length works. */
TEST_F(abi, odd_zero_tail)
{
	set_size(self, variant->size + 1);
	EXPECT_EQ(0, run_ioctl(self, variant));
}

/* A zero tail up to a page works. */
TEST_F(abi, page_zero_tail)
{
	set_size(self, 4096);
	EXPECT_EQ(0, run_ioctl(self, variant));
}

/* A zero tail past a page is refused. */
TEST_F(abi, tail_over_page_e2big)
{
	set_size(self, 4097);
	EXPECT_TRUE(is_refused(self, variant, E2BIG));
}

/* A tail whose first byte is not zero is refused. */
TEST_F(abi, tail_first_byte_e2big)
{
	set_size(self, variant->size + 8);
	self->req[variant->size] = 1;
	EXPECT_TRUE(is_refused(self, variant, E2BIG));
}

/* A tail whose last byte is not zero is refused. */
TEST_F(abi, tail_last_byte_e2big)
{
	set_size(self, variant->size + 8);
	self->req[variant->size + 7] = 1;
	EXPECT_TRUE(is_refused(self, variant, E2BIG));
}

/* A tail whose last byte of a page is not zero is refused. */
TEST_F(abi, page_last_byte_e2big)
{
	set_size(self, 4096);
	self->req[4095] = 1;
	EXPECT_TRUE(is_refused(self, variant, E2BIG));
}

/* Bytes behind the size do not matter. */
TEST_F(abi, bytes_behind_size_ignored)
{
	memset(self->req + variant->size, 0xff, BIG - variant->size);
	EXPECT_EQ(0, run_ioctl(self, variant));
}

/* A tail that cannot be read is refused. */
TEST_F(abi, tail_unreadable_efault)
{
	uint8_t *end = self->req + BIG - variant->size;

	set_size(self, variant->size + 8);
	memmove(end, self->req, variant->size);
	EXPECT_EQ(EFAULT, mdx_ioctl(self->fd, variant->nr, end));
}

/* A size of 4 GiB is refused. */
TEST_F(abi, size_4gib_e2big)
{
	set_size(self, UINT32_MAX);
	EXPECT_TRUE(is_refused(self, variant, E2BIG));
}

/* A structure at the end of memory works. */
TEST_F(abi, struct_at_memory_end)
{
	uint8_t *end = self->req + BIG - variant->size;

	memmove(end, self->req, variant->size);
	EXPECT_EQ(0, mdx_ioctl(self->fd, variant->nr, end));
}

TEST_F(abi, unaligned_struct)
{
	memmove(self->req + 1, self->req, variant->size);
	EXPECT_EQ(0, mdx_ioctl(self->fd, variant->nr, self->req + 1));
}

/* A structure that ends in unmapped memory is refused. */
TEST_F(abi, struct_unmapped_end_efault)
{
	uint8_t *end = self->req + BIG - variant->size + 1;

	memmove(end, self->req, variant->size - 1);
	EXPECT_EQ(EFAULT, mdx_ioctl(self->fd, variant->nr, end));
}

TEST_F(abi, null_efault)
{
	EXPECT_EQ(EFAULT, mdx_ioctl(self->fd, variant->nr, NULL));
}

TEST_F(abi, kernel_address_efault)
{
	void *addr = (void *)(uintptr_t)0xffff888000000000ULL;

	EXPECT_EQ(EFAULT, mdx_ioctl(self->fd, variant->nr, addr));
}

/* The lowest of the flags that are not known is refused. */
TEST_F(abi, lowest_flag_eopnotsupp)
{
	((uint32_t *)self->req)[1] = variant->flags + 1;
	EXPECT_TRUE(is_refused(self, variant, EOPNOTSUPP));
}

TEST_F(abi, highest_flag_eopnotsupp)
{
	((uint32_t *)self->req)[1] = 1U << 31;
	EXPECT_TRUE(is_refused(self, variant, EOPNOTSUPP));
}

/* Old contents of output fields do not matter. */
TEST_F(abi, output_fields_ignored)
{
	memset(self->req + variant->out, 0xff, variant->out_len);
	EXPECT_EQ(0, run_ioctl(self, variant));
}

/* A wrong size is reported before an unknown flag. */
TEST_F(abi, bad_size_before_flag)
{
	set_size(self, (variant->size_min ?: variant->size) - 1);
	((uint32_t *)self->req)[1] = 1U << 31;
	EXPECT_TRUE(is_refused(self, variant, EINVAL));
}

/* The ioctls whose structure has a reserved field. */
FIXTURE(reserved)
{
	struct mdx_binding mdx;
	uint32_t req[16];
};

FIXTURE_VARIANT(reserved)
{
	unsigned long nr;
	uint32_t size;
	size_t off;
};

#define RESERVED(name, ioc, type)					\
	FIXTURE_VARIANT_ADD(reserved, name)				\
	{								\
		.nr = ioc,						\
		.size = sizeof(struct type),				\
		.off = offsetof(struct type, __reserved),		\
	}

RESERVED(obj_create, MDX_IOC_OBJ_CREATE, mdx_ioc_obj_create);
RESERVED(obj_destroy, MDX_IOC_OBJ_DESTROY, mdx_ioc_obj_destroy);
RESERVED(obj_modify, MDX_IOC_OBJ_MODIFY, mdx_ioc_obj_cmd);
RESERVED(obj_query, MDX_IOC_OBJ_QUERY, mdx_ioc_obj_cmd);
RESERVED(query_port, MDX_IOC_QUERY_PORT, mdx_ioc_query_port);

FIXTURE_SETUP(reserved)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, mdx_start(&self->mdx));
	self->req[0] = variant->size;
}

FIXTURE_TEARDOWN(reserved)
{
	mdx_stop(&self->mdx);
}

/* A low bit in the reserved field is refused. */
TEST_F(reserved, low_bit_eopnotsupp)
{
	self->req[variant->off / 4] = 1;
	EXPECT_EQ(EOPNOTSUPP,
		  mdx_ioctl(self->mdx.fd, variant->nr, self->req));
}

/* A high bit in the reserved field is refused. */
TEST_F(reserved, high_bit_eopnotsupp)
{
	self->req[variant->off / 4] = 1U << 31;
	EXPECT_EQ(EOPNOTSUPP,
		  mdx_ioctl(self->mdx.fd, variant->nr, self->req));
}

MDX_HARNESS_MAIN(mdx_share())
