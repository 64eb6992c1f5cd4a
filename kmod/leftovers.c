// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects that a device keeps although their context has ended.
 *
 * A user can cause them again and again, by two entries of one index: the log gets
 * one line a device, and debugfs the counts.
 */
#include <linux/list.h>
#include <rdma/ib_verbs.h>

#include "dev.h"
#include "file.h"
#include "leftovers.h"
#include "obj.h"
#include "owner.h"

static void leftovers_add(struct mdx_owner *owner, const struct mdx_obj *obj,
			  unsigned int n)
{
	struct mdx_leftovers *left = &owner->mdx->leftovers;
	bool first;

	spin_lock(&left->lock);
	first = !left->contexts++;
	left->objs += n;
	left->uid = owner->uid;
	left->opcode = obj->opcode;
	left->fw_id = obj->fw_id;
	spin_unlock(&left->lock);
	if (first)
		dev_warn(&owner->mdx->ibdev->dev,
			 "mlx5_devx: the device keeps objects of uid %#x, among them %#x created by %#x; any more are counted in debugfs, mlx5_devx/leftovers\n",
			 owner->uid, obj->fw_id, obj->opcode);
}

static unsigned int objs_count(struct mdx_objs *objs, struct mdx_obj **obj)
{
	if (!list_empty(&objs->all))
		*obj = list_first_entry(&objs->all, struct mdx_obj, entry);
	return list_count_nodes(&objs->all);
}

/**
 * mdx_leftovers_report - Report the objects that the device keeps of a context
 * @owner: the context, with its teardown_lock held or the registration_lock of its
 *	device for write. The device is not removed
 */
void mdx_leftovers_report(struct mdx_owner *owner)
{
	struct mdx_obj *obj = NULL;
	struct mdx_file *file;
	unsigned int n;

	n = objs_count(&owner->kept, &obj) + objs_count(&owner->shared, &obj);
	list_for_each_entry(file, &owner->files, entry)
		n += objs_count(&file->own, &obj);
	if (obj)
		leftovers_add(owner, obj, n);
}
