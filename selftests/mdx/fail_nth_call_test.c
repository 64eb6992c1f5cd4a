// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Calls that are not about objects, and the module's init, of which each
 * allocation and each copy fails once.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "batch.h"
#include "objtype_harness.h"
#include "nth.h"
#include "sweep.h"

FIXTURE(calls)
{
	struct sweep_state s;
};

FIXTURE_SETUP(calls)
{
	STAND_SETUP(&self->s);
}

FIXTURE_TEARDOWN(calls)
{
	world_stop(&self->s.w);
}

static int open_run(struct sweep_state *s)
{
	s->fd = mdx_node_open();
	return s->fd < 0 ? errno : 0;
}

static int fd_end(struct sweep_state *s, int ret)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	return 0;
}

static int bind_prepare(struct sweep_state *s)
{
	s->arg.bind = (struct mdx_ioc_bind){
		.size = sizeof(s->arg.bind),
		.uverbs_fd = s->w.mdx.ctx->cmd_fd,
		.pd_handle = s->w.mdx.pd->handle,
	};
	return open_run(s);
}

static int bind_end(struct sweep_state *s, int ret)
{
	struct mdx_ioc_info info;

	if (_test_mdx_info(s->fd, &info) || !info.out_flags != !!ret)
		return EINVAL;
	return fd_end(s, ret);
}

/* A context that no file is bound to yet, with a PD. */
static struct ibv_context *own_ctx;
static struct ibv_pd *own_pd;
static int uctxs;

static int count_uctxs(struct sweep_state *s)
{
	return s->w.hca ? hca_live(s->w.hca, -1, "uctx", -1) : 0;
}

static int first_bind_prepare(struct sweep_state *s)
{
	uctxs = count_uctxs(s);
	own_ctx = mdx_ctx_open();
	own_pd = own_ctx ? ibv_alloc_pd(own_ctx) : NULL;
	if (!own_pd)
		return errno ?: ENOMEM;
	s->arg.bind = (struct mdx_ioc_bind){
		.size = sizeof(s->arg.bind),
		.uverbs_fd = own_ctx->cmd_fd,
		.pd_handle = own_pd->handle,
	};
	return open_run(s);
}

/* The PD is verbs' again, whether the bind succeeded or not. */
static int first_bind_end(struct sweep_state *s, int ret)
{
	int err = bind_end(s, ret);

	if (ibv_dealloc_pd(own_pd) || ibv_close_device(own_ctx) ||
	    count_uctxs(s) != uctxs)
		return EINVAL;
	return err;
}

static int context_prepare(struct sweep_state *s)
{
	uint32_t in[MBOX_HDR_LEN / 4] = {}, out[MBOX_HDR_LEN / 4];
	struct mbox_pair m = {
		.in = in, .out = out,
		.in_len = sizeof(in), .out_len = sizeof(out),
	};
	uint32_t id;
	int ret = first_bind_prepare(s);

	if (!ret)
		ret = mdx_ioctl(s->fd, MDX_IOC_BIND, &s->arg.bind);
	mdx_hdr(in, MLX5_CMD_OP_ALLOC_PD, 0, 0);
	if (!ret)
		ret = _test_mdx_create(s->fd, &m, &id);
	memset(&s->arg, 0, sizeof(s->arg));
	s->w.m.out_len = 0;
	return ret;
}

static int context_run(struct sweep_state *s)
{
	return ibv_close_device(own_ctx);
}

static int context_end(struct sweep_state *s, int ret)
{
	struct mdx_ioc_info info;

	if (_test_mdx_info(s->fd, &info) ||
	    info.out_flags != (MDX_INFO_BOUND | MDX_INFO_ENDED) ||
	    count_uctxs(s) != uctxs)
		return EINVAL;
	return fd_end(s, ret);
}

static int info_prepare(struct sweep_state *s)
{
	memset(&s->arg, FILL, sizeof(s->arg));
	s->arg.info.size = sizeof(s->arg.info);
	s->arg.info.flags = 0;
	return 0;
}

static int port_prepare(struct sweep_state *s)
{
	memset(&s->arg, FILL, sizeof(s->arg));
	s->arg.port.size = sizeof(s->arg.port);
	s->arg.port.flags = 0;
	s->arg.port.port_num = 1;
	s->arg.port.__reserved = 0;
	return 0;
}

static int device_prepare(struct sweep_state *s)
{
	memset(&s->arg, FILL, sizeof(s->arg));
	s->arg.device.size = sizeof(s->arg.device);
	s->arg.device.flags = 0;
	return 0;
}

static int error_prepare(struct sweep_state *s)
{
	memset(&s->arg, FILL, sizeof(s->arg));
	s->arg.error.size = sizeof(s->arg.error);
	s->arg.error.flags = 0;
	return 0;
}

TEST_F_TIMEOUT(calls, open, 300)
{
	const struct sweep_call call = {
		.name = "open", .run = open_run, .end = fd_end,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

TEST_F_TIMEOUT(calls, bind, 300)
{
	const struct sweep_call call = {
		.name = "bind", .req = MDX_IOC_BIND,
		.prepare = bind_prepare, .end = bind_end,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

TEST_F_TIMEOUT(calls, first_bind, 300)
{
	const struct sweep_call call = {
		.name = "first bind", .req = MDX_IOC_BIND,
		.prepare = first_bind_prepare, .end = first_bind_end,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

TEST_F_TIMEOUT(calls, end_of_context, 300)
{
	const struct sweep_call call = {
		.name = "end of a context", .run = context_run,
		.prepare = context_prepare, .end = context_end,
	};

	/* Allocations of the stock driver for its own commands may fail for good. */
	ASSERT_EQ(0, nth_only_below("owner_end"));
	EXPECT_TRUE(sweep(&self->s, &call));
	nth_only_below(NULL);
}

TEST_F_TIMEOUT(calls, info, 300)
{
	const struct sweep_call call = {
		.name = "info", .req = MDX_IOC_INFO, .prepare = info_prepare,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

TEST_F_TIMEOUT(calls, query_port, 300)
{
	const struct sweep_call call = {
		.name = "query_port", .req = MDX_IOC_QUERY_PORT,
		.prepare = port_prepare,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

TEST_F_TIMEOUT(calls, query_device, 300)
{
	const struct sweep_call call = {
		.name = "query_device", .req = MDX_IOC_QUERY_DEVICE,
		.prepare = device_prepare,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

TEST_F_TIMEOUT(calls, last_error, 300)
{
	const struct sweep_call call = {
		.name = "last_error", .req = MDX_IOC_LAST_ERROR,
		.prepare = error_prepare,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

/* Longer than the buffers that the module keeps. */
static int general_prepare(struct sweep_state *s)
{
	static uint64_t in[9216 / 8], out[9216 / 8];

	mdx_hdr(in, MLX5_CMD_OP_QUERY_ADAPTER, 0, 0);
	s->w.m = (struct mbox_pair){ in, out, sizeof(in), sizeof(out) };
	s->arg.general = (struct mdx_ioc_general){
		.size = sizeof(s->arg.general),
		.in = (uintptr_t)in,
		.out = (uintptr_t)out,
		.in_len = sizeof(in),
		.out_len = sizeof(out),
	};
	return 0;
}

TEST_F_TIMEOUT(calls, general, 300)
{
	const struct sweep_call call = {
		.name = "general", .req = MDX_IOC_GENERAL,
		.prepare = general_prepare,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

static int channel_prepare(struct sweep_state *s)
{
	memset(&s->arg, 0, sizeof(s->arg));
	s->arg.channel.size = sizeof(s->arg.channel);
	s->arg.channel.flags = MDX_CHANNEL_EVENTS;
	s->arg.channel.out_fd = -1;
	return 0;
}

/* A descriptor is there if the caller knows it, and only then. */
static int channel_end(struct sweep_state *s, int ret)
{
	int fd = dup(0);

	close(fd);
	if (ret)
		return s->arg.channel.out_fd != -1;
	return fd == s->arg.channel.out_fd || close(s->arg.channel.out_fd);
}

TEST_F_TIMEOUT(calls, channel, 300)
{
	const struct sweep_call call = {
		.name = "channel", .req = MDX_IOC_CHANNEL,
		.prepare = channel_prepare, .end = channel_end,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

static int umem_prepare(struct sweep_state *s)
{
	s->arg.umem = (struct mdx_ioc_umem_reg){
		.size = sizeof(s->arg.umem),
		.addr = (uintptr_t)s->w.mem,
		.length = MEM_LEN,
		.access = IBV_ACCESS_LOCAL_WRITE,
	};
	return 0;
}

static int umem_end(struct sweep_state *s, int ret)
{
	return ret ? 0 : _test_mdx_destroy(s->w.mdx.fd, s->arg.umem.out_id);
}

TEST_F_TIMEOUT(calls, umem_reg, 300)
{
	const struct sweep_call call = {
		.name = "umem_reg", .req = MDX_IOC_UMEM_REG,
		.prepare = umem_prepare, .end = umem_end, .changes = true,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

/* A chain of memory, a TD, and a TIS in it, which is undone if an item fails. */
static struct test_batch chain;

static int submit_prepare(struct sweep_state *s)
{
	static struct mdx_ioc_umem_reg umem;

	umem_prepare(s);
	umem = s->arg.umem;
	memset(&s->arg, 0, sizeof(s->arg));
	batch_begin(&chain);
	chain.arg.flags = MDX_SUBMIT_UNDO;
	chain.arg.items_n = 1;
	chain.items[0] = (struct mdx_item){
		.cmd = MDX_CMD_UMEM_REG,
		.in = (uintptr_t)&umem,
		.in_len = sizeof(umem),
	};
	batch_create(&chain, &s->w, OBJTYPE_TD, MDX_ITEM_LINK)->out_obj = 0;
	batch_create(&chain, &s->w, OBJTYPE_TIS, MDX_ITEM_LINK)->out_obj = 0;
	batch_ref(&chain, 1, TIS_TD_BIT, TIS_TD_WIDTH);
	s->w.m.out_len = 0;
	return 0;
}

static int submit_run(struct sweep_state *s)
{
	int ret = batch_submit(&chain, s->w.mdx.fd);
	unsigned int first = chain.arg.out_first_failed;

	if (!ret && chain.arg.out_failed)
		ret = chain.items[first].out_err;
	return ret;
}

static int submit_end(struct sweep_state *s, int ret)
{
	unsigned int i = chain.arg.items_n;
	int err = 0;

	while (i--)
		if (chain.items[i].out_obj)
			err = err ?: _test_mdx_destroy(s->w.mdx.fd,
						       chain.items[i].out_obj);
	/* The call was lost after its last item had succeeded. */
	return ret ? 0 : err;
}

TEST_F_TIMEOUT(calls, submit, 300)
{
	const struct sweep_call call = {
		.name = "submit", .run = submit_run,
		.prepare = submit_prepare, .end = submit_end,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

/* Completions of a CQ and its error, each twice, with more room than before. */
static int subscribe_prepare(struct sweep_state *s)
{
	static const uint16_t events[] = { 0x00, 0x04, 0x00, 0x04 };
	struct mdx_ioc_channel chan = {
		.size = sizeof(chan), .flags = MDX_CHANNEL_EVENTS, .depth = 1,
	};
	int ret = objtype_create(&s->w, OBJTYPE_CQ);

	ret = ret ?: mdx_ioctl(s->w.mdx.fd, MDX_IOC_CHANNEL, &chan);
	s->arg.subscribe = (struct mdx_ioc_subscribe){
		.size = sizeof(s->arg.subscribe),
		.events = (uintptr_t)events,
		.events_n = 4,
		.channel = chan.out_fd,
		.eventfd = -1,
		.obj = s->w.obj[OBJTYPE_CQ].id,
	};
	return ret;
}

static int subscribe_end(struct sweep_state *s, int ret)
{
	return close(s->arg.subscribe.channel) ? errno : 0;
}

TEST_F_TIMEOUT(calls, subscribe, 300)
{
	const struct sweep_call call = {
		.name = "subscribe", .req = MDX_IOC_SUBSCRIBE,
		.prepare = subscribe_prepare, .end = subscribe_end,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

/* Loading the module. */
FIXTURE(module)
{
	int nth_fd;
	int ko;
};

/* As modprobe finds it. */
static int module_open(void)
{
	char path[400], line[300], name[300];
	struct utsname uts;
	int fd = -1;
	FILE *f;

	uname(&uts);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep",
		 uts.release);
	f = fopen(path, "r");
	while (f && fd < 0 && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%299[^:]", name) != 1 ||
		    !strstr(name, "/mlx5_devx.ko"))
			continue;
		snprintf(path, sizeof(path), "/lib/modules/%s/%s", uts.release,
			 name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (f)
		fclose(f);
	return fd;
}

FIXTURE_SETUP(module)
{
	SETUP_DEVICE(return);
	self->nth_fd = nth_open();
	ASSERT_GE(self->nth_fd, 0);
	if (run("rmmod mlx5_devx"))
		SKIP(return, "the module is in use");
	ASSERT_EQ(0, run("modprobe mlx5_devx"));
	self->ko = module_open();
	ASSERT_GE(self->ko, 0);
	ASSERT_EQ(0, run("rmmod mlx5_devx"));
}

FIXTURE_TEARDOWN(module)
{
	nth_only_below(NULL);
	if (!mdx_module_loaded())
		run("modprobe mlx5_devx");
}

/* It is loaded and can be unloaded, or it is not; then it is as ever. */
TEST_F_TIMEOUT(module, init, 300)
{
	bool hit = true;
	struct mdx_binding mdx;
	int nth, ret;

	/* The loader's own allocations are not ours to try. */
	ASSERT_EQ(0, nth_only_below("do_one_initcall"));
	for (nth = 1; hit; nth++) {
		ASSERT_LT(nth, FAULTS_MAX);
		nth_begin(self->nth_fd, nth);
		ret = syscall(SYS_finit_module, self->ko, "", 0) ? errno : 0;
		hit = nth_end(self->nth_fd);
		/* The driver core and misc_register() have several errnos. */
		EXPECT_TRUE(!ret || hit) {
			TH_LOG("fault %d: %s", nth, strerror(ret));
		}
		ASSERT_EQ(!ret, mdx_module_loaded());
		if (!ret)
			ASSERT_EQ(0, run("rmmod mlx5_devx"));
		sweep_sum_add(hit);
	}
	TH_LOG("init: %d faults", nth - 2);
	ASSERT_EQ(0, run("modprobe mlx5_devx"));
	ASSERT_EQ(0, mdx_start(&mdx));
	mdx_stop(&mdx);
}

static const char *missing;

TEST_FAULTS_MISSING(missing)

int main(int argc, char **argv)
{
	missing = nth_missing();
	if (missing) {
		_calls_fixture_object.tests = NULL;
		_module_fixture_object.tests = NULL;
	}
	sweep_sum_start();
	return test_harness_run(argc, argv);
}
