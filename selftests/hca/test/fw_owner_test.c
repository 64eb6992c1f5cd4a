// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Owners of objects, and references between them. */
#include "fw_make.h"

static struct fw_world w;

static void begin_test(void)
{
	start_fw();
	make_world(&w, ua);
}

/*
 * Commands that address an object are refused to another uid, and allowed to
 * uid 0.
 */
static void foreign_object_bad_state(void)
{
	struct fw_world other = {};
	const struct fw_cmd *cmd;
	size_t i;

	begin_test();
	for (i = 0; (cmd = fw_cmd_row(i)); i++) {
		if (!cmd->id_width || cmd->flags & (CMD_CREATE | CMD_KERNEL) ||
		    !w.id[cmd->obj_type] || cmd->obj_type == OBJ_EQ)
			continue;
		name_it(cmd->opcode, cmd->obj_type, &w);
		REFUSED(run_cmd(cmd->opcode, ub, 0), FW_BAD_RES_STATE,
			SYND_FOREIGN | cmd->obj_type);
	}
	/* Objects of the kernel are refused as well. */
	CHECK_EQ(make_obj(OBJ_PD, &other), FW_OK);
	name_it(MLX5_CMD_OP_DEALLOC_PD, OBJ_PD, &other);
	REFUSED(run_cmd(MLX5_CMD_OP_DEALLOC_PD, ua, 0), FW_BAD_RES_STATE,
		SYND_FOREIGN | OBJ_PD);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DEALLOC_PD, 0, 0), FW_OK);
	name_it(MLX5_CMD_OP_QUERY_QP, OBJ_QP, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_QP, 0, 0), FW_OK);
	stop_fw();
}

static void foreign_key_bad_state(void)
{
	begin_test();
	clear_in();
	PRM_SET(delete_fte_in, in, table_id, w.id[OBJ_FLOW_TABLE]);
	PRM_SET(delete_fte_in, in, flow_index, 3);
	REFUSED(run_cmd(MLX5_CMD_OP_DELETE_FLOW_TABLE_ENTRY, ub, 0),
		FW_BAD_RES_STATE, SYND_FOREIGN | OBJ_FTE);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DELETE_FLOW_TABLE_ENTRY, ua, 0), FW_OK);
	clear_in();
	fill_mcg(&w);
	REFUSED(run_cmd(MLX5_CMD_OP_DETACH_FROM_MCG, ub, 0), FW_BAD_RES_STATE,
		SYND_FOREIGN | OBJ_MCG);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DETACH_FROM_MCG, ua, 0), FW_OK);
	clear_in();
	PRM_SET(set_l2_table_entry_in, in, table_index, 5);
	REFUSED(run_cmd(MLX5_CMD_OP_SET_L2_TABLE_ENTRY, ub, 0),
		FW_BAD_RES_STATE, SYND_FOREIGN | OBJ_L2);
	REFUSED(run_cmd(MLX5_CMD_OP_DELETE_L2_TABLE_ENTRY, ub, 0),
		FW_BAD_RES_STATE, SYND_FOREIGN | OBJ_L2);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DELETE_L2_TABLE_ENTRY, ua, 0), FW_OK);
	clear_in();
	fill_vxlan(&w);
	REFUSED(run_cmd(MLX5_CMD_OP_ADD_VXLAN_UDP_DPORT, ub, 0),
		FW_BAD_RES_STATE, SYND_FOREIGN | OBJ_VXLAN);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ADD_VXLAN_UDP_DPORT, ua, 0), FW_OK);
	clear_in();
	fill_general(&w);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[OBJ_GENERAL]);
	REFUSED(run_cmd(MLX5_CMD_OP_QUERY_GENERAL_OBJECT, ub, 0),
		FW_BAD_RES_STATE, SYND_FOREIGN | OBJ_GENERAL);
	REFUSED(run_cmd(MLX5_CMD_OP_DESTROY_GENERAL_OBJECT, ub, 0),
		FW_BAD_RES_STATE, SYND_FOREIGN | OBJ_GENERAL);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DESTROY_GENERAL_OBJECT, ua, 0), FW_OK);
	stop_fw();
}

/* References of each type. */
static const struct {
	enum hca_obj_type type;
	enum hca_obj_type names[6];
} edges[] = {
	{ OBJ_MKEY, { OBJ_PD } },
	{ OBJ_CQ, { OBJ_EQ, OBJ_UMEM } },
	{ OBJ_RMP, { OBJ_PD, OBJ_UMEM } },
	{ OBJ_SRQ, { OBJ_PD } },
	{ OBJ_XRC_SRQ, { OBJ_PD, OBJ_XRCD, OBJ_CQ, OBJ_UMEM } },
	{ OBJ_XRQ, { OBJ_PD, OBJ_CQ, OBJ_UMEM } },
	{ OBJ_QP, { OBJ_PD, OBJ_CQ, OBJ_UMEM } },
	{ OBJ_DCT, { OBJ_PD, OBJ_CQ, OBJ_RMP } },
	{ OBJ_TIS, { OBJ_TD, OBJ_PD } },
	{ OBJ_SQ, { OBJ_PD, OBJ_CQ, OBJ_TIS, OBJ_UMEM } },
	{ OBJ_RQ, { OBJ_PD, OBJ_CQ, OBJ_UMEM } },
	{ OBJ_RQT, { OBJ_RQ } },
	{ OBJ_TIR, { OBJ_RQT, OBJ_TD } },
	{ OBJ_PSV, { OBJ_PD } },
	{ OBJ_FLOW_GROUP, { OBJ_FLOW_TABLE } },
	{ OBJ_FTE,
	  { OBJ_TIR, OBJ_FLOW_COUNTER, OBJ_REFORMAT, OBJ_MODIFY_HEADER } },
	{ OBJ_MCG, { OBJ_QP } },
};

/* Flow objects are checked one by one, as tables have ranges. */
static void refs_unknown_foreign_refused(void)
{
	struct fw_world other, bad;
	const struct maker *m;
	enum hca_obj_type named;
	size_t i, j;

	begin_test();
	make_world(&other, 0);
	for (i = 0; i < ARRAY_SIZE(edges); i++) {
		m = maker_of(edges[i].type);
		for (j = 0; j < 6 && edges[i].names[j]; j++) {
			named = edges[i].names[j];
			bad = w;
			bad.id[named] = 0xfffff;
			/* EQ numbers have eight bits in the context. */
			if (named == OBJ_EQ)
				bad.id[named] = 60;
			fill_create(m, &bad);
			CHECK_EQ(run_cmd(m->create, ua, m->more), FW_BAD_RES);
			CHECK_EQ(out_synd() & 0xff00,
				 SYND_REF_UNKNOWN & 0xff00);
			/*
			 * EQs are shared; SRQs and XRCDs of the kernel may be
			 * used.
			 */
			if (named == OBJ_EQ || named == OBJ_RMP ||
			    named == OBJ_XRCD)
				continue;
			bad.id[named] = other.id[named];
			fill_create(m, &bad);
			REFUSED(run_cmd(m->create, ua, m->more), FW_BAD_RES,
				SYND_REF_FOREIGN | named);
			/* uid 0 may refer to every object. */
			if (edges[i].type == OBJ_FLOW_GROUP ||
			    edges[i].type == OBJ_FTE ||
			    edges[i].type == OBJ_MCG)
				continue;
			CHECK_EQ(run_cmd(m->create, 0, m->more), FW_OK);
		}
	}
	stop_fw();
}

static void refs_allowed(void)
{
	struct fw_world kernel = {}, mix;

	begin_test();
	kernel.id[OBJ_EQ] = w.id[OBJ_EQ];
	CHECK_EQ(make_obj(OBJ_XRCD, &kernel), FW_OK);
	CHECK_EQ(make_obj(OBJ_PD, &kernel), FW_OK);
	CHECK_EQ(make_obj(OBJ_SRQ, &kernel), FW_OK);
	mix = w;
	fill_create(maker_of(OBJ_QP), &mix);
	PRM_SET(create_qp_in, in, qpc.st, 3);
	PRM_SET(create_qp_in, in, qpc.xrcd, kernel.id[OBJ_XRCD]);
	PRM_SET(create_qp_in, in, qpc.rq_type, 1);
	PRM_SET(create_qp_in, in, qpc.srqn_rmpn_xrqn, kernel.id[OBJ_SRQ]);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_QP, ua, 0), FW_OK);
	CHECK_EQ(refs_of(OBJ_SRQ, kernel.id[OBJ_SRQ]), 1);
	CHECK_EQ(refs_of(OBJ_XRCD, kernel.id[OBJ_XRCD]), 1);
	/* A field that is not in use is not checked */
	fill_create(maker_of(OBJ_QP), &mix);
	PRM_SET(create_qp_in, in, qpc.srqn_rmpn_xrqn, 0xfffff);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_QP, ua, 0), FW_OK);
	/* PD 0 is for the kernel only */
	mix.id[OBJ_PD] = 0;
	fill_create(maker_of(OBJ_QP), &mix);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_QP, ua, 0), FW_BAD_RES,
		SYND_REF_UNKNOWN | OBJ_PD);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_QP, 0, 0), FW_OK);
	stop_fw();
}

/* In reverse order of creation no object is in use; in order, all are. */
static void destroy_in_use_refused(void)
{
	static const enum hca_obj_type used[] = {
		OBJ_PD,		  OBJ_TD,	OBJ_XRCD,
		OBJ_UMEM,	  OBJ_CQ,	OBJ_RMP,
		OBJ_QP,		  OBJ_TIS,	OBJ_RQ,
		OBJ_RQT,	  OBJ_TIR,	OBJ_FLOW_GROUP,
		OBJ_FLOW_COUNTER, OBJ_REFORMAT, OBJ_MODIFY_HEADER,
	};
	const struct maker *m;
	size_t i;

	begin_test();
	for (i = 0; i < ARRAY_SIZE(used); i++)
		REFUSED(destroy_obj(used[i], &w), FW_BAD_RES_STATE,
			SYND_IN_USE | used[i]);
	REFUSED(destroy_obj(OBJ_FLOW_TABLE, &w), FW_BAD_PARAM,
		SYND_IN_USE | OBJ_FLOW_TABLE);
	clear_in();
	PRM_SET(destroy_eq_in, in, eq_number, w.id[OBJ_EQ]);
	REFUSED(run_cmd(MLX5_CMD_OP_DESTROY_EQ, 0, 0), FW_BAD_RES_STATE,
		SYND_IN_USE | OBJ_EQ);
	clear_in();
	PRM_SET(destroy_uctx_in, in, uid, ua);
	REFUSED(run_cmd(MLX5_CMD_OP_DESTROY_UCTX, 0, 0), FW_BAD_RES_STATE,
		SYND_IN_USE | OBJ_UCTX);

	clear_in();
	PRM_SET(delete_fte_in, in, table_id, w.id[OBJ_FLOW_TABLE]);
	PRM_SET(delete_fte_in, in, flow_index, 3);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DELETE_FLOW_TABLE_ENTRY, ua, 0), FW_OK);
	clear_in();
	fill_mcg(&w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DETACH_FROM_MCG, ua, 0), FW_OK);
	clear_in();
	PRM_SET(delete_vxlan_udp_dport_in, in, vxlan_udp_port, 4789);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DELETE_VXLAN_UDP_DPORT, ua, 0), FW_OK);
	clear_in();
	PRM_SET(delete_l2_table_entry_in, in, table_index, 5);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DELETE_L2_TABLE_ENTRY, ua, 0), FW_OK);
	clear_in();
	fill_general(&w);
	PRM_SET(general_obj_in_cmd_hdr, in, obj_id, w.id[OBJ_GENERAL]);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DESTROY_GENERAL_OBJECT, ua, 0), FW_OK);
	name_it(MLX5_CMD_OP_DRAIN_DCT, OBJ_DCT, &w);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DRAIN_DCT, ua, 0), FW_OK);
	for (i = ARRAY_SIZE(makers); i--;) {
		m = &makers[i];
		if (m->destroy)
			CHECK_EQ(destroy_obj(m->type, &w), FW_OK);
	}
	clear_in();
	PRM_SET(destroy_uctx_in, in, uid, ua);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DESTROY_UCTX, 0, 0), FW_OK);
	/* The kernel's UAR and EQ, and the other user context, are left. */
	CHECK_EQ(live_all(), 3);
	stop_fw();
}

static void uctx_destroy_conditions(void)
{
	start_fw();
	clear_in();
	REFUSED(run_cmd(MLX5_CMD_OP_ALLOC_PD, 77, 0), FW_BAD_PARAM,
		SYND_UID_UNKNOWN);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_UCTX, ua, 0), FW_BAD_PARAM,
		SYND_UID_KERNEL);
	REFUSED(run_cmd(MLX5_CMD_OP_ACCESS_REG, ua, 0), FW_BAD_PARAM,
		SYND_UID_KERNEL);
	REFUSED(run_cmd(MLX5_CMD_OP_TEARDOWN_HCA, ua, 0), FW_BAD_PARAM,
		SYND_UID_KERNEL);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_QUERY_HCA_CAP, ua, 0), FW_OK);
	PRM_SET(create_uctx_in, in, uctx.cap, 4);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_UCTX, 0, 0), FW_BAD_PARAM,
		SYND_CAP | OBJ_UCTX);
	clear_in();
	PRM_SET(destroy_uctx_in, in, uid, ua);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_DESTROY_UCTX, 0, 0), FW_OK);
	REFUSED(run_cmd(MLX5_CMD_OP_DESTROY_UCTX, 0, 0), FW_BAD_PARAM,
		SYND_UNKNOWN | OBJ_UCTX);
	clear_in();
	REFUSED(run_cmd(MLX5_CMD_OP_ALLOC_PD, ua, 0), FW_BAD_PARAM,
		SYND_UID_UNKNOWN);
	stop_fw();
}

static void sq_without_right_refused(void)
{
	u16 uid;

	begin_test();
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_UCTX, 0, 0), FW_OK);
	uid = PRM_GET(create_uctx_out, out, uid);
	fill_create(maker_of(OBJ_SQ), &w);
	REFUSED(run_cmd(MLX5_CMD_OP_CREATE_SQ, uid, 0), FW_BAD_PARAM,
		SYND_UID_CAP | OBJ_SQ);
	stop_fw();
}

/* DPDK creates its drop queue's TIR there at every probe. */
static void td_zero_is_devices(void)
{
	begin_test();
	w.id[OBJ_TD] = 0;
	CHECK_EQ(make_obj(OBJ_TIR, &w), FW_OK);
	CHECK_EQ(make_obj(OBJ_TIS, &w), FW_OK);
	CHECK_EQ(destroy_obj(OBJ_TIS, &w), FW_OK);
	CHECK_EQ(destroy_obj(OBJ_TIR, &w), FW_OK);
	stop_fw();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(foreign_object_bad_state),	   TAP(foreign_key_bad_state),
		TAP(refs_unknown_foreign_refused), TAP(refs_allowed),
		TAP(destroy_in_use_refused),	   TAP(uctx_destroy_conditions),
		TAP(sq_without_right_refused),	   TAP(td_zero_is_devices),
	};

	return TAP_RUN(tests);
}
