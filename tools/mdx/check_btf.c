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

static bool layouts_match(const struct btf *btf)
{
	uint32_t pd = struct_size(btf, "ib_pd"), cq = struct_size(btf, "ib_cq");

	return pd && cq && member_offset(btf, "mlx5_ib_pd", "ibpd") == 0 &&
	       member_offset(btf, "mlx5_ib_pd", "pdn") == pd &&
	       member_offset(btf, "mlx5_ib_pd", "uid") == pd + 4 &&
	       struct_size(btf, "mlx5_ib_pd") == pd + 8 &&
	       member_offset(btf, "mlx5_ib_cq", "ibcq") == 0 &&
	       member_offset(btf, "mlx5_ib_cq", "mcq") == cq;
}

void check_layout(struct finding *f)
{
	struct btf *kernel, *driver = NULL;

	f->id = "layout";
	kernel = btf__parse(root_path("/sys/kernel/btf/vmlinux"), NULL);
	if (kernel && exists("/sys/kernel/btf/mlx5_ib"))
		driver = btf__parse_split(root_path("/sys/kernel/btf/mlx5_ib"), kernel);
	if (!kernel || (!driver && struct_size(kernel, "mlx5_ib_pd") == 0)) {
		found(f, CHECK_NOTE, "mlx5_ib has no BTF, so its layouts are seen only when a context is bound");
	} else if (layouts_match(driver ?: kernel)) {
		found(f, CHECK_OK, "the running mlx5_ib has the layouts that the module knows");
	} else {
		found(f, CHECK_BAD, "the running mlx5_ib has other layouts than the module knows: no context will be served");
		todo(f, "a newer mlx5_devx may know it; with a vendor's drivers, Documentation/install.md, \"Which headers\"");
	}
	btf__free(driver);
	btf__free(kernel);
}
