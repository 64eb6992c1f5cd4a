// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Capabilities that features of DEVX need: each row of Documentation/capabilities.md,
 * by an ordinary user with and without the capability.
 */
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "objtypes.h"
#include "vobj.h"

#define ORDINARY_UID 65534
/* Exit status of a child whose preparations failed; no errno is as high. */
#define BROKEN 250

/* Rights in CREATE_UCTX. */
enum { UCTX_RAW_TX = 1 << 0, UCTX_INTERNAL_DEV_RES = 1 << 1 };

#define NET_RAW BIT_ULL(CAP_NET_RAW)
#define SYS_RAWIO BIT_ULL(CAP_SYS_RAWIO)

static int set_caps(uint64_t permitted, uint64_t effective)
{
	struct __user_cap_header_struct hdr = { _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};
	int i;

	for (i = 0; i < 2; i++) {
		data[i].permitted = permitted >> 32 * i;
		data[i].effective = effective >> 32 * i;
	}
	return syscall(SYS_capset, &hdr, data) ? errno : 0;
}

static int become_ordinary(uint64_t permitted, uint64_t effective)
{
	uid_t uid = ORDINARY_UID;

	if (prctl(PR_SET_KEEPCAPS, 1) || setgroups(0, NULL) ||
	    setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		return errno;
	return set_caps(permitted, effective);
}

/**
 * struct attempt - a call by an ordinary user
 * @open: effective capabilities while the verbs context is opened
 * @call: effective capabilities during the call
 * @call_fn: the call; returns 0 or a positive errno
 * @own_userns: the process has a user namespace of its own
 */
struct attempt {
	uint64_t open;
	uint64_t call;
	int (*call_fn)(struct mdx_world *w);
	bool own_userns;
};

static int child_main(const struct attempt *a)
{
	static struct mdx_world w;

	/* The parent asks the device; its control port takes one opener. */
	unsetenv("MDX_HCA");
	if (become_ordinary(a->open | a->call, a->open))
		return BROKEN;
	if (a->own_userns && unshare(CLONE_NEWUSER))
		return BROKEN;
	if (world_start(&w))
		return BROKEN + 1;
	if (!a->own_userns && set_caps(a->open | a->call, a->call))
		return BROKEN + 2;
	return a->call_fn(&w);
}

/* The errno of the call, made in a process of its own. */
static int run_attempt(const struct attempt *a)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(child_main(a));
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* The same capabilities from the open to the call. */
static int try_with(uint64_t caps, int (*call_fn)(struct mdx_world *w))
{
	return run_attempt(&(struct attempt){ caps, caps, call_fn });
}

static int call_nothing(struct mdx_world *w)
{
	return 0;
}

static int create_sq(struct mdx_world *w)
{
	uint32_t id;

	if (!objtype_advertised(w, OBJTYPE_SQ) || objtype_create_needs(w, OBJTYPE_SQ))
		return BROKEN + 3;
	objtype_build_create(w, OBJTYPE_SQ);
	return _test_mdx_create(w->mdx.fd, &w->m, &id);
}

/* All object types of the device, except SQs and types that need one. */
static int create_others(struct mdx_world *w)
{
	int k, ret, created = 0;
	uint32_t id;

	for (k = 0; k < OBJTYPE_COUNT; k++) {
		if (k == OBJTYPE_SQ || objtypes[k].needs & NEEDS(OBJTYPE_SQ) ||
		    !objtype_advertised(w, k))
			continue;
		if (objtype_create_needs(w, k))
			return BROKEN + 3;
		objtype_build_create(w, k);
		ret = _test_mdx_create(w->mdx.fd, &w->m, &id);
		if (ret) {
			fprintf(stderr, "# %s: errno %d\n", objtypes[k].name, ret);
			return ret;
		}
		if (_test_mdx_destroy(w->mdx.fd, id))
			return BROKEN + 4;
		created++;
	}
	return created > 20 ? 0 : BROKEN + 5;
}

static int create_raw_qp(struct mdx_world *w)
{
	struct vobj v;

	return vobj_create(&v, VOBJ_RAW, w->mdx.ctx, w->mdx.pd);
}

static int create_flow(struct mdx_world *w)
{
	struct {
		size_t match_sz;
		uint64_t match_buf[8];
	} mask = { sizeof(mask.match_buf) }, value = mask;
	struct mlx5dv_flow_matcher_attr attr = {
		.type = IBV_FLOW_ATTR_NORMAL,
		.match_criteria_enable = 1,
		.match_mask = (void *)&mask,
	};
	struct mlx5dv_flow_action_attr drop = { .type = MLX5DV_FLOW_ACTION_DROP };
	struct mlx5dv_flow_matcher *matcher;

	/* Destination MAC address. */
	memset(&mask.match_buf[1], 0xff, 6);
	matcher = mlx5dv_create_flow_matcher(w->mdx.ctx, &attr);
	if (!matcher)
		return BROKEN + 3;
	return mlx5dv_create_flow(matcher, (void *)&value, 1, &drop) ? 0 : errno;
}

static int register_beyond_memlock(struct mdx_world *w)
{
	struct rlimit limit = { 65536, 65536 };
	size_t len = 1 << 20;
	void *mem = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED || setrlimit(RLIMIT_MEMLOCK, &limit))
		return BROKEN + 3;
	return mlx5dv_devx_umem_reg(w->mdx.ctx, mem, len, 0) ? 0 : errno;
}

static int open_ps(struct mdx_world *w)
{
	return open("/sys/kernel/debug/mlx5_devx/files", O_RDONLY) < 0 ? errno : 0;
}

static int open_trace(struct mdx_world *w)
{
	return open("/sys/kernel/tracing/trace_pipe", O_RDONLY) < 0 ? errno : 0;
}

/* A file bound under CAP_NET_RAW, in a process that has none. */
static int pass_file(struct mdx_world *w)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(set_caps(0, 0) ? BROKEN + 4 : create_sq(w));
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return BROKEN + 5;
	return WEXITSTATUS(status);
}

FIXTURE(capability)
{
	int dummy;
};

FIXTURE_SETUP(capability)
{
	SETUP_DEVICE(return);
}

FIXTURE_TEARDOWN(capability)
{
}

TEST_F(capability, other_creates_need_none)
{
	EXPECT_EQ(0, try_with(0, create_others));
}

TEST_F(capability, raw_qp_without_eperm)
{
	EXPECT_EQ(EPERM, try_with(0, create_raw_qp));
	EXPECT_EQ(EPERM, try_with(SYS_RAWIO, create_raw_qp));
	EXPECT_EQ(0, try_with(NET_RAW, create_raw_qp));
}

TEST_F(capability, flow_without_eperm)
{
	EXPECT_EQ(EPERM, try_with(0, create_flow));
	EXPECT_EQ(EPERM, try_with(SYS_RAWIO, create_flow));
	EXPECT_EQ(0, try_with(NET_RAW, create_flow));
}

TEST_F(capability, umem_beyond_memlock_enomem)
{
	EXPECT_EQ(ENOMEM, try_with(0, register_beyond_memlock));
	EXPECT_EQ(0, try_with(BIT_ULL(CAP_IPC_LOCK), register_beyond_memlock));
}

TEST_F(capability, ps_without_eacces)
{
	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	EXPECT_EQ(EACCES, try_with(0, open_ps));
	EXPECT_EQ(0, try_with(BIT_ULL(CAP_DAC_READ_SEARCH), open_ps));
}

TEST_F(capability, trace_without_eacces)
{
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	EXPECT_EQ(EACCES, try_with(0, open_trace));
	EXPECT_EQ(0, try_with(BIT_ULL(CAP_DAC_READ_SEARCH), open_trace));
}

/* Gaining or losing a capability after the open changes nothing. */
TEST_F(capability, sampled_at_open)
{
	struct attempt gained = { 0, NET_RAW, create_sq };
	struct attempt lost = { NET_RAW, 0, create_sq };

	if (!hca_expected())
		SKIP(return, "the right behind RAW_TX is the firmware's matter");
	EXPECT_EQ(EREMOTEIO, run_attempt(&gained));
	EXPECT_EQ(0, run_attempt(&lost));
}

TEST_F(capability, passed_file_keeps_rights)
{
	EXPECT_EQ(0, try_with(NET_RAW, pass_file));
}

FIXTURE(uctx)
{
	struct hca_ctl *hca;
};

FIXTURE_VARIANT(uctx)
{
	uint64_t caps;
	uint32_t rights;
	int sq;
	bool own_userns;
};

FIXTURE_VARIANT_ADD(uctx, none)
{
	.sq = EREMOTEIO
};

FIXTURE_VARIANT_ADD(uctx, net_raw)
{
	NET_RAW, UCTX_RAW_TX, 0
};

FIXTURE_VARIANT_ADD(uctx, sys_rawio)
{
	SYS_RAWIO, UCTX_INTERNAL_DEV_RES, EREMOTEIO
};

FIXTURE_VARIANT_ADD(uctx, both)
{
	NET_RAW | SYS_RAWIO, UCTX_RAW_TX | UCTX_INTERNAL_DEV_RES, 0
};

FIXTURE_VARIANT_ADD(uctx, all_others)
{
	((BIT_ULL(CAP_LAST_CAP) << 1) - 1) & ~(NET_RAW | SYS_RAWIO), 0, EREMOTEIO
};

/* All capabilities, in a user namespace that owns no device. */
FIXTURE_VARIANT_ADD(uctx, own_userns)
{
	.sq = EREMOTEIO, .own_userns = true
};

FIXTURE_SETUP(uctx)
{
	SETUP_DEVICE(return);
	self->hca = hca_open();
	SKIP_NO_HCA(self->hca, return);
}

FIXTURE_TEARDOWN(uctx)
{
	hca_close(self->hca);
}

TEST_F(uctx, rights_of_user_context)
{
	struct attempt a = { .open = variant->caps, .call = variant->caps,
			     .call_fn = call_nothing,
			     .own_userns = variant->own_userns };
	uint32_t in[DEVX_ST_SZ_DW(create_uctx_in)] = {};

	ASSERT_EQ(0, run_attempt(&a));
	ASSERT_NE(0, hca_last(self->hca, MLX5_CMD_OP_CREATE_UCTX, in, sizeof(in)));
	EXPECT_EQ(variant->rights, DEVX_GET(create_uctx_in, in, uctx.cap));
}

TEST_F(uctx, create_sq)
{
	struct attempt a = { .open = variant->caps, .call = variant->caps,
			     .call_fn = create_sq,
			     .own_userns = variant->own_userns };

	EXPECT_EQ(variant->sq, run_attempt(&a));
}

TEST_HARNESS_MAIN
