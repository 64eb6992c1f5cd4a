// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Verbs contexts: a table of the open ones, with the bound file of each.
 *
 * A context is served only if its open came through this file, which must also see
 * the close: the binding has a file and a PD of the context. A context that libmlx5
 * is still opening is not in the table yet.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctx.h"
#include "debug.h"

#define MDX_NODE "/dev/infiniband/mlx5_devx"

enum ctx_state {
	CTX_NEW,		/* not bound yet */
	CTX_SERVED,
	CTX_UNSEEN,		/* from here on: left to the next library */
	CTX_NO_MODULE,
	CTX_NO_ACCESS,
	CTX_BAD_NODE,
	CTX_NOT_MLX5,
	CTX_NETNS,
	CTX_NO_UID,
	CTX_NO_BIND,
};

static const struct {
	int err;
	const char *text;
} ctx_verdicts[] = {
	[CTX_NEW] = {
		0,
		"the context could not be bound, but the next call tries again"
	},
	[CTX_SERVED] = {
		0,
		"the context is served by mlx5_devx"
	},
	[CTX_UNSEEN] = {
		ENOENT,
		"libmdx did not see the context being opened: link -lmdx before -lmlx5, or preload libmdx.so.1"
	},
	[CTX_NO_MODULE] = {
		ENODEV,
		"there is no " MDX_NODE ": load the mlx5_devx module"
	},
	[CTX_NO_ACCESS] = {
		EACCES,
		"no permission to open " MDX_NODE
	},
	[CTX_BAD_NODE] = {
		ENOTTY,
		MDX_NODE " is not the node of mlx5_devx"
	},
	[CTX_NOT_MLX5] = {
		EINVAL,
		"not a context of an mlx5 device that the kernel drives"
	},
	[CTX_NETNS] = {
		EPERM,
		"the device is in another network namespace"
	},
	[CTX_NO_UID] = {
		EOPNOTSUPP,
		"no DEVX uid: open the context by mlx5dv_open_device() with MLX5DV_CONTEXT_FLAGS_DEVX"
	},
	[CTX_NO_BIND] = {
		EOPNOTSUPP,
		"mlx5_devx was built without MDX_IOC_BIND, as it does not know this kernel's mlx5_ib: mdx doctor"
	},
};

/*
 * Table entry. Entries are never freed, so chains are read without a lock; when
 * a context is closed, its entry is reused by the next one of the same chain.
 *
 * Lock order: ctx_lock and mdx_ctx::lock are never held together.
 */
struct mdx_ctx {
	struct mdx_ctx *next;
	struct ibv_context *_Atomic context;	/* NULL: free */
	atomic_uint gen;	/* incremented when the entry becomes free */
	atomic_int state;	/* enum ctx_state; CTX_SERVED after fd is set */
	int fd;			/* the bound file, or -1 */
	struct ibv_pd *pd;	/* belongs to the binding */
	pthread_mutex_t lock;	/* held while the context is being bound */
};

#define CTX_CHAINS 64

static struct mdx_ctx *_Atomic ctx_chains[CTX_CHAINS];
/* Serialises changes of mdx_ctx::context. */
static pthread_mutex_t ctx_lock = PTHREAD_MUTEX_INITIALIZER;

static struct mdx_ctx *_Atomic *ctx_chain(const struct ibv_context *context)
{
	uint64_t hash = (uintptr_t)context * 0x9e3779b97f4a7c15ull;

	return &ctx_chains[hash >> 58];
}

static struct mdx_ctx *ctx_find(const struct ibv_context *context,
				struct mdx_ctx *from)
{
	struct mdx_ctx *ctx;

	for (ctx = from; ctx; ctx = ctx->next)
		if (atomic_load_explicit(&ctx->context, memory_order_acquire) ==
		    context)
			return ctx;
	return NULL;
}

static struct mdx_ctx *ctx_lookup(const struct ibv_context *context)
{
	if (!context)
		return NULL;
	return ctx_find(context, atomic_load_explicit(ctx_chain(context),
						      memory_order_acquire));
}

/* Reuse a free entry of @chain or add one. */
static struct mdx_ctx *ctx_alloc(struct mdx_ctx *_Atomic *chain)
{
	struct mdx_ctx *ctx = ctx_find(NULL, atomic_load(chain));
	pthread_mutexattr_t attr;

	if (ctx)
		return ctx;
	ctx = calloc(1, sizeof(*ctx));
	if (!ctx)
		return NULL;
	ctx->fd = -1;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&ctx->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	ctx->next = atomic_load(chain);
	atomic_store_explicit(chain, ctx, memory_order_release);
	return ctx;
}

/* The kernel's half of a context, which the caller closes. */
struct ctx_binding {
	int fd;			/* or -1 */
	struct ibv_pd *pd;	/* or NULL */
};

/* Free @ctx for reuse. */
static struct ctx_binding ctx_reset(struct mdx_ctx *ctx)
{
	struct ctx_binding binding = { ctx->fd, ctx->pd };

	atomic_store(&ctx->context, NULL);
	atomic_fetch_add(&ctx->gen, 1);
	atomic_store(&ctx->state, CTX_NEW);
	ctx->fd = -1;
	ctx->pd = NULL;
	return binding;
}

static void ctx_close_fd(int fd)
{
	int saved = errno;

	if (fd >= 0)
		close(fd);
	errno = saved;
}

/* Add @context to the table: 0 or ENOMEM. */
static int ctx_add(struct ibv_context *context)
{
	struct ctx_binding stale = { .fd = -1 };
	struct mdx_ctx *ctx;

	pthread_mutex_lock(&ctx_lock);
	ctx = ctx_lookup(context);
	if (ctx)	/* that context was closed behind our back, its PD as well */
		stale = ctx_reset(ctx);
	else
		ctx = ctx_alloc(ctx_chain(context));
	if (ctx)
		atomic_store_explicit(&ctx->context, context,
				      memory_order_release);
	pthread_mutex_unlock(&ctx_lock);
	ctx_close_fd(stale.fd);
	return ctx ? 0 : ENOMEM;
}

/*
 * Free the PD of a binding whose file is closed. While another file is bound to the
 * context, for example a child's, the kernel refuses, and frees it with the context.
 */
static void ctx_free_pd(struct ibv_pd *pd)
{
	int saved = errno;

	if (pd)
		ibv_dealloc_pd(pd);
	errno = saved;
}

/* Remove @context from the table and end its binding. True if it was there. */
static bool ctx_del(struct ibv_context *context)
{
	struct ctx_binding binding = { .fd = -1 };
	struct mdx_ctx *ctx;

	pthread_mutex_lock(&ctx_lock);
	ctx = ctx_lookup(context);
	if (ctx)
		binding = ctx_reset(ctx);
	pthread_mutex_unlock(&ctx_lock);
	ctx_close_fd(binding.fd);
	ctx_free_pd(binding.pd);
	return ctx;
}

/*
 * Open the node: 0 and @fd, 0 and the reason in @state if the context cannot be
 * served, or an errno.
 */
static int ctx_open_node(int *fd, int *state)
{
	struct stat st;

	*fd = open(MDX_NODE, O_RDWR | O_CLOEXEC);
	if (*fd < 0) {
		switch (errno) {
		case ENOENT:
		case ENOTDIR:
		case ENODEV:
		case ENXIO:
			*state = CTX_NO_MODULE;
			return 0;
		case EACCES:
		case EPERM:
			*state = CTX_NO_ACCESS;
			return 0;
		default:
			return errno;
		}
	}
	if (!fstat(*fd, &st) && S_ISCHR(st.st_mode))
		return 0;
	ctx_close_fd(*fd);
	*fd = -1;
	*state = CTX_BAD_NODE;
	return 0;
}

/* The reason for EOPNOTSUPP of MDX_IOC_BIND. */
static enum ctx_state ctx_unsupported(int fd)
{
	struct mdx_ioc_info info = { .size = sizeof(info) };

	if (!mdx_ioctl(fd, MDX_IOC_INFO, &info) &&
	    !(info.out_features & MDX_FEATURE_BIND))
		return CTX_NO_BIND;
	return CTX_NO_UID;
}

/* Issue MDX_IOC_BIND, with a PD that belongs to the binding if there is one then. */
static int ctx_bind_fd(int fd, struct ibv_context *context, int *state,
		       struct ibv_pd **bound_pd)
{
	struct mdx_ioc_bind arg = {
		.size = sizeof(arg),
		.flags = MDX_BIND_SHARE,
		.uverbs_fd = context->cmd_fd,
	};
	struct ibv_pd *pd;
	int ret;

	errno = 0;
	pd = ibv_alloc_pd(context);
	if (!pd)
		return errno ? errno : ENOMEM;
	arg.pd_handle = pd->handle;
	ret = mdx_ioctl(fd, MDX_IOC_BIND, &arg);
	if (!ret) {
		*bound_pd = pd;
		*state = CTX_SERVED;
		return 0;
	}
	ibv_dealloc_pd(pd);

	switch (ret) {
	case ENOTTY:
		*state = CTX_BAD_NODE;
		return 0;
	case EINVAL:
		*state = CTX_NOT_MLX5;
		return 0;
	case EPERM:
		*state = CTX_NETNS;
		return 0;
	case EOPNOTSUPP:
		*state = ctx_unsupported(fd);
		return 0;
	default:
		return ret;
	}
}

/* Bind @ctx, whose lock is held. Results as of ctx_open_node(). */
static int ctx_bind(struct mdx_ctx *ctx, struct ibv_context *context,
		    int *state)
{
	int fd, ret;

	/* A VFIO context has no uverbs file. */
	if (context->cmd_fd < 0 || !mlx5dv_is_supported(context->device)) {
		*state = CTX_NOT_MLX5;
		return 0;
	}
	ret = ctx_open_node(&fd, state);
	if (ret || fd < 0)
		return ret;
	ret = ctx_bind_fd(fd, context, state, &ctx->pd);
	if (!ret && *state == CTX_SERVED)
		ctx->fd = fd;
	else
		ctx_close_fd(fd);
	return ret;
}

/* Slow path of ctx_state(), kept out of line: it runs once per context. */
__attribute__((noinline)) static int
ctx_state_new(struct mdx_ctx *ctx, struct ibv_context *context, int *state)
{
	int saved = errno;
	int ret = 0;

	/* EDEADLK: re-entered from the bind below; left to the next library. */
	if (pthread_mutex_lock(&ctx->lock)) {
		*state = CTX_UNSEEN;
		return 0;
	}
	*state = atomic_load_explicit(&ctx->state, memory_order_relaxed);
	if (*state == CTX_NEW) {
		ret = ctx_bind(ctx, context, state);
		atomic_store_explicit(&ctx->state, *state,
				      memory_order_release);
		if (*state != CTX_SERVED)
			mdx_debug_unserved(context, ctx_verdicts[*state].text,
					   ret);
	}
	pthread_mutex_unlock(&ctx->lock);
	errno = saved;
	/* No command was executed, so there is no valid output mailbox. */
	return ret == EREMOTEIO ? EIO : ret;
}

/* Get the state of @ctx, binding it on first use: 0 and @state, or an errno. */
static int ctx_state(struct mdx_ctx *ctx, struct ibv_context *context,
		     int *state)
{
	*state = atomic_load_explicit(&ctx->state, memory_order_acquire);
	return *state == CTX_NEW ? ctx_state_new(ctx, context, state) : 0;
}

int mdx_ctx_get(struct ibv_context *context, struct mdx_ctx_ref *ref)
{
	struct mdx_ctx *ctx = ctx_lookup(context);
	int state, ret;

	if (!context)
		return EINVAL;
	if (!ctx) {
		mdx_debug_unseen(context, ctx_verdicts[CTX_UNSEEN].text);
		return MDX_FORWARD;
	}
	ret = ctx_state(ctx, context, &state);
	if (ret)
		return ret;
	if (state != CTX_SERVED)
		return MDX_FORWARD;
	ref->ctx = ctx;
	ref->gen = atomic_load_explicit(&ctx->gen, memory_order_relaxed);
	ref->fd = ctx->fd;
	return 0;
}

bool mdx_ref_valid(const struct mdx_ctx_ref *ref)
{
	return atomic_load_explicit(&ref->ctx->gen, memory_order_relaxed) ==
	       ref->gen;
}

int mdx_ctx_call(struct ibv_context *context, unsigned long nr, void *arg)
{
	struct mdx_ctx_ref ref;
	int ret = mdx_ctx_get(context, &ref);

	return ret ? ret : mdx_ref_call(&ref, nr, arg);
}

MDX_PUBLIC int mdx_context_check(struct ibv_context *context)
{
	struct mdx_ctx *ctx = ctx_lookup(context);
	int state = CTX_UNSEEN;
	int ret = 0;

	if (ctx)
		ret = ctx_state(ctx, context, &state);
	return mdx_ret(ret ? ret : ctx_verdicts[state].err);
}

MDX_PUBLIC const char *mdx_context_reason(struct ibv_context *context)
{
	struct mdx_ctx *ctx = ctx_lookup(context);
	int state = CTX_UNSEEN;

	if (ctx)
		ctx_state(ctx, context, &state);
	return ctx_verdicts[state].text;
}

/* Add the context that an open function of the next library returned. */
static struct ibv_context *ctx_opened(struct ibv_context *context)
{
	const struct mdx_next *next = mdx_next();
	int ret;

	mdx_debug_opening(-1);
	if (!context)
		return NULL;
	ret = ctx_add(context);
	if (!ret)
		return context;
	if (next->close_device)
		next->close_device(context);
	errno = ret;
	return NULL;
}

static void *ctx_no_next(void)
{
	errno = EOPNOTSUPP;
	return NULL;
}

/**
 * ibv_open_device - ibv_open_device(3)
 * @device: entry of ibv_get_device_list()
 *
 * Calls the function of libibverbs and adds the context to libmdx's table. It
 * is bound on its first mlx5dv_devx_*() call.
 *
 * Return: the context, owned by the caller until ibv_close_device(), or NULL
 * and errno: ENOMEM if it cannot be added, EOPNOTSUPP if the next library lacks
 * the function, otherwise the errno of that function.
 */
MDX_PUBLIC struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	const struct mdx_next *next = mdx_next();

	if (!next->open_device)
		return ctx_no_next();
	mdx_debug_opening(1);
	return ctx_opened(next->open_device(device));
}

/**
 * mlx5dv_open_device - mlx5dv_open_device(3)
 * @device: entry of ibv_get_device_list(), of an mlx5 device
 * @attr: flags of the context; MLX5DV_CONTEXT_FLAGS_DEVX asks for the DEVX uid
 *	that mlx5_devx needs
 *
 * As ibv_open_device(), by the function of libmlx5.
 *
 * Return: as ibv_open_device().
 */
MDX_PUBLIC struct ibv_context *
mlx5dv_open_device(struct ibv_device *device, struct mlx5dv_context_attr *attr)
{
	const struct mdx_next *next = mdx_next();

	if (!next->dv_open_device)
		return ctx_no_next();
	mdx_debug_opening(1);
	return ctx_opened(next->dv_open_device(device, attr));
}

/**
 * ibv_import_device - ibv_import_device(3)
 * @cmd_fd: descriptor of an open context, for example of another process
 *
 * As ibv_open_device(). An imported context shares the uid of the original, so
 * the mailboxes of each may refer to objects of the other. A struct
 * mlx5dv_devx_obj still belongs to the context on which it was created, and is
 * destroyed when that context is closed.
 *
 * Return: as ibv_open_device().
 */
MDX_PUBLIC struct ibv_context *ibv_import_device(int cmd_fd)
{
	const struct mdx_next *next = mdx_next();

	if (!next->import_device)
		return ctx_no_next();
	mdx_debug_opening(1);
	return ctx_opened(next->import_device(cmd_fd));
}

/**
 * ibv_close_device - ibv_close_device(3)
 * @context: a context from one of the open functions
 *
 * Closes the bound file, then calls the function of libibverbs. Closing the
 * last descriptor of the bound file destroys the device objects that are left;
 * a forked child may hold another descriptor. A struct mlx5dv_devx_obj of
 * @context that is left has to be freed by mlx5dv_devx_obj_destroy(), which
 * then returns 0; all other functions return EBADF for it.
 *
 * Return: 0; -1 and EOPNOTSUPP in errno if the next library lacks the function;
 * otherwise the result of that function. If it fails, @context stays open and
 * is bound anew on its next use.
 */
MDX_PUBLIC int ibv_close_device(struct ibv_context *context)
{
	const struct mdx_next *next = mdx_next();
	bool known;
	int ret;

	if (!next->close_device) {
		errno = EOPNOTSUPP;
		return -1;
	}
	/* Removed first: once closed, its address may belong to a new one. */
	known = ctx_del(context);
	ret = next->close_device(context);
	if (ret && known)
		ctx_add(context);
	return ret;
}
