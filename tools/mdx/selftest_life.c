// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Binding, ownership, and the end of objects. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opcodes/opcodes.h"
#include "selftest.h"

#define BINDS 20
#define KILLED_OBJECTS 1000
#define KILL_WAIT_MS 20000
#define DCTS 16

void selftest_bind(struct selftest *t)
{
	const char *reason;
	uint64_t begin = clock_ns();
	int i, fd, err;

	for (i = 0; i < BINDS; i++) {
		struct mdx_ioc_info info;

		fd = node_open(&info, &reason);
		if (fd < 0) {
			report_result(t, TEST_BAD, "bind", "%s", reason);
			return;
		}
		err = _test_mdx_bind(fd, t->conn.ctx->cmd_fd, t->conn.pd->handle);
		close(fd);
		if (err) {
			report_result(t, TEST_BAD, "bind", "number %d: %s", i + 1, strerror(err));
			return;
		}
	}
	begin = (clock_ns() - begin) / BINDS;
	report_line(t, "bind %d ns %llu", BINDS, (unsigned long long)begin);
	report_result(t, TEST_OK, "bind", "%d times, %llu us each", BINDS,
		      (unsigned long long)begin / 1000);
}

/*
 * An object of another uid that refers to one of the world: sent by the stock driver,
 * which any user may do, so that it is the device that refuses.
 */
static struct cmd_outcome create_foreign(struct selftest *t, struct ibv_context *other,
				     enum objtype_id type)
{
	struct mdx_world *w = &t->world;
	struct mlx5dv_devx_obj *obj;

	objtype_build_create(w, type);
	obj = mlx5dv_devx_obj_create(other, w->in, w->m.in_len, w->out, w->m.out_len);
	if (!obj)
		return outcome_of(errno, w->out);
	mlx5dv_devx_obj_destroy(obj);
	return (struct cmd_outcome){ 0 };
}

void selftest_foreign(struct selftest *t)
{
	/* Of another's PD and UMEM, UMEM, and transport domain. */
	static const enum objtype_id types[] = { OBJTYPE_MKEY, OBJTYPE_CQ, OBJTYPE_TIS };
	struct ibv_context *other = devx_context_of_options();
	unsigned int accepted = 0, sent = 0;
	struct cmd_outcome o;
	size_t i;

	if (!other) {
		report_result(t, TEST_SKIP, "foreign-uid", "no second context");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		if (!objtype_advertised(&t->world, types[i]) ||
		    objtype_create_needs(&t->world, types[i]))
			continue;
		o = create_foreign(t, other, types[i]);
		report_line(t, "refusal foreign %s %s", mdx_opcode_name(objtypes[types[i]].create),
			    outcome_text(&o));
		sent++;
		accepted += !o.err;
	}
	ibv_close_device(other);
	if (accepted)
		report_result(t, TEST_BAD, "foreign-uid", "the device accepted %u of %u objects of another uid",
			      accepted, sent);
	else
		report_result(t, TEST_OK, "foreign-uid", "%u objects of another uid refused", sent);
}

/* Destroys @used while @user uses it, both, and @used once more. */
static const char *destroy_pair(struct selftest *t, enum objtype_id used, enum objtype_id user)
{
	struct mdx_world *w = &t->world;
	struct mdx_ioc_obj_destroy res;
	struct cmd_outcome o;
	uint32_t id;
	int err;

	if (objtype_create(w, user))
		return "it cannot be created";
	id = w->obj[used].id;
	err = _test_mdx_destroy_status(w->mdx.fd, id, &res);
	o = (struct cmd_outcome){ err, res.out_status, res.out_syndrome };
	report_line(t, "refusal in-use %s %s", mdx_opcode_name(objtypes[used].destroy),
		    outcome_text(&o));
	if (used == OBJTYPE_TD)
		t->in_use_refused = err == EREMOTEIO;
	if (err && err != EREMOTEIO)
		return strerror(err);
	if (objtype_destroy(w, user))
		return "the object that uses it is not destroyed";
	if (err && objtype_destroy(w, used))
		return "it is not destroyed when it is free";
	memset(&w->obj[used], 0, sizeof(w->obj[used]));
	return _test_mdx_destroy(w->mdx.fd, id) == ENOENT ? NULL :
	       "destroyed twice, it is not unknown";
}

void selftest_destroy(struct selftest *t)
{
	static const struct {
		enum objtype_id used;
		enum objtype_id user;
	} pairs[] = {
		{ OBJTYPE_TD, OBJTYPE_TIS }, { OBJTYPE_PD, OBJTYPE_MKEY },
	};
	const char *wrong;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pairs); i++) {
		wrong = destroy_pair(t, pairs[i].used, pairs[i].user);
		if (wrong) {
			report_result(t, TEST_BAD, "destroy", "%s: %s",
				      objtypes[pairs[i].used].name, wrong);
			return;
		}
	}
	report_result(t, TEST_OK, "destroy", "in use: %s; twice: unknown",
		      t->in_use_refused ? "refused" : "accepted");
}

/* Of the same uid, so that its objects may use one of the parent's. */
static void child_creates(struct selftest *t, int ready)
{
	struct mdx_world *w = &t->world;
	struct mdx_ioc_info info;
	const char *reason;
	char done = 0;
	int i;

	w->mdx.fd = node_open(&info, &reason);
	if (w->mdx.fd < 0 ||
	    _test_mdx_bind(w->mdx.fd, t->conn.ctx->cmd_fd, t->conn.pd->handle))
		_exit(1);
	for (i = 0; i < KILLED_OBJECTS; i++) {
		objtype_build_create(w, OBJTYPE_TIS);
		if (_test_mdx_create(w->mdx.fd, &w->m, NULL))
			_exit(1);
	}
	if (write(ready, &done, 1) == 1)
		pause();
	_exit(1);
}

/* True if it had created all of them. */
static bool kill_child(struct selftest *t)
{
	struct pollfd poller = { .events = POLLIN };
	int ends[2], status;
	char done;
	pid_t pid;
	bool ready;

	if (pipe(ends))
		return false;
	/* What is buffered must not be written by both. */
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(ends[0]);
		child_creates(t, ends[1]);
	}
	close(ends[1]);
	poller.fd = ends[0];
	ready = pid > 0 && poll(&poller, 1, KILL_WAIT_MS) == 1 && read(ends[0], &done, 1) == 1;
	close(ends[0]);
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	return ready;
}

/* A transport domain can be destroyed when no TIS uses it any more. */
void selftest_kill(struct selftest *t)
{
	uint64_t begin;
	bool ready;
	int err;

	if (!t->in_use_refused) {
		report_result(t, TEST_SKIP, "kill", "the device does not tell whether an object is in use");
		return;
	}
	err = objtype_create(&t->world, OBJTYPE_TD);
	if (err) {
		report_result(t, TEST_BAD, "kill", "no transport domain: %s", strerror(err));
		return;
	}
	begin = clock_ns();
	ready = kill_child(t);
	err = objtype_destroy(&t->world, OBJTYPE_TD);
	report_line(t, "kill %d objects ns %llu", KILLED_OBJECTS,
		    (unsigned long long)(clock_ns() - begin));
	if (!ready)
		report_result(t, TEST_BAD, "kill", "the process could not create %d objects",
			      KILLED_OBJECTS);
	else if (err)
		report_result(t, TEST_BAD, "kill", "objects of a killed process are left");
	else
		report_result(t, TEST_OK, "kill", "0 of %d objects left", KILLED_OBJECTS);
}

void selftest_dct(struct selftest *t)
{
	uint64_t begin, ns, longest = 0;
	int i, err = 0;

	if (!objtype_advertised(&t->world, OBJTYPE_DCT)) {
		report_result(t, TEST_SKIP, "dct-drain", "the device has no DCT");
		return;
	}
	for (i = 0; i < DCTS && !err; i++) {
		err = objtype_create(&t->world, OBJTYPE_DCT);
		if (err)
			break;
		begin = clock_ns();
		err = objtype_destroy(&t->world, OBJTYPE_DCT);
		ns = clock_ns() - begin;
		longest = ns > longest ? ns : longest;
	}
	report_line(t, "dct-drain %d longest-ns %llu", i, (unsigned long long)longest);
	if (err)
		report_result(t, TEST_BAD, "dct-drain", "number %d: %s", i + 1, strerror(err));
	else
		report_result(t, TEST_OK, "dct-drain", "%d drained and destroyed, the longest in %llu us",
			      DCTS, (unsigned long long)longest / 1000);
}
