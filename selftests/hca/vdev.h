/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The device behind the vfio-user server. */
#ifndef HCA_VDEV_H
#define HCA_VDEV_H

#include "hca.h"
#include "vfu.h"

int vdev_init(struct vfu *vfu, struct hca *hca);

#endif /* HCA_VDEV_H */
