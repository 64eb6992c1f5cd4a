/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Events of a device: which of them users may hear, and what each is about.
 */
#ifndef MDX_EVTAB_H
#define MDX_EVTAB_H

#include <linux/types.h>
#include <asm/byteorder.h>

/* Numbers that the module treats on their own; enum mlx5_event has all. */
#define MDX_EVENT_COMP 0x00
#define MDX_EVENT_CMD 0x0a
#define MDX_EVENT_PAGE_REQUEST 0x0b

/* The highest number of an event. */
#define MDX_EVENT_MAX 255

/* An event queue entry, in bytes. */
#define MDX_EQE_LEN 64

/**
 * struct mdx_event_caps - Events that a device offers to users
 * @listed: the device has the lists; else it offers what devices before the lists did
 * @affiliated: four words with a bit for each event about an object
 * @unaffiliated: the same of events about no object
 */
struct mdx_event_caps {
	bool listed;
	const __be64 *affiliated;
	const __be64 *unaffiliated;
};

/**
 * struct mdx_event_key - What an event tells, and of what
 * @type: number of the event, and type of the object
 * @id: number of the object; 0 without one
 */
struct mdx_event_key {
	u32 type;
	u32 id;
};

/**
 * struct mdx_event_obj - An object as events name it
 * @id: its number
 * @obj_type: its type, in events that came with the general objects
 * @queue_type: its type as a queue, in older events
 */
struct mdx_event_obj {
	u32 id;
	u16 obj_type;
	u8 queue_type;
};

/* Number of the event that a key is about. */
static inline u8 mdx_event_of_key(struct mdx_event_key key)
{
	return key.type;
}

bool mdx_event_is_offered(const struct mdx_event_caps *caps, u16 event,
			  bool about_obj);
struct mdx_event_key mdx_event_key_of_obj(u16 event,
					  const struct mdx_event_obj *obj);
struct mdx_event_key mdx_event_key_of_eqe(const struct mdx_event_caps *caps,
					  u8 event, const void *eqe);

#endif /* MDX_EVTAB_H */
