/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A call repeated with each of its allocations and copies failing in turn: the
 * first, then the second, until there are no more. The kernel counts them, those of
 * mlx5_core in the call included (nth.h). A failed call has to leave everything as
 * if it had not been made.
 */
#ifndef MDX_TEST_SWEEP_H
#define MDX_TEST_SWEEP_H

#include "objtypes.h"
#include "vobj.h"

/* No call has that many. */
#define FAULTS_MAX 2000

/**
 * struct sweep_state - the objects of a test, and the state before its call
 * @w: the file, the device, and the objects of the test
 * @type: the type of object the call is about, or
 * @v: the verbs object, and
 * @cmd: the command about it
 * @nth_fd: of nth_open()
 * @fd: for the call, if it is not the world's; -1: it is
 * @live: objects of the uid in the device
 * @refs: references to the module
 * @objs: objects of the file
 * @arg: of the ioctl
 * @arg_before: before the call
 * @arg_good: after the call without a fault
 * @out_good: the mailbox after that
 * @good: and how it ended
 */
struct sweep_state {
	struct mdx_world w;
	enum objtype_id type;
	struct vobj v;
	const struct vcmd *cmd;
	int nth_fd;
	int fd;
	int live;
	int refs;
	uint32_t objs;
	union ioctl_args {
		struct mdx_ioc_info info;
		struct mdx_ioc_bind bind;
		struct mdx_ioc_obj_create create;
		struct mdx_ioc_obj_destroy destroy;
		struct mdx_ioc_obj_cmd cmd;
		struct mdx_ioc_general general;
		struct mdx_ioc_verbs_cmd verbs;
		struct mdx_ioc_query_port port;
		struct mdx_ioc_query_device device;
		struct mdx_ioc_last_error error;
		struct mdx_ioc_channel channel;
		struct mdx_ioc_umem_reg umem;
		struct mdx_ioc_subscribe subscribe;
	} arg, arg_before, arg_good;
	uint8_t out_good[16384];
	int good;
};

/**
 * struct sweep_call - a call that has to succeed or to change nothing
 * @name: in messages
 * @req: the ioctl, with what @prepare left in arg; or
 * @run: the call. All functions return 0 or a positive errno
 * @prepare: creates what the call needs
 * @end: checks and reverts its effects
 * @changes: its answer is not the same each time
 */
struct sweep_call {
	const char *name;
	unsigned long req;
	int (*run)(struct sweep_state *s);
	int (*prepare)(struct sweep_state *s);
	int (*end)(struct sweep_state *s, int ret);
	bool changes;
};

/* False, with a line on stdout, when something was not as it has to be. */
bool sweep(struct sweep_state *s, const struct sweep_call *c);

/*
 * To be called before the tests are forked: adds up the faults of all of them.
 */
void sweep_sum_start(void);
void sweep_sum_add(int faults);

#define STAND_SETUP(s)							\
	do {								\
		(s)->fd = -1;						\
		SETUP_WORLD(&(s)->w, return);				\
		(s)->nth_fd = nth_open();				\
		ASSERT_GE((s)->nth_fd, 0);				\
	} while (0)

/* One skipped test stands for all without fault injection. */
#define TEST_FAULTS_MISSING(missing)					\
	TEST(fault_injection_available)				\
	{								\
		if (missing)						\
			SKIP(return, "no %s: a kernel without fault "	\
			     "injection", missing);			\
	}

#endif /* MDX_TEST_SWEEP_H */
