// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Beginning and end of a table of objects.
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
#include "obj.h"
#include "objs.h"
#include "teardown.h"

/* Unanswered commands after which the device is not asked any more. */
#define UNANSWERED_MAX 2

/*
 * Worker threads shared by all that ends at a time: with one of these at most a
 * quarter of the command slots of a device.
 */
#define WORKERS_MAX 7

static struct workqueue_struct *workers_wq;

struct teardown_worker {
	struct work_struct work;
	struct mdx_teardown *td;
};

/**
 * mdx_objs_init - Begin with an empty table
 * @objs: the table
 */
void mdx_objs_init(struct mdx_objs *objs)
{
	mdx_ids_init(&objs->ids);
	INIT_LIST_HEAD(&objs->all);
	atomic_set(&objs->n, 0);
}

/* Each further command could take as long as those that were not answered. */
static bool is_hopeless(const struct mdx_teardown *td, const struct mdx_obj *obj)
{
	return td->unanswered >= UNANSWERED_MAX && !obj->ops->must_destroy;
}

/* The next object, in no list; NULL: none is left. */
static struct mdx_obj *todo_next(struct mdx_teardown *td)
{
	struct mdx_obj *obj;

	mdx_ids_lock(&td->objs->ids);
	while ((obj = list_first_entry_or_null(&td->todo, struct mdx_obj,
					       entry))) {
		if (!is_hopeless(td, obj)) {
			list_del_init(&obj->entry);
			break;
		}
		list_move_tail(&obj->entry, &td->kept);
	}
	mdx_ids_unlock(&td->objs->ids);
	return obj;
}

static void destroy_obj(struct mdx_teardown *td, struct mdx_obj *obj)
{
	struct mdx_objs *objs = td->objs;
	struct mdx_answer ans;
	int ret;

	ret = mdx_obj_fw_destroy_last(td->mdx, obj, &ans);

	mdx_ids_lock(&objs->ids);
	if (ret == -ETIMEDOUT || ret == -ECANCELED)
		td->unanswered++;
	if (ret)
		list_add_tail(&obj->entry, &td->kept);
	else
		td->destroyed++;
	mdx_ids_unlock(&objs->ids);
	if (ret)
		return;

	mdx_obj_uncharge(td->mdx, obj);
	atomic_dec(&objs->n);
	/* An object with an id is freed with the id table, or by its creator. */
	if (!obj->id)
		mdx_obj_free(obj);
}

static void destroy_todo(struct mdx_teardown *td)
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
static int workers_needed(const struct mdx_teardown *td)
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
static void destroy_level(struct mdx_teardown *td)
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

/**
 * mdx_teardown_begin - Begin to destroy objects
 * @td: for mdx_teardown_pass()
 * @mdx: the device under mdx_live, or with its registration_lock held for write
 */
void mdx_teardown_begin(struct mdx_teardown *td, struct mdx_dev *mdx)
{
	*td = (struct mdx_teardown){ .mdx = mdx };
	INIT_LIST_HEAD(&td->todo);
	INIT_LIST_HEAD(&td->kept);
}

/**
 * mdx_teardown_pass - Have the device destroy all objects of a table
 * @td: from mdx_teardown_begin()
 * @objs: a table without a command under way about its objects
 *
 * Passes over all tables of a context are to be repeated until each destroys
 * nothing: a modify may have made an object refer to one of its level or above, and
 * it may refer to one of another table.
 *
 * Return: true if any object was destroyed
 */
bool mdx_teardown_pass(struct mdx_teardown *td, struct mdx_objs *objs)
{
	struct list_head levels[MDX_LEVELS];
	struct mdx_obj *obj, *next;
	int i;

	mdx_dev_assert_live(td->mdx);

	for (i = 0; i < MDX_LEVELS; i++)
		INIT_LIST_HEAD(&levels[i]);
	list_for_each_entry_safe(obj, next, &objs->all, entry)
		list_move_tail(&obj->entry, &levels[obj->level]);

	td->objs = objs;
	td->destroyed = 0;
	for (i = MDX_LEVELS - 1; i >= 0; i--) {
		list_splice_init(&levels[i], &td->todo);
		destroy_level(td);
	}
	list_splice_init(&td->kept, &objs->all);
	return td->destroyed;
}

/**
 * mdx_objs_keep - Move the objects that the device keeps to another table
 * @objs: a table that no task uses any more, after mdx_teardown_pass()
 * @kept: gets them, in front and without ids
 */
void mdx_objs_keep(struct mdx_objs *objs, struct mdx_objs *kept)
{
	struct mdx_obj *obj, *next;

	list_for_each_entry_safe_reverse(obj, next, &objs->all, entry) {
		if (obj->id)
			mdx_ids_erase(&objs->ids, obj->id);
		obj->id = 0;
		atomic_dec(&objs->n);
		atomic_inc(&kept->n);
		mdx_ids_lock(&kept->ids);
		list_move(&obj->entry, &kept->all);
		mdx_ids_unlock(&kept->ids);
	}
}

/**
 * mdx_objs_uncharge - Stop charging for the objects that a device keeps
 * @mdx: the device, which is being removed
 * @objs: a table without a command under way about its objects
 */
void mdx_objs_uncharge(struct mdx_dev *mdx, struct mdx_objs *objs)
{
	struct mdx_obj *obj;

	list_for_each_entry(obj, &objs->all, entry)
		mdx_obj_uncharge(mdx, obj);
}

/**
 * mdx_objs_free - Free the memory of a table and its objects
 * @objs: a table that no task uses any more. The device is not asked to destroy
 *	what it still has of it
 */
void mdx_objs_free(struct mdx_objs *objs)
{
	struct mdx_obj *obj, *next;
	u64 id;

	list_for_each_entry_safe(obj, next, &objs->all, entry) {
		list_del_init(&obj->entry);
		if (!obj->id)
			mdx_obj_free(obj);
	}
	for (id = 0; (obj = mdx_ids_next(&objs->ids, &id)); id++)
		mdx_obj_free(obj);
	mdx_ids_free(&objs->ids);
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
