// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Probes of mdx trace --all: each command that mlx5_core executes, whichever
 * driver or program asked for it.
 *
 * All commands pass mlx5_cmd_do(), mlx5_cmd_exec(), mlx5_cmd_exec_polling() or
 * mlx5_cmd_exec_cb(). These are exported, so every build of the driver has them
 * under these names, also those of vendors. mlx5_cmd_exec() calls mlx5_cmd_do(),
 * or has it inlined: the first return of a thread ends its command, and the outer
 * one finds none.
 *
 * fentry and fexit need BTF of the module; a driver built without it gets kprobes
 * and kretprobes, of which the kernel keeps few at a time. mlx5_cmd_exec_cb() has
 * seven arguments, one more than fentry of 6.1 takes, and so is always a kprobe.
 */
#include <stdbool.h>

#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/ptrace.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "../command_event.h"

char _license[] SEC("license") = "Dual BSD/GPL";

/* As far as they are read here; libbpf finds out where the fields are. */
struct kobject {
	const char *name;
} __attribute__((preserve_access_index));

struct device {
	struct kobject kobj;
} __attribute__((preserve_access_index));

struct mlx5_core_dev {
	struct device *device;
} __attribute__((preserve_access_index));

struct mlx5_async_ctx {
	struct mlx5_core_dev *dev;
} __attribute__((preserve_access_index));

struct task_struct {
	int tgid;
} __attribute__((preserve_access_index));

/* A command under way. */
struct command {
	__u64 start;
	const void *dev;
	const void *input;
	const void *output;
	__u32 in_len;
	__u32 out_len;
	__u32 pid;
	__u32 tid;
	char comm[EVENT_COMM];
	__u8 in[EVENT_IN];
	__u8 outer;	/* mlx5_cmd_exec(), which calls mlx5_cmd_do() */
	__u8 reserved[7];
};

const volatile struct command_filter filter = {};
struct command_counters counters = {};

/* By thread: it executes one command at a time. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, struct command);
} commands SEC(".maps");

/* Asynchronous ones, by the address of their struct mlx5_async_work. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, __u64);
	__type(value, struct command);
} async_commands SEC(".maps");

/* mlx5_cmd_exec_cb() under way: thread to work. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, __u64);
} submissions SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u8);
} pids SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, struct sum_key);
	__type(value, struct sum_value);
} sums SEC(".maps");

/* A struct sum_value of zeroes: too large for the stack. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct sum_value);
} blank SEC(".maps");

/* With --record, whole inputs by thread: a driver may put the answer in their place. */
struct kept_input {
	__u8 bytes[EVENT_INPUT_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct kept_input);
} inputs SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct kept_input);
} blank_input SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} events SEC(".maps");

/*
 * The first field of both structures in every driver so far; where there is BTF of
 * the driver, its offset is looked up.
 */
static __always_inline const void *dev_of_ctx(const void *ctx)
{
	const struct mlx5_async_ctx *actx = ctx;
	const void *dev = NULL;

	if (bpf_core_field_exists(actx->dev))
		return BPF_CORE_READ(actx, dev);
	bpf_probe_read_kernel(&dev, sizeof(dev), ctx);
	return dev;
}

static __always_inline void read_device_name(char *to, const void *mdev)
{
	const struct mlx5_core_dev *dev = mdev;
	struct device *device = NULL;

	if (bpf_core_field_exists(dev->device))
		device = BPF_CORE_READ(dev, device);
	else
		bpf_probe_read_kernel(&device, sizeof(device), mdev);
	bpf_probe_read_kernel_str(to, EVENT_DEVICE,
				  BPF_CORE_READ(device, kobj.name));
}

/*
 * To be used at once: the verifier of older kernels wants the bound on the very register
 * that is used, and that of 6.1 forgets bounds of what lay on the stack meanwhile.
 */
static __always_inline __u64 bounded_len(__u32 len, __u64 max)
{
	__u64 val = len;

	asm volatile("" : "+r"(val));
	val = val < max ? val : max;
	asm volatile("" : "+r"(val));
	return val;
}

static __always_inline __u16 head_word(const __u8 *head, int at)
{
	return head[at] << 8 | head[at + 1];
}

static __always_inline bool command_wanted(const struct command *cmd)
{
	if (!filter.kernel && !head_word(cmd->in, 2))
		return false;
	if (filter.has_opcode && filter.opcode != head_word(cmd->in, 0))
		return false;
	return !filter.by_pid || bpf_map_lookup_elem(&pids, &cmd->pid);
}

/* False if the command is not to be shown. */
static __always_inline bool command_init(struct command *cmd, const void *dev,
					 const void *in, int in_len,
					 const void *out, int out_len)
{
	__u64 id = bpf_get_current_pid_tgid();

	__builtin_memset(cmd, 0, sizeof(*cmd));
	cmd->pid = id >> 32;
	cmd->tid = id;
	if (bpf_probe_read_kernel(cmd->in, bounded_len(in_len, sizeof(cmd->in)), in) ||
	    !command_wanted(cmd))
		return false;
	cmd->dev = dev;
	cmd->input = in;
	cmd->output = out;
	cmd->in_len = in_len;
	cmd->out_len = out_len;
	bpf_get_current_comm(cmd->comm, sizeof(cmd->comm));
	cmd->start = bpf_ktime_get_ns();
	return true;
}

static __always_inline __u32 latency_class(__u64 ns)
{
	__u32 exponent = 0, class;
	__u64 rest = ns >> SUM_SHIFT;

	if (!rest)
		return 0;
	/* The position of the highest bit, without a loop. */
	if (rest >> 32) {
		exponent += 32;
		rest >>= 32;
	}
	if (rest >> 16) {
		exponent += 16;
		rest >>= 16;
	}
	if (rest >> 8) {
		exponent += 8;
		rest >>= 8;
	}
	if (rest >> 4) {
		exponent += 4;
		rest >>= 4;
	}
	if (rest >> 2) {
		exponent += 2;
		rest >>= 2;
	}
	exponent += rest >> 1;
	class = 4 * exponent + ((ns >> (exponent + SUM_SHIFT - 2)) & 3) + 1;
	return class < SUM_CLASSES ? class : SUM_CLASSES - 1;
}

static __always_inline void sum_up(const struct command *cmd, __u64 ns, int ret)
{
	struct sum_key key = {
		.device = (__u64)cmd->dev,
		.pid = cmd->pid,
		.opcode = head_word(cmd->in, 0),
	};
	struct sum_value *sum = bpf_map_lookup_elem(&sums, &key);
	__u32 zero = 0, class = latency_class(ns);

	if (!sum) {
		void *init = bpf_map_lookup_elem(&blank, &zero);

		if (!init)
			return;
		bpf_map_update_elem(&sums, &key, init, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(&sums, &key);
		if (!sum) {
			__sync_fetch_and_add(&counters.lost, 1);
			return;
		}
		__builtin_memcpy(sum->comm, cmd->comm, sizeof(sum->comm));
		read_device_name(sum->device, cmd->dev);
	}
	__sync_fetch_and_add(&sum->count, 1);
	__sync_fetch_and_add(&sum->ns, ns);
	if (ret)
		__sync_fetch_and_add(&sum->failed, 1);
	if (class < SUM_CLASSES)
		__sync_fetch_and_add(&sum->classes[class], 1);
}

/* At most @room bytes; how many were read. */
static __always_inline __u32 read_mailbox(void *to, const void *from, __u32 len,
					  const __u32 room)
{
	__u64 bounded = bounded_len(len, room);

	return bpf_probe_read_kernel(to, bounded, from) ? 0 : bounded;
}

/*
 * @room is a constant, as the ring takes no other length: that many bytes for the
 * input, and as many for the answer behind them.
 */
static __always_inline void send_event(const struct command *cmd, __u64 ns, int ret,
				       __u64 cookie, __u32 flags,
				       const __u32 room)
{
	bool answered = !ret || ret == -EREMOTEIO;
	struct command_event *event;

	event = bpf_ringbuf_reserve(&events, sizeof(*event) + 2 * room, 0);
	if (!event) {
		__sync_fetch_and_add(&counters.lost, 1);
		return;
	}
	event->start = cmd->start;
	event->ns = ns;
	event->cookie = cookie;
	event->pid = cmd->pid;
	event->tid = cmd->tid;
	event->ret = ret;
	event->flags = flags;
	event->in_len = cmd->in_len;
	event->out_len = cmd->out_len;
	__builtin_memcpy(event->in, cmd->in, sizeof(event->in));
	__builtin_memset(event->out, 0, sizeof(event->out));
	/* Otherwise the device has not written it. */
	if (answered && !(flags & EVENT_SUBMIT))
		bpf_probe_read_kernel(event->out, sizeof(event->out), cmd->output);
	__builtin_memcpy(event->comm, cmd->comm, sizeof(event->comm));
	__builtin_memset(event->device, 0, sizeof(event->device));
	read_device_name(event->device, cmd->dev);
	event->input_len = 0;
	event->output_len = 0;
	/* Of an asynchronous command, the input is in the record of its submission. */
	if (room && (!(flags & EVENT_ASYNC) || flags & EVENT_SUBMIT))
		event->input_len = read_mailbox((__u8 *)(event + 1), cmd->input,
						cmd->in_len, room);
	if (room && answered && !(flags & EVENT_SUBMIT))
		event->output_len = read_mailbox((__u8 *)(event + 1) + room, cmd->output,
						 cmd->out_len, room);
	bpf_ringbuf_submit(event, 0);
}

/* At the begin of a command. Without memory, what is there at its end is recorded. */
static __always_inline void input_keep(__u32 tid, const void *in, int in_len)
{
	__u32 zero = 0;
	struct kept_input *kept = bpf_map_lookup_elem(&blank_input, &zero);

	if (!kept || bpf_map_update_elem(&inputs, &tid, kept, BPF_ANY))
		return;
	kept = bpf_map_lookup_elem(&inputs, &tid);
	if (!kept)
		return;
	bpf_probe_read_kernel(kept->bytes, bounded_len(in_len, sizeof(kept->bytes)), in);
}

static __always_inline void send_mailboxes(const struct command *cmd, __u64 ns, int ret,
					   __u64 cookie, __u32 flags)
{
	__u32 len = cmd->in_len > cmd->out_len ? cmd->in_len : cmd->out_len;

	if (len <= 64)
		send_event(cmd, ns, ret, cookie, flags, 64);
	else if (len <= 512)
		send_event(cmd, ns, ret, cookie, flags, 512);
	else
		send_event(cmd, ns, ret, cookie, flags, EVENT_OUTPUT_MAX);
}

static __always_inline void command_done(const struct command *cmd, int ret,
					 __u64 cookie, __u32 flags)
{
	__u64 ns = bpf_ktime_get_ns() - cmd->start;

	if (filter.failed && !ret)
		return;
	if (filter.summary)
		sum_up(cmd, ns, ret);
	else if (filter.record)
		send_mailboxes(cmd, ns, ret, cookie, flags);
	else
		send_event(cmd, ns, ret, cookie, flags, 0);
}

enum { FUNC_mlx5_cmd_do, FUNC_mlx5_cmd_exec, FUNC_mlx5_cmd_exec_polling };

static __always_inline int enter_command(int func, const void *dev, const void *in,
					 int in_len, const void *out, int out_len)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct command cmd, *old;

	old = bpf_map_lookup_elem(&commands, &tid);
	if (old) {
		if (func == FUNC_mlx5_cmd_do && old->outer && old->input == in) {
			old->outer = 0;
			return 0;
		}
		__sync_fetch_and_add(&counters.no_return, 1);
		bpf_map_delete_elem(&commands, &tid);
	}
	if (!command_init(&cmd, dev, in, in_len, out, out_len))
		return 0;
	cmd.outer = func == FUNC_mlx5_cmd_exec;
	bpf_map_update_elem(&commands, &tid, &cmd, BPF_ANY);
	if (filter.record && !filter.summary)
		input_keep(tid, in, in_len);
	return 0;
}

static __always_inline int exit_command(int ret)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct command *found = bpf_map_lookup_elem(&commands, &tid);
	struct command cmd;

	if (!found)
		return 0;
	cmd = *found;
	bpf_map_delete_elem(&commands, &tid);
	if (filter.record && !filter.summary) {
		struct kept_input *kept = bpf_map_lookup_elem(&inputs, &tid);

		if (kept)
			cmd.input = kept;
	}
	command_done(&cmd, ret, 0, 0);
	if (filter.record)
		bpf_map_delete_elem(&inputs, &tid);
	return 0;
}

#define PROBES(func)							\
SEC("fentry/" #func)							\
int BPF_PROG(fentry_##func, void *dev, void *in, int in_len, void *out,	\
	     int out_len)						\
{									\
	return enter_command(FUNC_##func, dev, in, in_len, out, out_len);		\
}									\
SEC("fexit/" #func)							\
int BPF_PROG(fexit_##func, void *dev, void *in, int in_len, void *out,	\
	     int out_len, int ret)					\
{									\
	return exit_command(ret);					\
}									\
SEC("kprobe/" #func)							\
int BPF_KPROBE(kprobe_##func, void *dev, void *in, int in_len,		\
	       void *out, int out_len)					\
{									\
	return enter_command(FUNC_##func, dev, in, in_len, out, out_len);		\
}									\
SEC("kretprobe/" #func)							\
int BPF_KRETPROBE(kretprobe_##func, int ret)				\
{									\
	return exit_command(ret);					\
}

PROBES(mlx5_cmd_do)
PROBES(mlx5_cmd_exec)
PROBES(mlx5_cmd_exec_polling)

/* The seventh argument, at the function's first instruction. */
static __always_inline __u64 seventh_argument(struct pt_regs *ctx)
{
	__u64 arg = 0;

#if defined(__TARGET_ARCH_x86)
	bpf_probe_read_kernel(&arg, sizeof(arg), (void *)(PT_REGS_SP(ctx) + 8));
#else
	arg = PT_REGS_PARM7(ctx);
#endif
	return arg;
}

SEC("kprobe/mlx5_cmd_exec_cb")
int BPF_KPROBE(async_submit, void *actx, void *in, int in_len, void *out,
	       int out_len)
{
	__u64 work = seventh_argument(ctx);
	__u32 tid = bpf_get_current_pid_tgid();
	struct command cmd;

	if (!command_init(&cmd, dev_of_ctx(actx), in, in_len, out, out_len))
		return 0;
	bpf_map_update_elem(&async_commands, &work, &cmd, BPF_ANY);
	bpf_map_update_elem(&submissions, &tid, &work, BPF_ANY);
	if (filter.record && !filter.summary)
		send_mailboxes(&cmd, 0, 0, work, EVENT_ASYNC | EVENT_SUBMIT);
	return 0;
}

static __always_inline int async_done(__u64 work, int ret)
{
	struct command *found = bpf_map_lookup_elem(&async_commands, &work);
	struct command cmd;

	if (!found)
		return 0;
	cmd = *found;
	bpf_map_delete_elem(&async_commands, &work);
	command_done(&cmd, ret, work, EVENT_ASYNC);
	return 0;
}

/* A command that could not be submitted has no callback. */
SEC("kretprobe/mlx5_cmd_exec_cb")
int BPF_KRETPROBE(async_submitted, int ret)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 *found = bpf_map_lookup_elem(&submissions, &tid), work;

	if (!found)
		return 0;
	work = *found;
	bpf_map_delete_elem(&submissions, &tid);
	return ret ? async_done(work, ret) : 0;
}

/*
 * The status is that of the command interface here: a refusal by the device is
 * found in the output mailbox.
 */
SEC("kprobe/mlx5_cmd_exec_cb_handler")
int BPF_KPROBE(async_complete, int status, __u64 work)
{
	struct command *found = bpf_map_lookup_elem(&async_commands, &work);
	__u8 answer = 0;

	if (found && !status) {
		bpf_probe_read_kernel(&answer, sizeof(answer), found->output);
		if (answer)
			status = -EREMOTEIO;
	}
	/* A positive one is a delivery status: the command was not executed. */
	return async_done(work, status > 0 ? -EIO : status);
}

/* With --pid: processes that it starts. */
SEC("raw_tp/sched_process_fork")
int process_fork(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *parent = (void *)ctx->args[0];
	struct task_struct *child = (void *)ctx->args[1];
	__u32 pid = BPF_CORE_READ(parent, tgid);
	__u8 yes = 1;

	if (!bpf_map_lookup_elem(&pids, &pid))
		return 0;
	pid = BPF_CORE_READ(child, tgid);
	bpf_map_update_elem(&pids, &pid, &yes, BPF_ANY);
	return 0;
}
