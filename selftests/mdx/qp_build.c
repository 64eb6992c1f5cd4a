// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Transitions of the world's QP. */
#include "objtypes.h"

enum {
	QP_PORT = 1,
	MTU_1024 = 3,
};

void qp_build_init(struct mdx_world *w)
{
	objtype_build_modify(w, OBJTYPE_QP);
}

/* To itself: the device has one port, and that reaches itself. */
void qp_build_rtr(struct mdx_world *w)
{
	union ibv_gid gid;
	void *in = w->in;

	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(in, MLX5_CMD_OP_INIT2RTR_QP, 0, world_num(w, OBJTYPE_QP));
	w->m.in_len = SZ(init2rtr_qp_in);
	DEVX_SET(init2rtr_qp_in, in, qpc.mtu, MTU_1024);
	DEVX_SET(init2rtr_qp_in, in, qpc.log_msg_max, 30);
	DEVX_SET(init2rtr_qp_in, in, qpc.remote_qpn, world_num(w, OBJTYPE_QP));
	DEVX_SET(init2rtr_qp_in, in, qpc.min_rnr_nak, 12);
	DEVX_SET(init2rtr_qp_in, in, qpc.rre, 1);
	DEVX_SET(init2rtr_qp_in, in, qpc.rwe, 1);
	DEVX_SET(init2rtr_qp_in, in, qpc.primary_address_path.vhca_port_num,
		 QP_PORT);
	DEVX_SET(init2rtr_qp_in, in, qpc.primary_address_path.hop_limit, 64);
	DEVX_SET(init2rtr_qp_in, in, qpc.primary_address_path.udp_sport,
		 0xc000);
	if (!ibv_query_gid(w->mdx.ctx, QP_PORT, 0, &gid))
		memcpy(DEVX_ADDR_OF(init2rtr_qp_in, in,
				    qpc.primary_address_path.rgid_rip), &gid,
		       sizeof(gid));
}

void qp_build_rts(struct mdx_world *w)
{
	void *in = w->in;

	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(in, MLX5_CMD_OP_RTR2RTS_QP, 0, world_num(w, OBJTYPE_QP));
	w->m.in_len = SZ(rtr2rts_qp_in);
	DEVX_SET(rtr2rts_qp_in, in, qpc.retry_count, 7);
	DEVX_SET(rtr2rts_qp_in, in, qpc.rnr_retry, 7);
	DEVX_SET(rtr2rts_qp_in, in, qpc.log_ack_req_freq, 0);
	DEVX_SET(rtr2rts_qp_in, in, qpc.primary_address_path.ack_timeout, 14);
	DEVX_SET(rtr2rts_qp_in, in, qpc.primary_address_path.vhca_port_num,
		 QP_PORT);
}
