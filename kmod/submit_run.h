/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An item of a batch while it runs.
 */
#ifndef MDX_SUBMIT_RUN_H
#define MDX_SUBMIT_RUN_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <mdx/mdx_uapi.h>

#include "ucmd.h"

struct mem_cgroup;
struct mdx_obj;

/* The structure of the ioctl that an item stands for. */
union mdx_run_arg {
	struct mdx_ioc_obj_create obj_create;
	struct mdx_ioc_obj_destroy obj_destroy;
	struct mdx_ioc_obj_cmd obj_cmd;
	struct mdx_ioc_general general;
	struct mdx_ioc_verbs_cmd verbs_cmd;
	struct mdx_ioc_umem_reg umem_reg;
};

/**
 * struct mdx_run - An item while it runs
 * @ucmd: the ioctl it stands for
 * @arg: its structure
 * @uarg: the caller's structure, if the item has one
 * @arg_len: its size
 * @item: index of the item
 * @cmd: MDX_CMD_* of the item
 * @ret: result, once it was executed
 * @reserved: object of a create that is not sent yet, with a reference to the ib_device;
 *	or NULL
 * @throttled: a slot of mdx_owner::throttled_slots is taken for a destroy
 * @pid: the process that submitted the item
 * @memcg: memory that the execution takes is charged to it
 * @batch: private to @ended
 * @ended: called by the worker that has executed it, which does not look at it again
 * @work: of that worker
 * @entry: in a list of @ended's
 */
struct mdx_run {
	struct mdx_ucmd ucmd;
	union mdx_run_arg arg;
	void __user *uarg;
	u32 arg_len;
	u32 item;
	u16 cmd;
	int ret;
	struct mdx_obj *reserved;
	bool throttled;
	pid_t pid;
	struct mem_cgroup *memcg;
	void *batch;
	void (*ended)(struct mdx_run *run);
	struct work_struct work;
	struct list_head entry;
};

bool mdx_run_knows(u16 cmd);
enum mdx_class mdx_run_class(u16 cmd);
void mdx_run_init(struct mdx_run *run, struct mdx_file *file,
		  struct mem_cgroup *memcg, void (*ended)(struct mdx_run *run));
int mdx_run_reserve(struct mdx_run *run);
void mdx_run_unreserve(struct mdx_run *run);
int mdx_run_begin(struct mdx_run *run, const struct mdx_item *item);
void mdx_run_execute(struct mdx_run *run);
void mdx_run_queue(struct mdx_run *run);

#endif /* MDX_SUBMIT_RUN_H */
