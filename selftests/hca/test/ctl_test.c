// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The control protocol. */
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

static int new_client(struct ctl_env *c)
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
	c->fd = new_client(c);
}

static void start_ctl(struct ctl_env *c)
{
	start_qmp(c, NULL);
}

static void fini_ctl(struct ctl_env *c)
{
	close(c->fd);
	ctl_fini(&c->ctl);
	qmp_fini(&c->qmp);
	env_fini(&c->e);
}

static const char *collect_answer(struct ctl_env *c, int fd)
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

static const char *say_line(struct ctl_env *c, const char *line)
{
	char buf[256];
	int n = snprintf(buf, sizeof(buf), "%s\n", line);

	CHECK_EQ(send(c->fd, buf, (size_t)n, 0), n);
	return collect_answer(c, c->fd);
}

#define SAYS(line, want) do {						\
	const char *got_ = say_line(&c, line);				\
									\
	if (strcmp(got_, want)) {					\
		printf("# %s:%d: %s answers: %s\n", __FILE__, __LINE__,	\
		       line, got_);					\
		tap_failed = true;					\
	}								\
} while (0)

#define REFUSED(line) do {						\
	const char *got_ = say_line(&c, line);				\
									\
	if (strncmp(got_, "err ", 4)) {					\
		printf("# %s:%d: %s answers: %s\n", __FILE__, __LINE__,	\
		       line, got_);					\
		tap_failed = true;					\
	}								\
} while (0)

static struct script_rule *rule_of(struct ctl_env *c, uint16_t opcode)
{
	return &c->e.hca.script.rules[opcode];
}

static void fail_sets_rule(void)
{
	struct ctl_env c;

	start_ctl(&c);
	SAYS("fail 0x500 0x0a 0x1234 3", "ok\n");
	CHECK_EQ(rule_of(&c, MLX5_CMD_OP_CREATE_QP)->fail, 3);
	CHECK_EQ(rule_of(&c, MLX5_CMD_OP_CREATE_QP)->status, 0x0a);
	CHECK_EQ(rule_of(&c, MLX5_CMD_OP_CREATE_QP)->syndrome, 0x1234);
	SAYS("fail 500 6 0 always", "ok\n");
	CHECK_EQ(rule_of(&c, MLX5_CMD_OP_CREATE_QP)->fail, SCRIPT_ALWAYS);
	SAYS("fail 500 6 0", "ok\n");
	CHECK_EQ(rule_of(&c, MLX5_CMD_OP_CREATE_QP)->fail, 1);
	REFUSED("fail 500 6");
	REFUSED("fail 500 256 0");
	REFUSED("fail 10000 6 0");
	REFUSED("fail xyz 6 0");
	REFUSED("fail 500 6 0 -1");
	REFUSED("fail 500 6 0 1 1");
	fini_ctl(&c);
}

static void answer_sets_rule(void)
{
	const struct script_rule *r;
	struct ctl_env c;

	start_ctl(&c);
	r = rule_of(&c, MLX5_CMD_OP_ALLOC_FLOW_COUNTER);
	SAYS("answer 939 0000000000000000fffffff000000000", "ok\n");
	CHECK_EQ(r->answers, 1);
	CHECK_EQ(r->answer_len, 16);
	CHECK_EQ(get_be32(r->answer + 8), 0xfffffff0);
	SAYS("answer 939 00 always", "ok\n");
	CHECK_EQ(r->answers, SCRIPT_ALWAYS);
	CHECK_EQ(r->answer_len, 1);
	SAYS("answer 939 00 0", "ok\n");
	CHECK_EQ(r->answers, 0);
	SAYS("answer 939 00 3", "ok\n");
	REFUSED("answer 939");
	REFUSED("answer 939 0");
	REFUSED("answer 939 0x00");
	REFUSED("answer 939 00 -1");
	REFUSED("answer xyz 00");
	CHECK_EQ(r->answers, 3);
	SAYS("reset-script", "ok\n");
	CHECK_EQ(r->answers, 0);
	CHECK(!r->answer);
	fini_ctl(&c);
}

static void delay_parallel_set(void)
{
	struct ctl_env c;

	start_ctl(&c);
	SAYS("delay * 500", "ok\n");
	SAYS("delay 801 7", "ok\n");
	CHECK_EQ(script_delay(&c.e.hca.script, MLX5_CMD_OP_ALLOC_PD), 500);
	CHECK_EQ(script_delay(&c.e.hca.script, MLX5_CMD_OP_DEALLOC_PD), 7);
	SAYS("parallel 8", "ok\n");
	CHECK_EQ(c.e.hca.cmdq.workers, 8);
	REFUSED("parallel 0");
	REFUSED("parallel 33");
	REFUSED("delay 801 99999999999999999999");
	fini_ctl(&c);
}

static void drop_transport_error_set(void)
{
	struct ctl_env c;

	start_ctl(&c);
	SAYS("drop 802 2", "ok\n");
	CHECK_EQ(rule_of(&c, MLX5_CMD_OP_ALLOC_UAR)->drop, 2);
	SAYS("complete-dropped", "0\nok\n");
	SAYS("transport 803 0x10", "ok\n");
	CHECK_EQ(rule_of(&c, MLX5_CMD_OP_DEALLOC_UAR)->error, 0x10);
	REFUSED("transport 803 0");
	REFUSED("transport 803 0x80");
	SAYS("internal-error on", "ok\n");
	CHECK(c.e.hca.internal_error);
	SAYS("internal-error off", "ok\n");
	CHECK(!c.e.hca.internal_error);
	REFUSED("internal-error maybe");
	SAYS("strict on", "ok\n");
	CHECK(stub.strict);
	SAYS("switch odp on", "ok\n");
	REFUSED("switch odp");
	REFUSED("switch none on");
	REFUSED("switch a-name-that-is-longer-than-"
		"there-is-room-for-in-one-option-of-a-switch on");
	CHECK_EQ(stub.switches, 2);
	SAYS("in-flight", "0\nok\n");
	fini_ctl(&c);
}

static void exec_runs_command(void)
{
	struct ctl_env c;
	unsigned int execs;

	start_ctl(&c);
	execs = stub.execs;
	SAYS("exec 00010000000000000000000000000000", "0x00 0x00000000\nok\n");
	CHECK_EQ(stub.execs, execs + 1);
	REFUSED("exec 000100000000000000000000000000");
	REFUSED("exec 0001000000000000000000000000000");
	REFUSED("exec 0001000000000000000000000000000x");
	CHECK_EQ(stub.execs, execs + 1);
	fini_ctl(&c);
}

static void last_count_report(void)
{
	static const uint8_t in[] = { 0x08, 0x00, 0, 3 };
	struct ctl_env c;

	start_ctl(&c);
	SAYS("count 800", "0\nok\n");
	REFUSED("last 800");
	script_seen(&c.e.hca.script, MLX5_CMD_OP_ALLOC_PD, in, sizeof(in));
	SAYS("count 0x800", "1\nok\n");
	SAYS("count *", "1\nok\n");
	SAYS("last 800", "08000003\nok\n");
	fini_ctl(&c);
}

static void reset_script_clears_rules(void)
{
	struct ctl_env c;

	start_ctl(&c);
	say_line(&c, "fail 500 1 1 always");
	say_line(&c, "delay * 5");
	say_line(&c, "parallel 4");
	say_line(&c, "strict on");
	say_line(&c, "switch odp on");
	say_line(&c, "internal-error on");
	SAYS("reset-script", "ok\n");
	CHECK_EQ(rule_of(&c, MLX5_CMD_OP_CREATE_QP)->fail, 0);
	CHECK_EQ(script_delay(&c.e.hca.script, MLX5_CMD_OP_CREATE_QP), 0);
	CHECK_EQ(c.e.hca.cmdq.workers, 1);
	CHECK(!stub.strict);
	CHECK_EQ(stub.switches, 0);
	CHECK(!c.e.hca.internal_error);
	fini_ctl(&c);
}

static void live_lists_objects(void)
{
	struct ctl_env c;

	start_ctl(&c);
	stub.live[0] = (struct fw_live){ "pd", 0x12, 3, 1 };
	stub.live[1] = (struct fw_live){ "qp", 0x34, 0, 0 };
	stub.nr_live = 2;
	SAYS("live", "live pd 0x000012 0x0003 1\nlive qp 0x000034 0x0000 0\nok\n");
	SAYS("live 3", "live pd 0x000012 0x0003 1\nok\n");
	SAYS("live 9", "ok\n");
	REFUSED("live 65536");
	fini_ctl(&c);
}

static void event_posts_entry(void)
{
	static const uint64_t pas[] = { EQ_PAGE };
	struct fw_eq_attr attr;
	struct ctl_env c;
	const uint8_t *eqe;

	start_ctl(&c);
	eq_attr(&attr, pas);
	CHECK_EQ(eq_create(&c.e.hca, &attr), FW_OK);
	eqe = guest_at(&c.e, EQ_PAGE);
	SAYS("event 0x1c 0x1234", "ok\n");
	CHECK_EQ(eqe[1], 0x1c);
	CHECK_EQ(get_be32(eqe + 0x38), 0x1234);
	SAYS("event 9:4 1", "ok\n");
	CHECK_EQ(eqe[64 + 3], 4);
	CHECK_EQ(eqe[64 + 0x28], 1 << 4);
	SAYS("event 0x4 7 0000000000000000000000c2", "ok\n");
	CHECK_EQ(get_be32(eqe + 128 + 0x20), 7);
	CHECK_EQ(eqe[128 + 0x2b], 0xc2);
	REFUSED("event 0 7"); /* no such CQ */
	stub.has_cq = true;
	stub.cq.eqn = 1;
	SAYS("event 0 7", "ok\n");
	CHECK_EQ(get_be32(eqe + 192 + 0x38), 7);
	REFUSED("event 0x1c 1 0");
	REFUSED("event 0x1c 1 zz");
	REFUSED("event 256 1");
	fini_ctl(&c);
}

static void lines_split_joined_long(void)
{
	struct ctl_env c;
	char buf[CTL_LINE_MAX + 10];

	start_ctl(&c);
	REFUSED("nonsense");
	REFUSED("count 1 2 3 4 5 6 7 8 9 10");
	SAYS("", "");
	SAYS("  count \t *  \r", "0\nok\n");
	CHECK(strstr(say_line(&c, "help"), "fail OPCODE"));
	/* Two lines in one write, and one line in two. */
	SAYS("count *\ncount *", "0\nok\n0\nok\n");
	CHECK_EQ(send(c.fd, "cou", 3, 0), 3);
	CHECK(!*collect_answer(&c, c.fd));
	SAYS("nt *", "0\nok\n");
	/* A line that is too long gets one answer; the next line is intact. */
	memset(buf, 'x', sizeof(buf));
	CHECK_EQ(send(c.fd, buf, sizeof(buf), 0), sizeof(buf));
	SAYS("", "err line too long\n");
	SAYS("count *", "0\nok\n");
	fini_ctl(&c);
}

static void clients_several_served(void)
{
	struct ctl_env c;
	int other;

	start_ctl(&c);
	other = new_client(&c);
	CHECK_EQ(send(other, "count *\n", 8, 0), 8);
	CHECK(!strcmp(collect_answer(&c, other), "0\nok\n"));
	SAYS("count *", "0\nok\n");
	close(other);
	SAYS("count *", "0\nok\n");
	CHECK(c.ctl.clients && !c.ctl.clients->next);
	fini_ctl(&c);
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

/* Run up to the monitor's answer to the command. */
static void begin_press(struct ctl_env *c, struct monitor *m, const char *line)
{
	monitor_open(m);
	start_qmp(c, m->path);
	CHECK(!*say_line(c, line));
	m->fd = accept(m->listen, NULL, NULL);
	CHECK(strstr(monitor_says(c, m, "{\"QMP\": {}}\r\n"),
		     "qmp_capabilities"));
}

static void unplug_presses_button(void)
{
	struct monitor m;
	struct ctl_env c;

	begin_press(&c, &m, "unplug");
	CHECK(strstr(monitor_says(&c, &m, "{\"return\": {}}\r\n"),
		     "\"device_del\", \"arguments\": {\"id\": \"hca0\"}"));
	monitor_says(&c, &m, "{\"event\": \"RESUME\"}\r\n");
	CHECK(!*collect_answer(&c, c.fd));
	monitor_says(&c, &m, "{\"return\": {}}\r\n");
	CHECK(!strcmp(collect_answer(&c, c.fd), "ok\n"));
	CHECK_EQ(c.qmp.conn.fd, -1);
	monitor_close(&m);
	fini_ctl(&c);
}

static void plug_refused_reports_error(void)
{
	struct monitor m;
	struct ctl_env c;

	begin_press(&c, &m, "plug");
	monitor_says(&c, &m, "{\"return\": {}}\r\n");
	monitor_says(&c, &m, "{\"error\": {\"class\": \"G\", \"desc\": \"no device\"}}\n");
	CHECK(!strcmp(collect_answer(&c, c.fd), "err no device\n"));
	monitor_close(&m);
	fini_ctl(&c);
}

static void client_waiting_may_leave(void)
{
	struct monitor m;
	struct ctl_env c;

	begin_press(&c, &m, "plug");
	close(c.fd);
	collect_answer(&c, m.fd);
	monitor_says(&c, &m, "{\"return\": {}}\r\n");
	monitor_says(&c, &m, "{\"return\": {}}\r\n");
	CHECK_EQ(c.qmp.conn.fd, -1);
	CHECK(!c.ctl.clients);
	c.fd = new_client(&c);
	monitor_close(&m);
	fini_ctl(&c);
}

static void unplug_surprise_kills_device(void)
{
	struct ctl_env c;

	start_ctl(&c);
	SAYS("unplug surprise", "err no --qmp was given\n");
	CHECK(c.e.hca.dead);
	SAYS("plug", "err no --qmp was given\n");
	CHECK(!c.e.hca.dead);
	REFUSED("unplug gently");
	fini_ctl(&c);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(fail_sets_rule),
		TAP(answer_sets_rule),
		TAP(delay_parallel_set),
		TAP(drop_transport_error_set),
		TAP(exec_runs_command),
		TAP(last_count_report),
		TAP(reset_script_clears_rules),
		TAP(live_lists_objects),
		TAP(event_posts_entry),
		TAP(lines_split_joined_long),
		TAP(clients_several_served),
		TAP(unplug_presses_button),
		TAP(plug_refused_reports_error),
		TAP(client_waiting_may_leave),
		TAP(unplug_surprise_kills_device),
	};

	return TAP_RUN(tests);
}
