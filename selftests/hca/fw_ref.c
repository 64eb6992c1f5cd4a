// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * References from one object to others.
 */
#include <stdlib.h>

#include "fw_ref.h"

/* uid 0 is the kernel; 0xffff owns what every user may refer to. */
bool fw_uid_known(struct fw *fw, u16 uid)
{
	return !uid || uid == FW_UID_SHARED ||
	       obj_find(&fw->store, OBJ_UCTX, uid);
}

/*
 * The shared uid stands for the kernel, whose UAR page its EQs refer to. Stock
 * drivers need the last rule: QPs of users refer to XRC domains and SRQs of the
 * kernel. No public source says how far a device goes here.
 */
bool fw_may_ref(u16 uid, const struct hca_obj *obj)
{
	if (!uid || uid == FW_UID_SHARED || obj->uid == uid ||
	    obj->uid == FW_UID_SHARED)
		return true;
	return !obj->uid && (hca_obj_descs[obj->type].space == OBJ_SRQ ||
			     obj->type == OBJ_XRCD);
}

struct hca_obj *fw_ref_find(struct fw_call *c, enum hca_obj_type type, u64 key,
			    int *ret)
{
	struct hca_obj *obj = obj_find(&c->fw->store, type, key);

	if (!obj)
		*ret = fw_fail(c, FW_BAD_RES, SYND_REF_UNKNOWN | type);
	else if (!fw_may_ref(c->uid, obj))
		*ret = fw_fail(c, FW_BAD_RES, SYND_REF_FOREIGN | type);
	else
		return obj;
	return NULL;
}

int fw_ref_obj(struct fw_call *c, struct hca_obj *obj)
{
	struct hca_obj **deps;

	/* The array grows when its length reaches a power of two. */
	if (!(c->ndeps & (c->ndeps - 1))) {
		size_t n = c->ndeps ? 2 * c->ndeps : 1;

		deps = realloc(c->deps, n * sizeof(*deps));
		if (!deps)
			return fw_fail(c, FW_INT_ERR, SYND_MEMORY);
		c->deps = deps;
	}
	c->deps[c->ndeps++] = obj;
	return FW_OK;
}

int fw_ref(struct fw_call *c, enum hca_obj_type type, u64 key)
{
	int ret = FW_OK;
	struct hca_obj *obj = fw_ref_find(c, type, key, &ret);

	return obj ? fw_ref_obj(c, obj) : ret;
}

int fw_ref_replace(struct fw_call *c, struct hca_obj *obj)
{
	struct hca_obj *uctx = obj_dep(obj, OBJ_UCTX);
	int ret = uctx ? fw_ref_obj(c, uctx) : FW_OK;

	if (ret)
		return ret;
	obj_set_refs(obj, c->deps, c->ndeps);
	c->deps = NULL;
	c->ndeps = 0;
	return FW_OK;
}

int fw_ref_check(struct fw_call *c, enum hca_obj_type type, u64 key)
{
	int ret = FW_OK;

	fw_ref_find(c, type, key, &ret);
	return ret;
}

int fw_ref_pd(struct fw_call *c, u32 pd)
{
	if (!pd && !c->uid)
		return FW_OK;
	return fw_ref(c, OBJ_PD, pd);
}

int fw_ref_td(struct fw_call *c, u32 td)
{
	return td ? fw_ref(c, OBJ_TD, td) : FW_OK;
}

int fw_ref_cq(struct fw_call *c, u32 cqn)
{
	return cqn ? fw_ref(c, OBJ_CQ, cqn) : FW_OK;
}

int fw_ref_srq(struct fw_call *c, u32 num)
{
	static const enum hca_obj_type types[] = {
		OBJ_RMP,
		OBJ_SRQ,
		OBJ_XRC_SRQ,
		OBJ_XRQ,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (obj_find(&c->fw->store, types[i], num))
			return fw_ref(c, types[i], num);
	return fw_fail(c, FW_BAD_RES, SYND_REF_UNKNOWN | OBJ_SRQ);
}

int fw_check_counter(struct fw_call *c, u32 set)
{
	if (set && !obj_find(&c->fw->store, OBJ_Q_COUNTER, set))
		return fw_fail(c, FW_BAD_RES, SYND_REF_UNKNOWN | OBJ_Q_COUNTER);
	return FW_OK;
}
