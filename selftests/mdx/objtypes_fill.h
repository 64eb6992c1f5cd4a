/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The functions of objtypes_key.c, objtypes_queue.c and objtypes_flow.c, for the
 * table of object types. NAME_fill() fills a create whose header is there,
 * NAME_fill_query() and NAME_fill_modify() a command whose number is there as well.
 * NAME_has() asks the capabilities. NAME_check() and NAME_check_modify() compare
 * the answer of a query.
 */
#ifndef MDX_TEST_OBJTYPES_FILL_H
#define MDX_TEST_OBJTYPES_FILL_H

#include "world.h"

void psv_fill(struct mdx_world *w, void *in);
bool psv_has(struct mdx_world *w);

void mkey_fill(struct mdx_world *w, void *in);

void klm_fill(struct mdx_world *w, void *in);

bool mkey_check(struct mdx_world *w, const void *out);

bool xrcd_has(struct mdx_world *w);

void cq_fill(struct mdx_world *w, void *in);
void cq_fill_modify(struct mdx_world *w, void *in);
bool cq_check(struct mdx_world *w, const void *out);
bool cq_check_modify(struct mdx_world *w, const void *out);

void qp_fill(struct mdx_world *w, void *in);
void qp_fill_modify(struct mdx_world *w, void *in);
bool qp_check(struct mdx_world *w, const void *out);
bool qp_check_modify(struct mdx_world *w, const void *out);

void mcg_fill(struct mdx_world *w, void *in);
bool mcg_has(struct mdx_world *w);

void rmp_fill(struct mdx_world *w, void *in);
void rmp_fill_modify(struct mdx_world *w, void *in);
bool rmp_check(struct mdx_world *w, const void *out);
bool rmp_check_modify(struct mdx_world *w, const void *out);

void rq_fill(struct mdx_world *w, void *in);
void rq_fill_modify(struct mdx_world *w, void *in);
bool rq_check(struct mdx_world *w, const void *out);
bool rq_check_modify(struct mdx_world *w, const void *out);

void sq_fill(struct mdx_world *w, void *in);
void sq_fill_modify(struct mdx_world *w, void *in);
bool sq_check(struct mdx_world *w, const void *out);
bool sq_check_modify(struct mdx_world *w, const void *out);

void rqt_fill(struct mdx_world *w, void *in);
void rqt_fill_modify(struct mdx_world *w, void *in);
bool rqt_check(struct mdx_world *w, const void *out);
bool rqt_check_modify(struct mdx_world *w, const void *out);

void tir_fill(struct mdx_world *w, void *in);
void tir_fill_modify(struct mdx_world *w, void *in);
bool tir_check(struct mdx_world *w, const void *out);
bool tir_check_modify(struct mdx_world *w, const void *out);

void tis_fill(struct mdx_world *w, void *in);
void tis_fill_modify(struct mdx_world *w, void *in);
bool tis_check(struct mdx_world *w, const void *out);
bool tis_check_modify(struct mdx_world *w, const void *out);

void srq_fill(struct mdx_world *w, void *in);
bool srq_has(struct mdx_world *w);
bool srq_check(struct mdx_world *w, const void *out);

void xrc_srq_fill(struct mdx_world *w, void *in);
void xrc_srq_fill_modify(struct mdx_world *w, void *in);
bool xrc_srq_check(struct mdx_world *w, const void *out);

void xrq_fill(struct mdx_world *w, void *in);
void xrq_fill_modify(struct mdx_world *w, void *in);
bool xrq_has(struct mdx_world *w);
bool xrq_check(struct mdx_world *w, const void *out);

void dct_fill(struct mdx_world *w, void *in);
bool dct_has(struct mdx_world *w);
bool dct_check(struct mdx_world *w, const void *out);

bool q_counter_has(struct mdx_world *w);

void flow_table_fill(struct mdx_world *w, void *in);
void flow_table_fill_modify(struct mdx_world *w, void *in);
bool flow_table_has(struct mdx_world *w);
bool flow_table_check(struct mdx_world *w, const void *out);

void flow_group_fill(struct mdx_world *w, void *in);
void flow_group_fill_query(struct mdx_world *w, void *in);
bool flow_group_check(struct mdx_world *w, const void *out);

void fte_fill(struct mdx_world *w, void *in);
void fte_fill_query(struct mdx_world *w, void *in);
void fte_fill_modify(struct mdx_world *w, void *in);
bool fte_check(struct mdx_world *w, const void *out);
bool fte_check_modify(struct mdx_world *w, const void *out);

void flow_counter_fill_query(struct mdx_world *w, void *in);
bool flow_counter_has(struct mdx_world *w);

void flow_counters_fill(struct mdx_world *w, void *in);
void flow_counters_fill_query(struct mdx_world *w, void *in);
bool flow_counters_has(struct mdx_world *w);

void reformat_fill(struct mdx_world *w, void *in);
bool reformat_has(struct mdx_world *w);

void modify_header_fill(struct mdx_world *w, void *in);
bool modify_header_has(struct mdx_world *w);

void sched_fill(struct mdx_world *w, void *in);
void sched_fill_query(struct mdx_world *w, void *in);
void sched_fill_modify(struct mdx_world *w, void *in);
bool sched_has(struct mdx_world *w);

void vxlan_fill(struct mdx_world *w, void *in);
bool vxlan_has(struct mdx_world *w);

void l2_fill(struct mdx_world *w, void *in);
void l2_fill_modify(struct mdx_world *w, void *in);
bool l2_has(struct mdx_world *w);

void general_fill_query(struct mdx_world *w, void *in);
void general_fill(struct mdx_world *w, void *in);
void general_fill_modify(struct mdx_world *w, void *in);
bool general_has(struct mdx_world *w);
bool general_check(struct mdx_world *w, const void *out);

#endif /* MDX_TEST_OBJTYPES_FILL_H */
