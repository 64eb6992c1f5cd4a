// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>

#include "fw_modify.h"
#include "fw_ref.h"

void fw_field(u8 *to, const u8 *from, size_t bit, unsigned int width)
{
	unsigned int n;

	for (; width; width -= n, bit += n) {
		n = width < 64 ? width : 64;
		prm_set(to, bit, n, prm_get(from, bit, n));
	}
}

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
	      int (*refs)(struct fw_call *c))
{
	struct hca_obj *obj = c->obj;
	int ret = FW_OK;

	if (!cand)
		return FW_INT_ERR;
	c->in = cand;
	c->in_len = len;
	if (refs)
		ret = refs(c);
	if (!ret && refs)
		ret = fw_ref_replace(c, obj);
	if (ret) {
		free(cand);
		return ret;
	}
	free(obj->in);
	obj->in = cand;
	obj->in_len = len;
	if (refs) {
		free(obj->mem.pas);
		obj->mem = c->mem;
		memset(&c->mem, 0, sizeof(c->mem));
	}
	return FW_OK;
}
