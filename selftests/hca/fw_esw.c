// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The e-switch: its vports and functions, and their manager.
 *
 * Without an e-switch, there is one vport and no manager. With it, the function
 * is the manager: either the PF, or the function of an embedded CPU (ECPF) that
 * manages a host's PF and its VFs. Those have no PCI function anywhere. No
 * packet is switched.
 */
#include "caps_switch.h"
#include "fw_esw.h"
#include "fw_modify.h"

/* Vport @i has the port's address plus @i, in the three bytes below the OUI. */
static void vport_mac(const struct fw *fw, size_t i, u8 mac[6])
{
	memcpy(mac, fw->conf.mac, 6);
	prm_set(mac, 24, 24, prm_get(mac, 24, 24) + i);
}

/* The EUI-64 of a MAC address. */
static u64 mac_guid(const u8 m[6])
{
	return (u64)(m[0] ^ 2) << 56 | (u64)m[1] << 48 | (u64)m[2] << 40 |
	       0xfffeULL << 24 | (u64)m[3] << 16 | (u64)m[4] << 8 | m[5];
}

static void add_vport(struct fw *fw, u16 num)
{
	size_t i = fw->nvports++;
	struct fw_vport *v = &fw->vport[i];
	u8 *n = v->nic, *h = v->hca, mac[6];

	memset(v, 0, sizeof(*v));
	vport_mac(fw, i, mac);
	v->num = num;
	v->vhca_id = num == FW_VPORT_UPLINK ? 0 : (u16)(i + 1);
	v->admin = 1;
#define NIC(f, val) PRM_SET(nic_vport_context, n, f, val)
#define HCA(f, val) PRM_SET(hca_vport_context, h, f, val)
	NIC(mtu, 1522);
	NIC(system_image_guid, mac_guid(fw->conf.mac));
	NIC(port_guid, mac_guid(mac));
	NIC(node_guid, mac_guid(mac));
	memcpy(n + PRM_BYTE(nic_vport_context, permanent_address) + 2, mac, 6);
	HCA(port_physical_state, 5);
	HCA(port_state, 4);
	HCA(vport_state, 4);
	HCA(system_image_guid, mac_guid(fw->conf.mac));
	HCA(port_guid, mac_guid(mac));
	HCA(node_guid, mac_guid(mac));
#undef HCA
#undef NIC
	if (!fw_vport_icm(&fw->conf))
		return;
	PRM_SET(esw_vport_context, v->esw, sw_steering_vport_icm_address_rx,
		FW_ICM_ADDRESS(num, 0));
	PRM_SET(esw_vport_context, v->esw, sw_steering_vport_icm_address_tx,
		FW_ICM_ADDRESS(num, 1));
}

size_t vports_needed(const struct fw_conf *conf)
{
	if (conf->esw == FW_ESW_NONE)
		return 1;
	/* The function's own, the host PF's, the VFs', and the uplink. */
	return conf->vfs + 3U;
}

/* The function's own vport comes first. */
void vports_init(struct fw *fw)
{
	u16 i;

	fw->nvports = 0;
	add_vport(fw, fw->conf.esw == FW_ESW_ECPF ? FW_VPORT_ECPF : 0);
	if (fw->conf.esw == FW_ESW_NONE)
		return;
	if (fw->conf.esw == FW_ESW_ECPF)
		add_vport(fw, 0);
	for (i = 1; i <= fw->conf.vfs; i++)
		add_vport(fw, i);
	add_vport(fw, FW_VPORT_UPLINK);
}

struct fw_vport *fw_vport_num(struct fw *fw, u16 num)
{
	size_t i;

	for (i = 0; i < fw->nvports; i++)
		if (fw->vport[i].num == num)
			return &fw->vport[i];
	return NULL;
}

static struct fw_vport *managed_vport(struct fw_call *c, u16 num, int *ret)
{
	struct fw_vport *v = NULL;

	if (c->fw->conf.esw != FW_ESW_NONE)
		v = fw_vport_num(c->fw, num);
	*ret = v ? FW_OK : fw_fail(c, FW_BAD_PARAM, SYND_VPORT);
	return v;
}

/*
 * The fields are at the same position in all commands that address a vport. The
 * status of a refusal is a guess.
 */
struct fw_vport *fw_vport(struct fw_call *c, int *ret)
{
	*ret = FW_OK;
	if (!PRM_GET(query_vport_state_in, c->in, other_vport))
		return fw_own(c->fw);
	return managed_vport(c, PRM_GET(query_vport_state_in, c->in,
					vport_number), ret);
}

/* The uplink has no function. */
struct fw_vport *fw_function(struct fw_call *c, bool other, int *ret)
{
	struct fw_vport *v;

	*ret = FW_OK;
	if (!other)
		return fw_own(c->fw);
	v = managed_vport(c, PRM_GET(query_hca_cap_in, c->in, function_id),
			  ret);
	if (v && !v->vhca_id) {
		*ret = fw_fail(c, FW_BAD_PARAM, SYND_VPORT);
		return NULL;
	}
	return v;
}

/* Functions of the host of an embedded CPU; a PF finds its VFs by PCI. */
int fw_query_esw_functions(struct fw_call *c)
{
	size_t at = 16;
	u8 *host = c->out + at;

	if (c->fw->conf.esw == FW_ESW_NONE)
		return fw_fail(c, FW_BAD_PARAM, SYND_VPORT);
	if (c->out_len < at + PRM_SZ(host_params_context))
		return fw_fail(c, FW_BAD_OUT_LEN, SYND_OUT_LEN);
	if (c->fw->conf.esw == FW_ESW_ECPF) {
		PRM_SET(host_params_context, host, host_num_of_vfs,
			c->fw->conf.vfs);
		PRM_SET(host_params_context, host, host_total_vfs,
			c->fw->conf.vfs);
	}
	return FW_OK;
}

static struct fw_vport *esw_vport(struct fw_call *c, int *ret)
{
	if (c->fw->conf.esw != FW_ESW_NONE)
		return fw_vport(c, ret);
	*ret = fw_fail(c, FW_BAD_PARAM, SYND_VPORT);
	return NULL;
}

int fw_query_esw_vport(struct fw_call *c)
{
	int ret;
	struct fw_vport *v = esw_vport(c, &ret);

	if (v)
		memcpy(c->out + PRM_BYTE(query_esw_vport_context_out,
					 esw_vport_context),
		       v->esw, PRM_SZ(esw_vport_context));
	return ret;
}

int fw_modify_esw_vport(struct fw_call *c)
{
	const u8 *sel = c->in + PRM_BYTE(modify_esw_vport_context_in,
					 field_select);
	const u8 *ctx = c->in + PRM_BYTE(modify_esw_vport_context_in,
					 esw_vport_context);
	int ret;
	struct fw_vport *v = esw_vport(c, &ret);

	if (!v)
		return ret;
#define SEL(f) PRM_GET(esw_vport_context_fields_select, sel, f)
#define SET(f) fw_field(v->esw, ctx, PRM_BIT(esw_vport_context, f), \
			PRM_WIDTH(esw_vport_context, f))
	if (SEL(fdb_to_vport_reg_c_id)) {
		SET(fdb_to_vport_reg_c);
		SET(fdb_to_vport_reg_c_id);
	}
	if (SEL(vport_svlan_strip))
		SET(vport_svlan_strip);
	if (SEL(vport_cvlan_strip))
		SET(vport_cvlan_strip);
	if (SEL(vport_svlan_insert)) {
		SET(vport_svlan_insert);
		SET(svlan_cfi);
		SET(svlan_pcp);
		SET(svlan_id);
	}
	if (SEL(vport_cvlan_insert)) {
		SET(vport_cvlan_insert);
		SET(cvlan_cfi);
		SET(cvlan_pcp);
		SET(cvlan_id);
	}
#undef SET
#undef SEL
	return FW_OK;
}
