# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# What the headers of the target kernel have is found by looking at them: stable
# and vendor kernels backport, so a version number answers nothing.
# $(call mdx-probe,HAVE_X,header below include/,pattern of grep -E)
# With a vendor's stack (MDX_OFED, see ofed.sh) its headers stand before the kernel's.
mdx-header = $(firstword $(wildcard $(MDX_OFED:%=%/include/$(1))) $(srctree)/include/$(1))
mdx-probe = $(shell grep -qsE '$(3)' $(call mdx-header,$(2)) && echo -D$(1))

mdx-compat-flags := \
	$(call mdx-probe,HAVE_MLX5_CMD_STATS_XA,linux/mlx5/driver.h,struct xarray[[:space:]]+stats) \
	$(call mdx-probe,HAVE_MLX5_VPORT_GET_VHCA_ID,linux/mlx5/vport.h,mlx5_vport_get_vhca_id) \
	$(call mdx-probe,HAVE_PACKET_PACING_REQ,linux/mlx5/mlx5_ifc.h,packet_pacing_req_uc) \
	$(call mdx-probe,HAVE_CC_DMA_BOUNCE,rdma/ib_verbs.h,cc_dma_bounce)
