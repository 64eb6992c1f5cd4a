# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# The headers of the target kernel are probed: stable and vendor kernels backport,
# so a version number answers nothing.
# $(call mdx-probe,HAVE_X,header below include/,pattern of grep -E)
# With a vendor's stack (MDX_OFED, see ofed.sh) its headers stand before the kernel's.
mdx-header = $(firstword $(wildcard $(MDX_OFED:%=%/include/$(1))) $(srctree)/include/$(1))
mdx-has = $(shell grep -qsE '$(2)' $(call mdx-header,$(1)) && echo y)
mdx-probe = $(if $(call mdx-has,$(2),$(3)),-D$(1))

mdx-compat-flags := \
	$(call mdx-probe,HAVE_GET_FILE_ACTIVE,linux/fs.h,get_file_active) \
	$(call mdx-probe,HAVE_MLX5_CMD_STATS_XA,linux/mlx5/driver.h,struct xarray[[:space:]]+stats) \
	$(call mdx-probe,HAVE_MLX5_VPORT_GET_VHCA_ID,linux/mlx5/vport.h,mlx5_vport_get_vhca_id) \
	$(call mdx-probe,HAVE_PACKET_PACING_REQ,linux/mlx5/mlx5_ifc.h,packet_pacing_req_uc) \
	$(call mdx-probe,HAVE_EVENTFD_SIGNAL_COUNT,linux/eventfd.h,eventfd_signal.struct.*__u64) \
	$(call mdx-probe,HAVE_IB_UMEM_GET_VA,rdma/ib_umem.h,ib_umem_get_va) \
	$(call mdx-probe,HAVE_CC_DMA_BOUNCE,rdma/ib_verbs.h,cc_dma_bounce)

# Parts that know the private inside of another driver. Where its headers have not
# all that a part uses, the module is built without that part; MDX_WITHOUT="PART..."
# leaves parts out by hand.
# $(call mdx-part,PART,HEADER:PATTERN...): y or n; a . stands for white space in a pattern
mdx-part = $(if $(filter $(1),$(MDX_WITHOUT)),n,$(if $(strip $(foreach p,$(2), \
	$(if $(call mdx-has,$(firstword $(subst :, ,$(p))),$(lastword $(subst :, ,$(p)))),,missing))),n,y))

mdx-have-verbs-layout := $(call mdx-part,verbs-layout, \
	rdma/ib_verbs.h:DECLARE_RDMA_OBJ_SIZE.ib_pd. \
	rdma/ib_verbs.h:DECLARE_RDMA_OBJ_SIZE.ib_cq. \
	rdma/uverbs_types.h:uverbs_idr_class \
	rdma/uverbs_types.h:lookup_get \
	rdma/uverbs_types.h:destroy_hw \
	rdma/uverbs_std_types.h:struct.uverbs_api_object. \
	linux/mlx5/cq.h:uid;)

mdx-have-late-creates := $(call mdx-part,late-creates, \
	linux/mlx5/driver.h:ent_arr \
	linux/mlx5/driver.h:alloc_lock \
	linux/mlx5/driver.h:bitmask; \
	linux/mlx5/driver.h:MLX5_CMD_ENT_STATE_PENDING_COMP \
	linux/mlx5/driver.h:mlx5_cmd_layout.*lay; \
	linux/mlx5/driver.h:void.*uout;)

mdx-have-cq-status := $(call mdx-part,cq-status, \
	linux/mlx5/driver.h:failed_mbox_status \
	linux/mlx5/driver.h:last_failed_mbox_status \
	linux/mlx5/driver.h:last_failed_syndrome)

mdx-compat-flags += $(if $(filter y,$(mdx-have-verbs-layout)),-DMDX_HAVE_VERBS_LAYOUT=1)
mdx-compat-flags += $(if $(filter y,$(mdx-have-late-creates)),-DMDX_HAVE_LATE_CREATES=1)
mdx-compat-flags += $(if $(filter y,$(mdx-have-cq-status)),-DMDX_HAVE_CQ_STATUS=1)
