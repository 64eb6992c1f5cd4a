// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MDX_IOC_UMEM_REG beside mlx5dv_devx_umem_reg(): memory, errnos, pins, and umems as items
 * of a batch.
 */
#include <linux/udmabuf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "batch.h"

#define LEN MEM_LEN
#define WRITE IBV_ACCESS_LOCAL_WRITE
#define LINK MDX_ITEM_LINK
#define CQ_DBR_BIT (MBOX_CREATE_CQ_DBR_UMEM_ID * 8)
#define CQ_BIT (MBOX_CREATE_CQ_UMEM_ID * 8)
#define QP_DBR_BIT (MBOX_CREATE_QP_DBR_UMEM_ID * 8)
#define QP_BIT (MBOX_CREATE_QP_WQ_UMEM_ID * 8)

/* Pages of this process that are pinned, in kB */
static long pinned_kb(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long kb = -1;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmPin: %ld", &kb) == 1)
			break;
	if (file)
		fclose(file);
	return kb;
}

static void *memory_map(size_t len)
{
	void *mem = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

FIXTURE(umem)
{
	struct mdx_world w;
	struct test_batch b;
	struct mdx_ioc_umem_reg arg;
	uint8_t *mem;
	uint32_t objs;
	long pinned;
	int fd;
};

static void arg_reset(FIXTURE_DATA(umem) *self)
{
	self->arg = (struct mdx_ioc_umem_reg){
		.size = sizeof(self->arg),
		.addr = (uintptr_t)self->mem,
		.length = LEN,
		.access = WRITE,
	};
}

FIXTURE_SETUP(umem)
{
	SETUP_DEVICE(return);
	ASSERT_EQ(0, world_start(&self->w));
	self->fd = self->w.mdx.fd;
	self->mem = memory_map(LEN);
	ASSERT_NE(NULL, self->mem);
	self->objs = mdx_objs(self->fd);
	self->pinned = pinned_kb();
	arg_reset(self);
	batch_begin(&self->b);
}

FIXTURE_TEARDOWN(umem)
{
	world_stop(&self->w);
	munmap(self->mem, LEN);
}

#define REG() mdx_ioctl(self->fd, MDX_IOC_UMEM_REG, &self->arg)
#define EXPECT_IDLE()							\
	do {								\
		EXPECT_EQ(self->objs, mdx_objs(self->fd));		\
		EXPECT_EQ(self->pinned, pinned_kb());			\
	} while (0)

/* The same memory by the stock driver: 0 or a positive errno. */
static int stock_reg(struct ibv_context *ctx, const struct mdx_ioc_umem_reg *arg)
{
	struct mlx5dv_devx_umem_in in = {
		.addr = (void *)(uintptr_t)arg->addr,
		.size = arg->length,
		.access = arg->access,
		.pgsz_bitmap = arg->pgsz_bitmap ?: UINT64_MAX & ~0xfffULL,
	};
	struct mlx5dv_devx_umem *umem;

	if (arg->flags & MDX_UMEM_DMABUF) {
		in.comp_mask = MLX5DV_UMEM_MASK_DMABUF;
		in.dmabuf_fd = arg->dmabuf_fd;
	}
	errno = 0;
	umem = mlx5dv_devx_umem_reg_ex(ctx, &in);
	if (!umem)
		return errno;
	mlx5dv_devx_umem_dereg(umem);
	return 0;
}

#define EXPECT_AS_STOCK(_errno)						\
	do {								\
		EXPECT_EQ(_errno, stock_reg(self->w.mdx.ctx, &self->arg)); \
		EXPECT_EQ(_errno, REG());				\
		EXPECT_IDLE();						\
		arg_reset(self);					\
	} while (0)

TEST_F(umem, info_feature)
{
	struct mdx_ioc_info info;

	test_mdx_info(self->fd, &info);
	EXPECT_TRUE(info.out_features & MDX_FEATURE_UMEM);
}

TEST_F(umem, registered_pinned)
{
	ASSERT_EQ(0, REG());
	EXPECT_NE(0, self->arg.out_id);
	EXPECT_EQ(0, self->arg.out_status);
	EXPECT_GE(self->arg.out_log_page_size, 12);
	EXPECT_EQ(self->objs + 1, mdx_objs(self->fd));
	EXPECT_EQ(self->pinned + LEN / 1024, pinned_kb());
	test_mdx_destroy(self->fd, self->arg.out_id);
	EXPECT_IDLE();
}

TEST_F(umem, unbound_enotconn)
{
	int fd = mdx_node_open();

	ASSERT_GE(fd, 0);
	EXPECT_EQ(ENOTCONN, mdx_ioctl(fd, MDX_IOC_UMEM_REG, &self->arg));
	close(fd);
}

TEST_F(umem, length_0_as_stock)
{
	self->arg.length = 0;
	EXPECT_AS_STOCK(EINVAL);
}

TEST_F(umem, length_wraps_as_stock)
{
	self->arg.length = UINT64_MAX - 0x1000;
	EXPECT_AS_STOCK(EINVAL);
}

TEST_F(umem, access_unknown_as_stock)
{
	self->arg.access = WRITE | IBV_ACCESS_ON_DEMAND;
	EXPECT_AS_STOCK(EINVAL);
}

TEST_F(umem, remote_write_only_as_stock)
{
	self->arg.access = IBV_ACCESS_REMOTE_WRITE;
	EXPECT_AS_STOCK(EINVAL);
}

TEST_F(umem, unmapped_as_stock)
{
	void *mem = memory_map(LEN);

	ASSERT_NE(NULL, mem);
	munmap(mem, LEN);
	self->arg.addr = (uintptr_t)mem;
	EXPECT_AS_STOCK(EFAULT);
}

TEST_F(umem, read_only_memory_as_stock)
{
	ASSERT_EQ(0, mprotect(self->mem, LEN, PROT_READ));
	EXPECT_AS_STOCK(EFAULT);
}

TEST_F(umem, page_size_none_as_stock)
{
	self->arg.pgsz_bitmap = 1ULL << 40;
	EXPECT_AS_STOCK(EINVAL);
}

TEST_F(umem, dmabuf_ebadf_as_stock)
{
	self->arg.flags = MDX_UMEM_DMABUF;
	self->arg.dmabuf_fd = 4711;
	self->arg.addr = 0;
	EXPECT_AS_STOCK(EBADF);
}

TEST_F(umem, odd_address_as_stock)
{
	self->arg.addr += 100;
	self->arg.length = LEN - 4096;
	ASSERT_EQ(0, stock_reg(self->w.mdx.ctx, &self->arg));
	ASSERT_EQ(0, REG());
	test_mdx_destroy(self->fd, self->arg.out_id);
	EXPECT_IDLE();
}

TEST_F(umem, dmabuf_fd_unused_einval)
{
	self->arg.dmabuf_fd = 1;
	EXPECT_EQ(EINVAL, REG());
	EXPECT_IDLE();
}

/* Two pages with an odd length need the smallest page size, which is not allowed. */
TEST_F(umem, page_size_strict_einval)
{
	self->arg.length = page_size() + 64;
	self->arg.addr += page_size() / 2;
	self->arg.pgsz_bitmap = ~(2 * page_size() - 1);
	self->arg.flags = MDX_UMEM_PGSZ_STRICT;
	EXPECT_EQ(EINVAL, REG());
	EXPECT_IDLE();
}

TEST_F(umem, answer_lost_efault)
{
	struct mdx_ioc_umem_reg *arg = memory_map(4096);

	ASSERT_NE(NULL, arg);
	*arg = self->arg;
	ASSERT_EQ(0, mprotect(arg, 4096, PROT_READ));
	EXPECT_EQ(EFAULT, mdx_ioctl(self->fd, MDX_IOC_UMEM_REG, arg));
	EXPECT_IDLE();
}

TEST_F(umem, device_refuses)
{
	SKIP_NO_HCA(self->w.hca, return);
	ASSERT_EQ(0, hca_fail(self->w.hca, MLX5_CMD_OP_CREATE_UMEM, 0x08, 0x123, 1));
	EXPECT_EQ(EREMOTEIO, REG());
	EXPECT_EQ(0x08, self->arg.out_status);
	EXPECT_EQ(0x123, self->arg.out_syndrome);
	EXPECT_IDLE();
}

/* A destroy that the device refuses leaves the memory pinned. */
TEST_F(umem, in_use_stays_pinned)
{
	struct mlx5dv_devx_umem *stock = self->w.umem, mine;
	struct mdx_ioc_obj_destroy res;

	ASSERT_EQ(0, REG());
	mine.umem_id = self->arg.out_umem_id;
	self->w.umem = &mine;
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_CQ));
	EXPECT_EQ(EREMOTEIO,
		  _test_mdx_destroy_status(self->fd, self->arg.out_id, &res));
	EXPECT_NE(0, res.out_status);
	EXPECT_EQ(self->pinned + LEN / 1024, pinned_kb());
	ASSERT_EQ(0, objtype_destroy(&self->w, OBJTYPE_CQ));
	test_mdx_destroy(self->fd, self->arg.out_id);
	self->w.umem = stock;
	EXPECT_IDLE();
}

/* The end of the file destroys the CQ before the umem. */
TEST_F(umem, close_unpins)
{
	struct mlx5dv_devx_umem *stock = self->w.umem, mine;

	ASSERT_EQ(0, REG());
	mine.umem_id = self->arg.out_umem_id;
	self->w.umem = &mine;
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_CQ));
	self->w.umem = stock;
	EXPECT_EQ(self->pinned + LEN / 1024, pinned_kb());
	close(self->fd);
	EXPECT_EQ(self->pinned, pinned_kb());
	self->w.mdx.fd = mdx_node_open();
	if (self->w.hca)
		EXPECT_EQ(0, hca_live(self->w.hca, self->w.mdx.uid, "umem",
				      mine.umem_id));
}

/* Memory of another process under the uid of this one */
TEST_F(umem, killed_nothing_left)
{
	int status, i, n = 0;
	pid_t pid;

	SKIP_NO_HCA(self->w.hca, return);
	n = hca_live(self->w.hca, -1, "umem", -1);
	for (i = 0; i < 3; i++) {
		pid = fork();
		ASSERT_GE(pid, 0);
		if (!pid) {
			struct mdx_binding mdx;

			if (mdx_start(&mdx))
				_exit(1);
			close(self->fd);
			while (!mdx_ioctl(mdx.fd, MDX_IOC_UMEM_REG, &self->arg) &&
			       i < 100)
				i++;
			kill(getpid(), SIGKILL);
		}
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
	}
	for (i = 0; i < 100 && hca_live(self->w.hca, -1, "umem", -1) != n; i++)
		usleep(100000);
	EXPECT_EQ(n, hca_live(self->w.hca, -1, "umem", -1));
}

/* In a process of its own, as an ordinary user: errno of both, 255: not run */
static int beyond_memlock(struct mdx_world *w, struct mdx_ioc_umem_reg *arg,
			  bool stock)
{
	struct rlimit limit = { 4096, 4096 };
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (setrlimit(RLIMIT_MEMLOCK, &limit) || setresuid(65534, 65534, 65534))
			_exit(255);
		_exit(stock ? stock_reg(w->mdx.ctx, arg) :
			      mdx_ioctl(w->mdx.fd, MDX_IOC_UMEM_REG, arg));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 255;
	return WEXITSTATUS(status);
}

TEST_F(umem, memlock_as_stock)
{
	EXPECT_EQ(ENOMEM, beyond_memlock(&self->w, &self->arg, true));
	EXPECT_EQ(ENOMEM, beyond_memlock(&self->w, &self->arg, false));
	EXPECT_IDLE();
}

static int udmabuf_make(size_t len)
{
	struct udmabuf_create create = { .size = len };
	int node = open("/dev/udmabuf", O_RDWR), fd = -1;
	int memfd = memfd_create("umem_test", MFD_ALLOW_SEALING);

	create.memfd = memfd;
	if (node >= 0 && memfd >= 0 && !ftruncate(memfd, len) &&
	    !fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK))
		fd = ioctl(node, UDMABUF_CREATE, &create);
	close(node);
	close(memfd);
	return fd;
}

TEST_F(umem, dmabuf_as_stock)
{
	int fd = udmabuf_make(LEN);
	int stock;

	if (fd < 0)
		SKIP(return, "no /dev/udmabuf");
	self->arg.flags = MDX_UMEM_DMABUF;
	self->arg.addr = 0;
	self->arg.dmabuf_fd = fd;
	stock = stock_reg(self->w.mdx.ctx, &self->arg);
	EXPECT_EQ(stock, REG());
	if (!stock)
		test_mdx_destroy(self->fd, self->arg.out_id);
	EXPECT_IDLE();
	close(fd);
}

static struct mdx_item *add_umem(FIXTURE_DATA(umem) *self, uint16_t flags,
				 struct mdx_ioc_umem_reg *arg)
{
	struct mdx_item *item = &self->b.items[self->b.arg.items_n++];

	*arg = self->arg;
	*item = (struct mdx_item){
		.cmd = MDX_CMD_UMEM_REG,
		.flags = flags,
		.in = (uintptr_t)arg,
		.in_len = sizeof(*arg),
	};
	return item;
}

/* As a program for GPUs creates a QP: all in one chain */
TEST_F(umem, chain_to_qp)
{
	struct mdx_ioc_umem_reg umem[4];
	uint16_t i, flags = 0;

	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_PD));
	ASSERT_EQ(0, objtype_create(&self->w, OBJTYPE_CQ));
	for (i = 0; i < 2; i++, flags = LINK)
		add_umem(self, flags, &umem[i]);
	batch_create(&self->b, &self->w, OBJTYPE_CQ, LINK);
	batch_ref(&self->b, 2, CQ_DBR_BIT, 32);
	batch_ref(&self->b, 1, CQ_BIT, 32);
	for (i = 2; i < 4; i++)
		add_umem(self, LINK, &umem[i]);
	batch_create(&self->b, &self->w, OBJTYPE_QP, LINK);
	batch_ref(&self->b, 2, QP_DBR_BIT, 32);
	batch_ref(&self->b, 1, QP_BIT, 32);
	batch_ref(&self->b, 3, __devx_bit_off(create_qp_in, qpc.cqn_snd), 24);
	batch_ref(&self->b, 3, __devx_bit_off(create_qp_in, qpc.cqn_rcv), 24);
	qp_build_init(&self->w);
	batch_add(&self->b, &self->w, MDX_CMD_OBJ_MODIFY,
		  LINK | MDX_ITEM_OBJ_BACK)->obj = 1;
	batch_ref(&self->b, 1, __devx_bit_off(rst2init_qp_in, qpn), 24);
	ASSERT_EQ(0, batch_submit(&self->b, self->fd));
	EXPECT_EQ(0, self->b.arg.out_failed);
	EXPECT_EQ(7, self->b.arg.out_done);
	for (i = 0; i < 7; i++)
		EXPECT_EQ(0, self->b.items[i].out_err);
	for (i = 0; i < 4; i++)
		EXPECT_NE(0, umem[i].out_id);
	EXPECT_EQ(self->pinned + 4 * LEN / 1024, pinned_kb());
}

TEST_F(umem, item_undone_unpins)
{
	struct mdx_ioc_umem_reg umem;
	struct mdx_item *item = add_umem(self, 0, &umem);

	batch_destroy(&self->b, 4711, LINK);
	self->b.arg.flags = MDX_SUBMIT_UNDO;
	ASSERT_EQ(0, batch_submit(&self->b, self->fd));
	EXPECT_EQ(0, item->out_err);
	EXPECT_EQ(0, item->out_obj);
	EXPECT_EQ(ENOENT, self->b.items[1].out_err);
	EXPECT_IDLE();
}

TEST_F(umem, item_fields_einval)
{
	struct mdx_ioc_umem_reg umem;
	struct mdx_item *item = add_umem(self, 0, &umem), good = *item;

	item->obj = 1;
	EXPECT_EQ(EINVAL, batch_submit(&self->b, self->fd));
	*item = good;
	item->out = (uintptr_t)self->mem;
	EXPECT_EQ(EINVAL, batch_submit(&self->b, self->fd));
	*item = good;
	item->out_len = 16;
	EXPECT_EQ(EINVAL, batch_submit(&self->b, self->fd));
	*item = good;
	item->in_len = 56;
	ASSERT_EQ(0, batch_submit(&self->b, self->fd));
	EXPECT_EQ(EINVAL, item->out_err);
	*item = good;
	umem.flags = 4;
	ASSERT_EQ(0, batch_submit(&self->b, self->fd));
	EXPECT_EQ(EOPNOTSUPP, item->out_err);
	EXPECT_IDLE();
}

/* The record has the structure. */
TEST_F(umem, item_to_channel)
{
	struct mdx_ioc_channel chan = {
		.size = sizeof(chan),
		.flags = MDX_CHANNEL_COMPLETIONS,
	};
	struct {
		struct mdx_done done;
		struct mdx_ioc_umem_reg arg;
	} rec;
	struct mdx_ioc_umem_reg umem;
	struct mdx_item *item = add_umem(self, 0, &umem);

	ASSERT_EQ(0, mdx_ioctl(self->fd, MDX_IOC_CHANNEL, &chan));
	self->b.arg.channel = chan.out_fd;
	EXPECT_EQ(EINVAL, batch_submit(&self->b, self->fd));
	item->out_len = sizeof(umem);
	item->cookie = 17;
	ASSERT_EQ(0, batch_submit(&self->b, self->fd));
	ASSERT_EQ((ssize_t)sizeof(rec), read(chan.out_fd, &rec, sizeof(rec)));
	EXPECT_EQ(17, rec.done.cookie);
	EXPECT_EQ(0, rec.done.err);
	EXPECT_EQ(rec.done.obj, rec.arg.out_id);
	EXPECT_EQ(self->pinned + LEN / 1024, pinned_kb());
	test_mdx_destroy(self->fd, rec.done.obj);
	EXPECT_IDLE();
	close(chan.out_fd);
}

MDX_HARNESS_MAIN(world_share())
