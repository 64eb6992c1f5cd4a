// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * mlx5dv_devx_create_cmd_comp(3): queries of objects that are answered later.
 *
 * A program queries counters so, and counters of a served context are objects of
 * libmlx5 (consumed.c). A completion channel of a served context therefore consists of
 * two: one of the module, for objects of libmdx, and one of libmlx5. The public
 * descriptor is an epoll instance of both. It is polled, and takes O_NONBLOCK, as that
 * of libmlx5 does, but answers are read by mlx5dv_devx_get_async_cmd_comp() only.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "shim_handle.h"
#include "shim_obj.h"

struct shim_comp {
	struct mlx5dv_devx_cmd_comp dv;		/* fd: the epoll instance */
	struct mlx5dv_devx_cmd_comp *stock;	/* NULL: libmlx5 has none */
	int fd;					/* the module's channel */
	atomic_uint turn;			/* the one that is read first */
	struct mdx_handle handle;
};

static struct shim_comp *handle_comp(struct mdx_handle *handle)
{
	if (!handle)
		return NULL;
	return (void *)((char *)handle - offsetof(struct shim_comp, handle));
}

/* NULL if @dv belongs to libmlx5. */
static struct shim_comp *to_comp(const void *dv)
{
	return handle_comp(mdx_handle_find(dv));
}

/* Add a descriptor that is only read when it is ready: 0 or an errno. */
static int watch_fd(int epoll_fd, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (fcntl(fd, F_SETFL, O_NONBLOCK) ||
	    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event))
		return errno;
	return 0;
}

/* 0 or an errno; what was opened by then is the caller's to close. */
static int open_comp(struct shim_comp *comp, struct ibv_context *context)
{
	const struct mdx_next *next = mdx_next();
	int ret;

	comp->dv.fd = epoll_create1(EPOLL_CLOEXEC);
	if (comp->dv.fd < 0)
		return errno;
	ret = watch_fd(comp->dv.fd, comp->fd);
	if (ret || !next->create_cmd_comp || !next->destroy_cmd_comp)
		return ret;
	errno = 0;
	comp->stock = next->create_cmd_comp(context);
	if (!comp->stock)
		return errno ? errno : ENOMEM;
	return watch_fd(comp->dv.fd, comp->stock->fd);
}

static void free_comp(struct shim_comp *comp)
{
	if (comp->stock)
		mdx_next()->destroy_cmd_comp(comp->stock);
	if (comp->dv.fd >= 0)
		close(comp->dv.fd);
	if (comp->fd >= 0)
		close(comp->fd);
	free(comp);
}

/* 0 and @dv, MDX_FORWARD, or an errno. */
static int create_comp(struct ibv_context *context,
		       struct mlx5dv_devx_cmd_comp **dv)
{
	struct mdx_ioc_channel arg = {
		.size = sizeof(arg),
		.flags = MDX_CHANNEL_COMPLETIONS | MDX_CHANNEL_PLAIN,
	};
	struct shim_comp *comp;
	struct mdx_ctx_ref ref;
	int saved = errno;
	int ret = mdx_ctx_get(context, &ref);

	if (ret)
		return ret;
	comp = calloc(1, sizeof(*comp));
	if (!comp)
		return ENOMEM;
	comp->dv.fd = -1;
	comp->fd = -1;
	ret = mdx_ref_call(&ref, MDX_IOC_CHANNEL, &arg);
	if (!ret) {
		comp->fd = arg.out_fd;
		ret = open_comp(comp, context);
	}
	if (ret) {
		free_comp(comp);
	} else {
		mdx_handle_add(&comp->handle, &comp->dv);
		*dv = &comp->dv;
	}
	errno = saved;
	return ret;
}

/**
 * mlx5dv_devx_create_cmd_comp - mlx5dv_devx_create_cmd_comp(3)
 * @context: an open verbs context, with MLX5DV_CONTEXT_FLAGS_DEVX
 *
 * Creates a channel of answers of mlx5dv_devx_obj_query_async(), for objects of libmdx
 * and of libmlx5. It takes three descriptors. The public one is polled, and may get
 * O_NONBLOCK, but not be read. A context that is not served, and a module that does not
 * have the ioctl, are left to libmlx5.
 *
 * Return: the channel, owned by the caller until mlx5dv_devx_destroy_cmd_comp(), or
 * NULL and errno: EINVAL if @context is NULL; EMFILE, ENFILE; ENOMEM; EIO if the device
 * was removed or the verbs context has ended; EOPNOTSUPP if the context is not served
 * and the next library lacks the function; an error of the function of libmlx5; or one
 * of mdx_context_check() marked (*).
 */
MDX_PUBLIC struct mlx5dv_devx_cmd_comp *
mlx5dv_devx_create_cmd_comp(struct ibv_context *context)
{
	const struct mdx_next *next = mdx_next();
	struct mlx5dv_devx_cmd_comp *dv = NULL;
	int ret = create_comp(context, &dv);

	if (!ret)
		return dv;
	if (ret == MDX_FORWARD && next->create_cmd_comp)
		return next->create_cmd_comp(context);
	errno = mdx_forward_errno(ret);
	return NULL;
}

/**
 * mlx5dv_devx_destroy_cmd_comp - mlx5dv_devx_create_cmd_comp(3)
 * @dv: channel from mlx5dv_devx_create_cmd_comp()
 *
 * Closes a channel. Answers that were not read are dropped, those of queries that the
 * device has as well. Nothing is done for NULL, and for a channel of a libmlx5 that
 * lacks the function; errno is then EINVAL or EOPNOTSUPP.
 */
MDX_PUBLIC void mlx5dv_devx_destroy_cmd_comp(struct mlx5dv_devx_cmd_comp *dv)
{
	const struct mdx_next *next = mdx_next();
	struct shim_comp *comp = handle_comp(mdx_handle_del(dv));
	int saved = errno;

	if (!dv) {
		errno = EINVAL;
	} else if (comp) {
		free_comp(comp);
		errno = saved;
	} else if (next->destroy_cmd_comp) {
		next->destroy_cmd_comp(dv);
	} else {
		errno = EOPNOTSUPP;
	}
}

/* One query of an object of libmdx, whose answer goes to the channel @fd. */
static int query_async(struct mdx_shim_obj *obj, const void *in, size_t inlen,
		       size_t outlen, uint64_t wr_id, int fd)
{
	struct mdx_item item = {
		.cmd = MDX_CMD_OBJ_QUERY,
		.obj = obj->id,
		.in = mdx_mbox_addr(in),
		.in_len = mdx_mbox_len(inlen),
		.out_len = mdx_mbox_len(outlen),
		.cookie = wr_id,
	};
	struct mdx_ioc_submit arg = {
		.size = sizeof(arg),
		.items = mdx_mbox_addr(&item),
		.items_n = 1,
		.item_size = sizeof(item),
		.channel = fd,
	};

	if (!mdx_ref_valid(&obj->ref))
		return EBADF;
	return mdx_call(&obj->ref, MDX_IOC_SUBMIT, &arg);
}

/**
 * mlx5dv_devx_obj_query_async - mlx5dv_devx_obj_create(3)
 * @obj: object from mlx5dv_devx_obj_create()
 * @in: input mailbox, a query command with the number of @obj
 * @inlen: length of @in
 * @outlen: length of the answer
 * @wr_id: returned with the answer
 * @dv: channel from mlx5dv_devx_create_cmd_comp()
 *
 * Begins a query of an object. The answer is read by mlx5dv_devx_get_async_cmd_comp();
 * that of a command that the device did not answer has the status 0x01 (internal
 * error) and no syndrome. So has that of an object that another thread destroys
 * meanwhile.
 *
 * Return: 0, or an errno, which is also in errno, and there is no answer: EINVAL if
 * @obj or @dv is NULL, a mailbox is too short or too long, or @in is no query or one of
 * another object; ENOENT if the object was destroyed; EBUSY if it is being destroyed;
 * EBADF if the context of @obj was closed or @dv is not a channel of it; EAGAIN if 1 MiB
 * of answers or 4096 of them are not read yet; EFAULT; ENOMEM; EOPNOTSUPP if the module
 * does not have the ioctl or know the opcode, or libmlx5 lacks the function; EIO if the
 * device was removed or the verbs context has ended. Of an object of libmlx5 those of
 * libmlx5.
 */
MDX_PUBLIC int mlx5dv_devx_obj_query_async(struct mlx5dv_devx_obj *obj,
					   const void *in, size_t inlen,
					   size_t outlen, uint64_t wr_id,
					   struct mlx5dv_devx_cmd_comp *dv)
{
	struct mdx_shim_obj *own;
	struct shim_comp *comp;

	if (!obj || !dv)
		return mdx_ret(EINVAL);
	own = to_shim_obj(obj);
	comp = to_comp(dv);
	/* A channel of libmlx5 is none of the module's: EBADF. */
	if (own)
		return mdx_ret(query_async(own, in, inlen, outlen, wr_id,
					   comp ? comp->fd : dv->fd));
	if (comp && !comp->stock)
		return mdx_ret(EOPNOTSUPP);
	return MDX_NEXT(query_async, obj, in, inlen, outlen, wr_id,
			comp ? comp->stock : dv);
}

/* Read an answer: 0 or an errno. */
static int read_answer(int fd, struct mlx5dv_devx_async_cmd_hdr *resp, size_t len)
{
	ssize_t bytes = read(fd, resp, len);

	if (bytes < 0)
		return errno;
	return bytes < (ssize_t)sizeof(*resp) ? EINVAL : 0;
}

/* As read_answer(), from whichever has one; EAGAIN if none has. */
static int read_any(struct shim_comp *comp,
		    struct mlx5dv_devx_async_cmd_hdr *resp, size_t len)
{
	const int fds[] = { comp->fd, comp->stock ? comp->stock->fd : comp->fd };
	unsigned int turn = atomic_fetch_add(&comp->turn, 1);
	int ret = read_answer(fds[turn % 2], resp, len);

	return ret == EAGAIN ? read_answer(fds[!(turn % 2)], resp, len) : ret;
}

/* As read_any(), and wait unless O_NONBLOCK is set for the public descriptor. */
static int get_answer(struct shim_comp *comp,
		      struct mlx5dv_devx_async_cmd_hdr *resp, size_t len)
{
	struct epoll_event event;
	int flags, ret;

	for (;;) {
		ret = read_any(comp, resp, len);
		if (ret != EAGAIN)
			return ret;
		flags = fcntl(comp->dv.fd, F_GETFL);
		if (flags < 0)
			return errno;
		if (flags & O_NONBLOCK)
			return EAGAIN;
		if (epoll_wait(comp->dv.fd, &event, 1, -1) < 0)
			return errno;
	}
}

/**
 * mlx5dv_devx_get_async_cmd_comp - mlx5dv_devx_create_cmd_comp(3)
 * @dv: channel from mlx5dv_devx_create_cmd_comp()
 * @resp: receives the wr_id and the answer
 * @len: length of @resp
 *
 * Reads an answer. Waits for one unless O_NONBLOCK is set for the descriptor. Answers
 * of objects of libmdx come in the order in which the device gave them, those of
 * libmlx5 as well, and neither in the order of the other.
 *
 * Return: 0, or an errno, which is also in errno: EINVAL if @dv is NULL; ENOSPC if
 * @resp is too short for the answer, which stays; EAGAIN if
 * O_NONBLOCK is set and there is none; EIO if the channel has ended, by the removal of
 * the device or the end of its context; EFAULT; EINTR, also after a signal whose
 * handler has SA_RESTART. Of a channel of libmlx5 those of libmlx5, or EOPNOTSUPP if
 * it lacks the function.
 */
MDX_PUBLIC int
mlx5dv_devx_get_async_cmd_comp(struct mlx5dv_devx_cmd_comp *dv,
			       struct mlx5dv_devx_async_cmd_hdr *resp, size_t len)
{
	struct shim_comp *comp;
	int saved = errno;
	int ret;

	if (!dv)
		return mdx_ret(EINVAL);
	comp = to_comp(dv);
	if (!comp)
		return MDX_NEXT(get_async_cmd_comp, dv, resp, len);
	ret = get_answer(comp, resp, len);
	errno = saved;
	return mdx_ret(ret);
}
