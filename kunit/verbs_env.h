/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Verbs contexts of the test's, in place of ib_uverbs and rdma_core: their files, PDs
 * and ends. bind.c, anchor.c and interop.c are run on them.
 */
#ifndef MDX_KUNIT_VERBS_ENV_H
#define MDX_KUNIT_VERBS_ENV_H

#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/types.h>
#include <rdma/ib_verbs.h>

struct mdx_owner;

#define VERBS_CONTEXTS 2
/* PDs of a context, with handles from 0 on */
#define VERBS_PDS 3
/* A descriptor of a file that is not one of uverbs; contexts have 0 and 1. */
#define VERBS_OTHER_FD VERBS_CONTEXTS

/* Numbers of the PDs in the device, from the handle on */
#define VERBS_PDN 0x30

/* Why a context ends */
#define VERBS_CLOSE RDMA_REMOVE_CLOSE
#define VERBS_REMOVE RDMA_REMOVE_DRIVER_REMOVE

/**
 * struct verbs_context - A verbs context
 * @file: its uverbs file
 * @ucontext: as rdma_core's
 * @uobjs: PDs that rdma_core has, newest first
 * @pds: by handle; NULL: freed
 * @refs: references on @file
 * @closed: its last descriptor was closed
 * @refusals: ends of a PD that the device refuses yet, by handle
 * @destroys: ends of a PD that the device was asked for, by handle
 * @destroyed: runs when a PD was destroyed
 * @uid: in the PDs
 */
struct verbs_context {
	struct file file;
	struct ib_ucontext ucontext;
	struct list_head uobjs;
	struct ib_uobject *pds[VERBS_PDS];
	atomic_t refs;
	bool closed;
	unsigned int refusals[VERBS_PDS];
	unsigned int destroys[VERBS_PDS];
	void (*destroyed)(u32 handle);
	u16 uid;
};

extern struct verbs_context verbs_contexts[VERBS_CONTEXTS];

int verbs_init(struct kunit *test);
void verbs_exit(struct kunit *test);

/* Uid in all PDs of a context */
void verbs_set_uid(struct verbs_context *context, u16 uid);

/* A pass of rdma_core over a context. Return: true if it destroyed any PD */
bool verbs_pass(struct verbs_context *context, enum rdma_remove_reason why);
/*
 * The end of a context: passes, until nothing is left or one destroys nothing. Return:
 * true if nothing was left
 */
bool verbs_end(struct verbs_context *context, enum rdma_remove_reason why);
/* A verbs call that destroys a PD */
int verbs_destroy_pd(struct verbs_context *context, u32 handle);
/* A verbs call that uses a PD */
void verbs_use_pd(struct verbs_context *context, u32 handle);
void verbs_unuse_pd(struct verbs_context *context, u32 handle);
/* A PD has another class than the one that is known. */
void verbs_change_class(struct verbs_context *context, u32 handle);
void verbs_restore_class(struct verbs_context *context, u32 handle);

/* In place of the functions for files */
struct file *verbs_fget(unsigned int fd);
void verbs_fput(struct file *file);
struct file *verbs_file_active(struct file **file);

/* Anchors PD 0 of a context, as bind does. */
int verbs_anchor(struct mdx_owner *owner, struct verbs_context *context);
/* The probe mkey of bind: verify_uid() of a PD and a uid */
int env_verify_uid(struct mdx_owner *owner, u32 pdn, u16 uid);

#endif /* MDX_KUNIT_VERBS_ENV_H */
