// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/mman.h>

#include "fake_dispatch.h"
#include "../kmod/teardown.h"

struct fake_dispatch dispatch;

/* obj_env.c has mdx_ioctl(). */
#define mdx_ioctl dispatch_unused
#define mdx_cmd_fetch dispatch_fetch
#define mdx_cmd_exec dispatch_exec
#define mdx_cmd_respond dispatch_respond
#define mdx_cmd_free dispatch_free
#define __mdx_cmd_admit dispatch_admit
#define __mdx_cmd_leave dispatch_leave
#define mdx_obj_finalize dispatch_finalize
#define mdx_obj_abort dispatch_abort

#include "../kmod/ioctl.c"

static void handler_called(struct mdx_file *file)
{
	dispatch.handled++;
	dispatch.slots = atomic_read(&dispatch.owner.slots.used);
	dispatch.live = file->owner &&
			percpu_is_read_locked(&dispatch.mdx.registration_lock) &&
			rwsem_is_locked(&dispatch.owner.life_lock);
}

/* In place of a handler */
static int handle_fake(struct mdx_ucmd *ucmd)
{
	handler_called(ucmd->file);
	memcpy(dispatch.seen, ucmd->arg, sizeof(union ioctl_arg));
	if (dispatch.fill)
		memset(ucmd->arg, DISPATCH_FILL, sizeof(union ioctl_arg));
	if (dispatch.lose)
		ucmd->ubuf = NULL;
	ucmd->new_obj = dispatch.new_obj;
	return dispatch.ret;
}

/* Every command has to be admitted. */
static const struct mdx_op gated_op = { .flags = MDX_OP_F_OBJ_TYPE };

int dispatch_fetch(struct mdx_cmd *cmd, struct mdx_file *file,
		   struct mdx_err_info *err, const struct mdx_ioc_general *arg,
		   enum mdx_class class)
{
	dispatch.fetched++;
	dispatch.class = class;
	cmd->file = file;
	cmd->op = &gated_op;
	if (dispatch.remove)
		dispatch.mdx.removed = true;
	if (dispatch.end)
		dispatch.owner.ended = true;
	return dispatch.fetch_ret;
}

/* The handler of MDX_IOC_GENERAL has nothing else. */
int dispatch_exec(struct mdx_cmd *cmd, u32 id)
{
	handler_called(cmd->file);
	return dispatch.ret;
}

int dispatch_admit(struct mdx_cmd *cmd)
{
	dispatch.admitted++;
	return dispatch.admit_ret;
}

void dispatch_leave(struct mdx_cmd *cmd)
{
	dispatch.admitted--;
}

int dispatch_respond(struct mdx_cmd *cmd, int ret)
{
	dispatch.responded++;
	dispatch.result = ret;
	return dispatch.respond_ret ? dispatch.respond_ret : ret;
}

void dispatch_free(struct mdx_cmd *cmd)
{
	dispatch.freed++;
}

void dispatch_finalize(struct mdx_file *file, struct mdx_obj *obj)
{
	dispatch.finalized++;
	dispatch.obj = obj;
}

void dispatch_abort(struct mdx_file *file, struct mdx_obj *obj)
{
	dispatch.aborted++;
	dispatch.obj = obj;
}

int dispatch_answer_nowhere(unsigned int cmd, u8 *stage)
{
	const struct ioctl_op *op = &ioctl_ops[cmd];
	union ioctl_arg arg = {};
	struct mdx_ucmd ucmd = {
		.file = &dispatch.file, .arg = &arg, .usize = op->size,
	};
	int ret;

	ret = ucmd_respond(&ucmd, op, op->execute(&ucmd));
	*stage = ucmd.err.stage;
	return ret;
}

long dispatch_ioctl(unsigned int cmd, unsigned long arg)
{
	struct ioctl_op op = ioctl_ops[cmd];
	union ioctl_arg copy;
	struct mdx_ucmd ucmd = {
		.file = &dispatch.file, .ubuf = (void __user *)arg, .arg = &copy,
	};
	long ret;

	if (op.execute != ioctl_info && op.execute != ioctl_general &&
	    op.execute != mdx_ioc_last_error)
		op.execute = handle_fake;
	ret = ucmd_run(&ucmd, &op);
	dispatch.stage = ucmd.err.stage;
	return ret;
}

unsigned int dispatch_rows(void)
{
	return ARRAY_SIZE(ioctl_ops);
}

u32 dispatch_size(unsigned int cmd)
{
	return ioctl_ops[cmd].execute ? ioctl_ops[cmd].size : 0;
}

u32 dispatch_min_size(unsigned int cmd)
{
	return ioctl_ops[cmd].min_size;
}

void dispatch_prepare(u32 size)
{
	memset(dispatch.image, 0, DISPATCH_LEN);
	memcpy(dispatch.image, &size, sizeof(size));
}

long dispatch_issue(struct kunit *test, unsigned int cmd)
{
	KUNIT_ASSERT_EQ(test, copy_to_user(dispatch.user, dispatch.image,
					   DISPATCH_LEN), 0);
	return dispatch_ioctl(cmd, (unsigned long)dispatch.user);
}

long dispatch_call(struct kunit *test, unsigned int cmd, u32 size)
{
	dispatch_prepare(size);
	return dispatch_issue(test, cmd);
}

long dispatch_call_with(struct kunit *test, unsigned int cmd, u32 size,
			size_t at, u8 byte)
{
	dispatch_prepare(size);
	dispatch.image[at] = byte;
	return dispatch_issue(test, cmd);
}

bool dispatch_unwritten(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, copy_from_user(dispatch.now, dispatch.user,
					     DISPATCH_LEN), 0);
	return !memcmp(dispatch.now, dispatch.image, DISPATCH_LEN);
}

bool dispatch_untouched(struct kunit *test)
{
	return !dispatch.handled && !dispatch.fetched &&
	       dispatch_unwritten(test);
}

unsigned int dispatch_filled(struct kunit *test)
{
	unsigned int n = 0;

	KUNIT_ASSERT_EQ(test, copy_from_user(dispatch.now, dispatch.user,
					     DISPATCH_LEN), 0);
	while (n < DISPATCH_LEN && dispatch.now[n] == DISPATCH_FILL)
		n++;
	KUNIT_EXPECT_NULL(test, memchr(dispatch.now + n, DISPATCH_FILL,
				       DISPATCH_LEN - n));
	return n;
}

int dispatch_init(struct kunit *test)
{
	unsigned long addr;

	BUILD_BUG_ON(sizeof(union ioctl_arg) > sizeof(dispatch.seen));
	memset(&dispatch, 0, sizeof(dispatch));
	addr = kunit_vm_mmap(test, NULL, 0, DISPATCH_LEN,
			     PROT_READ | PROT_WRITE,
			     MAP_ANONYMOUS | MAP_PRIVATE, 0);
	if (!addr || IS_ERR_VALUE(addr))
		return -ENOMEM;
	dispatch.user = (u8 __user *)addr;
	dispatch.image = kunit_kzalloc(test, DISPATCH_LEN, GFP_KERNEL);
	dispatch.now = kunit_kzalloc(test, DISPATCH_LEN, GFP_KERNEL);
	if (!dispatch.image || !dispatch.now)
		return -ENOMEM;
	dispatch.filp.private_data = &dispatch.file;
	spin_lock_init(&dispatch.file.last_error_lock);
	mdx_slots_init(&dispatch.owner.slots, MDX_SLOTS_MAX);
	mdx_slots_init(&dispatch.owner.throttled_slots, MDX_SLOTS_THROTTLED);
	init_rwsem(&dispatch.owner.life_lock);
	mdx_objs_init(&dispatch.file.own);
	dispatch.owner.mdx = &dispatch.mdx;
	dispatch.file.objs = &dispatch.file.own;
	dispatch.file.owner = &dispatch.owner;
	return percpu_init_rwsem(&dispatch.mdx.registration_lock);
}

void dispatch_exit(struct kunit *test)
{
	percpu_free_rwsem(&dispatch.mdx.registration_lock);
}
