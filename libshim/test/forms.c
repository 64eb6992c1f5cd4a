// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * The forms in which a program may call ibv_query_device_ex(), in C and in C++.
 * The context is not served, so each form has to reach the op of the context,
 * with the size of the structure.
 */
#include <mdx/mdx.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "fake.h"
#ifdef __cplusplus
}
#endif

static const struct ibv_query_device_ex_input *no_input(void)
{
	return NULL;
}

static int op_reached(const struct ibv_query_device_ex_input *input,
		      const struct ibv_device_attr_ex *attr)
{
	return fake_verbs.input == input && fake_verbs.attr == attr &&
	       fake_verbs.attr_size == sizeof(*attr);
}

int main(void)
{
	int (*inlined)(struct ibv_context *,
		       const struct ibv_query_device_ex_input *,
		       struct ibv_device_attr_ex *) = ibv_query_device_ex;
	struct ibv_context *context = ibv_open_device(&fake_devices[1]);
	struct ibv_query_device_ex_input input;
	struct ibv_device_attr_ex attr;

	input.comp_mask = 0;
	/* The form of the man page. */
	if (ibv_query_device_ex(context, &attr) || !op_reached(NULL, &attr))
		return 1;
	/* The form of rdma-core. */
	if (ibv_query_device_ex(context, &input, &attr) ||
	    !op_reached(&input, &attr))
		return 2;
	if (ibv_query_device_ex(context, NULL, &attr) ||
	    !op_reached(NULL, &attr))
		return 3;
	/* A comma in an argument. */
	if (ibv_query_device_ex(context, (no_input(), &attr)) ||
	    !op_reached(NULL, &attr))
		return 4;
	/* Without the macro. */
	if ((ibv_query_device_ex)(context, &input, &attr) ||
	    !op_reached(&input, &attr))
		return 5;
	if (inlined(context, NULL, &attr) || !op_reached(NULL, &attr))
		return 6;
	input.comp_mask = 1;
	if (ibv_query_device_ex(context, &input, &attr) != EINVAL)
		return 7;
	return ibv_close_device(context);
}
