// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queue pairs: references, state machine, and the fields that transitions set.
 */
#include <stdlib.h>

#include "fw_mem.h"
#include "fw_modify.h"
#include "fw_qp.h"
#include "fw_ref.h"
#include "fw_uar.h"

#define QPC_AT PRM_BYTE(create_qp_in, qpc)
#define QP(f, always, opt) \
	{ PRM_BIT(qpc, f), PRM_WIDTH(qpc, f), always, opt }
#define PATH(f, always, opt) QP(primary_address_path.f, always, opt)

enum { RQ_REGULAR, RQ_SRQ, RQ_RMP, RQ_NONE };

/* Transitions as bits: a field is always set in those of its mask. */
enum { T_INIT = 1, T_RTR = 2, T_RTS = 4 };

struct qp_transition {
	u16 opcode;
	u8 from; /* mask of states */
	u8 to;
	u8 always; /* T_ bit */
};

static const struct qp_transition transitions[] = {
	{ MLX5_CMD_OP_RST2INIT_QP, BIT(QP_RST), QP_INIT, T_INIT },
	{ MLX5_CMD_OP_INIT2RTR_QP, BIT(QP_INIT), QP_RTR, T_RTR },
	{ MLX5_CMD_OP_RTR2RTS_QP, BIT(QP_RTR), QP_RTS, T_RTS },
	{ MLX5_CMD_OP_RTS2RTS_QP, BIT(QP_RTS), QP_RTS, 0 },
	{ MLX5_CMD_OP_SQERR2RTS_QP, BIT(QP_SQER), QP_RTS, 0 },
	{ MLX5_CMD_OP_2ERR_QP, 0x7f, QP_ERR, 0 },
	{ MLX5_CMD_OP_2RST_QP, 0x7f, QP_RST, 0 },
	{ MLX5_CMD_OP_SQD_RTS_QP, BIT(QP_SQD), QP_RTS, 0 },
	{ MLX5_CMD_OP_INIT2INIT_QP, BIT(QP_INIT), QP_INIT, 0 },
};

/*
 * Fields that transitions set: always in those of the mask @always, in others
 * if the bit of opt_param_mask is set. @always follows what drivers send
 * without a bit; the lists of a device are not public.
 */
static const struct {
	u16 bit;
	u16 width;
	u8 always;
	u32 opt;
} qp_fields[] = {
	QP(pm_state, T_INIT | T_RTR, BIT(10)),
	QP(rre, T_INIT, BIT(1)),
	QP(rae, T_INIT, BIT(2)),
	QP(rwe, T_INIT, BIT(3)),
	QP(q_key, T_INIT, BIT(5)),
	QP(lag_tx_port_affinity, T_INIT, BIT(15)),
	QP(counter_set_id, T_INIT, BIT(25)),
	QP(dc_access_key, T_INIT | T_RTR, BIT(21)),
	QP(deth_sqpn, T_INIT, 0),
	{ PRM_QPC_PACING_INDEX, 16, T_INIT, BIT(22) },
	PATH(pkey_index, T_INIT, BIT(4)),
	PATH(vhca_port_num, T_INIT, BIT(16)),
	QP(primary_address_path, T_RTR, BIT(7)),
	QP(secondary_address_path, 0, BIT(0)),
	QP(mtu, T_RTR, 0),
	QP(log_msg_max, T_RTR, 0),
	QP(remote_qpn, T_RTR, 0),
	QP(next_rcv_psn, T_RTR, 0),
	QP(log_rra_max, T_RTR, BIT(9)),
	QP(min_rnr_nak, T_RTR, BIT(6)),
	QP(atomic_mode, T_INIT | T_RTR, BIT(2)),
	QP(log_ack_req_freq, T_RTS, 0),
	QP(log_sra_max, T_RTS, BIT(8)),
	QP(retry_count, T_RTS, BIT(12)),
	QP(rnr_retry, T_RTS, BIT(13)),
	QP(next_send_psn, T_RTS, 0),
	PATH(ack_timeout, T_RTS, BIT(14)),
	QP(cqn_rcv, 0, BIT(19)),
	QP(srqn_rmpn_xrqn, 0, BIT(18)),
};

static u64 rq_size(const u8 *qpc)
{
	if (PRM_GET(qpc, qpc, rq_type) != RQ_REGULAR)
		return 0;
	return 16ULL << (PRM_GET(qpc, qpc, log_rq_size) +
			 PRM_GET(qpc, qpc, log_rq_stride));
}

static u64 sq_size(const u8 *qpc)
{
	if (PRM_GET(qpc, qpc, no_sq))
		return 0;
	return 64ULL << PRM_GET(qpc, qpc, log_sq_size);
}

static bool st_known(unsigned int st)
{
	return st <= ST_DCI || (st >= ST_QP0 && st <= ST_RAW_ETH) ||
	       st == ST_REG_UMR;
}

static int qp_ref_objs(struct fw_call *c, const u8 *qpc)
{
	int ret = fw_ref_pd(c, PRM_GET(qpc, qpc, pd));

	if (!ret)
		ret = fw_ref_cq(c, PRM_GET(qpc, qpc, cqn_snd));
	if (!ret)
		ret = fw_ref_cq(c, PRM_GET(qpc, qpc, cqn_rcv));
	if (!ret && (PRM_GET(qpc, qpc, rq_type) == RQ_SRQ ||
		     PRM_GET(qpc, qpc, rq_type) == RQ_RMP))
		ret = fw_ref_srq(c, PRM_GET(qpc, qpc, srqn_rmpn_xrqn));
	/* Drivers fill in the field for all transports, so only XRC counts. */
	if (!ret && PRM_GET(qpc, qpc, st) == ST_XRC)
		ret = fw_ref(c, OBJ_XRCD, PRM_GET(qpc, qpc, xrcd));
	if (!ret)
		ret = fw_check_uar(c, PRM_GET(qpc, qpc, uar_page));
	if (!ret)
		ret = fw_check_counter(c, PRM_GET(qpc, qpc, counter_set_id));
	return ret;
}

static int qp_refs(struct fw_call *c)
{
	const u8 *qpc = c->in + QPC_AT;
	struct fw_layout layout = {
		.valid = PRM_GET(create_qp_in, c->in, wq_umem_valid),
		.umem = prm_get(c->in, PRM_CREATE_QP_UMEM_ID, 32),
		.off = prm_get(c->in, PRM_CREATE_QP_UMEM_OFFSET, 64),
		.size = rq_size(qpc) + sq_size(qpc),
		.log_page = PRM_GET(qpc, qpc, log_page_size),
		.page_off = PRM_GET(qpc, qpc, page_offset),
		.list = PRM_SZ(create_qp_in),
	};
	int ret;

	if (PRM_GET(qpc, qpc, log_rq_size) > FW_GEN(c->fw, log_max_qp_sz) ||
	    PRM_GET(qpc, qpc, log_sq_size) > FW_GEN(c->fw, log_max_qp_sz))
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | OBJ_QP);
	ret = qp_ref_objs(c, qpc);
	if (!ret && layout.size)
		ret = fw_map_layout(c, &layout);
	if (!ret)
		ret = fw_map_dbr(c, PRM_GET(qpc, qpc, dbr_umem_valid),
				 prm_get(qpc, PRM_QPC_DBR_UMEM_ID, 32),
				 PRM_GET(qpc, qpc, dbr_addr));
	return ret;
}

int fw_create_qp(struct fw_call *c)
{
	const u8 *qpc = c->in + QPC_AT;
	int ret;

	if (!st_known(PRM_GET(qpc, qpc, st)))
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_QP);
	ret = qp_refs(c);
	if (!ret)
		ret = fw_create(c);
	if (!ret)
		PRM_SET(qpc, obj_ctx(c->obj), state, QP_RST);
	return ret;
}

static void qp_merge(u8 *qpc, const u8 *in, u8 always, u32 opt)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(qp_fields); i++)
		if ((qp_fields[i].always & always) || (qp_fields[i].opt & opt))
			fw_field(qpc, in, qp_fields[i].bit, qp_fields[i].width);
}

/* All transitions; 2ERR and 2RST have no context. */
int fw_change_qp(struct fw_call *c)
{
	const struct qp_transition *m = transitions;
	struct hca_obj *qp = c->obj;
	int ret = FW_OK;
	u8 *cand;

	while (m->opcode != c->cmd->opcode)
		m++;
	if (!(m->from & BIT(qp->state)))
		return fw_fail(c, FW_BAD_QP_STATE, SYND_STATE | OBJ_QP);
	if (m->to != QP_ERR && m->to != QP_RST) {
		cand = fw_copy(c);
		if (cand)
			qp_merge(cand + QPC_AT,
				 c->in + PRM_BYTE(rst2init_qp_in, qpc),
				 m->always, PRM_GET(rst2init_qp_in, c->in,
						    opt_param_mask));
		ret = fw_modify(c, cand, qp->in_len, qp_refs);
	}
	if (ret)
		return ret;
	qp->state = m->to;
	PRM_SET(qpc, obj_ctx(qp), state, m->to);
	if (PRM_GET(qpc, obj_ctx(qp), st) == ST_QP1)
		c->fw->qp1 = qp->key;
	if (c->fw->ops->qp_state_changed)
		c->fw->ops->qp_state_changed(c->fw->priv, qp->key,
					     m->to == QP_RST);
	return FW_OK;
}

bool fw_wq_view_qp(const struct hca_obj *obj, struct fw_wq_view *view)
{
	const u8 *qpc = obj_ctx(obj);
	unsigned int rq_type = PRM_GET(qpc, qpc, rq_type);

	*view = (struct fw_wq_view){
		.ready = obj->state == QP_RTS,
		.has_sq = sq_size(qpc),
		.has_rq = rq_size(qpc),
		.wq_signature = PRM_GET(qpc, qpc, wq_signature),
		.rre = PRM_GET(qpc, qpc, rre),
		.rwe = PRM_GET(qpc, qpc, rwe),
		.rae = PRM_GET(qpc, qpc, rae),
		.block_lb_mc = PRM_GET(qpc, qpc, block_lb_mc),
		.state = obj->state,
		.st = PRM_GET(qpc, qpc, st),
		.mtu = 7 + PRM_GET(qpc, qpc, mtu),
		.ack_timeout = PRM_GET(qpc, qpc,
				       primary_address_path.ack_timeout),
		.retry_count = PRM_GET(qpc, qpc, retry_count),
		.rnr_retry = PRM_GET(qpc, qpc, rnr_retry),
		.min_rnr_nak = PRM_GET(qpc, qpc, min_rnr_nak),
		.pd = PRM_GET(qpc, qpc, pd),
		.cqn = PRM_GET(qpc, qpc, cqn_snd),
		.rcv_cqn = PRM_GET(qpc, qpc, cqn_rcv),
		.user_index = PRM_GET(qpc, qpc, user_index),
		.remote_qpn = PRM_GET(qpc, qpc, remote_qpn),
		.q_key = PRM_GET(qpc, qpc, q_key),
		.src_qpn = PRM_GET(qpc, qpc, deth_sqpn),
		.xrcd = PRM_GET(qpc, qpc, xrcd),
		.log_sq_size = PRM_GET(qpc, qpc, log_sq_size),
		.log_rq_size = PRM_GET(qpc, qpc, log_rq_size),
		.log_rq_stride = 4 + PRM_GET(qpc, qpc, log_rq_stride),
		.sq_offset = rq_size(qpc),
		.dbr_addr = obj->mem.dbr,
	};
	if (rq_type == RQ_SRQ || rq_type == RQ_RMP)
		view->srqn = PRM_GET(qpc, qpc, srqn_rmpn_xrqn);
	if (!view->src_qpn)
		view->src_qpn = view->st == ST_QP1 ? 1 : obj->key;
	fw_buf(obj, &view->buf);
	return true;
}
