// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx device: MDX_IOC_QUERY_DEVICE. */
#include <endian.h>
#include <getopt.h>
#include <string.h>

#include "tool.h"

#define FIELD(name, hex)						\
	{								\
		#name, offsetof(struct mdx_ioc_query_device, out_##name), \
		sizeof(((struct mdx_ioc_query_device *)0)->out_##name), hex \
	}
#define NUM(name) FIELD(name, false)
#define HEX(name) FIELD(name, true)

static const struct device_field {
	const char *name;
	size_t offset;
	size_t size;
	bool hex;
} fields[] = {
	NUM(max_mr_size),
	HEX(page_size_cap),
	HEX(device_cap_flags_ex),
	HEX(odp_general_caps),
	HEX(timestamp_mask),
	NUM(hca_core_clock),
	NUM(max_dm_size),
	HEX(rss_hash_fields),
	HEX(vendor_id),
	HEX(vendor_part_id),
	HEX(hw_ver),
	NUM(max_qp),
	NUM(max_qp_wr),
	HEX(device_cap_flags),
	NUM(max_sge),
	NUM(max_sge_rd),
	NUM(max_cq),
	NUM(max_cqe),
	NUM(max_mr),
	NUM(max_pd),
	NUM(max_qp_rd_atom),
	NUM(max_ee_rd_atom),
	NUM(max_res_rd_atom),
	NUM(max_qp_init_rd_atom),
	NUM(max_ee_init_rd_atom),
	HEX(atomic_cap),
	NUM(max_ee),
	NUM(max_rdd),
	NUM(max_mw),
	NUM(max_raw_ipv6_qp),
	NUM(max_raw_ethy_qp),
	NUM(max_mcast_grp),
	NUM(max_mcast_qp_attach),
	NUM(max_total_mcast_qp_attach),
	NUM(max_ah),
	NUM(max_fmr),
	NUM(max_map_per_fmr),
	NUM(max_srq),
	NUM(max_srq_wr),
	NUM(max_srq_sge),
	NUM(max_pkeys),
	NUM(local_ca_ack_delay),
	NUM(phys_port_cnt),
	HEX(odp_rc_caps),
	HEX(odp_uc_caps),
	HEX(odp_ud_caps),
	HEX(odp_xrc_caps),
	NUM(tso_max),
	HEX(tso_qpts),
	HEX(rss_qpts),
	NUM(rss_max_tables),
	NUM(rss_max_table_size),
	HEX(rss_hash_function),
	NUM(max_wq_type_rq),
	NUM(pacing_rate_min),
	NUM(pacing_rate_max),
	HEX(pacing_qpts),
	HEX(raw_packet_caps),
	NUM(tm_max_rndv_hdr_size),
	NUM(tm_max_num_tags),
	HEX(tm_flags),
	NUM(tm_max_ops),
	NUM(tm_max_sge),
	NUM(cq_mod_max_count),
	NUM(cq_mod_max_period),
	HEX(pci_fetch_add),
	HEX(pci_swap),
	HEX(pci_compare_swap),
	NUM(phys_port_cnt_ex),
};

static void show_guid(const char *key, uint64_t guid)
{
	guid = be64toh(guid);
	out_str(key, "%04x:%04x:%04x:%04x", (unsigned int)(guid >> 48),
		(unsigned int)(guid >> 32) & 0xffff,
		(unsigned int)(guid >> 16) & 0xffff,
		(unsigned int)guid & 0xffff);
}

static void show_field(const struct mdx_ioc_query_device *dev,
		       const struct device_field *field)
{
	uint64_t val = 0;
	uint32_t val32;

	if (field->size == sizeof(val)) {
		memcpy(&val, (const char *)dev + field->offset, sizeof(val));
	} else {
		memcpy(&val32, (const char *)dev + field->offset, sizeof(val32));
		val = val32;
	}
	/* More digits than a JSON reader may keep. */
	if (val >> 53)
		out_str(field->name, "%#llx", (unsigned long long)val);
	else if (field->hex)
		out_hex(field->name, val);
	else
		out_num(field->name, val);
}

int verb_device(int argc, char **argv)
{
	static const struct opt opts[] = { { 0 } };
	struct mdx_ioc_query_device dev = { .size = sizeof(dev) };
	struct mdx_conn conn;
	size_t i;
	int ret;

	while (next_opt(argc, argv, opts) != -1)
		;
	if (optind != argc)
		usage("no arguments, please");
	ret = conn_of_options(&conn);
	if (ret)
		return ret;
	ret = mdx_call(conn.fd, MDX_IOC_QUERY_DEVICE, &dev);
	if (ret) {
		explain(conn.fd, ret);
		conn_close(&conn);
		return EXIT_FAILED;
	}
	out_open(NULL, '{');
	out_str("device", "%s", opt_device);
	out_str("firmware", "%u.%u.%04u",
		(unsigned int)(dev.out_fw_ver >> 32) & 0xffff,
		(unsigned int)(dev.out_fw_ver >> 16) & 0xffff,
		(unsigned int)dev.out_fw_ver & 0xffff);
	show_guid("node_guid", dev.out_node_guid);
	show_guid("sys_image_guid", dev.out_sys_image_guid);
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		show_field(&dev, &fields[i]);
	out_close();
	conn_close(&conn);
	return EXIT_OK;
}
