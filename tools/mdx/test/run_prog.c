// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A program for mdx run, in three kinds: all functions by the PLT; the open
 * functions by dlsym() (OPEN_BY_DLSYM), as NVSHMEM does; all by dlsym() or dlvsym()
 * (CALL_BY_DLSYM, too), as NCCL and DOCA do.
 *
 * Of mlx5dv_devx_*: general_cmd three times, obj_create twice, of which one fails,
 * obj_destroy, umem_reg and umem_dereg once each. With "table", a flow table as well.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include "opcodes/opcodes.h"

__attribute__((unused)) static void *
find_symbol(const char *library, const char *name, const char *version)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL), *symbol;

	symbol = handle ? version ? dlvsym(handle, name, version) : dlsym(handle, name) : NULL;
	if (!symbol) {
		fprintf(stderr, "%s: %s\n", name, dlerror());
		exit(1);
	}
	return symbol;
}

#ifdef OPEN_BY_DLSYM
#define OPEN(name) ((__typeof__(name) *)find_symbol("libibverbs.so.1", #name, NULL))
#define DV_OPEN(name) ((__typeof__(name) *)find_symbol("libmlx5.so.1", #name, NULL))
#else
#define OPEN(name) name
#define DV_OPEN(name) name
#endif
#ifdef CALL_BY_DLSYM
#define CALL(name) ((__typeof__(name) *)find_symbol("libmlx5.so.1", #name, "MLX5_1.7"))
#else
#define CALL(name) name
#endif
static struct ibv_context *open_first(void)
{
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
	struct ibv_device **list = OPEN(ibv_get_device_list)(NULL);

	return list && *list ? DV_OPEN(mlx5dv_open_device)(*list, &attr) : NULL;
}

/* Byte of the input of CREATE_TIS where tis_context.transport_domain begins. */
#define TRANSPORT_DOMAIN 0x45
/* Of CREATE_FLOW_TABLE, flow_table_context.level. */
#define TABLE_LEVEL 0x19

static struct mlx5dv_devx_obj *create_object(struct ibv_context *ctx, uint16_t opcode, size_t len)
{
	uint8_t in[256] = { opcode >> 8, opcode }, out[16] = { 0 };

	if (opcode == MDX_OPCODE_CREATE_TIS)
		memset(in + TRANSPORT_DOMAIN, 0xff, 3);
	if (opcode == MDX_OPCODE_CREATE_FLOW_TABLE)
		in[TABLE_LEVEL] = 2;

	return CALL(mlx5dv_devx_obj_create)(ctx, in, len, out, sizeof(out));
}

static int query_caps(struct ibv_context *ctx)
{
	uint8_t in[16] = { MDX_OPCODE_QUERY_HCA_CAP >> 8, MDX_OPCODE_QUERY_HCA_CAP & 0xff };
	static uint8_t out[4112];

	return CALL(mlx5dv_devx_general_cmd)(ctx, in, sizeof(in), out, sizeof(out));
}

/* A flow table of received traffic, with one entry. */
static int use_table(struct ibv_context *ctx)
{
	struct mlx5dv_devx_obj *obj = create_object(ctx, MDX_OPCODE_CREATE_FLOW_TABLE, 64);

	return obj ? CALL(mlx5dv_devx_obj_destroy)(obj) : 1;
}

int main(int argc, char **argv)
{
	static char memory[8192] __attribute__((aligned(4096)));
	struct ibv_context *ctx = open_first();
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_obj *obj;
	int i;

	if (!ctx)
		return 2;
	for (i = 0; i < 3; i++)
		if (query_caps(ctx))
			return 3;
	obj = create_object(ctx, MDX_OPCODE_ALLOC_TRANSPORT_DOMAIN, 16);
	/* A TIS of a transport domain that nobody has. */
	if (!obj || create_object(ctx, MDX_OPCODE_CREATE_TIS, 192))
		return 4;
	umem = CALL(mlx5dv_devx_umem_reg)(ctx, memory, sizeof(memory), 0);
	if (!umem || CALL(mlx5dv_devx_umem_dereg)(umem))
		return 5;
	if (argc > 1 && !strcmp(argv[1], "table") && use_table(ctx))
		return 7;
	/* Until a signal has been seen to be answered. */
	if (argc > 1 && !strcmp(argv[1], "wait"))
		getchar();
	if (CALL(mlx5dv_devx_obj_destroy)(obj))
		return 6;
	return argc > 1 && !strcmp(argv[1], "leave") ? 0 : OPEN(ibv_close_device)(ctx);
}
