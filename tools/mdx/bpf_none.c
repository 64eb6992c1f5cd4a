// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Instead of trace_bpf.c and check_btf.c, where mdx is built without libbpf or clang. */
#include "tool.h"
#include "trace_parts.h"

struct trace_bpf *trace_bpf_start(const struct trace_options *options)
{
	(void)options;
	complain("this mdx was built without libbpf and clang, which --all needs");
	return NULL;
}

void trace_bpf_on_event(struct trace_bpf *bpf,
			int (*func)(void *arg, void *event, size_t len), void *arg)
{
	(void)bpf;
	(void)func;
	(void)arg;
}

int trace_bpf_poll(struct trace_bpf *bpf, int ms)
{
	(void)bpf;
	(void)ms;
	return -1;
}

void trace_bpf_sums(struct trace_bpf *bpf,
		    void (*func)(const struct sum_key *key,
				 const struct sum_value *sum, void *arg),
		    void *arg)
{
	(void)bpf;
	(void)func;
	(void)arg;
}

const char *trace_bpf_mode(const struct trace_bpf *bpf)
{
	(void)bpf;
	return "none";
}

uint64_t trace_bpf_missed(struct trace_bpf *bpf)
{
	(void)bpf;
	return 0;
}

void trace_bpf_stop(struct trace_bpf *bpf)
{
	(void)bpf;
}

void check_layout(struct finding *f)
{
	f->id = "layout";
	found(f, CHECK_NOTE, "this mdx was built without libbpf, which reads the layouts of mlx5_ib");
}

bool read_layout(struct driver_layout *layout)
{
	(void)layout;
	return false;
}
