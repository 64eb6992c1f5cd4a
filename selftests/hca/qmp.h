/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A client of QEMU's machine protocol, to unplug and plug the device: over
 * vfio-user a server cannot ask for that.
 */
#ifndef HCA_QMP_H
#define HCA_QMP_H

#include <stdbool.h>
#include <stddef.h>

#include "loop.h"

/**
 * struct qmp_conf - where QEMU is and what it knows the device by
 * @path: the monitor's socket, NULL for none
 * @id: id of the device
 * @bus: hot pluggable port
 * @sock: our vfio-user socket, as QEMU reaches it
 */
struct qmp_conf {
	const char *path;
	const char *id;
	const char *bus;
	const char *sock;
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
	char cmd[1024];
	int step;
	bool plug;
	char line[16384];
	size_t len;
};

void qmp_init(struct qmp *qmp, struct loop *loop, const struct qmp_conf *conf);
void qmp_fini(struct qmp *qmp);
/* Start it; @done is called once, perhaps before this returns. */
void qmp_plug(struct qmp *qmp, qmp_done_fn *done, void *arg);
/* Done when the guest let go of the device and QEMU deleted it. */
void qmp_unplug(struct qmp *qmp, qmp_done_fn *done, void *arg);
/* Nobody waits for the end of what runs any more. */
void qmp_forget(struct qmp *qmp, void *arg);

#endif /* HCA_QMP_H */
