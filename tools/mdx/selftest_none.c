// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx selftest of a build without mlx5_ifc.h, whose layouts its commands need. */
#include "tool.h"

int verb_selftest(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	complain("built without linux/mlx5/mlx5_ifc.h: build it with kernel headers installed");
	return EXIT_FAILED;
}
