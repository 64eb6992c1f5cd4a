// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

char fake_events[1024];
enum ibv_atomic_cap fake_atomic_cap = IBV_ATOMIC_GLOB;
struct fake_verbs fake_verbs = { .cmd_fd = FAKE_CMD_FD };
struct ibv_device fake_devices[2] = {
	{ .name = "mlx5_0" },
	{ .name = "rxe0" },
};

static unsigned int fake_event_count;

void fake_event(char what)
{
	unsigned int at = __atomic_fetch_add(&fake_event_count, 1,
					     __ATOMIC_SEQ_CST);

	if (at + 1 < sizeof(fake_events))
		fake_events[at] = what;
}

void fake_events_reset(void)
{
	memset(fake_events, 0, sizeof(fake_events));
	fake_event_count = 0;
}

static int fake_query_device_ex(struct ibv_context *context,
				const struct ibv_query_device_ex_input *input,
				struct ibv_device_attr_ex *attr,
				size_t attr_size)
{
	(void)context;
	fake_event('a');
	fake_verbs.input = input;
	fake_verbs.attr = attr;
	fake_verbs.attr_size = attr_size;
	if (fake_verbs.op_err || fake_verbs.attr_err)
		return fake_verbs.op_err ? fake_verbs.op_err :
		       fake_verbs.attr_err;
	memset(attr, 0x5a, attr_size);
	attr->orig_attr.atomic_cap = fake_atomic_cap;
	return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	(void)context;
	fake_event('l');
	if (!fake_verbs.attr_err)
		memset(attr, 0x11, sizeof(*attr));
	return fake_verbs.attr_err;
}

/* A context in the memory of a test has no ops. */
struct ibv_context *fake_context_new(struct ibv_device *device)
{
	struct ibv_context *context = fake_verbs.reuse;
	struct verbs_context *vctx;

	fake_verbs.reuse = NULL;
	if (context) {
		memset(context, 0, sizeof(*context));
	} else {
		/*
		 * Avoids calloc(), which a test makes fail; gcc must not form
		 * it.
		 */
		vctx = aligned_alloc(64, (sizeof(*vctx) + 63) & ~63ul);
		memset(vctx, 0, sizeof(*vctx));
		vctx->sz = sizeof(*vctx);
		vctx->query_device_ex = fake_query_device_ex;
		context = &vctx->context;
		context->abi_compat = __VERBS_ABI_IS_EXTENDED;
	}
	context->device = device;
	context->cmd_fd = fake_verbs.cmd_fd;
	if (fake_verbs.in_open)
		fake_verbs.in_open(context);
	return context;
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	if (!device) {
		errno = ENXIO;
		return NULL;
	}
	return fake_context_new(device);
}

struct ibv_context *ibv_import_device(int cmd_fd)
{
	fake_verbs.cmd_fd = cmd_fd;
	return fake_context_new(&fake_devices[0]);
}

int ibv_close_device(struct ibv_context *context)
{
	fake_event('c');
	if (!fake_verbs.close_ret)
		free(verbs_get_ctx(context));
	return fake_verbs.close_ret;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask)
{
	fake_event(attr_mask == IBV_QP_STATE &&
		   attr->qp_state == IBV_QPS_RESET ? 'R' : '?');
	fake_verbs.modified = qp;
	errno = 79;
	return fake_verbs.modify_ret;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd;

	if (fake_verbs.in_alloc_pd)
		fake_verbs.in_alloc_pd(context);
	fake_event('P');
	if (fake_verbs.alloc_pd_err) {
		errno = fake_verbs.alloc_pd_err;
		return NULL;
	}
	pd = malloc(sizeof(*pd));
	pd->context = context;
	pd->handle = FAKE_PD_HANDLE;
	__atomic_add_fetch(&fake_verbs.pds, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&fake_verbs.last_pd, pd, __ATOMIC_RELAXED);
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	fake_event('p');
	free(pd);
	__atomic_sub_fetch(&fake_verbs.pds, 1, __ATOMIC_SEQ_CST);
	errno = 78;
	return 0;
}
