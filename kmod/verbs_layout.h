/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The private layout this module knows: what mlx5_ib keeps right behind a struct
 * ib_pd and a struct ib_cq. No other file may know it. bind believes that of PDs
 * only after the device has confirmed what it says; that of a CQ is believed if
 * the uid in it is the one of the context it belongs to.
 */
#ifndef MDX_VERBS_LAYOUT_H
#define MDX_VERBS_LAYOUT_H

#include <linux/mlx5/cq.h>
#include <rdma/ib_verbs.h>

/**
 * struct mdx_ib_pd - struct mlx5_ib_pd
 * @ibpd: the part the core knows
 * @pdn: what the device calls it
 * @uid: firmware uid of the context it belongs to; 0 if that has none
 */
struct mdx_ib_pd {
	struct ib_pd ibpd;
	u32 pdn;
	u16 uid;
};

/* ib_core allocates PDs, so it knows at least how long one is. */
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

/* ib_core allocates CQs, too: this much of one can be read at least. */
static inline bool mdx_ib_cq_fits(struct ib_device *ibdev)
{
	return ibdev->ops.size_ib_cq > sizeof(struct mdx_ib_cq);
}

#endif /* MDX_VERBS_LAYOUT_H */
