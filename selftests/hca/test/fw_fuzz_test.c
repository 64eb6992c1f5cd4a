// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Garbage is refused, and does no harm. Mailboxes have their exact size on the
 * heap, for the sanitizers to see what goes beyond.
 */
#include "fw_make.h"

#define RUNS 200000
#define WORLD_EVERY 2000

static u64 seed;

static u32 rnd(u32 n)
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

/* Every object is named as often as it says. */
static void graph_is_sound(void)
{
	struct fw_obj *obj;
	u64 named = 0, refs = 0;

	for (obj = fw->store.oldest; obj; obj = obj->newer) {
		named += obj->ndeps;
		refs += obj->refs;
	}
	CHECK_EQ(named, refs);
}

static void every_opcode_with_every_byte(void)
{
	static const u8 bytes[] = { 0, 1, 0x7f, 0x80, 0xff };
	u8 box[64];
	size_t i;
	u32 op;

	start();
	for (op = 0; op < 0x10000; op++) {
		for (i = 0; i < sizeof(bytes); i++) {
			memset(box, bytes[i], sizeof(box));
			prm_set(box, 0, 16, op);
			exec_exact(box, 16 + rnd(48), 8 + rnd(16));
		}
	}
	graph_is_sound();
	stop();
}

static void put_number(const struct fw_cmd *cmd, const struct world *w)
{
	u32 num = w->id[rnd(8) ? cmd->kind : rnd(K_COUNT)];

	if (cmd->id_width && !(cmd->flags & CMD_CREATE))
		prm_set(in, cmd->id_bit, cmd->id_width, num);
	else
		prm_set(in, 72, 24, num);
}

static void put_garbage(size_t len)
{
	unsigned int i, n = rnd(6);
	size_t at;

	if (!rnd(20))
		for (at = 8; at < len; at++)
			in[at] = rnd(256);
	for (i = 0; i < n; i++) {
		at = 8 + rnd(len - 8);
		in[at] = rnd(3) ? rnd(256) : rnd(2) * 0xff;
	}
}

/* Whatever was made is seen by what comes, if it is of a kind with a number. */
static void random_command(struct world *w)
{
	const struct maker *m = &makers[rnd(ARRAY_SIZE(makers))];
	const u16 uids[] = { 0, ua, ua, ua, ub, FW_UID_SHARED, rnd(0x10000) };
	const struct fw_cmd *cmd;
	size_t in_len, out_len;

	clear();
	if (rnd(3)) {
		cmd = fw_cmd_row(rnd(168));
		if (!cmd || cmd->opcode == 0x103 || cmd->opcode == 0x105)
			return;
		put_number(cmd, w);
		in_len = cmd->in + rnd(64);
	} else {
		m->fill(w);
		cmd = fw_cmd_find(m->create);
		in_len = cmd->in + m->more + rnd(32);
	}
	if (!rnd(16))
		in_len = 16 + rnd(cmd->in);
	out_len = cmd->out + rnd(64);
	if (!rnd(16))
		out_len = 8 + rnd(cmd->out);
	put_garbage(in_len);
	/* Another vport, of a manager */
	if (fw->conf.esw && !rnd(4))
		prm_set(in, 64, 32, 1U << 31 | rnd(FW_MAX_VFS + 2));
	prm_set(in, 0, 16, cmd->opcode);
	prm_set(in, 16, 16, uids[rnd(ARRAY_SIZE(uids))]);
	if (rnd(8))
		prm_set(in, 32, 32, in[7] & 1);
	exec_exact(in, in_len, out_len);
}

/* The queues of the data path are looked at as it would. */
static void look_at(struct world *w)
{
	struct fw_wq_view wq;
	struct fw_cq_view cq;

	if (fw_wq_view(fw, w->id[rnd(2) ? K_QP : K_SQ], &wq))
		CHECK(wq.buf.npas);
	if (fw_cq_view(fw, w->id[K_CQ], &cq))
		CHECK(cq.buf.npas && cq.eqn);
}

static void random_commands_to(const struct fw_conf *conf)
{
	struct world w;
	unsigned int i;

	seed = 1;
	for (i = 0; i < RUNS; i++) {
		if (!(i % WORLD_EVERY)) {
			if (i) {
				graph_is_sound();
				fw_reset(fw);
				CHECK_EQ(live_all(), 0);
				stop();
			}
			start_conf(conf);
			fw_set_strict(fw, rnd(4) == 0);
			make_world(&w, ua);
		}
		random_command(&w);
		look_at(&w);
	}
	stop();
}

static void random_commands(void)
{
	static const struct fw_conf conf = { .mac = { 2, 0, 0, 0, 0, 1 } };

	random_commands_to(&conf);
}

/* There is another vport with any small number, and a table of every type. */
static void random_commands_to_a_manager(void)
{
	static const struct fw_conf conf = {
		.mac = { 2, 0, 0, 0, 0, 1 }, .esw = FW_ESW_PF,
		.vfs = FW_MAX_VFS,
	};

	random_commands_to(&conf);
}

int main(void)
{
	static const struct tap_test tests[] = {
		TAP(every_opcode_with_every_byte),
		TAP(random_commands),
		TAP(random_commands_to_a_manager),
	};

	return TAP_RUN(tests);
}
