/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The objects of a file.
 */
#ifndef MDX_OBJ_H
#define MDX_OBJ_H

#include <linux/mlx5/cq.h>

#include "cmd.h"
#include "mbox.h"

/* mdx_obj::users of who is being created, and being destroyed. */
#define MDX_OBJ_NEW -2
#define MDX_OBJ_ALONE -1

/**
 * struct mdx_obj - An object of a file
 * @id: in the file
 * @kind: opcode that created it
 * @obj_type: of a general object, else 0
 * @fw_id: first id the device knows it by
 * @fw_n: how many ids in a row it is
 * @users: how many modifies and queries run, or one of the above. Raised and set
 *	under the lock of mdx_file::ids
 * @drained: a DCT that needs no drain before it is destroyed
 * @hooked: a CQ that mlx5_core hands events to
 * @level: objects of a higher level may name it
 * @cq: that CQ, or NULL
 * @cg: whom it is charged to
 * @uverbs: keeps the uid, once its create has timed out
 * @entry: in mdx_file::all, or in mdx_dev::answered; empty: the device does not
 *	have it
 * @din_len: length of @din; 0: a late answer has told that there is nothing to
 *	destroy
 * @din: the input that destroys it
 */
struct mdx_obj {
	u32 id;
	u16 kind;
	u16 obj_type;
	u32 fw_id;
	u32 fw_n;
	atomic_t users;
	bool drained;
	bool hooked;
	u8 level;
	struct mlx5_core_cq *cq;
	union {
		struct rdma_cgroup *cg;
		struct file *uverbs;
	};
	struct list_head entry;
	u16 din_len;
	__be32 din[MDX_UNDO_LEN_MAX / 4];
};

/* The answer has the id, unless the input had. */
static inline void mdx_obj_created(struct mdx_obj *obj, const struct mdx_op *op,
				   const void *out)
{
	if (op->flags & MDX_OP_F_ID_IN)
		return;
	obj->fw_id = mdx_mbox_created_id(op, NULL, out);
	mdx_mbox_set(obj->din, op->undo->id, obj->fw_id);
}

/* obj.c */
void mdx_obj_free(struct mdx_obj *obj);
void mdx_obj_uncount(struct mdx_file *file, struct mdx_obj *obj);
void mdx_obj_unlink(struct mdx_file *file, struct mdx_obj *obj);
int mdx_obj_fw_destroy_last(struct mdx_dev *mdx, struct mdx_obj *obj,
			    struct mdx_answer *ans);

/* obj_end.c */
int mdx_obj_end_init(void);
void mdx_obj_end_exit(void);
bool mdx_obj_destroy_all(struct mdx_file *file);
bool mdx_obj_inherit(struct mdx_file *file);
void mdx_obj_leave(struct mdx_file *file, struct mdx_file *heir);
void mdx_obj_free_all(struct mdx_file *file);

/* late.c */
bool mdx_late_create(struct mdx_dev *mdx, const struct mdx_cmd *cmd,
		     struct file *uverbs, struct mdx_obj *obj);
void mdx_late_watch(struct mdx_dev *mdx);
void mdx_late_unwatch(struct mdx_dev *mdx);
void mdx_late_sync(struct mdx_dev *mdx);

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

#endif /* MDX_OBJ_H */
