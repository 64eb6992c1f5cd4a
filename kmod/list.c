// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The list of the objects of a file, for user space: MDX_IOC_OBJ_LIST.
 */
#include <linux/kernel.h>
#include <linux/uaccess.h>

#include "file.h"
#include "list.h"
#include "obj.h"
#include "ucmd.h"

/* Objects that are looked at before they are copied to the caller. */
#define LIST_BATCH 16

/* Return: entries filled; @id is the id to go on from, beyond 32 bits if there is none */
static u32 list_fill(struct mdx_objs *objs, u64 *id, struct mdx_obj_info *info,
		     u32 n)
{
	struct mdx_obj *obj;
	u32 i;

	mdx_ids_lock(&objs->ids);
	for (i = 0; i < n && (obj = mdx_ids_next(&objs->ids, id)); i++, (*id)++)
		info[i] = (struct mdx_obj_info){
			.id = obj->id,
			.opcode = obj->opcode,
			.obj_type = obj->obj_type,
			.fw_id = obj->fw_id,
			.fw_n = obj->fw_n,
		};
	mdx_ids_unlock(&objs->ids);
	if (i < n)
		*id = BIT_ULL(32);
	return i;
}

/* MDX_IOC_OBJ_LIST. It does not ask the device, and needs neither slot nor lock. */
int mdx_ioc_obj_list(struct mdx_ucmd *ucmd)
{
	struct mdx_ioc_obj_list *arg = ucmd->arg;
	struct mdx_owner *owner = mdx_file_owner(ucmd->file);
	struct mdx_obj_info info[LIST_BATCH];
	struct mdx_obj_info __user *to = u64_to_user_ptr(arg->objs);
	u64 id = arg->from_id;
	u32 n, room;

	if (IS_ERR(owner))
		return PTR_ERR(owner);
	if (!arg->objs_n)
		return -EINVAL;
	ucmd->err.stage = MDX_STAGE_ANSWER;
	arg->out_n = 0;
	do {
		room = min_t(u32, arg->objs_n - arg->out_n, LIST_BATCH);
		n = list_fill(ucmd->file->objs, &id, info, room);
		if (copy_to_user(to + arg->out_n, info, n * sizeof(*info)))
			return -EFAULT;
		arg->out_n += n;
	} while (n && n == room && arg->out_n < arg->objs_n);
	arg->out_next = id > U32_MAX ? 0 : id;
	return 0;
}
