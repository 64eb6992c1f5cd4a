// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/file.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/mlx5/device.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

/* Suites call mdx_teardown_init() after the init of the module. */
#undef __init
#define __init

#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"
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

/* The content of a buffer is another user's. */
static bool secret_get(struct mdx_buf *buf, u32 len)
{
	bool got = !env.no_buffers && mdx_pool_get(buf, len);

	if (got)
		memset(buf->mem, ENV_SECRET, len);
	return got;
}

#define mdx_pool_get secret_get

static int insert_or_fail(struct xarray *xa, unsigned long at, void *entry,
			  gfp_t gfp)
{
	return env.no_ids ? -ENOMEM : xa_insert(xa, at, entry, gfp);
}

#define xa_insert insert_or_fail

static void queue_work_fast(struct workqueue_struct *wq, struct work_struct *work)
{
	queue_work(wq, work);
	if (env.fast_workers)
		flush_work(work);
}

#define queue_work queue_work_fast

#include "../kmod/cmd.c"
#include "../kmod/file.c"
#include "../kmod/fw.c"
#include "../kmod/ids.c"
#include "../kmod/ioctl.c"
#include "../kmod/last_error.c"
#include "../kmod/late.c"
#include "../kmod/obj.c"
#include "../kmod/obj_cq.c"
#include "../kmod/obj_dct.c"
#include "../kmod/objs.c"
#include "../kmod/teardown.c"

/* dev.c */
void mdx_dev_put(struct mdx_dev *mdx)
{
}

struct mdx_file *env_file(unsigned int i)
{
	return env.filps[i].private_data;
}

int env_open(unsigned int i, unsigned int context)
{
	struct file *filp = &env.filps[i];
	int ret;

	ret = mdx_file_open(&env.inode, filp);
	if (ret)
		return ret;
	env.file = env_file(i);
	guard(mutex)(&env.file->bind_lock);
	guard(mdx_live)(&env.mdx);
	mdx_file_attach(env.file, &env.mdx, &env.contexts[context],
			ENV_UID + context);
	return 0;
}

void env_close_file(unsigned int i)
{
	struct file *filp = &env.filps[i];

	if (filp->private_data)
		mdx_file_release(&env.inode, filp);
	filp->private_data = NULL;
}

void env_close(void)
{
	unsigned int i;

	for (i = 0; i < ENV_FILES; i++)
		env_close_file(i);
}

/* As client.c */
void env_remove(void)
{
	percpu_down_write(&env.mdx.registration_lock);
	mdx_file_revoke_all(&env.mdx);
	if (env.removing)
		env.removing();
	mdx_late_unwatch(&env.mdx);
	mdx_dct_unwatch(&env.mdx);
	WRITE_ONCE(env.mdx.mdev, NULL);
	percpu_up_write(&env.mdx.registration_lock);
	mdx_late_sync(&env.mdx);
}

static int user_memory_init(struct kunit *test)
{
	unsigned long addr;

	addr = kunit_vm_mmap(test, NULL, 0, ENV_USER_LEN, PROT_READ | PROT_WRITE,
			     MAP_ANONYMOUS | MAP_PRIVATE, 0);
	if (!addr || IS_ERR_VALUE(addr))
		return -ENOMEM;
	env.user = (u8 __user *)addr;
	env.user_in = env.user + PAGE_SIZE;
	env.user_out = env.user + 2 * PAGE_SIZE;
	env.in_addr = (uintptr_t)env.user_in;
	return 0;
}

int env_init(struct kunit *test)
{
	int ret;

	memset(&env, 0, sizeof(env));
	env.test = test;
	ret = fw_init(test);
	if (ret)
		return ret;
	ret = user_memory_init(test);
	if (ret)
		return ret;

	env.mdx.mdev = &fw->mdev;
	env.mdx.ibdev = &fw->ibdev;
	ret = percpu_init_rwsem(&env.mdx.registration_lock);
	if (ret)
		return ret;
	mutex_init(&env.mdx.files_lock);
	spin_lock_init(&env.mdx.leftovers.lock);
	INIT_LIST_HEAD(&env.mdx.files);
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
	KUNIT_EXPECT_TRUE(test, list_empty(&env.mdx.drains.waits));
	env_remove();
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.late.creating), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.refs), 0);
	percpu_free_rwsem(&env.mdx.registration_lock);
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
	KUNIT_ASSERT_EQ(env.test,
			copy_to_user(env.user_in, env.in, sizeof(env.in)), 0);
}

static void get_out(u32 len)
{
	if (copy_from_user(env.out, env.user_out, min(len, sizeof(env.out))))
		memset(env.out, 0, sizeof(env.out));
}

/* @arg becomes the caller's structure as it is afterwards. */
static int issue_ioctl(unsigned int nr, void __user *uarg, void *arg,
		       size_t size)
{
	int ret;

	KUNIT_ASSERT_EQ(env.test, copy_to_user(uarg, arg, size), 0);
	env.caller.private_data = env.file;
	ret = mdx_ioctl(&env.caller, nr, (unsigned long)uarg);
	if (copy_from_user(arg, uarg, size))
		memset(arg, 0xff, size);
	return ret;
}

/* Runs while the device has the command. */
static void hook_unmap(u16 opcode)
{
	fw->hook = NULL;
	vm_munmap((unsigned long)env.user, PAGE_SIZE);
}

/* The page of the structure is there again. */
static void remap_structure(void)
{
	unsigned long addr = (unsigned long)env.user;

	KUNIT_EXPECT_EQ(env.test, addr,
			vm_mmap(NULL, addr, PAGE_SIZE, PROT_READ | PROT_WRITE,
				MAP_ANONYMOUS | MAP_PRIVATE | MAP_FIXED, 0));
}

int env_create_to(u32 in_len, u32 out_len, void __user *out)
{
	struct mdx_ioc_obj_create arg = {
		.size = sizeof(arg),
		.in = env.in_addr, .in_len = in_len,
		.out = (uintptr_t)out, .out_len = out_len,
		.out_id = ENV_UNSET,
	};
	int ret;

	env_put_in();
	ret = issue_ioctl(MDX_IOC_OBJ_CREATE, env.user, &arg, sizeof(arg));
	env.id = ret ? env.file->ids.last : arg.out_id;
	get_out(out_len);
	return ret;
}

int env_create(u32 in_len, u32 out_len)
{
	return env_create_to(in_len, out_len, env.user_out);
}

int env_create_unanswered(u32 in_len, u32 out_len)
{
	int ret;

	fw->hook = hook_unmap;
	ret = env_create(in_len, out_len);
	remap_structure();
	return ret;
}

int env_destroy(u32 id)
{
	struct mdx_ioc_obj_destroy arg = {
		.size = sizeof(arg), .id = id,
		.out_status = ENV_UNSET, .out_syndrome = ENV_UNSET,
	};
	int ret;

	ret = issue_ioctl(MDX_IOC_OBJ_DESTROY, env.user, &arg, sizeof(arg));
	env.status = arg.out_status;
	env.syndrome = arg.out_syndrome;
	return ret;
}

int env_destroy_unanswered(u32 id)
{
	int ret;

	fw->hook = hook_unmap;
	ret = env_destroy(id);
	remap_structure();
	return ret;
}

int env_use(enum mdx_class class, u32 id, u32 in_len, u32 out_len)
{
	struct mdx_ioc_obj_cmd arg = {
		.size = sizeof(arg), .id = id,
		.in = env.in_addr, .in_len = in_len,
		.out = (uintptr_t)env.user_out, .out_len = out_len,
	};
	int ret;

	env_put_in();
	ret = issue_ioctl(class == MDX_OP_QUERY ? MDX_IOC_OBJ_QUERY :
						  MDX_IOC_OBJ_MODIFY,
			  env.user, &arg, sizeof(arg));
	get_out(out_len);
	return ret;
}

int env_general(u32 in_len, u32 out_len)
{
	struct mdx_ioc_general arg = {
		.size = sizeof(arg),
		.in = env.in_addr, .in_len = in_len,
		.out = (uintptr_t)env.user_out, .out_len = out_len,
	};
	int ret;

	env_put_in();
	ret = issue_ioctl(MDX_IOC_GENERAL, env.user, &arg, sizeof(arg));
	get_out(out_len);
	return ret;
}

int env_verbs(enum mdx_class class, u32 handle, u32 obj_type)
{
	struct mdx_ioc_verbs_cmd arg = {
		.size = sizeof(arg), .handle = handle, .obj_type = obj_type,
		.in = env.in_addr, .in_len = sizeof(env.in),
		.out = (uintptr_t)env.user_out, .out_len = MDX_HDR_LEN,
	};

	env_put_in();
	return issue_ioctl(class == MDX_OP_QUERY ? MDX_IOC_VERBS_QUERY :
						   MDX_IOC_VERBS_MODIFY,
			   env.user, &arg, sizeof(arg));
}

int env_bind(int uverbs_fd)
{
	struct mdx_ioc_bind arg = { .size = sizeof(arg), .uverbs_fd = uverbs_fd };

	return issue_ioctl(MDX_IOC_BIND, env.user, &arg, sizeof(arg));
}

int env_create_pd(void)
{
	env_begin(OP(ALLOC_PD));
	return env_create(16, 16);
}

int env_create_qp(void)
{
	env_begin(OP(CREATE_QP));
	return env_create(272, 16);
}

int env_create_cq(void)
{
	env_begin(OP(CREATE_CQ));
	return env_create(272, 16);
}

int env_create_dct(void)
{
	env_begin(OP(CREATE_DCT));
	return env_create(128, 16);
}

int env_query_qp(u32 id, u32 qpn)
{
	env_begin(OP(QUERY_QP));
	bits_put(env.in, 0x48, 24, qpn);
	return env_use(MDX_OP_QUERY, id, 16, 16);
}

int env_hold(u32 id, bool exclusive)
{
	struct mdx_obj *obj = obj_get(env.file, id, exclusive);

	if (IS_ERR(obj))
		return PTR_ERR(obj);
	if (exclusive)
		obj_put_exclusive(obj);
	else
		obj_put(obj);
	return 0;
}

struct mdx_obj *env_obj(u32 id)
{
	struct mdx_obj *obj;

	mdx_ids_lock(&env.file->ids);
	obj = mdx_ids_find(&env.file->ids, id);
	mdx_ids_unlock(&env.file->ids);
	return obj;
}

int env_objs_n(void)
{
	return atomic_read(&env.file->objs_n);
}

int env_suite_init(struct kunit_suite *suite)
{
	return mdx_teardown_init();
}

void env_suite_exit(struct kunit_suite *suite)
{
	mdx_teardown_exit();
}
