/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A firmware that does what the test says, in place of mlx5_core: obj_env.c has
 * the files of kmod/ call it.
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

#define SENT_MAX 64
#define RULES_MAX 4
#define IDS_MAX 64
#define SLOTS_MAX 31

/* What the device answers, and what is written of an answer that does not come. */
#define FW_ANSWER 0x77
#define FW_PART 0xbb

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

/* A command whose time is over, until it is answered */
struct slot {
	struct mlx5_cmd_work_ent ent;
	struct mlx5_cmd_layout lay;
};

struct fake_fw {
	/* Files end with several commands at a time. */
	struct mutex lock;
	struct sent sent[SENT_MAX];
	unsigned int sent_n;
	struct rule rules[RULES_MAX];
	/* Runs while the firmware has the command */
	void (*hook)(u16 opcode);
	/* Runs when a command has timed out, before its caller knows */
	void (*timed_out)(int slot);
	struct slot slots[SLOTS_MAX];
	u32 last_id;
	/* How far it writes FW_ANSWER, behind a header */
	u32 answer_len;
	/* PDs; @holds: the PD that a PD keeps from being destroyed */
	bool live[IDS_MAX];
	u32 holds[IDS_MAX];
	bool no_drain_event;
	int charges;
	int charge_ret;
	int cqs;
	struct mlx5_nb *nb;
	struct mlx5_nb *late_nb;
	struct mlx5_cmd_stats stats;
	struct pci_dev pdev;
	struct mlx5_core_dev mdev;
	struct ib_device ibdev;
};

extern struct fake_fw *fw;

int fw_init(struct kunit *test);
void fw_exit(void);

/* The next @times commands of @opcode fail so. */
void fw_rule(u16 opcode, int ret, u8 status, u32 syndrome,
	     unsigned int times);
/* Returns how many commands of an opcode were sent. */
unsigned int fw_count(u16 opcode);
/* The @nth command of an opcode, from 0 */
const struct sent *fw_sent(u16 opcode, unsigned int nth);
/*
 * A command that has timed out is answered. They take the slots from 0 on, which
 * are free again once it is.
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
