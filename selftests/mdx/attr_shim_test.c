// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ibv_query_device_ex() and mlx5dv_query_port() of libmdx next to those of
 * rdma-core on the stock driver: the same bytes.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "mdx_utils.h"

#include <mdx/mdx.h>

#define BASE sizeof(struct ibv_device_attr)
#define WHOLE sizeof(struct ibv_device_attr_ex)
#define ROOM 512
#define PAGE_END 296	/* end of the structure in the man page */
#define PORT_LEN sizeof(struct mlx5dv_port)

typedef int port_fn(struct ibv_context *context, uint32_t port_num,
		    struct mlx5dv_port *info, size_t info_len);
typedef int port_page_fn(struct ibv_context *context, uint32_t port_num,
			 struct mlx5dv_port *info);
typedef int attr_page_fn(struct ibv_context *context,
			 struct ibv_device_attr_ex *attr);

FIXTURE(attr)
{
	struct hca_ctl *hca;
	struct ibv_context *ctx;
	struct verbs_context *vctx;	/* the stock op is its */
	port_fn *stock_port;
	port_page_fn *port_page;
	attr_page_fn *attr_page;
	uint8_t ours[ROOM];
	uint8_t stock[ROOM];
};

FIXTURE_SETUP(attr)
{
	void *mlx5 = dlopen("libmlx5.so.1", RTLD_NOW | RTLD_NOLOAD);

	SETUP_DEVICE(return);
	self->hca = hca_open();
	self->ctx = mdx_ctx_open();
	ASSERT_NE(NULL, self->ctx);
	ASSERT_EQ(0, mdx_context_check(self->ctx))
		TH_LOG("%s", mdx_context_reason(self->ctx));
	self->vctx = verbs_get_ctx_op(self->ctx, query_device_ex);
	ASSERT_NE(NULL, self->vctx);
	ASSERT_NE(NULL, mlx5);
	self->stock_port = (port_fn *)dlvsym(mlx5, "_mlx5dv_query_port",
					     "MLX5_1.19");
	self->port_page = (port_page_fn *)dlsym(RTLD_DEFAULT,
						"mlx5dv_query_port");
	self->attr_page = (attr_page_fn *)dlsym(RTLD_DEFAULT,
						"ibv_query_device_ex");
	ASSERT_NE(NULL, self->stock_port);
	ASSERT_NE((port_fn *)_mlx5dv_query_port, self->stock_port);
	ASSERT_NE(NULL, self->port_page);
	ASSERT_NE(NULL, self->attr_page);
	memset(self->ours, FILL, ROOM);
	memset(self->stock, FILL, ROOM);
}

FIXTURE_TEARDOWN(attr)
{
	if (self->ctx)
		ibv_close_device(self->ctx);
	hca_close(self->hca);
}

/* The result, or -1 if errno differs from it. */
#define OURS(call) ({							\
	int ret_;							\
									\
	errno = 0;							\
	ret_ = (call);							\
	ret_ == errno ? ret_ : -1;					\
})

static int stock_attr(FIXTURE_DATA(attr) *self, size_t size)
{
	return self->vctx->query_device_ex(self->ctx, NULL,
					   (void *)self->stock, size);
}

static void show_difference(const uint8_t *ours, const uint8_t *stock,
			    size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (ours[i] != stock[i])
			printf("# byte %zu: %02x, stock %02x\n", i, ours[i],
			       stock[i]);
	fflush(stdout);
}

/* By both, ours in front of a page that is not to be touched. */
static bool is_same(struct ibv_context *ctx, size_t size)
{
	struct verbs_context *vctx = verbs_get_ctx_op(ctx, query_device_ex);
	uint8_t *ours = guard_alloc(size, 0);
	uint8_t stock[ROOM];

	if (!ours || !vctx)
		return false;
	memset(ours, FILL, size);
	memset(stock, FILL, ROOM);
	if (!vctx->query_device_ex(ctx, NULL, (void *)stock, size) &&
	    !mdx_query_device_ex(ctx, NULL, (void *)ours, size) &&
	    !memcmp(ours, stock, size))
		return true;
	show_difference(ours, stock, size);
	return false;
}

/* Every size has the bytes of stock. */
TEST_F(attr, every_size_stock)
{
	size_t size;

	for (size = BASE; size <= WHOLE + 64; size++)
		ASSERT_TRUE(is_same(self->ctx, size))
			TH_LOG("attr_size %zu", size);
}

/* Less than the base is EINVAL as of stock. */
TEST_F(attr, size_short_einval)
{
	size_t size;

	for (size = 0; size < BASE; size++) {
		EXPECT_EQ(EINVAL, OURS(mdx_query_device_ex(self->ctx, NULL,
							   (void *)self->ours,
							   size)));
		EXPECT_EQ(EINVAL, stock_attr(self, size));
	}
	EXPECT_TRUE(all_bytes(self->ours, FILL, ROOM));
}

/* Two arguments and three are the same. */
TEST_F(attr, two_three_arguments_same)
{
	struct ibv_query_device_ex_input input = { };
	struct ibv_device_attr_ex *ours = (void *)self->ours;
	struct ibv_device_attr_ex *stock = (void *)self->stock;

	/* In parentheses it is the inline function of <infiniband/verbs.h>. */
	ASSERT_EQ(0, (ibv_query_device_ex)(self->ctx, NULL, stock));
	ASSERT_EQ(0, OURS(ibv_query_device_ex(self->ctx, ours)));
	EXPECT_EQ(0, memcmp(ours, stock, ROOM));
	memset(ours, FILL, WHOLE);
	ASSERT_EQ(0, OURS(ibv_query_device_ex(self->ctx, NULL, ours)));
	EXPECT_EQ(0, memcmp(ours, stock, ROOM));
	memset(ours, FILL, WHOLE);
	ASSERT_EQ(0, OURS(ibv_query_device_ex(self->ctx, &input, ours)));
	EXPECT_EQ(0, memcmp(ours, stock, ROOM));
}

/* The symbol writes no more than the structure of the man page. */
TEST_F(attr, symbol_writes_page_size)
{
	struct ibv_device_attr_ex *attr = guard_alloc(PAGE_END, 0);

	ASSERT_NE(NULL, attr);
	ASSERT_EQ(0, OURS(self->attr_page(self->ctx, attr)));
	ASSERT_EQ(0, stock_attr(self, PAGE_END));
	EXPECT_EQ(0, memcmp(attr, self->stock, PAGE_END));
}

/* An input with a comp_mask is EINVAL. */
TEST_F(attr, input_comp_mask_einval)
{
	struct ibv_query_device_ex_input input = { .comp_mask = 1 };
	struct ibv_device_attr_ex *ours = (void *)self->ours;

	EXPECT_EQ(EINVAL, OURS(ibv_query_device_ex(self->ctx, &input, ours)));
	EXPECT_EQ(EINVAL, (ibv_query_device_ex)(self->ctx, &input, ours));
	EXPECT_TRUE(all_bytes(ours, FILL, ROOM));
}

/* Without the module it is the stock answer. */
TEST_F(attr, no_module_stock)
{
	struct ibv_device_attr_ex *ours = (void *)self->ours;
	struct ibv_context *ctx;

	ASSERT_EQ(0, ibv_close_device(self->ctx));
	self->ctx = NULL;
	ASSERT_EQ(0, run("rmmod mlx5_devx"));
	ctx = mdx_ctx_open();
	EXPECT_NE(NULL, ctx);
	if (ctx) {
		EXPECT_EQ(ENODEV, mdx_context_check(ctx));
		EXPECT_EQ(0, ibv_query_device_ex(ctx, ours));
		EXPECT_EQ(0, (ibv_query_device_ex)(ctx, NULL,
						   (void *)self->stock));
		EXPECT_EQ(0, memcmp(self->ours, self->stock, ROOM));
		memset(self->ours, FILL, ROOM);
		EXPECT_EQ(0, mlx5dv_query_port(ctx, 1, (void *)self->ours));
		EXPECT_EQ(EINVAL, mlx5dv_query_port(ctx, 0,
						    (void *)self->ours));
		ibv_close_device(ctx);
	}
	EXPECT_EQ(0, run("modprobe mlx5_devx"));
}

static uint8_t port_count(struct ibv_context *ctx)
{
	struct ibv_device_attr attr;

	return ibv_query_device(ctx, &attr) ? 0 : attr.phys_port_cnt;
}

/* Every port has the bytes of stock. */
TEST_F(attr, every_port_stock)
{
	unsigned int port, count = port_count(self->ctx);

	ASSERT_LE(1, count);
	for (port = 1; port <= count; port++) {
		struct mlx5dv_port *info = guard_alloc(PORT_LEN, 0);
		int ours, stock;

		ASSERT_NE(NULL, info);
		memset(info, FILL, PORT_LEN);
		memset(self->stock, FILL, ROOM);
		ours = OURS(mlx5dv_query_port(self->ctx, port, info));
		stock = self->stock_port(self->ctx, port, (void *)self->stock,
					 PORT_LEN);
		EXPECT_EQ(stock, ours);
		EXPECT_EQ(0, memcmp(info, self->stock, PORT_LEN));
		memset(info, FILL, PORT_LEN);
		EXPECT_EQ(stock, OURS(self->port_page(self->ctx, port, info)));
		EXPECT_EQ(0, memcmp(info, self->stock, PORT_LEN));
	}
}

/* A port of any length has the bytes of stock. */
TEST_F(attr, port_any_length_stock)
{
	size_t len;

	for (len = 0; len <= 2 * PORT_LEN; len++) {
		int ours, stock;

		memset(self->ours, FILL, ROOM);
		memset(self->stock, FILL, ROOM);
		ours = OURS(_mlx5dv_query_port(self->ctx, 1,
					       (void *)self->ours, len));
		stock = self->stock_port(self->ctx, 1, (void *)self->stock,
					 len);
		EXPECT_EQ(stock, ours)
			TH_LOG("info_len %zu", len);
		EXPECT_EQ(len < PORT_LEN ? EINVAL : 0, ours);
		EXPECT_EQ(0, memcmp(self->ours, self->stock, ROOM))
			TH_LOG("info_len %zu", len);
	}
}

/* Ports that do not exist are EINVAL as of stock. */
TEST_F(attr, port_missing_einval)
{
	uint32_t beyond = port_count(self->ctx) + 1;
	const uint32_t ports[] = {
		0, beyond, 255, 256, 257, 0x10001, 0x80000000, UINT32_MAX,
	};
	size_t i;

	for (i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
		EXPECT_EQ(EINVAL, OURS(mlx5dv_query_port(self->ctx, ports[i],
							 (void *)self->ours)));
		EXPECT_EQ(EINVAL, OURS(self->port_page(self->ctx, ports[i],
						       (void *)self->ours)));
		EXPECT_EQ(EINVAL, self->stock_port(self->ctx, ports[i],
						   (void *)self->stock,
						   PORT_LEN));
	}
	EXPECT_TRUE(all_bytes(self->ours, FILL, ROOM));
}

/* Devices with more or fewer capabilities. Changing them takes a bind. */
FIXTURE(able)
{
	struct hca_ctl *hca;
	char addr[32];
};

static const char *const switches[] = {
	"odp", "umr", "eth", "tso", "rss", "pacing", "tag-matching",
	"atomics", "pci-atomics", "timestamps", "real-time", "striding",
	"cq-moderation",
};

#define SWITCHES (sizeof(switches) / sizeof(switches[0]))

static bool rebind_driver(const char *addr)
{
	return !write_file(MLX5_DRIVER "/unbind", addr) &&
	       !write_file(MLX5_DRIVER "/bind", addr) && mdx_device_wait();
}

/* The next context is one of a device with only these switches changed. */
static bool switch_to(FIXTURE_DATA(able) *self, const char *only,
		      const char *value)
{
	size_t i;

	if (hca_cmd(self->hca, "reset-script"))
		return false;
	for (i = 0; i < SWITCHES; i++)
		if ((!only || !strcmp(only, switches[i])) &&
		    hca_cmd(self->hca, "switch %s %s", switches[i], value))
			return false;
	return rebind_driver(self->addr);
}

FIXTURE_SETUP(able)
{
	SETUP_DEVICE(return);
	self->hca = hca_open();
	SKIP_NO_HCA(self->hca, return);
	if (hca_cmd(self->hca, "switch eth off"))
		SKIP(return, "an e-switch does not do without Ethernet");
	ASSERT_TRUE(mdx_pci_addr(self->addr, sizeof(self->addr)));
}

FIXTURE_TEARDOWN(able)
{
	if (self->hca)
		EXPECT_EQ(0, hca_cmd(self->hca, "reset-script"));
	if (*self->addr)
		EXPECT_TRUE(rebind_driver(self->addr));
	hca_close(self->hca);
}

static void expect_the_same(struct __test_metadata *_metadata,
			    FIXTURE_DATA(able) *self, const char *only,
			    const char *value)
{
	/*
	 * The base, the man page's structure, without the atomics, all, and
	 * more.
	 */
	const size_t ends[] = { BASE, PAGE_END, 384, 390, WHOLE, WHOLE + 8 };
	struct ibv_context *ctx;
	bool same = true;
	size_t i;

	ASSERT_TRUE(switch_to(self, only, value))
		TH_LOG("%s %s", only ?: "all", value);
	ctx = mdx_ctx_open();
	ASSERT_NE(NULL, ctx);
	EXPECT_EQ(0, mdx_context_check(ctx));
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		same = same && is_same(ctx, ends[i]);
	EXPECT_TRUE(same)
		TH_LOG("%s %s", only ?: "all", value);
	ibv_close_device(ctx);
}

TEST_F_TIMEOUT(able, all_switches_stock, 120)
{
	expect_the_same(_metadata, self, NULL, "on");
	expect_the_same(_metadata, self, NULL, "off");
}

/* Things that others depend on. */
TEST_F_TIMEOUT(able, one_off_stock, 120)
{
	if (mdx_lane_debug())
		SKIP(return, "on the debug kernel each takes half a minute");
	expect_the_same(_metadata, self, "eth", "off");
	expect_the_same(_metadata, self, "rss", "off");
	expect_the_same(_metadata, self, "atomics", "off");
}

TEST_HARNESS_MAIN
