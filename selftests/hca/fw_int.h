/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Inside the firmware: a command being executed, and the table of commands.
 */
#ifndef HCA_FW_INT_H
#define HCA_FW_INT_H

#include <string.h>

#include "obj.h"
#include "synd.h"

#define FW_CAP_TYPES 0x29	/* QUERY_HCA_CAP types there are numbers for */
#define FW_CAP_LEN 4096
#define FW_GIDS 256		/* RoCE address table */
#define FW_LISTS 3		/* of a vport: unicast, multicast, VLANs */
#define FW_LIST_LEN 512
#define FW_VPORT_ECPF 0xfffe
#define FW_VPORT_UPLINK 0xffff
#define FW_VPORTS (FW_MAX_VFS + 3)	/* host PF, ECPF, uplink */

/* Where a vport's steering begins, by direction; any that is not 0 would do. */
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
 * @num: its number
 * @vhca_id: number of the function, or 0 where there is none
 * @enabled: the function is, where another one manages it
 * @admin: MODIFY_VPORT_STATE
 * @nic: NIC vport context
 * @hca: HCA vport context
 * @esw: e-switch vport context
 * @list_len: entries of each of its lists
 * @list: unicast, multicast, VLANs
 * @cap_set: @cap is what the manager set
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

struct fw {
	struct fw_conf conf;
	const struct fw_ops *ops;
	void *priv;
	bool enabled;
	bool init;
	u16 issi;
	u32 qp1;	/* the last QP of that kind to change its state */
	struct fw_caps caps;
	struct fw_port port;
	/* The first one is its own; the others are those that it manages. */
	struct fw_vport vport[FW_VPORTS];
	size_t nvports;
	struct fw_store store;
};

struct fw_cmd;

/**
 * struct fw_call - a command being executed
 * @fw: the firmware
 * @cmd: the command's row
 * @in: input mailbox
 * @in_len: its length, no less than the row's
 * @out: output mailbox
 * @out_len: its length, no less than the row's
 * @uid: who asks
 * @op_mod: modifier
 * @synd: why it was refused
 * @obj: the object it is about; of a create, once it is there
 * @deps: objects that it names, @ndeps of them
 * @mem: memory of the queue that it makes
 */
struct fw_call {
	struct fw *fw;
	const struct fw_cmd *cmd;
	const u8 *in;
	size_t in_len;
	u8 *out;
	size_t out_len;
	u16 uid;
	u16 op_mod;
	u32 synd;
	struct fw_obj *obj;
	struct fw_obj **deps;
	size_t ndeps;
	struct fw_mem mem;
};

enum fw_cmd_flags {
	CMD_CREATE = 1,		/* makes an object: @id is in the output */
	CMD_KERNEL = 2,		/* for uid 0 only */
	CMD_EARLY = 4,		/* before INIT_HCA, too */
	CMD_NO_MOD = 8,		/* the handler looks at op_mod, or it is none */
};

/**
 * struct fw_cmd - a row of the table of commands
 * @opcode: the command
 * @name: its name
 * @in: least length of its input mailbox
 * @out: least length of its output mailbox
 * @kind: kind of object it is about
 * @id_bit: where the number is: in the output of a create, else in the input
 * @id_width: width of the number; 0 where the handler finds the object
 * @flags: enum fw_cmd_flags
 * @used: bits of input bytes 8 to 15 that mean something, beside the number
 * @fn: handler: returns a status, with the syndrome in the call
 */
struct fw_cmd {
	u16 opcode;
	const char *name;
	u16 in;
	u16 out;
	enum fw_kind kind;
	u16 id_bit;
	u8 id_width;
	u8 flags;
	u64 used;
	int (*fn)(struct fw_call *c);
};

const struct fw_cmd *fw_cmd_find(u16 opcode);
/* The table's rows, one by one, for the tests; NULL behind the last. */
const struct fw_cmd *fw_cmd_row(size_t i);

/* Refuse: the status, with @synd and what kind of object it is about. */
static inline int fw_fail(struct fw_call *c, int status, u32 synd)
{
	c->synd = synd;
	return status;
}

static inline u8 *fw_cap(struct fw *fw, unsigned int type)
{
	return fw->caps.cur[type];
}

#define FW_GEN(fw, f) PRM_GET(cmd_hca_cap, fw_cap(fw, 0), f)

/* fw.c: what most commands are made of */
bool fw_uid_is(struct fw *fw, u16 uid);
bool fw_may_name(u16 uid, const struct fw_obj *obj);
struct fw_obj *fw_need(struct fw_call *c, enum fw_kind kind, u64 key, int *ret);
int fw_name(struct fw_call *c, enum fw_kind kind, u64 key);
int fw_name_obj(struct fw_call *c, struct fw_obj *obj);
int fw_rename(struct fw_call *c, struct fw_obj *obj);
int fw_find(struct fw_call *c, enum fw_kind kind, u64 key);
int fw_create_key(struct fw_call *c, u64 key, u32 span);
int fw_list(struct fw_call *c, size_t at, u64 n);
void fw_gone(struct fw *fw, struct fw_obj *obj);
void fw_clear(struct fw *fw);

/* fw_port.c */
void port_init(struct fw *fw);
void port_changed(struct fw *fw, bool was);

/* fw_esw.c */
void vports_init(struct fw *fw);
struct fw_vport *fw_vport_num(struct fw *fw, u16 num);
struct fw_vport *fw_vport(struct fw_call *c, int *ret);
struct fw_vport *fw_function(struct fw_call *c, bool other, int *ret);

static inline struct fw_vport *fw_own(struct fw *fw)
{
	return &fw->vport[0];
}

/* caps.c, caps_switch.c */
void caps_init(struct fw *fw);
bool fw_vport_icm(const struct fw_conf *conf);
bool fw_conf_switch(struct fw_conf *conf, const char *opt);

/* fw_qp.c, fw_rqsq.c */
bool fw_wq_view_qp(const struct fw_obj *obj, struct fw_wq_view *view);
bool fw_wq_view_sq(const struct fw_obj *obj, struct fw_wq_view *view);

/**
 * struct fw_place - where a create says its queue is
 * @valid: in a umem
 * @umem: its number
 * @off: where in the umem
 * @size: of the queue, in bytes
 * @log_page: log2 of the page size less 12, if it is a page list
 * @page_off: page_offset field: where in the first page, in 64ths of a page
 * @list: where the page list is in the mailbox
 */
struct fw_place {
	bool valid;
	u32 umem;
	u64 off;
	u64 size;
	u8 log_page;
	u8 page_off;
	u16 list;
};

/* Modify: @cand, of @len bytes, takes the place of the object's mailbox. */
int fw_modify(struct fw_call *c, u8 *cand, size_t len,
	      int (*names)(struct fw_call *c));
u8 *fw_copy(struct fw_call *c);
int fw_exists(struct fw_call *c, enum fw_kind kind, u64 key);
int fw_name_pd(struct fw_call *c, u32 pd);
int fw_name_cq(struct fw_call *c, u32 cqn);
int fw_name_srq(struct fw_call *c, u32 num);
int fw_check_counter(struct fw_call *c, u32 set);
void fw_field(u8 *to, const u8 *from, size_t bit, unsigned int width);

/* fw_mem.c */
int fw_place(struct fw_call *c, const struct fw_place *place);
int fw_place_dbr(struct fw_call *c, bool valid, u32 umem, u64 addr);
int fw_place_wq(struct fw_call *c, const u8 *wq, u16 list);
void fw_buf(const struct fw_obj *obj, struct fw_buf *buf);

#endif /* HCA_FW_INT_H */
