/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Channels and subscriptions in tests, and events that the software ConnectX posts.
 */
#ifndef MDX_TEST_EVENTS_H
#define MDX_TEST_EVENTS_H

#include "mdx_utils.h"

#define EQE_LEN 64

/* A record of a channel, as the stock driver writes it. */
struct event_record {
	uint64_t cookie;
	uint8_t eqe[EQE_LEN];
};

/**
 * struct subscribe_call - arguments of MDX_IOC_SUBSCRIBE
 * @chan: descriptor of the channel
 * @obj: id; 0: none
 * @cookie: of the subscription
 * @eventfd: 0: none
 * @event: number, if @n is 0
 * @events: numbers
 * @n: how many
 */
struct subscribe_call {
	int chan;
	uint32_t obj;
	uint64_t cookie;
	int eventfd;
	uint16_t event;
	const uint16_t *events;
	uint32_t n;
};

int _test_mdx_channel(int fd, uint32_t flags, uint32_t depth, int *chan);
int _test_mdx_subscribe(int fd, const struct subscribe_call *call);

#define test_mdx_channel(fd, flags, depth, chan) \
	ASSERT_EQ(0, _test_mdx_channel(fd, flags, depth, chan))
#define test_mdx_subscribe(fd, ...) \
	ASSERT_EQ(0, _test_mdx_subscribe(fd, &(struct subscribe_call){ __VA_ARGS__ }))
#define test_err_subscribe(err, fd, ...) \
	EXPECT_EQ(err, _test_mdx_subscribe(fd, &(struct subscribe_call){ __VA_ARGS__ }))

/* The events of poll(); 0 after five seconds without any. */
int chan_poll(int chan);
/* The events that there are now. */
int chan_poll_now(int chan);
/* As read() of a record, which is waited for: its length, or a negative errno. */
int chan_read(int chan, void *buf, size_t size);
/* With O_NONBLOCK, without waiting. */
int chan_read_now(int chan, void *buf, size_t size);

/**
 * struct event_form - an event about an object
 * @name: in messages
 * @type: number
 * @num: offset of the object's number in the entry, 4 bytes
 * @type_at: offset in the entry of the two bytes @type_is; 0: there is none
 * @type_is: see @type_at
 */
struct event_form {
	uint8_t type;
	uint8_t num;
	uint8_t type_at;
	uint16_t type_is;
};

/* False if the device does not post it. */
bool event_post(struct hca_ctl *hca, const struct event_form *form, uint32_t num);

#endif /* MDX_TEST_EVENTS_H */
