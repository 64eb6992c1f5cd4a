/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The table of commands. */
#ifndef HCA_FW_TABLE_H
#define HCA_FW_TABLE_H

#include "fw_call.h"

/* The row of @opcode, or NULL. */
const struct fw_cmd *fw_cmd_find(u16 opcode);
/* Row @i, for tests that walk the table; NULL past the last. */
const struct fw_cmd *fw_cmd_row(size_t i);

#endif /* HCA_FW_TABLE_H */
