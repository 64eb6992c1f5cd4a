/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The log: warnings, and with --log also traces. */
#ifndef HCA_LOG_H
#define HCA_LOG_H

#include <stdbool.h>

/* Append warnings and traces to @path; false if it cannot be opened. */
bool log_open(const char *path);

void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_trace(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* HCA_LOG_H */
