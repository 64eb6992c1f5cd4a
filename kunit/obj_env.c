// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/anon_inodes.h>
#include <linux/eventfd.h>
#include <linux/file.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/mlx5/device.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

/* Suites call mdx_teardown_init() after the init of the module. */
#undef __init
#define __init

#include "chan_env.h"
#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "optab_rows.h"
#include "verbs_env.h"
#include "../kmod/compat.h"
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
				 u8 status, u32 syndrome, int ret, u64 ns,
				 pid_t pid)
{
}

static inline bool trace_mdx_cmd_enabled(void)
{
	return true;
}

#define mdx_get_file_active verbs_file_active

static void env_fput(struct file *filp)
{
	if (!chan_fput(filp))
		verbs_fput(filp);
}

#define fput env_fput
#define fget chan_fget
#define get_unused_fd_flags chan_unused_fd
#define put_unused_fd chan_put_unused_fd
#define anon_inode_getfile chan_getfile
#define fd_install chan_fd_install

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

#include "../kmod/budget.c"
#include "../kmod/chan.c"
#include "../kmod/channel.c"
#include "../kmod/cmd.c"
#include "../kmod/deliver.c"
#include "../kmod/done.c"
#include "../kmod/event.c"
#include "../kmod/eventq.c"
#include "../kmod/file.c"
#include "../kmod/fw.c"
#include "../kmod/ids.c"
#include "../kmod/ioctl.c"
#include "../kmod/last_error.c"
#include "../kmod/late.c"
#include "../kmod/leftovers.c"
#include "../kmod/list.c"
#include "../kmod/obj.c"
#include "../kmod/obj_cq.c"
#include "../kmod/obj_dct.c"
#include "../kmod/objs.c"
#include "../kmod/owner.c"
#include "../kmod/slot.c"
#include "../kmod/subs.c"
#include "../kmod/submit.c"
#include "../kmod/submit_args.c"
#include "../kmod/submit_async.c"
#include "../kmod/submit_run.c"
#include "../kmod/submitter.c"
#include "../kmod/subscribe.c"
#include "../kmod/teardown.c"
#include "../kmod/umem_reg.c"

/* The test has a reference. */
static void dev_unreferenced(struct kref *ref)
{
	KUNIT_FAIL(env.test, "the device has no reference");
}

/* dev.c */
void mdx_dev_put(struct mdx_dev *mdx)
{
	kref_put(&mdx->ref, dev_unreferenced);
}

struct mdx_file *env_file(unsigned int i)
{
	return env.filps[i].private_data;
}

struct mdx_owner *env_owner(unsigned int i)
{
	return env_file(i)->owner;
}

unsigned int env_owners_n(void)
{
	guard(mutex)(&env.mdx.owners_lock);
	return list_count_nodes(&env.mdx.owners);
}

unsigned int env_kept_n(void)
{
	struct mdx_owner *owner;
	unsigned int n = 0;

	guard(mutex)(&env.mdx.owners_lock);
	list_for_each_entry(owner, &env.mdx.owners, entry)
		n += list_count_nodes(&owner->kept.all);
	return n;
}

void env_settle(void)
{
	mdx_owner_exit();
}

int env_open_unbound(unsigned int i)
{
	struct file *filp = &env.filps[i];
	int ret;

	ret = mdx_file_open(&env.inode, filp);
	if (!ret)
		env.file = env_file(i);
	return ret;
}

/* As bind.c, but without a command */
static int attach_file(struct mdx_owner *owner, unsigned int context, bool share)
{
	int ret = 0;

	guard(mutex)(&env.file->bind_lock);
	guard(mutex)(&owner->bind_lock);
	guard(mdx_live)(&env.mdx);
	guard(mdx_owner_live)(owner);
	if (!owner->uid)
		ret = verbs_anchor(owner, &verbs_contexts[context]);
	if (ret)
		return ret;
	owner->uid = ENV_UID + context;
	mdx_owner_attach(owner, env.file, share);
	return 0;
}

static int open_bound(unsigned int i, unsigned int context, bool share)
{
	struct mdx_owner *owner;
	int ret;

	ret = env_open_unbound(i);
	if (ret)
		return ret;
	owner = mdx_owner_get(&env.mdx, &verbs_contexts[context].file);
	if (!owner)
		return -ENOMEM;
	ret = attach_file(owner, context, share);
	if (ret)
		mdx_owner_put(owner);
	return ret;
}

int env_open(unsigned int i, unsigned int context)
{
	return open_bound(i, context, false);
}

int env_open_shared(unsigned int i, unsigned int context)
{
	return open_bound(i, context, true);
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
static bool dev_remove(bool unloading)
{
	percpu_down_write(&env.mdx.registration_lock);
	env.mdx.unloading = unloading;
	mdx_owner_revoke_all(&env.mdx);
	if (env.removing)
		env.removing();
	mdx_event_unwatch(&env.mdx);
	mdx_late_unwatch(&env.mdx);
	mdx_dct_unwatch(&env.mdx);
	WRITE_ONCE(env.mdx.removed, true);
	percpu_up_write(&env.mdx.registration_lock);
	mdx_late_sync(&env.mdx);
	return mdx_owner_release_unused(&env.mdx);
}

void env_remove(void)
{
	dev_remove(false);
}

bool env_unload(void)
{
	return dev_remove(true);
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

	ret = verbs_init(test);
	if (ret)
		return ret;

	env.mdx.mdev = &fw->mdev;
	env.mdx.ibdev = &fw->ibdev;
	ret = percpu_init_rwsem(&env.mdx.registration_lock);
	if (ret)
		return ret;
	env.mdx.workers = alloc_workqueue("mlx5_devx_kunit", WQ_UNBOUND, 31);
	if (!env.mdx.workers)
		return -ENOMEM;
	refcount_set(&fw->ibdev.refcount, 1);
	kref_init(&env.mdx.ref);
	mutex_init(&env.mdx.owners_lock);
	spin_lock_init(&env.mdx.leftovers.lock);
	INIT_LIST_HEAD(&env.mdx.owners);
	mdx_budget_init(&env.mdx.long_mboxes);
	mutex_init(&env.mdx.events.lock);
	mdx_dct_watch(&env.mdx);
	mdx_late_watch(&env.mdx);
	return env_open(0, 0);
}

/* Objects that the device keeps are charged until it is removed. */
void env_exit(struct kunit *test)
{
	unsigned int i;

	if (!fw)
		return;
	env_close();
	for (i = 0; i < VERBS_CONTEXTS; i++)
		verbs_end(&verbs_contexts[i],
			  env.mdx.removed ? VERBS_REMOVE : VERBS_CLOSE);
	env_settle();
	KUNIT_EXPECT_EQ(test, fw->charges, env_kept_n());
	KUNIT_EXPECT_EQ(test, fw->cqs, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&env.mdx.drains.waits));
	if (!env.mdx.removed)
		env_remove();
	KUNIT_EXPECT_EQ(test, env_owners_n(), 0);
	KUNIT_EXPECT_EQ(test, kref_read(&env.mdx.ref), 1);
	KUNIT_EXPECT_EQ(test, fw->charges, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&env.mdx.late.creating), 0);
	verbs_exit(test);
	destroy_workqueue(env.mdx.workers);
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
	env.id = ret ? env.file->objs->ids.last : arg.out_id;
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

struct mdx_obj *env_create_direct(void)
{
	u8 in[MDX_HDR_LEN] = {}, out[MDX_HDR_LEN];
	struct mdx_ioc_obj_create arg = {};
	struct mdx_ucmd ucmd = {
		.file = env.file, .owner = env.file->owner, .mdx = &env.mdx,
		.arg = &arg,
		.cmd = {
			.file = env.file, .op = op_creator(OP(ALLOC_PD)),
			.in = in, .in_len = sizeof(in),
			.out = out, .out_len = sizeof(out),
		},
	};

	ucmd.cmd.err = &ucmd.err;
	bits_put(in, 0, 16, OP(ALLOC_PD));
	guard(mdx_live)(&env.mdx);
	return mdx_ioc_obj_create(&ucmd) ? NULL : ucmd.new_obj;
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

int env_bind_pd(int uverbs_fd, u32 pd_handle, u32 flags)
{
	struct mdx_ioc_bind arg = {
		.size = sizeof(arg), .flags = flags,
		.uverbs_fd = uverbs_fd, .pd_handle = pd_handle,
	};

	return issue_ioctl(MDX_IOC_BIND, env.user, &arg, sizeof(arg));
}

int env_bind(int uverbs_fd)
{
	return env_bind_pd(uverbs_fd, 0, 0);
}

int env_list(u32 from_id, u32 n, struct mdx_ioc_obj_list *arg)
{
	*arg = (struct mdx_ioc_obj_list){
		.size = sizeof(*arg), .from_id = from_id, .objs_n = n,
		.objs = (uintptr_t)env.user_out,
	};
	return issue_ioctl(MDX_IOC_OBJ_LIST, env.user, arg, sizeof(*arg));
}

int env_info(struct mdx_ioc_info *info)
{
	*info = (struct mdx_ioc_info){ .size = sizeof(*info) };
	return issue_ioctl(MDX_IOC_INFO, env.user, info, sizeof(*info));
}

void env_put_general(u32 in_len, u32 out_len)
{
	struct mdx_ioc_general arg = {
		.size = sizeof(arg),
		.in = env.in_addr, .in_len = in_len,
		.out = (uintptr_t)env.user_out, .out_len = out_len,
	};

	env_put_in();
	KUNIT_ASSERT_EQ(env.test, copy_to_user(env.user, &arg, sizeof(arg)), 0);
}

int env_send_general(struct mm_struct *mm)
{
	int ret;

	kthread_use_mm(mm);
	env.caller.private_data = env.file;
	ret = mdx_ioctl(&env.caller, MDX_IOC_GENERAL, (unsigned long)env.user);
	kthread_unuse_mm(mm);
	return ret;
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
	struct mdx_obj *obj = obj_get(env.file->objs, id, exclusive);

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

	mdx_ids_lock(&env.file->objs->ids);
	obj = mdx_ids_find(&env.file->objs->ids, id);
	mdx_ids_unlock(&env.file->objs->ids);
	return obj;
}

int env_objs_n(void)
{
	return atomic_read(&env.file->objs->n);
}

int env_suite_init(struct kunit_suite *suite)
{
	return mdx_teardown_init();
}

void env_suite_exit(struct kunit_suite *suite)
{
	mdx_teardown_exit();
}
