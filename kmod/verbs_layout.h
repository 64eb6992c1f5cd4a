/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The private layout this module knows: the fields of mlx5_ib right behind a struct
 * ib_pd and a struct ib_cq. No other file may know it. The fields of a PD are
 * believed only after the device has confirmed them; the number of a CQ is believed
 * if the uid beside it is that of the CQ's context.
 */
#ifndef MDX_VERBS_LAYOUT_H
#define MDX_VERBS_LAYOUT_H

#include <linux/mlx5/cq.h>
#include <rdma/ib_verbs.h>

/**
 * struct mdx_ib_pd - struct mlx5_ib_pd
 * @ibpd: the part ib_core knows
 * @pdn: its number in the device
 * @uid: firmware uid of the context it belongs to; 0 if that has none
 */
struct mdx_ib_pd {
	struct ib_pd ibpd;
	u32 pdn;
	u16 uid;
};

/* ib_core allocates PDs, and so knows the size of one. */
static inline bool mdx_ib_pd_fits(struct ib_device *ibdev)
{
	return ibdev->ops.size_ib_pd == sizeof(struct mdx_ib_pd);
}

/**
 * struct mdx_ib_cq - First part of struct mlx5_ib_cq
 * @ibcq: the part ib_core knows
 * @mcq: the part mlx5_core knows
 */
struct mdx_ib_cq {
	struct ib_cq ibcq;
	struct mlx5_core_cq mcq;
};

/* ib_core allocates CQs as well: at least this much of one can be read. */
static inline bool mdx_ib_cq_fits(struct ib_device *ibdev)
{
	return ibdev->ops.size_ib_cq > sizeof(struct mdx_ib_cq);
}

#endif /* MDX_VERBS_LAYOUT_H */
