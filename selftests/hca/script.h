/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rules of the control protocol for the command queue, by opcode. */
#ifndef HCA_SCRIPT_H
#define HCA_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCRIPT_ALWAYS = -1 };

/**
 * struct script_rule - counts of one opcode, and the rules for it
 * @count: commands received
 * @fail: number of following commands that fail; SCRIPT_ALWAYS for all
 * @syndrome: syndrome of these failures
 * @status: status of these failures
 * @error: delivery status for @transport
 * @delayed: the opcode has its own latency
 * @drop: number of following commands that are executed but not completed
 * @transport: number of following commands with delivery status @error
 * @delay_us: latency, if @delayed
 * @answers: number of following commands that get @answer without execution
 * @answer: output mailbox of these commands, @answer_len bytes
 * @answer_len: length of @answer
 * @last: the last input mailbox
 * @last_len: length of @last
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
	int64_t answers;
	uint8_t *answer;
	size_t answer_len;
	uint8_t *last;
	size_t last_len;
};

/**
 * struct script - all rules
 * @rules: rules by opcode, 65536 of them
 * @total: commands received
 * @delay_us: latency of opcodes that have none of their own
 */
struct script {
	struct script_rule *rules;
	uint64_t total;
	uint64_t delay_us;
};

int script_init(struct script *s);
void script_fini(struct script *s);
/* Back to the state after script_init(). */
void script_reset(struct script *s);

/* Record a command that was received. */
void script_seen(struct script *s, uint16_t opcode, const uint8_t *in,
		 size_t len);
uint64_t script_delay(const struct script *s, uint16_t opcode);
/* True if a rule with *@left commands left applies; uses one of them up. */
bool script_take(int64_t *left);
/* Let the next @count commands get a copy of @answer; false without memory. */
bool script_set_answer(struct script_rule *r, const uint8_t *answer, size_t len,
		       int64_t count);
/* True if the output @out of @out_len zero bytes was filled with the answer. */
bool script_answer(struct script_rule *r, uint8_t *out, size_t out_len);

#endif /* HCA_SCRIPT_H */
