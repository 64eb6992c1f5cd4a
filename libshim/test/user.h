/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* What the tests share: a program written against the man pages. */
#ifndef MDX_TEST_USER_H
#define MDX_TEST_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "fake.h"
#include "kernel.h"
#include "tap.h"

/* Of libmdx, which an unmodified program is not linked with. */
extern int (*context_check)(struct ibv_context *context);
const char *context_reason(struct ibv_context *context);

extern unsigned char in[0x110], out[0x40];

/* Nothing scripted, nothing logged, out full of 0xa5. */
void fresh(void);
bool out_untouched(void);

/* A context, and, after fresh(), one that is bound already. */
struct ibv_context *open_ctx(void);
struct ibv_context *open_bound(void);

/* The functions, with in and out. */
int general(struct ibv_context *context);
struct mlx5dv_devx_obj *create(struct ibv_context *context);
int query(struct mlx5dv_devx_obj *obj);
int modify(struct mlx5dv_devx_obj *obj);

/* The tests, of no name at the end. */
extern const struct tap_test call_tests[], forward_tests[], ctx_tests[];
extern const struct tap_test verbs_tests[], port_tests[], attr_tests[], last_tests[];
extern const struct tap_test bare_tests[], bare_verbs_tests[];

#endif /* MDX_TEST_USER_H */
