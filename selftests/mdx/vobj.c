// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <dlfcn.h>
#include <stdlib.h>

#include "vobj.h"

#define ENTRIES 16

/* No verbs object is any of these, so a command about one is never right. */
enum {
	HW_MKEY = HW_NONE,
	HW_Q_COUNTER = HW_NONE,
	HW_SCHEDULING_ELEMENT = HW_NONE,
	HW_L2_TABLE_ENTRY = HW_NONE,
	HW_FLOW_TABLE = HW_NONE,
	HW_FLOW_GROUP = HW_NONE,
	HW_FLOW_TABLE_ENTRY = HW_NONE,
	HW_FLOW_COUNTER = HW_NONE,
	HW_PACKET_REFORMAT = HW_NONE,
	HW_MODIFY_HEADER = HW_NONE,
	HW_GENERAL_OBJECT = HW_NONE,
};

const struct vcmd vqueries[] = {
#define OPCODE(number, name)
#define OPCODE_QUERY(number, name, object, in, id)			\
	{ number, SZ(in), (enum hw_type)HW_##object },
#include "opcodes.def"
};

const struct vcmd vmodifies[] = {
#define OPCODE(number, name)
#define OPCODE_MODIFY(number, name, object, in, id)			\
	{ number, SZ(in), (enum hw_type)HW_##object },
#include "opcodes.def"
};

const int vqueries_n = sizeof(vqueries) / sizeof(vqueries[0]);
const int vmodifies_n = sizeof(vmodifies) / sizeof(vmodifies[0]);

static int make_cq(struct vobj *v, struct ibv_context *ctx)
{
	struct mlx5dv_cq dv = {};
	struct mlx5dv_obj obj = {};

	v->cq = ibv_create_cq(ctx, ENTRIES, NULL, NULL, 0);
	if (!v->cq)
		return errno;
	obj.cq.in = v->cq;
	obj.cq.out = &dv;
	if (v->id == VOBJ_CQ && !mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ)) {
		v->obj_type = MDX_VERBS_CQ;
		v->handle = v->cq->handle;
		v->num[HW_CQ] = dv.cqn;
	}
	return 0;
}

static int make_xrcd(struct vobj *v, struct ibv_context *ctx)
{
	struct ibv_xrcd_init_attr attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1,
		.oflags = O_CREAT,
	};

	v->xrcd = ibv_open_xrcd(ctx, &attr);
	return v->xrcd ? 0 : errno;
}

static bool has_tag_matching(struct ibv_context *ctx)
{
	struct ibv_device_attr_ex attr;

	return !ibv_query_device_ex(ctx, NULL, &attr) &&
	       attr.tm_caps.max_num_tags;
}

static int make_srq(struct vobj *v, struct ibv_context *ctx, struct ibv_pd *pd,
		    enum ibv_srq_type type, enum hw_type hw_type)
{
	struct ibv_srq_init_attr_ex attr = {
		.attr = { .max_wr = ENTRIES, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = type,
		.pd = pd,
		.xrcd = v->xrcd,
		.cq = v->cq,
	};
	struct mlx5dv_srq dv = { .comp_mask = MLX5DV_SRQ_MASK_SRQN };
	struct mlx5dv_obj obj = {};

	if (type == IBV_SRQT_XRC)
		attr.comp_mask |= IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
	v->srq = ibv_create_srq_ex(ctx, &attr);
	if (!v->srq)
		return errno;
	obj.srq.in = v->srq;
	obj.srq.out = &dv;
	if (hw_type == HW_NONE)
		return 0;
	if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_SRQ))
		return EINVAL;
	v->obj_type = MDX_VERBS_SRQ;
	v->handle = v->srq->handle;
	v->num[hw_type] = dv.srqn;
	return 0;
}

/*
 * libmlx5 makes an SRQ with tag matching together with a QP to itself, which it
 * cannot connect over Ethernet. libibverbs' part of the work is enough here.
 */
struct tm_srq {
	union {
		struct ibv_srq srq;
		uint64_t room[32];
	};
	uint8_t buf[8192];
	uint64_t db;
} __attribute__((aligned(4096)));

/* The request to the kernel, libibverbs' part first. */
struct tm_req {
	uint64_t hdr;
	uint64_t core[6];
	uint64_t buf_addr;
	uint64_t db_addr;
	uint32_t flags;
	uint32_t reserved0;
	uint32_t uidx;
	uint32_t reserved1;
};

struct tm_resp {
	uint32_t core[4];
	uint32_t srqn;
	uint32_t reserved;
};

static int make_tm_srq(struct vobj *v, struct ibv_context *ctx,
		       struct ibv_pd *pd)
{
	int (*create)(struct ibv_context *ctx, void *srq,
		      struct ibv_srq_init_attr_ex *attr, struct tm_req *req,
		      size_t req_len, struct tm_resp *resp, size_t resp_len);
	struct tm_srq *tm = aligned_alloc(4096, sizeof(*tm));
	struct ibv_srq_init_attr_ex attr = {
		.attr = { .max_wr = ENTRIES, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_TM,
		.srq_type = IBV_SRQT_TM,
		.pd = pd,
		.cq = v->cq,
		.tm_cap = { .max_num_tags = 8, .max_ops = 8 },
	};
	struct tm_resp resp = {};
	struct tm_req req = { .uidx = 0x4242 };
	int ret;

	create = dlsym(RTLD_DEFAULT, "ibv_cmd_create_srq_ex");
	if (!create || !tm) {
		free(tm);
		return create ? ENOMEM : EOPNOTSUPP;
	}
	memset(tm, 0, sizeof(*tm));
	req.buf_addr = (uintptr_t)tm->buf;
	req.db_addr = (uintptr_t)&tm->db;
	ret = create(ctx, &tm->srq, &attr, &req, sizeof(req), &resp,
		     sizeof(resp));
	if (ret) {
		free(tm);
		return ret;
	}
	v->srq = &tm->srq;
	v->obj_type = MDX_VERBS_SRQ;
	v->handle = tm->srq.handle;
	v->num[HW_XRQ] = resp.srqn;
	return 0;
}

static int destroy_srq(struct vobj *v)
{
	int (*destroy)(struct ibv_srq *srq);
	int ret;

	if (v->id == VOBJ_TM_SRQ) {
		destroy = dlsym(RTLD_DEFAULT, "ibv_cmd_destroy_srq");
		ret = destroy(v->srq);
		if (!ret)
			free(v->srq);
	} else {
		ret = ibv_destroy_srq(v->srq);
	}
	if (!ret)
		v->srq = NULL;
	return ret;
}

static int make_qp(struct vobj *v, struct ibv_context *ctx, struct ibv_pd *pd,
		   enum ibv_qp_type type, enum mlx5dv_dc_type dc)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = v->cq,
		.recv_cq = v->cq,
		.srq = v->srq,
		.cap = { .max_send_wr = ENTRIES, .max_send_sge = 1,
			 .max_recv_wr = ENTRIES, .max_recv_sge = 1 },
		.qp_type = type,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = pd,
	};
	struct mlx5dv_qp_init_attr dv = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = { .dc_type = dc, .dct_access_key = 1 },
	};

	if (type == IBV_QPT_XRC_RECV) {
		attr.comp_mask = IBV_QP_INIT_ATTR_XRCD;
		attr.xrcd = v->xrcd;
	}
	if (type == IBV_QPT_XRC_RECV || type == IBV_QPT_XRC_SEND ||
	    type == IBV_QPT_DRIVER) {
		attr.cap.max_recv_wr = 0;
		attr.cap.max_recv_sge = 0;
	}
	if (type == IBV_QPT_DRIVER && dc == MLX5DV_DCTYPE_DCT) {
		attr.cap.max_send_wr = 0;
		attr.cap.max_send_sge = 0;
	}
	v->qp = type == IBV_QPT_DRIVER ? mlx5dv_create_qp(ctx, &attr, &dv) :
					 ibv_create_qp_ex(ctx, &attr);
	if (!v->qp)
		return errno;
	v->obj_type = MDX_VERBS_QP;
	v->handle = v->qp->handle;
	v->num[HW_QP] = v->qp->qp_num;
	return 0;
}

/* The device has a DCT once it is ready to receive. */
static int dct_start(struct vobj *v)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
	};
	int ret;

	ret = ibv_modify_qp(v->qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX |
			    IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
	if (ret)
		return ret;
	attr.qp_state = IBV_QPS_RTR;
	attr.path_mtu = IBV_MTU_1024;
	attr.min_rnr_timer = 12;
	attr.ah_attr.is_global = 1;
	attr.ah_attr.port_num = 1;
	attr.ah_attr.grh.hop_limit = 1;
	ret = ibv_modify_qp(v->qp, &attr, IBV_QP_STATE | IBV_QP_PATH_MTU |
			    IBV_QP_MIN_RNR_TIMER | IBV_QP_AV);
	v->num[HW_QP] = 0;
	v->num[HW_DCT] = v->qp->qp_num;
	return ret;
}

static int split_nums(struct vobj *v)
{
	struct mlx5dv_qp dv = { .comp_mask = MLX5DV_QP_MASK_RAW_QP_HANDLES };
	struct mlx5dv_obj obj = {
		.qp = { .in = v->qp, .out = &dv },
	};

	if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP))
		return EINVAL;
	v->num[HW_QP] = 0;
	v->num[HW_RQ] = dv.rqn;
	v->num[HW_SQ] = dv.sqn;
	v->num[HW_TIR] = dv.tirn;
	v->num[HW_TIS] = dv.tisn;
	return 0;
}

static int make_wq(struct vobj *v, struct ibv_context *ctx, struct ibv_pd *pd)
{
	struct ibv_wq_init_attr attr = {
		.wq_type = IBV_WQT_RQ,
		.max_wr = ENTRIES,
		.max_sge = 1,
		.pd = pd,
		.cq = v->cq,
	};

	v->wq = ibv_create_wq(ctx, &attr);
	if (!v->wq)
		return errno;
	if (v->id != VOBJ_WQ)
		return 0;
	v->obj_type = MDX_VERBS_WQ;
	v->handle = v->wq->handle;
	v->num[HW_RQ] = v->wq->wq_num;
	return 0;
}

static int make_tbl(struct vobj *v, struct ibv_context *ctx)
{
	struct ibv_rwq_ind_table_init_attr attr = {
		.log_ind_tbl_size = 0,
		.ind_tbl = &v->wq,
	};

	v->tbl = ibv_create_rwq_ind_table(ctx, &attr);
	if (!v->tbl)
		return errno;
	if (v->id != VOBJ_RQT)
		return 0;
	v->obj_type = MDX_VERBS_RWQ_IND_TBL;
	v->handle = v->tbl->ind_tbl_handle;
	v->num[HW_RQT] = v->tbl->ind_tbl_num;
	return 0;
}

static int make_rss(struct vobj *v, struct ibv_context *ctx, struct ibv_pd *pd)
{
	uint8_t key[40] = { 1, 2, 3 };
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_RAW_PACKET,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_IND_TABLE |
			     IBV_QP_INIT_ATTR_RX_HASH,
		.pd = pd,
		.rwq_ind_tbl = v->tbl,
		.rx_hash_conf = {
			.rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ,
			.rx_hash_key_len = sizeof(key),
			.rx_hash_key = key,
			.rx_hash_fields_mask = IBV_RX_HASH_SRC_IPV4 |
					       IBV_RX_HASH_DST_IPV4,
		},
	};

	v->qp = ibv_create_qp_ex(ctx, &attr);
	if (!v->qp)
		return errno;
	v->obj_type = MDX_VERBS_QP;
	v->handle = v->qp->handle;
	return 0;
}

static int make_parts(struct vobj *v, struct ibv_context *ctx,
		      struct ibv_pd *pd)
{
	int ret = make_cq(v, ctx);

	if (ret)
		return ret;
	switch (v->id) {
	case VOBJ_SRQ:
		return make_srq(v, ctx, pd, IBV_SRQT_BASIC, HW_RMP);
	case VOBJ_XRC_SRQ:
		ret = make_xrcd(v, ctx);
		return ret ?: make_srq(v, ctx, pd, IBV_SRQT_XRC, HW_XRC_SRQ);
	case VOBJ_TM_SRQ:
		if (!has_tag_matching(ctx))
			return EOPNOTSUPP;
		return make_tm_srq(v, ctx, pd);
	case VOBJ_RC:
		return make_qp(v, ctx, pd, IBV_QPT_RC, 0);
	case VOBJ_UC:
		return make_qp(v, ctx, pd, IBV_QPT_UC, 0);
	case VOBJ_UD:
		return make_qp(v, ctx, pd, IBV_QPT_UD, 0);
	case VOBJ_XRC_SEND:
		return make_qp(v, ctx, pd, IBV_QPT_XRC_SEND, 0);
	case VOBJ_XRC_RECV:
		ret = make_xrcd(v, ctx);
		return ret ?: make_qp(v, ctx, pd, IBV_QPT_XRC_RECV, 0);
	case VOBJ_DCI:
		return make_qp(v, ctx, pd, IBV_QPT_DRIVER, MLX5DV_DCTYPE_DCI);
	case VOBJ_DCT:
		ret = make_srq(v, ctx, pd, IBV_SRQT_BASIC, HW_NONE);
		ret = ret ?: make_qp(v, ctx, pd, IBV_QPT_DRIVER,
				     MLX5DV_DCTYPE_DCT);
		return ret ?: dct_start(v);
	case VOBJ_RAW:
		ret = make_qp(v, ctx, pd, IBV_QPT_RAW_PACKET, 0);
		return ret ?: split_nums(v);
	case VOBJ_RSS:
		ret = make_wq(v, ctx, pd);
		ret = ret ?: make_tbl(v, ctx);
		return ret ?: make_rss(v, ctx, pd);
	case VOBJ_WQ:
		return make_wq(v, ctx, pd);
	case VOBJ_RQT:
		ret = make_wq(v, ctx, pd);
		return ret ?: make_tbl(v, ctx);
	default:
		return 0;
	}
}

int vobj_create(struct vobj *v, enum vobj_id id, struct ibv_context *ctx,
		struct ibv_pd *pd)
{
	int ret;

	memset(v, 0, sizeof(*v));
	v->id = id;
	ret = make_parts(v, ctx, pd);
	if (ret)
		vobj_end(v);
	return ret;
}

int vobj_destroy(struct vobj *v)
{
	int ret;

	switch (v->obj_type) {
	case MDX_VERBS_CQ:
		ret = ibv_destroy_cq(v->cq);
		v->cq = ret ? v->cq : NULL;
		return ret;
	case MDX_VERBS_SRQ:
		return destroy_srq(v);
	case MDX_VERBS_QP:
		ret = ibv_destroy_qp(v->qp);
		v->qp = ret ? v->qp : NULL;
		return ret;
	case MDX_VERBS_WQ:
		ret = ibv_destroy_wq(v->wq);
		v->wq = ret ? v->wq : NULL;
		return ret;
	default:
		ret = ibv_destroy_rwq_ind_table(v->tbl);
		v->tbl = ret ? v->tbl : NULL;
		return ret;
	}
}

void vobj_end(struct vobj *v)
{
	if (v->qp)
		ibv_destroy_qp(v->qp);
	if (v->tbl)
		ibv_destroy_rwq_ind_table(v->tbl);
	if (v->wq)
		ibv_destroy_wq(v->wq);
	if (v->srq)
		destroy_srq(v);
	if (v->xrcd)
		ibv_close_xrcd(v->xrcd);
	if (v->cq)
		ibv_destroy_cq(v->cq);
	memset(v, 0, sizeof(*v));
}

#define STOCK(v, m, what)						\
	({								\
		const struct mbox_pair *m_ = (m);			\
		int ret_;						\
									\
		switch ((v)->obj_type) {				\
		case MDX_VERBS_CQ:					\
			ret_ = mlx5dv_devx_cq_##what((v)->cq, m_->in,	\
				m_->in_len, m_->out, m_->out_len);	\
			break;						\
		case MDX_VERBS_SRQ:					\
			ret_ = mlx5dv_devx_srq_##what((v)->srq, m_->in,	\
				m_->in_len, m_->out, m_->out_len);	\
			break;						\
		case MDX_VERBS_QP:					\
			ret_ = mlx5dv_devx_qp_##what((v)->qp, m_->in,	\
				m_->in_len, m_->out, m_->out_len);	\
			break;						\
		case MDX_VERBS_WQ:					\
			ret_ = mlx5dv_devx_wq_##what((v)->wq, m_->in,	\
				m_->in_len, m_->out, m_->out_len);	\
			break;						\
		default:						\
			ret_ = mlx5dv_devx_ind_tbl_##what((v)->tbl,	\
				m_->in, m_->in_len, m_->out,		\
				m_->out_len);				\
		}							\
		ret_;							\
	})

int vobj_stock_query(struct vobj *v, const struct mbox_pair *m)
{
	return STOCK(v, m, query);
}

int vobj_stock_modify(struct vobj *v, const struct mbox_pair *m)
{
	return STOCK(v, m, modify);
}
