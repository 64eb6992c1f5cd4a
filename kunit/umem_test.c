// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Umems on the firmware of the test: page sizes, and memory that is pinned as long as the
 * device may have it.
 */
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "../kmod/ioctl.h"
#include "../kmod/umem_pgsz.h"
#include "fake_fw.h"
#include "obj_env.h"
#include "optab_rows.h"
#include "umem_env.h"

#define LEN (3 * PAGE_SIZE)

static struct mdx_ioc_umem_reg arg;

static int umem_init(struct kunit *test)
{
	umem_env_init();
	arg = (struct mdx_ioc_umem_reg){
		.size = sizeof(arg),
		.addr = SZ_1M,
		.length = LEN,
		.access = IB_ACCESS_LOCAL_WRITE,
	};
	return env_init(test);
}

static void umem_exit(struct kunit *test)
{
	env_exit(test);
	umem_env_exit();
}

static int umem_reg(void)
{
	int ret;

	KUNIT_ASSERT_EQ(env.test, copy_to_user(env.user, &arg, sizeof(arg)), 0);
	env.caller.private_data = env.file;
	ret = mdx_ioctl(&env.caller, MDX_IOC_UMEM_REG, (unsigned long)env.user);
	KUNIT_ASSERT_EQ(env.test, copy_from_user(&arg, env.user, sizeof(arg)), 0);
	return ret;
}

static void expect_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, umems.pinned, 0);
	KUNIT_EXPECT_EQ(test, env_objs_n(), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, refcount_read(&fw->ibdev.refcount), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.file->owner->slots.used), 0);
}

/* Sizes that memory at @start, of @length, contiguous in @best, may have */
static const struct {
	u64 start, length, best, bitmap, size;
} sizes[] = {
	{ 0, SZ_2M, SZ_2M, 0, SZ_2M },
	{ 0, SZ_2M + SZ_4K, SZ_2M, 0, SZ_4K },
	{ SZ_64K, SZ_2M, SZ_2M, 0, SZ_64K },
	{ SZ_64K, SZ_2M, SZ_2M, SZ_2M | SZ_4K, SZ_4K },
	{ SZ_64K, SZ_2M, SZ_2M, SZ_2M, 0 },
	{ 100, 5000, SZ_4K, 0, SZ_4K },
	{ 100, 5000, SZ_4K, SZ_4K, SZ_4K },
	{ 100, 5000, SZ_8K, SZ_8K, 0 },
	{ 0, SZ_4K, 0, 0, 0 },
};

static void page_size_fits(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct mdx_umem_extent extent = {
			sizes[i].start, sizes[i].length, SZ_4K,
		};

		KUNIT_EXPECT_EQ_MSG(test,
				    mdx_umem_pgsz_fit(&extent, sizes[i].best,
						      sizes[i].bitmap),
				    sizes[i].size, "row %u", i);
	}
}

static void created_and_destroyed(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, umem_reg(), 0);
	KUNIT_EXPECT_EQ(test, umems.pinned, 1);
	KUNIT_EXPECT_EQ(test, arg.out_umem_id, fw->last_id);
	KUNIT_EXPECT_EQ(test, arg.out_log_page_size, PAGE_SHIFT);
	KUNIT_EXPECT_EQ(test, fw_sent(OP(CREATE_UMEM), 0)->uid, ENV_UID);
	KUNIT_EXPECT_EQ(test, env_destroy(arg.out_id), 0);
	expect_nothing(test);
}

static void dmabuf_is_pinned(struct kunit *test)
{
	arg.flags = MDX_UMEM_DMABUF;
	KUNIT_EXPECT_EQ(test, umem_reg(), 0);
	KUNIT_EXPECT_EQ(test, umems.dmabufs, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(arg.out_id), 0);
	expect_nothing(test);
}

static void pin_fails(struct kunit *test)
{
	umems.pin_ret = -EFAULT;
	KUNIT_EXPECT_EQ(test, umem_reg(), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw_count(OP(CREATE_UMEM)), 0);
	expect_nothing(test);
}

static void page_size_none_einval(struct kunit *test)
{
	umems.best = 0;
	KUNIT_EXPECT_EQ(test, umem_reg(), -EINVAL);
	expect_nothing(test);
}

static void pages_too_many_einval(struct kunit *test)
{
	arg.length = (MDX_UMEM_PAGES_MAX + 1ull) * PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, umem_reg(), -EINVAL);
	expect_nothing(test);
}

static void no_buffers_enomem(struct kunit *test)
{
	env.no_buffers = true;
	KUNIT_EXPECT_EQ(test, umem_reg(), -ENOMEM);
	expect_nothing(test);
}

static void charge_refused(struct kunit *test)
{
	fw->charge_ret = -EAGAIN;
	KUNIT_EXPECT_EQ(test, umem_reg(), -EAGAIN);
	expect_nothing(test);
}

/* The device does not have it after any of these. */
static void create_fails_unpinned(struct kunit *test)
{
	static const int rets[] = { -EREMOTEIO, -ENXIO, -ENOMEM, -EIO };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rets); i++) {
		fw_rule(OP(CREATE_UMEM), rets[i], 0x08, 1, 1);
		KUNIT_EXPECT_EQ(test, umem_reg(), rets[i]);
		expect_nothing(test);
	}
}

static void destroy_refused_stays_pinned(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, umem_reg(), 0);
	fw_rule(OP(DESTROY_UMEM), -EREMOTEIO, 0x08, 1, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(arg.out_id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, umems.pinned, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(arg.out_id), 0);
	expect_nothing(test);
}

static void dead_device_unpinned(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, umem_reg(), 0);
	fw_rule(OP(DESTROY_UMEM), -ENXIO, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, env_destroy(arg.out_id), 0);
	expect_nothing(test);
}

/* A late answer tells that the device has it: it is destroyed and unpinned. */
static void late_create_unpinned(struct kunit *test)
{
	fw_rule(OP(CREATE_UMEM), -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, umem_reg(), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, umems.pinned, 1);
	fw_answer(0, 0, 7);
	mdx_late_flush(&env.mdx.late);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_UMEM)), 1);
	expect_nothing(test);
}

/* Or that it refused. */
static void late_refusal_unpinned(struct kunit *test)
{
	fw_rule(OP(CREATE_UMEM), -ETIMEDOUT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, umem_reg(), -ETIMEDOUT);
	fw_answer(0, 0x08, 0);
	mdx_late_flush(&env.mdx.late);
	KUNIT_EXPECT_EQ(test, fw_count(OP(DESTROY_UMEM)), 0);
	expect_nothing(test);
}

/* Umems end last, and what is left of them is unpinned before the device goes. */
static void file_end_unpins(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, umem_reg(), 0);
	env_begin(OP(ALLOC_PD));
	KUNIT_EXPECT_EQ(test, env_create(16, 16), 0);
	env_close();
	KUNIT_EXPECT_EQ(test, umems.pinned, 0);
	KUNIT_EXPECT_EQ(test, fw->sent[fw->sent_n - 1].opcode, OP(DESTROY_UMEM));
}

static void removal_unpins(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, umem_reg(), 0);
	env_remove();
	KUNIT_EXPECT_EQ(test, umems.pinned, 0);
}

static struct kunit_case umem_cases[] = {
	KUNIT_CASE(page_size_fits),
	KUNIT_CASE(created_and_destroyed),
	KUNIT_CASE(dmabuf_is_pinned),
	KUNIT_CASE(pin_fails),
	KUNIT_CASE(page_size_none_einval),
	KUNIT_CASE(pages_too_many_einval),
	KUNIT_CASE(no_buffers_enomem),
	KUNIT_CASE(charge_refused),
	KUNIT_CASE(create_fails_unpinned),
	KUNIT_CASE(destroy_refused_stays_pinned),
	KUNIT_CASE(dead_device_unpinned),
	KUNIT_CASE(late_create_unpinned),
	KUNIT_CASE(late_refusal_unpinned),
	KUNIT_CASE(file_end_unpins),
	KUNIT_CASE(removal_unpins),
	{}
};

static struct kunit_suite umem_suite = {
	.name = "mdx_umem",
	.suite_init = env_suite_init,
	.suite_exit = env_suite_exit,
	.init = umem_init,
	.exit = umem_exit,
	.test_cases = umem_cases,
};

kunit_test_suite(umem_suite);
