// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Whose an object is, who may name it, and what still does.
 */
#include "fw_make.h"

static struct world w;

static void begin(void)
{
	start();
	make_world(&w, ua);
}

/* Whatever is about an object is refused to another user, but not to uid 0. */
static void objects_of_others(void)
{
	struct world other = { };
	const struct fw_cmd *cmd;
	size_t i;

	begin();
	for (i = 0; (cmd = fw_cmd_row(i)); i++) {
		if (!cmd->id_width || cmd->flags & (CMD_CREATE | CMD_KERNEL) ||
		    !w.id[cmd->kind] || cmd->kind == K_EQ)
			continue;
		name_it(cmd->opcode, cmd->kind, &w);
		REFUSED(run(cmd->opcode, ub, 0), FW_BAD_RES_STATE,
			SYND_FOREIGN | cmd->kind);
	}
	/* Nor may it be of the kernel. */
	CHECK_EQ(make(K_PD, &other), FW_OK);
	name_it(0x801, K_PD, &other);
	REFUSED(run(0x801, ua, 0), FW_BAD_RES_STATE, SYND_FOREIGN | K_PD);
	CHECK_EQ(run(0x801, 0, 0), FW_OK);
	name_it(0x50b, K_QP, &w);
	CHECK_EQ(run(0x50b, 0, 0), FW_OK);
	stop();
}

static void objects_found_by_their_keys_are_of_others(void)
{
	begin();
	clear();
	PRM_SET(delete_fte_in, in, table_id, w.id[K_FLOW_TABLE]);
	PRM_SET(delete_fte_in, in, flow_index, 3);
	REFUSED(run(0x938, ub, 0), FW_BAD_RES_STATE, SYND_FOREIGN | K_FTE);
	CHECK_EQ(run(0x938, ua, 0), FW_OK);
	clear();
	fill_mcg(&w);
	REFUSED(run(0x807, ub, 0), FW_BAD_RES_STATE, SYND_FOREIGN | K_MCG);
	CHECK_EQ(run(0x807, ua, 0), FW_OK);
	clear();
	PRM_SET(set_l2_table_entry_in, in, table_index, 5);
	REFUSED(run(0x829, ub, 0), FW_BAD_RES_STATE, SYND_FOREIGN | K_L2);
	REFUSED(run(0x82b, ub, 0), FW_BAD_RES_STATE, SYND_FOREIGN | K_L2);
	CHECK_EQ(run(0x82b, ua, 0), FW_OK);
	clear();
	fill_vxlan(&w);
	REFUSED(run(0x827, ub, 0), FW_BAD_RES_STATE, SYND_FOREIGN | K_VXLAN);
	CHECK_EQ(run(0x827, ua, 0), FW_OK);
	clear();
	fill_general(&w);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[K_GENERAL]);
	REFUSED(run(0xa02, ub, 0), FW_BAD_RES_STATE, SYND_FOREIGN | K_GENERAL);
	REFUSED(run(0xa03, ub, 0), FW_BAD_RES_STATE, SYND_FOREIGN | K_GENERAL);
	CHECK_EQ(run(0xa03, ua, 0), FW_OK);
	stop();
}

/* What each kind names. */
static const struct {
	enum fw_kind kind;
	enum fw_kind names[6];
} edges[] = {
	{ K_MKEY, { K_PD } },
	{ K_CQ, { K_EQ, K_UMEM } },
	{ K_RMP, { K_PD, K_UMEM } },
	{ K_SRQ, { K_PD } },
	{ K_XRC_SRQ, { K_PD, K_XRCD, K_CQ, K_UMEM } },
	{ K_XRQ, { K_PD, K_CQ, K_UMEM } },
	{ K_QP, { K_PD, K_CQ, K_UMEM } },
	{ K_DCT, { K_PD, K_CQ, K_RMP } },
	{ K_TIS, { K_TD, K_PD } },
	{ K_SQ, { K_PD, K_CQ, K_TIS, K_UMEM } },
	{ K_RQ, { K_PD, K_CQ, K_UMEM } },
	{ K_RQT, { K_RQ } },
	{ K_TIR, { K_RQT, K_TD } },
	{ K_PSV, { K_PD } },
	{ K_FLOW_GROUP, { K_FLOW_TABLE } },
	{ K_FTE, { K_TIR, K_FLOW_COUNTER, K_REFORMAT, K_MODIFY_HEADER } },
	{ K_MCG, { K_QP } },
};

/* Flow objects are looked at one by one, as tables have ranges. */
static void names_of_nothing_and_of_others(void)
{
	struct world other, bad;
	const struct maker *m;
	enum fw_kind named;
	size_t i, j;

	begin();
	make_world(&other, 0);
	for (i = 0; i < ARRAY_SIZE(edges); i++) {
		m = maker_of(edges[i].kind);
		for (j = 0; j < 6 && edges[i].names[j]; j++) {
			named = edges[i].names[j];
			bad = w;
			bad.id[named] = 0xfffff;
			/* EQ numbers have eight bits in its context. */
			if (named == K_EQ)
				bad.id[named] = 60;
			fill(m, &bad);
			CHECK_EQ(run(m->create, ua, m->more), FW_BAD_RES);
			CHECK_EQ(synd() & 0xff00, SYND_REF_UNKNOWN & 0xff00);
			/* EQs are shared, and so may SRQs and XRCDs be. */
			if (named == K_EQ || named == K_RMP || named == K_XRCD)
				continue;
			bad.id[named] = other.id[named];
			fill(m, &bad);
			REFUSED(run(m->create, ua, m->more), FW_BAD_RES,
				SYND_REF_FOREIGN | named);
			/* uid 0 may name what it likes. */
			if (edges[i].kind == K_FLOW_GROUP ||
			    edges[i].kind == K_FTE || edges[i].kind == K_MCG)
				continue;
			CHECK_EQ(run(m->create, 0, m->more), FW_OK);
		}
	}
	stop();
}

static void names_that_are_allowed(void)
{
	struct world kernel = { }, mix;

	begin();
	kernel.id[K_EQ] = w.id[K_EQ];
	CHECK_EQ(make(K_XRCD, &kernel), FW_OK);
	CHECK_EQ(make(K_PD, &kernel), FW_OK);
	CHECK_EQ(make(K_SRQ, &kernel), FW_OK);
	mix = w;
	fill(maker_of(K_QP), &mix);
	PRM_SET(create_qp_in, in, qpc.st, 3);
	PRM_SET(create_qp_in, in, qpc.xrcd, kernel.id[K_XRCD]);
	PRM_SET(create_qp_in, in, qpc.rq_type, 1);
	PRM_SET(create_qp_in, in, qpc.srqn_rmpn_xrqn, kernel.id[K_SRQ]);
	CHECK_EQ(run(0x500, ua, 0), FW_OK);
	CHECK_EQ(refs_of(K_SRQ, kernel.id[K_SRQ]), 1);
	CHECK_EQ(refs_of(K_XRCD, kernel.id[K_XRCD]), 1);
	/* Not used, not looked at */
	fill(maker_of(K_QP), &mix);
	PRM_SET(create_qp_in, in, qpc.srqn_rmpn_xrqn, 0xfffff);
	CHECK_EQ(run(0x500, ua, 0), FW_OK);
	/* PD 0 is the kernel's */
	mix.id[K_PD] = 0;
	fill(maker_of(K_QP), &mix);
	REFUSED(run(0x500, ua, 0), FW_BAD_RES, SYND_REF_UNKNOWN | K_PD);
	CHECK_EQ(run(0x500, 0, 0), FW_OK);
	stop();
}

/* From the leaves to the roots nothing is in use; the other way all is. */
static void objects_in_use(void)
{
	static const enum fw_kind used[] = {
		K_PD, K_TD, K_XRCD, K_UMEM, K_CQ, K_RMP, K_QP, K_TIS, K_RQ,
		K_RQT, K_TIR, K_FLOW_GROUP, K_FLOW_COUNTER, K_REFORMAT,
		K_MODIFY_HEADER,
	};
	const struct maker *m;
	size_t i;

	begin();
	for (i = 0; i < ARRAY_SIZE(used); i++)
		REFUSED(destroy(used[i], &w), FW_BAD_RES_STATE,
			SYND_IN_USE | used[i]);
	REFUSED(destroy(K_FLOW_TABLE, &w), FW_BAD_PARAM,
		SYND_IN_USE | K_FLOW_TABLE);
	clear();
	PRM_SET(destroy_eq_in, in, eq_number, w.id[K_EQ]);
	REFUSED(run(0x302, 0, 0), FW_BAD_RES_STATE, SYND_IN_USE | K_EQ);
	clear();
	PRM_SET(destroy_uctx_in, in, uid, ua);
	REFUSED(run(0xa06, 0, 0), FW_BAD_RES_STATE, SYND_IN_USE | K_UCTX);

	clear();
	PRM_SET(delete_fte_in, in, table_id, w.id[K_FLOW_TABLE]);
	PRM_SET(delete_fte_in, in, flow_index, 3);
	CHECK_EQ(run(0x938, ua, 0), FW_OK);
	clear();
	fill_mcg(&w);
	CHECK_EQ(run(0x807, ua, 0), FW_OK);
	clear();
	PRM_SET(delete_vxlan_udp_dport_in, in, vxlan_udp_port, 4789);
	CHECK_EQ(run(0x828, ua, 0), FW_OK);
	clear();
	PRM_SET(delete_l2_table_entry_in, in, table_index, 5);
	CHECK_EQ(run(0x82b, ua, 0), FW_OK);
	clear();
	fill_general(&w);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[K_GENERAL]);
	CHECK_EQ(run(0xa03, ua, 0), FW_OK);
	name_it(0x712, K_DCT, &w);
	CHECK_EQ(run(0x712, ua, 0), FW_OK);
	for (i = ARRAY_SIZE(makers); i--;) {
		m = &makers[i];
		if (m->destroy)
			CHECK_EQ(destroy(m->kind, &w), FW_OK);
	}
	clear();
	PRM_SET(destroy_uctx_in, in, uid, ua);
	CHECK_EQ(run(0xa06, 0, 0), FW_OK);
	/* The kernel's UAR and EQ, and the other user, are left. */
	CHECK_EQ(live_all(), 3);
	stop();
}

static void users(void)
{
	start();
	clear();
	REFUSED(run(0x800, 77, 0), FW_BAD_PARAM, SYND_UID_UNKNOWN);
	REFUSED(run(0xa04, ua, 0), FW_BAD_PARAM, SYND_UID_KERNEL);
	REFUSED(run(0x805, ua, 0), FW_BAD_PARAM, SYND_UID_KERNEL);
	REFUSED(run(0x103, ua, 0), FW_BAD_PARAM, SYND_UID_KERNEL);
	CHECK_EQ(run(0x100, ua, 0), FW_OK);
	PRM_SET(create_uctx_in, in, uctx.cap, 4);
	REFUSED(run(0xa04, 0, 0), FW_BAD_PARAM, SYND_CAP | K_UCTX);
	clear();
	PRM_SET(destroy_uctx_in, in, uid, ua);
	CHECK_EQ(run(0xa06, 0, 0), FW_OK);
	REFUSED(run(0xa06, 0, 0), FW_BAD_PARAM, SYND_UNKNOWN | K_UCTX);
	clear();
	REFUSED(run(0x800, ua, 0), FW_BAD_PARAM, SYND_UID_UNKNOWN);
	stop();
}

static void without_the_right_to_raw_packets(void)
{
	u16 uid;

	begin();
	clear();
	CHECK_EQ(run(0xa04, 0, 0), FW_OK);
	uid = PRM_GET(create_uctx_out, out, uid);
	fill(maker_of(K_SQ), &w);
	REFUSED(run(0x904, uid, 0), FW_BAD_PARAM, SYND_UID_CAP | K_SQ);
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(objects_of_others),
		TAP(objects_found_by_their_keys_are_of_others),
		TAP(names_of_nothing_and_of_others),
		TAP(names_that_are_allowed),
		TAP(objects_in_use),
		TAP(users),
		TAP(without_the_right_to_raw_packets),
	};

	return TAP_RUN(tests);
}
