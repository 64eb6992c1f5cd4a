// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* ibv_query_device_ex(3): the attributes of a device. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "ctx.h"

#define ATTR_END(field)							\
	(offsetof(struct ibv_device_attr_ex, field) +			\
	 sizeof(((struct ibv_device_attr_ex *)0)->field))

/* Ends of the fields of struct ibv_device_attr_ex, in order. */
static const size_t attr_ends[] = {
	ATTR_END(orig_attr),
	ATTR_END(comp_mask),
	ATTR_END(odp_caps),
	ATTR_END(completion_timestamp_mask),
	ATTR_END(hca_core_clock),
	ATTR_END(device_cap_flags_ex),
	ATTR_END(tso_caps),
	ATTR_END(rss_caps),
	ATTR_END(max_wq_type_rq),
	ATTR_END(packet_pacing_caps),
	ATTR_END(raw_packet_caps),
	ATTR_END(tm_caps),
	ATTR_END(cq_mod_caps),
	ATTR_END(max_dm_size),
	ATTR_END(pci_atomic_caps),
	ATTR_END(xrc_odp_caps),
	ATTR_END(phys_port_cnt_ex),
};

/* End of the structure as the man page shows it. */
#define ATTR_DOCUMENTED ATTR_END(tso_caps)

_Static_assert(ATTR_END(orig_attr) == 232, "");
_Static_assert(ATTR_DOCUMENTED == 296, "");
_Static_assert(ATTR_END(phys_port_cnt_ex) == 400, "");

static void set_base(struct ibv_device_attr *attr,
		     const struct mdx_ioc_query_device *arg)
{
	snprintf(attr->fw_ver, sizeof(attr->fw_ver), "%d.%d.%04d",
		 (int)(arg->out_fw_ver >> 32 & 0xffff),
		 (int)(arg->out_fw_ver >> 16 & 0xffff),
		 (int)(arg->out_fw_ver & 0xffff));
	attr->node_guid = (__be64)arg->out_node_guid;
	attr->sys_image_guid = (__be64)arg->out_sys_image_guid;
	attr->max_mr_size = arg->out_max_mr_size;
	attr->page_size_cap = arg->out_page_size_cap;
	attr->vendor_id = arg->out_vendor_id;
	attr->vendor_part_id = arg->out_vendor_part_id;
	attr->hw_ver = arg->out_hw_ver;
	attr->max_qp = arg->out_max_qp;
	attr->max_qp_wr = arg->out_max_qp_wr;
	attr->device_cap_flags = arg->out_device_cap_flags;
	attr->max_sge = arg->out_max_sge;
	attr->max_sge_rd = arg->out_max_sge_rd;
	attr->max_cq = arg->out_max_cq;
	attr->max_cqe = arg->out_max_cqe;
	attr->max_mr = arg->out_max_mr;
	attr->max_pd = arg->out_max_pd;
	attr->max_qp_rd_atom = arg->out_max_qp_rd_atom;
	attr->max_ee_rd_atom = arg->out_max_ee_rd_atom;
	attr->max_res_rd_atom = arg->out_max_res_rd_atom;
	attr->max_qp_init_rd_atom = arg->out_max_qp_init_rd_atom;
	attr->max_ee_init_rd_atom = arg->out_max_ee_init_rd_atom;
	attr->atomic_cap = (enum ibv_atomic_cap)arg->out_atomic_cap;
	attr->max_ee = arg->out_max_ee;
	attr->max_rdd = arg->out_max_rdd;
	attr->max_mw = arg->out_max_mw;
	attr->max_raw_ipv6_qp = arg->out_max_raw_ipv6_qp;
	attr->max_raw_ethy_qp = arg->out_max_raw_ethy_qp;
	attr->max_mcast_grp = arg->out_max_mcast_grp;
	attr->max_mcast_qp_attach = arg->out_max_mcast_qp_attach;
	attr->max_total_mcast_qp_attach = arg->out_max_total_mcast_qp_attach;
	attr->max_ah = arg->out_max_ah;
	attr->max_fmr = arg->out_max_fmr;
	attr->max_map_per_fmr = arg->out_max_map_per_fmr;
	attr->max_srq = arg->out_max_srq;
	attr->max_srq_wr = arg->out_max_srq_wr;
	attr->max_srq_sge = arg->out_max_srq_sge;
	attr->max_pkeys = arg->out_max_pkeys;
	attr->local_ca_ack_delay = arg->out_local_ca_ack_delay;
	attr->phys_port_cnt = arg->out_phys_port_cnt > UINT8_MAX ?
			      UINT8_MAX : arg->out_phys_port_cnt;
}

/*
 * True if the libmlx5 of this process reports IBV_ATOMIC_GLOB for
 * IBV_ATOMIC_HCA where the PCI atomics allow it. That began with rdma-core 47,
 * and no symbol tells the versions apart, so libmlx5 is asked once, on a device
 * where it would.
 */
static bool mlx5_reports_glob(struct ibv_context *context)
{
	static atomic_int known;	/* enum ibv_atomic_cap */
	struct verbs_context *vctx = verbs_get_ctx_op(context, query_device_ex);
	struct ibv_device_attr_ex attr;
	int saved = errno;
	int cap = atomic_load_explicit(&known, memory_order_relaxed);

	if (!cap && vctx &&
	    !vctx->query_device_ex(context, NULL, &attr, sizeof(attr))) {
		cap = attr.orig_attr.atomic_cap;
		atomic_store_explicit(&known, cap, memory_order_relaxed);
	}
	errno = saved;
	return cap != IBV_ATOMIC_HCA;
}

/*
 * As libmlx5, which considers the PCI atomics only if @attr has room for them.
 */
static void set_pci_atomics(struct ibv_context *context,
			    struct ibv_device_attr_ex *attr,
			    const struct mdx_ioc_query_device *arg)
{
	const uint32_t need = IBV_PCI_ATOMIC_OPERATION_8_BYTE_SIZE_SUP;

	attr->pci_atomic_caps.fetch_add = arg->out_pci_fetch_add;
	attr->pci_atomic_caps.swap = arg->out_pci_swap;
	attr->pci_atomic_caps.compare_swap = arg->out_pci_compare_swap;
	if (attr->orig_attr.atomic_cap == IBV_ATOMIC_HCA &&
	    arg->out_pci_fetch_add & arg->out_pci_compare_swap & need &&
	    mlx5_reports_glob(context))
		attr->orig_attr.atomic_cap = IBV_ATOMIC_GLOB;
}

/*
 * Fill @attr, which is zero. @attr_size is the size that the caller asked for.
 */
static void set_attr(struct ibv_context *context,
		     struct ibv_device_attr_ex *attr,
		     const struct mdx_ioc_query_device *arg, size_t attr_size)
{
	struct ibv_odp_caps *odp = &attr->odp_caps;

	set_base(&attr->orig_attr, arg);
	odp->general_caps = arg->out_odp_general_caps;
	odp->per_transport_caps.rc_odp_caps = arg->out_odp_rc_caps;
	odp->per_transport_caps.uc_odp_caps = arg->out_odp_uc_caps;
	odp->per_transport_caps.ud_odp_caps = arg->out_odp_ud_caps;
	attr->completion_timestamp_mask = arg->out_timestamp_mask;
	attr->hca_core_clock = arg->out_hca_core_clock;
	attr->device_cap_flags_ex = arg->out_device_cap_flags_ex;
	attr->tso_caps.max_tso = arg->out_tso_max;
	attr->tso_caps.supported_qpts = arg->out_tso_qpts;
	attr->rss_caps.supported_qpts = arg->out_rss_qpts;
	attr->rss_caps.max_rwq_indirection_tables = arg->out_rss_max_tables;
	attr->rss_caps.max_rwq_indirection_table_size =
		arg->out_rss_max_table_size;
	attr->rss_caps.rx_hash_fields_mask = arg->out_rss_hash_fields;
	attr->rss_caps.rx_hash_function = arg->out_rss_hash_function;
	attr->max_wq_type_rq = arg->out_max_wq_type_rq;
	attr->packet_pacing_caps.qp_rate_limit_min = arg->out_pacing_rate_min;
	attr->packet_pacing_caps.qp_rate_limit_max = arg->out_pacing_rate_max;
	attr->packet_pacing_caps.supported_qpts = arg->out_pacing_qpts;
	attr->raw_packet_caps = arg->out_raw_packet_caps;
	attr->tm_caps.max_rndv_hdr_size = arg->out_tm_max_rndv_hdr_size;
	attr->tm_caps.max_num_tags = arg->out_tm_max_num_tags;
	attr->tm_caps.flags = arg->out_tm_flags;
	attr->tm_caps.max_ops = arg->out_tm_max_ops;
	attr->tm_caps.max_sge = arg->out_tm_max_sge;
	attr->cq_mod_caps.max_cq_count = arg->out_cq_mod_max_count;
	attr->cq_mod_caps.max_cq_period = arg->out_cq_mod_max_period;
	attr->max_dm_size = arg->out_max_dm_size;
	if (attr_size >= ATTR_END(pci_atomic_caps))
		set_pci_atomics(context, attr, arg);
	attr->xrc_odp_caps = arg->out_odp_xrc_caps;
	attr->phys_port_cnt_ex = arg->out_phys_port_cnt_ex;
}

/* Length of the whole fields within the first @attr_size bytes. */
static size_t attr_whole(size_t attr_size)
{
	size_t whole = 0;
	size_t i;

	for (i = 0; i < sizeof(attr_ends) / sizeof(attr_ends[0]); i++)
		if (attr_ends[i] <= attr_size)
			whole = attr_ends[i];
	return whole;
}

/* As mdx_ctx_call(). */
static int query_device(struct ibv_context *context,
			struct ibv_device_attr_ex *attr, size_t attr_size)
{
	struct mdx_ioc_query_device arg = { .size = sizeof(arg) };
	struct ibv_device_attr_ex whole;
	struct mdx_ctx_ref ref;
	int ret;

	ret = mdx_ctx_get(context, &ref);
	if (ret)
		return ret;
	if (attr_size < sizeof(attr->orig_attr))
		return EINVAL;
	memset(attr, 0, attr_size);
	ret = mdx_ref_call(&ref, MDX_IOC_QUERY_DEVICE, &arg);
	if (ret)
		return ret;
	memset(&whole, 0, sizeof(whole));
	set_attr(context, &whole, &arg, attr_size);
	memcpy(attr, &whole, attr_whole(attr_size));
	return 0;
}

/* The same as the inline function of <infiniband/verbs.h>. */
static int query_device_next(struct ibv_context *context,
			     const struct ibv_query_device_ex_input *input,
			     struct ibv_device_attr_ex *attr, size_t attr_size)
{
	struct verbs_context *vctx = verbs_get_ctx_op(context, query_device_ex);
	int ret = EOPNOTSUPP;

	if (vctx)
		ret = vctx->query_device_ex(context, input, attr, attr_size);
	if (ret != EOPNOTSUPP && ret != ENOSYS)
		return ret;
	if (attr_size < sizeof(attr->orig_attr))
		return EINVAL;
	memset(attr, 0, attr_size);
	return ibv_query_device(context, &attr->orig_attr);
}

MDX_PUBLIC int mdx_query_device_ex(struct ibv_context *context,
				   const struct ibv_query_device_ex_input *input,
				   struct ibv_device_attr_ex *attr,
				   size_t attr_size)
{
	int ret;

	if (input && input->comp_mask)
		return mdx_ret(EINVAL);
	ret = query_device(context, attr, attr_size);
	if (ret == MDX_FORWARD)
		ret = query_device_next(context, input, attr, attr_size);
	return mdx_ret(ret);
}

/*
 * Symbol of the name in the man page, where <infiniband/verbs.h> has an inline
 * function with other arguments. The length of @attr is not passed, so only the
 * fields shown in the man page are written.
 */
MDX_PUBLIC int mdx_query_device_ex_page(struct ibv_context *context,
					struct ibv_device_attr_ex *attr)
	__asm__("ibv_query_device_ex");

int mdx_query_device_ex_page(struct ibv_context *context,
			     struct ibv_device_attr_ex *attr)
{
	return mdx_query_device_ex(context, NULL, attr, ATTR_DOCUMENTED);
}
