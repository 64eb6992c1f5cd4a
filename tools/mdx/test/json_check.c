// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * json-check [-l]: is standard input one JSON value, and with -l, is each line?
 * Exit status 0 if so. Only what RFC 8259 allows.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *at;

static int value(int depth);

static void space(void)
{
	at += strspn(at, " \t\r\n");
}

static int string(void)
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

static int digits(void)
{
	size_t n = strspn(at, "0123456789");

	at += n;
	return n > 0;
}

static int number(void)
{
	if (*at == '-')
		at++;
	if (*at == '0')
		at++;
	else if (!digits())
		return 0;
	if (*at == '.') {
		at++;
		if (!digits())
			return 0;
	}
	if (*at == 'e' || *at == 'E') {
		at++;
		if (*at == '+' || *at == '-')
			at++;
		return digits();
	}
	return 1;
}

static int list(int depth, char end)
{
	at++;
	space();
	if (*at == end) {
		at++;
		return 1;
	}
	for (;;) {
		space();
		if (end == '}') {
			if (!string())
				return 0;
			space();
			if (*at++ != ':')
				return 0;
		}
		if (!value(depth + 1))
			return 0;
		space();
		if (*at == end) {
			at++;
			return 1;
		}
		if (*at++ != ',')
			return 0;
	}
}

static int value(int depth)
{
	static const char *const words[] = { "true", "false", "null" };
	int i;

	space();
	if (depth > 32)
		return 0;
	if (*at == '{')
		return list(depth, '}');
	if (*at == '[')
		return list(depth, ']');
	if (*at == '"')
		return string();
	for (i = 0; i < 3; i++) {
		if (!strncmp(at, words[i], strlen(words[i]))) {
			at += strlen(words[i]);
			return 1;
		}
	}
	return number();
}

static int check(const char *text)
{
	at = text;
	if (!value(0))
		return 0;
	space();
	return !*at;
}

int main(int argc, char **argv)
{
	static char text[1 << 20];
	char *line;

	text[fread(text, 1, sizeof(text) - 1, stdin)] = '\0';
	if (argc < 2 || strcmp(argv[1], "-l"))
		return !check(text);
	if (!*text)
		return 1;
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (!check(line))
			return 1;
	return 0;
}
