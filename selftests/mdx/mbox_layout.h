/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Mailbox layouts: those of the kernel's mlx5_ifc.h (any version from 6.1 on),
 * read with the DEVX_SET family of mlx5dv.h. Fields that only newer versions of
 * that header have are given here by offset.
 */
#ifndef MDX_TEST_MBOX_LAYOUT_H
#define MDX_TEST_MBOX_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <infiniband/verbs.h>
#include <infiniband/mlx5dv.h>

typedef uint8_t u8;

#ifndef BIT_ULL
#define BIT_ULL(n) (1ULL << (n))
#endif
#ifndef BIT
#define BIT(n) (1UL << (n))
#endif
#ifndef DECLARE_FLEX_ARRAY
#define DECLARE_FLEX_ARRAY(type, name)					\
	struct {							\
		struct { } __empty_##name;				\
		type name[];						\
	}
#endif

#include "mlx5_ifc.h"

#define SZ(type) DEVX_ST_SZ_BYTES(type)

/* A field by byte offset, where mlx5_ifc.h has no name for it. */
static inline void mbox_set32(void *mbox, size_t off, uint32_t val)
{
	_devx_set(mbox, val, off * 8, 32);
}

static inline uint32_t mbox_get32(const void *mbox, size_t off)
{
	return _devx_get(mbox, off * 8, 32);
}

static inline void mbox_set64(void *mbox, size_t off, uint64_t val)
{
	mbox_set32(mbox, off, val >> 32);
	mbox_set32(mbox, off + 4, val);
}

/* A field by its place; no bits: there is none. */
struct mbox_field {
	uint16_t bit;
	uint16_t width;
};

static inline void mbox_set_field(void *mbox, struct mbox_field f, uint32_t val)
{
	if (f.width)
		_devx_set(mbox, val, f.bit, f.width);
}

static inline uint32_t mbox_get_field(const void *mbox, struct mbox_field f)
{
	return f.width ? _devx_get(mbox, f.bit, f.width) : 0;
}

enum {
	/* Every command: opcode, uid, vhca_tunnel_id, op_mod or type, id. */
	MBOX_HDR_LEN = 16,
	MBOX_HDR_ID = 8,
	MBOX_UMEM_VALID = 1U << 31,

	MBOX_CREATE_CQ_UMEM_OFFSET = 0x50,
	MBOX_CREATE_CQ_UMEM_ID = 0x58,
	MBOX_CREATE_CQ_UMEM_VALID = 0x5c,
	MBOX_CREATE_CQ_DBR_UMEM_ID = 0x14,

	MBOX_CREATE_QP_WQ_UMEM_OFFSET = 0x100,
	MBOX_CREATE_QP_WQ_UMEM_ID = 0x108,
	MBOX_CREATE_QP_WQ_UMEM_VALID = 0x10c,
	MBOX_CREATE_QP_DBR_UMEM_ID = 0xfc,

	MBOX_CREATE_MKEY_UMEM_ID = 0x64,
	MBOX_CREATE_MKEY_UMEM_OFFSET = 0x68,

	MBOX_CREATE_XRC_SRQ_UMEM_OFFSET = 0x50,
	MBOX_CREATE_XRC_SRQ_UMEM_ID = 0x58,
	MBOX_CREATE_XRC_SRQ_DBR_UMEM_ID = 0x30,

	MBOX_WQ_DBR_UMEM_ID = 0x28,
	MBOX_WQ_WQ_UMEM_ID = 0x2c,
	MBOX_WQ_WQ_UMEM_OFFSET = 0x30,
};

enum cmd_status {
	STATUS_INT_ERR = 0x01,
	STATUS_BAD_OP = 0x02,
	STATUS_BAD_PARAM = 0x03,
	STATUS_BAD_RES = 0x05,
	STATUS_RES_BUSY = 0x06,
	STATUS_BAD_RES_STATE = 0x09,
	STATUS_BAD_QP_STATE = 0x10,
};

#endif /* MDX_TEST_MBOX_LAYOUT_H */
