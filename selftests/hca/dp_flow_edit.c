// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "dp_flow_edit.h"

#define FIELD(f) MLX5_ACTION_IN_FIELD_##f
#define OUT(f) FIELD(OUT_##f)

enum { IN_ETH, IN_TAG, IN_IPV4, IN_IPV6, IN_TCP, IN_UDP, IN_REG, IN_NONE };
/* Registers in the order of eth_reg(). */
enum { REG_A, REG_B, REG_C };

/* Position of a field: bit in a header, or a register. */
struct place {
	u8 id;
	u8 in;
	u16 bit;
	u8 width;
};

/* Some fields are at a different place in each header. */
static const struct place places[] = {
	{ OUT(SMAC_47_16), IN_ETH, 48, 32 },
	{ OUT(SMAC_15_0), IN_ETH, 80, 16 },
	{ OUT(DMAC_47_16), IN_ETH, 0, 32 },
	{ OUT(DMAC_15_0), IN_ETH, 32, 16 },
	{ OUT(FIRST_VID), IN_TAG, 20, 12 },
	{ OUT(IP_DSCP), IN_IPV4, 8, 6 },
	{ OUT(IP_DSCP), IN_IPV6, 4, 6 },
	{ OUT(IP_TTL), IN_IPV4, 64, 8 },
	{ OUT(IPV6_HOPLIMIT), IN_IPV6, 56, 8 },
	{ OUT(SIPV4), IN_IPV4, 96, 32 },
	{ OUT(DIPV4), IN_IPV4, 128, 32 },
	{ OUT(SIPV6_127_96), IN_IPV6, 64, 32 },
	{ OUT(SIPV6_95_64), IN_IPV6, 96, 32 },
	{ OUT(SIPV6_63_32), IN_IPV6, 128, 32 },
	{ OUT(SIPV6_31_0), IN_IPV6, 160, 32 },
	{ OUT(DIPV6_127_96), IN_IPV6, 192, 32 },
	{ OUT(DIPV6_95_64), IN_IPV6, 224, 32 },
	{ OUT(DIPV6_63_32), IN_IPV6, 256, 32 },
	{ OUT(DIPV6_31_0), IN_IPV6, 288, 32 },
	{ OUT(TCP_SPORT), IN_TCP, 0, 16 },
	{ OUT(TCP_DPORT), IN_TCP, 16, 16 },
	{ OUT(TCP_SEQ_NUM), IN_TCP, 32, 32 },
	{ OUT(TCP_ACK_NUM), IN_TCP, 64, 32 },
	{ OUT(TCP_FLAGS), IN_TCP, 103, 9 },
	{ OUT(UDP_SPORT), IN_UDP, 0, 16 },
	{ OUT(UDP_DPORT), IN_UDP, 16, 16 },
	{ FIELD(METADATA_REG_A), IN_REG, REG_A, 32 },
	{ FIELD(METADATA_REG_B), IN_REG, REG_B, 32 },
	{ FIELD(METADATA_REG_C_0), IN_REG, REG_C + 0, 32 },
	{ FIELD(METADATA_REG_C_1), IN_REG, REG_C + 1, 32 },
	{ FIELD(METADATA_REG_C_2), IN_REG, REG_C + 2, 32 },
	{ FIELD(METADATA_REG_C_3), IN_REG, REG_C + 3, 32 },
	{ FIELD(METADATA_REG_C_4), IN_REG, REG_C + 4, 32 },
	{ FIELD(METADATA_REG_C_5), IN_REG, REG_C + 5, 32 },
	{ FIELD(METADATA_REG_C_6), IN_REG, REG_C + 6, 32 },
	{ FIELD(METADATA_REG_C_7), IN_REG, REG_C + 7, 32 },
};

/* The header that a packet has; NULL for a register, or if it is absent. */
static u8 *header_of(struct eth_pkt *pkt, u8 in)
{
	switch (in) {
	case IN_ETH:
		return pkt->data;
	case IN_TAG:
		return pkt->tags ? pkt->data + 12 : NULL;
	case IN_IPV4:
		return pkt->ip_version == 4 ? pkt->data + pkt->l3 : NULL;
	case IN_IPV6:
		return pkt->ip_version == 6 ? pkt->data + pkt->l3 : NULL;
	case IN_TCP:
		return pkt->l4_type == L4_TCP ? pkt->data + pkt->l4 : NULL;
	case IN_UDP:
		return pkt->l4_type == L4_UDP ? pkt->data + pkt->l4 : NULL;
	default:
		return NULL;
	}
}

static u32 *eth_reg(struct eth_pkt *pkt, u16 reg)
{
	if (reg == REG_A)
		return &pkt->reg_a;
	return reg == REG_B ? &pkt->reg_b : &pkt->reg_c[reg - REG_C];
}

/* The place of field @id, in a header that @pkt has if there is a packet. */
static const struct place *place_of(struct eth_pkt *pkt, u16 id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places); i++)
		if (places[i].id == id &&
		    (!pkt || places[i].in == IN_REG ||
		     header_of(pkt, places[i].in)))
			return &places[i];
	return NULL;
}

static u32 place_get(struct eth_pkt *pkt, const struct place *p)
{
	if (p->in == IN_REG)
		return *eth_reg(pkt, p->bit);
	return prm_get(header_of(pkt, p->in), p->bit, p->width);
}

static void place_set(struct eth_pkt *pkt, const struct place *p, u32 val)
{
	if (p->in == IN_REG)
		*eth_reg(pkt, p->bit) = val;
	else
		prm_set(header_of(pkt, p->in), p->bit, p->width, val);
}

/* Length 0 means 32. */
static unsigned int length_of(unsigned int length)
{
	return length ? length : 32;
}

static u32 bits_of(unsigned int off, unsigned int length)
{
	return (u32)(((1ULL << length) - 1) << off);
}

static bool edit_fits(u16 id, unsigned int off, unsigned int length)
{
	const struct place *p = place_of(NULL, id);

	return p && off + length <= p->width;
}

bool flow_edit_known(const u8 action[FLOW_EDIT])
{
	unsigned int length;

	switch (PRM_GET(set_action_in, action, action_type)) {
	case MLX5_ACTION_TYPE_SET:
		length = length_of(PRM_GET(set_action_in, action, length));
		return edit_fits(PRM_GET(set_action_in, action, field),
			    PRM_GET(set_action_in, action, offset), length);
	case MLX5_ACTION_TYPE_ADD:
		return edit_fits(PRM_GET(set_action_in, action, field), 0, 1);
	case MLX5_ACTION_TYPE_COPY:
		length = length_of(PRM_GET(copy_action_in, action, length));
		return edit_fits(PRM_GET(copy_action_in, action, src_field),
				 PRM_GET(copy_action_in, action, src_offset),
				 length) &&
		       edit_fits(PRM_GET(copy_action_in, action, dst_field),
				 PRM_GET(copy_action_in, action, dst_offset),
				 length);
	default:
		return false;
	}
}

static void edit_copy(struct eth_pkt *pkt, const u8 *action)
{
	unsigned int length = length_of(PRM_GET(copy_action_in, action,
						length));
	unsigned int to_off = PRM_GET(copy_action_in, action, dst_offset);
	u32 bits = bits_of(to_off, length), val;
	const struct place *from, *to;

	from = place_of(pkt, PRM_GET(copy_action_in, action, src_field));
	to = place_of(pkt, PRM_GET(copy_action_in, action, dst_field));
	if (!from || !to)
		return;
	val = place_get(pkt, from) >>
	      PRM_GET(copy_action_in, action, src_offset);
	place_set(pkt, to, (place_get(pkt, to) & ~bits) |
			   (val << to_off & bits));
}

static void edit_one(struct eth_pkt *pkt, const u8 *action)
{
	const struct place *p;
	unsigned int off;
	u32 val, bits;

	if (PRM_GET(set_action_in, action, action_type) ==
	    MLX5_ACTION_TYPE_COPY) {
		edit_copy(pkt, action);
		return;
	}
	p = place_of(pkt, PRM_GET(set_action_in, action, field));
	if (!p)
		return;
	val = PRM_GET(set_action_in, action, data);
	if (PRM_GET(set_action_in, action, action_type) ==
	    MLX5_ACTION_TYPE_ADD) {
		place_set(pkt, p, place_get(pkt, p) + val);
		return;
	}
	off = PRM_GET(set_action_in, action, offset);
	bits = bits_of(off, length_of(PRM_GET(set_action_in, action, length)));
	place_set(pkt, p, (place_get(pkt, p) & ~bits) | (val << off & bits));
}

void flow_edit(struct eth_pkt *pkt, const u8 *actions, size_t n)
{
	bool l3_ok = eth_l3_ok(pkt), l4_ok = eth_l4_ok(pkt);

	for (; n; n--, actions += FLOW_EDIT)
		edit_one(pkt, actions);
	if (l3_ok)
		eth_l3_fill(pkt);
	if (l4_ok && pkt->l4_type == L4_TCP)
		eth_l4_fill(pkt);
	/* A datagram without checksum stays without it. */
	if (l4_ok && pkt->l4_type == L4_UDP &&
	    (pkt->data[pkt->l4 + 6] || pkt->data[pkt->l4 + 7]))
		eth_l4_fill(pkt);
}
