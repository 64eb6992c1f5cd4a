/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A running firmware with two user contexts, for tests of the firmware. */
#ifndef HCA_TEST_FW_ENV_H
#define HCA_TEST_FW_ENV_H

#include <stdlib.h>

#include "../fw_ref.h"
#include "../fw_table.h"
#include "../fw_view.h"
#include "tap.h"

#define MAILBOX_SIZE 8192

static struct fw *fw;
static u8 in[MAILBOX_SIZE], out[MAILBOX_SIZE];
static u16 ua, ub; /* two user contexts */
static unsigned int events; /* number of events, and the last one */
static u8 event_type, event_data[28];
static unsigned int destroyed;

static int env_eq_create(void *priv, const struct fw_eq_attr *attr)
{
	(void)priv;
	return attr->eqn ? FW_OK : FW_INT_ERR;
}

static void env_event(void *priv, uint8_t type, uint8_t sub,
		      const uint8_t data[28])
{
	(void)priv;
	(void)sub;
	events++;
	event_type = type;
	memcpy(event_data, data, 28);
}

static void env_destroyed(void *priv, const char *type, uint32_t num)
{
	(void)priv;
	(void)type;
	(void)num;
	destroyed++;
}

static const struct fw_ops env_ops = {
	.eq_create = env_eq_create,
	.event = env_event,
	.object_destroyed = env_destroyed,
};

static inline void clear_in(void)
{
	memset(in, 0, sizeof(in));
}

/* Run @op with the input mailbox @in. */
static inline int run_len(u16 op, u16 uid, size_t in_len, size_t out_len)
{
	prm_set(in, 0, 16, op);
	prm_set(in, 16, 16, uid);
	memset(out, 0, sizeof(out));
	return fw_exec(fw, in, in_len, out, out_len);
}

static inline int run_cmd(u16 op, u16 uid, size_t more)
{
	const struct fw_cmd *cmd = fw_cmd_find(op);

	return run_len(op, uid, cmd->in + more, cmd->out);
}

static inline u32 out_synd(void)
{
	return prm_be32(out + 4);
}

static inline u16 new_user(void)
{
	clear_in();
	PRM_SET(create_uctx_in, in, uctx.cap, 1);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_CREATE_UCTX, 0, 0), FW_OK);
	return PRM_GET(create_uctx_out, out, uid);
}

static inline void start_conf(const struct fw_conf *conf)
{
	events = 0;
	destroyed = 0;
	fw = fw_new(conf, &env_ops, NULL);
	clear_in();
	CHECK_EQ(run_cmd(MLX5_CMD_OP_ENABLE_HCA, 0, 0), FW_OK);
	CHECK_EQ(run_cmd(MLX5_CMD_OP_INIT_HCA, 0, 0), FW_OK);
	ua = new_user();
	ub = new_user();
}

static inline void start_fw(void)
{
	static const struct fw_conf conf = { .mac = { 2, 0, 0, 0, 0, 1 } };

	start_conf(&conf);
}

static inline void stop_fw(void)
{
	fw_free(fw);
	fw = NULL;
}

/* Check the status and the syndrome of a refusal. */
#define REFUSED(call, status, why) do {				\
	CHECK_EQ(call, status);						\
	CHECK_EQ(out_synd(), why);					\
} while (0)

static inline u32 refs_of(enum hca_obj_type type, u64 key)
{
	struct hca_obj *obj = obj_find(&fw->store, type, key);

	return obj ? obj->refs : ~0U;
}

static inline unsigned int live_all(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < OBJ_COUNT; i++)
		n += fw->store.live[i];
	return n;
}

#endif /* HCA_TEST_FW_ENV_H */
