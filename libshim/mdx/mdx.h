/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libmdx: the documented mlx5dv_devx_* functions on top of mlx5_devx.
 *
 * The functions of the man pages keep the prototypes rdma-core gives them and
 * are declared by the headers included here. What libmdx defines of them:
 *
 *   mlx5dv_devx_obj_create()   mlx5dv_devx_obj_query()
 *   mlx5dv_devx_obj_modify()   mlx5dv_devx_obj_destroy()
 *   mlx5dv_devx_general_cmd()
 *   mlx5dv_devx_{cq,qp,srq,wq,ind_tbl}_{query,modify}()
 *   mlx5dv_query_port()        ibv_query_device_ex()
 *
 * It also stands in front of mlx5dv_open_device(), ibv_open_device(),
 * ibv_import_device() and ibv_close_device(), to know which contexts exist.
 * Link it before the libraries it stands in front of: -lmdx -lmlx5 -libverbs,
 * or what "pkg-config --libs libmdx" says.
 */
#ifndef MDX_MDX_H
#define MDX_MDX_H

#include <infiniband/verbs.h>
#include <infiniband/mlx5dv.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * mdx_context_check - Is this context served by mlx5_devx?
 * @context: an open verbs context
 *
 * The commands of a context that is not served are left to libmlx5 and to the
 * stock driver. Binds the context if nothing did so yet; the answer then holds
 * until ibv_close_device(), except for the errors marked (*), which are of this
 * attempt only.
 *
 * Return: 0 if it is, else the reason, which is in errno, too:
 *
 * - ENOENT: libmdx did not see the context being opened. Link -lmdx before
 *   -lmlx5 and -libverbs, or set LD_PRELOAD=libmdx.so.1.
 * - ENODEV: /dev/infiniband/mlx5_devx is not there. Load the module.
 * - EACCES: the node may not be opened by this process.
 * - ENOTTY: the node is something else.
 * - EINVAL: not a context of an mlx5 device driven by the kernel: another
 *   vendor's, or one of libmlx5's VFIO contexts.
 * - EPERM: the device belongs to another network namespace.
 * - EOPNOTSUPP: the context has no DEVX uid: open it by mlx5dv_open_device()
 *   with MLX5DV_CONTEXT_FLAGS_DEVX. Or the module does not know the layout of
 *   the running mlx5_ib; the kernel log says so.
 * - anything else (*): what stopped the attempt, for example EMFILE, ENOMEM, or
 *   EIO when the device is being removed.
 */
int mdx_context_check(struct ibv_context *context);

/**
 * mdx_context_reason - mdx_context_check() in words
 * @context: an open verbs context
 *
 * Return: one English sentence without a full stop, for a log or an error
 * message. It is constant and never NULL. errno is left alone.
 */
const char *mdx_context_reason(struct ibv_context *context);

/**
 * enum mdx_error_stage - Where a call failed
 * @MDX_ERROR_NONE: none has failed yet
 * @MDX_ERROR_CHECK: it was not acceptable: lengths, opcode, binding
 * @MDX_ERROR_MEMORY: the input could not be read, or there was no memory
 * @MDX_ERROR_OBJECT: the object: not there, in use, not what the command is about
 * @MDX_ERROR_DEVICE: the device refused the command, or did not answer
 * @MDX_ERROR_ANSWER: the answer could not be written
 *
 * As enum mdx_stage of <mdx/mdx_uapi.h>, which says more.
 */
enum mdx_error_stage {
	MDX_ERROR_NONE = 0,
	MDX_ERROR_CHECK = 1,
	MDX_ERROR_MEMORY = 2,
	MDX_ERROR_OBJECT = 3,
	MDX_ERROR_DEVICE = 4,
	MDX_ERROR_ANSWER = 5,
};

/**
 * struct mdx_error - The call that failed last on a context
 * @count: how many have failed; 0: none, and all else is 0
 * @stage: where, enum mdx_error_stage
 * @err: the errno of the kernel. mlx5dv_devx_obj_destroy() has EREMOTEIO here
 *	when the device refused, whatever errno it returned
 * @opcode: of the command; of a destroy, of what the kernel sent for it
 * @status: status of the device's answer if it refused, else 0
 * @syndrome: its syndrome
 * @object: the kernel's id of the object, or the handle of the verbs object
 * @tid: gettid() of the thread that called
 * @call: number of the call, MDX_CMD_* of <mdx/mdx_uapi.h>
 * @reserved: 0
 */
struct mdx_error {
	uint64_t count;
	uint32_t stage;
	uint32_t err;
	uint32_t opcode;
	uint32_t status;
	uint32_t syndrome;
	uint32_t object;
	uint32_t tid;
	uint32_t call;
	uint32_t reserved[6];
};

/**
 * mdx_last_error - Why did it fail?
 * @context: an open verbs context
 * @error: the answer
 *
 * About the last call on @context that reached the module and returned an error,
 * whichever thread made it; calls that succeed do not change it. Binds the
 * context if nothing did so yet.
 *
 * Return: 0, or an errno, which is in errno, too, and @error is as it was:
 * EOPNOTSUPP if the context is not served or the module is too old to know, else
 * as mdx_context_check().
 */
int mdx_last_error(struct ibv_context *context, struct mdx_error *error);

/**
 * mdx_opcode_name - Name of a command
 * @opcode: its number
 *
 * Return: a name such as "CREATE_MKEY", or "UNKNOWN". It is constant.
 */
const char *mdx_opcode_name(uint16_t opcode);

/**
 * mdx_status_name - Name of a status
 * @status: byte 0 of an output mailbox
 *
 * Return: a name such as "RES_BUSY", or "UNKNOWN"; of 0 "OK". It is constant.
 */
const char *mdx_status_name(uint8_t status);

/**
 * mdx_query_device_ex - ibv_query_device_ex() of a given size
 * @context: an open verbs context
 * @input: NULL, or a structure whose comp_mask is 0
 * @attr: the answer; what it held before does not matter
 * @attr_size: length of @attr in bytes, at least sizeof(struct ibv_device_attr)
 *
 * All of @attr_size bytes are written, and none behind them. A field that the
 * device cannot do, one that does not lie in them as a whole, and what is behind
 * the last field known are 0. So is comp_mask.
 *
 * Return: 0, or an errno, which is in errno, too: EINVAL if @attr_size is too
 * short or comp_mask is not 0, with @attr as it was; on other errors @attr
 * means nothing.
 */
int mdx_query_device_ex(struct ibv_context *context,
			const struct ibv_query_device_ex_input *input,
			struct ibv_device_attr_ex *attr, size_t attr_size);

/* ibv_query_device_ex(context, attr), as the man page has it */
static inline int mdx_query_device_ex2(struct ibv_context *context,
				       struct ibv_device_attr_ex *attr)
{
	return mdx_query_device_ex(context, NULL, attr, sizeof(*attr));
}

/* ibv_query_device_ex(context, input, attr), as <infiniband/verbs.h> has it */
static inline int
mdx_query_device_ex3(struct ibv_context *context,
		     const struct ibv_query_device_ex_input *input,
		     struct ibv_device_attr_ex *attr)
{
	return mdx_query_device_ex(context, input, attr, sizeof(*attr));
}

/* Two arguments or three. Without a call it is that of <infiniband/verbs.h>. */
#define ibv_query_device_ex(...)					\
	MDX_FOURTH(__VA_ARGS__, mdx_query_device_ex3,			\
		   mdx_query_device_ex2, 0)(__VA_ARGS__)
#define MDX_FOURTH(a, b, c, func, ...) func

#ifdef __cplusplus
}
#endif

#endif /* MDX_MDX_H */
