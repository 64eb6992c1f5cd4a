// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The function and its port: start, capabilities, registers, vport. */
#include "../caps_set.h"
#include "fw_env.h"

static const struct fw_conf conf = { .mac = { 2, 0, 0, 0, 0, 1 } };

static void new_fw(void)
{
	events = 0;
	fw = fw_new(&conf, &env_ops, NULL);
	clear_in();
}

static void hca_start_stop_order(void)
{
	new_fw();
	REFUSED(run_cmd(MLX5_CMD_OP_INIT_HCA, 0, 0), FW_BAD_SYS_STATE,
		SYND_NOT_INIT);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ENABLE_HCA, 0, 0), FW_OK);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_ISSI, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_issi_out, out, supported_issi_dw0), 3);
	PRM_SET(set_issi_in, in, current_issi, 2);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_ISSI, 0, 0), FW_BAD_PARAM, SYND_VALUE);
	PRM_SET(set_issi_in, in, current_issi, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_ISSI, 0, 0), FW_OK);
	clear_in();
	PRM_SET(query_pages_in, in, op_mod, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_PAGES, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_pages_out, out, num_pages), 0);
	clear_in();
	REFUSED(run_cmd(MLX5_CMD_OP_ALLOC_UAR, 0, 0), FW_BAD_SYS_STATE,
		SYND_NOT_INIT);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_INIT_HCA, 0, 0), FW_OK);
	REFUSED(run_cmd(MLX5_CMD_OP_INIT_HCA, 0, 0), FW_BAD_SYS_STATE,
		SYND_NOT_INIT);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ALLOC_UAR, 0, 0), FW_OK);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_TEARDOWN_HCA, 0, 0), FW_OK);
	CHECK_EQ(live_all(), 0);
	REFUSED(run_cmd(MLX5_CMD_OP_ALLOC_UAR, 0, 0), FW_BAD_SYS_STATE,
		SYND_NOT_INIT);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_INIT_HCA, 0, 0), FW_OK);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ALLOC_UAR, 0, 0), FW_OK);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DISABLE_HCA, 0, 0), FW_OK);
	CHECK_EQ(live_all(), 0);
	REFUSED(run_cmd(MLX5_CMD_OP_INIT_HCA, 0, 0), FW_BAD_SYS_STATE,
		SYND_NOT_INIT);
	stop_fw();
}

/* A type that exists and one that does not, current and maximum. */
static void caps_query_set(void)
{
	u8 *cap = out + PRM_BYTE(query_hca_cap_out, capability);

	new_fw();
	PRM_SET(query_hca_cap_in, in, op_mod, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, cap, num_ports), 1);
	CHECK_EQ(PRM_GET(cmd_hca_cap, cap, log_max_qp), 18);
	/* Written back with one change */
	memcpy(in + PRM_BYTE(set_hca_cap_in, capability), cap, FW_CAP_LEN);
	PRM_SET(set_hca_cap_in, in, op_mod, 0);
	PRM_SET(cmd_hca_cap, in + 16, log_max_qp, 4);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_HCA_CAP, 0, 0), FW_OK);
	clear_in();
	PRM_SET(query_hca_cap_in, in, op_mod, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, cap, log_max_qp), 4);
	PRM_SET(query_hca_cap_in, in, op_mod, 0);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, cap, log_max_qp), 18);
	PRM_SET(query_hca_cap_in, in, op_mod, CAP_GENERAL_2 << 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_OK);
	PRM_SET(query_hca_cap_in, in, op_mod, CAP_DEVICE_MEM << 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_OK);
	PRM_SET(query_hca_cap_in, in, op_mod, 0x10 << 1);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_BAD_PARAM,
		SYND_CAP_TYPE);
	PRM_SET(query_hca_cap_in, in, op_mod, 0xffff);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_BAD_PARAM,
		SYND_CAP_TYPE);
	PRM_SET(query_hca_cap_in, in, op_mod, 0);
	PRM_SET(query_hca_cap_in, in, other_function, 1);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_BAD_PARAM,
		SYND_VPORT);
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ENABLE_HCA, 0, 0), FW_OK);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_INIT_HCA, 0, 0), FW_OK);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_HCA_CAP, 0, 0), FW_BAD_SYS_STATE,
		SYND_STATE);
	stop_fw();
}

/* rdma-core's tests have room for 2064 bytes, UCX for 0x110 and 0x20c. */
static void answer_cut_to_room(void)
{
	u8 whole[512];

	start_fw();
	clear_in();
	PRM_SET(query_hca_cap_in, in, op_mod, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, ua, 0), FW_OK);
	memcpy(whole, out, sizeof(whole));
	memset(out, 0, sizeof(out));
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_HCA_CAP, ua, 16, 0x110), FW_OK);
	CHECK(!memcmp(out, whole, 0x110));
	CHECK_EQ(out[0x110], 0);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_HCA_CAP, ua, 16, 2064), FW_OK);
	clear_in();
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_HCA_VPORT_CONTEXT, ua, 16, 0x20c),
		 FW_OK);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_HCA_VPORT_CONTEXT, ua, 16, 16),
		 FW_OK);
	REFUSED(run_len(MLX5_CMD_OP_QUERY_HCA_VPORT_CONTEXT, ua, 16, 15),
		FW_BAD_OUT_LEN, SYND_OUT_LEN);
	stop_fw();
}

static void set_cap_ones(unsigned int type)
{
	clear_in();
	PRM_SET(set_hca_cap_in, in, op_mod, type << 1);
	memset(in + PRM_BYTE(set_hca_cap_in, capability), 0xff, FW_CAP_LEN);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_HCA_CAP, 0, 0), FW_OK);
}

/* Maxima that a driver sets are not sizes of the model's tables. */
static void caps_set_huge_harmless(void)
{
	new_fw();
	set_cap_ones(CAP_ROCE);
	set_cap_ones(CAP_FLOW);
	set_cap_ones(CAP_GENERAL);
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ENABLE_HCA, 0, 0), FW_OK);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_INIT_HCA, 0, 0), FW_OK);
	PRM_SET(set_roce_address_in, in, roce_address_index, FW_GIDS);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_ROCE_ADDRESS, 0, 0), FW_BAD_INDEX,
		SYND_INDEX);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_ROCE_ADDRESS, 0, 0), FW_BAD_INDEX,
		SYND_INDEX);
	clear_in();
	PRM_SET(query_hca_vport_gid_in, in, gid_index, FW_GIDS);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_HCA_VPORT_GID, 0, 0), FW_BAD_INDEX,
		SYND_INDEX);
	clear_in();
	PRM_SET(query_hca_vport_pkey_in, in, pkey_index, 4096);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_HCA_VPORT_PKEY, 0, 0), FW_BAD_INDEX,
		SYND_INDEX);
	clear_in();
	PRM_SET(create_flow_table_in, in, flow_table_context.log_size, 64);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_FLOW_TABLE, 0, 0), FW_BAD_PARAM,
		SYND_SIZE | OBJ_FLOW_TABLE);
	stop_fw();
}

/* The mode of atomics is set without a change to other fields. */
static void atomic_mode_set_alone(void)
{
	u8 *cap = out + PRM_BYTE(query_hca_cap_out, capability);

	new_fw();
	PRM_SET(set_hca_cap_in, in, op_mod, 3 << 1);
	PRM_SET(atomic_caps, in + 16, atomic_req_8B_endianness_mode, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_HCA_CAP, 0, 0), FW_OK);
	clear_in();
	PRM_SET(query_hca_cap_in, in, op_mod, 3 << 1 | 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(atomic_caps, cap, atomic_req_8B_endianness_mode), 1);
	CHECK_EQ(PRM_GET(atomic_caps, cap, atomic_operations), 3);
	stop_fw();
}

static int access_reg(u16 id, bool read, size_t len)
{
	PRM_SET(access_register_in, in, op_mod, read);
	PRM_SET(access_register_in, in, register_id, id);
	return run_len(MLX5_CMD_OP_ACCESS_REG, 0, 16 + len, 16 + len);
}

static void registers_access(void)
{
	new_fw();
	REFUSED(access_reg(0x9050, true, 64), FW_BAD_PARAM, SYND_REGISTER);
	REFUSED(access_reg(0x6001, true, 63), FW_BAD_IN_LEN, SYND_IN_LEN);
	CHECK_EQ(access_reg(0x6001, true, 64), FW_OK);
	CHECK(!memcmp(out + 16, "mdx-hca", 7));
	memcpy(in + 16, "other", 6);
	CHECK_EQ(access_reg(0x6001, false, 64), FW_OK);
	clear_in();
	CHECK_EQ(access_reg(0x6001, true, 64), FW_OK);
	CHECK(!memcmp(out + 16, "other", 6));
	clear_in();
	PRM_SET(pmtu_reg, in + 16, admin_mtu, 9000);
	CHECK_EQ(access_reg(0x5003, false, 16), FW_OK);
	clear_in();
	CHECK_EQ(access_reg(0x5003, true, 16), FW_OK);
	CHECK_EQ(PRM_GET(pmtu_reg, out + 16, oper_mtu), 9000);
	CHECK_EQ(access_reg(0x5004, true, 64), FW_OK);
	CHECK(PRM_GET(ptys_reg, out + 16, eth_proto_oper));
	stop_fw();
}

static u8 link_state(void)
{
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_VPORT_STATE, 0, 0), FW_OK);
	return PRM_GET(query_vport_state_out, out, state);
}

static void link_needs_paos_vport(void)
{
	start_fw();
	events = 0;
	CHECK(!fw_link_up(fw));
	CHECK_EQ(link_state(), 0);
	clear_in();
	PRM_SET(paos_reg, in + 16, ase, 1);
	PRM_SET(paos_reg, in + 16, admin_status, 1);
	CHECK_EQ(access_reg(0x5006, false, 16), FW_OK);
	CHECK(fw_link_up(fw));
	CHECK_EQ(link_state(), 1);
	CHECK_EQ(events, 1);
	CHECK_EQ(event_type, 9);
	CHECK_EQ(event_data[8], 0x10);
	clear_in();
	PRM_SET(modify_vport_state_in, in, admin_state, 0);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_VPORT_STATE, 0, 0), FW_OK);
	CHECK_EQ(link_state(), 0);
	CHECK_EQ(events, 2);
	/* One event */
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_VPORT_STATE, 0, 0), FW_OK);
	CHECK_EQ(events, 2);
	stop_fw();
}

static void vport_context_modify_query(void)
{
	const u8 *v = out + PRM_BYTE(query_nic_vport_context_out,
				     nic_vport_context);
	u8 *new = in + PRM_BYTE(modify_nic_vport_context_in,
				nic_vport_context);

	start_fw();
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, node_guid), 0x000000fffe000001);
	CHECK_EQ(PRM_GET(nic_vport_context, v, roce_en), 0);
	PRM_SET(modify_nic_vport_context_in, in, field_select.roce_en, 1);
	PRM_SET(modify_nic_vport_context_in, in, field_select.promisc, 1);
	PRM_SET(nic_vport_context, new, roce_en, 1);
	PRM_SET(nic_vport_context, new, promisc_all, 1);
	PRM_SET(nic_vport_context, new, mtu, 9000);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_NIC_VPORT_CONTEXT, 0, 0), FW_OK);
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, roce_en), 1);
	CHECK_EQ(PRM_GET(nic_vport_context, v, promisc_all), 1);
	CHECK_EQ(PRM_GET(nic_vport_context, v, mtu), 1522);
	PRM_SET(query_nic_vport_context_in, in, other_vport, 1);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, 0, 0),
		FW_BAD_PARAM, SYND_VPORT);
	stop_fw();
}

static void vport_lists_modify_query(void)
{
	const u8 *v = out + PRM_BYTE(query_nic_vport_context_out,
				     nic_vport_context);
	u8 *new = in + PRM_BYTE(modify_nic_vport_context_in,
				nic_vport_context);

	start_fw();
	clear_in();
	PRM_SET(modify_nic_vport_context_in, in, field_select.addresses_list,
		1);
	PRM_SET(nic_vport_context, new, allowed_list_type, 1);
	PRM_SET(nic_vport_context, new, allowed_list_size, 2);
	in[512 + 15] = 0x42;
	REFUSED(run_cmd(MLX5_CMD_OP_MODIFY_NIC_VPORT_CONTEXT, 0, 8),
		FW_BAD_IN_LEN, SYND_LIST_LEN);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_NIC_VPORT_CONTEXT, 0, 16), FW_OK);
	clear_in();
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, 0, 16, 272 + 16),
		 FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, allowed_list_size), 0);
	PRM_SET(query_nic_vport_context_in, in, allowed_list_type, 1);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT, 0, 16, 272 + 16),
		 FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, allowed_list_size), 2);
	CHECK_EQ(out[272 + 15], 0x42);
	clear_in();
	PRM_SET(modify_nic_vport_context_in, in, field_select.addresses_list,
		1);
	PRM_SET(nic_vport_context, new, allowed_list_size, 513);
	REFUSED(run_cmd(MLX5_CMD_OP_MODIFY_NIC_VPORT_CONTEXT, 0, 513 * 8),
		FW_BAD_PARAM, SYND_SIZE);
	stop_fw();
}

static void gid_pkey_query(void)
{
	start_fw();
	clear_in();
	PRM_SET(set_roce_address_in, in, roce_address_index, 3);
	in[16] = 0xfe;
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_ROCE_ADDRESS, 0, 0), FW_OK);
	PRM_SET(set_roce_address_in, in, roce_address_index, FW_GIDS);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_ROCE_ADDRESS, 0, 0), FW_BAD_INDEX,
		SYND_INDEX);
	clear_in();
	PRM_SET(query_roce_address_in, in, roce_address_index, 3);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_ROCE_ADDRESS, ua, 0), FW_OK);
	CHECK_EQ(out[16], 0xfe);
	clear_in();
	PRM_SET(query_hca_vport_gid_in, in, gid_index, 3);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_HCA_VPORT_GID, 0, 16, 32), FW_OK);
	CHECK_EQ(out[16], 0xfe);
	REFUSED(run_len(MLX5_CMD_OP_QUERY_HCA_VPORT_GID, 0, 16, 31),
		FW_BAD_OUT_LEN, SYND_OUT_LEN);
	clear_in();
	PRM_SET(query_hca_vport_pkey_in, in, pkey_index, 0xffff);
	CHECK_EQ(run_len(MLX5_CMD_OP_QUERY_HCA_VPORT_PKEY, 0, 16, 16 + 4 * 128),
		 FW_OK);
	CHECK_EQ(prm_be32(out + 16), 0xffff);
	CHECK_EQ(prm_be32(out + 20), 0);
	PRM_SET(query_hca_vport_pkey_in, in, pkey_index, 128);
	REFUSED(run_len(MLX5_CMD_OP_QUERY_HCA_VPORT_PKEY, 0, 16, 64),
		FW_BAD_INDEX, SYND_INDEX);
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_VPORT_CONTEXT, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_hca_vport_context_out, out,
			 hca_vport_context.port_state), 4);
	stop_fw();
}

static void congestion_modify_query(void)
{
	start_fw();
	clear_in();
	PRM_SET(modify_cong_status_in, in, cong_protocol, 2);
	PRM_SET(modify_cong_status_in, in, enable, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_CONG_STATUS, 0, 0), FW_OK);
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_CONG_STATUS, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_cong_status_out, out, enable), 0);
	PRM_SET(query_cong_status_in, in, cong_protocol, 2);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_CONG_STATUS, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_cong_status_out, out, enable), 1);
	clear_in();
	PRM_SET(modify_cong_params_in, in, cong_protocol, 1);
	in[32 + 0x1c] = 5;
	CHECK_EQ(run_cmd(MLX5_CMD_OP_MODIFY_CONG_PARAMS, 0, 0), FW_OK);
	clear_in();
	PRM_SET(query_cong_params_in, in, cong_protocol, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_CONG_PARAMS, ua, 0), FW_OK);
	CHECK_EQ(out[16 + 0x1c], 5);
	stop_fw();
}

static void manager_commands_refused(void)
{
	start_fw();
	clear_in();
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_ESW_FUNCTIONS, ua, 0), FW_BAD_PARAM,
		SYND_VPORT);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT, ua, 0),
		FW_BAD_PARAM, SYND_VPORT);
	PRM_SET(query_vport_state_in, in, other_vport, 1);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_VPORT_STATE, ua, 0), FW_BAD_PARAM,
		SYND_VPORT);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_VPORT_COUNTER, ua, 0), FW_BAD_PARAM,
		SYND_VPORT);
	stop_fw();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(hca_start_stop_order),
		TAP(caps_query_set),
		TAP(answer_cut_to_room),
		TAP(caps_set_huge_harmless),
		TAP(atomic_mode_set_alone),
		TAP(registers_access),
		TAP(link_needs_paos_vport),
		TAP(vport_context_modify_query),
		TAP(vport_lists_modify_query),
		TAP(gid_pkey_query),
		TAP(congestion_modify_query),
		TAP(manager_commands_refused),
	};

	return TAP_RUN(tests);
}
