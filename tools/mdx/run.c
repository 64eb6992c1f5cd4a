// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "tool.h"

int verb_run(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return EXIT_FAILED;
}
