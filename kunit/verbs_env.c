// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/file.h>
#include <linux/mlx5/device.h>
#include <rdma/uverbs_std_types.h>
#include <rdma/uverbs_types.h>

#include "../kmod/dev.h"
#include "verbs_env.h"

/* In place of rdma_core's */
static struct ib_uobject *no_uobj(const struct uverbs_api_object *obj,
				  struct ib_uverbs_file *ufile, s64 id,
				  enum rdma_lookup_mode mode)
{
	return ERR_PTR(-ENOENT);
}

static const struct uverbs_obj_type_class no_class = { .lookup_get = no_uobj };

/* dev.c */
struct mdx_dev *mdx_dev_of_uverbs(struct file *filp)
{
	return NULL;
}

#define uverbs_idr_class no_class
#define uverbs_uobject_put(uobj) ((void)(uobj))
#define rdma_dev_access_netns(dev, net) true
#define rdma_port_get_link_layer(dev, port) IB_LINK_LAYER_ETHERNET

#include "../kmod/bind.c"
#include "../kmod/interop.c"
#include "../kmod/uobj.c"

int env_verify_uid(struct mdx_dev *mdx, struct file *uverbs, u32 pdn, u16 uid)
{
	struct pd_owner owner = { .pdn = pdn, .uid = uid };
	struct mdx_err_info err = {};

	guard(mdx_live)(mdx);
	return verify_uid(mdx, uverbs, &owner, &err);
}
