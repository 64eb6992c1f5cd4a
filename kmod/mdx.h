/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the files of mlx5_devx share.
 *
 * Lock order: mdx_file::bind_lock -> mdx_dev::live_sem -> mdx_dev::files_lock
 * -> mdx_file::objs.xa_lock. devs_lock (dev.c) is taken before files_lock and
 * never with live_sem. User memory is read and written with none of them held:
 * a page that never comes must not hold up the removal of a device.
 */
#ifndef MDX_MDX_H
#define MDX_MDX_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mlx5/driver.h>
#include <linux/mlx5/eq.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>

#include <mdx/mdx_uapi.h>

#include "optab.h"

struct seq_file;

/* Longest mailbox, in and out; mlx5_core chains 512 byte blocks. */
#define MDX_MBOX_LEN_MAX SZ_2M

/* Objects a file may own at a time. */
#define MDX_OBJS_MAX SZ_1M

/**
 * struct mdx_dev - An mlx5 device with an ib_device
 * @ref: held by the list of devices and by every file bound to the device
 * @ibdev: valid as long as @mdev is
 * @mdev: NULL since the device was removed
 * @uverbs: the uverbs char device of @ibdev
 * @live_sem: read around any use of @mdev and @ibdev and any change of what a
 *	file owns; written to take them away. Whoever holds it for read waits for
 *	the device at most, never for a process
 * @files_lock: protects @files
 * @files: files bound to the device, while it is not removed
 * @drain_lock: protects @draining; taken in interrupts
 * @draining: DCTs whose drain is awaited
 * @nb: hears that a DCT is drained
 * @entry: in the list of devices
 */
struct mdx_dev {
	struct kref ref;
	struct ib_device *ibdev;
	struct mlx5_core_dev *mdev;
	struct device *uverbs;
	struct rw_semaphore live_sem;
	struct mutex files_lock; /* files */
	struct list_head files;
	spinlock_t drain_lock; /* draining */
	struct list_head draining;
	struct mlx5_nb nb;
	struct list_head entry;
};

/**
 * struct mdx_file - An open file
 * @bind_lock: held by the bind under way
 * @mdx: NULL until the file is bound, then constant. Read it by mdx_file_dev()
 * @uid: firmware uid of the verbs context; constant since @mdx is set
 * @uverbs: keeps that context; cleared on removal, under live_sem
 * @entry: in mdx_dev::files; empty before bind and after removal
 * @objs: objects by id; its lock also protects @next_id and mdx_obj::users
 * @next_id: id of the next object; 0 when none is left
 * @all: every object the device may still have, newest first, with or without
 *	an id; changed under live_sem and the lock of @objs
 * @objs_n: objects that count against MDX_OBJS_MAX
 * @in_flight: commands the device has now
 * @pid: who bound the file
 * @comm: its name
 */
struct mdx_file {
	struct mutex bind_lock; /* one bind at a time */
	struct mdx_dev *mdx;
	u16 uid;
	struct file *uverbs;
	struct list_head entry;
	struct xarray objs;
	u32 next_id;
	struct list_head all;
	atomic_t objs_n;
	atomic_t in_flight;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct mdx_ucmd - An ioctl under way
 * @file: the file
 * @ubuf: the caller's structure
 * @usize: its size
 * @ksize: size of the one this module knows
 * @cmd: the copy, zero behind what the caller gave
 */
struct mdx_ucmd {
	struct mdx_file *file;
	void __user *ubuf;
	u32 usize;
	u32 ksize;
	void *cmd;
};

/**
 * struct mdx_cmd - A command of a user
 * @file: whose it is
 * @op: its row
 * @in: input, the kernel's copy, with uid and forced bits
 * @out: the answer
 * @uout: where the answer goes
 * @in_len: of @in
 * @out_len: of @out
 */
struct mdx_cmd {
	struct mdx_file *file;
	const struct mdx_op *op;
	void *in;
	void *out;
	void __user *uout;
	u32 in_len;
	u32 out_len;
};

/**
 * struct mdx_answer - What the device said to a command of the kernel's own
 * @status: 0 if it did not refuse
 * @syndrome: why it refused
 * @id: id of what it created, in the answers that have one
 */
struct mdx_answer {
	u8 status;
	u32 syndrome;
	u32 id;
};

/**
 * struct mdx_obj - An object of a file
 * @id: in the file
 * @kind: opcode that created it
 * @obj_type: of a general object, else 0
 * @fw_id: first id the device knows it by
 * @fw_n: how many ids in a row it is
 * @users: how many modifies and queries run; -1: it is created or destroyed
 * @drained: a DCT that needs no drain before it is destroyed
 * @hooked: a CQ that mlx5_core hands events to
 * @cq: that CQ, or NULL
 * @cg: whom it is charged to
 * @entry: in mdx_file::all; empty: the device does not have it
 * @din_len: length of @din
 * @din: the input that destroys it
 */
struct mdx_obj {
	u32 id;
	u16 kind;
	u16 obj_type;
	u32 fw_id;
	u32 fw_n;
	int users;
	bool drained;
	bool hooked;
	struct mlx5_core_cq *cq;
	struct rdma_cgroup *cg;
	struct list_head entry;
	u16 din_len;
	__be32 din[MDX_UNDO_LEN_MAX / 4];
};

/* dev.c */
int mdx_dev_init(void);
void mdx_dev_exit(void);
struct mdx_dev *mdx_dev_of_uverbs(struct file *filp);
void mdx_dev_put(struct mdx_dev *mdx);
void mdx_dev_show_files(struct seq_file *seq);

/**
 * mdx_live_lock - Keep a device from being removed
 * @mdx: the device
 *
 * Return: 0, or -EIO without the lock if it was removed already
 */
static inline int mdx_live_lock(struct mdx_dev *mdx)
{
	down_read(&mdx->live_sem);
	if (mdx->mdev)
		return 0;
	up_read(&mdx->live_sem);
	return -EIO;
}

static inline void mdx_live_unlock(struct mdx_dev *mdx)
{
	up_read(&mdx->live_sem);
}

/* file.c */
extern const struct file_operations mdx_fops;
struct mdx_dev *mdx_file_dev(struct mdx_file *file);
void mdx_file_attach(struct mdx_file *file, struct mdx_dev *mdx,
		     struct file *uverbs, u16 uid);
struct file *mdx_file_detach(struct mdx_file *file);

/* ioctl.c */
long mdx_ioctl(struct file *filp, unsigned int nr, unsigned long arg);
int mdx_respond(struct mdx_ucmd *ucmd);

/* cmd.c */
bool mdx_fw_is_dead(struct mlx5_core_dev *mdev);
int mdx_fw_exec(struct mdx_dev *mdx, u32 id, void *in, u32 in_len,
		struct mdx_answer *ans);
void mdx_fw_trace(struct mdx_dev *mdx, u32 id, const void *in, const void *out,
		  int ret, u64 start);
int mdx_cmd_fetch(struct mdx_cmd *cmd, struct mdx_file *file,
		  enum mdx_class class, const struct mdx_ioc_general *arg);
int mdx_cmd_exec(struct mdx_cmd *cmd, u32 id);
int mdx_cmd_respond(struct mdx_cmd *cmd, int ret);
void mdx_cmd_free(struct mdx_cmd *cmd);
int mdx_ioc_general(struct mdx_ucmd *ucmd);

/* obj.c */
int mdx_ioc_obj_create(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_destroy(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_modify(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_query(struct mdx_ucmd *ucmd);
void mdx_obj_destroy_all(struct mdx_file *file);
void mdx_obj_free_all(struct mdx_file *file);

/* obj_cq.c */
int mdx_cq_create(struct mdx_cmd *cmd, struct mdx_obj *obj);
int mdx_cq_destroy(struct mdx_dev *mdx, struct mdx_obj *obj,
		   struct mdx_answer *ans);
void mdx_cq_forget(struct mdx_obj *obj);

/* obj_dct.c */
int mdx_dct_drain(struct mdx_dev *mdx, struct mdx_obj *obj,
		  struct mdx_answer *ans);
void mdx_dct_watch(struct mdx_dev *mdx);
void mdx_dct_unwatch(struct mdx_dev *mdx);

/* verbs.c */
int mdx_ioc_bind(struct mdx_ucmd *ucmd);

/* debugfs.c */
void mdx_debugfs_init(void);
void mdx_debugfs_exit(void);

#endif /* MDX_MDX_H */
