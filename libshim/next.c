// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * Lookup of the functions that libmdx stands in front of. libmdx is linked with
 * libmlx5 and libibverbs, so RTLD_NEXT finds them however libmdx itself was
 * loaded: by the link line, LD_PRELOAD or dlopen().
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "next.h"

/* Written once, by next_init(). */
static struct mdx_next next;
static struct {
	uintptr_t start;
	uintptr_t end;
} mlx5_text;
static pthread_once_t next_once = PTHREAD_ONCE_INIT;
static atomic_bool next_ready;

/* Set mlx5_text to the segment that contains the address @data. */
static int next_find_text(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t addr = (uintptr_t)data;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + phdr->p_vaddr;

		if (phdr->p_type != PT_LOAD || !(phdr->p_flags & PF_X) ||
		    addr < start || addr - start >= phdr->p_memsz)
			continue;
		mlx5_text.start = start;
		mlx5_text.end = start + phdr->p_memsz;
		return 1;
	}
	return 0;
}

#define NEXT(field, name, version) \
	{ offsetof(struct mdx_next, field), name, version }

static const struct {
	size_t at;
	const char *name;
	const char *version;
} next_names[] = {
	NEXT(obj_create, "mlx5dv_devx_obj_create", "MLX5_1.7"),
	NEXT(obj_query, "mlx5dv_devx_obj_query", "MLX5_1.7"),
	NEXT(obj_modify, "mlx5dv_devx_obj_modify", "MLX5_1.7"),
	NEXT(obj_destroy, "mlx5dv_devx_obj_destroy", "MLX5_1.7"),
	NEXT(obj_export, "mlx5dv_devx_obj_export", "MLX5_1.27"),
	NEXT(obj_import, "mlx5dv_devx_obj_import", "MLX5_1.27"),
	NEXT(obj_unimport, "mlx5dv_devx_obj_unimport", "MLX5_1.27"),
	NEXT(create_cmd_comp, "mlx5dv_devx_create_cmd_comp", "MLX5_1.9"),
	NEXT(destroy_cmd_comp, "mlx5dv_devx_destroy_cmd_comp", "MLX5_1.9"),
	NEXT(query_async, "mlx5dv_devx_obj_query_async", "MLX5_1.9"),
	NEXT(get_async_cmd_comp, "mlx5dv_devx_get_async_cmd_comp", "MLX5_1.9"),
	NEXT(create_event_channel, "mlx5dv_devx_create_event_channel",
	     "MLX5_1.11"),
	NEXT(destroy_event_channel, "mlx5dv_devx_destroy_event_channel",
	     "MLX5_1.11"),
	NEXT(subscribe_event, "mlx5dv_devx_subscribe_devx_event", "MLX5_1.11"),
	NEXT(subscribe_event_fd, "mlx5dv_devx_subscribe_devx_event_fd",
	     "MLX5_1.11"),
	NEXT(get_event, "mlx5dv_devx_get_event", "MLX5_1.11"),
	NEXT(umem_reg_ex, "mlx5dv_devx_umem_reg_ex", "MLX5_1.19"),
	NEXT(umem_dereg, "mlx5dv_devx_umem_dereg", "MLX5_1.7"),
	NEXT(general_cmd, "mlx5dv_devx_general_cmd", "MLX5_1.7"),
	NEXT(cq_query, "mlx5dv_devx_cq_query", "MLX5_1.8"),
	NEXT(cq_modify, "mlx5dv_devx_cq_modify", "MLX5_1.8"),
	NEXT(qp_query, "mlx5dv_devx_qp_query", "MLX5_1.8"),
	NEXT(qp_modify, "mlx5dv_devx_qp_modify", "MLX5_1.8"),
	NEXT(srq_query, "mlx5dv_devx_srq_query", "MLX5_1.8"),
	NEXT(srq_modify, "mlx5dv_devx_srq_modify", "MLX5_1.8"),
	NEXT(wq_query, "mlx5dv_devx_wq_query", "MLX5_1.8"),
	NEXT(wq_modify, "mlx5dv_devx_wq_modify", "MLX5_1.8"),
	NEXT(ind_tbl_query, "mlx5dv_devx_ind_tbl_query", "MLX5_1.8"),
	NEXT(ind_tbl_modify, "mlx5dv_devx_ind_tbl_modify", "MLX5_1.8"),
	NEXT(query_port, "_mlx5dv_query_port", "MLX5_1.19"),
	NEXT(dv_open_device, "mlx5dv_open_device", "MLX5_1.7"),
	NEXT(open_device, "ibv_open_device", "IBVERBS_1.1"),
	NEXT(import_device, "ibv_import_device", "IBVERBS_1.10"),
	NEXT(close_device, "ibv_close_device", "IBVERBS_1.1"),
};

static void next_init(void)
{
	void *mlx5 = dlvsym(RTLD_NEXT, "mlx5dv_is_supported", "MLX5_1.8");
	size_t i;

	if (mlx5)
		dl_iterate_phdr(next_find_text, mlx5);
	for (i = 0; i < sizeof(next_names) / sizeof(next_names[0]); i++) {
		void *func = dlvsym(RTLD_NEXT, next_names[i].name,
				    next_names[i].version);

		memcpy((char *)&next + next_names[i].at, &func, sizeof(func));
	}
	atomic_store_explicit(&next_ready, true, memory_order_release);
}

static void next_once_init(void)
{
	int saved;

	if (atomic_load_explicit(&next_ready, memory_order_acquire))
		return;
	saved = errno;
	pthread_once(&next_once, next_init);
	errno = saved;
}

const struct mdx_next *mdx_next(void)
{
	next_once_init();
	return &next;
}

/*
 * libmlx5 calls mlx5dv_devx_* itself, through its PLT and therefore through
 * libmdx: while it opens a context, and later for objects whose uverbs handles
 * it gives to the kernel. libmlx5 has to create those objects itself.
 */
bool mdx_caller_is_mlx5(const void *caller)
{
	uintptr_t addr = (uintptr_t)caller;

	next_once_init();
	return addr >= mlx5_text.start && addr < mlx5_text.end;
}
