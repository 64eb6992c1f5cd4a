// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <string.h>

#include "caps_set.h"

#define FT(f, v) CAP_VALUE(flow_table_prop_layout, f, v)

/* Properties of every flow table type. */
static const struct cap_value flow_table[] = {
	FT(ft_support, 1), FT(flow_counter, 1), FT(flow_modify_en, 1),
	FT(modify_root, 1), FT(identified_miss_table_mode, 1),
	FT(flow_table_modify, 1), FT(reformat, 1), FT(decap, 1),
	FT(table_miss_action_domain, 1), FT(log_max_ft_size, 24),
	FT(log_max_modify_header_context, 12),
	FT(max_modify_header_actions, 16), FT(max_ft_level, 255),
	FT(log_max_ft_num, 16), FT(log_max_flow_counter, 15),
	FT(log_max_destination, 8), FT(log_max_flow, 24),
};

void caps_set(struct fw_caps *caps, unsigned int type, size_t at,
	      const struct cap_value *cap, size_t n)
{
	caps->known[type] = true;
	for (; n; n--, cap++)
		prm_set(caps->max[type] + at, cap->bit, cap->width, cap->val);
}

void caps_flow_table(struct fw_caps *caps, unsigned int type, size_t at)
{
	caps_set(caps, type, at, flow_table, ARRAY_SIZE(flow_table));
	/* Every field can be matched, with any mask. */
	memset(caps->max[type] + at +
	       PRM_BYTE(flow_table_prop_layout, ft_field_support), 0xff, 32);
}
