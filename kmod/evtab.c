// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Events of a device: which of them users may hear, and what each is about.
 *
 * PURE: includes types and the layout header only, no mlx5 or rdma function.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/types.h>

#include "evtab.h"
#include "mbox.h"

/* Part of mdx_event_key::type: the event is about no object. */
#define KEY_UNAFFILIATED 0x8000u

/**
 * enum eqe_form - Layout of an event queue entry
 * @EQE_OBJECT: type and number of an object, as in all newer events
 * @EQE_QUEUE: type and number of a queue
 * @EQE_CQ: number of a CQ
 * @EQE_XRQ: number of an XRQ
 * @EQE_DCT: number of a DCT
 */
enum eqe_form {
	EQE_OBJECT,
	EQE_QUEUE,
	EQE_CQ,
	EQE_XRQ,
	EQE_DCT,
};

/**
 * struct event_row - An event
 * @form: enum eqe_form
 * @legacy: an event about a queue from before the lists
 * @legacy_unaffiliated: an event about no object from before the lists
 */
struct event_row {
	u8 form;
	bool legacy;
	bool legacy_unaffiliated;
};

#define LEGACY(_form) { .form = _form, .legacy = true }

/* Events behind the last row have the layout of newer ones. */
static const struct event_row event_rows[] = {
	[MDX_EVENT_COMP] = LEGACY(EQE_OBJECT),
	[0x01] = LEGACY(EQE_QUEUE), /* path migrated */
	[0x02] = LEGACY(EQE_QUEUE), /* communication established */
	[0x03] = LEGACY(EQE_QUEUE), /* send queue drained */
	[0x04] = LEGACY(EQE_CQ), /* CQ error */
	[0x05] = LEGACY(EQE_QUEUE), /* work queue error */
	[0x07] = LEGACY(EQE_QUEUE), /* path migration failed */
	[0x09] = { .legacy_unaffiliated = true }, /* port change */
	[0x10] = LEGACY(EQE_QUEUE), /* invalid request */
	[0x11] = LEGACY(EQE_QUEUE), /* access violation */
	[0x12] = LEGACY(EQE_QUEUE), /* SRQ error */
	[0x13] = LEGACY(EQE_QUEUE), /* last WQE of an SRQ */
	[0x14] = LEGACY(EQE_QUEUE), /* limit of an SRQ */
	[0x18] = LEGACY(EQE_XRQ), /* XRQ error */
	[0x1c] = LEGACY(EQE_DCT), /* DCT drained */
	[0x1d] = LEGACY(EQE_DCT), /* DCT key violation */
};

/* Fields of an entry. */
#define EQE_OBJ_TYPE ((struct mdx_field){ 34 * 8, 16 })
#define EQE_OBJ_ID ((struct mdx_field){ 36 * 8, 32 })
#define EQE_QUEUE_TYPE ((struct mdx_field){ 52 * 8, 8 })
#define EQE_QUEUE_N ((struct mdx_field){ 57 * 8, 24 })
#define EQE_CQN ((struct mdx_field){ 33 * 8, 24 })
#define EQE_XRQN ((struct mdx_field){ 53 * 8, 24 })
#define EQE_DCTN ((struct mdx_field){ 57 * 8, 24 })

static struct event_row row_of(u16 event)
{
	if (event < ARRAY_SIZE(event_rows))
		return event_rows[event];
	return (struct event_row){};
}

static bool is_in_list(const __be64 *list, u16 event)
{
	return be64_to_cpu(list[event / 64]) & BIT_ULL(event % 64);
}

/**
 * mdx_event_is_offered - Test whether users may hear an event
 * @caps: of the device
 * @event: its number
 * @about_obj: it shall be about an object
 *
 * Return: true if they may
 */
bool mdx_event_is_offered(const struct mdx_event_caps *caps, u16 event,
			  bool about_obj)
{
	if (event > MDX_EVENT_MAX)
		return false;
	if (!caps->listed)
		return about_obj ? row_of(event).legacy :
				   row_of(event).legacy_unaffiliated;
	if (!about_obj)
		return is_in_list(caps->unaffiliated, event);
	return event == MDX_EVENT_COMP || is_in_list(caps->affiliated, event);
}

static bool is_unaffiliated(const struct mdx_event_caps *caps, u16 event)
{
	return mdx_event_is_offered(caps, event, false);
}

/**
 * mdx_event_key_of_obj - The key of a subscription
 * @event: number of the event
 * @obj: the object; NULL: the event is about none
 *
 * Return: the key that the event of that object has
 */
struct mdx_event_key mdx_event_key_of_obj(u16 event,
					  const struct mdx_event_obj *obj)
{
	u16 type;

	if (!obj)
		return (struct mdx_event_key){ event | KEY_UNAFFILIATED, 0 };
	type = row_of(event).legacy ? obj->queue_type : obj->obj_type;
	return (struct mdx_event_key){ event | (u32)type << 16, obj->id };
}

/* The object that an entry names. */
static struct mdx_event_obj eqe_obj(u8 form, const void *eqe)
{
	switch (form) {
	case EQE_QUEUE:
		return (struct mdx_event_obj){
			.id = mdx_mbox_get(eqe, EQE_QUEUE_N),
			.queue_type = mdx_mbox_get(eqe, EQE_QUEUE_TYPE),
		};
	case EQE_CQ:
		return (struct mdx_event_obj){
			.id = mdx_mbox_get(eqe, EQE_CQN),
		};
	case EQE_XRQ:
		return (struct mdx_event_obj){
			.id = mdx_mbox_get(eqe, EQE_XRQN),
		};
	case EQE_DCT:
		return (struct mdx_event_obj){
			.id = mdx_mbox_get(eqe, EQE_DCTN),
			.queue_type = MDX_QUEUE_TYPE_DCT,
		};
	default:
		return (struct mdx_event_obj){
			.id = mdx_mbox_get(eqe, EQE_OBJ_ID),
			.obj_type = mdx_mbox_get(eqe, EQE_OBJ_TYPE),
		};
	}
}

/**
 * mdx_event_key_of_eqe - The key of an event
 * @caps: of the device
 * @event: number of the event
 * @eqe: its entry, MDX_EQE_LEN bytes
 *
 * Return: the key of the subscriptions that hear it
 */
struct mdx_event_key mdx_event_key_of_eqe(const struct mdx_event_caps *caps,
					  u8 event, const void *eqe)
{
	struct mdx_event_obj obj;

	if (is_unaffiliated(caps, event))
		return mdx_event_key_of_obj(event, NULL);
	obj = eqe_obj(row_of(event).form, eqe);
	return mdx_event_key_of_obj(event, &obj);
}
