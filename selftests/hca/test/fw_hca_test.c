// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The function and its port: coming up, capabilities, registers, vport.
 */
#include "fw_env.h"

static const struct fw_conf conf = { .mac = { 2, 0, 0, 0, 0, 1 } };

static void new_fw(void)
{
	events = 0;
	fw = fw_new(&conf, &env_ops, NULL);
	clear();
}

static void coming_up_and_going_down(void)
{
	new_fw();
	REFUSED(run(0x102, 0, 0), FW_BAD_SYS_STATE, SYND_NOT_INIT);
	CHECK_EQ(run(0x104, 0, 0), FW_OK);
	CHECK_EQ(run(0x10a, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_issi_out, out, supported_issi_dw0), 3);
	PRM_SET(set_issi_in, in, current_issi, 2);
	REFUSED(run(0x10b, 0, 0), FW_BAD_PARAM, SYND_VALUE);
	PRM_SET(set_issi_in, in, current_issi, 1);
	CHECK_EQ(run(0x10b, 0, 0), FW_OK);
	clear();
	PRM_SET(query_pages_in, in, op_mod, 1);
	CHECK_EQ(run(0x107, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_pages_out, out, num_pages), 0);
	clear();
	REFUSED(run(0x802, 0, 0), FW_BAD_SYS_STATE, SYND_NOT_INIT);
	CHECK_EQ(run(0x102, 0, 0), FW_OK);
	REFUSED(run(0x102, 0, 0), FW_BAD_SYS_STATE, SYND_NOT_INIT);
	CHECK_EQ(run(0x802, 0, 0), FW_OK);
	CHECK_EQ(run(0x103, 0, 0), FW_OK);
	CHECK_EQ(live_all(), 0);
	REFUSED(run(0x802, 0, 0), FW_BAD_SYS_STATE, SYND_NOT_INIT);
	CHECK_EQ(run(0x102, 0, 0), FW_OK);
	CHECK_EQ(run(0x802, 0, 0), FW_OK);
	CHECK_EQ(run(0x105, 0, 0), FW_OK);
	CHECK_EQ(live_all(), 0);
	REFUSED(run(0x102, 0, 0), FW_BAD_SYS_STATE, SYND_NOT_INIT);
	stop();
}

/* Two types of which one is there; each in a current and a greatest form. */
static void capabilities(void)
{
	u8 *cap = out + PRM_BYTE(query_hca_cap_out, capability);

	new_fw();
	PRM_SET(query_hca_cap_in, in, op_mod, 1);
	CHECK_EQ(run(0x100, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, cap, num_ports), 1);
	CHECK_EQ(PRM_GET(cmd_hca_cap, cap, hca_cap_2), 0);
	CHECK_EQ(PRM_GET(cmd_hca_cap, cap, log_max_qp), 18);
	/* Written back with one thing changed */
	memcpy(in + PRM_BYTE(set_hca_cap_in, capability), cap, FW_CAP_LEN);
	PRM_SET(set_hca_cap_in, in, op_mod, 0);
	PRM_SET(cmd_hca_cap, in + 16, log_max_qp, 4);
	CHECK_EQ(run(0x109, 0, 0), FW_OK);
	clear();
	PRM_SET(query_hca_cap_in, in, op_mod, 1);
	CHECK_EQ(run(0x100, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, cap, log_max_qp), 4);
	PRM_SET(query_hca_cap_in, in, op_mod, 0);
	CHECK_EQ(run(0x100, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(cmd_hca_cap, cap, log_max_qp), 18);
	PRM_SET(query_hca_cap_in, in, op_mod, 0x20 << 1);
	REFUSED(run(0x100, 0, 0), FW_BAD_PARAM, SYND_CAP_TYPE);
	PRM_SET(query_hca_cap_in, in, op_mod, 0xffff);
	REFUSED(run(0x100, 0, 0), FW_BAD_PARAM, SYND_CAP_TYPE);
	PRM_SET(query_hca_cap_in, in, op_mod, 0);
	PRM_SET(query_hca_cap_in, in, other_function, 1);
	REFUSED(run(0x100, 0, 0), FW_BAD_PARAM, SYND_VPORT);
	clear();
	CHECK_EQ(run(0x104, 0, 0), FW_OK);
	CHECK_EQ(run(0x102, 0, 0), FW_OK);
	REFUSED(run(0x109, 0, 0), FW_BAD_SYS_STATE, SYND_STATE);
	stop();
}

/* The mode of atomics is set alone, and takes nothing else away. */
static void the_mode_of_atomics(void)
{
	u8 *cap = out + PRM_BYTE(query_hca_cap_out, capability);

	new_fw();
	PRM_SET(set_hca_cap_in, in, op_mod, 3 << 1);
	PRM_SET(atomic_caps, in + 16, atomic_req_8B_endianness_mode, 1);
	CHECK_EQ(run(0x109, 0, 0), FW_OK);
	clear();
	PRM_SET(query_hca_cap_in, in, op_mod, 3 << 1 | 1);
	CHECK_EQ(run(0x100, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(atomic_caps, cap, atomic_req_8B_endianness_mode), 1);
	CHECK_EQ(PRM_GET(atomic_caps, cap, atomic_operations), 3);
	stop();
}

static int reg(u16 id, bool read, size_t len)
{
	PRM_SET(access_register_in, in, op_mod, read);
	PRM_SET(access_register_in, in, register_id, id);
	return run_len(0x805, 0, 16 + len, 16 + len);
}

static void registers(void)
{
	new_fw();
	REFUSED(reg(0x9050, true, 64), FW_BAD_PARAM, SYND_REGISTER);
	REFUSED(reg(0x6001, true, 63), FW_BAD_IN_LEN, SYND_IN_LEN);
	CHECK_EQ(reg(0x6001, true, 64), FW_OK);
	CHECK(!memcmp(out + 16, "mdx-hca", 7));
	memcpy(in + 16, "other", 6);
	CHECK_EQ(reg(0x6001, false, 64), FW_OK);
	clear();
	CHECK_EQ(reg(0x6001, true, 64), FW_OK);
	CHECK(!memcmp(out + 16, "other", 6));
	clear();
	PRM_SET(pmtu_reg, in + 16, admin_mtu, 9000);
	CHECK_EQ(reg(0x5003, false, 16), FW_OK);
	clear();
	CHECK_EQ(reg(0x5003, true, 16), FW_OK);
	CHECK_EQ(PRM_GET(pmtu_reg, out + 16, oper_mtu), 9000);
	CHECK_EQ(reg(0x5004, true, 64), FW_OK);
	CHECK(PRM_GET(ptys_reg, out + 16, eth_proto_oper));
	stop();
}

static u8 link_state(void)
{
	clear();
	CHECK_EQ(run(0x750, 0, 0), FW_OK);
	return PRM_GET(query_vport_state_out, out, state);
}

static void the_link_takes_both(void)
{
	start();
	events = 0;
	CHECK(!fw_link_up(fw));
	CHECK_EQ(link_state(), 0);
	clear();
	PRM_SET(paos_reg, in + 16, ase, 1);
	PRM_SET(paos_reg, in + 16, admin_status, 1);
	CHECK_EQ(reg(0x5006, false, 16), FW_OK);
	CHECK(fw_link_up(fw));
	CHECK_EQ(link_state(), 1);
	CHECK_EQ(events, 1);
	CHECK_EQ(event_type, 9);
	CHECK_EQ(event_data[8], 0x10);
	clear();
	PRM_SET(modify_vport_state_in, in, admin_state, 0);
	CHECK_EQ(run(0x751, 0, 0), FW_OK);
	CHECK_EQ(link_state(), 0);
	CHECK_EQ(events, 2);
	/* Said once */
	CHECK_EQ(run(0x751, 0, 0), FW_OK);
	CHECK_EQ(events, 2);
	stop();
}

static void the_context_of_the_vport(void)
{
	const u8 *v = out + PRM_BYTE(query_nic_vport_context_out,
				     nic_vport_context);
	u8 *new = in + PRM_BYTE(modify_nic_vport_context_in,
				nic_vport_context);

	start();
	clear();
	CHECK_EQ(run(0x754, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, node_guid), 0x000000fffe000001);
	CHECK_EQ(PRM_GET(nic_vport_context, v, roce_en), 0);
	PRM_SET(modify_nic_vport_context_in, in, field_select.roce_en, 1);
	PRM_SET(modify_nic_vport_context_in, in, field_select.promisc, 1);
	PRM_SET(nic_vport_context, new, roce_en, 1);
	PRM_SET(nic_vport_context, new, promisc_all, 1);
	PRM_SET(nic_vport_context, new, mtu, 9000);
	CHECK_EQ(run(0x755, 0, 0), FW_OK);
	clear();
	CHECK_EQ(run(0x754, 0, 0), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, roce_en), 1);
	CHECK_EQ(PRM_GET(nic_vport_context, v, promisc_all), 1);
	CHECK_EQ(PRM_GET(nic_vport_context, v, mtu), 1522);
	PRM_SET(query_nic_vport_context_in, in, other_vport, 1);
	REFUSED(run(0x754, 0, 0), FW_BAD_PARAM, SYND_VPORT);
	stop();
}

static void the_lists_of_the_vport(void)
{
	const u8 *v = out + PRM_BYTE(query_nic_vport_context_out,
				     nic_vport_context);
	u8 *new = in + PRM_BYTE(modify_nic_vport_context_in,
				nic_vport_context);

	start();
	clear();
	PRM_SET(modify_nic_vport_context_in, in, field_select.addresses_list,
		1);
	PRM_SET(nic_vport_context, new, allowed_list_type, 1);
	PRM_SET(nic_vport_context, new, allowed_list_size, 2);
	in[512 + 15] = 0x42;
	REFUSED(run(0x755, 0, 8), FW_BAD_IN_LEN, SYND_LIST_LEN);
	CHECK_EQ(run(0x755, 0, 16), FW_OK);
	clear();
	CHECK_EQ(run_len(0x754, 0, 16, 272 + 16), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, allowed_list_size), 0);
	PRM_SET(query_nic_vport_context_in, in, allowed_list_type, 1);
	CHECK_EQ(run_len(0x754, 0, 16, 272 + 16), FW_OK);
	CHECK_EQ(PRM_GET(nic_vport_context, v, allowed_list_size), 2);
	CHECK_EQ(out[272 + 15], 0x42);
	clear();
	PRM_SET(modify_nic_vport_context_in, in, field_select.addresses_list,
		1);
	PRM_SET(nic_vport_context, new, allowed_list_size, 513);
	REFUSED(run(0x755, 0, 513 * 8), FW_BAD_PARAM, SYND_SIZE);
	stop();
}

static void addresses_and_keys(void)
{
	start();
	clear();
	PRM_SET(set_roce_address_in, in, roce_address_index, 3);
	in[16] = 0xfe;
	CHECK_EQ(run(0x761, 0, 0), FW_OK);
	PRM_SET(set_roce_address_in, in, roce_address_index, FW_GIDS);
	REFUSED(run(0x761, 0, 0), FW_BAD_INDEX, SYND_INDEX);
	clear();
	PRM_SET(query_roce_address_in, in, roce_address_index, 3);
	CHECK_EQ(run(0x760, ua, 0), FW_OK);
	CHECK_EQ(out[16], 0xfe);
	clear();
	PRM_SET(query_hca_vport_gid_in, in, gid_index, 3);
	CHECK_EQ(run_len(0x764, 0, 16, 32), FW_OK);
	CHECK_EQ(out[16], 0xfe);
	REFUSED(run_len(0x764, 0, 16, 31), FW_BAD_OUT_LEN, SYND_OUT_LEN);
	clear();
	PRM_SET(query_hca_vport_pkey_in, in, pkey_index, 0xffff);
	CHECK_EQ(run_len(0x765, 0, 16, 16 + 4 * 128), FW_OK);
	CHECK_EQ(prm_be32(out + 16), 0xffff);
	CHECK_EQ(prm_be32(out + 20), 0);
	PRM_SET(query_hca_vport_pkey_in, in, pkey_index, 128);
	REFUSED(run_len(0x765, 0, 16, 64), FW_BAD_INDEX, SYND_INDEX);
	clear();
	CHECK_EQ(run(0x762, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_hca_vport_context_out, out,
			 hca_vport_context.port_state), 4);
	stop();
}

static void congestion_control(void)
{
	start();
	clear();
	PRM_SET(modify_cong_status_in, in, cong_protocol, 2);
	PRM_SET(modify_cong_status_in, in, enable, 1);
	CHECK_EQ(run(0x823, 0, 0), FW_OK);
	clear();
	CHECK_EQ(run(0x822, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_cong_status_out, out, enable), 0);
	PRM_SET(query_cong_status_in, in, cong_protocol, 2);
	CHECK_EQ(run(0x822, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_cong_status_out, out, enable), 1);
	clear();
	PRM_SET(modify_cong_params_in, in, cong_protocol, 1);
	in[32 + 0x1c] = 5;
	CHECK_EQ(run(0x825, 0, 0), FW_OK);
	clear();
	PRM_SET(query_cong_params_in, in, cong_protocol, 1);
	CHECK_EQ(run(0x824, ua, 0), FW_OK);
	CHECK_EQ(out[16 + 0x1c], 5);
	stop();
}

static void what_takes_an_eswitch_manager(void)
{
	start();
	clear();
	REFUSED(run(0x740, ua, 0), FW_BAD_PARAM, SYND_VPORT);
	REFUSED(run(0x752, ua, 0), FW_BAD_PARAM, SYND_VPORT);
	PRM_SET(query_vport_state_in, in, other_vport, 1);
	REFUSED(run(0x750, ua, 0), FW_BAD_PARAM, SYND_VPORT);
	REFUSED(run(0x770, ua, 0), FW_BAD_PARAM, SYND_VPORT);
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(coming_up_and_going_down),
		TAP(capabilities),
		TAP(the_mode_of_atomics),
		TAP(registers),
		TAP(the_link_takes_both),
		TAP(the_context_of_the_vport),
		TAP(the_lists_of_the_vport),
		TAP(addresses_and_keys),
		TAP(congestion_control),
		TAP(what_takes_an_eswitch_manager),
	};

	return TAP_RUN(tests);
}
