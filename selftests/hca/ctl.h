/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The control socket: one command a line, from several clients at a time. ctl.c
 * reads and writes lines, ctl_cmd.c executes them.
 */
#ifndef HCA_CTL_H
#define HCA_CTL_H

#include "ctl_client.h"
#include "hca.h"
#include "qmp.h"

/**
 * struct ctl - the control socket
 * @hca: device
 * @qmp: monitor of QEMU
 * @listen: listening socket
 * @clients: clients
 */
struct ctl {
	struct hca *hca;
	struct qmp *qmp;
	struct watch listen;
	struct ctl_client *clients;
};

/* Listen at @path, unless it is NULL; -1 on failure. */
int ctl_init(struct ctl *ctl, struct hca *hca, struct qmp *qmp,
	     const char *path);
void ctl_fini(struct ctl *ctl);
/* Serve the connected socket @fd and own it. */
int ctl_attach(struct ctl *ctl, int fd);

#endif /* HCA_CTL_H */
