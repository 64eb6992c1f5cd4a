// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A hostile guest and a hostile vfio-user client, for libFuzzer. An input is a
 * program of a few operations; each imitates a driver or QEMU, with some wrong
 * bytes. The device is the real one, with two connected QPs, a CQ, an EQ and
 * keys.
 */
#include <dirent.h>
#include <linux/vfio.h>
#include <sys/mman.h>

#include "fuzz_client.h"

enum {
	MAX_OPS = 64,
	MAX_TEMPLATES = 48,
	TEMPLATE = 1024,	/* bytes of a mailbox that a template holds */
	QUEUE_PAGE = GUEST,
	MAILBOX_PAGES = GUEST + PAGE,
	BLOCK_STEP = 1024,
	MAX_BLOCKS = 24,		/* blocks of each mailbox */
	OUT_PAGES = MAILBOX_PAGES + MAX_BLOCKS * BLOCK_STEP,
	WORLD = GUEST + 16 * PAGE,
	USED = 96 * PAGE,	/* memory that is cleared for each input */
	TOKEN = 0x5a,
};

static struct tq a, b;
static u64 payload;

/* Templates: commands that succeeded. */
static struct {
	u8 in[TEMPLATE];
	size_t len;
} templates[MAX_TEMPLATES];
static unsigned int nr_templates;

static void keep_template(size_t len)
{
	if (nr_templates == MAX_TEMPLATES)
		return;
	memcpy(templates[nr_templates].in, in, TEMPLATE);
	templates[nr_templates++].len = len;
}

/* Operations of a client */

static void op_raw_message(void)
{
	u8 data[64];
	size_t len = take_uint(1) % (sizeof(data) + 1);
	u16 cmd = (u16)(take_uint(1) % 20);
	u32 flags = take_uint(1) % 8 ? 0 : take_uint(1);

	take_bytes(data, len);
	send_msg_as(cmd, flags, data, len, NULL, 0);
}

/* Part of a message, or one with a wrong length. */
static void op_broken_message(void)
{
	struct vfu_hdr hdr = {
		.cmd = (u16)(take_uint(1) % 20), .size = take_uint(2),
		.flags = take_uint(1),
	};
	int fds[4] = { guest_fd, irq_fd, guest_fd, irq_fd };

	send_bytes(&hdr, 1 + take_uint(1) % sizeof(hdr), fds, take_uint(1) % 5);
	drain_answers();
	/* The next message continues this one, or is refused. */
}

static void op_dma(void)
{
	struct { u32 argsz, flags; u64 offset, addr, size; } m = {
		sizeof(m), 3, (u64)(take_uint(1) % 20) << 12,
		0x10000000 + ((u64)(take_uint(1) % 20) << 12),
		(u64)(take_uint(1) % 20) << 12,
	};
	struct { u32 argsz, flags; u64 addr, size; } u = {
		sizeof(u), take_uint(1) % 8 ? 0 : 2, m.addr, m.size,
	};
	int fd = take_uint(1) % 8 ? guest_fd : irq_fd;

	if (take_uint(1) % 3 == 0) {
		mutate_bytes((u8 *)&u, sizeof(u));
		send_msg(3, &u, sizeof(u), NULL, 0);
	} else {
		mutate_bytes((u8 *)&m, sizeof(m));
		send_msg(2, &m, sizeof(m), &fd, take_uint(1) % 8 != 0);
	}
}

static void op_region(void)
{
	static const u64 offsets[] = {
		0, 0x10, 0x18, 0x1fc, 0x200, 0x1000, 0x2000, 0x3000, 0x10000,
		0x10020, 0x10040, 0x10800, 0x10a00, PCI_BAR_SIZE - 8, ~7ULL,
	};
	struct { u64 off; u32 region, count; u8 data[80]; } m = {
		.off = offsets[take_uint(1) % ARRAY_SIZE(offsets)] +
		       take_uint(1) % 16,
		.region = take_uint(1) % 4 ? 0 : VFIO_PCI_CONFIG_REGION_INDEX,
		.count = take_uint(1) % sizeof(m.data),
	};
	bool write = take_uint(1) % 3;

	if (m.region)
		m.off = take_uint(2) % 0x1004;
	take_bytes(m.data, m.count < 16 ? m.count : 16);
	if (take_uint(1) % 8 == 0)
		mutate_bytes((u8 *)&m, 16);
	send_msg(write ? 10 : 9, &m, write ? 16 + m.count % 80 : 16, NULL, 0);
}

static void op_irqs(void)
{
	struct { u32 argsz, flags, index, start, count; u8 bools[8]; } m = {
		20, VFIO_IRQ_SET_ACTION_TRIGGER, VFIO_PCI_MSIX_IRQ_INDEX,
		take_uint(1), take_uint(1) % 20, { 1, 1, 1, 1, 1, 1, 1, 1 },
	};
	int fds[16], i;
	unsigned int type = take_uint(1) % 3;

	m.flags |= type ? type == 1 ? VFIO_IRQ_SET_DATA_EVENTFD :
		   VFIO_IRQ_SET_DATA_BOOL : VFIO_IRQ_SET_DATA_NONE;
	for (i = 0; i < 16; i++)
		fds[i] = irq_fd;
	mutate_bytes((u8 *)&m, 20);
	send_msg(8, &m, type == 2 ? 28 : 20, fds, type == 1 ? m.count % 17 : 0);
}

static void op_reset(void)
{
	send_msg(13, NULL, 0, NULL, 0);
	add_memory();
}

/* Operations of a guest */

static void op_poke(void)
{
	u64 gpa = GUEST + take_uint(3) % (USED - 64);
	u8 n = (u8)(take_uint(1) % 64);

	take_bytes(ram_at(gpa), n);
}

static void put_chain(u64 base, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n && i < MAX_BLOCKS; i++) {
		u8 *block = ram_at(base + i * BLOCK_STEP);

		memset(block + 0x200, 0, 64);
		if (i + 1 < n)
			put_be64(block + 0x230, base + (i + 1) * BLOCK_STEP);
		put_be32(block + 0x238, i);
		block[0x23d] = TOKEN;
	}
}

static void put_input(const u8 *mbox, size_t len)
{
	size_t i;

	for (i = 0; 16 + 512 * i < len && i < MAX_BLOCKS; i++)
		memcpy(ram_at(MAILBOX_PAGES + i * BLOCK_STEP),
		       mbox + 16 + 512 * i, 512);
}

/*
 * Queue a mailbox of @len bytes as a driver does, with wrong bytes in the entry
 * and in the chains of blocks.
 */
static void queue_command(u8 *mbox, size_t len, size_t out_len)
{
	unsigned int slot = take_uint(1) % 32;
	u8 *e = ram_at(QUEUE_PAGE + slot * 64);
	u8 how = (u8)take_uint(1);

	put_chain(MAILBOX_PAGES, (unsigned int)mailbox_blocks(len));
	put_chain(OUT_PAGES, (unsigned int)mailbox_blocks(out_len));
	put_input(mbox, len);
	memset(e, 0, 64);
	e[0] = 7;
	put_be32(e + 0x04, (u32)len);
	put_be64(e + 0x08, len > 16 ? MAILBOX_PAGES : 0);
	memcpy(e + 0x10, mbox, 16);
	put_be64(e + 0x30, out_len > 16 ? OUT_PAGES : 0);
	put_be32(e + 0x38, (u32)out_len);
	e[0x3c] = TOKEN;
	e[0x3f] = 1;
	if (how % 8 == 0)
		mutate_bytes(e, 64);
	if (how % 16 == 1)
		mutate_bytes(ram_at(MAILBOX_PAGES) + 0x200, 64);
	if (how % 16 == 2)
		mutate_bytes(ram_at(OUT_PAGES) + 0x200, 64);
	write_doorbell(0x10, 0, QUEUE_PAGE);
	put_be32(mbox, how % 32 == 3 ? 0xffffffff : 1U << slot);
	bar_write(&hca, 0x18, mbox, 4);
	run_loop(1);
}

static u8 mailbox[16 + 512 * MAX_BLOCKS + TEMPLATE];

/* A template with wrong bytes and lengths. */
static void op_command_again(void)
{
	unsigned int i = take_uint(1) % nr_templates;
	size_t len = templates[i].len;

	memset(mailbox, 0, sizeof(mailbox));
	memcpy(mailbox, templates[i].in, TEMPLATE);
	mutate_bytes(mailbox, len);
	if (take_uint(1) % 8 == 0)
		len = 16 + take_uint(2) % 8192;
	queue_command(mailbox, len, take_uint(1) % 8 ? 1024 :
		      8 + take_uint(2) % 8192);
}

/* A command of the table that addresses any small number. */
static void op_command(void)
{
	const struct fw_cmd *cmd = fw_cmd_row(take_uint(1));
	size_t len;

	memset(mailbox, 0, sizeof(mailbox));
	if (!cmd)
		return;
	len = cmd->in + take_uint(1) % 64 * 8;
	prm_set(mailbox, 0, 16, cmd->opcode);
	if (cmd->id_width)
		prm_set(mailbox, cmd->id_bit, cmd->id_width, take_uint(1));
	mutate_bytes(mailbox + 4, len - 4);
	queue_command(mailbox, len, cmd->out + take_uint(1) % 64 * 8);
}

/* A work request of two connected QPs. */
static void op_work(void)
{
	static const u8 opcodes[] = {
		NOP, SEND_INVAL, WRITE, WRITE_IMM, SEND, SEND_IMM, READ,
		ATOMIC_CS, ATOMIC_FA, LOCAL_INVAL, UMR,
	};
	struct tq *q = take_uint(1) % 2 ? &a : &b;
	unsigned int n = 1 + take_uint(1) % 4;
	u32 len = take_uint(1) % 2 ? take_uint(1) : take_uint(2);
	u8 *w;

	post_recv(q == &a ? &b : &a, 4096, lkey, payload);
	wqe_begin(q, opcodes[take_uint(1) % sizeof(opcodes)], SIGNALED,
		  take_uint(1));
	while (n--) {
		if (take_uint(1) % 2)
			wqe_raddr(q, payload + take_uint(1), lkey);
		else
			wqe_data(q, len, lkey, payload + take_uint(1));
	}
	w = wqe_room(q, 0);
	wqe_end(q);
	/* Change the copy in the queue, which the device reads. */
	w = ram_at(q->buf + RQ_BYTES + (q->pi - 1U) % (1 << LOG_SQ) * 64U);
	mutate_bytes(w, 64);
	if (take_uint(1) % 8 == 0)
		mutate_bytes(ram_at(q->buf), RQ_BYTES);
	if (take_uint(1) % 8 == 0)
		q->pi = (u16)take_uint(2);
	if (take_uint(1) % 4 == 0)
		bar_write(&hca, (u64)uar * PAGE + 0x800, w, 64);
	else
		ring_sq(q);
	run_loop(2);
}

static void op_doorbell(void)
{
	static const u32 regs[] = { 0x20, 0x40, 0x48, 0x800, 0x900, 0x804 };
	u64 off = (u64)(take_uint(1) % 4 ? uar : 16 + take_uint(1) % 32) * PAGE;

	write_doorbell(off + regs[take_uint(1) % ARRAY_SIZE(regs)],
		       take_uint(4), take_uint(1) % 2 ? a.num << 8 :
		       take_uint(4));
	run_loop(1);
}

/* Operations of the control protocol. */
static void op_control(void)
{
	struct script_rule *rule;
	u8 answer[32];

	switch (take_uint(1) % 7) {
	case 0:
		hca_internal_error(&hca, true);
		break;
	case 1:
		hca_internal_error(&hca, false);
		break;
	case 2:
		cmdq_set_workers(&hca, 1 + take_uint(1) % 32);
		break;
	case 3:
		cmdq_complete_dropped(&hca, false);
		break;
	case 4:
		rule = &hca.script.rules[take_uint(1) << 4 & 0xfff];
		rule->drop = take_uint(1) % 4;
		break;
	case 5:
		hca.script.delay_us = take_uint(1) % 4;
		break;
	case 6:
		rule = &hca.script.rules[take_uint(2) & 0xfff];
		take_bytes(answer, sizeof(answer));
		if (!script_set_answer(rule, answer, take_uint(1) % 33, 1))
			abort();
		break;
	}
}

static void make_world(void)
{
	ram_next = WORLD;
	nr_templates = 0;
	simple_cmd(MLX5_CMD_OP_ENABLE_HCA);
	simple_cmd(MLX5_CMD_OP_INIT_HCA);
	uar = simple_cmd(MLX5_CMD_OP_ALLOC_UAR);
	pd = simple_cmd(MLX5_CMD_OP_ALLOC_PD);
	keep_template(16);
	xrcd = simple_cmd(MLX5_CMD_OP_ALLOC_XRCD);
	keep_template(16);
	make_eq();
	keep_template(0x118);
	make_cq(&cq, 6, 64);
	keep_template(0x120);
	make_umem(alloc_pages(2), 2);
	keep_template(PRM_SZ(create_umem_in) + 16);
	payload = alloc_pages(4);
	make_mkey(ANY_ACCESS, payload, payload, 4);
	keep_template(0x110 + 32);
	lkey = make_pa_mkey(ANY_ACCESS);
	keep_template(0x110);
	make_qp(&a, ST_RC);
	keep_template(0x118);
	make_qp(&b, ST_RC);
	to_rtr(&a, b.num);
	keep_template(272);
	to_rtr(&b, a.num);
	to_rts(&a, 7);
	keep_template(272);
	to_rts(&b, 7);
	qp_state(&a);
	keep_template(16);
	fill_qp(&(struct tq){}, ST_UD);
	prm_set(in, 0, 16, MLX5_CMD_OP_CREATE_QP);
	keep_template(0x118);
}

static void begin_input(void)
{
	static bool ready;
	struct hca_conf conf = {
		.device_id = 0x1019, .fw.mac = { 2, 0, 0, 0, 0, 1 },
	};

	if (!ready) {
		log_open("/dev/null");
		ram = calloc(1, GUEST_SIZE);
		irq_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		guest_fd = memfd_create("guest", MFD_CLOEXEC);
		if (!ram || irq_fd < 0 || ftruncate(guest_fd, 16 * PAGE) ||
		    loop_init(&loop) || hca_init(&hca, &loop, &conf) ||
		    vdev_init(&vfu, &hca))
			abort();
		ready = true;
	}
	memset(ram, 0, USED);
	hca.cmdq.workers = 1;
	hca.script.delay_us = 0;
	attach_client();
	send_msg(1, version, sizeof(version), NULL, 0);
	add_memory();
	make_world();
}

static unsigned int open_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* A client leaves no memory mapping and no descriptor behind. */
static void end_input(void)
{
	static unsigned int fds;
	unsigned int now;

	vfu_detach(&vfu);
	close(client);
	client = -1;
	run_loop(2);
	now = open_fds();
	if (hca.mem.nr || (fds && now != fds) || tap_failed)
		abort();
	fds = now;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const ops[])(void) = {
		op_raw_message, op_broken_message, op_dma, op_region, op_irqs,
		op_reset, op_poke, op_command_again, op_command_again,
		op_command, op_command, op_work, op_work, op_doorbell,
		op_control, op_poke,
	};
	unsigned int n;

	begin_input();
	bytes = data;
	left = size;
	for (n = 0; left && n < MAX_OPS; n++)
		ops[take_uint(1) % ARRAY_SIZE(ops)]();
	end_input();
	return 0;
}
