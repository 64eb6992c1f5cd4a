// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* UAR pages under drivers whose pages are 4 KiB, 16 KiB and 64 KiB. */
#include "../fw_uar.h"
#include "dp_env.h"
#include "tap.h"

static u32 first;

/* SET_HCA_CAP by a driver that knows uar_4k or not. */
static int set_caps(bool uar_4k, u16 log_page)
{
	u8 *cap = in + PRM_BYTE(set_hca_cap_in, capability);

	clear_in();
	memcpy(cap, fw_cap(hca.fw, 0), FW_CAP_LEN);
	PRM_SET(cmd_hca_cap, cap, uar_4k, uar_4k);
	PRM_SET(cmd_hca_cap, cap, log_uar_page_sz, log_page);
	return send_cmd(MLX5_CMD_OP_SET_HCA_CAP, 16 + FW_CAP_LEN);
}

/* A new device under a system with pages of 4096 << @log_page bytes. */
static void start_pages(bool uar_4k, u16 log_page)
{
	start_hca();
	simple_cmd(MLX5_CMD_OP_DISABLE_HCA);
	simple_cmd(MLX5_CMD_OP_ENABLE_HCA);
	CHECK_EQ(set_caps(uar_4k, log_page), FW_OK);
	simple_cmd(MLX5_CMD_OP_INIT_HCA);
	first = simple_cmd(MLX5_CMD_OP_ALLOC_UAR);
}

static int free_uar(u32 num)
{
	clear_in();
	PRM_SET(dealloc_uar_in, in, uar, num);
	return send_cmd(MLX5_CMD_OP_DEALLOC_UAR, 16);
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

static void page_4k_one_number(void)
{
	start_pages(true, 0);
	CHECK_EQ(FW_GEN(hca.fw, num_of_uars_per_page), 1);
	CHECK_EQ(simple_cmd(MLX5_CMD_OP_ALLOC_UAR), first + 1);
	check_doorbell(first + 1, (first + 1) * 4096);
	stop_hca();
}

/* A page of 64 KiB holds 16 of 4 KiB, and objects may name each of them. */
static void page_64k_16_numbers(void)
{
	start_pages(true, 4);
	CHECK_EQ(FW_GEN(hca.fw, num_of_uars_per_page), 16);
	CHECK_EQ(first % 16, 0);
	CHECK_EQ(simple_cmd(MLX5_CMD_OP_ALLOC_UAR), first + 16);
	check_doorbell(first, first * 4096);
	check_doorbell(first + 5, (first + 5) * 4096);
	check_doorbell(first + 31, (first + 31) * 4096);
	clear_in();
	PRM_SET(create_eq_in, in, eq_context_entry.uar_page, first + 32);
	CHECK_EQ(send_cmd(MLX5_CMD_OP_CREATE_EQ, 0x118), FW_BAD_RES);
	/* Only the number that was returned is freed. */
	CHECK(free_uar(first + 5));
	CHECK_EQ(free_uar(first), FW_OK);
	CHECK_EQ(simple_cmd(MLX5_CMD_OP_ALLOC_UAR), first + 32);
	stop_hca();
}

/* Without uar_4k, UAR pages grow with the system's. */
static void large_uar_one_number(void)
{
	start_pages(false, 2);
	CHECK_EQ(FW_GEN(hca.fw, num_of_uars_per_page), 1);
	CHECK_EQ(simple_cmd(MLX5_CMD_OP_ALLOC_UAR), first + 1);
	check_doorbell(first + 1, (u64)(first + 1) << 14);
	stop_hca();
}

/* The BAR has 256 pages of 64 KiB, the first 16 of which are not UARs. */
static void large_uar_bar_full(void)
{
	unsigned int i;
	u32 num;

	start_pages(false, 4);
	for (i = 16 + 1; i < 256; i++) {
		num = simple_cmd(MLX5_CMD_OP_ALLOC_UAR);
		if (num < 16 || num > 255)
			break;
	}
	CHECK_EQ(i, 256);
	clear_in();
	CHECK_EQ(send_cmd(MLX5_CMD_OP_ALLOC_UAR, 16), FW_NO_RESOURCES);
	CHECK_EQ(free_uar(77), FW_OK);
	CHECK_EQ(simple_cmd(MLX5_CMD_OP_ALLOC_UAR), 77);
	stop_hca();
}

static void page_too_large_clamped(void)
{
	start_pages(true, UAR_LOG_PAGE_MAX + 1);
	CHECK_EQ(FW_GEN(hca.fw, num_of_uars_per_page), 16);
	stop_hca();
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(page_4k_one_number),
		TAP(page_64k_16_numbers),
		TAP(large_uar_one_number),
		TAP(large_uar_bar_full),
		TAP(page_too_large_clamped),
	};

	return TAP_RUN(tests);
}
