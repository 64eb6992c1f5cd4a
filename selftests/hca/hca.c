// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "bytes.h"
#include "dp_cq.h"
#include "hca.h"
#include "log.h"
#include "personality.h"

static int op_eq_create(void *priv, const struct fw_eq_attr *attr)
{
	struct hca *hca = priv;
	int status = eq_create(hca, attr);

	if (status == FW_OK)
		hca->cmdq.created_eq = attr->eqn;
	return status;
}

static void op_eq_destroy(void *priv, uint8_t eqn)
{
	eq_destroy(priv, eqn);
}

static void op_event(void *priv, uint8_t type, uint8_t subtype,
		     const uint8_t data[28])
{
	eq_event(priv, type, subtype, data, 0);
}

static int op_dma_read(void *priv, uint64_t gpa, void *buf, size_t len)
{
	struct hca *hca = priv;

	return mem_read(&hca->mem, gpa, buf, len);
}

static int op_dma_write(void *priv, uint64_t gpa, const void *buf, size_t len)
{
	struct hca *hca = priv;

	return mem_write(&hca->mem, gpa, buf, len);
}

static void op_cq_event(void *priv, uint8_t eqn, uint32_t cqn)
{
	uint8_t data[28] = {};

	put_be32(data + EVENT_NUM, cqn);
	eq_post(priv, eqn, EVENT_COMP, 0, data);
}

static void op_object_destroyed(void *priv, const char *type, uint32_t num)
{
	dp_object_destroyed(priv, type, num);
}

static void op_qp_state_changed(void *priv, uint32_t num, bool reset)
{
	dp_qp_state_changed(priv, num, reset);
}

static uint32_t op_cq_unseen(void *priv, uint32_t cqn)
{
	return dp_cq_unseen(priv, cqn);
}

static void op_cq_resize(void *priv, uint32_t cqn)
{
	dp_cq_resize(priv, cqn);
}

static const struct fw_ops fw_ops = {
	.eq_create = op_eq_create,
	.eq_destroy = op_eq_destroy,
	.event = op_event,
	.dma_read = op_dma_read,
	.dma_write = op_dma_write,
	.cq_event = op_cq_event,
	.object_destroyed = op_object_destroyed,
	.qp_state_changed = op_qp_state_changed,
	.cq_resize = op_cq_resize,
	.cq_unseen = op_cq_unseen,
};

int hca_init(struct hca *hca, struct loop *loop, const struct hca_conf *conf)
{
	*hca = (struct hca){ .conf = *conf, .loop = loop };
	irq_init(&hca->irqs);
	pci_init(&hca->pci, conf->device_id);
	hca->mem.off = true;
	cmdq_init(&hca->cmdq);
	dp_init(hca);
	if (script_init(&hca->script))
		return -1;
	hca->fw = fw_new(&conf->fw, &fw_ops, hca);
	if (!hca->fw) {
		script_fini(&hca->script);
		return -1;
	}
	return 0;
}

void hca_apply_personality(struct hca *hca)
{
	const struct personality *p = hca->conf.fw.personality;

	if (!p)
		return;
	personality_script(p, &hca->script);
	cmdq_set_workers(hca, p->parallel);
}

void hca_fini(struct hca *hca)
{
	cmdq_reset(hca);
	fw_free(hca->fw);
	eq_reset(hca);
	dp_reset(hca);
	script_fini(&hca->script);
	irq_fini(&hca->irqs);
	mem_clear(&hca->mem);
}

void hca_restart_fw(struct hca *hca)
{
	cmdq_reset(hca);
	fw_reset(hca->fw);
	eq_reset(hca);
	dp_reset(hca);
	irq_forget_pending(&hca->irqs);
	bar_reset(&hca->bar);
}

void hca_reset(struct hca *hca)
{
	log_trace("function level reset");
	hca_restart_fw(hca);
	pci_reset(hca);
}

/*
 * A driver abandons a function in this state without a command and frees its
 * memory. No object of the driver may exist when the function works again.
 */
void hca_internal_error(struct hca *hca, bool on)
{
	if (hca->internal_error && !on)
		hca_restart_fw(hca);
	hca->internal_error = on;
}
