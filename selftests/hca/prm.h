/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Bit fields of the device's formats.
 *
 * The formats are those of the kernel's <linux/mlx5/mlx5_ifc.h>, unchanged: a
 * struct there has one byte for each bit of the format. Its include directory
 * is given with -idirafter, so that the C library's headers come first.
 */
#ifndef HCA_PRM_H
#define HCA_PRM_H

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#ifndef BIT
#define BIT(n) (1UL << (n))
#endif
#ifndef BIT_ULL
#define BIT_ULL(n) (1ULL << (n))
#endif
#ifndef DECLARE_FLEX_ARRAY
#define DECLARE_FLEX_ARRAY(type, name) \
	struct { struct { } empty_##name; type name[]; }
#endif

#include <linux/mlx5/mlx5_ifc.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Size in bytes, offset and width in bits. */
#define PRM_SZ(t) (sizeof(struct mlx5_ifc_##t##_bits) / 8)
#define PRM_BIT(t, f) offsetof(struct mlx5_ifc_##t##_bits, f)
#define PRM_BYTE(t, f) (PRM_BIT(t, f) / 8)
#define PRM_WIDTH(t, f) sizeof(((struct mlx5_ifc_##t##_bits *)NULL)->f)

#define PRM_GET(t, p, f) prm_get(p, PRM_BIT(t, f), PRM_WIDTH(t, f))
#define PRM_SET(t, p, f, v) prm_set(p, PRM_BIT(t, f), PRM_WIDTH(t, f), v)
#define PRM_PTR(t, p, f) ((p) + PRM_BYTE(t, f))

/* First bits of fields that some supported kernels' headers do not name. */
enum prm_field {
	PRM_WQ_DBR_UMEM_ID = 0x140,	/* in wq */
	PRM_WQ_UMEM_ID = 0x160,
	PRM_WQ_UMEM_OFFSET = 0x180,
	PRM_CREATE_CQ_UMEM_OFFSET = 0x280,	/* in create_cq_in */
	PRM_CREATE_CQ_UMEM_ID = 0x2c0,
	PRM_CQC_DBR_UMEM_ID = 0x20,	/* in cqc */
	PRM_CREATE_QP_UMEM_OFFSET = 0x800,	/* in create_qp_in */
	PRM_CREATE_QP_UMEM_ID = 0x840,
	PRM_QPC_PACING_INDEX = 0x3b0,	/* in qpc */
	PRM_QPC_DBR_UMEM_ID = 0x720,
	PRM_CREATE_MKEY_UMEM_ID = 0x320,	/* in create_mkey_in */
	PRM_CREATE_MKEY_UMEM_OFFSET = 0x340,
	PRM_GROUP_TYPE = 0x8c,	/* in create_flow_group_in */
	PRM_CAP_MODIFY_CQ_MODE = 0x223,	/* in cmd_hca_cap */
	PRM_CAP_MAX_HEADER_ARG = 0x763,
	PRM_CAP_HEADER_ARG_GRAIN = 0x76c,
	PRM_CAP_HEADER_ARG_ALLOC = 0x773,
};

/* Bits @bit to @bit + @width - 1, the most significant first; up to 64. */
static inline u64 prm_get(const u8 *p, size_t bit, unsigned int width)
{
	u64 val = 0;

	while (width) {
		unsigned int in_byte = 8 - bit % 8;
		unsigned int n = width < in_byte ? width : in_byte;
		u8 part = p[bit / 8] >> (in_byte - n);

		/* NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): n <= 8 */
		val = val << n | (part & ((1U << n) - 1));
		bit += n;
		width -= n;
	}
	return val;
}

static inline void prm_set(u8 *p, size_t bit, unsigned int width, u64 val)
{
	while (width) {
		unsigned int in_byte = 8 - bit % 8;
		unsigned int n = width < in_byte ? width : in_byte;
		/* NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): n <= 8 */
		u8 mask = ((1U << n) - 1) << (in_byte - n);
		u8 part = val >> (width - n) << (in_byte - n);

		p[bit / 8] = (p[bit / 8] & ~mask) | (part & mask);
		bit += n;
		width -= n;
	}
}

static inline u16 prm_be16(const u8 *p)
{
	return prm_get(p, 0, 16);
}

static inline u32 prm_be32(const u8 *p)
{
	return prm_get(p, 0, 32);
}

static inline u64 prm_be64(const u8 *p)
{
	return prm_get(p, 0, 64);
}

#endif /* HCA_PRM_H */
