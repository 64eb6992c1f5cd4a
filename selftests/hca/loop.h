/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The event loop: one thread, file descriptors and timers. */
#ifndef HCA_LOOP_H
#define HCA_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct watch - a watched file descriptor, embedded; the loop keeps a pointer
 * @fd: descriptor, -1 while not watched
 * @fn: called with the EPOLL bits; may free the watch after watch_stop()
 * @arg: argument of @fn
 */
struct watch {
	int fd;
	void (*fn)(void *arg, uint32_t events);
	void *arg;
};

/**
 * struct timer - a one-shot timer, embedded and zeroed
 * @next: next timer to expire, valid while @on
 * @when: expiry in microseconds of now_us()
 * @fn: called once; may set the timer again, or free it
 * @arg: argument of @fn
 * @on: the timer is pending
 */
struct timer {
	struct timer *next;
	uint64_t when;
	void (*fn)(void *arg);
	void *arg;
	bool on;
};

struct loop {
	int epoll_fd;
	int timer_fd;
	struct timer *timers;
	bool quit;
};

uint64_t now_us(void);

int loop_init(struct loop *loop);
void loop_fini(struct loop *loop);
/* Wait for at most @timeout_ms (-1: no limit) and handle the first event. */
void loop_step(struct loop *loop, int timeout_ms);
void loop_run(struct loop *loop);

int watch_start(struct loop *loop, struct watch *w, uint32_t events);
void watch_events(struct loop *loop, struct watch *w, uint32_t events);
void watch_stop(struct loop *loop, struct watch *w);

void timer_set(struct loop *loop, struct timer *t, uint64_t us);
void timer_cancel(struct loop *loop, struct timer *t);

#endif /* HCA_LOOP_H */
