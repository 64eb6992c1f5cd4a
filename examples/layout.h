/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Layouts of the mailboxes that the examples use, for DEVX_SET() and DEVX_GET()
 * of <infiniband/mlx5dv.h>: a field is an array with an element for each of its
 * bits. The programming manual of the device has all layouts.
 */
#ifndef EXAMPLES_LAYOUT_H
#define EXAMPLES_LAYOUT_H

#include <stdint.h>

#include <mdx/opcodes.h>

typedef uint8_t u8;

/* Header of every command. Some commands have nothing else. */
struct mlx5_ifc_cmd_in_bits {
	u8 opcode[16];
	u8 uid[16];		/* set by the kernel */
	u8 reserved_32[16];
	u8 op_mod[16];
	u8 reserved_64[8];
	u8 number[24];		/* of an existing object */
	u8 reserved_96[32];
};

/* Header of every answer. */
struct mlx5_ifc_cmd_out_bits {
	u8 status[8];
	u8 reserved_8[24];
	u8 syndrome[32];
	u8 reserved_64[8];
	u8 number[24];		/* of the created object */
	u8 reserved_96[32];
};

struct mlx5_ifc_query_adapter_out_bits {
	struct mlx5_ifc_cmd_out_bits hdr;
	u8 reserved_128[192];
	u8 reserved_320[8];
	u8 ieee_vendor_id[24];
	u8 reserved_352[1824];
};

struct mlx5_ifc_tisc_bits {
	u8 reserved_0[12];
	u8 prio[4];
	u8 reserved_16[272];
	u8 reserved_288[8];
	u8 transport_domain[24];
	u8 reserved_320[960];
};

struct mlx5_ifc_tis_in_bits {
	struct mlx5_ifc_cmd_in_bits hdr;
	u8 reserved_128[63];
	u8 modify_prio[1];	/* MODIFY_TIS: set prio */
	u8 reserved_192[64];
	struct mlx5_ifc_tisc_bits ctx;
};

struct mlx5_ifc_query_tis_out_bits {
	struct mlx5_ifc_cmd_out_bits hdr;
	struct mlx5_ifc_tisc_bits ctx;
};

struct mlx5_ifc_ads_bits {
	u8 reserved_0[32];
	u8 reserved_32[8];
	u8 grh[1];
	u8 mlid[7];
	u8 rlid[16];
	u8 ack_timeout[5];
	u8 reserved_69[3];
	u8 src_addr_index[8];
	u8 reserved_80[8];
	u8 hop_limit[8];
	u8 reserved_96[32];
	u8 rgid[128];
	u8 reserved_256[16];
	u8 udp_sport[16];
	u8 reserved_288[8];
	u8 port[8];
	u8 rmac_47_32[16];
	u8 rmac_31_0[32];
};

struct mlx5_ifc_qpc_bits {
	u8 state[4];
	u8 reserved_4[4];
	u8 st[8];
	u8 reserved_16[3];
	u8 pm_state[2];
	u8 reserved_21[11];
	u8 reserved_32[8];
	u8 pd[24];
	u8 mtu[3];
	u8 log_msg_max[5];
	u8 reserved_72[24];
	u8 reserved_96[64];
	u8 reserved_160[8];
	u8 remote_qpn[24];
	struct mlx5_ifc_ads_bits path;
	struct mlx5_ifc_ads_bits alternate_path;
	u8 reserved_896[13];
	u8 retry_count[3];
	u8 rnr_retry[3];
	u8 reserved_915[13];
	u8 reserved_928[256];
	u8 reserved_1184[3];
	u8 min_rnr_nak[5];
	u8 next_rcv_psn[24];
	u8 reserved_1216[640];
};

struct mlx5_ifc_qp_in_bits {
	struct mlx5_ifc_cmd_in_bits hdr;
	u8 opt_param_mask[32];
	u8 reserved_160[32];
	struct mlx5_ifc_qpc_bits qpc;
	u8 reserved_2048[128];
};

struct mlx5_ifc_query_qp_out_bits {
	struct mlx5_ifc_cmd_out_bits hdr;
	u8 opt_param_mask[32];
	u8 reserved_160[32];
	struct mlx5_ifc_qpc_bits qpc;
	u8 reserved_2048[128];
};

struct mlx5_ifc_query_cq_out_bits {
	struct mlx5_ifc_cmd_out_bits hdr;
	u8 reserved_128[96];
	u8 reserved_224[3];
	u8 log_cq_size[5];
	u8 uar_page[24];
	u8 reserved_256[1920];
};

#endif /* EXAMPLES_LAYOUT_H */
