// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reading and writing big-endian mailboxes.
 *
 * PURE: includes types and the layout header only, no mlx5 or rdma function.
 */
#include <linux/bits.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/byteorder.h>
#include <linux/mlx5/mlx5_ifc.h>

#include "mbox.h"

#define FLD(layout, field)                                                     \
	((struct mdx_field){                                                   \
		offsetof(struct mlx5_ifc_##layout##_bits, field),              \
		sizeof_field(struct mlx5_ifc_##layout##_bits, field) })

static const struct mdx_field opcode_field = { 0x00, 16 };
static const struct mdx_field uid_field = { 0x10, 16 };
static const struct mdx_field tunnel_field = { 0x20, 16 };
static const struct mdx_field obj_type_field = { 0x30, 16 };
static const struct mdx_field status_field = { 0x00, 8 };
static const struct mdx_field syndrome_field = { 0x20, 32 };

/* Since 7.x in the layout header, in the device whatever the header knows. */
static const struct mdx_field mkey_tph_en = { 0x80 + 0x1e5, 1 };
static const struct mdx_field mkey_tph_tag = { 0x80 + 0x1e8, 8 };

static u32 mask_of(struct mdx_field f)
{
	return f.width < 32 ? (1u << f.width) - 1 : ~0u;
}

static unsigned int shift_of(struct mdx_field f)
{
	return 32 - f.bit % 32 - f.width;
}

/* A mailbox may be the first bytes of any buffer, so dwords are copied. */
static u32 dword_read(const void *mbox, struct mdx_field f)
{
	__be32 dw;

	memcpy(&dw, mbox + f.bit / 32 * 4, sizeof(dw));
	return be32_to_cpu(dw);
}

static void dword_write(void *mbox, struct mdx_field f, u32 val)
{
	__be32 dw = cpu_to_be32(val);

	memcpy(mbox + f.bit / 32 * 4, &dw, sizeof(dw));
}

/**
 * mdx_mbox_get - Read a field of at most 32 bits
 * @mbox: the mailbox
 * @f: the field
 */
u32 mdx_mbox_get(const void *mbox, struct mdx_field f)
{
	return dword_read(mbox, f) >> shift_of(f) & mask_of(f);
}

/**
 * mdx_mbox_set - Write a field of at most 32 bits
 * @mbox: the mailbox
 * @f: the field
 * @val: what to write; bits that do not fit are dropped
 */
void mdx_mbox_set(void *mbox, struct mdx_field f, u32 val)
{
	u32 mask = mask_of(f) << shift_of(f);
	u32 dw = dword_read(mbox, f) & ~mask;

	dword_write(mbox, f, dw | (val << shift_of(f) & mask));
}

u16 mdx_mbox_opcode(const void *in)
{
	return mdx_mbox_get(in, opcode_field);
}

u16 mdx_mbox_tunnel(const void *in)
{
	return mdx_mbox_get(in, tunnel_field);
}

u16 mdx_mbox_obj_type(const void *in)
{
	return mdx_mbox_get(in, obj_type_field);
}

u16 mdx_mbox_uid(const void *in)
{
	return mdx_mbox_get(in, uid_field);
}

void mdx_mbox_set_uid(void *in, u16 uid)
{
	mdx_mbox_set(in, uid_field, uid);
}

u8 mdx_mbox_status(const void *out)
{
	return mdx_mbox_get(out, status_field);
}

u32 mdx_mbox_syndrome(const void *out)
{
	return mdx_mbox_get(out, syndrome_field);
}

/* An mkey made of other mkeys names no memory itself. */
static bool mkey_is_indirect(const void *in)
{
	u32 mode = mdx_mbox_get(in, FLD(create_mkey_in,
					memory_key_mkey_entry.access_mode_1_0));

	mode |= mdx_mbox_get(in, FLD(create_mkey_in,
				     memory_key_mkey_entry.access_mode_4_2))
		<< 2;
	return mode == MLX5_MKC_ACCESS_MODE_KLMS ||
	       mode == MLX5_MKC_ACCESS_MODE_KSM;
}

/**
 * mdx_mbox_force - Make an input name memory by umem only
 * @op: its row
 * @in: the input
 */
void mdx_mbox_force(const struct mdx_op *op, void *in)
{
	const u16 *bit;

	if (op->flags & MDX_OP_F_MKEY) {
		if (mkey_is_indirect(in))
			return;
		/* Cache hints of the PCI bus are the verbs flow's to grant. */
		mdx_mbox_set(in, mkey_tph_en, 0);
		mdx_mbox_set(in, mkey_tph_tag, 0);
	}
	for (bit = op->force; *bit; bit++)
		mdx_mbox_set(in, (struct mdx_field){ *bit, 1 }, 1);
}

/**
 * mdx_mbox_count - How many ids in a row a create asks for
 * @op: its row
 * @in: its input
 */
u32 mdx_mbox_count(const struct mdx_op *op, const void *in)
{
	u32 log, n;

	if (!(op->flags & MDX_OP_F_BULK))
		return 1;
	log = mdx_mbox_get(in, FLD(alloc_flow_counter_in,
				   flow_counter_bulk_log_size));
	if (log)
		return 1u << log;
	n = mdx_mbox_get(in, FLD(alloc_flow_counter_in, flow_counter_bulk));
	return n ? n * 128 : 1;
}

/**
 * mdx_mbox_created_id - The id of what a create created
 * @op: its row
 * @in: its input
 * @out: its answer
 */
u32 mdx_mbox_created_id(const struct mdx_op *op, const void *in,
			const void *out)
{
	return mdx_mbox_get(op->flags & MDX_OP_F_ID_IN ? in : out, op->id);
}

static void field_copy(void *to, const void *from, struct mdx_field f)
{
	if (f.width <= 32)
		mdx_mbox_set(to, f, mdx_mbox_get(from, f));
	else
		memcpy(to + f.bit / 8, from + f.bit / 8, f.width / 8);
}

/**
 * mdx_mbox_build_undo - Write the input that destroys an object
 * @op: row of the command that created it
 * @in: that command's input
 * @id: the object's id
 * @uid: its owner
 * @din: MDX_UNDO_LEN_MAX bytes
 */
void mdx_mbox_build_undo(const struct mdx_op *op, const void *in, u32 id,
			 u16 uid, void *din)
{
	const struct mdx_undo *undo = op->undo;
	const struct mdx_field *f;

	memset(din, 0, MDX_UNDO_LEN_MAX);
	mdx_mbox_set(din, opcode_field, undo->opcode);
	mdx_mbox_set_uid(din, uid);
	for (f = undo->copy; f->width; f++)
		field_copy(din, in, *f);
	mdx_mbox_set(din, undo->id, id);
}
