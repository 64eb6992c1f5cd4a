// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * mdx replay --execute: recorded commands sent to a device, by libmlx5's DEVX
 * functions and so by the stock driver, or by mlx5_devx below mdx run.
 *
 * Objects get new numbers; where a mailbox refers to one that was created here, it
 * is changed. Memory is replaced by memory of this process of the same length.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include "opcodes/opcodes.h"
#include "replay.h"
#include "tool.h"
#include "trace_parts.h"

/* No answer that is compared is longer. */
#define OUT_LEN EVENT_OUTPUT_MAX

struct replay {
	struct ibv_context *ctx;
	struct replay_map *map;
	unsigned long read;
	unsigned long executed;
	unsigned long differ;
	unsigned long skipped;
	uint8_t in[EVENT_INPUT_MAX];
	uint8_t out[OUT_LEN];
	uint8_t was[OUT_LEN];	/* the recorded answer with the numbers of now */
};

struct replay_umem {
	struct mlx5dv_devx_umem *umem;
	void *memory;
	size_t len;
};

struct replay *replay_start(void)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay)
		return NULL;
	replay->map = replay_map_new();
	replay->ctx = replay->map ? devx_context_of_options() : NULL;
	if (replay->ctx)
		return replay;
	free(replay->map);
	free(replay);
	return NULL;
}

/* NULL, or the reason not to execute it. */
static const char *skip_reason(const struct record *record,
			       const struct command_layout *layout)
{
	const struct command_event *event = &record->event;
	const struct named_field *pas;

	if (!bits_get(event->in, EVENT_IN, 16, 16))
		return "of the kernel";
	if (!layout || layout->class == CLASS_OTHER)
		if (record_opcode(record) != MDX_OPCODE_CREATE_UMEM &&
		    record_opcode(record) != MDX_OPCODE_DESTROY_UMEM &&
		    record_opcode(record) != MDX_OPCODE_ALLOC_UAR &&
		    record_opcode(record) != MDX_OPCODE_DEALLOC_UAR)
			return "no command of DEVX";
	if (event->input_len < event->in_len)
		return "longer than what is recorded";
	pas = layout ? field_find(layout->in, "pas") : NULL;
	if (pas && 8 * event->in_len > pas->bit)
		return "has physical addresses in it";
	return NULL;
}

/* The result in short, for comparing and for printing. */
static void result_text(char *text, size_t size, int err, uint8_t status, uint32_t syndrome)
{
	if (status)
		snprintf(text, size, "%s (%#x), syndrome %#x", mdx_status_name(status),
			 status, syndrome);
	else if (err)
		snprintf(text, size, "%s", strerror(err));
	else
		snprintf(text, size, "OK");
}

/* Compared are answers that tell what the device has, and not numbers it chose. */
static bool answer_compared(const struct record *record, const struct command_layout *layout)
{
	return record->event.output_len > HEADER_LEN && layout &&
	       (layout->class == CLASS_QUERY || layout->class == CLASS_GENERAL);
}

/* True after a line, if the answer of a command that succeeded is another one now. */
static bool answer_differs(struct replay *replay, const struct record *record)
{
	const struct command_layout *layout = layout_of(record_opcode(record));
	size_t len = record->event.output_len, at, first = 0, count = 0;
	uint8_t *was = replay->was;

	if (!answer_compared(record, layout))
		return false;
	memcpy(was, record->output, len);
	if (layout->class == CLASS_QUERY)
		replay_map_patch(replay->map, was, len, layout->out);
	for (at = HEADER_LEN; at < len; at += 4) {
		if (bits_get(was, len, 8 * at, 32) == bits_get(replay->out, len, 8 * at, 32))
			continue;
		if (!count++)
			first = at;
	}
	if (!count)
		return false;
	/* The first bit that differs says which field of the dword it is. */
	at = 8 * first;
	while (bits_get(was, len, at, 1) == bits_get(replay->out, len, at, 1))
		at++;
	printf("%lu: %s (%#x): the answer differs in %zu dwords, the first at %#zx %s: recorded %#llx, now %#llx\n",
	       replay->read, mdx_opcode_name(record_opcode(record)), record_opcode(record),
	       count, first, field_at(layout->out, at),
	       (unsigned long long)bits_get(was, len, 8 * first, 32),
	       (unsigned long long)bits_get(replay->out, len, 8 * first, 32));
	return true;
}

/* Syndromes differ between firmwares, so statuses are compared. */
static void compare_result(struct replay *replay, const struct record *record, int err)
{
	const struct command_event *event = &record->event;
	const struct command_layout *layout = layout_of(record_opcode(record));
	/* Functions that destroy return an errno for the status. */
	bool errno_only = err && err != EREMOTEIO && layout && layout->class == CLASS_DESTROY;
	uint8_t now = err == EREMOTEIO ? replay->out[0] : 0;
	char was_text[96], now_text[96];

	replay->executed++;
	/* The result of an asynchronous one is in another record. */
	if (event->flags & EVENT_SUBMIT)
		return;
	if ((event->out[0] == now || errno_only) && !event->ret == !err) {
		if (!err && answer_differs(replay, record))
			replay->differ++;
		return;
	}
	replay->differ++;
	result_text(was_text, sizeof(was_text), -event->ret, event->out[0],
		    bits_get(event->out, EVENT_OUT, 32, 32));
	result_text(now_text, sizeof(now_text), err, now,
		    bits_get(replay->out, OUT_LEN, 32, 32));
	printf("%lu: %s (%#x): recorded %s, now %s\n", replay->read,
	       mdx_opcode_name(record_opcode(record)), record_opcode(record), was_text,
	       now_text);
}

static uint32_t general_type(const struct record *record, const struct command_layout *layout)
{
	return strcmp(layout->object, "GENERAL_OBJECT") ? 0 :
	       bits_get(record->event.in, EVENT_IN, 48, 16);
}

static int replay_create(struct replay *replay, const struct record *record,
			 const struct command_layout *layout)
{
	size_t out_len = record->event.out_len < OUT_LEN ? record->event.out_len : OUT_LEN;
	struct mlx5dv_devx_obj *obj;
	uint32_t was, now;

	obj = mlx5dv_devx_obj_create(replay->ctx, replay->in, record->event.in_len,
				     replay->out, out_len);
	if (!obj)
		return errno;
	if (!object_number(record->event.in, EVENT_IN, record->event.out, EVENT_OUT, &was) ||
	    !object_number(replay->in, record->event.in_len, replay->out, out_len, &now) ||
	    !replay_map_add(replay->map, layout->object, general_type(record, layout), was,
			    now, obj))
		mlx5dv_devx_obj_destroy(obj);
	return 0;
}

/* Modify, query and destroy: 0, an errno, or -1 for an object that is not here. */
static int replay_object(struct replay *replay, const struct record *record,
			 const struct command_layout *layout)
{
	const struct command_event *event = &record->event;
	const struct named_field *id = field_find(layout->in, layout->id);
	size_t out_len = event->out_len < OUT_LEN ? event->out_len : OUT_LEN;
	struct mlx5dv_devx_obj *obj;
	uint32_t was, now;
	int ret;

	if (!id)
		return -1;
	was = bits_get(record->input, event->input_len, id->bit, id->bits);
	obj = replay_map_find(replay->map, layout->object, general_type(record, layout), was,
			      &now);
	if (!obj)
		return -1;
	bits_set(replay->in, event->in_len, id->bit, id->bits, now);
	if (layout->class == CLASS_MODIFY)
		return mlx5dv_devx_obj_modify(obj, replay->in, event->in_len, replay->out,
					      out_len);
	if (layout->class == CLASS_QUERY)
		return mlx5dv_devx_obj_query(obj, replay->in, event->in_len, replay->out,
					     out_len);
	ret = mlx5dv_devx_obj_destroy(obj);
	if (!ret)
		replay_map_del(replay->map, obj);
	return ret;
}

/* create_umem_in: log_page_size, above 12, is at bit 283, num_of_mtt at 320. */
static int replay_umem(struct replay *replay, const struct record *record)
{
	size_t page = 4096ul << bits_get(record->input, record->event.input_len, 283, 5);
	size_t pages = bits_get(record->input, record->event.input_len, 320, 64);
	struct replay_umem *umem = calloc(1, sizeof(*umem));

	if (!umem || !pages || pages > (64ul << 20) / page)
		goto err_free;
	umem->len = page * pages;
	umem->memory = mmap(NULL, umem->len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (umem->memory == MAP_FAILED)
		goto err_free;
	umem->umem = mlx5dv_devx_umem_reg(replay->ctx, umem->memory, umem->len,
					  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
					  IBV_ACCESS_REMOTE_WRITE);
	if (umem->umem &&
	    replay_map_add(replay->map, "UMEM", 0,
			   bits_get(record->event.out, EVENT_OUT, 64, 32) & 0xffffff,
			   umem->umem->umem_id, umem))
		return 0;
	munmap(umem->memory, umem->len);
err_free:
	free(umem);
	return errno ?: EINVAL;
}

static void umem_free(struct replay_umem *umem)
{
	mlx5dv_devx_umem_dereg(umem->umem);
	munmap(umem->memory, umem->len);
	free(umem);
}

static int replay_uar(struct replay *replay, const struct record *record)
{
	struct mlx5dv_devx_uar *uar;

	uar = mlx5dv_devx_alloc_uar(replay->ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	if (!uar)
		return errno;
	if (!replay_map_add(replay->map, "UAR", 0,
			    bits_get(record->event.out, EVENT_OUT, 64, 32) & 0xffffff,
			    uar->page_id, uar))
		mlx5dv_devx_free_uar(uar);
	return 0;
}

/* UMEMs and UARs, by their own functions of libmlx5; -1: the object is not here. */
static int replay_memory(struct replay *replay, const struct record *record)
{
	uint32_t was = bits_get(record->event.in, EVENT_IN, 72, 24);
	void *handle;

	switch (record_opcode(record)) {
	case MDX_OPCODE_CREATE_UMEM:
		return replay_umem(replay, record);
	case MDX_OPCODE_ALLOC_UAR:
		return replay_uar(replay, record);
	case MDX_OPCODE_DESTROY_UMEM:
		handle = replay_map_find(replay->map, "UMEM", 0, was, NULL);
		if (!handle)
			return -1;
		replay_map_del(replay->map, handle);
		umem_free(handle);
		return 0;
	default:
		handle = replay_map_find(replay->map, "UAR", 0, was, NULL);
		if (!handle)
			return -1;
		replay_map_del(replay->map, handle);
		mlx5dv_devx_free_uar(handle);
		return 0;
	}
}

static int send_one(struct replay *replay, const struct record *record,
		    const struct command_layout *layout)
{
	const struct command_event *event = &record->event;

	errno = 0;
	if (!layout || layout->class == CLASS_OTHER)
		return replay_memory(replay, record);
	memcpy(replay->in, record->input, event->in_len);
	replay_map_patch(replay->map, replay->in, event->in_len, layout->in);
	switch (layout->class) {
	case CLASS_CREATE:
	case CLASS_CREATE_AT:
		return replay_create(replay, record, layout);
	case CLASS_GENERAL:
		return mlx5dv_devx_general_cmd(replay->ctx, replay->in, event->in_len,
					       replay->out, OUT_LEN);
	default:
		return replay_object(replay, record, layout);
	}
}

void replay_record(struct replay *replay, const struct record *record)
{
	const struct command_layout *layout = layout_of(record_opcode(record));
	const char *reason = skip_reason(record, layout);
	int ret = -1;

	replay->read++;
	if (record->event.flags & EVENT_ASYNC && !(record->event.flags & EVENT_SUBMIT))
		return;
	if (!reason) {
		memset(replay->out, 0, sizeof(replay->out));
		ret = send_one(replay, record, layout);
		if (ret < 0)
			reason = "its object was not created here";
	}
	if (!reason) {
		compare_result(replay, record, ret);
		return;
	}
	replay->skipped++;
	printf("%lu: %s (%#x): not executed: %s\n", replay->read,
	       mdx_opcode_name(record_opcode(record)), record_opcode(record), reason);
}

int replay_end(struct replay *replay)
{
	const char *type;
	void *handle;
	int ret = replay->differ ? EXIT_FAILED : EXIT_OK;

	while ((handle = replay_map_last(replay->map, &type))) {
		replay_map_del(replay->map, handle);
		if (!strcmp(type, "UMEM"))
			umem_free(handle);
		else if (!strcmp(type, "UAR"))
			mlx5dv_devx_free_uar(handle);
		else
			mlx5dv_devx_obj_destroy(handle);
	}
	printf("%lu commands read, %lu executed, %lu answers differ, %lu not executed\n",
	       replay->read, replay->executed, replay->differ, replay->skipped);
	replay_map_free(replay->map);
	ibv_close_device(replay->ctx);
	free(replay);
	return ret;
}
