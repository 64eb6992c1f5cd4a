// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * References for the cost of a command: the command itself, which the kernel
 * gives to mlx5_core, and the copies of its bytes. For root in a test machine
 * only, as it executes any command under any uid.
 *
 * The module also measures the time that a CPU spends in the idle task, where
 * it waits for the device.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mlx5/driver.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <asm/msr.h>

#include "floor.h"

/* The pool under test. This module has an instance of its own. */
#include "../kmod/pool.c"

#define LEN_MAX (2 * 1024 * 1024)
#define HDR_LEN 16

struct idle_time {
	u64 since;
	u64 sum;
};

static DEFINE_PER_CPU(struct idle_time, idle_time);
static struct tracepoint *sched_switch;
static struct mlx5_core_dev *mdev;

static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct idle_time *i = this_cpu_ptr(&idle_time);

	if (is_idle_task(next))
		i->since = rdtsc_ordered();
	else if (is_idle_task(prev) && i->since)
		i->sum += rdtsc_ordered() - i->since;
}

static long floor_now(struct floor_now __user *arg)
{
	struct floor_now now;

	preempt_disable();
	now.idle = this_cpu_ptr(&idle_time)->sum;
	now.tsc = rdtsc_ordered();
	preempt_enable();
	return copy_to_user(arg, &now, sizeof(now)) ? -EFAULT : 0;
}

static int destroy_obj(u16 opcode, const __be32 *in, const __be32 *out)
{
	__be32 din[HDR_LEN / 4], dout[HDR_LEN / 4];

	din[0] = cpu_to_be32(opcode << 16 | (be32_to_cpu(in[0]) & 0xffff));
	din[1] = 0;
	din[2] = out[2];
	din[3] = 0;
	return mlx5_cmd_do(mdev, din, sizeof(din), dout, sizeof(dout));
}

static int floor_run(const struct floor_cmd *cmd, void *in, void *out)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < cmd->n && !ret; i++) {
		ret = mlx5_cmd_do(mdev, in, cmd->in_len, out, cmd->out_len);
		if (!ret && cmd->destroy)
			ret = destroy_obj(cmd->destroy, in, out);
	}
	return ret;
}

/* @buf: buffer of the file, with an input in front and an answer behind it */
static long floor_load(const struct floor_cmd *cmd, void *buf)
{
	return copy_from_user(buf, u64_to_user_ptr(cmd->in), cmd->in_len) ?
	       -EFAULT : 0;
}

static long floor_copy(const struct floor_cmd *cmd, void *buf)
{
	if (copy_from_user(buf, u64_to_user_ptr(cmd->in), cmd->in_len) ||
	    copy_to_user(u64_to_user_ptr(cmd->out), buf, cmd->out_len))
		return -EFAULT;
	return 0;
}

static u64 pool_ticks(size_t len, u64 n)
{
	u64 start = rdtsc_ordered();
	struct mdx_buf buf;

	while (n--) {
		mdx_pool_get(&buf, len);
		/* Keeps the compiler from removing both calls. */
		barrier_data(buf.mem);
		mdx_pool_put(&buf);
	}
	return rdtsc_ordered() - start;
}

static u64 kvzalloc_ticks(size_t len, u64 n)
{
	u64 start = rdtsc_ordered();
	void *buf;

	while (n--) {
		buf = kvzalloc(len, GFP_KERNEL_ACCOUNT);
		barrier_data(buf);
		kvfree(buf);
	}
	return rdtsc_ordered() - start;
}

static long floor_pool(struct floor_pool __user *arg)
{
	struct floor_pool cmd;

	if (copy_from_user(&cmd, arg, sizeof(cmd)))
		return -EFAULT;
	if (!cmd.len || cmd.len > LEN_MAX || cmd.n > 1000000)
		return -EINVAL;
	cmd.kvzalloc = kvzalloc_ticks(cmd.len, cmd.n);
	cmd.pool = pool_ticks(cmd.len, cmd.n);
	return copy_to_user(arg, &cmd, sizeof(cmd)) ? -EFAULT : 0;
}

static long floor_ioctl(struct file *filp, unsigned int nr, unsigned long arg)
{
	struct floor_cmd cmd;

	if (nr == FLOOR_NOW)
		return floor_now((void __user *)arg);
	if (nr == FLOOR_POOL)
		return floor_pool((void __user *)arg);
	if (copy_from_user(&cmd, (void __user *)arg, sizeof(cmd)))
		return -EFAULT;
	if (cmd.in_len < HDR_LEN || cmd.in_len > LEN_MAX ||
	    cmd.out_len < HDR_LEN || cmd.out_len > LEN_MAX)
		return -EINVAL;
	if (nr == FLOOR_LOAD)
		return floor_load(&cmd, filp->private_data);
	if (nr == FLOOR_RUN)
		return floor_run(&cmd, filp->private_data,
				 filp->private_data + LEN_MAX);
	if (nr == FLOOR_COPY)
		return floor_copy(&cmd, filp->private_data);
	return -ENOTTY;
}

static int floor_open(struct inode *inode, struct file *filp)
{
	filp->private_data = kvzalloc(2 * LEN_MAX, GFP_KERNEL);
	return filp->private_data ? 0 : -ENOMEM;
}

static int floor_release(struct inode *inode, struct file *filp)
{
	kvfree(filp->private_data);
	return 0;
}

static const struct file_operations floor_fops = {
	.owner = THIS_MODULE,
	.open = floor_open,
	.release = floor_release,
	.unlocked_ioctl = floor_ioctl,
};

static struct miscdevice floor_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "mdx_floor",
	.mode = 0600,
	.fops = &floor_fops,
};

static void find_switch(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, "sched_switch"))
		sched_switch = tp;
}

static int __init floor_init(void)
{
	struct pci_dev *pdev = NULL;
	int ret;

	for_each_pci_dev(pdev) {
		if (pdev->driver && !strcmp(pdev->driver->name, "mlx5_core")) {
			mdev = pci_get_drvdata(pdev);
			pci_dev_put(pdev);
			break;
		}
	}
	for_each_kernel_tracepoint(find_switch, NULL);
	if (!mdev || !sched_switch)
		return -ENODEV;
	ret = tracepoint_probe_register(sched_switch, on_switch, NULL);
	if (ret)
		return ret;
	ret = misc_register(&floor_misc);
	if (ret)
		tracepoint_probe_unregister(sched_switch, on_switch, NULL);
	return ret;
}

static void __exit floor_exit(void)
{
	misc_deregister(&floor_misc);
	tracepoint_probe_unregister(sched_switch, on_switch, NULL);
	tracepoint_synchronize_unregister();
	mdx_pool_drain();
}

module_init(floor_init);
module_exit(floor_exit);

MODULE_DESCRIPTION("References for the benchmark of mlx5_devx");
MODULE_LICENSE("Dual BSD/GPL");
