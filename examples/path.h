/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Address of a QP of the same port. */
#ifndef EXAMPLES_PATH_H
#define EXAMPLES_PATH_H

#include "layout.h"
#include "open.h"

enum { PORT = 1 };

/* Path from the port to itself. A RoCE port has its MAC in the link-local GID. */
static inline void set_path(struct ibv_context *context, void *in)
{
	struct ibv_port_attr port;
	union ibv_gid gid;
	uint8_t *eui = gid.raw + 8;

	if (ibv_query_port(context, PORT, &port) ||
	    ibv_query_gid(context, PORT, 0, &gid))
		fail_with("port", EIO);
	DEVX_SET(qp_in, in, qpc.path.port, PORT);
	if (port.link_layer == IBV_LINK_LAYER_INFINIBAND) {
		DEVX_SET(qp_in, in, qpc.path.rlid, port.lid);
		return;
	}
	DEVX_SET(qp_in, in, qpc.path.rmac_47_32, (eui[0] ^ 2) << 8 | eui[1]);
	DEVX_SET(qp_in, in, qpc.path.rmac_31_0,
		 (uint32_t)eui[2] << 24 | eui[5] << 16 | eui[6] << 8 | eui[7]);
	memcpy(DEVX_ADDR_OF(qp_in, in, qpc.path.rgid), gid.raw, sizeof(gid));
	DEVX_SET(qp_in, in, qpc.path.hop_limit, 64);
	DEVX_SET(qp_in, in, qpc.path.udp_sport, 0xc000);
}

#endif /* EXAMPLES_PATH_H */
