/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The commands once more, from the device's documentation instead of from the
 * command table: numbers where the table has names, so that an error is not made
 * twice. Lengths are those of the layout header. The tests compare by opcode and
 * class: the order of the rows has no meaning.
 */
#ifndef MDX_KUNIT_LAYOUTS_H
#define MDX_KUNIT_LAYOUTS_H

#include <linux/mlx5/device.h>

#include "../kmod/optab.h"

struct layout_row {
	u16 opcode;
	u16 create;
	u8 class;
	u16 in_len;
	u16 out_len;
	u16 bit;
	u16 width;
};

#define CREATES(_op, _in, _out, _bit, _width)                                  \
	{                                                                      \
		_op, _op, MDX_OP_CREATE, MLX5_ST_SZ_BYTES(_in),                \
		MLX5_ST_SZ_BYTES(_out), _bit, _width                           \
	}
#define CREATES_AT(_op, _in, _bit, _width)                                     \
	{                                                                      \
		_op, _op, MDX_OP_CREATE, MLX5_ST_SZ_BYTES(_in), 16, _bit,      \
		_width                                                         \
	}
#define MODIFIES(_op, _create, _in, _bit, _width)                              \
	{                                                                      \
		_op, _create, MDX_OP_MODIFY, MLX5_ST_SZ_BYTES(_in), 16, _bit,    \
		_width                                                         \
	}
#define QUERIES(_op, _create, _in, _bit, _width)                               \
	{                                                                      \
		_op, _create, MDX_OP_QUERY, MLX5_ST_SZ_BYTES(_in), 16, _bit,     \
		_width                                                         \
	}
#define READS(_op, _in) { _op, 0, MDX_OP_GENERAL, MLX5_ST_SZ_BYTES(_in), 16, 0, 0 }

static const struct layout_row layout_rows[] = {
	READS(0x100, query_hca_cap_in),
	READS(0x101, query_adapter_in),
	READS(0x10a, query_issi_in),
	CREATES(0x200, create_mkey_in, create_mkey_out, 0x48, 24),
	QUERIES(0x201, 0x200, query_mkey_in, 0x48, 24),
	CREATES(0x400, create_cq_in, create_cq_out, 0x48, 24),
	QUERIES(0x402, 0x400, query_cq_in, 0x48, 24),
	MODIFIES(0x403, 0x400, modify_cq_in, 0x48, 24),
	CREATES(0x500, create_qp_in, create_qp_out, 0x48, 24),
	MODIFIES(0x502, 0x500, rst2init_qp_in, 0x48, 24),
	MODIFIES(0x503, 0x500, init2rtr_qp_in, 0x48, 24),
	MODIFIES(0x504, 0x500, rtr2rts_qp_in, 0x48, 24),
	MODIFIES(0x505, 0x500, rts2rts_qp_in, 0x48, 24),
	MODIFIES(0x506, 0x500, sqerr2rts_qp_in, 0x48, 24),
	MODIFIES(0x507, 0x500, qp_2err_in, 0x48, 24),
	MODIFIES(0x50a, 0x500, qp_2rst_in, 0x48, 24),
	QUERIES(0x50b, 0x500, query_qp_in, 0x48, 24),
	MODIFIES(0x50e, 0x500, init2init_qp_in, 0x48, 24),
	CREATES(0x600, create_psv_in, create_psv_out, 0x88, 24),
	CREATES(0x700, create_srq_in, create_srq_out, 0x48, 24),
	QUERIES(0x702, 0x700, query_srq_in, 0x48, 24),
	MODIFIES(0x703, 0x908, arm_rq_in, 0x48, 24),
	CREATES(0x705, create_xrc_srq_in, create_xrc_srq_out, 0x48, 24),
	QUERIES(0x707, 0x705, query_xrc_srq_in, 0x48, 24),
	MODIFIES(0x708, 0x705, arm_xrc_srq_in, 0x48, 24),
	CREATES(0x710, create_dct_in, create_dct_out, 0x48, 24),
	QUERIES(0x713, 0x710, query_dct_in, 0x48, 24),
	MODIFIES(0x714, 0x710, arm_dct_in, 0x48, 24),
	CREATES(0x717, create_xrq_in, create_xrq_out, 0x48, 24),
	QUERIES(0x719, 0x717, query_xrq_in, 0x48, 24),
	MODIFIES(0x71a, 0x717, arm_xrq_in, 0x48, 24),
	QUERIES(0x725, 0x717, arm_xrq_in, 0x48, 24),
	MODIFIES(0x726, 0x717, arm_xrq_in, 0x48, 24),
	QUERIES(0x727, 0x717, arm_xrq_in, 0x48, 24),
	MODIFIES(0x729, 0x717, arm_xrq_in, 0x48, 24),
	MODIFIES(0x72a, 0x717, arm_xrq_in, 0x48, 24),
	READS(0x740, query_esw_functions_in),
	READS(0x750, query_vport_state_in),
	READS(0x752, query_esw_vport_context_in),
	READS(0x754, query_nic_vport_context_in),
	READS(0x760, query_roce_address_in),
	READS(0x762, query_hca_vport_context_in),
	READS(0x76f, query_vnic_env_in),
	READS(0x770, query_vport_counter_in),
	CREATES(0x771, alloc_q_counter_in, alloc_q_counter_out, 0x58, 8),
	QUERIES(0x773, 0x771, query_q_counter_in, 0xf8, 8),
	CREATES(0x782, create_scheduling_element_in,
		create_scheduling_element_out, 0x80, 32),
	QUERIES(0x784, 0x782, query_scheduling_element_in, 0x60, 32),
	MODIFIES(0x785, 0x782, modify_scheduling_element_in, 0x60, 32),
	CREATES(0x800, alloc_pd_in, alloc_pd_out, 0x48, 24),
	CREATES_AT(0x806, attach_to_mcg_in, 0x48, 24),
	READS(0x80a, get_dropped_packet_log_in),
	READS(0x80d, nop_in),
	CREATES(0x80e, alloc_xrcd_in, alloc_xrcd_out, 0x48, 24),
	CREATES(0x816, alloc_transport_domain_in,
		alloc_transport_domain_out, 0x48, 24),
	READS(0x822, query_cong_status_in),
	READS(0x824, query_cong_params_in),
	READS(0x826, query_cong_statistics_in),
	CREATES_AT(0x827, add_vxlan_udp_dport_in, 0x70, 16),
	MODIFIES(0x827, 0x827, add_vxlan_udp_dport_in, 0x70, 16),
	CREATES_AT(0x829, set_l2_table_entry_in, 0xa8, 24),
	MODIFIES(0x829, 0x829, set_l2_table_entry_in, 0xa8, 24),
	QUERIES(0x82a, 0x829, query_l2_table_entry_in, 0xa8, 24),
	READS(0x842, query_lag_in),
	CREATES(0x900, create_tir_in, create_tir_out, 0x48, 24),
	MODIFIES(0x901, 0x900, modify_tir_in, 0x48, 24),
	QUERIES(0x903, 0x900, query_tir_in, 0x48, 24),
	CREATES(0x904, create_sq_in, create_sq_out, 0x48, 24),
	MODIFIES(0x905, 0x904, modify_sq_in, 0x48, 24),
	QUERIES(0x907, 0x904, query_sq_in, 0x48, 24),
	CREATES(0x908, create_rq_in, create_rq_out, 0x48, 24),
	MODIFIES(0x909, 0x908, modify_rq_in, 0x48, 24),
	QUERIES(0x90b, 0x908, query_rq_in, 0x48, 24),
	CREATES(0x90c, create_rmp_in, create_rmp_out, 0x48, 24),
	MODIFIES(0x90d, 0x90c, modify_rmp_in, 0x48, 24),
	QUERIES(0x90f, 0x90c, query_rmp_in, 0x48, 24),
	CREATES(0x912, create_tis_in, create_tis_out, 0x48, 24),
	MODIFIES(0x913, 0x912, modify_tis_in, 0x48, 24),
	QUERIES(0x915, 0x912, query_tis_in, 0x48, 24),
	CREATES(0x916, create_rqt_in, create_rqt_out, 0x48, 24),
	MODIFIES(0x917, 0x916, modify_rqt_in, 0x48, 24),
	QUERIES(0x919, 0x916, query_rqt_in, 0x48, 24),
	CREATES(0x930, create_flow_table_in, create_flow_table_out, 0x48, 24),
	QUERIES(0x932, 0x930, query_flow_table_in, 0xa8, 24),
	CREATES(0x933, create_flow_group_in, create_flow_group_out, 0x48, 24),
	QUERIES(0x935, 0x933, query_flow_group_in, 0xc0, 32),
	CREATES_AT(0x936, set_fte_in, 0x100, 32),
	MODIFIES(0x936, 0x936, set_fte_in, 0x100, 32),
	QUERIES(0x937, 0x936, query_fte_in, 0x100, 32),
	CREATES(0x939, alloc_flow_counter_in, alloc_flow_counter_out, 0x40, 32),
	QUERIES(0x93b, 0x939, query_flow_counter_in, 0xe0, 32),
	MODIFIES(0x93c, 0x930, modify_flow_table_in, 0xa8, 24),
	CREATES(0x93d, alloc_packet_reformat_context_in,
		alloc_packet_reformat_context_out, 0x40, 32),
	QUERIES(0x93f, 0x93d, query_packet_reformat_context_in, 0x40, 32),
	CREATES(0x940, alloc_modify_header_context_in,
		alloc_modify_header_context_out, 0x40, 32),
	QUERIES(0x942, 0x940, query_modify_header_context_in, 0x40, 32),
	CREATES(0xa00, general_obj_in_cmd_hdr,
		general_obj_out_cmd_hdr, 0x40, 32),
	MODIFIES(0xa01, 0xa00, general_obj_in_cmd_hdr, 0x40, 32),
	QUERIES(0xa02, 0xa00, general_obj_in_cmd_hdr, 0x40, 32),
};

struct layout_field {
	u16 bit;
	u16 width;
};

struct layout_destroy {
	u16 create;
	u16 opcode;
	u16 len;
	struct layout_field id;
	struct layout_field same[7];
};

/* Behind the id: fields with the same place in the input that created it */
#define DESTROYS(_create, _op, _in, _bit, _width, ...)                         \
	{                                                                      \
		_create, _op, MLX5_ST_SZ_BYTES(_in), { _bit, _width },         \
		{ __VA_ARGS__ }                                                \
	}

static const struct layout_destroy layout_destroys[] = {
	DESTROYS(0x200, 0x202, destroy_mkey_in, 0x48, 24),
	DESTROYS(0x400, 0x401, destroy_cq_in, 0x48, 24),
	DESTROYS(0x500, 0x501, destroy_qp_in, 0x48, 24),
	DESTROYS(0x600, 0x601, destroy_psv_in, 0x48, 24),
	DESTROYS(0x700, 0x701, destroy_srq_in, 0x48, 24),
	DESTROYS(0x705, 0x706, destroy_xrc_srq_in, 0x48, 24),
	DESTROYS(0x710, 0x711, destroy_dct_in, 0x48, 24),
	DESTROYS(0x717, 0x718, destroy_xrq_in, 0x48, 24),
	DESTROYS(0x771, 0x772, dealloc_q_counter_in, 0x58, 8),
	DESTROYS(0x782, 0x783, destroy_scheduling_element_in, 0x60, 32,
		 { 0x40, 8 }),
	DESTROYS(0x800, 0x801, dealloc_pd_in, 0x48, 24),
	DESTROYS(0x806, 0x807, detach_from_mcg_in, 0x48, 24,
		 { 0x80, 128 }),
	DESTROYS(0x80e, 0x80f, dealloc_xrcd_in, 0x48, 24),
	DESTROYS(0x816, 0x817, dealloc_transport_domain_in, 0x48, 24),
	DESTROYS(0x827, 0x828, delete_vxlan_udp_dport_in, 0x70, 16),
	DESTROYS(0x829, 0x82b, delete_l2_table_entry_in, 0xa8, 24),
	DESTROYS(0x900, 0x902, destroy_tir_in, 0x48, 24),
	DESTROYS(0x904, 0x906, destroy_sq_in, 0x48, 24),
	DESTROYS(0x908, 0x90a, destroy_rq_in, 0x48, 24),
	DESTROYS(0x90c, 0x90e, destroy_rmp_in, 0x48, 24),
	DESTROYS(0x912, 0x914, destroy_tis_in, 0x48, 24),
	DESTROYS(0x916, 0x918, destroy_rqt_in, 0x48, 24),
	DESTROYS(0x930, 0x931, destroy_flow_table_in, 0xa8, 24,
		 { 0x40, 1 }, { 0x50, 16 }, { 0x41, 1 }, { 0x90, 16 },
		 { 0x80, 8 }),
	DESTROYS(0x933, 0x934, destroy_flow_group_in, 0xc0, 32,
		 { 0x40, 1 }, { 0x50, 16 }, { 0x41, 1 }, { 0x90, 16 },
		 { 0x80, 8 }, { 0xa8, 24 }),
	DESTROYS(0x936, 0x938, delete_fte_in, 0x100, 32,
		 { 0x40, 1 }, { 0x50, 16 }, { 0x41, 1 }, { 0x90, 16 },
		 { 0x80, 8 }, { 0xa8, 24 }),
	DESTROYS(0x939, 0x93a, dealloc_flow_counter_in, 0x40, 32),
	DESTROYS(0x93d, 0x93e, dealloc_packet_reformat_context_in, 0x40, 32),
	DESTROYS(0x940, 0x941, dealloc_modify_header_context_in, 0x40, 32),
	DESTROYS(0xa00, 0xa03, general_obj_in_cmd_hdr, 0x40, 32,
		 { 0x30, 16 }),
};

/* NULL: the documentation has no such command in that class. */
static inline const struct layout_row *layout_find(u16 opcode, int class)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(layout_rows); i++)
		if (layout_rows[i].opcode == opcode &&
		    layout_rows[i].class == class)
			return &layout_rows[i];
	return NULL;
}

/* The destroy of what a command creates; NULL: the command creates nothing. */
static inline const struct layout_destroy *layout_find_destroy(u16 create)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(layout_destroys); i++)
		if (layout_destroys[i].create == create)
			return &layout_destroys[i];
	return NULL;
}

#undef CREATES
#undef CREATES_AT
#undef MODIFIES
#undef QUERIES
#undef READS
#undef DESTROYS

#endif /* MDX_KUNIT_LAYOUTS_H */
