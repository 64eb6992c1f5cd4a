// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Numbers of objects when they were recorded, and now. */
#include <stdlib.h>
#include <string.h>

#include "replay.h"

struct replay_map {
	size_t n;
	size_t room;
	struct map_entry {
		const char *type;
		uint32_t obj_type;
		uint32_t was;
		uint32_t now;
		void *handle;
	} *entries;
};

/* Fields of contexts and commands that refer to an object of a type. */
static const struct {
	const char *field;
	const char *type;
} references[] = {
	{ "pd", "PD" },
	{ "pdn", "PD" },
	{ "uar_page", "UAR" },
	{ "cqn", "CQ" },
	{ "cqn_snd", "CQ" },
	{ "cqn_rcv", "CQ" },
	{ "completion_cqn", "CQ" },
	{ "xrcd", "XRCD" },
	{ "transport_domain", "TD" },
	{ "tis_num_0", "TIS" },
	{ "inline_rqn", "RQ" },
	{ "indirect_table", "RQT" },
	{ "rmpn", "RMP" },
	{ "rq_num", "RQ" },
	{ "hairpin_peer_rq", "RQ" },
	{ "hairpin_peer_sq", "SQ" },
	{ "counter_set_id", "Q_COUNTER" },
	{ "dbr_umem_id", "UMEM" },
	{ "wq_umem_id", "UMEM" },
	{ "cq_umem_id", "UMEM" },
	{ "mkey_umem_id", "UMEM" },
	{ "table_id", "FLOW_TABLE" },
	{ "group_id", "FLOW_GROUP" },
	{ "flow_counter_id", "FLOW_COUNTER" },
	{ "modify_header_id", "MODIFY_HEADER" },
	{ "packet_reformat_id", "PACKET_REFORMAT" },
};

struct replay_map *replay_map_new(void)
{
	return calloc(1, sizeof(struct replay_map));
}

void replay_map_free(struct replay_map *map)
{
	free(map->entries);
	free(map);
}

bool replay_map_add(struct replay_map *map, const char *type, uint32_t obj_type,
		    uint32_t was, uint32_t now, void *handle)
{
	struct map_entry *entries = map->entries;

	if (map->n == map->room) {
		map->room = 2 * map->room + 64;
		entries = realloc(entries, map->room * sizeof(*entries));
		if (!entries)
			return false;
		map->entries = entries;
	}
	entries[map->n++] = (struct map_entry){ type, obj_type, was, now, handle };
	return true;
}

/* The newest first: a number is used again when its object is gone. */
void *replay_map_find(struct replay_map *map, const char *type, uint32_t obj_type,
		      uint32_t was, uint32_t *now)
{
	size_t i;

	for (i = map->n; i-- > 0;) {
		struct map_entry *entry = &map->entries[i];

		if (entry->was != was || entry->obj_type != obj_type ||
		    strcmp(entry->type, type))
			continue;
		if (now)
			*now = entry->now;
		return entry->handle;
	}
	return NULL;
}

void replay_map_del(struct replay_map *map, void *handle)
{
	size_t i;

	for (i = map->n; i-- > 0;) {
		if (map->entries[i].handle != handle)
			continue;
		memmove(&map->entries[i], &map->entries[i + 1],
			(map->n - i - 1) * sizeof(*map->entries));
		map->n--;
		return;
	}
}

void *replay_map_last(struct replay_map *map, const char **type)
{
	if (!map->n)
		return NULL;
	*type = map->entries[map->n - 1].type;
	return map->entries[map->n - 1].handle;
}

static void patch_field(struct replay_map *map, uint8_t *mbox, size_t len, size_t bit,
			const struct mbox_field *field)
{
	size_t i;

	for (i = 0; i < sizeof(references) / sizeof(references[0]); i++) {
		uint32_t was, now;

		if (strcmp(references[i].field, field->name))
			continue;
		was = bits_get(mbox, len, bit, field->bits);
		if (replay_map_find(map, references[i].type, 0, was, &now))
			bits_set(mbox, len, bit, field->bits, now);
		return;
	}
}

static void patch_fields(struct replay_map *map, uint8_t *mbox, size_t len, size_t base,
			 const struct mbox_field *fields)
{
	for (; fields->name; fields++) {
		size_t bit = base + fields->bit;
		uint32_t i;

		for (i = 0; (!fields->count || i < fields->count) &&
			    bit + fields->bits <= 8 * len; i++, bit += fields->bits) {
			if (fields->fields)
				patch_fields(map, mbox, len, bit, fields->fields);
			else if (fields->bits <= 32)
				patch_field(map, mbox, len, bit, fields);
		}
	}
}

void replay_map_patch(struct replay_map *map, uint8_t *mbox, size_t len,
		      const struct mbox_field *fields)
{
	if (fields)
		patch_fields(map, mbox, len, 0, fields);
}
