// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * UAR pages. The driver states the size of its pages in SET_HCA_CAP
 * (log_uar_page_sz), and one allocation is always a whole page of the system.
 *
 * With uar_4k a UAR page is 4 KiB, and an allocation takes as many numbers as
 * fit into a page of the system: the first is returned, all can be used. Without
 * it, a UAR page is as large as a page of the system and has one number.
 */
#include "bar.h"
#include "fw_ref.h"
#include "fw_uar.h"
#include "fw_view.h"
#include "pci.h"

#define UAR_SHIFT_MIN 12

/* log2 of the system's page size, less 12. */
static unsigned int log_page(const u8 *cap)
{
	u16 log = PRM_GET(cmd_hca_cap, cap, log_uar_page_sz);

	return log < UAR_LOG_PAGE_MAX ? log : UAR_LOG_PAGE_MAX;
}

unsigned int fw_uar_shift(struct fw *fw)
{
	const u8 *cap = fw_cap(fw, 0);

	return UAR_SHIFT_MIN +
	       (PRM_GET(cmd_hca_cap, cap, uar_4k) ? 0 : log_page(cap));
}

/* Numbers that one allocation takes. */
static u32 uar_span(const u8 *cap)
{
	return PRM_GET(cmd_hca_cap, cap, uar_4k) ? 1U << log_page(cap) : 1;
}

void fw_uar_caps(u8 *cap)
{
	PRM_SET(cmd_hca_cap, cap, num_of_uars_per_page, uar_span(cap));
}

int fw_alloc_uar(struct fw_call *c)
{
	u32 pages = PCI_BAR_SIZE >> fw_uar_shift(c->fw);
	u32 span = uar_span(fw_cap(c->fw, 0));
	struct hca_obj_store *store = &c->fw->store;
	u32 *next = &store->next[OBJ_UAR], uar;

	/* All spans are equal, so the following ones are aligned as well. */
	*next = (*next + span - 1) & ~(span - 1);
	uar = obj_number(store, OBJ_UAR, span);
	if (uar >= pages) {
		*next = BAR_UAR_FIRST;
		uar = obj_number(store, OBJ_UAR, span);
	}
	if (!uar || uar >= pages)
		return fw_fail(c, FW_NO_RESOURCES, SYND_NO_ID | OBJ_UAR);
	return fw_create_key(c, uar, span);
}

int fw_check_uar(struct fw_call *c, u32 uar)
{
	u32 span = uar_span(fw_cap(c->fw, 0));

	return uar ? fw_ref_check(c, OBJ_UAR, uar & ~(span - 1)) : FW_OK;
}
