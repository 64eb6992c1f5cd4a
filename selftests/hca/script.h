/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the control language tells the command queue to do, per opcode. */
#ifndef HCA_SCRIPT_H
#define HCA_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCRIPT_ALWAYS = -1 };

/**
 * struct script_rule - what is known of and asked for one opcode
 * @count: commands received
 * @fail: how many of the next commands fail; SCRIPT_ALWAYS for all
 * @status: what they fail with
 * @syndrome: what they fail with
 * @drop: how many of the next are executed, but never completed
 * @transport: how many of the next get a bad delivery status
 * @error: that delivery status
 * @delay_us: latency; only if @delayed, else that of all commands holds
 * @last: the last input mailbox
 */
struct script_rule {
	uint64_t count;
	int64_t fail;
	uint32_t syndrome;
	uint8_t status;
	uint8_t error;
	bool delayed;
	int64_t drop;
	int64_t transport;
	uint64_t delay_us;
	uint8_t *last;
	size_t last_len;
};

struct script {
	struct script_rule *rules;	/* by opcode, 65536 of them */
	uint64_t total;
	uint64_t delay_us;
};

int script_init(struct script *s);
void script_fini(struct script *s);
/* As after script_init(). */
void script_reset(struct script *s);

/* A command was received. */
void script_seen(struct script *s, uint16_t opcode, const uint8_t *in,
		 size_t len);
uint64_t script_delay(const struct script *s, uint16_t opcode);
/* Does the rule's budget *@left apply to this command, too? Takes one of it. */
bool script_take(int64_t *left);

#endif /* HCA_SCRIPT_H */
