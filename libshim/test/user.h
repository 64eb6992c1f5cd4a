/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Helpers of the tests: a program written against the man pages. */
#ifndef MDX_TEST_USER_H
#define MDX_TEST_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "fake.h"
#include "fake_kernel.h"
#include "shim_tap.h"

/* Looked up by name: an unmodified program is not linked with libmdx. */
extern int (*context_check)(struct ibv_context *context);
const char *context_reason(struct ibv_context *context);

extern unsigned char in[0x110], out[0x40];

/* Fakes without a script and with an empty log; out filled with 0xa5. */
void reset_fakes(void);
bool out_untouched(void);

/* A context; a context that is bound, after which the fakes are reset. */
struct ibv_context *open_ctx(void);
struct ibv_context *open_bound(void);

/* The functions of the man page, with in and out as mailboxes. */
int general_cmd(struct ibv_context *context);
struct mlx5dv_devx_obj *create_obj(struct ibv_context *context);
int query_obj(struct mlx5dv_devx_obj *obj);
int modify_obj(struct mlx5dv_devx_obj *obj);

/* Fields of 64 bits in a request. */
void put_pointer(unsigned char *at, const void *ptr);

/* Lists of tests; the last entry has no name. */
extern const struct tap_test call_tests[], forward_tests[], ctx_tests[];
extern const struct tap_test verbs_tests[], port_tests[], attr_tests[];
extern const struct tap_test last_tests[], debug_tests[], share_tests[];
extern const struct tap_test event_tests[], async_tests[], consumed_tests[];
extern const struct tap_test batch_tests[], batch_rules_tests[];
extern const struct tap_test bare_tests[], bare_verbs_tests[], bare_async_tests[];

#endif /* MDX_TEST_USER_H */
