// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "ctl.h"
#include "ctl_cmd.h"
#include "ctl_parse.h"
#include "log.h"

enum { MAX_ARGS = 8 };

/**
 * struct ctl_cmd - a command
 * @name: its name
 * @args: its arguments, for help
 * @min: least number of arguments
 * @max: greatest number of arguments
 * @button: if it succeeds, the attention button is pressed
 * @fn: executes it; returns NULL or an error
 */
struct ctl_cmd {
	const char *name;
	const char *args;
	int min;
	int max;
	bool button;
	const char *(*fn)(struct ctl_client *c, int argc, char **argv);
};

static const char bad_number[] = "bad number";
static const char bad_opcode[] = "bad opcode";
static const char bad_hex[] = "bad hex";

static struct script_rule *rule_of(struct ctl_client *c, const char *s)
{
	uint16_t opcode;

	if (!ctl_parse_opcode(s, &opcode))
		return NULL;
	return &c->ctl->hca->script.rules[opcode];
}

/* Execute a command without the queue and without any rule. */
static const char *do_exec(struct ctl_client *c, int argc, char **argv)
{
	uint8_t in[CTL_LINE_MAX / 2], out[16] = {};
	size_t len;

	(void)argc;
	if (!ctl_parse_hex(argv[1], in, sizeof(in), &len) || len < 16)
		return bad_hex;
	fw_exec(c->ctl->hca->fw, in, len, out, sizeof(out));
	ctl_say(c, "0x%02x 0x%08" PRIx32, out[0], get_be32(out + 4));
	return NULL;
}

static const char *do_fail(struct ctl_client *c, int argc, char **argv)
{
	struct script_rule *rule = rule_of(c, argv[1]);
	uint64_t status, syndrome;
	int64_t count;

	if (!rule)
		return bad_opcode;
	if (!ctl_parse_num(argv[2], UINT8_MAX, &status) ||
	    !ctl_parse_num(argv[3], UINT32_MAX, &syndrome) ||
	    !ctl_parse_count(argc, argv, 4, &count))
		return bad_number;
	rule->status = (uint8_t)status;
	rule->syndrome = (uint32_t)syndrome;
	rule->fail = count;
	return NULL;
}

static const char *do_answer(struct ctl_client *c, int argc, char **argv)
{
	struct script_rule *rule = rule_of(c, argv[1]);
	uint8_t answer[CTL_LINE_MAX / 2];
	int64_t count;
	size_t len;

	if (!rule)
		return bad_opcode;
	if (!ctl_parse_hex(argv[2], answer, sizeof(answer), &len))
		return bad_hex;
	if (!ctl_parse_count(argc, argv, 3, &count))
		return bad_number;
	return script_set_answer(rule, answer, len, count) ? NULL : "no memory";
}

static const char *do_delay(struct ctl_client *c, int argc, char **argv)
{
	struct script *script = &c->ctl->hca->script;
	struct script_rule *rule;
	uint64_t us;

	(void)argc;
	if (!ctl_parse_num(argv[2], 3600ULL * 1000000, &us))
		return bad_number;
	if (!strcmp(argv[1], "*")) {
		script->delay_us = us;
		return NULL;
	}
	rule = rule_of(c, argv[1]);
	if (!rule)
		return bad_opcode;
	rule->delayed = true;
	rule->delay_us = us;
	return NULL;
}

static const char *do_parallel(struct ctl_client *c, int argc, char **argv)
{
	uint64_t n;

	(void)argc;
	if (!ctl_parse_num(argv[1], CMDQ_SLOTS, &n) || !n)
		return bad_number;
	cmdq_set_workers(c->ctl->hca, (unsigned int)n);
	return NULL;
}

static const char *do_drop(struct ctl_client *c, int argc, char **argv)
{
	struct script_rule *rule = rule_of(c, argv[1]);
	int64_t count;

	if (!rule)
		return bad_opcode;
	if (!ctl_parse_count(argc, argv, 2, &count))
		return bad_number;
	rule->drop = count;
	return NULL;
}

static const char *do_complete_dropped(struct ctl_client *c, int argc,
				       char **argv)
{
	bool entry_only = argc > 1;

	if (entry_only && strcmp(argv[1], "entry"))
		return "only entry is known";
	ctl_say(c, "%u", cmdq_complete_dropped(c->ctl->hca, entry_only));
	return NULL;
}

static const char *do_transport(struct ctl_client *c, int argc, char **argv)
{
	struct script_rule *rule = rule_of(c, argv[1]);
	uint64_t error;
	int64_t count;

	if (!rule)
		return bad_opcode;
	if (!ctl_parse_num(argv[2], 0x7f, &error) || !error ||
	    !ctl_parse_count(argc, argv, 3, &count))
		return bad_number;
	rule->error = (uint8_t)error;
	rule->transport = count;
	return NULL;
}

static const char *do_internal_error(struct ctl_client *c, int argc,
				     char **argv)
{
	bool on;

	(void)argc;
	if (!ctl_parse_on_off(argv[1], &on))
		return "on or off";
	hca_internal_error(c->ctl->hca, on);
	return NULL;
}

static const char *do_strict(struct ctl_client *c, int argc, char **argv)
{
	bool on;

	(void)argc;
	if (!ctl_parse_on_off(argv[1], &on))
		return "on or off";
	fw_set_strict(c->ctl->hca->fw, on);
	return NULL;
}

static const char *do_switch(struct ctl_client *c, int argc, char **argv)
{
	char opt[64];
	int n = snprintf(opt, sizeof(opt), "%s=%s", argv[1], argv[2]);

	(void)argc;
	if (n >= (int)sizeof(opt) || !fw_switch(c->ctl->hca->fw, opt))
		return "no such switch";
	return NULL;
}

/* Put the number of the object where an event of @type has it. */
static void put_object(uint8_t data[28], uint8_t type, uint32_t num)
{
	switch (type) {
	case 0x04:	/* CQ error */
		put_be32(data, num);
		break;
	case 0x09:	/* port change */
		data[8] = (uint8_t)(num << 4);
		break;
	case 0x0b:	/* page request: function */
		put_be16(data + 2, (uint16_t)num);
		break;
	case 0x0d:	/* vport change */
		put_be16(data, (uint16_t)num);
		break;
	case 0x27:	/* object change */
		put_be32(data + 4, num);
		break;
	default:
		put_be32(data + EVENT_NUM, num);
	}
}

static const char *do_event(struct ctl_client *c, int argc, char **argv)
{
	struct hca *hca = c->ctl->hca;
	char *sub = strchr(argv[1], ':');
	uint64_t type, subtype = 0, num;
	struct fw_cq_view view;
	uint8_t data[28] = {};
	size_t len;

	if (sub)
		*sub++ = '\0';
	if (!ctl_parse_num(argv[1], UINT8_MAX, &type) ||
	    (sub && !ctl_parse_num(sub, UINT8_MAX, &subtype)) ||
	    !ctl_parse_num(argv[2], UINT32_MAX, &num))
		return bad_number;
	if (argc > 3 && !ctl_parse_hex(argv[3], data, sizeof(data), &len))
		return bad_hex;
	put_object(data, (uint8_t)type, (uint32_t)num);
	if (type != EVENT_COMP) {
		eq_event(hca, (uint8_t)type, (uint8_t)subtype, data, 0);
		return NULL;
	}
	if (!fw_cq_view(hca->fw, (uint32_t)num, &view))
		return "no such CQ";
	eq_post(hca, view.eqn, EVENT_COMP, (uint8_t)subtype, data);
	return NULL;
}

static int say_live(void *arg, const struct fw_live *obj)
{
	ctl_say(arg, "live %s 0x%06" PRIx32 " 0x%04x %" PRIu32, obj->type,
		obj->id, obj->uid, obj->refs);
	return 0;
}

static const char *do_live(struct ctl_client *c, int argc, char **argv)
{
	uint64_t uid;

	if (argc > 1 && !ctl_parse_num(argv[1], UINT16_MAX, &uid))
		return bad_number;
	fw_live(c->ctl->hca->fw, argc > 1 ? (int)uid : -1, say_live, c);
	return NULL;
}

static const char *do_last(struct ctl_client *c, int argc, char **argv)
{
	struct script_rule *rule = rule_of(c, argv[1]);
	char *hex;
	size_t i;

	(void)argc;
	if (!rule)
		return bad_opcode;
	if (!rule->last)
		return "none received";
	hex = malloc(rule->last_len * 2 + 1);
	if (!hex)
		return "no memory";
	for (i = 0; i < rule->last_len; i++)
		sprintf(hex + 2 * i, "%02x", rule->last[i]);
	ctl_say(c, "%s", hex);
	free(hex);
	return NULL;
}

static const char *do_count(struct ctl_client *c, int argc, char **argv)
{
	struct script_rule *rule;

	(void)argc;
	if (!strcmp(argv[1], "*")) {
		ctl_say(c, "%" PRIu64, c->ctl->hca->script.total);
		return NULL;
	}
	rule = rule_of(c, argv[1]);
	if (!rule)
		return bad_opcode;
	ctl_say(c, "%" PRIu64, rule->count);
	return NULL;
}

static const char *do_in_flight(struct ctl_client *c, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	ctl_say(c, "%u", cmdq_in_flight(&c->ctl->hca->cmdq));
	return NULL;
}

/* Commands that were dropped stay dropped. */
static const char *do_reset_script(struct ctl_client *c, int argc, char **argv)
{
	struct hca *hca = c->ctl->hca;

	(void)argc;
	(void)argv;
	script_reset(&hca->script);
	hca_internal_error(hca, false);
	fw_set_strict(hca->fw, hca->conf.fw.strict);
	fw_switch_back(hca->fw, &hca->conf.fw);
	cmdq_set_workers(hca, 1);
	hca_apply_personality(hca);
	return NULL;
}

/* After a surprise removal, the device is dead before the guest is told. */
static const char *do_unplug(struct ctl_client *c, int argc, char **argv)
{
	struct hca *hca = c->ctl->hca;

	if (argc > 1 && strcmp(argv[1], "surprise"))
		return "only surprise is known";
	if (argc > 1) {
		hca->dead = true;
		cmdq_reset(hca);
	}
	return NULL;
}

static const char *do_plug(struct ctl_client *c, int argc, char **argv)
{
	struct hca *hca = c->ctl->hca;

	(void)argc;
	(void)argv;
	if (hca->dead) {
		hca->dead = false;
		hca_reset(hca);
	}
	return NULL;
}

static const char *do_help(struct ctl_client *c, int argc, char **argv);

static const struct ctl_cmd cmds[] = {
	{ "fail", "OPCODE STATUS SYNDROME [COUNT|always]", 3, 4, false,
	  do_fail },
	{ "answer", "OPCODE HEX [COUNT|always]", 2, 3, false, do_answer },
	{ "delay", "OPCODE|* MICROSECONDS", 2, 2, false, do_delay },
	{ "parallel", "N", 1, 1, false, do_parallel },
	{ "drop", "OPCODE [COUNT|always]", 1, 2, false, do_drop },
	{ "complete-dropped", "[entry]", 0, 1, false, do_complete_dropped },
	{ "transport", "OPCODE ERROR [COUNT|always]", 2, 3, false,
	  do_transport },
	{ "internal-error", "on|off", 1, 1, false, do_internal_error },
	{ "exec", "HEX", 1, 1, false, do_exec },
	{ "event", "TYPE[:SUBTYPE] OBJECT [HEX]", 2, 3, false, do_event },
	{ "live", "[UID]", 0, 1, false, do_live },
	{ "last", "OPCODE", 1, 1, false, do_last },
	{ "count", "OPCODE|*", 1, 1, false, do_count },
	{ "in-flight", "", 0, 0, false, do_in_flight },
	{ "strict", "on|off", 1, 1, false, do_strict },
	{ "switch", "NAME on|off", 2, 2, false, do_switch },
	{ "reset-script", "", 0, 0, false, do_reset_script },
	{ "unplug", "[surprise]", 0, 1, true, do_unplug },
	{ "plug", "", 0, 0, true, do_plug },
	{ "help", "", 0, 0, false, do_help },
};

static const char *do_help(struct ctl_client *c, int argc, char **argv)
{
	size_t i;

	(void)argc;
	(void)argv;
	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		ctl_say(c, "%s %s", cmds[i].name, cmds[i].args);
	return NULL;
}

static enum ctl_outcome run_cmd(struct ctl_client *c, const struct ctl_cmd *cmd,
				int argc, char **argv)
{
	const char *err = "wrong number of arguments";

	if (argc - 1 >= cmd->min && argc - 1 <= cmd->max) {
		err = cmd->fn(c, argc, argv);
		if (!err && cmd->button)
			return CTL_BUTTON;
	}
	ctl_end(c, err);
	return CTL_DONE;
}

enum ctl_outcome ctl_execute(struct ctl_client *c, char *line)
{
	char *argv[MAX_ARGS + 1], *save;
	int argc = 0;
	size_t i;

	log_trace("ctl: %s", line);
	for (argv[0] = strtok_r(line, " \t\r", &save);
	     argc < MAX_ARGS && argv[argc];
	     argv[argc] = strtok_r(NULL, " \t\r", &save))
		argc++;
	if (!argc)
		return CTL_DONE;
	for (i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		if (!strcmp(argv[0], cmds[i].name))
			return run_cmd(c, &cmds[i], argc, argv);
	ctl_end(c, "unknown command; try help");
	return CTL_DONE;
}
