// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The command table.
 *
 * PURE: includes types and the layout header only, no mlx5 or rdma function.
 */
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/nospec.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <linux/mlx5/mlx5_ifc.h>

#include "mbox.h"
#include "optab.h"

#define BITS(layout) struct mlx5_ifc_##layout##_bits
#define LEN(layout) (sizeof(BITS(layout)) / 8)
#define BIT_OF(layout, field) offsetof(BITS(layout), field)
#define FLD(layout, field)                                                     \
	{                                                                      \
		BIT_OF(layout, field), sizeof_field(BITS(layout), field)       \
	}

/*
 * Fields newer than the oldest kernel's header: the device's layout has them
 * whatever the header knows.
 */
#define OTHER_ESWITCH { 0x41, 1 }
#define ESWITCH_OWNER { 0x90, 16 }

#define DESTROYED_BY(_create, _destroy, _layout, _field, ...)                       \
	static_assert(LEN(_layout) <= MDX_DINBOX_LEN_MAX);                       \
	static const struct mdx_destroy destroy_##_create = {                        \
		.opcode = MLX5_CMD_OP_##_destroy,                              \
		.len = LEN(_layout),                                           \
		.id = FLD(_layout, _field),                                    \
		.copy = { __VA_ARGS__ },                                       \
	}

DESTROYED_BY(CREATE_MKEY, DESTROY_MKEY, destroy_mkey_in, mkey_index);
DESTROYED_BY(CREATE_CQ, DESTROY_CQ, destroy_cq_in, cqn);
DESTROYED_BY(CREATE_QP, DESTROY_QP, destroy_qp_in, qpn);
DESTROYED_BY(CREATE_PSV, DESTROY_PSV, destroy_psv_in, psvn);
DESTROYED_BY(CREATE_SRQ, DESTROY_SRQ, destroy_srq_in, srqn);
DESTROYED_BY(CREATE_XRC_SRQ, DESTROY_XRC_SRQ, destroy_xrc_srq_in, xrc_srqn);
DESTROYED_BY(CREATE_DCT, DESTROY_DCT, destroy_dct_in, dctn);
DESTROYED_BY(CREATE_XRQ, DESTROY_XRQ, destroy_xrq_in, xrqn);
DESTROYED_BY(ALLOC_Q_COUNTER, DEALLOC_Q_COUNTER, dealloc_q_counter_in,
	counter_set_id);
DESTROYED_BY(CREATE_SCHEDULING_ELEMENT, DESTROY_SCHEDULING_ELEMENT,
	destroy_scheduling_element_in, scheduling_element_id,
	FLD(destroy_scheduling_element_in, scheduling_hierarchy));
DESTROYED_BY(ALLOC_PD, DEALLOC_PD, dealloc_pd_in, pd);
DESTROYED_BY(ATTACH_TO_MCG, DETACH_FROM_MCG, detach_from_mcg_in, qpn,
	FLD(detach_from_mcg_in, multicast_gid));
DESTROYED_BY(ALLOC_XRCD, DEALLOC_XRCD, dealloc_xrcd_in, xrcd);
DESTROYED_BY(ALLOC_TRANSPORT_DOMAIN, DEALLOC_TRANSPORT_DOMAIN,
	dealloc_transport_domain_in, transport_domain);
DESTROYED_BY(ADD_VXLAN_UDP_DPORT, DELETE_VXLAN_UDP_DPORT, delete_vxlan_udp_dport_in,
	vxlan_udp_port);
DESTROYED_BY(SET_L2_TABLE_ENTRY, DELETE_L2_TABLE_ENTRY, delete_l2_table_entry_in,
	table_index);
DESTROYED_BY(CREATE_TIR, DESTROY_TIR, destroy_tir_in, tirn);
DESTROYED_BY(CREATE_SQ, DESTROY_SQ, destroy_sq_in, sqn);
DESTROYED_BY(CREATE_RQ, DESTROY_RQ, destroy_rq_in, rqn);
DESTROYED_BY(CREATE_RMP, DESTROY_RMP, destroy_rmp_in, rmpn);
DESTROYED_BY(CREATE_TIS, DESTROY_TIS, destroy_tis_in, tisn);
DESTROYED_BY(CREATE_RQT, DESTROY_RQT, destroy_rqt_in, rqtn);
DESTROYED_BY(CREATE_FLOW_TABLE, DESTROY_FLOW_TABLE, destroy_flow_table_in, table_id,
	FLD(destroy_flow_table_in, other_vport),
	FLD(destroy_flow_table_in, vport_number),
	OTHER_ESWITCH, ESWITCH_OWNER,
	FLD(destroy_flow_table_in, table_type));
DESTROYED_BY(CREATE_FLOW_GROUP, DESTROY_FLOW_GROUP, destroy_flow_group_in, group_id,
	FLD(destroy_flow_group_in, other_vport),
	FLD(destroy_flow_group_in, vport_number),
	OTHER_ESWITCH, ESWITCH_OWNER,
	FLD(destroy_flow_group_in, table_type),
	FLD(destroy_flow_group_in, table_id));
DESTROYED_BY(SET_FLOW_TABLE_ENTRY, DELETE_FLOW_TABLE_ENTRY, delete_fte_in,
	flow_index,
	FLD(delete_fte_in, other_vport),
	FLD(delete_fte_in, vport_number),
	OTHER_ESWITCH, ESWITCH_OWNER,
	FLD(delete_fte_in, table_type),
	FLD(delete_fte_in, table_id));
DESTROYED_BY(ALLOC_FLOW_COUNTER, DEALLOC_FLOW_COUNTER, dealloc_flow_counter_in,
	flow_counter_id);
DESTROYED_BY(ALLOC_PACKET_REFORMAT_CONTEXT, DEALLOC_PACKET_REFORMAT_CONTEXT,
	dealloc_packet_reformat_context_in, packet_reformat_id);
DESTROYED_BY(ALLOC_MODIFY_HEADER_CONTEXT, DEALLOC_MODIFY_HEADER_CONTEXT,
	dealloc_modify_header_context_in, modify_header_id);
DESTROYED_BY(CREATE_GENERAL_OBJECT, DESTROY_GENERAL_OBJECT, general_obj_in_cmd_hdr,
	obj_id, FLD(general_obj_in_cmd_hdr, obj_type));

/* A copied field has the same place in the input that creates. */
#define SAME(_create, _destroy, _field)                                        \
	static_assert(BIT_OF(_create, _field) == BIT_OF(_destroy, _field))

SAME(create_scheduling_element_in, destroy_scheduling_element_in, scheduling_hierarchy);
SAME(attach_to_mcg_in, detach_from_mcg_in, multicast_gid);
SAME(create_flow_table_in, destroy_flow_table_in, other_vport);
SAME(create_flow_table_in, destroy_flow_table_in, vport_number);
SAME(create_flow_table_in, destroy_flow_table_in, table_type);
SAME(create_flow_group_in, destroy_flow_group_in, other_vport);
SAME(create_flow_group_in, destroy_flow_group_in, vport_number);
SAME(create_flow_group_in, destroy_flow_group_in, table_type);
SAME(create_flow_group_in, destroy_flow_group_in, table_id);
SAME(set_fte_in, delete_fte_in, other_vport);
SAME(set_fte_in, delete_fte_in, vport_number);
SAME(set_fte_in, delete_fte_in, table_type);
SAME(set_fte_in, delete_fte_in, table_id);

/* A bit of a field, from its least significant one. */
#define FLD_BIT(layout, field, n)                                              \
	{                                                                      \
		BIT_OF(layout, field) +                                        \
			sizeof_field(BITS(layout), field) - 1 - (n), 1         \
	}

/* Of direct mkeys memory is named by umem, and so it is in no list. */
static const struct mdx_list mkey_lists[] = {
	{ LEN(create_mkey_in), 16, 0,
	  FLD(create_mkey_in, translations_octword_actual_size),
	  FLD(create_mkey_in, mkey_umem_valid) },
	{}
};

static const struct mdx_list create_rqt_lists[] = {
	{ LEN(create_rqt_in), 4, 0,
	  FLD(create_rqt_in, rqt_context.rqt_actual_size) },
	{}
};

static const struct mdx_list modify_rqt_lists[] = {
	{ LEN(modify_rqt_in), 4, 0, FLD(modify_rqt_in, ctx.rqt_actual_size) },
	{}
};

/* Entries are 8 bytes, or more with an extended destination. */
#define FTE_LIST(_size, _action_bit)                                           \
	{ LEN(set_fte_in), 8, 1, FLD(set_fte_in, flow_context._size),          \
	  FLD_BIT(set_fte_in, flow_context.action, _action_bit) }

static_assert(MLX5_FLOW_CONTEXT_ACTION_FWD_DEST == 1 << 2);
static_assert(MLX5_FLOW_CONTEXT_ACTION_COUNT == 1 << 3);

static const struct mdx_list fte_lists[] = {
	FTE_LIST(destination_list_size, 2),
	FTE_LIST(flow_counter_list_size, 3),
	{}
};

static const struct mdx_list modify_header_lists[] = {
	{ LEN(alloc_modify_header_context_in), 8, 0,
	  FLD(alloc_modify_header_context_in, num_of_actions) },
	{}
};

static const struct mdx_list reformat_lists[] = {
	{ BIT_OF(alloc_packet_reformat_context_in,
		 packet_reformat_context.reformat_data) / 8, 1, 0,
	  FLD(alloc_packet_reformat_context_in,
	      packet_reformat_context.reformat_data_size) },
	{}
};

/* CREATE: the device chooses the id. CREATE_AT: the caller does. */
#define CREATE(_level, _op, _name, _field, ...)                                \
	{                                                                      \
		.opcode = MLX5_CMD_OP_##_op,                                   \
		.create = MLX5_CMD_OP_##_op,                                     \
		.class = MDX_OP_CREATE,                                        \
		.level = MDX_LEVEL_##_level,                                   \
		.min_in = LEN(_name##_in),                                     \
		.min_out = LEN(_name##_out),                                   \
		.id = FLD(_name##_out, _field),                                \
		.destroy = &destroy_##_op,                                           \
		__VA_ARGS__                                                    \
	}
#define CREATE_AT(_level, _op, _name, _field, ...)                             \
	{                                                                      \
		.opcode = MLX5_CMD_OP_##_op,                                   \
		.create = MLX5_CMD_OP_##_op,                                     \
		.class = MDX_OP_CREATE,                                        \
		.level = MDX_LEVEL_##_level,                                   \
		.flags = MDX_OP_F_ID_IN,                                       \
		.min_in = LEN(_name##_in),                                     \
		.min_out = MDX_HDR_LEN,                                        \
		.id = FLD(_name##_in, _field),                                 \
		.destroy = &destroy_##_op,                                           \
		__VA_ARGS__                                                    \
	}
#define USE(_class, _op, _create, _layout, _field, ...)                        \
	{                                                                      \
		.opcode = MLX5_CMD_OP_##_op,                                   \
		.create = MLX5_CMD_OP_##_create,                                   \
		.class = _class,                                               \
		.min_in = LEN(_layout),                                        \
		.min_out = MDX_HDR_LEN,                                        \
		.id = FLD(_layout, _field),                                    \
		__VA_ARGS__                                                    \
	}
#define MODIFY(...) USE(MDX_OP_MODIFY, __VA_ARGS__)
#define QUERY(...) USE(MDX_OP_QUERY, __VA_ARGS__)
#define GENERAL(_op, _layout)                                                  \
	{                                                                      \
		.opcode = MLX5_CMD_OP_##_op, .class = MDX_OP_GENERAL,          \
		.min_in = LEN(_layout), .min_out = MDX_HDR_LEN,                \
	}
#define MUST(_layout, _field, _value)                                          \
	.must = FLD(_layout, _field), .must_be = (_value)
#define EVENTS(_obj_type) .event_type = MLX5_OBJ_TYPE_##_obj_type
#define QUEUE_EVENTS(_type)                                                    \
	.queue_type = MDX_QUEUE_TYPE_##_type, EVENTS(_type)
#define UMEM_WQ(_layout, _wq)                                                  \
	.force = { BIT_OF(_layout, _wq.wq_umem_valid),                         \
		   BIT_OF(_layout, _wq.dbr_umem_valid) }

/* Sorted by opcode; an opcode with two roles has its rows side by side. */
const struct mdx_op mdx_ops[] = {
	GENERAL(QUERY_HCA_CAP, query_hca_cap_in),
	GENERAL(QUERY_ADAPTER, query_adapter_in),
	GENERAL(QUERY_ISSI, query_issi_in),
	CREATE(RQ, CREATE_MKEY, create_mkey, mkey_index, EVENTS(MKEY),
	       .flags = MDX_OP_F_MKEY,
	       .force = { BIT_OF(create_mkey_in, mkey_umem_valid) },
	       .lists = mkey_lists),
	QUERY(QUERY_MKEY, CREATE_MKEY, query_mkey_in, mkey_index),
	CREATE(CQ, CREATE_CQ, create_cq, cqn, EVENTS(CQ),
	       .flags = MDX_OP_F_SPLIT,
	       .ops = &mdx_cq_ops,
	       .force = { BIT_OF(create_cq_in, cq_umem_valid),
			  BIT_OF(create_cq_in, cq_context.dbr_umem_valid) }),
	QUERY(QUERY_CQ, CREATE_CQ, query_cq_in, cqn),
	MODIFY(MODIFY_CQ, CREATE_CQ, modify_cq_in, cqn,
	       .force = { BIT_OF(modify_cq_in, cq_umem_valid) }),
	CREATE(QP, CREATE_QP, create_qp, qpn, QUEUE_EVENTS(QP),
	       .force = { BIT_OF(create_qp_in, wq_umem_valid),
			  BIT_OF(create_qp_in, qpc.dbr_umem_valid) }),
	MODIFY(RST2INIT_QP, CREATE_QP, rst2init_qp_in, qpn),
	MODIFY(INIT2RTR_QP, CREATE_QP, init2rtr_qp_in, qpn),
	MODIFY(RTR2RTS_QP, CREATE_QP, rtr2rts_qp_in, qpn),
	MODIFY(RTS2RTS_QP, CREATE_QP, rts2rts_qp_in, qpn),
	MODIFY(SQERR2RTS_QP, CREATE_QP, sqerr2rts_qp_in, qpn),
	MODIFY(2ERR_QP, CREATE_QP, qp_2err_in, qpn),
	MODIFY(2RST_QP, CREATE_QP, qp_2rst_in, qpn),
	QUERY(QUERY_QP, CREATE_QP, query_qp_in, qpn),
	MODIFY(INIT2INIT_QP, CREATE_QP, init2init_qp_in, qpn),
	CREATE(SRQ, CREATE_PSV, create_psv, psv0_index, EVENTS(PSV),
	       MUST(create_psv_in, num_psv, 1)),
	CREATE(SRQ, CREATE_SRQ, create_srq, srqn, .flags = MDX_OP_F_ISSI0),
	QUERY(QUERY_SRQ, CREATE_SRQ, query_srq_in, srqn),
	MODIFY(ARM_RQ, CREATE_RQ, arm_rq_in, srq_number),
	CREATE(SRQ, CREATE_XRC_SRQ, create_xrc_srq, xrc_srqn, EVENTS(XRC_SRQ),
	       .force = { BIT_OF(create_xrc_srq_in, xrc_srq_umem_valid),
			  BIT_OF(create_xrc_srq_in,
				 xrc_srq_context_entry.dbr_umem_valid) }),
	QUERY(QUERY_XRC_SRQ, CREATE_XRC_SRQ, query_xrc_srq_in, xrc_srqn),
	MODIFY(ARM_XRC_SRQ, CREATE_XRC_SRQ, arm_xrc_srq_in, xrc_srqn),
	CREATE(QP, CREATE_DCT, create_dct, dctn, QUEUE_EVENTS(DCT),
	       .ops = &mdx_dct_ops),
	QUERY(QUERY_DCT, CREATE_DCT, query_dct_in, dctn),
	MODIFY(ARM_DCT_FOR_KEY_VIOLATION, CREATE_DCT, arm_dct_in, dct_number),
	CREATE(SRQ, CREATE_XRQ, create_xrq, xrqn, EVENTS(XRQ),
	       UMEM_WQ(create_xrq_in, xrq_context.wq)),
	QUERY(QUERY_XRQ, CREATE_XRQ, query_xrq_in, xrqn),
	MODIFY(ARM_XRQ, CREATE_XRQ, arm_xrq_in, xrqn),
	/* No header has the layouts of these five: xrqn is where ARM_XRQ has it. */
	QUERY(QUERY_XRQ_DC_PARAMS_ENTRY, CREATE_XRQ, arm_xrq_in, xrqn),
	MODIFY(SET_XRQ_DC_PARAMS_ENTRY, CREATE_XRQ, arm_xrq_in, xrqn),
	QUERY(QUERY_XRQ_ERROR_PARAMS, CREATE_XRQ, arm_xrq_in, xrqn),
	MODIFY(RELEASE_XRQ_ERROR, CREATE_XRQ, arm_xrq_in, xrqn),
	MODIFY(MODIFY_XRQ, CREATE_XRQ, arm_xrq_in, xrqn),
	GENERAL(QUERY_ESW_FUNCTIONS, query_esw_functions_in),
	GENERAL(QUERY_VPORT_STATE, query_vport_state_in),
	GENERAL(QUERY_ESW_VPORT_CONTEXT, query_esw_vport_context_in),
	GENERAL(QUERY_NIC_VPORT_CONTEXT, query_nic_vport_context_in),
	GENERAL(QUERY_ROCE_ADDRESS, query_roce_address_in),
	GENERAL(QUERY_HCA_VPORT_CONTEXT, query_hca_vport_context_in),
	GENERAL(QUERY_VNIC_ENV, query_vnic_env_in),
	GENERAL(QUERY_VPORT_COUNTER, query_vport_counter_in),
	CREATE(CQ, ALLOC_Q_COUNTER, alloc_q_counter, counter_set_id),
	QUERY(QUERY_Q_COUNTER, ALLOC_Q_COUNTER, query_q_counter_in,
	      counter_set_id),
	CREATE(SRQ, CREATE_SCHEDULING_ELEMENT, create_scheduling_element,
	       scheduling_element_id),
	QUERY(QUERY_SCHEDULING_ELEMENT, CREATE_SCHEDULING_ELEMENT,
	      query_scheduling_element_in, scheduling_element_id),
	MODIFY(MODIFY_SCHEDULING_ELEMENT, CREATE_SCHEDULING_ELEMENT,
	       modify_scheduling_element_in, scheduling_element_id),
	CREATE(DOMAIN, ALLOC_PD, alloc_pd, pd),
	CREATE_AT(RULE, ATTACH_TO_MCG, attach_to_mcg, qpn),
	GENERAL(GET_DROPPED_PACKET_LOG, get_dropped_packet_log_in),
	GENERAL(NOP, nop_in),
	CREATE(DOMAIN, ALLOC_XRCD, alloc_xrcd, xrcd),
	CREATE(DOMAIN, ALLOC_TRANSPORT_DOMAIN, alloc_transport_domain,
	       transport_domain),
	GENERAL(QUERY_CONG_STATUS, query_cong_status_in),
	GENERAL(QUERY_CONG_PARAMS, query_cong_params_in),
	GENERAL(QUERY_CONG_STATISTICS, query_cong_statistics_in),
	CREATE_AT(TIR, ADD_VXLAN_UDP_DPORT, add_vxlan_udp_dport, vxlan_udp_port),
	MODIFY(ADD_VXLAN_UDP_DPORT, ADD_VXLAN_UDP_DPORT, add_vxlan_udp_dport_in,
	       vxlan_udp_port),
	CREATE_AT(TIR, SET_L2_TABLE_ENTRY, set_l2_table_entry, table_index),
	MODIFY(SET_L2_TABLE_ENTRY, SET_L2_TABLE_ENTRY, set_l2_table_entry_in,
	       table_index),
	QUERY(QUERY_L2_TABLE_ENTRY, SET_L2_TABLE_ENTRY, query_l2_table_entry_in,
	      table_index),
	GENERAL(QUERY_LAG, query_lag_in),
	CREATE(TIR, CREATE_TIR, create_tir, tirn, EVENTS(TIR)),
	MODIFY(MODIFY_TIR, CREATE_TIR, modify_tir_in, tirn),
	QUERY(QUERY_TIR, CREATE_TIR, query_tir_in, tirn),
	CREATE(QP, CREATE_SQ, create_sq, sqn, QUEUE_EVENTS(SQ),
	       UMEM_WQ(create_sq_in, ctx.wq)),
	MODIFY(MODIFY_SQ, CREATE_SQ, modify_sq_in, sqn),
	QUERY(QUERY_SQ, CREATE_SQ, query_sq_in, sqn),
	CREATE(RQ, CREATE_RQ, create_rq, rqn, QUEUE_EVENTS(RQ),
	       UMEM_WQ(create_rq_in, ctx.wq)),
	MODIFY(MODIFY_RQ, CREATE_RQ, modify_rq_in, rqn),
	QUERY(QUERY_RQ, CREATE_RQ, query_rq_in, rqn),
	CREATE(SRQ, CREATE_RMP, create_rmp, rmpn, EVENTS(RMP),
	       .queue_type = MDX_QUEUE_TYPE_RQ,
	       UMEM_WQ(create_rmp_in, ctx.wq)),
	MODIFY(MODIFY_RMP, CREATE_RMP, modify_rmp_in, rmpn),
	QUERY(QUERY_RMP, CREATE_RMP, query_rmp_in, rmpn),
	CREATE(RQ, CREATE_TIS, create_tis, tisn, EVENTS(TIS)),
	MODIFY(MODIFY_TIS, CREATE_TIS, modify_tis_in, tisn),
	QUERY(QUERY_TIS, CREATE_TIS, query_tis_in, tisn),
	CREATE(QP, CREATE_RQT, create_rqt, rqtn, EVENTS(RQT),
	       .lists = create_rqt_lists),
	MODIFY(MODIFY_RQT, CREATE_RQT, modify_rqt_in, rqtn,
	       .lists = modify_rqt_lists),
	QUERY(QUERY_RQT, CREATE_RQT, query_rqt_in, rqtn),
	CREATE(TABLE, CREATE_FLOW_TABLE, create_flow_table, table_id),
	QUERY(QUERY_FLOW_TABLE, CREATE_FLOW_TABLE, query_flow_table_in,
	      table_id),
	CREATE(GROUP, CREATE_FLOW_GROUP, create_flow_group, group_id),
	QUERY(QUERY_FLOW_GROUP, CREATE_FLOW_GROUP, query_flow_group_in,
	      group_id),
	CREATE_AT(RULE, SET_FLOW_TABLE_ENTRY, set_fte, flow_index,
		  MUST(set_fte_in, op_mod, 0), .lists = fte_lists),
	MODIFY(SET_FLOW_TABLE_ENTRY, SET_FLOW_TABLE_ENTRY, set_fte_in,
	       flow_index, MUST(set_fte_in, op_mod, 1), .lists = fte_lists),
	QUERY(QUERY_FLOW_TABLE_ENTRY, SET_FLOW_TABLE_ENTRY, query_fte_in,
	      flow_index),
	CREATE(TIR, ALLOC_FLOW_COUNTER, alloc_flow_counter, flow_counter_id,
	       EVENTS(FLOW_COUNTER),
	       .flags = MDX_OP_F_BULK),
	QUERY(QUERY_FLOW_COUNTER, ALLOC_FLOW_COUNTER, query_flow_counter_in,
	      flow_counter_id),
	MODIFY(MODIFY_FLOW_TABLE, CREATE_FLOW_TABLE, modify_flow_table_in,
	       table_id),
	CREATE(TIR, ALLOC_PACKET_REFORMAT_CONTEXT, alloc_packet_reformat_context,
	       packet_reformat_id, .lists = reformat_lists),
	QUERY(QUERY_PACKET_REFORMAT_CONTEXT, ALLOC_PACKET_REFORMAT_CONTEXT,
	      query_packet_reformat_context_in, packet_reformat_id),
	CREATE(TIR, ALLOC_MODIFY_HEADER_CONTEXT, alloc_modify_header_context,
	       modify_header_id, .lists = modify_header_lists),
	QUERY(QUERY_MODIFY_HEADER_CONTEXT, ALLOC_MODIFY_HEADER_CONTEXT,
	      query_modify_header_context_in, modify_header_id),
	{
		.opcode = MLX5_CMD_OP_CREATE_GENERAL_OBJECT,
		.create = MLX5_CMD_OP_CREATE_GENERAL_OBJECT,
		.class = MDX_OP_CREATE,
		.level = MDX_LEVEL_TIR,
		.flags = MDX_OP_F_OBJ_TYPE,
		.min_in = LEN(general_obj_in_cmd_hdr),
		.min_out = LEN(general_obj_out_cmd_hdr),
		.id = FLD(general_obj_out_cmd_hdr, obj_id),
		.destroy = &destroy_CREATE_GENERAL_OBJECT,
	},
	MODIFY(MODIFY_GENERAL_OBJECT, CREATE_GENERAL_OBJECT,
	       general_obj_in_cmd_hdr, obj_id, .flags = MDX_OP_F_OBJ_TYPE),
	QUERY(QUERY_GENERAL_OBJECT, CREATE_GENERAL_OBJECT,
	      general_obj_in_cmd_hdr, obj_id, .flags = MDX_OP_F_OBJ_TYPE),
};

const unsigned int mdx_ops_n = ARRAY_SIZE(mdx_ops);

/* The range of commands without layouts, of which none names an object. */
#define VENDOR_FIRST 0xb00
#define VENDOR_END 0xd00

static const struct mdx_op vendor_op = {
	.opcode = VENDOR_FIRST,
	.class = MDX_OP_GENERAL,
	.min_in = MDX_HDR_LEN,
	.min_out = MDX_HDR_LEN,
};

/*
 * General objects that stand for the identity of a user and for memory of the
 * host: only the kernel creates them.
 */
static bool is_kernel_obj_type(u16 obj_type)
{
	return obj_type == 4 /* uctx */ || obj_type == 5 /* umem */;
}

/* Index of the first row of an opcode, plus one; 0: the opcode has none. */
static u8 first_row[VENDOR_FIRST] __ro_after_init;

static_assert(ARRAY_SIZE(mdx_ops) <= U8_MAX);

/**
 * mdx_op_init - Index the rows by opcode
 *
 * Must come before mdx_op_find(), and may be repeated.
 */
void __init mdx_op_init(void)
{
	unsigned int i = mdx_ops_n;

	while (i--)
		first_row[mdx_ops[i].opcode] = i + 1;
}

static const struct mdx_op *row_of_class(u16 opcode, enum mdx_class class,
					 bool *known)
{
	const struct mdx_op *op, *end = mdx_ops + mdx_ops_n;

	if (opcode >= VENDOR_FIRST) {
		*known = opcode < VENDOR_END;
		return *known && class == MDX_OP_GENERAL ? &vendor_op : NULL;
	}

	opcode = array_index_nospec(opcode, VENDOR_FIRST);
	*known = first_row[opcode];
	if (!*known)
		return NULL;
	op = &mdx_ops[first_row[opcode] - 1];
	for (; op < end && op->opcode == opcode; op++)
		if (op->class == class)
			return op;
	return NULL;
}

/**
 * mdx_op_find - Look a command up
 * @opp: its row
 * @hdr: the first MDX_HDR_LEN bytes of its input
 * @class: class it has to be of
 *
 * Return: 0; -EOPNOTSUPP for an opcode without a row; -EINVAL if the opcode is
 * of another class or the header asks for what no class allows.
 */
int mdx_op_find(const struct mdx_op **opp, const void *hdr,
		enum mdx_class class)
{
	const struct mdx_op *op;
	bool known;

	op = row_of_class(mdx_mbox_opcode(hdr), class, &known);
	if (!op)
		return known ? -EINVAL : -EOPNOTSUPP;

	/* An object created through a tunnel would not be tracked. */
	if (mdx_mbox_tunnel(hdr))
		return -EINVAL;
	if (op->must.width && mdx_mbox_get(hdr, op->must) != op->must_be)
		return -EINVAL;
	if (class == MDX_OP_CREATE && op->flags & MDX_OP_F_OBJ_TYPE &&
	    is_kernel_obj_type(mdx_mbox_obj_type(hdr)))
		return -EINVAL;

	*opp = op;
	return 0;
}
