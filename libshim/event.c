// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * mlx5dv_devx_create_event_channel(3): channels of events, and subscriptions.
 *
 * A channel of a served context is the module's, and has subscriptions of objects of
 * libmdx and those without an object. The objects of libmlx5 on such a context are
 * the consumed types (consumed.c), none of which the device has an event for: their
 * subscriptions are refused. A second channel of libmlx5 behind the first would make
 * the public descriptor an epoll instance, which a program cannot read().
 */
#include <stdlib.h>
#include <unistd.h>

#include "shim_handle.h"
#include "shim_obj.h"

#define EVENT_FLAGS MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA

/* @dv is behind a pointer, as in the structure of libmlx5. */
struct shim_channel {
	struct ibv_context *context;
	struct mlx5dv_devx_event_channel dv;
	struct mdx_handle handle;
	struct mdx_ctx_ref ref;
};

_Static_assert(offsetof(struct shim_channel, dv) == sizeof(void *), "");

static struct shim_channel *handle_channel(struct mdx_handle *handle)
{
	if (!handle)
		return NULL;
	return (void *)((char *)handle - offsetof(struct shim_channel, handle));
}

/* NULL if @dv belongs to libmlx5. */
static struct shim_channel *to_channel(const void *dv)
{
	return handle_channel(mdx_handle_find(dv));
}

/* 0 and @dv, MDX_FORWARD, or an errno. */
static int create_channel(struct ibv_context *context, int flags,
			  struct mlx5dv_devx_event_channel **dv)
{
	struct mdx_ioc_channel arg = {
		.size = sizeof(arg),
		.flags = MDX_CHANNEL_EVENTS,
	};
	struct shim_channel *chan;
	struct mdx_ctx_ref ref;
	int ret = mdx_ctx_get(context, &ref);

	if (ret)
		return ret;
	if (flags & ~EVENT_FLAGS)
		return EINVAL;
	if (flags & EVENT_FLAGS)
		arg.flags |= MDX_CHANNEL_OMIT_DATA;
	chan = calloc(1, sizeof(*chan));
	if (!chan)
		return ENOMEM;
	ret = mdx_ref_call(&ref, MDX_IOC_CHANNEL, &arg);
	if (ret) {
		free(chan);
		return ret;
	}
	chan->context = context;
	chan->ref = ref;
	chan->dv.fd = arg.out_fd;
	mdx_handle_add(&chan->handle, &chan->dv);
	*dv = &chan->dv;
	return 0;
}

/**
 * mlx5dv_devx_create_event_channel - mlx5dv_devx_create_event_channel(3)
 * @context: an open verbs context, with MLX5DV_CONTEXT_FLAGS_DEVX
 * @flags: MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA, or 0
 *
 * Creates a channel of events. A context that is not served, and a module that does
 * not have the ioctl, are left to libmlx5.
 *
 * Return: the channel, owned by the caller until mlx5dv_devx_destroy_event_channel(),
 * or NULL and errno: EINVAL if @context is NULL or for other @flags; EMFILE, ENFILE;
 * ENOMEM; EIO if the device was removed or the verbs context has ended; EOPNOTSUPP if
 * the context is not served and the next library lacks the function; or an error of
 * mdx_context_check() marked (*).
 */
MDX_PUBLIC struct mlx5dv_devx_event_channel *
mlx5dv_devx_create_event_channel(struct ibv_context *context,
				 enum mlx5dv_devx_create_event_channel_flags flags)
{
	const struct mdx_next *next = mdx_next();
	struct mlx5dv_devx_event_channel *dv = NULL;
	int ret = create_channel(context, flags, &dv);

	if (!ret)
		return dv;
	if (ret == MDX_FORWARD && next->create_event_channel)
		return next->create_event_channel(context, flags);
	errno = mdx_forward_errno(ret);
	return NULL;
}

/**
 * mlx5dv_devx_destroy_event_channel - mlx5dv_devx_create_event_channel(3)
 * @dv: channel from mlx5dv_devx_create_event_channel()
 *
 * Closes a channel, with its subscriptions. Nothing is done for NULL, and for a
 * channel of a libmlx5 that lacks the function; errno is then EINVAL or EOPNOTSUPP.
 */
MDX_PUBLIC void
mlx5dv_devx_destroy_event_channel(struct mlx5dv_devx_event_channel *dv)
{
	const struct mdx_next *next = mdx_next();
	struct shim_channel *chan = handle_channel(mdx_handle_del(dv));
	int saved = errno;

	if (!dv) {
		errno = EINVAL;
	} else if (chan) {
		close(dv->fd);
		free(chan);
		errno = saved;
	} else if (next->destroy_event_channel) {
		next->destroy_event_channel(dv);
	} else {
		errno = EOPNOTSUPP;
	}
}

/* Subscribe @obj, NULL for unaffiliated events: 0, MDX_FORWARD or an errno. */
static int subscribe_obj(struct mlx5dv_devx_event_channel *dv,
			 struct mlx5dv_devx_obj *obj,
			 struct mdx_ioc_subscribe *arg)
{
	struct shim_channel *chan = to_channel(dv);
	struct mdx_shim_obj *own = obj ? to_shim_obj(obj) : NULL;
	const struct mdx_ctx_ref *ref;

	if (!dv)
		return EINVAL;
	if (!own && !chan)
		return MDX_FORWARD;
	if (obj && !own)
		return EOPNOTSUPP;
	/* A channel of libmlx5 is none of the module's: EBADF. */
	ref = own ? &own->ref : &chan->ref;
	if (!mdx_ref_valid(ref))
		return EBADF;
	arg->channel = dv->fd;
	arg->obj = own ? own->id : 0;
	return mdx_call(ref, MDX_IOC_SUBSCRIBE, arg);
}

/**
 * mlx5dv_devx_subscribe_devx_event - mlx5dv_devx_subscribe_devx_event(3)
 * @dv: channel from mlx5dv_devx_create_event_channel()
 * @obj: object whose events are meant, or NULL for those of no object
 * @events_sz: size of @events_num in bytes, at most 32
 * @events_num: numbers of events
 * @cookie: returned with each event
 *
 * Subscribes events, all or none of them. The subscriptions of an object end with it.
 *
 * Return: 0, or an errno, which is also in errno: EINVAL if @dv is NULL, @events_sz is
 * 0, odd or too large, or an event is not one of @obj or not known to the device;
 * EBADF if the channel, or its context, is not one of the context of @obj, or was
 * closed; EOPNOTSUPP if @obj belongs to libmlx5 and @dv to libmdx, or the module does
 * not have the ioctl; ENOENT if the object was destroyed; EBUSY if it is being
 * destroyed; EFAULT if @events_num cannot be read; ENOMEM, also if the object or the
 * context has as many subscriptions as it may have; EIO if the device was removed or
 * the verbs context has ended. If neither belongs to libmdx, the errors of libmlx5.
 */
MDX_PUBLIC int
mlx5dv_devx_subscribe_devx_event(struct mlx5dv_devx_event_channel *dv,
				 struct mlx5dv_devx_obj *obj,
				 uint16_t events_sz, uint16_t events_num[],
				 uint64_t cookie)
{
	struct mdx_ioc_subscribe arg = {
		.size = sizeof(arg),
		.events = mdx_mbox_addr(events_num),
		.events_n = events_sz / sizeof(*events_num),
		.cookie = cookie,
		.eventfd = -1,
	};
	int ret;

	/* An odd size is as wrong as 0. */
	if (events_sz % sizeof(*events_num))
		arg.events_n = 0;
	ret = subscribe_obj(dv, obj, &arg);
	if (ret == MDX_FORWARD)
		return MDX_NEXT(subscribe_event, dv, obj, events_sz, events_num,
				cookie);
	return mdx_ret(ret);
}

/**
 * mlx5dv_devx_subscribe_devx_event_fd - mlx5dv_devx_subscribe_devx_event(3)
 * @dv: channel from mlx5dv_devx_create_event_channel()
 * @fd: an eventfd
 * @obj: as of mlx5dv_devx_subscribe_devx_event()
 * @event_num: number of the event
 *
 * Subscribes an event, which adds 1 to the eventfd, and is not read from the channel.
 *
 * Return: as mlx5dv_devx_subscribe_devx_event(). EBADF also if @fd is not open, EINVAL
 * also if it is not an eventfd.
 */
MDX_PUBLIC int
mlx5dv_devx_subscribe_devx_event_fd(struct mlx5dv_devx_event_channel *dv, int fd,
				    struct mlx5dv_devx_obj *obj,
				    uint16_t event_num)
{
	struct mdx_ioc_subscribe arg = {
		.size = sizeof(arg),
		.events = mdx_mbox_addr(&event_num),
		.events_n = 1,
		.eventfd = fd,
	};
	int ret;

	/* For the module, -1 stands for no eventfd. */
	if (fd < 0 && (to_channel(dv) || (obj && to_shim_obj(obj))))
		return mdx_ret(EBADF);
	ret = subscribe_obj(dv, obj, &arg);
	if (ret == MDX_FORWARD)
		return MDX_NEXT(subscribe_event_fd, dv, fd, obj, event_num);
	return mdx_ret(ret);
}

/* read(), as libmlx5 reads from its channels. */
static ssize_t read_event(int fd, struct mlx5dv_devx_async_event_hdr *data,
			  size_t len)
{
	ssize_t bytes = read(fd, data, len);

	if (bytes < 0 || bytes >= (ssize_t)sizeof(*data))
		return bytes;
	errno = EINVAL;
	return -1;
}

/**
 * mlx5dv_devx_get_event - mlx5dv_devx_get_event(3)
 * @dv: channel from mlx5dv_devx_create_event_channel()
 * @data: receives the event
 * @len: length of @data
 *
 * Reads an event. Waits for one unless O_NONBLOCK is set for the descriptor.
 *
 * Return: the number of bytes written to @data; -1 and errno: EINVAL if @dv is NULL or
 * @data is too short for an event, which stays; EAGAIN if O_NONBLOCK is set and there
 * is none; EOVERFLOW, once, if events were lost; EIO if the channel has ended, by the
 * removal of the device or the end of its context; EFAULT if @data cannot be written,
 * and the event is lost; EINTR. Of a channel of libmlx5 the errors of libmlx5, or
 * EOPNOTSUPP if it lacks the function.
 */
MDX_PUBLIC ssize_t mlx5dv_devx_get_event(struct mlx5dv_devx_event_channel *dv,
					 struct mlx5dv_devx_async_event_hdr *data,
					 size_t len)
{
	const struct mdx_next *next = mdx_next();

	if (to_channel(dv))
		return read_event(dv->fd, data, len);
	if (dv && next->get_event)
		return next->get_event(dv, data, len);
	errno = dv ? EOPNOTSUPP : EINVAL;
	return -1;
}
