/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of the control protocol. */
#ifndef HCA_CTL_CMD_H
#define HCA_CTL_CMD_H

#include "ctl_client.h"

/* Outcome of a command. */
enum ctl_outcome {
	CTL_DONE,	/* the answer is complete */
	CTL_BUTTON,	/* pressing the attention button gives the answer */
};

/* Execute @line, which is changed. */
enum ctl_outcome ctl_execute(struct ctl_client *c, char *line);

#endif /* HCA_CTL_CMD_H */
