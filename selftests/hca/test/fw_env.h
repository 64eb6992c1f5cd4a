/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the firmware's tests stand on: a running firmware with two users.
 */
#ifndef HCA_TEST_FW_ENV_H
#define HCA_TEST_FW_ENV_H

#include <stdlib.h>

#include "fw_cmds.h"
#include "tap.h"

#define BOX 8192

static struct fw *fw;
static u8 in[BOX], out[BOX];
static u16 ua, ub;		/* two users */
static unsigned int events;	/* since the start, and the last one */
static u8 event_type, event_data[28];
static unsigned int gone;

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

static void env_gone(void *priv, const char *type, uint32_t num)
{
	(void)priv;
	(void)type;
	(void)num;
	gone++;
}

static const struct fw_ops env_ops = {
	.eq_create = env_eq_create, .event = env_event,
	.object_gone = env_gone,
};

static inline void clear(void)
{
	memset(in, 0, sizeof(in));
}

/* Run @op with what is in the input mailbox. */
static inline int run_len(u16 op, u16 uid, size_t in_len, size_t out_len)
{
	prm_set(in, 0, 16, op);
	prm_set(in, 16, 16, uid);
	memset(out, 0, sizeof(out));
	return fw_exec(fw, in, in_len, out, out_len);
}

static inline int run(u16 op, u16 uid, size_t more)
{
	const struct fw_cmd *cmd = fw_cmd_find(op);

	return run_len(op, uid, cmd->in + more, cmd->out);
}

static inline u32 synd(void)
{
	return prm_be32(out + 4);
}

static inline u16 user(void)
{
	clear();
	PRM_SET(create_uctx_in, in, uctx.cap, 1);
	CHECK_EQ(run(0xa04, 0, 0), FW_OK);
	return PRM_GET(create_uctx_out, out, uid);
}

static inline void start_conf(const struct fw_conf *conf)
{
	events = 0;
	gone = 0;
	fw = fw_new(conf, &env_ops, NULL);
	clear();
	CHECK_EQ(run(0x104, 0, 0), FW_OK);
	CHECK_EQ(run(0x102, 0, 0), FW_OK);
	ua = user();
	ub = user();
}

static inline void start(void)
{
	static const struct fw_conf conf = { .mac = { 2, 0, 0, 0, 0, 1 } };

	start_conf(&conf);
}

static inline void stop(void)
{
	fw_free(fw);
	fw = NULL;
}

/* And for which reason. */
#define REFUSED(call, status, why) do {				\
	CHECK_EQ(call, status);					\
	CHECK_EQ(synd(), why);					\
} while (0)

static inline u32 refs_of(enum fw_kind kind, u64 key)
{
	struct fw_obj *obj = obj_find(&fw->store, kind, key);

	return obj ? obj->refs : ~0U;
}

static inline unsigned int live_all(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < K_COUNT; i++)
		n += fw->store.live[i];
	return n;
}

#endif /* HCA_TEST_FW_ENV_H */
