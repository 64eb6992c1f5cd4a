// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Files of recorded commands: a header, then each command as struct command_event
 * with its input and its answer behind it, each padded to 8 bytes; in the byte order
 * of the machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"
#include "tool.h"

#define RECORD_MAGIC "MDXTRACE"
#define RECORD_VERSION 2

struct record_header {
	char magic[8];
	__u32 version;
	__u32 event_size;
	char note[240];
};

static const struct record_header header = {
	.magic = RECORD_MAGIC,
	.version = RECORD_VERSION,
	.event_size = sizeof(struct command_event),
	.note = "\nCommands to an mlx5 device with their mailboxes as they were sent,\n"
		"addresses and keys of the memory of processes among them. Treat it as a\n"
		"core dump. mdx replay shows it.\n",
};

_Static_assert(sizeof(struct record_header) == 256, "");
_Static_assert(sizeof(struct command_event) % 8 == 0, "");

/* Root's own regular file, which no other can read: 0 or an errno. */
static int make_private(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return EEXIST;
	return fchmod(fd, 0600) || ftruncate(fd, 0) ? errno : 0;
}

FILE *record_create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), err;
	FILE *file = NULL;

	if (fd < 0)
		return NULL;
	err = make_private(fd);
	if (!err) {
		file = fdopen(fd, "w");
		err = errno;
	}
	if (!file) {
		close(fd);
		errno = err;
		return NULL;
	}
	if (fwrite(&header, sizeof(header), 1, file) == 1)
		return file;
	fclose(file);
	return NULL;
}

static bool write_padded(FILE *file, const void *bytes, size_t len)
{
	static const char zeroes[8];
	size_t pad = -len & 7;

	return fwrite(bytes, 1, len, file) == len && fwrite(zeroes, 1, pad, file) == pad;
}

bool record_write(FILE *file, const struct command_event *event, const void *input,
		  const void *output)
{
	return fwrite(event, sizeof(*event), 1, file) == 1 &&
	       write_padded(file, input, event->input_len) &&
	       write_padded(file, output, event->output_len);
}

FILE *record_open(const char *path)
{
	struct record_header is;
	FILE *file = fopen(path, "re");

	if (!file) {
		complain("%s: %s", path, strerror(errno));
		return NULL;
	}
	if (fread(&is, sizeof(is), 1, file) == 1 &&
	    !memcmp(is.magic, header.magic, sizeof(is.magic)) &&
	    is.version == RECORD_VERSION && is.event_size == header.event_size)
		return file;
	complain("%s is no file of mdx trace --record, or of another version", path);
	fclose(file);
	return NULL;
}

/* @len is the file's, and so of any value. */
static bool read_padded(FILE *file, void *bytes, size_t room, size_t len)
{
	size_t padded = (len + 7) & ~7ul;

	return padded <= room && fread(bytes, 1, padded, file) == padded;
}

int record_read(FILE *file, struct record *record)
{
	size_t got = fread(&record->event, 1, sizeof(record->event), file);

	if (!got && feof(file))
		return 0;
	if (got == sizeof(record->event) &&
	    read_padded(file, record->input, sizeof(record->input),
			record->event.input_len) &&
	    read_padded(file, record->output, sizeof(record->output),
			record->event.output_len))
		return 1;
	complain("the file is cut off, or not understood, at its end");
	return -1;
}
