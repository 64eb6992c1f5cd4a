// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "loop.h"

uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

int loop_init(struct loop *loop)
{
	struct epoll_event ev = { .events = EPOLLIN };

	*loop = (struct loop){ .epoll_fd = -1, .timer_fd = -1 };
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	loop->timer_fd = timerfd_create(CLOCK_MONOTONIC,
					TFD_CLOEXEC | TFD_NONBLOCK);
	if (loop->epoll_fd < 0 || loop->timer_fd < 0 ||
	    epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, loop->timer_fd, &ev)) {
		loop_fini(loop);
		return -1;
	}
	return 0;
}

void loop_fini(struct loop *loop)
{
	if (loop->timer_fd >= 0)
		close(loop->timer_fd);
	if (loop->epoll_fd >= 0)
		close(loop->epoll_fd);
	loop->timer_fd = -1;
	loop->epoll_fd = -1;
}

static void timers_arm(struct loop *loop)
{
	struct itimerspec its = {};

	if (loop->timers) {
		uint64_t when = loop->timers->when;

		/* Zero would disarm the timer. */
		if (!when)
			when = 1;
		its.it_value.tv_sec = (time_t)(when / 1000000);
		its.it_value.tv_nsec = (long)(when % 1000000) * 1000;
	}
	timerfd_settime(loop->timer_fd, TFD_TIMER_ABSTIME, &its, NULL);
}

static void timers_run(struct loop *loop)
{
	uint64_t now = now_us();

	while (loop->timers && loop->timers->when <= now) {
		struct timer *t = loop->timers;

		loop->timers = t->next;
		t->on = false;
		t->fn(t->arg);
	}
	timers_arm(loop);
}

void timer_set(struct loop *loop, struct timer *t, uint64_t us)
{
	struct timer **p;

	timer_cancel(loop, t);
	t->when = now_us() + us;
	t->on = true;
	/* After timers of the same time: first set, first run. */
	for (p = &loop->timers; *p && (*p)->when <= t->when; p = &(*p)->next)
		;
	t->next = *p;
	*p = t;
	timers_arm(loop);
}

void timer_cancel(struct loop *loop, struct timer *t)
{
	struct timer **p;

	if (!t->on)
		return;
	for (p = &loop->timers; *p != t; p = &(*p)->next)
		;
	*p = t->next;
	t->on = false;
	timers_arm(loop);
}

void loop_step(struct loop *loop, int timeout_ms)
{
	struct epoll_event ev;
	struct watch *w;
	uint64_t n;

	/* One event at a time: its handler may free the watch of the next. */
	if (epoll_wait(loop->epoll_fd, &ev, 1, timeout_ms) != 1)
		return;
	w = ev.data.ptr;
	if (w) {
		w->fn(w->arg, ev.events);
		return;
	}
	if (read(loop->timer_fd, &n, sizeof(n)) < 0 && errno != EAGAIN)
		return;
	timers_run(loop);
}

void loop_run(struct loop *loop)
{
	while (!loop->quit)
		loop_step(loop, -1);
}

int watch_start(struct loop *loop, struct watch *w, uint32_t events)
{
	struct epoll_event ev = { .events = events, .data.ptr = w };

	return epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, w->fd, &ev);
}

void watch_events(struct loop *loop, struct watch *w, uint32_t events)
{
	struct epoll_event ev = { .events = events, .data.ptr = w };

	epoll_ctl(loop->epoll_fd, EPOLL_CTL_MOD, w->fd, &ev);
}

void watch_stop(struct loop *loop, struct watch *w)
{
	if (w->fd < 0)
		return;
	epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, w->fd, NULL);
	close(w->fd);
	w->fd = -1;
}
