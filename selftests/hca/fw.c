// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The firmware: execution of a command, and the interface to the device.
 */
#include <stdlib.h>

#include "caps_switch.h"
#include "fw_esw.h"
#include "fw_hca.h"
#include "fw_ref.h"
#include "fw_table.h"

#define ANSWER_HEAD 16U /* status, syndrome, and the next eight bytes */

/* Reserved bits of contexts that strict mode checks, a selection. */
static const struct {
	enum hca_obj_type type;
	u16 bit;
	u8 width;
} reserved[] = {
	{ OBJ_MKEY, 0x00, 1 }, { OBJ_MKEY, 0x40, 32 }, { OBJ_CQ, 0x18, 6 },
	{ OBJ_CQ, 0x40, 20 },  { OBJ_CQ, 0x5a, 6 },    { OBJ_CQ, 0x60, 3 },
	{ OBJ_QP, 0x80, 8 },   { OBJ_QP, 0xa0, 3 },
};

static int check_context(struct fw_call *c)
{
	const u8 *ctx = c->in + hca_obj_descs[c->cmd->obj_type].ctx_in;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reserved); i++)
		if (reserved[i].type == c->cmd->obj_type &&
		    prm_get(ctx, reserved[i].bit, reserved[i].width))
			return fw_fail(c, FW_BAD_PARAM,
				       SYND_RESERVED | c->cmd->obj_type);
	return FW_OK;
}

/* Check the header, bytes 4 to 15; handlers check the rest of the mailbox. */
static int check_reserved(struct fw_call *c)
{
	const struct fw_cmd *cmd = c->cmd;
	u64 used = cmd->used, rest;

	if (prm_be16(c->in + 4))
		return fw_fail(c, FW_BAD_PARAM, SYND_RESERVED);
	if (!(cmd->flags & CMD_CREATE) && cmd->id_width && cmd->id_bit < 128)
		used |= (cmd->id_width == 32 ? 0xffffffffULL :
			 (1ULL << cmd->id_width) - 1) <<
			(128 - cmd->id_bit - cmd->id_width);
	rest = prm_be64(c->in + 8) & ~used;
	if (rest)
		return fw_fail(c, FW_BAD_PARAM, SYND_RESERVED);
	return cmd->flags & CMD_CREATE ? check_context(c) : FW_OK;
}

/*
 * Programs query with the formats of their time, which are shorter than later
 * ones: their answers are cut off. The header of 16 bytes is always there.
 */
static size_t answer_min(const struct fw_cmd *cmd)
{
	return cmd->out < ANSWER_HEAD ? cmd->out : ANSWER_HEAD;
}

static int check_call(struct fw_call *c)
{
	const struct fw_cmd *cmd = c->cmd;

	if (c->in_len < cmd->in)
		return fw_fail(c, FW_BAD_IN_LEN, SYND_IN_LEN);
	if (c->out_len < answer_min(cmd))
		return fw_fail(c, FW_BAD_OUT_LEN, SYND_OUT_LEN);
	if (!(cmd->flags & CMD_EARLY) && !c->fw->init)
		return fw_fail(c, FW_BAD_SYS_STATE, SYND_NOT_INIT);
	if (c->uid && c->uid != FW_UID_SHARED && cmd->flags & CMD_KERNEL)
		return fw_fail(c, FW_BAD_PARAM, SYND_UID_KERNEL);
	if (!fw_uid_known(c->fw, c->uid))
		return fw_fail(c, FW_BAD_PARAM, SYND_UID_UNKNOWN);
	if (c->op_mod && !(cmd->flags & CMD_NO_MOD))
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	if (c->fw->conf.strict)
		return check_reserved(c);
	return FW_OK;
}

static int run_call(struct fw_call *c)
{
	const struct fw_cmd *cmd = c->cmd;
	int ret = check_call(c);

	if (!ret && cmd->id_width && !(cmd->flags & CMD_CREATE))
		ret = fw_find(c, cmd->obj_type,
			      prm_get(c->in, cmd->id_bit, cmd->id_width));
	return ret ? ret : cmd->fn(c);
}

/* Execute with room for the whole answer, and return what fits. */
static int run_cut(struct fw_call *c)
{
	u8 *out = c->out;
	size_t len = c->out_len;
	int ret;

	c->out = calloc(1, c->cmd->out);
	c->out_len = c->cmd->out;
	if (c->out)
		ret = run_call(c);
	else
		ret = fw_fail(c, FW_INT_ERR, SYND_MEMORY);
	if (!ret)
		memcpy(out, c->out, len);
	free(c->out);
	c->out = out;
	c->out_len = len;
	return ret;
}

int fw_exec(struct fw *fw, const uint8_t *in, size_t in_len, uint8_t *out,
	    size_t out_len)
{
	struct fw_call c = {
		.fw = fw, .in = in, .in_len = in_len, .out = out,
		.out_len = out_len, .uid = prm_be16(in + 2),
		.op_mod = prm_be16(in + 6),
	};
	int ret;

	c.cmd = fw_cmd_find(prm_be16(in));
	if (!c.cmd)
		ret = fw_fail(&c, FW_BAD_OP, SYND_OPCODE);
	else if (out_len < c.cmd->out && out_len >= answer_min(c.cmd))
		ret = run_cut(&c);
	else
		ret = run_call(&c);
	free(c.deps);
	free(c.mem.pas);
	if (ret)
		memset(out, 0, out_len);
	out[0] = ret;
	prm_set(out, 32, 32, ret ? c.synd : 0);
	return ret;
}

struct fw *fw_new(const struct fw_conf *conf, const struct fw_ops *ops,
		  void *priv)
{
	struct fw *fw = calloc(1, sizeof(*fw));

	if (!fw)
		return NULL;
	fw->vport = calloc(vports_needed(conf), sizeof(*fw->vport));
	if (!fw->vport) {
		free(fw);
		return NULL;
	}
	fw->conf = *conf;
	fw->ops = ops;
	fw->priv = priv;
	fw_reset(fw);
	return fw;
}

void fw_free(struct fw *fw)
{
	if (!fw)
		return;
	fw_clear(fw);
	free(fw->vport);
	free(fw);
}

void fw_set_strict(struct fw *fw, bool strict)
{
	fw->conf.strict = strict;
}

/* A function that is down gets its new capabilities at once. */
static void set_switches(struct fw *fw, u32 switched, u32 on)
{
	if (fw->conf.switched == switched && fw->conf.on == on)
		return;
	fw->conf.switched = switched;
	fw->conf.on = on;
	if (!fw->enabled)
		fw_reset(fw);
}

bool fw_switch(struct fw *fw, const char *opt)
{
	struct fw_conf conf = fw->conf;

	if (!fw_conf_switch(&conf, opt) || fw_conf_error(&conf))
		return false;
	set_switches(fw, conf.switched, conf.on);
	return true;
}

void fw_switch_back(struct fw *fw, const struct fw_conf *conf)
{
	set_switches(fw, conf->switched, conf->on);
}

const char *fw_opcode_name(uint16_t opcode)
{
	const struct fw_cmd *cmd = fw_cmd_find(opcode);

	return cmd ? cmd->name : NULL;
}

void fw_live(struct fw *fw, int uid,
	     int (*fn)(void *arg, const struct fw_live *obj), void *arg)
{
	struct hca_obj *obj;

	for (obj = fw->store.oldest; obj; obj = obj->newer) {
		struct fw_live live = {
			.type = hca_obj_descs[obj->type].name,
			.id = (uint32_t)obj->key,
			.uid = obj->uid,
			.refs = obj->refs,
		};

		if ((uid < 0 || uid == obj->uid) && fn(arg, &live))
			return;
	}
}
