/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Types of the kernel for kmod/submit_chain.c, the order of the items of a batch, and
 * kmod/submit_item.h. They include types only, and so are part of libmdx as they are
 * part of the module.
 */
#ifndef MDX_CHAIN_TYPES_H
#define MDX_CHAIN_TYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#endif /* MDX_CHAIN_TYPES_H */
