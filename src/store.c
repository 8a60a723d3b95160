#include "store-private.h"

#include <stdlib.h>
#include <string.h>

const char *store_keep(struct store *s, const char *text)
{
	return intern_get(s->strings, intern_add(s->strings, text, strlen(text)), NULL);
}

struct store *store_open(const char *path, enum store_mode mode, struct err *err)
{
	struct store *s = xcalloc(1, sizeof(*s));

	PERFGATE_SCOPE("open the store");
	s->strings = intern_new();
	s->db = db_open(path, mode == STORE_READ ? DB_READ : DB_WRITE, err);
	if (!s->db) {
		store_close(s);
		return NULL;
	}
	s->path = s->db->name;
	return s;
}

int store_exists(const char *path, struct err *err)
{
	return db_exists(path, err);
}

void store_close(struct store *s)
{
	if (!s)
		return;
	db_close(s->db);
	intern_free(s->strings);
	free(s->series);
	free(s->runners);
	free(s->parents);
	free(s);
}

void store_on_progress(
	struct store *s, void (*progress)(void *ctx, double done, double of), void *ctx)
{
	s->progress = progress;
	s->progress_ctx = ctx;
}

void store_progress(struct store *s, double done, double of)
{
	if (s->progress)
		s->progress(s->progress_ctx, done, of);
}

void store_on_use(struct store *s, void (*use)(void *ctx, int64_t run), void *ctx)
{
	s->use = use;
	s->use_ctx = ctx;
}

void store_use(struct store *s, int64_t run)
{
	if (s->use)
		s->use(s->use_ctx, run);
}

const char *store_path(const struct store *s)
{
	return s->path;
}

int store_begin_read(struct store *s, struct err *err)
{
	return db_begin(s->db, DB_READING, "reading", err);
}

void store_end_read(struct store *s)
{
	db_rollback(s->db);
}
