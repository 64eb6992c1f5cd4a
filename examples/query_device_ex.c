// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* ibv_query_device_ex(3): the fields of the man page, with two arguments. */
#include <inttypes.h>

#include "open.h"

static void show_base(const struct ibv_device_attr *attr)
{
	printf("fw_ver                   %s\n", attr->fw_ver);
	printf("node_guid                0x%016" PRIx64 "\n",
	       (uint64_t)be64toh(attr->node_guid));
	printf("sys_image_guid           0x%016" PRIx64 "\n",
	       (uint64_t)be64toh(attr->sys_image_guid));
	printf("max_mr_size              0x%" PRIx64 "\n", attr->max_mr_size);
	printf("page_size_cap            0x%" PRIx64 "\n", attr->page_size_cap);
	printf("vendor_id, part, hw_ver  0x%04x, %u, 0x%x\n", attr->vendor_id,
	       attr->vendor_part_id, attr->hw_ver);
	printf("device_cap_flags         0x%08x\n", attr->device_cap_flags);
	printf("max_qp, max_qp_wr        %d, %d\n", attr->max_qp,
	       attr->max_qp_wr);
	printf("max_sge, max_sge_rd      %d, %d\n", attr->max_sge,
	       attr->max_sge_rd);
	printf("max_cq, max_cqe          %d, %d\n", attr->max_cq,
	       attr->max_cqe);
	printf("max_mr, max_pd, max_mw   %d, %d, %d\n", attr->max_mr,
	       attr->max_pd, attr->max_mw);
	printf("max_srq, wr, sge         %d, %d, %d\n", attr->max_srq,
	       attr->max_srq_wr, attr->max_srq_sge);
	printf("atomic_cap               %d\n", attr->atomic_cap);
	printf("max_pkeys                %u\n", attr->max_pkeys);
	printf("phys_port_cnt            %u\n", attr->phys_port_cnt);
}

static void show_odp(const struct ibv_odp_caps *caps)
{
	printf("on-demand paging         0x%" PRIx64
	       ": RC 0x%x, UC 0x%x, UD 0x%x\n", caps->general_caps,
	       caps->per_transport_caps.rc_odp_caps,
	       caps->per_transport_caps.uc_odp_caps,
	       caps->per_transport_caps.ud_odp_caps);
}

int main(void)
{
	struct ibv_context *context = open_device();
	struct ibv_device_attr_ex attr, same;
	int ret;

	ret = ibv_query_device_ex(context, &attr);
	if (ret)
		fail_with("ibv_query_device_ex", ret);
	show_base(&attr.orig_attr);
	printf("comp_mask                0x%x\n", attr.comp_mask);
	show_odp(&attr.odp_caps);
	printf("timestamp mask, clock    0x%" PRIx64 ", %" PRIu64 " kHz\n",
	       attr.completion_timestamp_mask, attr.hca_core_clock);
	printf("device_cap_flags_ex      0x%" PRIx64 "\n",
	       attr.device_cap_flags_ex);
	printf("TSO                      %u bytes, QP types 0x%x\n",
	       attr.tso_caps.max_tso, attr.tso_caps.supported_qpts);

	/* The form of <infiniband/verbs.h> has an input, too. */
	ret = ibv_query_device_ex(context, NULL, &same);
	if (ret)
		fail_with("ibv_query_device_ex with an input", ret);
	printf("with three arguments     %s\n",
	       memcmp(&attr, &same, sizeof(attr)) ? "other" : "the same");
	ibv_close_device(context);
	return 0;
}
