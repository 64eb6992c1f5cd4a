// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/* ibv_query_device_ex(): mdx_query_device_ex(), and the symbol of that name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user.h"

#define BASE 232	/* struct ibv_device_attr */
#define PAGE_END 296	/* struct ibv_device_attr_ex of the man page */
#define WHOLE 400	/* struct ibv_device_attr_ex of rdma-core */

static int (*sized)(struct ibv_context *context,
		    const struct ibv_query_device_ex_input *input,
		    struct ibv_device_attr_ex *attr, size_t attr_size);
static int (*symbol)(struct ibv_context *context,
		     struct ibv_device_attr_ex *attr);

static union {
	struct ibv_device_attr_ex attr;
	unsigned char bytes[512];
} buf;

static struct ibv_context *open_attrs(void)
{
	struct ibv_context *context = open_bound();

	sized = dlvsym(RTLD_DEFAULT, "mdx_query_device_ex", "MDX_1.1");
	symbol = dlvsym(RTLD_DEFAULT, "ibv_query_device_ex", "MDX_1.1");
	memset(&buf, 0xa5, sizeof(buf));
	return context;
}

static bool bytes_are(const void *from, size_t len, unsigned char value)
{
	const unsigned char *at = from;

	while (len--)
		if (*at++ != value)
			return false;
	return true;
}

#define FIELD(from, to)							\
	{ #to, offsetof(struct mdx_ioc_query_device, from),		\
	  sizeof(((struct mdx_ioc_query_device *)0)->from),		\
	  offsetof(struct ibv_device_attr_ex, to),			\
	  sizeof(((struct ibv_device_attr_ex *)0)->to) }
#define BASE_FIELD(name) FIELD(out_##name, orig_attr.name)

static const struct {
	const char *name;
	size_t from;
	size_t from_len;
	size_t to;
	size_t to_len;
} fields[] = {
	BASE_FIELD(node_guid),
	BASE_FIELD(sys_image_guid),
	BASE_FIELD(max_mr_size),
	BASE_FIELD(page_size_cap),
	BASE_FIELD(vendor_id),
	BASE_FIELD(vendor_part_id),
	BASE_FIELD(hw_ver),
	BASE_FIELD(max_qp),
	BASE_FIELD(max_qp_wr),
	BASE_FIELD(device_cap_flags),
	BASE_FIELD(max_sge),
	BASE_FIELD(max_sge_rd),
	BASE_FIELD(max_cq),
	BASE_FIELD(max_cqe),
	BASE_FIELD(max_mr),
	BASE_FIELD(max_pd),
	BASE_FIELD(max_qp_rd_atom),
	BASE_FIELD(max_ee_rd_atom),
	BASE_FIELD(max_res_rd_atom),
	BASE_FIELD(max_qp_init_rd_atom),
	BASE_FIELD(max_ee_init_rd_atom),
	BASE_FIELD(atomic_cap),
	BASE_FIELD(max_ee),
	BASE_FIELD(max_rdd),
	BASE_FIELD(max_mw),
	BASE_FIELD(max_raw_ipv6_qp),
	BASE_FIELD(max_raw_ethy_qp),
	BASE_FIELD(max_mcast_grp),
	BASE_FIELD(max_mcast_qp_attach),
	BASE_FIELD(max_total_mcast_qp_attach),
	BASE_FIELD(max_ah),
	BASE_FIELD(max_fmr),
	BASE_FIELD(max_map_per_fmr),
	BASE_FIELD(max_srq),
	BASE_FIELD(max_srq_wr),
	BASE_FIELD(max_srq_sge),
	BASE_FIELD(max_pkeys),
	BASE_FIELD(local_ca_ack_delay),
	BASE_FIELD(phys_port_cnt),
	FIELD(out_odp_general_caps, odp_caps.general_caps),
	FIELD(out_odp_rc_caps, odp_caps.per_transport_caps.rc_odp_caps),
	FIELD(out_odp_uc_caps, odp_caps.per_transport_caps.uc_odp_caps),
	FIELD(out_odp_ud_caps, odp_caps.per_transport_caps.ud_odp_caps),
	FIELD(out_timestamp_mask, completion_timestamp_mask),
	FIELD(out_hca_core_clock, hca_core_clock),
	FIELD(out_device_cap_flags_ex, device_cap_flags_ex),
	FIELD(out_tso_max, tso_caps.max_tso),
	FIELD(out_tso_qpts, tso_caps.supported_qpts),
	FIELD(out_rss_qpts, rss_caps.supported_qpts),
	FIELD(out_rss_max_tables, rss_caps.max_rwq_indirection_tables),
	FIELD(out_rss_max_table_size, rss_caps.max_rwq_indirection_table_size),
	FIELD(out_rss_hash_fields, rss_caps.rx_hash_fields_mask),
	FIELD(out_rss_hash_function, rss_caps.rx_hash_function),
	FIELD(out_max_wq_type_rq, max_wq_type_rq),
	FIELD(out_pacing_rate_min, packet_pacing_caps.qp_rate_limit_min),
	FIELD(out_pacing_rate_max, packet_pacing_caps.qp_rate_limit_max),
	FIELD(out_pacing_qpts, packet_pacing_caps.supported_qpts),
	FIELD(out_raw_packet_caps, raw_packet_caps),
	FIELD(out_tm_max_rndv_hdr_size, tm_caps.max_rndv_hdr_size),
	FIELD(out_tm_max_num_tags, tm_caps.max_num_tags),
	FIELD(out_tm_flags, tm_caps.flags),
	FIELD(out_tm_max_ops, tm_caps.max_ops),
	FIELD(out_tm_max_sge, tm_caps.max_sge),
	FIELD(out_cq_mod_max_count, cq_mod_caps.max_cq_count),
	FIELD(out_cq_mod_max_period, cq_mod_caps.max_cq_period),
	FIELD(out_max_dm_size, max_dm_size),
	FIELD(out_pci_fetch_add, pci_atomic_caps.fetch_add),
	FIELD(out_pci_swap, pci_atomic_caps.swap),
	FIELD(out_pci_compare_swap, pci_atomic_caps.compare_swap),
	FIELD(out_odp_xrc_caps, xrc_odp_caps),
	FIELD(out_phys_port_cnt_ex, phys_port_cnt_ex),
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* Set all bytes of a field, or as many as its destination has. */
static void set_field(size_t i, unsigned char value)
{
	unsigned char *at = (unsigned char *)&kernel.device + fields[i].from;
	size_t len = fields[i].from_len;

	memset(at, 0, len);
	memset(at, value, fields[i].to_len < len ? fields[i].to_len : len);
}

/* Each field is written to its place and nowhere else. */
static void attr_fields_placed(void)
{
	struct ibv_context *context = open_attrs();
	unsigned char want[sizeof(buf)];
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		memset(&kernel.device, 0, sizeof(kernel.device));
		set_field(i, 0x9d);
		memset(want, 0, sizeof(want));
		strcpy((char *)want, "0.0.0000");
		memset(want + fields[i].to, 0x9d, fields[i].to_len);
		memset(&buf, 0xa5, sizeof(buf));
		EXPECT_OK(sized(context, NULL, &buf.attr, sizeof(buf)));
		if (memcmp(&buf, want, sizeof(buf)))
			printf("# %s\n", fields[i].name);
		EXPECT(!memcmp(&buf, want, sizeof(buf)));
	}
	ibv_close_device(context);
}

static void attrs_request(void)
{
	static const unsigned char want[8] = { 0x58, 0x01 };	/* 344 */
	struct ibv_context *context = open_attrs();

	EXPECT_OK(sized(context, NULL, &buf.attr, WHOLE));
	EXPECT_STR("A", fake_events);
	EXPECT(!memcmp(kernel.last[MDX_CMD_QUERY_DEVICE].bytes, want, 8));
	ibv_close_device(context);
}

static void attr_fw_version_text(void)
{
	static const struct {
		__u64 ver;
		const char *text;
	} vers[] = {
		{ 0, "0.0.0000" },
		{ 0x0000001600230fa0ull, "22.35.4000" },
		{ 0x0000001600230007ull, "22.35.0007" },
		{ 0xffffffffffffffffull, "65535.65535.65535" },
		{ 0xabcd000100020003ull, "1.2.0003" },
	};
	struct ibv_context *context = open_attrs();
	size_t i;

	for (i = 0; i < sizeof(vers) / sizeof(vers[0]); i++) {
		kernel.device.out_fw_ver = vers[i].ver;
		memset(&buf, 0xa5, sizeof(buf));
		EXPECT_OK(sized(context, NULL, &buf.attr, WHOLE));
		EXPECT_STR(vers[i].text, buf.attr.orig_attr.fw_ver);
		EXPECT(bytes_are(buf.bytes + strlen(vers[i].text),
				 64 - strlen(vers[i].text), 0));
	}
	ibv_close_device(context);
}

/* The field of one byte has 255 at most. */
static void attr_port_count_capped(void)
{
	static const unsigned int counts[][2] = {
		{ 1, 1 }, { 254, 254 }, { 255, 255 }, { 256, 255 },
		{ 300, 255 },
		{ UINT32_MAX, 255 },
	};
	struct ibv_context *context = open_attrs();
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		kernel.device.out_phys_port_cnt = counts[i][0];
		kernel.device.out_phys_port_cnt_ex = counts[i][0];
		EXPECT_OK(sized(context, NULL, &buf.attr, WHOLE));
		EXPECT_EQ(counts[i][1], buf.attr.orig_attr.phys_port_cnt);
		EXPECT_EQ(counts[i][0], buf.attr.phys_port_cnt_ex);
	}
	ibv_close_device(context);
}

/* Ends of the fields of struct ibv_device_attr_ex. */
static const size_t ends[] = {
	232, 236, 264, 272, 280, 288, 296, 328, 332, 344, 348, 368, 372, 384,
	390, 396, 400,
};

static size_t whole_fields(size_t attr_size)
{
	size_t whole = 0;
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends[i] <= attr_size)
			whole = ends[i];
	return whole;
}

/* End of a writable page that is followed by an inaccessible one. */
static unsigned char *guarded_page_end(void)
{
	static unsigned char *page;
	long size = sysconf(_SC_PAGESIZE);

	if (!page) {
		page = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED ||
		    mprotect(page + size, size, PROT_NONE))
			abort();
	}
	memset(page, 0xa5, size);
	return page + size;
}

static void fill_device(void)
{
	size_t i;

	for (i = 0; i < FIELDS; i++)
		set_field(i, 0x80 + i);
	kernel.device.out_fw_ver = 0x0000001600230fa0ull;
}

static void expect_sized(struct ibv_context *context, size_t size)
{
	size_t whole = whole_fields(size);
	unsigned char *end = guarded_page_end();
	unsigned char *attr = end - size;

	EXPECT_OK(sized(context, NULL, (void *)attr, size));
	EXPECT(!memcmp(attr, &buf, whole));
	EXPECT(bytes_are(attr + whole, size - whole, 0));
	EXPECT(bytes_are(attr - 64, 64, 0xa5));
}

/*
 * Any size receives the fields that fit completely, and not a byte beyond its
 * end.
 */
static void attr_sizes_whole_fields(void)
{
	struct ibv_context *context = open_attrs();
	size_t size;

	fill_device();
	EXPECT_OK(sized(context, NULL, &buf.attr, WHOLE));
	EXPECT(bytes_are(buf.bytes + WHOLE, sizeof(buf) - WHOLE, 0xa5));
	for (size = BASE; size <= WHOLE + 112; size++) {
		expect_sized(context, size);
		if (tap_failed)
			printf("# attr_size %zu\n", size);
		if (tap_failed)
			return;
	}
	ibv_close_device(context);
}

static void attr_size_short_einval(void)
{
	struct ibv_context *context = open_attrs();
	size_t size;

	for (size = 0; size < BASE; size++)
		EXPECT_ERR(EINVAL, sized(context, NULL, &buf.attr, size));
	EXPECT_STR("", fake_events);
	EXPECT(bytes_are(&buf, sizeof(buf), 0xa5));
	ibv_close_device(context);
}

/* An input is accepted if its comp_mask is 0. */
static void attr_comp_mask_einval(void)
{
	struct ibv_query_device_ex_input input = { 0 };
	struct ibv_context *context = open_attrs();
	unsigned int i;

	EXPECT_OK(sized(context, &input, &buf.attr, WHOLE));
	EXPECT_STR("A", fake_events);
	memset(&buf, 0xa5, sizeof(buf));
	for (i = 0; i < 32; i++) {
		input.comp_mask = 1u << i;
		EXPECT_ERR(EINVAL, sized(context, &input, &buf.attr, WHOLE));
	}
	EXPECT(bytes_are(&buf, sizeof(buf), 0xa5));
	EXPECT_STR("A", fake_events);
	ibv_close_device(context);
}

/*
 * Atomics are global if the PCI bus has them and the caller asks for those of
 * PCI.
 */
static void attr_atomics_pci_global(void)
{
	static const struct {
		unsigned int cap, fetch_add, compare_swap, want;
	} rows[] = {
		{ IBV_ATOMIC_HCA, 2, 2, IBV_ATOMIC_GLOB },
		{ IBV_ATOMIC_HCA, 7, 7, IBV_ATOMIC_GLOB },
		{ IBV_ATOMIC_HCA, 2, 0, IBV_ATOMIC_HCA },
		{ IBV_ATOMIC_HCA, 0, 2, IBV_ATOMIC_HCA },
		{ IBV_ATOMIC_HCA, 5, 5, IBV_ATOMIC_HCA },
		{ IBV_ATOMIC_NONE, 2, 2, IBV_ATOMIC_NONE },
		{ IBV_ATOMIC_GLOB, 0, 0, IBV_ATOMIC_GLOB },
	};
	struct ibv_context *context = open_attrs();
	size_t i, size;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		/* libmlx5 is asked for its version, once if it answers. */
		fake_verbs.op_err = i ? EINVAL : 0;
		kernel.device.out_atomic_cap = rows[i].cap;
		kernel.device.out_pci_fetch_add = rows[i].fetch_add;
		kernel.device.out_pci_compare_swap = rows[i].compare_swap;
		for (size = BASE; size < 390; size++) {
			EXPECT_OK(sized(context, NULL, &buf.attr, size));
			EXPECT_EQ(rows[i].cap, buf.attr.orig_attr.atomic_cap);
		}
		for (; size < WHOLE + 8; size++) {
			EXPECT_OK(sized(context, NULL, &buf.attr, size));
			EXPECT_EQ(rows[i].want == IBV_ATOMIC_GLOB &&
				  rows[i].cap == IBV_ATOMIC_HCA ?
				  fake_atomic_cap : rows[i].want,
				  buf.attr.orig_attr.atomic_cap);
		}
	}
	ibv_close_device(context);
}

/* The symbol writes the fields that the man page shows, and no more. */
static void attr_symbol_documented_size(void)
{
	struct ibv_context *context = open_attrs();
	unsigned char *end = guarded_page_end();
	unsigned char *attr = end - PAGE_END;

	fill_device();
	EXPECT_OK(sized(context, NULL, &buf.attr, WHOLE));
	EXPECT(symbol);
	EXPECT_OK(symbol(context, (void *)attr));
	EXPECT(!memcmp(attr, &buf, PAGE_END));
	EXPECT(bytes_are(attr - 64, 64, 0xa5));
	kernel.err[MDX_CMD_QUERY_DEVICE] = EIO;
	EXPECT_ERR(EIO, symbol(context, (void *)attr));
	ibv_close_device(context);
}

static void attrs_errno_returned(void)
{
	static const int errs[] = {
		EINVAL, EIO, EBUSY, ENOMEM, EAGAIN, ENXIO, ETIMEDOUT, ENOTCONN,
		EOPNOTSUPP,
	};
	struct ibv_context *context = open_attrs();
	size_t i;

	for (i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		kernel.err[MDX_CMD_QUERY_DEVICE] = errs[i];
		EXPECT_ERR(errs[i], sized(context, NULL, &buf.attr, WHOLE));
		EXPECT(bytes_are(buf.bytes + WHOLE, sizeof(buf) - WHOLE, 0xa5));
	}
	kernel_reset();
	kernel.eintr = 2;
	fake_events_reset();
	EXPECT_OK(sized(context, NULL, &buf.attr, WHOLE));
	EXPECT_STR("AAA", fake_events);
	ibv_close_device(context);
}

/* All fields but atomic_cap are those of the op. */
static bool is_by_op(size_t size)
{
	return bytes_are(&buf, 164, 0x5a) &&
	       bytes_are(buf.bytes + 168, size - 168, 0x5a);
}

/* As <infiniband/verbs.h>: the op of the context, else ibv_query_device(). */
static void expect_attrs_next(struct ibv_context *context)
{
	struct ibv_query_device_ex_input input = { 0 };

	fake_events_reset();
	EXPECT_OK(sized(context, &input, &buf.attr, 300));
	EXPECT_STR("a", fake_events);
	EXPECT(fake_verbs.input == &input);
	EXPECT(fake_verbs.attr == &buf.attr);
	EXPECT_EQ(300, fake_verbs.attr_size);
	EXPECT(is_by_op(300));
	EXPECT(bytes_are(buf.bytes + 300, sizeof(buf) - 300, 0xa5));

	fake_events_reset();
	memset(&buf, 0xa5, sizeof(buf));
	EXPECT_OK(symbol(context, &buf.attr));
	EXPECT_STR("a", fake_events);
	EXPECT_EQ(PAGE_END, fake_verbs.attr_size);
	EXPECT(bytes_are(buf.bytes + PAGE_END, sizeof(buf) - PAGE_END, 0xa5));

	input.comp_mask = 1;
	memset(&buf, 0xa5, sizeof(buf));
	fake_events_reset();
	EXPECT_ERR(EINVAL, sized(context, &input, &buf.attr, WHOLE));
	EXPECT(bytes_are(&buf, sizeof(buf), 0xa5));
	EXPECT_STR("", fake_events);
	fake_verbs.attr_err = ENOMEM;
	EXPECT_ERR(ENOMEM, sized(context, NULL, &buf.attr, WHOLE));
	EXPECT_STR("a", fake_events);
	fake_verbs.attr_err = 0;
}

static void expect_legacy(struct ibv_context *context, const char *events)
{
	fake_events_reset();
	memset(&buf, 0xa5, sizeof(buf));
	EXPECT_OK(sized(context, NULL, &buf.attr, 300));
	EXPECT_STR(events, fake_events);
	EXPECT(bytes_are(&buf, BASE, 0x11));
	EXPECT(bytes_are(buf.bytes + BASE, 300 - BASE, 0));
	EXPECT(bytes_are(buf.bytes + 300, sizeof(buf) - 300, 0xa5));
	memset(&buf, 0xa5, sizeof(buf));
	EXPECT_ERR(EINVAL, sized(context, NULL, &buf.attr, BASE - 1));
	EXPECT(bytes_are(&buf, sizeof(buf), 0xa5));
	fake_verbs.attr_err = EIO;
	fake_verbs.op_err = fake_verbs.op_err ? fake_verbs.op_err : EIO;
	EXPECT_ERR(EIO, sized(context, NULL, &buf.attr, 300));
	fake_verbs.attr_err = 0;
}

static void attrs_unserved_forwarded(void)
{
	struct ibv_context *context;

	open_attrs();
	reset_fakes();
	context = open_ctx();
	kernel.open_err = ENOENT;
	general_cmd(context);
	expect_attrs_next(context);
	if (tap_failed)
		return;
	fake_verbs.op_err = EOPNOTSUPP;
	expect_legacy(context, "al");
	if (tap_failed)
		return;
	fake_verbs.op_err = ENOSYS;
	expect_legacy(context, "al");
	ibv_close_device(context);
}

static void attrs_enotty_forwarded(void)
{
	struct ibv_context *context = open_attrs();

	kernel.err[MDX_CMD_QUERY_DEVICE] = ENOTTY;
	EXPECT_OK(sized(context, NULL, &buf.attr, 300));
	EXPECT_STR("Aa", fake_events);
	EXPECT(is_by_op(300));
	EXPECT(bytes_are(buf.bytes + 300, sizeof(buf) - 300, 0xa5));
	ibv_close_device(context);
}

/* A context without ops is queried by ibv_query_device(). */
static void attrs_no_ops_legacy(void)
{
	struct ibv_context foreign = {
		.device = &fake_devices[1],
		.cmd_fd = FAKE_CMD_FD,
	};

	open_attrs();
	reset_fakes();
	expect_legacy(&foreign, "l");
}

const struct tap_test attr_tests[] = {
	TEST(attr_fields_placed),
	TEST(attrs_request),
	TEST(attr_fw_version_text),
	TEST(attr_port_count_capped),
	TEST(attr_sizes_whole_fields),
	TEST(attr_size_short_einval),
	TEST(attr_comp_mask_einval),
	TEST(attr_atomics_pci_global),
	TEST(attr_symbol_documented_size),
	TEST(attrs_errno_returned),
	TEST(attrs_unserved_forwarded),
	TEST(attrs_enotty_forwarded),
	TEST(attrs_no_ops_legacy),
	{ NULL, NULL }
};
