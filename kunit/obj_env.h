/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A file that is bound to a device with a firmware of the test's (fake_fw.h), and
 * its ioctls, on real user memory.
 */
#ifndef MDX_KUNIT_OBJ_ENV_H
#define MDX_KUNIT_OBJ_ENV_H

#include <kunit/test.h>
#include <linux/fs.h>

#include "../kmod/dev.h"
#include "../kmod/file.h"
#include "../kmod/obj.h"
#include "../kmod/objs.h"
#include "../kmod/optab.h"
#include "../kmod/teardown.h"
#include "../kmod/ucmd.h"

#define ENV_UID 0x2b
#define ENV_USER_LEN (4 * PAGE_SIZE)
/* From user_out to the end */
#define ENV_OUT_LEN (2 * PAGE_SIZE)

/* Content of every buffer of the pool */
#define ENV_SECRET 0x5e

/* Fields that the kernel writes, before an ioctl */
#define ENV_UNSET 0xa5a5a5a5

#define ENV_FILES 3

/* Objects that env_list() can list at a time */
#define ENV_LIST_MAX 64

/**
 * struct obj_env - State of a test
 * @test: the test
 * @mdx: the device
 * @inode: of the node
 * @filps: open files
 * @file: the calls below are ioctls of this file
 * @caller: the struct file of such a call
 * @no_buffers: the pool is empty and stays so
 * @no_ids: no memory for a chunk of the id table
 * @fast_workers: a worker is faster than the task that queued it
 * @other_netns: the device is in another network namespace
 * @removing: runs while the device is being removed
 * @user: user memory: a page with the structure
 * @user_in: a page with the input
 * @user_out: two pages for the answer
 * @in_addr: address of the input in the structures
 * @in: the input
 * @out: first part of the answer
 * @id: object of the last create; newest id if that failed
 * @status: of the last destroy
 * @syndrome: of the last destroy
 * @hook_id: object that a hook concerns
 * @hook_ret: result of a hook
 */
struct obj_env {
	struct kunit *test;
	struct mdx_dev mdx;
	struct inode inode;
	struct file filps[ENV_FILES];
	struct mdx_file *file;
	struct file caller;
	bool no_buffers;
	bool no_ids;
	bool fast_workers;
	bool other_netns;
	void (*removing)(void);
	u8 __user *user;
	u8 __user *user_in;
	u8 __user *user_out;
	u64 in_addr;
	u8 in[1024];
	u8 out[1024];
	u32 id;
	u32 status;
	u32 syndrome;
	u32 hook_id;
	int hook_ret;
};

extern struct obj_env env;

int env_suite_init(struct kunit_suite *suite);
void env_suite_exit(struct kunit_suite *suite);
int env_init(struct kunit *test);
void env_exit(struct kunit *test);
/* All files */
void env_close(void);
void env_remove(void);
/* As env_remove(), for the module is unloaded. Return: no owner is left */
bool env_unload(void);

/*
 * File @i, bound to a context, is env.file from now on. The first is open, in
 * context 0.
 */
int env_open(unsigned int i, unsigned int context);
/* As env_open(), with MDX_BIND_SHARE */
int env_open_shared(unsigned int i, unsigned int context);
/* File @i is env.file from now on, and not bound. */
int env_open_unbound(unsigned int i);
void env_close_file(unsigned int i);
struct mdx_file *env_file(unsigned int i);
struct mdx_owner *env_owner(unsigned int i);
/* Owners of the device, bound or not */
unsigned int env_owners_n(void);
/* Objects of all owners that the device has, as far as they are kept */
unsigned int env_kept_n(void);
/* Waits until it is known how contexts have ended that failed to. */
void env_settle(void);

/* Begins a command in env.in; the calls below send the content of env.in. */
void env_begin(u16 opcode);
void env_put_in(void);

/* The buffer of the answer may be unwritable. */
int env_create_to(u32 in_len, u32 out_len, void __user *out);
int env_create(u32 in_len, u32 out_len);
/* The structure becomes unwritable while the device has the command. */
int env_create_unanswered(u32 in_len, u32 out_len);
/*
 * A PD without user memory, which other tasks do not have: not answered yet, so
 * neither finalized nor aborted. NULL: the create failed.
 */
struct mdx_obj *env_create_direct(void);
int env_destroy_unanswered(u32 id);
int env_use(enum mdx_class class, u32 id, u32 in_len, u32 out_len);
int env_verbs(enum mdx_class class, u32 handle, u32 obj_type);
int env_bind(int uverbs_fd);
int env_bind_pd(int uverbs_fd, u32 pd_handle, u32 flags);
int env_destroy(u32 id);
int env_general(u32 in_len, u32 out_len);
/* Leaves the structure of MDX_IOC_GENERAL in env.user, for tasks that send it. */
void env_put_general(u32 in_len, u32 out_len);
/* In a task without memory of its own: MDX_IOC_GENERAL of env.file, of env.user */
int env_send_general(struct mm_struct *mm);
/* The list goes to user_out. */
int env_list(u32 from_id, u32 n, struct mdx_ioc_obj_list *arg);
int env_info(struct mdx_ioc_info *info);

int env_create_pd(void);
int env_create_qp(void);
int env_create_cq(void);
int env_create_dct(void);
int env_query_qp(u32 id, u32 qpn);

/* Holds an object and lets it go, as an ioctl of another task would. */
int env_hold(u32 id, bool exclusive);
/* The object of an id of env.file; NULL: there is none. */
struct mdx_obj *env_obj(u32 id);
int env_objs_n(void);

#endif /* MDX_KUNIT_OBJ_ENV_H */
