// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * json-check [-l]: is standard input one JSON value, and with -l, is each line?
 * Exit status 0 if so. Only what RFC 8259 allows.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *at;

static int parse_value(int depth);

static void skip_space(void)
{
	at += strspn(at, " \t\r\n");
}

static int parse_string(void)
{
	int i;

	if (*at++ != '"')
		return 0;
	while (*at != '"') {
		if ((unsigned char)*at < 0x20)
			return 0;
		if (*at++ != '\\')
			continue;
		if (*at == 'u') {
			for (i = 1; i <= 4; i++)
				if (!isxdigit((unsigned char)at[i]))
					return 0;
			at += 5;
		} else if (*at && strchr("\"\\/bfnrt", *at)) {
			at++;
		} else {
			return 0;
		}
	}
	at++;
	return 1;
}

static int skip_digits(void)
{
	size_t n = strspn(at, "0123456789");

	at += n;
	return n > 0;
}

static int parse_number(void)
{
	if (*at == '-')
		at++;
	if (*at == '0')
		at++;
	else if (!skip_digits())
		return 0;
	if (*at == '.') {
		at++;
		if (!skip_digits())
			return 0;
	}
	if (*at == 'e' || *at == 'E') {
		at++;
		if (*at == '+' || *at == '-')
			at++;
		return skip_digits();
	}
	return 1;
}

static int parse_list(int depth, char end)
{
	at++;
	skip_space();
	if (*at == end) {
		at++;
		return 1;
	}
	for (;;) {
		skip_space();
		if (end == '}') {
			if (!parse_string())
				return 0;
			skip_space();
			if (*at++ != ':')
				return 0;
		}
		if (!parse_value(depth + 1))
			return 0;
		skip_space();
		if (*at == end) {
			at++;
			return 1;
		}
		if (*at++ != ',')
			return 0;
	}
}

static int parse_value(int depth)
{
	static const char *const words[] = { "true", "false", "null" };
	int i;

	skip_space();
	if (depth > 32)
		return 0;
	if (*at == '{')
		return parse_list(depth, '}');
	if (*at == '[')
		return parse_list(depth, ']');
	if (*at == '"')
		return parse_string();
	for (i = 0; i < 3; i++) {
		if (!strncmp(at, words[i], strlen(words[i]))) {
			at += strlen(words[i]);
			return 1;
		}
	}
	return parse_number();
}

static int check_text(const char *text)
{
	at = text;
	if (!parse_value(0))
		return 0;
	skip_space();
	return !*at;
}

int main(int argc, char **argv)
{
	static char text[1 << 20];
	char *line;

	text[fread(text, 1, sizeof(text) - 1, stdin)] = '\0';
	if (argc < 2 || strcmp(argv[1], "-l"))
		return !check_text(text);
	if (!*text)
		return 1;
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (!check_text(line))
			return 1;
	return 0;
}
