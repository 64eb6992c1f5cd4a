/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A device with a stub firmware and a megabyte of guest memory. */
#ifndef HCA_TEST_ENV_H
#define HCA_TEST_ENV_H

#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "stub_fw.h"
#include "tap.h"
#include "../hca.h"
#include "../log.h"

enum {
	GUEST = 0x100000, /* start of guest memory */
	GUEST_SIZE = 1 << 20,
	QUEUE = GUEST, /* the command queue */
	EQ_PAGE = GUEST + 0x1000,
	MAILBOXES = GUEST + 0x10000,
};

struct env {
	struct loop loop;
	struct hca hca;
	uint8_t *ram;
};

static inline uint8_t *guest_at(struct env *e, uint64_t gpa)
{
	return e->ram + (gpa - GUEST);
}

static inline void env_init(struct env *e)
{
	struct hca_conf conf = { .device_id = 0x1019 };
	uint8_t command = 6;	/* memory space, bus master */

	/* Most tests provoke refusals, which are logged. */
	log_open("/dev/null");
	memset(&stub, 0, sizeof(stub));
	CHECK(!loop_init(&e->loop));
	CHECK(!hca_init(&e->hca, &e->loop, &conf));
	pci_write(&e->hca, 4, &command, 1);
	e->ram = calloc(1, GUEST_SIZE);
	CHECK(!mem_add(&e->hca.mem, GUEST, GUEST_SIZE, e->ram));
}

static inline void env_fini(struct env *e)
{
	hca_fini(&e->hca);
	loop_fini(&e->loop);
	free(e->ram);
}

static inline void bar_put32(struct env *e, uint64_t off, uint32_t val)
{
	uint8_t buf[4];

	put_be32(buf, val);
	bar_write(&e->hca, off, buf, sizeof(buf));
}

static inline uint32_t bar_get32(struct env *e, uint64_t off)
{
	uint8_t buf[4];

	bar_read(&e->hca, off, buf, sizeof(buf));
	return get_be32(buf);
}

/* Run the loop for at most @ms, or until *@what is @want. */
static inline void wait_for(struct env *e, const uint8_t *what, uint8_t want,
			    unsigned int ms)
{
	uint64_t end = now_us() + ms * 1000ULL;

	while (*what != want && now_us() < end)
		loop_step(&e->loop, 1);
}

/* Number of writes to the eventfd since the last call. */
static inline uint64_t times_fired(int fd)
{
	uint64_t n = 0;

	return read(fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

/* EQ 1: 4 entries at EQ_PAGE, UAR page 16, vector 0, every event. */
static inline void eq_attr(struct fw_eq_attr *attr, const uint64_t *pas)
{
	*attr = (struct fw_eq_attr){
		.eqn = 1,
		.log_size = 2,
		.uar = 16,
		.log_page_size = 12,
		.mask = { ~0ULL, ~0ULL, ~0ULL, ~0ULL },
		.pas = pas,
		.npas = 1,
	};
}

#endif /* HCA_TEST_ENV_H */
