// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Mailboxes of keys: mkeys of memory and of other mkeys, and PSVs. */
#include "objtypes_fill.h"

/* In the umem, behind the doorbell records and before the buffers of queues. */
enum {
	MEM_MKEY = 0x1000,
	MKEY_LEN = 0x4000,
};

void psv_fill(struct mdx_world *w, void *in)
{
	DEVX_SET(create_psv_in, in, num_psv, 1);
	DEVX_SET(create_psv_in, in, pd, world_num(w, OBJTYPE_PD));
}

bool psv_has(struct mdx_world *w)
{
	return DEVX_GET(cmd_hca_cap, world_cap(w, CAP_GENERAL), sho);
}

static void mkc_fill(struct mdx_world *w, void *in, uint8_t mode)
{
	DEVX_SET(create_mkey_in, in, memory_key_mkey_entry.access_mode_1_0,
		 mode);
	DEVX_SET(create_mkey_in, in, memory_key_mkey_entry.lw, 1);
	DEVX_SET(create_mkey_in, in, memory_key_mkey_entry.lr, 1);
	DEVX_SET(create_mkey_in, in, memory_key_mkey_entry.qpn, 0xffffff);
	DEVX_SET(create_mkey_in, in, memory_key_mkey_entry.mkey_7_0, 0x42);
	DEVX_SET(create_mkey_in, in, memory_key_mkey_entry.pd,
		 world_num(w, OBJTYPE_PD));
	DEVX_SET64(create_mkey_in, in, memory_key_mkey_entry.start_addr,
		   (uintptr_t)w->mem);
	DEVX_SET64(create_mkey_in, in, memory_key_mkey_entry.len, MKEY_LEN);
}

void mkey_fill(struct mdx_world *w, void *in)
{
	uint32_t octwords = MKEY_LEN / 4096 / 2;

	mkc_fill(w, in, MLX5_MKC_ACCESS_MODE_MTT);
	DEVX_SET(create_mkey_in, in, memory_key_mkey_entry.log_page_size, 12);
	DEVX_SET(create_mkey_in, in,
		 memory_key_mkey_entry.translations_octword_size, octwords);
	DEVX_SET(create_mkey_in, in, translations_octword_actual_size,
		 octwords);
	DEVX_SET(create_mkey_in, in, mkey_umem_valid, 1);
	mbox_set32(in, MBOX_CREATE_MKEY_UMEM_ID, w->umem->umem_id);
	mbox_set64(in, MBOX_CREATE_MKEY_UMEM_OFFSET, MEM_MKEY);
}

/* Four KLMs of 16 bytes, none of which points anywhere yet. */
void klm_fill(struct mdx_world *w, void *in)
{
	mkc_fill(w, in, MLX5_MKC_ACCESS_MODE_KLMS);
	DEVX_SET(create_mkey_in, in,
		 memory_key_mkey_entry.translations_octword_size, 4);
	DEVX_SET(create_mkey_in, in, translations_octword_actual_size, 4);
}

bool mkey_check(struct mdx_world *w, const void *out)
{
	return DEVX_GET64(query_mkey_out, out,
			  memory_key_mkey_entry.start_addr) ==
			(uintptr_t)w->mem &&
	       DEVX_GET64(query_mkey_out, out, memory_key_mkey_entry.len) ==
			MKEY_LEN &&
	       DEVX_GET(query_mkey_out, out, memory_key_mkey_entry.pd) ==
			world_num(w, OBJTYPE_PD);
}
