// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/file.h>
#include <linux/mlx5/device.h>
#include <linux/slab.h>
#include <rdma/uverbs_std_types.h>
#include <rdma/uverbs_types.h>
#include <rdma/uverbs_ioctl.h>

#include "fake_fw.h"
#include "obj_env.h"
#include "verbs_env.h"
#include "../kmod/verbs_layout.h"

struct verbs_context verbs_contexts[VERBS_CONTEXTS];

static struct file other_file;

/* A PD: freed with the last reference on its uobject */
struct verbs_pd {
	struct ib_uobject uobj;
	struct mdx_ib_pd pd;
};

static struct verbs_context *uobj_context(const struct ib_uobject *uobj)
{
	return (void *)uobj->ufile;
}

static void uobj_release(struct kref *ref)
{
	struct ib_uobject *uobj = container_of(ref, struct ib_uobject, ref);

	uobj_context(uobj)->pds[uobj->id] = NULL;
	kfree(container_of(uobj, struct verbs_pd, uobj));
}

static void verbs_uobject_put(struct ib_uobject *uobj)
{
	kref_put(&uobj->ref, uobj_release);
}

static struct ib_uobject *fake_lookup_get(const struct uverbs_api_object *obj,
					  struct ib_uverbs_file *ufile, s64 id,
					  enum rdma_lookup_mode mode)
{
	struct verbs_context *context = (void *)ufile;
	struct ib_uobject *uobj;

	list_for_each_entry(uobj, &context->uobjs, list) {
		if (uobj->id == id) {
			kref_get(&uobj->ref);
			return uobj;
		}
	}
	return ERR_PTR(-ENOENT);
}

static int fake_destroy_hw(struct ib_uobject *uobj, enum rdma_remove_reason why,
			   struct uverbs_attr_bundle *attrs)
{
	struct verbs_context *context = uobj_context(uobj);

	context->destroys[uobj->id]++;
	if (context->refusals[uobj->id]) {
		context->refusals[uobj->id]--;
		return -EBUSY;
	}
	if (context->destroyed)
		context->destroyed(uobj->id);
	return 0;
}

static const struct uverbs_obj_type_class fake_class = {
	.lookup_get = fake_lookup_get,
	.destroy_hw = fake_destroy_hw,
};

static const struct uverbs_obj_type_class other_class;
static const struct uverbs_obj_type pd_type = { .type_class = &fake_class };
static const struct uverbs_api_object pd_object = {
	.type_attrs = &pd_type, .type_class = &fake_class,
	.id = UVERBS_OBJECT_PD,
};

static const struct uverbs_api_object other_object = {
	.type_attrs = &pd_type, .type_class = &other_class,
	.id = UVERBS_OBJECT_PD,
};

static int pd_add(struct verbs_context *context, u32 handle)
{
	struct verbs_pd *pd = kzalloc(sizeof(*pd), GFP_KERNEL);

	if (!pd)
		return -ENOMEM;
	pd->pd.ibpd.device = &fw->ibdev;
	pd->pd.ibpd.uobject = &pd->uobj;
	pd->pd.pdn = VERBS_PDN + handle;
	pd->pd.uid = context->uid;
	pd->uobj.ufile = (void *)context;
	pd->uobj.context = &context->ucontext;
	pd->uobj.object = &pd->pd.ibpd;
	pd->uobj.id = handle;
	pd->uobj.uapi_object = &pd_object;
	kref_init(&pd->uobj.ref);
	list_add(&pd->uobj.list, &context->uobjs);
	context->pds[handle] = &pd->uobj;
	return 0;
}

void verbs_set_uid(struct verbs_context *context, u16 uid)
{
	struct ib_uobject *uobj;

	list_for_each_entry(uobj, &context->uobjs, list)
		container_of(uobj, struct verbs_pd, uobj)->pd.uid = uid;
}

static int context_init(struct verbs_context *context, u16 uid)
{
	int ret = 0;
	u32 i;

	context->file.private_data = context;
	context->ucontext.device = &fw->ibdev;
	context->uid = uid;
	for (i = 0; !ret && i < VERBS_PDS; i++)
		ret = pd_add(context, i);
	return ret;
}

int verbs_init(struct kunit *test)
{
	int ret = 0;
	int i;

	memset(verbs_contexts, 0, sizeof(verbs_contexts));
	for (i = 0; i < VERBS_CONTEXTS; i++)
		INIT_LIST_HEAD(&verbs_contexts[i].uobjs);
	fw->ibdev.ops.size_ib_pd = sizeof(struct mdx_ib_pd);
	for (i = 0; !ret && i < VERBS_CONTEXTS; i++)
		ret = context_init(&verbs_contexts[i], ENV_UID + i);
	return ret;
}

/* As uverbs_destroy_uobject() in a pass */
static int uobj_destroy(struct ib_uobject *uobj, enum rdma_remove_reason why)
{
	int ret;

	if (uobj->object) {
		ret = uobj->uapi_object->type_class->destroy_hw(uobj, why, NULL);
		if (ret)
			return ret;
		uobj->object = NULL;
	}
	uobj->context = NULL;
	atomic_set(&uobj->usecnt, 0);
	list_del_init(&uobj->list);
	verbs_uobject_put(uobj);
	return 0;
}

bool verbs_pass(struct verbs_context *context, enum rdma_remove_reason why)
{
	struct ib_uobject *uobj, *next;
	bool destroyed = false;

	list_for_each_entry_safe(uobj, next, &context->uobjs, list) {
		KUNIT_EXPECT_EQ(env.test, atomic_cmpxchg(&uobj->usecnt, 0, -1),
				0);
		if (why == RDMA_REMOVE_DRIVER_FAILURE)
			uobj->object = NULL;
		if (!uobj_destroy(uobj, why))
			destroyed = true;
		else
			atomic_set(&uobj->usecnt, 0);
	}
	return destroyed;
}

bool verbs_end(struct verbs_context *context, enum rdma_remove_reason why)
{
	bool whole;

	if (why == VERBS_CLOSE)
		context->closed = true;
	while (!list_empty(&context->uobjs) && verbs_pass(context, why))
		;
	whole = list_empty(&context->uobjs);
	if (!whole)
		verbs_pass(context, RDMA_REMOVE_DRIVER_FAILURE);
	return whole;
}

void verbs_exit(struct kunit *test)
{
	int i, handle;

	for (i = 0; i < VERBS_CONTEXTS; i++) {
		KUNIT_EXPECT_EQ(test, atomic_read(&verbs_contexts[i].refs), 0);
		for (handle = 0; handle < VERBS_PDS; handle++)
			KUNIT_EXPECT_NULL(test, verbs_contexts[i].pds[handle]);
	}
}

int verbs_destroy_pd(struct verbs_context *context, u32 handle)
{
	struct ib_uobject *uobj = fake_lookup_get(&pd_object, (void *)context,
						  handle, UVERBS_LOOKUP_DESTROY);
	int ret = -EINVAL;

	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	if (uobj->uapi_object != &pd_object)
		goto put;
	ret = -EBUSY;
	if (atomic_cmpxchg(&uobj->usecnt, 0, -1))
		goto put;
	ret = uobj_destroy(uobj, RDMA_REMOVE_DESTROY);
	if (ret)
		atomic_set(&uobj->usecnt, 0);
put:
	verbs_uobject_put(uobj);
	return ret;
}

void verbs_use_pd(struct verbs_context *context, u32 handle)
{
	struct ib_uobject *uobj = context->pds[handle];

	kref_get(&uobj->ref);
	atomic_inc(&uobj->usecnt);
}

void verbs_unuse_pd(struct verbs_context *context, u32 handle)
{
	struct ib_uobject *uobj = context->pds[handle];

	atomic_dec(&uobj->usecnt);
	verbs_uobject_put(uobj);
}

void verbs_change_class(struct verbs_context *context, u32 handle)
{
	context->pds[handle]->uapi_object = &other_object;
}

void verbs_restore_class(struct verbs_context *context, u32 handle)
{
	context->pds[handle]->uapi_object = &pd_object;
}

struct file *verbs_fget(unsigned int fd)
{
	if (fd == VERBS_OTHER_FD)
		return &other_file;
	if (fd >= VERBS_CONTEXTS || verbs_contexts[fd].closed)
		return NULL;
	atomic_inc(&verbs_contexts[fd].refs);
	return &verbs_contexts[fd].file;
}

void verbs_fput(struct file *file)
{
	if (file != &other_file)
		atomic_dec(&((struct verbs_context *)file->private_data)->refs);
}

struct file *verbs_file_active(struct file **file)
{
	struct verbs_context *context;

	if (!*file)
		return NULL;
	context = (*file)->private_data;
	if (context->closed)
		return NULL;
	atomic_inc(&context->refs);
	return *file;
}

/* As the cleanup of a variable with __free(fput) */
static inline void verbs_free_fput(void *var)
{
	struct file *file = *(struct file **)var;

	if (!IS_ERR_OR_NULL(file))
		verbs_fput(file);
}

/* dev.c */
struct mdx_dev *mdx_dev_of_uverbs(struct file *filp)
{
	if (filp == &other_file)
		return NULL;
	kref_get(&env.mdx.ref);
	return &env.mdx;
}

static bool env_in_netns(void)
{
	return !env.other_netns;
}

#define uverbs_idr_class fake_class
#define uverbs_uobject_put verbs_uobject_put
#define rdma_dev_access_netns(dev, net) env_in_netns()
#define rdma_port_get_link_layer(dev, port) IB_LINK_LAYER_ETHERNET
#define fget verbs_fget
#define fput verbs_fput
#define __free_fput verbs_free_fput

#include "../kmod/anchor.c"
#include "../kmod/bind.c"
#include "../kmod/interop.c"
#include "../kmod/uobj.c"

int verbs_anchor(struct mdx_owner *owner, struct verbs_context *context)
{
	struct ib_uobject *uobj = mdx_uobj_get_exclusive(&context->file, 0);
	int ret;

	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = mdx_anchor_take(&owner->anchor, uobj);
	mdx_uobj_put_exclusive(uobj);
	return ret;
}

int env_verify_uid(struct mdx_owner *owner, u32 pdn, u16 uid)
{
	struct pd_ids ids = { .pdn = pdn, .uid = uid };
	struct mdx_err_info err = {};

	guard(mdx_live)(owner->mdx);
	return verify_uid(owner, &ids, &err);
}
