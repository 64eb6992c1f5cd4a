/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* mdx: the tool of mlx5_devx. Declarations its files share. */
#ifndef MDX_TOOL_H
#define MDX_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mdx/mdx_uapi.h>

#define NODE "/dev/infiniband/mlx5_devx"

/* Exit statuses; Documentation/mdx.md has them. */
enum {
	EXIT_OK = 0,
	EXIT_FAILED = 1,	/* doctor: there is something to do */
	EXIT_USAGE = 2,
	EXIT_REFUSED = 3,	/* the device answered with a bad status */
	EXIT_NOTHING = 4,	/* no module, or no device, to ask */
};

/* One file each. */
int verb_info(int argc, char **argv);
int verb_port(int argc, char **argv);
int verb_device(int argc, char **argv);
int verb_cmd(int argc, char **argv);
int verb_batch(int argc, char **argv);
int verb_ps(int argc, char **argv);
int verb_trace(int argc, char **argv);
int verb_replay(int argc, char **argv);
int verb_run(int argc, char **argv);
int verb_doctor(int argc, char **argv);
int verb_selftest(int argc, char **argv);

/* info.c: limits that a module does not tell are left out. */
void show_limits(const struct mdx_ioc_info *info);

/* opt.c */
extern const char *verb_name;
/* Of every verb: --json, and --device NAME or NULL. */
extern bool opt_json;
extern const char *opt_device;

struct opt {
	const char *name;
	char letter;
	bool has_arg;
};

/*
 * The next of the options common to all and of @opts, which end with one of no
 * name: its letter, with getopt's optarg; -1 at the end. Does not return from
 * what is wrong.
 */
int next_opt(int argc, char **argv, const struct opt *opts);
/* "mdx VERB: ..." on stderr. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void usage(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/* A number in any base C knows; a wrong one is a usage error. */
uint64_t number(const char *text, uint64_t max, const char *what);

/* out.c: one tree, as lines of "key: value" or as JSON. NULL keys in arrays. */
void out_open(const char *key, char bracket);
void out_close(void);
void out_str(const char *key, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void out_num(const char *key, uint64_t val);
void out_hex(const char *key, uint64_t val);
void out_bool(const char *key, bool val);
/* A JSON string of up to @max bytes, alone. */
void out_quoted(const char *text, size_t max);
/* @text for a terminal: a process may call itself what it likes. Not kept. */
const char *out_clean(const char *text, size_t max);

/* sys.c: files, below $MDX_ROOT where that is set. */
const char *root_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The first line without its end; false if there is none. */
bool read_line(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Target of a link, without its directories. */
bool link_name(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Entries of a directory: calls @func for each, in order of name. */
int for_each_entry(const char *dir, void (*func)(const char *name, void *arg),
		   void *arg);
const char *kernel_release(void);

/* dev.c: devices, and files bound to them. */
struct mdx_conn {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	int fd;
	struct mdx_ioc_info info;
};

/* An RDMA device of an mlx5 driver? */
bool is_mlx5(const char *ibdev);
/* Names of the mlx5 devices, up to @max; how many there are. */
int mlx5_devices(char names[][64], int max);
/* The node, unbound: a descriptor, or -1 and the reason. */
int node_open(struct mdx_ioc_info *info, const char **reason);
/* NULL, or why @ibdev cannot be used. */
const char *conn_open(struct mdx_conn *conn, const char *ibdev);
void conn_close(struct mdx_conn *conn);
/* ioctl() that returns 0 or a positive errno. */
int mdx_call(int fd, unsigned long nr, void *arg);
/* conn_open() of --device, or of the first: 0, or what to exit with. */
int conn_of_options(struct mdx_conn *conn);
/* A DEVX context of the same, without the module: NULL after a message. */
struct ibv_context *devx_context_of_options(void);
/* Prints the answer of MDX_IOC_LAST_ERROR on stderr, in words. */
void explain(int fd, int err);

/* files.c: /sys/kernel/debug/mlx5_devx/files */
#define TYPES_MAX 64

struct bound_file {
	char ibdev[64];
	long pid;
	char comm[64];
	unsigned int uid;
	unsigned int objects;
	unsigned int in_flight;
	bool shared;
	int types_n;
	struct {
		unsigned int opcode;
		unsigned int type;	/* of general objects */
		unsigned int count;
	} types[TYPES_MAX];
};

bool parse_bound_file(const char *line, struct bound_file *file);

/* ps.c: how a type of objects is called. */
void object_type_name(char *buf, size_t size, unsigned int opcode,
		      unsigned int type);

/* objects.c: /sys/kernel/debug/mlx5_devx/objects */
struct bound_object {
	char ibdev[64];
	long pid;
	unsigned int uid;
	unsigned int id;
	unsigned int opcode;
	unsigned int type;	/* of general objects */
	unsigned int number;	/* the first of */
	unsigned int numbers;	/* so many */
	unsigned int destroy_bytes;
	unsigned long long seconds;
};

bool parse_bound_object(const char *line, struct bound_object *obj);
/* Whole days, or hours, or minutes, or seconds. */
void age_text(char *buf, size_t size, unsigned long long seconds);
void show_objects_head(void);
/* False if @line is not understood; shows nothing that -d or @pid exclude. */
bool show_object_line(const char *line, long pid);

/* event.c: a line of the tracepoint mlx5_devx:mdx_cmd */
struct event {
	char comm[64];
	long pid;		/* the process that sent the command */
	char time[32];		/* seconds since boot, as the kernel prints it */
	char dev[32];
	unsigned int uid;
	unsigned int opcode;
	unsigned int object;
	unsigned int status;
	unsigned int syndrome;
	int ret;
	unsigned long long ns;
};

bool parse_event(const char *line, struct event *event);

/* names.c of libmdx */
const char *mdx_opcode_name(uint16_t opcode);
const char *mdx_status_name(uint8_t status);
/* The number of a name, in either case, or of a number; -1 if it is neither. */
int opcode_of(const char *text);
const char *stage_name(uint32_t stage);

/* check.c: the checks of doctor. */
enum verdict { CHECK_OK, CHECK_NOTE, CHECK_BAD };

struct finding {
	const char *id;
	enum verdict verdict;
	char text[256];
	char todo[512];
};

/* Fills @findings, which has room for @max; how many there are. */
int check_all(struct finding *findings, int max);
/* check_use.c: those that need the module. */
void check_node(struct finding *f);
/* One finding for each optional part that the module lacks: how many. */
int check_parts(struct finding *findings, int max);
void check_device(struct finding *f, const char *ibdev);
/* check_btf.c: layouts inside mlx5_ib that the module relies on. */
void check_layout(struct finding *f);

/* Sizes of structures and offsets of members in bytes; -1 or 0 if there is none. */
struct driver_layout {
	uint32_t ib_pd;
	uint32_t mlx5_ib_pd;
	long ibpd;
	long pdn;
	long uid;
	uint32_t ib_cq;
	long ibcq;
	long mcq;
};

/* Those of the running mlx5_ib; false if it has no BTF. */
bool read_layout(struct driver_layout *layout);
/* check_host.c */
void check_memlock(struct finding *f);
void check_users(struct finding *f);

void found(struct finding *f, enum verdict verdict, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void todo(struct finding *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* MDX_TOOL_H */
