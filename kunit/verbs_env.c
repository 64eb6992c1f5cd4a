// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/file.h>
#include <linux/mlx5/device.h>
#include <rdma/uverbs_std_types.h>
#include <rdma/uverbs_types.h>

#include "../kmod/cmd.h"
#include "real.h"

/* In place of rdma_core's: there is no verbs object, and no file of uverbs. */
static struct ib_uobject *no_uobj(const struct uverbs_api_object *obj,
				  struct ib_uverbs_file *ufile, s64 id,
				  enum rdma_lookup_mode mode)
{
	return ERR_PTR(-ENOENT);
}

static const struct uverbs_obj_type_class no_class = { .lookup_get = no_uobj };

struct mdx_dev *mdx_dev_of_uverbs(struct file *filp)
{
	return NULL;
}

#define mdx_ioc_bind(ucmd) real_bind(ucmd)
#define mdx_ioc_verbs_modify(ucmd) real_verbs_modify(ucmd)
#define mdx_ioc_verbs_query(ucmd) real_verbs_query(ucmd)
#define uverbs_idr_class no_class
#define uverbs_uobject_put(uobj) ((void)(uobj))
#define rdma_dev_access_netns(dev, net) true
#define rdma_port_get_link_layer(dev, port) IB_LINK_LAYER_ETHERNET

#include "../kmod/verbs.c"
#include "../kmod/interop.c"

int real_proof(struct mdx_dev *mdx, struct file *uverbs, u32 pdn, u16 uid)
{
	struct mdx_why why = {};
	struct owner owner = { .pdn = pdn, .uid = uid, .why = &why };
	int ret;

	percpu_down_read(&mdx->live_sem);
	ret = proof(mdx, uverbs, &owner);
	percpu_up_read(&mdx->live_sem);
	return ret;
}
