// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include "batch_user.h"

#define AT_STATUS 16
#define AT_MARK 17

struct batch_functions batch_f;
struct device_log device_log;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void find_functions(void)
{
#define FIND(name)							\
	do {								\
		batch_f.name = (__typeof__(batch_f.name))		\
			dlsym(RTLD_DEFAULT, "mdx_batch_" #name);	\
		if (!batch_f.name)					\
			abort();					\
	} while (0)

	FIND(new);
	FIND(free);
	FIND(in_flight);
	FIND(create);
	FIND(umem);
	FIND(modify);
	FIND(query);
	FIND(destroy);
	FIND(general);
	FIND(verbs_modify);
	FIND(verbs_query);
	FIND(link);
	FIND(drain);
	FIND(ref);
	FIND(run);
	FIND(failed);
	FIND(result);
#undef FIND
}

static unsigned int dword_at(const unsigned char *at)
{
	return (unsigned int)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

static void write_number(unsigned char *mbox, unsigned int number)
{
	mbox[9] = number >> 16;
	mbox[10] = number >> 8;
	mbox[11] = number;
}

/* The command with the lock held: its status. */
static unsigned int log_command(unsigned int number, const unsigned char *mbox,
				unsigned char *answer)
{
	struct device_command *cmd = &device_log.cmd[device_log.n++];
	unsigned int status;

	if (!mbox) {
		status = number == device_log.stuck ? 0x06 : 0;
		*cmd = (struct device_command){ .number = number };
		return status;
	}
	*cmd = (struct device_command){
		.opcode = mbox[0] << 8 | mbox[1],
		.field = dword_at(mbox + FIELD_BIT / 8),
		.mark = mbox[AT_MARK],
	};
	status = mbox[AT_STATUS];
	memset(answer, 0, ITEM_LEN);
	answer[0] = status;
	if (status) {
		memcpy(answer + 4, "\x00\xab\xcd\xef", 4);
	} else if (cmd->opcode == MDX_OPCODE_CREATE_UMEM ||
		   cmd->opcode == MDX_OPCODE_CREATE_TIS ||
		   cmd->opcode == MDX_OPCODE_CREATE_TIR) {
		cmd->number = ++device_log.next;
		write_number(answer, cmd->number);
	}
	return status;
}

static unsigned int run_device(uint32_t number, const void *mbox, size_t inlen,
			       void *answer, size_t outlen)
{
	unsigned int status;

	if (mbox && (inlen != ITEM_LEN || outlen != ITEM_LEN))
		abort();
	pthread_mutex_lock(&log_lock);
	if (++device_log.running > device_log.running_max)
		device_log.running_max = device_log.running;
	status = log_command(number, mbox, answer);
	pthread_mutex_unlock(&log_lock);
	if (device_log.delay_us)
		usleep(device_log.delay_us);
	pthread_mutex_lock(&log_lock);
	device_log.running--;
	pthread_mutex_unlock(&log_lock);
	return status;
}

struct user_batch *batch_open(enum batch_backend backend, unsigned int flags)
{
	struct user_batch *u = calloc(1, sizeof(*u));

	if (!batch_f.new)
		find_functions();
	if (backend == BY_LIBMLX5) {
		reset_fakes();
		kernel.open_err = ENOENT;
		u->context = open_ctx();
	} else {
		u->context = open_bound();
	}
	if (backend == BY_THREADS)
		kernel.err[MDX_CMD_SUBMIT] = ENOTTY;
	kernel.command = run_device;
	fake_mlx5.device = run_device;
	memset(&device_log, 0, sizeof(device_log));
	u->b = batch_f.new(u->context, flags);
	if (!u->b)
		abort();
	fake_events_reset();
	return u;
}

void batch_close(struct user_batch *u)
{
	int i;

	batch_f.free(u->b);
	device_log.stuck = 0;
	for (i = 0; i < u->n; i++)
		if (u->obj[i])
			mlx5dv_devx_obj_destroy(u->obj[i]);
	ibv_close_device(u->context);
	free(u);
}

static unsigned char *fill_input(struct user_batch *u, unsigned int opcode,
				 unsigned int status)
{
	unsigned char *mbox = u->in[u->n];

	mbox[0] = opcode >> 8;
	mbox[1] = opcode;
	mbox[AT_STATUS] = status;
	mbox[AT_MARK] = u->n;
	return mbox;
}

int batch_add_create(struct user_batch *u, unsigned int status)
{
	fill_input(u, MDX_OPCODE_CREATE_TIS, status);
	u->n++;
	return batch_f.create(u->b, u->in[u->n - 1], ITEM_LEN, u->out[u->n - 1],
			      ITEM_LEN, &u->obj[u->n - 1]);
}

int batch_add_modify(struct user_batch *u, int item, unsigned int status)
{
	fill_input(u, MDX_OPCODE_MODIFY_TIS, status);
	u->n++;
	return batch_f.modify(u->b, NULL, item, u->in[u->n - 1], ITEM_LEN,
			      u->out[u->n - 1], ITEM_LEN);
}

int batch_add_nop(struct user_batch *u, unsigned int status)
{
	fill_input(u, MDX_OPCODE_NOP, status);
	u->n++;
	return batch_f.general(u->b, u->in[u->n - 1], ITEM_LEN,
			       u->out[u->n - 1], ITEM_LEN);
}

int batch_err(struct user_batch *u, int item)
{
	struct mdx_batch_result result;

	if (batch_f.result(u->b, item, &result))
		return -1;
	return result.err;
}
