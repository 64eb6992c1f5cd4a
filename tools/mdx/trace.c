// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx trace: commands as the device has executed them. Without --all, those of the
 * module: its tracepoint is used in a tracefs instance of its own, so that other
 * tracing is not disturbed.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"
#include "trace_parts.h"

static char instance[256];
static struct trace_pids pids;
static volatile sig_atomic_t stopped;

static void set_stopped(int sig)
{
	(void)sig;
	stopped = 1;
}

static int write_file(const char *file, const char *text)
{
	char path[512];
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/%s", instance, file);
	fd = open(path, O_WRONLY | O_APPEND);
	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}

static const char *tracefs_dir(void)
{
	static const char *const dirs[] = {
		"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
	};
	size_t i;

	for (i = 0; i < 2; i++)
		if (exists("%s/instances", dirs[i]))
			return dirs[i];
	return NULL;
}

static int set_filters(const struct trace_options *filter)
{
	char text[128] = "";
	int err = 0;

	if (filter->opcode >= 0)
		sprintf(text, "opcode == %d", filter->opcode);
	if (filter->failed)
		sprintf(text + strlen(text), "%sret != 0", *text ? " && " : "");
	if (*text)
		err = write_file("events/mlx5_devx/mdx_cmd/filter", text);
	if (!err && filter->pid)
		err = write_file("events/sched/sched_process_fork/enable", "1");
	/* Afterwards, so that no task is missed. */
	if (!err && filter->pid)
		err = trace_pids_begin(&pids, filter->pid);
	if (!err)
		err = write_file("events/mlx5_devx/mdx_cmd/enable", "1");
	return err;
}

static void show_event(const struct event *e)
{
	if (!opt_json) {
		printf("%s %s-%ld %s uid %u %s (%#x)", e->time,
		       out_clean(e->comm, sizeof(e->comm)), e->pid,
		       e->dev, e->uid, mdx_opcode_name(e->opcode), e->opcode);
		if (e->object)
			printf(" object %u", e->object);
		printf(" %llu.%03llu us", e->ns / 1000, e->ns % 1000);
		if (e->status)
			printf(" refused: %s (%#x), syndrome %#x",
			       mdx_status_name(e->status), e->status,
			       e->syndrome);
		else if (e->ret)
			printf(" failed: %s", strerror(-e->ret));
		putchar('\n');
		return;
	}
	/* A line each, so that a reader need not wait for the end. */
	printf("{\"time\": %s, \"pid\": %ld, \"comm\": ", e->time, e->pid);
	out_quoted(e->comm, sizeof(e->comm));
	printf(", \"device\": \"%s\", \"uid\": %u, \"opcode\": %u, \"name\": \"%s\", \"object\": %u, \"status\": %u, \"syndrome\": %u, \"ret\": %d, \"ns\": %llu}\n",
	       e->dev, e->uid, e->opcode, mdx_opcode_name(e->opcode), e->object,
	       e->status, e->syndrome, e->ret, e->ns);
}

/* A worker has executed the command: the name in the line is the worker's. */
static void name_submitter(struct event *event)
{
	if (!strncmp(event->comm, "kworker/", 8) &&
	    !read_line(event->comm, sizeof(event->comm), "/proc/%ld/comm", event->pid))
		snprintf(event->comm, sizeof(event->comm), "?");
}

static int follow_events(const struct trace_options *filter)
{
	char path[512], line[1024];
	unsigned long seen = 0;
	struct event event;
	FILE *f;

	snprintf(path, sizeof(path), "%s/trace_pipe", instance);
	f = fopen(path, "r");
	if (!f) {
		complain("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	while (!stopped && (!filter->count || seen < filter->count) &&
	       fgets(line, sizeof(line), f)) {
		if (filter->pid)
			trace_pids_line(&pids, line);
		if (!parse_event(line, &event) ||
		    (opt_device && strcmp(opt_device, event.dev)) ||
		    (filter->pid && !trace_pids_have(&pids, event.pid)))
			continue;
		name_submitter(&event);
		show_event(&event);
		fflush(stdout);
		seen++;
	}
	fclose(f);
	return EXIT_OK;
}

static int trace_module(const struct trace_options *filter)
{
	const char *dir = tracefs_dir();
	int err, ret;

	if (!dir || !exists("%s/events/mlx5_devx", dir)) {
		if (geteuid())
			complain("only root may trace");
		else
			complain("no events of mlx5_devx: is the module loaded (mdx doctor), and tracefs mounted?");
		return geteuid() ? EXIT_FAILED : EXIT_NOTHING;
	}
	snprintf(instance, sizeof(instance), "%s/instances/mdx-%d", dir,
		 getpid());
	if (mkdir(instance, 0700)) {
		complain("%s: %s", instance, strerror(errno));
		return EXIT_FAILED;
	}
	err = set_filters(filter);
	if (err) {
		complain("cannot set up tracing: %s", strerror(err));
		ret = EXIT_FAILED;
	} else {
		if (!opt_json)
			fputs("mdx trace: following; end with ^C\n", stderr);
		ret = follow_events(filter);
	}
	write_file("events/mlx5_devx/mdx_cmd/enable", "0");
	if (rmdir(instance))
		complain("%s stays: %s", instance, strerror(errno));
	return ret;
}

static void set_option(struct trace_options *options, int opt)
{
	switch (opt) {
	case 'p':
		options->pid = number(optarg, INT32_MAX, "--pid");
		break;
	case 'n':
		options->count = number(optarg, UINT32_MAX, "--count");
		break;
	case 't':
		options->seconds = number(optarg, UINT32_MAX, "--time");
		break;
	case 'f':
		options->failed = true;
		break;
	case 'c':
		options->opcode = opcode_of(optarg);
		if (options->opcode < 0)
			usage("no opcode '%s' (mdx cmd --list)", optarg);
		break;
	case 'k':
		options->kernel = true;
		break;
	case 's':
		options->summary = true;
		break;
	case 'r':
		options->record = optarg;
		break;
	default:
		options->all = true;
	}
}

int verb_trace(int argc, char **argv)
{
	static const struct opt opts[] = {
		{ "pid", 'p', true }, { "opcode", 'c', true },
		{ "failed", 'f', false }, { "count", 'n', true },
		{ "time", 't', true }, { "all", 'a', false },
		{ "kernel", 'k', false }, { "summary", 's', false },
		{ "record", 'r', true }, { 0 }
	};
	static const struct sigaction action = { .sa_handler = set_stopped };
	struct trace_options options = { .opcode = -1, .stopped = &stopped };
	int opt;

	while ((opt = next_opt(argc, argv, opts)) != -1)
		set_option(&options, opt);
	if (optind != argc)
		usage("options only, please");
	if (!options.all && (options.kernel || options.summary || options.record))
		usage("--kernel, --summary and --record are for --all");
	if (options.summary && (options.record || options.count))
		usage("--summary takes neither --record nor --count");
	/* Without SA_RESTART: the reader comes back and ends. */
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigaction(SIGPIPE, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	if (options.seconds && !options.all)
		alarm(options.seconds);
	return options.all ? trace_all(&options) : trace_module(&options);
}
