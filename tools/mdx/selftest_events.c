// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Events by a channel of the module, without a packet: a receive that was posted is
 * flushed when its QP enters the error state, and the completion makes the CQ post its
 * event.
 */
#include <endian.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "events.h"
#include "opcodes/opcodes.h"
#include "selftest.h"

/* In the memory of the world, where objtypes_queue.c has the CQ and the QP. */
enum {
	CQ_DBR = 0x000,
	QP_DBR = 0x040,
	CQ_BUF = 0x10000,
	QP_BUF = 0x20000,
	RECV_LEN = 16,
	CQE_LEN = 64,
	CQE_OWNER = 63,
	CQE_NONE = 0xff,
	CQE_RESP_ERR = 0xe,
};

enum {
	UAR_ARM_CQ = 0x20,
	EVENT_COMPLETION = 0x00,
	EVENT_PORT = 0x09,
};

/* A CQ and its subscription each. */
#define ROUNDS 2
/* Rounds have theirs from 1 on. */
#define COOKIE_PORT 100

/* The next completion is to post an event. */
static void arm_cq(struct mdx_world *w)
{
	uint32_t *dbr = (uint32_t *)(w->mem + CQ_DBR);
	uint64_t ring = htobe64(w->obj[OBJTYPE_CQ].num);

	memset(dbr, 0, 8);
	/* The device reads the doorbell record when the ring arrives. */
#ifdef __aarch64__
	__asm__ volatile("dmb oshst" ::: "memory");
#else
	__sync_synchronize();
#endif
	__atomic_store_n((uint64_t *)((char *)w->uar->base_addr + UAR_ARM_CQ), ring,
			 __ATOMIC_RELAXED);
}

/* No byte is ever received to it. */
static void post_recv(struct mdx_world *w)
{
	memset(w->mem + QP_BUF, 0, RECV_LEN);
	__atomic_store_n((uint32_t *)(w->mem + QP_DBR), htobe32(1), __ATOMIC_RELEASE);
}

static int flush_qp(struct mdx_world *w)
{
	uint32_t id = w->obj[OBJTYPE_QP].id;
	int err;

	objtype_build_modify(w, OBJTYPE_QP);
	err = _test_mdx_modify(w->mdx.fd, id, &w->m);
	if (err)
		return err;
	post_recv(w);
	world_build(w, MDX_OPCODE_2ERR_QP, w->obj[OBJTYPE_QP].num, SZ(qp_2err_in),
		    SZ(qp_2err_out));
	return _test_mdx_modify(w->mdx.fd, id, &w->m);
}

/* The state of the port is not ours: its events are passed over. */
static int read_event(int chan, struct event_record *rec)
{
	int len;

	do {
		len = chan_read(chan, rec, sizeof(*rec));
	} while (len == sizeof(*rec) && rec->cookie == COOKIE_PORT);
	return len;
}

static const char *hear_flush(struct selftest *t, int chan, uint64_t cookie)
{
	struct mdx_world *w = &t->world;
	struct subscribe_call call = {
		.chan = chan, .event = EVENT_COMPLETION, .cookie = cookie,
	};
	struct event_record rec;
	uint64_t begin;

	memset(w->mem + CQ_BUF, CQE_NONE, CQE_LEN);
	memset(w->mem + QP_DBR, 0, 8);
	if (objtype_create(w, OBJTYPE_QP))
		return "no CQ and QP";
	call.obj = w->obj[OBJTYPE_CQ].id;
	if (_test_mdx_subscribe(w->mdx.fd, &call))
		return "the completions of a CQ cannot be subscribed to";
	arm_cq(w);
	begin = clock_ns();
	if (flush_qp(w))
		return "the QP does not enter the error state";
	if (read_event(chan, &rec) != sizeof(rec))
		return w->mem[CQ_BUF + CQE_OWNER] == CQE_NONE ?
		       "the device flushed nothing" : "no event of a CQ that has a completion";
	report_line(t, "event completion ns %llu", (unsigned long long)(clock_ns() - begin));
	if (rec.cookie != cookie || rec.eqe[1] != EVENT_COMPLETION)
		return "an event of another subscription";
	if (w->mem[CQ_BUF + CQE_OWNER] >> 4 != CQE_RESP_ERR)
		return "an event before its completion";
	if (objtype_destroy(w, OBJTYPE_QP) || objtype_destroy(w, OBJTYPE_CQ))
		return "the CQ is not destroyed";
	return _test_mdx_subscribe(w->mdx.fd, &call) ? NULL :
	       "a CQ that is destroyed can be subscribed to";
}

/* Nothing comes that was not asked for, and the channel ends with the file it is of. */
static const char *end_channel(int file, int chan)
{
	struct event_record rec;

	while (chan_read_now(chan, &rec, sizeof(rec)) == sizeof(rec))
		if (rec.cookie != COOKIE_PORT)
			return "an event of an object that is destroyed";
	close(file);
	if (!(chan_poll_now(chan) & POLLHUP) || chan_read_now(chan, &rec, sizeof(rec)) != -EIO)
		return "the channel does not end with its file";
	return NULL;
}

/* A file and a channel of it. */
static const char *open_channel(struct selftest *t, int *file, int *chan)
{
	struct mdx_ioc_info info;
	const char *reason;

	*file = node_open(&info, &reason);
	if (*file < 0)
		return reason;
	if (!_test_mdx_bind(*file, t->conn.ctx->cmd_fd, t->conn.pd->handle) &&
	    !_test_mdx_channel(*file, MDX_CHANNEL_EVENTS, 0, chan))
		return NULL;
	close(*file);
	return "no channel";
}

void selftest_events(struct selftest *t)
{
	struct subscribe_call port = { .event = EVENT_PORT, .cookie = COOKIE_PORT };
	const char *wrong;
	int i, file, err;

	if (!(t->conn.info.out_features & MDX_FEATURE_CHANNEL)) {
		report_result(t, TEST_SKIP, "events", "this mlx5_devx has no channels");
		return;
	}
	wrong = open_channel(t, &file, &port.chan);
	if (wrong) {
		report_result(t, TEST_BAD, "events", "%s", wrong);
		return;
	}
	err = _test_mdx_subscribe(t->conn.fd, &port);
	report_line(t, "event port subscribed errno %d", err);
	for (i = 1; i <= ROUNDS && !wrong; i++)
		wrong = hear_flush(t, port.chan, i);
	if (!wrong)
		wrong = end_channel(file, port.chan);
	else
		close(file);
	close(port.chan);
	if (wrong)
		report_result(t, TEST_BAD, "events", "%s", wrong);
	else
		report_result(t, TEST_OK, "events",
			      "heard of %d CQs, of none when it was destroyed, of its port: %s",
			      ROUNDS, err ? strerror(err) : "subscribed");
}
