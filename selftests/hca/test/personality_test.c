// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Personalities: reports of mdx selftest, and what they change. */
#include <unistd.h>

#include "../caps_set.h"
#include "../personality.h"
#include "../synd.h"
#include "fw_env.h"

static const char begin[] = "mdx-report 1\n# a comment\nkernel 6.1\n";

static struct personality *load_report(const char *first, const char *lines)
{
	char path[] = "/tmp/personality-XXXXXX";
	struct personality *p;
	FILE *file = fdopen(mkstemp(path), "w");

	fprintf(file, "%s%s", first, lines);
	fclose(file);
	p = personality_load(path);
	unlink(path);
	return p;
}

/* A row of capabilities with a value in @bit. */
static const char *cap_row(unsigned int type, size_t bit, unsigned int width,
			   u64 val)
{
	static char line[128];
	u8 bytes[FW_CAP_LEN] = {};
	size_t at = bit / 256 * 32, i;
	int len;

	prm_set(bytes, bit, width, val);
	len = sprintf(line, "cap 0x%02x max 0x%03zx ", type, at);
	for (i = 0; i < 32; i++)
		len += sprintf(line + len, "%02x", bytes[at + i]);
	strcpy(line + len, "\nend\n");
	return line;
}

#define ROW(t, f, v) \
	cap_row(CAP_GENERAL, PRM_BIT(t, f), PRM_WIDTH(t, f), v)

static void report_broken_refused(void)
{
	CHECK(!personality_load("/no/such/file"));
	CHECK(!load_report("", "end\n"));
	CHECK(!load_report("mdx-report 2\n", "end\n"));
	CHECK(!load_report(begin, "")); /* cut off */
	CHECK(!load_report(begin, "cap 0x00 max 0x000 1234\nend\n"));
	CHECK(!load_report(begin, "cap 0x00 max 0xff0 "
		    "0000000000000000000000000000000000000000000000000000000000000000\nend\n"));
	CHECK(!load_report(begin, "latency NOP count x\nend\n"));
	personality_free(load_report(begin, "end\n"));
}

static u64 started_cap(struct personality *p, size_t bit, unsigned int width)
{
	struct fw_conf conf = { .mac = { 2 }, .personality = p };
	u64 val;

	/* Not started: the report may leave no user context. */
	fw = fw_new(&conf, &env_ops, NULL);
	val = prm_get(fw->caps.max[CAP_GENERAL], bit, width);
	fw_free(fw);
	personality_free(p);
	return val;
}

#define STARTED(p, f) started_cap(p, PRM_BIT(cmd_hca_cap, f), \
				  PRM_WIDTH(cmd_hca_cap, f))

static void cap_limit_lowered(void)
{
	CHECK_EQ(STARTED(load_report(begin, ROW(cmd_hca_cap, log_max_qp, 15)),
			 log_max_qp), 15);
}

static void cap_limit_not_raised(void)
{
	CHECK_EQ(STARTED(load_report(begin, ROW(cmd_hca_cap, log_max_qp, 24)),
			 log_max_qp), 18);
}

static void cap_feature_off(void)
{
	CHECK_EQ(STARTED(load_report(begin, ROW(cmd_hca_cap, log_max_qp, 18)), dct), 0);
}

static void cap_format_taken(void)
{
	CHECK_EQ(STARTED(load_report(begin, ROW(cmd_hca_cap, rq_ts_format, 2)),
			 rq_ts_format), 2);
}

/* A type that the report does not have stays as it is. */
static void cap_type_absent_kept(void)
{
	CHECK_EQ(STARTED(load_report(begin, "end\n"), log_max_qp), 18);
}

static void latency_set_by_opcode(void)
{
	struct personality *p = load_report(begin,
		"latency ALLOC_PD count 64 p50-ns 123456 p99-ns 2\n"
		"latency NO_SUCH count 1 p50-ns 1\nend\n");
	struct script script;

	CHECK(p && !script_init(&script));
	CHECK_EQ(p->latencies, 1);
	personality_script(p, &script);
	CHECK_EQ(script_delay(&script, 0x800), 123);
	CHECK_EQ(script_delay(&script, 0x801), 0);
	script_fini(&script);
	personality_free(p);
}

static void overlap_sets_parallel(void)
{
	struct personality *p;

	p = load_report(begin, "overlap 1 ALLOC_PD count 9 p50-ns 100\n"
		 "overlap 2 ALLOC_PD count 9 p50-ns 110\n"
		 "overlap 4 ALLOC_PD count 9 p50-ns 190\n"
		 "overlap 8 ALLOC_PD count 9 p50-ns 400\nend\n");
	CHECK_EQ(p->parallel, 4);
	personality_free(p);
	p = load_report(begin, "overlap 1 ALLOC_PD count 9 p50-ns 100\n"
		 "overlap 2 ALLOC_PD count 9 p50-ns 210\nend\n");
	CHECK_EQ(p->parallel, 1);
	personality_free(p);
}

/* Kinds are told apart by the model's syndrome, commands by their opcode. */
static void refusal_by_kind_and_opcode(void)
{
	struct personality *p = load_report(begin, "refusal in-use DEALLOC_PD refused 0x6 0x1234\n"
				     "refusal foreign CREATE_TIS errno 22\n"
				     "length NOP short stock refused 0x50 0x77\nend\n");
	u8 cmd[16] = {}, answer[16] = {};

	CHECK(p);
	CHECK_EQ(p->refusals, 2);
	prm_set(cmd, 0, 16, 0x801);
	answer[0] = FW_BAD_RES_STATE;
	prm_set(answer, 32, 32, SYND_IN_USE | 5);
	personality_refusal(p, cmd, answer);
	CHECK_EQ(answer[0], 0x6);
	CHECK_EQ(prm_be32(answer + 4), 0x1234);
	answer[0] = FW_BAD_RES_STATE;
	prm_set(answer, 32, 32, SYND_UNKNOWN | 5);
	personality_refusal(p, cmd, answer);
	CHECK_EQ(answer[0], FW_BAD_RES_STATE);
	prm_set(cmd, 0, 16, 0x817);
	prm_set(answer, 32, 32, SYND_IN_USE | 5);
	personality_refusal(p, cmd, answer);
	CHECK_EQ(answer[0], FW_BAD_RES_STATE);
	personality_free(p);
}

static void refusal_none_of_success(void)
{
	struct personality *p = load_report(begin,
		"refusal in-use DEALLOC_PD refused 0x6 0x1234\nend\n");
	u8 cmd[16] = { 0x08, 0x01 }, answer[16] = {};

	CHECK(p);
	prm_set(answer, 32, 32, SYND_IN_USE);
	personality_refusal(p, cmd, answer);
	CHECK_EQ(answer[0], 0);
	personality_free(p);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(report_broken_refused),	TAP(cap_limit_lowered),
		TAP(cap_limit_not_raised),	TAP(cap_feature_off),
		TAP(cap_format_taken),		TAP(cap_type_absent_kept),
		TAP(latency_set_by_opcode),	TAP(overlap_sets_parallel),
		TAP(refusal_by_kind_and_opcode), TAP(refusal_none_of_success),
	};

	return TAP_RUN(tests);
}
