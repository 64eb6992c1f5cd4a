// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The steps around every handler: binding, the device, mailboxes, new objects,
 * answers. The needs of each ioctl are written here once more.
 */
#include <linux/bits.h>

#include "../kmod/optab.h"
#include "fake_dispatch.h"

/* Ioctls that do without a bound file or a live device, or look at that themselves */
#define UNBOUND                                                                \
	(BIT(MDX_CMD_INFO) | BIT(MDX_CMD_BIND) | BIT(MDX_CMD_LAST_ERROR) |     \
	 BIT(MDX_CMD_OBJ_LIST) | BIT(MDX_CMD_CHANNEL) |                        \
	 BIT(MDX_CMD_SUBSCRIBE) | BIT(MDX_CMD_SUBMIT) |                        \
	 BIT(MDX_CMD_UMEM_REG))

/* Ioctls whose handler is that of ioctl.c or last_error.c */
#define OWN_HANDLER (BIT(MDX_CMD_INFO) | BIT(MDX_CMD_LAST_ERROR))

/* Ioctls whose structure goes back to the caller */
#define ANSWERS                                                                \
	(OWN_HANDLER | BIT(MDX_CMD_OBJ_CREATE) | BIT(MDX_CMD_OBJ_DESTROY) |    \
	 BIT(MDX_CMD_QUERY_PORT) | BIT(MDX_CMD_QUERY_DEVICE) |                 \
	 BIT(MDX_CMD_OBJ_LIST) | BIT(MDX_CMD_CHANNEL) | BIT(MDX_CMD_SUBMIT) |  \
	 BIT(MDX_CMD_UMEM_REG))

/* Also if the device has refused the command */
#define ANSWERS_REFUSED (BIT(MDX_CMD_OBJ_DESTROY) | BIT(MDX_CMD_UMEM_REG))

/* Class of the command that an ioctl carries */
static const u8 classes[] = {
	[MDX_CMD_OBJ_CREATE] = MDX_OP_CREATE,
	[MDX_CMD_OBJ_MODIFY] = MDX_OP_MODIFY,
	[MDX_CMD_OBJ_QUERY] = MDX_OP_QUERY,
	[MDX_CMD_GENERAL] = MDX_OP_GENERAL,
	[MDX_CMD_VERBS_MODIFY] = MDX_OP_MODIFY,
	[MDX_CMD_VERBS_QUERY] = MDX_OP_QUERY,
	[MDX_CMD_OBJ_LIST] = MDX_OP_NONE,
};

/* Counts the calls from here; the settings of the test stay. */
static long call_ioctl(struct kunit *test, unsigned int cmd)
{
	dispatch.handled = 0;
	dispatch.fetched = 0;
	dispatch.responded = 0;
	dispatch.freed = 0;
	dispatch.live = false;
	dispatch.slots = 0;
	return dispatch_call(test, cmd, dispatch_size(cmd));
}

#define for_each_live(_cmd)                                                    \
	for_each_ioctl(_cmd)                                                   \
		if (!(UNBOUND & BIT(_cmd)))
#define for_each_carrier(_cmd)                                                 \
	for_each_ioctl(_cmd)                                                   \
		if (classes[_cmd])

static void all_ioctls_known(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, dispatch_rows(),
			(unsigned int)ARRAY_SIZE(classes));
}

static void unbound_enotconn(struct kunit *test)
{
	unsigned int cmd;

	dispatch.file.owner = NULL;
	for_each_live(cmd) {
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), -ENOTCONN,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_TRUE(test, dispatch_untouched(test));
	}
}

static void expect_eio(struct kunit *test)
{
	unsigned int cmd;

	for_each_live(cmd) {
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), -EIO,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_TRUE(test, dispatch_untouched(test));
	}
}

/* @gone becomes true while the mailboxes are fetched. */
static void expect_eio_after_fetch(struct kunit *test, bool *gone)
{
	unsigned int cmd;

	for_each_carrier(cmd) {
		*gone = false;
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), -EIO,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ(test, dispatch.fetched, 1);
		KUNIT_EXPECT_EQ(test, dispatch.handled, 0);
		KUNIT_EXPECT_EQ(test, dispatch.result, -EIO);
		KUNIT_EXPECT_EQ(test, dispatch.freed, 1);
		KUNIT_EXPECT_TRUE(test, dispatch_unwritten(test));
	}
}

static void removed_eio(struct kunit *test)
{
	dispatch.mdx.removed = true;
	expect_eio(test);
}

/* The removal waits for handlers, not for mailboxes that are being fetched. */
static void removed_after_fetch_eio(struct kunit *test)
{
	dispatch.remove = true;
	expect_eio_after_fetch(test, &dispatch.mdx.removed);
}

static void ended_eio(struct kunit *test)
{
	dispatch.owner.ended = true;
	expect_eio(test);
}

static void ended_after_fetch_eio(struct kunit *test)
{
	dispatch.end = true;
	expect_eio_after_fetch(test, &dispatch.owner.ended);
}

static void killed_before_command(struct kunit *test)
{
	unsigned int cmd;

	dispatch.admit_ret = -ERESTARTSYS;
	for_each_carrier(cmd) {
		dispatch.admitted = 0;
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), -ERESTARTSYS,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ(test, dispatch.handled, 0);
		KUNIT_EXPECT_EQ(test, dispatch.admitted, 1);
		KUNIT_EXPECT_EQ(test, dispatch.freed, 1);
	}
}

static void bound_calls_hold_slot(struct kunit *test)
{
	unsigned int cmd;

	for_each_ioctl(cmd) {
		if (OWN_HANDLER & BIT(cmd))
			continue;
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), 0,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ_MSG(test, dispatch.slots, !(UNBOUND & BIT(cmd)),
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ(test, atomic_read(&dispatch.owner.slots.used), 0);
		KUNIT_EXPECT_EQ(test, dispatch.admitted, 0);
	}
}

static void other_ioctls_need_nothing(struct kunit *test)
{
	unsigned int cmd;

	dispatch.mdx.removed = true;
	for_each_ioctl(cmd)
		if (UNBOUND & BIT(cmd))
			KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), 0,
					    "ioctl %u", cmd);
	dispatch.file.owner = NULL;
	for_each_ioctl(cmd)
		if (UNBOUND & BIT(cmd))
			KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), 0,
					    "ioctl %u", cmd);
}

static void handlers_hold_device(struct kunit *test)
{
	unsigned int cmd;

	for_each_ioctl(cmd) {
		if (OWN_HANDLER & BIT(cmd))
			continue;
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), 0,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ_MSG(test, dispatch.handled, 1, "ioctl %u", cmd);
		KUNIT_EXPECT_EQ_MSG(test, dispatch.live, !(UNBOUND & BIT(cmd)),
				    "ioctl %u", cmd);
		KUNIT_EXPECT_FALSE(test,
			percpu_is_read_locked(&dispatch.mdx.registration_lock));
		KUNIT_EXPECT_FALSE(test,
				   rwsem_is_locked(&dispatch.owner.life_lock));
	}
}

static void commands_have_classes(struct kunit *test)
{
	unsigned int cmd;

	for_each_ioctl(cmd) {
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), 0,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ_MSG(test, dispatch.fetched, !!classes[cmd],
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ(test, dispatch.responded, dispatch.fetched);
		KUNIT_EXPECT_EQ(test, dispatch.freed, dispatch.fetched);
		if (classes[cmd])
			KUNIT_EXPECT_EQ_MSG(test, dispatch.class, classes[cmd],
					    "ioctl %u", cmd);
	}
}

static void fetch_failure_returned(struct kunit *test)
{
	unsigned int cmd;

	dispatch.fetch_ret = -EOPNOTSUPP;
	for_each_carrier(cmd) {
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), -EOPNOTSUPP,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ(test, dispatch.handled, 0);
		KUNIT_EXPECT_EQ(test, dispatch.responded, 0);
		KUNIT_EXPECT_EQ(test, dispatch.freed, 0);
		KUNIT_EXPECT_TRUE(test, dispatch_unwritten(test));
	}
}

static void results_reach_mailbox(struct kunit *test)
{
	static const int results[] = { 0, -EREMOTEIO, -EBUSY, -ETIMEDOUT };
	unsigned int cmd, i;

	for (i = 0; i < ARRAY_SIZE(results); i++)
		for_each_carrier(cmd) {
			dispatch.ret = results[i];
			KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd),
					    results[i], "ioctl %u", cmd);
			KUNIT_EXPECT_EQ(test, dispatch.result, results[i]);
			KUNIT_EXPECT_EQ(test, dispatch.responded, 1);
			KUNIT_EXPECT_EQ(test, dispatch.freed, 1);
		}
}

static void mailbox_unwritable_efault(struct kunit *test)
{
	unsigned int cmd;

	dispatch.fill = true;
	dispatch.respond_ret = -EFAULT;
	for_each_carrier(cmd) {
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), -EFAULT,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ(test, dispatch.freed, 1);
		KUNIT_EXPECT_TRUE(test, dispatch_unwritten(test));
	}
}

static void success_is_answered(struct kunit *test)
{
	unsigned int cmd;

	dispatch.fill = true;
	for_each_ioctl(cmd) {
		if (OWN_HANDLER & BIT(cmd))
			continue;
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), 0,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ_MSG(test, dispatch_filled(test),
				    ANSWERS & BIT(cmd) ? dispatch_size(cmd) : 0,
				    "ioctl %u", cmd);
	}
}

static void refused_destroy_is_answered(struct kunit *test)
{
	unsigned int cmd;

	dispatch.fill = true;
	dispatch.ret = -EREMOTEIO;
	for_each_ioctl(cmd) {
		if (OWN_HANDLER & BIT(cmd))
			continue;
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd), -EREMOTEIO,
				    "ioctl %u", cmd);
		KUNIT_EXPECT_EQ_MSG(test, dispatch_filled(test),
			ANSWERS_REFUSED & BIT(cmd) ? dispatch_size(cmd) : 0,
			"ioctl %u", cmd);
	}
}

static void failure_is_unanswered(struct kunit *test)
{
	static const int errnos[] = {
		-EBUSY, -EFAULT, -EIO, -ENOENT, -ENOMEM, -ETIMEDOUT,
	};
	unsigned int cmd, i;

	dispatch.fill = true;
	for (i = 0; i < ARRAY_SIZE(errnos); i++)
		for_each_ioctl(cmd) {
			if (OWN_HANDLER & BIT(cmd))
				continue;
			dispatch.ret = errnos[i];
			KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd),
					    errnos[i], "ioctl %u", cmd);
			KUNIT_EXPECT_TRUE(test, dispatch_unwritten(test));
		}
}

static void structure_unwritable_efault(struct kunit *test)
{
	unsigned int cmd;

	dispatch.lose = true;
	for_each_ioctl(cmd) {
		if (OWN_HANDLER & BIT(cmd))
			continue;
		KUNIT_EXPECT_EQ_MSG(test, call_ioctl(test, cmd),
				    ANSWERS & BIT(cmd) ? -EFAULT : 0,
				    "ioctl %u", cmd);
		if (!(ANSWERS & BIT(cmd)))
			continue;
		KUNIT_EXPECT_EQ(test, dispatch.stage, MDX_STAGE_ANSWER);
	}
}

static void refused_unwritable_efault(struct kunit *test)
{
	dispatch.lose = true;
	dispatch.ret = -EREMOTEIO;
	KUNIT_EXPECT_EQ(test, call_ioctl(test, MDX_CMD_OBJ_DESTROY), -EFAULT);
	KUNIT_EXPECT_EQ(test, call_ioctl(test, MDX_CMD_OBJ_CREATE), -EREMOTEIO);
}

/* Stands for an object that nothing looks into. */
static struct mdx_obj *const some_obj = (void *)&dispatch;

static void new_object_finalized(struct kunit *test)
{
	dispatch.new_obj = some_obj;
	KUNIT_EXPECT_EQ(test, call_ioctl(test, MDX_CMD_OBJ_CREATE), 0);
	KUNIT_EXPECT_EQ(test, dispatch.finalized, 1);
	KUNIT_EXPECT_EQ(test, dispatch.aborted, 0);
	KUNIT_EXPECT_PTR_EQ(test, dispatch.obj, some_obj);
}

static void mailbox_efault_aborts_object(struct kunit *test)
{
	dispatch.new_obj = some_obj;
	dispatch.respond_ret = -EFAULT;
	KUNIT_EXPECT_EQ(test, call_ioctl(test, MDX_CMD_OBJ_CREATE), -EFAULT);
	KUNIT_EXPECT_EQ(test, dispatch.finalized, 0);
	KUNIT_EXPECT_EQ(test, dispatch.aborted, 1);
	KUNIT_EXPECT_PTR_EQ(test, dispatch.obj, some_obj);
}

static void structure_efault_aborts_object(struct kunit *test)
{
	dispatch.new_obj = some_obj;
	dispatch.lose = true;
	KUNIT_EXPECT_EQ(test, call_ioctl(test, MDX_CMD_OBJ_CREATE), -EFAULT);
	KUNIT_EXPECT_EQ(test, dispatch.finalized, 0);
	KUNIT_EXPECT_EQ(test, dispatch.aborted, 1);
	KUNIT_EXPECT_PTR_EQ(test, dispatch.obj, some_obj);
}

static void no_object_nothing_done(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, call_ioctl(test, MDX_CMD_OBJ_CREATE), 0);
	dispatch.ret = -EREMOTEIO;
	KUNIT_EXPECT_EQ(test, call_ioctl(test, MDX_CMD_OBJ_CREATE), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, dispatch.finalized, 0);
	KUNIT_EXPECT_EQ(test, dispatch.aborted, 0);
}

static struct kunit_case dispatch_cases[] = {
	KUNIT_CASE(all_ioctls_known),
	KUNIT_CASE(unbound_enotconn),
	KUNIT_CASE(removed_eio),
	KUNIT_CASE(removed_after_fetch_eio),
	KUNIT_CASE(ended_eio),
	KUNIT_CASE(ended_after_fetch_eio),
	KUNIT_CASE(killed_before_command),
	KUNIT_CASE(bound_calls_hold_slot),
	KUNIT_CASE(other_ioctls_need_nothing),
	KUNIT_CASE(handlers_hold_device),
	KUNIT_CASE(commands_have_classes),
	KUNIT_CASE(fetch_failure_returned),
	KUNIT_CASE(results_reach_mailbox),
	KUNIT_CASE(mailbox_unwritable_efault),
	KUNIT_CASE(success_is_answered),
	KUNIT_CASE(refused_destroy_is_answered),
	KUNIT_CASE(failure_is_unanswered),
	KUNIT_CASE(structure_unwritable_efault),
	KUNIT_CASE(refused_unwritable_efault),
	KUNIT_CASE(new_object_finalized),
	KUNIT_CASE(mailbox_efault_aborts_object),
	KUNIT_CASE(structure_efault_aborts_object),
	KUNIT_CASE(no_object_nothing_done),
	{}
};

static struct kunit_suite dispatch_suite = {
	.name = "mdx_dispatch",
	.init = dispatch_init,
	.exit = dispatch_exit,
	.test_cases = dispatch_cases,
};

kunit_test_suite(dispatch_suite);
