// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Calls about objects, of which each allocation and each copy fails once: every
 * kind of object from create to destroy, the end of a file that has one, and
 * every kind of verbs object.
 */
#include "kind_harness.h"
#include "nth.h"
#include "sweep.h"

/* Each kind of object, from create to destroy. */
FIXTURE(kind)
{
	struct stand s;
};

FIXTURE_VARIANT(kind)
{
	enum kind_id k;
};

#define KIND(name, k_) FIXTURE_VARIANT_ADD(kind, name) { .k = k_ };

KINDS(KIND)

FIXTURE_SETUP(kind)
{
	self->s.k = variant->k;
	STAND_SETUP(&self->s);
}

FIXTURE_TEARDOWN(kind)
{
	world_stop(&self->s.w);
}

static int create_prepare(struct stand *s)
{
	int ret = kind_needs(&s->w, s->k);

	kind_build_create(&s->w, s->k);
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

static int create_end(struct stand *s, int ret)
{
	return ret ? 0 : _test_mdx_destroy(s->w.mdx.fd, s->arg.create.out_id);
}

static int destroy_prepare(struct stand *s)
{
	int ret = kind_create(&s->w, s->k);

	s->w.m.out_len = 0;
	s->arg.destroy = (struct mdx_ioc_obj_destroy){
		.size = sizeof(s->arg.destroy),
		.id = s->w.obj[s->k].id,
		.out_status = FILL,
		.out_syndrome = FILL,
	};
	return ret;
}

/* It is there and can be destroyed, or it is gone. */
static int destroy_end(struct stand *s, int ret)
{
	int again = _test_mdx_destroy(s->w.mdx.fd, s->w.obj[s->k].id);

	memset(&s->w.obj[s->k], 0, sizeof(s->w.obj[s->k]));
	if (!ret || (ret == EFAULT && again == ENOENT))
		return again == ENOENT ? 0 : EEXIST;
	return again;
}

static void fill_obj_cmd(struct stand *s)
{
	s->arg.cmd = (struct mdx_ioc_obj_cmd){
		.size = sizeof(s->arg.cmd),
		.in = (uintptr_t)s->w.m.in,
		.out = (uintptr_t)s->w.m.out,
		.in_len = s->w.m.in_len,
		.out_len = s->w.m.out_len,
		.id = s->w.obj[s->k].id,
	};
}

static int query_prepare(struct stand *s)
{
	int ret = kind_create(&s->w, s->k);

	kind_build_query(&s->w, s->k);
	fill_obj_cmd(s);
	return ret;
}

/* An object that was not modified before. */
static int modify_prepare(struct stand *s)
{
	int ret = 0;

	if (s->w.obj[s->k].id)
		ret = kind_destroy(&s->w, s->k);
	if (!ret)
		ret = kind_create(&s->w, s->k);
	kind_build_modify(&s->w, s->k);
	fill_obj_cmd(s);
	return ret;
}

static const struct call obj_create = {
	.name = "create", .req = MDX_IOC_OBJ_CREATE, .changes = true,
	.prepare = create_prepare, .end = create_end,
};

static const struct call obj_query = {
	.name = "query", .req = MDX_IOC_OBJ_QUERY, .prepare = query_prepare,
};

static const struct call obj_modify = {
	.name = "modify", .req = MDX_IOC_OBJ_MODIFY, .changes = true,
	.prepare = modify_prepare,
};

static const struct call obj_destroy = {
	.name = "destroy", .req = MDX_IOC_OBJ_DESTROY,
	.changes = true, .prepare = destroy_prepare, .end = destroy_end,
};

TEST_F_TIMEOUT(kind, in_each_call, 600)
{
	const struct kind *kind = &kinds[variant->k];

	ASSERT_TRUE(sweep(&self->s, &obj_create));
	if (kind->query)
		ASSERT_TRUE(sweep(&self->s, &obj_query));
	if (kind->modify)
		ASSERT_TRUE(sweep(&self->s, &obj_modify));
	ASSERT_TRUE(sweep(&self->s, &obj_destroy));
}

/* Each kind of object that verbs makes. */
FIXTURE(verbs)
{
	struct stand s;
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
	struct stand *s = &self->s;
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

static int verbs_prepare(struct stand *s)
{
	struct world *w = &s->w;

	memset(w->in, 0, sizeof(w->in));
	mdx_hdr(w->in, s->cmd->opcode, 0, s->v.num[s->cmd->sort]);
	w->m = (struct mbox){ w->in, w->out, s->cmd->in_len, 1024 };
	s->arg.verbs = (struct mdx_ioc_verbs_cmd){
		.size = sizeof(s->arg.verbs),
		.in = (uintptr_t)w->m.in,
		.out = (uintptr_t)w->m.out,
		.in_len = w->m.in_len,
		.out_len = w->m.out_len,
		.handle = s->v.handle,
		.obj_type = s->v.kind,
	};
	return 0;
}

static const struct call verbs_query = {
	.name = "query", .req = MDX_IOC_VERBS_QUERY, .prepare = verbs_prepare,
};

static const struct call verbs_modify = {
	.name = "modify", .req = MDX_IOC_VERBS_MODIFY, .changes = true,
	.prepare = verbs_prepare,
};

TEST_F_TIMEOUT(verbs, in_each_call, 600)
{
	struct stand *s = &self->s;
	int i;

	for (i = 0; i < vqueries_n; i++) {
		s->cmd = &vqueries[i];
		if (s->v.num[s->cmd->sort])
			ASSERT_TRUE(sweep(s, &verbs_query));
	}
	/* The device refuses most of them, as they are empty. */
	for (i = 0; i < vmodifies_n; i++) {
		s->cmd = &vmodifies[i];
		if (s->v.num[s->cmd->sort])
			ASSERT_TRUE(sweep(s, &verbs_modify));
	}
}

/* Closing a file takes its objects back, whatever fails meanwhile. */
static int close_prepare(struct stand *s)
{
	int ret;

	memset(s->w.obj, 0, sizeof(s->w.obj));
	s->w.mdx.fd = mdx_node_open();
	if (s->w.mdx.fd < 0)
		return errno;
	ret = _test_mdx_bind(s->w.mdx.fd, s->w.mdx.ctx->cmd_fd,
			     s->w.mdx.pd->handle);
	if (!ret)
		ret = kind_create(&s->w, s->k);
	s->w.m.out_len = 0;
	return ret;
}

static int close_run(struct stand *s)
{
	int fd = s->w.mdx.fd;

	s->w.mdx.fd = -1;
	return close(fd) ? errno : 0;
}

FIXTURE(close)
{
	struct stand s;
};

FIXTURE_VARIANT(close)
{
	enum kind_id k;
};

FIXTURE_VARIANT_ADD(close, pd) { .k = KIND_PD };
FIXTURE_VARIANT_ADD(close, cq) { .k = KIND_CQ };
FIXTURE_VARIANT_ADD(close, qp) { .k = KIND_QP };
FIXTURE_VARIANT_ADD(close, dct) { .k = KIND_DCT };
FIXTURE_VARIANT_ADD(close, fte) { .k = KIND_FTE };

FIXTURE_SETUP(close)
{
	self->s.k = variant->k;
	STAND_SETUP(&self->s);
	ASSERT_EQ(0, close(self->s.w.mdx.fd));
}

FIXTURE_TEARDOWN(close)
{
	world_stop(&self->s.w);
}

TEST_F_TIMEOUT(close, takes_all_back, 300)
{
	const struct call call = {
		.name = "close", .run = close_run, .prepare = close_prepare,
	};

	ASSERT_TRUE(sweep(&self->s, &call));
}

static const char *missing;

TEST_FAULTS_MISSING(missing)

int main(int argc, char **argv)
{
	bool there[KIND_COUNT];

	missing = nth_missing();
	if (missing) {
		_kind_fixture_object.tests = NULL;
		_verbs_fixture_object.tests = NULL;
		_close_fixture_object.tests = NULL;
	} else if (kinds_there(there)) {
		kind_prune(&_kind_fixture_object, there);
		kind_prune(&_close_fixture_object, there);
	}
	sweep_sum_start();
	return test_harness_run(argc, argv);
}
