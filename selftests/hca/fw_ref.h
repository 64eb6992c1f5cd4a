/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * References: the objects that a create or a modify refers to. A command takes
 * them in fw_call::deps, and the object holds them from then on.
 */
#ifndef HCA_FW_REF_H
#define HCA_FW_REF_H

#include "fw_call.h"

/* True if @uid is a user context, the kernel or the shared uid. */
bool fw_uid_known(struct fw *fw, u16 uid);
/* True if an object of @uid may refer to @obj. */
bool fw_may_ref(u16 uid, const struct hca_obj *obj);
/* An object to refer to; NULL with a status in @ret. */
struct hca_obj *fw_ref_find(struct fw_call *c, enum hca_obj_type type, u64 key,
			    int *ret);
int fw_ref(struct fw_call *c, enum hca_obj_type type, u64 key);
int fw_ref_obj(struct fw_call *c, struct hca_obj *obj);
/* Let the references of a modify replace those of @obj. */
int fw_ref_replace(struct fw_call *c, struct hca_obj *obj);
/* Check a reference without holding it: stock drivers may destroy it first. */
int fw_ref_check(struct fw_call *c, enum hca_obj_type type, u64 key);

/* PD 0 is the device's own, for internal queues of the kernel. */
int fw_ref_pd(struct fw_call *c, u32 pd);
/* Transport domain 0 is the device's own; DPDK's drop queue is in it. */
int fw_ref_td(struct fw_call *c, u32 td);
/* 0: no completions in this direction. */
int fw_ref_cq(struct fw_call *c, u32 cqn);
/* Any of the four types of shared receive queues, which share their numbers. */
int fw_ref_srq(struct fw_call *c, u32 num);
/* All users share counter sets; 0: none. */
int fw_check_counter(struct fw_call *c, u32 set);

#endif /* HCA_FW_REF_H */
