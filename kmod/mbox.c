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
#include <linux/mlx5/mlx5_ifc.h>

#include "mbox.h"

#define FLD(layout, field)                                                     \
	((struct mdx_field){                                                   \
		offsetof(struct mlx5_ifc_##layout##_bits, field),              \
		sizeof_field(struct mlx5_ifc_##layout##_bits, field) })

/* In the layout header since 7.x; the device has them with any header. */
static const struct mdx_field mkey_tph_en = { 0x80 + 0x1e5, 1 };
static const struct mdx_field mkey_tph_tag = { 0x80 + 0x1e8, 8 };

/* An mkey made of other mkeys does not name memory. */
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
		/* Only verbs may grant cache hints of the PCI bus. */
		mdx_mbox_set(in, mkey_tph_en, 0);
		mdx_mbox_set(in, mkey_tph_tag, 0);
	}
	for (bit = op->force; *bit; bit++)
		mdx_mbox_set(in, (struct mdx_field){ *bit, 1 }, 1);
}

/**
 * mdx_mbox_lists_fit - Compare the lists of an input with its length
 * @op: its row
 * @in: the input, after mdx_mbox_force()
 * @in_len: its length
 *
 * Return: false if a list is longer than the rest of the input
 */
bool mdx_mbox_lists_fit(const struct mdx_op *op, const void *in, u32 in_len)
{
	const struct mdx_list *list = op->lists;
	u64 end = 0;

	for (; list && list->unit; list++) {
		if (list->when.width &&
		    mdx_mbox_get(in, list->when) != list->when_is)
			continue;
		if (!end)
			end = list->at;
		end += (u64)mdx_mbox_get(in, list->count) * list->unit;
	}
	return end <= in_len;
}

/**
 * mdx_mbox_count - Number of consecutive ids that a create asks for
 * @op: its row
 * @in: its input
 *
 * Return: 1, or more for objects that are created in bulk
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
 * mdx_mbox_created_id - Id of a created object
 * @op: its row
 * @in: its input
 * @out: its answer
 *
 * Return: the id
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
 * mdx_mbox_build_dinbox - Write the destroy inbox of an object
 * @op: row of the command that created it
 * @in: that command's input
 * @id: the object's id
 * @uid: its owner
 * @dinbox: MDX_DINBOX_LEN_MAX bytes
 */
void mdx_mbox_build_dinbox(const struct mdx_op *op, const void *in, u32 id,
			   u16 uid, void *dinbox)
{
	const struct mdx_destroy *destroy = op->destroy;
	const struct mdx_field *f;

	memset(dinbox, 0, MDX_DINBOX_LEN_MAX);
	mdx_mbox_set(dinbox, MDX_FLD_OPCODE, destroy->opcode);
	mdx_mbox_set_uid(dinbox, uid);
	for (f = destroy->copy; f->width; f++)
		field_copy(dinbox, in, *f);
	mdx_mbox_set(dinbox, destroy->id, id);
}
