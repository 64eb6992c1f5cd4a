// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "hca.h"
#include "log.h"
#include "personality.h"

/* Offsets and values of a queue entry. */
enum {
	CQE_TYPE = 0x00,
	CQE_IN_LEN = 0x04,
	CQE_IN_PTR = 0x08,
	CQE_IN = 0x10,
	CQE_OUT = 0x20,
	CQE_OUT_PTR = 0x30,
	CQE_OUT_LEN = 0x38,
	CQE_TOKEN = 0x3c,
	CQE_STATUS = 0x3f,
	CQE_SIZE = 0x40,
	TYPE_PCI = 7,
	OWNER_HW = 1,
	MIN_OUT = 8,
};

/**
 * struct cmd - a command
 * @hca: device
 * @next: next in cmdq::waiting
 * @timer: its latency
 * @gpa: address of its entry
 * @slot: number of its slot
 * @token: token of its mailboxes
 * @delivery: delivery status
 * @dropped: executed, and not to be completed
 * @working: holds a worker
 * @eq: EQ that it created; its own completion is not reported there
 * @in: input mailbox
 * @in_len: length of @in
 * @out: output mailbox
 * @out_len: length of @out
 * @blocks: addresses of the blocks of @out
 */
struct cmd {
	struct hca *hca;
	struct cmd *next;
	struct timer timer;
	uint64_t gpa;
	unsigned int slot;
	uint8_t token;
	enum delivery delivery;
	bool dropped;
	bool working;
	uint8_t eq;
	uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t out_len;
	uint64_t *blocks;
};

void cmdq_init(struct cmdq *q)
{
	*q = (struct cmdq){ .workers = 1 };
}

static uint16_t cmd_opcode(const struct cmd *cmd)
{
	return cmd->in ? get_be16(cmd->in) : 0;
}

static void cmd_free(struct cmd *cmd)
{
	struct cmdq *q = &cmd->hca->cmdq;
	struct cmd **p;

	for (p = &q->waiting; *p; p = &(*p)->next) {
		if (*p == cmd) {
			*p = cmd->next;
			break;
		}
	}
	if (cmd->working)
		q->busy--;
	if (q->slot[cmd->slot] == cmd)
		q->slot[cmd->slot] = NULL;
	timer_cancel(cmd->hca->loop, &cmd->timer);
	free(cmd->in);
	free(cmd->out);
	free(cmd->blocks);
	free(cmd);
}

void cmdq_reset(struct hca *hca)
{
	unsigned int i;

	for (i = 0; i < CMDQ_SLOTS; i++) {
		if (hca->cmdq.slot[i])
			cmd_free(hca->cmdq.slot[i]);
	}
}

/* Read the mailboxes of the entry @cqe. */
static enum delivery fetch_mailboxes(struct cmd *cmd, const uint8_t *cqe)
{
	struct mem *mem = &cmd->hca->mem;
	enum delivery ret;

	if (cqe[CQE_TYPE] != TYPE_PCI)
		return DELIVERY_DESCRIPTOR;
	cmd->in_len = get_be32(cqe + CQE_IN_LEN);
	if (cmd->in_len < MAILBOX_INLINE || cmd->in_len > MAILBOX_MAX)
		return DELIVERY_IN_LENGTH;
	cmd->out_len = get_be32(cqe + CQE_OUT_LEN);
	if (cmd->out_len < MIN_OUT || cmd->out_len > MAILBOX_MAX)
		return DELIVERY_OUT_LENGTH;
	cmd->in = malloc(cmd->in_len);
	cmd->out = calloc(1, cmd->out_len < MAILBOX_INLINE ?
			     MAILBOX_INLINE : cmd->out_len);
	cmd->blocks =
		calloc(mailbox_blocks(cmd->out_len) + 1, sizeof(*cmd->blocks));
	if (!cmd->in || !cmd->out || !cmd->blocks)
		return DELIVERY_FW;
	memcpy(cmd->in, cqe + CQE_IN, MAILBOX_INLINE);
	ret = mailbox_read(mem, get_be64(cqe + CQE_IN_PTR), cmd->token,
			   cmd->in + MAILBOX_INLINE, cmd->in_len);
	if (ret)
		return ret;
	return mailbox_walk(mem, get_be64(cqe + CQE_OUT_PTR), cmd->token,
			    cmd->blocks, cmd->out_len);
}

/* The order is that of real hardware: output, ownership, event, MSI-X. */
static void cmd_complete(struct cmd *cmd)
{
	struct hca *hca = cmd->hca;
	uint8_t data[28] = {};

	if (!cmd->delivery)
		cmd->delivery =
			mailbox_write(&hca->mem, cmd->blocks, cmd->token,
				      cmd->out + MAILBOX_INLINE, cmd->out_len);
	if (!cmd->delivery &&
	    mem_write(&hca->mem, cmd->gpa + CQE_OUT, cmd->out, MAILBOX_INLINE))
		cmd->delivery = DELIVERY_FW;
	mem_store_release(&hca->mem, cmd->gpa + CQE_STATUS,
			  (uint8_t)(cmd->delivery << 1));
	put_be32(data, 1U << cmd->slot);
	eq_event(hca, EVENT_CMD, 0, data, cmd->eq);
	cmd_free(cmd);
}

static void cmd_log(const struct cmd *cmd)
{
	const char *name = fw_opcode_name(cmd_opcode(cmd));

	log_trace("slot %2u: 0x%03x %s uid %u op_mod 0x%x in %zu out %zu: "
		  "status 0x%02x syndrome 0x%06x%s", cmd->slot,
		  cmd_opcode(cmd), name ? name : "?",
		  get_be16(cmd->in + 2), get_be16(cmd->in + 6), cmd->in_len,
		  cmd->out_len, cmd->out[0], get_be32(cmd->out + 4),
		  cmd->dropped ? ", dropped" : "");
}

static void cmd_execute(struct cmd *cmd)
{
	struct hca *hca = cmd->hca;
	struct script_rule *rule = &hca->script.rules[cmd_opcode(cmd)];

	if (script_take(&rule->transport)) {
		cmd->delivery = rule->error;
		return;
	}
	if (script_take(&rule->fail)) {
		cmd->out[0] = rule->status;
		put_be32(cmd->out + 4, rule->syndrome);
	} else if (!script_answer(rule, cmd->out, cmd->out_len)) {
		hca->cmdq.created_eq = 0;
		fw_exec(hca->fw, cmd->in, cmd->in_len, cmd->out, cmd->out_len);
		if (hca->conf.fw.personality)
			personality_refusal(hca->conf.fw.personality, cmd->in,
					    cmd->out);
		cmd->eq = hca->cmdq.created_eq;
	}
	cmd->dropped = script_take(&rule->drop);
	cmd_log(cmd);
}

static void start_waiting(struct hca *hca);

static void cmd_run(void *arg)
{
	struct cmd *cmd = arg;
	struct hca *hca = cmd->hca;

	/* During a fatal error, commands are neither executed nor completed. */
	if (hca->internal_error) {
		cmd->dropped = true;
		cmd->delivery = DELIVERY_FW;
	} else if (!cmd->delivery) {
		cmd_execute(cmd);
	}
	if (!cmd->dropped) {
		cmd_complete(cmd);
	} else if (cmd->working) {
		cmd->working = false;
		hca->cmdq.busy--;
	}
	start_waiting(hca);
}

static void cmd_start(struct cmd *cmd)
{
	struct hca *hca = cmd->hca;
	uint64_t delay = cmd->delivery ? 0 :
			 script_delay(&hca->script, cmd_opcode(cmd));

	cmd->timer.fn = cmd_run;
	cmd->timer.arg = cmd;
	if (delay)
		timer_set(hca->loop, &cmd->timer, delay);
	else
		cmd_run(cmd);
}

/* Let free workers start waiting commands. */
static void start_waiting(struct hca *hca)
{
	struct cmdq *q = &hca->cmdq;

	while (q->waiting && q->busy < q->workers) {
		struct cmd *cmd = q->waiting;

		q->waiting = cmd->next;
		cmd->next = NULL;
		cmd->working = true;
		q->busy++;
		cmd_start(cmd);
	}
}

static void cmd_enqueue(struct cmd *cmd)
{
	struct cmdq *q = &cmd->hca->cmdq;
	struct cmd **p;

	q->slot[cmd->slot] = cmd;
	/* The page queue has its own worker: page requests must not wait. */
	if (cmd->slot == CMDQ_PAGE_SLOT) {
		cmd_start(cmd);
		return;
	}
	for (p = &q->waiting; *p; p = &(*p)->next)
		;
	*p = cmd;
}

/* Returns false if there is no queue. */
static bool cmd_fetch(struct hca *hca, uint64_t gpa, unsigned int slot)
{
	struct cmd *old = hca->cmdq.slot[slot];
	uint8_t cqe[CQE_SIZE], status;
	struct cmd *cmd;

	if (mem_load_acquire(&hca->mem, gpa + CQE_STATUS, &status) ||
	    mem_read(&hca->mem, gpa, cqe, sizeof(cqe))) {
		log_warn("no command queue at 0x%llx", (unsigned long long)gpa);
		return false;
	}
	if (!(status & OWNER_HW) || (old && !old->dropped)) {
		log_warn("doorbell of slot %u, which software owns", slot);
		return true;
	}
	/*
	 * The driver timed out and reuses the slot: the old command must not
	 * complete.
	 */
	if (old)
		cmd_free(old);
	cmd = calloc(1, sizeof(*cmd));
	if (!cmd)
		return true;
	*cmd = (struct cmd){
		.hca = hca, .gpa = gpa, .slot = slot, .token = cqe[CQE_TOKEN],
	};
	cmd->delivery = fetch_mailboxes(cmd, cqe);
	if (cmd->delivery)
		log_warn("slot %u: delivery status 0x%02x", slot,
			 cmd->delivery);
	else
		script_seen(&hca->script, cmd_opcode(cmd), cmd->in,
			    cmd->in_len);
	cmd_enqueue(cmd);
	return true;
}

void cmdq_doorbell(struct hca *hca, uint64_t gpa, uint32_t slots)
{
	unsigned int i;

	for (i = 0; i < CMDQ_SLOTS; i++) {
		if (slots & 1U << i &&
		    !cmd_fetch(hca, gpa + ((uint64_t)i << CMDQ_LOG_STRIDE), i))
			break;
	}
	start_waiting(hca);
}

void cmdq_set_workers(struct hca *hca, unsigned int workers)
{
	hca->cmdq.workers = workers;
	start_waiting(hca);
}

unsigned int cmdq_complete_dropped(struct hca *hca, bool entry_only)
{
	unsigned int i, n = 0;

	for (i = 0; i < CMDQ_SLOTS; i++) {
		struct cmd *cmd = hca->cmdq.slot[i];

		if (!cmd || !cmd->dropped)
			continue;
		if (entry_only && cmd->out_len > MAILBOX_INLINE)
			cmd->out_len = MAILBOX_INLINE;
		cmd_complete(cmd);
		n++;
	}
	return n;
}

unsigned int cmdq_in_flight(const struct cmdq *q)
{
	unsigned int i, n = 0;

	for (i = 0; i < CMDQ_SLOTS; i++)
		n += q->slot[i] && !q->slot[i]->dropped;
	return n;
}
