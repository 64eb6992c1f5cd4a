// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Capability switches and options of the firmware. */
#include "../caps_set.h"
#include "fw_env.h"

static void options_wrong_refused(void)
{
	struct fw_conf conf = {};

	CHECK(fw_option(&conf, "ecpf"));
	CHECK_EQ(conf.esw, FW_ESW_ECPF);
	CHECK(fw_option(&conf, "vfs=4092"));
	CHECK_EQ(conf.vfs, FW_MAX_VFS);
	CHECK(!fw_option(&conf, "vfs=4093"));
	CHECK(!fw_option(&conf, "vfs=4294967297"));
	CHECK(!fw_option(&conf, "vfs=-1"));
	CHECK(!fw_option(&conf, "vfs=1x"));
	CHECK(!fw_option(&conf, "vfs"));
	CHECK(!fw_option(&conf, "ecpf=on"));
	CHECK(!fw_option(&conf, "ec"));
	CHECK(!fw_option(&conf, ""));
	CHECK(!fw_option(&conf, "=on"));
	CHECK(!fw_option(&conf, "odp=maybe"));
	CHECK(!fw_option(&conf, "odp="));
	CHECK(!fw_option(&conf, "odpx"));
	CHECK_EQ(conf.switched, 0);
	CHECK(fw_option(&conf, "odp"));
	CHECK(fw_option(&conf, "sw-owner-v2=off"));
	CHECK(!fw_conf_error(&conf));
	CHECK(fw_option(&conf, "eth=off"));
	CHECK(fw_conf_error(&conf));
	CHECK(fw_option(&conf, "eth=on"));
	CHECK(!fw_conf_error(&conf));
	CHECK(fw_option(&conf, "esw"));
	CHECK(fw_conf_error(&conf)); /* VFs without an embedded CPU */
	conf = (struct fw_conf){};
	CHECK(fw_option(&conf, "reg-c=off"));
	CHECK(fw_conf_error(&conf));
}

static u64 max_cap(unsigned int type, size_t bit, unsigned int width)
{
	clear_in();
	PRM_SET(query_hca_cap_in, in, op_mod, type << 1 | 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, 0, 0), FW_OK);
	return prm_get(out + 16, bit, width);
}

#define CAP(type, t, f) max_cap(type, PRM_BIT(t, f), PRM_WIDTH(t, f))
#define GENERAL(f) CAP(CAP_GENERAL, cmd_hca_cap, f)

static void start_with(const char *opt)
{
	struct fw_conf conf = { .mac = { 2, 0, 0, 0, 0, 1 } };

	if (*opt)
		CHECK(fw_option(&conf, opt));
	start_conf(&conf);
}

/* A switch to the present state changes nothing. */
static void switches_default_values(void)
{
	static const char *const same[] = {
		"odp=off", "umr=off", "eth", "tso=on", "rss", "pacing=off",
		"tag-matching=off", "atomics", "pci-atomics=off", "timestamps",
		"real-time=off", "striding=off", "cq-moderation",
	};
	static struct fw_caps def;
	size_t i;

	start_fw();
	def = fw->caps;
	stop_fw();
	for (i = 0; i < ARRAY_SIZE(same); i++) {
		start_with(same[i]);
		CHECK(!memcmp(def.max, fw->caps.max, sizeof(def.max)));
		CHECK(!memcmp(def.known, fw->caps.known, sizeof(def.known)));
		stop_fw();
	}
}

static void switch_odp_sets_caps(void)
{
	start_with("odp");
	CHECK_EQ(GENERAL(pg), 1);
	CHECK_EQ(GENERAL(umr_modify_entity_size_disabled), 0);
	CHECK_EQ(max_cap(CAP_ODP, 0x80, 6), 0x3f);
	CHECK_EQ(max_cap(CAP_ODP, 0xa0, 6), 0x20);
	stop_fw();
	start_with("umr");
	CHECK_EQ(GENERAL(pg), 0);
	CHECK_EQ(GENERAL(umr_modify_entity_size_disabled), 0);
	stop_fw();
}

static void switch_pacing_sets_caps(void)
{
	start_with("pacing");
	CHECK_EQ(GENERAL(qos), 1);
	CHECK_EQ(CAP(CAP_QOS, qos_cap, packet_pacing_rate_table_size), 128);
	clear_in();
	PRM_SET(set_pp_rate_limit_in, in, rate_limit_index, 127);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_SET_PP_RATE_LIMIT, 0, 0), FW_OK);
	PRM_SET(set_pp_rate_limit_in, in, rate_limit_index, 128);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_PP_RATE_LIMIT, 0, 0), FW_BAD_INDEX,
		SYND_INDEX);
	stop_fw();
	start_fw();
	REFUSED(run_cmd(MLX5_CMD_OP_SET_PP_RATE_LIMIT, 0, 0), FW_BAD_OP,
		SYND_OPCODE);
	stop_fw();
}

static void switches_set_their_caps(void)
{
#define ETH(f) CAP(CAP_ETH, per_protocol_networking_offload_caps, f)
	start_with("tso=off");
	CHECK_EQ(ETH(max_lso_cap), 0);
	CHECK_EQ(ETH(csum_cap), 1);
	stop_fw();
	start_with("rss=off");
	CHECK_EQ(ETH(rss_ind_tbl_cap), 0);
	CHECK_EQ(GENERAL(log_max_rqt), 0);
	stop_fw();
	start_with("atomics=off");
	CHECK_EQ(GENERAL(atomic), 0);
	CHECK_EQ(CAP(CAP_ATOMIC, atomic_caps, atomic_operations), 0);
	stop_fw();
	start_with("pci-atomics");
	CHECK_EQ(max_cap(CAP_ATOMIC, 0x280, 16), 3);
	CHECK_EQ(CAP(CAP_ATOMIC, atomic_caps, atomic_operations), 3);
	stop_fw();
	start_with("tag-matching");
	CHECK_EQ(GENERAL(tag_matching), 1);
	stop_fw();
	start_with("timestamps=off");
	CHECK_EQ(GENERAL(device_frequency_khz), 0);
	stop_fw();
	start_with("real-time");
	CHECK_EQ(GENERAL(rq_ts_format), 2);
	CHECK_EQ(CAP(CAP_ROCE, roce_cap, qp_ts_format), 2);
	stop_fw();
	start_with("striding");
	CHECK_EQ(GENERAL(striding_rq), 1);
	stop_fw();
	start_with("eth=off");
	CHECK_EQ(GENERAL(eth_net_offloads), 0);
	stop_fw();
	start_with("cq-moderation=off");
	CHECK_EQ(GENERAL(cq_moderation), 0);
	stop_fw();
}

static void start_esw(const char *opt)
{
	struct fw_conf conf = { .mac = { 2 }, .esw = FW_ESW_PF };

	CHECK(fw_option(&conf, opt));
	start_conf(&conf);
}

static void switches_of_eswitch(void)
{
#define FDB(f) CAP(CAP_ESW_FLOW, flow_table_eswitch_cap, f)
	start_esw("reg-c=off");
	CHECK_EQ(FDB(fdb_to_vport_reg_c_id), 0);
	stop_fw();
	start_esw("uplink-acl=off");
	CHECK_EQ(CAP(CAP_ESW, e_switch_cap, esw_uplink_ingress_acl), 0);
	stop_fw();
	start_esw("sw-owner");
	CHECK_EQ(FDB(flow_table_properties_nic_esw_fdb.sw_owner), 1);
	stop_fw();
	start_esw("sw-owner-v2=off");
	CHECK_EQ(FDB(flow_table_properties_nic_esw_fdb.sw_owner_v2), 0);
	stop_fw();
	start_esw("uplink-icm=off");
	CHECK_EQ(FDB(sw_steering_uplink_icm_address_rx), 0);
	stop_fw();
	start_esw("vport-icm=off");
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT, ua, 0), FW_OK);
	CHECK_EQ(PRM_GET(query_esw_vport_context_out, out,
			 esw_vport_context.sw_steering_vport_icm_address_rx),
		 0);
	stop_fw();
}

/*
 * A switch takes effect at the next start, and at once if the function is down.
 */
static void switch_running_takes_later(void)
{
	static const struct fw_conf conf = { .mac = { 2, 0, 0, 0, 0, 1 } };

	start_conf(&conf);
	CHECK(fw_switch(fw, "odp=on"));
	CHECK(!fw_switch(fw, "reg-c=off"));
	CHECK(!fw_switch(fw, "ecpf"));
	CHECK(!fw_switch(fw, "vfs=1"));
	CHECK_EQ(GENERAL(pg), 0);
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DISABLE_HCA, 0, 0), FW_OK);
	CHECK_EQ(GENERAL(pg), 1);
	CHECK(fw_switch(fw, "odp=off"));
	CHECK_EQ(GENERAL(pg), 0);
	CHECK(fw_switch(fw, "tso=off"));
	CHECK_EQ(ETH(max_lso_cap), 0);
	fw_switch_back(fw, &conf);
	CHECK_EQ(ETH(max_lso_cap), 16);
	stop_fw();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(options_wrong_refused),	 TAP(switches_default_values),
		TAP(switch_odp_sets_caps),	 TAP(switch_pacing_sets_caps),
		TAP(switches_set_their_caps),	 TAP(switches_of_eswitch),
		TAP(switch_running_takes_later),
	};

	return TAP_RUN(tests);
}
