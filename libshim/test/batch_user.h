/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Batches of the tests, on a device that logs the commands it gets. */
#ifndef MDX_TEST_BATCH_USER_H
#define MDX_TEST_BATCH_USER_H

#include <mdx/mdx.h>
#include "opcodes.h"

#include "user.h"

/* Looked up by name: an unmodified program is not linked with libmdx. */
extern struct batch_functions {
	__typeof__(mdx_batch_new) *new;
	__typeof__(mdx_batch_free) *free;
	__typeof__(mdx_batch_in_flight) *in_flight;
	__typeof__(mdx_batch_create) *create;
	__typeof__(mdx_batch_umem) *umem;
	__typeof__(mdx_batch_modify) *modify;
	__typeof__(mdx_batch_query) *query;
	__typeof__(mdx_batch_destroy) *destroy;
	__typeof__(mdx_batch_general) *general;
	__typeof__(mdx_batch_verbs_modify) *verbs_modify;
	__typeof__(mdx_batch_verbs_query) *verbs_query;
	__typeof__(mdx_batch_link) *link;
	__typeof__(mdx_batch_drain) *drain;
	__typeof__(mdx_batch_ref) *ref;
	__typeof__(mdx_batch_run) *run;
	__typeof__(mdx_batch_failed) *failed;
	__typeof__(mdx_batch_result) *result;
} batch_f;

/* The ways to execute a batch. */
enum batch_backend {
	BY_MODULE,
	BY_THREADS,		/* the module does not have MDX_IOC_SUBMIT */
	BY_LIBMLX5,		/* the context is not served */
	BACKENDS,
};

#define ITEM_LEN 32
#define FIELD_BIT 160		/* of the input: what references write */
#define ITEMS 64

struct user_batch {
	struct ibv_context *context;
	struct mdx_batch *b;
	int n;
	unsigned char in[ITEMS][ITEM_LEN];
	unsigned char out[ITEMS][ITEM_LEN];
	struct mlx5dv_devx_obj *obj[ITEMS];
};

/* A device: the commands it got, in order, and its answers. */
struct device_command {
	unsigned int opcode;	/* 0: destroy ... */
	unsigned int number;	/* ... of this object; else the created one */
	unsigned int field;	/* what a reference wrote */
	unsigned int mark;	/* of the item: its index */
};

extern struct device_log {
	struct device_command cmd[4096];
	unsigned int n;
	unsigned int next;	/* number of the next object */
	unsigned int stuck;	/* an object that is not destroyed */
	unsigned int delay_us;
	unsigned int running, running_max;
} device_log;

struct user_batch *batch_open(enum batch_backend backend, unsigned int flags);
void batch_close(struct user_batch *u);

/* Add an item of the opcode; the device answers with the status. */
int batch_add_create(struct user_batch *u, unsigned int status);
int batch_add_modify(struct user_batch *u, int item, unsigned int status);
int batch_add_nop(struct user_batch *u, unsigned int status);

/* Errno of an item, or -1. */
int batch_err(struct user_batch *u, int item);

#endif /* MDX_TEST_BATCH_USER_H */
