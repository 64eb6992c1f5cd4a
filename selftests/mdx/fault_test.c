// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Faults of the device: each command the module sends is refused, not delivered,
 * not answered, answered too late, or ended by a dead device.
 *
 * The test prints a table of the results and compares it with that of
 * Documentation/faults.md. Its lines on stdout start with "# |". After an
 * intended change,
 *
 *	selftests/vm/lab run --hca ecpf,vfs=2,cmd-timeout=4000 next -- \
 *		esw.sh fault_test | sed -n 's/^# |/|/p'
 *
 * prints the new ones.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "kselftest_harness.h"
#include "machine.h"
#include "faults.h"

#define SYNDROME 0x00fa0175
#define ROWS_MAX 32

static const char *const documented[] = {
#include "faults.inc"
	NULL
};

/*
 * Statuses that mlx5_core has a name for, and one more; delivery status
 * likewise.
 */
static const uint8_t statuses[] = {
	0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0f, 0x10,
	0x30, 0x40, 0x50, 0x51, 0x7f,
};

static const uint8_t deliveries[] = {
	0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x10, 0x20,
};

static const uint8_t few[] = { 0x06 };

/*
 * Results of the tests, each of which is a process. A line of the documentation
 * may be produced once.
 */
struct faults_seen {
	bool row[2][ROWS_MAX];		/* refused, not delivered */
	bool batch[2];
	bool line[ARRAY_SIZE(documented)];
	int faults;
};

static struct faults_seen *seen;

static bool table_has(const char *line)
{
	int i;

	for (i = 0; documented[i]; i++) {
		if (!seen->line[i] && !strcmp(documented[i], line)) {
			seen->line[i] = true;
			return true;
		}
	}
	return false;
}

/* Prints a line of the table; 0 if the documentation has it. */
static int table_line(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

static int table_line(const char *fmt, ...)
{
	char line[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	printf("# %s\n", line);
	fflush(stdout);
	if (table_has(line))
		return 0;
	printf("# that line is not in Documentation/faults.md\n");
	return 1;
}

static const char *err_name(int err)
{
	return err ? strerrorname_np(err) : "0";
}

/* Number of objects: in the file, in the device. */
struct obj_counts {
	int objs;
	int live;
};

static struct obj_counts count_objs(struct hca_ctl *hca, struct fault_call *s)
{
	return (struct obj_counts){
		.objs = s->w.mdx.fd < 0 ? 0 : mdx_objs(s->w.mdx.fd),
		.live = hca_live(hca, s->w.mdx.uid, NULL, -1),
	};
}

/* Faults that end in the same way are one line. */
struct outcome {
	char text[120];
	char faults[200];
	int n;
};

struct outcomes {
	struct outcome all[8];
	int n;
};

static bool outcome_add(struct outcomes *o, const char *text, uint8_t fault)
{
	struct outcome *at = o->all;
	size_t len;

	while (at < o->all + o->n && strcmp(at->text, text))
		at++;
	if (at == o->all + ARRAY_SIZE(o->all))
		return false;
	if (at == o->all + o->n) {
		o->n++;
		snprintf(at->text, sizeof(at->text), "%s", text);
	}
	at->n++;
	len = strlen(at->faults);
	snprintf(at->faults + len, sizeof(at->faults) - len, "%s0x%02x",
		 len ? ", " : "", fault);
	return true;
}

FIXTURE(fault)
{
	const struct fault_row *row;
	struct hca_ctl *hca;
	struct fault_call s;
	struct outcomes outcomes;
};

FIXTURE_VARIANT(fault)
{
	int row;
};

#define ROW(n) FIXTURE_VARIANT_ADD(fault, n) { .row = 1##n - 100 }
ROW(00); ROW(01); ROW(02); ROW(03); ROW(04); ROW(05); ROW(06); ROW(07);
ROW(08); ROW(09); ROW(10); ROW(11); ROW(12); ROW(13); ROW(14); ROW(15);
ROW(16); ROW(17); ROW(18); ROW(19); ROW(20); ROW(21); ROW(22); ROW(23);
ROW(24);
#define ROWS 25

FIXTURE_SETUP(fault)
{
	int ret;

	SETUP_DEVICE(return);
	self->hca = hca_open();
	SKIP_NO_HCA(self->hca, return);
	self->row = &fault_rows[variant->row];
	ret = fault_call_start(&self->s, self->hca, self->row);
	if (ret == EOPNOTSUPP)
		SKIP(return, "the device is not made for %s",
		     self->row->command);
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(fault)
{
	fault_call_stop(&self->s, self->hca);
	hca_close(self->hca);
}

/* One call with a fault: its outcome in words. The fault is over on return. */
static int issue_at(FIXTURE_DATA(fault) *self, const char *verb, uint8_t fault,
		   char *text, size_t size)
{
	const struct fault_row *row = self->row;
	const char *times = row->always ? "always" : "1";
	struct fault_call *s = &self->s;
	struct obj_counts before, after;
	bool refused = !strcmp(verb, "fail");
	int ret;

	before = count_objs(self->hca, s);
	if (refused)
		ret = hca_cmd(self->hca, "fail 0x%x 0x%x 0x%x %s", row->opcode,
			      fault, SYNDROME, times);
	else
		ret = hca_cmd(self->hca, "transport 0x%x 0x%x %s", row->opcode,
			      fault, times);
	if (ret)
		return ret;
	fault_call_issue(s, row);
	seen->faults++;
	after = count_objs(self->hca, s);
	snprintf(text, size, "%s | %s | %+d | %+d", err_name(s->ret),
		 fault_call_output(s, refused ? fault : 0,
				   refused ? SYNDROME : 0),
		 after.objs - before.objs, after.live - before.live);
	if (refused)
		return hca_cmd(self->hca, "fail 0x%x 0 0 0", row->opcode);
	return hca_cmd(self->hca, "transport 0x%x 1 0", row->opcode);
}

/* The call that failed works without the fault. */
static int call_again(FIXTURE_DATA(fault) *self)
{
	const struct fault_row *row = self->row;
	struct fault_call *s = &self->s;

	if (s->ret != row->ret)
		fault_call_issue(s, row);
	if (s->ret != row->ret)
		return s->ret;
	return row->restore ? row->restore(s, row) : 0;
}

static int try_all(FIXTURE_DATA(fault) *self, const char *verb,
		   const uint8_t *faults, int n)
{
	char text[120];
	int i, ret = 0;

	memset(&self->outcomes, 0, sizeof(self->outcomes));
	for (i = 0; i < n && !ret; i++) {
		ret = issue_at(self, verb, faults[i], text, sizeof(text));
		if (!ret && !outcome_add(&self->outcomes, text, faults[i]))
			ret = ENOSPC;
		if (!ret)
			ret = call_again(self);
	}
	return ret;
}

static int compare_table(FIXTURE_DATA(fault) *self, const char *name, int all)
{
	const struct fault_row *row = self->row;
	int i, missing = 0;

	for (i = 0; i < self->outcomes.n; i++) {
		struct outcome *o = &self->outcomes.all[i];

		missing += table_line("| %s | `%s` | %s%s | %s |", row->call,
				      row->command, name,
				      o->n == all ? "any" : o->faults, o->text);
	}
	return missing;
}

TEST_F(fault, refused)
{
	seen->row[0][variant->row] = true;
	if (self->row->few) {
		ASSERT_EQ(0, try_all(self, "fail", few, 1));
		EXPECT_EQ(0, compare_table(self, "status ", 0));
	} else {
		ASSERT_EQ(0, try_all(self, "fail", statuses,
				     ARRAY_SIZE(statuses)));
		EXPECT_EQ(0, compare_table(self, "status ",
						   ARRAY_SIZE(statuses)));
	}
}

TEST_F(fault, not_delivered)
{
	seen->row[1][variant->row] = true;
	if (self->row->few) {
		ASSERT_EQ(0, try_all(self, "transport", few, 1));
		EXPECT_EQ(0, compare_table(self, "delivery ", 0));
	} else {
		ASSERT_EQ(0, try_all(self, "transport", deliveries,
				     ARRAY_SIZE(deliveries)));
		EXPECT_EQ(0, compare_table(self, "delivery ",
				     ARRAY_SIZE(deliveries)));
	}
}

/* All rows at the same time. */
struct fault_batch {
	struct hca_ctl *hca;
	struct {
		struct fault_call *s;
		struct obj_counts start, before, after, late;
		pthread_t thread;
		int row;
		bool gone;
	} at[ROWS_MAX];
	int n;
};

static struct fault_batch batch;

FIXTURE(batch)
{
	struct fault_batch *v;
};

FIXTURE_SETUP(batch)
{
	SETUP_DEVICE(return);
	self->v = &batch;
	self->v->hca = hca_open();
	SKIP_NO_HCA(self->v->hca, return);
}

FIXTURE_TEARDOWN(batch)
{
	int i;

	hca_cmd(self->v->hca, "complete-dropped entry");
	for (i = 0; i < self->v->n; i++)
		fault_call_stop(self->v->at[i].s, self->v->hca);
	hca_close(self->v->hca);
}

/* Those whose fault is "always" are the same as those that fail once here. */
static int batch_start(struct fault_batch *v)
{
	int row, ret;

	for (row = 0; row < fault_rows_n; row++) {
		struct fault_call *s = calloc(1, sizeof(*s));

		if (!s)
			return ENOMEM;
		if (fault_rows[row].always)
			continue;
		ret = fault_call_start(s, v->hca, &fault_rows[row]);
		if (ret) {
			fault_call_stop(s, v->hca);
			free(s);
			if (ret != EOPNOTSUPP)
				return ret;
			continue;
		}
		v->at[v->n].s = s;
		v->at[v->n].row = row;
		v->at[v->n].before = count_objs(v->hca, s);
		v->n++;
	}
	return 0;
}

static void *batch_thread(void *arg)
{
	int i = (intptr_t)arg;

	fault_call_issue(batch.at[i].s, &fault_rows[batch.at[i].row]);
	return NULL;
}

/*
 * One call after the other, so that each meets its own fault; last row first, as
 * the first command of a call is the first in the table.
 */
static int batch_issue(struct fault_batch *v, const char *fault,
		       const char *arg)
{
	int i, tries;

	for (i = v->n - 1; i >= 0; i--) {
		uint16_t opcode = fault_rows[v->at[i].row].opcode;
		long n = hca_count(v->hca, opcode);

		if (hca_cmd(v->hca, "%s 0x%x %s", fault, opcode, arg) ||
		    pthread_create(&v->at[i].thread, NULL, batch_thread,
				   (void *)(intptr_t)i))
			return EIO;
		for (tries = 0; hca_count(v->hca, opcode) <= n; tries++) {
			if (tries == 5000) {
				fprintf(stderr, "# row %d: no 0x%x\n",
					v->at[i].row, opcode);
				return ETIME;
			}
			usleep(2000);
		}
		seen->faults++;
	}
	return 0;
}

static void batch_join(struct fault_batch *v)
{
	int i;

	for (i = 0; i < v->n; i++)
		pthread_join(v->at[i].thread, NULL);
}

/*
 * Completes the dropped commands, by their queue entry only: the driver may
 * have reused the mailboxes of a longer answer.
 */
static int batch_complete(struct fault_batch *v)
{
	int ret = hca_cmd(v->hca, "complete-dropped entry");

	/* Time for the interrupts and the work they start. */
	usleep(500000);
	return ret;
}

TEST_F_TIMEOUT(batch, not_answered, 300)
{
	struct fault_batch *v = self->v;
	int i, missing = 0;

	seen->batch[0] = true;
	ASSERT_EQ(0, batch_start(v));
	ASSERT_EQ(0, batch_issue(v, "drop", "1"));
	batch_join(v);
	for (i = 0; i < v->n; i++)
		v->at[i].after = count_objs(v->hca, v->at[i].s);
	ASSERT_EQ(0, batch_complete(v));
	for (i = 0; i < v->n; i++)
		v->at[i].late = count_objs(v->hca, v->at[i].s);
	for (i = 0; i < v->n; i++) {
		const struct fault_row *row = &fault_rows[v->at[i].row];
		struct fault_call *s = v->at[i].s;
		struct obj_counts *b = &v->at[i].before;
		int live;

		/* The file's objects, those of @prepare included. */
		close(s->w.mdx.fd);
		s->w.mdx.fd = -1;
		live = hca_live(v->hca, s->w.mdx.uid, NULL, -1);
		missing += table_line("| %s | `%s` | none | %s | %s | %+d | %+d | %+d | %d |",
				      row->call, row->command, err_name(s->ret),
				      fault_call_output(s, 0, 0),
				      v->at[i].after.objs - b->objs,
				      v->at[i].after.live - b->live,
				      v->at[i].late.live - b->live,
				      live - (b->live - b->objs));
	}
	EXPECT_EQ(0, missing);
}

static int rebind_driver(void)
{
	char addr[64];
	int ret;

	if (!mdx_pci_addr(addr, sizeof(addr)))
		return ENODEV;
	ret = write_file(MLX5_DRIVER "/unbind", addr);
	if (!ret)
		ret = write_file(MLX5_DRIVER "/bind", addr);
	if (!ret && !mdx_device_wait())
		ret = ENODEV;
	return ret;
}

/* The last one that has a device: it takes the device away from everybody. */
TEST_F_TIMEOUT(batch, internal_error, 300)
{
	struct fault_batch *v = self->v;
	int i, missing = 0;

	seen->batch[1] = true;
	ASSERT_EQ(0, batch_start(v));
	ASSERT_EQ(0, hca_cmd(v->hca, "parallel 32"));
	ASSERT_EQ(0, batch_issue(v, "delay", "3600000000"));
	ASSERT_EQ(0, hca_cmd(v->hca, "internal-error on"));
	batch_join(v);
	for (i = 0; i < v->n; i++) {
		const struct fault_row *row = &fault_rows[v->at[i].row];
		struct fault_call *s = v->at[i].s;

		missing += table_line("| %s | `%s` | internal error | %s | %s |",
				      row->call, row->command, err_name(s->ret),
				      fault_call_output(s, 0, 0));
		close(s->w.mdx.fd);
		s->w.mdx.fd = -1;
	}
	/* The driver recovers by itself, and wants no command to be slow then. */
	ASSERT_EQ(0, hca_cmd(v->hca, "reset-script"));
	for (i = 0; i < v->n; i++) {
		v->at[i].s->there = NULL;
		fault_call_stop(v->at[i].s, v->hca);
	}
	v->n = 0;
	ASSERT_EQ(0, rebind_driver());
	EXPECT_EQ(0, missing);
}

TEST(every_row_tested)
{
	ASSERT_EQ(ROWS, fault_rows_n);
	ASSERT_LE(ROWS, ROWS_MAX);
}

FIXTURE(table) {};
FIXTURE_SETUP(table) {}
FIXTURE_TEARDOWN(table) {}

static bool is_head(const char *line)
{
	return strncmp(line, "| `", 3);
}

TEST_F(table, every_line_seen)
{
	int i, row, left = 0;

	for (row = 0; row < ROWS; row++)
		if (!seen->row[0][row] || !seen->row[1][row])
			SKIP(return, "not all rows were tested");
	if (!seen->batch[0] || !seen->batch[1])
		SKIP(return, "not all tests were run");
	for (i = 0; documented[i]; i++) {
		if (seen->line[i] || is_head(documented[i]))
			continue;
		TH_LOG("not seen: %s", documented[i]);
		left++;
	}
	printf("# %d faults\n", seen->faults);
	EXPECT_EQ(0, left);
}

static void share_seen(void)
{
	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		exit(KSFT_FAIL);
}

MDX_HARNESS_MAIN(share_seen())
