// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * libFuzzer on kmod/evtab.c: entries that a device could post. The entry is as long
 * as the hardware's and no longer, so that ASan sees a read behind it.
 *
 * The rule that is checked: an event of an object has the key that a subscription to
 * that event of that object has, and no other subscription has it.
 *
 * An input is a struct evtab_input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kmod/evtab.c"

#include "../kunit/mbox_bits.h"
#include "must_be.h"

struct evtab_input {
	__be64 affiliated[4];
	__be64 unaffiliated[4];
	u8 listed;
	u8 event;
	u8 id[4];
	u8 obj_type[2];
	u8 queue_type;
	u8 eqe[MDX_EQE_LEN];
};

static bool is_same(struct mdx_event_key a, struct mdx_event_key b)
{
	return a.type == b.type && a.id == b.id;
}

/* The number and the type as the entry's layout has them. */
static void entry_fill(u8 *eqe, u8 form, const struct mdx_event_obj *obj)
{
	switch (form) {
	case EQE_QUEUE:
		bits_put(eqe, 52 * 8, 8, obj->queue_type);
		bits_put(eqe, 56 * 8 + 8, 24, obj->id);
		return;
	case EQE_DCT:
		bits_put(eqe, 56 * 8 + 8, 24, obj->id);
		return;
	case EQE_CQ:
		bits_put(eqe, 32 * 8 + 8, 24, obj->id);
		return;
	case EQE_XRQ:
		bits_put(eqe, 52 * 8 + 8, 24, obj->id);
		return;
	default:
		bits_put(eqe, 34 * 8, 16, obj->obj_type);
		bits_put(eqe, 36 * 8, 32, obj->id);
	}
}

/* An object that the entries of @form can name. */
static struct mdx_event_obj obj_of(const struct evtab_input *f, u8 form)
{
	struct mdx_event_obj obj = {
		.id = bits_at(f->id, 0, 32),
		.obj_type = bits_at(f->obj_type, 0, 16),
		.queue_type = f->queue_type,
	};

	if (form == EQE_DCT)
		obj.queue_type = MDX_QUEUE_TYPE_DCT;
	else if (form != EQE_QUEUE)
		obj.queue_type = 0;
	if (form != EQE_OBJECT)
		obj.id &= 0xffffff;
	else if (row_of(f->event).legacy)
		obj.obj_type = 0;
	return obj;
}

static void check_obj(const struct evtab_input *f,
		      const struct mdx_event_caps *caps, u8 *eqe)
{
	u8 form = row_of(f->event).form;
	struct mdx_event_obj obj = obj_of(f, form), other = obj;
	struct mdx_event_key key = mdx_event_key_of_obj(f->event, &obj);

	entry_fill(eqe, form, &obj);
	MUST_BE(is_same(key, mdx_event_key_of_eqe(caps, f->event, eqe)));

	other.id ^= 1;
	MUST_BE(!is_same(key, mdx_event_key_of_obj(f->event, &other)));
	MUST_BE(!is_same(key, mdx_event_key_of_obj(f->event, NULL)));
	MUST_BE(!is_same(key, mdx_event_key_of_obj(f->event ^ 1, &obj)) ||
		row_of(f->event).legacy != row_of(f->event ^ 1).legacy);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct evtab_input f;
	struct mdx_event_caps caps;
	struct mdx_event_key key;
	u8 *eqe;

	if (size < sizeof(f))
		return 0;
	memcpy(&f, data, sizeof(f));
	caps = (struct mdx_event_caps){
		.listed = f.listed & 1,
		.affiliated = f.affiliated,
		.unaffiliated = f.unaffiliated,
	};
	eqe = malloc(sizeof(f.eqe));
	MUST_BE(eqe);
	memcpy(eqe, f.eqe, sizeof(f.eqe));

	MUST_BE(!mdx_event_is_offered(&caps, MDX_EVENT_MAX + 1 + f.event, true));
	MUST_BE(!mdx_event_is_offered(&caps, MDX_EVENT_MAX + 1 + f.event, false));
	key = mdx_event_key_of_eqe(&caps, f.event, eqe);
	if (mdx_event_is_offered(&caps, f.event, false))
		MUST_BE(is_same(key, mdx_event_key_of_obj(f.event, NULL)));
	else
		check_obj(&f, &caps, eqe);
	free(eqe);
	return 0;
}
