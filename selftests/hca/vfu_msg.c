// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The vfio-user messages. Every length and index of a message is checked here,
 * so that the device sees accesses within its regions only.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vfu_msg.h"

enum {
	CMD_VERSION = 1,
	CMD_DMA_MAP,
	CMD_DMA_UNMAP,
	CMD_GET_INFO,
	CMD_GET_REGION_INFO,
	CMD_GET_REGION_IO_FDS,
	CMD_GET_IRQ_INFO,
	CMD_SET_IRQS,
	CMD_REGION_READ,
	CMD_REGION_WRITE,
	CMD_RESET = 13,
	CMD_WRITE_MULTI = 15,
};

struct vfu_msg {
	struct vfu *vfu;
	const uint8_t *data;
	size_t len;
	uint8_t *reply;
	size_t *reply_len;
};

struct vfu_dma_map {
	uint32_t argsz;
	uint32_t flags;
	uint64_t offset;
	uint64_t addr;
	uint64_t size;
};

struct vfu_dma_unmap {
	uint32_t argsz;
	uint32_t flags;
	uint64_t addr;
	uint64_t size;
};

struct vfu_access {
	uint64_t offset;
	uint32_t region;
	uint32_t count;
};

struct vfu_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t a;	/* num_regions, or index */
	uint32_t b;	/* num_irqs, or count */
};

struct vfu_irq_set {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t start;
	uint32_t count;
};

static int set_reply(struct vfu_msg *m, const void *buf, size_t len)
{
	memcpy(m->reply, buf, len);
	*m->reply_len = len;
	return 0;
}

/* True if the JSON in @s has "@name": true. */
static bool json_true(const char *s, const char *name)
{
	char key[32];
	const char *p;

	snprintf(key, sizeof(key), "\"%s\"", name);
	p = strstr(s, key);
	if (!p)
		return false;
	p += strlen(key);
	p += strspn(p, " \t\r\n:");
	return !strncmp(p, "true", 4);
}

static int do_version(struct vfu_msg *m)
{
	struct vfu *vfu = m->vfu;
	const char *json = (const char *)m->data + 4;
	uint16_t major, minor;
	char caps[128];

	if (vfu->negotiated || m->len < 4)
		return VFU_HANGUP;
	memcpy(&major, m->data, sizeof(major));
	memcpy(&minor, m->data + 2, sizeof(minor));
	if (major != 0)
		return VFU_HANGUP;
	if (m->len > 4 && m->data[m->len - 1])
		return VFU_HANGUP;
	vfu->write_multi = m->len > 4 && json_true(json, "write_multiple");
	minor = minor > 1 ? 1 : minor;
	memcpy(m->reply, &major, sizeof(major));
	memcpy(m->reply + 2, &minor, sizeof(minor));
	snprintf(caps, sizeof(caps),
		 "{\"capabilities\":{\"max_msg_fds\":%d,\"max_data_xfer_size\":%d%s}}",
		 VFU_MAX_FDS, VFU_MAX_XFER,
		 vfu->write_multi ? ",\"write_multiple\":true" : "");
	memcpy(m->reply + 4, caps, strlen(caps) + 1);
	*m->reply_len = 4 + strlen(caps) + 1;
	vfu->negotiated = true;
	return 0;
}

static int do_dma_map(struct vfu_msg *m)
{
	struct vfu *vfu = m->vfu;
	struct vfu_dma_map map;
	unsigned int prot = 0;

	if (m->len != sizeof(map) || vfu->nr_fds > 1)
		return -EINVAL;
	memcpy(&map, m->data, sizeof(map));
	if (map.argsz < sizeof(map) ||
	    map.flags & ~(VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE))
		return -EINVAL;
	if (map.flags & VFIO_DMA_MAP_FLAG_READ)
		prot |= MEM_READ;
	if (map.flags & VFIO_DMA_MAP_FLAG_WRITE)
		prot |= MEM_WRITE;
	return mem_map(vfu->mem, map.addr, map.size,
		       vfu->nr_fds ? vfu->fds[0] : -1, map.offset, prot);
}

static int do_dma_unmap(struct vfu_msg *m)
{
	struct vfu_dma_unmap unmap;
	int ret;

	if (m->len < sizeof(unmap))
		return -EINVAL;
	memcpy(&unmap, m->data, sizeof(unmap));
	if (unmap.argsz < sizeof(unmap))
		return -EINVAL;
	if (unmap.flags & ~VFIO_DMA_UNMAP_FLAG_ALL)
		return -EOPNOTSUPP;
	if (unmap.flags) {
		if (unmap.addr || unmap.size)
			return -EINVAL;
		mem_clear(m->vfu->mem);
	} else {
		ret = mem_unmap(m->vfu->mem, unmap.addr, unmap.size);
		if (ret)
			return ret;
	}
	return set_reply(m, &unmap, sizeof(unmap));
}

static int do_get_info(struct vfu_msg *m)
{
	struct vfu_info info;

	if (m->len != sizeof(info))
		return -EINVAL;
	memcpy(&info, m->data, sizeof(info));
	if (info.argsz < sizeof(info))
		return -EINVAL;
	info = (struct vfu_info){
		.argsz = sizeof(info),
		.flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI,
		.a = VFIO_PCI_NUM_REGIONS,
		.b = VFIO_PCI_NUM_IRQS,
	};
	return set_reply(m, &info, sizeof(info));
}

static int do_region_info(struct vfu_msg *m)
{
	struct vfio_region_info info;
	uint32_t index;

	if (m->len != sizeof(info))
		return -EINVAL;
	memcpy(&info, m->data, sizeof(info));
	index = info.index;
	if (info.argsz < sizeof(info) || index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	info = (struct vfio_region_info){
		.argsz = sizeof(info),
		.index = index,
		.size = m->vfu->ops->region_size(m->vfu->priv, index),
	};
	if (info.size)
		info.flags = VFIO_REGION_INFO_FLAG_READ |
			     VFIO_REGION_INFO_FLAG_WRITE;
	return set_reply(m, &info, sizeof(info));
}

static int do_irq_info(struct vfu_msg *m)
{
	struct vfu_info info;
	uint32_t index;

	if (m->len != sizeof(info))
		return -EINVAL;
	memcpy(&info, m->data, sizeof(info));
	index = info.a;
	if (info.argsz < sizeof(info) || index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	info = (struct vfu_info){
		.argsz = sizeof(info),
		.a = index,
		.b = m->vfu->ops->irq_count(m->vfu->priv, index),
	};
	if (info.b)
		info.flags = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_NORESIZE;
	return set_reply(m, &info, sizeof(info));
}

/* Only an eventfd is safe: a write to another file could block, or do harm. */
static bool is_eventfd(int fd)
{
	char path[32], target[32];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = '\0';
	return !strcmp(target, "anon_inode:[eventfd]");
}

static int set_eventfds(struct vfu *vfu, const struct vfu_irq_set *set)
{
	uint32_t i;
	int flags;

	if (vfu->nr_fds && vfu->nr_fds != set->count)
		return -EINVAL;
	for (i = 0; i < vfu->nr_fds; i++) {
		if (!is_eventfd(vfu->fds[i]))
			return -EINVAL;
		flags = fcntl(vfu->fds[i], F_GETFL);
		if (fcntl(vfu->fds[i], F_SETFL, flags | O_NONBLOCK))
			return -EINVAL;
	}
	for (i = 0; i < set->count; i++) {
		int fd = vfu->nr_fds ? vfu->fds[i] : -1;

		if (vfu->nr_fds)
			vfu->fds[i] = -1;
		vfu->ops->irq_assign(vfu->priv, set->index, set->start + i, fd);
	}
	return 0;
}

static int do_set_irqs(struct vfu_msg *m)
{
	struct vfu *vfu = m->vfu;
	const uint8_t *bools = m->data + sizeof(struct vfu_irq_set);
	struct vfu_irq_set set;
	uint32_t total, i;
	size_t want;

	if (m->len < sizeof(set))
		return -EINVAL;
	memcpy(&set, m->data, sizeof(set));
	if (set.index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	total = vfu->ops->irq_count(vfu->priv, set.index);
	if (set.start > total || set.count > total - set.start)
		return -EINVAL;
	/* Interrupts cannot be masked, so triggering is the only action. */
	if ((set.flags & VFIO_IRQ_SET_ACTION_TYPE_MASK) !=
	    VFIO_IRQ_SET_ACTION_TRIGGER)
		return -EINVAL;
	want = sizeof(set);
	switch (set.flags & ~VFIO_IRQ_SET_ACTION_TYPE_MASK) {
	case VFIO_IRQ_SET_DATA_EVENTFD:
		if (m->len != want || set.argsz < want || !set.count)
			return -EINVAL;
		return set_eventfds(vfu, &set);
	case VFIO_IRQ_SET_DATA_NONE:
		if (m->len != want || set.argsz < want || vfu->nr_fds)
			return -EINVAL;
		if (!set.count) {
			if (set.start)
				return -EINVAL;
			for (i = 0; i < total; i++)
				vfu->ops->irq_assign(vfu->priv, set.index, i, -1);
		}
		for (i = 0; i < set.count; i++)
			vfu->ops->irq_trigger(vfu->priv, set.index,
					      set.start + i);
		return 0;
	case VFIO_IRQ_SET_DATA_BOOL:
		want += set.count;
		if (m->len != want || set.argsz < want || vfu->nr_fds)
			return -EINVAL;
		for (i = 0; i < set.count; i++) {
			if (bools[i])
				vfu->ops->irq_trigger(vfu->priv, set.index,
						      set.start + i);
		}
		return 0;
	}
	return -EINVAL;
}

static int check_access(struct vfu *vfu, const struct vfu_access *a)
{
	uint64_t size;

	if (a->region >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	size = vfu->ops->region_size(vfu->priv, a->region);
	if (!a->count || a->count > VFU_MAX_XFER || a->offset > size ||
	    a->count > size - a->offset)
		return -EINVAL;
	return 0;
}

static int do_read(struct vfu_msg *m)
{
	struct vfu_access a;
	int ret;

	if (m->len != sizeof(a))
		return -EINVAL;
	memcpy(&a, m->data, sizeof(a));
	ret = check_access(m->vfu, &a);
	if (ret)
		return ret;
	ret = m->vfu->ops->region_read(m->vfu->priv, a.region, a.offset,
				       m->reply + sizeof(a), a.count);
	if (ret)
		return ret;
	memcpy(m->reply, &a, sizeof(a));
	*m->reply_len = sizeof(a) + a.count;
	return 0;
}

static int do_write(struct vfu_msg *m)
{
	struct vfu_access a;
	int ret;

	if (m->len < sizeof(a))
		return -EINVAL;
	memcpy(&a, m->data, sizeof(a));
	ret = check_access(m->vfu, &a);
	if (ret)
		return ret;
	if (m->len - sizeof(a) != a.count)
		return -EINVAL;
	ret = m->vfu->ops->region_write(m->vfu->priv, a.region, a.offset,
					m->data + sizeof(a), a.count);
	return ret ? ret : set_reply(m, &a, sizeof(a));
}

/* Writes of at most eight bytes each. All are checked before the first one. */
static int do_write_multi(struct vfu_msg *m)
{
	enum { WR_SIZE = sizeof(struct vfu_access) + 8 };
	const uint8_t *p = m->data + 8;
	struct vfu_access a;
	uint64_t n, i;
	int ret;

	if (!m->vfu->write_multi)
		return -EOPNOTSUPP;
	if (m->len < 8)
		return -EINVAL;
	memcpy(&n, m->data, sizeof(n));
	if (n > (m->len - 8) / WR_SIZE || n * WR_SIZE != m->len - 8)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		memcpy(&a, p + i * WR_SIZE, sizeof(a));
		ret = check_access(m->vfu, &a);
		if (ret || a.count > 8)
			return -EINVAL;
	}
	for (i = 0; i < n; i++, p += WR_SIZE) {
		memcpy(&a, p, sizeof(a));
		ret = m->vfu->ops->region_write(m->vfu->priv, a.region,
						a.offset, p + sizeof(a),
						a.count);
		if (ret)
			return ret;
	}
	return set_reply(m, &n, sizeof(n));
}

static int do_reset(struct vfu_msg *m)
{
	if (m->len)
		return -EINVAL;
	m->vfu->ops->reset(m->vfu->priv);
	return 0;
}

/* @fds: the command may carry file descriptors. */
static const struct {
	int (*fn)(struct vfu_msg *m);
	bool fds;
} handlers[] = {
	[CMD_VERSION] = { do_version },
	[CMD_DMA_MAP] = { do_dma_map, true },
	[CMD_DMA_UNMAP] = { do_dma_unmap },
	[CMD_GET_INFO] = { do_get_info },
	[CMD_GET_REGION_INFO] = { do_region_info },
	[CMD_GET_IRQ_INFO] = { do_irq_info },
	[CMD_SET_IRQS] = { do_set_irqs, true },
	[CMD_REGION_READ] = { do_read },
	[CMD_REGION_WRITE] = { do_write },
	[CMD_RESET] = { do_reset },
	[CMD_WRITE_MULTI] = { do_write_multi },
};

int vfu_handle(struct vfu *vfu, const struct vfu_hdr *hdr, const uint8_t *data,
	       size_t data_len, uint8_t *reply, size_t *len)
{
	struct vfu_msg m = {
		.vfu = vfu,
		.data = data,
		.len = data_len,
		.reply = reply,
		.reply_len = len,
	};

	if (!vfu->negotiated && hdr->cmd != CMD_VERSION)
		return VFU_HANGUP;
	if (hdr->cmd >= sizeof(handlers) / sizeof(handlers[0]) ||
	    !handlers[hdr->cmd].fn)
		return -EOPNOTSUPP;
	if (vfu->nr_fds && !handlers[hdr->cmd].fds)
		return -EINVAL;
	return handlers[hdr->cmd].fn(&m);
}
