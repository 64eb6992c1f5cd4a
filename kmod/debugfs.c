// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * /sys/kernel/debug/mlx5_devx/files: a line for every bound file,
 * "ibdev pid comm uid objects commands-in-flight", and then its objects by kind,
 * "opcode:count" or "opcode/type:count".
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "mdx.h"
#include "obj.h"

/* How many kinds are told apart. */
#define KINDS_MAX 48
/* How many objects are looked at before others may have the lock. */
#define BATCH 256

struct kinds {
	unsigned int n;
	unsigned int rest;
	struct {
		u16 kind;
		u16 obj_type;
		unsigned int n;
	} row[KINDS_MAX];
};

static struct dentry *root;

static void kinds_add(struct kinds *kinds, const struct mdx_obj *obj)
{
	unsigned int i;

	for (i = 0; i < kinds->n; i++) {
		if (kinds->row[i].kind == obj->kind &&
		    kinds->row[i].obj_type == obj->obj_type) {
			kinds->row[i].n++;
			return;
		}
	}
	if (i == KINDS_MAX) {
		kinds->rest++;
		return;
	}
	kinds->row[i].kind = obj->kind;
	kinds->row[i].obj_type = obj->obj_type;
	kinds->row[i].n = 1;
	kinds->n++;
}

static void kinds_count(struct kinds *kinds, struct mdx_file *file)
{
	struct mdx_obj *obj;
	unsigned int n = 0;
	u64 id;

	mdx_ids_lock(&file->ids);
	for (id = 0; (obj = mdx_ids_next(&file->ids, &id)); id++) {
		/* What is being created has no kind yet. */
		if (atomic_read_acquire(&obj->users) != MDX_OBJ_NEW)
			kinds_add(kinds, obj);
		if (++n % BATCH)
			continue;
		mdx_ids_unlock(&file->ids);
		cond_resched();
		mdx_ids_lock(&file->ids);
	}
	mdx_ids_unlock(&file->ids);
}

/**
 * mdx_debugfs_show_kinds - How many objects of each kind a file has
 * @seq: where that goes, as words with a space before each
 * @file: kept from being closed by mdx_dev::files_lock
 */
void mdx_debugfs_show_kinds(struct seq_file *seq, struct mdx_file *file)
{
	struct kinds kinds = {};
	unsigned int i;

	kinds_count(&kinds, file);
	for (i = 0; i < kinds.n; i++) {
		seq_printf(seq, " %x", kinds.row[i].kind);
		if (kinds.row[i].obj_type)
			seq_printf(seq, "/%x", kinds.row[i].obj_type);
		seq_printf(seq, ":%u", kinds.row[i].n);
	}
	if (kinds.rest)
		seq_printf(seq, " 0:%u", kinds.rest);
}

static int files_show(struct seq_file *seq, void *unused)
{
	mdx_dev_show_files(seq);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(files);

void mdx_debugfs_init(void)
{
	root = debugfs_create_dir("mlx5_devx", NULL);
	debugfs_create_file("files", 0400, root, NULL, &files_fops);
}

void mdx_debugfs_exit(void)
{
	debugfs_remove_recursive(root);
}
