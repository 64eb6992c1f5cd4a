/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tracepoints: /sys/kernel/tracing/events/mlx5_devx/
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM mlx5_devx

#if !defined(MDX_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define MDX_TRACE_H

#include <linux/tracepoint.h>

#define MDX_TRACE_DEV_LEN 16

/*
 * One command the device was given. The pid is the process that sent it, which is not
 * that of the common fields where a worker executed it.
 */
TRACE_EVENT(mdx_cmd,
	TP_PROTO(const char *dev, u16 uid, u16 opcode, u32 obj, u8 status,
		 u32 syndrome, int ret, u64 ns, pid_t pid),
	TP_ARGS(dev, uid, opcode, obj, status, syndrome, ret, ns, pid),
	TP_STRUCT__entry(
		__array(char, dev, MDX_TRACE_DEV_LEN)
		__field(u16, uid)
		__field(u16, opcode)
		__field(u32, obj)
		__field(u8, status)
		__field(u32, syndrome)
		__field(int, ret)
		__field(u64, ns)
		__field(pid_t, pid)
	),
	TP_fast_assign(
		strscpy(__entry->dev, dev, MDX_TRACE_DEV_LEN);
		__entry->uid = uid;
		__entry->opcode = opcode;
		__entry->obj = obj;
		__entry->status = status;
		__entry->syndrome = syndrome;
		__entry->ret = ret;
		__entry->ns = ns;
		__entry->pid = pid;
	),
	TP_printk("dev=%s uid=%#x opcode=%#x obj=%u status=%#x syndrome=%#x ret=%d ns=%llu pid=%d",
		  __entry->dev, __entry->uid, __entry->opcode, __entry->obj,
		  __entry->status, __entry->syndrome, __entry->ret, __entry->ns,
		  __entry->pid)
);

#endif /* MDX_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
