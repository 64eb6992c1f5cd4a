/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * libmdx: the documented mlx5dv_devx_* functions on top of the mlx5_devx
 * module.
 *
 * The functions of the man pages keep rdma-core's prototypes and are declared
 * by the headers included here. libmdx defines these of them:
 *
 *   mlx5dv_devx_obj_create()   mlx5dv_devx_obj_query()
 *   mlx5dv_devx_obj_modify()   mlx5dv_devx_obj_destroy()
 *   mlx5dv_devx_obj_export()   mlx5dv_devx_obj_import()
 *   mlx5dv_devx_obj_unimport() mlx5dv_devx_general_cmd()
 *   mlx5dv_devx_obj_query_async(), mlx5dv_devx_get_async_cmd_comp(),
 *   mlx5dv_devx_{create,destroy}_cmd_comp(), mlx5dv_devx_get_event(),
 *   mlx5dv_devx_{create,destroy}_event_channel(),
 *   mlx5dv_devx_subscribe_devx_event(), mlx5dv_devx_subscribe_devx_event_fd()
 *   mlx5dv_devx_{cq,qp,srq,wq,ind_tbl}_{query,modify}()
 *   mlx5dv_query_port()        ibv_query_device_ex()
 *
 * Objects that functions of libmlx5 take (TIRs, flow tables, flow counters, ASO
 * objects) remain libmlx5's unless MDX_SERVE is "all" in the environment.
 *
 * It also stands in front of mlx5dv_open_device(), ibv_open_device(),
 * ibv_import_device() and ibv_close_device(), to know which contexts exist.
 * Link libmdx before the libraries that it stands in front of: -lmdx -lmlx5
 * -libverbs, or the output of "pkg-config --libs libmdx".
 *
 * <mdx/mdx_batch.h>, which is included here, has batches: many commands in one call.
 *
 * <mdx/opcodes.h> has the opcodes of commands as constants.
 */
#ifndef MDX_MDX_H
#define MDX_MDX_H

#include <infiniband/verbs.h>
#include <infiniband/mlx5dv.h>

#include <mdx/mdx_batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * mdx_context_check - Check if mlx5_devx serves a context
 * @context: an open verbs context
 *
 * DEVX commands of a context that is not served are left to libmlx5 and the
 * stock driver. The function binds the context if it is not bound yet. Its
 * answer holds until ibv_close_device(), except for errors marked (*): the next
 * call tries again.
 *
 * Return: 0 if the context is served, otherwise the reason, which is also in
 * errno:
 *
 * - ENOENT: libmdx did not see the context being opened. Link -lmdx before
 *   -lmlx5 and -libverbs, or set LD_PRELOAD=libmdx.so.1.
 * - ENODEV: /dev/infiniband/mlx5_devx does not exist. Load the module.
 * - EACCES: the process has no permission to open the node.
 * - ENOTTY: the node does not belong to mlx5_devx.
 * - EINVAL: the context is not one of an mlx5 device driven by the kernel: it
 *   is another vendor's, or a VFIO context of libmlx5.
 * - EPERM: the device is in another network namespace.
 * - EOPNOTSUPP: the context has no DEVX uid: open it by mlx5dv_open_device()
 *   with MLX5DV_CONTEXT_FLAGS_DEVX. Or the module does not know the layout of
 *   the running mlx5_ib, which the kernel log then says, or was built without
 *   MDX_IOC_BIND.
 * - any other (*): binding failed this time, for example by EMFILE, ENOMEM, or
 *   EIO while the device is being removed.
 */
int mdx_context_check(struct ibv_context *context);

/**
 * mdx_context_reason - Describe the result of mdx_context_check()
 * @context: an open verbs context
 *
 * The function binds the context if it is not bound yet, and preserves errno.
 *
 * Return: one English sentence without a full stop, for a log or an error
 * message. It is constant, never NULL, and is not to be freed.
 */
const char *mdx_context_reason(struct ibv_context *context);

/**
 * enum mdx_error_stage - Stage at which a call failed
 * @MDX_ERROR_NONE: no call has failed yet
 * @MDX_ERROR_CHECK: checks of the call: lengths, opcode, binding
 * @MDX_ERROR_MEMORY: reading the input, or allocating memory
 * @MDX_ERROR_OBJECT: the object does not exist, is in use, or is not the one in
 *	the command
 * @MDX_ERROR_DEVICE: the device refused the command or did not answer
 * @MDX_ERROR_ANSWER: writing the answer
 *
 * The same values as enum mdx_stage of <mdx/mdx_uapi.h>, which has the details.
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
 * @count: number of calls that have failed; if 0, all other fields are 0
 * @stage: stage at which the call failed, enum mdx_error_stage
 * @err: errno of the kernel. After mlx5dv_devx_obj_destroy() it is EREMOTEIO if
 *	the device refused, whatever errno the function returned
 * @opcode: opcode of the command; for a destroy, of the command that the kernel
 *	sent
 * @status: status in the device's answer if it refused, otherwise 0
 * @syndrome: syndrome in that answer
 * @object: id of the object in the kernel, or handle of the verbs object
 * @tid: gettid() of the calling thread
 * @call: number of the ioctl, MDX_CMD_* of <mdx/mdx_uapi.h>
 * @item: number of the item of a batch of the module, counted from 1; 0: the call was no
 *	item
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
	uint32_t item;
	uint32_t reserved[5];
};

/**
 * mdx_last_error - Get the error info of the last failed call
 * @context: an open verbs context
 * @error: receives the error info; owned by the caller
 *
 * The error info is that of the last call on @context, by any thread, that
 * reached the module and returned an error. Calls that succeed do not change
 * it. The function binds the context if it is not bound yet.
 *
 * Return: 0, or an errno, which is also in errno; @error is then unchanged.
 * EOPNOTSUPP if the context is not served or the module does not have the call,
 * or an error of mdx_context_check() marked (*).
 */
int mdx_last_error(struct ibv_context *context, struct mdx_error *error);

/**
 * mdx_opcode_name - Get the name of a command
 * @opcode: opcode of the command
 *
 * Return: the name, for example "CREATE_MKEY", or "UNKNOWN". It is constant,
 * never NULL, and is not to be freed. errno is unchanged.
 */
const char *mdx_opcode_name(uint16_t opcode);

/**
 * mdx_status_name - Get the name of a device status
 * @status: byte 0 of an output mailbox
 *
 * Return: the name, for example "RES_BUSY", "OK" for 0, or "UNKNOWN". It is
 * constant, never NULL, and is not to be freed. errno is unchanged.
 */
const char *mdx_status_name(uint8_t status);

/* The size of what mlx5dv_devx_obj_export() writes, in bytes. */
#define MDX_OBJ_EXPORT_SIZE 32

/* The same declarations as in <infiniband/mlx5dv.h> of newer versions of rdma-core. */
int mlx5dv_devx_obj_export(struct mlx5dv_devx_obj *obj, void *data);
struct mlx5dv_devx_obj *mlx5dv_devx_obj_import(struct ibv_context *context,
					       void *data);
void mlx5dv_devx_obj_unimport(struct mlx5dv_devx_obj *obj);

/**
 * mdx_context_fd - Get the file that is bound to a context
 * @context: an open verbs context
 * @fd: receives its descriptor, which remains libmdx's
 *
 * The objects of a context exist as long as a file that is bound to it is open, in any
 * process. A duplicate of the descriptor, which dup() makes without FD_CLOEXEC, and
 * cmd_fd of @context keep them across an exec, and with another process that gets both
 * by SCM_RIGHTS. The function binds the context if it is not bound yet.
 *
 * Return: 0, or an errno, which is also in errno; @fd is then unchanged. EINVAL if
 * @context or @fd is NULL, EOPNOTSUPP if the context is not served, or an error of
 * mdx_context_check() marked (*).
 */
int mdx_context_fd(struct ibv_context *context, int *fd);

/**
 * struct mdx_adopted - A handle from mdx_adopt()
 * @obj: the handle, freed by mlx5dv_devx_obj_destroy(), with the object, or by
 *	mlx5dv_devx_obj_unimport()
 * @id: id of the object in the kernel
 * @opcode: opcode of the command that created it
 * @obj_type: type of a general object, otherwise 0
 * @number: number of the object in the device, the first if it has several
 * @numbers: how many numbers it has
 */
struct mdx_adopted {
	struct mlx5dv_devx_obj *obj;
	uint32_t id;
	uint16_t opcode;
	uint16_t obj_type;
	uint32_t number;
	uint32_t numbers;
};

/**
 * mdx_adopt - Make handles of the objects of a context
 * @context: a context that ibv_import_device() made of a cmd_fd
 * @after: 0, or the id of the last object of the call before
 * @adopted: receives the handles
 * @n: the room in @adopted, receives the number of handles; less than the room if
 *	there are no more objects
 *
 * The objects are those that any process created by mlx5dv_devx_obj_create() on this
 * verbs context, and that a file which is bound to it keeps: see mdx_context_fd().
 * They are in the order of their creation. No command is sent to the device. A second
 * call with the same @after makes a second handle of each.
 *
 * Return: 0, or an errno, which is also in errno; there is no new handle then. EINVAL if
 * a pointer is NULL or @n is 0, ENOMEM, EOPNOTSUPP if the context is not served or the
 * module does not have the list, EIO if the device was removed or the verbs context has
 * ended, or an error of mdx_context_check() marked (*).
 */
int mdx_adopt(struct ibv_context *context, uint32_t after,
	      struct mdx_adopted *adopted, uint32_t *n);

/**
 * mdx_query_device_ex - ibv_query_device_ex(3) with an explicit size
 * @context: an open verbs context
 * @input: NULL, or a structure whose comp_mask is 0
 * @attr: receives the attributes; owned by the caller
 * @attr_size: length of @attr in bytes, at least sizeof(struct ibv_device_attr)
 *
 * Writes exactly @attr_size bytes. These are 0: fields that the device does not
 * support, a field that does not fit completely, bytes behind the last field
 * that libmdx knows, and comp_mask. The attributes of a context that is not
 * served come from the next library.
 *
 * Return: 0, or an errno, which is also in errno. EINVAL if @attr_size is too
 * short or comp_mask of @input is not 0; @attr is then unchanged. After any
 * other error the content of @attr is undefined: the errno of the status if the
 * device refused a query, EIO if the device was removed, ETIMEDOUT, ENXIO and
 * others if it did not answer, or an error of mdx_context_check() marked (*).
 */
int mdx_query_device_ex(struct ibv_context *context,
			const struct ibv_query_device_ex_input *input,
			struct ibv_device_attr_ex *attr, size_t attr_size);

/* ibv_query_device_ex(context, attr), the form of the man page */
static inline int mdx_query_device_ex2(struct ibv_context *context,
				       struct ibv_device_attr_ex *attr)
{
	return mdx_query_device_ex(context, NULL, attr, sizeof(*attr));
}

/* ibv_query_device_ex(context, input, attr), that of <infiniband/verbs.h> */
static inline int
mdx_query_device_ex3(struct ibv_context *context,
		     const struct ibv_query_device_ex_input *input,
		     struct ibv_device_attr_ex *attr)
{
	return mdx_query_device_ex(context, input, attr, sizeof(*attr));
}

/*
 * Both forms, by the number of arguments. Without parentheses, the name remains
 * that of the function in <infiniband/verbs.h>.
 */
#define ibv_query_device_ex(...)					\
	MDX_FOURTH(__VA_ARGS__, mdx_query_device_ex3,			\
		   mdx_query_device_ex2, 0)(__VA_ARGS__)
#define MDX_FOURTH(a, b, c, func, ...) func

#ifdef __cplusplus
}
#endif

#endif /* MDX_MDX_H */
