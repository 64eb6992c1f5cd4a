/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A firmware that does as the test says, in place of mlx5_core: obj_env.c has the
 * files of kmod/ call it.
 */
#ifndef MDX_KUNIT_FAKE_FW_H
#define MDX_KUNIT_FAKE_FW_H

#include <kunit/test.h>
#include <linux/cgroup_rdma.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/driver.h>
#include <linux/mlx5/eq.h>
#include <linux/pci.h>

#include "../kmod/mbox.h"

#define FW_SENT_MAX 64
#define FW_RULES_MAX 4
#define FW_IDS_MAX 64
#define FW_SLOTS 31

/* Bytes of an answer, and of an output whose answer does not come */
#define FW_ANSWER 0x77
#define FW_PART 0xbb

/* A command that the firmware was sent */
struct fake_sent {
	u16 opcode;
	u16 uid;
	u32 len;
	u8 in[MDX_DINBOX_LEN_MAX];
};

/* The next @times commands of @opcode fail with @ret. */
struct fake_rule {
	u16 opcode;
	int ret;
	u8 status;
	u32 syndrome;
	unsigned int times;
};

/* A command that has timed out, until it is answered */
struct fake_slot {
	struct mlx5_cmd_work_ent ent;
	struct mlx5_cmd_layout lay;
};

/**
 * struct fake_fw - State of a test
 * @lock: files end with several commands at a time
 * @sent: the first commands
 * @sent_n: commands, of which @sent may have no room for the last
 * @rules: commands that fail
 * @hook: runs while the firmware has the command
 * @timed_out: runs when a command has timed out, before its caller knows
 * @slots: commands that have timed out
 * @last_id: newest id of an object
 * @answer_len: bytes of an answer that are FW_ANSWER behind a header
 * @live: PDs that are there
 * @holds: the PD that a PD keeps from being destroyed
 * @no_drain_event: DRAIN_DCT is answered, but no event follows
 * @charges: objects charged to the cgroup
 * @charge_ret: result of a charge
 * @cqs: CQs in the trees of mlx5_core
 * @nb: notifier of drained DCTs
 * @late_nb: notifier of completions
 * @any_nb: notifier of all events
 * @stats: counters of DESTROY_CQ
 * @pdev: PCI device of @mdev
 * @mdev: the mlx5_core device
 * @ibdev: the ib_device
 */
struct fake_fw {
	struct mutex lock; /* sent, rules, objects */
	struct fake_sent sent[FW_SENT_MAX];
	unsigned int sent_n;
	struct fake_rule rules[FW_RULES_MAX];
	void (*hook)(u16 opcode);
	void (*timed_out)(int slot);
	struct fake_slot slots[FW_SLOTS];
	u32 last_id;
	u32 answer_len;
	bool live[FW_IDS_MAX];
	u32 holds[FW_IDS_MAX];
	bool no_drain_event;
	int charges;
	int charge_ret;
	int cqs;
	struct mlx5_nb *nb;
	struct mlx5_nb *late_nb;
	struct mlx5_nb *any_nb;
	struct mlx5_cmd_stats stats;
	struct pci_dev pdev;
	struct mlx5_core_dev mdev;
	struct ib_device ibdev;
};

extern struct fake_fw *fw;

int fw_init(struct kunit *test);
void fw_exit(void);

/* The next @times commands of @opcode fail with @ret. */
void fw_rule(u16 opcode, int ret, u8 status, u32 syndrome,
	     unsigned int times);
/* Number of commands of an opcode that were sent */
unsigned int fw_count(u16 opcode);
/* The @nth command of an opcode, from 0 */
const struct fake_sent *fw_sent(u16 opcode, unsigned int nth);
/*
 * Answers a command that has timed out, and frees its slot. Slots are taken from 0
 * on.
 */
void fw_answer(int slot, u8 status, u32 id);

/* In place of mlx5_core's and the cgroup's functions */
int fw_cmd_do(struct mlx5_core_dev *mdev, void *in, int in_len,
	      void *out, int out_len);
int fw_create_cq(struct mlx5_core_dev *mdev, struct mlx5_core_cq *cq,
		 u32 *in, int in_len, u32 *out, int out_len);
int fw_destroy_cq(struct mlx5_core_dev *mdev, struct mlx5_core_cq *cq);
int fw_charge(struct rdma_cgroup **cg, struct rdmacg_device *device,
	      enum rdmacg_resource_type type);
void fw_uncharge(struct rdma_cgroup *cg, struct rdmacg_device *device,
		 enum rdmacg_resource_type type);
int fw_nb_register(struct mlx5_core_dev *mdev, struct mlx5_nb *nb);
int fw_nb_unregister(struct mlx5_core_dev *mdev, struct mlx5_nb *nb);

#endif /* MDX_KUNIT_FAKE_FW_H */
