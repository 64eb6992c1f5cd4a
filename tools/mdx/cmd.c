// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx cmd: one command, written as hex digits or as fields of its header, and the
 * device's answer.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

#define MBOX_MAX (2u << 20)
#define HDR 16
/* Enough for a page of capabilities. */
#define OUT_DEFAULT (HDR + 4096)

/* Keep what was created until the end of standard input. */
static bool want_wait;

struct mailbox {
	uint8_t *bytes;
	size_t len;	/* what was written */
};

/* Fields of the header, in bits. */
static const struct {
	const char *name;
	unsigned int bit;
	unsigned int width;
} fields[] = {
	{ "opcode", 0, 16 },
	{ "uid", 16, 16 },
	{ "vhca_tunnel_id", 32, 16 },
	{ "op_mod", 48, 16 },
	{ "obj_type", 48, 16 },
	{ "obj_id", 64, 32 },
	{ "id", 72, 24 },
};

static void put_bits(struct mailbox *in, size_t bit, unsigned int width, uint64_t val)
{
	size_t end = (bit + width + 7) / 8;

	if (!width || width > 64 || end > MBOX_MAX)
		usage("no field of %u bits at bit %zu", width, bit);
	if (width < 64 && val >> width)
		usage("%#llx has more than %u bits", (unsigned long long)val,
		      width);
	if (end > in->len)
		in->len = end;
	while (width--) {
		size_t at = bit + width;
		uint8_t mask = 0x80 >> (at % 8);

		in->bytes[at / 8] &= ~mask;
		if (val & 1)
			in->bytes[at / 8] |= mask;
		val >>= 1;
	}
}

/* FIELD=VALUE, or @BIT:WIDTH=VALUE for any other field. */
static void put_field(struct mailbox *in, const char *word)
{
	size_t len = strcspn(word, "=");
	const char *value = word + len + 1;
	unsigned int width;
	size_t bit, i;
	int end = 0;

	if (sscanf(word, "@%zi:%u=%n", &bit, &width, &end) == 2 && end) {
		put_bits(in, bit, width, number(word + end, UINT64_MAX, "value"));
		return;
	}
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strlen(fields[i].name) != len ||
		    strncmp(fields[i].name, word, len))
			continue;
		if (i == 0) {
			int opcode = opcode_of(value);

			if (opcode < 0)
				usage("no opcode '%s' (mdx cmd --list)", value);
			put_bits(in, 0, 16, opcode);
		} else {
			put_bits(in, fields[i].bit, fields[i].width,
			    number(value, UINT32_MAX, fields[i].name));
		}
		return;
	}
	usage("no field '%.*s'; any field is @BIT:WIDTH=VALUE", (int)len, word);
}

/* Hex digits, in pairs, with a 0x before them or without. */
static void put_hex(struct mailbox *in, const char *word)
{
	const char *c = word;
	char pair[3] = "";

	if (!strncmp(c, "0x", 2))
		c += 2;
	if (strlen(c) % 2)
		usage("an odd number of digits: '%s'", word);
	for (; *c; c += 2) {
		if (!isxdigit(c[0]) || !isxdigit(c[1]))
			usage("neither hex nor FIELD=VALUE: '%s'", word);
		if (in->len >= MBOX_MAX)
			usage("a mailbox has at most %u bytes", MBOX_MAX);
		memcpy(pair, c, 2);
		in->bytes[in->len++] = strtoul(pair, NULL, 16);
	}
}

static uint32_t dword(const uint8_t *bytes, size_t at)
{
	return (uint32_t)bytes[at] << 24 | bytes[at + 1] << 16 |
	       bytes[at + 2] << 8 | bytes[at + 3];
}

static void show_bytes(const char *key, const uint8_t *bytes, size_t len)
{
	size_t i, k;

	out_open(key, '[');
	for (i = 0; i < len; i += 16) {
		char line[40] = "";

		for (k = i; k < i + 16 && k < len; k++)
			sprintf(line + 2 * (k - i), "%02x", bytes[k]);
		out_str(NULL, "%s", line);
	}
	out_close();
}

static void show_answer(const struct mailbox *in, const uint8_t *out, size_t out_len,
		 const struct mdx_ioc_obj_create *create)
{
	uint16_t opcode = dword(in->bytes, 0) >> 16;
	size_t len = out_len;

	/* Trailing zeroes are not shown. */
	while (len > HDR && !out[len - 1])
		len--;
	out_open(NULL, '{');
	out_str("device", "%s", opt_device);
	out_open("command", '{');
	out_hex("opcode", opcode);
	out_str("name", "%s", mdx_opcode_name(opcode));
	out_hex("op_mod", dword(in->bytes, 4) & 0xffff);
	out_hex("dword_2", dword(in->bytes, 8));
	out_hex("dword_3", dword(in->bytes, 12));
	out_num("input_bytes", in->len);
	out_close();
	out_open("answer", '{');
	out_hex("status", out[0]);
	out_str("status_name", "%s", mdx_status_name(out[0]));
	out_hex("syndrome", dword(out, 4));
	out_hex("dword_2", dword(out, 8));
	out_hex("dword_3", dword(out, 12));
	if (create) {
		out_num("object", create->out_id);
		out_str("note", "the object is destroyed when this program ends");
	}
	show_bytes("bytes", out, len);
	out_close();
	out_close();
}

static int send_command(struct mdx_conn *conn, const struct mailbox *in, size_t out_len)
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
	size_t in_len = HDR, out_len = OUT_DEFAULT;
	bool want_list = false;
	struct mailbox in = { 0 };
	struct mdx_conn conn;
	int opt, ret;

	while ((opt = next_opt(argc, argv, opts)) != -1) {
		if (opt == 'i')
			in_len = number(optarg, MBOX_MAX, "--in-len");
		else if (opt == 'o')
			out_len = number(optarg, MBOX_MAX, "--out-len");
		else if (opt == 'w')
			want_wait = true;
		else
			want_list = true;
	}
	if (want_list)
		return list_opcodes();
	if (optind == argc)
		usage("what command?");
	if (out_len < HDR)
		usage("an answer has at least %d bytes", HDR);
	in.bytes = calloc(1, MBOX_MAX);
	for (; optind < argc; optind++) {
		if (strchr(argv[optind], '='))
			put_field(&in, argv[optind]);
		else
			put_hex(&in, argv[optind]);
	}
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
