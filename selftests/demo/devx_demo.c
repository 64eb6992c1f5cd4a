// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * devx_demo - a tour of DEVX.
 *
 * Written against the man pages mlx5dv_devx_obj_create(3), mlx5dv_devx_umem_reg(3)
 * and mlx5dv_devx_alloc_uar(3), without knowledge of the driver that executes the
 * commands. Mailboxes are filled with the DEVX_SET() of mlx5dv.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mdx/mdx.h>

#include "hca_ctl.h"
#include "mbox_layout.h"

#define MEM_LEN (64 * 1024)
#define NO_SUCH_PD 0xfffff0
#define KERNEL_UID 0xffff	/* uid of objects that drivers share with all contexts */

/* Offsets in the memory that the device works on. */
enum {
	DBR_CQ = 0x000,
	DBR_QP = 0x040,
	BUF_CQ = 0x1000,
	BUF_QP = 0x8000,
	LOG_CQES = 6,
	LOG_WQES = 4,
};

struct demo {
	struct hca_ctl *hca;
	struct ibv_context *ctx;
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_uar *uar;
	void *mem;
	uint32_t eqn;
	struct mlx5dv_devx_obj *pd, *cq, *qp;
	uint32_t pdn, cqn, qpn;
	uint64_t in[64];
	uint64_t out[128];
};

static const char *status_name(uint8_t status)
{
	switch (status) {
	case STATUS_BAD_OP: return "no such command";
	case STATUS_BAD_PARAM: return "bad parameter";
	case STATUS_BAD_RES: return "bad resource";
	case STATUS_RES_BUSY: return "resource busy";
	case STATUS_BAD_RES_STATE: return "resource in the wrong state";
	case STATUS_BAD_QP_STATE: return "QP in the wrong state";
	default: return "see the device's manual";
	}
}

static void print_answer(const struct demo *d)
{
	uint8_t status = mbox_get32(d->out, 0) >> 24;

	printf("    status 0x%02x (%s), syndrome 0x%06x\n", status,
	       status_name(status), mbox_get32(d->out, 4));
}

static void exit_failed(const struct demo *d, const char *what)
{
	int err = errno;

	printf("%s: %s\n", what, strerror(err));
	if (err == EREMOTEIO)
		print_answer(d);
	exit(1);
}

/* Each command starts from zeroes, an opcode and the object's number. */
static void *start_command(struct demo *d, uint16_t opcode, uint32_t num)
{
	memset(d->in, 0, sizeof(d->in));
	memset(d->out, 0, sizeof(d->out));
	mbox_set32(d->in, 0, opcode << 16);
	mbox_set32(d->in, MBOX_HDR_ID, num);
	return d->in;
}

static struct mlx5dv_devx_obj *create_obj(struct demo *d, const char *what,
					  size_t inlen, uint32_t *num)
{
	struct mlx5dv_devx_obj *obj;

	obj = mlx5dv_devx_obj_create(d->ctx, d->in, inlen, d->out, 16);
	if (!obj)
		exit_failed(d, what);
	*num = mbox_get32(d->out, MBOX_HDR_ID) & 0xffffff;
	return obj;
}

static void open_device(struct demo *d)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX,
	};
	struct ibv_device **list = ibv_get_device_list(NULL);
	int i;

	for (i = 0; list && list[i]; i++)
		if (mlx5dv_is_supported(list[i]))
			break;
	if (!list || !list[i]) {
		puts("There is no mlx5 device.");
		exit(1);
	}
	d->ctx = mlx5dv_open_device(list[i], &attr);
	if (!d->ctx)
		exit_failed(d, "mlx5dv_open_device");
	printf("Opened %s with MLX5DV_CONTEXT_FLAGS_DEVX:\n    %s.\n",
	       ibv_get_device_name(list[i]), mdx_context_reason(d->ctx));
	ibv_free_device_list(list);
}

static void get_resources(struct demo *d)
{
	if (posix_memalign(&d->mem, 4096, MEM_LEN))
		exit_failed(d, "posix_memalign");
	memset(d->mem, 0, MEM_LEN);
	d->umem = mlx5dv_devx_umem_reg(d->ctx, d->mem, MEM_LEN,
				       IBV_ACCESS_LOCAL_WRITE);
	if (!d->umem)
		exit_failed(d, "mlx5dv_devx_umem_reg");
	d->uar = mlx5dv_devx_alloc_uar(d->ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	if (!d->uar)
		exit_failed(d, "mlx5dv_devx_alloc_uar");
	if (mlx5dv_devx_query_eqn(d->ctx, 0, &d->eqn))
		exit_failed(d, "mlx5dv_devx_query_eqn");
	printf("    %-28s umem 0x%x\n", "memory for queues, 64 KiB",
	       d->umem->umem_id);
	printf("    %-28s UAR  0x%x\n", "page of doorbells",
	       d->uar->page_id);
	printf("    %-28s EQ   0x%x\n", "completion events go to", d->eqn);
}

static void create_pd(struct demo *d)
{
	start_command(d, MLX5_CMD_OP_ALLOC_PD, 0);
	d->pd = create_obj(d, "ALLOC_PD", SZ(alloc_pd_in), &d->pdn);
	printf("    %-28s PD   0x%06x\n", "ALLOC_PD", d->pdn);
}

static void create_cq(struct demo *d)
{
	void *in = start_command(d, MLX5_CMD_OP_CREATE_CQ, 0);

	DEVX_SET(create_cq_in, in, cq_context.log_cq_size, LOG_CQES);
	DEVX_SET(create_cq_in, in, cq_context.uar_page, d->uar->page_id);
	DEVX_SET(create_cq_in, in, cq_context.c_eqn_or_apu_element, d->eqn);
	DEVX_SET(create_cq_in, in, cq_context.dbr_umem_valid, 1);
	DEVX_SET64(create_cq_in, in, cq_context.dbr_addr, DBR_CQ);
	DEVX_SET(create_cq_in, in, cq_umem_valid, 1);
	mbox_set32(in, MBOX_CREATE_CQ_DBR_UMEM_ID, d->umem->umem_id);
	mbox_set32(in, MBOX_CREATE_CQ_UMEM_ID, d->umem->umem_id);
	mbox_set64(in, MBOX_CREATE_CQ_UMEM_OFFSET, BUF_CQ);
	d->cq = create_obj(d, "CREATE_CQ", SZ(create_cq_in), &d->cqn);
	printf("    %-28s CQ   0x%06x\n", "CREATE_CQ, 64 entries", d->cqn);
}

static void fill_qp(struct demo *d, uint32_t pdn)
{
	void *in = start_command(d, MLX5_CMD_OP_CREATE_QP, 0);

	DEVX_SET(create_qp_in, in, qpc.pm_state, MLX5_QPC_PM_STATE_MIGRATED);
	DEVX_SET(create_qp_in, in, qpc.pd, pdn);
	DEVX_SET(create_qp_in, in, qpc.uar_page, d->uar->page_id);
	DEVX_SET(create_qp_in, in, qpc.cqn_snd, d->cqn);
	DEVX_SET(create_qp_in, in, qpc.cqn_rcv, d->cqn);
	DEVX_SET(create_qp_in, in, qpc.log_sq_size, LOG_WQES);
	DEVX_SET(create_qp_in, in, qpc.log_rq_size, LOG_WQES);
	DEVX_SET(create_qp_in, in, qpc.dbr_umem_valid, 1);
	DEVX_SET64(create_qp_in, in, qpc.dbr_addr, DBR_QP);
	mbox_set32(in, MBOX_CREATE_QP_DBR_UMEM_ID, d->umem->umem_id);
	mbox_set32(in, MBOX_CREATE_QP_WQ_UMEM_VALID, MBOX_UMEM_VALID);
	mbox_set32(in, MBOX_CREATE_QP_WQ_UMEM_ID, d->umem->umem_id);
	mbox_set64(in, MBOX_CREATE_QP_WQ_UMEM_OFFSET, BUF_QP);
}

static void create_qp(struct demo *d)
{
	fill_qp(d, d->pdn);
	d->qp = create_obj(d, "CREATE_QP", SZ(create_qp_in), &d->qpn);
	printf("    %-28s QP   0x%06x\n", "CREATE_QP, reliable", d->qpn);
}

static const char *qp_state(uint32_t state)
{
	static const char *const name[] = {
		"RESET", "INIT", "RTR", "RTS", "SQ ERROR", "SQ DRAINED",
		"ERROR",
	};

	return state < 7 ? name[state] : "unknown";
}

static void query_qp(struct demo *d)
{
	void *in = start_command(d, MLX5_CMD_OP_QUERY_QP, d->qpn);
	void *out = d->out;

	if (mlx5dv_devx_obj_query(d->qp, in, SZ(query_qp_in), out, 464))
		exit_failed(d, "QUERY_QP");
	printf("    state %-7s pd 0x%x  cq 0x%x  sq %u x 64 B  rq %u x %u B",
	       qp_state(DEVX_GET(query_qp_out, out, qpc.state)),
	       DEVX_GET(query_qp_out, out, qpc.pd),
	       DEVX_GET(query_qp_out, out, qpc.cqn_snd),
	       1U << DEVX_GET(query_qp_out, out, qpc.log_sq_size),
	       1U << DEVX_GET(query_qp_out, out, qpc.log_rq_size),
	       16U << DEVX_GET(query_qp_out, out, qpc.log_rq_stride));
	if (DEVX_GET(query_qp_out, out, qpc.remote_qpn))
		printf("  peer 0x%x", DEVX_GET(query_qp_out, out,
					       qpc.remote_qpn));
	putchar('\n');
}

static void modify_qp(struct demo *d, const char *what, size_t inlen)
{
	if (mlx5dv_devx_obj_modify(d->qp, d->in, inlen, d->out, 16))
		exit_failed(d, what);
	printf("  %s\n", what);
	query_qp(d);
}

/* The peer is the QP itself: one port is enough for a tour. */
static void walk_qp(struct demo *d)
{
	union ibv_gid gid;
	void *in;

	puts("  after CREATE_QP");
	query_qp(d);

	in = start_command(d, MLX5_CMD_OP_RST2INIT_QP, d->qpn);
	DEVX_SET(rst2init_qp_in, in, qpc.pm_state, MLX5_QPC_PM_STATE_MIGRATED);
	DEVX_SET(rst2init_qp_in, in, qpc.primary_address_path.vhca_port_num,
		 1);
	modify_qp(d, "RST2INIT_QP", SZ(rst2init_qp_in));

	in = start_command(d, MLX5_CMD_OP_INIT2RTR_QP, d->qpn);
	DEVX_SET(init2rtr_qp_in, in, qpc.mtu, 3);
	DEVX_SET(init2rtr_qp_in, in, qpc.log_msg_max, 30);
	DEVX_SET(init2rtr_qp_in, in, qpc.remote_qpn, d->qpn);
	DEVX_SET(init2rtr_qp_in, in, qpc.min_rnr_nak, 12);
	DEVX_SET(init2rtr_qp_in, in, qpc.primary_address_path.vhca_port_num,
		 1);
	DEVX_SET(init2rtr_qp_in, in, qpc.primary_address_path.hop_limit, 64);
	if (!ibv_query_gid(d->ctx, 1, 0, &gid))
		memcpy(DEVX_ADDR_OF(init2rtr_qp_in, in,
				    qpc.primary_address_path.rgid_rip), &gid,
		       sizeof(gid));
	modify_qp(d, "INIT2RTR_QP", SZ(init2rtr_qp_in));

	in = start_command(d, MLX5_CMD_OP_RTR2RTS_QP, d->qpn);
	DEVX_SET(rtr2rts_qp_in, in, qpc.retry_count, 7);
	DEVX_SET(rtr2rts_qp_in, in, qpc.rnr_retry, 7);
	DEVX_SET(rtr2rts_qp_in, in, qpc.primary_address_path.ack_timeout, 14);
	DEVX_SET(rtr2rts_qp_in, in, qpc.primary_address_path.vhca_port_num, 1);
	modify_qp(d, "RTR2RTS_QP", SZ(rtr2rts_qp_in));
}

/* At most one event for 32 completions or 100 microseconds. */
static void moderate_cq(struct demo *d)
{
	void *in = start_command(d, MLX5_CMD_OP_MODIFY_CQ, d->cqn);

	mbox_set32(in, MBOX_HDR_ID + 4, 3);
	DEVX_SET(modify_cq_in, in, cq_context.cq_period, 100);
	DEVX_SET(modify_cq_in, in, cq_context.cq_max_count, 32);
	if (mlx5dv_devx_obj_modify(d->cq, in, SZ(modify_cq_in), d->out, 16))
		exit_failed(d, "MODIFY_CQ");
	in = start_command(d, MLX5_CMD_OP_QUERY_CQ, d->cqn);
	if (mlx5dv_devx_obj_query(d->cq, in, 16, d->out, SZ(query_cq_out)))
		exit_failed(d, "QUERY_CQ");
	printf("    one event per %u completions or %u us\n",
	       DEVX_GET(query_cq_out, d->out, cq_context.cq_max_count),
	       DEVX_GET(query_cq_out, d->out, cq_context.cq_period));
}

static void show_errors(struct demo *d)
{
	fill_qp(d, NO_SUCH_PD);
	if (mlx5dv_devx_obj_create(d->ctx, d->in, SZ(create_qp_in), d->out,
				   16))
		exit_failed(d, "CREATE_QP worked on a PD that does not exist");
	printf("  CREATE_QP on PD 0x%x, which does not exist: %s\n", NO_SUCH_PD,
	       strerror(errno));
	if (errno == EREMOTEIO)
		print_answer(d);

	printf("  DEALLOC_PD while the QP uses it: %s\n",
	       strerror(mlx5dv_devx_obj_destroy(d->pd)));

	start_command(d, MLX5_CMD_OP_CREATE_QP, 0);
	printf("  CREATE_QP as a general command: %s\n",
	       strerror(mlx5dv_devx_general_cmd(d->ctx, d->in,
						SZ(create_qp_in), d->out,
						16)));
	puts("    refused by the kernel: the device has not seen it");
}

/* The control port of a software ConnectX knows the uid; 0 on a real device. */
static uint16_t show_uid(struct demo *d)
{
	uint8_t in[16];

	if (!d->hca || hca_last(d->hca, MLX5_CMD_OP_ALLOC_PD, in, 16) != 16)
		return 0;
	return in[2] << 8 | in[3];
}

/* The objects in the device's answer that belong to @uid; 0: to any program. */
static void show_objects(struct demo *d, int uid)
{
	char *line, *save = NULL;
	int column = 0;

	printf("   ");
	for (line = strtok_r(d->hca->answer, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char type[32];
		int id, owner;

		if (sscanf(line, "live %31s %i %i", type, &id, &owner) != 3)
			continue;
		if (uid ? owner != uid : !owner || owner == KERNEL_UID)
			continue;
		if (column && !(column % 6))
			printf("\n   ");
		printf(" %s 0x%x", type, id);
		column++;
	}
	puts(column ? "" : " nothing");
}

static void show_live(struct demo *d, uint16_t uid)
{
	if (!uid || hca_cmd(d->hca, "live 0x%x", uid))
		return;
	printf("  The device holds for uid 0x%04x:\n", uid);
	show_objects(d, uid);
}

/* devx_demo held: the objects that all programs together left in the device. */
static int show_held(struct demo *d)
{
	if (!d->hca || hca_cmd(d->hca, "live")) {
		puts("Only a software ConnectX lists its objects.");
		return 0;
	}
	puts("The device holds for programs:");
	show_objects(d, 0);
	return 0;
}

static void destroy_obj(struct demo *d, const char *what,
			struct mlx5dv_devx_obj *obj)
{
	if (mlx5dv_devx_obj_destroy(obj))
		exit_failed(d, what);
	printf("    %s\n", what);
}

int main(int argc, char **argv)
{
	static struct demo demo;
	struct demo *d = &demo;
	uint16_t uid;

	setvbuf(stdout, NULL, _IOLBF, 0);
	d->hca = hca_open();
	if (argc > 1 && !strcmp(argv[1], "held"))
		return show_held(d);
	open_device(d);
	get_resources(d);

	puts("\nCreate a PD, a CQ and a QP:");
	create_pd(d);
	create_cq(d);
	create_qp(d);
	uid = show_uid(d);
	show_live(d, uid);

	puts("\nThe QP, queried in each state up to RTS:");
	walk_qp(d);

	puts("\nThe CQ with its events moderated (MODIFY_CQ, QUERY_CQ):");
	moderate_cq(d);

	puts("\nErrors, of the device and of the kernel:");
	show_errors(d);

	puts("\nDestroy all of them:");
	destroy_obj(d, "DESTROY_QP", d->qp);
	destroy_obj(d, "DESTROY_CQ", d->cq);
	destroy_obj(d, "DEALLOC_PD", d->pd);
	mlx5dv_devx_free_uar(d->uar);
	if (mlx5dv_devx_umem_dereg(d->umem))
		exit_failed(d, "mlx5dv_devx_umem_dereg");
	if (ibv_close_device(d->ctx))
		exit_failed(d, "ibv_close_device");
	free(d->mem);
	show_live(d, uid);
	hca_close(d->hca);
	return 0;
}
