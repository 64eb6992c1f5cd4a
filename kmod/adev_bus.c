// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The devices of the auxiliary bus. The bus_type is not exported: a registered
 * stub driver, which matches no device, gives it to us.
 */
#include <linux/auxiliary_bus.h>

#include "adev_bus.h"

static int stub_probe(struct auxiliary_device *adev,
		      const struct auxiliary_device_id *id)
{
	return -ENODEV;
}

static const struct auxiliary_device_id stub_ids[] = { {} };

static struct auxiliary_driver stub_driver = {
	.name = "stub",
	.probe = stub_probe,
	.id_table = stub_ids,
};

/**
 * mdx_adev_for_each - Look at the devices of the bus
 * @fn: called for each device until it does not return 0
 * @data: passed to @fn
 */
void mdx_adev_for_each(int (*fn)(struct device *dev, void *data), void *data)
{
	bus_for_each_dev(stub_driver.driver.bus, NULL, data, fn);
}

int __init mdx_adev_bus_init(void)
{
	return auxiliary_driver_register(&stub_driver);
}

void mdx_adev_bus_exit(void)
{
	auxiliary_driver_unregister(&stub_driver);
}
