/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Arguments of the control protocol. Functions return false on a syntax error.
 */
#ifndef HCA_CTL_PARSE_H
#define HCA_CTL_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool ctl_parse_num(const char *s, uint64_t max, uint64_t *val);
/* Opcodes are hexadecimal with or without 0x. */
bool ctl_parse_opcode(const char *s, uint16_t *opcode);
bool ctl_parse_on_off(const char *s, bool *on);
/* Argument @i is COUNT or "always", or missing, which means 1. */
bool ctl_parse_count(int argc, char **argv, int i, int64_t *count);
bool ctl_parse_hex(const char *s, uint8_t *buf, size_t max, size_t *len);

#endif /* HCA_CTL_PARSE_H */
