// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* mdx_last_error(): the error info that the module keeps for a context. */
#include "ctx.h"

_Static_assert((int)MDX_ERROR_CHECK == MDX_STAGE_CHECK, "");
_Static_assert((int)MDX_ERROR_MEMORY == MDX_STAGE_MEMORY, "");
_Static_assert((int)MDX_ERROR_OBJECT == MDX_STAGE_OBJECT, "");
_Static_assert((int)MDX_ERROR_DEVICE == MDX_STAGE_DEVICE, "");
_Static_assert((int)MDX_ERROR_ANSWER == MDX_STAGE_ANSWER, "");
_Static_assert(sizeof(struct mdx_error) == 64, "");

MDX_PUBLIC int mdx_last_error(struct ibv_context *context,
			      struct mdx_error *error)
{
	struct mdx_ioc_last_error arg = { .size = sizeof(arg) };
	int ret = mdx_ctx_call(context, MDX_IOC_LAST_ERROR, &arg);

	if (ret)
		return mdx_ret(mdx_forward_errno(ret));
	*error = (struct mdx_error){
		.count = arg.out_count,
		.stage = arg.out_stage,
		.err = arg.out_errno,
		.opcode = arg.out_opcode,
		.status = arg.out_status,
		.syndrome = arg.out_syndrome,
		.object = arg.out_obj,
		.tid = arg.out_tid,
		.call = arg.out_cmd,
		.item = arg.out_item,
	};
	return 0;
}
