// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Small objects: counters, multicast groups, VXLAN ports, L2 addresses,
 * scheduling elements, and general objects.
 */
#include "fw_esw.h"
#include "fw_misc.h"
#include "fw_ref.h"
#include "fw_view.h"

int fw_query_q_counter(struct fw_call *c)
{
	int ret;

	return fw_vport(c, &ret) ? FW_OK : ret;
}

/* The index is checked. Rates are not stored, as no packet is paced. */
int fw_set_pp_rate(struct fw_call *c)
{
	u32 n = PRM_GET(qos_cap, fw_cap(c->fw, 0xc),
			packet_pacing_rate_table_size);

	if (!n)
		return fw_fail(c, FW_BAD_OP, SYND_OPCODE);
	if (PRM_GET(set_pp_rate_limit_in, c->in, rate_limit_index) >= n)
		return fw_fail(c, FW_BAD_INDEX, SYND_INDEX);
	return FW_OK;
}

#define MGID_AT PRM_BYTE(attach_to_mcg_in, multicast_gid)

static struct hca_obj *mcg_find(struct fw_call *c)
{
	struct hca_obj *obj;

	for (obj = c->fw->store.newest; obj; obj = obj->older)
		if (obj->type == OBJ_MCG &&
		    PRM_GET(attach_to_mcg_in, obj->in, qpn) ==
			    PRM_GET(attach_to_mcg_in, c->in, qpn) &&
		    !memcmp(obj->in + MGID_AT, c->in + MGID_AT, 16))
			return obj;
	return NULL;
}

/* In the order of their numbers, so that attaching and detaching is harmless. */
uint32_t fw_mcg_next(struct fw *fw, const uint8_t gid[16], uint32_t qpn)
{
	struct hca_obj *obj;
	u32 num, next = 0;

	for (obj = fw->store.newest; obj; obj = obj->older) {
		if (obj->type != OBJ_MCG || memcmp(obj->in + MGID_AT, gid, 16))
			continue;
		num = PRM_GET(attach_to_mcg_in, obj->in, qpn);
		if (num > qpn && (!next || num < next))
			next = num;
	}
	return next;
}

int fw_attach_mcg(struct fw_call *c)
{
	int ret = fw_ref(c, OBJ_QP, PRM_GET(attach_to_mcg_in, c->in, qpn));

	if (ret)
		return ret;
	if (mcg_find(c))
		return fw_fail(c, FW_BAD_RES_STATE, SYND_EXISTS | OBJ_MCG);
	return fw_create(c);
}

int fw_detach_mcg(struct fw_call *c)
{
	struct hca_obj *obj = mcg_find(c);
	int ret = fw_find(c, OBJ_MCG, obj ? obj->key : 0);

	return ret ? ret : fw_destroy(c);
}

static int add_unique(struct fw_call *c, u64 key)
{
	if (obj_find(&c->fw->store, c->cmd->obj_type, key))
		return fw_fail(c, FW_BAD_RES_STATE,
			       SYND_EXISTS | c->cmd->obj_type);
	return fw_create_key(c, key, 1);
}

int fw_add_vxlan(struct fw_call *c)
{
	u16 port = PRM_GET(add_vxlan_udp_dport_in, c->in, vxlan_udp_port);
	struct hca_obj *obj = obj_find(&c->fw->store, OBJ_VXLAN, port);
	const u8 *eth = fw_cap(c->fw, 1);

	if (!port)
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_VXLAN);
	/* The owner may add the port again, which DEVX treats as a modify. */
	if (obj)
		return fw_find(c, OBJ_VXLAN, port);
	if (c->fw->store.live[OBJ_VXLAN] >=
	    PRM_GET(per_protocol_networking_offload_caps, eth,
		    max_vxlan_udp_ports))
		return fw_fail(c, FW_EXCEED_LIM, SYND_LIMIT | OBJ_VXLAN);
	return add_unique(c, port);
}

/* The key is the index plus one, as 0 is no key. */
static u64 l2_key(struct fw_call *c)
{
	return PRM_GET(set_l2_table_entry_in, c->in, table_index) + 1;
}

int fw_set_l2(struct fw_call *c)
{
	u64 key = l2_key(c);
	int ret;

	if (key > BIT(FW_GEN(c->fw, log_max_l2_table)))
		return fw_fail(c, FW_BAD_INDEX, SYND_INDEX | OBJ_L2);
	if (!obj_find(&c->fw->store, OBJ_L2, key))
		return fw_create_key(c, key, 1);
	ret = fw_find(c, OBJ_L2, key);
	if (!ret)
		memcpy(c->obj->in, c->in, PRM_SZ(set_l2_table_entry_in));
	return ret;
}

int fw_query_l2(struct fw_call *c)
{
	/* The formats are the same from the first field on. */
	size_t at = PRM_BYTE(query_l2_table_entry_out, vlan_valid);
	int ret = fw_find(c, OBJ_L2, l2_key(c));

	if (ret)
		return ret;
	memcpy(c->out + at, c->obj->in + at,
	       PRM_SZ(query_l2_table_entry_out) - at);
	return FW_OK;
}

int fw_delete_l2(struct fw_call *c)
{
	int ret = fw_find(c, OBJ_L2, l2_key(c));

	return ret ? ret : fw_destroy(c);
}

#define SCHED_CTX(p) \
	((p) + PRM_BYTE(create_scheduling_element_in, scheduling_context))

/* Hierarchy 2 is that of the e-switch, 3 that of the NIC. */
int fw_create_sched(struct fw_call *c)
{
	u8 hier = PRM_GET(create_scheduling_element_in, c->in,
			  scheduling_hierarchy);
	u32 parent = PRM_GET(scheduling_context, SCHED_CTX(c->in),
			     parent_element_id);
	int ret = FW_OK;

	if (hier != 2 && hier != 3)
		return fw_fail(c, FW_BAD_PARAM, SYND_VALUE | OBJ_SCHED);
	if (parent)
		ret = fw_ref(c, OBJ_SCHED, parent);
	return ret ? ret : fw_create(c);
}

static int sched_check(struct fw_call *c)
{
	if (PRM_GET(destroy_scheduling_element_in, c->in,
		    scheduling_hierarchy) !=
	    PRM_GET(create_scheduling_element_in, c->obj->in,
		    scheduling_hierarchy))
		return fw_fail(c, FW_BAD_RES_STATE, SYND_UNKNOWN | OBJ_SCHED);
	return FW_OK;
}

int fw_query_sched(struct fw_call *c)
{
	int ret = sched_check(c);

	return ret ? ret : fw_query(c);
}

int fw_modify_sched(struct fw_call *c)
{
	u32 mask = PRM_GET(modify_scheduling_element_in, c->in,
			   modify_bitmask);
	u8 *to = SCHED_CTX(c->obj->in);
	const u8 *from = SCHED_CTX(c->in);
	int ret = sched_check(c);

	if (ret)
		return ret;
	if (mask & BIT(0))
		PRM_SET(scheduling_context, to, bw_share,
			PRM_GET(scheduling_context, from, bw_share));
	if (mask & BIT(1))
		PRM_SET(scheduling_context, to, max_average_bw,
			PRM_GET(scheduling_context, from, max_average_bw));
	return FW_OK;
}

int fw_destroy_sched(struct fw_call *c)
{
	int ret = sched_check(c);

	return ret ? ret : fw_destroy(c);
}

#define GEN_HDR PRM_SZ(general_obj_in_cmd_hdr)

/* Length of the object behind the header; 0 if the type is not supported. */
static size_t gen_len(struct fw *fw, u16 type)
{
	if (type > 63 || !(FW_GEN(fw, general_obj_types) & BIT_ULL(type)))
		return 0;
	switch (type) {
	case 0x0b: /* GENEVE TLV option */
		return 64;
	case 0x0c: /* encryption key; older drivers send a shorter one */
		return 256;
	case 0x18: /* match definer */
		return 128;
	case 0x20: /* sampler */
		return 60;
	case 0x23: /* header modify argument */
		return 20;
	case 0x24: /* flow meter */
		return 128;
	default:
		return 16;
	}
}

static int gen_check(struct fw_call *c, bool body)
{
	size_t len = gen_len(c->fw, PRM_GET(general_obj_in_cmd_hdr, c->in,
					    obj_type));

	if (PRM_GET(general_obj_in_cmd_hdr, c->in, vhca_tunnel_id))
		return fw_fail(c, FW_BAD_PARAM, SYND_TUNNEL | OBJ_GENERAL);
	if (!len)
		return fw_fail(c, FW_BAD_PARAM, SYND_OBJ_TYPE | OBJ_GENERAL);
	return body ? fw_list(c, GEN_HDR, len) : FW_OK;
}

int fw_create_general(struct fw_call *c)
{
	u8 log = c->in[12] & 0x1f;
	int ret = gen_check(c, true);

	if (ret)
		return ret;
	if (log > 16)
		return fw_fail(c, FW_BAD_PARAM, SYND_SIZE | OBJ_GENERAL);
	/*
	 * PDs of objects are not checked: their position depends on the type.
	 */
	return fw_create_key(c, 0, BIT(log));
}

static int gen_find(struct fw_call *c, bool body)
{
	int ret = gen_check(c, body);

	if (ret)
		return ret;
	ret = fw_find(c, OBJ_GENERAL,
		      PRM_GET(general_obj_in_cmd_hdr, c->in, obj_id));
	if (ret)
		return ret;
	if (PRM_GET(general_obj_in_cmd_hdr, c->in, obj_type) !=
	    PRM_GET(general_obj_in_cmd_hdr, c->obj->in, obj_type))
		return fw_fail(c, FW_BAD_RES_STATE, SYND_UNKNOWN | OBJ_GENERAL);
	return FW_OK;
}

/* The field select depends on the type, so all fields are modified. */
int fw_modify_general(struct fw_call *c)
{
	int ret = gen_find(c, true);
	size_t n;

	if (ret)
		return ret;
	n = c->in_len < c->obj->in_len ? c->in_len : c->obj->in_len;
	memcpy(c->obj->in + GEN_HDR, c->in + GEN_HDR, n - GEN_HDR);
	return FW_OK;
}

int fw_query_general(struct fw_call *c)
{
	int ret = gen_find(c, false);
	size_t n;

	if (ret)
		return ret;
	n = c->out_len < c->obj->in_len ? c->out_len : c->obj->in_len;
	memcpy(c->out + GEN_HDR, c->obj->in + GEN_HDR, n - GEN_HDR);
	PRM_SET(general_obj_out_cmd_hdr, c->out, obj_id, c->obj->key);
	return FW_OK;
}

int fw_destroy_general(struct fw_call *c)
{
	int ret = gen_find(c, false);

	return ret ? ret : fw_destroy(c);
}
