// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mlx5dv_devx_qp_modify(3): connects two QPs of verbs by DEVX commands, and
 * sends a message from one to the other by verbs.
 */
#include <time.h>

#include "open.h"
#include "path.h"

enum {
	PM_MIGRATED = 3,
	MTU_1024 = 3,
	FOREVER = 7,
};

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_qp *qps[2];
static struct ibv_mr *mr;
static char buf[2][32] = { "a message between QPs" };

static uint64_t in[DEVX_ST_SZ_QW(qp_in)];
static uint64_t out[DEVX_ST_SZ_QW(query_qp_out)];

static struct ibv_qp *create_qp(void)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = {
			.max_send_wr = 1,
			.max_recv_wr = 1,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	struct ibv_qp *qp = ibv_create_qp(pd, &attr);

	if (!qp)
		fail_with("ibv_create_qp", errno);
	return qp;
}

static void create_all(void)
{
	pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 15, NULL, NULL, 0);
	if (!pd || !cq)
		fail_with("PD or CQ", errno);
	mr = ibv_reg_mr(pd, buf, sizeof(buf), IBV_ACCESS_LOCAL_WRITE);
	if (!mr)
		fail_with("ibv_reg_mr", errno);
	qps[0] = create_qp();
	qps[1] = create_qp();
}

static void destroy_all(void)
{
	ibv_destroy_qp(qps[0]);
	ibv_destroy_qp(qps[1]);
	ibv_dereg_mr(mr);
	ibv_destroy_cq(cq);
	ibv_dealloc_pd(pd);
	ibv_close_device(context);
}

static void modify_qp(int i, uint16_t opcode)
{
	int ret;

	DEVX_SET(cmd_in, in, opcode, opcode);
	DEVX_SET(cmd_in, in, number, qps[i]->qp_num);
	ret = mlx5dv_devx_qp_modify(qps[i], in, DEVX_ST_SZ_BYTES(qp_in), out,
				    DEVX_ST_SZ_BYTES(cmd_out));
	if (ret == EREMOTEIO)
		printf("%s: status 0x%02x, syndrome 0x%06x\n",
		       mdx_opcode_name(opcode),
		       DEVX_GET(cmd_out, out, status),
		       DEVX_GET(cmd_out, out, syndrome));
	if (ret)
		fail_with("mlx5dv_devx_qp_modify", ret);
	memset(in, 0, sizeof(in));
}

static void reset_to_init(int i)
{
	DEVX_SET(qp_in, in, qpc.pm_state, PM_MIGRATED);
	DEVX_SET(qp_in, in, qpc.path.port, PORT);
	modify_qp(i, MDX_OPCODE_RST2INIT_QP);
}

static void init_to_rtr(int i)
{
	set_path(context, in);
	DEVX_SET(qp_in, in, qpc.mtu, MTU_1024);
	DEVX_SET(qp_in, in, qpc.log_msg_max, 30);
	DEVX_SET(qp_in, in, qpc.remote_qpn, qps[!i]->qp_num);
	DEVX_SET(qp_in, in, qpc.min_rnr_nak, 12);
	modify_qp(i, MDX_OPCODE_INIT2RTR_QP);
}

static void rtr_to_rts(int i)
{
	DEVX_SET(qp_in, in, qpc.path.ack_timeout, 14);
	DEVX_SET(qp_in, in, qpc.retry_count, 7);
	DEVX_SET(qp_in, in, qpc.rnr_retry, FOREVER);
	modify_qp(i, MDX_OPCODE_RTR2RTS_QP);
}

/* Compare the QP context of the device with the state that verbs reports. */
static void query_qp(int i)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	int ret;

	DEVX_SET(cmd_in, in, opcode, MDX_OPCODE_QUERY_QP);
	DEVX_SET(cmd_in, in, number, qps[i]->qp_num);
	ret = mlx5dv_devx_qp_query(qps[i], in, DEVX_ST_SZ_BYTES(cmd_in), out,
				   DEVX_ST_SZ_BYTES(query_qp_out));
	if (ret)
		fail_with("mlx5dv_devx_qp_query", ret);
	printf("QP %d by DEVX:  state %u, remote QP is the other's: %s, MTU %u\n",
	       i, DEVX_GET(query_qp_out, out, qpc.state),
	       DEVX_GET(query_qp_out, out, qpc.remote_qpn) ==
	       qps[!i]->qp_num ? "yes" : "no",
	       128U << DEVX_GET(query_qp_out, out, qpc.mtu));
	memset(in, 0, sizeof(in));

	ret = ibv_query_qp(qps[i], &attr,
			   IBV_QP_STATE | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN,
			   &init);
	if (ret)
		fail_with("ibv_query_qp", ret);
	printf("QP %d by verbs: state %u, remote QP is the other's: %s, MTU %u\n",
	       i, attr.qp_state,
	       attr.dest_qp_num == qps[!i]->qp_num ? "yes" : "no",
	       128U << attr.path_mtu);
}

static void query_cq(void)
{
	struct mlx5dv_obj obj = { .cq = { .in = cq } };
	struct mlx5dv_cq dv = { 0 };
	int ret;

	obj.cq.out = &dv;
	ret = mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ);
	if (ret)
		fail_with("mlx5dv_init_obj", ret);
	DEVX_SET(cmd_in, in, opcode, MDX_OPCODE_QUERY_CQ);
	DEVX_SET(cmd_in, in, number, dv.cqn);
	ret = mlx5dv_devx_cq_query(cq, in, DEVX_ST_SZ_BYTES(cmd_in), out,
				   DEVX_ST_SZ_BYTES(query_cq_out));
	if (ret)
		fail_with("mlx5dv_devx_cq_query", ret);
	printf("CQ: %d entries\n",
	       1 << DEVX_GET(query_cq_out, out, cqc.log_cq_size));
	memset(in, 0, sizeof(in));
}

static void post_message(void)
{
	struct ibv_sge to = {
		.addr = (uintptr_t)buf[1],
		.length = sizeof(buf[1]),
		.lkey = mr->lkey,
	};
	struct ibv_sge from = {
		.addr = (uintptr_t)buf[0],
		.length = sizeof(buf[0]),
		.lkey = mr->lkey,
	};
	struct ibv_recv_wr *bad_recv, recv = { .sg_list = &to, .num_sge = 1 };
	struct ibv_send_wr *bad_send, send = {
		.sg_list = &from,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
	};
	int ret;

	ret = ibv_post_recv(qps[1], &recv, &bad_recv);
	if (ret)
		fail_with("ibv_post_recv", ret);
	ret = ibv_post_send(qps[0], &send, &bad_send);
	if (ret)
		fail_with("ibv_post_send", ret);
}

static void wait_for_completions(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct ibv_wc wc;
	int tries = 10000;
	int got = 0;

	while (got < 2 && tries--) {
		if (!ibv_poll_cq(cq, 1, &wc)) {
			nanosleep(&pause, NULL);
			continue;
		}
		if (wc.status != IBV_WC_SUCCESS) {
			puts(ibv_wc_status_str(wc.status));
			exit(1);
		}
		got++;
	}
	if (got < 2)
		fail_with("completions", ETIMEDOUT);
}

int main(void)
{
	int i;

	context = open_device();
	create_all();
	for (i = 0; i < 2; i++)
		reset_to_init(i);
	for (i = 0; i < 2; i++)
		init_to_rtr(i);
	for (i = 0; i < 2; i++)
		rtr_to_rts(i);
	query_qp(0);
	query_qp(1);
	query_cq();
	post_message();
	wait_for_completions();
	printf("received: %s\n", buf[1]);
	destroy_all();
	return 0;
}
