// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl_parse.h"
#include "script.h"

static bool parse_int(const char *s, int base, uint64_t max, uint64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoull(s, &end, base);
	return !errno && end != s && !*end && *s != '-' && *val <= max;
}

bool ctl_parse_num(const char *s, uint64_t max, uint64_t *val)
{
	return parse_int(s, 0, max, val);
}

bool ctl_parse_opcode(const char *s, uint16_t *opcode)
{
	uint64_t val;

	if (!parse_int(s, 16, UINT16_MAX, &val))
		return false;
	*opcode = (uint16_t)val;
	return true;
}

bool ctl_parse_on_off(const char *s, bool *on)
{
	*on = !strcmp(s, "on");
	return *on || !strcmp(s, "off");
}

bool ctl_parse_count(int argc, char **argv, int i, int64_t *count)
{
	uint64_t val = 1;

	if (i < argc && !strcmp(argv[i], "always")) {
		*count = SCRIPT_ALWAYS;
		return true;
	}
	if (i < argc && !ctl_parse_num(argv[i], INT64_MAX, &val))
		return false;
	*count = (int64_t)val;
	return true;
}

bool ctl_parse_hex(const char *s, uint8_t *buf, size_t max, size_t *len)
{
	unsigned int byte;
	size_t i, n = strlen(s);

	if (n % 2 || n / 2 > max || s[strspn(s, "0123456789abcdefABCDEF")])
		return false;
	for (i = 0; i < n; i += 2) {
		if (sscanf(s + i, "%2x", &byte) != 1)
			return false;
		buf[i / 2] = (uint8_t)byte;
	}
	*len = n / 2;
	return true;
}
