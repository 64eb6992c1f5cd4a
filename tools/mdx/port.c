// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx port: MDX_IOC_QUERY_PORT of one port, or of all. */
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include <infiniband/verbs.h>

#include "tool.h"

static int show_port(int fd, unsigned int port)
{
	struct mdx_ioc_query_port arg = {
		.size = sizeof(arg),
		.port_num = port,
	};
	int err = mdx_call(fd, MDX_IOC_QUERY_PORT, &arg);

	out_open(NULL, '{');
	out_num("port", port);
	if (err) {
		out_str("error", "%s", strerror(err));
		out_close();
		return err;
	}
	out_hex("flags", arg.out_flags);
	if (arg.out_flags & MDX_QUERY_PORT_VPORT)
		out_hex("vport", arg.out_vport);
	if (arg.out_flags & MDX_QUERY_PORT_VPORT_VHCA_ID)
		out_hex("vport_vhca_id", arg.out_vport_vhca_id);
	if (arg.out_flags & MDX_QUERY_PORT_ESW_OWNER_VHCA_ID)
		out_hex("esw_owner_vhca_id", arg.out_esw_owner_vhca_id);
	/* More digits than a JSON reader may keep. */
	if (arg.out_flags & MDX_QUERY_PORT_VPORT_STEERING_ICM_RX)
		out_str("icm_rx", "%#llx", (unsigned long long)arg.out_icm_rx);
	if (arg.out_flags & MDX_QUERY_PORT_VPORT_STEERING_ICM_TX)
		out_str("icm_tx", "%#llx", (unsigned long long)arg.out_icm_tx);
	if (arg.out_flags & MDX_QUERY_PORT_VPORT_REG_C0) {
		out_hex("reg_c0_value", arg.out_reg_c0_value);
		out_hex("reg_c0_mask", arg.out_reg_c0_mask);
	}
	if (!arg.out_flags)
		out_str("note", "nothing is behind this port but the device itself");
	out_close();
	return 0;
}

int verb_port(int argc, char **argv)
{
	static const struct opt opts[] = { { 0 } };
	unsigned int first = 1, last, port, good = 0;
	struct ibv_device_attr attr;
	struct mdx_conn conn;
	int ret, err = 0;

	while (next_opt(argc, argv, opts) != -1)
		;
	if (optind + 1 < argc)
		usage("one port, or none for all of them");
	if (optind < argc)
		first = number(argv[optind], UINT32_MAX, "port");
	ret = conn_of_options(&conn);
	if (ret)
		return ret;
	last = first;
	if (optind == argc && !ibv_query_device(conn.ctx, &attr))
		last = attr.phys_port_cnt;

	out_open(NULL, '{');
	out_str("device", "%s", opt_device);
	out_open("ports", '[');
	for (port = first; port <= last; port++) {
		ret = show_port(conn.fd, port);
		if (ret)
			err = ret;
		else
			good++;
		if (port == UINT32_MAX)
			break;
	}
	out_close();
	out_close();
	/* Of all ports, some may have no representor. */
	if (err && !(good && err == EOPNOTSUPP)) {
		explain(conn.fd, err);
		ret = EXIT_FAILED;
	} else {
		ret = EXIT_OK;
	}
	conn_close(&conn);
	return ret;
}
