// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The ioctls: one row each, one way in and out of user memory.
 */
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>

#include "mdx.h"

union ioc_buf {
	struct mdx_ioc_info info;
	struct mdx_ioc_bind bind;
	struct mdx_ioc_obj_create obj_create;
	struct mdx_ioc_obj_destroy obj_destroy;
	struct mdx_ioc_obj_cmd obj_cmd;
	struct mdx_ioc_general general;
	struct mdx_ioc_verbs_cmd verbs_cmd;
	struct mdx_ioc_query_port query_port;
	struct mdx_ioc_query_device query_device;
	struct mdx_ioc_last_error last_error;
};

/**
 * struct ioc_op - An ioctl
 * @size: size of the structure this module knows
 * @min_size: up to the last field of its first version
 * @fn: what to do with the copy
 */
struct ioc_op {
	u32 size;
	u32 min_size;
	int (*fn)(struct mdx_ucmd *ucmd);
};

/* MDX_IOC_INFO */
static int ioc_info(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_info *arg = ucmd->cmd;
	struct mdx_file *file = ucmd->file;
	struct mdx_dev *mdx;

	if (arg->flags)
		return -EOPNOTSUPP;

	*arg = (struct mdx_ioc_info){
		.size = arg->size,
		.out_features = MDX_FEATURE_OBJ | MDX_FEATURE_GENERAL |
				MDX_FEATURE_VERBS | MDX_FEATURE_QUERY_PORT |
				MDX_FEATURE_QUERY_DEVICE |
				MDX_FEATURE_LAST_ERROR,
		.out_in_len_max = MDX_MBOX_LEN_MAX,
		.out_out_len_max = MDX_MBOX_LEN_MAX,
		.out_objs_max = MDX_OBJS_MAX,
		.out_objs = atomic_read(&file->objs_n),
	};
	mdx = mdx_file_dev(file);
	if (mdx != ERR_PTR(-ENOTCONN)) {
		arg->out_flags = MDX_INFO_BOUND;
		arg->out_uid = file->uid;
	}
	if (mdx == ERR_PTR(-EIO))
		arg->out_flags |= MDX_INFO_REMOVED;
	return mdx_respond(ucmd);
}

#define IOC(_cmd, _struct, _last, _fn)                                         \
	[_cmd] = {                                                             \
		.size = sizeof(struct _struct) +                               \
			BUILD_BUG_ON_ZERO(sizeof(union ioc_buf) <              \
					  sizeof(struct _struct)),             \
		.min_size = offsetofend(struct _struct, _last) +               \
			BUILD_BUG_ON_ZERO(offsetofend(struct _struct, _last) % \
					  sizeof(u64)),                        \
		.fn = _fn,                                                     \
	}

static const struct ioc_op ioc_ops[] = {
	IOC(MDX_CMD_INFO, mdx_ioc_info, out_uid, ioc_info),
	IOC(MDX_CMD_BIND, mdx_ioc_bind, pd_handle, mdx_ioc_bind),
	IOC(MDX_CMD_OBJ_CREATE, mdx_ioc_obj_create, __reserved,
	    mdx_ioc_obj_create),
	IOC(MDX_CMD_OBJ_DESTROY, mdx_ioc_obj_destroy, __reserved,
	    mdx_ioc_obj_destroy),
	IOC(MDX_CMD_OBJ_MODIFY, mdx_ioc_obj_cmd, __reserved,
	    mdx_ioc_obj_modify),
	IOC(MDX_CMD_OBJ_QUERY, mdx_ioc_obj_cmd, __reserved,
	    mdx_ioc_obj_query),
	IOC(MDX_CMD_GENERAL, mdx_ioc_general, out_len, mdx_ioc_general),
	IOC(MDX_CMD_VERBS_MODIFY, mdx_ioc_verbs_cmd, obj_type,
	    mdx_ioc_verbs_modify),
	IOC(MDX_CMD_VERBS_QUERY, mdx_ioc_verbs_cmd, obj_type,
	    mdx_ioc_verbs_query),
	IOC(MDX_CMD_QUERY_PORT, mdx_ioc_query_port, out_reserved,
	    mdx_ioc_query_port),
	IOC(MDX_CMD_QUERY_DEVICE, mdx_ioc_query_device, out_reserved,
	    mdx_ioc_query_device),
	IOC(MDX_CMD_LAST_ERROR, mdx_ioc_last_error, out_syndrome,
	    mdx_ioc_last_error),
};

/**
 * mdx_respond - Hand the structure of an ioctl back
 * @ucmd: the ioctl
 *
 * Return: 0 or -EFAULT
 */
int mdx_respond(struct mdx_ucmd *ucmd)
{
	if (copy_to_user(ucmd->ubuf, ucmd->cmd, min(ucmd->usize, ucmd->ksize))) {
		ucmd->why.stage = MDX_STAGE_ANSWER;
		return -EFAULT;
	}
	return 0;
}

/* A structure that is not as long as the first version's. */
static noinline int too_short(struct mdx_ucmd *ucmd, const struct ioc_op *op)
{
	u32 size;

	if (get_user(size, (u32 __user *)ucmd->ubuf))
		return -EFAULT;
	if (size >= op->min_size)
		return -EFAULT;
	ucmd->why.stage = MDX_STAGE_CHECK;
	return -EINVAL;
}

/* What is behind the first version's last field. */
static int tail_get(struct mdx_ucmd *ucmd, const struct ioc_op *op, void *buf)
{
	u32 at = op->min_size, end = min(ucmd->usize, op->size);
	int ret;

	memset(buf + at, 0, op->size - at);
	if (copy_from_user(buf + at, ucmd->ubuf + at, end - at))
		return -EFAULT;
	if (ucmd->usize <= op->size)
		return 0;
	ret = check_zeroed_user(ucmd->ubuf + op->size, ucmd->usize - op->size);
	if (ret < 0)
		return ret;
	return ret ? 0 : -E2BIG;
}

/* A few words, read here: a call would take longer to check what it may do. */
static int words_get(void *buf, const void __user *ubuf, u32 len)
{
	const u64 __user *from = ubuf;
	u64 *to = buf, *end = to + len / sizeof(*to);

	if (!user_access_begin(ubuf, len))
		return -EFAULT;
	for (; to < end; to++, from++)
		unsafe_get_user(*to, from, fault);
	user_access_end();
	return 0;
fault:
	user_access_end();
	return -EFAULT;
}

static int ioctl_do(const struct ioc_op *op, struct mdx_ucmd *ucmd)
{
	/* As much of it as is read later is written below. */
	union ioc_buf buf __uninitialized;
	int ret;

	ucmd->why.stage = MDX_STAGE_MEMORY;
	if (words_get(&buf, ucmd->ubuf, op->min_size))
		return too_short(ucmd, op);
	ucmd->why.stage = MDX_STAGE_CHECK;
	/* It is the first field of all. */
	ucmd->usize = buf.info.size;
	if (ucmd->usize < op->min_size)
		return -EINVAL;
	/* No structure grows that far: do not look for zeros in all memory. */
	if (ucmd->usize > PAGE_SIZE)
		return -E2BIG;
	if (ucmd->usize != op->min_size || ucmd->usize != op->size) {
		ret = tail_get(ucmd, op, &buf);
		if (ret)
			return ret;
	}
	ucmd->ksize = op->size;
	ucmd->cmd = &buf;
	return op->fn(ucmd);
}

/* The unlocked_ioctl of the node */
long mdx_ioctl(struct file *filp, unsigned int nr, unsigned long arg)
{
	struct mdx_ucmd ucmd = {
		.file = filp->private_data,
		.ubuf = (void __user *)arg,
	};
	const struct ioc_op *op;
	unsigned int i;
	int ret;

	i = _IOC_NR(nr);
	if (nr != _IO(MDX_IOC_TYPE, i) || i >= ARRAY_SIZE(ioc_ops))
		return -ENOTTY;
	op = &ioc_ops[array_index_nospec(i, ARRAY_SIZE(ioc_ops))];
	if (!op->fn)
		return -ENOTTY;

	ret = ioctl_do(op, &ucmd);
	if (ret && i != MDX_CMD_LAST_ERROR)
		mdx_last_record(&ucmd, i, ret);
	return ret;
}
