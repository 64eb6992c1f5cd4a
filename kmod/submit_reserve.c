// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The object that an item of a batch is to create, before it is created. A worker
 * belongs to no cgroup, so the caller's thread reserves it.
 */
#include <rdma/ib_verbs.h>

#include "dev.h"
#include "file.h"
#include "objs.h"
#include "owner.h"
#include "submit_run.h"

/**
 * mdx_run_reserve - Reserve the object that an item is to create
 * @run: with the row of its command; no lock is held
 *
 * Return: 0, or -EIO or as mdx_obj_begin()
 */
int mdx_run_reserve(struct mdx_run *run)
{
	struct mdx_owner *owner = run->ucmd.owner;
	struct mdx_obj *obj;
	int ret;

	guard(mdx_live)(owner->mdx);
	guard(mdx_owner_live)(owner);
	ret = mdx_owner_check(owner);
	if (ret)
		return ret;
	if (!ib_device_try_get(owner->mdx->ibdev))
		return -EIO;
	obj = mdx_obj_begin(&run->ucmd);
	if (IS_ERR(obj)) {
		ib_device_put(owner->mdx->ibdev);
		return PTR_ERR(obj);
	}
	run->reserved = obj;
	return 0;
}

/**
 * mdx_run_unreserve - Undo mdx_run_reserve()
 * @run: of which nothing was sent
 */
void mdx_run_unreserve(struct mdx_run *run)
{
	mdx_obj_cancel(&run->ucmd, run->reserved);
	run->reserved = NULL;
	ib_device_put(run->ucmd.mdx->ibdev);
}
