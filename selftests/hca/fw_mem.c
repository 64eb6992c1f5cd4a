// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The memory of queues: page lists, umems and doorbell records.
 */
#include <stdlib.h>

#include "fw_mem.h"
#include "fw_ref.h"

#define PAGE_LOG 12

static u64 umem_size(const struct hca_obj *umem)
{
	return ((u64)umem->mem.npas << umem->mem.log_page) - umem->mem.off;
}

/* Guest physical address of byte @off of a umem. */
static u64 umem_addr(const struct hca_obj *umem, u64 off)
{
	u64 at = umem->mem.off + off;

	return umem->mem.pas[at >> umem->mem.log_page] +
	       (at & ((1ULL << umem->mem.log_page) - 1));
}

static int page_list(struct fw_call *c, size_t at, u64 n)
{
	u64 i;
	int ret;

	if (n > c->in_len / 8)
		return fw_fail(c, FW_BAD_IN_LEN, SYND_LIST_LEN);
	ret = fw_list(c, at, n * 8);
	if (ret)
		return ret;
	c->mem.pas = calloc(n ? n : 1, sizeof(u64));
	if (!c->mem.pas)
		return fw_fail(c, FW_INT_ERR, SYND_MEMORY);
	c->mem.npas = n;
	for (i = 0; i < n; i++)
		c->mem.pas[i] = prm_be64(c->in + at + i * 8) & ~0xfffULL;
	return FW_OK;
}

static int in_umem(struct fw_call *c, u32 num, u64 off, u64 size,
		   struct hca_obj **umem)
{
	int ret = FW_OK;

	*umem = fw_ref_find(c, OBJ_UMEM, num, &ret);
	if (!*umem)
		return ret;
	if (off > umem_size(*umem) || size > umem_size(*umem) - off)
		return fw_fail(c, FW_BAD_RES, SYND_UMEM_RANGE | OBJ_UMEM);
	return fw_ref_obj(c, *umem);
}

int fw_map_layout(struct fw_call *c, const struct fw_layout *layout)
{
	u64 page, off;

	if (layout->valid) {
		c->mem.off = layout->off;
		return in_umem(c, layout->umem, layout->off, layout->size,
			       &c->mem.umem);
	}
	if (layout->log_page > 31)
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE);
	c->mem.log_page = PAGE_LOG + layout->log_page;
	page = 1ULL << c->mem.log_page;
	off = page / 64 * layout->page_off;
	c->mem.off = off;
	return page_list(c, layout->list,
			 (off + layout->size + page - 1) / page);
}

/* A doorbell record is two words, within one page. */
int fw_map_dbr(struct fw_call *c, bool valid, u32 num, u64 addr)
{
	struct hca_obj *umem;
	int ret;

	if (!valid) {
		c->mem.dbr = addr;
		return FW_OK;
	}
	ret = in_umem(c, num, addr, 8, &umem);
	if (!ret)
		c->mem.dbr = umem_addr(umem, addr);
	return ret;
}

/* RQ, SQ, RMP and XRQ share the format of the work queue context. */
int fw_map_wq(struct fw_call *c, const u8 *wq, u16 list)
{
	unsigned int size = PRM_GET(wq, wq, log_wq_sz) +
			    PRM_GET(wq, wq, log_wq_stride);
	struct fw_layout layout = {
		.valid = PRM_GET(wq, wq, wq_umem_valid),
		.umem = prm_get(wq, PRM_WQ_UMEM_ID, 32),
		.off = prm_get(wq, PRM_WQ_UMEM_OFFSET, 64),
		.size = 1ULL << size,
		.log_page = PRM_GET(wq, wq, log_wq_pg_sz),
		.page_off = PRM_GET(wq, wq, page_offset),
		.list = list,
	};
	int ret;

	if (PRM_GET(wq, wq, log_wq_sz) > FW_GEN(c->fw, log_max_wq_sz))
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE);
	ret = fw_map_layout(c, &layout);
	if (ret)
		return ret;
	return fw_map_dbr(c, PRM_GET(wq, wq, dbr_umem_valid),
			  prm_get(wq, PRM_WQ_DBR_UMEM_ID, 32),
			  PRM_GET(wq, wq, dbr_addr));
}

void fw_buf(const struct hca_obj *obj, struct fw_buf *buf)
{
	const struct fw_mem *mem = &obj->mem;

	if (mem->umem)
		mem = &mem->umem->mem;
	buf->pas = mem->pas;
	buf->npas = mem->npas;
	buf->log_page_size = mem->log_page;
	buf->offset = obj->mem.off;
	if (obj->mem.umem)
		buf->offset += mem->off;
}

/* The low bits of the entries are rights, which are not checked. */
int fw_create_umem(struct fw_call *c)
{
	const u8 *umem = PRM_PTR(create_umem_in, c->in, umem);
	u64 off = PRM_GET(umem, umem, page_offset);
	u64 n = PRM_GET(umem, umem, num_of_mtt);
	unsigned int log_page = PAGE_LOG + PRM_GET(umem, umem, log_page_size);
	int ret;

	if (!n)
		return fw_fail(c, FW_BAD_SIZE, SYND_SIZE | OBJ_UMEM);
	if (off >> log_page)
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_UMEM);
	ret = page_list(c, PRM_SZ(create_umem_in), n);
	if (ret)
		return ret;
	c->mem.log_page = log_page;
	c->mem.off = off;
	return fw_create(c);
}

/* A device answers BAD_PARAM for an unknown user context. */
int fw_destroy_uctx(struct fw_call *c)
{
	if (fw_find(c, OBJ_UCTX, PRM_GET(destroy_uctx_in, c->in, uid)))
		return FW_BAD_PARAM;
	return fw_destroy(c);
}

int fw_create_uctx(struct fw_call *c)
{
	const u8 *uctx = PRM_PTR(create_uctx_in, c->in, uctx);
	u32 cap = PRM_GET(uctx, uctx, cap);

	if (cap & ~FW_GEN(c->fw, uctx_cap))
		return fw_fail(c, FW_BAD_PARAM, SYND_CAP | OBJ_UCTX);
	return fw_create(c);
}
