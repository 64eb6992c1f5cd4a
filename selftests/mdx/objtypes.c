// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdio.h>

#include "objtypes.h"

bool objtype_advertised(struct mdx_world *w, enum objtype_id t)
{
	int i;

	if (objtypes[t].has && !objtypes[t].has(w))
		return false;
	for (i = 0; i < OBJTYPE_COUNT; i++)
		if (objtypes[t].needs & NEEDS(i) && !objtype_advertised(w, i))
			return false;
	return true;
}

int64_t objtype_live_num(struct mdx_world *w, enum objtype_id t)
{
	if (t == OBJTYPE_MCG || t == OBJTYPE_L2)
		return -1;
	return w->obj[t].num;
}

void objtype_build_create(struct mdx_world *w, enum objtype_id t)
{
	const struct objtype *type = &objtypes[t];

	world_build(w, type->create, 0, type->in_len + type->list_len,
		    type->out_len);
	if (type->fill)
		type->fill(w, w->in);
}

void objtype_build_query(struct mdx_world *w, enum objtype_id t)
{
	const struct objtype *type = &objtypes[t];

	world_build(w, type->query, 0, type->query_in, type->query_out);
	mbox_set_field(w->in, type->query_num, w->obj[t].num);
	if (type->fill_query)
		type->fill_query(w, w->in);
}

void objtype_build_modify(struct mdx_world *w, enum objtype_id t)
{
	const struct objtype *type = &objtypes[t];

	world_build(w, type->modify, 0, type->modify_in + type->modify_list,
		    MBOX_HDR_LEN);
	mbox_set_field(w->in, type->modify_num, w->obj[t].num);
	if (type->fill_modify)
		type->fill_modify(w, w->in);
}

int objtype_create_needs(struct mdx_world *w, enum objtype_id t)
{
	int i, ret;

	for (i = 0; i < OBJTYPE_COUNT; i++) {
		if (!(objtypes[t].needs & NEEDS(i)))
			continue;
		ret = objtype_create(w, i);
		if (ret)
			return ret;
	}
	return 0;
}

/* The handle is not kept: the context destroys the object. */
static int create_stock(struct mdx_world *w, uint32_t *id)
{
	const struct mbox_pair *m = &w->m;

	*id = FOREIGN_ID;
	return mlx5dv_devx_obj_create(w->mdx.ctx, m->in, m->in_len, m->out,
				      m->out_len) ? 0 : errno;
}

static int create_one(struct mdx_world *w, uint32_t *id)
{
	/* What the stock driver does not create, the module does. */
	if (w->by_stock && w->by_stock(w) && !create_stock(w, id))
		return 0;
	return _test_mdx_create(w->mdx.fd, &w->m, id);
}

int objtype_create_more(struct mdx_world *w, enum objtype_id t,
			struct test_obj *obj)
{
	const struct objtype *type = &objtypes[t];
	int ret = objtype_create_needs(w, t);

	if (ret)
		return ret;
	objtype_build_create(w, t);
	ret = create_one(w, &obj->id);
	if (ret && !w->quiet)
		fprintf(stderr, "# create %s: %s, status 0x%x syndrome 0x%x\n",
			type->name, strerror(ret), mbox_get32(w->out, 0) >> 24,
			mbox_get32(w->out, 4));
	if (ret)
		return ret;
	obj->num = mbox_get_field(type->num_chosen ? w->in : w->out, type->num);
	return 0;
}

int objtype_create(struct mdx_world *w, enum objtype_id t)
{
	if (w->obj[t].id)
		return 0;
	return objtype_create_more(w, t, &w->obj[t]);
}

int objtype_destroy(struct mdx_world *w, enum objtype_id t)
{
	int ret = _test_mdx_destroy(w->mdx.fd, w->obj[t].id);

	if (!ret)
		memset(&w->obj[t], 0, sizeof(w->obj[t]));
	return ret;
}
