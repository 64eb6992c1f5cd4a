// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Random commands are refused without harm. Mailboxes have their exact size on
 * the heap, so that the sanitizers see every overrun.
 */
#include "fw_make.h"

#define RUNS 200000
#define WORLD_EVERY 2000

static u64 seed;

static u32 next_random(u32 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

static int exec_exact(const u8 *from, size_t in_len, size_t out_len)
{
	u8 *i = malloc(in_len), *o = calloc(1, out_len);
	int ret;

	memcpy(i, from, in_len);
	ret = fw_exec(fw, i, in_len, o, out_len);
	CHECK_EQ(o[0], ret);
	CHECK_EQ(!ret, !prm_be32(o + 4));
	free(i);
	free(o);
	return ret;
}

/* The reference count of every object is right. */
static void graph_is_sound(void)
{
	struct hca_obj *obj;
	u64 named = 0, refs = 0;

	for (obj = fw->store.oldest; obj; obj = obj->newer) {
		named += obj->ndeps;
		refs += obj->refs;
	}
	CHECK_EQ(named, refs);
}

static void opcodes_all_bytes_survive(void)
{
	static const u8 bytes[] = { 0, 1, 0x7f, 0x80, 0xff };
	u8 box[64];
	size_t i;
	u32 op;

	start_fw();
	for (op = 0; op < 0x10000; op++) {
		for (i = 0; i < sizeof(bytes); i++) {
			memset(box, bytes[i], sizeof(box));
			prm_set(box, 0, 16, op);
			exec_exact(box, 16 + next_random(48),
				   8 + next_random(16));
		}
	}
	graph_is_sound();
	stop_fw();
}

static void put_number(const struct fw_cmd *cmd, const struct fw_world *w)
{
	u32 num =
		w->id[next_random(8) ? cmd->obj_type : next_random(OBJ_COUNT)];

	if (cmd->id_width && !(cmd->flags & CMD_CREATE))
		prm_set(in, cmd->id_bit, cmd->id_width, num);
	else
		prm_set(in, 72, 24, num);
}

static void put_garbage(size_t len)
{
	unsigned int i, n = next_random(6);
	size_t at;

	if (!next_random(20))
		for (at = 8; at < len; at++)
			in[at] = next_random(256);
	for (i = 0; i < n; i++) {
		at = 8 + next_random(len - 8);
		in[at] = next_random(3) ? next_random(256) :
			 next_random(2) * 0xff;
	}
}

/* New objects are used by later commands, if their type has numbers. */
static void random_command(struct fw_world *w)
{
	const struct maker *m = &makers[next_random(ARRAY_SIZE(makers))];
	const u16 uids[] = {
		0, ua, ua, ua, ub, FW_UID_SHARED, next_random(0x10000)
	};
	const struct fw_cmd *cmd;
	size_t in_len, out_len;

	clear_in();
	if (next_random(3)) {
		cmd = fw_cmd_row(next_random(168));
		if (!cmd || cmd->opcode == MLX5_CMD_OP_TEARDOWN_HCA ||
		    cmd->opcode == MLX5_CMD_OP_DISABLE_HCA)
			return;
		put_number(cmd, w);
		in_len = cmd->in + next_random(64);
	} else {
		m->fill(w);
		cmd = fw_cmd_find(m->create);
		in_len = cmd->in + m->more + next_random(32);
	}
	if (!next_random(16))
		in_len = 16 + next_random(cmd->in);
	out_len = cmd->out + next_random(64);
	if (!next_random(16))
		out_len = 8 + next_random(cmd->out);
	put_garbage(in_len);
	/* Another vport, of a manager */
	if (fw->conf.esw && !next_random(4))
		prm_set(in, 64, 32, 1U << 31 | next_random(FW_MAX_VFS + 2));
	prm_set(in, 0, 16, cmd->opcode);
	prm_set(in, 16, 16, uids[next_random(ARRAY_SIZE(uids))]);
	if (next_random(8))
		prm_set(in, 32, 32, in[7] & 1);
	exec_exact(in, in_len, out_len);
}

/* Views of the queues are read as the data path does. */
static void look_at(struct fw_world *w)
{
	struct fw_wq_view wq;
	struct fw_cq_view cq;

	if (fw_wq_view(fw, w->id[next_random(2) ? OBJ_QP : OBJ_SQ], &wq))
		CHECK(wq.buf.npas);
	if (fw_cq_view(fw, w->id[OBJ_CQ], &cq))
		CHECK(cq.buf.npas && cq.eqn);
}

static void random_commands_to(const struct fw_conf *conf)
{
	struct fw_world w;
	unsigned int i;

	seed = 1;
	for (i = 0; i < RUNS; i++) {
		if (!(i % WORLD_EVERY)) {
			if (i) {
				graph_is_sound();
				fw_reset(fw);
				CHECK_EQ(live_all(), 0);
				stop_fw();
			}
			start_conf(conf);
			fw_set_strict(fw, next_random(4) == 0);
			make_world(&w, ua);
		}
		random_command(&w);
		look_at(&w);
	}
	stop_fw();
}

static void random_commands_survive(void)
{
	static const struct fw_conf conf = { .mac = { 2, 0, 0, 0, 0, 1 } };

	random_commands_to(&conf);
}

/* A manager has vports with small numbers, and tables of every type. */
static void random_commands_manager_survives(void)
{
	static const struct fw_conf conf = {
		.mac = { 2, 0, 0, 0, 0, 1 }, .esw = FW_ESW_PF,
		.vfs = FW_MAX_VFS,
	};

	random_commands_to(&conf);
}

int main(void)
{
	static const struct hca_test tests[] = {
		TAP(opcodes_all_bytes_survive),
		TAP(random_commands_survive),
		TAP(random_commands_manager_survives),
	};

	return TAP_RUN(tests);
}
