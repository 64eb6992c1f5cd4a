// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A fuzzer that knows the layout of the calls. It runs MDX_FUZZ_SECONDS (30).
 *
 * Threads share files, some of which others close and open meanwhile. Structures
 * and mailboxes are those of real commands with mistakes in them; they lie at
 * the end of memory, in none, in memory that cannot be written, or where another
 * thread changes them while the kernel reads. MDX_SEED repeats a run as far as
 * the scheduler allows: each thread makes the same calls in the same order.
 *
 * The kernel's own checks find most, so it is worth most in lane debug. The test
 * itself checks that errors leave the output untouched, that nothing is printed,
 * and that closing the last file destroys the last object.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "objtypes.h"
#include "opcodes.h"
#include "vobj.h"

#define THREADS 4
#define FILES 6
#define TEMPLATES 128
/* Items of a batch, and their references */
#define BATCH_MAX 8
#define ARENA (64 * 1024)
#define BIG (2 * 1024 * 1024)
#define OUT_MAX 8192

/* A command that was right once. */
struct fuzz_template {
	unsigned int nr;
	uint32_t in_len;
	uint32_t out_len;
	uint8_t in[4096];
};

struct ioctl_fuzz {
	struct mdx_world w;
	struct vobj v;
	int file[FILES];
	struct fuzz_template t[TEMPLATES];
	int n;
	uint8_t *arena;		/* changes all the time */
	uint8_t *flip;		/* protection toggles; for the kernel only */
	uint8_t *big;
	uint8_t *ro;
	uint8_t *none;
	bool stop;
	uint64_t seed;
	unsigned long calls;
	unsigned long good;
	unsigned long refused;
	unsigned long wrong;
};

struct fuzz_thread {
	struct ioctl_fuzz *f;
	int chan;
	pthread_t thread;
	uint64_t seed;
	uint8_t *end;		/* an inaccessible page follows */
	uint8_t *out;		/* likewise; used by this thread only */
	struct mdx_item items[BATCH_MAX];
	struct mdx_ref refs[BATCH_MAX];
};

static void keep_template(struct ioctl_fuzz *f, unsigned int nr)
{
	struct fuzz_template *t = &f->t[f->n];

	if (f->n == TEMPLATES || f->w.m.in_len > sizeof(t->in))
		return;
	t->nr = nr;
	t->in_len = f->w.m.in_len;
	t->out_len = f->w.m.out_len;
	memcpy(t->in, f->w.in, t->in_len);
	f->n++;
}

static void keep_general(struct ioctl_fuzz *f, uint16_t opcode, uint16_t op_mod)
{
	mdx_hdr(f->w.in, opcode, op_mod, 0);
	f->w.m.in_len = 16;
	f->w.m.out_len = 16 + 512;
	keep_template(f, MDX_CMD_GENERAL);
}

/*
 * Two objects may share an index or a port, and the device destroys only one of
 * them. The kernel reports the other, so these types are left out.
 */
static bool is_never_alone(int t)
{
	return t == OBJTYPE_VXLAN || t == OBJTYPE_L2;
}

/* Commands of every class about objects that exist. */
static int make_templates(struct ioctl_fuzz *f)
{
	int t, ret;

	for (t = 0; t < OBJTYPE_COUNT; t++) {
		if (!objtype_advertised(&f->w, t) || is_never_alone(t))
			continue;
		ret = objtype_create(&f->w, t);
		if (ret)
			return ret;
		objtype_build_create(&f->w, t);
		keep_template(f, MDX_CMD_OBJ_CREATE);
		objtype_build_query(&f->w, t);
		if (objtypes[t].query) {
			keep_template(f, MDX_CMD_OBJ_QUERY);
			keep_template(f, MDX_CMD_VERBS_QUERY);
		}
		if (!objtypes[t].modify)
			continue;
		objtype_build_modify(&f->w, t);
		keep_template(f, MDX_CMD_OBJ_MODIFY);
	}
	keep_general(f, MLX5_CMD_OP_NOP, 0);
	keep_general(f, MLX5_CMD_OP_QUERY_HCA_CAP, 1);
	keep_general(f, MDX_OPCODE_RANGE_FIRST, 0);
	return 0;
}

/* Address of a mailbox; @good is readable and writable. */
static uint64_t mailbox_addr(struct fuzz_thread *t, uint32_t len, uint8_t *good)
{
	uint64_t *seed = &t->seed;
	struct ioctl_fuzz *f = t->f;

	switch (random_below(seed, 24)) {
	case 0:
		return (uintptr_t)f->none + random_below(seed, 64);
	case 1:
		return (uintptr_t)f->ro;
	case 2:
		return 0xffff800000000000ULL + random_below(seed, 1 << 20);
	case 3:
		return random_below(seed, 2) ? 0
					     : ~0ULL - random_below(seed, 4096);
	case 4:
	case 5:
	case 6:
		return (uintptr_t)f->arena + random_below(seed, 64);
	case 7:
		return (uintptr_t)(random_below(seed, 2) ? f->big : f->flip);
	default:
		return (uintptr_t)good - (len < ARENA ? len : ARENA);
	}
}

static uint32_t mailbox_len(uint64_t *seed, uint32_t len)
{
	static const uint32_t odd[] = {
		0, 1, 15, 16, 17, 511, 512, 513, 4096, 8193, 65535, 65536,
		BIG - 1, BIG, BIG + 1, 0x80000000, 0xffffffff,
	};

	switch (random_below(seed, 16)) {
	case 0:
		return odd[random_below(seed, ARRAY_SIZE(odd))];
	case 1:
		return len + random_below(seed, 64) - 32;
	default:
		return len;
	}
}

static void put_input(struct fuzz_thread *t, const struct fuzz_template *tpl,
		      uint64_t addr)
{
	uint8_t *to = (uint8_t *)(uintptr_t)addr;
	uint8_t *arena = t->f->arena;
	uint64_t *seed = &t->seed;
	int i, n;

	if (!(to >= arena && to < arena + ARENA / 2) &&
	    !(to > t->end - ARENA && to <= t->end - tpl->in_len) &&
	    to != t->f->big)
		return;
	memcpy(to, tpl->in, tpl->in_len);
	n = random_below(seed, 2) ? random_below(seed, 4) : 0;
	for (i = 0; i < n; i++)
		to[random_below(seed, tpl->in_len)] = random_below(seed, 256);
}

/* Larger than any structure, and laid out as most of them are. */
struct fuzz_arg {
	uint32_t size;
	uint32_t flags;
	uint64_t in;
	uint64_t out;
	uint32_t in_len;
	uint32_t out_len;
	uint32_t id;
	uint32_t obj_type;
	uint8_t rest[4096 - 40];
};

static uint32_t size_of(unsigned int nr)
{
	static const uint32_t sizes[] = {
		[MDX_CMD_INFO] = sizeof(struct mdx_ioc_info),
		[MDX_CMD_BIND] = sizeof(struct mdx_ioc_bind),
		[MDX_CMD_OBJ_CREATE] = sizeof(struct mdx_ioc_obj_create),
		[MDX_CMD_OBJ_DESTROY] = sizeof(struct mdx_ioc_obj_destroy),
		[MDX_CMD_OBJ_MODIFY] = sizeof(struct mdx_ioc_obj_cmd),
		[MDX_CMD_OBJ_QUERY] = sizeof(struct mdx_ioc_obj_cmd),
		[MDX_CMD_GENERAL] = sizeof(struct mdx_ioc_general),
		[MDX_CMD_VERBS_MODIFY] = sizeof(struct mdx_ioc_verbs_cmd),
		[MDX_CMD_VERBS_QUERY] = sizeof(struct mdx_ioc_verbs_cmd),
		[MDX_CMD_QUERY_PORT] = sizeof(struct mdx_ioc_query_port),
		[MDX_CMD_QUERY_DEVICE] = sizeof(struct mdx_ioc_query_device),
		[MDX_CMD_UMEM_REG] = sizeof(struct mdx_ioc_umem_reg),
		[MDX_CMD_LAST_ERROR] = sizeof(struct mdx_ioc_last_error),
		[MDX_CMD_OBJ_LIST] = sizeof(struct mdx_ioc_obj_list),
		[MDX_CMD_SUBMIT] = sizeof(struct mdx_ioc_submit),
		[MDX_CMD_CHANNEL] = sizeof(struct mdx_ioc_channel),
		[MDX_CMD_SUBSCRIBE] = sizeof(struct mdx_ioc_subscribe),
	};

	return nr < ARRAY_SIZE(sizes) && sizes[nr] ? sizes[nr] : 32;
}

/* A command as of a call of its own, in one of the places of a batch. */
static void fill_item(struct fuzz_thread *t, struct mdx_item *item)
{
	uint64_t *seed = &t->seed;
	const struct fuzz_template *tpl = &t->f->t[random_below(seed, t->f->n)];

	*item = (struct mdx_item){
		.cmd = tpl->nr,
		.flags = random_below(seed, 4) ? 0 : random_below(seed, 8),
		.in = mailbox_addr(t, tpl->in_len, t->end),
		.out = mailbox_addr(t, tpl->out_len, t->out),
		.in_len = mailbox_len(seed, tpl->in_len),
		.out_len = mailbox_len(seed, tpl->out_len),
	};
	put_input(t, tpl, item->in);
	if (tpl->nr != MDX_CMD_OBJ_CREATE && tpl->nr != MDX_CMD_GENERAL)
		item->obj = random_below(seed, 64);
	if (tpl->nr == MDX_CMD_VERBS_QUERY) {
		item->obj = t->f->v.handle;
		item->kind = random_below(seed, 7);
	}
	if (!random_below(seed, 6))
		*item = (struct mdx_item){
			.cmd = MDX_CMD_OBJ_DESTROY,
			.flags = random_below(seed, 8),
			.obj = random_below(seed, 8),
		};
}

/* Most references are possible, where the item has an input. */
static void fill_ref(struct fuzz_thread *t, struct mdx_ioc_submit *arg,
		     struct mdx_item *item)
{
	uint64_t *seed = &t->seed;

	if (random_below(seed, 4) || !item->in_len)
		return;
	item->refs_n = 1;
	t->refs[arg->refs_n++] = (struct mdx_ref){
		.bit = 64 + 32 * random_below(seed, 16) + 8,
		.back = random_below(seed, 3),
		.width = random_below(seed, 8) ? 24 : random_below(seed, 256),
		.what = random_below(seed, 8) / 6,
	};
}

static void fill_submit(struct fuzz_thread *t, struct mdx_ioc_submit *arg)
{
	uint64_t *seed = &t->seed;
	unsigned int i, n = 1 + random_below(seed, BATCH_MAX);

	memset(arg, 0, sizeof(*arg));
	arg->size = sizeof(*arg);
	arg->flags = random_below(seed, 4);
	arg->items = (uintptr_t)t->items;
	arg->refs = (uintptr_t)t->refs;
	arg->items_n = n;
	arg->item_size = sizeof(t->items[0]);
	arg->in_flight = random_below(seed, 4) ? 0 : random_below(seed, 20);
	arg->channel = random_below(seed, 8) ? -1 : (int)random_below(seed, 40);
	for (i = 0; i < n; i++) {
		fill_item(t, &t->items[i]);
		fill_ref(t, arg, &t->items[i]);
		if (!i)
			t->items[i].flags &= ~MDX_ITEM_LINK;
	}
}

static void fill_umem(struct fuzz_thread *t, struct mdx_ioc_umem_reg *arg)
{
	static const uint32_t access[] = { 0, 1, 3, 1 << 20 };
	uint64_t *seed = &t->seed;

	memset(arg, 0, sizeof(*arg));
	arg->size = sizeof(*arg);
	arg->flags = random_below(seed, 4) ? 0 : random_below(seed, 5);
	arg->addr = (uintptr_t)t->f->arena + random_below(seed, ARENA);
	arg->length = random_below(seed, 4) ? random_below(seed, ARENA) :
		      1ULL << random_below(seed, 63);
	arg->pgsz_bitmap = random_below(seed, 2) ? 0 :
			   random_below(seed, 1 << 30) << random_below(seed, 32);
	arg->access = access[random_below(seed, 4)];
	if (arg->flags & MDX_UMEM_DMABUF)
		arg->dmabuf_fd = random_below(seed, 40);
}

static void fill_channel(struct fuzz_thread *t, unsigned int nr, void *arg)
{
	struct mdx_ioc_subscribe *sub = arg;
	struct mdx_ioc_channel *chan = arg;
	uint64_t *seed = &t->seed;

	if (nr == MDX_CMD_CHANNEL) {
		memset(chan, 0, sizeof(*chan));
		chan->flags = 1 + random_below(seed, 10);
		chan->depth = random_below(seed, 2) * random_below(seed, 1000);
		return;
	}
	sub->events = (uintptr_t)t->f->arena + random_below(seed, ARENA);
	sub->events_n = random_below(seed, 18);
	sub->cookie = random_below(seed, 3);
	sub->channel = random_below(seed, 8) ? t->chan :
		       (int)random_below(seed, 40) - 2;
	sub->eventfd = random_below(seed, 4) ? -1 : (int)random_below(seed, 40);
	sub->obj = random_below(seed, 64);
}

/* The descriptor of a channel must not be one that another thread has changed. */
static void keep_channel(struct fuzz_thread *t, const void *arg)
{
	const struct mdx_ioc_channel *chan = arg;

	if (t->chan > 0)
		close(t->chan);
	t->chan = chan->out_fd;
}

static void fill_arg(struct fuzz_thread *t, const struct fuzz_template *tpl,
		     unsigned int nr, struct fuzz_arg *arg)
{
	struct ioctl_fuzz *f = t->f;
	uint64_t *seed = &t->seed;
	struct mdx_ioc_bind *bind = (void *)arg;
	uint32_t *word = (uint32_t *)arg;

	memset(arg, 0, sizeof(*arg));
	arg->in_len = mailbox_len(seed, tpl->in_len);
	arg->out_len = mailbox_len(seed, tpl->out_len);
	arg->in = mailbox_addr(t, tpl->in_len, t->end);
	arg->out = mailbox_addr(t, tpl->out_len, t->out);
	put_input(t, tpl, arg->in);
	if (nr != MDX_CMD_OBJ_CREATE)
		arg->id = random_below(seed, 4) ? random_below(seed, 64)
						: random_below(seed, 1 << 30);
	if (nr == MDX_CMD_VERBS_MODIFY || nr == MDX_CMD_VERBS_QUERY) {
		arg->id = random_below(seed, 2) ? f->v.handle
						: random_below(seed, 16);
		arg->obj_type = random_below(seed, 7);
	}
	if (nr == MDX_CMD_OBJ_DESTROY || nr == MDX_CMD_QUERY_PORT) {
		word[2] = random_below(seed, 64);
		word[3] = 0;
		word[5] = 0;
	}
	if (nr == MDX_CMD_BIND) {
		bind->uverbs_fd = random_below(seed, 2) ? f->w.mdx.ctx->cmd_fd :
				  (int)random_below(seed, 40) - 2;
		bind->pd_handle = random_below(seed, 2) ? f->w.mdx.pd->handle :
				  random_below(seed, 16);
	}
	if (nr == MDX_CMD_UMEM_REG)
		fill_umem(t, (void *)arg);
	if (nr == MDX_CMD_SUBMIT)
		fill_submit(t, (void *)arg);
	if (nr == MDX_CMD_CHANNEL || nr == MDX_CMD_SUBSCRIBE)
		fill_channel(t, nr, arg);
	arg->size = random_below(seed, 20)
			    ? size_of(nr)
			    : random_below(seed, sizeof(*arg) + 64);
	if (!random_below(seed, 40))
		arg->flags = 1U << random_below(seed, 32);
	if (!random_below(seed, 40))
		word[random_below(seed, 64)] = random_below(seed, 1 << 30);
}

/* Address of the structure, mostly one that the kernel can access. */
static void *put_arg(struct fuzz_thread *t, unsigned int nr,
		     struct fuzz_arg *arg)
{
	struct ioctl_fuzz *f = t->f;
	void *at = arg;

	switch (random_below(&t->seed, 16)) {
	case 0:
	case 1:
		/* Memory that changes while the kernel reads it. */
		at = f->arena + ARENA / 2;
		if (arg->out > (uintptr_t)t->out - ARENA &&
		    arg->out <= (uintptr_t)t->out)
			arg->out = (uintptr_t)f->arena;
		memcpy(at, arg, sizeof(*arg));
		return at;
	case 2:
	case 3:		/* ends with the memory */
		at = t->end - size_of(nr);
		memcpy(at, arg, size_of(nr));
		return at;
	case 4:
		return random_below(&t->seed, 2) ? f->none :
		       random_below(&t->seed, 2) ? f->ro : f->flip;
	default:
		return at;
	}
}

/*
 * Errors without an answer of the device; with EFAULT it may have been
 * the other buffer that could not be written.
 */
static bool is_silent(int err)
{
	return err && err != EREMOTEIO && err != EFAULT;
}

static void one_call(struct fuzz_thread *t)
{
	uint64_t *seed = &t->seed;
	struct ioctl_fuzz *f = t->f;
	const struct fuzz_template *tpl = &f->t[random_below(seed, f->n)];
	unsigned int nr = random_below(seed, 10) < 8 ? tpl->nr
						     : random_below(seed, 20);
	int fd = __atomic_load_n(&f->file[random_below(seed, FILES)],
				 __ATOMIC_RELAXED);
	unsigned long req = random_below(seed, 50) ? _IO(MDX_IOC_TYPE, nr) :
			    random_below(seed, 1 << 30);
	struct fuzz_arg arg;
	void *at;
	int err;

	memset(t->out - OUT_MAX, FILL, OUT_MAX);
	fill_arg(t, tpl, nr, &arg);
	at = nr == MDX_CMD_CHANNEL || req == MDX_IOC_CHANNEL ?
	     &arg : put_arg(t, nr, &arg);
	err = ioctl(fd, req, at) ? errno : 0;
	if (!err && req == MDX_IOC_CHANNEL)
		keep_channel(t, at);
	__atomic_add_fetch(&f->calls, 1, __ATOMIC_RELAXED);
	if (!err)
		__atomic_add_fetch(&f->good, 1, __ATOMIC_RELAXED);
	if (err == EREMOTEIO)
		__atomic_add_fetch(&f->refused, 1, __ATOMIC_RELAXED);
	if (is_silent(err) && !all_bytes(t->out - OUT_MAX, FILL, OUT_MAX)) {
		printf("# wrong: call %u, %s, command %#x\n", nr,
		       strerror(err), tpl->in[0] << 8 | tpl->in[1]);
		__atomic_add_fetch(&f->wrong, 1, __ATOMIC_RELAXED);
	}
}

static void *fuzz_thread(void *arg)
{
	struct fuzz_thread *t = arg;

	while (!__atomic_load_n(&t->f->stop, __ATOMIC_RELAXED))
		one_call(t);
	return NULL;
}

/* Another file in a slot; every other one is bound. */
static void replace_file(struct ioctl_fuzz *f, uint64_t *seed)
{
	int i = 1 + random_below(seed, FILES - 1);
	int old = f->file[i];
	int fd = mdx_node_open();

	if (fd >= 0 && random_below(seed, 2))
		_test_mdx_bind(fd, f->w.mdx.ctx->cmd_fd, f->w.mdx.pd->handle);
	__atomic_store_n(&f->file[i], fd, __ATOMIC_RELAXED);
	if (old >= 0)
		close(old);
}

static void disturb_memory(struct ioctl_fuzz *f, time_t end)
{
	uint64_t seed = f->seed;
	unsigned int i;

	while (time(NULL) < end) {
		for (i = 0; i < 2000; i++)
			f->arena[random_below(&seed, ARENA)] =
				random_below(&seed, 256);
		if (!random_below(&seed, 16))
			replace_file(f, &seed);
		if (!random_below(&seed, 64))
			madvise(f->arena, ARENA / 2, MADV_DONTNEED);
		if (!random_below(&seed, 32)) {
			mprotect(f->flip, ARENA, PROT_NONE);
			mprotect(f->flip, ARENA, PROT_READ | PROT_WRITE);
		}
	}
}

static uint8_t *map_memory(size_t len, int prot)
{
	uint8_t *mem =
		mmap(NULL, len, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

FIXTURE(fuzz)
{
	struct ioctl_fuzz *f;
	struct hca_ctl *hca;
	int mark;
	int alive;
};

FIXTURE_SETUP(fuzz)
{
	const char *seed = getenv("MDX_SEED");
	struct ioctl_fuzz *f = calloc(1, sizeof(*f));
	int i;

	SETUP_DEVICE(return);
	ASSERT_NE(NULL, f);
	self->f = f;
	f->seed = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
	printf("# MDX_SEED=%llu\n", (unsigned long long)f->seed);
	ASSERT_EQ(0, world_start(&f->w));
	self->hca = f->w.hca;
	SKIP_NO_HCA(self->hca, return);
	ASSERT_EQ(0, vobj_create(&f->v, VOBJ_CQ, f->w.mdx.ctx, f->w.mdx.pd));
	self->alive = hca_live(self->hca, f->w.mdx.uid, NULL, -1);
	ASSERT_EQ(0, make_templates(f));
	f->file[0] = f->w.mdx.fd;
	for (i = 1; i < FILES; i++)
		f->file[i] = -1;
	f->arena = map_memory(ARENA, PROT_READ | PROT_WRITE);
	f->flip = map_memory(ARENA, PROT_READ | PROT_WRITE);
	f->big = map_memory(BIG + 4096, PROT_READ | PROT_WRITE);
	f->ro = map_memory(BIG, PROT_READ);
	f->none = map_memory(BIG, PROT_NONE);
	ASSERT_TRUE(f->arena && f->flip && f->big && f->ro && f->none);
	self->mark = kmsg_mark();
}

FIXTURE_TEARDOWN(fuzz)
{
	vobj_end(&self->f->v);
	world_stop(&self->f->w);
}

static void show_alive(struct hca_ctl *hca, int uid, int n)
{
	if (hca_live(hca, uid, NULL, -1) != n &&
	    !hca_cmd(hca, "live 0x%x", uid))
		fprintf(stderr, "%s", hca->answer);
}

/* No call leaves anything or makes noise. */
TEST_F_TIMEOUT(fuzz, nothing_left_or_printed, 3600)
{
	const char *secs = getenv("MDX_FUZZ_SECONDS");
	struct fuzz_thread t[THREADS] = {};
	struct ioctl_fuzz *f = self->f;
	int i;

	for (i = 0; i < THREADS; i++) {
		t[i].f = f;
		t[i].seed = f->seed + i;
		t[i].end = guard_alloc(ARENA, 0);
		t[i].out = guard_alloc(ARENA, 0);
		ASSERT_TRUE(t[i].end && t[i].out);
		t[i].end += ARENA;
		t[i].out += ARENA;
		ASSERT_EQ(0, pthread_create(&t[i].thread, NULL, fuzz_thread,
					    &t[i]));
	}
	disturb_memory(f, time(NULL) + (secs ? atoi(secs) : 30));
	__atomic_store_n(&f->stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i].thread, NULL);
	printf("# %lu calls, %lu successful, %lu refused by the device\n",
	       f->calls, f->good, f->refused);
	for (i = 0; i < FILES; i++)
		close(f->file[i]);
	f->w.mdx.fd = -1;
	EXPECT_EQ(0, f->wrong);
	/* The context, its umem, UAR, PD and CQ */
	EXPECT_EQ(self->alive, hca_live(self->hca, f->w.mdx.uid, NULL, -1));
	show_alive(self->hca, f->w.mdx.uid, self->alive);
	EXPECT_EQ(0, kmsg_count(self->mark, "mlx5_devx"));
	EXPECT_GE(f->calls, 100);
	EXPECT_GE(f->good, 10);
}

TEST_HARNESS_MAIN
