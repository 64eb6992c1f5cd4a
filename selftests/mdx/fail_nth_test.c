// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Calls about objects, of which each allocation and each copy fails once: every
 * object type from create to destroy, the end of a file that has one, and
 * every type of verbs object.
 */
#include "objtype_harness.h"
#include "nth.h"
#include "sweep.h"

/* Each object type, from create to destroy. */
FIXTURE(objtype)
{
	struct sweep_state s;
};

FIXTURE_VARIANT(objtype)
{
	enum objtype_id type;
};

#define VARIANTS(name, type_) \
	FIXTURE_VARIANT_ADD(objtype, name){ .type = type_ };

OBJTYPES(VARIANTS)

FIXTURE_SETUP(objtype)
{
	self->s.type = variant->type;
	STAND_SETUP(&self->s);
}

FIXTURE_TEARDOWN(objtype)
{
	world_stop(&self->s.w);
}

static int create_prepare(struct sweep_state *s)
{
	int ret = objtype_create_needs(&s->w, s->type);

	objtype_build_create(&s->w, s->type);
	s->arg.create = (struct mdx_ioc_obj_create){
		.size = sizeof(s->arg.create),
		.in = (uintptr_t)s->w.m.in,
		.out = (uintptr_t)s->w.m.out,
		.in_len = s->w.m.in_len,
		.out_len = s->w.m.out_len,
		.out_id = FILL,
	};
	return ret;
}

static int create_end(struct sweep_state *s, int ret)
{
	return ret ? 0 : _test_mdx_destroy(s->w.mdx.fd, s->arg.create.out_id);
}

static int destroy_prepare(struct sweep_state *s)
{
	int ret = objtype_create(&s->w, s->type);

	s->w.m.out_len = 0;
	s->arg.destroy = (struct mdx_ioc_obj_destroy){
		.size = sizeof(s->arg.destroy),
		.id = s->w.obj[s->type].id,
		.out_status = FILL,
		.out_syndrome = FILL,
	};
	return ret;
}

/* The object exists and can be destroyed, or it is destroyed already. */
static int destroy_end(struct sweep_state *s, int ret)
{
	int again = _test_mdx_destroy(s->w.mdx.fd, s->w.obj[s->type].id);

	memset(&s->w.obj[s->type], 0, sizeof(s->w.obj[s->type]));
	if (!ret || (ret == EFAULT && again == ENOENT))
		return again == ENOENT ? 0 : EEXIST;
	return again;
}

static void fill_obj_cmd(struct sweep_state *s)
{
	s->arg.cmd = (struct mdx_ioc_obj_cmd){
		.size = sizeof(s->arg.cmd),
		.in = (uintptr_t)s->w.m.in,
		.out = (uintptr_t)s->w.m.out,
		.in_len = s->w.m.in_len,
		.out_len = s->w.m.out_len,
		.id = s->w.obj[s->type].id,
	};
}

static int query_prepare(struct sweep_state *s)
{
	int ret = objtype_create(&s->w, s->type);

	objtype_build_query(&s->w, s->type);
	fill_obj_cmd(s);
	return ret;
}

/* An object that was not modified before. */
static int modify_prepare(struct sweep_state *s)
{
	int ret = 0;

	if (s->w.obj[s->type].id)
		ret = objtype_destroy(&s->w, s->type);
	if (!ret)
		ret = objtype_create(&s->w, s->type);
	objtype_build_modify(&s->w, s->type);
	fill_obj_cmd(s);
	return ret;
}

static const struct sweep_call obj_create = {
	.name = "create", .req = MDX_IOC_OBJ_CREATE, .changes = true,
	.prepare = create_prepare, .end = create_end,
};

static const struct sweep_call obj_query = {
	.name = "query", .req = MDX_IOC_OBJ_QUERY, .prepare = query_prepare,
};

static const struct sweep_call obj_modify = {
	.name = "modify", .req = MDX_IOC_OBJ_MODIFY, .changes = true,
	.prepare = modify_prepare,
};

static const struct sweep_call obj_destroy = {
	.name = "destroy", .req = MDX_IOC_OBJ_DESTROY,
	.changes = true, .prepare = destroy_prepare, .end = destroy_end,
};

TEST_F_TIMEOUT(objtype, in_each_call, 600)
{
	const struct objtype *type = &objtypes[variant->type];

	ASSERT_TRUE(sweep(&self->s, &obj_create));
	if (type->query)
		ASSERT_TRUE(sweep(&self->s, &obj_query));
	if (type->modify)
		ASSERT_TRUE(sweep(&self->s, &obj_modify));
	ASSERT_TRUE(sweep(&self->s, &obj_destroy));
}

/* Each type of object that verbs creates. */
FIXTURE(verbs)
{
	struct sweep_state s;
};

FIXTURE_VARIANT(verbs)
{
	enum vobj_id id;
};

#define VERBS(name, id_) FIXTURE_VARIANT_ADD(verbs, name) { .id = id_ }

VERBS(cq, VOBJ_CQ);
VERBS(srq, VOBJ_SRQ);
VERBS(xrc_srq, VOBJ_XRC_SRQ);
VERBS(rc_qp, VOBJ_RC);
VERBS(ud_qp, VOBJ_UD);
VERBS(dct, VOBJ_DCT);
VERBS(raw_qp, VOBJ_RAW);
VERBS(wq, VOBJ_WQ);
VERBS(table, VOBJ_RQT);

FIXTURE_SETUP(verbs)
{
	struct sweep_state *s = &self->s;
	int ret;

	STAND_SETUP(s);
	ret = vobj_create(&s->v, variant->id, s->w.mdx.ctx, s->w.mdx.pd);
	if (ret == EOPNOTSUPP)
		SKIP(return, "the device has no such objects");
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(verbs)
{
	vobj_end(&self->s.v);
	world_stop(&self->s.w);
}

static int verbs_prepare(struct sweep_state *s)
{
	struct mdx_world *w = &s->w;

	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(w->in, s->cmd->opcode, 0, s->v.num[s->cmd->hw_type]);
	w->m = (struct mbox_pair){ w->in, w->out, s->cmd->in_len, 1024 };
	s->arg.verbs = (struct mdx_ioc_verbs_cmd){
		.size = sizeof(s->arg.verbs),
		.in = (uintptr_t)w->m.in,
		.out = (uintptr_t)w->m.out,
		.in_len = w->m.in_len,
		.out_len = w->m.out_len,
		.handle = s->v.handle,
		.obj_type = s->v.obj_type,
	};
	return 0;
}

static const struct sweep_call verbs_query = {
	.name = "query", .req = MDX_IOC_VERBS_QUERY, .prepare = verbs_prepare,
};

static const struct sweep_call verbs_modify = {
	.name = "modify", .req = MDX_IOC_VERBS_MODIFY, .changes = true,
	.prepare = verbs_prepare,
};

TEST_F_TIMEOUT(verbs, in_each_call, 600)
{
	struct sweep_state *s = &self->s;
	int i;

	for (i = 0; i < vqueries_n; i++) {
		s->cmd = &vqueries[i];
		if (s->v.num[s->cmd->hw_type])
			ASSERT_TRUE(sweep(s, &verbs_query));
	}
	/* The device refuses most of them, as they are empty. */
	for (i = 0; i < vmodifies_n; i++) {
		s->cmd = &vmodifies[i];
		if (s->v.num[s->cmd->hw_type])
			ASSERT_TRUE(sweep(s, &verbs_modify));
	}
}

/* Closing a file destroys its objects, whichever allocation fails. */
static int close_prepare(struct sweep_state *s)
{
	int ret;

	memset(s->w.obj, 0, sizeof(s->w.obj));
	s->w.mdx.fd = mdx_node_open();
	if (s->w.mdx.fd < 0)
		return errno;
	ret = _test_mdx_bind(s->w.mdx.fd, s->w.mdx.ctx->cmd_fd,
			     s->w.mdx.pd->handle);
	if (!ret)
		ret = objtype_create(&s->w, s->type);
	s->w.m.out_len = 0;
	return ret;
}

static int close_run(struct sweep_state *s)
{
	int fd = s->w.mdx.fd;

	s->w.mdx.fd = -1;
	return close(fd) ? errno : 0;
}

FIXTURE(close)
{
	struct sweep_state s;
};

FIXTURE_VARIANT(close)
{
	enum objtype_id type;
};

FIXTURE_VARIANT_ADD(close, pd) { .type = OBJTYPE_PD };
FIXTURE_VARIANT_ADD(close, cq) { .type = OBJTYPE_CQ };
FIXTURE_VARIANT_ADD(close, qp) { .type = OBJTYPE_QP };
FIXTURE_VARIANT_ADD(close, dct) { .type = OBJTYPE_DCT };
FIXTURE_VARIANT_ADD(close, fte) { .type = OBJTYPE_FTE };

FIXTURE_SETUP(close)
{
	self->s.type = variant->type;
	STAND_SETUP(&self->s);
	ASSERT_EQ(0, close(self->s.w.mdx.fd));
}

FIXTURE_TEARDOWN(close)
{
	world_stop(&self->s.w);
}

TEST_F_TIMEOUT(close, all_destroyed, 300)
{
	const struct sweep_call call = {
		.name = "close", .run = close_run, .prepare = close_prepare,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

static const char *missing;

TEST_FAULTS_MISSING(missing)

int main(int argc, char **argv)
{
	bool there[OBJTYPE_COUNT];

	missing = nth_missing();
	if (missing) {
		_objtype_fixture_object.tests = NULL;
		_verbs_fixture_object.tests = NULL;
		_close_fixture_object.tests = NULL;
	} else if (objtypes_advertised(there)) {
		objtype_prune(&_objtype_fixture_object, there);
		objtype_prune(&_close_fixture_object, there);
	}
	sweep_sum_start();
	return test_harness_run(argc, argv);
}
