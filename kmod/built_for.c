// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The mlx5 drivers that this module was built for. A kernel without symbol versions
 * loads the module beside any others, whose structures may differ.
 *
 * A vendor's drivers are built outside the kernel's tree, and the kernel taints such
 * modules. Two versions of them differ in their source version. Drivers of the
 * kernel's own tree are bound to the kernel's release, and so is this module.
 */
#include <linux/module.h>
#include <linux/pci.h>
#include <rdma/ib_verbs.h>

#include "built_for.h"

/* build.sh gives these; a plain make builds for the kernel's own drivers. */
MODULE_INFO(built_for, MDX_BUILT_FOR);

/* A driver that is built into the kernel has no module. */
static bool built_for_module(const struct module *mod, bool vendor,
			     const char *srcversion)
{
	bool is_vendor = mod && test_bit(TAINT_OOT_MODULE, &mod->taints);

	if (is_vendor != vendor)
		return false;
	return !srcversion[0] ||
	       (mod && mod->srcversion && !strcmp(mod->srcversion, srcversion));
}

static bool built_for_driver(const struct module *mod, const char *name,
			     const char *srcversion)
{
	if (built_for_module(mod, MDX_BUILT_FOR_VENDOR, srcversion))
		return true;
	pr_err("mlx5_devx: built for %s, but another %s is loaded; build it again (DKMS: dkms install --force mlx5-devx/%s)\n",
	       MDX_BUILT_FOR, name, MDX_VERSION);
	return false;
}

/**
 * mdx_built_for_core - Compare the running mlx5_core with that of the build
 *
 * To be called before any structure of the RDMA stack is used.
 *
 * Return: false, with a line in the log, if it is another one
 */
bool mdx_built_for_core(void)
{
	struct device_driver *drv = driver_find("mlx5_core", &pci_bus_type);

	return !drv || built_for_driver(drv->owner, "mlx5_core",
					MDX_BUILT_FOR_CORE);
}

/**
 * mdx_built_for_device - Compare the driver of a device with that of the build
 * @ibdev: the device, of mlx5_ib
 *
 * Return: false, with a line in the log, if it is another one
 */
bool mdx_built_for_device(const struct ib_device *ibdev)
{
	return built_for_driver(ibdev->ops.owner, "mlx5_ib", MDX_BUILT_FOR_IB);
}
