// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <string.h>
#include <time.h>

#include "bytes.h"
#include "dp_cq.h"
#include "fw_view.h"
#include "hca.h"
#include "log.h"

/* Registers of the initialization segment, big-endian words. */
enum {
	FW_REV = 0x000,
	CMDIF_REV = 0x004,
	CMDQ_H = 0x010,
	CMDQ_L = 0x014,
	CMD_DBELL = 0x018,
	INITIALIZING = 0x1fc,
	HEALTH_VAR0 = 0x200,
	HEALTH_FW_VER = 0x230,
	HEALTH_HW_ID = 0x234,
	HEALTH_RFR = 0x238,
	HEALTH_SYND = 0x23c,
	CMD_EXEC_TO = 0xff8,
	CMDQ_INIT_TO = 0xffc,
	TIMER_H = 0x1000,
	TIMER_L = 0x1004,
	HEALTH_COUNTER = 0x1010,
	REAL_TIME_H = 0x1040,	/* seconds */
	REAL_TIME_L = 0x1044,	/* nanoseconds */
	ISEG_END = 0x2000,
};

/* Registers of a UAR page, in its first 4 KiB. */
enum {
	UAR_CQ_ARM = 0x20,
	UAR_EQ_ARM = 0x40,
	UAR_EQ_CI = 0x48,
	UAR_BF = 0x800,		/* to UAR_END, every 256 bytes */
	UAR_BF_SIZE = 256,
	UAR_END = 0x1000,
};

enum {
	FW_MAJOR = 16,
	FW_MINOR = 35,
	FW_SUBMINOR = 2000,
	CMDQ_SIZES = CMDQ_LOG_SLOTS << 4 | CMDQ_LOG_STRIDE,
	/*
	 * An assertion of the firmware. No public source documents the other
	 * fields of the health buffer; they are zero.
	 */
	SYND_FW_INTERNAL = 0x1,
	NIC_IFC_DISABLED = 1,
	EMBEDDED_CPU = 1 << 23,
	CMDQ_INIT_MS = 10000,
};

void bar_reset(struct bar *bar)
{
	*bar = (struct bar){};
}

/* Cycles of the core clock. */
static uint64_t core_clock(void)
{
	return now_us() * HCA_CORE_CLOCK_KHZ / 1000;
}

static struct timespec real_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t;
}

static uint32_t health_reg(const struct hca *hca, uint32_t off)
{
	switch (off) {
	case HEALTH_FW_VER:
		return FW_MINOR << 16 | FW_MAJOR;
	case HEALTH_HW_ID:
		return 0x20d;
	case HEALTH_RFR:
		return hca->internal_error ? 1U << 31 : 0;
	case HEALTH_SYND:
		return hca->internal_error ? SYND_FW_INTERNAL << 16 : 0;
	}
	return 0;
}

static uint32_t iseg_reg(const struct hca *hca, uint32_t off)
{
	const struct bar *bar = &hca->bar;
	uint32_t ifc = bar->nic_ifc;

	/*
	 * During a fatal error the firmware reports that it is starting.
	 * Drivers wait for the end of that state to recover.
	 */
	if (hca->internal_error)
		ifc = NIC_IFC_DISABLED;
	switch (off) {
	case FW_REV:
		return FW_MINOR << 16 | FW_MAJOR;
	case CMDIF_REV:
		return 5U << 16 | FW_SUBMINOR;
	case CMDQ_H:
		return bar->cmdq_h;
	case CMDQ_L:
		return bar->cmdq_l | ifc << 8 | CMDQ_SIZES;
	case INITIALIZING:
		return (hca->internal_error ? 1U << 31 : 0) |
		       (hca->conf.fw.esw == FW_ESW_ECPF ? EMBEDDED_CPU : 0);
	/* Timeouts in milliseconds. CMDQ_INIT_TO is 0 if none is reported. */
	case CMD_EXEC_TO:
		return hca->conf.cmd_timeout_ms;
	case CMDQ_INIT_TO:
		return hca->conf.cmd_timeout_ms ? CMDQ_INIT_MS : 0;
	case TIMER_H:
		return (uint32_t)(core_clock() >> 32);
	case TIMER_L:
		return (uint32_t)core_clock();
	case REAL_TIME_H:
		return (uint32_t)real_time().tv_sec;
	case REAL_TIME_L:
		return (uint32_t)real_time().tv_nsec;
	case HEALTH_COUNTER:
		/* Ten counts a second, in the low 24 bits. */
		return now_us() / 100000 & 0xffffff;
	}
	if (off >= HEALTH_VAR0 && off <= HEALTH_SYND)
		return health_reg(hca, off);
	return 0;
}

static uint8_t bar_byte(const struct hca *hca, uint64_t off)
{
	uint8_t reg[4] = {};

	if (hca->dead)
		return 0xff;
	if (off < ISEG_END)
		put_be32(reg, iseg_reg(hca, (uint32_t)off & ~3U));
	else if (off >= BAR_MSIX_PBA && off < BAR_MSIX_PBA + IRQ_VECTORS / 8)
		return (uint8_t)(hca->irqs.pending >> (off & 7) * 8);
	return reg[off & 3];
}

void bar_read(struct hca *hca, uint64_t off, uint8_t *buf, uint32_t len)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		buf[i] = bar_byte(hca, off + i);
}

static void iseg_write(struct hca *hca, uint64_t off, uint32_t val)
{
	struct bar *bar = &hca->bar;

	switch (off) {
	case CMDQ_H:
		bar->cmdq_h = val;
		break;
	case CMDQ_L:
		bar->cmdq_l = val & ~0xfffU;
		bar->nic_ifc = val >> 8 & 7;
		break;
	case CMD_DBELL:
		cmdq_doorbell(hca, (uint64_t)bar->cmdq_h << 32 | bar->cmdq_l,
			      val);
		break;
	}
}

static void uar_write4(struct hca *hca, uint64_t off, uint32_t val)
{
	unsigned int shift = fw_uar_shift(hca->fw);
	uint32_t page_off = (uint32_t)off & ((1U << shift) - 1);
	struct bar *bar = &hca->bar;
	uint8_t pair[8];

	switch (page_off) {
	case UAR_EQ_ARM:
	case UAR_EQ_CI:
		eq_doorbell(hca, (uint32_t)(off >> shift), val,
			    page_off == UAR_EQ_ARM);
		return;
	}
	if (bar->db_off == off) {
		bar->db_off = 0;
		put_be32(pair, bar->db_hi);
		put_be32(pair + 4, val);
		bar_write(hca, off - 4, pair, sizeof(pair));
	} else if (!(off & 4)) {
		bar->db_hi = val;
		bar->db_off = off + 4;
	}
}

/*
 * A doorbell, or a whole work request in pieces of eight bytes, the first of
 * which serves as the doorbell.
 */
static void bf_write(struct hca *hca, uint64_t off, const uint8_t *buf)
{
	struct bar *bar = &hca->bar;
	uint32_t at = off % UAR_BF_SIZE;

	if (at && off != bar->bf_off)
		return;
	if (!at)
		dp_sq_doorbell(hca, get_be32(buf), get_be32(buf + 4));
	memcpy(bar->bf + at, buf, 8);
	bar->bf_off = at + 8 < sizeof(bar->bf) ? off + 8 : 0;
	if (!bar->bf_off)
		dp_sq_blueflame(hca, bar->bf);
}

static void uar_write8(struct hca *hca, uint64_t off, const uint8_t *buf)
{
	uint32_t page_off = (uint32_t)off & ((1U << fw_uar_shift(hca->fw)) - 1);

	if (page_off == UAR_CQ_ARM)
		dp_cq_arm(hca, get_be32(buf), get_be32(buf + 4));
	else if (page_off >= UAR_BF && page_off < UAR_END)
		bf_write(hca, off, buf);
	else if (page_off == UAR_EQ_ARM || page_off == UAR_EQ_CI)
		uar_write4(hca, off, get_be32(buf));
}

void bar_write(struct hca *hca, uint64_t off, const uint8_t *buf, uint32_t len)
{
	uint64_t uars = (uint64_t)BAR_UAR_FIRST << fw_uar_shift(hca->fw);
	uint32_t i;

	if (hca->dead || off % 4 || len % 4)
		return;
	if (off >= uars && len == 8 && !(off % 8)) {
		uar_write8(hca, off, buf);
		return;
	}
	for (i = 0; i < len; i += 4) {
		if (off + i >= uars)
			uar_write4(hca, off + i, get_be32(buf + i));
		else
			iseg_write(hca, off + i, get_be32(buf + i));
	}
}
