// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* mdx selftest --show: a report in words, capabilities by the names of their fields. */
#include <errno.h>
#include <string.h>

#include "command_layouts.h"
#include "opcodes/opcodes.h"
#include "replay.h"
#include "selftest.h"

static const struct {
	unsigned int type;
	const char *name;	/* of the structure in mlx5_ifc.h */
} cap_types[] = {
	{ 0x00, "cmd_hca_cap" }, { 0x01, "per_protocol_networking_offload_caps" },
	{ 0x02, "odp_cap" }, { 0x03, "atomic_caps" }, { 0x04, "roce_cap" },
	{ 0x07, "flow_table_nic_cap" }, { 0x08, "flow_table_eswitch_cap" },
	{ 0x09, "e_switch_cap" }, { 0x0c, "qos_cap" }, { 0x0d, "debug_cap" },
	{ 0x0f, "device_mem_cap" }, { 0x11, "tls_cap" }, { 0x13, "virtio_emulation_cap" },
	{ 0x1a, "crypto_cap" }, { 0x15, "ipsec_cap" }, { 0x1f, "macsec_cap" },
	{ 0x20, "cmd_hca_cap_2" }, { 0x25, "port_selection_cap" },
};

/* A page of capabilities, of which the report has some rows. */
struct page {
	unsigned int type;
	char mode[4];
	bool any;
	uint8_t bytes[CAP_LEN];
};

static const struct named_field *cap_fields(unsigned int type, const char **name)
{
	const struct command_layout *layout = layout_of(MDX_OPCODE_QUERY_HCA_CAP);
	const struct named_field *all = layout ? field_find(layout->out, "capability") : NULL;
	const struct named_field *cap;
	size_t i;

	*name = "capabilities";
	for (i = 0; i < ARRAY_SIZE(cap_types); i++) {
		if (cap_types[i].type != type)
			continue;
		*name = cap_types[i].name;
		cap = all ? field_find(all->fields, *name) : NULL;
		return cap ? cap->fields : NULL;
	}
	return NULL;
}

static void show_page(struct page *page)
{
	const struct named_field *fields;
	const char *name;
	size_t at;

	if (!page->any)
		return;
	fields = cap_fields(page->type, &name);
	printf("capabilities %#x, %s, %s:\n", page->type, name,
	       strcmp(page->mode, "max") ? "now" : "at most");
	if (fields)
		show_fields("", page->bytes, CAP_LEN, 0, fields);
	for (at = 0; !fields && at < CAP_LEN; at += 4)
		if (mbox_get32(page->bytes, at))
			printf("    dword_%#zx %#x\n", at, mbox_get32(page->bytes, at));
	memset(page, 0, sizeof(*page));
}

static bool add_row(struct page *page, const char *line)
{
	unsigned int type, at, byte;
	char mode[4], hex[65];
	size_t i;

	if (sscanf(line, "cap %x %3s %x %64[0-9a-f]", &type, mode, &at, hex) != 4 ||
	    strlen(hex) != 64 || at > CAP_LEN - 32)
		return false;
	if (page->any && (page->type != type || strcmp(page->mode, mode)))
		show_page(page);
	page->any = true;
	page->type = type;
	strcpy(page->mode, mode);
	for (i = 0; i < 32; i++) {
		if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
			return false;
		page->bytes[at + i] = byte;
	}
	return true;
}

static int show_lines(FILE *file)
{
	static struct page page;
	char line[1024];

	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strcmp(line, "end")) {
			show_page(&page);
			return EXIT_OK;
		}
		if (!strncmp(line, "cap ", 4)) {
			if (!add_row(&page, line))
				break;
			continue;
		}
		show_page(&page);
		printf("%s\n", out_clean(line, sizeof(line)));
	}
	complain("the report is cut off, or not understood, at its end");
	return EXIT_FAILED;
}

int selftest_show(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[64] = "";
	int version = 0, ret;

	if (!file) {
		complain("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	if (!fgets(line, sizeof(line), file) ||
	    sscanf(line, REPORT_MAGIC " %d", &version) != 1 || version != REPORT_VERSION) {
		complain("%s is no report of mdx selftest, or of another version", path);
		fclose(file);
		return EXIT_FAILED;
	}
	ret = show_lines(file);
	fclose(file);
	return ret;
}
