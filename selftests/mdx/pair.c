// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Two QPs of verbs that are connected to one another. */
#include <endian.h>
#include <time.h>

#include "pair.h"

#define ACCESS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | \
		IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

static struct ibv_qp *create_qp(struct verbs_pair *p,
				enum ibv_qp_type type)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = p->cq,
		.recv_cq = p->cq,
		.srq = p->srq,
		.cap = {
			.max_send_wr = 16,
			.max_recv_wr = 16,
			.max_send_sge = 3,
			.max_recv_sge = 3,
			.max_inline_data = 128,
		},
		.qp_type = type,
		.sq_sig_all = 1,
	};

	return ibv_create_qp(p->pd, &attr);
}

static int to_init(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = PAIR_QKEY,
		.qp_access_flags = ACCESS,
	};
	int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;

	if (qp->qp_type == IBV_QPT_UC)
		attr.qp_access_flags &= ~IBV_ACCESS_REMOTE_READ &
					~IBV_ACCESS_REMOTE_ATOMIC;
	mask |= qp->qp_type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
	return ibv_modify_qp(qp, &attr, mask);
}

static struct ibv_ah_attr path_to(const union ibv_gid *gid)
{
	return (struct ibv_ah_attr){
		.is_global = 1, .port_num = 1,
		.grh = { .dgid = *gid, .hop_limit = 64 },
	};
}

static int to_rtr(struct ibv_qp *qp, uint32_t remote, const union ibv_gid *gid)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
		.dest_qp_num = remote, .max_dest_rd_atomic = 1,
		.min_rnr_timer = 12, .ah_attr = path_to(gid),
	};
	int mask = IBV_QP_STATE;

	if (qp->qp_type != IBV_QPT_UD)
		mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			IBV_QP_RQ_PSN;
	if (qp->qp_type == IBV_QPT_RC)
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	return ibv_modify_qp(qp, &attr, mask);
}

static int to_rts(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7,
		.rnr_retry = 7, .max_rd_atomic = 1,
	};
	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

	if (qp->qp_type == IBV_QPT_RC)
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	return ibv_modify_qp(qp, &attr, mask);
}

static int connect_qps(struct verbs_pair *p)
{
	int ret = 0;
	int i;

	for (i = 0; i < 2 && !ret; i++) {
		ret = to_init(p->qp[i]);
		if (!ret)
			ret = to_rtr(p->qp[i], p->qp[!i]->qp_num,
				     &p->gid);
		if (!ret)
			ret = to_rts(p->qp[i]);
	}
	return ret;
}

static int pair_queues(struct verbs_pair *p, enum ibv_qp_type type, bool srq)
{
	struct ibv_srq_init_attr attr = {
		.attr = { .max_wr = 16, .max_sge = 3 },
	};
	int i;

	if (srq) {
		p->srq = ibv_create_srq(p->pd, &attr);
		if (!p->srq)
			return errno;
	}
	for (i = 0; i < 2; i++) {
		p->qp[i] = create_qp(p, type);
		if (!p->qp[i])
			return errno;
	}
	return connect_qps(p);
}

int pair_start(struct verbs_pair *p, enum ibv_qp_type type, bool srq)
{
	struct ibv_ah_attr attr;
	int i;

	p->ctx = mdx_ctx_open();
	if (!p->ctx || ibv_query_gid(p->ctx, 1, 0, &p->gid))
		return errno;
	p->pd = ibv_alloc_pd(p->ctx);
	p->channel = ibv_create_comp_channel(p->ctx);
	if (!p->pd || !p->channel)
		return errno;
	p->cq = ibv_create_cq(p->ctx, 64, NULL, p->channel, 0);
	p->mr = ibv_reg_mr(p->pd, p->buf, sizeof(p->buf), ACCESS);
	attr = path_to(&p->gid);
	p->ah = ibv_create_ah(p->pd, &attr);
	if (!p->cq || !p->mr || !p->ah)
		return errno;
	for (i = 0; i < (int)sizeof(p->buf[0]); i++)
		p->buf[0][i] = (uint8_t)(i * 7 + i / 256);
	return pair_queues(p, type, srq);
}

int pair_stop(struct verbs_pair *p)
{
	int i, failed = 0;

	for (i = 0; i < 2; i++)
		failed += p->qp[i] && ibv_destroy_qp(p->qp[i]);
	failed += p->ah && ibv_destroy_ah(p->ah);
	failed += p->mr && ibv_dereg_mr(p->mr);
	failed += p->srq && ibv_destroy_srq(p->srq);
	failed += p->cq && ibv_destroy_cq(p->cq);
	failed += p->channel && ibv_destroy_comp_channel(p->channel);
	failed += p->pd && ibv_dealloc_pd(p->pd);
	if (p->ctx)
		ibv_close_device(p->ctx);
	return failed;
}

bool pair_is_ud(const struct verbs_pair *p)
{
	return p->qp[0]->qp_type == IBV_QPT_UD;
}

int pair_recv(struct verbs_pair *p, uint32_t len)
{
	struct ibv_sge sge[2] = {
		{ (uintptr_t)p->buf[1], 50, p->mr->lkey },
		{ (uintptr_t)p->buf[1] + 50, len - 50, p->mr->lkey },
	};
	struct ibv_recv_wr *bad, wr = {
		.wr_id = PAIR_RECV_ID, .sg_list = sge, .num_sge = 2,
	};

	if (p->srq)
		return ibv_post_srq_recv(p->srq, &wr, &bad);
	return ibv_post_recv(p->qp[1], &wr, &bad);
}

int pair_send(struct verbs_pair *p, enum ibv_wr_opcode op, uint32_t len,
	      unsigned int flags)
{
	struct ibv_sge sge[2] = {
		{ (uintptr_t)p->buf[0], len / 3, p->mr->lkey },
		{ (uintptr_t)p->buf[0] + len / 3, len - len / 3,
		  p->mr->lkey },
	};
	struct ibv_send_wr *bad, wr = {
		.wr_id = PAIR_SEND_ID, .sg_list = sge, .num_sge = 2,
		.opcode = op, .send_flags = flags,
		.imm_data = htobe32(PAIR_IMM),
	};

	if (pair_is_ud(p)) {
		wr.wr.ud.ah = p->ah;
		wr.wr.ud.remote_qpn = p->qp[1]->qp_num;
		wr.wr.ud.remote_qkey = PAIR_QKEY;
	} else {
		wr.wr.rdma.remote_addr = (uintptr_t)p->buf[1];
		wr.wr.rdma.rkey = p->mr->rkey;
	}
	return ibv_post_send(p->qp[0], &wr, &bad);
}

bool pair_wait(struct verbs_pair *p, struct ibv_wc *wcs, int count)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int tries = 20000;
	int got = 0;

	while (got < count && tries--) {
		int ret = ibv_poll_cq(p->cq, 1, &wcs[got]);

		if (ret < 0)
			return false;
		got += ret;
		if (!ret)
			nanosleep(&pause, NULL);
	}
	return got == count;
}
