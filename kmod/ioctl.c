// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The dispatcher of the ioctls: one table, whose rows say what a handler needs.
 *
 * User memory is read before and written after the handler runs, since the handler
 * holds the registration lock.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "bind.h"
#include "channel.h"
#include "cq_stats.h"
#include "dev.h"
#include "file.h"
#include "interop.h"
#include "ioctl.h"
#include "last_error.h"
#include "late.h"
#include "list.h"
#include "objs.h"
#include "owner.h"
#include "port.h"
#include "query.h"
#include "submit.h"
#include "subscribe.h"
#include "ucmd.h"
#include "umem.h"

/* The structure of any ioctl; size and flags are the first fields of each. */
union ioctl_arg {
	struct {
		u32 size;
		u32 flags;
	};
	struct mdx_ioc_info info;
	struct mdx_ioc_bind bind;
	struct mdx_ioc_obj_create obj_create;
	struct mdx_ioc_obj_destroy obj_destroy;
	struct mdx_ioc_obj_cmd obj_cmd;
	struct mdx_ioc_general general;
	struct mdx_ioc_verbs_cmd verbs_cmd;
	struct mdx_ioc_query_port query_port;
	struct mdx_ioc_query_device query_device;
	struct mdx_ioc_umem_reg umem_reg;
	struct mdx_ioc_last_error last_error;
	struct mdx_ioc_obj_list obj_list;
	struct mdx_ioc_submit submit;
	struct mdx_ioc_channel channel;
	struct mdx_ioc_subscribe subscribe;
};

/**
 * enum ioctl_flags - Needs of a handler
 * @IOCTL_LIVE: the file is bound, a slot of its owner is taken, the device is under
 *	mdx_live and the owner under mdx_owner_live
 * @IOCTL_OUT: the structure goes back to the caller on success
 * @IOCTL_OUT_REFUSED: and when the device has refused the command; with IOCTL_OUT
 * @IOCTL_THROTTLE: a slot for commands about general objects is taken if the object
 *	is one
 */
enum ioctl_flags {
	IOCTL_LIVE = 1 << 0,
	IOCTL_OUT = 1 << 1,
	IOCTL_OUT_REFUSED = 1 << 2,
	IOCTL_THROTTLE = 1 << 3,
};

/**
 * struct ioctl_op - An ioctl
 * @size: size of the structure this module knows
 * @min_size: size up to the last field of its first version
 * @reserved: offset of a reserved field; 0: there is none
 * @flags: enum ioctl_flags
 * @uflags: flags a caller may set
 * @class: of the command that the structure carries, or MDX_OP_NONE
 * @execute: the handler
 */
struct ioctl_op {
	u16 size;
	u16 min_size;
	u16 reserved;
	u8 flags;
	u8 uflags;
	u8 class;
	int (*execute)(struct mdx_ucmd *ucmd);
};

/* MDX_IOC_INFO */
static int ioctl_info(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_info *arg = ucmd->arg;
	struct mdx_file *file = ucmd->file;
	struct mdx_owner *owner;

	*arg = (struct mdx_ioc_info){
		.size = ucmd->usize,
		.out_features = MDX_FEATURE_OBJ | MDX_FEATURE_GENERAL |
				MDX_FEATURE_QUERY_PORT |
				MDX_FEATURE_QUERY_DEVICE |
				MDX_FEATURE_LAST_ERROR |
				MDX_FEATURE_OBJ_LIST |
				MDX_FEATURE_CHANNEL | MDX_FEATURE_SUBMIT |
				MDX_FEATURE_UMEM |
				MDX_BIND_FEATURES |
				MDX_LATE_FEATURES | MDX_CQ_STATS_FEATURES,
		.out_in_len_max = MDX_MBOX_LEN_MAX,
		.out_out_len_max = MDX_MBOX_LEN_MAX,
		.out_objs_max = MDX_OBJS_MAX,
		.out_objs = atomic_read(&file->objs->n),
		.out_calls_max = MDX_SLOTS_MAX,
		.out_calls_throttled_max = MDX_SLOTS_THROTTLED,
		.out_long_len = MDX_LONG_MBOX_LEN,
		.out_long_bytes_max = MDX_LONG_BYTES_MAX,
	};
	/* Pairs with mdx_file_attach() */
	owner = smp_load_acquire(&file->owner);
	if (!owner)
		return 0;
	arg->out_uid = owner->uid;
	arg->out_flags = MDX_INFO_BOUND;
	if (READ_ONCE(owner->mdx->removed))
		arg->out_flags |= MDX_INFO_REMOVED;
	if (READ_ONCE(owner->ended))
		arg->out_flags |= MDX_INFO_ENDED;
	return 0;
}

/* MDX_IOC_GENERAL */
static int ioctl_general(struct mdx_ucmd *ucmd)
{
	return mdx_cmd_exec(&ucmd->cmd, 0);
}

#define IOCTL_OP(_cmd, _struct, _last, _execute, ...)                          \
	[MDX_CMD_##_cmd] = {                                                   \
		.size = sizeof(struct _struct),                                \
		.min_size = offsetofend(struct _struct, _last) +               \
			BUILD_BUG_ON_ZERO(offsetofend(struct _struct, _last) % \
					  sizeof(u64)) +                       \
			BUILD_BUG_ON_ZERO(sizeof(struct _struct) >             \
					  sizeof(union ioctl_arg)),            \
		.execute = _execute,                                           \
		__VA_ARGS__                                                    \
	}
#define RESERVED(_struct) .reserved = offsetof(struct _struct, __reserved)

static const struct ioctl_op ioctl_ops[] = {
	IOCTL_OP(INFO, mdx_ioc_info, out_uid, ioctl_info, .flags = IOCTL_OUT),
	IOCTL_OP(BIND, mdx_ioc_bind, pd_handle, mdx_ioc_bind,
		 .uflags = MDX_BIND_SHARE),
	IOCTL_OP(OBJ_CREATE, mdx_ioc_obj_create, __reserved, mdx_ioc_obj_create,
		 RESERVED(mdx_ioc_obj_create), .class = MDX_OP_CREATE,
		 .flags = IOCTL_LIVE | IOCTL_OUT),
	IOCTL_OP(OBJ_DESTROY, mdx_ioc_obj_destroy, __reserved,
		 mdx_ioc_obj_destroy, RESERVED(mdx_ioc_obj_destroy),
		 .flags = IOCTL_LIVE | IOCTL_OUT | IOCTL_OUT_REFUSED |
			  IOCTL_THROTTLE),
	IOCTL_OP(OBJ_MODIFY, mdx_ioc_obj_cmd, __reserved, mdx_ioc_obj_use,
		 RESERVED(mdx_ioc_obj_cmd), .class = MDX_OP_MODIFY,
		 .flags = IOCTL_LIVE),
	IOCTL_OP(OBJ_QUERY, mdx_ioc_obj_cmd, __reserved, mdx_ioc_obj_use,
		 RESERVED(mdx_ioc_obj_cmd), .class = MDX_OP_QUERY,
		 .flags = IOCTL_LIVE),
	IOCTL_OP(GENERAL, mdx_ioc_general, out_len, ioctl_general,
		 .class = MDX_OP_GENERAL, .flags = IOCTL_LIVE),
	IOCTL_OP(VERBS_MODIFY, mdx_ioc_verbs_cmd, obj_type, mdx_ioc_verbs,
		 .class = MDX_OP_MODIFY, .flags = IOCTL_LIVE),
	IOCTL_OP(VERBS_QUERY, mdx_ioc_verbs_cmd, obj_type, mdx_ioc_verbs,
		 .class = MDX_OP_QUERY, .flags = IOCTL_LIVE),
	IOCTL_OP(QUERY_PORT, mdx_ioc_query_port, out_reserved,
		 mdx_ioc_query_port, RESERVED(mdx_ioc_query_port),
		 .flags = IOCTL_LIVE | IOCTL_OUT),
	IOCTL_OP(QUERY_DEVICE, mdx_ioc_query_device, out_reserved,
		 mdx_ioc_query_device, .flags = IOCTL_LIVE | IOCTL_OUT),
	IOCTL_OP(UMEM_REG, mdx_ioc_umem_reg, out_reserved, mdx_ioc_umem_reg,
		 .flags = IOCTL_OUT | IOCTL_OUT_REFUSED,
		 .uflags = MDX_UMEM_DMABUF | MDX_UMEM_PGSZ_STRICT),
	IOCTL_OP(LAST_ERROR, mdx_ioc_last_error, out_syndrome,
		 mdx_ioc_last_error, .flags = IOCTL_OUT),
	IOCTL_OP(OBJ_LIST, mdx_ioc_obj_list, out_next, mdx_ioc_obj_list,
		 .flags = IOCTL_OUT),
	IOCTL_OP(SUBMIT, mdx_ioc_submit, out_reserved, mdx_ioc_submit,
		 RESERVED(mdx_ioc_submit), .flags = IOCTL_OUT,
		 .uflags = MDX_SUBMIT_STOP | MDX_SUBMIT_UNDO),
	IOCTL_OP(CHANNEL, mdx_ioc_channel, out_fd, mdx_ioc_channel,
		 .flags = IOCTL_OUT,
		 .uflags = MDX_CHANNEL_EVENTS | MDX_CHANNEL_COMPLETIONS |
			   MDX_CHANNEL_OMIT_DATA | MDX_CHANNEL_PLAIN),
	IOCTL_OP(SUBSCRIBE, mdx_ioc_subscribe, obj, mdx_ioc_subscribe),
};

/* A structure that is not of the first version's size, or cannot be read. */
static int ucmd_fetch_other(struct mdx_ucmd *ucmd, const struct ioctl_op *op)
{
	int ret;

	if (get_user(ucmd->usize, (u32 __user *)ucmd->ubuf))
		return -EFAULT;
	ucmd->err.stage = MDX_STAGE_CHECK;
	if (ucmd->usize < op->min_size)
		return -EINVAL;
	/* No structure grows that far: zeros are not looked for. */
	if (ucmd->usize > SZ_4K)
		return -E2BIG;
	ret = copy_struct_from_user(ucmd->arg, op->size, ucmd->ubuf,
				    ucmd->usize);
	if (ret == -EFAULT)
		ucmd->err.stage = MDX_STAGE_MEMORY;
	return ret;
}

static int ucmd_fetch(struct mdx_ucmd *ucmd, const struct ioctl_op *op)
{
	union ioctl_arg *arg = ucmd->arg;
	int ret;

	ucmd->err.stage = MDX_STAGE_MEMORY;
	if (copy_from_user(arg, ucmd->ubuf, op->min_size) ||
	    arg->size != op->min_size || op->size != op->min_size) {
		ret = ucmd_fetch_other(ucmd, op);
		if (ret)
			return ret;
	} else {
		ucmd->usize = op->min_size;
	}
	ucmd->err.stage = MDX_STAGE_CHECK;
	if (arg->flags & ~op->uflags ||
	    (op->reserved && *(u32 *)(ucmd->arg + op->reserved)))
		return -EOPNOTSUPP;
	return 0;
}

static int execute_live(struct mdx_ucmd *ucmd, const struct ioctl_op *op)
{
	int ret;

	guard(mdx_live)(ucmd->mdx);
	guard(mdx_owner_live)(ucmd->owner);
	ret = mdx_owner_check(ucmd->owner);
	return ret ? ret : op->execute(ucmd);
}

static int execute_cmd(struct mdx_ucmd *ucmd, const struct ioctl_op *op)
{
	int ret;

	ret = mdx_cmd_fetch(&ucmd->cmd, ucmd->file, &ucmd->err, ucmd->arg,
			    op->class);
	if (ret)
		return ret;
	ret = mdx_cmd_admit(&ucmd->cmd);
	if (!ret) {
		ret = execute_live(ucmd, op);
		mdx_cmd_leave(&ucmd->cmd);
	}
	ret = mdx_cmd_respond(&ucmd->cmd, ret);
	mdx_cmd_free(&ucmd->cmd);
	return ret;
}

static int execute_throttled(struct mdx_ucmd *ucmd, const struct ioctl_op *op)
{
	struct mdx_slots *slots = &ucmd->owner->throttled_slots;
	int ret;

	ret = mdx_slot_get(slots);
	if (ret)
		return ret;
	ret = execute_live(ucmd, op);
	mdx_slot_put(slots);
	return ret;
}

static int execute_bound(struct mdx_ucmd *ucmd, const struct ioctl_op *op)
{
	const struct mdx_ioc_obj_destroy *arg = ucmd->arg;

	if (op->class != MDX_OP_NONE)
		return execute_cmd(ucmd, op);
	if (op->flags & IOCTL_THROTTLE &&
	    mdx_obj_is_throttled(ucmd->file, arg->id))
		return execute_throttled(ucmd, op);
	return execute_live(ucmd, op);
}

static int ucmd_respond(struct mdx_ucmd *ucmd, const struct ioctl_op *op,
			int ret)
{
	if (ret && (ret != -EREMOTEIO || !(op->flags & IOCTL_OUT_REFUSED)))
		return ret;
	if (copy_to_user(ucmd->ubuf, ucmd->arg,
			 min_t(u32, ucmd->usize, op->size))) {
		ucmd->err.stage = MDX_STAGE_ANSWER;
		return -EFAULT;
	}
	return ret;
}

static void new_obj_settle(struct mdx_ucmd *ucmd, bool answered)
{
	if (!ucmd->new_obj)
		return;
	if (answered)
		mdx_obj_finalize(ucmd->file, ucmd->new_obj);
	else
		mdx_obj_abort(ucmd->file, ucmd->new_obj);
}

static void new_filp_settle(struct mdx_ucmd *ucmd, bool answered)
{
	if (!ucmd->new_filp)
		return;
	if (answered) {
		fd_install(ucmd->new_fd, ucmd->new_filp);
	} else {
		put_unused_fd(ucmd->new_fd);
		fput(ucmd->new_filp);
	}
}

/*
 * A new object or file is the caller's if the answer reaches the caller. A handler
 * without an answer makes none.
 */
static int ucmd_settle(struct mdx_ucmd *ucmd, const struct ioctl_op *op, int ret)
{
	if (!(op->flags & IOCTL_OUT))
		return ret;
	ret = ucmd_respond(ucmd, op, ret);
	new_obj_settle(ucmd, !ret);
	new_filp_settle(ucmd, !ret);
	return ret;
}

/*
 * The slot is held for the whole call, so that the mailboxes of an owner are
 * bounded as well. A page that never comes takes a slot of its own user's.
 */
static int ucmd_run_bound(struct mdx_ucmd *ucmd, const struct ioctl_op *op)
{
	struct mdx_owner *owner = mdx_file_owner(ucmd->file);
	int ret;

	if (IS_ERR(owner))
		return PTR_ERR(owner);
	ucmd->owner = owner;
	ucmd->mdx = owner->mdx;
	ret = mdx_slot_get(&owner->slots);
	if (ret)
		return ret;
	ret = ucmd_settle(ucmd, op, execute_bound(ucmd, op));
	mdx_slot_put(&owner->slots);
	return ret;
}

static int ucmd_run(struct mdx_ucmd *ucmd, const struct ioctl_op *op)
{
	int ret;

	ret = ucmd_fetch(ucmd, op);
	if (ret)
		return ret;
	if (op->flags & IOCTL_LIVE)
		return ucmd_run_bound(ucmd, op);
	return ucmd_settle(ucmd, op, op->execute(ucmd));
}

/* The unlocked_ioctl of the node */
long mdx_ioctl(struct file *filp, unsigned int nr, unsigned long arg)
{
	/* ucmd_fetch() writes as much of it as the handler reads. */
	union ioctl_arg copy __uninitialized;
	struct mdx_ucmd ucmd = {
		.file = filp->private_data,
		.ubuf = (void __user *)arg,
		.arg = &copy,
	};
	unsigned int i = _IOC_NR(nr);
	const struct ioctl_op *op;
	int ret;

	if (nr != _IO(MDX_IOC_TYPE, i) || i >= ARRAY_SIZE(ioctl_ops))
		return -ENOTTY;
	op = &ioctl_ops[array_index_nospec(i, ARRAY_SIZE(ioctl_ops))];
	if (!op->execute)
		return -ENOTTY;

	ret = ucmd_run(&ucmd, op);
	if (ret && i != MDX_CMD_LAST_ERROR)
		mdx_last_error_record(&ucmd, i, ret);
	return ret;
}
