/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The compiled bpf/command.bpf.c, as data. */
	.section .rodata
	.balign 8
	.global trace_object
trace_object:
	.incbin TRACE_OBJECT
	.global trace_object_end
trace_object_end:
	.section .note.GNU-stack, "", %progbits
