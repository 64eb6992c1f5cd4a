/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#include <linux/mlx5/mlx5_ifc.h>

#define __mlx5_bit_sz(typ, fld) sizeof(((struct mlx5_ifc_##typ##_bits *)0)->fld)
#define __mlx5_bit_off(typ, fld) offsetof(struct mlx5_ifc_##typ##_bits, fld)
#define MLX5_ST_SZ_BYTES(typ) (sizeof(struct mlx5_ifc_##typ##_bits) / 8)
