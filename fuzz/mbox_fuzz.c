// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * libFuzzer on the PURE files: the steps of a command between the user's memory and
 * the device's, in the order of kmod/cmd.c and kmod/obj.c. Every buffer is as long
 * as the caller said and no longer, so that ASan sees a read behind a minimum
 * length. Results are compared with the slow functions of kunit/mbox_bits.h.
 *
 * An input is a struct fuzz_input and the two mailboxes: in_len bytes of command,
 * then the answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kmod/mbox.c"
#undef FLD
#include "../kmod/optab.c"

#include "../kunit/layouts.h"
#include "../kunit/mbox_bits.h"
#include "../kunit/optab_rows.h"
#include "must_be.h"

struct fuzz_input {
	u8 class;
	u8 pad;
	u8 uid[2];
	u8 in_len[2];
	u8 get_bit[2];
};

static void *copy_of(const void *p, size_t len)
{
	void *copy = malloc(len ? len : 1);

	MUST_BE(copy);
	if (len)
		memcpy(copy, p, len);
	return copy;
}

#define RANGE_FIRST 0xb00
#define RANGE_LAST 0xcff

static bool is_known(u16 opcode)
{
	int class;

	for (class = MDX_OP_CREATE; class <= MDX_OP_GENERAL; class++)
		if (layout_find(opcode, class))
			return true;
	return false;
}

/* Result of a header by the documentation */
static int expected_find(const u8 *in, int class)
{
	u16 opcode = bits_at(in, 0, 16), type = bits_at(in, 0x30, 16);
	bool vendor = opcode >= RANGE_FIRST && opcode <= RANGE_LAST;

	if (!vendor && !is_known(opcode))
		return -EOPNOTSUPP;
	if (vendor ? class != MDX_OP_GENERAL : !layout_find(opcode, class))
		return -EINVAL;
	if (bits_at(in, 0x20, 16))
		return -EINVAL;
	if (opcode == OP(SET_FLOW_TABLE_ENTRY) && class == MDX_OP_CREATE && type != 0)
		return -EINVAL;
	if (opcode == OP(SET_FLOW_TABLE_ENTRY) && class == MDX_OP_MODIFY && type != 1)
		return -EINVAL;
	if (opcode == OP(CREATE_PSV) && bits_at(in, 0x40, 4) != 1)
		return -EINVAL;
	if (opcode == OP(CREATE_GENERAL_OBJECT) && (type == 4 || type == 5))
		return -EINVAL;
	return 0;
}

/* The kernel sets the uid and the forced bits, and clears two hints of mkeys. */
static void check_sent(const struct mdx_op *op, const u8 *sent, const u8 *given,
		       size_t len, u16 uid)
{
	u8 *want = copy_of(given, len);
	bool names_memory = true;
	unsigned int mode;
	const u16 *bit;

	bits_put(want, 0x10, 16, uid);
	if (op->opcode == OP(CREATE_MKEY)) {
		mode = bits_at(given, 0x83, 3) << 2 | bits_at(given, 0x96, 2);
		names_memory = mode != 2 && mode != 3;
		if (names_memory) {
			bits_put(want, 0x265, 1, 0);
			bits_put(want, 0x268, 8, 0);
		}
	}
	for (bit = op->force; names_memory && *bit; bit++) {
		MUST_BE(*bit < len * 8);
		bit_put(want, *bit, 1);
	}
	MUST_BE(!memcmp(sent, want, len));
	free(want);
}

static void check_dinbox(const struct mdx_op *op, const u8 *in, const u8 *out,
			 u16 uid)
{
	const struct layout_row *row = layout_find(op->opcode, MDX_OP_CREATE);
	const struct layout_destroy *d = layout_find_destroy(op->opcode);
	u8 *dinbox = malloc(MDX_DINBOX_LEN_MAX);
	u8 want[MDX_DINBOX_LEN_MAX] = {};
	const struct layout_field *f;
	u32 id, n;
	unsigned int i;

	MUST_BE(dinbox && row && d);
	id = mdx_mbox_created_id(op, in, out);
	MUST_BE(id == bits_at(op->flags & MDX_OP_F_ID_IN ? in : out, row->bit,
			      row->width));
	n = mdx_mbox_count(op, in);
	MUST_BE(n >= 1 && (op->opcode == OP(ALLOC_FLOW_COUNTER) || n == 1));

	mdx_mbox_build_dinbox(op, in, id, uid, dinbox);
	bits_put(want, 0x00, 16, d->opcode);
	bits_put(want, 0x10, 16, uid);
	bits_put(want, d->id.bit, d->id.width, id);
	for (f = d->same; f->width; f++)
		for (i = f->bit; i < f->bit + f->width; i++)
			bit_put(want, i, bit_at(in, i));
	MUST_BE(!memcmp(dinbox, want, MDX_DINBOX_LEN_MAX));
	MUST_BE(op->destroy->len == d->len);
	free(dinbox);
}

static void check_accepted(const struct mdx_op *op,
			   const struct fuzz_input *input, const u8 *given,
			   size_t in_len, const u8 *out)
{
	u8 *in = copy_of(given, in_len);
	u16 uid = bits_at(input->uid, 0, 16);

	mdx_mbox_set_uid(in, uid);
	mdx_mbox_force(op, in);
	MUST_BE(mdx_mbox_uid(in) == uid);
	check_sent(op, in, given, in_len, uid);
	MUST_BE(mdx_mbox_status(out) == out[0]);
	MUST_BE(mdx_mbox_syndrome(out) == bits_at(out, 0x20, 32));
	if (op->class == MDX_OP_CREATE)
		check_dinbox(op, in, out, uid);
	else if (op->id.width)
		MUST_BE(mdx_mbox_get(in, op->id) ==
			bits_at(in, op->id.bit, op->id.width));
	free(in);
}

/* Any field of at most a dword, read and written. */
static void check_field(const struct fuzz_input *input, const u8 *given, size_t len)
{
	unsigned int at = bits_at(input->get_bit, 0, 16);
	struct mdx_field f = { at % (len * 8), at / 1024 % 32 + 1 };
	u8 *mbox, *want;

	if (f.bit % 32 + f.width > 32 || f.bit / 32 * 4 + 4 > len)
		return;
	mbox = copy_of(given, len);
	want = copy_of(given, len);
	MUST_BE(mdx_mbox_get(mbox, f) == bits_at(mbox, f.bit, f.width));
	mdx_mbox_set(mbox, f, ~bits_at(given, 0, 32));
	bits_put(want, f.bit, f.width, ~bits_at(given, 0, 32));
	MUST_BE(!memcmp(mbox, want, len));
	free(mbox);
	free(want);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	mdx_op_init();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct fuzz_input input;
	const struct mdx_op *op = NULL;
	size_t in_len, out_len;
	u8 *hdr, *in, *out;
	int class, ret;

	if (len < sizeof(input))
		return -1;
	memcpy(&input, data, sizeof(input));
	data += sizeof(input);
	len -= sizeof(input);
	in_len = bits_at(input.in_len, 0, 16);
	if (in_len > len)
		in_len = len;
	out_len = len - in_len;
	if (in_len < MDX_HDR_LEN || out_len < MDX_HDR_LEN)
		return 0;

	class = input.class % (MDX_OP_GENERAL + 1);
	hdr = copy_of(data, MDX_HDR_LEN);
	in = copy_of(data, in_len);
	out = copy_of(data + in_len, out_len);
	check_field(&input, in, in_len);

	ret = mdx_op_find(&op, hdr, class);
	MUST_BE(ret == expected_find(hdr, class));
	if (!ret) {
		MUST_BE(op->class == class);
		MUST_BE(op->min_in >= MDX_HDR_LEN && op->min_out >= MDX_HDR_LEN);
		if (in_len >= op->min_in && out_len >= op->min_out)
			check_accepted(op, &input, in, in_len, out);
	}
	free(hdr);
	free(in);
	free(out);
	return 0;
}

/*
 * With a plain byte mutator nearly every input is an opcode without a row, so a
 * part of them is made one with a row and of its length.
 */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
			       unsigned int seed)
{
	const struct layout_row *row =
		&layout_rows[seed / 8 % ARRAY_SIZE(layout_rows)];
	struct fuzz_input *input = (struct fuzz_input *)data;
	size_t need, old;
	u8 *in;

	old = LLVMFuzzerMutate(data, size, max);
	if (seed % 8 < 5)
		return old;

	/* One byte less than it needs, exactly that, or more */
	need = row->in_len - (seed % 8 == 6);
	size = sizeof(*input) + need + row->out_len + seed % 3;
	if (size > max)
		return old;
	if (size > old)
		memset(data + old, seed >> 3, size - old);
	input->class = row->class;
	bits_put(input->in_len, 0, 16, need);
	in = data + sizeof(*input);
	bits_put(in, 0x00, 16, row->opcode);
	bits_put(in, 0x20, 16, 0);
	if (row->opcode == OP(SET_FLOW_TABLE_ENTRY))
		bits_put(in, 0x30, 16, row->class == MDX_OP_MODIFY);
	if (row->opcode == OP(CREATE_PSV))
		bits_put(in, 0x40, 4, 1);
	return size;
}
