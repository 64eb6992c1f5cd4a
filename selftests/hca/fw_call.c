// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Steps and handlers that most commands share.
 */
#include "fw_call.h"
#include "fw_ref.h"
#include "fw_steer.h"

int fw_find(struct fw_call *c, enum hca_obj_type type, u64 key)
{
	struct hca_obj *obj = obj_find(&c->fw->store, type, key);

	if (!obj)
		return fw_fail(c, FW_BAD_RES_STATE, SYND_UNKNOWN | type);
	if (c->uid && obj->uid != c->uid)
		return fw_fail(c, FW_BAD_RES_STATE, SYND_FOREIGN | type);
	c->obj = obj;
	return FW_OK;
}

int fw_list(struct fw_call *c, size_t at, u64 n)
{
	if (at > c->in_len || n > c->in_len - at)
		return fw_fail(c, FW_BAD_IN_LEN, SYND_LIST_LEN);
	return FW_OK;
}

/* Maximum number of live objects of @type. */
static u64 obj_limit(struct fw *fw, enum hca_obj_type type)
{
	const struct hca_obj_desc *desc = &hca_obj_descs[type];
	u64 max = (u64)desc->last - desc->first + 1;
	u64 cap;

	if (desc->cap_width) {
		cap = 1ULL << (prm_get(fw_cap(fw, 0), desc->cap_bit,
				       desc->cap_width) &
			       31);
		if (cap < max)
			max = cap;
	}
	if (fw->conf.max_objs && fw->conf.max_objs < max)
		max = fw->conf.max_objs;
	return max;
}

int fw_create_key(struct fw_call *c, u64 key, u32 span)
{
	enum hca_obj_type type = c->cmd->obj_type;
	struct fw *fw = c->fw;
	struct hca_obj *obj;
	int ret = FW_OK;

	if (c->uid && c->uid != FW_UID_SHARED)
		ret = fw_ref_obj(c, obj_find(&fw->store, OBJ_UCTX, c->uid));
	if (ret)
		return ret;
	if (fw->store.live[type] >= obj_limit(fw, type))
		return fw_fail(c, FW_EXCEED_LIM, SYND_LIMIT | type);
	if (!key)
		key = obj_number(&fw->store, type, span);
	if (!key)
		return fw_fail(c, FW_NO_RESOURCES, SYND_NO_ID | type);
	obj = obj_add(&fw->store, type, key, c->uid, c->in, c->in_len);
	if (!obj)
		return fw_fail(c, FW_INT_ERR, SYND_MEMORY);
	obj->span = span;
	if (span > 1)
		fw->store.bulks++;
	obj->mem = c->mem;
	obj_set_refs(obj, c->deps, c->ndeps);
	memset(&c->mem, 0, sizeof(c->mem));
	c->deps = NULL;
	c->ndeps = 0;
	c->obj = obj;
	if (c->cmd->id_width)
		prm_set(c->out, c->cmd->id_bit, c->cmd->id_width, key);
	return FW_OK;
}

int fw_create(struct fw_call *c)
{
	return fw_create_key(c, 0, 1);
}

/* Return the context as it was last written, and the list behind it. */
int fw_query(struct fw_call *c)
{
	const struct hca_obj_desc *desc = &hca_obj_descs[c->cmd->obj_type];
	size_t n;

	memcpy(c->out + desc->ctx_out, c->obj->in + desc->ctx_in,
	       desc->ctx_len);
	if (desc->list && c->obj->in_len > desc->list &&
	    c->out_len > desc->list) {
		n = c->obj->in_len - desc->list;
		if (n > c->out_len - desc->list)
			n = c->out_len - desc->list;
		memcpy(c->out + desc->list, c->obj->in + desc->list, n);
	}
	return FW_OK;
}

void fw_obj_remove(struct fw *fw, struct hca_obj *obj)
{
	if (obj->type == OBJ_EQ && fw->ops->eq_destroy)
		fw->ops->eq_destroy(fw->priv, (uint8_t)obj->key);
	if (fw->ops->object_destroyed)
		fw->ops->object_destroyed(fw->priv,
					  hca_obj_descs[obj->type].name,
					  (uint32_t)obj->key);
	obj_del(&fw->store, obj);
}

int fw_destroy(struct fw_call *c)
{
	if (c->obj->refs)
		return fw_fail(c, FW_BAD_RES_STATE,
			       SYND_IN_USE | c->cmd->obj_type);
	fw_obj_remove(c->fw, c->obj);
	c->obj = NULL;
	return FW_OK;
}

int fw_ok(struct fw_call *c)
{
	(void)c;
	return FW_OK;
}

/*
 * References are dropped first: since a modify, an old object may refer to a
 * newer one, and two objects may refer to each other.
 */
void fw_clear(struct fw *fw)
{
	struct hca_obj *obj;

	for (obj = fw->store.newest; obj; obj = obj->older)
		obj_set_refs(obj, NULL, 0);
	while (fw->store.newest)
		fw_obj_remove(fw, fw->store.newest);
	fw_steer_reset(fw);
}
