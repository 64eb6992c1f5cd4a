// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx trace --all: every command that the driver executes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "record.h"
#include "tool.h"
#include "trace_parts.h"

struct follower {
	const struct trace_options *options;
	FILE *file;
	unsigned long seen;
	bool failed;	/* the file cannot be written */
};

static uint64_t now_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static int on_event(void *arg, void *data, size_t len)
{
	const struct command_event *event = data;
	size_t room = (len - sizeof(*event)) / 2;
	struct follower *f = arg;

	if (len < sizeof(*event) || room < event->input_len || room < event->output_len ||
	    (f->options->count && f->seen >= f->options->count) || f->failed)
		return 0;
	if (opt_device && strcmp(opt_device, event_device(event->device)))
		return 0;
	if (f->file)
		f->failed = !record_write(f->file, event, event + 1,
					  (const char *)(event + 1) + room);
	else
		show_command(event);
	if (!(event->flags & EVENT_SUBMIT))
		f->seen++;
	return 0;
}

/* Until a signal, --count or --time. */
static int follow_all(struct trace_bpf *bpf, struct follower *f)
{
	const struct trace_options *options = f->options;
	uint64_t end = now_seconds() + options->seconds;
	int ret = 0;

	while (!*options->stopped && (!ret || ret == -EINTR) && !f->failed &&
	       (!options->count || f->seen < options->count) &&
	       (!options->seconds || now_seconds() < end)) {
		ret = trace_bpf_poll(bpf, 100);
		fflush(stdout);
	}
	return *options->stopped || ret == -EINTR ? 0 : ret;
}

/* Closes the file, which may be where it turns out that there is no room. */
static int end_record(struct follower *f)
{
	const char *path = f->options->record;

	if (!f->file)
		return EXIT_OK;
	if (fclose(f->file) || f->failed) {
		complain("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	fprintf(stderr, "mdx trace: %lu commands in %s, which has addresses and keys of user memory in it\n",
		f->seen, path);
	return EXIT_OK;
}

static void say_started(const struct trace_options *options, struct trace_bpf *bpf)
{
	if (!opt_json)
		fprintf(stderr, "mdx trace: %s by %s; end with ^C\n",
			options->summary ? "counting" : "following", trace_bpf_mode(bpf));
}

int trace_all(const struct trace_options *options)
{
	struct follower follower = { .options = options };
	struct trace_bpf *bpf;
	struct sums *sums;
	int ret;

	if (options->pid && !exists("/proc/%ld", options->pid)) {
		complain("--pid %ld: %s", options->pid, strerror(ESRCH));
		return EXIT_FAILED;
	}
	bpf = trace_bpf_start(options);
	if (!bpf)
		return exists("/sys/module/mlx5_core") ? EXIT_FAILED : EXIT_NOTHING;
	if (options->record) {
		follower.file = record_create(options->record);
		if (!follower.file) {
			complain("%s: %s", options->record, strerror(errno));
			trace_bpf_stop(bpf);
			return EXIT_FAILED;
		}
	}
	trace_bpf_on_event(bpf, on_event, &follower);
	say_started(options, bpf);
	ret = follow_all(bpf, &follower) ? EXIT_FAILED : EXIT_OK;
	if (options->summary) {
		sums = sums_new();
		trace_bpf_sums(bpf, sums_add, sums);
		sums_show(sums);
	}
	if (end_record(&follower))
		ret = EXIT_FAILED;
	trace_bpf_missed(bpf);
	trace_bpf_stop(bpf);
	return ret;
}
