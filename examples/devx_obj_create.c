// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mlx5dv_devx_obj_create(3): creates, modifies, queries and destroys firmware
 * objects, and shows a command that the device refuses.
 */
#include "open.h"
#include "layout.h"

static uint64_t in[DEVX_ST_SZ_QW(tis_in)];
static uint64_t out[DEVX_ST_SZ_QW(query_adapter_out)];

/*
 * Start a command, with zeroes but for its opcode and the number of an object.
 */
static void init_command(uint16_t opcode, uint32_t number)
{
	memset(in, 0, sizeof(in));
	memset(out, 0, sizeof(out));
	DEVX_SET(cmd_in, in, opcode, opcode);
	DEVX_SET(cmd_in, in, number, number);
}

static struct mlx5dv_devx_obj *create_tis(struct ibv_context *context,
					  uint32_t transport_domain)
{
	init_command(MDX_OPCODE_CREATE_TIS, 0);
	DEVX_SET(tis_in, in, ctx.transport_domain, transport_domain);
	return mlx5dv_devx_obj_create(context, in, DEVX_ST_SZ_BYTES(tis_in),
				      out, DEVX_ST_SZ_BYTES(cmd_out));
}

static void query_adapter(struct ibv_context *context)
{
	int ret;

	init_command(MDX_OPCODE_QUERY_ADAPTER, 0);
	ret = mlx5dv_devx_general_cmd(context, in, DEVX_ST_SZ_BYTES(cmd_in),
				      out, DEVX_ST_SZ_BYTES(query_adapter_out));
	if (ret)
		fail_with("mlx5dv_devx_general_cmd", ret);
	printf("vendor of the adapter: 0x%06x\n",
	       DEVX_GET(query_adapter_out, out, ieee_vendor_id));
}

static unsigned int query_prio(struct mlx5dv_devx_obj *tis, uint32_t tisn)
{
	int ret;

	init_command(MDX_OPCODE_QUERY_TIS, tisn);
	ret = mlx5dv_devx_obj_query(tis, in, DEVX_ST_SZ_BYTES(cmd_in), out,
				    DEVX_ST_SZ_BYTES(query_tis_out));
	if (ret)
		fail_with("mlx5dv_devx_obj_query", ret);
	return DEVX_GET(query_tis_out, out, ctx.prio);
}

static void modify_prio(struct mlx5dv_devx_obj *tis, uint32_t tisn)
{
	int ret;

	init_command(MDX_OPCODE_MODIFY_TIS, tisn);
	DEVX_SET(tis_in, in, modify_prio, 1);
	DEVX_SET(tis_in, in, ctx.prio, 5);
	ret = mlx5dv_devx_obj_modify(tis, in, DEVX_ST_SZ_BYTES(tis_in), out,
				     DEVX_ST_SZ_BYTES(cmd_out));
	if (ret)
		fail_with("mlx5dv_devx_obj_modify", ret);
}

int main(void)
{
	struct ibv_context *context = open_device();
	struct mlx5dv_devx_obj *td, *tis;
	uint32_t tdn, tisn;
	int ret;

	query_adapter(context);

	init_command(MDX_OPCODE_ALLOC_TRANSPORT_DOMAIN, 0);
	td = mlx5dv_devx_obj_create(context, in, DEVX_ST_SZ_BYTES(cmd_in), out,
				    DEVX_ST_SZ_BYTES(cmd_out));
	if (!td)
		fail_with("transport domain", errno);
	tdn = DEVX_GET(cmd_out, out, number);
	printf("transport domain 0x%06x\n", tdn);

	tis = create_tis(context, tdn);
	if (!tis)
		fail_with("TIS", errno);
	tisn = DEVX_GET(cmd_out, out, number);
	printf("TIS 0x%06x, priority %u\n", tisn, query_prio(tis, tisn));
	modify_prio(tis, tisn);
	printf("after a modify: priority %u\n", query_prio(tis, tisn));

	/* On EREMOTEIO the output mailbox has the status of the device. */
	if (create_tis(context, 0xfffff0))
		fail_with("TIS without a transport domain", EEXIST);
	printf("TIS of no transport domain: %s, status 0x%02x, syndrome 0x%06x\n",
	       strerror(errno), DEVX_GET(cmd_out, out, status),
	       DEVX_GET(cmd_out, out, syndrome));

	/* An object in use is not destroyed and remains usable. */
	ret = mlx5dv_devx_obj_destroy(td);
	printf("destroy the transport domain in use: %s\n", strerror(ret));
	ret = mlx5dv_devx_obj_destroy(tis);
	if (ret)
		fail_with("destroy the TIS", ret);
	ret = mlx5dv_devx_obj_destroy(td);
	if (ret)
		fail_with("destroy the transport domain", ret);
	puts("destroyed both, the TIS first");
	ibv_close_device(context);
	return 0;
}
