// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The ib_client: ib_core adds a device, its mlx5_core device and its uverbs char
 * device are looked up; ib_core removes it, everything is revoked.
 */
#include <linux/auxiliary_bus.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/gfp.h>
#include <linux/mlx5/driver.h>
#include <linux/string.h>
#include <rdma/ib_marshall.h>
#include <rdma/ib_verbs.h>

#include "adev_bus.h"
#include "built_for.h"
#include "client.h"
#include "dev.h"
#include "owner.h"

/*
 * ib_core removes clients in reverse order of their registration. bind relies on
 * ib_uverbs being the older one, for then no uverbs context is torn down while
 * we use it. From 7.x on, the symbols bind needs are in another module, so this
 * reference is what loads ib_uverbs first and keeps it.
 */
static typeof(ib_copy_qp_attr_to_user) *const needs_ib_uverbs __used =
	ib_copy_qp_attr_to_user;

/**
 * struct dev_search - Devices around an ib_device
 * @ibdev: the ib_device
 * @mdev: its mlx5_core device
 * @uverbs: its uverbs char device, with a reference
 * @page: buffer for an attribute
 */
struct dev_search {
	struct ib_device *ibdev;
	struct mlx5_core_dev *mdev;
	struct device *uverbs;
	char *page;
};

/*
 * The auxiliary device that mlx5_ib is bound to; "rdma-rep" in switchdev mode. It
 * is looked up on its bus: ib_core calls us from within mlx5_ib's probe(), when
 * it is not yet among the children of its parent.
 */
static int search_adev(struct device *dev, void *data)
{
	static const char prefix[] = "mlx5_core.rdma";
	struct dev_search *s = data;
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
 * Several ib_devices may share a parent: the attribute names the right one.
 */
static bool is_uverbs_of(struct device *child, struct dev_search *s)
{
	if (!child->class || strcmp(child->class->name, "infiniband_verbs"))
		return false;
	if (attr_read(child, "ibdev", s->page) <= 0)
		return false;
	return sysfs_streq(s->page, dev_name(&s->ibdev->dev));
}

static int search_uverbs(struct device *dev, void *data)
{
	struct dev_search *s = data;

	if (!is_uverbs_of(dev, s))
		return 0;
	s->uverbs = get_device(dev);
	return 1;
}

static int search_devices(struct dev_search *s)
{
	s->page = (char *)get_zeroed_page(GFP_KERNEL);
	if (!s->page)
		return -ENOMEM;
	mdx_adev_for_each(search_adev, s);
	device_for_each_child(s->ibdev->dev.parent, s, search_uverbs);
	free_page((unsigned long)s->page);

	/* No verbs context of it can be opened: nothing to be served. */
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

static int client_add(struct ib_device *ibdev)
{
	struct dev_search s = { .ibdev = ibdev };
	struct mdx_dev *mdx;
	int ret;

	if (ibdev->ops.driver_id != RDMA_DRIVER_MLX5 || !ibdev->dev.parent)
		return -EOPNOTSUPP;
	if (!mdx_built_for_device(ibdev))
		return -EOPNOTSUPP;
	ret = search_devices(&s);
	if (ret)
		return ret;
	mdx = mdx_dev_alloc(ibdev, s.mdev, s.uverbs);
	if (!mdx) {
		put_device(s.uverbs);
		return -ENOMEM;
	}
	mdx_dct_watch(mdx);
	mdx_late_watch(mdx);
	ib_set_client_data(ibdev, &mdx_client, mdx);
	mdx_dev_publish(mdx);
	return 0;
}

/* mdx_client_exit() was called: devices stay, and no file is open. */
static bool unloading;

static void client_remove(struct ib_device *ibdev, void *data)
{
	struct mdx_dev *mdx = data;

	mdx_dev_unpublish(mdx);

	/* Waits for commands the device has, and for no user memory. */
	percpu_down_write(&mdx->registration_lock);
	mdx->unloading = unloading;
	mdx_owner_revoke_all(mdx);
	mdx_event_unwatch(mdx);
	mdx_late_unwatch(mdx);
	mdx_dct_unwatch(mdx);
	WRITE_ONCE(mdx->removed, true);
	percpu_up_write(&mdx->registration_lock);
	mdx_late_sync(mdx);
	/* No PD may stay an anchor when the module is gone. */
	while (!mdx_owner_release_unused(mdx) && unloading)
		msleep(20);

	put_device(mdx->uverbs);
	mdx_dev_put(mdx);
}

static struct ib_client mdx_client = {
	.name = "mlx5_devx",
	.add = client_add,
	.remove = client_remove,
	.no_kverbs_req = true,
};

int __init mdx_client_init(void)
{
	int ret;

	ret = mdx_adev_bus_init();
	if (ret)
		return ret;
	ret = ib_register_client(&mdx_client);
	if (ret)
		mdx_adev_bus_exit();
	return ret;
}

void mdx_client_exit(void)
{
	unloading = true;
	ib_unregister_client(&mdx_client);
	mdx_adev_bus_exit();
}
