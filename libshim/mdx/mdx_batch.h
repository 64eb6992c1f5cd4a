/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * Batches of libmdx: many DEVX commands in one call.
 */
#ifndef MDX_MDX_BATCH_H
#define MDX_MDX_BATCH_H

#include <infiniband/verbs.h>
#include <infiniband/mlx5dv.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum mdx_batch_flags - Flags of mdx_batch_new()
 * @MDX_BATCH_STOP: after an item has failed nothing begins any more
 * @MDX_BATCH_UNDO: of a chain of which an item fails or is canceled, the objects that
 *	its items have created are destroyed, newest first. An object that the device
 *	does not destroy stays, and its handle with it
 */
enum mdx_batch_flags {
	MDX_BATCH_STOP = 1 << 0,
	MDX_BATCH_UNDO = 1 << 1,
};

/* Items of a batch, and references of its items, at most. */
#define MDX_BATCH_ITEMS_MAX 4096
#define MDX_BATCH_REFS_MAX 65536

/**
 * struct mdx_batch - Commands that are executed in one call
 *
 * An item is a command. Items are in the order in which they were added, and have the
 * numbers 0, 1 and so on. An item begins a chain unless mdx_batch_link() links it to the
 * item before it: then it begins when that one has succeeded, otherwise it is canceled.
 * Chains run beside each other. A batch is used by one thread at a time, and runs once.
 *
 * The module executes the batch by one ioctl (MDX_IOC_SUBMIT). Up to 8 threads of libmdx
 * execute it, one function call an item, if the context is not served, the module does
 * not have the ioctl, or the batch has an item that is libmlx5's: an object that libmlx5
 * created, or would create, and the state transition of a QP of verbs. The order, and
 * what is canceled and undone, are the same.
 *
 * Mailboxes and objects remain the caller's, and are used by mdx_batch_run(). An object
 * that an item destroys is not to be used by an item that may run beside or after it.
 *
 * Functions that add an item return its number, or -1 and errno; the batch is then
 * unchanged: EINVAL if a pointer to the batch, an object or a handle is NULL, if an object
 * belongs to another context, if the batch has run, or as at each function; ENOSPC if
 * there are MDX_BATCH_ITEMS_MAX items; ENOMEM. Commands and lengths are checked when the
 * item runs.
 */
struct mdx_batch;

/**
 * mdx_batch_new - Make an empty batch
 * @context: an open verbs context, with MLX5DV_CONTEXT_FLAGS_DEVX
 * @flags: enum mdx_batch_flags
 *
 * The function binds the context if it is not bound yet.
 *
 * Return: the batch, to be freed by mdx_batch_free(), or NULL and errno: EINVAL if
 * @context is NULL, EOPNOTSUPP if a flag is not known, ENOMEM, or an error of
 * mdx_context_check() marked (*).
 */
struct mdx_batch *mdx_batch_new(struct ibv_context *context, unsigned int flags);

/**
 * mdx_batch_free - Free a batch
 * @batch: from mdx_batch_new(), or NULL
 *
 * Handles of objects that the batch created are the caller's, and stay. errno is
 * unchanged.
 */
void mdx_batch_free(struct mdx_batch *batch);

/**
 * mdx_batch_in_flight - Limit the number of items that run at a time
 * @batch: from mdx_batch_new()
 * @n: 1 to 16; 8 if the function is not called. Threads of libmdx are 8 at most
 *
 * Return: 0, or an errno, which is also in errno: EINVAL if @batch is NULL or has run, or
 * @n is out of range.
 */
int mdx_batch_in_flight(struct mdx_batch *batch, unsigned int n);

/**
 * mdx_batch_create - Add an item that creates an object
 * @batch: from mdx_batch_new()
 * @in: input mailbox, as of mlx5dv_devx_obj_create()
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 * @obj: receives the object when the batch has run, owned by the caller until
 *	mlx5dv_devx_obj_destroy(). NULL if there is none: the item failed, was canceled or
 *	undone, or an item destroyed the object
 *
 * Return: as at struct mdx_batch; EINVAL also if @obj is NULL.
 */
int mdx_batch_create(struct mdx_batch *batch, const void *in, size_t inlen,
		     void *out, size_t outlen, struct mlx5dv_devx_obj **obj);

/**
 * mdx_batch_umem - Add an item that registers memory
 * @batch: from mdx_batch_new()
 * @in: the memory, as of mlx5dv_devx_umem_reg_ex(), copied by the function. A pgsz_bitmap
 *	of 0 stands for all page sizes
 * @umem: receives the umem when the batch has run, owned by the caller until
 *	mlx5dv_devx_umem_dereg(). NULL if there is none: the item failed, was canceled or
 *	undone
 *
 * The number of the umem, umem_id, is written to inputs of later items by
 * mdx_batch_ref().
 *
 * Return: as at struct mdx_batch; EINVAL also if @in or @umem is NULL, EOPNOTSUPP if a bit
 * of comp_mask is not known.
 */
int mdx_batch_umem(struct mdx_batch *batch, const struct mlx5dv_devx_umem_in *in,
		   struct mlx5dv_devx_umem **umem);

/**
 * mdx_batch_modify - Add an item that modifies an object
 * @batch: from mdx_batch_new()
 * @obj: the object, or NULL: that which @item creates
 * @item: an earlier item from mdx_batch_create(), of the same chain or from before the
 *	last mdx_batch_drain(); not used if there is an @obj
 * @in: input mailbox, as of mlx5dv_devx_obj_modify()
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * The number of an object that an item creates is written to @in by mdx_batch_ref(). If
 * @item does not succeed, this one is canceled.
 *
 * Return: as at struct mdx_batch; EINVAL also if @item creates nothing.
 */
int mdx_batch_modify(struct mdx_batch *batch, struct mlx5dv_devx_obj *obj, int item,
		     const void *in, size_t inlen, void *out, size_t outlen);

/**
 * mdx_batch_query - Add an item that queries an object
 * @batch: from mdx_batch_new()
 * @obj: as of mdx_batch_modify()
 * @item: as of mdx_batch_modify()
 * @in: input mailbox, as of mlx5dv_devx_obj_query()
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: as mdx_batch_modify().
 */
int mdx_batch_query(struct mdx_batch *batch, struct mlx5dv_devx_obj *obj, int item,
		    const void *in, size_t inlen, void *out, size_t outlen);

/**
 * mdx_batch_destroy - Add an item that destroys an object
 * @batch: from mdx_batch_new()
 * @obj: as of mdx_batch_modify(); the handle is freed if the item succeeds
 * @item: as of mdx_batch_modify()
 *
 * The item ends as mlx5dv_devx_obj_destroy() does, with the same errors.
 *
 * Return: as mdx_batch_modify().
 */
int mdx_batch_destroy(struct mdx_batch *batch, struct mlx5dv_devx_obj *obj, int item);

/**
 * mdx_batch_general - Add an item that is about no object
 * @batch: from mdx_batch_new()
 * @in: input mailbox, as of mlx5dv_devx_general_cmd()
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: as at struct mdx_batch.
 */
int mdx_batch_general(struct mdx_batch *batch, const void *in, size_t inlen,
		      void *out, size_t outlen);

/**
 * enum mdx_batch_verbs - Type of an object that verbs created
 * @MDX_BATCH_CQ: struct ibv_cq
 * @MDX_BATCH_QP: struct ibv_qp
 * @MDX_BATCH_SRQ: struct ibv_srq
 * @MDX_BATCH_WQ: struct ibv_wq
 * @MDX_BATCH_IND_TBL: struct ibv_rwq_ind_table
 *
 * The same values as enum mdx_verbs_type of <mdx/mdx_uapi.h>.
 */
enum mdx_batch_verbs {
	MDX_BATCH_CQ = 1,
	MDX_BATCH_QP = 2,
	MDX_BATCH_SRQ = 3,
	MDX_BATCH_WQ = 4,
	MDX_BATCH_IND_TBL = 5,
};

/**
 * mdx_batch_verbs_modify - Add an item that modifies an object of verbs
 * @batch: from mdx_batch_new()
 * @type: type of @verbs
 * @verbs: the object
 * @in: input mailbox, as of mlx5dv_devx_qp_modify() and its like
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: as at struct mdx_batch; EINVAL also if @type is none.
 */
int mdx_batch_verbs_modify(struct mdx_batch *batch, enum mdx_batch_verbs type,
			   void *verbs, const void *in, size_t inlen, void *out,
			   size_t outlen);

/**
 * mdx_batch_verbs_query - Add an item that queries an object of verbs
 * @batch: from mdx_batch_new()
 * @type: type of @verbs
 * @verbs: the object
 * @in: input mailbox, as of mlx5dv_devx_qp_query() and its like
 * @inlen: length of @in
 * @out: output mailbox
 * @outlen: length of @out
 *
 * Return: as mdx_batch_verbs_modify().
 */
int mdx_batch_verbs_query(struct mdx_batch *batch, enum mdx_batch_verbs type,
			  void *verbs, const void *in, size_t inlen, void *out,
			  size_t outlen);

/**
 * mdx_batch_link - Link the item that is added next to the one before it
 * @batch: from mdx_batch_new()
 *
 * Return: 0, or an errno, which is also in errno: EINVAL if @batch is NULL, has run, or
 * has no item.
 */
int mdx_batch_link(struct mdx_batch *batch);

/**
 * mdx_batch_drain - Let the items that are added next begin when all before have ended
 * @batch: from mdx_batch_new()
 *
 * Return: 0, or an errno, which is also in errno: EINVAL if @batch is NULL or has run.
 */
int mdx_batch_drain(struct mdx_batch *batch);

/**
 * enum mdx_batch_ref_flags - Flags of mdx_batch_ref()
 * @MDX_BATCH_REF_LKEY: write the number times 256: the lkey of an mkey whose variant is 0
 */
enum mdx_batch_ref_flags {
	MDX_BATCH_REF_LKEY = 1 << 0,
};

/**
 * mdx_batch_ref - Write the number of an object to the input of the item added last
 * @batch: from mdx_batch_new()
 * @item: an earlier item from mdx_batch_create() or mdx_batch_umem(), of the same chain or
 *	from before the last mdx_batch_drain()
 * @bit: offset of the field, in bits from the start of the mailbox, at least 64: that of
 *	its most significant bit, as DEVX_SET() counts
 * @width: of the field in bits, 1 to 32, within a dword of the mailbox
 * @flags: enum mdx_batch_ref_flags
 *
 * The number is the device's, of the object that @item creates. It is written to a copy
 * of the input when the item begins. If @item does not succeed, this one is canceled.
 *
 * Return: 0, or an errno, which is also in errno: EINVAL if @batch is NULL or has run,
 * @item creates nothing or is not earlier, or the field is not in the input; EOPNOTSUPP
 * if a flag is not known; ENOSPC if there are MDX_BATCH_REFS_MAX references; ENOMEM.
 */
int mdx_batch_ref(struct mdx_batch *batch, int item, unsigned int bit,
		  unsigned int width, unsigned int flags);

/**
 * mdx_batch_run - Execute a batch
 * @batch: from mdx_batch_new()
 *
 * Returns when every item has ended or was canceled, also if some failed:
 * mdx_batch_failed() and mdx_batch_result() tell. Signals do not interrupt it.
 *
 * Return: 0, or an errno, which is also in errno; nothing was begun then: EINVAL if @batch
 * is NULL, has no item or has run, or an item uses an object that an earlier one creates
 * which may not have ended; EBADF if a context was closed; EIO if the device was removed or
 * the verbs context has ended; ENOMEM. A batch whose run failed has run.
 */
int mdx_batch_run(struct mdx_batch *batch);

/**
 * mdx_batch_failed - Get the first item that did not succeed
 * @batch: that has run
 *
 * Return: its number, or -1 if all succeeded, or the batch is NULL or has not run. errno
 * is unchanged.
 */
int mdx_batch_failed(const struct mdx_batch *batch);

/**
 * struct mdx_batch_result - Result of an item
 * @err: 0, or the errno that the function of the man page returns for the command.
 *	EREMOTEIO if the device refused it, unless it destroys. ECANCELED if it was not
 *	begun
 * @status: status of the device's answer if it refused, otherwise 0; not known, and 0, if
 *	a thread of libmdx destroyed an object
 * @syndrome: syndrome of that answer
 * @reserved: 0
 */
struct mdx_batch_result {
	int err;
	uint32_t status;
	uint32_t syndrome;
	uint32_t reserved;
};

/**
 * mdx_batch_result - Get the result of an item
 * @batch: that has run
 * @item: number of the item
 * @result: receives the result; owned by the caller
 *
 * Return: 0, or an errno, which is also in errno; @result is then unchanged: EINVAL if
 * @batch or @result is NULL, @batch has not run, its run failed, or there is no such item.
 */
int mdx_batch_result(const struct mdx_batch *batch, int item,
		     struct mdx_batch_result *result);

#ifdef __cplusplus
}
#endif

#endif /* MDX_MDX_BATCH_H */
