// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Calls of a program, counted on their way: those that reach libmdx, and those
 * that libmdx, or the lack of it, hands on to the stock driver.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "count.h"
#include "mdx/mdx.h"

#define COUNT_PUBLIC __attribute__((visibility("default")))
#define TEXT_MAX 16

static const struct {
	const char *name;
	const char *version;
	enum argument argument;
} functions[FUNCTIONS] = {
#define FUNCTION(name, version, argument) { #name, version, ARG_##argument },
#include "functions.def"
#undef FUNCTION
};

struct run_context mdx_run_contexts[CONTEXTS_MAX];
/* Calls without a context, and those of more contexts than there is room for. */
struct run_context mdx_run_other;

static const void *_Atomic targets[2 * FUNCTIONS];
/* The call that a thread makes is one of libmlx5 itself. */
static __thread bool internal __attribute__((tls_model("initial-exec")));

/* Code of libraries, found once. */
struct text {
	uintptr_t start;
	uintptr_t end;
};

static struct {
	struct text stock[TEXT_MAX];
	int stock_n;
	struct text mdx[TEXT_MAX];
	int mdx_n;
} texts;
static pthread_mutex_t texts_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool texts_known;

const char *mdx_run_name(unsigned int function)
{
	return functions[function].name;
}

enum argument mdx_run_argument(unsigned int function)
{
	return functions[function].argument;
}

static void add_texts(const struct dl_phdr_info *info, struct text *to, int *n)
{
	int i;

	for (i = 0; i < info->dlpi_phnum && *n < TEXT_MAX; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];

		if (phdr->p_type != PT_LOAD || !(phdr->p_flags & PF_X))
			continue;
		to[*n].start = info->dlpi_addr + phdr->p_vaddr;
		to[*n].end = to[*n].start + phdr->p_memsz;
		(*n)++;
	}
}

static int find_texts(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *name = slash ? slash + 1 : info->dlpi_name;

	(void)size;
	(void)arg;
	if (!strncmp(name, "libmlx5.so", 10) || !strncmp(name, "libibverbs.so", 13))
		add_texts(info, texts.stock, &texts.stock_n);
	if (!strncmp(name, "libmdx.so", 9))
		add_texts(info, texts.mdx, &texts.mdx_n);
	return 0;
}

static void know_texts(void)
{
	if (atomic_load_explicit(&texts_known, memory_order_acquire))
		return;
	pthread_mutex_lock(&texts_lock);
	if (!atomic_load(&texts_known))
		dl_iterate_phdr(find_texts, NULL);
	atomic_store_explicit(&texts_known, true, memory_order_release);
	pthread_mutex_unlock(&texts_lock);
}

static bool text_has(const struct text *text, int n, const void *addr)
{
	for (; n--; text++)
		if ((uintptr_t)addr >= text->start && (uintptr_t)addr < text->end)
			return true;
	return false;
}

/* A function that no library here has. */
static int no_function(void)
{
	errno = EOPNOTSUPP;
	return EOPNOTSUPP;
}

static const void *find_target(unsigned int function)
{
	const void *target = atomic_load_explicit(&targets[function], memory_order_acquire);

	if (target)
		return target;
	target = dlvsym(RTLD_NEXT, functions[function].name, functions[function].version);
	if (!target)
		target = (const void *)no_function;
	atomic_store_explicit(&targets[function], target, memory_order_release);
	return target;
}

static const void *context_of(unsigned int function, const void *arg)
{
	switch (functions[function].argument) {
	case ARG_CONTEXT:
	case ARG_CLOSE:
		return arg;
	case ARG_OBJECT:
		return arg ? *(const void *const *)arg : NULL;
	default:
		return NULL;
	}
}

/* An entry stays where it is for ever; a closed context is another's then. */
static struct run_context *find_context(const void *context)
{
	int i;

	for (i = 0; context && i < CONTEXTS_MAX; i++) {
		struct run_context *run = &mdx_run_contexts[i];
		const void *was = NULL;

		if (atomic_compare_exchange_strong(&run->context, &was, context))
			return run;
		if (was == context && !atomic_load(&run->closed))
			return run;
	}
	return &mdx_run_other;
}

COUNT_PUBLIC const void *mdx_run_entry(const char *name, const void *next)
{
	unsigned int i;

	for (i = 0; i < FUNCTIONS; i++) {
		if (strcmp(functions[i].name, name))
			continue;
		if (!next)
			return mdx_run_entries[i];
		atomic_store_explicit(&targets[FUNCTIONS + i], next, memory_order_release);
		return mdx_run_entries[FUNCTIONS + i];
	}
	return NULL;
}

/* libmdx serves the context, and hands on no more than such objects of it. */
static bool is_consumed(unsigned int function, const void *context)
{
	static __typeof__(mdx_context_check) *_Atomic check;
	__typeof__(mdx_context_check) *func = atomic_load(&check);

	if (function != FUNC_mlx5dv_devx_obj_create &&
	    function != FUNC_mlx5dv_devx_create_cmd_comp &&
	    (function < FUNC_mlx5dv_devx_obj_query ||
	     function > FUNC_mlx5dv_devx_obj_destroy) &&
	    function != FUNC_mlx5dv_devx_obj_query_async)
		return false;
	if (!func) {
		func = dlsym(RTLD_DEFAULT, "mdx_context_check");
		atomic_store(&check, func);
	}
	return func && context && !func((struct ibv_context *)context);
}

/* A call that libmdx hands on to the stock driver. */
static const void *count_next(unsigned int function, const void *arg)
{
	const void *context = context_of(function, arg);
	struct run_context *run;
	int saved = errno;

	if (!internal && functions[function].argument >= ARG_CONTEXT) {
		run = find_context(context);
		atomic_fetch_add(is_consumed(function, context) ? &run->consumed[function] :
								  &run->stock[function], 1);
	}
	errno = saved;
	return atomic_load_explicit(&targets[FUNCTIONS + function], memory_order_acquire);
}

const void *mdx_run_count(unsigned int index, const void *arg, const void *caller)
{
	const void *target;
	struct run_context *run;
	int saved = errno;

	if (index >= FUNCTIONS)
		return count_next(index - FUNCTIONS, arg);
	know_texts();
	target = find_target(index);
	internal = text_has(texts.stock, texts.stock_n, caller);
	if (!internal && functions[index].argument >= ARG_CONTEXT) {
		run = find_context(context_of(index, arg));
		atomic_fetch_add(&run->calls, 1);
		if (!text_has(texts.mdx, texts.mdx_n, target))
			atomic_fetch_add(&run->stock[index], 1);
	}
	if (!internal && functions[index].argument == ARG_CLOSE)
		mdx_run_closing(arg);
	errno = saved;
	return target;
}

/*
 * The instance that LD_AUDIT loaded learns where mdx_run_entry() is from this. The
 * result is kept, as dlsym() looks at who called it: a jump to it would not do.
 */
__attribute__((constructor)) static void register_entry(void)
{
	static const void *volatile entry;

	if (getenv("MDX_RUN"))
		entry = dlsym(RTLD_DEFAULT, "mdx_run_entry");
	(void)entry;
}
