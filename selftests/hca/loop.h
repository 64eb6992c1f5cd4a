/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The event loop: one thread, file descriptors and timers. */
#ifndef HCA_LOOP_H
#define HCA_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct watch - a watched file descriptor; embed it, the loop keeps a pointer
 * @fd: descriptor, -1 while not watched
 * @fn: called with the EPOLL bits that came; may free the watch after
 *	watch_stop()
 * @arg: handed to @fn
 */
struct watch {
	int fd;
	void (*fn)(void *arg, uint32_t events);
	void *arg;
};

/**
 * struct timer - a one-shot timer; embed it, zeroed
 * @next: later one, valid while @on
 * @when: in microseconds of now_us()
 * @fn: called once; may set the timer again, or free it
 * @arg: handed to @fn
 * @on: waits to expire
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
/* Wait for at most @timeout_ms (-1: no limit) and handle what comes first. */
void loop_step(struct loop *loop, int timeout_ms);
void loop_run(struct loop *loop);

int watch_start(struct loop *loop, struct watch *w, uint32_t events);
void watch_events(struct loop *loop, struct watch *w, uint32_t events);
void watch_stop(struct loop *loop, struct watch *w);

void timer_set(struct loop *loop, struct timer *t, uint64_t us);
void timer_cancel(struct loop *loop, struct timer *t);

#endif /* HCA_LOOP_H */
