/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of QPs. */
#ifndef HCA_FW_QP_H
#define HCA_FW_QP_H

#include "fw_call.h"
#include "fw_view.h"

int fw_change_qp(struct fw_call *c);
int fw_create_qp(struct fw_call *c);

bool fw_wq_view_qp(const struct hca_obj *obj, struct fw_wq_view *view);

#endif /* HCA_FW_QP_H */
