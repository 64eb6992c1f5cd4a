/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Memory of queues, umems and user contexts. */
#ifndef HCA_FW_MEM_H
#define HCA_FW_MEM_H

#include "fw_call.h"
#include "fw_view.h"

int fw_create_uctx(struct fw_call *c);
int fw_destroy_uctx(struct fw_call *c);
int fw_create_umem(struct fw_call *c);

/**
 * struct fw_layout - location of a queue's memory, as its create gives it
 * @valid: the queue is in a umem
 * @umem: number of that umem
 * @off: offset in that umem
 * @size: length of the queue in bytes
 * @log_page: log2 of the page size less 12, for a page list
 * @page_off: page_offset field: offset in the first page, in 64ths of a page
 * @list: offset of the page list in the mailbox
 */
struct fw_layout {
	bool valid;
	u32 umem;
	u64 off;
	u64 size;
	u8 log_page;
	u8 page_off;
	u16 list;
};

int fw_map_layout(struct fw_call *c, const struct fw_layout *layout);
int fw_map_dbr(struct fw_call *c, bool valid, u32 umem, u64 addr);
/*
 * Map the queue of the work queue context @wq; @list: as in struct fw_layout.
 */
int fw_map_wq(struct fw_call *c, const u8 *wq, u16 list);
void fw_buf(const struct hca_obj *obj, struct fw_buf *buf);

#endif /* HCA_FW_MEM_H */
