/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The commands' handlers: what the table names.
 */
#ifndef HCA_FW_CMDS_H
#define HCA_FW_CMDS_H

#include "fw_int.h"

/* fw.c */
int fw_ok(struct fw_call *c);
int fw_destroy(struct fw_call *c);
int fw_query(struct fw_call *c);
int fw_create(struct fw_call *c);

/* caps.c */
int fw_query_hca_cap(struct fw_call *c);
int fw_set_hca_cap(struct fw_call *c);

/* fw_cq.c */
int fw_create_eq(struct fw_call *c);
int fw_query_eq(struct fw_call *c);
int fw_gen_eqe(struct fw_call *c);
int fw_create_cq(struct fw_call *c);
int fw_modify_cq(struct fw_call *c);

/* fw_esw.c */
int fw_query_esw_functions(struct fw_call *c);
int fw_query_esw_vport(struct fw_call *c);
int fw_modify_esw_vport(struct fw_call *c);

/* fw_flow.c */
int fw_set_ft_root(struct fw_call *c);
int fw_create_ft(struct fw_call *c);
int fw_destroy_ft(struct fw_call *c);
int fw_query_ft(struct fw_call *c);
int fw_create_fg(struct fw_call *c);
int fw_destroy_fg(struct fw_call *c);
int fw_query_fg(struct fw_call *c);
int fw_modify_ft(struct fw_call *c);

/* fw_fte.c */
int fw_set_fte(struct fw_call *c);
int fw_query_fte(struct fw_call *c);
int fw_delete_fte(struct fw_call *c);
int fw_alloc_counter(struct fw_call *c);
int fw_query_counter(struct fw_call *c);
int fw_alloc_reformat(struct fw_call *c);
int fw_query_reformat(struct fw_call *c);
int fw_alloc_modify_header(struct fw_call *c);
int fw_query_modify_header(struct fw_call *c);

/* fw_hca.c */
int fw_query_adapter(struct fw_call *c);
int fw_init_hca(struct fw_call *c);
int fw_teardown_hca(struct fw_call *c);
int fw_enable_hca(struct fw_call *c);
int fw_disable_hca(struct fw_call *c);
int fw_query_pages(struct fw_call *c);
int fw_manage_pages(struct fw_call *c);
int fw_query_issi(struct fw_call *c);
int fw_set_issi(struct fw_call *c);

/* fw_mem.c */
int fw_create_uctx(struct fw_call *c);
int fw_destroy_uctx(struct fw_call *c);
int fw_create_umem(struct fw_call *c);

/* fw_misc.c */
int fw_attach_mcg(struct fw_call *c);
int fw_detach_mcg(struct fw_call *c);
int fw_query_q_counter(struct fw_call *c);
int fw_set_pp_rate(struct fw_call *c);
int fw_create_sched(struct fw_call *c);
int fw_destroy_sched(struct fw_call *c);
int fw_query_sched(struct fw_call *c);
int fw_modify_sched(struct fw_call *c);
int fw_add_vxlan(struct fw_call *c);
int fw_set_l2(struct fw_call *c);
int fw_query_l2(struct fw_call *c);
int fw_delete_l2(struct fw_call *c);
int fw_create_general(struct fw_call *c);
int fw_modify_general(struct fw_call *c);
int fw_query_general(struct fw_call *c);
int fw_destroy_general(struct fw_call *c);

/* fw_mr.c */
int fw_query_special(struct fw_call *c);
int fw_create_mkey(struct fw_call *c);
int fw_query_mkey(struct fw_call *c);
int fw_create_psv(struct fw_call *c);

/* fw_port.c */
int fw_access_reg(struct fw_call *c);
int fw_query_roce_address(struct fw_call *c);
int fw_set_roce_address(struct fw_call *c);
int fw_query_cong_status(struct fw_call *c);
int fw_modify_cong_status(struct fw_call *c);
int fw_query_cong_params(struct fw_call *c);
int fw_modify_cong_params(struct fw_call *c);

/* fw_qp.c */
int fw_move_qp(struct fw_call *c);
int fw_create_qp(struct fw_call *c);
int fw_create_dct(struct fw_call *c);
int fw_destroy_dct(struct fw_call *c);
int fw_drain_dct(struct fw_call *c);

/* fw_rqsq.c */
int fw_create_tir(struct fw_call *c);
int fw_modify_tir(struct fw_call *c);
int fw_create_sq(struct fw_call *c);
int fw_modify_sq(struct fw_call *c);
int fw_create_rq(struct fw_call *c);
int fw_modify_rq(struct fw_call *c);
int fw_create_tis(struct fw_call *c);
int fw_modify_tis(struct fw_call *c);
int fw_create_rqt(struct fw_call *c);
int fw_modify_rqt(struct fw_call *c);

/* fw_srq.c */
int fw_create_srq(struct fw_call *c);
int fw_arm_rq(struct fw_call *c);
int fw_create_xrc_srq(struct fw_call *c);
int fw_arm_xrc_srq(struct fw_call *c);
int fw_create_xrq(struct fw_call *c);
int fw_arm_xrq(struct fw_call *c);
int fw_create_rmp(struct fw_call *c);
int fw_modify_rmp(struct fw_call *c);

/* fw_vport.c */
int fw_query_vport_state(struct fw_call *c);
int fw_modify_vport_state(struct fw_call *c);
int fw_query_nic_vport(struct fw_call *c);
int fw_modify_nic_vport(struct fw_call *c);
int fw_query_hca_vport(struct fw_call *c);
int fw_modify_hca_vport(struct fw_call *c);
int fw_query_hca_gid(struct fw_call *c);
int fw_query_hca_pkey(struct fw_call *c);
int fw_vport_zero(struct fw_call *c);

#endif /* HCA_FW_CMDS_H */
