/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The one private layout this module knows: what mlx5_ib keeps right behind a
 * struct ib_pd. No other file may read it, and bind believes it only after the
 * device has confirmed what it says.
 */
#ifndef MDX_VERBS_LAYOUT_H
#define MDX_VERBS_LAYOUT_H

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

#endif /* MDX_VERBS_LAYOUT_H */
