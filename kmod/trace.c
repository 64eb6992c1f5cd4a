// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The bodies of the tracepoints.
 */
#include <linux/string.h>
#include <linux/types.h>

#define CREATE_TRACE_POINTS
#include "trace.h"
