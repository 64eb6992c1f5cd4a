// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx run: a program with libmdx preloaded and with libmdx-audit.so.1, which also
 * serves functions that the program takes by dlsym().
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tool.h"

/* Sets @path to where the library is; false after a message. */
static bool find_library(char *path, size_t size, const char *name)
{
	char exe[512];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	struct link_map *map;
	void *handle;

	/* Beside mdx in a tree that is not installed. */
	exe[len > 0 ? len : 0] = '\0';
	if (strrchr(exe, '/'))
		*strrchr(exe, '/') = '\0';
	snprintf(path, size, "%s/%s", exe, name);
	if (!access(path, R_OK))
		return true;
	handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map)) {
		complain("%s is not installed, or does not load: %s", name, dlerror());
		return false;
	}
	snprintf(path, size, "%s", map->l_name);
	return true;
}

/* Of a program without a slash, as execvp() does. */
static bool find_program(char *path, size_t size, const char *name)
{
	const char *dir = getenv("PATH") ?: "/usr/bin:/bin";
	size_t len;

	if (strchr(name, '/')) {
		snprintf(path, size, "%s", name);
		return !access(path, X_OK);
	}
	for (; *dir; dir += len + (dir[len] == ':')) {
		len = strcspn(dir, ":");
		snprintf(path, size, "%.*s/%s", (int)len, dir, name);
		if (!access(path, X_OK))
			return true;
	}
	return false;
}

/* Also true for a script: its interpreter is not looked at. */
static bool is_dynamic(int fd)
{
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr;
	int i;

	if (pread(fd, &ehdr, sizeof(ehdr), 0) != sizeof(ehdr) ||
	    memcmp(ehdr.e_ident, ELFMAG, SELFMAG))
		return true;
	if (ehdr.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	for (i = 0; i < ehdr.e_phnum; i++) {
		if (pread(fd, &phdr, sizeof(phdr), ehdr.e_phoff + i * ehdr.e_phentsize) !=
		    sizeof(phdr))
			return true;
		if (phdr.p_type == PT_INTERP)
			return true;
	}
	return false;
}

/* The dynamic linker ignores both variables where a program gains rights. */
static bool gains_rights(int fd, const struct stat *st)
{
	if (st->st_mode & S_ISUID && st->st_uid != geteuid())
		return true;
	/* Without the group's x, setgid is another thing. */
	if ((st->st_mode & 02010) == 02010 && st->st_gid != getegid())
		return true;
	return geteuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

/* NULL, or why the program cannot be served. */
static const char *refusal_reason(const char *path)
{
	const char *reason = NULL;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	/* One that may be executed and not read is as it is. */
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		reason = "is no program";
	else if (gains_rights(fd, &st))
		reason = "is setuid, setgid or has capabilities: the dynamic linker ignores LD_PRELOAD and LD_AUDIT for it";
	else if (!is_dynamic(fd))
		reason = "is a static or a 32-bit program: nothing can be put in front of its libraries";
	close(fd);
	return reason;
}

/* Adds @value to a list in the environment, in front. */
static void add_to_env(const char *name, const char *value, char separator)
{
	const char *old = getenv(name);
	char text[4096];

	if (!old || !*old)
		snprintf(text, sizeof(text), "%s", value);
	else
		snprintf(text, sizeof(text), "%s%c%s", value, separator, old);
	setenv(name, text, 1);
}

int verb_run(int argc, char **argv)
{
	static const struct opt opts[] = { { "report", 'r', false }, { 0 } };
	char audit[1024], libmdx[1024], path[1024];
	const char *reason;
	bool report = false;

	while (next_opt(argc, argv, opts) != -1)
		report = true;
	if (optind == argc)
		usage("a program after --, please");
	if (!find_library(libmdx, sizeof(libmdx), "libmdx.so.1") ||
	    !find_library(audit, sizeof(audit), "libmdx-audit.so.1"))
		return EXIT_FAILED;
	if (!find_program(path, sizeof(path), argv[optind])) {
		complain("there is no program %s", argv[optind]);
		return 127;
	}
	reason = refusal_reason(path);
	if (reason) {
		complain("%s %s", path, reason);
		return 126;
	}
	add_to_env("LD_PRELOAD", libmdx, ':');
	add_to_env("LD_PRELOAD", audit, ':');
	add_to_env("LD_AUDIT", audit, ':');
	setenv("MDX_RUN", report ? "report" : "1", 1);
	execv(path, argv + optind);
	complain("%s: %s", path, strerror(errno));
	return 126;
}
