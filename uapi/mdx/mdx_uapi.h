/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause) */
/*
 * User space interface of mlx5_devx: DEVX commands of an NVIDIA/Mellanox
 * ConnectX through /dev/infiniband/mlx5_devx.
 */
#ifndef MDX_UAPI_H
#define MDX_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * DOC: General ioctl format
 *
 * One char device, /dev/infiniband/mlx5_devx, serves every mlx5 device. A file
 * starts unbound; MDX_IOC_BIND ties it to one verbs context for the rest of its
 * life. From then on its commands run under the firmware uid of that context
 * and every object it creates belongs to it. The objects are destroyed when the
 * last descriptor of the file is closed or when the verbs context ends, whichever
 * comes first. dup(), fork() and SCM_RIGHTS share one file and so one binding.
 *
 * A verbs context has a limited number of calls under way, those of all its files
 * together (out_calls_max of MDX_IOC_INFO); further calls wait.
 *
 * Every ioctl takes a pointer to a structure whose first field, size, is
 * sizeof() of the structure the caller was compiled with. A structure may grow
 * at its end in later versions; zero in a new field means the old behaviour.
 * Numbers are never reused. Fields named out_* are written by the kernel, and
 * their old value does not matter; all reserved fields are zero.
 *
 * The firmware reads and writes mailboxes: big-endian, in the layout of the
 * command. Their lengths are in bytes. A mailbox may start at any address. The
 * uid in an input mailbox is ignored: the kernel writes that of the file there.
 *
 * Errors have one meaning everywhere:
 *
 * - ENOTTY: the ioctl number is not known.
 * - E2BIG: a byte behind the structure this kernel knows is not zero, or size is
 *   more than 4096.
 * - EINVAL: understood, but wrong: size is too short, a mailbox is shorter than
 *   the command's layout or than a list it announces, or longer than the limits
 *   of MDX_IOC_INFO, the opcode belongs to another ioctl, the id in the mailbox
 *   is not the object's.
 * - EOPNOTSUPP: a flag, a reserved field or an opcode this kernel does not know,
 *   or something the device or the context cannot do.
 * - EFAULT: a structure or a mailbox cannot be read or written.
 * - ENOMEM: no memory, or the file owns as many objects as it may.
 * - ENOTCONN: the file is not bound.
 * - ENOENT: the file has no object of that id.
 * - EBUSY: the object is being used or destroyed by another call.
 * - EIO: the device of this file was removed, or its verbs context has ended. Only
 *   close() remains.
 * - EREMOTEIO: the device executed the command and refused it. Status and
 *   syndrome are in the output mailbox (or in the out_* fields of
 *   MDX_IOC_OBJ_DESTROY and MDX_IOC_UMEM_REG), which are valid in this case and on
 *   success only.
 * - Anything else comes from the driver's command interface: the device did not
 *   answer, for example ETIMEDOUT, or ENXIO when it is in an internal error.
 *
 * On success and on EREMOTEIO all out_len bytes of the output mailbox are
 * written. On any other error neither it nor the structure is touched; after
 * EFAULT, a part of them may have been written.
 */

/* Free in Documentation/userspace-api/ioctl/ioctl-number.rst. */
#define MDX_IOC_TYPE 0xDF

enum {
	MDX_CMD_INFO = 0,
	MDX_CMD_BIND = 1,
	MDX_CMD_OBJ_CREATE = 2,
	MDX_CMD_OBJ_DESTROY = 3,
	MDX_CMD_OBJ_MODIFY = 4,
	MDX_CMD_OBJ_QUERY = 5,
	MDX_CMD_GENERAL = 6,
	MDX_CMD_VERBS_MODIFY = 7,
	MDX_CMD_VERBS_QUERY = 8,
	MDX_CMD_QUERY_PORT = 9,
	MDX_CMD_QUERY_DEVICE = 10,
	MDX_CMD_UMEM_REG = 11,
	/* 12 and 13: UAR, EQN. */
	MDX_CMD_CHANNEL = 14,
	MDX_CMD_SUBSCRIBE = 15,
	MDX_CMD_SUBMIT = 16,
	MDX_CMD_LAST_ERROR = 17,
	MDX_CMD_OBJ_LIST = 18,
};

/**
 * enum mdx_feature - Bits of out_features of MDX_IOC_INFO
 * @MDX_FEATURE_OBJ: MDX_IOC_OBJ_CREATE, _DESTROY, _MODIFY and _QUERY
 * @MDX_FEATURE_GENERAL: MDX_IOC_GENERAL
 * @MDX_FEATURE_VERBS: MDX_IOC_VERBS_MODIFY and MDX_IOC_VERBS_QUERY
 * @MDX_FEATURE_QUERY_PORT: MDX_IOC_QUERY_PORT
 * @MDX_FEATURE_QUERY_DEVICE: MDX_IOC_QUERY_DEVICE
 * @MDX_FEATURE_LAST_ERROR: MDX_IOC_LAST_ERROR
 * @MDX_FEATURE_BIND: MDX_IOC_BIND. Without it no file can be bound, and every
 *	ioctl but MDX_IOC_INFO and MDX_IOC_LAST_ERROR fails
 * @MDX_FEATURE_LATE_CREATE: an object whose create was answered after its timeout
 *	is destroyed. Without it the device keeps the object
 * @MDX_FEATURE_CQ_STATUS: MDX_IOC_OBJ_DESTROY of a CQ that the device refuses tells
 *	status and syndrome. Without it the error is an errno
 * @MDX_FEATURE_OBJ_LIST: MDX_IOC_OBJ_LIST
 * @MDX_FEATURE_CHANNEL: MDX_IOC_CHANNEL and MDX_IOC_SUBSCRIBE
 * @MDX_FEATURE_SUBMIT: MDX_IOC_SUBMIT
 * @MDX_FEATURE_UMEM: MDX_IOC_UMEM_REG
 *
 * MDX_FEATURE_BIND, MDX_FEATURE_LATE_CREATE and MDX_FEATURE_CQ_STATUS depend on the
 * private inside of other drivers: a module that was built for drivers it does not
 * know may lack them.
 */
enum mdx_feature {
	MDX_FEATURE_OBJ = 1 << 0,
	MDX_FEATURE_GENERAL = 1 << 1,
	MDX_FEATURE_VERBS = 1 << 2,
	MDX_FEATURE_QUERY_PORT = 1 << 3,
	MDX_FEATURE_QUERY_DEVICE = 1 << 4,
	MDX_FEATURE_LAST_ERROR = 1 << 5,
	MDX_FEATURE_BIND = 1 << 6,
	MDX_FEATURE_LATE_CREATE = 1 << 7,
	MDX_FEATURE_CQ_STATUS = 1 << 8,
	MDX_FEATURE_OBJ_LIST = 1 << 9,
	MDX_FEATURE_CHANNEL = 1 << 10,
	MDX_FEATURE_SUBMIT = 1 << 11,
	MDX_FEATURE_UMEM = 1 << 12,
};

/**
 * enum mdx_info_flags - Bits of out_flags of MDX_IOC_INFO
 * @MDX_INFO_BOUND: the file is bound
 * @MDX_INFO_REMOVED: its device was removed; implies MDX_INFO_BOUND
 * @MDX_INFO_ENDED: its verbs context has ended; implies MDX_INFO_BOUND
 */
enum mdx_info_flags {
	MDX_INFO_BOUND = 1 << 0,
	MDX_INFO_REMOVED = 1 << 1,
	MDX_INFO_ENDED = 1 << 2,
};

/**
 * struct mdx_ioc_info - ioctl(MDX_IOC_INFO)
 * @size: sizeof(struct mdx_ioc_info)
 * @flags: 0
 * @out_features: abilities of this module, enum mdx_feature
 * @out_errata: faults of earlier modules that this one no longer has; no bit is
 *	defined yet
 * @out_in_len_max: longest input mailbox, in bytes
 * @out_out_len_max: longest output mailbox, in bytes
 * @out_objs_max: objects a file may own at a time
 * @out_objs: objects this file owns now, with MDX_BIND_SHARE those of all files that
 *	share
 * @out_flags: state of the file, enum mdx_info_flags
 * @out_uid: firmware uid the file is bound to; 0 while it is not bound
 * @out_calls_max: calls of a verbs context that may be under way at a time
 * @out_calls_throttled_max: those about general objects among them
 * @out_long_len: length from which on a mailbox counts as long, in bytes: it is the
 *	longest that does not
 * @out_long_bytes_max: bytes of long mailboxes, with those of the same commands, that
 *	a device has at a time; further commands wait
 *
 * Unbound files answer it, as they do MDX_IOC_BIND and MDX_IOC_LAST_ERROR. It
 * works on a file whose device was removed, too.
 */
struct mdx_ioc_info {
	__u32 size;
	__u32 flags;
	__aligned_u64 out_features;
	__aligned_u64 out_errata;
	__u32 out_in_len_max;
	__u32 out_out_len_max;
	__u32 out_objs_max;
	__u32 out_objs;
	__u32 out_flags;
	__u32 out_uid;
	__u32 out_calls_max;
	__u32 out_calls_throttled_max;
	__u32 out_long_len;
	__u32 out_long_bytes_max;
};

#define MDX_IOC_INFO _IO(MDX_IOC_TYPE, MDX_CMD_INFO)

/**
 * enum mdx_bind_flags - Flags of MDX_IOC_BIND
 * @MDX_BIND_SHARE: the objects of the file are those of all files that are bound to
 *	the same context with this flag: they know them by the same ids, and the
 *	objects are destroyed with the last of these files
 */
enum mdx_bind_flags {
	MDX_BIND_SHARE = 1 << 0,
};

/**
 * struct mdx_ioc_bind - ioctl(MDX_IOC_BIND)
 * @size: sizeof(struct mdx_ioc_bind)
 * @flags: enum mdx_bind_flags
 * @uverbs_fd: cmd_fd of an open verbs context (struct ibv_context) of an mlx5
 *	device
 * @pd_handle: handle of a PD of that context (struct ibv_pd)
 *
 * Adopt the firmware uid of a verbs context. The context ends with the last
 * descriptor of its uverbs file, as without this; the objects of the file end with
 * it, and calls of the file answer EIO then.
 *
 * The PD of the first bind of a context belongs to the binding: verbs refuses it
 * (EINVAL) until the last file that is bound to the context is closed, and longer if
 * the device keeps an object of such a file. Give it one that is used for nothing
 * else. A further bind of the context needs any PD of it, and leaves it alone.
 *
 * Errors: EBADF (@uverbs_fd is not open), EINVAL (it is not a uverbs device, not
 * of an mlx5 device, or the file is bound already), ENOENT (no such PD in that
 * context), EPERM (the device is in another network namespace), EOPNOTSUPP (the
 * context was opened without DEVX and has no uid, or the running mlx5_ib is laid
 * out in a way this module does not know), EIO (the device is being removed),
 * EBUSY (another bind of this file is under way, or a verbs call uses the PD),
 * ENOMEM or EAGAIN (the device has no mkey to spare, which the first bind needs for
 * a moment to prove the uid).
 */
struct mdx_ioc_bind {
	__u32 size;
	__u32 flags;
	__s32 uverbs_fd;
	__u32 pd_handle;
};

#define MDX_IOC_BIND _IO(MDX_IOC_TYPE, MDX_CMD_BIND)

/**
 * struct mdx_ioc_obj_create - ioctl(MDX_IOC_OBJ_CREATE)
 * @size: sizeof(struct mdx_ioc_obj_create)
 * @flags: 0
 * @in: address of the input mailbox, a command that creates an object
 * @out: address of the output mailbox
 * @in_len: length of @in
 * @out_len: length of @out, at least 16 and at least what the command answers
 * @out_id: id of the object in this file, from 1, never given twice in a file's
 *	life; written on success only
 * @__reserved: 0
 *
 * Create a firmware object. It belongs to the file until MDX_IOC_OBJ_DESTROY or
 * the last close. If the answer cannot be written the object is destroyed again
 * and the error is EFAULT.
 *
 * Where a command may name memory by physical address or by umem, the bit that
 * says umem is forced: user space cannot name physical memory.
 */
struct mdx_ioc_obj_create {
	__u32 size;
	__u32 flags;
	__aligned_u64 in;
	__aligned_u64 out;
	__u32 in_len;
	__u32 out_len;
	__u32 out_id;
	__u32 __reserved;
};

#define MDX_IOC_OBJ_CREATE _IO(MDX_IOC_TYPE, MDX_CMD_OBJ_CREATE)

/**
 * struct mdx_ioc_obj_destroy - ioctl(MDX_IOC_OBJ_DESTROY)
 * @size: sizeof(struct mdx_ioc_obj_destroy)
 * @flags: 0
 * @id: the object
 * @out_status: status of the device's answer, 0 on success
 * @out_syndrome: its syndrome
 * @__reserved: 0
 *
 * Destroy an object. Refused by the device (EREMOTEIO, for example while another
 * object uses it) or not answered, it stays as it was: alive, usable, owned by
 * the file. On a device in internal error the call succeeds.
 *
 * Errors: ENOENT, EBUSY (a modify, a query or another destroy of it is running),
 * EFAULT (the structure cannot be written; the object may be gone).
 */
struct mdx_ioc_obj_destroy {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 out_status;
	__u32 out_syndrome;
	__u32 __reserved;
};

#define MDX_IOC_OBJ_DESTROY _IO(MDX_IOC_TYPE, MDX_CMD_OBJ_DESTROY)

/**
 * struct mdx_ioc_obj_cmd - ioctl(MDX_IOC_OBJ_MODIFY), ioctl(MDX_IOC_OBJ_QUERY)
 * @size: sizeof(struct mdx_ioc_obj_cmd)
 * @flags: 0
 * @in: address of the input mailbox, a command that modifies or queries objects
 *	of this kind and names this one
 * @out: address of the output mailbox
 * @in_len: length of @in
 * @out_len: length of @out, at least 16
 * @id: the object
 * @__reserved: 0
 *
 * Any number of modifies and queries of an object may run at a time.
 *
 * Errors: ENOENT, EBUSY (the object is being destroyed).
 */
struct mdx_ioc_obj_cmd {
	__u32 size;
	__u32 flags;
	__aligned_u64 in;
	__aligned_u64 out;
	__u32 in_len;
	__u32 out_len;
	__u32 id;
	__u32 __reserved;
};

#define MDX_IOC_OBJ_MODIFY _IO(MDX_IOC_TYPE, MDX_CMD_OBJ_MODIFY)
#define MDX_IOC_OBJ_QUERY _IO(MDX_IOC_TYPE, MDX_CMD_OBJ_QUERY)

/**
 * struct mdx_ioc_general - ioctl(MDX_IOC_GENERAL)
 * @size: sizeof(struct mdx_ioc_general)
 * @flags: 0
 * @in: address of the input mailbox, a command that names no object
 * @out: address of the output mailbox
 * @in_len: length of @in
 * @out_len: length of @out, at least 16
 *
 * Run a command that neither creates an object nor names one: capability and
 * port queries, NOP, the range 0xb00 to 0xcff.
 */
struct mdx_ioc_general {
	__u32 size;
	__u32 flags;
	__aligned_u64 in;
	__aligned_u64 out;
	__u32 in_len;
	__u32 out_len;
};

#define MDX_IOC_GENERAL _IO(MDX_IOC_TYPE, MDX_CMD_GENERAL)

/**
 * enum mdx_verbs_type - Type of a verbs handle, and the device's objects behind it
 * @MDX_VERBS_CQ: struct ibv_cq: a CQ
 * @MDX_VERBS_QP: struct ibv_qp. RC, UC, UD, XRC and DC initiators: a QP. DC
 *	targets: a DCT. Raw packet QPs, and UD QPs with a source QPN: an RQ, an
 *	SQ, a TIR and a TIS; an RSS QP has a TIR only
 * @MDX_VERBS_SRQ: struct ibv_srq. Basic: an RMP, or an SRQ on a device in issi 0.
 *	XRC: an XRC SRQ. Tag matching: an XRQ
 * @MDX_VERBS_WQ: struct ibv_wq: an RQ
 * @MDX_VERBS_RWQ_IND_TBL: struct ibv_rwq_ind_table: an RQT
 */
enum mdx_verbs_type {
	MDX_VERBS_CQ = 1,
	MDX_VERBS_QP = 2,
	MDX_VERBS_SRQ = 3,
	MDX_VERBS_WQ = 4,
	MDX_VERBS_RWQ_IND_TBL = 5,
};

/**
 * struct mdx_ioc_verbs_cmd - ioctl(MDX_IOC_VERBS_MODIFY),
 *	ioctl(MDX_IOC_VERBS_QUERY)
 * @size: sizeof(struct mdx_ioc_verbs_cmd)
 * @flags: 0
 * @in: address of the input mailbox, a command that modifies or queries an object
 *	behind the handle
 * @out: address of the output mailbox
 * @in_len: length of @in
 * @out_len: length of @out, at least 16
 * @handle: the verbs object: handle of struct ibv_cq, ibv_qp, ibv_srq or ibv_wq,
 *	ind_tbl_handle of struct ibv_rwq_ind_table; of the context the file is
 *	bound to
 * @obj_type: type of the handle, enum mdx_verbs_type
 *
 * Modify or query an object that verbs created. While the command runs the
 * object cannot be destroyed: verbs answers EBUSY. Any number of these commands
 * may run at a time.
 *
 * The id in @in has to be the object's. Where only mlx5_ib knows that id (the
 * RQ, SQ, TIR and TIS of a raw packet QP, the number of a DCT) it has to be the
 * id of an object of that type and of the same uid, which the device checks; it
 * is never 0. Verbs does not learn of a modify: the state and the attributes it
 * keeps for an object do not change.
 *
 * As with MDX_IOC_OBJ_CREATE, memory is named by umem only.
 *
 * Errors: EOPNOTSUPP (also: @obj_type is none of enum mdx_verbs_type, or the running
 * mlx5_ib is laid out in a way this module does not know), ENOENT (the context
 * has no such handle), EINVAL (also: the handle is of another type, or the
 * command is about another object; the device has not seen it), EBUSY (the
 * object is being destroyed), EIO (also: the object ended with the device).
 */
struct mdx_ioc_verbs_cmd {
	__u32 size;
	__u32 flags;
	__aligned_u64 in;
	__aligned_u64 out;
	__u32 in_len;
	__u32 out_len;
	__u32 handle;
	__u32 obj_type;
};

#define MDX_IOC_VERBS_MODIFY _IO(MDX_IOC_TYPE, MDX_CMD_VERBS_MODIFY)
#define MDX_IOC_VERBS_QUERY _IO(MDX_IOC_TYPE, MDX_CMD_VERBS_QUERY)

/**
 * enum mdx_query_port_flags - Bits of out_flags of MDX_IOC_QUERY_PORT
 * @MDX_QUERY_PORT_VPORT: out_vport is valid
 * @MDX_QUERY_PORT_VPORT_VHCA_ID: out_vport_vhca_id is valid
 * @MDX_QUERY_PORT_VPORT_STEERING_ICM_RX: out_icm_rx is valid
 * @MDX_QUERY_PORT_VPORT_STEERING_ICM_TX: out_icm_tx is valid
 * @MDX_QUERY_PORT_VPORT_REG_C0: out_reg_c0_value and out_reg_c0_mask are valid
 * @MDX_QUERY_PORT_ESW_OWNER_VHCA_ID: out_esw_owner_vhca_id is valid
 *
 * The same numbers as MLX5DV_QUERY_PORT_* of libmlx5.
 */
enum mdx_query_port_flags {
	MDX_QUERY_PORT_VPORT = 1 << 0,
	MDX_QUERY_PORT_VPORT_VHCA_ID = 1 << 1,
	MDX_QUERY_PORT_VPORT_STEERING_ICM_RX = 1 << 2,
	MDX_QUERY_PORT_VPORT_STEERING_ICM_TX = 1 << 3,
	MDX_QUERY_PORT_VPORT_REG_C0 = 1 << 4,
	MDX_QUERY_PORT_ESW_OWNER_VHCA_ID = 1 << 5,
};

/**
 * struct mdx_ioc_query_port - ioctl(MDX_IOC_QUERY_PORT)
 * @size: sizeof(struct mdx_ioc_query_port)
 * @flags: 0
 * @port_num: the port, from 1
 * @__reserved: 0
 * @out_flags: fields that are valid, enum mdx_query_port_flags; others are 0
 * @out_icm_rx: ICM address of the vport's receive steering
 * @out_icm_tx: ICM address of the vport's transmit steering
 * @out_vport: number of the vport behind the port; 0xffff: the uplink
 * @out_vport_vhca_id: vhca id of the function that owns the vport
 * @out_esw_owner_vhca_id: vhca id of the e-switch manager
 * @out_reg_c0_value: metadata register C0 of packets from the vport
 * @out_reg_c0_mask: bits of it that tell the vport
 * @out_reserved: 0
 *
 * The vport behind a port of the device. In switchdev mode it is one of the
 * e-switch. In other modes there is none, which is a success without a flag; the
 * ports of a multiport device have the vhca id of their function.
 *
 * Errors: EINVAL (no such port, or a port without a function), EOPNOTSUPP (also:
 * the port has no representor, or the e-switches of several functions are one),
 * ENOMEM, and the errno of a query that the device refused: EINVAL, EIO, EBUSY,
 * ENOMEM or EAGAIN, never EREMOTEIO. Nothing is written then.
 */
struct mdx_ioc_query_port {
	__u32 size;
	__u32 flags;
	__u32 port_num;
	__u32 __reserved;
	__aligned_u64 out_flags;
	__aligned_u64 out_icm_rx;
	__aligned_u64 out_icm_tx;
	__u32 out_vport;
	__u32 out_vport_vhca_id;
	__u32 out_esw_owner_vhca_id;
	__u32 out_reg_c0_value;
	__u32 out_reg_c0_mask;
	__u32 out_reserved;
};

#define MDX_IOC_QUERY_PORT _IO(MDX_IOC_TYPE, MDX_CMD_QUERY_PORT)

/**
 * struct mdx_ioc_query_device - ioctl(MDX_IOC_QUERY_DEVICE)
 * @size: sizeof(struct mdx_ioc_query_device)
 * @flags: 0
 * @out_fw_ver: firmware version: major << 32 | minor << 16 | sub
 * @out_node_guid: big-endian, as on the wire
 * @out_sys_image_guid: big-endian, as on the wire
 * @out_max_mr_size: longest MR
 * @out_page_size_cap: a bit for every page size of MRs
 * @out_device_cap_flags_ex: enum ibv_device_cap_flags and above
 * @out_odp_general_caps: enum ibv_odp_general_caps
 * @out_timestamp_mask: valid bits of completion timestamps
 * @out_hca_core_clock: clock of these timestamps, in kHz
 * @out_max_dm_size: device memory, in bytes
 * @out_rss_hash_fields: enum ibv_rx_hash_fields
 * @out_vendor_id: IEEE OUI of the vendor
 * @out_vendor_part_id: PCI device id
 * @out_hw_ver: PCI revision
 * @out_max_qp: QPs
 * @out_max_qp_wr: work requests of a QP
 * @out_device_cap_flags: low half of @out_device_cap_flags_ex
 * @out_max_sge: scatter/gather entries of a work request
 * @out_max_sge_rd: those of an RDMA read
 * @out_max_cq: CQs
 * @out_max_cqe: entries of a CQ
 * @out_max_mr: MRs
 * @out_max_pd: PDs
 * @out_max_qp_rd_atom: RDMA reads and atomics a QP takes at a time
 * @out_max_ee_rd_atom: 0
 * @out_max_res_rd_atom: resources for those of all QPs
 * @out_max_qp_init_rd_atom: RDMA reads and atomics a QP issues at a time
 * @out_max_ee_init_rd_atom: 0
 * @out_atomic_cap: enum ibv_atomic_cap among QPs of this device. With 8 bytes in
 *	both @out_pci_fetch_add and @out_pci_compare_swap, IBV_ATOMIC_HCA may be
 *	reported as IBV_ATOMIC_GLOB
 * @out_max_ee: 0
 * @out_max_rdd: 0
 * @out_max_mw: memory windows
 * @out_max_raw_ipv6_qp: 0
 * @out_max_raw_ethy_qp: 0
 * @out_max_mcast_grp: multicast groups
 * @out_max_mcast_qp_attach: QPs in a multicast group
 * @out_max_total_mcast_qp_attach: QPs in all of them
 * @out_max_ah: address handles
 * @out_max_fmr: 0
 * @out_max_map_per_fmr: 0
 * @out_max_srq: SRQs
 * @out_max_srq_wr: work requests of an SRQ
 * @out_max_srq_sge: scatter/gather entries of one of them
 * @out_max_pkeys: partitions
 * @out_local_ca_ack_delay: of the device
 * @out_phys_port_cnt: ports, at most 255
 * @out_odp_rc_caps: enum ibv_odp_transport_cap_bits of RC
 * @out_odp_uc_caps: of UC
 * @out_odp_ud_caps: of UD
 * @out_odp_xrc_caps: of XRC
 * @out_tso_max: longest payload of a segmented send, in bytes
 * @out_tso_qpts: a bit for every enum ibv_qp_type that can do that
 * @out_rss_qpts: a bit for every enum ibv_qp_type with an indirection table
 * @out_rss_max_tables: indirection tables
 * @out_rss_max_table_size: entries of one
 * @out_rss_hash_function: enum ibv_rx_hash_function_flags
 * @out_max_wq_type_rq: WQs of type RQ
 * @out_pacing_rate_min: lowest rate limit of a QP, in kbps
 * @out_pacing_rate_max: highest
 * @out_pacing_qpts: a bit for every enum ibv_qp_type that has one
 * @out_raw_packet_caps: enum ibv_raw_packet_caps
 * @out_tm_max_rndv_hdr_size: longest header of a rendezvous request
 * @out_tm_max_num_tags: tagged buffers of an SRQ
 * @out_tm_flags: enum ibv_tm_cap_flags
 * @out_tm_max_ops: list operations at a time
 * @out_tm_max_sge: scatter/gather entries of a tagged buffer
 * @out_cq_mod_max_count: completions a moderated CQ can wait for
 * @out_cq_mod_max_period: microseconds it can wait
 * @out_pci_fetch_add: enum ibv_pci_atomic_op_size of fetch and add on the bus
 * @out_pci_swap: of swap
 * @out_pci_compare_swap: of compare and swap
 * @out_phys_port_cnt_ex: ports
 * @out_reserved: 0
 *
 * The attributes of the device, as ibv_query_device_ex() of the same context
 * gives them. 0 stands for what the device cannot do.
 *
 * Errors: what stands for the device's refusal of a query: EINVAL, EIO, EBUSY,
 * ENOMEM or EAGAIN, never EREMOTEIO. Nothing is written then.
 */
struct mdx_ioc_query_device {
	__u32 size;
	__u32 flags;
	__aligned_u64 out_fw_ver;
	__aligned_u64 out_node_guid;
	__aligned_u64 out_sys_image_guid;
	__aligned_u64 out_max_mr_size;
	__aligned_u64 out_page_size_cap;
	__aligned_u64 out_device_cap_flags_ex;
	__aligned_u64 out_odp_general_caps;
	__aligned_u64 out_timestamp_mask;
	__aligned_u64 out_hca_core_clock;
	__aligned_u64 out_max_dm_size;
	__aligned_u64 out_rss_hash_fields;
	__u32 out_vendor_id;
	__u32 out_vendor_part_id;
	__u32 out_hw_ver;
	__u32 out_max_qp;
	__u32 out_max_qp_wr;
	__u32 out_device_cap_flags;
	__u32 out_max_sge;
	__u32 out_max_sge_rd;
	__u32 out_max_cq;
	__u32 out_max_cqe;
	__u32 out_max_mr;
	__u32 out_max_pd;
	__u32 out_max_qp_rd_atom;
	__u32 out_max_ee_rd_atom;
	__u32 out_max_res_rd_atom;
	__u32 out_max_qp_init_rd_atom;
	__u32 out_max_ee_init_rd_atom;
	__u32 out_atomic_cap;
	__u32 out_max_ee;
	__u32 out_max_rdd;
	__u32 out_max_mw;
	__u32 out_max_raw_ipv6_qp;
	__u32 out_max_raw_ethy_qp;
	__u32 out_max_mcast_grp;
	__u32 out_max_mcast_qp_attach;
	__u32 out_max_total_mcast_qp_attach;
	__u32 out_max_ah;
	__u32 out_max_fmr;
	__u32 out_max_map_per_fmr;
	__u32 out_max_srq;
	__u32 out_max_srq_wr;
	__u32 out_max_srq_sge;
	__u32 out_max_pkeys;
	__u32 out_local_ca_ack_delay;
	__u32 out_phys_port_cnt;
	__u32 out_odp_rc_caps;
	__u32 out_odp_uc_caps;
	__u32 out_odp_ud_caps;
	__u32 out_odp_xrc_caps;
	__u32 out_tso_max;
	__u32 out_tso_qpts;
	__u32 out_rss_qpts;
	__u32 out_rss_max_tables;
	__u32 out_rss_max_table_size;
	__u32 out_rss_hash_function;
	__u32 out_max_wq_type_rq;
	__u32 out_pacing_rate_min;
	__u32 out_pacing_rate_max;
	__u32 out_pacing_qpts;
	__u32 out_raw_packet_caps;
	__u32 out_tm_max_rndv_hdr_size;
	__u32 out_tm_max_num_tags;
	__u32 out_tm_flags;
	__u32 out_tm_max_ops;
	__u32 out_tm_max_sge;
	__u32 out_cq_mod_max_count;
	__u32 out_cq_mod_max_period;
	__u32 out_pci_fetch_add;
	__u32 out_pci_swap;
	__u32 out_pci_compare_swap;
	__u32 out_phys_port_cnt_ex;
	__u32 out_reserved;
};

#define MDX_IOC_QUERY_DEVICE _IO(MDX_IOC_TYPE, MDX_CMD_QUERY_DEVICE)

/**
 * enum mdx_umem_flags - Flags of MDX_IOC_UMEM_REG
 * @MDX_UMEM_DMABUF: the memory is that of a dma-buf
 * @MDX_UMEM_PGSZ_STRICT: the page size is one of pgsz_bitmap. Without it the memory may
 *	need a page size below those
 */
enum mdx_umem_flags {
	MDX_UMEM_DMABUF = 1 << 0,
	MDX_UMEM_PGSZ_STRICT = 1 << 1,
};

/* Pages of a umem, of the size that the device is told, at most. */
#define MDX_UMEM_PAGES_MAX 0x40000

/**
 * struct mdx_ioc_umem_reg - ioctl(MDX_IOC_UMEM_REG)
 * @size: sizeof(struct mdx_ioc_umem_reg)
 * @flags: enum mdx_umem_flags
 * @addr: address of the memory; with MDX_UMEM_DMABUF: offset in the dma-buf
 * @length: in bytes
 * @pgsz_bitmap: page sizes that the device may be told, one bit each, from 4096 on; 0: any.
 *	A program that passes offsets in the umem to commands names the sizes that these
 *	offsets are aligned to
 * @access: enum ibv_access_flags: IBV_ACCESS_LOCAL_WRITE, IBV_ACCESS_REMOTE_WRITE,
 *	IBV_ACCESS_REMOTE_READ, IBV_ACCESS_RELAXED_ORDERING
 * @dmabuf_fd: descriptor of the dma-buf; 0 without MDX_UMEM_DMABUF
 * @out_id: id of the umem in this file, as of any object
 * @out_umem_id: the device's number, for the umem fields of commands
 * @out_status: status of the device's answer, 0 on success
 * @out_syndrome: its syndrome
 * @out_log_page_size: logarithm of the page size that the device was told
 * @out_reserved: 0
 *
 * Pin memory of the calling process, and tell the device of it as a umem. The umem is an
 * object of the file: MDX_IOC_OBJ_DESTROY ends it, and at the end of the file or the
 * context it is destroyed after the objects that may refer to it. The memory is unpinned
 * once the device has destroyed the umem. If the device keeps the umem, or answers
 * neither its create nor its destroy, the memory stays pinned.
 *
 * Pinned pages count against RLIMIT_MEMLOCK of the process, as those of verbs do.
 *
 * Errors: EINVAL (@length is 0 or @addr + @length wraps, @access has other bits, or
 * IBV_ACCESS_REMOTE_WRITE without IBV_ACCESS_LOCAL_WRITE, @dmabuf_fd without
 * MDX_UMEM_DMABUF, no page size is possible, or more than MDX_UMEM_PAGES_MAX pages),
 * EFAULT (also: the memory is not mapped, or is not writable but @access needs that),
 * ENOMEM (also: RLIMIT_MEMLOCK), EBADF (@dmabuf_fd is not open), EOPNOTSUPP (also: memory
 * that the device cannot reach), EINTR (the task was killed), and errors of the exporter of
 * the dma-buf.
 */
struct mdx_ioc_umem_reg {
	__u32 size;
	__u32 flags;
	__aligned_u64 addr;
	__aligned_u64 length;
	__aligned_u64 pgsz_bitmap;
	__u32 access;
	__s32 dmabuf_fd;
	__u32 out_id;
	__u32 out_umem_id;
	__u32 out_status;
	__u32 out_syndrome;
	__u32 out_log_page_size;
	__u32 out_reserved;
};

#define MDX_IOC_UMEM_REG _IO(MDX_IOC_TYPE, MDX_CMD_UMEM_REG)

/**
 * enum mdx_stage - Step of a call that failed
 * @MDX_STAGE_NONE: no call has failed yet
 * @MDX_STAGE_CHECK: check of the call: size, flags, binding, lengths, opcode, the
 *	files and the context that MDX_IOC_BIND names
 * @MDX_STAGE_MEMORY: read of the structure or the input mailbox, or allocation of
 *	memory for the mailboxes
 * @MDX_STAGE_OBJECT: lookup of the object: it does not exist, it is in use, the
 *	command is about another one, or the file may not have one more. Of
 *	MDX_IOC_BIND: the PD
 * @MDX_STAGE_DEVICE: the device refused the command (EREMOTEIO), or the command
 *	failed on its way. The device may have executed a command that it did not
 *	answer
 * @MDX_STAGE_ANSWER: write of the answer. The device has executed the command; an
 *	object that was to be created is destroyed again
 *
 * Stages may be added.
 */
enum mdx_stage {
	MDX_STAGE_NONE = 0,
	MDX_STAGE_CHECK = 1,
	MDX_STAGE_MEMORY = 2,
	MDX_STAGE_OBJECT = 3,
	MDX_STAGE_DEVICE = 4,
	MDX_STAGE_ANSWER = 5,
};

/**
 * struct mdx_ioc_last_error - ioctl(MDX_IOC_LAST_ERROR)
 * @size: sizeof(struct mdx_ioc_last_error)
 * @flags: 0
 * @out_count: calls that have failed in the file's life; 0: none, and all other
 *	fields are 0
 * @out_cmd: the last call that failed: MDX_CMD_*
 * @out_stage: its step, enum mdx_stage
 * @out_errno: its errno
 * @out_tid: gettid() of the thread that made it, in that thread's PID namespace
 * @out_opcode: of the command, once its header was read. Of MDX_IOC_OBJ_DESTROY,
 *	MDX_IOC_UMEM_REG and MDX_IOC_BIND: the command the kernel sent in vain; else 0
 * @out_obj: id of the object named, for MDX_IOC_VERBS_* the verbs handle, for
 *	MDX_IOC_BIND that of the PD; else 0
 * @out_status: status of the device's answer if it refused; else 0
 * @out_syndrome: its syndrome
 * @out_item: number of the item of MDX_IOC_SUBMIT that failed, from 1; 0: it was a call
 *	of its own
 * @out_reserved: 0
 *
 * The last call on this file that returned an error, of any thread. An item of
 * MDX_IOC_SUBMIT that fails while the call waits counts as a call: @out_cmd is the
 * item's. Neither a call that succeeds nor this one changes the answer. A number that
 * the kernel does not know (ENOTTY) is not a call. It works on any file at any time.
 */
struct mdx_ioc_last_error {
	__u32 size;
	__u32 flags;
	__aligned_u64 out_count;
	__u32 out_cmd;
	__u32 out_stage;
	__u32 out_errno;
	__u32 out_tid;
	__u32 out_opcode;
	__u32 out_obj;
	__u32 out_status;
	__u32 out_syndrome;
	__u32 out_item;
	__u32 out_reserved;
};

#define MDX_IOC_LAST_ERROR _IO(MDX_IOC_TYPE, MDX_CMD_LAST_ERROR)

/**
 * struct mdx_obj_info - An object
 * @id: its id in the file
 * @opcode: command that created it
 * @obj_type: of a general object, else 0
 * @fw_id: first number the device knows it by
 * @fw_n: consecutive numbers
 */
struct mdx_obj_info {
	__u32 id;
	__u16 opcode;
	__u16 obj_type;
	__u32 fw_id;
	__u32 fw_n;
};

/**
 * struct mdx_ioc_obj_list - ioctl(MDX_IOC_OBJ_LIST)
 * @size: sizeof(struct mdx_ioc_obj_list)
 * @flags: 0
 * @objs: address of an array of struct mdx_obj_info
 * @objs_n: entries of the array
 * @from_id: id to begin with; 0: the first
 * @out_n: entries that were written
 * @out_next: id to go on with in the next call; 0: that was all
 *
 * List the objects of the file in the order of their ids. Ids are never given twice,
 * so an object that exists during all calls of a list is in it exactly once.
 *
 * Errors: EINVAL (@objs_n is 0), EFAULT (entries may have been written).
 */
struct mdx_ioc_obj_list {
	__u32 size;
	__u32 flags;
	__aligned_u64 objs;
	__u32 objs_n;
	__u32 from_id;
	__u32 out_n;
	__u32 out_next;
};

#define MDX_IOC_OBJ_LIST _IO(MDX_IOC_TYPE, MDX_CMD_OBJ_LIST)

/**
 * enum mdx_channel_flags - Flags of MDX_IOC_CHANNEL
 * @MDX_CHANNEL_EVENTS: events of the device are read from the channel
 * @MDX_CHANNEL_COMPLETIONS: answers of commands are read from the channel
 * @MDX_CHANNEL_OMIT_DATA: with MDX_CHANNEL_EVENTS: of an event the cookie is read
 *	only, and once for all events of a subscription since the last read
 * @MDX_CHANNEL_PLAIN: with MDX_CHANNEL_COMPLETIONS: an answer is read as the stock
 *	driver formats it, without struct mdx_done
 */
enum mdx_channel_flags {
	MDX_CHANNEL_EVENTS = 1 << 0,
	MDX_CHANNEL_COMPLETIONS = 1 << 1,
	MDX_CHANNEL_OMIT_DATA = 1 << 2,
	MDX_CHANNEL_PLAIN = 1 << 3,
};

/* The depth a channel may be asked for, at most. */
#define MDX_CHANNEL_DEPTH_MAX 65536

/* Bytes of output mailboxes, and answers, that a channel holds at most. */
#define MDX_CHANNEL_BYTES_MAX 0x100000
#define MDX_CHANNEL_ANSWERS_MAX 4096

/**
 * struct mdx_ioc_channel - ioctl(MDX_IOC_CHANNEL)
 * @size: sizeof(struct mdx_ioc_channel)
 * @flags: enum mdx_channel_flags: either MDX_CHANNEL_EVENTS or
 *	MDX_CHANNEL_COMPLETIONS, and what goes with it
 * @depth: with MDX_CHANNEL_EVENTS: events that the channel has room for, at most
 *	MDX_CHANNEL_DEPTH_MAX; 0: 256. It has room for four events of each of its
 *	subscriptions in any case, up to MDX_CHANNEL_DEPTH_MAX. With
 *	MDX_CHANNEL_COMPLETIONS: 0
 * @out_fd: descriptor of the channel, close-on-exec and read only
 *
 * Make a channel: a file that is read and polled. It ends when its descriptors are
 * closed, when the last descriptor of the file that made it is closed, when the verbs
 * context ends or when the device is removed, whichever comes first. An end drops what
 * has not been read, wakes every reader, and read() fails with EIO from then on, with
 * O_NONBLOCK as well; poll() has POLLIN, POLLRDNORM, POLLHUP and POLLRDHUP.
 *
 * A read() takes one record:
 *
 * - MDX_CHANNEL_EVENTS: 8 bytes of cookie in the caller's byte order, and the 64 bytes
 *   of the event queue entry as the device wrote them.
 * - MDX_CHANNEL_EVENTS | MDX_CHANNEL_OMIT_DATA: 8 bytes of cookie.
 * - MDX_CHANNEL_COMPLETIONS: struct mdx_done, and out_len bytes of the answer.
 * - MDX_CHANNEL_COMPLETIONS | MDX_CHANNEL_PLAIN: 8 bytes of cookie, and the answer. Of
 *   a command that the device did not answer the status is 1 and the rest 0.
 *
 * Errors of read(): EINVAL (the buffer is too short for an event, which stays),
 * ENOSPC (it is too short for an answer, which stays), EAGAIN (O_NONBLOCK, and there
 * is no record), EOVERFLOW (events were lost since the last read, as there was no room
 * for them or as a destroy failed that they met: once, then the records follow), EIO
 * (the channel has ended), EFAULT (the record is lost), EINTR.
 *
 * Errors of the ioctl: EINVAL (@flags, @depth), EMFILE and ENFILE (descriptors).
 */
struct mdx_ioc_channel {
	__u32 size;
	__u32 flags;
	__u32 depth;
	__s32 out_fd;
};

#define MDX_IOC_CHANNEL _IO(MDX_IOC_TYPE, MDX_CMD_CHANNEL)

/**
 * struct mdx_done - Result of a command, read from a channel
 * @cookie: of the command
 * @err: 0, or the positive errno of the command. EREMOTEIO: the device refused it
 * @obj: id of the object that the command created; else 0
 * @status: status of the device's answer if it refused; else 0
 * @syndrome: its syndrome
 * @out_len: bytes of the answer, which follow. All 0 if @err is neither 0 nor EREMOTEIO
 * @reserved: 0
 */
struct mdx_done {
	__aligned_u64 cookie;
	__u32 err;
	__u32 obj;
	__u32 status;
	__u32 syndrome;
	__u32 out_len;
	__u32 reserved;
};

/* Events of a call of MDX_IOC_SUBSCRIBE, at most. */
#define MDX_SUBSCRIBE_EVENTS_MAX 16

/* Subscriptions of a verbs context, and of an object, at most. */
#define MDX_SUBSCRIPTIONS_MAX 65536
#define MDX_SUBSCRIPTIONS_OBJ_MAX 1024

/**
 * struct mdx_ioc_subscribe - ioctl(MDX_IOC_SUBSCRIBE)
 * @size: sizeof(struct mdx_ioc_subscribe)
 * @flags: 0
 * @events: address of an array of __u16: event numbers of the device; 0: completions
 *	of a CQ
 * @cookie: read with each event; 0 with an @eventfd
 * @events_n: entries of the array, 1 to MDX_SUBSCRIBE_EVENTS_MAX
 * @channel: descriptor of a channel with MDX_CHANNEL_EVENTS, made by any file that is
 *	bound to the same verbs context
 * @eventfd: descriptor of an eventfd, to which 1 is added for every event; the channel
 *	has no record of them then. -1: none
 * @obj: id of the object that the events are about; 0: events of the device that are
 *	about no object
 *
 * Subscribe to events. Each number is a subscription of its own, and lasts until the
 * channel or the object ends. All are made, or none.
 *
 * A subscription hears nothing any more from the moment the destroy of its object is
 * sent, also while the device gives the number to another object. If the device
 * refuses the destroy it hears again, and if an event came meanwhile, the channel
 * tells of a loss. After a destroy that was not answered it stays silent.
 *
 * Errors: EINVAL (@events_n, a @cookie with an @eventfd, a number that the device does
 * not offer to users; @eventfd is no eventfd), EBADF (@channel is no such channel or
 * has ended, @eventfd is not open), ENOMEM (also: the verbs context has MDX_SUBSCRIPTIONS_MAX
 * subscriptions, or it has MDX_SUBSCRIPTIONS_OBJ_MAX to the object, or to events about
 * no object).
 */
struct mdx_ioc_subscribe {
	__u32 size;
	__u32 flags;
	__aligned_u64 events;
	__aligned_u64 cookie;
	__u32 events_n;
	__s32 channel;
	__s32 eventfd;
	__u32 obj;
};

#define MDX_IOC_SUBSCRIBE _IO(MDX_IOC_TYPE, MDX_CMD_SUBSCRIBE)

/**
 * enum mdx_item_flags - Flags of an item
 * @MDX_ITEM_LINK: the item belongs to the chain of the item before it: it begins when
 *	that one has succeeded, else it is canceled. Without it a chain begins
 * @MDX_ITEM_DRAIN: the item and those behind it begin when all items before it have
 *	ended, well or not
 * @MDX_ITEM_OBJ_BACK: obj is not an id: the object is that which the item so many
 *	before this one created
 */
enum mdx_item_flags {
	MDX_ITEM_LINK = 1 << 0,
	MDX_ITEM_DRAIN = 1 << 1,
	MDX_ITEM_OBJ_BACK = 1 << 2,
};

/**
 * struct mdx_item - A call of a batch
 * @cmd: MDX_CMD_OBJ_CREATE, _OBJ_DESTROY, _OBJ_MODIFY, _OBJ_QUERY, _GENERAL,
 *	_VERBS_MODIFY, _VERBS_QUERY or _UMEM_REG
 * @flags: enum mdx_item_flags
 * @obj: the object, or the verbs handle; see MDX_ITEM_OBJ_BACK. 0 if @cmd names none
 * @in: address of the input mailbox; 0 with MDX_CMD_OBJ_DESTROY, as @out and the
 *	lengths. With MDX_CMD_UMEM_REG: address of struct mdx_ioc_umem_reg, whose out_*
 *	fields are written
 * @out: address of the output mailbox; with a channel 0: the answer is in the record. 0
 *	with MDX_CMD_UMEM_REG
 * @in_len: length of @in, or size of the structure
 * @out_len: length of @out. With MDX_CMD_UMEM_REG 0; with a channel the size of the
 *	structure, which is in the record then
 * @refs_n: entries of refs of struct mdx_ioc_submit that are this item's
 * @kind: type of a verbs handle, enum mdx_verbs_type; else 0
 * @__reserved: 0
 * @cookie: with a channel, read with the result; else 0
 * @out_err: 0, or the positive errno that the call would have failed with. ECANCELED:
 *	it was not begun
 * @out_obj: id of the object that the item created; 0 if it did not, or if the object
 *	was destroyed again
 * @out_status: status of the device's answer if it refused; else 0
 * @out_syndrome: its syndrome
 */
struct mdx_item {
	__u16 cmd;
	__u16 flags;
	__u32 obj;
	__aligned_u64 in;
	__aligned_u64 out;
	__u32 in_len;
	__u32 out_len;
	__u16 refs_n;
	__u16 kind;
	__u32 __reserved;
	__aligned_u64 cookie;
	__s32 out_err;
	__u32 out_obj;
	__u32 out_status;
	__u32 out_syndrome;
};

/**
 * enum mdx_ref_what - Value that a reference writes
 * @MDX_REF_ID: the number of the object with the device
 * @MDX_REF_LKEY: that number times 256: the lkey of an mkey whose variant is 0
 */
enum mdx_ref_what {
	MDX_REF_ID = 0,
	MDX_REF_LKEY = 1,
};

/**
 * struct mdx_ref - A field of an input that the kernel fills in
 * @bit: offset of its most significant bit, in bits, from 64
 * @back: the number is that of the object that the item so many before this one
 *	created
 * @width: of the field, 1 to 32, within a dword; bits of the value that do not fit are
 *	dropped
 * @what: enum mdx_ref_what
 */
struct mdx_ref {
	__u32 bit;
	__u16 back;
	__u8 width;
	__u8 what;
};

/* Items and references of a call of MDX_IOC_SUBMIT, at most. */
#define MDX_SUBMIT_ITEMS_MAX 4096
#define MDX_SUBMIT_REFS_MAX 65536

/* Longest item. */
#define MDX_SUBMIT_ITEM_SIZE_MAX 256

/* Items of a call with the device at a time: most, and if the caller does not say. */
#define MDX_SUBMIT_IN_FLIGHT_MAX 16
#define MDX_SUBMIT_IN_FLIGHT_DEFAULT 8

/**
 * enum mdx_submit_flags - Flags of MDX_IOC_SUBMIT
 * @MDX_SUBMIT_STOP: after an item has failed nothing begins any more
 * @MDX_SUBMIT_UNDO: of a chain of which an item fails or is canceled, the objects that
 *	its items have created are destroyed, newest first. An object that the device
 *	does not destroy, or that another call uses, stays, with its id
 */
enum mdx_submit_flags {
	MDX_SUBMIT_STOP = 1 << 0,
	MDX_SUBMIT_UNDO = 1 << 1,
};

/**
 * struct mdx_ioc_submit - ioctl(MDX_IOC_SUBMIT)
 * @size: sizeof(struct mdx_ioc_submit)
 * @flags: enum mdx_submit_flags
 * @items: address of an array of items, each of @item_size bytes
 * @refs: address of an array of struct mdx_ref, in the order of the items
 * @items_n: items, 1 to MDX_SUBMIT_ITEMS_MAX
 * @refs_n: references, at most MDX_SUBMIT_REFS_MAX, the sum of refs_n of the items
 * @item_size: sizeof(struct mdx_item) the caller was compiled with, a multiple of 8 up
 *	to MDX_SUBMIT_ITEM_SIZE_MAX
 * @in_flight: items that are with the device at a time, at most
 *	MDX_SUBMIT_IN_FLIGHT_MAX; 0: MDX_SUBMIT_IN_FLIGHT_DEFAULT. Fewer while calls of
 *	the context wait. With a channel: 0
 * @channel: -1: return when all items have ended. Else the descriptor of a channel with
 *	MDX_CHANNEL_COMPLETIONS, made by a file that is bound to the same verbs context:
 *	return when the items are on their way; their results are read from it
 * @__reserved: 0
 * @out_done: items that were begun and have ended; with a channel: that were taken
 * @out_failed: of these, those that failed; with a channel: 0
 * @out_first_failed: index of the first that failed, @items_n if none did; with a
 *	channel: 0
 * @out_reserved: 0
 *
 * Make many calls in one, several at a time. Each item is a call there is, with the
 * checks, the limits and the errors of that call.
 *
 * An item without MDX_ITEM_LINK begins a chain. The items of a chain follow each other;
 * chains run beside each other, and begin in the order of the array. The first item is
 * not linked.
 *
 * An item may refer to what an earlier item of its chain has created, or an item before
 * the last MDX_ITEM_DRAIN up to it. If that item did not succeed, this one is canceled.
 * An input mailbox is read when its item begins; references are written to the copy, and
 * then it is checked. A reference lies within the input.
 *
 * The call succeeds when every item has ended or was canceled: @out_failed says whether
 * all went well, out_err of each item how it went. If it fails, nothing was begun, except
 * with EFAULT when a result could not be written: nothing begins any more then, and the
 * objects of that item are destroyed as MDX_SUBMIT_UNDO says; what has been done before
 * stays. If the caller is killed, nothing begins any more, and nothing is undone.
 *
 * With a channel an item has neither flags nor references, @flags is 0, and items are
 * taken in their order up to the first that cannot be. Its error is that of the call if
 * it is the first: EAGAIN (the channel holds too many answers). The call waits for a
 * command slot for each item. With MDX_CHANNEL_PLAIN objects are neither created nor
 * destroyed. If the channel has ended when an object is created, the object is destroyed
 * again. Closing the last descriptor of the file waits for items on their way.
 *
 * Errors: EINVAL (@items_n, @refs_n, @item_size, @in_flight, the first item is linked, a
 * field that the item's @cmd does not use is not zero, a reference or an object that
 * does not follow the rules above), EOPNOTSUPP (also: cmd, flags or what is not known, or
 * cannot be used with a channel), E2BIG (also: a byte behind the item this kernel knows
 * is not zero), EFAULT, EBADF (@channel is no such channel), ENOMEM.
 */
struct mdx_ioc_submit {
	__u32 size;
	__u32 flags;
	__aligned_u64 items;
	__aligned_u64 refs;
	__u32 items_n;
	__u32 refs_n;
	__u32 item_size;
	__u32 in_flight;
	__s32 channel;
	__u32 __reserved;
	__u32 out_done;
	__u32 out_failed;
	__u32 out_first_failed;
	__u32 out_reserved;
};

#define MDX_IOC_SUBMIT _IO(MDX_IOC_TYPE, MDX_CMD_SUBMIT)

/*
 * The layout is for ever: a compiler that lays it out otherwise, or a change
 * that moves a field, does not get past this.
 */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define MDX_ABI_ASSERT(expr) static_assert(expr, #expr)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define MDX_ABI_ASSERT(expr) _Static_assert(expr, #expr)
#else
#define MDX_ABI_ASSERT(expr) extern char mdx_abi_assert[(expr) ? 1 : -1]
#endif
#define MDX_ABI_AT(type, field, off) \
	MDX_ABI_ASSERT(__builtin_offsetof(struct type, field) == (off))
#define MDX_ABI_SIZE(type, len) MDX_ABI_ASSERT(sizeof(struct type) == (len))

MDX_ABI_SIZE(mdx_ioc_info, 64);
MDX_ABI_AT(mdx_ioc_info, out_features, 8);
MDX_ABI_AT(mdx_ioc_info, out_errata, 16);
MDX_ABI_AT(mdx_ioc_info, out_in_len_max, 24);
MDX_ABI_AT(mdx_ioc_info, out_out_len_max, 28);
MDX_ABI_AT(mdx_ioc_info, out_objs_max, 32);
MDX_ABI_AT(mdx_ioc_info, out_objs, 36);
MDX_ABI_AT(mdx_ioc_info, out_flags, 40);
MDX_ABI_AT(mdx_ioc_info, out_uid, 44);
MDX_ABI_AT(mdx_ioc_info, out_calls_max, 48);
MDX_ABI_AT(mdx_ioc_info, out_calls_throttled_max, 52);
MDX_ABI_AT(mdx_ioc_info, out_long_len, 56);
MDX_ABI_AT(mdx_ioc_info, out_long_bytes_max, 60);

MDX_ABI_SIZE(mdx_ioc_bind, 16);
MDX_ABI_AT(mdx_ioc_bind, uverbs_fd, 8);
MDX_ABI_AT(mdx_ioc_bind, pd_handle, 12);

MDX_ABI_SIZE(mdx_ioc_obj_create, 40);
MDX_ABI_AT(mdx_ioc_obj_create, in, 8);
MDX_ABI_AT(mdx_ioc_obj_create, out, 16);
MDX_ABI_AT(mdx_ioc_obj_create, in_len, 24);
MDX_ABI_AT(mdx_ioc_obj_create, out_len, 28);
MDX_ABI_AT(mdx_ioc_obj_create, out_id, 32);
MDX_ABI_AT(mdx_ioc_obj_create, __reserved, 36);

MDX_ABI_SIZE(mdx_ioc_obj_destroy, 24);
MDX_ABI_AT(mdx_ioc_obj_destroy, id, 8);
MDX_ABI_AT(mdx_ioc_obj_destroy, out_status, 12);
MDX_ABI_AT(mdx_ioc_obj_destroy, out_syndrome, 16);
MDX_ABI_AT(mdx_ioc_obj_destroy, __reserved, 20);

MDX_ABI_SIZE(mdx_ioc_obj_cmd, 40);
MDX_ABI_AT(mdx_ioc_obj_cmd, in, 8);
MDX_ABI_AT(mdx_ioc_obj_cmd, out, 16);
MDX_ABI_AT(mdx_ioc_obj_cmd, in_len, 24);
MDX_ABI_AT(mdx_ioc_obj_cmd, out_len, 28);
MDX_ABI_AT(mdx_ioc_obj_cmd, id, 32);
MDX_ABI_AT(mdx_ioc_obj_cmd, __reserved, 36);

MDX_ABI_SIZE(mdx_ioc_general, 32);
MDX_ABI_AT(mdx_ioc_general, in, 8);
MDX_ABI_AT(mdx_ioc_general, out, 16);
MDX_ABI_AT(mdx_ioc_general, in_len, 24);
MDX_ABI_AT(mdx_ioc_general, out_len, 28);

MDX_ABI_SIZE(mdx_ioc_verbs_cmd, 40);
MDX_ABI_AT(mdx_ioc_verbs_cmd, in, 8);
MDX_ABI_AT(mdx_ioc_verbs_cmd, out, 16);
MDX_ABI_AT(mdx_ioc_verbs_cmd, in_len, 24);
MDX_ABI_AT(mdx_ioc_verbs_cmd, out_len, 28);
MDX_ABI_AT(mdx_ioc_verbs_cmd, handle, 32);
MDX_ABI_AT(mdx_ioc_verbs_cmd, obj_type, 36);

MDX_ABI_SIZE(mdx_ioc_query_port, 64);
MDX_ABI_AT(mdx_ioc_query_port, port_num, 8);
MDX_ABI_AT(mdx_ioc_query_port, __reserved, 12);
MDX_ABI_AT(mdx_ioc_query_port, out_flags, 16);
MDX_ABI_AT(mdx_ioc_query_port, out_icm_rx, 24);
MDX_ABI_AT(mdx_ioc_query_port, out_icm_tx, 32);
MDX_ABI_AT(mdx_ioc_query_port, out_vport, 40);
MDX_ABI_AT(mdx_ioc_query_port, out_vport_vhca_id, 44);
MDX_ABI_AT(mdx_ioc_query_port, out_esw_owner_vhca_id, 48);
MDX_ABI_AT(mdx_ioc_query_port, out_reg_c0_value, 52);
MDX_ABI_AT(mdx_ioc_query_port, out_reg_c0_mask, 56);
MDX_ABI_AT(mdx_ioc_query_port, out_reserved, 60);

MDX_ABI_SIZE(mdx_ioc_query_device, 344);
MDX_ABI_AT(mdx_ioc_query_device, out_fw_ver, 8);
MDX_ABI_AT(mdx_ioc_query_device, out_node_guid, 16);
MDX_ABI_AT(mdx_ioc_query_device, out_sys_image_guid, 24);
MDX_ABI_AT(mdx_ioc_query_device, out_max_mr_size, 32);
MDX_ABI_AT(mdx_ioc_query_device, out_page_size_cap, 40);
MDX_ABI_AT(mdx_ioc_query_device, out_device_cap_flags_ex, 48);
MDX_ABI_AT(mdx_ioc_query_device, out_odp_general_caps, 56);
MDX_ABI_AT(mdx_ioc_query_device, out_timestamp_mask, 64);
MDX_ABI_AT(mdx_ioc_query_device, out_hca_core_clock, 72);
MDX_ABI_AT(mdx_ioc_query_device, out_max_dm_size, 80);
MDX_ABI_AT(mdx_ioc_query_device, out_rss_hash_fields, 88);
MDX_ABI_AT(mdx_ioc_query_device, out_vendor_id, 96);
MDX_ABI_AT(mdx_ioc_query_device, out_vendor_part_id, 100);
MDX_ABI_AT(mdx_ioc_query_device, out_hw_ver, 104);
MDX_ABI_AT(mdx_ioc_query_device, out_max_qp, 108);
MDX_ABI_AT(mdx_ioc_query_device, out_max_qp_wr, 112);
MDX_ABI_AT(mdx_ioc_query_device, out_device_cap_flags, 116);
MDX_ABI_AT(mdx_ioc_query_device, out_max_sge, 120);
MDX_ABI_AT(mdx_ioc_query_device, out_max_sge_rd, 124);
MDX_ABI_AT(mdx_ioc_query_device, out_max_cq, 128);
MDX_ABI_AT(mdx_ioc_query_device, out_max_cqe, 132);
MDX_ABI_AT(mdx_ioc_query_device, out_max_mr, 136);
MDX_ABI_AT(mdx_ioc_query_device, out_max_pd, 140);
MDX_ABI_AT(mdx_ioc_query_device, out_max_qp_rd_atom, 144);
MDX_ABI_AT(mdx_ioc_query_device, out_max_ee_rd_atom, 148);
MDX_ABI_AT(mdx_ioc_query_device, out_max_res_rd_atom, 152);
MDX_ABI_AT(mdx_ioc_query_device, out_max_qp_init_rd_atom, 156);
MDX_ABI_AT(mdx_ioc_query_device, out_max_ee_init_rd_atom, 160);
MDX_ABI_AT(mdx_ioc_query_device, out_atomic_cap, 164);
MDX_ABI_AT(mdx_ioc_query_device, out_max_ee, 168);
MDX_ABI_AT(mdx_ioc_query_device, out_max_rdd, 172);
MDX_ABI_AT(mdx_ioc_query_device, out_max_mw, 176);
MDX_ABI_AT(mdx_ioc_query_device, out_max_raw_ipv6_qp, 180);
MDX_ABI_AT(mdx_ioc_query_device, out_max_raw_ethy_qp, 184);
MDX_ABI_AT(mdx_ioc_query_device, out_max_mcast_grp, 188);
MDX_ABI_AT(mdx_ioc_query_device, out_max_mcast_qp_attach, 192);
MDX_ABI_AT(mdx_ioc_query_device, out_max_total_mcast_qp_attach, 196);
MDX_ABI_AT(mdx_ioc_query_device, out_max_ah, 200);
MDX_ABI_AT(mdx_ioc_query_device, out_max_fmr, 204);
MDX_ABI_AT(mdx_ioc_query_device, out_max_map_per_fmr, 208);
MDX_ABI_AT(mdx_ioc_query_device, out_max_srq, 212);
MDX_ABI_AT(mdx_ioc_query_device, out_max_srq_wr, 216);
MDX_ABI_AT(mdx_ioc_query_device, out_max_srq_sge, 220);
MDX_ABI_AT(mdx_ioc_query_device, out_max_pkeys, 224);
MDX_ABI_AT(mdx_ioc_query_device, out_local_ca_ack_delay, 228);
MDX_ABI_AT(mdx_ioc_query_device, out_phys_port_cnt, 232);
MDX_ABI_AT(mdx_ioc_query_device, out_odp_rc_caps, 236);
MDX_ABI_AT(mdx_ioc_query_device, out_odp_uc_caps, 240);
MDX_ABI_AT(mdx_ioc_query_device, out_odp_ud_caps, 244);
MDX_ABI_AT(mdx_ioc_query_device, out_odp_xrc_caps, 248);
MDX_ABI_AT(mdx_ioc_query_device, out_tso_max, 252);
MDX_ABI_AT(mdx_ioc_query_device, out_tso_qpts, 256);
MDX_ABI_AT(mdx_ioc_query_device, out_rss_qpts, 260);
MDX_ABI_AT(mdx_ioc_query_device, out_rss_max_tables, 264);
MDX_ABI_AT(mdx_ioc_query_device, out_rss_max_table_size, 268);
MDX_ABI_AT(mdx_ioc_query_device, out_rss_hash_function, 272);
MDX_ABI_AT(mdx_ioc_query_device, out_max_wq_type_rq, 276);
MDX_ABI_AT(mdx_ioc_query_device, out_pacing_rate_min, 280);
MDX_ABI_AT(mdx_ioc_query_device, out_pacing_rate_max, 284);
MDX_ABI_AT(mdx_ioc_query_device, out_pacing_qpts, 288);
MDX_ABI_AT(mdx_ioc_query_device, out_raw_packet_caps, 292);
MDX_ABI_AT(mdx_ioc_query_device, out_tm_max_rndv_hdr_size, 296);
MDX_ABI_AT(mdx_ioc_query_device, out_tm_max_num_tags, 300);
MDX_ABI_AT(mdx_ioc_query_device, out_tm_flags, 304);
MDX_ABI_AT(mdx_ioc_query_device, out_tm_max_ops, 308);
MDX_ABI_AT(mdx_ioc_query_device, out_tm_max_sge, 312);
MDX_ABI_AT(mdx_ioc_query_device, out_cq_mod_max_count, 316);
MDX_ABI_AT(mdx_ioc_query_device, out_cq_mod_max_period, 320);
MDX_ABI_AT(mdx_ioc_query_device, out_pci_fetch_add, 324);
MDX_ABI_AT(mdx_ioc_query_device, out_pci_swap, 328);
MDX_ABI_AT(mdx_ioc_query_device, out_pci_compare_swap, 332);
MDX_ABI_AT(mdx_ioc_query_device, out_phys_port_cnt_ex, 336);
MDX_ABI_AT(mdx_ioc_query_device, out_reserved, 340);

MDX_ABI_SIZE(mdx_ioc_umem_reg, 64);
MDX_ABI_AT(mdx_ioc_umem_reg, addr, 8);
MDX_ABI_AT(mdx_ioc_umem_reg, length, 16);
MDX_ABI_AT(mdx_ioc_umem_reg, pgsz_bitmap, 24);
MDX_ABI_AT(mdx_ioc_umem_reg, access, 32);
MDX_ABI_AT(mdx_ioc_umem_reg, dmabuf_fd, 36);
MDX_ABI_AT(mdx_ioc_umem_reg, out_id, 40);
MDX_ABI_AT(mdx_ioc_umem_reg, out_umem_id, 44);
MDX_ABI_AT(mdx_ioc_umem_reg, out_status, 48);
MDX_ABI_AT(mdx_ioc_umem_reg, out_syndrome, 52);
MDX_ABI_AT(mdx_ioc_umem_reg, out_log_page_size, 56);
MDX_ABI_AT(mdx_ioc_umem_reg, out_reserved, 60);

MDX_ABI_SIZE(mdx_ioc_last_error, 56);
MDX_ABI_AT(mdx_ioc_last_error, out_count, 8);
MDX_ABI_AT(mdx_ioc_last_error, out_cmd, 16);
MDX_ABI_AT(mdx_ioc_last_error, out_stage, 20);
MDX_ABI_AT(mdx_ioc_last_error, out_errno, 24);
MDX_ABI_AT(mdx_ioc_last_error, out_tid, 28);
MDX_ABI_AT(mdx_ioc_last_error, out_opcode, 32);
MDX_ABI_AT(mdx_ioc_last_error, out_obj, 36);
MDX_ABI_AT(mdx_ioc_last_error, out_status, 40);
MDX_ABI_AT(mdx_ioc_last_error, out_syndrome, 44);
MDX_ABI_AT(mdx_ioc_last_error, out_item, 48);
MDX_ABI_AT(mdx_ioc_last_error, out_reserved, 52);

MDX_ABI_SIZE(mdx_obj_info, 16);
MDX_ABI_AT(mdx_obj_info, id, 0);
MDX_ABI_AT(mdx_obj_info, opcode, 4);
MDX_ABI_AT(mdx_obj_info, obj_type, 6);
MDX_ABI_AT(mdx_obj_info, fw_id, 8);
MDX_ABI_AT(mdx_obj_info, fw_n, 12);

MDX_ABI_SIZE(mdx_ioc_obj_list, 32);
MDX_ABI_AT(mdx_ioc_obj_list, objs, 8);
MDX_ABI_AT(mdx_ioc_obj_list, objs_n, 16);
MDX_ABI_AT(mdx_ioc_obj_list, from_id, 20);
MDX_ABI_AT(mdx_ioc_obj_list, out_n, 24);
MDX_ABI_AT(mdx_ioc_obj_list, out_next, 28);

MDX_ABI_SIZE(mdx_ioc_channel, 16);
MDX_ABI_AT(mdx_ioc_channel, depth, 8);
MDX_ABI_AT(mdx_ioc_channel, out_fd, 12);

MDX_ABI_SIZE(mdx_done, 32);
MDX_ABI_AT(mdx_done, cookie, 0);
MDX_ABI_AT(mdx_done, err, 8);
MDX_ABI_AT(mdx_done, obj, 12);
MDX_ABI_AT(mdx_done, status, 16);
MDX_ABI_AT(mdx_done, syndrome, 20);
MDX_ABI_AT(mdx_done, out_len, 24);
MDX_ABI_AT(mdx_done, reserved, 28);

MDX_ABI_SIZE(mdx_ioc_subscribe, 40);
MDX_ABI_AT(mdx_ioc_subscribe, events, 8);
MDX_ABI_AT(mdx_ioc_subscribe, cookie, 16);
MDX_ABI_AT(mdx_ioc_subscribe, events_n, 24);
MDX_ABI_AT(mdx_ioc_subscribe, channel, 28);
MDX_ABI_AT(mdx_ioc_subscribe, eventfd, 32);
MDX_ABI_AT(mdx_ioc_subscribe, obj, 36);

MDX_ABI_SIZE(mdx_item, 64);
MDX_ABI_AT(mdx_item, cmd, 0);
MDX_ABI_AT(mdx_item, flags, 2);
MDX_ABI_AT(mdx_item, obj, 4);
MDX_ABI_AT(mdx_item, in, 8);
MDX_ABI_AT(mdx_item, out, 16);
MDX_ABI_AT(mdx_item, in_len, 24);
MDX_ABI_AT(mdx_item, out_len, 28);
MDX_ABI_AT(mdx_item, refs_n, 32);
MDX_ABI_AT(mdx_item, kind, 34);
MDX_ABI_AT(mdx_item, __reserved, 36);
MDX_ABI_AT(mdx_item, cookie, 40);
MDX_ABI_AT(mdx_item, out_err, 48);
MDX_ABI_AT(mdx_item, out_obj, 52);
MDX_ABI_AT(mdx_item, out_status, 56);
MDX_ABI_AT(mdx_item, out_syndrome, 60);

MDX_ABI_SIZE(mdx_ref, 8);
MDX_ABI_AT(mdx_ref, bit, 0);
MDX_ABI_AT(mdx_ref, back, 4);
MDX_ABI_AT(mdx_ref, width, 6);
MDX_ABI_AT(mdx_ref, what, 7);

MDX_ABI_SIZE(mdx_ioc_submit, 64);
MDX_ABI_AT(mdx_ioc_submit, items, 8);
MDX_ABI_AT(mdx_ioc_submit, refs, 16);
MDX_ABI_AT(mdx_ioc_submit, items_n, 24);
MDX_ABI_AT(mdx_ioc_submit, refs_n, 28);
MDX_ABI_AT(mdx_ioc_submit, item_size, 32);
MDX_ABI_AT(mdx_ioc_submit, in_flight, 36);
MDX_ABI_AT(mdx_ioc_submit, channel, 40);
MDX_ABI_AT(mdx_ioc_submit, __reserved, 44);
MDX_ABI_AT(mdx_ioc_submit, out_done, 48);
MDX_ABI_AT(mdx_ioc_submit, out_failed, 52);
MDX_ABI_AT(mdx_ioc_submit, out_first_failed, 56);
MDX_ABI_AT(mdx_ioc_submit, out_reserved, 60);

#endif /* MDX_UAPI_H */
