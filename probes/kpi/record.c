#include "perfgate/kpi.h"

#include "counter.h"
#include "file.h"
#include "result.h"
#include "text.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NAMES_MAX = 1000 };

/* What this process recorded; all of it under the lock. */
static struct {
	pid_t pid; /* whose results these are: a child of fork() has its parent's before it */
	struct perfgate_result *results; /* with strings of their own */
	size_t n, cap, flushed;
	char *folder; /* absolute; NULL: not known yet */
	char *file;   /* NULL: not flushed yet */
} ours;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void take(void)
{
	pthread_mutex_lock(&lock);
}

static void give(void)
{
	pthread_mutex_unlock(&lock);
}

/* Its parent writes what it recorded; the child begins anew. */
static void forked(void)
{
	ours.pid = 0;
	give();
}

static void watch_forks(void)
{
	pthread_atfork(take, give, forked);
}

static void forget(void)
{
	size_t i;

	for (i = 0; i < ours.n; i++) {
		free((char *)ours.results[i].name);
		free((char *)ours.results[i].git_sha);
	}
	ours.n = ours.flushed = 0;
	free(ours.file);
	ours.file = NULL;
}

/* A relative PERFGATE_OUT is meant from where the program is now, not from where it exits. */
static int find_folder(void)
{
	const char *folder = ours.folder ? NULL : perfgate_variable("PERFGATE_OUT");

	if (!ours.folder && !folder)
		return PERFGATE_UNSET;
	if (!ours.folder)
		ours.folder = realpath(folder, NULL);
	return ours.folder ? 0 : errno;
}

static void begin(void)
{
	perfgate_hush(1);
	pthread_once(&once, watch_forks);
	take();
	if (ours.pid != getpid())
		forget();
	ours.pid = getpid();
}

static void end(void)
{
	give();
	perfgate_hush(-1);
}

static int64_t next_sample(const char *name)
{
	size_t i = ours.n;

	while (i > 0) {
		if (!strcmp(ours.results[--i].name, name))
			return ours.results[i].sample + 1;
	}
	return 0;
}

static int make_room(void)
{
	size_t cap = ours.cap ? ours.cap * 2 : 16;
	void *p = ours.n < ours.cap ? NULL : realloc(ours.results, cap * sizeof(*ours.results));

	if (ours.n < ours.cap)
		return 0;
	if (!p)
		return ENOMEM;
	ours.results = p;
	ours.cap = cap;
	return 0;
}

static int keep(const struct perfgate_result *r)
{
	struct perfgate_result copy = *r;

	if (make_room())
		return ENOMEM;
	copy.sample = next_sample(r->name);
	copy.name = strdup(r->name);
	copy.git_sha = strdup(r->git_sha);
	if (!copy.name || !copy.git_sha) {
		free((char *)copy.name);
		free((char *)copy.git_sha);
		return ENOMEM;
	}
	ours.results[ours.n++] = copy;
	return 0;
}

int perfgate_record(const struct perfgate_result *r)
{
	struct perfgate_result whole = *r;
	int saved = errno, status;

	whole.sample = 0;
	status = perfgate_result_complete(&whole, &whole);
	if (status)
		return status;
	begin();
	find_folder();
	status = keep(&whole);
	end();
	errno = saved;
	return status;
}

static int put(const struct perfgate_text *t, const char *file, int fresh)
{
	char *part = perfgate_file_part(file, 0);
	int r = part ? perfgate_file_put(file, part, t->p, t->len, fresh) : ENOMEM;

	free(part);
	return r;
}

/* Finds the name that is ours: no file has it, and whoever else would want it at this moment is
 * kept out by its temporary file (file.h). */
static int put_first(const struct perfgate_text *t)
{
	struct timespec now;
	int r = EEXIST, i;

	clock_gettime(CLOCK_REALTIME, &now);
	for (i = 0; r == EEXIST && i < NAMES_MAX; i++) {
		long long number = (long long)now.tv_sec * 1000000000 + now.tv_nsec + i;
		char *file = perfgate_file_name(ours.folder, number);

		r = file ? put(t, file, 1) : ENOMEM;
		if (r)
			free(file);
		else
			ours.file = file;
	}
	return r;
}

static int flush(void)
{
	struct perfgate_text t = {0};
	int r = find_folder();

	if (r)
		return r;
	perfgate_text_results(&t, ours.results, ours.n);
	r = t.failed ? ENOMEM : ours.file ? put(&t, ours.file, 0) : put_first(&t);
	perfgate_text_release(&t);
	if (!r)
		ours.flushed = ours.n;
	return r;
}

int perfgate_flush(void)
{
	int saved = errno, r;

	begin();
	r = flush();
	end();
	errno = saved;
	return r;
}

const char *perfgate_file(void)
{
	const char *file;

	begin();
	file = ours.file;
	end();
	return file;
}

/* A destructor and not atexit(): what the program's own exit handlers record is not lost. */
__attribute__((destructor)) static void flush_at_exit(void)
{
	size_t lost;
	int r;

	if (ours.pid != getpid() || ours.n == ours.flushed)
		return;
	begin();
	lost = ours.n - ours.flushed;
	r = flush();
	end();
	if (r && r != PERFGATE_UNSET)
		dprintf(STDERR_FILENO, "perfgate: %zu result%s lost: PERFGATE_OUT: %s\n", lost,
			lost == 1 ? " is" : "s are", strerror(r));
}
