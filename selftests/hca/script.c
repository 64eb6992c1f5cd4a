// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "script.h"

enum { OPCODES = 1 << 16 };

static void rule_free(struct script_rule *r)
{
	free(r->answer);
	free(r->last);
}

int script_init(struct script *s)
{
	*s = (struct script){};
	s->rules = calloc(OPCODES, sizeof(*s->rules));
	return s->rules ? 0 : -1;
}

void script_fini(struct script *s)
{
	unsigned int i;

	for (i = 0; s->rules && i < OPCODES; i++)
		rule_free(&s->rules[i]);
	free(s->rules);
	s->rules = NULL;
}

void script_reset(struct script *s)
{
	unsigned int i;

	for (i = 0; i < OPCODES; i++) {
		rule_free(&s->rules[i]);
		s->rules[i] = (struct script_rule){};
	}
	s->total = 0;
	s->delay_us = 0;
}

void script_seen(struct script *s, uint16_t opcode, const uint8_t *in,
		 size_t len)
{
	struct script_rule *r = &s->rules[opcode];
	uint8_t *copy = malloc(len);

	s->total++;
	r->count++;
	if (!copy)
		return;
	memcpy(copy, in, len);
	free(r->last);
	r->last = copy;
	r->last_len = len;
}

uint64_t script_delay(const struct script *s, uint16_t opcode)
{
	const struct script_rule *r = &s->rules[opcode];

	return r->delayed ? r->delay_us : s->delay_us;
}

bool script_take(int64_t *left)
{
	if (!*left)
		return false;
	if (*left > 0)
		(*left)--;
	return true;
}

bool script_set_answer(struct script_rule *r, const uint8_t *answer, size_t len,
		       int64_t count)
{
	uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		return false;
	memcpy(copy, answer, len);
	free(r->answer);
	r->answer = copy;
	r->answer_len = len;
	r->answers = count;
	return true;
}

bool script_answer(struct script_rule *r, uint8_t *out, size_t out_len)
{
	if (!script_take(&r->answers))
		return false;
	memcpy(out, r->answer,
	       r->answer_len < out_len ? r->answer_len : out_len);
	return true;
}
