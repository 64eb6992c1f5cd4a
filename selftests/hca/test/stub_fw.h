/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A stub firmware, so that tests of the device do not depend on the real one.
 * It is included once in a test program, and the real firmware is then not
 * linked.
 */
#ifndef HCA_TEST_STUB_FW_H
#define HCA_TEST_STUB_FW_H

#include <stdlib.h>
#include <string.h>

#include "../bytes.h"
#include "../hca_fw.h"
#include "../fw_view.h"
#include "../fw_steer.h"
#include "../prm.h"

enum {
	STUB_ECHO = 0x001,	/* copies the input from byte 16 on */
	STUB_CREATE_EQ = MLX5_CMD_OP_CREATE_EQ,	/* creates stub.eq */
	STUB_DESTROY_EQ = MLX5_CMD_OP_DESTROY_EQ,
};

struct fw {
	const struct fw_ops *ops;
	void *priv;
};

static struct {
	unsigned int resets;
	unsigned int execs;
	uint16_t order[64];	/* of the opcodes executed */
	struct fw_eq_attr eq;
	bool strict;
	unsigned int switches;	/* calls of fw_switch() */
	bool has_wq, has_cq;
	struct fw_wq_view wq;
	struct fw_cq_view cq;
	struct fw_live live[4];
	unsigned int nr_live;
} stub;

struct fw *fw_new(const struct fw_conf *conf, const struct fw_ops *ops,
		  void *priv)
{
	struct fw *fw = calloc(1, sizeof(*fw));

	stub.strict = conf->strict;
	fw->ops = ops;
	fw->priv = priv;
	return fw;
}

void fw_free(struct fw *fw)
{
	free(fw);
}

void fw_reset(struct fw *fw)
{
	(void)fw;
	stub.resets++;
}

int fw_exec(struct fw *fw, const uint8_t *in, size_t in_len, uint8_t *out,
	    size_t out_len)
{
	uint16_t opcode = get_be16(in);
	size_t n = in_len < out_len ? in_len : out_len;

	if (stub.execs < 64)
		stub.order[stub.execs] = opcode;
	stub.execs++;
	switch (opcode) {
	case STUB_ECHO:
		if (n > 16)
			memcpy(out + 16, in + 16, n - 16);
		break;
	case STUB_CREATE_EQ:
		out[0] = (uint8_t)fw->ops->eq_create(fw->priv, &stub.eq);
		break;
	case STUB_DESTROY_EQ:
		fw->ops->eq_destroy(fw->priv, stub.eq.eqn);
		break;
	}
	return out[0];
}

void fw_set_strict(struct fw *fw, bool strict)
{
	(void)fw;
	stub.strict = strict;
}

bool fw_switch(struct fw *fw, const char *opt)
{
	(void)fw;
	stub.switches++;
	return !strcmp(opt, "odp=on");
}

void fw_switch_back(struct fw *fw, const struct fw_conf *conf)
{
	(void)fw;
	(void)conf;
	stub.switches = 0;
}

const char *fw_opcode_name(uint16_t opcode)
{
	return opcode == STUB_ECHO ? "ECHO" : NULL;
}

void fw_live(struct fw *fw, int uid,
	     int (*fn)(void *arg, const struct fw_live *obj), void *arg)
{
	unsigned int i;

	(void)fw;
	for (i = 0; i < stub.nr_live; i++) {
		if (uid < 0 || stub.live[i].uid == uid)
			fn(arg, &stub.live[i]);
	}
}

unsigned int fw_uar_shift(struct fw *fw)
{
	(void)fw;
	return 12;
}

bool fw_wq_view(struct fw *fw, uint32_t num, struct fw_wq_view *view)
{
	(void)fw;
	(void)num;
	*view = stub.wq;
	return stub.has_wq;
}

bool fw_cq_view(struct fw *fw, uint32_t cqn, struct fw_cq_view *view)
{
	(void)fw;
	(void)cqn;
	*view = stub.cq;
	return stub.has_cq;
}

bool fw_srq_view(struct fw *fw, uint32_t num, struct fw_srq_view *view)
{
	(void)fw;
	(void)num;
	(void)view;
	return false;
}

bool fw_mkey_view(struct fw *fw, uint32_t index, struct fw_mkey_view *view)
{
	(void)fw;
	(void)index;
	(void)view;
	return false;
}

bool fw_gid_view(struct fw *fw, unsigned int i, uint8_t gid[16],
		 uint8_t *version)
{
	(void)fw;
	(void)i;
	(void)gid;
	(void)version;
	return false;
}

uint32_t fw_qp1(struct fw *fw)
{
	(void)fw;
	return 0;
}

void fw_qp_set_state(struct fw *fw, uint32_t qpn, uint8_t state)
{
	(void)fw;
	(void)qpn;
	stub.wq.state = state;
}

void fw_cq_failed(struct fw *fw, uint32_t cqn)
{
	(void)fw;
	(void)cqn;
}

bool fw_srq_limit(struct fw *fw, uint32_t num, uint32_t left)
{
	(void)fw;
	(void)num;
	(void)left;
	return false;
}

bool fw_umr(struct fw *fw, uint32_t index, const uint8_t mkc[64], uint64_t mask,
	    const uint8_t *xlt, size_t xlt_len, uint64_t xlt_off)
{
	(void)fw;
	(void)index;
	(void)mkc;
	(void)mask;
	(void)xlt;
	(void)xlt_len;
	(void)xlt_off;
	return false;
}

bool fw_link_up(struct fw *fw)
{
	(void)fw;
	return false;
}

unsigned int fw_port_mtu(struct fw *fw)
{
	(void)fw;
	return 0;
}

void fw_wq_set_error(struct fw *fw, uint32_t num)
{
	(void)fw;
	(void)num;
}

bool fw_steer_tx(struct fw *fw, struct eth_pkt *pkt)
{
	(void)fw;
	(void)pkt;
	return false;
}

void fw_steer_rx(struct fw *fw, struct eth_pkt *pkt, fw_deliver_fn deliver,
		 void *arg)
{
	(void)fw;
	(void)pkt;
	(void)deliver;
	(void)arg;
}

bool fw_dct_view(struct fw *fw, uint32_t num, struct fw_wq_view *view,
		 uint64_t *key)
{
	(void)fw;
	(void)num;
	(void)view;
	(void)key;
	return false;
}

uint32_t fw_mcg_next(struct fw *fw, const uint8_t gid[16], uint32_t qpn)
{
	(void)fw;
	(void)gid;
	(void)qpn;
	return 0;
}

#endif /* HCA_TEST_STUB_FW_H */
