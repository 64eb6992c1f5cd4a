// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * mlx5dv_devx_qp_modify(3): objects that verbs created. Each function fills one
 * structure and issues one ioctl.
 *
 * The following holds for all of them. Lengths are in bytes. The input mailbox
 * is a query or a modify command, according to the function, with the number of
 * the verbs object; it is at least as long as the layout of its command. The
 * output mailbox is at least 16 bytes long. Neither is longer than 2 MiB. On
 * success and on EREMOTEIO all of the output mailbox is written, on any other
 * error nothing, except that EFAULT may leave a part of it written. The caller
 * owns both mailboxes and the verbs object; libmdx does not access them after
 * the call. Attributes and state that verbs keeps for the object do not change
 * with a modify.
 *
 * Return: 0, or an errno, which is also in errno:
 *
 * - EREMOTEIO: the device refused the command. Status and syndrome are in the
 *   output mailbox.
 * - EINVAL: a mailbox is too short or too long, the command belongs to another
 *   function or another object type, or it refers to another object; or the
 *   verbs object is NULL.
 * - EOPNOTSUPP: the module does not know the opcode, or the context is not
 *   served and the next library lacks the function.
 * - ENOENT: the context has no such object.
 * - EBUSY: the object is being destroyed.
 * - EFAULT: a mailbox cannot be read or written.
 * - ENOMEM: out of memory.
 * - EIO: the device was removed. Only closing remains.
 * - ETIMEDOUT, ENXIO and others: the device did not answer.
 * - The errors of mdx_context_check() marked (*), on the first use of a
 *   context.
 *
 * A context that libmdx does not serve, and a module that does not have the
 * ioctl, are left to libmlx5, with the errors of libmlx5.
 */
#include "ctx.h"
#include "../opcodes/opcodes.h"

static struct mdx_ioc_verbs_cmd verbs_cmd(enum mdx_verbs_type obj_type,
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
		.obj_type = obj_type,
	};
}

/* Of NULL, 0: mdx_ctx_get() refuses a context that is NULL. */
#define FIELD(obj, field) ((obj) ? (obj)->field : 0)

/* As mdx_ctx_call(). The calls of libmlx5 itself are left to libmlx5. */
static int verbs_call(struct ibv_context *context, const void *caller,
		      unsigned long nr, struct mdx_ioc_verbs_cmd *cmd)
{
	if (mdx_caller_is_mlx5(caller))
		return MDX_FORWARD;
	return mdx_ctx_call(context, nr, cmd);
}

/**
 * mlx5dv_devx_cq_query - mlx5dv_devx_cq_query(3)
 * @cq: a CQ created by verbs
 * @in: input mailbox, QUERY_CQ
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Queries a CQ. Sizes: see the top of this file.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_cq_query(struct ibv_cq *cq, const void *in,
				    size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_CQ, FIELD(cq, handle),
						 in, inlen, out, outlen);
	int ret = verbs_call(FIELD(cq, context), MDX_CALLER,
			     MDX_IOC_VERBS_QUERY, &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(cq_query, cq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_cq_modify - mlx5dv_devx_cq_modify(3)
 * @cq: a CQ created by verbs
 * @in: input mailbox, MODIFY_CQ
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Modifies a CQ. Sizes: see the top of this file.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_cq_modify(struct ibv_cq *cq, const void *in,
				     size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_CQ, FIELD(cq, handle),
						 in, inlen, out, outlen);
	int ret = verbs_call(FIELD(cq, context), MDX_CALLER,
			     MDX_IOC_VERBS_MODIFY, &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(cq_modify, cq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_qp_query - mlx5dv_devx_qp_query(3)
 * @qp: a QP created by verbs
 * @in: input mailbox: QUERY_QP; QUERY_DCT for a DC target; QUERY_RQ, QUERY_SQ,
 *	QUERY_TIR or QUERY_TIS for a raw packet QP, with the number that
 *	mlx5dv_init_obj() reports
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Queries a QP. Sizes: see the top of this file.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_qp_query(struct ibv_qp *qp, const void *in,
				    size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_QP, FIELD(qp, handle),
						 in, inlen, out, outlen);
	int ret = verbs_call(FIELD(qp, context), MDX_CALLER,
			     MDX_IOC_VERBS_QUERY, &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(qp_query, qp, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/* The opcode if @in moves a QP from one state to another, otherwise 0. */
static unsigned int qp_transition(const unsigned char *in, size_t inlen)
{
	unsigned int opcode;

	if (!in || inlen < 2)
		return 0;
	opcode = in[0] << 8 | in[1];
	if (opcode < MDX_OPCODE_RST2INIT_QP || opcode > MDX_OPCODE_INIT2INIT_QP)
		return 0;
	return opcode;
}

/*
 * Empty the software queues of @qp, which the device has reset: libmlx5 empties them
 * in ibv_modify_qp() only, and would execute what they hold a second time. The kernel
 * sends no command for a QP that DEVX moved from RESET, as by its records the QP is
 * there still. One that verbs moved is reset twice, and its records are right then.
 */
static void reset_queues(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };
	struct mdx_ctx_ref ref;
	int saved = errno;

	if (!mdx_ctx_get(qp->context, &ref))
		ibv_modify_qp(qp, &attr, IBV_QP_STATE);
	errno = saved;
}

/**
 * mlx5dv_devx_qp_modify - mlx5dv_devx_qp_modify(3)
 * @qp: a QP created by verbs
 * @in: input mailbox: a state transition, or the modify command that
 *	corresponds to a query of mlx5dv_devx_qp_query()
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Modifies a QP. Sizes: see the top of this file.
 *
 * State transitions are left to libmlx5 and the stock driver, unless libmlx5
 * lacks the function. libmlx5 rejects ibv_post_send() on a QP that is not in
 * RTS by its own records, and only its own functions update those. libmdx
 * cannot update them: they are in the private struct mlx5_qp, whose layout
 * changes from version to version. Nor can it repeat the transition by
 * ibv_modify_qp() or by libmlx5: the device would execute it twice. The stock
 * driver validates handle and number as the module does, and uses the same uid.
 * After a reset (2RST_QP), which the device may execute twice, ibv_modify_qp() empties
 * the software queues of a QP of a served context.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_qp_modify(struct ibv_qp *qp, const void *in,
				     size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_QP, FIELD(qp, handle),
						 in, inlen, out, outlen);
	unsigned int transition = qp_transition(in, inlen);
	int ret = MDX_FORWARD;

	if (!qp)
		return mdx_ret(EINVAL);
	if (!transition || !mdx_next()->qp_modify)
		ret = verbs_call(qp->context, MDX_CALLER, MDX_IOC_VERBS_MODIFY,
				 &cmd);
	if (ret == MDX_FORWARD)
		ret = MDX_NEXT(qp_modify, qp, in, inlen, out, outlen);
	if (!ret && transition == MDX_OPCODE_2RST_QP &&
	    !mdx_caller_is_mlx5(MDX_CALLER))
		reset_queues(qp);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_srq_query - mlx5dv_devx_srq_query(3)
 * @srq: an SRQ created by verbs
 * @in: input mailbox: QUERY_RMP for a basic SRQ (QUERY_SRQ on a device in ISSI
 *	0), QUERY_XRC_SRQ for an XRC SRQ, QUERY_XRQ for an SRQ with tag matching
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Queries an SRQ. Sizes: see the top of this file.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_srq_query(struct ibv_srq *srq, const void *in,
				     size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_SRQ, FIELD(srq, handle),
						 in, inlen, out, outlen);
	int ret = verbs_call(FIELD(srq, context), MDX_CALLER,
			     MDX_IOC_VERBS_QUERY, &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(srq_query, srq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_srq_modify - mlx5dv_devx_srq_modify(3)
 * @srq: an SRQ created by verbs
 * @in: input mailbox: MODIFY_RMP for a basic SRQ, ARM_XRC_SRQ for an XRC SRQ,
 *	ARM_XRQ and other XRQ commands for an SRQ with tag matching
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Modifies an SRQ. Sizes: see the top of this file.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_srq_modify(struct ibv_srq *srq, const void *in,
				      size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_SRQ, FIELD(srq, handle),
						 in, inlen, out, outlen);
	int ret = verbs_call(FIELD(srq, context), MDX_CALLER,
			     MDX_IOC_VERBS_MODIFY, &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(srq_modify, srq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_wq_query - mlx5dv_devx_wq_query(3)
 * @wq: a WQ created by verbs
 * @in: input mailbox, QUERY_RQ
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Queries a WQ. Sizes: see the top of this file.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_wq_query(struct ibv_wq *wq, const void *in,
				    size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_WQ, FIELD(wq, handle),
						 in, inlen, out, outlen);
	int ret = verbs_call(FIELD(wq, context), MDX_CALLER,
			     MDX_IOC_VERBS_QUERY, &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(wq_query, wq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_wq_modify - mlx5dv_devx_wq_modify(3)
 * @wq: a WQ created by verbs
 * @in: input mailbox, MODIFY_RQ
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Modifies a WQ. Sizes: see the top of this file.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_wq_modify(struct ibv_wq *wq, const void *in,
				     size_t inlen, void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_WQ, FIELD(wq, handle),
						 in, inlen, out, outlen);
	int ret = verbs_call(FIELD(wq, context), MDX_CALLER,
			     MDX_IOC_VERBS_MODIFY, &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(wq_modify, wq, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_ind_tbl_query - mlx5dv_devx_ind_tbl_query(3)
 * @ind_tbl: an indirection table created by verbs
 * @in: input mailbox, QUERY_RQT
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Queries an indirection table. Sizes: see the top of this file.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_ind_tbl_query(struct ibv_rwq_ind_table *ind_tbl,
					 const void *in, size_t inlen,
					 void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_RWQ_IND_TBL,
						 FIELD(ind_tbl, ind_tbl_handle),
						 in, inlen, out, outlen);
	int ret = verbs_call(FIELD(ind_tbl, context), MDX_CALLER,
			     MDX_IOC_VERBS_QUERY, &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(ind_tbl_query, ind_tbl, in, inlen, out, outlen);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_ind_tbl_modify - mlx5dv_devx_ind_tbl_modify(3)
 * @ind_tbl: an indirection table created by verbs
 * @in: input mailbox, MODIFY_RQT
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Modifies an indirection table. Sizes: see the top of this file.
 *
 * Return: 0 or an errno, see the top of this file.
 */
MDX_PUBLIC int mlx5dv_devx_ind_tbl_modify(struct ibv_rwq_ind_table *ind_tbl,
					  const void *in, size_t inlen,
					  void *out, size_t outlen)
{
	struct mdx_ioc_verbs_cmd cmd = verbs_cmd(MDX_VERBS_RWQ_IND_TBL,
						 FIELD(ind_tbl, ind_tbl_handle),
						 in, inlen, out, outlen);
	int ret = verbs_call(FIELD(ind_tbl, context), MDX_CALLER,
			     MDX_IOC_VERBS_MODIFY, &cmd);

	if (ret == MDX_FORWARD)
		return MDX_NEXT(ind_tbl_modify, ind_tbl, in, inlen, out,
				outlen);
	return mdx_ret(ret);
}
