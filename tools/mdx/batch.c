// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx batch: the commands of a file in one call, and how each of them went. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch_file.h"
#include "input.h"
#include "tool.h"

static bool want_answers;
static bool want_wait;

static const char *item_name(const struct batch_file *file, unsigned int i)
{
	if (file->items[i].cmd == MDX_CMD_OBJ_DESTROY)
		return "destroy";
	return mdx_opcode_name(file->opcodes[i]);
}

static const char *result_word(const struct mdx_item *item)
{
	switch (item->out_err) {
	case 0:
		return "ok";
	case EREMOTEIO:
		return "refused";
	case ECANCELED:
		return "canceled";
	}
	return "failed";
}

static bool has_answer(const struct mdx_item *item)
{
	return item->out_len && (!item->out_err || item->out_err == EREMOTEIO);
}

static const uint8_t *answer_of(const struct mdx_item *item)
{
	return (const uint8_t *)(uintptr_t)item->out;
}

static void show_line(const struct batch_file *file, unsigned int i)
{
	const struct mdx_item *item = &file->items[i];

	printf("%u %s %s", i + 1, item_name(file, i), result_word(item));
	if (item->out_err == EREMOTEIO)
		printf(" status %#x (%s) syndrome %#x", item->out_status,
		       mdx_status_name(item->out_status), item->out_syndrome);
	else if (item->out_err && item->out_err != ECANCELED)
		printf(": %s", strerror(item->out_err));
	if (item->out_obj)
		printf(" object %u", item->out_obj);
	if (item->out_obj && !item->out_err)
		printf(" dword_2 %#x", dword_at(answer_of(item), 8));
	putchar('\n');
	if (want_answers && has_answer(item))
		show_bytes("answer", answer_of(item),
			   answer_len(answer_of(item), item->out_len));
}

static void show_tree(const struct batch_file *file, unsigned int i)
{
	const struct mdx_item *item = &file->items[i];

	out_open(NULL, '{');
	out_num("item", i + 1);
	out_num("line", file->lines[i]);
	out_str("name", "%s", item_name(file, i));
	out_str("result", "%s", result_word(item));
	out_num("errno", item->out_err);
	out_hex("status", item->out_status);
	out_str("status_name", "%s", mdx_status_name(item->out_status));
	out_hex("syndrome", item->out_syndrome);
	out_num("object", item->out_obj);
	if (has_answer(item))
		show_bytes("bytes", answer_of(item),
			   answer_len(answer_of(item), item->out_len));
	out_close();
}

static int show_results(const struct batch_file *file)
{
	int ret = EXIT_OK;
	unsigned int i;

	if (opt_json)
		out_open(NULL, '[');
	for (i = 0; i < file->items_n; i++) {
		int err = file->items[i].out_err;

		if (opt_json)
			show_tree(file, i);
		else
			show_line(file, i);
		if (err == EREMOTEIO && ret == EXIT_OK)
			ret = EXIT_REFUSED;
		else if (err && err != EREMOTEIO && err != ECANCELED)
			ret = EXIT_FAILED;
	}
	if (opt_json)
		out_close();
	fflush(stdout);
	return ret;
}

static int submit_file(struct mdx_conn *conn, const struct batch_file *file,
		       unsigned int in_flight)
{
	struct mdx_ioc_submit arg = {
		.size = sizeof(arg),
		.flags = file->flags,
		.items = (uintptr_t)file->items,
		.refs = (uintptr_t)file->refs,
		.items_n = file->items_n,
		.refs_n = file->refs_n,
		.item_size = sizeof(file->items[0]),
		.in_flight = in_flight,
		.channel = -1,
	};
	int err = mdx_call(conn->fd, MDX_IOC_SUBMIT, &arg);
	int ret;

	if (err == ENOTTY) {
		complain("this module does not have MDX_IOC_SUBMIT");
		return EXIT_NOTHING;
	}
	if (err) {
		explain(conn->fd, err);
		return EXIT_FAILED;
	}
	ret = show_results(file);
	while (want_wait && getchar() != EOF)
		;
	return ret;
}

static void read_named(struct batch_file *file, const char *name)
{
	bool is_stdin = !strcmp(name, "-");
	FILE *from = is_stdin ? stdin : fopen(name, "re");

	if (!from)
		usage("%s: %s", name, strerror(errno));
	batch_file_read(file, from, is_stdin ? "standard input" : name);
	if (!is_stdin)
		fclose(from);
	if (!file->items_n)
		usage("%s has no item", name);
}

int verb_batch(int argc, char **argv)
{
	static const struct opt opts[] = {
		{ "in-flight", 'n', true }, { "answers", 'a', false },
		{ "wait", 'w', false }, { 0 }
	};
	unsigned int in_flight = 0;
	struct batch_file file;
	struct mdx_conn conn;
	int opt, ret;

	while ((opt = next_opt(argc, argv, opts)) != -1) {
		if (opt == 'n')
			in_flight = number(optarg, MDX_SUBMIT_IN_FLIGHT_MAX,
					   "--in-flight");
		else if (opt == 'a')
			want_answers = true;
		else
			want_wait = true;
	}
	if (argc - optind != 1)
		usage("one FILE, or - for standard input");
	read_named(&file, argv[optind]);
	ret = conn_of_options(&conn);
	if (!ret) {
		ret = submit_file(&conn, &file, in_flight);
		conn_close(&conn);
	}
	batch_file_free(&file);
	return ret;
}
