// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caps_set.h"
#include "hca_fw.h"
#include "log.h"
#include "personality.h"
#include "synd.h"

/* How a field of a report meets that of the model. */
enum cap_rule {
	CAP_LOWER,	/* the lower one: limits, and features of one bit */
	CAP_BOTH,	/* bits that both have */
	CAP_TAKE,	/* the report's: a capability switch can have any */
};

struct cap_merge {
	const char *name;
	u8 rule;
	u8 type;
	u16 bit;
	u8 width;
};

#define M(rule, type, t, f) \
	{ #t "." #f, rule, type, PRM_BIT(t, f), PRM_WIDTH(t, f) }
#define LOWER(f) M(CAP_LOWER, CAP_GENERAL, cmd_hca_cap, f)
#define BOTH(f) M(CAP_BOTH, CAP_GENERAL, cmd_hca_cap, f)
#define TAKE(f) M(CAP_TAKE, CAP_GENERAL, cmd_hca_cap, f)
#define ETH(f) M(CAP_LOWER, CAP_ETH, per_protocol_networking_offload_caps, f)

static const struct cap_merge merges[] = {
	/* Numbers of objects */
	LOWER(log_max_uctx), LOWER(log_max_umem), LOWER(log_max_pd),
	LOWER(log_max_xrcd), LOWER(log_max_transport_domain),
	LOWER(log_max_mkey), LOWER(log_max_cq), LOWER(log_max_qp),
	LOWER(log_max_srq), LOWER(log_max_xrq), LOWER(log_max_rmp),
	LOWER(log_max_rq), LOWER(log_max_sq), LOWER(log_max_rqt),
	LOWER(log_max_tir), LOWER(log_max_tis), LOWER(log_max_mcg),
	LOWER(max_qp_mcg), LOWER(log_max_l2_table),
	BOTH(general_obj_types),
	/* Sizes */
	LOWER(log_max_cq_sz), LOWER(log_max_qp_sz), LOWER(log_max_srq_sz),
	LOWER(log_max_wq_sz), LOWER(log_max_rqt_size),
	LOWER(log_max_tis_per_sq), LOWER(max_wqe_sz_sq),
	LOWER(max_wqe_sz_sq_dc), LOWER(max_wqe_sz_rq), LOWER(log_max_msg),
	LOWER(log_max_klm_list_size), LOWER(log_max_bsf_list_size),
	LOWER(max_indirection), LOWER(log_max_ra_req_qp),
	LOWER(log_max_ra_res_qp), LOWER(log_max_ra_req_dc),
	LOWER(log_max_ra_res_dc),
	/* Features */
	LOWER(xrc), LOWER(dct), LOWER(apm), LOWER(cq_resize),
	LOWER(cq_moderation), LOWER(out_of_seq_cnt), LOWER(vport_counters),
	LOWER(retransmission_q_counters), LOWER(flow_counter_bulk_alloc),
	LOWER(uar_4k), BOTH(stat_rate_support), TAKE(striding_rq),
	TAKE(sq_ts_format), TAKE(rq_ts_format),
	ETH(csum_cap), ETH(vlan_cap), ETH(max_lso_cap), ETH(rss_ind_tbl_cap),
	ETH(scatter_fcs), ETH(tunnel_stateless_vxlan),
	ETH(tunnel_stateless_gre),
	M(CAP_BOTH, CAP_ATOMIC, atomic_caps, atomic_operations),
	M(CAP_BOTH, CAP_ROCE, roce_cap, roce_version),
	M(CAP_TAKE, CAP_ROCE, roce_cap, qp_ts_format),
	M(CAP_LOWER, CAP_ROCE, roce_cap, roce_address_table_size),
	/* Newer headers have an array here; the model has its first word. */
	{ "device_event_cap.user_affiliated_events", CAP_BOTH, CAP_EVENT,
	  PRM_BIT(device_event_cap, user_affiliated_events), 64 },
};

static u64 merged_value(const struct cap_merge *m, u64 model, u64 report)
{
	switch (m->rule) {
	case CAP_BOTH:
		return model & report;
	case CAP_TAKE:
		return report;
	default:
		return report < model ? report : model;
	}
}

void personality_caps(const struct personality *p, struct fw_caps *caps)
{
	const struct cap_merge *m;
	u64 old, val, report;

	for (m = merges; m < merges + ARRAY_SIZE(merges); m++) {
		if (!p->caps[m->type].known || !caps->known[m->type])
			continue;
		old = prm_get(caps->max[m->type], m->bit, m->width);
		report = prm_get(p->caps[m->type].page, m->bit, m->width);
		val = merged_value(m, old, report);
		if (val == old)
			continue;
		log_trace("personality: %s 0x%" PRIx64 ", not 0x%" PRIx64,
			  m->name, val, old);
		prm_set(caps->max[m->type], m->bit, m->width, val);
	}
}

void personality_script(const struct personality *p, struct script *script)
{
	unsigned int i;

	for (i = 0; i < p->latencies; i++) {
		struct script_rule *rule = &script->rules[p->latency[i].opcode];

		rule->delayed = true;
		rule->delay_us = p->latency[i].us;
	}
}

/* The kind of a refusal by the model's own syndrome; -1 if it is another. */
static int refusal_kind(u32 synd)
{
	switch (synd & ~0xffU) {
	case SYND_IN_LEN:
		return REFUSAL_SHORT;
	case SYND_FOREIGN:
	case SYND_REF_FOREIGN:
		return REFUSAL_FOREIGN;
	case SYND_IN_USE:
		return REFUSAL_IN_USE;
	default:
		return -1;
	}
}

void personality_refusal(const struct personality *p, const u8 *in, u8 *out)
{
	int kind = out[0] ? refusal_kind(prm_be32(out + 4)) : -1;
	unsigned int i;

	for (i = 0; kind >= 0 && i < p->refusals; i++) {
		if ((int)p->refusal[i].kind != kind ||
		    p->refusal[i].opcode != prm_be16(in))
			continue;
		out[0] = p->refusal[i].status;
		prm_set(out, 32, 32, p->refusal[i].syndrome);
		return;
	}
}

/* -1: the model has no such command. */
static int opcode_by_name(const char *name)
{
	unsigned int opcode;

	for (opcode = 0; opcode < 0x1000; opcode++) {
		const char *is = fw_opcode_name((u16)opcode);

		if (is && !strcmp(is, name))
			return (int)opcode;
	}
	return -1;
}

static bool add_cap(struct personality *p, const char *line)
{
	unsigned int type, at, i, byte;
	char mode[4], hex[65];

	if (sscanf(line, "cap %x %3s %x %64[0-9a-f]", &type, mode, &at,
		   hex) != 4 ||
	    strlen(hex) != 64 || at > FW_CAP_LEN - 32)
		return false;
	/* The current values are what that machine's drivers have chosen. */
	if (strcmp(mode, "max") || type >= FW_CAP_TYPES)
		return true;
	p->caps[type].known = true;
	for (i = 0; i < 32; i++) {
		if (sscanf(hex + (size_t)2 * i, "%2x", &byte) != 1)
			return false;
		p->caps[type].page[at + i] = (u8)byte;
	}
	return true;
}

static bool add_latency(struct personality *p, const char *line)
{
	unsigned int count;
	char name[64];
	u64 ns;
	int opcode;

	if (sscanf(line, "latency %63s count %u p50-ns %" SCNu64, name, &count,
		   &ns) != 3 ||
	    ns > 60000000000ULL)
		return false;
	opcode = opcode_by_name(name);
	if (opcode < 0 || p->latencies == PERSONALITY_MAX)
		return true;
	p->latency[p->latencies].opcode = (u16)opcode;
	p->latency[p->latencies++].us = ns / 1000;
	return true;
}

static void add_refusal(struct personality *p, enum refusal_kind kind,
			const char *name, unsigned int status,
			unsigned int syndrome)
{
	int opcode = opcode_by_name(name);

	if (opcode < 0 || !status || status > 0xff ||
	    p->refusals == PERSONALITY_MAX)
		return;
	p->refusal[p->refusals].kind = kind;
	p->refusal[p->refusals].opcode = (u16)opcode;
	p->refusal[p->refusals].status = (u8)status;
	p->refusal[p->refusals++].syndrome = syndrome;
}

/* Lines of both kinds may tell that nothing was refused. */
static void parse_refusal(struct personality *p, const char *line)
{
	unsigned int status, syndrome;
	char name[64], kind[16];

	if (sscanf(line, "refusal %15s %63s refused %x %x", kind, name, &status,
		   &syndrome) == 4)
		add_refusal(p, strcmp(kind, "foreign") ? REFUSAL_IN_USE :
						       REFUSAL_FOREIGN,
			    name, status, syndrome);
	if (sscanf(line, "length %63s short stock refused %x %x", name, &status,
		   &syndrome) == 3)
		add_refusal(p, REFUSAL_SHORT, name, status, syndrome);
}

/*
 * A device executes as many at a time as do not make each of them wait: the largest
 * number with a median below twice that of one command.
 */
static void parse_overlap(struct personality *p, const char *line, u64 *one)
{
	unsigned int n, count;
	char name[64];
	u64 ns;

	if (sscanf(line, "overlap %u %63s count %u p50-ns %" SCNu64, &n, name,
		   &count, &ns) != 4 ||
	    !n || n > 32)
		return;
	if (n == 1)
		*one = ns;
	else if (*one && ns < 2 * *one && n > p->parallel)
		p->parallel = n;
}

static bool parse_report(struct personality *p, FILE *file)
{
	unsigned int version = 0;
	char line[1024] = "";
	u64 one = 0;

	if (!fgets(line, sizeof(line), file) ||
	    sscanf(line, "mdx-report %u", &version) != 1 || version != 1)
		return false;
	while (fgets(line, sizeof(line), file)) {
		if (!strcmp(line, "end\n"))
			return true;
		if (!strncmp(line, "cap ", 4) && !add_cap(p, line))
			return false;
		if (!strncmp(line, "latency ", 8) && !add_latency(p, line))
			return false;
		parse_refusal(p, line);
		parse_overlap(p, line, &one);
	}
	return false;
}

struct personality *personality_load(const char *path)
{
	struct personality *p = calloc(1, sizeof(*p));
	FILE *file = fopen(path, "re");
	bool ok = false;

	if (!file)
		fprintf(stderr, "mdx-hca: %s: %s\n", path, strerror(errno));
	if (p && file) {
		p->parallel = 1;
		ok = parse_report(p, file);
		if (!ok)
			fprintf(stderr, "mdx-hca: %s is no whole report of mdx selftest\n",
				path);
	}
	if (file)
		fclose(file);
	if (ok)
		return p;
	free(p);
	return NULL;
}

void personality_free(struct personality *p)
{
	free(p);
}
