/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A personality: capabilities, latencies and refusals of another device, from a
 * report of mdx selftest.
 *
 * The model takes what it can be: a limit becomes lower, not higher, and a feature
 * that it lacks stays off. Fields that are not in personality.c's table keep the
 * model's values.
 */
#ifndef HCA_PERSONALITY_H
#define HCA_PERSONALITY_H

#include "fw_state.h"
#include "script.h"

/* Commands of a report with a latency, or with a refusal of a kind. */
#define PERSONALITY_MAX 64

enum refusal_kind {
	REFUSAL_SHORT,		/* the input is shorter than its layout */
	REFUSAL_FOREIGN,	/* an object of another uid is referred to */
	REFUSAL_IN_USE,		/* destroyed while another object refers to it */
};

/**
 * struct personality - a report
 * @caps: maximum capabilities, of the types that the report has
 * @latency: of commands by opcode
 * @latencies: how many
 * @refusal: answers by kind and opcode
 * @refusals: how many
 * @parallel: commands that the device executes at the same time
 */
struct personality {
	struct {
		bool known;
		u8 page[FW_CAP_LEN];
	} caps[FW_CAP_TYPES];
	struct {
		u16 opcode;
		u64 us;
	} latency[PERSONALITY_MAX];
	unsigned int latencies;
	struct {
		enum refusal_kind kind;
		u16 opcode;
		u8 status;
		u32 syndrome;
	} refusal[PERSONALITY_MAX];
	unsigned int refusals;
	unsigned int parallel;
};

/* NULL after a message on stderr. */
struct personality *personality_load(const char *path);
void personality_free(struct personality *p);

/* Change the maximum capabilities; the log names each field that differs. */
void personality_caps(const struct personality *p, struct fw_caps *caps);
/* Set the latency of each command that the report has. */
void personality_script(const struct personality *p, struct script *script);
/* Put the report's status and syndrome into the answer of a refused command. */
void personality_refusal(const struct personality *p, const u8 *in, u8 *out);

#endif /* HCA_PERSONALITY_H */
