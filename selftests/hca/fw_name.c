// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What contexts name, and how a modify puts a new context in place of the old.
 */
#include <stdlib.h>

#include "fw_int.h"

/* Named, but not held: for all that drivers can tell, it may go first. */
int fw_exists(struct fw_call *c, enum fw_kind kind, u64 key)
{
	int ret = FW_OK;

	fw_need(c, kind, key, &ret);
	return ret;
}

/* PD 0 is the device's own: the drivers' internal queues use it. */
int fw_name_pd(struct fw_call *c, u32 pd)
{
	if (!pd && !c->uid)
		return FW_OK;
	return fw_name(c, K_PD, pd);
}

/* 0 where a queue has no completions in this direction. */
int fw_name_cq(struct fw_call *c, u32 cqn)
{
	return cqn ? fw_name(c, K_CQ, cqn) : FW_OK;
}

/* Any of the four kinds of shared receive queue, which share their numbers. */
int fw_name_srq(struct fw_call *c, u32 num)
{
	static const enum fw_kind kinds[] = {
		K_RMP, K_SRQ, K_XRC_SRQ, K_XRQ,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (obj_find(&c->fw->store, kinds[i], num))
			return fw_name(c, kinds[i], num);
	return fw_fail(c, FW_BAD_RES, SYND_REF_UNKNOWN | K_SRQ);
}

/* Counter sets are shared by all; 0 for none. */
int fw_check_counter(struct fw_call *c, u32 set)
{
	if (set && !obj_find(&c->fw->store, K_Q_COUNTER, set))
		return fw_fail(c, FW_BAD_RES, SYND_REF_UNKNOWN | K_Q_COUNTER);
	return FW_OK;
}

/* Copy a field between two copies of one format. */
void fw_field(u8 *to, const u8 *from, size_t bit, unsigned int width)
{
	unsigned int n;

	for (; width; width -= n, bit += n) {
		n = width < 64 ? width : 64;
		prm_set(to, bit, n, prm_get(from, bit, n));
	}
}

/* A copy of the object's mailbox for a modify to change. */
u8 *fw_copy(struct fw_call *c)
{
	u8 *cand = malloc(c->obj->in_len);

	if (cand)
		memcpy(cand, c->obj->in, c->obj->in_len);
	else
		fw_fail(c, FW_INT_ERR, SYND_MEMORY);
	return cand;
}

int fw_modify(struct fw_call *c, u8 *cand, size_t len,
	      int (*names)(struct fw_call *c))
{
	struct fw_obj *obj = c->obj;
	int ret = FW_OK;

	if (!cand)
		return FW_INT_ERR;
	c->in = cand;
	c->in_len = len;
	if (names)
		ret = names(c);
	if (!ret && names)
		ret = fw_rename(c, obj);
	if (ret) {
		free(cand);
		return ret;
	}
	free(obj->in);
	obj->in = cand;
	obj->in_len = len;
	if (names) {
		free(obj->mem.pas);
		obj->mem = c->mem;
		memset(&c->mem, 0, sizeof(c->mem));
	}
	return FW_OK;
}
