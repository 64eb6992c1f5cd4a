// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* UAR pages under drivers whose pages are 4 KiB, 16 KiB and 64 KiB. */
#include "dp_env.h"
#include "../fw_uar.h"

static u32 first;

/* SET_HCA_CAP by a driver that knows uar_4k or not. */
static int set_caps(bool uar_4k, u16 log_page)
{
	u8 *cap = in + PRM_BYTE(set_hca_cap_in, capability);

	clear();
	memcpy(cap, fw_cap(hca.fw, 0), FW_CAP_LEN);
	PRM_SET(cmd_hca_cap, cap, uar_4k, uar_4k);
	PRM_SET(cmd_hca_cap, cap, log_uar_page_sz, log_page);
	return cmd(0x109, 16 + FW_CAP_LEN);
}

/* The device anew, under a system with pages of 4096 << @log_page bytes. */
static void start_pages(bool uar_4k, u16 log_page)
{
	start();
	simple(0x105);
	simple(0x104);
	CHECK_EQ(set_caps(uar_4k, log_page), FW_OK);
	simple(0x102);
	first = simple(0x802);
}

static int free_uar(u32 num)
{
	clear();
	PRM_SET(dealloc_uar_in, in, uar, num);
	return cmd(0x803, 16);
}

/* An event of an EQ in UAR @num, which is at @off of the BAR. */
static void check_doorbell(u32 num, u64 off)
{
	static const u8 data[28];
	u64 count;
	u8 val[4];

	uar = num;
	make_eq();
	while (read(irq_fd, &count, sizeof(count)) > 0)
		;
	put_be32(val, eqn << 24);
	bar_write(&hca, off + 0x40, val, sizeof(val));
	eq_post(&hca, (u8)eqn, 0x09, 4, data);
	CHECK_EQ(read(irq_fd, &count, sizeof(count)), sizeof(count));
}

static void one_number_a_page(void)
{
	start_pages(true, 0);
	CHECK_EQ(FW_GEN(hca.fw, num_of_uars_per_page), 1);
	CHECK_EQ(simple(0x802), first + 1);
	check_doorbell(first + 1, (first + 1) * 4096);
	stop();
}

/* A page of 64 KiB holds 16 of 4 KiB, and objects may name each of them. */
static void numbers_of_a_large_page(void)
{
	start_pages(true, 4);
	CHECK_EQ(FW_GEN(hca.fw, num_of_uars_per_page), 16);
	CHECK_EQ(first % 16, 0);
	CHECK_EQ(simple(0x802), first + 16);
	check_doorbell(first, first * 4096);
	check_doorbell(first + 5, (first + 5) * 4096);
	check_doorbell(first + 31, (first + 31) * 4096);
	clear();
	PRM_SET(create_eq_in, in, eq_context_entry.uar_page, first + 32);
	CHECK_EQ(cmd(0x301, 0x118), FW_BAD_RES);
	/* Only the number that was returned is freed. */
	CHECK(free_uar(first + 5));
	CHECK_EQ(free_uar(first), FW_OK);
	CHECK_EQ(simple(0x802), first + 32);
	stop();
}

/* Without uar_4k, UAR pages grow with the system's. */
static void one_large_page(void)
{
	start_pages(false, 2);
	CHECK_EQ(FW_GEN(hca.fw, num_of_uars_per_page), 1);
	CHECK_EQ(simple(0x802), first + 1);
	check_doorbell(first + 1, (u64)(first + 1) << 14);
	stop();
}

/* The BAR has 256 pages of 64 KiB, the first 16 of which are not UARs. */
static void no_more_than_the_bar_holds(void)
{
	unsigned int i;
	u32 num;

	start_pages(false, 4);
	for (i = 16 + 1; i < 256; i++) {
		num = simple(0x802);
		if (num < 16 || num > 255)
			break;
	}
	CHECK_EQ(i, 256);
	clear();
	CHECK_EQ(cmd(0x802, 16), FW_NO_RESOURCES);
	CHECK_EQ(free_uar(77), FW_OK);
	CHECK_EQ(simple(0x802), 77);
	stop();
}

static void page_too_large(void)
{
	start();
	simple(0x105);
	simple(0x104);
	CHECK_EQ(set_caps(true, UAR_LOG_PAGE_MAX + 1), FW_BAD_PARAM);
	stop();
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(one_number_a_page),
		TAP(numbers_of_a_large_page),
		TAP(one_large_page),
		TAP(no_more_than_the_bar_holds),
		TAP(page_too_large),
	};

	return TAP_RUN(tests);
}
