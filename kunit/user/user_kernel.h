/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The part of the kernel that the PURE files use, for user space: one header behind
 * all the names they include.
 */
#ifndef MDX_KUNIT_USER_KERNEL_H
#define MDX_KUNIT_USER_KERNEL_H

#include <assert.h>
#include <byteswap.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define BIT(nr) (1UL << (nr))
#define BIT_ULL(nr) (1ULL << (nr))
#define DECLARE_FLEX_ARRAY(type, name)                                         \
	struct {                                                               \
		struct {                                                       \
		};                                                             \
		type name[];                                                   \
	}
#define SZ_2M 0x200000
#define U8_MAX UINT8_MAX
#define __init
#define __ro_after_init
#define __percpu
#define array_index_nospec(i, n) (i)
#define ARRAY_SIZE(arr) (sizeof(arr) / sizeof((arr)[0]))
#define sizeof_field(type, field) sizeof(((type *)0)->field)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

#define cpu_to_be32(x) ((__be32)bswap_32(x))
#define be32_to_cpu(x) bswap_32((u32)(x))
#define be64_to_cpu(x) bswap_64((u64)(x))

typedef struct {
	int counter;
} atomic_t;
#define ATOMIC_INIT(n) { n }
#define atomic_inc(v) ((void)(v)->counter++)
#define atomic_dec(v) ((void)(v)->counter--)
#define atomic_read(v) ((v)->counter)
#define atomic_set(v, n) ((void)((v)->counter = (n)))
#define atomic_cmpxchg(v, old, val) this_cpu_cmpxchg((v)->counter, old, val)
#define atomic_add_unless(v, n, unless)                                        \
	((v)->counter == (unless) ? 0 : ((v)->counter += (n), 1))

typedef unsigned int gfp_t;
#define GFP_KERNEL 0
#define GFP_KERNEL_ACCOUNT 1
#define kmalloc(len, gfp) ((void)(gfp), malloc(len))
#define kvmalloc(len, gfp) ((void)(gfp), malloc(len))
#define kfree(p) free(p)
#define kvfree(p) free(p)
#define __vmalloc(len, gfp) ((void)(gfp), malloc(len))
#define vfree(p) free(p)
#define PAGE_SIZE 4096UL

/* One task on one CPU of two. */
#define DEFINE_PER_CPU(type, name) __typeof__(type) name
#define num_possible_cpus() 2U
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define per_cpu(var, cpu) (*((void)(cpu), &(var)))
#define xchg(ptr, val) this_cpu_xchg(*(ptr), val)
#define cmpxchg(ptr, old, val) this_cpu_cmpxchg(*(ptr), old, val)
#define this_cpu_xchg(var, val)                                                \
	({                                                                     \
		__typeof__(var) _old = (var);                                  \
		(var) = (val);                                                 \
		_old;                                                          \
	})
#define this_cpu_cmpxchg(var, old, val)                                        \
	({                                                                     \
		__typeof__(var) _was = (var);                                  \
		if (_was == (old))                                             \
			(var) = (val);                                         \
		_was;                                                          \
	})

#endif /* MDX_KUNIT_USER_KERNEL_H */
