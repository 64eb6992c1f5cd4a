/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An object of a table, and its half that concerns the device.
 */
#ifndef MDX_OBJ_H
#define MDX_OBJ_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

#include "fw.h"
#include "mbox.h"
#include "optab.h"

struct mdx_cmd;
struct mdx_obj;
struct mdx_owner;
struct rdma_cgroup;

/* mdx_obj::users of an object that is held exclusively, to be destroyed. */
#define MDX_OBJ_EXCLUSIVE -1

/**
 * struct mdx_obj_ops - Object type with a life of its own
 * @create: executes the create; NULL: the command is all. Under mdx_live; as
 *	mdx_cmd_exec()
 * @pre_destroy: precedes the destroy; NULL: nothing does. As mdx_fw_exec()
 * @destroy: executes the destroy; NULL: the destroy inbox is all. As
 *	mdx_fw_exec(), or any errno
 * @destroyed: ends the private part of an object that the device has destroyed, under
 *	mdx_live; NULL: nothing has to end before @forget
 * @forget: frees the private part of an object that the device does not have, or
 *	will not be asked about; NULL: there is none
 * @completions: the subscriptions to completions of the object, which the type
 *	delivers itself: a list, read under RCU in interrupts. The object is held. NULL:
 *	completions are events like others
 * @must_destroy: @destroy ends something in the kernel: it is called even if the
 *	device has stopped answering
 *
 * Each may replace mdx_obj::ops, which is how a type has states. In a row of the
 * command table; its file is the only one that knows the type.
 */
struct mdx_obj_ops {
	int (*create)(struct mdx_cmd *cmd, struct mdx_obj *obj);
	int (*pre_destroy)(struct mdx_dev *mdx, struct mdx_obj *obj,
			   struct mdx_answer *ans);
	int (*destroy)(struct mdx_dev *mdx, struct mdx_obj *obj,
		       struct mdx_answer *ans);
	void (*destroyed)(struct mdx_obj *obj);
	void (*forget)(struct mdx_obj *obj);
	struct list_head *(*completions)(struct mdx_obj *obj);
	bool must_destroy;
};

/**
 * struct mdx_obj - An object of a table
 * @id: in the table; 0: none
 * @fw_id: first id the device knows it by
 * @fw_n: number of consecutive ids
 * @users: modifies and queries under way, or MDX_OBJ_EXCLUSIVE. Raised and set
 *	under the lock of mdx_objs::ids
 * @opcode: command that created it
 * @obj_type: of a general object, else 0
 * @level: objects of a higher level may refer to it
 * @dinlen: length of @dinbox; 0: a late answer has told that there is nothing to
 *	destroy
 * @event_type: its type in events, of other than general objects
 * @queue_type: enum mdx_queue_type
 * @ops: never NULL
 * @priv: private to @ops
 * @cg: cgroup it is charged to, or NULL
 * @owner: its owner, once its create has timed out
 * @created: jiffies of its creation
 * @entry: in mdx_objs::all, or in the list of a late-create tracker; empty: the
 *	device does not have it
 * @subs: subscriptions to its events: mdx_sub::of_obj, under mdx_events::lock
 * @subs_n: their number
 * @dinbox: destroy inbox
 */
struct mdx_obj {
	u32 id;
	u32 fw_id;
	u32 fw_n;
	atomic_t users;
	u16 opcode;
	u16 obj_type;
	u8 level;
	u8 dinlen;
	u16 event_type;
	u8 queue_type;
	const struct mdx_obj_ops *ops;
	void *priv;
	struct rdma_cgroup *cg;
	struct mdx_owner *owner;
	unsigned long created;
	struct list_head entry;
	struct list_head subs;
	u32 subs_n;
	__be32 dinbox[MDX_DINBOX_LEN_MAX / 4];
};

struct mdx_obj *mdx_obj_alloc(void);
void mdx_obj_free(struct mdx_obj *obj);
void mdx_obj_prepare(struct mdx_obj *obj, const struct mdx_op *op,
		     const void *in, u16 uid);
void mdx_obj_created(struct mdx_obj *obj, const struct mdx_op *op,
		     const void *out);
int mdx_obj_charge(struct mdx_dev *mdx, struct mdx_obj *obj);
void mdx_obj_uncharge(struct mdx_dev *mdx, struct mdx_obj *obj);
int mdx_obj_fw_destroy(struct mdx_dev *mdx, struct mdx_obj *obj,
		       struct mdx_answer *ans);
int mdx_obj_fw_destroy_last(struct mdx_dev *mdx, struct mdx_obj *obj,
			    struct mdx_answer *ans);

#endif /* MDX_OBJ_H */
