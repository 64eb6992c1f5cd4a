// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The machine of a report: kernel, drivers, firmware, function, capabilities. */
#include <elf.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "opcodes/opcodes.h"
#include "selftest.h"

#define CAP_TYPES 0x40
#define ROW 32

/*
 * Fields of capabilities that hold addresses, of 64 bits, or that tell one function
 * from others. They are zeroed.
 */
static const struct {
	uint8_t type;
	uint16_t bit;
	uint8_t width;
} private_fields[] = {
	{ 0x07, 0x2000, 64 }, { 0x07, 0x2040, 64 }, { 0x07, 0x2080, 64 },
	{ 0x08, 0x1800, 64 }, { 0x08, 0x1840, 64 }, { 0x08, 0x1880, 64 },
	{ 0x08, 0x18c0, 64 },
	{ 0x0f, 0x0040, 64 }, { 0x0f, 0x00c0, 64 }, { 0x0f, 0x0140, 64 },
	{ 0x0f, 0x01c0, 64 }, { 0x0f, 0x0240, 64 },
	{ 0x13, 0x0040, 64 }, { 0x2a, 0x01c0, 64 },
	{ 0x20, 0x0222, 14 },	/* sw_vhca_id */
	{ 0x00, 0x0030, 16 },	/* vhca_id */
};

static void hide_private(unsigned int type, uint8_t *page)
{
	size_t i, bit;

	for (i = 0; i < sizeof(private_fields) / sizeof(private_fields[0]); i++)
		for (bit = 0; private_fields[i].type == type && bit < private_fields[i].width;
		     bit++) {
			size_t at = private_fields[i].bit + bit;

			page[at / 8] &= ~(0x80 >> (at % 8));
		}
}

/* Rows that are not zero. */
static void report_page(struct selftest *t, unsigned int type, bool max, const uint8_t *page)
{
	size_t at, i;

	for (at = 0; at < CAP_LEN; at += ROW) {
		char hex[2 * ROW + 1];

		if (all_bytes(page + at, 0, ROW))
			continue;
		for (i = 0; i < ROW; i++)
			sprintf(hex + 2 * i, "%02x", page[at + i]);
		report_line(t, "cap 0x%02x %s 0x%03zx %s", type, max ? "max" : "cur", at, hex);
	}
}

/* True if the device has capabilities of this type. */
static bool report_cap(struct selftest *t, unsigned int type, bool max)
{
	static uint64_t out[(MBOX_HDR_LEN + CAP_LEN) / 8];
	uint64_t in[MBOX_HDR_LEN / 8];
	struct mbox_pair m = { in, out, sizeof(in), sizeof(out) };
	uint8_t *page = (uint8_t *)out + MBOX_HDR_LEN;

	mdx_hdr(in, MDX_OPCODE_QUERY_HCA_CAP, type << 1 | !max, 0);
	if (_test_mdx_general(t->conn.fd, &m))
		return false;
	hide_private(type, page);
	report_page(t, type, max, page);
	return true;
}

static void report_build_id(struct selftest *t, const char *module)
{
	uint8_t note[256];
	const Elf64_Nhdr *hdr = (const void *)note;
	char hex[81] = "unknown", path[96];
	size_t len, i, at = sizeof(*hdr) + 4;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module);
	f = fopen(path, "re");
	if (f) {
		len = fread(note, 1, sizeof(note), f);
		fclose(f);
		for (i = 0; len > at && i < hdr->n_descsz && at + i < len && i < 40; i++)
			sprintf(hex + 2 * i, "%02x", note[at + i]);
	}
	report_line(t, "module %s build-id %s", module, hex);
}

static const char *function_kind(const char *ibdev)
{
	char driver[64];

	if (exists("/sys/class/infiniband/%s/device/physfn", ibdev))
		return "VF";
	if (link_name(driver, sizeof(driver), "/sys/class/infiniband/%s/device/driver", ibdev) &&
	    strstr(driver, ".sf"))
		return "SF";
	return "PF";
}

static void report_device(struct selftest *t)
{
	static const struct {
		const char *key;
		const char *file;
	} files[] = {
		{ "firmware", "fw_ver" }, { "psid", "board_id" }, { "type", "hca_type" },
		{ "pci-device", "device/device" }, { "pci-revision", "device/revision" },
		{ "link-layer", "ports/1/link_layer" }, { "rate", "ports/1/rate" },
	};
	char line[128];
	size_t i;

	report_line(t, "device function %s", function_kind(opt_device));
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (read_line(line, sizeof(line), "/sys/class/infiniband/%s/%s", opt_device,
			      files[i].file))
			report_line(t, "device %s %s", files[i].key,
				    out_clean(line, sizeof(line)));
	report_line(t, "device ports %d",
		    exists("/sys/class/infiniband/%s/ports/1", opt_device) +
		    exists("/sys/class/infiniband/%s/ports/2", opt_device));
}

static void report_layout(struct selftest *t)
{
	struct driver_layout layout;

	if (!read_layout(&layout)) {
		report_line(t, "layout unknown");
		return;
	}
	report_line(t, "layout ib_pd %u mlx5_ib_pd %u ibpd %ld pdn %ld uid %ld", layout.ib_pd,
		    layout.mlx5_ib_pd, layout.ibpd, layout.pdn, layout.uid);
	report_line(t, "layout ib_cq %u ibcq %ld mcq %ld", layout.ib_cq, layout.ibcq,
		    layout.mcq);
}

void selftest_inventory(struct selftest *t)
{
	char version[64], fw[64];
	unsigned int type, types = 0;
	struct utsname uts;

	uname(&uts);
	report_line(t, "kernel %s %s", uts.release, uts.machine);
	report_build_id(t, "mlx5_core");
	report_build_id(t, "mlx5_ib");
	report_build_id(t, "mlx5_devx");
	if (!read_line(version, sizeof(version), "/sys/module/mlx5_devx/version"))
		strcpy(version, "unknown");
	report_line(t, "mdx tool %s module %s features %#llx", MDX_VERSION, version,
		    (unsigned long long)t->conn.info.out_features);
	report_layout(t);
	report_device(t);
	for (type = 0; type < CAP_TYPES; type++) {
		if (!report_cap(t, type, true))
			continue;
		types++;
		report_cap(t, type, false);
	}
	if (!read_line(fw, sizeof(fw), "/sys/class/infiniband/%s/fw_ver", opt_device))
		strcpy(fw, "unknown");
	report_result(t, types ? TEST_OK : TEST_BAD, "inventory",
		      "%s, firmware %s, %s, %u types of capabilities", uts.release, fw,
		      function_kind(opt_device), types);
}
