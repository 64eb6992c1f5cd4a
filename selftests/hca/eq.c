// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "hca.h"
#include "log.h"

enum { EQ_CI_MASK = 0xffffff };

int eq_create(struct hca *hca, const struct fw_eq_attr *attr)
{
	uint64_t bytes = (uint64_t)EQE_SIZE << attr->log_size;
	struct eq *eq = &hca->eqs.eq[attr->eqn];
	uint64_t *pas;

	if (!attr->eqn || eq->live || attr->log_size > 22 ||
	    attr->log_page_size < 12 || attr->log_page_size > 31 ||
	    attr->intr >= IRQ_VECTORS ||
	    (uint64_t)attr->npas << attr->log_page_size < bytes)
		return FW_BAD_PARAM;
	pas = malloc(attr->npas * sizeof(*pas));
	if (!pas)
		return FW_NO_RESOURCES;
	memcpy(pas, attr->pas, attr->npas * sizeof(*pas));
	*eq = (struct eq){ .live = true, .attr = *attr };
	eq->attr.pas = pas;
	return FW_OK;
}

void eq_destroy(struct hca *hca, uint8_t eqn)
{
	struct eq *eq = &hca->eqs.eq[eqn];

	free((void *)eq->attr.pas);
	*eq = (struct eq){};
}

void eq_reset(struct hca *hca)
{
	unsigned int i;

	for (i = 0; i < 256; i++)
		eq_destroy(hca, (uint8_t)i);
}

static void maybe_fire(struct hca *hca, struct eq *eq)
{
	if (!eq->armed || (eq->pi & EQ_CI_MASK) == eq->ci)
		return;
	eq->armed = false;
	irq_fire(&hca->irqs, eq->attr.intr);
}

void eq_post(struct hca *hca, uint8_t eqn, uint8_t type, uint8_t subtype,
	     const uint8_t data[28])
{
	struct eq *eq = &hca->eqs.eq[eqn];
	uint32_t size, log_page = eq->attr.log_page_size;
	uint8_t eqe[EQE_SIZE] = {};
	uint64_t off, gpa;

	if (!eq->live)
		return;
	size = 1U << eq->attr.log_size;
	/*
	 * A guess: no public source documents a device's behaviour when an EQ
	 * overflows. Here, the new event is lost.
	 */
	if (((eq->pi - eq->ci) & EQ_CI_MASK) >= size) {
		log_warn("EQ %u: overflow, event 0x%02x is lost", eqn, type);
		return;
	}
	eqe[1] = type;
	eqe[3] = subtype;
	memcpy(eqe + EQE_DATA, data, 28);
	off = (uint64_t)(eq->pi & (size - 1)) * EQE_SIZE;
	gpa = eq->attr.pas[off >> log_page] + (off & ((1ULL << log_page) - 1));
	if (mem_write(&hca->mem, gpa, eqe, EQE_OWNER) ||
	    mem_store_release(&hca->mem, gpa + EQE_OWNER,
			      eq->pi >> eq->attr.log_size & 1)) {
		log_warn("EQ %u: no memory at 0x%llx", eqn,
			 (unsigned long long)gpa);
		return;
	}
	eq->pi++;
	log_trace("EQ %u: event 0x%02x.%u", eqn, type, subtype);
	maybe_fire(hca, eq);
}

void eq_event(struct hca *hca, uint8_t type, uint8_t subtype,
	      const uint8_t data[28], uint8_t except)
{
	unsigned int i;

	for (i = 1; i < 256; i++) {
		struct eq *eq = &hca->eqs.eq[i];

		if (eq->live && i != except &&
		    eq->attr.mask[type / 64] & 1ULL << type % 64)
			eq_post(hca, (uint8_t)i, type, subtype, data);
	}
}

void eq_doorbell(struct hca *hca, uint32_t uar, uint32_t val, bool arm)
{
	struct eq *eq = &hca->eqs.eq[val >> 24];

	if (!eq->live || eq->attr.uar != uar) {
		log_warn("doorbell of EQ %u in UAR page %u", val >> 24, uar);
		return;
	}
	eq->ci = val & EQ_CI_MASK;
	if (!arm)
		return;
	eq->armed = true;
	maybe_fire(hca, eq);
}
