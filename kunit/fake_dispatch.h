/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The dispatcher of ioctl.c with handlers that do as the test says, on real user
 * memory. Only MDX_IOC_INFO and MDX_IOC_LAST_ERROR have their own handlers; that of
 * MDX_IOC_GENERAL calls a fake mdx_cmd_exec().
 */
#ifndef MDX_KUNIT_FAKE_DISPATCH_H
#define MDX_KUNIT_FAKE_DISPATCH_H

#include <kunit/test.h>
#include <linux/fs.h>
#include <linux/types.h>

#include "../kmod/dev.h"
#include "../kmod/file.h"

#define DISPATCH_LEN (2 * PAGE_SIZE)

/* A byte that handlers write if they are to fill the structure */
#define DISPATCH_FILL 0xc3

/**
 * struct fake_dispatch - State of a test
 * @handled: calls of handlers
 * @fetched: calls of mdx_cmd_fetch()
 * @admitted: calls of mdx_cmd_admit() without mdx_cmd_leave() yet
 * @responded: calls of mdx_cmd_respond()
 * @freed: calls of mdx_cmd_free()
 * @finalized: calls of mdx_obj_finalize()
 * @aborted: calls of mdx_obj_abort()
 * @class: asked of mdx_cmd_fetch()
 * @live: the device and the owner were held in the handler
 * @slots: of the owner, taken while the handler ran
 * @result: passed to mdx_cmd_respond()
 * @obj: passed to mdx_obj_finalize() or mdx_obj_abort()
 * @stage: the step that the ioctl has reached
 * @seen: the structure as the handler got it
 * @ret: result of handlers
 * @fetch_ret: result of mdx_cmd_fetch()
 * @admit_ret: result of mdx_cmd_admit()
 * @respond_ret: result of mdx_cmd_respond() instead of the handler's
 * @new_obj: object that handlers leave
 * @fill: handlers fill the structure
 * @lose: handlers make the caller's structure unwritable
 * @remove: the device is removed by the time the mailboxes are fetched
 * @end: the context has ended by then
 * @user: user memory, with the caller's structure
 * @image: content of @user when the ioctl begins
 * @now: content of @user afterwards
 * @mdx: the device
 * @owner: of @mdx
 * @file: bound to @owner until the test unbinds it
 * @filp: its struct file
 */
struct fake_dispatch {
	unsigned int handled;
	unsigned int fetched;
	unsigned int admitted;
	unsigned int responded;
	unsigned int freed;
	unsigned int finalized;
	unsigned int aborted;
	u8 class;
	bool live;
	int slots;
	int result;
	struct mdx_obj *obj;
	u8 stage;
	u8 seen[1024];
	int ret;
	int fetch_ret;
	int admit_ret;
	int respond_ret;
	struct mdx_obj *new_obj;
	bool fill;
	bool lose;
	bool remove;
	bool end;
	u8 __user *user;
	u8 *image;
	u8 *now;
	struct mdx_dev mdx;
	struct mdx_owner owner;
	struct mdx_file file;
	struct file filp;
};

extern struct fake_dispatch dispatch;

int dispatch_init(struct kunit *test);
void dispatch_exit(struct kunit *test);

/* Rows of the table, by MDX_CMD_* */
unsigned int dispatch_rows(void);
u32 dispatch_size(unsigned int cmd);
u32 dispatch_min_size(unsigned int cmd);

#define for_each_ioctl(_cmd)                                                   \
	for ((_cmd) = 0; (_cmd) < dispatch_rows(); (_cmd)++)                   \
		if (dispatch_size(_cmd))

/* The ioctl MDX_CMD_* on any address: number and table are as in mdx_ioctl(). */
long dispatch_ioctl(unsigned int cmd, unsigned long arg);
/* A structure of @size bytes, all zero */
void dispatch_prepare(u32 size);
/* Copies the image to the user's memory and issues an ioctl on it. */
long dispatch_issue(struct kunit *test, unsigned int cmd);
long dispatch_call(struct kunit *test, unsigned int cmd, u32 size);
/* As dispatch_call(), with one byte set */
long dispatch_call_with(struct kunit *test, unsigned int cmd, u32 size,
			size_t at, u8 byte);
/* Executes and answers an ioctl that needs no device, without a structure. */
int dispatch_answer_nowhere(unsigned int cmd, u8 *stage);
/* The last ioctl has not changed the user's memory. */
bool dispatch_unwritten(struct kunit *test);
/* Nor was a handler called. */
bool dispatch_untouched(struct kunit *test);
/* Bytes of DISPATCH_FILL at the beginning of the user's memory */
unsigned int dispatch_filled(struct kunit *test);

/* In place of those of objs.c, which is declared before it is replaced. */
void dispatch_finalize(struct mdx_file *file, struct mdx_obj *obj);
void dispatch_abort(struct mdx_file *file, struct mdx_obj *obj);

#endif /* MDX_KUNIT_FAKE_DISPATCH_H */
