// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx_adopt(): a process replaces itself by exec, and its QPs, which are connected to
 * one another, go on.
 *
 * Three descriptors pass the exec. The objects exist as long as a file is bound to the
 * verbs context: a duplicate of the old one stays open until the successor has bound
 * its own. The umem and the UAR are kernel objects of the verbs context, which cmd_fd
 * keeps. The memory of the umem is a file, so that the pages that the device uses can
 * be mapped again.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "path.h"

/* The memory, at the same address in both processes as the mkey has this address. */
#define MEM_ADDR 0x100000000000ull

enum {
	MEM_LEN = 0x10000,
	CQ_DBR = 0x000,		/* doorbell record */
	QP_DBR = 0x040,		/* of the first QP */
	CQ_BUF = 0x1000,
	QP_BUF = 0x2000,
	QP_BUF_LEN = 0x1000,
	DATA = 0x4000,
	DATA_LEN = 64,
	STATE = 0x5000,
};

enum {
	LOG_CQ_SIZE = 6,
	CQ_SIZE = 1 << LOG_CQ_SIZE,
	LOG_QP_SIZE = 4,
	QP_SIZE = 1 << LOG_QP_SIZE,
	RQ_STRIDE = 16,
	SQ_BUF = QP_SIZE * RQ_STRIDE,
	BLOCK = 64,		/* of an SQ, and of a CQ */
	OPCODE_SEND = 0x0a,
	COMPLETION = 8,		/* of each WQE */
	CQE_REQ = 0x0,
	CQE_RESP_SEND = 0x2,
	CQE_INVALID = 0xf,
	ACCESS_MTT = 1,
	KEY_VARIANT = 0x42,
	PM_MIGRATED = 3,
	MTU_1024 = 3,
	FOREVER = 7,
};

/* Facts for the successor, in the memory. */
struct state {
	uint64_t uar_offset;	/* for mmap() */
	uint64_t uar_reg;	/* doorbell register in that page */
	uint32_t key;
	uint32_t qpn[2];
	uint32_t ci;		/* counters of the queues */
	uint16_t pi[2];
	uint16_t rq_pi[2];
};

static struct ibv_context *context;
static uint8_t *mem;
static struct state *state;
static uint64_t *doorbell;

static uint64_t in[DEVX_ST_SZ_QW(cq_in)];
static uint64_t out[DEVX_ST_SZ_QW(cmd_out)];

static struct mlx5dv_devx_obj *create_obj(uint16_t opcode, size_t inlen,
					  uint32_t *number)
{
	struct mlx5dv_devx_obj *obj;

	DEVX_SET(cmd_in, in, opcode, opcode);
	obj = mlx5dv_devx_obj_create(context, in, inlen, out, sizeof(out));
	if (!obj)
		fail_with(mdx_opcode_name(opcode), errno);
	*number = DEVX_GET(cmd_out, out, number);
	memset(in, 0, sizeof(in));
	return obj;
}

static void create_key(uint32_t umem, uint32_t pd)
{
	DEVX_SET(mkey_in, in, umem_valid, 1);
	DEVX_SET(mkey_in, in, umem_id, umem);
	DEVX_SET(mkey_in, in, translations, MEM_LEN / 4096 / 2);
	DEVX_SET(mkey_in, in, mkc.translations, MEM_LEN / 4096 / 2);
	DEVX_SET(mkey_in, in, mkc.log_page_size, 12);
	DEVX_SET(mkey_in, in, mkc.access_mode, ACCESS_MTT);
	DEVX_SET(mkey_in, in, mkc.local_read, 1);
	DEVX_SET(mkey_in, in, mkc.local_write, 1);
	DEVX_SET(mkey_in, in, mkc.qpn, 0xffffff);
	DEVX_SET(mkey_in, in, mkc.variant, KEY_VARIANT);
	DEVX_SET(mkey_in, in, mkc.pd, pd);
	DEVX_SET64(mkey_in, in, mkc.start_addr, MEM_ADDR);
	DEVX_SET64(mkey_in, in, mkc.len, MEM_LEN);
	create_obj(MDX_OPCODE_CREATE_MKEY, DEVX_ST_SZ_BYTES(mkey_in),
		   &state->key);
	state->key = state->key << 8 | KEY_VARIANT;
}

static uint32_t create_cq(uint32_t umem, uint32_t uar)
{
	uint32_t eqn, cqn;

	if (mlx5dv_devx_query_eqn(context, 0, &eqn))
		fail_with("mlx5dv_devx_query_eqn", errno);
	/* No completion is there: the device owns all. */
	memset(mem + CQ_BUF, 0xff, CQ_SIZE * BLOCK);
	DEVX_SET(cq_in, in, cqc.log_cq_size, LOG_CQ_SIZE);
	DEVX_SET(cq_in, in, cqc.uar_page, uar);
	DEVX_SET(cq_in, in, cqc.eqn, eqn);
	DEVX_SET(cq_in, in, cqc.dbr_umem_valid, 1);
	DEVX_SET(cq_in, in, cqc.dbr_umem_id, umem);
	DEVX_SET64(cq_in, in, cqc.dbr_addr, CQ_DBR);
	DEVX_SET(cq_in, in, umem_valid, 1);
	DEVX_SET(cq_in, in, umem_id, umem);
	DEVX_SET64(cq_in, in, umem_offset, CQ_BUF);
	create_obj(MDX_OPCODE_CREATE_CQ, DEVX_ST_SZ_BYTES(cq_in), &cqn);
	return cqn;
}

static struct mlx5dv_devx_obj *create_qp(int i, uint32_t umem, uint32_t uar,
					 uint32_t pd, uint32_t cqn)
{
	DEVX_SET(qp_in, in, qpc.pm_state, PM_MIGRATED);
	DEVX_SET(qp_in, in, qpc.pd, pd);
	DEVX_SET(qp_in, in, qpc.uar_page, uar);
	DEVX_SET(qp_in, in, qpc.cqn_snd, cqn);
	DEVX_SET(qp_in, in, qpc.cqn_rcv, cqn);
	DEVX_SET(qp_in, in, qpc.log_sq_size, LOG_QP_SIZE);
	DEVX_SET(qp_in, in, qpc.log_rq_size, LOG_QP_SIZE);
	DEVX_SET(qp_in, in, qpc.dbr_umem_valid, 1);
	DEVX_SET(qp_in, in, qpc.dbr_umem_id, umem);
	DEVX_SET64(qp_in, in, qpc.dbr_addr, QP_DBR * (i + 1));
	DEVX_SET(qp_in, in, wq_umem_valid, 1);
	DEVX_SET(qp_in, in, wq_umem_id, umem);
	DEVX_SET64(qp_in, in, wq_umem_offset, QP_BUF + i * QP_BUF_LEN);
	return create_obj(MDX_OPCODE_CREATE_QP, DEVX_ST_SZ_BYTES(qp_in),
			  &state->qpn[i]);
}

static void modify_qp(struct mlx5dv_devx_obj *qp, int i, uint16_t opcode)
{
	int ret;

	DEVX_SET(cmd_in, in, opcode, opcode);
	DEVX_SET(cmd_in, in, number, state->qpn[i]);
	ret = mlx5dv_devx_obj_modify(qp, in, DEVX_ST_SZ_BYTES(qp_in), out,
				     sizeof(out));
	if (ret)
		fail_with(mdx_opcode_name(opcode), ret);
	memset(in, 0, sizeof(in));
}

static void connect_qp(struct mlx5dv_devx_obj *qp, int i)
{
	DEVX_SET(qp_in, in, qpc.pm_state, PM_MIGRATED);
	DEVX_SET(qp_in, in, qpc.path.port, PORT);
	modify_qp(qp, i, MDX_OPCODE_RST2INIT_QP);

	set_path(context, in);
	DEVX_SET(qp_in, in, qpc.mtu, MTU_1024);
	DEVX_SET(qp_in, in, qpc.log_msg_max, 30);
	DEVX_SET(qp_in, in, qpc.remote_qpn, state->qpn[!i]);
	DEVX_SET(qp_in, in, qpc.min_rnr_nak, 12);
	modify_qp(qp, i, MDX_OPCODE_INIT2RTR_QP);

	DEVX_SET(qp_in, in, qpc.path.ack_timeout, 14);
	DEVX_SET(qp_in, in, qpc.retry_count, 7);
	DEVX_SET(qp_in, in, qpc.rnr_retry, FOREVER);
	modify_qp(qp, i, MDX_OPCODE_RTR2RTS_QP);
}

static void create_all(void)
{
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_obj *qps[2];
	struct mlx5dv_devx_uar *uar;
	uint32_t pd, cqn;
	int i;

	umem = mlx5dv_devx_umem_reg(context, mem, MEM_LEN,
				    IBV_ACCESS_LOCAL_WRITE);
	if (!umem)
		fail_with("mlx5dv_devx_umem_reg", errno);
	uar = mlx5dv_devx_alloc_uar(context, MLX5DV_UAR_ALLOC_TYPE_NC);
	if (!uar)
		fail_with("mlx5dv_devx_alloc_uar", errno);
	doorbell = uar->reg_addr;
	state->uar_offset = uar->mmap_off;
	state->uar_reg = (char *)uar->reg_addr - (char *)uar->base_addr;
	create_obj(MDX_OPCODE_ALLOC_PD, DEVX_ST_SZ_BYTES(cmd_in), &pd);
	create_key(umem->umem_id, pd);
	cqn = create_cq(umem->umem_id, uar->page_id);
	for (i = 0; i < 2; i++)
		qps[i] = create_qp(i, umem->umem_id, uar->page_id, pd, cqn);
	for (i = 0; i < 2; i++)
		connect_qp(qps[i], i);
}

static void put_be32(uint8_t *p, uint32_t val)
{
	val = htobe32(val);
	memcpy(p, &val, sizeof(val));
}

static void put_data_segment(uint8_t *p, uint8_t *data)
{
	uint64_t addr = htobe64((uintptr_t)data);

	put_be32(p, DATA_LEN);
	put_be32(p + 4, state->key);
	memcpy(p + 8, &addr, sizeof(addr));
}

/* Write a doorbell record, after all that it is about. */
static void write_dbr(uint32_t at, uint32_t val)
{
	__atomic_store_n((uint32_t *)(mem + at), htobe32(val),
			 __ATOMIC_RELEASE);
}

/* A doorbell record becomes visible before the doorbell is written. */
static void write_barrier(void)
{
#ifdef __aarch64__
	__asm__ volatile("dmb oshst" ::: "memory");
#else
	__sync_synchronize();
#endif
}

/* Each QP sends from its own buffer and receives into it. */
static char *data_of(int i)
{
	return (char *)mem + DATA + i * DATA_LEN;
}

static void post_recv(int i)
{
	uint8_t *rq = mem + QP_BUF + i * QP_BUF_LEN;

	put_data_segment(rq + state->rq_pi[i] % QP_SIZE * RQ_STRIDE,
			 (uint8_t *)data_of(i));
	write_dbr(QP_DBR * (i + 1), ++state->rq_pi[i]);
}

static void post_send(int i, const char *text)
{
	uint8_t *wqe = mem + QP_BUF + i * QP_BUF_LEN + SQ_BUF +
		       state->pi[i] % QP_SIZE * BLOCK;
	uint64_t head;

	snprintf(data_of(i), DATA_LEN, "%s", text);
	memset(wqe, 0, BLOCK);
	put_be32(wqe, (uint32_t)state->pi[i] << 8 | OPCODE_SEND);
	put_be32(wqe + 4, state->qpn[i] << 8 | 2);
	wqe[11] = COMPLETION;
	put_data_segment(wqe + 16, (uint8_t *)data_of(i));
	write_dbr(QP_DBR * (i + 1) + 4, ++state->pi[i]);
	write_barrier();
	memcpy(&head, wqe, sizeof(head));
	__atomic_store_n(doorbell, head, __ATOMIC_RELEASE);
}

/* Wait for the next completion. */
static const uint8_t *next_cqe(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	const uint8_t *cqe = mem + CQ_BUF + state->ci % CQ_SIZE * BLOCK;
	uint8_t lap = state->ci / CQ_SIZE & 1;
	int tries = 20000;

	while (tries--) {
		uint8_t own = __atomic_load_n(cqe + 63, __ATOMIC_ACQUIRE);

		if (own >> 4 != CQE_INVALID && (own & 1) == lap) {
			state->ci++;
			write_dbr(CQ_DBR, state->ci & 0xffffff);
			return cqe;
		}
		nanosleep(&pause, NULL);
	}
	fail_with("completion", ETIMEDOUT);
	return NULL;
}

static void expect_cqe(uint8_t opcode, int i)
{
	const uint8_t *cqe = next_cqe();
	uint32_t qpn;

	memcpy(&qpn, cqe + 0x38, sizeof(qpn));
	qpn = be32toh(qpn) & 0xffffff;
	if (cqe[63] >> 4 == opcode && qpn == state->qpn[i])
		return;
	printf("completion 0x%x of QP 0x%06x\n", cqe[63] >> 4, qpn);
	exit(1);
}

/* Send a message to the other QP, which has posted a receive. */
static void send_message(const char *who, int from, const char *text)
{
	post_send(from, text);
	expect_cqe(CQE_RESP_SEND, !from);
	expect_cqe(CQE_REQ, from);
	printf("%s: QP %d received: %s\n", who, !from, data_of(!from));
}

static void map_memory(int fd)
{
	mem = mmap((void *)MEM_ADDR, MEM_LEN, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	if (mem != (void *)MEM_ADDR)
		fail_with("mmap", errno);
	state = (struct state *)(mem + STATE);
}

static void exec_successor(int memory)
{
	char cmd_arg[16], mdx_arg[16], memory_arg[16];
	char *const args[] = { "devx_restart", cmd_arg, mdx_arg, memory_arg,
			       NULL };
	int ret, mdx_fd;

	ret = mdx_context_fd(context, &mdx_fd);
	if (ret)
		fail_with("mdx_context_fd", ret);
	snprintf(cmd_arg, sizeof(cmd_arg), "%d", dup(context->cmd_fd));
	snprintf(mdx_arg, sizeof(mdx_arg), "%d", dup(mdx_fd));
	snprintf(memory_arg, sizeof(memory_arg), "%d", memory);
	fflush(stdout);
	execv("/proc/self/exe", args);
	fail_with("execv", errno);
}

static int run_predecessor(void)
{
	int memory = memfd_create("devx_restart", 0);

	if (memory < 0 || ftruncate(memory, MEM_LEN))
		fail_with("memfd_create", errno);
	map_memory(memory);
	context = open_device();
	create_all();
	post_recv(1);
	send_message("before", 0, "hello");
	/* This one is used after the exec. */
	post_recv(1);
	exec_successor(memory);
	return 1;
}

static void map_doorbell(void)
{
	char *page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_WRITE, MAP_SHARED,
			  context->cmd_fd, state->uar_offset);

	if (page == MAP_FAILED)
		fail_with("UAR", errno);
	doorbell = (uint64_t *)(page + state->uar_reg);
}

static void print_adopted(const struct mdx_adopted *adopted, uint32_t n)
{
	uint32_t i;

	printf("after: %u objects adopted:", n);
	for (i = 0; i < n; i++)
		printf(" %s", mdx_opcode_name(adopted[i].opcode));
	printf("\nafter: the QPs have their numbers: %s\n",
	       n == 5 && adopted[3].number == state->qpn[0] &&
	       adopted[4].number == state->qpn[1] ? "yes" : "no");
}

static int run_successor(int cmd_fd, int old_mdx_fd, int memory)
{
	struct mdx_adopted adopted[8];
	uint32_t n = 8;
	int ret;

	map_memory(memory);
	context = ibv_import_device(cmd_fd);
	if (!context)
		fail_with("ibv_import_device", errno);
	ret = mdx_adopt(context, 0, adopted, &n);
	if (ret)
		fail_with("mdx_adopt", ret);
	close(old_mdx_fd);
	print_adopted(adopted, n);
	map_doorbell();

	send_message("after", 0, "still here");
	post_recv(0);
	send_message("after", 1, "so am I");

	/* The newest one first, as each refers to older ones. */
	while (n--) {
		ret = mlx5dv_devx_obj_destroy(adopted[n].obj);
		if (ret)
			fail_with("mlx5dv_devx_obj_destroy", ret);
	}
	puts("after: all destroyed");
	ibv_close_device(context);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4)
		return run_successor(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	return run_predecessor();
}
