// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Memory of queues and of work requests: buffers, mkeys and their translations.
 */
#include <string.h>

#include "bytes.h"
#include "dp_mem.h"

enum {
	DEPTH_MAX = 4, /* of indirect mkeys */
	MTT_FLAGS = 7,
	MTT_READ = 1,
	MTT_RW = 3,
	KLM_SIZE = 16,
	REPEAT_BLOCK = 0x400, /* a reserved key: interleaved memory */
	REPEAT_COUNT = 8,
	REPEAT_ENTRIES = 14,
	REPEAT_LEN = 2, /* of an entry, after its stride */
	WORK_MAX = 1 << 20, /* translations visited by one copy */
	WRITES = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
};

/* The memory that one translation covers. */
struct span {
	uint64_t addr;
	uint64_t len;
	uint32_t key; /* mkey of @addr, unless it is a physical address */
};

static uint64_t page_of(const struct fw_buf *buf)
{
	return 1ULL << buf->log_page_size;
}

bool buf_gpa(const struct fw_buf *buf, uint64_t off, uint64_t *gpa)
{
	uint64_t page;

	off += buf->offset;
	page = off >> buf->log_page_size;
	if (page >= buf->npas)
		return false;
	*gpa = buf->pas[page] + (off & (page_of(buf) - 1));
	return true;
}

/* Length of the rest of the page, from byte @off on. */
static uint64_t buf_run(const struct fw_buf *buf, uint64_t off)
{
	return page_of(buf) - ((off + buf->offset) & (page_of(buf) - 1));
}

bool buf_read(struct hca *hca, const struct fw_buf *buf, uint64_t off,
	      void *data, size_t len)
{
	uint8_t *p = data;
	uint64_t gpa, n;

	while (len) {
		n = buf_run(buf, off);
		if (n > len)
			n = len;
		if (!buf_gpa(buf, off, &gpa) || mem_read(&hca->mem, gpa, p, n))
			return false;
		off += n;
		p += n;
		len -= n;
	}
	return true;
}

/*
 * The page that holds the byte at @off from the start address. A page of
 * on-demand memory may be absent, an entry of zeros, or read-only. No flag at all
 * means both rights, as users may write their lists without flags: a guess.
 */
static bool mtt_span(const struct fw_mkey_view *key, uint64_t off, bool write,
		     struct span *span)
{
	uint64_t size = 1ULL << key->log_page, page, mtt;

	if (key->umem) {
		span->len = buf_run(&key->buf, off);
		return buf_gpa(&key->buf, off, &span->addr);
	}
	off += key->start & (size - 1);
	page = off >> key->log_page;
	if (page >= key->xlt_len / 8)
		return false;
	mtt = get_be64(key->xlt + 8 * page);
	if (!mtt || (write && (mtt & MTT_RW) == MTT_READ))
		return false;
	span->addr = (mtt & ~(uint64_t)MTT_FLAGS) + (off & (size - 1));
	span->len = size - (off & (size - 1));
	return true;
}

static void klm_span(const uint8_t *klm, uint64_t off, uint64_t size,
		     struct span *span)
{
	span->key = get_be32(klm + 4);
	span->addr = get_be64(klm + 8) + off;
	span->len = size - off;
}

/*
 * A repeat block stands for its entries, one after the other, again and again:
 * each time, an entry's address advances by its stride.
 */
static bool repeat_find(const struct fw_mkey_view *key, uint64_t off,
			struct span *span, unsigned int *work)
{
	const uint8_t *entry = key->xlt + KLM_SIZE;
	uint32_t i, n = get_be16(key->xlt + REPEAT_ENTRIES);
	uint32_t round = get_be32(key->xlt);
	uint64_t turn;

	if (!round || n >= key->xlt_len / KLM_SIZE)
		return false;
	turn = off / round;
	off %= round;
	if (turn >= get_be32(key->xlt + REPEAT_COUNT))
		return false;
	for (i = 0; i < n && ++*work < WORK_MAX; i++, entry += KLM_SIZE) {
		uint32_t len = get_be16(entry + REPEAT_LEN);

		if (off < len) {
			klm_span(entry, off, len, span);
			span->addr += turn * get_be16(entry);
			return true;
		}
		off -= len;
	}
	return false;
}

static bool klm_find(const struct fw_mkey_view *key, uint64_t off,
		     struct span *span, unsigned int *work)
{
	size_t i, n = key->xlt_len / KLM_SIZE;

	if (n && get_be32(key->xlt + 4) == REPEAT_BLOCK)
		return repeat_find(key, off, span, work);

	for (i = 0; i < n && ++*work < WORK_MAX; i++) {
		const uint8_t *klm = key->xlt + i * KLM_SIZE;
		uint32_t len = get_be32(klm);

		if (off < len) {
			klm_span(klm, off, len, span);
			return true;
		}
		off -= len;
	}
	return false;
}

static bool ksm_find(const struct fw_mkey_view *key, uint64_t off,
		     struct span *span)
{
	uint64_t size = 1ULL << key->log_page, i = off >> key->log_page;

	if (i >= key->xlt_len / KLM_SIZE)
		return false;
	klm_span(key->xlt + i * KLM_SIZE, off & (size - 1), size, span);
	return true;
}

static bool key_span(const struct fw_mkey_view *key, uint64_t addr, bool write,
		     struct span *span, unsigned int *work)
{
	uint64_t off = addr - key->start;

	if (++*work >= WORK_MAX)
		return false;
	switch (key->mode) {
	case MODE_PA:
		*span = (struct span){ .addr = addr, .len = UINT64_MAX };
		return true;
	case MODE_MTT:
		return mtt_span(key, off, write, span);
	case MODE_KLM:
		return !key->umem && klm_find(key, off, span, work);
	case MODE_KSM:
		return !key->umem && ksm_find(key, off, span);
	}
	return false;
}

static bool key_allows(const struct fw_mkey_view *key,
		       const struct dp_access *access, uint32_t num,
		       uint64_t addr, size_t len)
{
	uint64_t off = addr - key->start;

	if (key->free || key->variant != (num & 0xff) ||
	    key->pd != access->pd ||
	    (key->access & access->need) != access->need)
		return false;
	if (key->qpn != ANY_QPN && key->qpn != access->qpn)
		return false;
	if (key->length64)
		return true;
	return addr >= key->start && off <= key->len && len <= key->len - off;
}

static bool is_writing(const struct dp_access *access)
{
	return access->write || access->need & WRITES;
}

/*
 * The rights that the access needs of keys under an indirect one: local rights,
 * as a memory window grants remote rights to memory that has none.
 */
static struct dp_access inner_access(const struct dp_access *access)
{
	struct dp_access inner = *access;

	inner.need = is_writing(access) ? ACCESS_LOCAL_WRITE :
					  ACCESS_LOCAL_READ;
	return inner;
}

static bool dma_copy(struct hca *hca, const struct dp_access *access,
		     uint64_t gpa, uint8_t *data, size_t len)
{
	if (is_writing(access))
		return !mem_write(&hca->mem, gpa, data, len);
	return !mem_read(&hca->mem, gpa, data, len);
}

static bool key_copy_at(struct hca *hca, const struct dp_access *access,
			uint32_t num, uint64_t addr, uint8_t *data, size_t len,
			unsigned int depth, unsigned int *work)
{
	struct dp_access inner = inner_access(access);
	struct fw_mkey_view key;
	struct span span = {};

	if (depth > DEPTH_MAX || !fw_mkey_view(hca->fw, num >> 8, &key) ||
	    !key_allows(&key, access, num, addr, len))
		return false;
	while (len) {
		bool ok;

		if (!key_span(&key, addr, is_writing(access), &span, work) ||
		    !span.len)
			return false;
		if (span.len > len)
			span.len = len;
		if (key.mode == MODE_PA || key.mode == MODE_MTT)
			ok = dma_copy(hca, access, span.addr, data, span.len);
		else
			ok = key_copy_at(hca, &inner, span.key, span.addr, data,
					 span.len, depth + 1, work);
		if (!ok)
			return false;
		addr += span.len;
		data += span.len;
		len -= span.len;
	}
	return true;
}

bool key_copy(struct hca *hca, const struct dp_access *access, uint32_t key,
	      uint64_t addr, uint8_t *data, size_t len)
{
	unsigned int work = 0;

	return !len || key_copy_at(hca, access, key, addr, data, len, 0, &work);
}

bool segs_copy(struct hca *hca, const struct dp_access *access,
	       const struct dp_seg *seg, unsigned int nr, uint64_t off,
	       uint8_t *data, size_t len)
{
	for (; nr && len; nr--, seg++) {
		uint64_t n = seg->len;

		if (off >= n) {
			off -= n;
			continue;
		}
		n -= off;
		if (n > len)
			n = len;
		if (seg->inl)
			memcpy(data, seg->inl + off, n);
		else if (!key_copy(hca, access, seg->key, seg->addr + off, data,
				   n))
			return false;
		off = 0;
		data += n;
		len -= n;
	}
	return !len;
}

/* Length 0 means 2^31. */
void seg_parse(struct dp_seg *seg, const uint8_t *p)
{
	*seg = (struct dp_seg){
		.len = get_be32(p) & 0x7fffffff,
		.key = get_be32(p + 4),
		.addr = get_be64(p + 8),
	};
	if (!seg->len)
		seg->len = 1ULL << 31;
}
