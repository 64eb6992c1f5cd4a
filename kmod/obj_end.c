// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The end of all objects of a file.
 *
 * By level, as an object names such of lower ones, and newest first within a
 * level. The device destroys several of a level at a time: the caller asks for
 * them, and so do up to HELPERS workers. All wait for their answers as anybody
 * does, so nothing here runs in interrupts, and what mlx5_core must do before it
 * can send a command may sleep.
 *
 * mlx5_cmd_exec_cb() would need no workers. But it takes no command about general
 * objects on older kernels and few at a time on others, allocates atomically, and
 * on 6.1 enables interrupts in an interrupt if the device refuses.
 */
#include <linux/list.h>
#include <linux/workqueue.h>

#include "mdx.h"
#include "obj.h"

/* Commands a device may leave unanswered before close() stops asking it. */
#define UNANSWERED_MAX 2

/*
 * Workers there are, for all files that end at a time: with one of these at the
 * most a quarter of the command slots a device has.
 */
#define HELPERS 7

static struct workqueue_struct *helpers_wq;

/**
 * struct ending - Objects of one level that are being destroyed
 * @file: their file; the lock of its ids protects what follows
 * @todo: newest first
 * @kept: what the device keeps, newest first
 * @unanswered: commands the device has not answered, on all levels
 * @freed: how many objects are gone, likewise
 */
struct ending {
	struct mdx_file *file;
	struct list_head todo;
	struct list_head kept;
	int unanswered;
	unsigned int freed;
};

struct helper {
	struct work_struct work;
	struct ending *end;
};

/* A device that does not answer is not waited for again and again. */
static bool is_hopeless(const struct ending *end, const struct mdx_obj *obj)
{
	/* mlx5_core knows a hooked CQ and must forget it in any case. */
	return end->unanswered >= UNANSWERED_MAX && !obj->hooked;
}

/* The next one, in no list; NULL: there is none. */
static struct mdx_obj *next_obj(struct ending *end)
{
	struct mdx_obj *obj;

	mdx_ids_lock(&end->file->ids);
	while ((obj = list_first_entry_or_null(&end->todo, struct mdx_obj,
					       entry))) {
		if (!is_hopeless(end, obj)) {
			list_del_init(&obj->entry);
			break;
		}
		list_move_tail(&obj->entry, &end->kept);
	}
	mdx_ids_unlock(&end->file->ids);
	return obj;
}

static void end_obj(struct ending *end, struct mdx_obj *obj)
{
	struct mdx_file *file = end->file;
	struct mdx_answer ans;
	int ret;

	ret = mdx_obj_fw_destroy_last(file->mdx, obj, &ans);

	mdx_ids_lock(&file->ids);
	if (ret == -ETIMEDOUT || ret == -ECANCELED)
		end->unanswered++;
	if (ret)
		list_add_tail(&obj->entry, &end->kept);
	else
		end->freed++;
	mdx_ids_unlock(&file->ids);
	if (ret)
		return;

	mdx_obj_uncount(file, obj);
	if (!obj->id)
		mdx_obj_free(obj);
}

static void end_objs(struct ending *end)
{
	struct mdx_obj *obj;

	while ((obj = next_obj(end))) {
		end_obj(end, obj);
		cond_resched();
	}
}

static void help(struct work_struct *work)
{
	end_objs(container_of(work, struct helper, work)->end);
}

/* One for each object but the first, counted before any of them begins. */
static int helpers_needed(const struct ending *end)
{
	const struct list_head *pos;
	int n = -1;

	list_for_each(pos, &end->todo) {
		if (++n == HELPERS)
			break;
	}
	return max(n, 0);
}

/* Workers that others keep busy are not waited for: they are not needed. */
static void end_level(struct ending *end)
{
	struct helper helpers[HELPERS];
	int n = helpers_needed(end);
	int i;

	for (i = 0; i < n; i++) {
		INIT_WORK_ONSTACK(&helpers[i].work, help);
		helpers[i].end = end;
		queue_work(helpers_wq, &helpers[i].work);
	}
	end_objs(end);
	for (i = 0; i < n; i++) {
		cancel_work_sync(&helpers[i].work);
		destroy_work_on_stack(&helpers[i].work);
	}
}

static unsigned int destroy_pass(struct ending *end)
{
	struct list_head levels[MDX_LEVELS];
	struct mdx_file *file = end->file;
	struct mdx_obj *obj, *next;
	int i;

	for (i = 0; i < MDX_LEVELS; i++)
		INIT_LIST_HEAD(&levels[i]);
	list_for_each_entry_safe(obj, next, &file->all, entry)
		list_move_tail(&obj->entry, &levels[obj->level]);

	end->freed = 0;
	for (i = MDX_LEVELS - 1; i >= 0; i--) {
		list_splice_init(&levels[i], &end->todo);
		end_level(end);
	}
	list_splice_init(&end->kept, &file->all);
	return end->freed;
}

static void report_leftovers(struct mdx_file *file)
{
	struct mdx_obj *obj, *next;
	unsigned int n = 0;

	obj = list_first_entry(&file->all, struct mdx_obj, entry);
	/* A user can have this again and again: by two entries of one index. */
	dev_warn_ratelimited(&file->mdx->ibdev->dev,
			     "mlx5_devx: the device keeps objects of uid %#x, among them %#x created by %#x\n",
			     file->uid, obj->fw_id, obj->kind);

	list_for_each_entry_safe(obj, next, &file->all, entry) {
		mdx_obj_unlink(file, obj);
		if (!obj->id)
			mdx_obj_free(obj);
		n++;
	}
	dev_dbg(&file->mdx->ibdev->dev, "%u objects left\n", n);
}

/**
 * mdx_obj_destroy_all - Have the device destroy everything a file owns
 * @file: a file without a command under way; its device is under live_sem, for
 *	write unless the file is being closed
 *
 * Repeated while that helps: a modify may have made an object name another one of
 * its level or above.
 *
 * Return: whether anything was destroyed
 */
bool mdx_obj_destroy_all(struct mdx_file *file)
{
	struct ending end = { .file = file };
	bool helped = false;

	lockdep_assert_held(&file->mdx->live_sem);

	INIT_LIST_HEAD(&end.todo);
	INIT_LIST_HEAD(&end.kept);
	while (!list_empty(&file->all) && destroy_pass(&end))
		helped = true;
	return helped;
}

/**
 * mdx_obj_inherit - Take over what other files could not destroy
 * @file: as for mdx_obj_destroy_all(), and under files_lock
 *
 * Return: whether there was anything
 */
bool mdx_obj_inherit(struct mdx_file *file)
{
	lockdep_assert_held(&file->mdx->files_lock);

	if (list_empty(&file->inherited))
		return false;
	mdx_ids_lock(&file->ids);
	list_splice_tail_init(&file->inherited, &file->all);
	mdx_ids_unlock(&file->ids);
	return true;
}

/**
 * mdx_obj_leave - Let go of what the device keeps
 * @file: after mdx_obj_destroy_all(), under files_lock
 * @heir: another file of its context, whose objects may name these: it destroys
 *	them when it ends. @file is being closed, then, so that nobody uses them.
 *	NULL: they are reported and not touched again
 */
void mdx_obj_leave(struct mdx_file *file, struct mdx_file *heir)
{
	struct mdx_obj *obj, *next;

	lockdep_assert_held(&file->mdx->files_lock);

	if (list_empty(&file->all))
		return;
	if (!heir) {
		report_leftovers(file);
		return;
	}
	list_for_each_entry_safe(obj, next, &file->all, entry) {
		if (obj->id)
			mdx_ids_erase(&file->ids, obj->id);
		obj->id = 0;
		list_move_tail(&obj->entry, &heir->inherited);
		atomic_dec(&file->objs_n);
		atomic_inc(&heir->objs_n);
	}
}

/**
 * mdx_obj_free_all - Free the memory of a file's objects
 * @file: a file nobody uses any more, after mdx_obj_leave()
 */
void mdx_obj_free_all(struct mdx_file *file)
{
	struct mdx_obj *obj;
	u64 id;

	for (id = 0; (obj = mdx_ids_next(&file->ids, &id)); id++)
		mdx_obj_free(obj);
	mdx_ids_free(&file->ids);
}

int mdx_obj_end_init(void)
{
	/* Memory may be what is waited for until a file has ended. */
	helpers_wq = alloc_workqueue("mlx5_devx", WQ_UNBOUND | WQ_MEM_RECLAIM,
				     HELPERS);
	return helpers_wq ? 0 : -ENOMEM;
}

void mdx_obj_end_exit(void)
{
	destroy_workqueue(helpers_wq);
}
