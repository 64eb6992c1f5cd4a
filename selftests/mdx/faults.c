// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "faults.h"

/* Copies the command of w->in and w->m: several calls may be under way. */
static void copy_command(struct fault_call *s)
{
	memcpy(s->in, s->w.in, sizeof(s->in));
	s->m = (struct mbox_pair){
		s->in, s->out, s->w.m.in_len, s->w.m.out_len,
	};
	s->arg_len = 0;
}

static int prepare_nothing(struct fault_call *s, const struct fault_row *row)
{
	return 0;
}

/* A further file of a context is bound without a command. */
static int prepare_unbound(struct fault_call *s, const struct fault_row *row)
{
	close(s->w.mdx.fd);
	s->w.mdx.fd = -1;
	return 0;
}

static int prepare_needs(struct fault_call *s, const struct fault_row *row)
{
	return objtype_create_needs(&s->w, row->type);
}

static int prepare_object(struct fault_call *s, const struct fault_row *row)
{
	return objtype_create(&s->w, row->type);
}

static int issue_create(struct fault_call *s, const struct fault_row *row)
{
	objtype_build_create(&s->w, row->type);
	copy_command(s);
	return _test_mdx_create(s->w.mdx.fd, &s->m, &s->w.obj[row->type].id);
}

static int undo_create(struct fault_call *s, const struct fault_row *row)
{
	return objtype_destroy(&s->w, row->type);
}

static int issue_query(struct fault_call *s, const struct fault_row *row)
{
	objtype_build_query(&s->w, row->type);
	copy_command(s);
	return _test_mdx_query(s->w.mdx.fd, s->w.obj[row->type].id, &s->m);
}

static int issue_modify(struct fault_call *s, const struct fault_row *row)
{
	objtype_build_modify(&s->w, row->type);
	copy_command(s);
	return _test_mdx_modify(s->w.mdx.fd, s->w.obj[row->type].id, &s->m);
}

static int issue_destroy(struct fault_call *s, const struct fault_row *row)
{
	struct mdx_ioc_obj_destroy *arg = (void *)s->arg;

	*arg = (struct mdx_ioc_obj_destroy){
		.size = sizeof(*arg),
		.id = s->w.obj[row->type].id,
		.out_status = FILL,
		.out_syndrome = FILL,
	};
	s->arg_len = sizeof(*arg);
	return mdx_ioctl(s->w.mdx.fd, MDX_IOC_OBJ_DESTROY, arg);
}

static int redo_destroy(struct fault_call *s, const struct fault_row *row)
{
	memset(&s->w.obj[row->type], 0, sizeof(s->w.obj[row->type]));
	return objtype_create(&s->w, row->type);
}

/* An answer that has nowhere to go. */
static int prepare_undo(struct fault_call *s, const struct fault_row *row)
{
	s->ro = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (s->ro == MAP_FAILED)
		return errno;
	return objtype_create_needs(&s->w, row->type);
}

static int issue_undo(struct fault_call *s, const struct fault_row *row)
{
	struct mbox_pair m;

	objtype_build_create(&s->w, row->type);
	copy_command(s);
	m = s->m;
	m.out = s->ro;
	return _test_mdx_create(s->w.mdx.fd, &m, NULL);
}

static int issue_general(struct fault_call *s, const struct fault_row *row)
{
	mdx_hdr(s->in, row->opcode, 0, 0);
	s->m = (struct mbox_pair){ s->in, s->out, 16, 16 };
	s->arg_len = 0;
	return _test_mdx_general(s->w.mdx.fd, &s->m);
}

/* Current general capabilities: an answer with mailboxes. */
static int issue_caps(struct fault_call *s, const struct fault_row *row)
{
	mdx_hdr(s->in, row->opcode, 1, 0);
	s->m = (struct mbox_pair){ s->in, s->out, 16, MBOX_HDR_LEN + CAP_LEN };
	s->arg_len = 0;
	return _test_mdx_general(s->w.mdx.fd, &s->m);
}

static int prepare_verbs_cq(struct fault_call *s, const struct fault_row *row)
{
	return vobj_create(&s->v, VOBJ_CQ, s->w.mdx.ctx, s->w.mdx.pd);
}

static int issue_verbs_query(struct fault_call *s, const struct fault_row *row)
{
	mdx_hdr(s->in, row->opcode, 0, s->v.num[HW_CQ]);
	s->m = (struct mbox_pair){ s->in, s->out, 16, SZ(query_cq_out) };
	s->arg_len = 0;
	return _test_mdx_verbs_query(s->w.mdx.fd, s->v.obj_type, s->v.handle,
				     &s->m);
}

static int issue_verbs_modify(struct fault_call *s, const struct fault_row *row)
{
	memset(s->in, 0, SZ(modify_cq_in));
	mdx_hdr(s->in, row->opcode, 0, s->v.num[HW_CQ]);
	/* Moderation */
	mbox_set32(s->in, DEVX_BYTE_OFF(modify_cq_in,
				       modify_field_select_resize_field_select),
		  3);
	DEVX_SET(modify_cq_in, s->in, cq_context.cq_max_count, 4);
	s->m = (struct mbox_pair){ s->in, s->out, SZ(modify_cq_in), 16 };
	s->arg_len = 0;
	return _test_mdx_verbs_modify(s->w.mdx.fd, s->v.obj_type, s->v.handle,
				      &s->m);
}

/* A bind has no output, and a file whose bind was refused can be closed. */
static int issue_bind(struct fault_call *s, const struct fault_row *row)
{
	int fd = mdx_node_open();
	int ret;

	if (fd < 0)
		return errno;
	ret = _test_mdx_bind(fd, s->w.mdx.ctx->cmd_fd, s->w.mdx.pd->handle);
	close(fd);
	s->arg_len = 0;
	s->m = (struct mbox_pair){ .in = s->in };
	return ret;
}

static int issue_query_device(struct fault_call *s, const struct fault_row *row)
{
	struct mdx_ioc_query_device *arg = (void *)s->arg;

	memset(arg, FILL, sizeof(*arg));
	arg->size = sizeof(*arg);
	arg->flags = 0;
	s->arg_len = sizeof(*arg);
	return mdx_ioctl(s->w.mdx.fd, MDX_IOC_QUERY_DEVICE, arg);
}

static int issue_query_port(struct fault_call *s, const struct fault_row *row)
{
	struct mdx_ioc_query_port *arg = (void *)s->arg;

	memset(arg, FILL, sizeof(*arg));
	arg->size = sizeof(*arg);
	arg->flags = 0;
	/* The vport of another function: the first is the uplink or the PF. */
	arg->port_num = 2;
	arg->__reserved = 0;
	s->arg_len = sizeof(*arg);
	return mdx_ioctl(s->w.mdx.fd, MDX_IOC_QUERY_PORT, arg);
}

/* An object that does not depend on the rest, so that each pass makes progress. */
static int prepare_close(struct fault_call *s, const struct fault_row *row)
{
	int ret = objtype_create(&s->w, row->type);

	return ret ? ret : objtype_create(&s->w, OBJTYPE_PD);
}

static int issue_close(struct fault_call *s, const struct fault_row *row)
{
	int ret = close(s->w.mdx.fd) ? errno : 0;

	s->arg_len = 0;
	s->m = (struct mbox_pair){ .in = s->in };
	memset(s->w.obj, 0, sizeof(s->w.obj));
	s->w.mdx.fd = -1;
	return ret;
}

static int open_again(struct fault_call *s, const struct fault_row *row)
{
	struct mdx_binding *mdx = &s->w.mdx;
	int ret;

	mdx->fd = mdx_node_open();
	if (mdx->fd < 0)
		return errno;
	ret = _test_mdx_bind(mdx->fd, mdx->ctx->cmd_fd, mdx->anchor->handle);
	return ret ? ret : prepare_close(s, row);
}

#define OP(name) .command = #name, .opcode = MLX5_CMD_OP_##name

#define CREATE(what, type_, name)					\
	{ .call = "`OBJ_CREATE`, " what, OP(name), .type = type_,	\
	  .prepare = prepare_needs, .issue = issue_create,		\
	  .restore = undo_create }
#define QUERY(what, type_, name)					\
	{ .call = "`OBJ_QUERY`, " what, OP(name), .type = type_,	\
	  .prepare = prepare_object, .issue = issue_query }
#define MODIFY(what, type_, name)					\
	{ .call = "`OBJ_MODIFY`, " what, OP(name), .type = type_,	\
	  .prepare = prepare_object, .issue = issue_modify }
#define DESTROY(what, type_, name)					\
	{ .call = "`OBJ_DESTROY`, " what, OP(name), .type = type_,	\
	  .prepare = prepare_object, .issue = issue_destroy,		\
	  .restore = redo_destroy }

const struct fault_row fault_rows[] = {
	{ .call = "`BIND`", OP(CREATE_MKEY),
	  .prepare = prepare_unbound, .issue = issue_bind },
	{ .call = "`BIND`", OP(DESTROY_MKEY), .few = true,
	  .prepare = prepare_unbound, .issue = issue_bind },
	CREATE("TIS", OBJTYPE_TIS, CREATE_TIS),
	CREATE("CQ", OBJTYPE_CQ, CREATE_CQ),
	CREATE("DCT", OBJTYPE_DCT, CREATE_DCT),
	CREATE("general object", OBJTYPE_GENERAL, CREATE_GENERAL_OBJECT),
	{ .call = "`OBJ_CREATE`, TIS, answer not writable", OP(DESTROY_TIS),
	  .type = OBJTYPE_TIS, .few = true, .ret = EFAULT,
	  .prepare = prepare_undo, .issue = issue_undo },
	QUERY("TIS", OBJTYPE_TIS, QUERY_TIS),
	QUERY("CQ", OBJTYPE_CQ, QUERY_CQ),
	MODIFY("TIS", OBJTYPE_TIS, MODIFY_TIS),
	MODIFY("CQ", OBJTYPE_CQ, MODIFY_CQ),
	DESTROY("TIS", OBJTYPE_TIS, DESTROY_TIS),
	DESTROY("CQ", OBJTYPE_CQ, DESTROY_CQ),
	DESTROY("DCT", OBJTYPE_DCT, DRAIN_DCT),
	DESTROY("DCT", OBJTYPE_DCT, DESTROY_DCT),
	DESTROY("general object", OBJTYPE_GENERAL, DESTROY_GENERAL_OBJECT),
	{ .call = "`close()`, TIS, once", OP(DESTROY_TIS), .type = OBJTYPE_TIS,
	  .few = true, .prepare = prepare_close, .issue = issue_close,
	  .restore = open_again },
	{ .call = "`close()`, TIS, always", OP(DESTROY_TIS), .type = OBJTYPE_TIS,
	  .few = true, .always = true, .prepare = prepare_close,
	  .issue = issue_close, .restore = open_again },
	{ .call = "`close()`, CQ, once", OP(DESTROY_CQ), .type = OBJTYPE_CQ,
	  .few = true, .prepare = prepare_close, .issue = issue_close,
	  .restore = open_again },
	{ .call = "`GENERAL`", OP(NOP),
	  .prepare = prepare_nothing, .issue = issue_general },
	{ .call = "`GENERAL`", OP(QUERY_HCA_CAP),
	  .prepare = prepare_nothing, .issue = issue_caps },
	{ .call = "`VERBS_QUERY`, CQ", OP(QUERY_CQ),
	  .prepare = prepare_verbs_cq, .issue = issue_verbs_query },
	{ .call = "`VERBS_MODIFY`, CQ", OP(MODIFY_CQ),
	  .prepare = prepare_verbs_cq, .issue = issue_verbs_modify },
	{ .call = "`QUERY_DEVICE`", OP(QUERY_NIC_VPORT_CONTEXT),
	  .prepare = prepare_nothing, .issue = issue_query_device },
	{ .call = "`QUERY_PORT`", OP(QUERY_ESW_VPORT_CONTEXT), .esw = true,
	  .prepare = prepare_nothing, .issue = issue_query_port },
};

const int fault_rows_n = sizeof(fault_rows) / sizeof(fault_rows[0]);

/* In switchdev mode a port has something behind it. */
static bool is_esw(struct fault_call *s)
{
	struct mdx_ioc_query_port *arg = (void *)s->arg;

	return !issue_query_port(s, NULL) && arg->out_flags;
}

static char *live_objects(struct fault_call *s, struct hca_ctl *hca)
{
	return hca_cmd(hca, "live 0x%x", s->w.mdx.uid) ? NULL :
		strdup(hca->answer);
}

int fault_call_start(struct fault_call *s, struct hca_ctl *hca,
		     const struct fault_row *row)
{
	char *port = getenv("MDX_HCA");
	char *name = port ? strdup(port) : NULL;
	int ret;

	/* The caller has the control port open. */
	unsetenv("MDX_HCA");
	ret = world_start(&s->w);
	if (name)
		setenv("MDX_HCA", name, 1);
	free(name);
	if (ret)
		return ret;
	if ((row->type != OBJTYPE_PD &&
	     !objtype_advertised(&s->w, row->type)) ||
	    (row->esw && !is_esw(s)))
		return EOPNOTSUPP;
	s->there = live_objects(s, hca);
	return s->there ? row->prepare(s, row) : EIO;
}

/* The device destroys it if nothing refers to it. */
static int destroy_directly(struct fault_call *s, struct hca_ctl *hca,
			    const char *type, unsigned int id)
{
	uint8_t in[16], *byte = in;
	char hex[2 * sizeof(in) + 1];
	int t, i;

	for (t = 0; t < OBJTYPE_COUNT; t++)
		if (!strcmp(objtypes[t].live, type))
			break;
	if (t == OBJTYPE_COUNT)
		return ENOENT;
	mdx_hdr(in, objtypes[t].destroy, 0, id);
	in[2] = s->w.mdx.uid >> 8;
	in[3] = s->w.mdx.uid;
	for (i = 0; i < (int)sizeof(in); i++)
		sprintf(hex + 2 * i, "%02x", *byte++);
	if (hca_cmd(hca, "exec %s", hex))
		return EIO;
	return strtoul(hca->answer, NULL, 16) ? EBUSY : 0;
}

/*
 * Destroys what an unrecoverable failure left, newest first: ib_uverbs warns
 * when it closes a context whose PD is still in use.
 */
static void forget_all(struct fault_call *s, struct hca_ctl *hca)
{
	char *live = live_objects(s, hca);
	char *line = live ? live + strlen(live) : NULL;
	char type[32], what[64];
	unsigned int id;

	while (line && line > live) {
		line--;
		*line = '\0';
		while (line > live && line[-1] != '\n')
			line--;
		if (sscanf(line, "live %31s %x", type, &id) != 2)
			continue;
		snprintf(what, sizeof(what), "live %s 0x%06x ", type, id);
		if (!strstr(s->there, what) &&
		    destroy_directly(s, hca, type, id))
			fprintf(stderr, "# left: %s\n", what);
	}
	free(live);
}

void fault_call_stop(struct fault_call *s, struct hca_ctl *hca)
{
	if (s->w.mdx.fd > 0)
		close(s->w.mdx.fd);
	s->w.mdx.fd = -1;
	vobj_end(&s->v);
	if (s->there)
		forget_all(s, hca);
	free(s->there);
	s->there = NULL;
	world_stop(&s->w);
}

void fault_call_issue(struct fault_call *s, const struct fault_row *row)
{
	memset(s->out, FILL, sizeof(s->out));
	s->ret = row->issue(s, row);
}

static const char *arg_out(const struct fault_call *s, uint8_t status,
			   uint32_t syndrome)
{
	const struct mdx_ioc_obj_destroy *arg = (const void *)s->arg;

	/* The other structures begin with input fields. */
	if (s->arg_len != sizeof(*arg))
		return all_bytes(s->arg + 16, FILL, s->arg_len - 16) ?
			"untouched" : "written";
	if (arg->out_status == FILL && arg->out_syndrome == FILL)
		return "untouched";
	if (arg->out_status == status && arg->out_syndrome == syndrome)
		return "answer";
	return "written";
}

const char *fault_call_output(const struct fault_call *s, uint8_t status,
			      uint32_t syndrome)
{
	const uint8_t *out = (const uint8_t *)s->out;
	size_t len = s->m.out_len;

	if (s->arg_len)
		return arg_out(s, status, syndrome);
	if (!len)
		return "-";
	if (all_bytes(out, FILL, sizeof(s->out)))
		return "untouched";
	if (all_bytes(out + len, FILL, sizeof(s->out) - len) &&
	    mbox_get32(out, 0) == (uint32_t)status << 24 &&
	    mbox_get32(out, 4) == syndrome && all_bytes(out + 8, 0, len - 8))
		return "answer";
	return "written";
}
