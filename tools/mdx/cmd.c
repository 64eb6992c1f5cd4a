// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx cmd: one command, written as hex digits or as fields of its header, and the
 * device's answer.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "tool.h"

/* Keep what was created until the end of standard input. */
static bool want_wait;

static void show_answer(const struct cmd_input *in, const uint8_t *out, size_t out_len,
		 const struct mdx_ioc_obj_create *create)
{
	uint16_t opcode = dword_at(in->bytes, 0) >> 16;

	out_open(NULL, '{');
	out_str("device", "%s", opt_device);
	out_open("command", '{');
	out_hex("opcode", opcode);
	out_str("name", "%s", mdx_opcode_name(opcode));
	out_hex("op_mod", dword_at(in->bytes, 4) & 0xffff);
	out_hex("dword_2", dword_at(in->bytes, 8));
	out_hex("dword_3", dword_at(in->bytes, 12));
	out_num("input_bytes", in->len);
	out_close();
	out_open("answer", '{');
	out_hex("status", out[0]);
	out_str("status_name", "%s", mdx_status_name(out[0]));
	out_hex("syndrome", dword_at(out, 4));
	out_hex("dword_2", dword_at(out, 8));
	out_hex("dword_3", dword_at(out, 12));
	if (create) {
		out_num("object", create->out_id);
		out_str("note", "the object is destroyed when this program ends");
	}
	show_bytes("bytes", out, answer_len(out, out_len));
	out_close();
	out_close();
}

static int send_command(struct mdx_conn *conn, const struct cmd_input *in, size_t out_len)
{
	uint8_t *out = calloc(1, out_len);
	struct mdx_ioc_general general = {
		.size = sizeof(general),
		.in = (uintptr_t)in->bytes, .in_len = in->len,
		.out = (uintptr_t)out, .out_len = out_len,
	};
	struct mdx_ioc_obj_create create = {
		.size = sizeof(create),
		.in = general.in, .in_len = in->len,
		.out = general.out, .out_len = out_len,
	};
	bool created = false;
	int err;

	err = mdx_call(conn->fd, MDX_IOC_GENERAL, &general);
	if (err == EINVAL) {
		/* Its opcode may be one of those that create an object. */
		err = mdx_call(conn->fd, MDX_IOC_OBJ_CREATE, &create);
		created = !err;
	}
	if (err && err != EREMOTEIO) {
		explain(conn->fd, err);
		free(out);
		return EXIT_FAILED;
	}
	show_answer(in, out, out_len, created ? &create : NULL);
	free(out);
	fflush(stdout);
	while (want_wait && getchar() != EOF)
		;
	return err ? EXIT_REFUSED : EXIT_OK;
}

static int list_opcodes(void)
{
	int i;

	out_open(NULL, '[');
	for (i = 0; i <= 0xffff; i++) {
		if (!strcmp(mdx_opcode_name(i), "UNKNOWN"))
			continue;
		if (!opt_json) {
			printf("%#05x %s\n", i, mdx_opcode_name(i));
			continue;
		}
		out_open(NULL, '{');
		out_num("opcode", i);
		out_str("name", "%s", mdx_opcode_name(i));
		out_close();
	}
	out_close();
	return EXIT_OK;
}

int verb_cmd(int argc, char **argv)
{
	static const struct opt opts[] = {
		{ "in-len", 'i', true }, { "out-len", 'o', true },
		{ "wait", 'w', false }, { "list", 'l', false }, { 0 }
	};
	size_t in_len = INPUT_LEN_MIN, out_len = OUTPUT_LEN_DEFAULT;
	bool want_list = false;
	struct cmd_input in;
	struct mdx_conn conn;
	int opt, ret;

	while ((opt = next_opt(argc, argv, opts)) != -1) {
		if (opt == 'i')
			in_len = number(optarg, INPUT_LEN_MAX, "--in-len");
		else if (opt == 'o')
			out_len = number(optarg, INPUT_LEN_MAX, "--out-len");
		else if (opt == 'w')
			want_wait = true;
		else
			want_list = true;
	}
	if (want_list)
		return list_opcodes();
	if (optind == argc)
		usage("what command?");
	if (out_len < INPUT_LEN_MIN)
		usage("an answer has at least %d bytes", INPUT_LEN_MIN);
	input_begin(&in);
	for (; optind < argc; optind++)
		input_word(&in, argv[optind]);
	if (in.len < in_len)
		in.len = in_len;

	ret = conn_of_options(&conn);
	if (!ret) {
		ret = send_command(&conn, &in, out_len);
		conn_close(&conn);
	}
	free(in.bytes);
	return ret;
}
