// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * libmdx loaded by dlopen(), for example by a language binding, and therefore
 * not in front of the other libraries. It serves no context that the program
 * opens without it, and must not disturb such a context.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "fake.h"
#include "shim_tap.h"

static void *mdx;
static char in[16], out[16];

static void dlopened_call_forwarded(void)
{
	int (*general)(struct ibv_context *, const void *, size_t, void *,
		       size_t);
	struct ibv_context *context = ibv_open_device(&fake_devices[0]);

	general = dlsym(mdx, "mlx5dv_devx_general_cmd");
	EXPECT(general);
	EXPECT(general != mlx5dv_devx_general_cmd);
	EXPECT_EQ(0, general(context, in, 16, out, 16));
	EXPECT_STR("g", fake_events);
	ibv_close_device(context);
}

static void dlopened_open_served(void)
{
	struct ibv_context *(*open_device)(struct ibv_device *);
	int (*close_device)(struct ibv_context *);
	int (*check)(struct ibv_context *);
	struct ibv_context *context;

	open_device = dlsym(mdx, "ibv_open_device");
	close_device = dlsym(mdx, "ibv_close_device");
	check = dlsym(mdx, "mdx_context_check");
	context = open_device(&fake_devices[0]);
	EXPECT(context);
	/* No module is loaded here, so the result is not 0, but not ENOENT. */
	EXPECT(check(context) != ENOENT);
	EXPECT_EQ(0, close_device(context));
}

static void dlopened_check_enoent(void)
{
	struct ibv_context *context = ibv_open_device(&fake_devices[0]);
	int (*check)(struct ibv_context *) = dlsym(mdx, "mdx_context_check");

	EXPECT_ERR(ENOENT, check(context));
	ibv_close_device(context);
}

int tap_failed;
const char *tap_skip;

static const struct tap_test dlopen_tests[] = {
	TEST(dlopened_call_forwarded),
	TEST(dlopened_open_served),
	TEST(dlopened_check_enoent),
	{ NULL, NULL }
};

int main(int argc, char **argv)
{
	static const struct tap_test *const groups[] = { dlopen_tests, NULL };

	if (argc < 2)
		return 2;
	mdx = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	if (!mdx) {
		printf("Bail out! %s\n", dlerror());
		return 1;
	}
	return tap_run("dlopen", groups);
}
