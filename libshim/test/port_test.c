// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mlx5dv_query_port(): the inline function, and the symbol of that name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "user.h"

/* The structure of the man page, with room behind it. */
union port_buf {
	struct mlx5dv_port port;
	unsigned char bytes[64];
};

static union port_buf buf;

static int (*port_symbol)(struct ibv_context *context, uint32_t port_num,
			  struct mlx5dv_port *info);

static bool bytes_are(size_t from, size_t to, unsigned char value)
{
	while (from < to)
		if (buf.bytes[from++] != value)
			return false;
	return true;
}

static struct ibv_context *open_ports(void)
{
	struct ibv_context *context = open_bound();

	port_symbol = dlvsym(RTLD_DEFAULT, "mlx5dv_query_port", "MDX_1.1");
	memset(&buf, 0xa5, sizeof(buf));
	kernel.port = (struct mdx_ioc_query_port){
		.out_flags = 0x3f,
		.out_icm_rx = 0x1122334455667788,
		.out_icm_tx = 0x99aabbccddeeff00,
		.out_vport = 0xffff,
		.out_vport_vhca_id = 0x1234,
		.out_esw_owner_vhca_id = 0x5678,
		.out_reg_c0_value = 0xabcd0000,
		.out_reg_c0_mask = 0xffff0000,
	};
	return context;
}

static const unsigned char answer[40] = {
	0x3f, 0, 0, 0, 0, 0, 0, 0,
	0xff, 0xff, 0x34, 0x12, 0x78, 0x56, 0, 0,
	0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
	0x00, 0xff, 0xee, 0xdd, 0xcc, 0xbb, 0xaa, 0x99,
	0x00, 0x00, 0xcd, 0xab, 0x00, 0x00, 0xff, 0xff,
};

static void port_answer(void)
{
	static const unsigned char want[16] = { 64, [8] = 0x02, [9] = 0x01 };
	struct ibv_context *context = open_ports();

	EXPECT_OK(mlx5dv_query_port(context, 0x102, &buf.port));
	EXPECT_STR("T", fake_events);
	EXPECT(!memcmp(kernel.last[MDX_CMD_QUERY_PORT].bytes, want, 16));
	EXPECT(!memcmp(buf.bytes, answer, 40));
	EXPECT(bytes_are(40, sizeof(buf), 0xa5));
	EXPECT_OK(mlx5dv_query_port(context, UINT32_MAX, &buf.port));
	EXPECT_EQ(UINT32_MAX, kernel.last[MDX_CMD_QUERY_PORT].port.port_num);
	ibv_close_device(context);
}

static void port_symbol_answer(void)
{
	struct ibv_context *context = open_ports();

	EXPECT(port_symbol);
	EXPECT_OK(port_symbol(context, 3, &buf.port));
	EXPECT_STR("T", fake_events);
	EXPECT_EQ(3, kernel.last[MDX_CMD_QUERY_PORT].port.port_num);
	EXPECT(!memcmp(buf.bytes, answer, 40));
	EXPECT(bytes_are(40, sizeof(buf), 0xa5));
	kernel.err[MDX_CMD_QUERY_PORT] = EINVAL;
	EXPECT_ERR(EINVAL, port_symbol(context, 3, &buf.port));
	ibv_close_device(context);
}

static void port_empty_zeroed(void)
{
	struct ibv_context *context = open_ports();

	memset(&kernel.port, 0, sizeof(kernel.port));
	EXPECT_OK(mlx5dv_query_port(context, 1, &buf.port));
	EXPECT(bytes_are(0, 40, 0));
	EXPECT(bytes_are(40, sizeof(buf), 0xa5));
	ibv_close_device(context);
}

/* Bytes of a longer structure, beyond the fields that libmdx knows, are 0. */
static void port_info_long_zeroed(void)
{
	struct ibv_context *context = open_ports();
	size_t len;

	for (len = 40; len <= sizeof(buf); len++) {
		memset(&buf, 0xa5, sizeof(buf));
		EXPECT_OK(_mlx5dv_query_port(context, 1, &buf.port, len));
		EXPECT(!memcmp(buf.bytes, answer, 40));
		EXPECT(bytes_are(40, len, 0));
		EXPECT(bytes_are(len, sizeof(buf), 0xa5));
	}
	ibv_close_device(context);
}

static void port_info_short_einval(void)
{
	struct ibv_context *context = open_ports();
	size_t len;

	for (len = 0; len < 40; len++)
		EXPECT_ERR(EINVAL, _mlx5dv_query_port(context, 1, &buf.port,
						      len));
	EXPECT_STR("", fake_events);
	EXPECT(bytes_are(0, sizeof(buf), 0xa5));
	ibv_close_device(context);
}

static void port_errno_untouched(void)
{
	static const int errs[] = {
		EINVAL, EOPNOTSUPP, EIO, EBUSY, ENOMEM, EAGAIN, ENXIO,
		ETIMEDOUT, ENOTCONN,
	};
	struct ibv_context *context = open_ports();
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		kernel.err[MDX_CMD_QUERY_PORT] = errs[i];
		EXPECT_ERR(errs[i], mlx5dv_query_port(context, 1, &buf.port));
		EXPECT_ERR(errs[i], port_symbol(context, 1, &buf.port));
	}
	EXPECT(bytes_are(0, sizeof(buf), 0xa5));
	ibv_close_device(context);
}

static void expect_port_next(struct ibv_context *context, const char *events)
{
	fake_events_reset();
	EXPECT_OK(_mlx5dv_query_port(context, 9, &buf.port, 44));
	EXPECT_STR(events, fake_events);
	EXPECT(fake_mlx5.context == context && fake_mlx5.port == 9 &&
	       fake_mlx5.info == &buf.port && fake_mlx5.info_len == 44);
	fake_mlx5.err = EINVAL;
	EXPECT_ERR(EINVAL, mlx5dv_query_port(context, 8, &buf.port));
	EXPECT_EQ(sizeof(struct mlx5dv_port), fake_mlx5.info_len);
	EXPECT_ERR(EINVAL, port_symbol(context, 7, &buf.port));
	EXPECT_EQ(7, fake_mlx5.port);
	EXPECT_EQ(sizeof(struct mlx5dv_port), fake_mlx5.info_len);
	EXPECT(bytes_are(0, sizeof(buf), 0xa5));
}

static void port_unserved_forwarded(void)
{
	struct ibv_context *context;

	reset_fakes();
	context = open_ctx();
	kernel.open_err = ENOENT;
	general_cmd(context);
	expect_port_next(context, "t");
	ibv_close_device(context);
}

static void port_enotty_forwarded(void)
{
	struct ibv_context *context = open_ports();

	kernel.err[MDX_CMD_QUERY_PORT] = ENOTTY;
	expect_port_next(context, "Tt");
	ibv_close_device(context);
}

static void port_libmlx5_forwarded(void)
{
	struct ibv_context *context = open_ports();

	EXPECT_EQ(0, fake_mlx5_port(context));
	EXPECT_STR("t", fake_events);
	ibv_close_device(context);
}

const struct tap_test port_tests[] = {
	TEST(port_answer),
	TEST(port_symbol_answer),
	TEST(port_empty_zeroed),
	TEST(port_info_long_zeroed),
	TEST(port_info_short_einval),
	TEST(port_errno_untouched),
	TEST(port_unserved_forwarded),
	TEST(port_enotty_forwarded),
	TEST(port_libmlx5_forwarded),
	{ NULL, NULL }
};
