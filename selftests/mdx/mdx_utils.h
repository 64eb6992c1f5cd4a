/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Shared by the tests of mlx5_devx. Functions whose name starts with _test_
 * make one call and return 0 or a positive errno; test_* asserts success,
 * test_err_* expects the errno given first.
 */
#ifndef MDX_TEST_UTILS_H
#define MDX_TEST_UTILS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <mdx/mdx_uapi.h>

#include "hca_ctl.h"
#include "mbox_layout.h"

#define MDX_NODE "/dev/infiniband/mlx5_devx"
#define FILL 0xa5

/* No command has this opcode. */
#define NO_OPCODE 0xffff

/* One command: its mailboxes and their lengths. */
struct mbox_pair {
	const void *in;
	void *out;
	uint32_t in_len;
	uint32_t out_len;
};

/* An open verbs context with a PD, another for the binding, and a bound file. */
struct mdx_binding {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_pd *anchor;
	int fd;
	uint32_t uid;
};

struct ibv_device *mdx_ibv_device(void);
/* After a driver was bound: mlx5_ib takes longer. False if it does not come. */
bool mdx_device_wait(void);
/* With DEVX; NULL and errno on failure. */
struct ibv_context *mdx_ctx_open(void);
/* Address of the device, such as 0000:01:00.0; false where it is no PCI one. */
bool mdx_pci_addr(char *buf, size_t size);
bool mdx_module_loaded(void);
/* On the lab's debug kernel, which is slow. */
bool mdx_lane_debug(void);

int mdx_node_open(void);
/* All of struct mdx_binding; 0 or a positive errno, with one line on stderr. */
int mdx_start(struct mdx_binding *mdx);
/*
 * Opens the context and the PD once, before the harness forks a process for
 * each test: from then on mdx_start() only opens a file and binds it.
 */
void mdx_share(void);
void mdx_stop(struct mdx_binding *mdx);

/* An ioctl that returns 0 or a positive errno. */
int mdx_ioctl(int fd, unsigned long req, void *arg);

int _test_mdx_info(int fd, struct mdx_ioc_info *info);
int _test_mdx_bind(int fd, int uverbs_fd, uint32_t pd_handle);
int _test_mdx_create(int fd, const struct mbox_pair *m, uint32_t *id);
int _test_mdx_destroy(int fd, uint32_t id);
int _test_mdx_destroy_status(int fd, uint32_t id,
			     struct mdx_ioc_obj_destroy *res);
int _test_mdx_query(int fd, uint32_t id, const struct mbox_pair *m);
int _test_mdx_modify(int fd, uint32_t id, const struct mbox_pair *m);
int _test_mdx_general(int fd, const struct mbox_pair *m);
int _test_mdx_verbs_query(int fd, uint32_t obj_type, uint32_t handle,
			  const struct mbox_pair *m);
int _test_mdx_verbs_modify(int fd, uint32_t obj_type, uint32_t handle,
			   const struct mbox_pair *m);
uint32_t mdx_objs(int fd);

#define test_mdx_info(fd, info) ASSERT_EQ(0, _test_mdx_info(fd, info))
#define test_mdx_bind(fd, uverbs_fd, pd) \
	ASSERT_EQ(0, _test_mdx_bind(fd, uverbs_fd, pd))
#define test_err_bind(err, fd, uverbs_fd, pd) \
	EXPECT_EQ(err, _test_mdx_bind(fd, uverbs_fd, pd))
#define test_mdx_create(fd, m, id) ASSERT_EQ(0, _test_mdx_create(fd, m, id))
#define test_err_create(err, fd, m) \
	EXPECT_EQ(err, _test_mdx_create(fd, m, NULL))
#define test_mdx_destroy(fd, id) ASSERT_EQ(0, _test_mdx_destroy(fd, id))
#define test_err_destroy(err, fd, id) EXPECT_EQ(err, _test_mdx_destroy(fd, id))
#define test_mdx_query(fd, id, m) ASSERT_EQ(0, _test_mdx_query(fd, id, m))
#define test_err_query(err, fd, id, m) \
	EXPECT_EQ(err, _test_mdx_query(fd, id, m))
#define test_mdx_modify(fd, id, m) ASSERT_EQ(0, _test_mdx_modify(fd, id, m))
#define test_err_modify(err, fd, id, m) \
	EXPECT_EQ(err, _test_mdx_modify(fd, id, m))
#define test_mdx_general(fd, m) ASSERT_EQ(0, _test_mdx_general(fd, m))
#define test_err_general(err, fd, m) EXPECT_EQ(err, _test_mdx_general(fd, m))

/* Header of a command without anything behind it. */
void mdx_hdr(void *in, uint16_t opcode, uint16_t op_mod, uint32_t id);
bool all_bytes(const void *buf, uint8_t byte, size_t len);

/* 4, 16 or 64 KiB on arm64. */
size_t page_size(void);

/*
 * @len bytes in front of an inaccessible page; with @skew 0 they end right at
 * it, else @skew bytes before. NULL on failure; never freed.
 */
void *guard_alloc(size_t len, size_t skew);

/*
 * A page whose first access, by user space or the kernel, stalls until
 * stall_end(). The descriptor is that of userfaultfd(2); -1 and errno on
 * failure.
 */
int stall_page(void **page);
/* Wait until an access is stalled. */
bool stall_wait(int uffd);
void stall_end(int uffd, void *page);

/* Writes a line to a file of sysfs; 0 or a positive errno. */
int write_file(const char *path, const char *text);
/* As system(): the status of a command, -1 if it did not exit. */
int run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Lines of the kernel log since mark that hold text. */
int kmsg_mark(void);
int kmsg_count(int mark, const char *text);

/* Sends or receives a descriptor over a UNIX socket; -1 on failure. */
int fd_send(int sock, int fd);
int fd_recv(int sock);

/* TEST_HARNESS_MAIN after something that all tests have in common. */
#define MDX_HARNESS_MAIN(first)						\
	int main(int argc, char **argv)					\
	{								\
		first;							\
		return test_harness_run(argc, argv);			\
	}

/* Ends the setup of a fixture that has no device or module to work on. */
#define SETUP_DEVICE(statement)						\
	do {								\
		if (!mdx_ibv_device()) {				\
			if (hca_expected())				\
				TH_LOG("the mlx5 device is missing");	\
			ASSERT_FALSE(hca_expected());			\
			SKIP(statement, "no mlx5 device");		\
		}							\
		if (access(MDX_NODE, F_OK)) {				\
			if (hca_expected())				\
				TH_LOG("%s is missing", MDX_NODE);	\
			ASSERT_FALSE(hca_expected());			\
			SKIP(statement, "no " MDX_NODE);		\
		}							\
	} while (0)

#endif /* MDX_TEST_UTILS_H */
