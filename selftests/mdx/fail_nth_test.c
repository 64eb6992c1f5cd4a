// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Calls of which each allocation and each copy fails once: the first, then the
 * second, until there are no more. The kernel counts them and makes them fail
 * (/proc/thread-self/fail-nth), those of mlx5_core in the call as well. A call
 * that failed has to be as one that was never made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>

#include "kind_harness.h"
#include "nth.h"
#include "vobj.h"

#define REFCNT "/sys/module/mlx5_devx/refcnt"

/* No call has that many. */
#define FAULTS_MAX 2000
/* The driver waits a minute for a device that does not answer. */
#define LIMIT 40

static int *injected;		/* by all tests */

/* What a test works on, and how things were before its call. */
struct stand {
	struct world w;
	enum kind_id k;
	struct vobj v;
	const struct vcmd *cmd;
	int nth_fd;
	int fd;			/* for the call, if it is not the world's */
	int live;
	int refs;
	uint32_t objs;
	union arg {
		struct mdx_ioc_info info;
		struct mdx_ioc_bind bind;
		struct mdx_ioc_obj_create create;
		struct mdx_ioc_obj_destroy destroy;
		struct mdx_ioc_obj_cmd cmd;
		struct mdx_ioc_general general;
		struct mdx_ioc_verbs_cmd verbs;
		struct mdx_ioc_query_port port;
		struct mdx_ioc_query_device device;
		struct mdx_ioc_last_error error;
	} arg, arg_before, arg_good;
};

/**
 * struct call - A call that has to end well or not at all
 * @name: in messages
 * @req: the ioctl, with what @prepare left in arg; or
 * @run: the call. All functions return 0 or a positive errno
 * @prepare: what the call needs
 * @end: check and take back what it did
 * @changes: its answer is not the same each time
 */
struct call {
	const char *name;
	unsigned long req;
	int (*run)(struct stand *s);
	int (*prepare)(struct stand *s);
	int (*end)(struct stand *s, int ret);
	bool changes;
};

static int refcnt(void)
{
	char text[16] = "";
	int fd = open(REFCNT, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	close(fd);
	return n > 0 ? atoi(text) : -1;
}

static int live(struct stand *s)
{
	return s->w.hca ? hca_live(s->w.hca, s->w.mdx.uid, NULL, -1) : 0;
}

/* What belongs to the file, the device and the module now. */
static void take_stock(struct stand *s)
{
	s->live = live(s);
	s->refs = refcnt();
	s->objs = mdx_objs(s->w.mdx.fd);
}

static int call_once(struct stand *s, const struct call *c, int nth, bool *hit)
{
	int fd = s->fd < 0 ? s->w.mdx.fd : s->fd;
	struct timespec start, end;
	int ret;

	memset(s->w.m.out, FILL, s->w.m.out_len);
	s->arg_before = s->arg;
	clock_gettime(CLOCK_MONOTONIC, &start);
	nth_begin(s->nth_fd, nth);
	ret = c->run ? c->run(s) : mdx_ioctl(fd, c->req, &s->arg);
	*hit = nth_end(s->nth_fd);
	clock_gettime(CLOCK_MONOTONIC, &end);
	return end.tv_sec - start.tv_sec < LIMIT ? ret : ETIMEDOUT;
}

/* What was changed once, the device may refuse to change again. */
static bool is_good(const struct call *c, int ret, int good)
{
	return ret == good || (c->changes && ret == EREMOTEIO);
}

/* A create copies its answer twice: the mailbox, then the id. */
static bool out_is_untouched(struct stand *s, const struct call *c, int ret)
{
	if (memcmp(&s->arg, &s->arg_before, sizeof(s->arg)))
		return false;
	return (c->req == MDX_IOC_OBJ_CREATE && ret == EFAULT) ||
	       all_bytes(s->w.m.out, FILL, s->w.m.out_len);
}

static void sweep(struct __test_metadata *_metadata, struct stand *s,
		  const struct call *c)
{
	static uint8_t out[16384];
	int nth, ret, good;
	bool hit;

	/* Once undisturbed: how it ends, and what there is afterwards. */
	ASSERT_EQ(0, c->prepare ? c->prepare(s) : 0);
	good = call_once(s, c, 0, &hit);
	ASSERT_TRUE(good == 0 || good == EREMOTEIO) {
		TH_LOG("%s: %s", c->name, strerror(good));
	}
	s->arg_good = s->arg;
	memcpy(out, s->w.m.out, s->w.m.out_len);
	ASSERT_EQ(0, c->end ? c->end(s, good) : 0);
	take_stock(s);

	for (nth = 1, hit = true; hit; nth++) {
		ASSERT_LT(nth, FAULTS_MAX);
		ASSERT_EQ(0, c->prepare ? c->prepare(s) : 0);
		ret = call_once(s, c, nth, &hit);
		if (!is_good(c, ret, good)) {
			EXPECT_TRUE(hit && (ret == ENOMEM || ret == EFAULT));
			EXPECT_TRUE(out_is_untouched(s, c, ret));
		} else if (!c->changes) {
			EXPECT_EQ(0, memcmp(&s->arg, &s->arg_good,
					    sizeof(s->arg)));
			EXPECT_EQ(0, memcmp(s->w.m.out, out, s->w.m.out_len));
		}
		EXPECT_EQ(0, c->end ? c->end(s, ret) : 0);
		EXPECT_EQ(s->live, live(s));
		EXPECT_EQ(s->refs, refcnt());
		EXPECT_EQ(s->objs, mdx_objs(s->w.mdx.fd));
		ASSERT_EQ(0, _metadata->exit_code) {
			TH_LOG("%s, fault %d: %s", c->name, nth, strerror(ret));
		}
		*injected += hit;
	}
	TH_LOG("%s: %d faults", c->name, nth - 2);
}

#define STAND_SETUP(s)							\
	do {								\
		(s)->fd = -1;						\
		SETUP_WORLD(&(s)->w, return);				\
		(s)->nth_fd = nth_open();				\
		ASSERT_GE((s)->nth_fd, 0);				\
	} while (0)

/* Each kind of object, from create to destroy. */
FIXTURE(kind)
{
	struct stand s;
};

FIXTURE_VARIANT(kind)
{
	enum kind_id k;
};

#define KIND(name, k_) FIXTURE_VARIANT_ADD(kind, name) { .k = k_ };

KINDS(KIND)

FIXTURE_SETUP(kind)
{
	self->s.k = variant->k;
	STAND_SETUP(&self->s);
}

FIXTURE_TEARDOWN(kind)
{
	world_stop(&self->s.w);
}

static int create_prepare(struct stand *s)
{
	int ret = kind_needs(&s->w, s->k);

	kind_build_create(&s->w, s->k);
	s->arg.create = (struct mdx_ioc_obj_create){
		.size = sizeof(s->arg.create),
		.in = (uintptr_t)s->w.m.in,
		.out = (uintptr_t)s->w.m.out,
		.in_len = s->w.m.in_len,
		.out_len = s->w.m.out_len,
		.out_id = FILL,
	};
	return ret;
}

static int create_end(struct stand *s, int ret)
{
	return ret ? 0 : _test_mdx_destroy(s->w.mdx.fd, s->arg.create.out_id);
}

static int destroy_prepare(struct stand *s)
{
	int ret = kind_create(&s->w, s->k);

	s->w.m.out_len = 0;
	s->arg.destroy = (struct mdx_ioc_obj_destroy){
		.size = sizeof(s->arg.destroy),
		.id = s->w.obj[s->k].id,
		.out_status = FILL,
		.out_syndrome = FILL,
	};
	return ret;
}

/* It is there and can be destroyed, or it is gone. */
static int destroy_end(struct stand *s, int ret)
{
	int again = _test_mdx_destroy(s->w.mdx.fd, s->w.obj[s->k].id);

	memset(&s->w.obj[s->k], 0, sizeof(s->w.obj[s->k]));
	if (!ret || (ret == EFAULT && again == ENOENT))
		return again == ENOENT ? 0 : EEXIST;
	return again;
}

static void fill_obj_cmd(struct stand *s)
{
	s->arg.cmd = (struct mdx_ioc_obj_cmd){
		.size = sizeof(s->arg.cmd),
		.in = (uintptr_t)s->w.m.in,
		.out = (uintptr_t)s->w.m.out,
		.in_len = s->w.m.in_len,
		.out_len = s->w.m.out_len,
		.id = s->w.obj[s->k].id,
	};
}

static int query_prepare(struct stand *s)
{
	int ret = kind_create(&s->w, s->k);

	kind_build_query(&s->w, s->k);
	fill_obj_cmd(s);
	return ret;
}

/* An object that was not modified before. */
static int modify_prepare(struct stand *s)
{
	int ret = 0;

	if (s->w.obj[s->k].id)
		ret = kind_destroy(&s->w, s->k);
	if (!ret)
		ret = kind_create(&s->w, s->k);
	kind_build_modify(&s->w, s->k);
	fill_obj_cmd(s);
	return ret;
}

static const struct call obj_create = {
	.name = "create", .req = MDX_IOC_OBJ_CREATE, .changes = true,
	.prepare = create_prepare, .end = create_end,
};

static const struct call obj_query = {
	.name = "query", .req = MDX_IOC_OBJ_QUERY, .prepare = query_prepare,
};

static const struct call obj_modify = {
	.name = "modify", .req = MDX_IOC_OBJ_MODIFY, .changes = true,
	.prepare = modify_prepare,
};

static const struct call obj_destroy = {
	.name = "destroy", .req = MDX_IOC_OBJ_DESTROY,
	.changes = true, .prepare = destroy_prepare, .end = destroy_end,
};

TEST_F_TIMEOUT(kind, in_each_call, 600)
{
	const struct kind *kind = &kinds[variant->k];

	sweep(_metadata, &self->s, &obj_create);
	if (kind->query)
		sweep(_metadata, &self->s, &obj_query);
	if (kind->modify)
		sweep(_metadata, &self->s, &obj_modify);
	sweep(_metadata, &self->s, &obj_destroy);
}

/* Each kind of object that verbs makes. */
FIXTURE(verbs)
{
	struct stand s;
};

FIXTURE_VARIANT(verbs)
{
	enum vobj_id id;
};

#define VERBS(name, id_) FIXTURE_VARIANT_ADD(verbs, name) { .id = id_ }

VERBS(cq, VOBJ_CQ);
VERBS(srq, VOBJ_SRQ);
VERBS(xrc_srq, VOBJ_XRC_SRQ);
VERBS(rc_qp, VOBJ_RC);
VERBS(ud_qp, VOBJ_UD);
VERBS(dct, VOBJ_DCT);
VERBS(raw_qp, VOBJ_RAW);
VERBS(wq, VOBJ_WQ);
VERBS(table, VOBJ_RQT);

FIXTURE_SETUP(verbs)
{
	struct stand *s = &self->s;
	int ret;

	STAND_SETUP(s);
	ret = vobj_create(&s->v, variant->id, s->w.mdx.ctx, s->w.mdx.pd);
	if (ret == EOPNOTSUPP)
		SKIP(return, "the device has no such objects");
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(verbs)
{
	vobj_end(&self->s.v);
	world_stop(&self->s.w);
}

static int verbs_prepare(struct stand *s)
{
	struct world *w = &s->w;

	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(w->in, s->cmd->opcode, 0, s->v.num[s->cmd->sort]);
	w->m = (struct mbox){ w->in, w->out, s->cmd->in_len, 1024 };
	s->arg.verbs = (struct mdx_ioc_verbs_cmd){
		.size = sizeof(s->arg.verbs),
		.in = (uintptr_t)w->m.in,
		.out = (uintptr_t)w->m.out,
		.in_len = w->m.in_len,
		.out_len = w->m.out_len,
		.handle = s->v.handle,
		.kind = s->v.kind,
	};
	return 0;
}

static const struct call verbs_query = {
	.name = "query", .req = MDX_IOC_VERBS_QUERY, .prepare = verbs_prepare,
};

static const struct call verbs_modify = {
	.name = "modify", .req = MDX_IOC_VERBS_MODIFY, .changes = true,
	.prepare = verbs_prepare,
};

TEST_F_TIMEOUT(verbs, in_each_call, 600)
{
	struct stand *s = &self->s;
	int i;

	for (i = 0; i < vqueries_n; i++) {
		s->cmd = &vqueries[i];
		if (s->v.num[s->cmd->sort])
			sweep(_metadata, s, &verbs_query);
	}
	/* The device refuses most of them, as they are empty. */
	for (i = 0; i < vmodifies_n; i++) {
		s->cmd = &vmodifies[i];
		if (s->v.num[s->cmd->sort])
			sweep(_metadata, s, &verbs_modify);
	}
}

/* All other calls. */
FIXTURE(calls)
{
	struct stand s;
};

FIXTURE_SETUP(calls)
{
	STAND_SETUP(&self->s);
}

FIXTURE_TEARDOWN(calls)
{
	world_stop(&self->s.w);
}

static int open_run(struct stand *s)
{
	s->fd = mdx_node_open();
	return s->fd < 0 ? errno : 0;
}

static int fd_end(struct stand *s, int ret)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	return 0;
}

static int bind_prepare(struct stand *s)
{
	s->arg.bind = (struct mdx_ioc_bind){
		.size = sizeof(s->arg.bind),
		.uverbs_fd = s->w.mdx.ctx->cmd_fd,
		.pd_handle = s->w.mdx.pd->handle,
	};
	return open_run(s);
}

static int bind_end(struct stand *s, int ret)
{
	struct mdx_ioc_info info;

	if (_test_mdx_info(s->fd, &info) || !info.out_flags != !!ret)
		return EINVAL;
	return fd_end(s, ret);
}

static int info_prepare(struct stand *s)
{
	memset(&s->arg, FILL, sizeof(s->arg));
	s->arg.info.size = sizeof(s->arg.info);
	s->arg.info.flags = 0;
	return 0;
}

static int port_prepare(struct stand *s)
{
	memset(&s->arg, FILL, sizeof(s->arg));
	s->arg.port.size = sizeof(s->arg.port);
	s->arg.port.flags = 0;
	s->arg.port.port_num = 1;
	s->arg.port.__reserved = 0;
	return 0;
}

static int device_prepare(struct stand *s)
{
	memset(&s->arg, FILL, sizeof(s->arg));
	s->arg.device.size = sizeof(s->arg.device);
	s->arg.device.flags = 0;
	return 0;
}

static int error_prepare(struct stand *s)
{
	memset(&s->arg, FILL, sizeof(s->arg));
	s->arg.error.size = sizeof(s->arg.error);
	s->arg.error.flags = 0;
	return 0;
}

TEST_F_TIMEOUT(calls, open, 300)
{
	const struct call call = {
		.name = "open", .run = open_run, .end = fd_end,
	};

	sweep(_metadata, &self->s, &call);
}

TEST_F_TIMEOUT(calls, bind, 300)
{
	const struct call call = {
		.name = "bind", .req = MDX_IOC_BIND,
		.prepare = bind_prepare, .end = bind_end,
	};

	sweep(_metadata, &self->s, &call);
}

TEST_F_TIMEOUT(calls, info, 300)
{
	const struct call call = {
		.name = "info", .req = MDX_IOC_INFO, .prepare = info_prepare,
	};

	sweep(_metadata, &self->s, &call);
}

TEST_F_TIMEOUT(calls, query_port, 300)
{
	const struct call call = {
		.name = "query_port", .req = MDX_IOC_QUERY_PORT,
		.prepare = port_prepare,
	};

	sweep(_metadata, &self->s, &call);
}

TEST_F_TIMEOUT(calls, query_device, 300)
{
	const struct call call = {
		.name = "query_device", .req = MDX_IOC_QUERY_DEVICE,
		.prepare = device_prepare,
	};

	sweep(_metadata, &self->s, &call);
}

TEST_F_TIMEOUT(calls, last_error, 300)
{
	const struct call call = {
		.name = "last_error", .req = MDX_IOC_LAST_ERROR,
		.prepare = error_prepare,
	};

	sweep(_metadata, &self->s, &call);
}

/* Longer than what the module keeps buffers for. */
static int general_prepare(struct stand *s)
{
	static uint64_t in[9216 / 8], out[9216 / 8];

	mdx_hdr(in, MLX5_CMD_OP_QUERY_ADAPTER, 0, 0);
	s->w.m = (struct mbox){ in, out, sizeof(in), sizeof(out) };
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
	const struct call call = {
		.name = "general", .req = MDX_IOC_GENERAL,
		.prepare = general_prepare,
	};

	sweep(_metadata, &self->s, &call);
}

/* Closing a file takes its objects back, whatever fails meanwhile. */
static int close_prepare(struct stand *s)
{
	int ret;

	memset(s->w.obj, 0, sizeof(s->w.obj));
	s->w.mdx.fd = mdx_node_open();
	if (s->w.mdx.fd < 0)
		return errno;
	ret = _test_mdx_bind(s->w.mdx.fd, s->w.mdx.ctx->cmd_fd,
			     s->w.mdx.pd->handle);
	if (!ret)
		ret = kind_create(&s->w, s->k);
	s->w.m.out_len = 0;
	return ret;
}

static int close_run(struct stand *s)
{
	int fd = s->w.mdx.fd;

	s->w.mdx.fd = -1;
	return close(fd) ? errno : 0;
}

FIXTURE(close)
{
	struct stand s;
};

FIXTURE_VARIANT(close)
{
	enum kind_id k;
};

FIXTURE_VARIANT_ADD(close, pd) { .k = KIND_PD };
FIXTURE_VARIANT_ADD(close, cq) { .k = KIND_CQ };
FIXTURE_VARIANT_ADD(close, qp) { .k = KIND_QP };
FIXTURE_VARIANT_ADD(close, dct) { .k = KIND_DCT };
FIXTURE_VARIANT_ADD(close, fte) { .k = KIND_FTE };

FIXTURE_SETUP(close)
{
	self->s.k = variant->k;
	STAND_SETUP(&self->s);
	ASSERT_EQ(0, close(self->s.w.mdx.fd));
}

FIXTURE_TEARDOWN(close)
{
	world_stop(&self->s.w);
}

TEST_F_TIMEOUT(close, takes_all_back, 300)
{
	const struct call call = {
		.name = "close", .run = close_run, .prepare = close_prepare,
	};

	sweep(_metadata, &self->s, &call);
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
	struct mdx mdx;
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
		*injected += hit;
	}
	TH_LOG("init: %d faults", nth - 2);
	ASSERT_EQ(0, run("modprobe mlx5_devx"));
	ASSERT_EQ(0, mdx_start(&mdx));
	mdx_stop(&mdx);
}

static const char *missing;
static pid_t main_pid;

TEST(the_kernel_makes_calls_fail)
{
	if (missing)
		SKIP(return, "no %s: a kernel without fault injection",
		     missing);
}

/* The harness ends with exit(). */
static void print_sum(void)
{
	if (getpid() == main_pid)
		printf("# %d faults injected\n", *injected);
}

int main(int argc, char **argv)
{
	bool there[KIND_COUNT];

	missing = nth_missing();
	if (missing) {
		_kind_fixture_object.tests = NULL;
		_verbs_fixture_object.tests = NULL;
		_calls_fixture_object.tests = NULL;
		_close_fixture_object.tests = NULL;
		_module_fixture_object.tests = NULL;
	} else if (kinds_there(there)) {
		kind_prune(&_kind_fixture_object, there);
		kind_prune(&_close_fixture_object, there);
	}
	injected = mmap(NULL, sizeof(*injected), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	main_pid = getpid();
	atexit(print_sum);
	return test_harness_run(argc, argv);
}
