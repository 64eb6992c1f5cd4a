# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# What the headers of the target kernel have is found by looking at them: stable
# and vendor kernels backport, so a version number answers nothing.
# $(call mdx-probe,HAVE_X,header below include/,pattern of grep -E)
mdx-probe = $(shell grep -qsE '$(3)' $(srctree)/include/$(2) && echo -D$(1))

mdx-compat-flags := \
	$(call mdx-probe,HAVE_MLX5_CMD_STATS_XA,linux/mlx5/driver.h,struct xarray[[:space:]]+stats)
