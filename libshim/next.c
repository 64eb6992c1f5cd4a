// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * The libraries behind this one. libmdx is linked with libmlx5 and libibverbs,
 * so they are found behind it wherever it is found itself: on the link line, in
 * LD_PRELOAD, or by dlopen().
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include "shim.h"

/* Written once, by next_init(). */
static struct mdx_next next;
static struct {
	uintptr_t start;
	uintptr_t end;
} mlx5_text;
static pthread_once_t next_once = PTHREAD_ONCE_INIT;

/* Find the code that @data lies in. */
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

static void next_init(void)
{
	void *mlx5 = dlvsym(RTLD_NEXT, "mlx5dv_is_supported", "MLX5_1.8");

	if (mlx5)
		dl_iterate_phdr(next_find_text, mlx5);
	next.obj_create = dlvsym(RTLD_NEXT, "mlx5dv_devx_obj_create",
				 "MLX5_1.7");
	next.obj_query = dlvsym(RTLD_NEXT, "mlx5dv_devx_obj_query",
				"MLX5_1.7");
	next.obj_modify = dlvsym(RTLD_NEXT, "mlx5dv_devx_obj_modify",
				 "MLX5_1.7");
	next.obj_destroy = dlvsym(RTLD_NEXT, "mlx5dv_devx_obj_destroy",
				  "MLX5_1.7");
	next.general_cmd = dlvsym(RTLD_NEXT, "mlx5dv_devx_general_cmd",
				  "MLX5_1.7");
	next.dv_open_device = dlvsym(RTLD_NEXT, "mlx5dv_open_device",
				     "MLX5_1.7");
	next.open_device = dlvsym(RTLD_NEXT, "ibv_open_device", "IBVERBS_1.1");
	next.import_device = dlvsym(RTLD_NEXT, "ibv_import_device",
				    "IBVERBS_1.10");
	next.close_device = dlvsym(RTLD_NEXT, "ibv_close_device",
				   "IBVERBS_1.1");
}

static void next_once_init(void)
{
	int saved = errno;

	pthread_once(&next_once, next_init);
	errno = saved;
}

const struct mdx_next *mdx_next(void)
{
	next_once_init();
	return &next;
}

/*
 * libmlx5 calls mlx5dv_devx_* itself, through its PLT and so through here:
 * while it opens a context, and later for objects of its own, whose uverbs
 * handles it gives to the kernel. Those must be its own.
 */
bool mdx_caller_is_mlx5(const void *caller)
{
	uintptr_t addr = (uintptr_t)caller;

	next_once_init();
	return addr >= mlx5_text.start && addr < mlx5_text.end;
}
