// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Bringing the function up and down: enable, ISSI, pages, init, adapter.
 */
#include "fw_cmds.h"

#define ISSI_MAX 1

/*
 * Which function is enabled or disabled: the embedded CPU's own says that it is
 * one; all others are the host's, by number.
 */
static struct fw_vport *which_hca(struct fw_call *c, int *ret)
{
	bool other = PRM_GET(enable_hca_in, c->in, function_id);

	if (c->fw->conf.esw == FW_ESW_ECPF)
		other = !PRM_GET(enable_hca_in, c->in, embedded_cpu_function);
	return fw_function(c, other, ret);
}

int fw_enable_hca(struct fw_call *c)
{
	int ret;
	struct fw_vport *f = which_hca(c, &ret);

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
	struct fw_vport *f = which_hca(c, &ret);

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

/* Graceful or not: there is nothing that could get in its way. */
int fw_teardown_hca(struct fw_call *c)
{
	fw_clear(c->fw);
	c->fw->init = false;
	return FW_OK;
}

/* It has memory enough. */
int fw_query_pages(struct fw_call *c)
{
	if (c->op_mod < 1 || c->op_mod > 3)
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	return FW_OK;
}

/* It asks for none; what it is given is not kept. */
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
