// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx_batch_run(3mdx): creates 1,000 CQs and QPs and moves the QPs to INIT, one command
 * after the other, and again in one call. Each QP is a chain: its CQ, the QP on it, and
 * the transition. An argument is another number of QPs.
 */
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "open.h"
#include "layout.h"

/* Memory of a QP and its CQ. */
enum {
	CQ_BUF = 0,
	QP_BUF = 4096,
	CQ_DBR = 6144,
	QP_DBR = 6208,
	QP_MEM = 8192,
	LOG_SIZE = 3,
	PM_MIGRATED = 3,
	PORT = 1,
	MAX = MDX_BATCH_ITEMS_MAX / 3,
};

/* A QP, with the mailboxes of its three commands. */
struct queue {
	uint64_t cq_in[DEVX_ST_SZ_QW(cq_in)];
	uint64_t qp_in[DEVX_ST_SZ_QW(qp_in)];
	uint64_t init_in[DEVX_ST_SZ_QW(qp_in)];
	uint64_t out[3][DEVX_ST_SZ_QW(cmd_out)];
	struct mlx5dv_devx_obj *cq, *qp;
};

static struct ibv_context *context;
static struct queue *queues;
static int count = 1000;
static uint32_t eqn, pd, umem, uar;

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* A bar on a terminal, nothing in a log. */
static void show_progress(const char *what, int done)
{
	if (!isatty(2) || (done % (count / 20 + 1) && done != count))
		return;
	fprintf(stderr, "\r%s %3d %%%s", what, 100 * done / count,
		done == count ? "\n" : "");
}

static void open_resources(void)
{
	struct mlx5dv_devx_umem *reg;
	struct mlx5dv_devx_uar *page;
	size_t len = (size_t)count * QP_MEM;
	uint64_t in[DEVX_ST_SZ_QW(cmd_in)] = { 0 };
	uint64_t out[DEVX_ST_SZ_QW(cmd_out)];
	void *mem;

	mem = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		   -1, 0);
	if (mem == MAP_FAILED)
		fail_with("mmap", errno);
	reg = mlx5dv_devx_umem_reg(context, mem, len, IBV_ACCESS_LOCAL_WRITE);
	if (!reg)
		fail_with("mlx5dv_devx_umem_reg", errno);
	page = mlx5dv_devx_alloc_uar(context, MLX5DV_UAR_ALLOC_TYPE_NC);
	if (!page)
		fail_with("mlx5dv_devx_alloc_uar", errno);
	if (mlx5dv_devx_query_eqn(context, 0, &eqn))
		fail_with("mlx5dv_devx_query_eqn", errno);
	DEVX_SET(cmd_in, in, opcode, MDX_OPCODE_ALLOC_PD);
	if (!mlx5dv_devx_obj_create(context, in, sizeof(in), out, sizeof(out)))
		fail_with("ALLOC_PD", errno);
	pd = DEVX_GET(cmd_out, out, number);
	umem = reg->umem_id;
	uar = page->page_id;
}

/* The numbers of the CQ and of the QP are not known yet. */
static void fill_inputs(struct queue *q, uint64_t at)
{
	DEVX_SET(cmd_in, q->cq_in, opcode, MDX_OPCODE_CREATE_CQ);
	DEVX_SET(cq_in, q->cq_in, cqc.log_cq_size, LOG_SIZE);
	DEVX_SET(cq_in, q->cq_in, cqc.uar_page, uar);
	DEVX_SET(cq_in, q->cq_in, cqc.eqn, eqn);
	DEVX_SET(cq_in, q->cq_in, cqc.dbr_umem_valid, 1);
	DEVX_SET(cq_in, q->cq_in, cqc.dbr_umem_id, umem);
	DEVX_SET64(cq_in, q->cq_in, cqc.dbr_addr, at + CQ_DBR);
	DEVX_SET(cq_in, q->cq_in, umem_valid, 1);
	DEVX_SET(cq_in, q->cq_in, umem_id, umem);
	DEVX_SET64(cq_in, q->cq_in, umem_offset, at + CQ_BUF);

	DEVX_SET(cmd_in, q->qp_in, opcode, MDX_OPCODE_CREATE_QP);
	DEVX_SET(qp_in, q->qp_in, qpc.pm_state, PM_MIGRATED);
	DEVX_SET(qp_in, q->qp_in, qpc.pd, pd);
	DEVX_SET(qp_in, q->qp_in, qpc.uar_page, uar);
	DEVX_SET(qp_in, q->qp_in, qpc.log_sq_size, LOG_SIZE);
	DEVX_SET(qp_in, q->qp_in, qpc.log_rq_size, LOG_SIZE);
	DEVX_SET(qp_in, q->qp_in, qpc.dbr_umem_valid, 1);
	DEVX_SET(qp_in, q->qp_in, qpc.dbr_umem_id, umem);
	DEVX_SET64(qp_in, q->qp_in, qpc.dbr_addr, at + QP_DBR);
	DEVX_SET(qp_in, q->qp_in, wq_umem_valid, 1);
	DEVX_SET(qp_in, q->qp_in, wq_umem_id, umem);
	DEVX_SET64(qp_in, q->qp_in, wq_umem_offset, at + QP_BUF);

	DEVX_SET(cmd_in, q->init_in, opcode, MDX_OPCODE_RST2INIT_QP);
	DEVX_SET(qp_in, q->init_in, qpc.pm_state, PM_MIGRATED);
	DEVX_SET(qp_in, q->init_in, qpc.path.port, PORT);
}

static void create_alone(struct queue *q)
{
	uint32_t number;
	int ret;

	q->cq = mlx5dv_devx_obj_create(context, q->cq_in, sizeof(q->cq_in),
				       q->out[0], sizeof(q->out[0]));
	if (!q->cq)
		fail_with("CREATE_CQ", errno);
	number = DEVX_GET(cmd_out, q->out[0], number);
	DEVX_SET(qp_in, q->qp_in, qpc.cqn_snd, number);
	DEVX_SET(qp_in, q->qp_in, qpc.cqn_rcv, number);
	q->qp = mlx5dv_devx_obj_create(context, q->qp_in, sizeof(q->qp_in),
				       q->out[1], sizeof(q->out[1]));
	if (!q->qp)
		fail_with("CREATE_QP", errno);
	DEVX_SET(cmd_in, q->init_in, number, DEVX_GET(cmd_out, q->out[1], number));
	ret = mlx5dv_devx_obj_modify(q->qp, q->init_in, sizeof(q->init_in),
				     q->out[2], sizeof(q->out[2]));
	if (ret)
		fail_with("RST2INIT_QP", ret);
}

/* An item, and what refers to it. */
static int item_of(int item)
{
	if (item < 0)
		fail_with("mdx_batch", errno);
	return item;
}

static void add_chain(struct mdx_batch *batch, struct queue *q)
{
	int cq, qp;

	cq = item_of(mdx_batch_create(batch, q->cq_in, sizeof(q->cq_in), q->out[0],
				      sizeof(q->out[0]), &q->cq));
	mdx_batch_link(batch);
	qp = item_of(mdx_batch_create(batch, q->qp_in, sizeof(q->qp_in), q->out[1],
				      sizeof(q->out[1]), &q->qp));
	mdx_batch_ref(batch, cq, __devx_bit_off(qp_in, qpc.cqn_snd), 24, 0);
	mdx_batch_ref(batch, cq, __devx_bit_off(qp_in, qpc.cqn_rcv), 24, 0);
	mdx_batch_link(batch);
	item_of(mdx_batch_modify(batch, NULL, qp, q->init_in, sizeof(q->init_in),
				 q->out[2], sizeof(q->out[2])));
	mdx_batch_ref(batch, qp, __devx_bit_off(cmd_in, number), 24, 0);
}

static void run_batch(struct mdx_batch *batch)
{
	struct mdx_batch_result result;
	int ret = mdx_batch_run(batch);
	int item;

	if (ret)
		fail_with("mdx_batch_run", ret);
	item = mdx_batch_failed(batch);
	if (item >= 0) {
		mdx_batch_result(batch, item, &result);
		printf("item %d, status %s: ", item,
		       mdx_status_name(result.status));
		fail_with("failed", result.err);
	}
	mdx_batch_free(batch);
}

/* The QPs, and when these are gone, the CQs. */
static void destroy_all(void)
{
	struct mdx_batch *batch = mdx_batch_new(context, 0);
	int i;

	if (!batch)
		fail_with("mdx_batch_new", errno);
	for (i = 0; i < count; i++)
		item_of(mdx_batch_destroy(batch, queues[i].qp, -1));
	mdx_batch_drain(batch);
	for (i = 0; i < count; i++)
		item_of(mdx_batch_destroy(batch, queues[i].cq, -1));
	run_batch(batch);
}

static double create_one_by_one(void)
{
	double start = now_seconds();
	int i;

	for (i = 0; i < count; i++) {
		create_alone(&queues[i]);
		show_progress("one by one", i + 1);
	}
	return now_seconds() - start;
}

static double create_in_one_call(void)
{
	double start = now_seconds();
	struct mdx_batch *batch = mdx_batch_new(context, MDX_BATCH_UNDO);
	int i;

	if (!batch)
		fail_with("mdx_batch_new", errno);
	for (i = 0; i < count; i++)
		add_chain(batch, &queues[i]);
	run_batch(batch);
	show_progress("in one call", count);
	return now_seconds() - start;
}

int main(int argc, char **argv)
{
	double alone, batched;
	int i;

	if (argc > 1)
		count = atoi(argv[1]);
	if (count < 1 || count > MAX)
		fail_with("number of QPs", EINVAL);
	context = open_device();
	open_resources();
	queues = calloc(count, sizeof(*queues));
	if (!queues)
		fail_with("memory", errno);
	for (i = 0; i < count; i++)
		fill_inputs(&queues[i], (uint64_t)i * QP_MEM);

	alone = create_one_by_one();
	destroy_all();
	batched = create_in_one_call();
	destroy_all();
	printf("%d x (CREATE_CQ, CREATE_QP, RST2INIT_QP)\n", count);
	printf("one by one:  %.1f ms\n", alone * 1e3);
	printf("in one call: %.1f ms, %.1f times as fast\n", batched * 1e3,
	       alone / batched);
	free(queues);
	ibv_close_device(context);
	return 0;
}
