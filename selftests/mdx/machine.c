// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdio.h>
#include <unistd.h>

#include "machine.h"

long machine_available_kb(void)
{
	char line[128];
	long kb = -1;
	FILE *f = fopen("/proc/meminfo", "r");

	while (f && kb < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "MemAvailable: %ld", &kb);
	if (f)
		fclose(f);
	return kb;
}

bool machine_has_device(const char *addr)
{
	char path[200];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", addr);
	return !access(path, F_OK);
}

void machine_plug_again(struct hca_ctl *hca, const char *addr)
{
	int i;

	for (i = 0; i < 200 && machine_has_device(addr); i++)
		usleep(100000);
	for (i = 0; i < 60 && hca_cmd(hca, "plug"); i++)
		usleep(500000);
	for (i = 0; i < 300 && !machine_has_device(addr); i++)
		usleep(100000);
}

unsigned int random_below(uint64_t *state, unsigned int n)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*state >> 33) % n;
}
