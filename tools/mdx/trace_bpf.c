// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Loads bpf/command.bpf.c, which is part of this program, and attaches it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "tool.h"
#include "trace_parts.h"

#define LINKS_MAX 16

struct trace_bpf {
	struct bpf_object *object;
	struct bpf_link *links[LINKS_MAX];
	int links_n;
	struct ring_buffer *ring;
	bool fentry;
};

/* bpf_object.S */
extern const char trace_object[], trace_object_end[];

static int print_libbpf(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level == LIBBPF_DEBUG || !getenv("MDX_DEBUG"))
		return 0;
	return vfprintf(stderr, fmt, ap);
}

static bool locked_down(void)
{
	char line[128];

	return read_line(line, sizeof(line), "/sys/kernel/security/lockdown") &&
	       strstr(line, "[confidentiality]");
}

/* Conditions that are looked at before anything is tried: false after a message. */
static bool kernel_can(void)
{
	if (!exists("/sys/module/mlx5_core")) {
		complain("mlx5_core is not loaded: there are no commands to trace (mdx doctor)");
		return false;
	}
	if (geteuid()) {
		complain("only root may trace: BPF programs that read the kernel's memory need CAP_BPF and CAP_PERFMON");
		return false;
	}
	if (!exists("/sys/kernel/btf/vmlinux")) {
		complain("this kernel has no BTF (/sys/kernel/btf/vmlinux), which --all needs: a kernel with CONFIG_DEBUG_INFO_BTF has it; mdx trace without --all shows the commands of mlx5_devx");
		return false;
	}
	if (locked_down()) {
		complain("the kernel is locked down (confidentiality), so no BPF program may read its memory; mdx trace without --all shows the commands of mlx5_devx");
		return false;
	}
	return true;
}

static void explain_failure(int err)
{
	if (err == ENOSYS)
		complain("this kernel has no BPF (CONFIG_BPF_SYSCALL)");
	else if (err == EPERM)
		complain("the kernel does not permit BPF: a container needs CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN");
	else if (err == ENOENT || err == ESRCH)
		complain("this mlx5_core has no function mlx5_cmd_do or mlx5_cmd_exec_cb that can be probed; mdx trace without --all shows the commands of mlx5_devx");
	else
		complain("cannot trace: %s; MDX_DEBUG=1 shows what libbpf says", strerror(err));
}

static bool starts_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

/* Programs of one of the two ways, and of --pid where it is asked for. */
static bool program_wanted(const struct bpf_program *prog, bool fentry,
			   const struct trace_options *options)
{
	const char *name = bpf_program__name(prog);

	if (starts_with(name, "fentry_") || starts_with(name, "fexit_"))
		return fentry;
	if (starts_with(name, "kprobe_") || starts_with(name, "kretprobe_"))
		return !fentry;
	if (!strcmp(name, "process_fork"))
		return options->pid;
	return true;
}

static int set_filter(struct bpf_object *object, const struct trace_options *options)
{
	struct bpf_map *map;
	size_t size;
	struct command_filter *filter;

	bpf_object__for_each_map(map, object) {
		if (!strstr(bpf_map__name(map), ".rodata"))
			continue;
		filter = (void *)bpf_map__initial_value(map, &size);
		if (!filter || size < sizeof(*filter))
			return -EINVAL;
		filter->has_opcode = options->opcode >= 0;
		filter->opcode = options->opcode;
		filter->kernel = options->kernel;
		filter->failed = options->failed;
		filter->by_pid = options->pid != 0;
		filter->summary = options->summary;
		filter->record = !!options->record;
		return 0;
	}
	return -EINVAL;
}

static int add_pid(struct trace_bpf *bpf, long pid)
{
	struct bpf_map *map = bpf_object__find_map_by_name(bpf->object, "pids");
	uint32_t key = pid;
	uint8_t yes = 1;

	return bpf_map__update_elem(map, &key, sizeof(key), &yes, sizeof(yes), BPF_ANY);
}

static int load_object(struct trace_bpf *bpf, const struct trace_options *options)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "mdx_trace");
	struct bpf_program *prog;
	int ret;

	bpf->object = bpf_object__open_mem(trace_object, trace_object_end - trace_object,
					   &opts);
	if (!bpf->object)
		return -errno;
	bpf_object__for_each_program(prog, bpf->object)
		bpf_program__set_autoload(prog, program_wanted(prog, bpf->fentry, options));
	ret = set_filter(bpf->object, options);
	return ret ? ret : bpf_object__load(bpf->object);
}

static int attach_programs(struct trace_bpf *bpf)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, bpf->object) {
		if (!bpf_program__autoload(prog))
			continue;
		bpf->links[bpf->links_n] = bpf_program__attach(prog);
		if (!bpf->links[bpf->links_n])
			return -errno;
		bpf->links_n++;
	}
	return 0;
}

static void unload_object(struct trace_bpf *bpf)
{
	while (bpf->links_n)
		bpf_link__destroy(bpf->links[--bpf->links_n]);
	bpf_object__close(bpf->object);
	bpf->object = NULL;
}

static int start_programs(struct trace_bpf *bpf, const struct trace_options *options)
{
	int ret = load_object(bpf, options);

	if (!ret && options->pid)
		ret = add_pid(bpf, options->pid);
	if (!ret)
		ret = attach_programs(bpf);
	if (ret)
		unload_object(bpf);
	return ret;
}

struct trace_bpf *trace_bpf_start(const struct trace_options *options)
{
	struct trace_bpf *bpf;
	int ret;

	if (!kernel_can())
		return NULL;
	bpf = calloc(1, sizeof(*bpf));
	if (!bpf)
		return NULL;
	libbpf_set_print(print_libbpf);
	/* A driver in the kernel is in its BTF; one of a vendor often has none. */
	bpf->fentry = exists("/sys/kernel/btf/mlx5_core") ||
		      !exists("/sys/module/mlx5_core/initstate");
	ret = start_programs(bpf, options);
	if (ret && bpf->fentry) {
		bpf->fentry = false;
		ret = start_programs(bpf, options);
	}
	if (!ret)
		return bpf;
	explain_failure(-ret);
	free(bpf);
	return NULL;
}

void trace_bpf_on_event(struct trace_bpf *bpf,
			int (*func)(void *arg, void *event, size_t len), void *arg)
{
	bpf->ring = ring_buffer__new(bpf_object__find_map_fd_by_name(bpf->object, "events"),
				     func, arg, NULL);
}

int trace_bpf_poll(struct trace_bpf *bpf, int ms)
{
	int ret = bpf->ring ? ring_buffer__poll(bpf->ring, ms) : -ENOMEM;

	return ret > 0 ? 0 : ret;
}

void trace_bpf_sums(struct trace_bpf *bpf,
		    void (*func)(const struct sum_key *key,
				 const struct sum_value *sum, void *arg),
		    void *arg)
{
	int fd = bpf_object__find_map_fd_by_name(bpf->object, "sums");
	struct sum_key key, *last = NULL;
	struct sum_value sum;

	while (!bpf_map_get_next_key(fd, last, &key)) {
		if (!bpf_map_lookup_elem(fd, &key, &sum))
			func(&key, &sum, arg);
		last = &key;
	}
}

const char *trace_bpf_mode(const struct trace_bpf *bpf)
{
	return bpf->fentry ? "fentry" : "kprobes";
}

/* A program that is interrupted by itself does not run again. */
static uint64_t recursion_misses(struct trace_bpf *bpf)
{
	struct bpf_program *prog;
	struct bpf_prog_info info;
	uint64_t misses = 0;
	uint32_t len;

	bpf_object__for_each_program(prog, bpf->object) {
		memset(&info, 0, sizeof(info));
		len = sizeof(info);
		if (bpf_program__autoload(prog) &&
		    !bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &len))
			misses += info.recursion_misses;
	}
	return misses;
}

uint64_t trace_bpf_missed(struct trace_bpf *bpf)
{
	const struct command_counters *counters = NULL;
	struct bpf_map *map;
	uint64_t misses = recursion_misses(bpf);
	size_t size;

	bpf_object__for_each_map(map, bpf->object)
		if (strstr(bpf_map__name(map), ".bss"))
			counters = bpf_map__initial_value(map, &size);
	if (!counters)
		return misses;
	if (counters->lost)
		complain("%llu commands are missing: they came faster than they were printed; --summary, or a filter, loses none",
			 (unsigned long long)counters->lost);
	if (counters->no_return + misses)
		complain("up to %llu commands are missing: the kernel did not report them (too many at a time)",
			 (unsigned long long)(counters->no_return + misses));
	return counters->lost + counters->no_return + misses;
}

void trace_bpf_stop(struct trace_bpf *bpf)
{
	ring_buffer__free(bpf->ring);
	unload_object(bpf);
	free(bpf);
}
