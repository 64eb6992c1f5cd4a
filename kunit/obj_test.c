// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The life of objects, from the ioctls to a firmware that is the test's, on real
 * user memory.
 */
#include "fake_fw.h"

#define fput(file) ((void)(file))

#include "../kmod/cmd.c"
#include "../kmod/file.c"
#include "../kmod/obj.c"
#include "../kmod/obj_cq.c"
#include "../kmod/obj_dct.c"
#include "../kmod/obj_end.c"

#define UID 0x2b
#define USER_LEN (4 * PAGE_SIZE)

static struct {
	struct kunit *test;
	struct mdx_dev mdx;
	struct inode inode;
	struct file filp;
	struct mdx_file *file;
	bool open;
	u8 __user *user;
	u8 __user *user_in;
	u8 __user *user_out;
	u8 in[1024];
	u8 out[1024];
	/* Of the last call */
	u32 id;
	u8 status;
	u32 syndrome;
	/* What the hook does, and what came of it */
	u32 hook_id;
	int hook_ret;
} s;

/* dev.c */
void mdx_dev_put(struct mdx_dev *mdx)
{
}

/* late.c: this firmware never answers late. */
bool mdx_late_create(struct mdx_cmd *cmd, struct mdx_obj *obj)
{
	return false;
}

static void close_file(void)
{
	if (s.open)
		mdx_release(&s.inode, &s.filp);
	s.open = false;
}

static int obj_init(struct kunit *test)
{
	unsigned long addr;
	int ret;

	memset(&s, 0, sizeof(s));
	s.test = test;
	ret = fw_init(test);
	if (ret)
		return ret;
	addr = kunit_vm_mmap(test, NULL, 0, USER_LEN, PROT_READ | PROT_WRITE,
			     MAP_ANONYMOUS | MAP_PRIVATE, 0);
	if (!addr || IS_ERR_VALUE(addr))
		return -ENOMEM;
	s.user = (u8 __user *)addr;
	s.user_in = s.user + PAGE_SIZE;
	s.user_out = s.user + 2 * PAGE_SIZE;

	s.mdx.mdev = &fw->mdev;
	s.mdx.ibdev = &fw->ibdev;
	init_rwsem(&s.mdx.live_sem);
	mutex_init(&s.mdx.files_lock);
	INIT_LIST_HEAD(&s.mdx.files);
	spin_lock_init(&s.mdx.drain_lock);
	INIT_LIST_HEAD(&s.mdx.draining);
	mdx_dct_watch(&s.mdx);

	ret = mdx_open(&s.inode, &s.filp);
	if (ret)
		return ret;
	s.open = true;
	s.file = s.filp.private_data;
	mutex_lock(&s.file->bind_lock);
	down_read(&s.mdx.live_sem);
	mdx_file_attach(s.file, &s.mdx, NULL, UID);
	up_read(&s.mdx.live_sem);
	mutex_unlock(&s.file->bind_lock);
	return 0;
}

static void obj_exit(struct kunit *test)
{
	if (!fw)
		return;
	close_file();
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&s.mdx.draining));
	mdx_dct_unwatch(&s.mdx);
	fw_exit();
}

/* Begins a command. */
static void begin(u16 opcode)
{
	memset(s.in, 0, sizeof(s.in));
	bits_put(s.in, 0, 16, opcode);
	bits_put(s.in, 0x10, 16, 0xdead);
}

static void put_in(void)
{
	KUNIT_ASSERT_EQ(s.test, copy_to_user(s.user_in, s.in, sizeof(s.in)), 0);
}

static void get_out(u32 len)
{
	if (copy_from_user(s.out, s.user_out, len))
		memset(s.out, 0, sizeof(s.out));
}

/* The user's structure or its answer's buffer may be unwritable. */
static int create_at(u32 in_len, u32 out_len, void __user *arg, void __user *out)
{
	struct mdx_ioc_obj_create cmd = {
		.size = sizeof(cmd),
		.in = (uintptr_t)s.user_in, .in_len = in_len,
		.out = (uintptr_t)out, .out_len = out_len,
	};
	struct mdx_ucmd ucmd = {
		.file = s.file, .ubuf = arg, .usize = sizeof(cmd),
		.ksize = sizeof(cmd), .cmd = &cmd,
	};
	int ret;

	put_in();
	ret = mdx_ioc_obj_create(&ucmd);
	s.id = cmd.out_id;
	get_out(out_len);
	return ret;
}

static int create(u32 in_len, u32 out_len)
{
	return create_at(in_len, out_len, s.user, s.user_out);
}

static int create_pd(void)
{
	begin(0x800);
	return create(16, 16);
}

static int use(enum mdx_class class, u32 id, u32 in_len, u32 out_len)
{
	struct mdx_ioc_obj_cmd cmd = {
		.size = sizeof(cmd), .id = id,
		.in = (uintptr_t)s.user_in, .in_len = in_len,
		.out = (uintptr_t)s.user_out, .out_len = out_len,
	};
	struct mdx_ucmd ucmd = {
		.file = s.file, .ubuf = s.user, .usize = sizeof(cmd),
		.ksize = sizeof(cmd), .cmd = &cmd,
	};
	int ret;

	put_in();
	ret = class == MDX_OP_QUERY ? mdx_ioc_obj_query(&ucmd) :
				      mdx_ioc_obj_modify(&ucmd);
	get_out(out_len);
	return ret;
}

static int destroy(u32 id)
{
	struct mdx_ioc_obj_destroy cmd = { .size = sizeof(cmd), .id = id };
	struct mdx_ucmd ucmd = {
		.file = s.file, .ubuf = s.user, .usize = sizeof(cmd),
		.ksize = sizeof(cmd), .cmd = &cmd,
	};
	int ret;

	ret = mdx_ioc_obj_destroy(&ucmd);
	s.status = cmd.out_status;
	s.syndrome = cmd.out_syndrome;
	return ret;
}

static int create_qp(void)
{
	begin(0x500);
	return create(272, 16);
}

static int query_qp(u32 id, u32 qpn)
{
	begin(0x50b);
	bits_put(s.in, 0x48, 24, qpn);
	return use(MDX_OP_QUERY, id, 16, 16);
}

static void ids_count_from_one_and_never_repeat(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, s.id, 1);
	KUNIT_EXPECT_EQ(test, destroy(1), 0);
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, s.id, 2);
	KUNIT_EXPECT_EQ(test, destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, destroy(0), -ENOENT);
	KUNIT_EXPECT_EQ(test, destroy(3), -ENOENT);
	KUNIT_EXPECT_EQ(test, destroy(U32_MAX), -ENOENT);
}

static void the_answer_is_the_devices(struct kunit *test)
{
	fw->last_id = 0x123455;
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, bits_at(s.out, 0x48, 24), 0x123456);
}

static void every_command_has_the_files_uid(struct kunit *test)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, create_qp(), 0);
	KUNIT_EXPECT_EQ(test, query_qp(s.id, 1), 0);
	KUNIT_EXPECT_EQ(test, destroy(s.id), 0);
	begin(0x710);
	KUNIT_EXPECT_EQ(test, create(128, 16), 0);
	KUNIT_EXPECT_EQ(test, destroy(s.id), 0);
	/* Create, query, destroy, create, drain, destroy */
	KUNIT_EXPECT_EQ(test, fw->sent_n, 6);
	for (i = 0; i < fw->sent_n; i++)
		KUNIT_EXPECT_EQ(test, fw->sent[i].uid, UID);
}

static void destroys_name_what_was_created(struct kunit *test)
{
	const struct sent *sent;

	fw->last_id = 0x456;
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, destroy(s.id), 0);
	sent = fw_sent(0x801, 0);
	KUNIT_ASSERT_NOT_NULL(test, sent);
	KUNIT_EXPECT_EQ(test, sent->len, 16);
	KUNIT_EXPECT_EQ(test, bits_at(sent->in, 0x48, 24), 0x457);
}

static void hook_query(u16 opcode)
{
	if (opcode != 0x500 && opcode != 0x501)
		return;
	fw->hook = NULL;
	s.hook_ret = query_qp(s.hook_id, 1);
}

static void hook_destroy(u16 opcode)
{
	if (opcode != 0x50b && opcode != 0x501)
		return;
	fw->hook = NULL;
	s.hook_ret = destroy(s.hook_id);
}

static void objects_are_unknown_until_answered(struct kunit *test)
{
	fw->hook = hook_query;
	s.hook_id = 1;
	KUNIT_EXPECT_EQ(test, create_qp(), 0);
	KUNIT_EXPECT_EQ(test, s.hook_ret, -ENOENT);
	KUNIT_EXPECT_EQ(test, query_qp(1, 1), 0);
}

static void what_is_used_cannot_be_destroyed(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_qp(), 0);
	fw->hook = hook_destroy;
	s.hook_id = s.id;
	KUNIT_EXPECT_EQ(test, query_qp(s.hook_id, 1), 0);
	KUNIT_EXPECT_EQ(test, s.hook_ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, destroy(s.hook_id), 0);
}

static void what_is_destroyed_cannot_be_used(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_qp(), 0);
	fw->hook = hook_query;
	s.hook_id = s.id;
	KUNIT_EXPECT_EQ(test, destroy(s.hook_id), 0);
	KUNIT_EXPECT_EQ(test, s.hook_ret, -EBUSY);
}

static void nothing_is_destroyed_twice_at_a_time(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_qp(), 0);
	fw->hook = hook_destroy;
	s.hook_id = s.id;
	KUNIT_EXPECT_EQ(test, destroy(s.hook_id), 0);
	KUNIT_EXPECT_EQ(test, s.hook_ret, -EBUSY);
	KUNIT_EXPECT_EQ(test, fw_count(0x501), 1);
}

static void a_refused_create_leaves_nothing(struct kunit *test)
{
	fw_rule(0x800, -EREMOTEIO, 0x3, 0xabcd, 1);
	KUNIT_EXPECT_EQ(test, create_pd(), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, s.out[0], 0x3);
	KUNIT_EXPECT_EQ(test, bits_at(s.out, 0x20, 32), 0xabcd);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_TRUE(test, xa_empty(&s.file->objs));
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 0);
}

static void a_create_that_fails_has_no_answer(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, clear_user(s.user_out, 16), 0);
	fw_rule(0x800, -ENOMEM, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, create_pd(), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, memchr_inv(s.out, 0, 16));
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 0);
}

static void what_cannot_be_answered_is_undone(struct kunit *test)
{
	begin(0x800);
	KUNIT_EXPECT_EQ(test, create_at(16, 16, s.user, NULL), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 1);
	KUNIT_EXPECT_EQ(test, create_at(16, 16, NULL, s.user_out), -EFAULT);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 2);
	KUNIT_EXPECT_FALSE(test, fw->live[1] || fw->live[2]);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 0);
	KUNIT_EXPECT_TRUE(test, xa_empty(&s.file->objs));
	KUNIT_EXPECT_EQ(test, destroy(1), -ENOENT);
}

static void what_cannot_be_undone_is_left_to_close(struct kunit *test)
{
	fw_rule(0x801, -EREMOTEIO, 0x9, 1, 1);
	begin(0x800);
	KUNIT_EXPECT_EQ(test, create_at(16, 16, s.user, NULL), -EFAULT);
	KUNIT_EXPECT_TRUE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, destroy(1), -ENOENT);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 1);
	close_file();
	KUNIT_EXPECT_FALSE(test, fw->live[1]);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void a_refused_destroy_keeps_the_object(struct kunit *test)
{
	u32 id;

	KUNIT_EXPECT_EQ(test, create_qp(), 0);
	id = s.id;
	fw_rule(0x501, -EREMOTEIO, 0x9, 0x5eed, 1);
	KUNIT_EXPECT_EQ(test, destroy(id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, s.status, 0x9);
	KUNIT_EXPECT_EQ(test, s.syndrome, 0x5eed);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 1);
	KUNIT_EXPECT_EQ(test, query_qp(id, 1), 0);
	KUNIT_EXPECT_EQ(test, destroy(id), 0);
	KUNIT_EXPECT_EQ(test, destroy(id), -ENOENT);
}

static void commands_must_be_about_the_object(struct kunit *test)
{
	u32 id;

	fw->last_id = 0x70;
	KUNIT_EXPECT_EQ(test, create_qp(), 0);
	id = s.id;
	KUNIT_EXPECT_EQ(test, query_qp(id, 0x71), 0);
	KUNIT_EXPECT_EQ(test, query_qp(id, 0x70), -EINVAL);
	KUNIT_EXPECT_EQ(test, query_qp(id, 0x72), -EINVAL);
	KUNIT_EXPECT_EQ(test, query_qp(id + 1, 0x71), -ENOENT);
	/* Another kind, another class */
	begin(0x402);
	bits_put(s.in, 0x48, 24, 0x71);
	KUNIT_EXPECT_EQ(test, use(MDX_OP_QUERY, id, 16, 16), -EINVAL);
	begin(0x502);
	bits_put(s.in, 0x48, 24, 0x71);
	KUNIT_EXPECT_EQ(test, use(MDX_OP_QUERY, id, 272, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, use(MDX_OP_MODIFY, id, 272, 16), 0);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 3);
}

static void general_objects_have_a_type(struct kunit *test)
{
	begin(0xa00);
	bits_put(s.in, 0x30, 16, 0xd);
	KUNIT_EXPECT_EQ(test, create(16, 16), 0);
	begin(0xa02);
	bits_put(s.in, 0x30, 16, 0xd);
	bits_put(s.in, 0x40, 32, 1);
	KUNIT_EXPECT_EQ(test, use(MDX_OP_QUERY, s.id, 16, 16), 0);
	bits_put(s.in, 0x30, 16, 0xe);
	KUNIT_EXPECT_EQ(test, use(MDX_OP_QUERY, s.id, 16, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, destroy(s.id), 0);
	KUNIT_EXPECT_EQ(test, bits_at(fw_sent(0xa03, 0)->in, 0x30, 16), 0xd);
}

static int query_counter(u32 id, u32 counter)
{
	begin(0x93b);
	bits_put(s.in, 0xe0, 32, counter);
	return use(MDX_OP_QUERY, id, 32, 16);
}

static void a_bulk_is_all_its_counters(struct kunit *test)
{
	fw->last_id = 0x3ff;
	begin(0x939);
	bits_put(s.in, 0x78, 8, 1);
	KUNIT_EXPECT_EQ(test, create(16, 16), 0);
	KUNIT_EXPECT_EQ(test, query_counter(s.id, 0x400), 0);
	KUNIT_EXPECT_EQ(test, query_counter(s.id, 0x47f), 0);
	KUNIT_EXPECT_EQ(test, query_counter(s.id, 0x480), -EINVAL);
	KUNIT_EXPECT_EQ(test, query_counter(s.id, 0x3ff), -EINVAL);
}

static void short_mailboxes_are_refused(struct kunit *test)
{
	begin(0x500);
	KUNIT_EXPECT_EQ(test, create(271, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, create(272, 15), -EINVAL);
	KUNIT_EXPECT_EQ(test, create(0, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, create(MDX_MBOX_LEN_MAX + 1, 16), -EINVAL);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
}

static void unreadable_mailboxes_are_refused(struct kunit *test)
{
	u8 __user *in = s.user_in;

	begin(0x800);
	put_in();
	s.user_in = s.user + USER_LEN - 1024;
	put_in();
	/* The header can be read, what follows it cannot. */
	KUNIT_EXPECT_EQ(test, create(2048, 16), -EFAULT);
	s.user_in = in;
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 0);
}

static void an_unknown_flag_is_refused(struct kunit *test)
{
	struct mdx_ioc_obj_destroy cmd = { .size = sizeof(cmd), .flags = 1 };
	struct mdx_ucmd ucmd = { .file = s.file, .cmd = &cmd };

	KUNIT_EXPECT_EQ(test, mdx_ioc_obj_destroy(&ucmd), -EOPNOTSUPP);
	cmd.flags = 0;
	cmd.__reserved = 1;
	KUNIT_EXPECT_EQ(test, mdx_ioc_obj_destroy(&ucmd), -EOPNOTSUPP);
}

static void ids_run_out(struct kunit *test)
{
	s.file->next_id = U32_MAX;
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, s.id, U32_MAX);
	KUNIT_EXPECT_EQ(test, create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fw_count(0x800), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 1);
	KUNIT_EXPECT_EQ(test, destroy(U32_MAX), 0);
}

static void a_file_owns_so_many_objects(struct kunit *test)
{
	atomic_set(&s.file->objs_n, MDX_OBJS_MAX - 1);
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, create_pd(), -ENOMEM);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), MDX_OBJS_MAX);
	atomic_set(&s.file->objs_n, 1);
}

static void each_object_is_charged_for(struct kunit *test)
{
	u32 id;

	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	id = s.id;
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 2);
	KUNIT_EXPECT_EQ(test, destroy(id), 0);
	KUNIT_EXPECT_EQ(test, fw->charges, 1);
	fw->charge_ret = -EAGAIN;
	KUNIT_EXPECT_EQ(test, create_pd(), -EAGAIN);
	KUNIT_EXPECT_EQ(test, fw_count(0x800), 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 1);
}

static void an_srq_wants_issi_1(struct kunit *test)
{
	begin(0x700);
	fw->mdev.issi = 0;
	KUNIT_EXPECT_EQ(test, create(272, 16), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
	fw->mdev.issi = 1;
	KUNIT_EXPECT_EQ(test, create(272, 16), 0);
}

static int create_cq(void)
{
	begin(0x400);
	return create(272, 16);
}

static void a_cq_is_mlx5_cores(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_cq(), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 1);
	KUNIT_EXPECT_EQ(test, destroy(s.id), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, fw_count(0x401), 1);
}

static void a_cq_without_an_eq_is_invalid(struct kunit *test)
{
	fw_rule(0x400, -ENOENT, 0, 0, 1);
	KUNIT_EXPECT_EQ(test, create_cq(), -EINVAL);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
}

/* A second call of mlx5_core's would take out another one's CQ. */
static void a_cq_leaves_mlx5_core_once(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_cq(), 0);
	fw_rule(0x401, -EREMOTEIO, 0x9, 0x77, 1);
	KUNIT_EXPECT_EQ(test, destroy(s.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, s.status, 0x9);
	KUNIT_EXPECT_EQ(test, s.syndrome, 0x77);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, destroy(s.id), 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_EQ(test, fw_count(0x401), 2);
	KUNIT_EXPECT_EQ(test, fw_sent(0x401, 1)->uid, UID);
}

static int create_dct(void)
{
	begin(0x710);
	return create(128, 16);
}

static void a_dct_is_drained_first(struct kunit *test)
{
	fw->last_id = 0x30;
	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	KUNIT_EXPECT_EQ(test, destroy(s.id), 0);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 3);
	KUNIT_EXPECT_EQ(test, fw->sent[1].opcode, 0x712);
	KUNIT_EXPECT_EQ(test, bits_at(fw->sent[1].in, 0x48, 24), 0x31);
	KUNIT_EXPECT_EQ(test, fw->sent[2].opcode, 0x711);
}

static void a_dct_whose_drain_is_refused_stays(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	fw_rule(0x712, -EREMOTEIO, 0x9, 5, 2);
	KUNIT_EXPECT_EQ(test, destroy(s.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, s.syndrome, 5);
	KUNIT_EXPECT_EQ(test, fw_count(0x711), 0);
	/* Nobody asks again after close: then it is tried all the same. */
	close_file();
	KUNIT_EXPECT_EQ(test, fw_count(0x711), 1);
}

static void a_drain_is_not_awaited_for_ever(struct kunit *test)
{
	unsigned long start = jiffies;

	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	fw->no_drain_event = true;
	KUNIT_EXPECT_EQ(test, destroy(1), 0);
	KUNIT_EXPECT_GE(test, jiffies - start, 4 * HZ);
	KUNIT_EXPECT_TRUE(test, s.mdx.drain_lost);
	start = jiffies;
	KUNIT_EXPECT_EQ(test, destroy(2), 0);
	KUNIT_EXPECT_LT(test, jiffies - start, 4 * HZ);
}

static void a_drained_dct_is_not_drained_again(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_dct(), 0);
	fw_rule(0x711, -EREMOTEIO, 0x9, 5, 1);
	KUNIT_EXPECT_EQ(test, destroy(s.id), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, destroy(s.id), 0);
	KUNIT_EXPECT_EQ(test, fw_count(0x712), 1);
}

/* Several at a time, so in no order that could be told. */
static void close_destroys_each_once(struct kunit *test)
{
	unsigned int i, seen = 0;

	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, create_pd(), 0);
	close_file();
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 5);
	for (i = 0; i < 5; i++)
		seen |= BIT(bits_at(fw_sent(0x801, i)->in, 0x48, 24));
	KUNIT_EXPECT_EQ(test, seen, 0x3e);
}

/* A QP names a PD, whichever of them is newer. */
static void close_destroys_by_level(struct kunit *test)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, create_qp(), 0);
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	close_file();
	KUNIT_EXPECT_EQ(test, fw_count(0x501), 1);
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 2);
	for (i = 0; i < fw->sent_n && fw->sent[i].opcode != 0x801; i++)
		;
	KUNIT_EXPECT_TRUE(test, &fw->sent[i] > fw_sent(0x501, 0));
}

static void close_goes_on_while_that_helps(struct kunit *test)
{
	unsigned int i;

	for (i = 1; i <= 4; i++) {
		KUNIT_EXPECT_EQ(test, create_pd(), 0);
		/* Old ones need newer ones: each pass frees one only. */
		fw->holds[i] = i + 1;
	}
	close_file();
	for (i = 1; i <= 4; i++)
		KUNIT_EXPECT_FALSE(test, fw->live[i]);
}

static void close_ends_when_that_does_not_help(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	fw->holds[1] = 2;
	fw->holds[2] = 1;
	close_file();
	KUNIT_EXPECT_TRUE(test, fw->live[1] && fw->live[2]);
	KUNIT_EXPECT_FALSE(test, fw->live[3]);
	/* One pass that helps, one that does not */
	KUNIT_EXPECT_EQ(test, fw_count(0x801), 5);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void close_does_not_wait_for_a_silent_device(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_EQ(test, create_pd(), 0);
	fw_rule(0x801, -ETIMEDOUT, 0, 0, 100);
	close_file();
	KUNIT_EXPECT_LE(test, fw_count(0x801), 8);
	KUNIT_EXPECT_GE(test, fw_count(0x801), 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
}

static void a_dead_device_has_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	KUNIT_EXPECT_EQ(test, create_pd(), 0);
	fw->mdev.state = MLX5_DEVICE_STATE_INTERNAL_ERROR;
	fw_rule(0x801, -EIO, 0, 0, 100);
	KUNIT_EXPECT_EQ(test, destroy(1), 0);
	fw->mdev.state = MLX5_DEVICE_STATE_UP;
	fw->pdev.error_state = pci_channel_io_perm_failure;
	KUNIT_EXPECT_EQ(test, destroy(2), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 0);
}

static void a_removed_device_does_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, create_qp(), 0);
	down_write(&s.mdx.live_sem);
	mdx_obj_destroy_all(s.file);
	s.mdx.mdev = NULL;
	up_write(&s.mdx.live_sem);
	KUNIT_EXPECT_EQ(test, fw_count(0x501), 1);
	KUNIT_EXPECT_EQ(test, create_qp(), -EIO);
	KUNIT_EXPECT_EQ(test, query_qp(1, 1), -EIO);
	KUNIT_EXPECT_EQ(test, destroy(1), -EIO);
	close_file();
	KUNIT_EXPECT_EQ(test, fw->sent_n, 2);
}

static void an_unbound_file_does_nothing(struct kunit *test)
{
	s.file->mdx = NULL;
	KUNIT_EXPECT_EQ(test, create_qp(), -ENOTCONN);
	KUNIT_EXPECT_EQ(test, query_qp(1, 1), -ENOTCONN);
	KUNIT_EXPECT_EQ(test, destroy(1), -ENOTCONN);
	s.file->mdx = &s.mdx;
	KUNIT_EXPECT_EQ(test, fw->sent_n, 0);
}

static int general(u16 opcode)
{
	struct mdx_ioc_general cmd = {
		.size = sizeof(cmd),
		.in = (uintptr_t)s.user_in, .in_len = 16,
		.out = (uintptr_t)s.user_out, .out_len = 16,
	};
	struct mdx_ucmd ucmd = { .file = s.file, .cmd = &cmd };
	int ret;

	begin(opcode);
	put_in();
	ret = mdx_ioc_general(&ucmd);
	get_out(16);
	return ret;
}

static void general_commands_own_nothing(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, general(0x100), 0);
	KUNIT_EXPECT_EQ(test, fw->sent[0].uid, UID);
	KUNIT_EXPECT_EQ(test, general(0x800), -EINVAL);
	KUNIT_EXPECT_EQ(test, general(0xa04), -EOPNOTSUPP);
	fw_rule(0x101, -EREMOTEIO, 0x5, 6, 1);
	KUNIT_EXPECT_EQ(test, general(0x101), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, s.out[0], 5);
	KUNIT_EXPECT_EQ(test, fw->sent_n, 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&s.file->objs_n), 0);
}

static struct kunit_case obj_cases[] = {
	KUNIT_CASE(ids_count_from_one_and_never_repeat),
	KUNIT_CASE(the_answer_is_the_devices),
	KUNIT_CASE(every_command_has_the_files_uid),
	KUNIT_CASE(destroys_name_what_was_created),
	KUNIT_CASE(objects_are_unknown_until_answered),
	KUNIT_CASE(what_is_used_cannot_be_destroyed),
	KUNIT_CASE(what_is_destroyed_cannot_be_used),
	KUNIT_CASE(nothing_is_destroyed_twice_at_a_time),
	KUNIT_CASE(a_refused_create_leaves_nothing),
	KUNIT_CASE(a_create_that_fails_has_no_answer),
	KUNIT_CASE(what_cannot_be_answered_is_undone),
	KUNIT_CASE(what_cannot_be_undone_is_left_to_close),
	KUNIT_CASE(a_refused_destroy_keeps_the_object),
	KUNIT_CASE(commands_must_be_about_the_object),
	KUNIT_CASE(general_objects_have_a_type),
	KUNIT_CASE(a_bulk_is_all_its_counters),
	KUNIT_CASE(short_mailboxes_are_refused),
	KUNIT_CASE(unreadable_mailboxes_are_refused),
	KUNIT_CASE(an_unknown_flag_is_refused),
	KUNIT_CASE(ids_run_out),
	KUNIT_CASE(a_file_owns_so_many_objects),
	KUNIT_CASE(each_object_is_charged_for),
	KUNIT_CASE(an_srq_wants_issi_1),
	KUNIT_CASE(a_cq_is_mlx5_cores),
	KUNIT_CASE(a_cq_without_an_eq_is_invalid),
	KUNIT_CASE(a_cq_leaves_mlx5_core_once),
	KUNIT_CASE(a_dct_is_drained_first),
	KUNIT_CASE(a_dct_whose_drain_is_refused_stays),
	KUNIT_CASE(a_drain_is_not_awaited_for_ever),
	KUNIT_CASE(a_drained_dct_is_not_drained_again),
	KUNIT_CASE(close_destroys_each_once),
	KUNIT_CASE(close_destroys_by_level),
	KUNIT_CASE(close_goes_on_while_that_helps),
	KUNIT_CASE(close_ends_when_that_does_not_help),
	KUNIT_CASE(close_does_not_wait_for_a_silent_device),
	KUNIT_CASE(a_dead_device_has_nothing),
	KUNIT_CASE(a_removed_device_does_nothing),
	KUNIT_CASE(an_unbound_file_does_nothing),
	KUNIT_CASE(general_commands_own_nothing),
	{}
};

static int obj_suite_init(struct kunit_suite *suite)
{
	return mdx_obj_end_init();
}

static void obj_suite_exit(struct kunit_suite *suite)
{
	mdx_obj_end_exit();
}

static struct kunit_suite obj_suite = {
	.name = "mdx_obj",
	.suite_init = obj_suite_init,
	.suite_exit = obj_suite_exit,
	.init = obj_init,
	.exit = obj_exit,
	.test_cases = obj_cases,
};

kunit_test_suite(obj_suite);
