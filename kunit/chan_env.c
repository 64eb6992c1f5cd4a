// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/fcntl.h>
#include <linux/uaccess.h>

#include "chan_env.h"
#include "fake_fw.h"
#include "mbox_bits.h"
#include "obj_env.h"
#include "../kmod/ioctl.h"

#define CHANS_MAX 8

static struct chan_file {
	struct file filp;
	int refs;
	bool reserved;
	bool installed;
} files[CHANS_MAX];

int chan_unused_fd(unsigned int flags)
{
	int fd;

	for (fd = 0; fd < CHANS_MAX; fd++) {
		if (!files[fd].reserved) {
			files[fd].reserved = true;
			return fd;
		}
	}
	return -EMFILE;
}

void chan_put_unused_fd(unsigned int fd)
{
	files[fd].reserved = false;
}

struct file *chan_getfile(const char *name, const struct file_operations *fops,
			  void *priv, int flags)
{
	int fd;

	for (fd = 0; fd < CHANS_MAX; fd++) {
		if (files[fd].refs)
			continue;
		files[fd].refs = 1;
		files[fd].filp.f_op = fops;
		files[fd].filp.private_data = priv;
		files[fd].filp.f_flags = O_NONBLOCK;
		return &files[fd].filp;
	}
	return ERR_PTR(-ENFILE);
}

static struct chan_file *file_of(struct file *filp)
{
	struct chan_file *file = container_of(filp, struct chan_file, filp);

	return file >= files && file < files + CHANS_MAX ? file : NULL;
}

/* Descriptors are those of the file's place. */
void chan_fd_install(unsigned int fd, struct file *filp)
{
	KUNIT_EXPECT_PTR_EQ(env.test, filp, &files[fd].filp);
	files[fd].installed = true;
}

struct file *chan_fget(unsigned int fd)
{
	if (fd >= CHANS_MAX || !files[fd].installed)
		return NULL;
	files[fd].refs++;
	return &files[fd].filp;
}

bool chan_fput(struct file *filp)
{
	struct chan_file *file = file_of(filp);

	if (!file)
		return false;
	if (!--file->refs)
		filp->f_op->release(NULL, filp);
	return true;
}

static int chan_ioctl(unsigned int nr, void *arg, size_t size)
{
	int ret;

	KUNIT_ASSERT_EQ(env.test, copy_to_user(env.user, arg, size), 0);
	env.caller.private_data = env.file;
	ret = mdx_ioctl(&env.caller, nr, (unsigned long)env.user);
	if (copy_from_user(arg, env.user, size))
		memset(arg, 0xff, size);
	return ret;
}

int chan_open(u32 flags, u32 depth)
{
	struct mdx_ioc_channel arg = {
		.size = sizeof(arg), .flags = flags, .depth = depth,
	};
	int ret;

	ret = chan_ioctl(MDX_IOC_CHANNEL, &arg, sizeof(arg));
	return ret ? ret : arg.out_fd;
}

int chan_subscribe(int fd, u32 obj, const u16 *events, u32 n, u64 cookie)
{
	struct mdx_ioc_subscribe arg = {
		.size = sizeof(arg), .obj = obj, .channel = fd, .eventfd = -1,
		.events = env.in_addr, .events_n = n, .cookie = cookie,
	};

	KUNIT_ASSERT_EQ(env.test, copy_to_user(env.user_in, events, n * 2), 0);
	return chan_ioctl(MDX_IOC_SUBSCRIBE, &arg, sizeof(arg));
}

int chan_subscribe_one(int fd, u32 obj, u16 event, u64 cookie)
{
	return chan_subscribe(fd, obj, &event, 1, cookie);
}

void chan_close(int fd)
{
	files[fd].installed = false;
	files[fd].reserved = false;
	chan_fput(&files[fd].filp);
}

void chan_close_all(void)
{
	int fd;

	for (fd = 0; fd < CHANS_MAX; fd++)
		if (files[fd].installed)
			chan_close(fd);
}

struct mdx_chan *chan_of(int fd)
{
	return files[fd].filp.private_data;
}

ssize_t chan_read(int fd, void *buf, size_t count)
{
	struct file *filp = &files[fd].filp;
	loff_t pos = 0;
	ssize_t ret;

	ret = filp->f_op->read(filp, (char __user *)env.user_out, count, &pos);
	if (ret > 0 && copy_from_user(buf, env.user_out, ret))
		return -EFAULT;
	return ret;
}

void chan_event(u8 event, u32 num)
{
	u8 eqe[MDX_EQE_LEN] = {};

	bits_put(eqe, 8, 8, event);
	bits_put(eqe, 456, 24, num);
	if (fw->any_nb)
		fw->any_nb->nb.notifier_call(&fw->any_nb->nb, event, eqe);
}
