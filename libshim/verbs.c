// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Objects that verbs created: each function fills one structure and makes one
 * call.
 *
 * Common to all of them: @in is a command that names the object, @out is
 * written, all @outlen bytes of it, on success and on EREMOTEIO, and is left
 * alone otherwise. The lengths are in bytes: @inlen at least what the command's
 * layout has, @outlen at least 16, both at most 2 MiB. Verbs is not told of a
 * modify. The return value is 0 or an errno, which is in errno, too: EREMOTEIO
 * if the device refused the command (status and syndrome are in @out), EINVAL if
 * it is not a command about this object, EBUSY if the object is being destroyed.
 */
#include "mdx/mdx_uapi.h"
#include "shim.h"

static struct mdx_ioc_verbs_cmd verbs_cmd(enum mdx_verbs_type kind,
					  uint32_t handle, const void *in,
					  size_t inlen, void *out,
					  size_t outlen)
{
	return (struct mdx_ioc_verbs_cmd){
		.size = sizeof(struct mdx_ioc_verbs_cmd),
		.in = mdx_mbox_addr(in),
		.out = mdx_mbox_addr(out),
		.in_len = mdx_mbox_len(inlen),
		.out_len = mdx_mbox_len(outlen),
		.handle = handle,
		.obj_type = kind,
	};
}

/* As mdx_ctx_call(). What libmlx5 does for itself stays its own. */
static int verbs_call(struct ibv_context *context, const void *caller,
		      unsigned long nr, struct mdx_ioc_verbs_cmd *cmd)
{
	if (mdx_caller_is_mlx5(caller))
		return MDX_FORWARD;
	return mdx_ctx_call(context, nr, cmd);
}

/**
 * mlx5dv_devx_cq_query - mlx5dv_devx_cq_query(3)
 * @cq: a CQ of verbs
 * @in: input mailbox, QUERY_CQ
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_cq_query(struct ibv_cq *cq, const void *in,
				    size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_CQ, cq->handle, in,
						 inlen, out, outlen);
	int ret = verbs_call(cq->context, MDX_CALLER, MDX_IOC_VERBS_QUERY,
			     &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(cq_query, cq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_cq_modify - mlx5dv_devx_cq_modify(3)
 * @cq: a CQ of verbs
 * @in: input mailbox, MODIFY_CQ
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_cq_modify(struct ibv_cq *cq, const void *in,
				     size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_CQ, cq->handle, in,
						 inlen, out, outlen);
	int ret = verbs_call(cq->context, MDX_CALLER, MDX_IOC_VERBS_MODIFY,
			     &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(cq_modify, cq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_qp_query - mlx5dv_devx_qp_query(3)
 * @qp: a QP of verbs
 * @in: input mailbox: QUERY_QP; QUERY_DCT of a DC target; QUERY_RQ, _SQ, _TIR or
 *	_TIS of a raw packet QP, with the number that mlx5dv_init_obj() gives
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_qp_query(struct ibv_qp *qp, const void *in,
				    size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_QP, qp->handle, in,
						 inlen, out, outlen);
	int ret = verbs_call(qp->context, MDX_CALLER, MDX_IOC_VERBS_QUERY,
			     &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(qp_query, qp, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/*
 * Whether @in moves a QP from state to state: RST2INIT_QP (0x502) and those
 * that follow it, up to INIT2INIT_QP (0x50e).
 */
static bool is_transition(const unsigned char *in, size_t inlen)
{
	return in && inlen >= 2 && in[0] == 0x05 && in[1] >= 0x02 &&
	       in[1] <= 0x0e;
}

/**
 * mlx5dv_devx_qp_modify - mlx5dv_devx_qp_modify(3)
 * @qp: a QP of verbs
 * @in: input mailbox: a state transition; the MODIFY_ commands of what
 *	mlx5dv_devx_qp_query() queries
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * State transitions are left to libmlx5 and to the stock driver: libmlx5 learns
 * from its own function, and from nothing else, in which state a QP of its own
 * is, without which ibv_post_send() refuses all work. That is a private matter
 * of its struct mlx5_qp, of another layout in every version, so it cannot be
 * written from here; ibv_modify_qp() would move the QP once more; and a second
 * transition by libmlx5, behind one of ours, is one that the device sees, which
 * is not the one that was asked for. The stock driver checks the handle and the
 * number as the module does, and has the same uid. If libmlx5 lacks the
 * function, the module does it.
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_qp_modify(struct ibv_qp *qp, const void *in,
				     size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_QP, qp->handle, in,
						 inlen, out, outlen);
	int ret = MDX_FORWARD;

	if (!is_transition(in, inlen) || !mdx_next()->qp_modify)
		ret = verbs_call(qp->context, MDX_CALLER, MDX_IOC_VERBS_MODIFY,
				 &cmd);
	if (ret == MDX_FORWARD)
		return MDX_NEXT(qp_modify, qp, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_srq_query - mlx5dv_devx_srq_query(3)
 * @srq: an SRQ of verbs
 * @in: input mailbox: QUERY_RMP of a basic SRQ (QUERY_SRQ on a device in issi
 *	0), QUERY_XRC_SRQ of an XRC SRQ, QUERY_XRQ of one with tag matching
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_srq_query(struct ibv_srq *srq, const void *in,
				     size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_SRQ, srq->handle, in,
						 inlen, out, outlen);
	int ret = verbs_call(srq->context, MDX_CALLER, MDX_IOC_VERBS_QUERY,
			     &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(srq_query, srq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_srq_modify - mlx5dv_devx_srq_modify(3)
 * @srq: an SRQ of verbs
 * @in: input mailbox: MODIFY_RMP of a basic SRQ, ARM_XRC_SRQ of an XRC SRQ,
 *	ARM_XRQ and other XRQ commands of one with tag matching
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_srq_modify(struct ibv_srq *srq, const void *in,
				      size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_SRQ, srq->handle, in,
						 inlen, out, outlen);
	int ret = verbs_call(srq->context, MDX_CALLER, MDX_IOC_VERBS_MODIFY,
			     &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(srq_modify, srq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_wq_query - mlx5dv_devx_wq_query(3)
 * @wq: a WQ of verbs
 * @in: input mailbox, QUERY_RQ
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_wq_query(struct ibv_wq *wq, const void *in,
				    size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_WQ, wq->handle, in,
						 inlen, out, outlen);
	int ret = verbs_call(wq->context, MDX_CALLER, MDX_IOC_VERBS_QUERY,
			     &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(wq_query, wq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_wq_modify - mlx5dv_devx_wq_modify(3)
 * @wq: a WQ of verbs
 * @in: input mailbox, MODIFY_RQ
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_wq_modify(struct ibv_wq *wq, const void *in,
				     size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_WQ, wq->handle, in,
						 inlen, out, outlen);
	int ret = verbs_call(wq->context, MDX_CALLER, MDX_IOC_VERBS_MODIFY,
			     &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(wq_modify, wq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_ind_tbl_query - mlx5dv_devx_ind_tbl_query(3)
 * @ind_tbl: an indirection table of verbs
 * @in: input mailbox, QUERY_RQT
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_ind_tbl_query(struct ibv_rwq_ind_table *ind_tbl,
					 const void *in, size_t inlen,
					 void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_RWQ_IND_TBL,
						 ind_tbl->ind_tbl_handle, in,
						 inlen, out, outlen);
	int ret = verbs_call(ind_tbl->context, MDX_CALLER, MDX_IOC_VERBS_QUERY,
			     &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(ind_tbl_query, ind_tbl, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_ind_tbl_modify - mlx5dv_devx_ind_tbl_modify(3)
 * @ind_tbl: an indirection table of verbs
 * @in: input mailbox, MODIFY_RQT
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: 0 or an errno, see above.
 */
MDX_PUBLIC int mlx5dv_devx_ind_tbl_modify(struct ibv_rwq_ind_table *ind_tbl,
					  const void *in, size_t inlen,
					  void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_RWQ_IND_TBL,
						 ind_tbl->ind_tbl_handle, in,
						 inlen, out, outlen);
	int ret = verbs_call(ind_tbl->context, MDX_CALLER, MDX_IOC_VERBS_MODIFY,
			     &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(ind_tbl_modify, ind_tbl, in, inlen, out,
				outlen);
	return mdx_ret(ret);
}
