/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A client of QEMU's machine protocol, to press the attention button of the
 * port that the device is behind: over vfio-user a server cannot.
 *
 * QEMU 11.1 aborts when it deletes a vfio-user device that has MSI-X, so the
 * device is never deleted. device_del presses the button, and with a port that
 * has no power controller (power_controller_present=off) nothing more comes of
 * it in QEMU: the guest lets go of the device, or, when it has, takes it back.
 */
#ifndef HCA_QMP_H
#define HCA_QMP_H

#include <stddef.h>

#include "loop.h"

/**
 * struct qmp_conf - where QEMU is and what it knows the device by
 * @path: the monitor's socket, NULL for none
 * @id: id of the device
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
/* @done is called once, perhaps before this returns. */
void qmp_press_button(struct qmp *qmp, qmp_done_fn *done, void *arg);
/* Nobody waits for the end of what runs any more. */
void qmp_forget(struct qmp *qmp, void *arg);

#endif /* HCA_QMP_H */
