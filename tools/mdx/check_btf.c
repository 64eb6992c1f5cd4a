// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The layouts inside mlx5_ib that the module was written for, compared with those
 * of the running driver before a context is bound. See kmod/verbs_layout.h.
 */
#include <string.h>

#include <linux/btf.h>

#include <bpf/btf.h>

#include "tool.h"

/* Size of a structure; 0 if it is not known. */
static uint32_t struct_size(const struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);

	return id > 0 ? btf__type_by_id(btf, id)->size : 0;
}

/* Offset of a member in bytes; -1 if it has no such member. */
static long member_offset(const struct btf *btf, const char *name, const char *member)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);
	const struct btf_type *type;
	int i;

	if (id <= 0)
		return -1;
	type = btf__type_by_id(btf, id);
	for (i = 0; i < btf_vlen(type); i++)
		if (!strcmp(btf__name_by_offset(btf, btf_members(type)[i].name_off), member))
			return btf_member_bit_offset(type, i) / 8;
	return -1;
}

static void fill_layout(struct driver_layout *layout, const struct btf *btf)
{
	layout->ib_pd = struct_size(btf, "ib_pd");
	layout->mlx5_ib_pd = struct_size(btf, "mlx5_ib_pd");
	layout->ibpd = member_offset(btf, "mlx5_ib_pd", "ibpd");
	layout->pdn = member_offset(btf, "mlx5_ib_pd", "pdn");
	layout->uid = member_offset(btf, "mlx5_ib_pd", "uid");
	layout->ib_cq = struct_size(btf, "ib_cq");
	layout->ibcq = member_offset(btf, "mlx5_ib_cq", "ibcq");
	layout->mcq = member_offset(btf, "mlx5_ib_cq", "mcq");
}

bool read_layout(struct driver_layout *layout)
{
	struct btf *kernel, *driver = NULL;
	bool known;

	kernel = btf__parse(root_path("/sys/kernel/btf/vmlinux"), NULL);
	if (kernel && exists("/sys/kernel/btf/mlx5_ib"))
		driver = btf__parse_split(root_path("/sys/kernel/btf/mlx5_ib"), kernel);
	known = kernel && (driver || struct_size(kernel, "mlx5_ib_pd"));
	if (known)
		fill_layout(layout, driver ?: kernel);
	btf__free(driver);
	btf__free(kernel);
	return known;
}

static bool layouts_match(const struct driver_layout *l)
{
	return l->ib_pd && l->ib_cq && l->ibpd == 0 && l->pdn == l->ib_pd &&
	       l->uid == l->ib_pd + 4 && l->mlx5_ib_pd == l->ib_pd + 8 && l->ibcq == 0 &&
	       l->mcq == l->ib_cq;
}

void check_layout(struct finding *f)
{
	struct driver_layout layout;

	f->id = "layout";
	if (!read_layout(&layout)) {
		found(f, CHECK_NOTE, "mlx5_ib has no BTF, so its layouts are seen only when a context is bound");
	} else if (layouts_match(&layout)) {
		found(f, CHECK_OK, "the running mlx5_ib has the layouts that the module knows");
	} else {
		found(f, CHECK_BAD, "the running mlx5_ib has other layouts than the module knows: no context will be served");
		todo(f, "a newer mlx5_devx may know it; with a vendor's drivers, Documentation/install.md, \"Which headers\"");
	}
}
