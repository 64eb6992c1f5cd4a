/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the files of mlx5_devx share.
 *
 * Lock order: mdx_file::bind_lock -> mdx_dev::live_sem -> mdx_dev::files_lock
 * -> mdx_file::ids. devs_lock (dev.c) is taken before files_lock and
 * never with live_sem. mdx_dev::late_lock and then mlx5_core's lock of the slots
 * are taken in interrupts. User memory is read and written with none of them held:
 * a page that never comes must not hold up the removal of a device.
 */
#ifndef MDX_MDX_H
#define MDX_MDX_H

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mlx5/driver.h>
#include <linux/mlx5/eq.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

#include <mdx/mdx_uapi.h>

#include "ids.h"

struct auxiliary_driver;
struct mdx_obj;
struct mdx_op;
struct seq_file;

/* Longest mailbox, in and out; mlx5_core chains 512 byte blocks. */
#define MDX_MBOX_LEN_MAX SZ_2M

/* Objects a file may own at a time. */
#define MDX_OBJS_MAX SZ_1M

/* Command slots a device has at the most. */
#define MDX_SLOTS 32

/**
 * struct mdx_orphan - A late answer whose command nobody has missed yet
 * @uout: where it should have gone, which tells whose it is
 * @in: header of the command
 * @out: the answer
 */
struct mdx_orphan {
	void *uout;
	__be32 in[4];
	__be32 out[4];
};

/**
 * struct mdx_late - A create that timed out and still has its slot
 * @obj: what it may yet create; NULL: there is no such create
 * @op: its row
 */
struct mdx_late {
	struct mdx_obj *obj;
	const struct mdx_op *op;
};

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
 * @drain_lost: the last wait was in vain: the event did not come
 * @nb: hears that a DCT is drained
 * @creating: creates that run or are late: while there are none, nobody looks for
 *	late answers
 * @late_lock: protects @late, @orphans and @answered; taken in interrupts
 * @late: creates that timed out, by slot
 * @orphans: by slot
 * @answered: objects of such creates, since the answer is there
 * @late_work: destroys them
 * @late_nb: hears of completions
 * @entry: in the list of devices
 */
struct mdx_dev {
	struct kref ref;
	struct ib_device *ibdev;
	struct mlx5_core_dev *mdev;
	struct device *uverbs;
	struct percpu_rw_semaphore live_sem;
	struct mutex files_lock; /* files */
	struct list_head files;
	spinlock_t drain_lock; /* draining */
	struct list_head draining;
	bool drain_lost;
	struct mlx5_nb nb;
	atomic_t creating;
	spinlock_t late_lock; /* late, orphans, answered */
	struct mdx_late late[MDX_SLOTS];
	struct mdx_orphan orphans[MDX_SLOTS];
	struct list_head answered;
	struct work_struct late_work;
	struct mlx5_nb late_nb;
	struct list_head entry;
};

/**
 * struct mdx_file - An open file
 * @bind_lock: held by the bind under way
 * @mdx: NULL until the file is bound, then constant. Read it by mdx_file_dev()
 * @uid: firmware uid of the verbs context; constant since @mdx is set
 * @uverbs: keeps that context; cleared on removal, under live_sem
 * @entry: in mdx_dev::files; empty before bind and after removal
 * @ids: objects by id, those that are being created as well; its lock also
 *	protects mdx_obj::users but for what ends
 * @all: every object the device may still have, newest first, with or without
 *	an id; changed under live_sem and the lock of @ids
 * @inherited: what the device kept of other files of the context; under
 *	mdx_dev::files_lock
 * @objs_n: objects that count against MDX_OBJS_MAX
 * @in_flight: commands the device has now
 * @slots: who waits until there are fewer
 * @pid: who bound the file
 * @comm: its name
 * @last_lock: protects @last
 * @last: the last call that failed
 */
struct mdx_file {
	struct mutex bind_lock; /* one bind at a time */
	struct mdx_dev *mdx;
	u16 uid;
	struct file *uverbs;
	struct list_head entry;
	struct mdx_ids ids;
	struct list_head all;
	struct list_head inherited;
	atomic_t objs_n;
	atomic_t in_flight;
	wait_queue_head_t slots;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	spinlock_t last_lock; /* last */
	struct mdx_ioc_last_error last;
};

/**
 * struct mdx_why - How far a call came, and what the device said
 * @stage: enum mdx_stage; what is going on, so it is right when that fails
 * @status: of the device's refusal
 * @opcode: of the command, once it is known
 * @syndrome: of the device's refusal
 * @obj: id of the object, or handle of the verbs object
 *
 * Read if the call fails.
 */
struct mdx_why {
	u8 stage;
	u8 status;
	u16 opcode;
	u32 syndrome;
	u32 obj;
};

/**
 * struct mdx_ucmd - An ioctl under way
 * @file: the file
 * @ubuf: the caller's structure
 * @usize: its size
 * @ksize: size of the one this module knows
 * @cmd: the copy, zero behind what the caller gave
 * @why: what MDX_IOC_LAST_ERROR tells if it fails
 */
struct mdx_ucmd {
	struct mdx_file *file;
	void __user *ubuf;
	u32 usize;
	u32 ksize;
	void *cmd;
	struct mdx_why why;
};

/* dev.c */
int mdx_dev_init(void);
void mdx_dev_exit(void);
struct mdx_dev *mdx_dev_of_uverbs(struct file *filp);
void mdx_dev_put(struct mdx_dev *mdx);
void mdx_dev_show_files(struct seq_file *seq);
extern struct auxiliary_driver mdx_no_driver;

/**
 * mdx_live_lock - Keep a device from being removed
 * @mdx: the device
 *
 * Return: 0, or -EIO without the lock if it was removed already
 */
static inline int mdx_live_lock(struct mdx_dev *mdx)
{
	percpu_down_read(&mdx->live_sem);
	if (mdx->mdev)
		return 0;
	percpu_up_read(&mdx->live_sem);
	return -EIO;
}

static inline void mdx_live_unlock(struct mdx_dev *mdx)
{
	percpu_up_read(&mdx->live_sem);
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

/* last.c */
void mdx_last_record(struct mdx_ucmd *ucmd, unsigned int nr, int ret);

/* The handlers of the ioctls */
int mdx_ioc_general(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_create(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_destroy(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_modify(struct mdx_ucmd *ucmd);
int mdx_ioc_obj_query(struct mdx_ucmd *ucmd);
int mdx_ioc_bind(struct mdx_ucmd *ucmd);
int mdx_ioc_verbs_modify(struct mdx_ucmd *ucmd);
int mdx_ioc_verbs_query(struct mdx_ucmd *ucmd);
int mdx_ioc_query_port(struct mdx_ucmd *ucmd);
int mdx_ioc_query_device(struct mdx_ucmd *ucmd);
int mdx_ioc_last_error(struct mdx_ucmd *ucmd);

/* verbs.c */
struct ib_uobject *mdx_uobj_get(struct file *uverbs, u32 handle);
void mdx_uobj_put(struct ib_uobject *uobj);

/* debugfs.c */
void mdx_debugfs_init(void);
void mdx_debugfs_exit(void);
void mdx_debugfs_show_kinds(struct seq_file *seq, struct mdx_file *file);

#endif /* MDX_MDX_H */
