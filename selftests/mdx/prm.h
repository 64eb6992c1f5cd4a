/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Mailbox layouts. They come from the kernel's mlx5_ifc.h (any version from 6.1
 * on), read with the DEVX_SET family of mlx5dv.h. What only newer versions of
 * that header name is given here by its place.
 */
#ifndef MDX_TEST_PRM_H
#define MDX_TEST_PRM_H

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

/* A field by byte offset, for what mlx5_ifc.h does not name. */
static inline void prm_set32(void *mbox, size_t off, uint32_t val)
{
	_devx_set(mbox, val, off * 8, 32);
}

static inline uint32_t prm_get32(const void *mbox, size_t off)
{
	return _devx_get(mbox, off * 8, 32);
}

static inline void prm_set64(void *mbox, size_t off, uint64_t val)
{
	prm_set32(mbox, off, val >> 32);
	prm_set32(mbox, off + 4, val);
}

enum {
	/* Every command: opcode, uid, vhca_tunnel_id, op_mod or type, id. */
	PRM_HDR_LEN = 16,
	PRM_HDR_ID = 8,
	PRM_UMEM_VALID = 1U << 31,

	PRM_CREATE_CQ_UMEM_OFFSET = 0x50,
	PRM_CREATE_CQ_UMEM_ID = 0x58,
	PRM_CREATE_CQ_UMEM_VALID = 0x5c,
	PRM_CREATE_CQ_DBR_UMEM_ID = 0x14,

	PRM_CREATE_QP_WQ_UMEM_OFFSET = 0x100,
	PRM_CREATE_QP_WQ_UMEM_ID = 0x108,
	PRM_CREATE_QP_WQ_UMEM_VALID = 0x10c,
	PRM_CREATE_QP_DBR_UMEM_ID = 0xfc,

	PRM_CREATE_MKEY_UMEM_ID = 0x64,
	PRM_CREATE_MKEY_UMEM_OFFSET = 0x68,

	PRM_CREATE_XRC_SRQ_UMEM_OFFSET = 0x50,
	PRM_CREATE_XRC_SRQ_UMEM_ID = 0x58,
	PRM_CREATE_XRC_SRQ_DBR_UMEM_ID = 0x30,

	PRM_WQ_DBR_UMEM_ID = 0x28,
	PRM_WQ_WQ_UMEM_ID = 0x2c,
	PRM_WQ_WQ_UMEM_OFFSET = 0x30,
};

enum prm_status {
	PRM_BAD_OP = 0x02,
	PRM_BAD_PARAM = 0x03,
	PRM_BAD_RES = 0x05,
	PRM_RES_BUSY = 0x06,
	PRM_BAD_RES_STATE = 0x09,
};

#endif /* MDX_TEST_PRM_H */
