/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A file that is bound to a device with a firmware of the test's (fake_fw.h), and
 * the ioctls about its objects, on real user memory.
 */
#ifndef MDX_KUNIT_OBJ_ENV_H
#define MDX_KUNIT_OBJ_ENV_H

#include <kunit/test.h>
#include <linux/fs.h>

#include "../kmod/mdx.h"
#include "../kmod/obj.h"
#include "../kmod/optab.h"

#define UID 0x2b
#define USER_LEN (4 * PAGE_SIZE)
/* From user_out to the end */
#define USER_OUT_LEN (2 * PAGE_SIZE)

/* In every buffer of the pool */
#define ENV_SECRET 0x5e

/* Files of ours that may be open at a time */
#define FILES_MAX 3

struct obj_env {
	struct kunit *test;
	struct mdx_dev mdx;
	struct inode inode;
	struct file filps[FILES_MAX];
	/* Verbs contexts, and how often they are referred to */
	struct file contexts[2];
	atomic_t refs;
	/* Whose ioctls the calls below are */
	struct mdx_file *file;
	/* The pool is empty and stays so. */
	bool no_buffers;
	bool fast_helpers;
	/* Runs when the device is being removed, and nothing else does */
	void (*removing)(void);
	u8 __user *user;
	u8 __user *user_in;
	u8 __user *user_out;
	/* What the calls say where the input is */
	u64 in_addr;
	u8 in[1024];
	u8 out[1024];
	/* Of the last call */
	u32 id;
	u8 status;
	u32 syndrome;
	/* What the hook does, and what came of it */
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

/*
 * File @i, bound to a context, is env.file from now on. The first is open, in
 * context 0.
 */
int env_open(unsigned int i, unsigned int context);
void env_close_file(unsigned int i);

/* Begins a command in env.in; the calls below send what is there. */
void env_begin(u16 opcode);
void env_put_in(void);

/* The user's structure or its answer's buffer may be unwritable. */
int env_create_at(u32 in_len, u32 out_len, void __user *arg, void __user *out);
int env_create(u32 in_len, u32 out_len);
int env_use(enum mdx_class class, u32 id, u32 in_len, u32 out_len);
int env_destroy(u32 id);
int env_general(u32 in_len, u32 out_len);

int env_create_pd(void);
int env_create_qp(void);
int env_query_qp(u32 id, u32 qpn);

#endif /* MDX_KUNIT_OBJ_ENV_H */
