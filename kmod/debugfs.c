// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * /sys/kernel/debug/mlx5_devx/files: a line for every bound file,
 * "ibdev pid comm uid objects commands-in-flight", and then its objects by object
 * type, "opcode:count" or, for general objects, "opcode/type:count".
 *
 * /sys/kernel/debug/mlx5_devx/leftovers: a line for every device that kept objects
 * when their file ended, "ibdev files objects uid opcode number": the last three are
 * the uid of the last such file, and one of its objects with the command that
 * created it.
 */
#include <linux/debugfs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <rdma/ib_verbs.h>

#include "debugfs.h"
#include "dev.h"
#include "file.h"
#include "obj.h"

/* Object types that are told apart. */
#define TYPES_MAX 48
/* Objects that are looked at before the lock is dropped. */
#define BATCH 256

struct type_counts {
	unsigned int n;
	unsigned int rest;
	struct {
		u16 opcode;
		u16 obj_type;
		unsigned int n;
	} row[TYPES_MAX];
};

static struct dentry *root;

static void count_obj(struct type_counts *counts, const struct mdx_obj *obj)
{
	unsigned int i;

	for (i = 0; i < counts->n; i++) {
		if (counts->row[i].opcode == obj->opcode &&
		    counts->row[i].obj_type == obj->obj_type) {
			counts->row[i].n++;
			return;
		}
	}
	if (i == TYPES_MAX) {
		counts->rest++;
		return;
	}
	counts->row[i].opcode = obj->opcode;
	counts->row[i].obj_type = obj->obj_type;
	counts->row[i].n = 1;
	counts->n++;
}

static void count_objs(struct type_counts *counts, struct mdx_file *file)
{
	struct mdx_obj *obj;
	unsigned int n = 0;
	u64 id;

	mdx_ids_lock(&file->ids);
	for (id = 0; (obj = mdx_ids_next(&file->ids, &id)); id++) {
		count_obj(counts, obj);
		if (++n % BATCH)
			continue;
		mdx_ids_unlock(&file->ids);
		cond_resched();
		mdx_ids_lock(&file->ids);
	}
	mdx_ids_unlock(&file->ids);
}

static void show_types(struct seq_file *seq, struct mdx_file *file)
{
	struct type_counts counts = {};
	unsigned int i;

	count_objs(&counts, file);
	for (i = 0; i < counts.n; i++) {
		seq_printf(seq, " %x", counts.row[i].opcode);
		if (counts.row[i].obj_type)
			seq_printf(seq, "/%x", counts.row[i].obj_type);
		seq_printf(seq, ":%u", counts.row[i].n);
	}
	if (counts.rest)
		seq_printf(seq, " 0:%u", counts.rest);
}

static void show_file(struct mdx_file *file, void *data)
{
	struct seq_file *seq = data;

	seq_printf(seq, "%s %d %s %#x %d %d",
		   dev_name(&file->mdx->ibdev->dev), file->pid, file->comm,
		   file->uid, atomic_read(&file->objs_n),
		   atomic_read(&file->in_flight));
	show_types(seq, file);
	seq_putc(seq, '\n');
}

static int files_show(struct seq_file *seq, void *unused)
{
	mdx_dev_walk_files(show_file, seq);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(files);

static void show_leftovers(struct mdx_dev *mdx, void *data)
{
	struct mdx_leftovers *left = &mdx->leftovers;
	struct seq_file *seq = data;

	spin_lock(&left->lock);
	if (left->files)
		seq_printf(seq, "%s %llu %llu %#x %#x %#x\n",
			   dev_name(&mdx->ibdev->dev), left->files, left->objs,
			   left->uid, left->opcode, left->fw_id);
	spin_unlock(&left->lock);
}

static int leftovers_show(struct seq_file *seq, void *unused)
{
	mdx_dev_walk(show_leftovers, seq);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(leftovers);

void mdx_debugfs_init(void)
{
	root = debugfs_create_dir("mlx5_devx", NULL);
	debugfs_create_file("leftovers", 0400, root, NULL, &leftovers_fops);
	debugfs_create_file("files", 0400, root, NULL, &files_fops);
}

void mdx_debugfs_exit(void)
{
	debugfs_remove_recursive(root);
}
