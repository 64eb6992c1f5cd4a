// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The mlx5 devices: found when ib_core adds them, let go when it removes them.
 */
#include <linux/auxiliary_bus.h>
#include <linux/cdev.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <rdma/ib_marshall.h>

#include "mdx.h"
#include "obj.h"

/* Protects devs; taken before mdx_dev::files_lock, never with live_sem. */
static DEFINE_MUTEX(devs_lock);
static LIST_HEAD(devs);

/*
 * ib_core removes clients in reverse order of their registration. bind relies on
 * ib_uverbs being the older one, for then no uverbs context is torn down while
 * we use it. From 7.x on, the symbols bind needs are in another module, so this
 * reference is what loads ib_uverbs first and keeps it.
 */
static typeof(ib_copy_qp_attr_to_user) *const needs_ib_uverbs __used =
	ib_copy_qp_attr_to_user;

/*
 * A driver for nothing: registering it is how one gets to know the auxiliary bus.
 */
static int no_probe(struct auxiliary_device *adev,
		    const struct auxiliary_device_id *id)
{
	return -ENODEV;
}

static const struct auxiliary_device_id no_ids[] = { {} };

struct auxiliary_driver mdx_no_driver = {
	.name = "none",
	.probe = no_probe,
	.id_table = no_ids,
};

/* What is looked for below the parent of an ib_device. */
struct search {
	struct ib_device *ibdev;
	struct mlx5_core_dev *mdev;
	struct device *uverbs;
	char *page;
};

/*
 * The auxiliary device that mlx5_ib is bound to; "rdma-rep" in switchdev mode. It
 * is looked for on its bus: while mlx5_ib is still in its probe(), which is when
 * ib_core calls us, it is not yet among the children of its parent.
 */
static int search_adev(struct device *dev, void *data)
{
	static const char prefix[] = "mlx5_core.rdma";
	struct search *s = data;
	struct mlx5_adev *adev;

	if (dev->parent != s->ibdev->dev.parent ||
	    strncmp(dev_name(dev), prefix, sizeof(prefix) - 1))
		return 0;
	adev = container_of(to_auxiliary_dev(dev), struct mlx5_adev, adev);
	if (adev->mdev->device != dev->parent)
		return 0;
	s->mdev = adev->mdev;
	return 1;
}

static ssize_t attr_read(struct device *dev, const char *name, char *page)
{
	const struct attribute_group **group;
	struct device_attribute *dattr;
	struct attribute **attr;

	for (group = dev->groups; group && *group; group++) {
		for (attr = (*group)->attrs; attr && *attr; attr++) {
			if (strcmp((*attr)->name, name))
				continue;
			dattr = container_of(*attr, struct device_attribute,
					     attr);
			return dattr->show(dev, dattr, page);
		}
	}
	return -ENOENT;
}

/*
 * Class names are unique, so a child of that class is a device of ib_uverbs.
 * Several ib_devices may share a parent: uverbs itself says whose it is.
 */
static bool is_uverbs_of(struct device *child, struct search *s)
{
	if (!child->class || strcmp(child->class->name, "infiniband_verbs"))
		return false;
	if (attr_read(child, "ibdev", s->page) <= 0)
		return false;
	return sysfs_streq(s->page, dev_name(&s->ibdev->dev));
}

static int search_uverbs(struct device *dev, void *data)
{
	struct search *s = data;

	if (!is_uverbs_of(dev, s))
		return 0;
	s->uverbs = get_device(dev);
	return 1;
}

static int search(struct search *s)
{
	s->page = (char *)get_zeroed_page(GFP_KERNEL);
	if (!s->page)
		return -ENOMEM;
	bus_for_each_dev(mdx_no_driver.driver.bus, NULL, s, search_adev);
	device_for_each_child(s->ibdev->dev.parent, s, search_uverbs);
	free_page((unsigned long)s->page);

	/* Nobody can open a verbs context of it: nothing to be served. */
	if (!s->uverbs)
		return -EOPNOTSUPP;
	if (s->mdev)
		return 0;
	put_device(s->uverbs);
	dev_warn(&s->ibdev->dev,
		 "mlx5_devx: not served, its mlx5_core device is not found\n");
	return -ENODEV;
}

static struct ib_client mdx_client;

static int mdx_add(struct ib_device *ibdev)
{
	struct search s = { .ibdev = ibdev };
	struct mdx_dev *mdx;
	int ret;

	if (ibdev->ops.driver_id != RDMA_DRIVER_MLX5 || !ibdev->dev.parent)
		return -EOPNOTSUPP;
	ret = search(&s);
	if (ret)
		return ret;

	mdx = kzalloc(sizeof(*mdx), GFP_KERNEL);
	if (!mdx || percpu_init_rwsem(&mdx->live_sem)) {
		kfree(mdx);
		put_device(s.uverbs);
		return -ENOMEM;
	}
	kref_init(&mdx->ref);
	mdx->ibdev = ibdev;
	mdx->mdev = s.mdev;
	mdx->uverbs = s.uverbs;
	mutex_init(&mdx->files_lock);
	INIT_LIST_HEAD(&mdx->files);
	spin_lock_init(&mdx->drain_lock);
	INIT_LIST_HEAD(&mdx->draining);
	mdx_dct_watch(mdx);
	mdx_late_watch(mdx);

	ib_set_client_data(ibdev, &mdx_client, mdx);
	mutex_lock(&devs_lock);
	list_add_tail(&mdx->entry, &devs);
	mutex_unlock(&devs_lock);
	return 0;
}

static void mdx_dev_release(struct kref *ref)
{
	struct mdx_dev *mdx = container_of(ref, struct mdx_dev, ref);

	mutex_destroy(&mdx->files_lock);
	percpu_free_rwsem(&mdx->live_sem);
	kfree(mdx);
}

/**
 * mdx_dev_put - Give a reference back
 * @mdx: the device
 */
void mdx_dev_put(struct mdx_dev *mdx)
{
	kref_put(&mdx->ref, mdx_dev_release);
}

static bool destroy_objs(struct mdx_dev *mdx)
{
	struct mdx_file *file;
	bool helped = false;

	list_for_each_entry(file, &mdx->files, entry) {
		mdx_obj_inherit(file);
		helped |= mdx_obj_destroy_all(file);
	}
	return helped;
}

/*
 * Take everything back from the device and from the verbs contexts of the files
 * bound to it. Files stay open and get EIO from now on. Objects may name such of
 * another file of their context, so that is repeated, too.
 */
static void revoke_files(struct mdx_dev *mdx)
{
	struct mdx_file *file, *next;

	mutex_lock(&mdx->files_lock);
	while (destroy_objs(mdx))
		;
	list_for_each_entry_safe(file, next, &mdx->files, entry) {
		mdx_obj_leave(file, NULL);
		fput(mdx_file_detach(file));
	}
	mutex_unlock(&mdx->files_lock);
}

static void mdx_remove(struct ib_device *ibdev, void *data)
{
	struct mdx_dev *mdx = data;

	mutex_lock(&devs_lock);
	list_del(&mdx->entry);
	mutex_unlock(&devs_lock);

	/* Waits for commands the device has, and for nobody's memory. */
	percpu_down_write(&mdx->live_sem);
	revoke_files(mdx);
	mdx_late_unwatch(mdx);
	mdx_dct_unwatch(mdx);
	WRITE_ONCE(mdx->mdev, NULL);
	percpu_up_write(&mdx->live_sem);
	mdx_late_sync(mdx);

	put_device(mdx->uverbs);
	mdx_dev_put(mdx);
}

static struct ib_client mdx_client = {
	.name = "mlx5_devx",
	.add = mdx_add,
	.remove = mdx_remove,
	.no_kverbs_req = true,
};

/**
 * mdx_dev_of_uverbs - The device behind a file, if that is a uverbs one of ours
 * @filp: any file, held by the caller
 *
 * That it is one of ib_uverbs, and so what its private_data is, follows from the
 * char device it was opened through: that is the very device ib_uverbs made for
 * the ib_device. A number, a name or a path would prove nothing.
 *
 * Return: the device with a reference, or NULL
 */
struct mdx_dev *mdx_dev_of_uverbs(struct file *filp)
{
	struct inode *inode = file_inode(filp);
	struct mdx_dev *mdx, *found = NULL;
	struct cdev *cdev;

	if (!S_ISCHR(inode->i_mode))
		return NULL;
	cdev = inode->i_cdev;
	if (!cdev || filp->f_op != cdev->ops)
		return NULL;

	mutex_lock(&devs_lock);
	list_for_each_entry(mdx, &devs, entry) {
		if (cdev->kobj.parent == &mdx->uverbs->kobj) {
			kref_get(&mdx->ref);
			found = mdx;
			break;
		}
	}
	mutex_unlock(&devs_lock);
	return found;
}

static void show_files(struct mdx_dev *mdx, struct seq_file *seq)
{
	struct mdx_file *file;

	mutex_lock(&mdx->files_lock);
	list_for_each_entry(file, &mdx->files, entry) {
		seq_printf(seq, "%s %d %s %#x %d %d",
			   dev_name(&mdx->ibdev->dev), file->pid, file->comm,
			   file->uid, atomic_read(&file->objs_n),
			   atomic_read(&file->in_flight));
		mdx_debugfs_show_kinds(seq, file);
		seq_putc(seq, '\n');
	}
	mutex_unlock(&mdx->files_lock);
}

/**
 * mdx_dev_show_files - A line for every bound file whose device is not removed
 * @seq: where the lines go
 */
void mdx_dev_show_files(struct seq_file *seq)
{
	struct mdx_dev *mdx;

	mutex_lock(&devs_lock);
	list_for_each_entry(mdx, &devs, entry)
		show_files(mdx, seq);
	mutex_unlock(&devs_lock);
}

int mdx_dev_init(void)
{
	int ret;

	ret = auxiliary_driver_register(&mdx_no_driver);
	if (ret)
		return ret;
	ret = ib_register_client(&mdx_client);
	if (ret)
		auxiliary_driver_unregister(&mdx_no_driver);
	return ret;
}

void mdx_dev_exit(void)
{
	ib_unregister_client(&mdx_client);
	auxiliary_driver_unregister(&mdx_no_driver);
}
