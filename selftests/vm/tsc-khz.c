// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Prints how many thousand times a second this machine's time stamp counter
 * counts. A guest without KVM has the same counter, and measures it badly while
 * the machine is busy.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define TRIES 20
#define PAUSE_US 50000

struct moment {
	uint64_t tsc;
	uint64_t ns;
	uint64_t width;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Both clocks at once: of some tries the one that nothing came between. */
static struct moment both_clocks(void)
{
	struct moment best = { .width = UINT64_MAX };
	int i;

	for (i = 0; i < TRIES; i++) {
		struct moment m;
		uint64_t before = __rdtsc();

		m.ns = now_ns();
		m.tsc = __rdtsc();
		m.width = m.tsc - before;
		if (m.width < best.width)
			best = m;
	}
	return best;
}

int main(void)
{
	struct moment from, to;

	from = both_clocks();
	usleep(PAUSE_US);
	to = both_clocks();
	printf("%llu\n", (unsigned long long)
	       ((to.tsc - from.tsc) * 1000000 / (to.ns - from.ns)));
	return 0;
}
