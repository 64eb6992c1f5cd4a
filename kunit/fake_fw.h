/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A firmware that does what the test says, in place of mlx5_core. What includes
 * this, includes the files of kmod/ that call mlx5_core after it.
 */
#ifndef MDX_KUNIT_FAKE_FW_H
#define MDX_KUNIT_FAKE_FW_H

#include <kunit/test.h>
#include <linux/cgroup_rdma.h>
#include <linux/file.h>
#include <linux/interrupt.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/driver.h>
#include <linux/mlx5/eq.h>
#include <linux/mman.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../kmod/mdx.h"
#include "../kmod/optab.h"
#include "bits.h"

#define SENT_MAX 64
#define RULES_MAX 4
#define IDS_MAX 64

/* What the firmware was sent */
struct sent {
	u16 opcode;
	u16 uid;
	u32 len;
	u8 in[MDX_UNDO_LEN_MAX];
};

/* The next @times commands of @opcode fail so. */
struct rule {
	u16 opcode;
	int ret;
	u8 status;
	u32 syndrome;
	unsigned int times;
};

struct fake_fw {
	/* Files end with several commands at a time. */
	struct mutex lock;
	struct sent sent[SENT_MAX];
	unsigned int sent_n;
	struct rule rules[RULES_MAX];
	/* Runs while the firmware has the command */
	void (*hook)(u16 opcode);
	u32 last_id;
	/* PDs; @holds: the PD that a PD keeps from being destroyed */
	bool live[IDS_MAX];
	u32 holds[IDS_MAX];
	bool no_drain_event;
	int charges;
	int charge_ret;
	int cqs;
	struct mlx5_nb *nb;
	struct mlx5_cmd_stats stats;
	struct pci_dev pdev;
	struct mlx5_core_dev mdev;
	struct ib_device ibdev;
};

static struct fake_fw *fw;

static void fw_rule(u16 opcode, int ret, u8 status, u32 syndrome,
		    unsigned int times)
{
	unsigned int i = 0;

	while (i < RULES_MAX - 1 && fw->rules[i].times)
		i++;
	fw->rules[i] = (struct rule){ opcode, ret, status, syndrome, times };
}

/* Returns how many commands of an opcode were sent. */
static unsigned int fw_count(u16 opcode)
{
	unsigned int i, n = 0;

	for (i = 0; i < fw->sent_n; i++)
		n += fw->sent[i].opcode == opcode;
	return n;
}

/* The @nth command of an opcode, from 0 */
static const struct sent *fw_sent(u16 opcode, unsigned int nth)
{
	unsigned int i;

	for (i = 0; i < fw->sent_n; i++)
		if (fw->sent[i].opcode == opcode && !nth--)
			return &fw->sent[i];
	return NULL;
}

static void fw_record(const void *in, u32 in_len)
{
	struct sent *sent = &fw->sent[min(fw->sent_n, SENT_MAX - 1)];

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
	unsigned int i;

	for (i = 0; i < mdx_ops_n; i++)
		if (mdx_ops[i].opcode == opcode &&
		    mdx_ops[i].class == MDX_OP_CREATE)
			break;
	if (i == mdx_ops_n || mdx_ops[i].flags & MDX_OP_F_ID_IN)
		return 0;
	bits_put(out, mdx_ops[i].id.bit, mdx_ops[i].id.width, ++fw->last_id);
	if (opcode == 0x800)
		fw->live[fw->last_id % IDS_MAX] = true;
	return 0;
}

static int fw_dealloc_pd(u32 id, void *out)
{
	unsigned int i;

	for (i = 0; i < IDS_MAX; i++)
		if (fw->live[i] && fw->holds[i] == id)
			return fw_refuse(out, 0x9, 0xb05e);
	fw->live[id % IDS_MAX] = false;
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

static int fw_execute(const void *in, void *out)
{
	u16 opcode = bits_at(in, 0, 16);
	struct rule *rule;

	for (rule = fw->rules; rule < fw->rules + RULES_MAX; rule++) {
		if (!rule->times || rule->opcode != opcode)
			continue;
		rule->times--;
		if (rule->ret == -EREMOTEIO)
			fw_refuse(out, rule->status, rule->syndrome);
		return rule->ret;
	}
	if (opcode == 0x801)
		return fw_dealloc_pd(bits_at(in, 0x48, 24), out);
	if (opcode == 0x712)
		fw_drained(bits_at(in, 0x48, 24));
	return fw_create(opcode, out);
}

/* Input and output may share a buffer, as long as the output is behind a header. */
static int fw_cmd_do(struct mlx5_core_dev *mdev, void *in, int in_len,
		     void *out, int out_len)
{
	u8 hdr[16];
	int ret;

	memcpy(hdr, in, sizeof(hdr));
	mutex_lock(&fw->lock);
	fw_record(in, in_len);
	mutex_unlock(&fw->lock);
	if (fw->hook)
		fw->hook(bits_at(hdr, 0, 16));
	memset(out, 0, out_len);
	mutex_lock(&fw->lock);
	ret = fw_execute(hdr, out);
	mutex_unlock(&fw->lock);
	return ret;
}

static int fw_create_cq(struct mlx5_core_dev *mdev, struct mlx5_core_cq *cq,
			u32 *in, int in_len, u32 *out, int out_len)
{
	int ret = fw_cmd_do(mdev, in, in_len, out, out_len);

	if (ret)
		return ret;
	cq->cqn = bits_at(out, 0x48, 24);
	refcount_set(&cq->refcount, 1);
	init_completion(&cq->free);
	fw->cqs++;
	return 0;
}

/* As mlx5_core: out of its trees first, then an errno and the statistics. */
static int fw_destroy_cq(struct mlx5_core_dev *mdev, struct mlx5_core_cq *cq)
{
	u8 in[16] = {}, out[16] = {};
	int ret;

	fw->cqs--;
	bits_put(in, 0x00, 16, 0x401);
	bits_put(in, 0x48, 24, cq->cqn);
	ret = fw_cmd_do(mdev, in, sizeof(in), out, sizeof(out));
	if (ret) {
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

static int fw_charge(struct rdma_cgroup **cg, struct rdmacg_device *device,
		     enum rdmacg_resource_type type)
{
	if (fw->charge_ret)
		return fw->charge_ret;
	fw->charges++;
	return 0;
}

static void fw_uncharge(struct rdma_cgroup *cg, struct rdmacg_device *device,
			enum rdmacg_resource_type type)
{
	fw->charges--;
}

static int fw_nb_register(struct mlx5_core_dev *mdev, struct mlx5_nb *nb)
{
	fw->nb = nb;
	return 0;
}

static int fw_nb_unregister(struct mlx5_core_dev *mdev, struct mlx5_nb *nb)
{
	fw->nb = NULL;
	return 0;
}

static int fw_init(struct kunit *test)
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
	fw->ibdev.dev.init_name = "fake";
	spin_lock_init(&fw->stats.lock);
	xa_init(&fw->mdev.cmd.stats);
	return xa_err(xa_store(&fw->mdev.cmd.stats, 0x401, &fw->stats,
			       GFP_KERNEL));
}

static void fw_exit(void)
{
	if (fw)
		xa_destroy(&fw->mdev.cmd.stats);
	fw = NULL;
}

#define mlx5_cmd_do fw_cmd_do
#define mlx5_create_cq fw_create_cq
#define mlx5_core_destroy_cq fw_destroy_cq
#define mlx5_eq_notifier_register fw_nb_register
#define mlx5_eq_notifier_unregister fw_nb_unregister
#define rdmacg_try_charge fw_charge
#define rdmacg_uncharge fw_uncharge
#define synchronize_irq(irq) ((void)(irq))

/* Instead of the tracepoint */
#define MDX_TRACE_H
static inline void trace_mdx_cmd(const char *dev, u16 uid, u16 opcode, u32 obj,
				 u8 status, u32 syndrome, int ret, u64 ns)
{
}

static inline bool trace_mdx_cmd_enabled(void)
{
	return true;
}

#endif /* MDX_KUNIT_FAKE_FW_H */
