// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * plain_dc - a program that knows nothing of mlx5_devx and compares data: a DCI
 * writes to a DCT of the same device, reads the bytes back, and sends them to its
 * SRQ. perftest's result lines do not tell whether anything arrived.
 *
 * The device's capabilities are queried by DEVX first, as perftest does.
 */
#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <infiniband/verbs.h>
#include <infiniband/mlx5dv.h>

/* Of the device's manual: a program like this has no header for it. */
#define QUERY_HCA_CAP	0x0100

#define SIZE		4096
#define ACCESS_KEY	0x1234
#define ACCESS		(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | \
			 IBV_ACCESS_REMOTE_READ)
#define WAIT_SECONDS	20

/* The source, what the DCT's side holds, what is read back, and what is received. */
enum part { SOURCE, REMOTE, BACK, RECEIVED, PARTS };

static uint8_t memory[PARTS][SIZE];
static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_srq *srq;
static struct ibv_mr *mr;
static struct ibv_ah *ah;
static struct ibv_qp *dct, *dci;

static void open_device(void)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX
	};
	struct ibv_device **list = ibv_get_device_list(NULL);
	int i;

	if (!list)
		err(2, "ibv_get_device_list");
	errno = ENODEV;
	for (i = 0; list[i] && !context; i++)
		if (mlx5dv_is_supported(list[i]))
			context = mlx5dv_open_device(list[i], &attr);
	if (!context)
		err(2, "no mlx5 device that opens");
	ibv_free_device_list(list);
}

static void query_capabilities(void)
{
	uint8_t in[16] = { QUERY_HCA_CAP >> 8, QUERY_HCA_CAP & 0xff };
	static uint8_t out[4112];
	int ret;

	ret = mlx5dv_devx_general_cmd(context, in, sizeof(in), out, sizeof(out));
	if (ret)
		errx(1, "QUERY_HCA_CAP: %s", strerror(ret));
}

static void *check_object(void *object, const char *what)
{
	if (!object)
		err(1, "%s", what);
	return object;
}

static void make_common(void)
{
	struct ibv_srq_init_attr srq_attr = {
		.attr = { .max_wr = 4, .max_sge = 1 }
	};
	struct ibv_ah_attr ah_attr = {
		.is_global = 1, .port_num = 1, .grh.hop_limit = 1
	};

	pd = check_object(ibv_alloc_pd(context), "ibv_alloc_pd");
	cq = check_object(ibv_create_cq(context, 16, NULL, NULL, 0), "ibv_create_cq");
	srq = check_object(ibv_create_srq(pd, &srq_attr), "ibv_create_srq");
	mr = check_object(ibv_reg_mr(pd, memory, sizeof(memory), ACCESS), "ibv_reg_mr");
	if (ibv_query_gid(context, 1, 0, &ah_attr.grh.dgid))
		err(1, "ibv_query_gid");
	ah = check_object(ibv_create_ah(pd, &ah_attr), "ibv_create_ah");
}

static void make_qps(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_DRIVER, .pd = pd, .srq = srq,
		.send_cq = cq, .recv_cq = cq,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
	};
	struct mlx5dv_qp_init_attr dv = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
		.dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCT,
				  .dct_access_key = ACCESS_KEY },
	};

	dct = check_object(mlx5dv_create_qp(context, &attr, &dv), "DCT");
	attr.srq = NULL;
	attr.cap.max_send_wr = 4;
	attr.cap.max_send_sge = 1;
	attr.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	attr.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE |
			      IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_SEND;
	dv.dc_init_attr = (struct mlx5dv_dc_init_attr){
		.dc_type = MLX5DV_DCTYPE_DCI
	};
	dci = check_object(mlx5dv_create_qp(context, &attr, &dv), "DCI");
}

static void modify_state(struct ibv_qp *qp, enum ibv_qp_state state, int mask)
{
	struct ibv_qp_attr attr = {
		.qp_state = state, .port_num = 1, .qp_access_flags = ACCESS,
		.path_mtu = IBV_MTU_1024, .min_rnr_timer = 12,
		.ah_attr = { .is_global = 1, .port_num = 1, .grh.hop_limit = 1 },
		.timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1,
	};
	int ret = ibv_modify_qp(qp, &attr, IBV_QP_STATE | mask);

	if (ret)
		errx(1, "ibv_modify_qp to state %d: %s", state, strerror(ret));
}

static void start_qps(void)
{
	modify_state(dct, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT |
	       IBV_QP_ACCESS_FLAGS);
	modify_state(dct, IBV_QPS_RTR, IBV_QP_PATH_MTU | IBV_QP_MIN_RNR_TIMER |
	       IBV_QP_AV);
	modify_state(dci, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT);
	modify_state(dci, IBV_QPS_RTR, IBV_QP_PATH_MTU | IBV_QP_AV);
	modify_state(dci, IBV_QPS_RTS, IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
	       IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

static void wait_completions(int n, const char *what)
{
	time_t end = time(NULL) + WAIT_SECONDS;
	struct ibv_wc wc;

	while (n && time(NULL) < end) {
		if (ibv_poll_cq(cq, 1, &wc) < 1)
			continue;
		if (wc.status != IBV_WC_SUCCESS)
			errx(1, "%s: %s", what, ibv_wc_status_str(wc.status));
		n--;
	}
	if (n)
		errx(1, "%s: no completion", what);
}

/* begin_request() and end_request() enclose the operation itself. */
static struct ibv_qp_ex *begin_request(void)
{
	struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(dci);

	qp->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_start(qp);
	return qp;
}

static void end_request(struct ibv_qp_ex *qp, enum part local)
{
	int ret;

	mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(qp), ah, dct->qp_num,
			      ACCESS_KEY);
	ibv_wr_set_sge(qp, mr->lkey, (uintptr_t)memory[local], SIZE);
	ret = ibv_wr_complete(qp);
	if (ret)
		errx(1, "ibv_wr_complete: %s", strerror(ret));
}

static void post_receive(void)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)memory[RECEIVED], .length = SIZE,
		.lkey = mr->lkey
	};
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;
	int ret = ibv_post_srq_recv(srq, &wr, &bad);

	if (ret)
		errx(1, "ibv_post_srq_recv: %s", strerror(ret));
}

static void move_data(void)
{
	struct ibv_qp_ex *qp;
	int i;

	for (i = 0; i < SIZE; i++)
		memory[SOURCE][i] = i * 7 + i / 256 + 1;

	qp = begin_request();
	ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)memory[REMOTE]);
	end_request(qp, SOURCE);
	wait_completions(1, "RDMA WRITE");

	qp = begin_request();
	ibv_wr_rdma_read(qp, mr->rkey, (uintptr_t)memory[REMOTE]);
	end_request(qp, BACK);
	wait_completions(1, "RDMA READ");

	post_receive();
	qp = begin_request();
	ibv_wr_send(qp);
	end_request(qp, BACK);
	wait_completions(2, "SEND");
}

int main(void)
{
	int i;

	open_device();
	query_capabilities();
	make_common();
	make_qps();
	start_qps();
	move_data();
	for (i = REMOTE; i < PARTS; i++)
		if (memcmp(memory[i], memory[SOURCE], SIZE))
			errx(1, "part %d is not what was sent", i);
	puts("data is equal");
	if (ibv_destroy_qp(dci) || ibv_destroy_qp(dct) || ibv_destroy_ah(ah) ||
	    ibv_dereg_mr(mr) || ibv_destroy_srq(srq) || ibv_destroy_cq(cq) ||
	    ibv_dealloc_pd(pd) || ibv_close_device(context))
		errx(1, "an object cannot be destroyed");
	return 0;
}
