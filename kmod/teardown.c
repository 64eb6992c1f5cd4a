// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The end of all objects of a file.
 *
 * Objects end by level, since an object refers to objects of lower levels, and
 * newest first within a level. The device destroys several of a level at a time:
 * the calling task sends commands, and so do up to WORKERS_MAX workers. Each waits
 * for its answers, so nothing here runs in interrupts, and mlx5_core may sleep
 * before it sends a command.
 *
 * mlx5_cmd_exec_cb() would need no workers. But it takes no command about general
 * objects on older kernels and few at a time on others, allocates atomically, and
 * on 6.1 enables interrupts in an interrupt if the device refuses.
 */
#include <linux/list.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

#include "dev.h"
#include "file.h"
#include "obj.h"
#include "objs.h"
#include "teardown.h"

/* Unanswered commands after which the device is not asked any more. */
#define UNANSWERED_MAX 2

/*
 * Worker threads shared by all files that end at a time: with one of these at most
 * a quarter of the command slots of a device.
 */
#define WORKERS_MAX 7

static struct workqueue_struct *workers_wq;

/**
 * struct teardown - Objects of one level that are being destroyed
 * @file: their file; the lock of its ids protects the fields below
 * @todo: newest first
 * @kept: objects the device keeps, newest first
 * @unanswered: commands the device has not answered, on all levels
 * @destroyed: objects destroyed in this pass, on all levels
 */
struct teardown {
	struct mdx_file *file;
	struct list_head todo;
	struct list_head kept;
	int unanswered;
	unsigned int destroyed;
};

struct teardown_worker {
	struct work_struct work;
	struct teardown *td;
};

/* Each further command could take as long as those that were not answered. */
static bool is_hopeless(const struct teardown *td, const struct mdx_obj *obj)
{
	return td->unanswered >= UNANSWERED_MAX && !obj->ops->must_destroy;
}

/* The next object, in no list; NULL: none is left. */
static struct mdx_obj *todo_next(struct teardown *td)
{
	struct mdx_obj *obj;

	mdx_ids_lock(&td->file->ids);
	while ((obj = list_first_entry_or_null(&td->todo, struct mdx_obj,
					       entry))) {
		if (!is_hopeless(td, obj)) {
			list_del_init(&obj->entry);
			break;
		}
		list_move_tail(&obj->entry, &td->kept);
	}
	mdx_ids_unlock(&td->file->ids);
	return obj;
}

static void destroy_obj(struct teardown *td, struct mdx_obj *obj)
{
	struct mdx_file *file = td->file;
	struct mdx_answer ans;
	int ret;

	ret = mdx_obj_fw_destroy_last(file->mdx, obj, &ans);

	mdx_ids_lock(&file->ids);
	if (ret == -ETIMEDOUT || ret == -ECANCELED)
		td->unanswered++;
	if (ret)
		list_add_tail(&obj->entry, &td->kept);
	else
		td->destroyed++;
	mdx_ids_unlock(&file->ids);
	if (ret)
		return;

	mdx_obj_uncount(file, obj);
	/* An object with an id is freed with the id table, or by its creator. */
	if (!obj->id)
		mdx_obj_free(obj);
}

static void destroy_todo(struct teardown *td)
{
	struct mdx_obj *obj;

	while ((obj = todo_next(td))) {
		destroy_obj(td, obj);
		cond_resched();
	}
}

static void worker_run(struct work_struct *work)
{
	destroy_todo(container_of(work, struct teardown_worker, work)->td);
}

/* One for each object but the first, counted before any worker begins. */
static int workers_needed(const struct teardown *td)
{
	const struct list_head *pos;
	int n = -1;

	list_for_each(pos, &td->todo) {
		if (++n == WORKERS_MAX)
			break;
	}
	return max(n, 0);
}

/* A worker that has not begun, as all threads are busy, is not needed any more. */
static void destroy_level(struct teardown *td)
{
	struct teardown_worker workers[WORKERS_MAX];
	int n = workers_needed(td);
	int i;

	for (i = 0; i < n; i++) {
		INIT_WORK_ONSTACK(&workers[i].work, worker_run);
		workers[i].td = td;
		queue_work(workers_wq, &workers[i].work);
	}
	destroy_todo(td);
	for (i = 0; i < n; i++) {
		cancel_work_sync(&workers[i].work);
		destroy_work_on_stack(&workers[i].work);
	}
}

static unsigned int destroy_pass(struct teardown *td)
{
	struct list_head levels[MDX_LEVELS];
	struct mdx_file *file = td->file;
	struct mdx_obj *obj, *next;
	int i;

	for (i = 0; i < MDX_LEVELS; i++)
		INIT_LIST_HEAD(&levels[i]);
	list_for_each_entry_safe(obj, next, &file->all, entry)
		list_move_tail(&obj->entry, &levels[obj->level]);

	td->destroyed = 0;
	for (i = MDX_LEVELS - 1; i >= 0; i--) {
		list_splice_init(&levels[i], &td->todo);
		destroy_level(td);
	}
	list_splice_init(&td->kept, &file->all);
	return td->destroyed;
}

/*
 * A user can cause leftovers again and again, by two entries of one index: the log
 * gets one line a device, and debugfs the counts.
 */
static void report_leftovers(struct mdx_file *file, unsigned int n)
{
	struct mdx_leftovers *left = &file->mdx->leftovers;
	struct mdx_obj *obj;
	bool first;

	obj = list_first_entry(&file->all, struct mdx_obj, entry);
	spin_lock(&left->lock);
	first = !left->files++;
	left->objs += n;
	left->uid = file->uid;
	left->opcode = obj->opcode;
	left->fw_id = obj->fw_id;
	spin_unlock(&left->lock);
	if (first)
		dev_warn(&file->mdx->ibdev->dev,
			 "mlx5_devx: the device keeps objects of uid %#x, among them %#x created by %#x; any more are counted in debugfs, mlx5_devx/leftovers\n",
			 file->uid, obj->fw_id, obj->opcode);
}

static void forget_leftovers(struct mdx_file *file)
{
	struct mdx_obj *obj, *next;

	report_leftovers(file, list_count_nodes(&file->all));
	list_for_each_entry_safe(obj, next, &file->all, entry) {
		mdx_obj_unlink(file, obj);
		if (!obj->id)
			mdx_obj_free(obj);
	}
}

/**
 * mdx_obj_destroy_all - Have the device destroy all objects of a file
 * @file: a file without a command under way; its device is under mdx_live, or
 *	its registration_lock is held for write
 *
 * Passes are repeated until one destroys nothing: a modify may have made an object
 * refer to one of its level or above.
 *
 * Return: true if any object was destroyed
 */
bool mdx_obj_destroy_all(struct mdx_file *file)
{
	struct teardown td = { .file = file };
	bool destroyed = false;

	mdx_dev_assert_live(file->mdx);

	INIT_LIST_HEAD(&td.todo);
	INIT_LIST_HEAD(&td.kept);
	while (!list_empty(&file->all) && destroy_pass(&td))
		destroyed = true;
	return destroyed;
}

/**
 * mdx_obj_adopt - Take over the objects that were transferred to a file
 * @file: as for mdx_obj_destroy_all(), and under files_lock
 *
 * Return: true if there were any
 */
bool mdx_obj_adopt(struct mdx_file *file)
{
	lockdep_assert_held(&file->mdx->files_lock);

	if (list_empty(&file->adopted))
		return false;
	mdx_ids_lock(&file->ids);
	list_splice_tail_init(&file->adopted, &file->all);
	mdx_ids_unlock(&file->ids);
	return true;
}

/**
 * mdx_obj_transfer - Let go of the objects that the device keeps
 * @file: after mdx_obj_destroy_all(), under files_lock
 * @to: another file of its context, whose objects may refer to these: they are
 *	destroyed when it ends. @file is being closed then, and no other task uses
 *	it. NULL: the objects are reported and not touched again
 */
void mdx_obj_transfer(struct mdx_file *file, struct mdx_file *to)
{
	struct mdx_obj *obj, *next;

	lockdep_assert_held(&file->mdx->files_lock);

	if (list_empty(&file->all))
		return;
	if (!to) {
		forget_leftovers(file);
		return;
	}
	list_for_each_entry_safe(obj, next, &file->all, entry) {
		if (obj->id)
			mdx_ids_erase(&file->ids, obj->id);
		obj->id = 0;
		list_move_tail(&obj->entry, &to->adopted);
		atomic_dec(&file->objs_n);
		atomic_inc(&to->objs_n);
	}
}

/**
 * mdx_obj_free_all - Free the memory of a file's objects
 * @file: a file no task uses any more, after mdx_obj_transfer()
 */
void mdx_obj_free_all(struct mdx_file *file)
{
	struct mdx_obj *obj;
	u64 id;

	for (id = 0; (obj = mdx_ids_next(&file->ids, &id)); id++)
		mdx_obj_free(obj);
	mdx_ids_free(&file->ids);
}

int mdx_teardown_init(void)
{
	/* Memory may be what is waited for until a file has ended. */
	workers_wq = alloc_workqueue("mlx5_devx", WQ_UNBOUND | WQ_MEM_RECLAIM,
				     WORKERS_MAX);
	return workers_wq ? 0 : -ENOMEM;
}

void mdx_teardown_exit(void)
{
	destroy_workqueue(workers_wq);
}
