// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The e-switch: vports, functions and tables that a manager has.
 */
#include "caps.h"
#include "fw_env.h"

#define ECPF 0xfffe
#define UPLINK 0xffff

static const struct fw_conf ecpf = {
	.mac = { 2, 0, 0, 0, 0, 1 }, .esw = FW_ESW_ECPF, .vfs = 2,
};

static const struct fw_conf pf = {
	.mac = { 2, 0, 0, 0, 0, 1 }, .esw = FW_ESW_PF,
};

/* Up, as an embedded CPU says that it is one. */
static void start_as(const struct fw_conf *conf)
{
	fw = fw_new(conf, &env_ops, NULL);
	clear();
	PRM_SET(enable_hca_in, in, embedded_cpu_function,
		conf->esw == FW_ESW_ECPF);
	CHECK_EQ(run(0x104, 0, 0), FW_OK);
	clear();
	CHECK_EQ(run(0x102, 0, 0), FW_OK);
	ua = user();
	clear();
}

static void vport(u16 num)
{
	clear();
	PRM_SET(query_vport_state_in, in, other_vport, 1);
	PRM_SET(query_vport_state_in, in, vport_number, num);
}

static u64 cap(unsigned int type, size_t bit, unsigned int width)
{
	clear();
	PRM_SET(query_hca_cap_in, in, op_mod, type << 1 | 1);
	CHECK_EQ(run(0x100, ua, 0), FW_OK);
	return prm_get(out + 16, bit, width);
}

#define CAP(type, t, f) cap(type, PRM_BIT(t, f), PRM_WIDTH(t, f))
#define GENERAL(f) CAP(CAP_GENERAL, cmd_hca_cap, f)

static int other_cap(u16 function, u16 *vhca_id)
{
	int ret;

	clear();
	PRM_SET(query_hca_cap_in, in, op_mod, 1);
	PRM_SET(query_hca_cap_in, in, other_function, 1);
	PRM_SET(query_hca_cap_in, in, function_id, function);
	ret = run(0x100, 0, 0);
	*vhca_id = PRM_GET(cmd_hca_cap, out + 16, vhca_id);
	return ret;
}

static void none_by_itself(void)
{
	start();
	CHECK_EQ(GENERAL(eswitch_manager), 0);
	CHECK_EQ(GENERAL(steering_format_version), 0);
	clear();
	PRM_SET(query_hca_cap_in, in, op_mod, CAP_ESW << 1);
	REFUSED(run(0x100, ua, 0), FW_BAD_PARAM, SYND_CAP_TYPE);
	clear();
	REFUSED(run(0x752, ua, 0), FW_BAD_PARAM, SYND_VPORT);
	REFUSED(run(0x753, 0, 0), FW_BAD_PARAM, SYND_VPORT);
	stop();
}

static void capabilities_of_a_manager(void)
{
	start_as(&pf);
	CHECK_EQ(GENERAL(eswitch_manager), 1);
	CHECK_EQ(CAP(CAP_ESW, e_switch_cap, ecpf_vport_exists), 0);
	stop();
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
	stop();
}

static void the_functions_of_the_host(void)
{
	u8 *host = out + 16;

	start_as(&ecpf);
	CHECK_EQ(run_len(0x740, ua, 16, 128), FW_OK);
	CHECK_EQ(PRM_GET(host_params_context, host, host_num_of_vfs), 2);
	CHECK_EQ(PRM_GET(host_params_context, host, host_total_vfs), 2);
	CHECK_EQ(PRM_GET(host_params_context, host, host_pf_disabled), 0);
	REFUSED(run_len(0x740, ua, 16, 79), FW_BAD_OUT_LEN, SYND_OUT_LEN);
	stop();
	start_as(&pf);
	CHECK_EQ(run_len(0x740, ua, 16, 128), FW_OK);
	CHECK_EQ(PRM_GET(host_params_context, host, host_num_of_vfs), 0);
	stop();
}

/* Their numbers differ, and the uplink is no function. */
static void other_functions(void)
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
	stop();
}

/* Also while the manager runs; it is of that function alone. */
static void capabilities_set_for_another(void)
{
	u16 id;

	start_as(&ecpf);
	CHECK_EQ(other_cap(1, &id), FW_OK);
	clear();
	memcpy(in + 16, out + 16, FW_CAP_LEN);
	PRM_SET(cmd_hca_cap, in + 16, roce, 0);
	PRM_SET(set_hca_cap_in, in, other_function, 1);
	PRM_SET(set_hca_cap_in, in, function_id, 1);
	CHECK_EQ(run(0x109, 0, 0), FW_OK);
	CHECK_EQ(other_cap(1, &id), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, out + 16, roce), 0);
	CHECK_EQ(other_cap(2, &id), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, out + 16, roce), 1);
	CHECK_EQ(GENERAL(roce), 1);
	stop();
}

static int enable(u16 op, bool embedded, u16 function)
{
	clear();
	PRM_SET(enable_hca_in, in, embedded_cpu_function, embedded);
	PRM_SET(enable_hca_in, in, function_id, function);
	return run(op, 0, 0);
}

static void the_host_comes_and_goes(void)
{
	start_as(&ecpf);
	CHECK_EQ(enable(0x104, false, 0), FW_OK);
	CHECK(fw_vport_num(fw, 0)->enabled);
	CHECK_EQ(enable(0x104, false, 2), FW_OK);
	REFUSED(enable(0x104, false, 3), FW_BAD_PARAM, SYND_VPORT);
	CHECK_EQ(enable(0x105, false, 0), FW_OK);
	CHECK(!fw_vport_num(fw, 0)->enabled);
	/* It was not the manager that went. */
	CHECK_EQ(run(0x802, 0, 0), FW_OK);
	CHECK_EQ(enable(0x105, true, 0), FW_OK);
	REFUSED(run(0x802, 0, 0), FW_BAD_SYS_STATE, SYND_NOT_INIT);
	stop();
}

static void contexts_of_the_eswitch(void)
{
	static const u16 nums[] = { 0, 1, 2, ECPF, UPLINK };
	const u8 *ctx = out + PRM_BYTE(query_esw_vport_context_out,
				       esw_vport_context);
	u64 rx[ARRAY_SIZE(nums)], tx;
	size_t i, j;

#define ESW(f) PRM_GET(esw_vport_context, ctx, f)
	start_as(&ecpf);
	for (i = 0; i < ARRAY_SIZE(nums); i++) {
		vport(nums[i]);
		CHECK_EQ(run(0x752, ua, 0), FW_OK);
		rx[i] = ESW(sw_steering_vport_icm_address_rx);
		tx = ESW(sw_steering_vport_icm_address_tx);
		CHECK(rx[i] && tx && tx != rx[i]);
		for (j = 0; j < i; j++)
			CHECK(rx[i] != rx[j]);
	}
	vport(3);
	REFUSED(run(0x752, ua, 0), FW_BAD_PARAM, SYND_VPORT);
	/* One field at a time, of one vport */
	vport(1);
	PRM_SET(modify_esw_vport_context_in, in,
		field_select.fdb_to_vport_reg_c_id, 1);
	PRM_SET(modify_esw_vport_context_in, in,
		esw_vport_context.fdb_to_vport_reg_c_id, 1);
	PRM_SET(modify_esw_vport_context_in, in,
		esw_vport_context.cvlan_id, 5);
	CHECK_EQ(run(0x753, 0, 0), FW_OK);
	REFUSED(run(0x753, ua, 0), FW_BAD_PARAM, SYND_UID_KERNEL);
	vport(1);
	CHECK_EQ(run(0x752, ua, 0), FW_OK);
	CHECK_EQ(ESW(fdb_to_vport_reg_c_id), 1);
	CHECK_EQ(ESW(cvlan_id), 0);
	CHECK_EQ(ESW(sw_steering_vport_icm_address_rx), rx[1]);
	vport(2);
	CHECK_EQ(run(0x752, ua, 0), FW_OK);
	CHECK_EQ(ESW(fdb_to_vport_reg_c_id), 0);
	stop();
#undef ESW
}

static void contexts_of_the_nic(void)
{
	u8 *v = out + PRM_BYTE(query_nic_vport_context_out, nic_vport_context);
	u8 *new = in + PRM_BYTE(modify_nic_vport_context_in,
				nic_vport_context);

	start_as(&ecpf);
	vport(1);
	CHECK_EQ(run(0x754, 0, 0), FW_OK);
	CHECK_EQ(v[PRM_BYTE(nic_vport_context, permanent_address) + 7], 3);
	vport(1);
	PRM_SET(modify_nic_vport_context_in, in, field_select.mtu, 1);
	PRM_SET(nic_vport_context, new, mtu, 9000);
	CHECK_EQ(run(0x755, 0, 0), FW_OK);
	vport(1);
	CHECK_EQ(run(0x754, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, mtu), 9000);
	/* Its own one, by either way to say so */
	clear();
	CHECK_EQ(run(0x754, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, mtu), 1522);
	vport(ECPF);
	CHECK_EQ(run(0x754, 0, 0), FW_OK);
	CHECK_EQ(v[PRM_BYTE(nic_vport_context, permanent_address) + 7], 1);
	stop();
}

/* The port's link follows its own vport alone. */
static void states_of_vports(void)
{
	start_as(&ecpf);
	vport(1);
	PRM_SET(modify_vport_state_in, in, op_mod, 1);
	CHECK_EQ(run(0x751, 0, 0), FW_OK);
	vport(1);
	PRM_SET(query_vport_state_in, in, op_mod, 1);
	CHECK_EQ(run(0x750, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_vport_state_out, out, state), 0);
	vport(2);
	PRM_SET(query_vport_state_in, in, op_mod, 1);
	CHECK_EQ(run(0x750, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_vport_state_out, out, state), 1);
	vport(2);
	CHECK_EQ(run(0x770, ua, 0), FW_OK);
	vport(3);
	REFUSED(run(0x750, 0, 0), FW_BAD_PARAM, SYND_VPORT);
	stop();
}

static int create_ft(u8 type, bool other, u16 num)
{
	clear();
	PRM_SET(create_flow_table_in, in, table_type, type);
	PRM_SET(create_flow_table_in, in, other_vport, other);
	PRM_SET(create_flow_table_in, in, vport_number, num);
	PRM_SET(create_flow_table_in, in, flow_table_context.log_size, 4);
	return run(0x930, 0, 0);
}

static void tables_of_the_eswitch(void)
{
	u32 ft, fg, dest[] = { 1, UPLINK, 3 };
	size_t i;

	start_as(&ecpf);
	CHECK_EQ(create_ft(2, true, 1), FW_OK);
	CHECK_EQ(create_ft(3, true, UPLINK), FW_OK);
	REFUSED(create_ft(3, true, 3), FW_BAD_PARAM, SYND_VPORT);
	CHECK_EQ(create_ft(4, false, 0), FW_OK);
	ft = PRM_GET(create_flow_table_out, out, table_id);
	clear();
	PRM_SET(create_flow_group_in, in, table_type, 4);
	PRM_SET(create_flow_group_in, in, table_id, ft);
	PRM_SET(create_flow_group_in, in, end_flow_index, 7);
	CHECK_EQ(run(0x933, 0, 0), FW_OK);
	fg = PRM_GET(create_flow_group_out, out, group_id);
	for (i = 0; i < ARRAY_SIZE(dest); i++) {
		clear();
		PRM_SET(set_fte_in, in, table_type, 4);
		PRM_SET(set_fte_in, in, table_id, ft);
		PRM_SET(set_fte_in, in, flow_index, i);
		PRM_SET(set_fte_in, in, flow_context.group_id, fg);
		PRM_SET(set_fte_in, in, flow_context.action, 4);
		PRM_SET(set_fte_in, in, flow_context.destination_list_size, 1);
		PRM_SET(dest_format_struct, in + fw_cmd_find(0x936)->in,
			destination_id, dest[i]);
		CHECK_EQ(run(0x936, 0, 8), i < 2 ? FW_OK : FW_BAD_PARAM);
	}
	stop();
	start_as(&pf);
	CHECK_EQ(create_ft(4, false, 0), FW_OK);
	REFUSED(create_ft(2, true, 1), FW_BAD_PARAM, SYND_VPORT);
	stop();
	start();
	REFUSED(create_ft(4, false, 0), FW_BAD_PARAM,
		SYND_CAP | K_FLOW_TABLE);
	stop();
}

/* What drivers set of other vports goes with the function that set it. */
static void a_reset_forgets_vports(void)
{
	start_as(&ecpf);
	fw_vport_num(fw, 1)->admin = 0;
	fw_reset(fw);
	CHECK_EQ(fw_vport_num(fw, 1)->admin, 1);
	CHECK_EQ(fw->nvports, 5);
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(none_by_itself),
		TAP(capabilities_of_a_manager),
		TAP(the_functions_of_the_host),
		TAP(other_functions),
		TAP(capabilities_set_for_another),
		TAP(the_host_comes_and_goes),
		TAP(contexts_of_the_eswitch),
		TAP(contexts_of_the_nic),
		TAP(states_of_vports),
		TAP(tables_of_the_eswitch),
		TAP(a_reset_forgets_vports),
	};

	return TAP_RUN(tests);
}
