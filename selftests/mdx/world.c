// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdio.h>
#include <sys/mman.h>

#include "world.h"

static struct mdx_world shared;

static int world_resources(struct mdx_world *w)
{
	if (shared.uar) {
		w->mem = shared.mem;
		w->umem = shared.umem;
		w->uar = shared.uar;
		w->eqn = shared.eqn;
		w->cap_seen = shared.cap_seen;
		memcpy(w->cap, shared.cap, sizeof(w->cap));
		return 0;
	}
	w->mem = mmap(NULL, MEM_LEN, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (w->mem == MAP_FAILED)
		return ENOMEM;
	w->umem = mlx5dv_devx_umem_reg(w->mdx.ctx, w->mem, MEM_LEN,
				       IBV_ACCESS_LOCAL_WRITE);
	if (!w->umem)
		return errno;
	w->uar = mlx5dv_devx_alloc_uar(w->mdx.ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	if (!w->uar)
		return errno;
	return mlx5dv_devx_query_eqn(w->mdx.ctx, 0, &w->eqn);
}

int world_start(struct mdx_world *w)
{
	int ret;

	w->hca = hca_open();
	if (hca_expected() && !w->hca)
		return EIO;
	ret = mdx_start(&w->mdx);
	if (ret)
		return ret;
	ret = world_resources(w);
	if (ret)
		fprintf(stderr, "# umem, UAR or EQN: %s\n", strerror(ret));
	return ret;
}

void world_stop(struct mdx_world *w)
{
	if (w->hca)
		hca_cmd(w->hca, "reset-script");
	if (w->mdx.fd > 0)
		close(w->mdx.fd);
	w->mdx.fd = -1;
	if (w->umem && w->umem != shared.umem)
		mlx5dv_devx_umem_dereg(w->umem);
	if (w->uar && w->uar != shared.uar)
		mlx5dv_devx_free_uar(w->uar);
	mdx_stop(&w->mdx);
	hca_close(w->hca);
	memset(w, 0, sizeof(*w));
}

void world_share(void)
{
	static struct mdx_world w;
	int page;

	mdx_share();
	if (!mdx_ibv_device() || access(MDX_NODE, F_OK) || world_start(&w))
		return;
	for (page = 0; page < CAP_COUNT; page++)
		world_cap(&w, page);
	close(w.mdx.fd);
	hca_close(w.hca);
	shared = w;
}

const void *world_cap(struct mdx_world *w, enum cap_page page)
{
	static const uint8_t type[CAP_COUNT] = {
		[CAP_GENERAL] = 0, [CAP_ETH] = 1, [CAP_FLOW] = 7,
	};
	uint64_t in[MBOX_HDR_LEN / 8];
	uint64_t out[(MBOX_HDR_LEN + CAP_LEN) / 8];
	struct mbox_pair m = {
		.in = in, .out = out,
		.in_len = sizeof(in), .out_len = sizeof(out),
	};

	if (!(w->cap_seen & 1U << page)) {
		mdx_hdr(in, MLX5_CMD_OP_QUERY_HCA_CAP, type[page] << 1 | 1, 0);
		if (!_test_mdx_general(w->mdx.fd, &m))
			memcpy(w->cap[page], out + MBOX_HDR_LEN / 8, CAP_LEN);
		w->cap_seen |= 1U << page;
	}
	return w->cap[page];
}

uint32_t world_num(struct mdx_world *w, enum objtype_id t)
{
	return w->obj[t].num;
}

void world_build(struct mdx_world *w, uint16_t opcode, uint32_t num,
		 uint32_t in_len, uint32_t out_len)
{
	memset(w->in, 0, sizeof(w->in));
	memset(w->out, 0, sizeof(w->out));
	mdx_hdr(w->in, opcode, 0, num);
	w->m = (struct mbox_pair){
		.in = w->in, .out = w->out,
		.in_len = in_len, .out_len = out_len,
	};
}
