/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Entries of functions: they tell mdx_run_count() and jump to where it says, with
 * all arguments and the return address as they were. libmdx looks at the return
 * address to recognise calls of libmlx5.
 */
	.text
	.hidden mdx_run_count

#if defined(__x86_64__)
	.macro ENTRY_OF index
	endbr64
	movl $\index, %eax
	jmp run_count
	.endm

	.type run_count, @function
run_count:
	.cfi_startproc
	pushq %rdi
	pushq %rsi
	pushq %rdx
	pushq %rcx
	pushq %r8
	pushq %r9
	subq $8, %rsp
	.cfi_adjust_cfa_offset 56
	movq %rdi, %rsi
	movl %eax, %edi
	movq 56(%rsp), %rdx
	call mdx_run_count
	addq $8, %rsp
	popq %r9
	popq %r8
	popq %rcx
	popq %rdx
	popq %rsi
	popq %rdi
	.cfi_adjust_cfa_offset -56
	jmp *%rax
	.cfi_endproc
#elif defined(__aarch64__)
	.macro ENTRY_OF index
	hint #34	/* bti c */
	mov w16, #\index
	b run_count
	.endm

	.type run_count, %function
run_count:
	.cfi_startproc
	stp x29, x30, [sp, #-80]!
	.cfi_adjust_cfa_offset 80
	stp x0, x1, [sp, #16]
	stp x2, x3, [sp, #32]
	stp x4, x5, [sp, #48]
	stp x6, x7, [sp, #64]
	mov x1, x0
	mov w0, w16
	mov x2, x30
	bl mdx_run_count
	mov x16, x0
	ldp x0, x1, [sp, #16]
	ldp x2, x3, [sp, #32]
	ldp x4, x5, [sp, #48]
	ldp x6, x7, [sp, #64]
	ldp x29, x30, [sp], #80
	.cfi_adjust_cfa_offset -80
	br x16
	.cfi_endproc
#else
#error "mdx run has no entries for this machine"
#endif

/* Entries of the program, under the names of the functions, then those of libmdx. */
	.set index, 0
#define FUNCTION(name, version, argument)	\
	.globl name;				\
	.type name, %function;			\
name:						;\
	ENTRY_OF index;				\
	.set index, index + 1;
#include "functions.def"
#undef FUNCTION

#define FUNCTION(name, version, argument)	\
next_##name:					;\
	ENTRY_OF index;				\
	.set index, index + 1;
#include "functions.def"
#undef FUNCTION

	.section .data.rel.ro, "aw"
	.balign 8
	.hidden mdx_run_entries
	.globl mdx_run_entries
mdx_run_entries:
#define FUNCTION(name, version, argument) .quad name;
#include "functions.def"
#undef FUNCTION
#define FUNCTION(name, version, argument) .quad next_##name;
#include "functions.def"
	.section .note.GNU-stack, "", %progbits
