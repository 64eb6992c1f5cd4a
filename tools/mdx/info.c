// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx info: the devices, and the features of the module. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

static const struct {
	uint64_t bit;
	const char *name;
} features[] = {
	{ MDX_FEATURE_OBJ, "obj" },
	{ MDX_FEATURE_GENERAL, "general" },
	{ MDX_FEATURE_VERBS, "verbs" },
	{ MDX_FEATURE_QUERY_PORT, "query-port" },
	{ MDX_FEATURE_QUERY_DEVICE, "query-device" },
	{ MDX_FEATURE_LAST_ERROR, "last-error" },
	{ MDX_FEATURE_BIND, "bind" },
	{ MDX_FEATURE_LATE_CREATE, "late-create" },
	{ MDX_FEATURE_CQ_STATUS, "cq-status" },
	{ MDX_FEATURE_OBJ_LIST, "obj-list" },
	{ MDX_FEATURE_CHANNEL, "channel" },
	{ MDX_FEATURE_SUBMIT, "submit" },
	{ MDX_FEATURE_UMEM, "umem" },
};

static void show_features(uint64_t bits)
{
	size_t i;

	out_hex("feature_bits", bits);
	out_open("features", '[');
	for (i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		if (bits & features[i].bit)
			out_str(NULL, "%s", features[i].name);
		bits &= ~features[i].bit;
	}
	if (bits)
		out_str(NULL, "unknown %#llx", (unsigned long long)bits);
	out_close();
}

void show_limits(const struct mdx_ioc_info *info)
{
	const struct {
		const char *key;
		uint32_t val;
	} limits[] = {
		{ "input_bytes_max", info->out_in_len_max },
		{ "output_bytes_max", info->out_out_len_max },
		{ "objects_per_file_max", info->out_objs_max },
		{ "calls_per_context_max", info->out_calls_max },
		{ "throttled_calls_per_context_max",
		  info->out_calls_throttled_max },
		{ "long_mailbox_above_bytes", info->out_long_len },
		{ "long_mailboxes_per_device_bytes_max",
		  info->out_long_bytes_max },
	};
	size_t i;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].val)
			out_num(limits[i].key, limits[i].val);
}

static bool show_module(void)
{
	struct mdx_ioc_info info;
	const char *reason;
	int fd = node_open(&info, &reason);

	out_open("module", '{');
	out_str("kernel", "%s", kernel_release());
	out_bool("usable", fd >= 0);
	if (fd < 0) {
		out_str("reason", "%s", reason);
	} else {
		show_features(info.out_features);
		out_hex("errata_bits", info.out_errata);
		show_limits(&info);
		close(fd);
	}
	out_close();
	return fd >= 0;
}

static void show_file(const char *key, const char *ibdev, const char *file)
{
	char text[128];

	if (read_line(text, sizeof(text), "/sys/class/infiniband/%s/%s", ibdev,
		      file))
		out_str(key, "%s", text);
}

static void count_port(const char *name, void *arg)
{
	(void)name;
	(*(int *)arg)++;
}

static void show_device(const char *ibdev, bool usable)
{
	const char *reason = "the module is not usable";
	char text[128], path[256];
	struct mdx_conn conn;
	int ports = 0;

	out_open(NULL, '{');
	out_str("name", "%s", ibdev);
	if (link_name(text, sizeof(text), "/sys/class/infiniband/%s/device",
		      ibdev))
		out_str("pci", "%s", text);
	if (link_name(text, sizeof(text),
		      "/sys/class/infiniband/%s/device/driver", ibdev))
		out_str("driver", "%s", text);
	show_file("firmware", ibdev, "fw_ver");
	show_file("board", ibdev, "board_id");
	show_file("node_guid", ibdev, "node_guid");
	snprintf(path, sizeof(path), "/sys/class/infiniband/%.63s/ports", ibdev);
	for_each_entry(path, count_port, &ports);
	out_num("ports", ports);
	if (usable)
		reason = conn_open(&conn, ibdev);
	out_bool("served", !reason);
	if (reason) {
		out_str("reason", "%s", reason);
	} else {
		out_num("uid", conn.info.out_uid);
		conn_close(&conn);
	}
	out_close();
}

int verb_info(int argc, char **argv)
{
	static const struct opt opts[] = { { 0 } };
	char names[64][64];
	int i, n, shown = 0;
	bool usable;

	while (next_opt(argc, argv, opts) != -1)
		;
	if (optind != argc)
		usage("no arguments, please");
	n = mlx5_devices(names, 64);

	out_open(NULL, '{');
	usable = show_module();
	out_open("devices", '[');
	for (i = 0; i < n; i++) {
		if (opt_device && strcmp(names[i], opt_device))
			continue;
		show_device(names[i], usable);
		shown++;
	}
	out_close();
	out_close();
	if (usable && shown)
		return EXIT_OK;
	if (usable)
		complain("there is no such mlx5 device; mdx doctor says more");
	return EXIT_NOTHING;
}
