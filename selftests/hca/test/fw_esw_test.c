// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The e-switch: vports, functions and tables of a manager. */
#include "../caps_set.h"
#include "../fw_esw.h"
#include "fw_env.h"

#define ECPF 0xfffe
#define UPLINK 0xffff

static const struct fw_conf ecpf = {
	.mac = { 2, 0, 0, 0, 0, 1 }, .esw = FW_ESW_ECPF, .vfs = 2,
};

static const struct fw_conf pf = {
	.mac = { 2, 0, 0, 0, 0, 1 }, .esw = FW_ESW_PF,
};

/* Start the function; an embedded CPU's says that it is one. */
static void start_as(const struct fw_conf *conf)
{
	fw = fw_new(conf, &env_ops, NULL);
	clear_in();
	PRM_SET(enable_hca_in, in, embedded_cpu_function,
		conf->esw == FW_ESW_ECPF);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ENABLE_HCA, 0, 0), FW_OK);
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_INIT_HCA, 0, 0), FW_OK);
	ua = new_user();
	clear_in();
}

static void put_vport(u16 num)
{
	clear_in();
	PRM_SET(query_vport_state_in, in, other_vport, 1);
	PRM_SET(query_vport_state_in, in, vport_number, num);
}

static u64 max_cap(unsigned int type, size_t bit, unsigned int width)
{
	clear_in();
	PRM_SET(query_hca_cap_in, in, op_mod, type << 1 | 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, ua, 0), FW_OK);
	return prm_get(out + 16, bit, width);
}

#define CAP(type, t, f) max_cap(type, PRM_BIT(t, f), PRM_WIDTH(t, f))
#define GENERAL(f) CAP(CAP_GENERAL, cmd_hca_cap, f)

static int other_cap(u16 function, u16 *vhca_id)
{
	int ret;

	clear_in();
	PRM_SET(query_hca_cap_in, in, op_mod, 1);
	PRM_SET(query_hca_cap_in, in, other_function, 1);
	PRM_SET(query_hca_cap_in, in, function_id, function);
	ret = run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0);
	*vhca_id = PRM_GET(cmd_hca_cap, out + 16, vhca_id);
	return ret;
}

static void eswitch_absent_by_default(void)
{
	start_fw();
	CHECK_EQ(GENERAL(eswitch_manager), 0);
	CHECK_EQ(GENERAL(steering_format_version), 0);
	clear_in();
	PRM_SET(query_hca_cap_in, in, op_mod, CAP_ESW << 1);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, ua, 0), FW_BAD_PARAM,
		SYND_CAP_TYPE);
	clear_in();
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT, ua, 0),
		FW_BAD_PARAM, SYND_VPORT);
	REFUSED(run_cmd(MLX5_CMD_OP_MODIFY_ESW_VPORT_CONTEXT, 0, 0),
		FW_BAD_PARAM, SYND_VPORT);
	stop_fw();
}

static void manager_has_caps(void)
{
	start_as(&pf);
	CHECK_EQ(GENERAL(eswitch_manager), 1);
	CHECK_EQ(CAP(CAP_ESW, e_switch_cap, ecpf_vport_exists), 0);
	stop_fw();
	start_as(&ecpf);
	CHECK_EQ(GENERAL(vport_group_manager), 1);
	CHECK_EQ(CAP(CAP_ESW, e_switch_cap, ecpf_vport_exists), 1);
	CHECK_EQ(CAP(CAP_ESW, e_switch_cap, esw_uplink_ingress_acl), 1);
#define FDB(f) CAP(CAP_ESW_FLOW, flow_table_eswitch_cap, f)
	CHECK_EQ(FDB(flow_table_properties_nic_esw_fdb.sw_owner_v2), 1);
	CHECK_EQ(FDB(flow_table_properties_esw_acl_egress.ft_support), 1);
	CHECK_EQ(FDB(fdb_to_vport_reg_c_id), 1);
	CHECK(FDB(sw_steering_uplink_icm_address_rx));
	CHECK(FDB(sw_steering_uplink_icm_address_tx) !=
	      FDB(sw_steering_uplink_icm_address_rx));
	stop_fw();
}

static void host_functions_reported(void)
{
	u8 *host = out + 16;

	start_as(&ecpf);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_ESW_FUNCTIONS, ua, 16, 128), FW_OK);
	CHECK_EQ(PRM_GET(host_params_context, host, host_num_of_vfs), 2);
	CHECK_EQ(PRM_GET(host_params_context, host, host_total_vfs), 2);
	CHECK_EQ(PRM_GET(host_params_context, host, host_pf_disabled), 0);
	REFUSED(run_len(MLX5_CMD_OP_QUERY_ESW_FUNCTIONS, ua, 16, 79),
		FW_BAD_OUT_LEN, SYND_OUT_LEN);
	stop_fw();
	start_as(&pf);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_ESW_FUNCTIONS, ua, 16, 128), FW_OK);
	CHECK_EQ(PRM_GET(host_params_context, host, host_num_of_vfs), 0);
	stop_fw();
}

/* The numbers are unique, and the uplink has no function. */
static void function_other_has_caps(void)
{
	static const u16 nums[] = { 0, 1, 2, ECPF };
	u16 seen[ARRAY_SIZE(nums)], none;
	size_t i, j;

	start_as(&ecpf);
	for (i = 0; i < ARRAY_SIZE(nums); i++) {
		CHECK_EQ(other_cap(nums[i], &seen[i]), FW_OK);
		CHECK(seen[i]);
		CHECK_EQ(PRM_GET(cmd_hca_cap, out + 16, eswitch_manager),
			 nums[i] == ECPF);
		for (j = 0; j < i; j++)
			CHECK(seen[i] != seen[j]);
	}
	CHECK_EQ(GENERAL(vhca_id), seen[3]);
	REFUSED(other_cap(3, &none), FW_BAD_PARAM, SYND_VPORT);
	REFUSED(other_cap(UPLINK, &none), FW_BAD_PARAM, SYND_VPORT);
	stop_fw();
}

/* Allowed while the manager runs, and limited to that function. */
static void function_other_caps_set(void)
{
	u16 id;

	start_as(&ecpf);
	CHECK_EQ(other_cap(1, &id), FW_OK);
	clear_in();
	memcpy(in + 16, out + 16, FW_CAP_LEN);
	PRM_SET(cmd_hca_cap, in + 16, roce, 0);
	PRM_SET(set_hca_cap_in, in, other_function, 1);
	PRM_SET(set_hca_cap_in, in, function_id, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_HCA_CAP, 0, 0), FW_OK);
	CHECK_EQ(other_cap(1, &id), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, out + 16, roce), 0);
	CHECK_EQ(other_cap(2, &id), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, out + 16, roce), 1);
	CHECK_EQ(GENERAL(roce), 1);
	stop_fw();
}

static int enable_function(u16 op, bool embedded, u16 function)
{
	clear_in();
	PRM_SET(enable_hca_in, in, embedded_cpu_function, embedded);
	PRM_SET(enable_hca_in, in, function_id, function);
	return run_cmd(op, 0, 0);
}

static void host_function_enable_disable(void)
{
	start_as(&ecpf);
	CHECK_EQ(enable_function(MLX5_CMD_OP_ENABLE_HCA, false, 0), FW_OK);
	CHECK(fw_vport_num(fw, 0)->enabled);
	CHECK_EQ(enable_function(MLX5_CMD_OP_ENABLE_HCA, false, 2), FW_OK);
	REFUSED(enable_function(MLX5_CMD_OP_ENABLE_HCA, false, 3), FW_BAD_PARAM,
		SYND_VPORT);
	CHECK_EQ(enable_function(MLX5_CMD_OP_DISABLE_HCA, false, 0), FW_OK);
	CHECK(!fw_vport_num(fw, 0)->enabled);
	/* The manager was not disabled. */
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ALLOC_UAR, 0, 0), FW_OK);
	CHECK_EQ(enable_function(MLX5_CMD_OP_DISABLE_HCA, true, 0), FW_OK);
	REFUSED(run_cmd(MLX5_CMD_OP_ALLOC_UAR, 0, 0), FW_BAD_SYS_STATE,
		SYND_NOT_INIT);
	stop_fw();
}

static void esw_context_modify_query(void)
{
	static const u16 nums[] = { 0, 1, 2, ECPF, UPLINK };
	const u8 *ctx = out + PRM_BYTE(query_esw_vport_context_out,
				       esw_vport_context);
	u64 rx[ARRAY_SIZE(nums)], tx;
	size_t i, j;

#define ESW(f) PRM_GET(esw_vport_context, ctx, f)
	start_as(&ecpf);
	for (i = 0; i < ARRAY_SIZE(nums); i++) {
		put_vport(nums[i]);
		CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT, ua, 0),
			 FW_OK);
		rx[i] = ESW(sw_steering_vport_icm_address_rx);
		tx = ESW(sw_steering_vport_icm_address_tx);
		CHECK(rx[i] && tx && tx != rx[i]);
		for (j = 0; j < i; j++)
			CHECK(rx[i] != rx[j]);
	}
	put_vport(3);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT, ua, 0),
		FW_BAD_PARAM, SYND_VPORT);
	/* One field at a time, of one vport */
	put_vport(1);
	PRM_SET(modify_esw_vport_context_in, in,
		field_select.fdb_to_vport_reg_c_id, 1);
	PRM_SET(modify_esw_vport_context_in, in,
		esw_vport_context.fdb_to_vport_reg_c_id, 1);
	PRM_SET(modify_esw_vport_context_in, in,
		esw_vport_context.cvlan_id, 5);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_ESW_VPORT_CONTEXT, 0, 0), FW_OK);
	REFUSED(run_cmd(MLX5_CMD_OP_MODIFY_ESW_VPORT_CONTEXT, ua, 0),
		FW_BAD_PARAM, SYND_UID_KERNEL);
	put_vport(1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT, ua, 0), FW_OK);
	CHECK_EQ(ESW(fdb_to_vport_reg_c_id), 1);
	CHECK_EQ(ESW(cvlan_id), 0);
	CHECK_EQ(ESW(sw_steering_vport_icm_address_rx), rx[1]);
	put_vport(2);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT, ua, 0), FW_OK);
	CHECK_EQ(ESW(fdb_to_vport_reg_c_id), 0);
	stop_fw();
#undef ESW
}

static void nic_context_per_vport(void)
{
	u8 *v = out + PRM_BYTE(query_nic_vport_context_out, nic_vport_context);
	u8 *new = in + PRM_BYTE(modify_nic_vport_context_in,
				nic_vport_context);

	start_as(&ecpf);
	put_vport(1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, 0, 0), FW_OK);
	CHECK_EQ(v[PRM_BYTE(nic_vport_context, permanent_address) + 7], 3);
	put_vport(1);
	PRM_SET(modify_nic_vport_context_in, in, field_select.mtu, 1);
	PRM_SET(nic_vport_context, new, mtu, 9000);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_NIC_VPORT_CONTEXT, 0, 0), FW_OK);
	put_vport(1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, mtu), 9000);
	/* The own vport, addressed in both ways */
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, mtu), 1522);
	put_vport(ECPF);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, 0, 0), FW_OK);
	CHECK_EQ(v[PRM_BYTE(nic_vport_context, permanent_address) + 7], 1);
	stop_fw();
}

/* The link follows the function's own vport only. */
static void state_per_vport(void)
{
	start_as(&ecpf);
	put_vport(1);
	PRM_SET(modify_vport_state_in, in, op_mod, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_VPORT_STATE, 0, 0), FW_OK);
	put_vport(1);
	PRM_SET(query_vport_state_in, in, op_mod, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_VPORT_STATE, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_vport_state_out, out, state), 0);
	put_vport(2);
	PRM_SET(query_vport_state_in, in, op_mod, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_VPORT_STATE, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_vport_state_out, out, state), 1);
	put_vport(2);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_VPORT_COUNTER, ua, 0), FW_OK);
	put_vport(3);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_VPORT_STATE, 0, 0), FW_BAD_PARAM,
		SYND_VPORT);
	stop_fw();
}

static int create_ft(u8 type, bool other, u16 num)
{
	clear_in();
	PRM_SET(create_flow_table_in, in, table_type, type);
	PRM_SET(create_flow_table_in, in, other_vport, other);
	PRM_SET(create_flow_table_in, in, vport_number, num);
	PRM_SET(create_flow_table_in, in, flow_table_context.log_size, 4);
	return run_cmd(MLX5_CMD_OP_CREATE_FLOW_TABLE, 0, 0);
}

static void tables_of_manager(void)
{
	u32 ft, fg, dest[] = { 1, UPLINK, 3 };
	size_t i;

	start_as(&ecpf);
	CHECK_EQ(create_ft(2, true, 1), FW_OK);
	CHECK_EQ(create_ft(3, true, UPLINK), FW_OK);
	REFUSED(create_ft(3, true, 3), FW_BAD_PARAM, SYND_VPORT);
	CHECK_EQ(create_ft(4, false, 0), FW_OK);
	ft = PRM_GET(create_flow_table_out, out, table_id);
	clear_in();
	PRM_SET(create_flow_group_in, in, table_type, 4);
	PRM_SET(create_flow_group_in, in, table_id, ft);
	PRM_SET(create_flow_group_in, in, end_flow_index, 7);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_FLOW_GROUP, 0, 0), FW_OK);
	fg = PRM_GET(create_flow_group_out, out, group_id);
	for (i = 0; i < ARRAY_SIZE(dest); i++) {
		clear_in();
		PRM_SET(set_fte_in, in, table_type, 4);
		PRM_SET(set_fte_in, in, table_id, ft);
		PRM_SET(set_fte_in, in, flow_index, i);
		PRM_SET(set_fte_in, in, flow_context.group_id, fg);
		PRM_SET(set_fte_in, in, flow_context.action, 4);
		PRM_SET(set_fte_in, in, flow_context.destination_list_size, 1);
		PRM_SET(dest_format_struct,
			in + fw_cmd_find(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY)->in,
			destination_id, dest[i]);
		CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, 0, 8),
			 i < 2 ? FW_OK : FW_BAD_PARAM);
	}
	stop_fw();
	start_as(&pf);
	CHECK_EQ(create_ft(4, false, 0), FW_OK);
	REFUSED(create_ft(2, true, 1), FW_BAD_PARAM, SYND_VPORT);
	stop_fw();
	start_fw();
	REFUSED(create_ft(4, false, 0), FW_BAD_PARAM,
		SYND_CAP | OBJ_FLOW_TABLE);
	stop_fw();
}

#define MAC_AT (PRM_BYTE(query_nic_vport_context_out, nic_vport_context) + \
		PRM_BYTE(nic_vport_context, permanent_address) + 2)

/* Numbers above 255: 599 VFs, whose functions and addresses are unique. */
static void vports_600_are_unique(void)
{
	static const struct fw_conf conf = {
		.mac = { 2, 0, 0, 0, 0, 0xf0 },
		.esw = FW_ESW_ECPF,
		.vfs = 599,
	};
	static const u16 nums[] = { 0, 1, 255, 256, 257, 511, 598, 599 };
	u64 mac[ARRAY_SIZE(nums)];
	u8 addr[6];
	size_t i, j;
	u16 id;

	start_as(&conf);
	CHECK_EQ(fw->nvports, 602);
	for (i = 0; i < ARRAY_SIZE(nums); i++) {
		CHECK_EQ(other_cap(nums[i], &id), FW_OK);
		CHECK_EQ(id, nums[i] + 2);
		put_vport(nums[i]);
		CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, ua, 0),
			 FW_OK);
		memcpy(addr, out + MAC_AT, sizeof(addr));
		mac[i] = prm_get(addr, 0, 48);
		for (j = 0; j < i; j++)
			CHECK(mac[j] != mac[i]);
	}
	CHECK_EQ(mac[2], 0x0200000001f0ULL);
	REFUSED(other_cap(600, &id), FW_BAD_PARAM, SYND_VPORT);
	clear_in();
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_ESW_FUNCTIONS, ua, 16, 1024), FW_OK);
	CHECK_EQ(PRM_GET(host_params_context, out + 16, host_num_of_vfs), 599);
	stop_fw();
}

static void vports_most_start(void)
{
	static const struct fw_conf conf = {
		.mac = { 2, 0, 0, 0, 0, 1 },
		.esw = FW_ESW_ECPF,
		.vfs = FW_MAX_VFS,
	};
	u16 id;

	start_as(&conf);
	CHECK_EQ(other_cap(FW_MAX_VFS, &id), FW_OK);
	CHECK_EQ(id, FW_MAX_VFS + 2);
	REFUSED(other_cap(FW_MAX_VFS + 1, &id), FW_BAD_PARAM, SYND_VPORT);
	stop_fw();
}

/* A reset of the manager resets the other vports. */
static void reset_forgets_vports(void)
{
	start_as(&ecpf);
	fw_vport_num(fw, 1)->admin = 0;
	fw_reset(fw);
	CHECK_EQ(fw_vport_num(fw, 1)->admin, 1);
	CHECK_EQ(fw->nvports, 5);
	stop_fw();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(eswitch_absent_by_default),
		TAP(manager_has_caps),
		TAP(host_functions_reported),
		TAP(function_other_has_caps),
		TAP(function_other_caps_set),
		TAP(host_function_enable_disable),
		TAP(esw_context_modify_query),
		TAP(nic_context_per_vport),
		TAP(state_per_vport),
		TAP(tables_of_manager),
		TAP(vports_600_are_unique),
		TAP(vports_most_start),
		TAP(reset_forgets_vports),
	};

	return TAP_RUN(tests);
}
