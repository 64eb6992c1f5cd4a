// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * QEMU plugin that counts the executions of each guest instruction between two
 * marks, which are instructions without an effect:
 *
 *	xchg %r12w, %r12w	begin
 *	xchg %r13w, %r13w	end
 *
 * -plugin profile.so,out=FILE: at its end, QEMU writes lines "ADDRESS COUNT" to
 * FILE. The declarations are from the plugin interface of QEMU, version 7 (QEMU
 * 11.1).
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*cb)(struct qemu_plugin_tb *,
						      void *), void *data);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*cb)(unsigned int, void *),
					  int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    void (*cb)(unsigned int, void *),
					    int flags, void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*cb)(void *),
				    void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to,
			     size_t len);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);

int qemu_plugin_version = 7;

struct tb_count {
	struct tb_count *next;
	uint64_t count;
	size_t n;
	uint64_t addr[];
};

static struct tb_count *counts;
static int on;
static char file[4096];

static void on_mark(unsigned int cpu, void *data)
{
	(void)cpu;
	on = data != NULL;
}

static void on_execute(unsigned int cpu, void *data)
{
	(void)cpu;
	((struct tb_count *)data)->count += on;
}

static void on_translate(struct qemu_plugin_tb *tb, void *data)
{
	static const uint8_t begin[] = { 0x66, 0x45, 0x87, 0xe4 };
	static const uint8_t end[] = { 0x66, 0x45, 0x87, 0xed };
	size_t i, n = qemu_plugin_tb_n_insns(tb);
	struct tb_count *b = calloc(1, sizeof(*b) + n * sizeof(b->addr[0]));
	uint8_t code[4];

	(void)data;
	if (!b)
		abort();
	b->n = n;
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		size_t len = qemu_plugin_insn_data(insn, code, sizeof(code));

		b->addr[i] = qemu_plugin_insn_vaddr(insn);
		if (len == sizeof(code) && !memcmp(code, begin, len))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark,
							       0, &on);
		if (len == sizeof(code) && !memcmp(code, end, len))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark,
							       0, NULL);
	}
	b->next = counts;
	counts = b;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_execute, 0, b);
}

static void write_counts(void *data)
{
	FILE *out = fopen(file, "w");
	struct tb_count *b;
	size_t i;

	(void)data;
	if (!out)
		return;
	for (b = counts; b; b = b->next)
		for (i = 0; b->count && i < b->n; i++)
			fprintf(out, "%016" PRIx64 " %" PRIu64 "\n", b->addr[i],
				b->count);
	fclose(out);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		return -1;
	snprintf(file, sizeof(file), "%s", argv[0] + 4);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate, NULL);
	qemu_plugin_register_atexit_cb(id, write_counts, NULL);
	return 0;
}
