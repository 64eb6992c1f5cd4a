// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects that the device keeps when their context ends: counted for each device, and
 * one line in the log, whichever users they were of.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "kselftest_harness.h"
#include "mdx_utils.h"
#include "opcodes.h"

#define LEFTOVERS "/sys/kernel/debug/mlx5_devx/leftovers"
#define KEPT "the device keeps objects"
#define USERS 2
/* On a slow guest, a module takes its time to unload and load. */
#define RELOAD_SECONDS 120

struct leftovers_line {
	char ibdev[64];
	unsigned long long contexts;
	unsigned long long objs;
	unsigned int uid;
	unsigned int opcode;
	unsigned int num;
};

/* Two users: each has a context, and so a uid, of its own. */
FIXTURE(leftovers)
{
	struct hca_ctl *hca;
	struct mdx_binding mdx[USERS];
	uint32_t uid[USERS];
	uint32_t num[USERS];		/* of the TD created last */
	int mark;
};

FIXTURE_SETUP(leftovers)
{
	int i;

	/*
	 * A module that has counted nothing yet. A test that was ended by its timeout
	 * may have left none.
	 */
	if (hca_expected()) {
		if (mdx_module_loaded())
			ASSERT_EQ(0, run("rmmod mlx5_devx"));
		ASSERT_EQ(0, run("modprobe mlx5_devx"));
	}
	SETUP_DEVICE(return);
	self->hca = hca_open();
	SKIP_NO_HCA(self->hca, return);
	self->mark = kmsg_mark();
	for (i = 0; i < USERS; i++) {
		ASSERT_EQ(0, mdx_start(&self->mdx[i]));
		self->uid[i] = self->mdx[i].uid;
	}
}

FIXTURE_TEARDOWN(leftovers)
{
	int i;

	hca_close(self->hca);
	for (i = 0; i < USERS; i++)
		if (self->mdx[i].ctx)
			mdx_stop(&self->mdx[i]);
}

/* Number of lines; the last one in @line. */
static int read_leftovers(struct leftovers_line *line)
{
	FILE *f = fopen(LEFTOVERS, "r");
	int n = 0;

	if (!f)
		return -1;
	while (fscanf(f, "%63s %llu %llu %x %x %x", line->ibdev, &line->contexts,
		      &line->objs, &line->uid, &line->opcode,
		      &line->num) == 6)
		n++;
	fclose(f);
	return n;
}

static int create_td(FIXTURE_DATA(leftovers) *self, int user)
{
	uint64_t in[MBOX_HDR_LEN / 8], out[MBOX_HDR_LEN / 8] = {};
	struct mbox_pair m = {
		.in = in, .out = out,
		.in_len = sizeof(in), .out_len = sizeof(out),
	};
	uint32_t id;
	int ret;

	mdx_hdr(in, MDX_OPCODE_ALLOC_TRANSPORT_DOMAIN, 0, 0);
	ret = _test_mdx_create(self->mdx[user].fd, &m, &id);
	self->num[user] = mbox_get32(out, MBOX_HDR_ID) & 0xffffff;
	return ret;
}

static int refuse_destroys(FIXTURE_DATA(leftovers) *self)
{
	return hca_fail(self->hca, MDX_OPCODE_DEALLOC_TRANSPORT_DOMAIN,
			STATUS_BAD_RES_STATE, 1, HCA_ALWAYS);
}

TEST_F_TIMEOUT(leftovers, nothing_kept_no_line, RELOAD_SECONDS)
{
	struct leftovers_line line;
	int i;

	for (i = 0; i < USERS; i++) {
		ASSERT_EQ(0, create_td(self, i));
		mdx_stop(&self->mdx[i]);
	}
	EXPECT_EQ(0, read_leftovers(&line));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

TEST_F_TIMEOUT(leftovers, each_user_counted, RELOAD_SECONDS)
{
	struct leftovers_line line;

	ASSERT_EQ(0, refuse_destroys(self));
	ASSERT_EQ(0, create_td(self, 0));
	mdx_stop(&self->mdx[0]);
	ASSERT_EQ(1, read_leftovers(&line));
	EXPECT_STREQ(ibv_get_device_name(mdx_ibv_device()), line.ibdev);
	EXPECT_EQ(1, line.contexts);
	EXPECT_EQ(1, line.objs);
	EXPECT_EQ(self->uid[0], line.uid);
	EXPECT_EQ(MDX_OPCODE_ALLOC_TRANSPORT_DOMAIN, line.opcode);
	EXPECT_EQ(self->num[0], line.num);

	ASSERT_EQ(0, create_td(self, 1));
	ASSERT_EQ(0, create_td(self, 1));
	mdx_stop(&self->mdx[1]);
	ASSERT_EQ(1, read_leftovers(&line));
	EXPECT_EQ(2, line.contexts);
	EXPECT_EQ(3, line.objs);
	EXPECT_EQ(self->uid[1], line.uid);
	EXPECT_EQ(MDX_OPCODE_ALLOC_TRANSPORT_DOMAIN, line.opcode);
}

/* More contexts than the kernel's rate limit would let pass in its five seconds. */
TEST_F_TIMEOUT(leftovers, logged_once, RELOAD_SECONDS)
{
	struct leftovers_line line;
	int again = kmsg_mark();
	int i;

	ASSERT_EQ(0, refuse_destroys(self));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, create_td(self, 1));
		mdx_stop(&self->mdx[1]);
		ASSERT_EQ(0, mdx_start(&self->mdx[1]));
	}
	ASSERT_EQ(0, create_td(self, 0));
	mdx_stop(&self->mdx[0]);
	ASSERT_EQ(1, read_leftovers(&line));
	EXPECT_EQ(21, line.contexts);
	EXPECT_EQ(21, line.objs);
	EXPECT_EQ(self->uid[0], line.uid);
	EXPECT_EQ(1, kmsg_count(self->mark, KEPT));
	EXPECT_EQ(1, kmsg_count(again,
				"any more are counted in debugfs, mlx5_devx/leftovers"));
	close(again);
}

/* While the context lives, its objects may yet be destroyed: nothing is reported. */
TEST_F_TIMEOUT(leftovers, kept_in_live_context_not_reported, RELOAD_SECONDS)
{
	struct mdx_binding *mdx = &self->mdx[0];
	struct leftovers_line line;

	ASSERT_EQ(0, refuse_destroys(self));
	ASSERT_EQ(0, create_td(self, 0));
	close(mdx->fd);
	mdx->fd = -1;
	EXPECT_EQ(0, read_leftovers(&line));
	ASSERT_EQ(0, hca_cmd(self->hca, "reset-script"));
	mdx_stop(mdx);
	EXPECT_EQ(0, read_leftovers(&line));
	EXPECT_EQ(0, hca_live(self->hca, self->uid[0], "td", -1));
	EXPECT_EQ(0, kmsg_count(self->mark, KEPT));
}

TEST_F_TIMEOUT(leftovers, debugfs_file_root_only, RELOAD_SECONDS)
{
	struct stat st;

	ASSERT_EQ(0, stat(LEFTOVERS, &st));
	EXPECT_EQ(0400, st.st_mode & 07777);
}

TEST_HARNESS_MAIN
