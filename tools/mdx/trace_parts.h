/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The parts of mdx trace. */
#ifndef MDX_TRACE_PARTS_H
#define MDX_TRACE_PARTS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "command_event.h"

struct trace_options {
	long pid;
	int opcode;		/* -1: any */
	bool failed;
	unsigned long count;	/* 0: no end */
	unsigned long seconds;	/* 0: no end */
	bool all;
	bool kernel;
	bool summary;
	const char *record;
	volatile sig_atomic_t *stopped;
};

/* trace_all.c: returns the exit status. */
int trace_all(const struct trace_options *options);

/* trace_bpf.c: the probes in the kernel. */
struct trace_bpf;

/*
 * Loads and attaches them: NULL after a message with the reason. All of it ends
 * with this process, however that ends.
 */
struct trace_bpf *trace_bpf_start(const struct trace_options *options);
/* Calls @func for each event of the next @ms: 0 or a negative errno. */
int trace_bpf_poll(struct trace_bpf *bpf, int ms);
void trace_bpf_on_event(struct trace_bpf *bpf,
			int (*func)(void *arg, void *event, size_t len), void *arg);
/* Calls @func for each line of the summary. */
void trace_bpf_sums(struct trace_bpf *bpf,
		    void (*func)(const struct sum_key *key,
				 const struct sum_value *sum, void *arg),
		    void *arg);
/* "fentry" or "kprobes". */
const char *trace_bpf_mode(const struct trace_bpf *bpf);
/* Says on stderr what was missed: how many events and commands. */
uint64_t trace_bpf_missed(struct trace_bpf *bpf);
void trace_bpf_stop(struct trace_bpf *bpf);

/* trace_show.c */
/* A line; of --json, a value. */
void show_command(const struct command_event *event);
/* The value alone. */
void show_command_json(const struct command_event *event);
/* Name of the RDMA device, or of the PCI one. */
const char *event_device(const char *device);

/* trace_pids.c: tasks of a process, and those that they start. */
struct trace_pids {
	long *pid;
	unsigned int n;
};

/* 0, or a positive errno: ESRCH if there is no such process. */
int trace_pids_begin(struct trace_pids *pids, long pid);
bool trace_pids_have(const struct trace_pids *pids, long pid);
/* A line of trace_pipe, which may say that a task was started. */
void trace_pids_line(struct trace_pids *pids, const char *line);

/* trace_sum.c */
struct sums;

struct sums *sums_new(void);
void sums_add(const struct sum_key *key, const struct sum_value *sum, void *sums);
/* Prints and frees them. */
void sums_show(struct sums *sums);

#endif /* MDX_TRACE_PARTS_H */
