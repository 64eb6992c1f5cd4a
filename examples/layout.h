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
	u8 reserved_72[1];
	u8 log_rq_size[4];
	u8 log_rq_stride[3];
	u8 no_sq[1];
	u8 log_sq_size[4];
	u8 reserved_85[11];
	u8 reserved_96[8];
	u8 uar_page[24];
	u8 reserved_128[8];
	u8 user_index[24];
	u8 reserved_160[8];
	u8 remote_qpn[24];
	struct mlx5_ifc_ads_bits path;
	struct mlx5_ifc_ads_bits alternate_path;
	u8 reserved_896[13];
	u8 retry_count[3];
	u8 rnr_retry[3];
	u8 reserved_915[13];
	u8 reserved_928[64];
	u8 reserved_992[8];
	u8 cqn_snd[24];
	u8 reserved_1024[160];
	u8 reserved_1184[3];
	u8 min_rnr_nak[5];
	u8 next_rcv_psn[24];
	u8 reserved_1216[40];
	u8 cqn_rcv[24];
	u8 dbr_addr[64];
	u8 reserved_1344[323];
	u8 dbr_umem_valid[1];
	u8 reserved_1668[156];
	u8 dbr_umem_id[32];
};

struct mlx5_ifc_qp_in_bits {
	struct mlx5_ifc_cmd_in_bits hdr;
	u8 opt_param_mask[32];
	u8 reserved_160[32];
	struct mlx5_ifc_qpc_bits qpc;
	u8 wq_umem_offset[64];		/* CREATE_QP only, as all that follows */
	u8 wq_umem_id[32];
	u8 wq_umem_valid[1];
	u8 reserved_2145[31];
};

struct mlx5_ifc_query_qp_out_bits {
	struct mlx5_ifc_cmd_out_bits hdr;
	u8 opt_param_mask[32];
	u8 reserved_160[32];
	struct mlx5_ifc_qpc_bits qpc;
	u8 reserved_2048[128];
};

struct mlx5_ifc_cqc_bits {
	u8 reserved_0[6];
	u8 dbr_umem_valid[1];
	u8 reserved_7[25];
	u8 dbr_umem_id[32];
	u8 reserved_64[32];
	u8 reserved_96[3];
	u8 log_cq_size[5];
	u8 uar_page[24];
	u8 reserved_128[32];
	u8 eqn[32];
	u8 reserved_192[256];
	u8 dbr_addr[64];
};

struct mlx5_ifc_cq_in_bits {
	struct mlx5_ifc_cmd_in_bits hdr;
	struct mlx5_ifc_cqc_bits cqc;
	u8 umem_offset[64];
	u8 umem_id[32];
	u8 umem_valid[1];
	u8 reserved_737[1439];
};

struct mlx5_ifc_query_cq_out_bits {
	struct mlx5_ifc_cmd_out_bits hdr;
	struct mlx5_ifc_cqc_bits cqc;
	u8 reserved_640[1536];
};

struct mlx5_ifc_mkc_bits {
	u8 reserved_0[20];
	u8 local_write[1];
	u8 local_read[1];
	u8 access_mode[2];
	u8 reserved_24[8];
	u8 qpn[24];
	u8 variant[8];		/* lowest byte of the key */
	u8 reserved_64[40];
	u8 pd[24];
	u8 start_addr[64];
	u8 len[64];
	u8 reserved_256[160];
	u8 translations[32];	/* in units of 16 bytes */
	u8 reserved_448[26];
	u8 log_page_size[6];
	u8 reserved_480[32];
};

struct mlx5_ifc_mkey_in_bits {
	u8 opcode[16];
	u8 uid[16];
	u8 reserved_32[65];
	u8 umem_valid[1];
	u8 reserved_98[30];
	struct mlx5_ifc_mkc_bits mkc;
	u8 reserved_640[128];
	u8 translations[32];
	u8 umem_id[32];
	u8 umem_offset[64];
	u8 reserved_896[1280];
};

#endif /* EXAMPLES_LAYOUT_H */
