// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Bringing the function up and down: enable, ISSI, pages, init, adapter.
 */
#include "caps.h"
#include "fw_esw.h"
#include "fw_hca.h"
#include "fw_port.h"

#define ISSI_MAX 1

void fw_reset(struct fw *fw)
{
	fw_clear(fw);
	fw->enabled = false;
	fw->init = false;
	fw->issi = 0;
	caps_init(fw);
	port_init(fw);
	vports_init(fw);
}

/*
 * The function to enable or disable. An embedded CPU's own function sets
 * embedded_cpu_function; without it, the number is that of a host's function.
 */
static struct fw_vport *addressed_function(struct fw_call *c, int *ret)
{
	bool other = PRM_GET(enable_hca_in, c->in, function_id);

	if (c->fw->conf.esw == FW_ESW_ECPF)
		other = !PRM_GET(enable_hca_in, c->in, embedded_cpu_function);
	return fw_function(c, other, ret);
}

int fw_enable_hca(struct fw_call *c)
{
	int ret;
	struct fw_vport *f = addressed_function(c, &ret);

	if (!f)
		return ret;
	if (f == fw_own(c->fw))
		c->fw->enabled = true;
	f->enabled = true;
	return FW_OK;
}

int fw_disable_hca(struct fw_call *c)
{
	int ret;
	struct fw_vport *f = addressed_function(c, &ret);

	if (!f)
		return ret;
	f->enabled = false;
	if (f == fw_own(c->fw))
		fw_reset(c->fw);
	return FW_OK;
}

int fw_init_hca(struct fw_call *c)
{
	if (!c->fw->enabled || c->fw->init)
		return fw_fail(c, FW_BAD_SYS_STATE, SYND_NOT_INIT);
	c->fw->init = true;
	return FW_OK;
}

/* Graceful and forced teardown are the same: nothing can delay it. */
int fw_teardown_hca(struct fw_call *c)
{
	fw_clear(c->fw);
	c->fw->init = false;
	return FW_OK;
}

/* The model needs no pages. */
int fw_query_pages(struct fw_call *c)
{
	if (c->op_mod < 1 || c->op_mod > 3)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	return FW_OK;
}

/* The model never asks for pages, and forgets those that it is given. */
int fw_manage_pages(struct fw_call *c)
{
	u64 n = PRM_GET(manage_pages_in, c->in, input_num_entries);

	if (c->op_mod > 2)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	if (c->op_mod == 1)
		return fw_list(c, PRM_SZ(manage_pages_in), 8 * n);
	return FW_OK;
}

int fw_query_issi(struct fw_call *c)
{
	PRM_SET(query_issi_out, c->out, current_issi, c->fw->issi);
	PRM_SET(query_issi_out, c->out, supported_issi_dw0,
		BIT(ISSI_MAX + 1) - 1);
	return FW_OK;
}

int fw_set_issi(struct fw_call *c)
{
	u16 issi = PRM_GET(set_issi_in, c->in, current_issi);

	if (issi > ISSI_MAX)
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE);
	c->fw->issi = issi;
	return FW_OK;
}

int fw_query_adapter(struct fw_call *c)
{
	u8 *block = c->out + PRM_BYTE(query_adapter_out, query_adapter_struct);

	PRM_SET(query_adapter_param_block, block, ieee_vendor_id, 0x02c9);
	PRM_SET(query_adapter_param_block, block, vsd_vendor_id, 0x15b3);
	memcpy(block + PRM_BYTE(query_adapter_param_block, vsd_contd_psid),
	       "MDX0000000001", 13);
	return FW_OK;
}
