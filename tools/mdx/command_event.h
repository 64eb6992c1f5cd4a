/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Records that the BPF program of mdx trace --all gives to mdx, and that mdx keeps
 * in the files of --record. Fixed-width fields only, no padding.
 */
#ifndef MDX_COMMAND_EVENT_H
#define MDX_COMMAND_EVENT_H

#include <linux/types.h>

#define EVENT_IN 40		/* bytes of an input: up to any number of an object */
#define EVENT_OUT 16		/* bytes of an answer */
#define EVENT_INPUT_MAX 4096	/* bytes of an input that are recorded */
#define EVENT_OUTPUT_MAX 4112	/* bytes of an answer: a page of capabilities */
#define EVENT_COMM 16
#define EVENT_DEVICE 24

/* Flags of an event. */
enum {
	EVENT_ASYNC = 1 << 0,		/* completed by a callback */
	EVENT_SUBMIT = 1 << 1,		/* its submission, of --record only */
	EVENT_NO_RETURN = 1 << 2,	/* the kernel did not report its end */
};

/**
 * struct command_event - A command that the driver executed
 * @start: when it was issued, in ns of CLOCK_MONOTONIC
 * @ns: how long it took
 * @cookie: pairs the submission and the completion of an asynchronous command
 * @pid: process that issued it
 * @tid: thread of it
 * @ret: result of the driver, 0 or a negative errno
 * @flags: EVENT_*
 * @in_len: length of the input mailbox
 * @out_len: length of the output mailbox
 * @input_len: bytes of the input mailbox behind this structure
 * @output_len: bytes of the output mailbox: in the ring in the second half of what
 *	is behind this structure, in a file behind the input
 * @in: begin of the input mailbox
 * @out: begin of the output mailbox; zeroes if the device did not answer
 * @comm: name of the thread
 * @device: name of the device, without an end if it is that long
 */
struct command_event {
	__u64 start;
	__u64 ns;
	__u64 cookie;
	__u32 pid;
	__u32 tid;
	__s32 ret;
	__u32 flags;
	__u32 in_len;
	__u32 out_len;
	__u32 input_len;
	__u32 output_len;
	__u8 in[EVENT_IN];
	__u8 out[EVENT_OUT];
	char comm[EVENT_COMM];
	char device[EVENT_DEVICE];
};

/* Filters of the BPF program, fixed when it is loaded. */
struct command_filter {
	__u32 opcode;		/* with has_opcode */
	__u8 has_opcode;
	__u8 kernel;		/* commands of uid 0, too */
	__u8 failed;		/* failed ones only */
	__u8 by_pid;		/* processes of the map "pids" only */
	__u8 summary;		/* count, and give no events */
	__u8 record;		/* with the input mailboxes */
	__u8 reserved[2];
};

/*
 * Latencies are counted in classes: four to an octave, from 128 ns on. So a
 * percentile is off by at most 1/8 of its value.
 */
#define SUM_SHIFT 7
#define SUM_CLASSES 128

struct sum_key {
	__u64 device;		/* address of the driver's structure */
	__u32 pid;
	__u32 opcode;
};

struct sum_value {
	__u64 count;
	__u64 failed;
	__u64 ns;
	char comm[EVENT_COMM];
	char device[EVENT_DEVICE];
	__u32 classes[SUM_CLASSES];
};

/* Counters of the BPF program. */
struct command_counters {
	__u64 lost;		/* events without room in the ring */
	__u64 no_return;	/* commands whose end was not reported */
};

#endif /* MDX_COMMAND_EVENT_H */
