/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Objects are charged to the rdma cgroup as hca_object, as ib_core charges its
 * own: its wrapper around these two functions is private.
 */
#ifndef MDX_CHARGE_H
#define MDX_CHARGE_H

#include <linux/cgroup_rdma.h>
#include <rdma/ib_verbs.h>

struct rdma_cgroup;

#ifdef CONFIG_CGROUP_RDMA
static inline int mdx_charge(struct rdma_cgroup **cg, struct ib_device *ibdev)
{
	return rdmacg_try_charge(cg, &ibdev->cg_device,
				 RDMACG_RESOURCE_HCA_OBJECT);
}

static inline void mdx_uncharge(struct rdma_cgroup *cg, struct ib_device *ibdev)
{
	rdmacg_uncharge(cg, &ibdev->cg_device, RDMACG_RESOURCE_HCA_OBJECT);
}
#else
static inline int mdx_charge(struct rdma_cgroup **cg, struct ib_device *ibdev)
{
	return 0;
}

static inline void mdx_uncharge(struct rdma_cgroup *cg, struct ib_device *ibdev)
{
}
#endif

#endif /* MDX_CHARGE_H */
