// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/mlx5/device.h>
#include <linux/slab.h>

#include "fake_fw.h"
#include "mbox_bits.h"
#include "optab_rows.h"

struct fake_fw *fw;

void fw_rule(u16 opcode, int ret, u8 status, u32 syndrome,
	     unsigned int times)
{
	unsigned int i = 0;

	while (i < FW_RULES_MAX - 1 && fw->rules[i].times)
		i++;
	fw->rules[i] = (struct fake_rule){ opcode, ret, status, syndrome, times };
}

unsigned int fw_count(u16 opcode)
{
	unsigned int i, n = 0;

	for (i = 0; i < min(fw->sent_n, FW_SENT_MAX); i++)
		n += fw->sent[i].opcode == opcode;
	return n;
}

const struct fake_sent *fw_sent(u16 opcode, unsigned int nth)
{
	unsigned int i;

	for (i = 0; i < min(fw->sent_n, FW_SENT_MAX); i++)
		if (fw->sent[i].opcode == opcode && !nth--)
			return &fw->sent[i];
	return NULL;
}

static void fw_record(const void *in, u32 in_len)
{
	struct fake_sent *sent = &fw->sent[min(fw->sent_n, FW_SENT_MAX - 1)];

	sent->opcode = bits_at(in, 0x00, 16);
	sent->uid = bits_at(in, 0x10, 16);
	sent->len = in_len;
	memset(sent->in, 0, sizeof(sent->in));
	memcpy(sent->in, in, min(in_len, sizeof(sent->in)));
	fw->sent_n++;
}

static int fw_refuse(void *out, u8 status, u32 syndrome)
{
	bits_put(out, 0x00, 8, status);
	bits_put(out, 0x20, 32, syndrome);
	return -EREMOTEIO;
}

static int fw_create(u16 opcode, void *out)
{
	const struct mdx_op *op = op_creator(opcode);

	if (!op || op->flags & MDX_OP_F_ID_IN)
		return 0;
	bits_put(out, op->id.bit, op->id.width, ++fw->last_id);
	if (opcode == OP(ALLOC_PD))
		fw->live[fw->last_id % FW_IDS_MAX] = true;
	return 0;
}

static int fw_dealloc_pd(u32 id, void *out)
{
	unsigned int i;

	for (i = 0; i < FW_IDS_MAX; i++)
		if (fw->live[i] && fw->holds[i] == id)
			return fw_refuse(out, 0x9, 0xb05e);
	fw->live[id % FW_IDS_MAX] = false;
	return 0;
}

static void fw_drained(u32 dctn)
{
	struct mlx5_eqe eqe = {};

	if (fw->no_drain_event || !fw->nb)
		return;
	eqe.data.dct.dctn = cpu_to_be32(dctn);
	fw->nb->nb.notifier_call(&fw->nb->nb, 0, &eqe);
}

/* As mlx5_core: no task waits any more, and the slot is taken until the answer. */
static void fw_time_out(const void *hdr, void *out)
{
	struct mlx5_cmd *cmd = &fw->mdev.cmd;
	struct fake_slot *slot;
	int i;

	if (!cmd->vars.bitmask)
		return;
	i = __ffs(cmd->vars.bitmask);
	slot = &fw->slots[i];
	memset(slot, 0, sizeof(*slot));
	memcpy(slot->lay.in, hdr, sizeof(slot->lay.in));
	slot->ent.lay = &slot->lay;
	slot->ent.uout = out;
	spin_lock_irq(&cmd->alloc_lock);
	clear_bit(i, &cmd->vars.bitmask);
	cmd->ent_arr[i] = &slot->ent;
	spin_unlock_irq(&cmd->alloc_lock);
	if (fw->timed_out)
		fw->timed_out(i);
}

void fw_answer(int slot, u8 status, u32 id)
{
	struct mlx5_eqe eqe = { .data.cmd.vector = cpu_to_be32(BIT(slot)) };
	struct mlx5_cmd_layout *lay = &fw->slots[slot].lay;
	struct mlx5_cmd *cmd = &fw->mdev.cmd;
	const struct mdx_op *op = op_creator(bits_at(lay->in, 0, 16));

	bits_put(lay->out, 0, 8, status);
	if (op && !(op->flags & MDX_OP_F_ID_IN) &&
	    op->id.bit + op->id.width <= sizeof(lay->out) * 8)
		bits_put(lay->out, op->id.bit, op->id.width, id);
	if (fw->late_nb)
		fw->late_nb->nb.notifier_call(&fw->late_nb->nb, 0, &eqe);
	spin_lock_irq(&cmd->alloc_lock);
	set_bit(slot, &cmd->vars.bitmask);
	spin_unlock_irq(&cmd->alloc_lock);
}

static struct fake_rule *fw_rule_of(u16 opcode)
{
	struct fake_rule *rule;

	for (rule = fw->rules; rule < fw->rules + FW_RULES_MAX; rule++) {
		if (!rule->times || rule->opcode != opcode)
			continue;
		rule->times--;
		return rule;
	}
	return NULL;
}

static int fw_execute(const void *hdr, void *out, u32 out_len)
{
	u16 opcode = bits_at(hdr, 0, 16);
	struct fake_rule *rule = fw_rule_of(opcode);

	if (rule && rule->ret && rule->ret != -EREMOTEIO) {
		memset(out, FW_PART, out_len / 2);
		if (rule->ret == -ETIMEDOUT)
			fw_time_out(hdr, out);
		return rule->ret;
	}
	memset(out, 0, out_len);
	if (rule)
		return fw_refuse(out, rule->status, rule->syndrome);
	if (fw->answer_len > MDX_HDR_LEN)
		memset(out + MDX_HDR_LEN, FW_ANSWER,
		       min(fw->answer_len, out_len) - MDX_HDR_LEN);
	if (opcode == OP(DEALLOC_PD))
		return fw_dealloc_pd(bits_at(hdr, 0x48, 24), out);
	if (opcode == OP(DRAIN_DCT))
		fw_drained(bits_at(hdr, 0x48, 24));
	return fw_create(opcode, out);
}

/*
 * As mlx5_core: writes all of the output if the device has answered, otherwise a
 * part of it at the most. Both may share a buffer, as long as the output is behind
 * a header.
 */
int fw_cmd_do(struct mlx5_core_dev *mdev, void *in, int in_len,
	      void *out, int out_len)
{
	u8 hdr[MDX_HDR_LEN];
	int ret;

	memcpy(hdr, in, sizeof(hdr));
	mutex_lock(&fw->lock);
	fw_record(in, in_len);
	mutex_unlock(&fw->lock);
	if (fw->hook)
		fw->hook(bits_at(hdr, 0, 16));
	mutex_lock(&fw->lock);
	ret = fw_execute(hdr, out, out_len);
	mutex_unlock(&fw->lock);
	return ret;
}

int fw_create_cq(struct mlx5_core_dev *mdev, struct mlx5_core_cq *cq,
		 u32 *in, int in_len, u32 *out, int out_len)
{
	int ret;

	/* As mlx5_core, before it looks at the input. */
	memset(out, 0, out_len);
	ret = fw_cmd_do(mdev, in, in_len, out, out_len);
	if (ret)
		return ret;
	cq->cqn = bits_at(out, 0x48, 24);
	cq->uid = bits_at(in, 0x10, 16);
	refcount_set(&cq->refcount, 1);
	init_completion(&cq->free);
	scoped_guard(mutex, &fw->lock)
		fw->cqs++;
	return 0;
}

/* As mlx5_core: out of its trees first, then an errno and the statistics. */
int fw_destroy_cq(struct mlx5_core_dev *mdev, struct mlx5_core_cq *cq)
{
	u8 in[16] = {}, out[16] = {};
	int ret;

	scoped_guard(mutex, &fw->lock)
		fw->cqs--;
	bits_put(in, 0x00, 16, OP(DESTROY_CQ));
	bits_put(in, 0x10, 16, cq->uid);
	bits_put(in, 0x48, 24, cq->cqn);
	ret = fw_cmd_do(mdev, in, sizeof(in), out, sizeof(out));
	if (ret) {
		guard(spinlock_irq)(&fw->stats.lock);
		fw->stats.failed++;
		fw->stats.failed_mbox_status += ret == -EREMOTEIO;
		fw->stats.last_failed_mbox_status = out[0];
		fw->stats.last_failed_syndrome = bits_at(out, 0x20, 32);
		return ret == -EREMOTEIO ? -EINVAL : ret;
	}
	mlx5_cq_put(cq);
	wait_for_completion(&cq->free);
	return 0;
}

int fw_charge(struct rdma_cgroup **cg, struct rdmacg_device *device,
	      enum rdmacg_resource_type type)
{
	if (fw->charge_ret)
		return fw->charge_ret;
	guard(mutex)(&fw->lock);
	fw->charges++;
	*cg = (void *)fw;
	return 0;
}

void fw_uncharge(struct rdma_cgroup *cg, struct rdmacg_device *device,
		 enum rdmacg_resource_type type)
{
	guard(mutex)(&fw->lock);
	fw->charges--;
}

int fw_nb_register(struct mlx5_core_dev *mdev, struct mlx5_nb *nb)
{
	if (nb->event_type == MLX5_EVENT_TYPE_CMD)
		fw->late_nb = nb;
	else if (nb->event_type == MLX5_EVENT_TYPE_NOTIFY_ANY)
		fw->any_nb = nb;
	else
		fw->nb = nb;
	return 0;
}

int fw_nb_unregister(struct mlx5_core_dev *mdev, struct mlx5_nb *nb)
{
	if (nb == fw->late_nb)
		fw->late_nb = NULL;
	else if (nb == fw->any_nb)
		fw->any_nb = NULL;
	else
		fw->nb = NULL;
	return 0;
}

int fw_init(struct kunit *test)
{
	fw = kunit_kzalloc(test, sizeof(*fw), GFP_KERNEL);
	if (!fw)
		return -ENOMEM;
	mutex_init(&fw->lock);
	fw->mdev.caps.hca[MLX5_CAP_GENERAL] =
		kunit_kzalloc(test, sizeof(struct mlx5_hca_cap), GFP_KERNEL);
	if (!fw->mdev.caps.hca[MLX5_CAP_GENERAL])
		return -ENOMEM;
	fw->pdev.error_state = pci_channel_io_normal;
	fw->mdev.pdev = &fw->pdev;
	fw->mdev.issi = 1;
	fw->mdev.state = MLX5_DEVICE_STATE_UP;
	spin_lock_init(&fw->mdev.cmd.alloc_lock);
	fw->mdev.cmd.vars.bitmask = GENMASK(FW_SLOTS - 1, 0);
	fw->ibdev.dev.init_name = "fake";
	spin_lock_init(&fw->stats.lock);
	xa_init(&fw->mdev.cmd.stats);
	return xa_err(xa_store(&fw->mdev.cmd.stats, OP(DESTROY_CQ), &fw->stats,
			       GFP_KERNEL));
}

void fw_exit(void)
{
	if (fw)
		xa_destroy(&fw->mdev.cmd.stats);
	fw = NULL;
}
