// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "ctl.h"
#include "hca.h"
#include "log.h"
#include "personality.h"
#include "qmp.h"
#include "sock.h"
#include "vdev.h"

struct options {
	const char *sock;
	const char *ctl;
	const char *log;
	struct hca_conf hca;
	struct qmp_conf qmp;
	uint64_t delay_us;
	unsigned int workers;
};

struct server {
	struct loop loop;
	struct hca hca;
	struct vfu vfu;
	struct qmp qmp;
	struct ctl ctl;
	struct watch listen;
	struct watch signals;
};

static const char usage[] =
	"usage: mdx-hca --sock PATH --ctl PATH [--log FILE] [--qmp PATH] [-o KEY[=VALUE],...]\n"
	"  --sock PATH  vfio-user socket\n"
	"  --ctl PATH   control socket\n"
	"  --log FILE   append every command and event to FILE\n"
	"  --qmp PATH   QEMU's QMP socket, for plug and unplug\n"
	"  -o strict         reserved fields of mailboxes must be zero\n"
	"  -o max-objs=N     live objects of any type\n"
	"  -o mac=M:A:C:...  address of the port\n"
	"  -o device-id=ID   PCI device id (0x1019)\n"
	"  -o delay=US       latency of commands\n"
	"  -o parallel=N     commands executed at the same time (1)\n"
	"  -o cmd-timeout=MS command timeout of drivers (60000)\n"
	"  -o qemu-id=ID     id of the device in QEMU (hca0)\n"
	"  -o esw            the PF manages an e-switch\n"
	"  -o ecpf,vfs=N     an embedded CPU's function, and a host PF with N VFs\n"
	"  -o personality=FILE  like the device of a report of mdx selftest\n"
	"  -o NAME=on|off    capabilities: see Documentation/hca.md\n";

static bool parse_num(const char *s, unsigned long max, unsigned long *val)
{
	char *end;

	if (!s || *s == '-')
		return false;
	*val = strtoul(s, &end, 0);
	return end != s && !*end && *val <= max;
}

static bool parse_mac(const char *s, uint8_t mac[6])
{
	int n = 0;

	return s && sscanf(s, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx%n", &mac[0],
			   &mac[1], &mac[2], &mac[3], &mac[4], &mac[5],
			   &n) == 6 && !s[n] && !(mac[0] & 1);
}

enum {
	O_STRICT, O_MAX_OBJS, O_MAC, O_DEVICE_ID, O_DELAY, O_PARALLEL,
	O_QEMU_ID, O_CMD_TIMEOUT, O_PERSONALITY,
};

static char *const keys[] = {
	[O_STRICT] = "strict",
	[O_MAX_OBJS] = "max-objs",
	[O_MAC] = "mac",
	[O_DEVICE_ID] = "device-id",
	[O_DELAY] = "delay",
	[O_PARALLEL] = "parallel",
	[O_QEMU_ID] = "qemu-id",
	[O_CMD_TIMEOUT] = "cmd-timeout",
	[O_PERSONALITY] = "personality",
	NULL,
};

static bool one_option(struct options *o, int key, char *val)
{
	unsigned long n = 0;

	switch (key) {
	case O_STRICT:
		o->hca.fw.strict = true;
		return !val;
	case O_MAX_OBJS:
		if (!parse_num(val, UINT32_MAX, &n))
			return false;
		o->hca.fw.max_objs = (uint32_t)n;
		return true;
	case O_MAC:
		return parse_mac(val, o->hca.fw.mac);
	case O_DEVICE_ID:
		if (!parse_num(val, UINT16_MAX, &n))
			return false;
		o->hca.device_id = (uint16_t)n;
		return true;
	case O_DELAY:
		if (!parse_num(val, UINT32_MAX, &n))
			return false;
		o->delay_us = n;
		return true;
	case O_PARALLEL:
		if (!parse_num(val, CMDQ_SLOTS, &n) || !n)
			return false;
		o->workers = (unsigned int)n;
		return true;
	case O_CMD_TIMEOUT:
		/* The register holds 20 bits of milliseconds. */
		if (!parse_num(val, 0xfffff, &n) || !n)
			return false;
		o->hca.cmd_timeout_ms = (uint32_t)n;
		return true;
	case O_PERSONALITY:
		/* Used until the process ends. */
		o->hca.fw.personality = val ? personality_load(val) : NULL;
		return o->hca.fw.personality;
	case O_QEMU_ID:
		o->qmp.id = val;
		return val;
	}
	/* The firmware's: the whole of it is in the value. */
	return val && fw_option(&o->hca.fw, val);
}

static bool sub_options(struct options *o, char *s)
{
	while (*s) {
		char *at = s, *val;
		int key = getsubopt(&s, keys, &val);

		if (!one_option(o, key, val)) {
			fprintf(stderr, "mdx-hca: bad option -o %s\n", at);
			return false;
		}
	}
	return true;
}

static bool parse_options(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "sock", required_argument, NULL, 's' },
		{ "ctl", required_argument, NULL, 'c' },
		{ "log", required_argument, NULL, 'l' },
		{ "qmp", required_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{},
	};
	const char *bad;
	int opt;

	*o = (struct options){
		.hca.device_id = 0x1019,
		.hca.fw.mac = { 0x02, 0xc9, 0x00, 0x12, 0x34, 0x56 },
		.qmp.id = "hca0",
	};
	while ((opt = getopt_long(argc, argv, "o:h", longs, NULL)) != -1) {
		switch (opt) {
		case 's':
			o->sock = optarg;
			break;
		case 'c':
			o->ctl = optarg;
			break;
		case 'l':
			o->log = optarg;
			break;
		case 'q':
			o->qmp.path = optarg;
			break;
		case 'o':
			if (!sub_options(o, optarg))
				return false;
			break;
		default:
			return false;
		}
	}
	bad = fw_conf_error(&o->hca.fw);
	if (bad) {
		fprintf(stderr, "mdx-hca: %s\n", bad);
		return false;
	}
	return o->sock && optind == argc;
}

static void vfu_accept(void *arg, uint32_t events)
{
	struct server *s = arg;
	int fd = sock_accept(s->listen.fd);

	(void)events;
	if (fd >= 0 && vfu_attach(&s->vfu, fd))
		log_warn("vfio-user: a second client was refused");
}

static void on_signal(void *arg, uint32_t events)
{
	struct server *s = arg;

	(void)events;
	s->loop.quit = true;
}

static int watch_signals(struct server *s)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	s->signals = (struct watch){
		.fd = signalfd(-1, &set, SFD_CLOEXEC),
		.fn = on_signal,
		.arg = s,
	};
	return s->signals.fd < 0 ? -1 :
	       watch_start(&s->loop, &s->signals, EPOLLIN);
}

static int run_server(struct server *s, const struct options *o)
{
	s->listen = (struct watch){
		.fd = sock_listen(o->sock), .fn = vfu_accept, .arg = s,
	};
	if (s->listen.fd < 0 || watch_start(&s->loop, &s->listen, EPOLLIN) ||
	    ctl_init(&s->ctl, &s->hca, &s->qmp, o->ctl) || watch_signals(s))
		return -1;
	loop_run(&s->loop);
	ctl_fini(&s->ctl);
	watch_stop(&s->loop, &s->signals);
	watch_stop(&s->loop, &s->listen);
	unlink(o->sock);
	if (o->ctl)
		unlink(o->ctl);
	return 0;
}

int main(int argc, char **argv)
{
	static struct server s;
	struct options o;
	int ret;

	if (!parse_options(&o, argc, argv)) {
		fputs(usage, stderr);
		return 2;
	}
	if (o.log && !log_open(o.log)) {
		perror(o.log);
		return 1;
	}
	if (loop_init(&s.loop) || hca_init(&s.hca, &s.loop, &o.hca) ||
	    vdev_init(&s.vfu, &s.hca)) {
		fputs("mdx-hca: cannot start\n", stderr);
		return 1;
	}
	hca_apply_personality(&s.hca);
	s.hca.script.delay_us = o.delay_us;
	if (o.workers)
		s.hca.cmdq.workers = o.workers;
	qmp_init(&s.qmp, &s.loop, &o.qmp);
	ret = run_server(&s, &o);
	vfu_fini(&s.vfu);
	qmp_fini(&s.qmp);
	hca_fini(&s.hca);
	loop_fini(&s.loop);
	return ret ? 1 : 0;
}
