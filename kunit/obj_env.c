// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/file.h>
#include <linux/interrupt.h>
#include <linux/mlx5/device.h>
#include <linux/mman.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "bits.h"
#include "fake_fw.h"
#include "obj_env.h"
#include "../kmod/pool.h"

struct obj_env env;

#define mlx5_cmd_do fw_cmd_do
#define mlx5_create_cq fw_create_cq
#define mlx5_core_destroy_cq fw_destroy_cq
#define mlx5_eq_notifier_register fw_nb_register
#define mlx5_eq_notifier_unregister fw_nb_unregister
#define rdmacg_try_charge fw_charge
#define rdmacg_uncharge fw_uncharge
#define synchronize_irq(irq) ((void)(irq))

/* Instead of the tracepoint */
#define MDX_TRACE_H
static inline void trace_mdx_cmd(const char *dev, u16 uid, u16 opcode, u32 obj,
				 u8 status, u32 syndrome, int ret, u64 ns)
{
}

static inline bool trace_mdx_cmd_enabled(void)
{
	return true;
}

static struct file *context_get(struct file *context)
{
	atomic_inc(&env.refs);
	return context;
}

static void context_put(struct file *context)
{
	atomic_dec(&env.refs);
}

#undef get_file
#define get_file context_get
#define fput context_put

/* What is in a buffer is somebody else's. */
static void *secret_get(size_t len)
{
	void *buf = env.no_buffers ? NULL : mdx_pool_get(len);

	if (buf)
		memset(buf, ENV_SECRET, len);
	return buf;
}

#define mdx_pool_get secret_get

/* A worker that is faster than who asked for it. */
static void queue_work_fast(struct workqueue_struct *wq, struct work_struct *work)
{
	queue_work(wq, work);
	if (env.fast_helpers)
		flush_work(work);
}

#define queue_work queue_work_fast

#include "../kmod/cmd.c"
#include "../kmod/file.c"
#include "../kmod/ids.c"
#include "../kmod/obj.c"
#include "../kmod/obj_cq.c"
#include "../kmod/obj_dct.c"
#include "../kmod/late.c"
#include "../kmod/obj_end.c"

/* dev.c */
void mdx_dev_put(struct mdx_dev *mdx)
{
}

int env_open(unsigned int i, unsigned int context)
{
	struct file *filp = &env.filps[i];
	int ret;

	ret = mdx_open(&env.inode, filp);
	if (ret)
		return ret;
	env.file = filp->private_data;
	mutex_lock(&env.file->bind_lock);
	percpu_down_read(&env.mdx.live_sem);
	mdx_file_attach(env.file, &env.mdx,
			context_get(&env.contexts[context]), UID + context);
	percpu_up_read(&env.mdx.live_sem);
	mutex_unlock(&env.file->bind_lock);
	return 0;
}

void env_close_file(unsigned int i)
{
	struct file *filp = &env.filps[i];

	if (filp->private_data)
		mdx_release(&env.inode, filp);
	filp->private_data = NULL;
}

void env_close(void)
{
	unsigned int i;

	for (i = 0; i < FILES_MAX; i++)
		env_close_file(i);
}

/* As dev.c */
void env_remove(void)
{
	struct mdx_file *file, *next;

	percpu_down_write(&env.mdx.live_sem);
	mutex_lock(&env.mdx.files_lock);
	list_for_each_entry_safe(file, next, &env.mdx.files, entry) {
		mdx_obj_inherit(file);
		mdx_obj_destroy_all(file);
		mdx_obj_leave(file, NULL);
		context_put(mdx_file_detach(file));
	}
	mutex_unlock(&env.mdx.files_lock);
	if (env.removing)
		env.removing();
	mdx_late_unwatch(&env.mdx);
	mdx_dct_unwatch(&env.mdx);
	env.mdx.mdev = NULL;
	percpu_up_write(&env.mdx.live_sem);
	mdx_late_sync(&env.mdx);
}

int env_init(struct kunit *test)
{
	unsigned long addr;
	int ret;

	memset(&env, 0, sizeof(env));
	env.test = test;
	ret = fw_init(test);
	if (ret)
		return ret;
	addr = kunit_vm_mmap(test, NULL, 0, USER_LEN, PROT_READ | PROT_WRITE,
			     MAP_ANONYMOUS | MAP_PRIVATE, 0);
	if (!addr || IS_ERR_VALUE(addr))
		return -ENOMEM;
	env.user = (u8 __user *)addr;
	env.user_in = env.user + PAGE_SIZE;
	env.user_out = env.user + 2 * PAGE_SIZE;
	env.in_addr = (uintptr_t)env.user_in;

	env.mdx.mdev = &fw->mdev;
	env.mdx.ibdev = &fw->ibdev;
	ret = percpu_init_rwsem(&env.mdx.live_sem);
	if (ret)
		return ret;
	mutex_init(&env.mdx.files_lock);
	INIT_LIST_HEAD(&env.mdx.files);
	spin_lock_init(&env.mdx.drain_lock);
	INIT_LIST_HEAD(&env.mdx.draining);
	mdx_dct_watch(&env.mdx);
	mdx_late_watch(&env.mdx);
	return env_open(0, 0);
}

void env_exit(struct kunit *test)
{
	if (!fw)
		return;
	env_close();
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&env.mdx.draining));
	env_remove();
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.creating), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.refs), 0);
	percpu_free_rwsem(&env.mdx.live_sem);
	fw_exit();
}

void env_begin(u16 opcode)
{
	memset(env.in, 0, sizeof(env.in));
	bits_put(env.in, 0, 16, opcode);
	bits_put(env.in, 0x10, 16, 0xdead);
}

void env_put_in(void)
{
	KUNIT_ASSERT_EQ(env.test, copy_to_user(env.user_in, env.in, sizeof(env.in)), 0);
}

static void env_get_out(u32 len)
{
	if (copy_from_user(env.out, env.user_out, min(len, sizeof(env.out))))
		memset(env.out, 0, sizeof(env.out));
}

int env_create_at(u32 in_len, u32 out_len, void __user *arg, void __user *out)
{
	struct mdx_ioc_obj_create cmd = {
		.size = sizeof(cmd),
		.in = env.in_addr, .in_len = in_len,
		.out = (uintptr_t)out, .out_len = out_len,
	};
	struct mdx_ucmd ucmd = {
		.file = env.file, .ubuf = arg, .usize = sizeof(cmd),
		.ksize = sizeof(cmd), .cmd = &cmd,
	};
	int ret;

	env_put_in();
	ret = mdx_ioc_obj_create(&ucmd);
	if (ret || copy_from_user(&env.id, arg + offsetof(typeof(cmd), out_id),
				  sizeof(env.id)))
		env.id = env.file->ids.last;
	env_get_out(out_len);
	return ret;
}

int env_create(u32 in_len, u32 out_len)
{
	return env_create_at(in_len, out_len, env.user, env.user_out);
}

int env_create_pd(void)
{
	env_begin(0x800);
	return env_create(16, 16);
}

int env_use(enum mdx_class class, u32 id, u32 in_len, u32 out_len)
{
	struct mdx_ioc_obj_cmd cmd = {
		.size = sizeof(cmd), .id = id,
		.in = env.in_addr, .in_len = in_len,
		.out = (uintptr_t)env.user_out, .out_len = out_len,
	};
	struct mdx_ucmd ucmd = {
		.file = env.file, .ubuf = env.user, .usize = sizeof(cmd),
		.ksize = sizeof(cmd), .cmd = &cmd,
	};
	int ret;

	env_put_in();
	ret = class == MDX_OP_QUERY ? mdx_ioc_obj_query(&ucmd) :
				      mdx_ioc_obj_modify(&ucmd);
	env_get_out(out_len);
	return ret;
}

int env_destroy(u32 id)
{
	struct mdx_ioc_obj_destroy cmd = { .size = sizeof(cmd), .id = id };
	struct mdx_ucmd ucmd = {
		.file = env.file, .ubuf = env.user, .usize = sizeof(cmd),
		.ksize = sizeof(cmd), .cmd = &cmd,
	};
	int ret;

	ret = mdx_ioc_obj_destroy(&ucmd);
	if ((!ret || ret == -EREMOTEIO) &&
	    copy_from_user(&cmd, env.user, sizeof(cmd)))
		memset(&cmd, 0xff, sizeof(cmd));
	env.status = cmd.out_status;
	env.syndrome = cmd.out_syndrome;
	return ret;
}

int env_create_qp(void)
{
	env_begin(0x500);
	return env_create(272, 16);
}

int env_query_qp(u32 id, u32 qpn)
{
	env_begin(0x50b);
	bits_put(env.in, 0x48, 24, qpn);
	return env_use(MDX_OP_QUERY, id, 16, 16);
}

int env_general(u32 in_len, u32 out_len)
{
	struct mdx_ioc_general cmd = {
		.size = sizeof(cmd),
		.in = env.in_addr, .in_len = in_len,
		.out = (uintptr_t)env.user_out, .out_len = out_len,
	};
	struct mdx_ucmd ucmd = { .file = env.file, .cmd = &cmd };
	int ret;

	env_put_in();
	ret = mdx_ioc_general(&ucmd);
	env_get_out(out_len);
	return ret;
}

int env_suite_init(struct kunit_suite *suite)
{
	return mdx_obj_end_init();
}

void env_suite_exit(struct kunit_suite *suite)
{
	mdx_obj_end_exit();
}
