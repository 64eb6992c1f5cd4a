/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Executing a file of recorded commands. */
#ifndef MDX_REPLAY_H
#define MDX_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command_layouts.h"
#include "record.h"

/* Opcode, uid, object; of an answer, status, syndrome and a number. */
#define HEADER_LEN 16

static inline uint16_t record_opcode(const struct record *record)
{
	return bits_get(record->event.in, EVENT_IN, 0, 16);
}

/* replay.c: the fields that are not 0, each with its path behind @before. */
void show_fields(const char *before, const uint8_t *mbox, size_t len, size_t base,
		 const struct named_field *fields);

/* replay_device.c */
struct replay;

/* A DEVX context of --device or of the first device; NULL after a message. */
struct replay *replay_start(void);
/* Executes it, and prints a line where the answer differs from the recorded one. */
void replay_record(struct replay *replay, const struct record *record);
/* Destroys all objects, prints the counts, returns the exit status. */
int replay_end(struct replay *replay);

/*
 * replay_map.c: numbers that were recorded, and what they are now. An object type
 * is the name that opcodes.def has for it; of general objects, with its number.
 */
struct replay_map;

struct replay_map *replay_map_new(void);
void replay_map_free(struct replay_map *map);
/* @handle is kept for the caller. False if there is no memory. */
bool replay_map_add(struct replay_map *map, const char *type, uint32_t obj_type,
		    uint32_t was, uint32_t now, void *handle);
/* The handle, and @now if not NULL; NULL if it is not known. */
void *replay_map_find(struct replay_map *map, const char *type, uint32_t obj_type,
		      uint32_t was, uint32_t *now);
void replay_map_del(struct replay_map *map, void *handle);
/* The handle that was added last, with its type, or NULL. */
void *replay_map_last(struct replay_map *map, const char **type);
/* Puts new numbers where @mbox refers to objects, by the names of its fields. */
void replay_map_patch(struct replay_map *map, uint8_t *mbox, size_t len,
		      const struct named_field *fields);

#endif /* MDX_REPLAY_H */
