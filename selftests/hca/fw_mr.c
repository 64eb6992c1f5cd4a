// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Memory keys and signature handles.
 */
#include "fw_mem.h"
#include "fw_mr.h"
#include "fw_ref.h"

#define PSV_MAX 4

int fw_create_mkey(struct fw_call *c)
{
	const u8 *mkc = c->in + PRM_BYTE(create_mkey_in,
					 memory_key_mkey_entry);
	u64 octwords = PRM_GET(create_mkey_in, c->in,
			       translations_octword_actual_size);
	unsigned int mode = PRM_GET(mkc, mkc, access_mode_4_2) << 2 |
			    PRM_GET(mkc, mkc, access_mode_1_0);
	struct fw_layout layout = {
		.valid = true,
		.umem = prm_get(c->in, PRM_CREATE_MKEY_UMEM_ID, 32),
		.off = prm_get(c->in, PRM_CREATE_MKEY_UMEM_OFFSET, 64),
	};
	int ret;

	/* Signatures are not modelled. */
	if (mode > MODE_KSM || PRM_GET(mkc, mkc, bsf_en))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_MKEY);
	ret = fw_ref_pd(c, PRM_GET(mkc, mkc, pd));
	if (ret)
		return ret;
	if (mode == MODE_PA)
		octwords = 0;
	if (!PRM_GET(create_mkey_in, c->in, mkey_umem_valid))
		ret = fw_list(c, PRM_SZ(create_mkey_in), octwords * 16);
	else if (mode != MODE_PA)
		ret = fw_map_layout(c, &layout);
	return ret ? ret : fw_create(c);
}

/* With pg_access, the first four translations follow. */
int fw_query_mkey(struct fw_call *c)
{
	size_t at = PRM_SZ(create_mkey_in);
	size_t n = c->obj->in_len - at;

	fw_query(c);
	if (n > 32)
		n = 32;
	if (PRM_GET(query_mkey_in, c->in, pg_access))
		memcpy(c->out + PRM_BYTE(query_mkey_out, bsf0_klm0_pas_mtt0_1),
		       c->obj->in + at, n);
	return FW_OK;
}

/* One command creates up to four objects. */
int fw_create_psv(struct fw_call *c)
{
	unsigned int i, n = PRM_GET(create_psv_in, c->in, num_psv);
	u32 made[PSV_MAX];
	int ret = FW_OK;

	if (!n || n > PSV_MAX)
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_PSV);
	for (i = 0; i < n && !ret; i++) {
		ret = fw_ref(c, OBJ_PD, PRM_GET(create_psv_in, c->in, pd));
		if (!ret)
			ret = fw_create(c);
		if (!ret)
			made[i] = c->obj->key;
	}
	if (ret) {
		while (--i)
			fw_obj_remove(c->fw, obj_find(&c->fw->store, OBJ_PSV,
						      made[i - 1]));
		return ret;
	}
	for (i = 0; i < n; i++)
		prm_set(c->out, PRM_BIT(create_psv_out, psv0_index) + 32 * i,
			24, made[i]);
	return FW_OK;
}

int fw_query_special(struct fw_call *c)
{
	PRM_SET(query_special_contexts_out, c->out, resd_lkey, 0x100);
	return FW_OK;
}
