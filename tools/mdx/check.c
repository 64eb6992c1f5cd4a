// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The checks of doctor, in the order in which it is needed: hardware, drivers, the
 * module's file, whether this kernel takes it, the module, the node, the devices.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

#define LOCKDOWN "/sys/kernel/security/lockdown"

static void check_kernel(struct finding *f)
{
	int major = 0, minor = 0;

	f->id = "kernel";
	sscanf(kernel_release(), "%d.%d", &major, &minor);
	if (major > 6 || (major == 6 && minor >= 1)) {
		found(f, CHECK_OK, "kernel %s", kernel_release());
		return;
	}
	found(f, CHECK_BAD, "kernel %s is older than 6.1", kernel_release());
	todo(f, "mlx5_devx needs kernel 6.1 or newer");
}

struct pci_count {
	int devices;
	int other;	/* bound to something else */
	char driver[64];
	char addr[64];
};

static void count_pci(const char *name, void *arg)
{
	char vendor[16], driver[64];
	struct pci_count *pci = arg;

	if (!read_line(vendor, sizeof(vendor), "/sys/bus/pci/devices/%s/vendor",
		       name) || strcmp(vendor, "0x15b3"))
		return;
	pci->devices++;
	if (!link_name(driver, sizeof(driver), "/sys/bus/pci/devices/%s/driver",
		       name))
		strcpy(driver, "no driver");
	if (strcmp(driver, "mlx5_core")) {
		pci->other++;
		strcpy(pci->driver, driver);
		snprintf(pci->addr, sizeof(pci->addr), "%s", name);
	}
}

static void check_hardware(struct finding *f)
{
	struct pci_count pci = { 0 };

	f->id = "hardware";
	for_each_entry("/sys/bus/pci/devices", count_pci, &pci);
	if (!pci.devices) {
		found(f, CHECK_BAD, "no PCI device of NVIDIA/Mellanox (15b3)");
		todo(f, "lspci -d 15b3: shows what the bus has; in a VM, a function must be passed in");
	} else if (pci.other == pci.devices) {
		found(f, CHECK_BAD, "%s is bound to %s, not to mlx5_core",
		      pci.addr, pci.driver);
		todo(f, "modprobe mlx5_core; or give it back: echo %s > /sys/bus/pci/drivers_probe",
		     pci.addr);
	} else {
		found(f, CHECK_OK, "%d device%s with mlx5_core",
		      pci.devices - pci.other,
		      pci.devices - pci.other == 1 ? "" : "s");
	}
}

/* A driver built into the kernel need not have an entry in /sys/module. */
static bool driver_is_builtin(const char *name)
{
	char line[512], want[64];
	bool found_it = false;
	FILE *f;

	f = fopen(root_path("/lib/modules/%s/modules.builtin", kernel_release()),
		  "r");
	if (!f)
		return false;
	snprintf(want, sizeof(want), "/%s.ko\n", name);
	while (!found_it && fgets(line, sizeof(line), f))
		found_it = strlen(line) >= strlen(want) &&
			   !strcmp(line + strlen(line) - strlen(want), want);
	fclose(f);
	return found_it;
}

static void check_drivers(struct finding *f)
{
	static const char *const drivers[] = {
		"mlx5_core", "mlx5_ib", "ib_uverbs",
	};
	char names[1][64];
	size_t i;

	f->id = "drivers";
	/* There are RDMA devices of theirs: no need to look for the drivers. */
	if (mlx5_devices(names, 1)) {
		found(f, CHECK_OK, "mlx5_core, mlx5_ib and ib_uverbs are there");
		return;
	}
	for (i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (exists("/sys/module/%s", drivers[i]) ||
		    driver_is_builtin(drivers[i]))
			continue;
		found(f, CHECK_BAD, "%s is not loaded", drivers[i]);
		todo(f, "modprobe %s", drivers[i]);
		return;
	}
	found(f, CHECK_OK, "mlx5_core, mlx5_ib and ib_uverbs are there");
}

/* A vendor's stack needs a module built with its headers. */
static void check_vendor(struct finding *f)
{
	f->id = "vendor";
	if (exists("/sys/module/mlx_compat")) {
		found(f, CHECK_NOTE, "a vendor's RDMA drivers are loaded (mlx_compat)");
		todo(f, "mlx5_devx must be built with that vendor's headers: Documentation/install.md, \"Which headers\"");
	} else if (exists("/usr/src/ofa_kernel")) {
		found(f, CHECK_NOTE, "a vendor's RDMA headers are installed, but the kernel's own drivers are loaded");
		todo(f, "if the build of mlx5_devx stops for that: Documentation/install.md, \"Which headers\"");
	} else {
		found(f, CHECK_OK, "the kernel's own RDMA drivers");
	}
}

static char module_path[1024];

static int is_module(const char *path, const struct stat *st, int type,
		     struct FTW *ftw)
{
	(void)st;
	if (type != FTW_F || strncmp(path + ftw->base, "mlx5_devx.ko", 12))
		return 0;
	snprintf(module_path, sizeof(module_path), "%s", path);
	return 1;
}

/* The value of "key=" in the module; of compressed ones modinfo knows it. */
static bool module_value(const char *key, char *buf, size_t size)
{
	char want[32], command[1200], *at = NULL;
	struct stat st;
	void *map;
	FILE *f;
	int fd;

	*buf = '\0';
	if (strcmp(module_path + strlen(module_path) - 3, ".ko")) {
		snprintf(command, sizeof(command),
			 "modinfo -F %s '%s' 2>/dev/null", key, module_path);
		f = popen(command, "r");
		if (f && fgets(buf, size, f))
			buf[strcspn(buf, "\n")] = '\0';
		return f && !pclose(f) && *buf;
	}
	fd = open(module_path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || !st.st_size)
		return false;
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	snprintf(want, sizeof(want), "%s=", key);
	at = memmem(map, st.st_size, want, strlen(want));
	if (at) {
		at += strlen(want);
		snprintf(buf, size, "%.*s",
			 (int)((char *)map + st.st_size - at), at);
	}
	munmap(map, st.st_size);
	return *buf;
}

static void check_module_file(struct finding *f)
{
	const char *release = kernel_release();
	char magic[256];

	f->id = "module-file";
	*module_path = '\0';
	nftw(root_path("/lib/modules/%s", release), is_module, 16, FTW_PHYS);
	if (!*module_path && !exists("/lib/modules/%s/build", release)) {
		found(f, CHECK_BAD, "mlx5_devx is not built for kernel %s, whose headers are not installed",
		      release);
		todo(f, "apt-get install linux-headers-%s && dkms autoinstall -k %s",
		     release, release);
	} else if (!*module_path) {
		found(f, CHECK_BAD, "mlx5_devx is not built for kernel %s",
		      release);
		todo(f, "dkms autoinstall -k %s (it prints where its log is when it fails); without DKMS: make modules install && depmod",
		     release);
	} else if (module_value("vermagic", magic, sizeof(magic)) &&
		   (strncmp(magic, release, strlen(release)) ||
		    magic[strlen(release)] != ' ')) {
		found(f, CHECK_BAD, "%s is built for kernel %s", module_path,
		      strtok(magic, " "));
		todo(f, "dkms install --force mlx5-devx -k %s; without DKMS: make modules install && depmod",
		     release);
	} else {
		found(f, CHECK_OK, "%s is built for this kernel", module_path);
	}
}

static bool signatures_wanted(const char **why)
{
	char line[128];

	if (read_line(line, sizeof(line),
		      "/sys/module/module/parameters/sig_enforce") &&
	    *line == 'Y') {
		*why = "module signatures are enforced (Secure Boot)";
		return true;
	}
	if (read_line(line, sizeof(line), LOCKDOWN) &&
	    (strstr(line, "[integrity]") || strstr(line, "[confidentiality]"))) {
		*why = "the kernel is locked down (Secure Boot)";
		return true;
	}
	return false;
}

static bool is_signed(void)
{
	static const char end[] = "~Module signature appended~\n";
	char buf[sizeof(end)] = "", signer[128];
	bool ok = false;
	FILE *f;

	if (strcmp(module_path + strlen(module_path) - 3, ".ko"))
		return module_value("signer", signer, sizeof(signer));
	f = fopen(module_path, "r");
	if (!f)
		return false;
	if (!fseek(f, -(long)(sizeof(end) - 1), SEEK_END))
		ok = fread(buf, 1, sizeof(end) - 1, f) == sizeof(end) - 1 &&
		     !strcmp(buf, end);
	fclose(f);
	return ok;
}

static void check_signature(struct finding *f)
{
	const char *why = NULL;

	f->id = "signature";
	if (!signatures_wanted(&why) && exists(LOCKDOWN)) {
		found(f, CHECK_OK, "this kernel loads unsigned modules");
	} else if (!why) {
		/* No securityfs, as in a container, or no such LSM. */
		found(f, CHECK_OK, "this kernel loads unsigned modules, if it is not locked down (there is no %s)",
		      LOCKDOWN);
	} else if (exists("/sys/module/mlx5_devx")) {
		found(f, CHECK_OK, "%s, and mlx5_devx was let in", why);
	} else if (!*module_path) {
		found(f, CHECK_NOTE, "%s: mlx5_devx will have to be signed", why);
		todo(f, "Documentation/install.md, \"Secure Boot\"");
	} else if (!is_signed()) {
		found(f, CHECK_BAD, "%s, and mlx5_devx is not signed", why);
		todo(f, "install openssl and kmod so that DKMS signs, then dkms install --force mlx5-devx; Documentation/install.md, \"Secure Boot\"");
	} else {
		found(f, CHECK_NOTE, "%s; mlx5_devx is signed", why);
		todo(f, "if modprobe says \"Key was rejected by service\": mokutil --import /var/lib/dkms/mok.pub, reboot, choose \"Enroll MOK\"");
	}
}

static void check_loaded(struct finding *f)
{
	f->id = "loaded";
	if (exists("/sys/module/mlx5_devx")) {
		found(f, CHECK_OK, "mlx5_devx is loaded");
		return;
	}
	found(f, CHECK_BAD, "mlx5_devx is not loaded");
	todo(f, "modprobe mlx5_devx; at boot: echo mlx5_devx > /etc/modules-load.d/mlx5-devx.conf");
}

int check_all(struct finding *findings, int max)
{
	static void (*const checks[])(struct finding *f) = {
		check_kernel, check_hardware, check_drivers, check_vendor,
		check_module_file, check_signature, check_loaded, check_node,
	};
	char names[16][64];
	int i, n = 0, devices;
	bool loaded;

	memset(findings, 0, max * sizeof(*findings));
	for (i = 0; i < (int)(sizeof(checks) / sizeof(checks[0])); i++)
		checks[i](&findings[n++]);
	loaded = findings[n - 1].verdict != CHECK_BAD;

	/* Loaded by hand, from where no kernel looks: good enough. */
	if (findings[6].verdict == CHECK_OK &&
	    findings[4].verdict == CHECK_BAD) {
		findings[4].verdict = CHECK_NOTE;
		strcat(findings[4].text, ", but it is loaded");
	}
	devices = mlx5_devices(names, 16);
	if (!devices) {
		findings[n].id = "device";
		found(&findings[n], CHECK_BAD, "there is no mlx5 RDMA device");
		todo(&findings[n++], "dmesg | grep mlx5 says why; in another network namespace \"rdma system\" shows exclusive mode");
	}
	if (devices && n + 3 < max) {
		check_layout(&findings[n++]);
		check_memlock(&findings[n++]);
		check_users(&findings[n++]);
	}
	if (loaded)
		n += check_parts(&findings[n], max - n);
	for (i = 0; i < devices && loaded && n < max; i++)
		check_device(&findings[n++], names[i]);
	return n;
}
