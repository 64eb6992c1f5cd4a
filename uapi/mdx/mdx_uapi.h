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
 * and every object it creates belongs to it: the objects are destroyed when the
 * last descriptor of the file is closed. dup(), fork() and SCM_RIGHTS share one
 * file and so one binding.
 *
 * Every ioctl takes a pointer to a structure whose first field, size, is
 * sizeof() of the structure the caller was compiled with. A structure may grow
 * at its end in later versions; zero in a new field means the old behaviour.
 * Numbers are never reused. Fields named out_* are written by the kernel, and
 * what the caller left in them does not matter; all reserved fields are zero.
 *
 * Mailboxes are what the firmware reads and writes: big-endian, in the layout
 * of the command. Their lengths are in bytes. A mailbox starts at any address.
 * The uid in an input mailbox is ignored: the kernel puts the file's own there.
 *
 * Errors have one meaning everywhere:
 *
 * - ENOTTY: the ioctl number is not known.
 * - E2BIG: a byte behind the structure this kernel knows is not zero, or size is
 *   more than a page.
 * - EINVAL: understood, but wrong: size is too short, a mailbox is shorter than
 *   the command's layout or longer than the limits of MDX_IOC_INFO, the opcode
 *   belongs to another ioctl, the id in the mailbox is not the object's.
 * - EOPNOTSUPP: a flag, a reserved field or an opcode this kernel does not know,
 *   or something the device or the context cannot do.
 * - EFAULT: a structure or a mailbox cannot be read or written.
 * - ENOMEM: no memory, or the file owns as many objects as it may.
 * - ENOTCONN: the file is not bound.
 * - ENOENT: the file has no object of that id.
 * - EBUSY: the object is being used or destroyed by another call.
 * - EIO: the device of this file was removed. Only close() remains.
 * - EREMOTEIO: the device executed the command and refused it. Status and
 *   syndrome are in the output mailbox (or in the out_* fields of
 *   MDX_IOC_OBJ_DESTROY), which are valid in this case and on success only.
 * - Anything else comes from the driver's command interface: the device did not
 *   answer, for example ETIMEDOUT, or ENXIO when it is in an internal error.
 *
 * On success and on EREMOTEIO all out_len bytes of the output mailbox are
 * written. On any other error neither it nor the structure is touched.
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
	/* 7 to 10: verbs interop, port and device query; 11 to 16: umem, UAR,
	 * EQN, events, asynchronous commands and batches.
	 */
};

/**
 * enum mdx_feature - Bits of out_features of MDX_IOC_INFO
 * @MDX_FEATURE_OBJ: MDX_IOC_OBJ_CREATE, _DESTROY, _MODIFY and _QUERY
 * @MDX_FEATURE_GENERAL: MDX_IOC_GENERAL
 */
enum mdx_feature {
	MDX_FEATURE_OBJ = 1 << 0,
	MDX_FEATURE_GENERAL = 1 << 1,
};

/**
 * enum mdx_info_flags - Bits of out_flags of MDX_IOC_INFO
 * @MDX_INFO_BOUND: the file is bound
 * @MDX_INFO_GONE: its device was removed; implies MDX_INFO_BOUND
 */
enum mdx_info_flags {
	MDX_INFO_BOUND = 1 << 0,
	MDX_INFO_GONE = 1 << 1,
};

/**
 * struct mdx_ioc_info - ioctl(MDX_IOC_INFO)
 * @size: sizeof(struct mdx_ioc_info)
 * @flags: 0
 * @out_features: what this module can do, enum mdx_feature
 * @out_errata: faults of earlier modules that this one no longer has; no bit is
 *	defined yet
 * @out_in_len_max: longest input mailbox, in bytes
 * @out_out_len_max: longest output mailbox, in bytes
 * @out_objs_max: how many objects a file may own at a time
 * @out_objs: how many this file owns now
 * @out_flags: state of the file, enum mdx_info_flags
 * @out_uid: firmware uid the file is bound to; 0 while it is not bound
 *
 * The only call an unbound file answers besides MDX_IOC_BIND. It works on a file
 * whose device was removed, too.
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
};

#define MDX_IOC_INFO _IO(MDX_IOC_TYPE, MDX_CMD_INFO)

/**
 * struct mdx_ioc_bind - ioctl(MDX_IOC_BIND)
 * @size: sizeof(struct mdx_ioc_bind)
 * @flags: 0
 * @uverbs_fd: cmd_fd of an open verbs context (struct ibv_context) of an mlx5
 *	device
 * @pd_handle: handle of a PD of that context (struct ibv_pd)
 *
 * Adopt the firmware uid of a verbs context. The kernel keeps a reference on
 * the uverbs file: closing @uverbs_fd does not end the context while this file
 * is open. The PD is needed during the call only.
 *
 * Errors: EBADF (@uverbs_fd is not open), EINVAL (it is not a uverbs device, not
 * of an mlx5 device, or the file is bound already), ENOENT (no such PD in that
 * context), EPERM (the device is in another network namespace), EOPNOTSUPP (the
 * context was opened without DEVX and has no uid, or the running mlx5_ib is laid
 * out in a way this module does not know), EIO (the device is being removed),
 * EBUSY (another bind of this file is under way, or the PD is being destroyed).
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
 * Errors: ENOENT, EBUSY (a modify, a query or another destroy of it is running).
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

MDX_ABI_SIZE(mdx_ioc_info, 48);
MDX_ABI_AT(mdx_ioc_info, out_features, 8);
MDX_ABI_AT(mdx_ioc_info, out_errata, 16);
MDX_ABI_AT(mdx_ioc_info, out_in_len_max, 24);
MDX_ABI_AT(mdx_ioc_info, out_out_len_max, 28);
MDX_ABI_AT(mdx_ioc_info, out_objs_max, 32);
MDX_ABI_AT(mdx_ioc_info, out_objs, 36);
MDX_ABI_AT(mdx_ioc_info, out_flags, 40);
MDX_ABI_AT(mdx_ioc_info, out_uid, 44);

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

#endif /* MDX_UAPI_H */
