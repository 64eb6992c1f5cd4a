/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* State of the firmware: capabilities, port, vports, objects. */
#ifndef HCA_FW_STATE_H
#define HCA_FW_STATE_H

#include "hca_fw.h"
#include "hca_obj.h"

#define FW_CAP_TYPES 0x29	/* QUERY_HCA_CAP types that have numbers */
#define FW_CAP_LEN 4096
#define FW_GIDS 256		/* entries of the RoCE address table */
#define FW_LISTS 3		/* of a vport: unicast, multicast, VLANs */
#define FW_LIST_LEN 512
#define FW_VPORT_ECPF 0xfffe
#define FW_VPORT_UPLINK 0xffff

/* Start of a vport's steering, by direction. Any non-zero address would do. */
#define FW_ICM_ADDRESS(num, tx) \
	(0x100000000000ULL | (u64)(num) << 16 | (u64)(tx) << 15)

struct fw_caps {
	bool known[FW_CAP_TYPES];
	u8 max[FW_CAP_TYPES][FW_CAP_LEN];
	u8 cur[FW_CAP_TYPES][FW_CAP_LEN];
};

struct fw_port {
	u8 gid[FW_GIDS][32];
	u8 node_desc[64];
	u16 mtu;
	u8 admin;	/* PAOS */
	u8 cong[16][256];
};

/**
 * struct fw_vport - a vport, and the function behind it
 * @num: vport number
 * @vhca_id: number of the function, 0 if the vport has none
 * @enabled: the function was enabled by the function that manages it
 * @admin: state set by MODIFY_VPORT_STATE
 * @nic: NIC vport context
 * @hca: HCA vport context
 * @esw: e-switch vport context
 * @list_len: number of entries of each list
 * @list: unicast, multicast, VLANs
 * @cap_set: the manager has set @cap
 * @cap: general capabilities of the function
 */
struct fw_vport {
	u16 num;
	u16 vhca_id;
	bool enabled;
	u8 admin;
	u8 nic[256];
	u8 hca[512];
	u8 esw[256];
	u32 list_len[FW_LISTS];
	u8 list[FW_LISTS][8 * FW_LIST_LEN];
	bool cap_set;
	u8 cap[FW_CAP_LEN];
};

/**
 * struct fw_steering - state of the steering of packets
 * @root: root tables of the NIC's receive and transmit side, or 0
 * @fte: the entries of all tables, sorted by table and index
 * @nfte: number of @fte
 * @seen: hca_obj_store::fte_changes when they were sorted
 */
struct fw_steering {
	u32 root[2];
	struct hca_obj **fte;
	size_t nfte;
	u32 seen;
};

/**
 * struct fw - the firmware
 * @conf: configuration
 * @ops: services of the device
 * @priv: first argument of @ops
 * @enabled: ENABLE_HCA was executed
 * @init: INIT_HCA was executed
 * @issi: current ISSI
 * @qp1: most recent QP of type QP1 to change its state
 * @caps: capabilities
 * @port: the port
 * @vport: @nvports vports; the first is the function's own, it manages the rest
 * @nvports: number of vports
 * @store: objects
 * @steer: steering of packets
 */
struct fw {
	struct fw_conf conf;
	const struct fw_ops *ops;
	void *priv;
	bool enabled;
	bool init;
	u16 issi;
	u32 qp1;
	struct fw_caps caps;
	struct fw_port port;
	struct fw_vport *vport;
	size_t nvports;
	struct hca_obj_store store;
	struct fw_steering steer;
};

static inline u8 *fw_cap(struct fw *fw, unsigned int type)
{
	return fw->caps.cur[type];
}

/* Field @f of the current general capabilities. */
#define FW_GEN(fw, f) PRM_GET(cmd_hca_cap, fw_cap(fw, 0), f)

static inline struct fw_vport *fw_own(struct fw *fw)
{
	return &fw->vport[0];
}

#endif /* HCA_FW_STATE_H */
