/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A client of QEMU's machine protocol. It presses the attention button of the
 * device's port, which a vfio-user server cannot do.
 *
 * QEMU 11.1 aborts when it deletes a vfio-user device that has MSI-X, so the
 * device is never deleted. device_del presses the button. A port without a
 * power controller (power_controller_present=off) does nothing else in QEMU:
 * the guest removes the device, or adds it again if it was removed.
 */
#ifndef HCA_QMP_H
#define HCA_QMP_H

#include <stddef.h>

#include "loop.h"

/**
 * struct qmp_conf - address of QEMU's monitor
 * @path: socket of the monitor, NULL for none
 * @id: id of the device in QEMU
 */
struct qmp_conf {
	const char *path;
	const char *id;
};

/* @err is NULL for success. */
typedef void qmp_done_fn(void *arg, const char *err);

struct qmp {
	struct loop *loop;
	struct qmp_conf conf;
	struct watch conn;
	struct timer limit;
	qmp_done_fn *done;
	void *arg;
	int step;
	char line[16384];
	size_t len;
};

void qmp_init(struct qmp *qmp, struct loop *loop, const struct qmp_conf *conf);
void qmp_fini(struct qmp *qmp);
/* Press the button. @done is called once, perhaps before this returns. */
void qmp_press_button(struct qmp *qmp, qmp_done_fn *done, void *arg);
/* Do not call back @arg any more. */
void qmp_forget(struct qmp *qmp, void *arg);

#endif /* HCA_QMP_H */
