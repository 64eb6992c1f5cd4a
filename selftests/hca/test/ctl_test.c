// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The control language. */
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "env.h"
#include "../ctl.h"

struct ctl_env {
	struct env e;
	struct qmp qmp;
	struct ctl ctl;
	int fd;
	char got[65536];
};

static int client(struct ctl_env *c)
{
	int fd[2];

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd));
	CHECK(!ctl_attach(&c->ctl, fd[0]));
	return fd[1];
}

static void start_qmp(struct ctl_env *c, const char *qmp)
{
	struct qmp_conf conf = {
		.path = qmp, .id = "hca0",
	};

	*c = (struct ctl_env){};
	env_init(&c->e);
	qmp_init(&c->qmp, &c->e.loop, &conf);
	CHECK(!ctl_init(&c->ctl, &c->e.hca, &c->qmp, NULL));
	c->fd = client(c);
}

static void start(struct ctl_env *c)
{
	start_qmp(c, NULL);
}

static void fini(struct ctl_env *c)
{
	close(c->fd);
	ctl_fini(&c->ctl);
	qmp_fini(&c->qmp);
	env_fini(&c->e);
}

static const char *collect(struct ctl_env *c, int fd)
{
	size_t len = 0;
	ssize_t n;
	int i;

	for (i = 0; i < 20; i++) {
		loop_step(&c->e.loop, 0);
		n = recv(fd, c->got + len, sizeof(c->got) - 1 - len,
			 MSG_DONTWAIT);
		if (n > 0)
			len += (size_t)n;
	}
	c->got[len] = '\0';
	return c->got;
}

static const char *say(struct ctl_env *c, const char *line)
{
	char buf[256];
	int n = snprintf(buf, sizeof(buf), "%s\n", line);

	CHECK_EQ(send(c->fd, buf, (size_t)n, 0), n);
	return collect(c, c->fd);
}

#define SAYS(line, want) do {						\
	const char *got_ = say(&c, line);				\
									\
	if (strcmp(got_, want)) {					\
		printf("# %s:%d: %s answers: %s\n", __FILE__, __LINE__,	\
		       line, got_);					\
		tap_failed = true;					\
	}								\
} while (0)

#define REFUSED(line) do {						\
	const char *got_ = say(&c, line);				\
									\
	if (strncmp(got_, "err ", 4)) {					\
		printf("# %s:%d: %s answers: %s\n", __FILE__, __LINE__,	\
		       line, got_);					\
		tap_failed = true;					\
	}								\
} while (0)

static struct script_rule *rule(struct ctl_env *c, uint16_t opcode)
{
	return &c->e.hca.script.rules[opcode];
}

static void fail(void)
{
	struct ctl_env c;

	start(&c);
	SAYS("fail 0x500 0x0a 0x1234 3", "ok\n");
	CHECK_EQ(rule(&c, 0x500)->fail, 3);
	CHECK_EQ(rule(&c, 0x500)->status, 0x0a);
	CHECK_EQ(rule(&c, 0x500)->syndrome, 0x1234);
	SAYS("fail 500 6 0 always", "ok\n");
	CHECK_EQ(rule(&c, 0x500)->fail, SCRIPT_ALWAYS);
	SAYS("fail 500 6 0", "ok\n");
	CHECK_EQ(rule(&c, 0x500)->fail, 1);
	REFUSED("fail 500 6");
	REFUSED("fail 500 256 0");
	REFUSED("fail 10000 6 0");
	REFUSED("fail xyz 6 0");
	REFUSED("fail 500 6 0 -1");
	REFUSED("fail 500 6 0 1 1");
	fini(&c);
}

static void delay_and_parallel(void)
{
	struct ctl_env c;

	start(&c);
	SAYS("delay * 500", "ok\n");
	SAYS("delay 801 7", "ok\n");
	CHECK_EQ(script_delay(&c.e.hca.script, 0x800), 500);
	CHECK_EQ(script_delay(&c.e.hca.script, 0x801), 7);
	SAYS("parallel 8", "ok\n");
	CHECK_EQ(c.e.hca.cmdq.workers, 8);
	REFUSED("parallel 0");
	REFUSED("parallel 33");
	REFUSED("delay 801 99999999999999999999");
	fini(&c);
}

static void drop_transport_and_errors(void)
{
	struct ctl_env c;

	start(&c);
	SAYS("drop 802 2", "ok\n");
	CHECK_EQ(rule(&c, 0x802)->drop, 2);
	SAYS("complete-dropped", "0\nok\n");
	SAYS("transport 803 0x10", "ok\n");
	CHECK_EQ(rule(&c, 0x803)->error, 0x10);
	REFUSED("transport 803 0");
	REFUSED("transport 803 0x80");
	SAYS("internal-error on", "ok\n");
	CHECK(c.e.hca.internal_error);
	SAYS("internal-error off", "ok\n");
	CHECK(!c.e.hca.internal_error);
	REFUSED("internal-error maybe");
	SAYS("strict on", "ok\n");
	CHECK(fake.strict);
	SAYS("switch odp on", "ok\n");
	REFUSED("switch odp");
	REFUSED("switch none on");
	REFUSED("switch a-name-that-is-longer-than-"
		"there-is-room-for-in-one-option-of-a-switch on");
	CHECK_EQ(fake.switches, 2);
	SAYS("in-flight", "0\nok\n");
	fini(&c);
}

static void exec(void)
{
	struct ctl_env c;
	unsigned int execs;

	start(&c);
	execs = fake.execs;
	SAYS("exec 00010000000000000000000000000000", "0x00 0x00000000\nok\n");
	CHECK_EQ(fake.execs, execs + 1);
	REFUSED("exec 000100000000000000000000000000");
	REFUSED("exec 0001000000000000000000000000000");
	REFUSED("exec 0001000000000000000000000000000x");
	CHECK_EQ(fake.execs, execs + 1);
	fini(&c);
}

static void last_and_count(void)
{
	static const uint8_t in[] = { 0x08, 0x00, 0, 3 };
	struct ctl_env c;

	start(&c);
	SAYS("count 800", "0\nok\n");
	REFUSED("last 800");
	script_seen(&c.e.hca.script, 0x800, in, sizeof(in));
	SAYS("count 0x800", "1\nok\n");
	SAYS("count *", "1\nok\n");
	SAYS("last 800", "08000003\nok\n");
	fini(&c);
}

static void reset_script(void)
{
	struct ctl_env c;

	start(&c);
	say(&c, "fail 500 1 1 always");
	say(&c, "delay * 5");
	say(&c, "parallel 4");
	say(&c, "strict on");
	say(&c, "switch odp on");
	say(&c, "internal-error on");
	SAYS("reset-script", "ok\n");
	CHECK_EQ(rule(&c, 0x500)->fail, 0);
	CHECK_EQ(script_delay(&c.e.hca.script, 0x500), 0);
	CHECK_EQ(c.e.hca.cmdq.workers, 1);
	CHECK(!fake.strict);
	CHECK_EQ(fake.switches, 0);
	CHECK(!c.e.hca.internal_error);
	fini(&c);
}

static void live(void)
{
	struct ctl_env c;

	start(&c);
	fake.live[0] = (struct fw_live){ "pd", 0x12, 3, 1 };
	fake.live[1] = (struct fw_live){ "qp", 0x34, 0, 0 };
	fake.nr_live = 2;
	SAYS("live", "live pd 0x000012 0x0003 1\nlive qp 0x000034 0x0000 0\nok\n");
	SAYS("live 3", "live pd 0x000012 0x0003 1\nok\n");
	SAYS("live 9", "ok\n");
	REFUSED("live 65536");
	fini(&c);
}

static void event(void)
{
	static const uint64_t pas[] = { EQ_PAGE };
	struct fw_eq_attr attr;
	struct ctl_env c;
	const uint8_t *eqe;

	start(&c);
	eq_attr(&attr, pas);
	CHECK_EQ(eq_create(&c.e.hca, &attr), FW_OK);
	eqe = at(&c.e, EQ_PAGE);
	SAYS("event 0x1c 0x1234", "ok\n");
	CHECK_EQ(eqe[1], 0x1c);
	CHECK_EQ(get_be32(eqe + 0x38), 0x1234);
	SAYS("event 9:4 1", "ok\n");
	CHECK_EQ(eqe[64 + 3], 4);
	CHECK_EQ(eqe[64 + 0x28], 1 << 4);
	SAYS("event 0x4 7 0000000000000000000000c2", "ok\n");
	CHECK_EQ(get_be32(eqe + 128 + 0x20), 7);
	CHECK_EQ(eqe[128 + 0x2b], 0xc2);
	REFUSED("event 0 7");	/* there is no such CQ */
	fake.has_cq = true;
	fake.cq.eqn = 1;
	SAYS("event 0 7", "ok\n");
	CHECK_EQ(get_be32(eqe + 192 + 0x38), 7);
	REFUSED("event 0x1c 1 0");
	REFUSED("event 0x1c 1 zz");
	REFUSED("event 256 1");
	fini(&c);
}

static void lines(void)
{
	struct ctl_env c;
	char buf[CTL_LINE_MAX + 10];

	start(&c);
	REFUSED("nonsense");
	REFUSED("count 1 2 3 4 5 6 7 8 9 10");
	SAYS("", "");
	SAYS("  count \t *  \r", "0\nok\n");
	CHECK(strstr(say(&c, "help"), "fail OPCODE"));
	/* Two lines in one piece, and one line in two. */
	SAYS("count *\ncount *", "0\nok\n0\nok\n");
	CHECK_EQ(send(c.fd, "cou", 3, 0), 3);
	CHECK(!*collect(&c, c.fd));
	SAYS("nt *", "0\nok\n");
	/* Too long: one answer, and the next line is whole again. */
	memset(buf, 'x', sizeof(buf));
	CHECK_EQ(send(c.fd, buf, sizeof(buf), 0), sizeof(buf));
	SAYS("", "err line too long\n");
	SAYS("count *", "0\nok\n");
	fini(&c);
}

static void several_clients(void)
{
	struct ctl_env c;
	int other;

	start(&c);
	other = client(&c);
	CHECK_EQ(send(other, "count *\n", 8, 0), 8);
	CHECK(!strcmp(collect(&c, other), "0\nok\n"));
	SAYS("count *", "0\nok\n");
	close(other);
	SAYS("count *", "0\nok\n");
	CHECK(c.ctl.clients && !c.ctl.clients->next);
	fini(&c);
}

/* QEMU's side of the monitor. */
struct monitor {
	char path[64];
	int listen;
	int fd;
	char got[1024];
};

static void monitor_open(struct monitor *m)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	snprintf(m->path, sizeof(m->path), "/tmp/hca-ctl-test.%d", getpid());
	strcpy(addr.sun_path, m->path);
	unlink(m->path);
	m->listen = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CHECK(!bind(m->listen, (struct sockaddr *)&addr, sizeof(addr)));
	CHECK(!listen(m->listen, 1));
}

static void monitor_close(struct monitor *m)
{
	close(m->fd);
	close(m->listen);
	unlink(m->path);
}

static const char *monitor_says(struct ctl_env *c, struct monitor *m,
				const char *line)
{
	ssize_t n;
	int i;

	CHECK_EQ(send(m->fd, line, strlen(line), 0), strlen(line));
	for (i = 0; i < 8; i++)
		loop_step(&c->e.loop, 0);
	n = recv(m->fd, m->got, sizeof(m->got) - 1, MSG_DONTWAIT);
	m->got[n > 0 ? n : 0] = '\0';
	return m->got;
}

/* Up to the monitor's answer to the command itself. */
static void begin(struct ctl_env *c, struct monitor *m, const char *line)
{
	monitor_open(m);
	start_qmp(c, m->path);
	CHECK(!*say(c, line));
	m->fd = accept(m->listen, NULL, NULL);
	CHECK(strstr(monitor_says(c, m, "{\"QMP\": {}}\r\n"),
		     "qmp_capabilities"));
}

static void unplug(void)
{
	struct monitor m;
	struct ctl_env c;

	begin(&c, &m, "unplug");
	CHECK(strstr(monitor_says(&c, &m, "{\"return\": {}}\r\n"),
		     "\"device_del\", \"arguments\": {\"id\": \"hca0\"}"));
	monitor_says(&c, &m, "{\"event\": \"RESUME\"}\r\n");
	CHECK(!*collect(&c, c.fd));
	monitor_says(&c, &m, "{\"return\": {}}\r\n");
	CHECK(!strcmp(collect(&c, c.fd), "ok\n"));
	CHECK_EQ(c.qmp.conn.fd, -1);
	monitor_close(&m);
	fini(&c);
}

static void plug_refused(void)
{
	struct monitor m;
	struct ctl_env c;

	begin(&c, &m, "plug");
	monitor_says(&c, &m, "{\"return\": {}}\r\n");
	monitor_says(&c, &m, "{\"error\": {\"class\": \"G\", \"desc\": \"no device\"}}\n");
	CHECK(!strcmp(collect(&c, c.fd), "err no device\n"));
	monitor_close(&m);
	fini(&c);
}

static void client_leaves_while_it_waits(void)
{
	struct monitor m;
	struct ctl_env c;

	begin(&c, &m, "plug");
	close(c.fd);
	collect(&c, m.fd);
	monitor_says(&c, &m, "{\"return\": {}}\r\n");
	monitor_says(&c, &m, "{\"return\": {}}\r\n");
	CHECK_EQ(c.qmp.conn.fd, -1);
	CHECK(!c.ctl.clients);
	c.fd = client(&c);
	monitor_close(&m);
	fini(&c);
}

static void surprise_removal(void)
{
	struct ctl_env c;

	start(&c);
	SAYS("unplug surprise", "err no --qmp was given\n");
	CHECK(c.e.hca.dead);
	SAYS("plug", "err no --qmp was given\n");
	CHECK(!c.e.hca.dead);
	REFUSED("unplug gently");
	fini(&c);
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(fail),
		TAP(delay_and_parallel),
		TAP(drop_transport_and_errors),
		TAP(exec),
		TAP(last_and_count),
		TAP(reset_script),
		TAP(live),
		TAP(event),
		TAP(lines),
		TAP(several_clients),
		TAP(unplug),
		TAP(plug_refused),
		TAP(client_leaves_while_it_waits),
		TAP(surprise_removal),
	};

	return TAP_RUN(tests);
}
