// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdio.h>
#include <sys/mman.h>

#include "kinds.h"

static struct world shared;

static int world_resources(struct world *w)
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

int world_start(struct world *w)
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

void world_stop(struct world *w)
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
	static struct world w;
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

const void *world_cap(struct world *w, enum cap_page page)
{
	static const uint8_t type[CAP_COUNT] = {
		[CAP_GENERAL] = 0, [CAP_ETH] = 1, [CAP_FLOW] = 7,
	};
	uint64_t in[PRM_HDR_LEN / 8];
	uint64_t out[(PRM_HDR_LEN + CAP_LEN) / 8];
	struct mbox m = {
		.in = in, .out = out,
		.in_len = sizeof(in), .out_len = sizeof(out),
	};

	if (!(w->cap_seen & 1U << page)) {
		mdx_hdr(in, MLX5_CMD_OP_QUERY_HCA_CAP, type[page] << 1 | 1, 0);
		if (!_test_mdx_general(w->mdx.fd, &m))
			memcpy(w->cap[page], out + PRM_HDR_LEN / 8, CAP_LEN);
		w->cap_seen |= 1U << page;
	}
	return w->cap[page];
}

uint32_t world_num(struct world *w, enum kind_id k)
{
	return w->obj[k].num;
}

bool kind_there(struct world *w, enum kind_id k)
{
	int i;

	if (kinds[k].has && !kinds[k].has(w))
		return false;
	for (i = 0; i < KIND_COUNT; i++)
		if (kinds[k].needs & NEEDS(i) && !kind_there(w, i))
			return false;
	return true;
}

int64_t kind_live_num(struct world *w, enum kind_id k)
{
	if (k == KIND_MCG || k == KIND_L2)
		return -1;
	return w->obj[k].num;
}

static void build(struct world *w, uint16_t opcode, uint32_t num,
		  uint32_t in_len, uint32_t out_len)
{
	memset(w->in, 0, sizeof(w->in));
	memset(w->out, 0, sizeof(w->out));
	mdx_hdr(w->in, opcode, 0, num);
	w->m = (struct mbox){
		.in = w->in, .out = w->out,
		.in_len = in_len, .out_len = out_len,
	};
}

void kind_build_create(struct world *w, enum kind_id k)
{
	const struct kind *kind = &kinds[k];

	build(w, kind->create, 0, kind->in_len + kind->list_len, kind->out_len);
	if (kind->fill)
		kind->fill(w, w->in);
}

void kind_build_query(struct world *w, enum kind_id k)
{
	const struct kind *kind = &kinds[k];

	build(w, kind->query, kind->fill_query ? 0 : w->obj[k].num,
	      kind->query_in, kind->query_out);
	if (kind->fill_query)
		kind->fill_query(w, w->in);
}

void kind_build_modify(struct world *w, enum kind_id k)
{
	const struct kind *kind = &kinds[k];

	build(w, kind->modify, kind->num ? 0 : w->obj[k].num, kind->modify_in,
	      PRM_HDR_LEN);
	if (kind->fill_modify)
		kind->fill_modify(w, w->in);
}

int kind_needs(struct world *w, enum kind_id k)
{
	int i, ret;

	for (i = 0; i < KIND_COUNT; i++) {
		if (!(kinds[k].needs & NEEDS(i)))
			continue;
		ret = kind_create(w, i);
		if (ret)
			return ret;
	}
	return 0;
}

int kind_create_more(struct world *w, enum kind_id k, struct obj *obj)
{
	const struct kind *kind = &kinds[k];
	int ret = kind_needs(w, k);

	if (ret)
		return ret;
	kind_build_create(w, k);
	ret = _test_mdx_create(w->mdx.fd, &w->m, &obj->id);
	if (ret) {
		fprintf(stderr, "# create %s: %s, status 0x%x syndrome 0x%x\n",
			kind->name, strerror(ret), prm_get32(w->out, 0) >> 24,
			prm_get32(w->out, 4));
		return ret;
	}
	if (kind->num)
		obj->num = kind->num(w->in, w->out);
	else
		obj->num = prm_get32(w->out, PRM_HDR_ID) & 0xffffff;
	return 0;
}

int kind_create(struct world *w, enum kind_id k)
{
	if (w->obj[k].id)
		return 0;
	return kind_create_more(w, k, &w->obj[k]);
}

int kind_destroy(struct world *w, enum kind_id k)
{
	int ret = _test_mdx_destroy(w->mdx.fd, w->obj[k].id);

	if (!ret)
		memset(&w->obj[k], 0, sizeof(w->obj[k]));
	return ret;
}
