// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The firmware: executing a command, and what most commands are made of.
 */
#include <stdlib.h>

#include "fw_cmds.h"

/* uid 0 is the kernel; 0xffff owns what everybody may name. */
bool fw_uid_is(struct fw *fw, u16 uid)
{
	return !uid || uid == FW_UID_SHARED ||
	       obj_find(&fw->store, K_UCTX, uid);
}

/*
 * Whether @uid may name @obj in what it creates. The shared uid is the kernel
 * again, whose UAR page its EQs name. Stock drivers need the last two: QPs of
 * users name the kernel's XRC domain and its SRQs. How far a device goes here,
 * no public source says.
 */
bool fw_may_name(u16 uid, const struct fw_obj *obj)
{
	if (!uid || uid == FW_UID_SHARED || obj->uid == uid ||
	    obj->uid == FW_UID_SHARED)
		return true;
	return !obj->uid && (fw_kinds[obj->kind].space == K_SRQ ||
			     obj->kind == K_XRCD);
}

/* An object that a create or a modify names; NULL with a status in @ret. */
struct fw_obj *fw_need(struct fw_call *c, enum fw_kind kind, u64 key, int *ret)
{
	struct fw_obj *obj = obj_find(&c->fw->store, kind, key);

	if (!obj)
		*ret = fw_fail(c, FW_BAD_RES, SYND_REF_UNKNOWN | kind);
	else if (!fw_may_name(c->uid, obj))
		*ret = fw_fail(c, FW_BAD_RES, SYND_REF_FOREIGN | kind);
	else
		return obj;
	return NULL;
}

int fw_name_obj(struct fw_call *c, struct fw_obj *obj)
{
	struct fw_obj **deps;

	/* Grow to the next power of two. */
	if (!(c->ndeps & (c->ndeps - 1))) {
		size_t n = c->ndeps ? 2 * c->ndeps : 1;

		deps = realloc(c->deps, n * sizeof(*deps));
		if (!deps)
			return fw_fail(c, FW_INT_ERR, SYND_MEMORY);
		c->deps = deps;
	}
	c->deps[c->ndeps++] = obj;
	return FW_OK;
}

int fw_name(struct fw_call *c, enum fw_kind kind, u64 key)
{
	int ret = FW_OK;
	struct fw_obj *obj = fw_need(c, kind, key, &ret);

	return obj ? fw_name_obj(c, obj) : ret;
}

/* What a modify named replaces what @obj named. */
int fw_rename(struct fw_call *c, struct fw_obj *obj)
{
	struct fw_obj *uctx = obj_dep(obj, K_UCTX);
	int ret = uctx ? fw_name_obj(c, uctx) : FW_OK;

	if (ret)
		return ret;
	obj_name(obj, c->deps, c->ndeps);
	c->deps = NULL;
	c->ndeps = 0;
	return FW_OK;
}

/* The object that the command is about, which only its owner may touch. */
int fw_find(struct fw_call *c, enum fw_kind kind, u64 key)
{
	struct fw_obj *obj = obj_find(&c->fw->store, kind, key);

	if (!obj)
		return fw_fail(c, FW_BAD_RES_STATE, SYND_UNKNOWN | kind);
	if (c->uid && obj->uid != c->uid)
		return fw_fail(c, FW_BAD_RES_STATE, SYND_FOREIGN | kind);
	c->obj = obj;
	return FW_OK;
}

static u32 limit(struct fw *fw, enum fw_kind kind)
{
	const struct fw_kind_desc *desc = &fw_kinds[kind];
	u64 max = (u64)desc->last - desc->first + 1;
	u64 cap;

	if (desc->cap_width) {
		cap = 1ULL << (prm_get(fw_cap(fw, 0), desc->cap_bit,
				       desc->cap_width) & 31);
		if (cap < max)
			max = cap;
	}
	if (fw->conf.max_objs && fw->conf.max_objs < max)
		max = fw->conf.max_objs;
	return max;
}

int fw_create_key(struct fw_call *c, u64 key, u32 span)
{
	struct fw *fw = c->fw;
	enum fw_kind kind = c->cmd->kind;
	struct fw_obj *obj;
	int ret = FW_OK;

	if (c->uid && c->uid != FW_UID_SHARED)
		ret = fw_name_obj(c, obj_find(&fw->store, K_UCTX, c->uid));
	if (ret)
		return ret;
	if (fw->store.live[kind] >= limit(fw, kind))
		return fw_fail(c, FW_EXCEED_LIM, SYND_LIMIT | kind);
	if (!key)
		key = obj_number(&fw->store, kind, span);
	if (!key)
		return fw_fail(c, FW_NO_RESOURCES, SYND_NO_ID | kind);
	obj = obj_add(&fw->store, kind, key, c->uid, c->in, c->in_len);
	if (!obj)
		return fw_fail(c, FW_INT_ERR, SYND_MEMORY);
	obj->span = span;
	if (span > 1)
		fw->store.bulks++;
	obj->mem = c->mem;
	obj_name(obj, c->deps, c->ndeps);
	memset(&c->mem, 0, sizeof(c->mem));
	c->deps = NULL;
	c->ndeps = 0;
	c->obj = obj;
	if (c->cmd->id_width)
		prm_set(c->out, c->cmd->id_bit, c->cmd->id_width, key);
	return FW_OK;
}

int fw_create(struct fw_call *c)
{
	return fw_create_key(c, 0, 1);
}

/* The context as it was written, and the list behind it. */
int fw_query(struct fw_call *c)
{
	const struct fw_kind_desc *desc = &fw_kinds[c->cmd->kind];
	size_t n;

	memcpy(c->out + desc->ctx_out, c->obj->in + desc->ctx_in,
	       desc->ctx_len);
	if (desc->list && c->obj->in_len > desc->list &&
	    c->out_len > desc->list) {
		n = c->obj->in_len - desc->list;
		if (n > c->out_len - desc->list)
			n = c->out_len - desc->list;
		memcpy(c->out + desc->list, c->obj->in + desc->list, n);
	}
	return FW_OK;
}

void fw_gone(struct fw *fw, struct fw_obj *obj)
{
	if (obj->kind == K_EQ && fw->ops->eq_destroy)
		fw->ops->eq_destroy(fw->priv, obj->key);
	if (fw->ops->object_gone)
		fw->ops->object_gone(fw->priv, fw_kinds[obj->kind].name,
				     obj->key);
	obj_del(&fw->store, obj);
}

int fw_destroy(struct fw_call *c)
{
	if (c->obj->refs)
		return fw_fail(c, FW_BAD_RES_STATE, SYND_IN_USE | c->cmd->kind);
	fw_gone(c->fw, c->obj);
	c->obj = NULL;
	return FW_OK;
}

int fw_ok(struct fw_call *c)
{
	(void)c;
	return FW_OK;
}

/* Whether a list of @n bytes at @at is in the input mailbox. */
int fw_list(struct fw_call *c, size_t at, u64 n)
{
	if (at > c->in_len || n > c->in_len - at)
		return fw_fail(c, FW_BAD_IN_LEN, SYND_LIST_LEN);
	return FW_OK;
}

/* Some that are reserved in contexts, from each one's first bit on. */
static const struct {
	enum fw_kind kind;
	u16 bit;
	u8 width;
} reserved[] = {
	{ K_MKEY, 0x00, 1 }, { K_MKEY, 0x40, 32 },
	{ K_CQ, 0x18, 6 }, { K_CQ, 0x40, 20 }, { K_CQ, 0x5a, 6 },
	{ K_CQ, 0x60, 3 }, { K_QP, 0x80, 8 }, { K_QP, 0xa0, 3 },
};

static int check_context(struct fw_call *c)
{
	const u8 *ctx = c->in + fw_kinds[c->cmd->kind].ctx_in;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reserved); i++)
		if (reserved[i].kind == c->cmd->kind &&
		    prm_get(ctx, reserved[i].bit, reserved[i].width))
			return fw_fail(c, FW_BAD_PARAM,
				       SYND_RESERVED | c->cmd->kind);
	return FW_OK;
}

/* Reserved parts of the header; what follows is the handlers' business. */
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

static int check(struct fw_call *c)
{
	const struct fw_cmd *cmd = c->cmd;

	if (c->in_len < cmd->in)
		return fw_fail(c, FW_BAD_IN_LEN, SYND_IN_LEN);
	if (c->out_len < cmd->out)
		return fw_fail(c, FW_BAD_OUT_LEN, SYND_OUT_LEN);
	if (!(cmd->flags & CMD_EARLY) && !c->fw->init)
		return fw_fail(c, FW_BAD_SYS_STATE, SYND_NOT_INIT);
	if (c->uid && c->uid != FW_UID_SHARED && cmd->flags & CMD_KERNEL)
		return fw_fail(c, FW_BAD_PARAM, SYND_UID_KERNEL);
	if (!fw_uid_is(c->fw, c->uid))
		return fw_fail(c, FW_BAD_PARAM, SYND_UID_UNKNOWN);
	if (c->op_mod && !(cmd->flags & CMD_NO_MOD))
		return fw_fail(c, FW_BAD_PARAM, SYND_OP_MOD);
	if (c->fw->conf.strict)
		return check_reserved(c);
	return FW_OK;
}

static int run(struct fw_call *c)
{
	const struct fw_cmd *cmd = c->cmd;
	int ret = check(c);

	if (!ret && cmd->id_width && !(cmd->flags & CMD_CREATE))
		ret = fw_find(c, cmd->kind,
			      prm_get(c->in, cmd->id_bit, cmd->id_width));
	return ret ? ret : cmd->fn(c);
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
	if (c.cmd)
		ret = run(&c);
	else
		ret = fw_fail(&c, FW_BAD_OP, SYND_OPCODE);
	free(c.deps);
	free(c.mem.pas);
	if (ret)
		memset(out, 0, out_len);
	out[0] = ret;
	prm_set(out, 32, 32, ret ? c.synd : 0);
	return ret;
}

/* An old object may name a newer one since a modify, or two each other. */
void fw_clear(struct fw *fw)
{
	struct fw_obj *obj;

	for (obj = fw->store.newest; obj; obj = obj->older)
		obj_name(obj, NULL, 0);
	while (fw->store.newest)
		fw_gone(fw, fw->store.newest);
}

void fw_reset(struct fw *fw)
{
	fw_clear(fw);
	fw->enabled = false;
	fw->init = false;
	fw->issi = 0;
	caps_init(fw);
	port_init(fw);
	vports_init(fw);
}

struct fw *fw_new(const struct fw_conf *conf, const struct fw_ops *ops,
		  void *priv)
{
	struct fw *fw = calloc(1, sizeof(*fw));

	if (!fw)
		return NULL;
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
	free(fw);
}

void fw_set_strict(struct fw *fw, bool strict)
{
	fw->conf.strict = strict;
}

/* A function that is down has its new capabilities at once. */
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

void fw_live(struct fw *fw, int uid,
	     int (*fn)(void *arg, const struct fw_live *obj), void *arg)
{
	struct fw_obj *obj;

	for (obj = fw->store.oldest; obj; obj = obj->newer) {
		struct fw_live live = {
			.type = fw_kinds[obj->kind].name, .id = obj->key,
			.uid = obj->uid, .refs = obj->refs,
		};

		if ((uid < 0 || uid == obj->uid) && fn(arg, &live))
			return;
	}
}
