// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdio.h>
#include <sys/mman.h>

#include "kinds.h"

#define CMD(c, d) .create = MLX5_CMD_OP_##c, .destroy = MLX5_CMD_OP_##d

const struct kind kinds[KIND_COUNT] = {
	[KIND_PD] = {
		.name = "pd", .live = "pd",
		CMD(ALLOC_PD, DEALLOC_PD),
		.in_len = SZ(alloc_pd_in), .out_len = SZ(alloc_pd_out),
	},
	[KIND_TD] = {
		.name = "td", .live = "td",
		CMD(ALLOC_TRANSPORT_DOMAIN, DEALLOC_TRANSPORT_DOMAIN),
		.in_len = SZ(alloc_transport_domain_in),
		.out_len = SZ(alloc_transport_domain_out),
	},
	[KIND_XRCD] = {
		.name = "xrcd", .live = "xrcd",
		CMD(ALLOC_XRCD, DEALLOC_XRCD),
		.in_len = SZ(alloc_xrcd_in), .out_len = SZ(alloc_xrcd_out),
		.has = xrcd_has,
	},
	[KIND_PSV] = {
		.name = "psv", .live = "psv",
		CMD(CREATE_PSV, DESTROY_PSV),
		.in_len = SZ(create_psv_in), .out_len = SZ(create_psv_out),
		.needs = NEEDS(KIND_PD),
		.fill = psv_fill, .num = psv_num, .has = psv_has,
	},
	[KIND_MKEY] = {
		.name = "mkey", .live = "mkey",
		CMD(CREATE_MKEY, DESTROY_MKEY),
		.query = MLX5_CMD_OP_QUERY_MKEY,
		.in_len = SZ(create_mkey_in), .out_len = SZ(create_mkey_out),
		.query_in = SZ(query_mkey_in), .query_out = SZ(query_mkey_out),
		.needs = NEEDS(KIND_PD),
		.fill = mkey_fill, .check = mkey_check,
	},
	[KIND_MKEY_KLM] = {
		.name = "mkey_klm", .live = "mkey",
		CMD(CREATE_MKEY, DESTROY_MKEY),
		.query = MLX5_CMD_OP_QUERY_MKEY,
		.in_len = SZ(create_mkey_in), .list_len = 64,
		.out_len = SZ(create_mkey_out),
		.query_in = SZ(query_mkey_in), .query_out = SZ(query_mkey_out),
		.needs = NEEDS(KIND_PD),
		.fill = klm_fill, .check = mkey_check,
	},
	[KIND_CQ] = {
		.name = "cq", .live = "cq",
		CMD(CREATE_CQ, DESTROY_CQ),
		.query = MLX5_CMD_OP_QUERY_CQ, .modify = MLX5_CMD_OP_MODIFY_CQ,
		.in_len = SZ(create_cq_in), .out_len = SZ(create_cq_out),
		.query_in = SZ(query_cq_in), .query_out = SZ(query_cq_out),
		.modify_in = SZ(modify_cq_in),
		.fill = cq_fill, .fill_modify = cq_fill_modify,
		.check = cq_check, .check_modify = cq_check_modify,
	},
	[KIND_QP] = {
		.name = "qp", .live = "qp",
		CMD(CREATE_QP, DESTROY_QP),
		.query = MLX5_CMD_OP_QUERY_QP, .modify = MLX5_CMD_OP_RST2INIT_QP,
		.in_len = SZ(create_qp_in), .out_len = SZ(create_qp_out),
		.query_in = SZ(query_qp_in), .query_out = 464,
		.modify_in = SZ(rst2init_qp_in),
		.needs = NEEDS(KIND_PD) | NEEDS(KIND_CQ),
		.fill = qp_fill, .fill_modify = qp_fill_modify,
		.check = qp_check, .check_modify = qp_check_modify,
	},
	[KIND_MCG] = {
		.name = "mcg", .live = "mcg",
		CMD(ATTACH_TO_MCG, DETACH_FROM_MCG),
		.in_len = SZ(attach_to_mcg_in), .out_len = SZ(attach_to_mcg_out),
		.needs = NEEDS(KIND_QP),
		.fill = mcg_fill, .num = mcg_num, .has = mcg_has,
	},
	[KIND_RMP] = {
		.name = "rmp", .live = "rmp",
		CMD(CREATE_RMP, DESTROY_RMP),
		.query = MLX5_CMD_OP_QUERY_RMP, .modify = MLX5_CMD_OP_MODIFY_RMP,
		.in_len = SZ(create_rmp_in), .out_len = SZ(create_rmp_out),
		.query_in = SZ(query_rmp_in), .query_out = SZ(query_rmp_out),
		.modify_in = SZ(modify_rmp_in),
		.needs = NEEDS(KIND_PD),
		.fill = rmp_fill, .fill_modify = rmp_fill_modify,
		.check = rmp_check, .check_modify = rmp_check_modify,
	},
	[KIND_RQ] = {
		.name = "rq", .live = "rq",
		CMD(CREATE_RQ, DESTROY_RQ),
		.query = MLX5_CMD_OP_QUERY_RQ, .modify = MLX5_CMD_OP_MODIFY_RQ,
		.in_len = SZ(create_rq_in), .out_len = SZ(create_rq_out),
		.query_in = SZ(query_rq_in), .query_out = SZ(query_rq_out),
		.modify_in = SZ(modify_rq_in),
		.needs = NEEDS(KIND_PD) | NEEDS(KIND_CQ),
		.fill = rq_fill, .fill_modify = rq_fill_modify,
		.check = rq_check, .check_modify = rq_check_modify,
	},
	[KIND_SQ] = {
		.name = "sq", .live = "sq",
		CMD(CREATE_SQ, DESTROY_SQ),
		.query = MLX5_CMD_OP_QUERY_SQ, .modify = MLX5_CMD_OP_MODIFY_SQ,
		.in_len = SZ(create_sq_in), .out_len = SZ(create_sq_out),
		.query_in = SZ(query_sq_in), .query_out = SZ(query_sq_out),
		.modify_in = SZ(modify_sq_in),
		.needs = NEEDS(KIND_PD) | NEEDS(KIND_CQ) | NEEDS(KIND_TIS),
		.fill = sq_fill, .fill_modify = sq_fill_modify,
		.check = sq_check, .check_modify = sq_check_modify,
	},
	[KIND_RQT] = {
		.name = "rqt", .live = "rqt",
		CMD(CREATE_RQT, DESTROY_RQT),
		.query = MLX5_CMD_OP_QUERY_RQT, .modify = MLX5_CMD_OP_MODIFY_RQT,
		.in_len = SZ(create_rqt_in), .list_len = 8,
		.out_len = SZ(create_rqt_out),
		.query_in = SZ(query_rqt_in), .query_out = SZ(query_rqt_out) + 8,
		.modify_in = SZ(modify_rqt_in) + 4,
		.needs = NEEDS(KIND_RQ),
		.fill = rqt_fill, .fill_modify = rqt_fill_modify,
		.check = rqt_check, .check_modify = rqt_check_modify,
	},
	[KIND_TIR] = {
		.name = "tir", .live = "tir",
		CMD(CREATE_TIR, DESTROY_TIR),
		.query = MLX5_CMD_OP_QUERY_TIR, .modify = MLX5_CMD_OP_MODIFY_TIR,
		.in_len = SZ(create_tir_in), .out_len = SZ(create_tir_out),
		.query_in = SZ(query_tir_in), .query_out = SZ(query_tir_out),
		.modify_in = SZ(modify_tir_in),
		.needs = NEEDS(KIND_RQT) | NEEDS(KIND_TD),
		.fill = tir_fill, .fill_modify = tir_fill_modify,
		.check = tir_check, .check_modify = tir_check_modify,
	},
	[KIND_TIS] = {
		.name = "tis", .live = "tis",
		CMD(CREATE_TIS, DESTROY_TIS),
		.query = MLX5_CMD_OP_QUERY_TIS, .modify = MLX5_CMD_OP_MODIFY_TIS,
		.in_len = SZ(create_tis_in), .out_len = SZ(create_tis_out),
		.query_in = SZ(query_tis_in), .query_out = SZ(query_tis_out),
		.modify_in = SZ(modify_tis_in),
		.needs = NEEDS(KIND_TD),
		.fill = tis_fill, .fill_modify = tis_fill_modify,
		.check = tis_check, .check_modify = tis_check_modify,
	},
	[KIND_SRQ] = {
		.name = "srq", .live = "srq",
		CMD(CREATE_SRQ, DESTROY_SRQ),
		.query = MLX5_CMD_OP_QUERY_SRQ,
		.in_len = SZ(create_srq_in), .list_len = 8,
		.out_len = SZ(create_srq_out),
		.query_in = SZ(query_srq_in), .query_out = SZ(query_srq_out),
		.needs = NEEDS(KIND_PD) | NEEDS(KIND_CQ) | NEEDS(KIND_XRCD),
		.fill = srq_fill, .has = srq_has, .check = srq_check,
	},
	[KIND_XRC_SRQ] = {
		.name = "xrc_srq", .live = "xrc_srq",
		CMD(CREATE_XRC_SRQ, DESTROY_XRC_SRQ),
		.query = MLX5_CMD_OP_QUERY_XRC_SRQ,
		.modify = MLX5_CMD_OP_ARM_XRC_SRQ,
		.in_len = SZ(create_xrc_srq_in),
		.out_len = SZ(create_xrc_srq_out),
		.query_in = SZ(query_xrc_srq_in),
		.query_out = SZ(query_xrc_srq_out),
		.modify_in = SZ(arm_xrc_srq_in),
		.needs = NEEDS(KIND_PD) | NEEDS(KIND_CQ) | NEEDS(KIND_XRCD),
		.fill = xrc_srq_fill, .fill_modify = xrc_srq_fill_modify,
		.has = xrcd_has, .check = xrc_srq_check,
	},
	[KIND_XRQ] = {
		.name = "xrq", .live = "xrq",
		CMD(CREATE_XRQ, DESTROY_XRQ),
		.query = MLX5_CMD_OP_QUERY_XRQ, .modify = MLX5_CMD_OP_ARM_XRQ,
		.in_len = SZ(create_xrq_in), .out_len = SZ(create_xrq_out),
		.query_in = SZ(query_xrq_in), .query_out = SZ(query_xrq_out),
		.modify_in = SZ(arm_xrq_in),
		.needs = NEEDS(KIND_PD) | NEEDS(KIND_CQ),
		.fill = xrq_fill, .fill_modify = xrq_fill_modify,
		.has = xrq_has, .check = xrq_check,
	},
	[KIND_DCT] = {
		.name = "dct", .live = "dct",
		CMD(CREATE_DCT, DESTROY_DCT),
		.query = MLX5_CMD_OP_QUERY_DCT,
		.modify = MLX5_CMD_OP_ARM_DCT_FOR_KEY_VIOLATION,
		.in_len = SZ(create_dct_in), .out_len = SZ(create_dct_out),
		.query_in = SZ(query_dct_in), .query_out = SZ(query_dct_out),
		.modify_in = SZ(arm_dct_in),
		.needs = NEEDS(KIND_PD) | NEEDS(KIND_CQ) | NEEDS(KIND_RMP),
		.fill = dct_fill, .has = dct_has, .check = dct_check,
	},
	[KIND_Q_COUNTER] = {
		.name = "q_counter", .live = "q_counter",
		CMD(ALLOC_Q_COUNTER, DEALLOC_Q_COUNTER),
		.query = MLX5_CMD_OP_QUERY_Q_COUNTER,
		.in_len = SZ(alloc_q_counter_in),
		.out_len = SZ(alloc_q_counter_out),
		.query_in = SZ(query_q_counter_in),
		.query_out = SZ(query_q_counter_out),
		.fill_query = q_counter_fill_query, .has = q_counter_has,
	},
	[KIND_FLOW_TABLE] = {
		.name = "flow_table", .live = "flow_table",
		CMD(CREATE_FLOW_TABLE, DESTROY_FLOW_TABLE),
		.query = MLX5_CMD_OP_QUERY_FLOW_TABLE,
		.modify = MLX5_CMD_OP_MODIFY_FLOW_TABLE,
		.in_len = SZ(create_flow_table_in),
		.out_len = SZ(create_flow_table_out),
		.query_in = SZ(query_flow_table_in),
		.query_out = SZ(query_flow_table_out),
		.modify_in = SZ(modify_flow_table_in),
		.fill = flow_table_fill, .fill_query = flow_table_fill_query,
		.fill_modify = flow_table_fill_modify,
		.has = flow_table_has, .check = flow_table_check,
	},
	[KIND_FLOW_GROUP] = {
		.name = "flow_group", .live = "flow_group",
		CMD(CREATE_FLOW_GROUP, DESTROY_FLOW_GROUP),
		.query = MLX5_CMD_OP_QUERY_FLOW_GROUP,
		.in_len = SZ(create_flow_group_in),
		.out_len = SZ(create_flow_group_out),
		.query_in = SZ(query_flow_group_in),
		.query_out = SZ(query_flow_group_out),
		.needs = NEEDS(KIND_FLOW_TABLE),
		.fill = flow_group_fill, .fill_query = flow_group_fill_query,
		.check = flow_group_check,
	},
	[KIND_FTE] = {
		.name = "fte", .live = "fte",
		CMD(SET_FLOW_TABLE_ENTRY, DELETE_FLOW_TABLE_ENTRY),
		.query = MLX5_CMD_OP_QUERY_FLOW_TABLE_ENTRY,
		.modify = MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY,
		.in_len = SZ(set_fte_in), .list_len = 16,
		.out_len = SZ(set_fte_out),
		.query_in = SZ(query_fte_in), .query_out = SZ(query_fte_out) + 16,
		.modify_in = SZ(set_fte_in) + 16,
		.needs = NEEDS(KIND_FLOW_GROUP) | NEEDS(KIND_FLOW_COUNTER) |
			 NEEDS(KIND_TIR),
		.fill = fte_fill, .fill_query = fte_fill_query,
		.fill_modify = fte_fill_modify, .num = fte_num,
		.check = fte_check, .check_modify = fte_check_modify,
	},
	[KIND_FLOW_COUNTER] = {
		.name = "flow_counter", .live = "flow_counter",
		CMD(ALLOC_FLOW_COUNTER, DEALLOC_FLOW_COUNTER),
		.query = MLX5_CMD_OP_QUERY_FLOW_COUNTER,
		.in_len = SZ(alloc_flow_counter_in),
		.out_len = SZ(alloc_flow_counter_out),
		.query_in = SZ(query_flow_counter_in),
		.query_out = SZ(query_flow_counter_out) + 16,
		.fill_query = flow_counter_fill_query, .num = flow_counter_num,
		.has = flow_counter_has,
	},
	[KIND_FLOW_COUNTERS] = {
		.name = "flow_counters", .live = "flow_counter",
		CMD(ALLOC_FLOW_COUNTER, DEALLOC_FLOW_COUNTER),
		.query = MLX5_CMD_OP_QUERY_FLOW_COUNTER,
		.in_len = SZ(alloc_flow_counter_in),
		.out_len = SZ(alloc_flow_counter_out),
		.query_in = SZ(query_flow_counter_in),
		.query_out = SZ(query_flow_counter_out) + 16 * 128,
		.fill = flow_counters_fill,
		.fill_query = flow_counters_fill_query, .num = flow_counter_num,
		.has = flow_counters_has,
	},
	[KIND_REFORMAT] = {
		.name = "reformat", .live = "reformat",
		CMD(ALLOC_PACKET_REFORMAT_CONTEXT,
		    DEALLOC_PACKET_REFORMAT_CONTEXT),
		.query = MLX5_CMD_OP_QUERY_PACKET_REFORMAT_CONTEXT,
		.in_len = SZ(alloc_packet_reformat_context_in), .list_len = 48,
		.out_len = SZ(alloc_packet_reformat_context_out),
		.query_in = SZ(query_packet_reformat_context_in),
		.query_out = 128,
		.fill = reformat_fill, .num = flow_counter_num,
		.has = reformat_has,
	},
	[KIND_MODIFY_HEADER] = {
		.name = "modify_header", .live = "modify_header",
		CMD(ALLOC_MODIFY_HEADER_CONTEXT, DEALLOC_MODIFY_HEADER_CONTEXT),
		.query = MLX5_CMD_OP_QUERY_MODIFY_HEADER_CONTEXT,
		.in_len = SZ(alloc_modify_header_context_in), .list_len = 8,
		.out_len = SZ(alloc_modify_header_context_out),
		.query_in = SZ(query_modify_header_context_in),
		.query_out = 128,
		.fill = modify_header_fill, .num = flow_counter_num,
		.has = modify_header_has,
	},
	[KIND_SCHED] = {
		.name = "sched", .live = "sched",
		CMD(CREATE_SCHEDULING_ELEMENT, DESTROY_SCHEDULING_ELEMENT),
		.query = MLX5_CMD_OP_QUERY_SCHEDULING_ELEMENT,
		.modify = MLX5_CMD_OP_MODIFY_SCHEDULING_ELEMENT,
		.in_len = SZ(create_scheduling_element_in),
		.out_len = SZ(create_scheduling_element_out),
		.query_in = SZ(query_scheduling_element_in),
		.query_out = SZ(query_scheduling_element_out),
		.modify_in = SZ(modify_scheduling_element_in),
		.fill = sched_fill, .fill_query = sched_fill_query,
		.fill_modify = sched_fill_modify, .num = sched_num,
		.has = sched_has,
	},
	[KIND_VXLAN] = {
		.name = "vxlan", .live = "vxlan",
		CMD(ADD_VXLAN_UDP_DPORT, DELETE_VXLAN_UDP_DPORT),
		.modify = MLX5_CMD_OP_ADD_VXLAN_UDP_DPORT,
		.in_len = SZ(add_vxlan_udp_dport_in),
		.out_len = SZ(add_vxlan_udp_dport_out),
		.modify_in = SZ(add_vxlan_udp_dport_in),
		.fill = vxlan_fill, .fill_modify = vxlan_fill,
		.num = vxlan_num, .has = vxlan_has,
	},
	[KIND_L2] = {
		.name = "l2_entry", .live = "l2_entry",
		CMD(SET_L2_TABLE_ENTRY, DELETE_L2_TABLE_ENTRY),
		.query = MLX5_CMD_OP_QUERY_L2_TABLE_ENTRY,
		.modify = MLX5_CMD_OP_SET_L2_TABLE_ENTRY,
		.in_len = SZ(set_l2_table_entry_in),
		.out_len = SZ(set_l2_table_entry_out),
		.query_in = SZ(query_l2_table_entry_in),
		.query_out = SZ(query_l2_table_entry_out),
		.modify_in = SZ(set_l2_table_entry_in),
		.fill = l2_fill, .fill_query = l2_fill_query,
		.fill_modify = l2_fill_modify, .num = l2_num, .has = l2_has,
	},
	[KIND_GENERAL] = {
		.name = "general", .live = "general",
		CMD(CREATE_GENERAL_OBJECT, DESTROY_GENERAL_OBJECT),
		.query = MLX5_CMD_OP_QUERY_GENERAL_OBJECT,
		.modify = MLX5_CMD_OP_MODIFY_GENERAL_OBJECT,
		.in_len = SZ(general_obj_in_cmd_hdr),
		.list_len = SZ(match_definer),
		.out_len = SZ(general_obj_out_cmd_hdr),
		.query_in = SZ(general_obj_in_cmd_hdr),
		.query_out = SZ(general_obj_out_cmd_hdr) + SZ(match_definer),
		.modify_in = SZ(create_match_definer_in),
		.fill = general_fill, .fill_query = general_fill_query,
		.fill_modify = general_fill_modify, .num = flow_counter_num,
		.has = general_has, .check = general_check,
	},
};

static struct world shared;

static int world_resources(struct world *w)
{
	if (shared.uar) {
		w->mem = shared.mem;
		w->umem = shared.umem;
		w->uar = shared.uar;
		w->eqn = shared.eqn;
		w->cap_seen = shared.cap_seen;
		memcpy(w->cap, shared.cap, sizeof(w->cap));
		return 0;
	}
	w->mem = mmap(NULL, MEM_LEN, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (w->mem == MAP_FAILED)
		return ENOMEM;
	w->umem = mlx5dv_devx_umem_reg(w->mdx.ctx, w->mem, MEM_LEN,
				       IBV_ACCESS_LOCAL_WRITE);
	if (!w->umem)
		return errno;
	w->uar = mlx5dv_devx_alloc_uar(w->mdx.ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	if (!w->uar)
		return errno;
	return mlx5dv_devx_query_eqn(w->mdx.ctx, 0, &w->eqn);
}

int world_start(struct world *w)
{
	int ret;

	w->hca = hca_open();
	if (hca_expected() && !w->hca)
		return EIO;
	ret = mdx_start(&w->mdx);
	if (ret)
		return ret;
	ret = world_resources(w);
	if (ret)
		fprintf(stderr, "# umem, UAR or EQN: %s\n", strerror(ret));
	return ret;
}

void world_stop(struct world *w)
{
	if (w->hca)
		hca_cmd(w->hca, "reset-script");
	if (w->mdx.fd > 0)
		close(w->mdx.fd);
	w->mdx.fd = -1;
	if (w->umem && w->umem != shared.umem)
		mlx5dv_devx_umem_dereg(w->umem);
	if (w->uar && w->uar != shared.uar)
		mlx5dv_devx_free_uar(w->uar);
	mdx_stop(&w->mdx);
	hca_close(w->hca);
	memset(w, 0, sizeof(*w));
}

void world_share(void)
{
	static struct world w;
	int page;

	mdx_share();
	if (!mdx_ibv_device() || access(MDX_NODE, F_OK) || world_start(&w))
		return;
	for (page = 0; page < CAP_COUNT; page++)
		world_cap(&w, page);
	close(w.mdx.fd);
	hca_close(w.hca);
	shared = w;
}

const void *world_cap(struct world *w, enum cap_page page)
{
	static const uint8_t type[CAP_COUNT] = {
		[CAP_GENERAL] = 0, [CAP_ETH] = 1, [CAP_FLOW] = 7,
	};
	uint64_t in[PRM_HDR_LEN / 8];
	uint64_t out[(PRM_HDR_LEN + CAP_LEN) / 8];
	struct mbox m = {
		.in = in, .out = out,
		.in_len = sizeof(in), .out_len = sizeof(out),
	};

	if (!(w->cap_seen & 1U << page)) {
		mdx_hdr(in, MLX5_CMD_OP_QUERY_HCA_CAP, type[page] << 1 | 1, 0);
		if (!_test_mdx_general(w->mdx.fd, &m))
			memcpy(w->cap[page], out + PRM_HDR_LEN / 8, CAP_LEN);
		w->cap_seen |= 1U << page;
	}
	return w->cap[page];
}

uint32_t world_num(struct world *w, enum kind_id k)
{
	return w->obj[k].num;
}

bool kind_there(struct world *w, enum kind_id k)
{
	int i;

	if (kinds[k].has && !kinds[k].has(w))
		return false;
	for (i = 0; i < KIND_COUNT; i++)
		if (kinds[k].needs & NEEDS(i) && !kind_there(w, i))
			return false;
	return true;
}

int64_t kind_live_num(struct world *w, enum kind_id k)
{
	if (k == KIND_MCG || k == KIND_L2)
		return -1;
	return w->obj[k].num;
}

static void build(struct world *w, uint16_t opcode, uint32_t num,
		  uint32_t in_len, uint32_t out_len)
{
	memset(w->in, 0, sizeof(w->in));
	memset(w->out, 0, sizeof(w->out));
	mdx_hdr(w->in, opcode, 0, num);
	w->m = (struct mbox){
		.in = w->in, .out = w->out,
		.in_len = in_len, .out_len = out_len,
	};
}

void kind_build_create(struct world *w, enum kind_id k)
{
	const struct kind *kind = &kinds[k];

	build(w, kind->create, 0, kind->in_len + kind->list_len, kind->out_len);
	if (kind->fill)
		kind->fill(w, w->in);
}

void kind_build_query(struct world *w, enum kind_id k)
{
	const struct kind *kind = &kinds[k];

	build(w, kind->query, kind->fill_query ? 0 : w->obj[k].num,
	      kind->query_in, kind->query_out);
	if (kind->fill_query)
		kind->fill_query(w, w->in);
}

void kind_build_modify(struct world *w, enum kind_id k)
{
	const struct kind *kind = &kinds[k];

	build(w, kind->modify, kind->num ? 0 : w->obj[k].num, kind->modify_in,
	      PRM_HDR_LEN);
	if (kind->fill_modify)
		kind->fill_modify(w, w->in);
}

int kind_needs(struct world *w, enum kind_id k)
{
	int i, ret;

	for (i = 0; i < KIND_COUNT; i++) {
		if (!(kinds[k].needs & NEEDS(i)))
			continue;
		ret = kind_create(w, i);
		if (ret)
			return ret;
	}
	return 0;
}

int kind_create_more(struct world *w, enum kind_id k, struct obj *obj)
{
	const struct kind *kind = &kinds[k];
	int ret = kind_needs(w, k);

	if (ret)
		return ret;
	kind_build_create(w, k);
	ret = _test_mdx_create(w->mdx.fd, &w->m, &obj->id);
	if (ret) {
		fprintf(stderr, "# create %s: %s, status 0x%x syndrome 0x%x\n",
			kind->name, strerror(ret), prm_get32(w->out, 0) >> 24,
			prm_get32(w->out, 4));
		return ret;
	}
	if (kind->num)
		obj->num = kind->num(w->in, w->out);
	else
		obj->num = prm_get32(w->out, PRM_HDR_ID) & 0xffffff;
	return 0;
}

int kind_create(struct world *w, enum kind_id k)
{
	if (w->obj[k].id)
		return 0;
	return kind_create_more(w, k, &w->obj[k]);
}

int kind_destroy(struct world *w, enum kind_id k)
{
	int ret = _test_mdx_destroy(w->mdx.fd, w->obj[k].id);

	if (!ret)
		memset(&w->obj[k], 0, sizeof(w->obj[k]));
	return ret;
}
