// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * /sys/kernel/debug/mlx5_devx/files: a line for every bound file,
 * "ibdev pid comm uid objects calls-under-way sharing", and then its objects by
 * object type, "opcode:count" or, for general objects, "opcode/type:count". The calls
 * are those of all files of the verbs context. "sharing" is "shared" if the objects
 * are those of all files of the context that say so, else "own".
 *
 * /sys/kernel/debug/mlx5_devx/objects: a line for every object of such a file,
 * "ibdev pid uid id opcode type number numbers destroy-bytes seconds": type is 0 but
 * for general objects, numbers counts consecutive ones from number on, and
 * destroy-bytes is the length of the command that destroys it.
 *
 * /sys/kernel/debug/mlx5_devx/leftovers: a line for every device that kept objects
 * when their context ended, "ibdev contexts objects uid opcode number": the last three
 * are the uid of the last such context, and one of its objects with the command that
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
#include "owner.h"

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

static void count_obj(void *data, const struct mdx_obj *obj)
{
	struct type_counts *counts = data;
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

static void walk_objs(struct mdx_objs *objs,
		      void (*fn)(void *data, const struct mdx_obj *obj),
		      void *data)
{
	struct mdx_obj *obj;
	unsigned int n = 0;
	u64 id;

	mdx_ids_lock(&objs->ids);
	for (id = 0; (obj = mdx_ids_next(&objs->ids, &id)); id++) {
		fn(data, obj);
		if (++n % BATCH)
			continue;
		mdx_ids_unlock(&objs->ids);
		cond_resched();
		mdx_ids_lock(&objs->ids);
	}
	mdx_ids_unlock(&objs->ids);
}

static void show_types(struct seq_file *seq, struct mdx_file *file)
{
	struct type_counts counts = {};
	unsigned int i;

	walk_objs(file->objs, count_obj, &counts);
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
	struct mdx_owner *owner = file->owner;
	struct seq_file *seq = data;

	seq_printf(seq, "%s %d %s %#x %d %d %s",
		   dev_name(&owner->mdx->ibdev->dev), file->pid, file->comm,
		   owner->uid, atomic_read(&file->objs->n),
		   atomic_read(&owner->slots.used),
		   file->objs == &file->own ? "own" : "shared");
	show_types(seq, file);
	seq_putc(seq, '\n');
}

static int files_show(struct seq_file *seq, void *unused)
{
	mdx_dev_walk_files(show_file, seq);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(files);

struct objs_seq {
	struct seq_file *seq;
	struct mdx_file *file;
};

static void show_obj(void *data, const struct mdx_obj *obj)
{
	struct objs_seq *s = data;
	struct mdx_owner *owner = s->file->owner;

	seq_printf(s->seq, "%s %d %#x %u %x %x %#x %u %u %lu\n",
		   dev_name(&owner->mdx->ibdev->dev), s->file->pid, owner->uid,
		   obj->id, obj->opcode, obj->obj_type, obj->fw_id, obj->fw_n,
		   obj->dinlen, (jiffies - obj->created) / HZ);
}

static void show_objs(struct mdx_file *file, void *data)
{
	struct objs_seq s = { .seq = data, .file = file };

	walk_objs(file->objs, show_obj, &s);
}

static int objects_show(struct seq_file *seq, void *unused)
{
	mdx_dev_walk_files(show_objs, seq);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(objects);

static void show_leftovers(struct mdx_dev *mdx, void *data)
{
	struct mdx_leftovers *left = &mdx->leftovers;
	struct seq_file *seq = data;

	spin_lock(&left->lock);
	if (left->contexts)
		seq_printf(seq, "%s %llu %llu %#x %#x %#x\n",
			   dev_name(&mdx->ibdev->dev), left->contexts, left->objs,
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
	debugfs_create_file("objects", 0400, root, NULL, &objects_fops);
	debugfs_create_file("files", 0400, root, NULL, &files_fops);
}

void mdx_debugfs_exit(void)
{
	debugfs_remove_recursive(root);
}
