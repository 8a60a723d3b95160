/* Change requests, their comments, and the status of a commit. */
#include "forge-private.h"

#include "json-out.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { WRITES = 3 };

static char *path_of(const struct forge *f, void (*add)(struct buf *b))
{
	struct buf b = BUF_INIT;

	forge_add_base(&b, f);
	add(&b);
	return buf_take(&b);
}

/* ---- which request ---- */

struct search {
	const struct forge *f;
	const char *sha;
	struct change found;
	bool moved;
};

static int look_at_change(void *ctx, const struct jv *v, struct err *err)
{
	struct search *s = ctx;
	struct change c;

	if (s->f->kind->read_change(v, &c, err) < 0)
		return -1;
	if (!c.open)
		return 0;
	if (strcmp(c.head, s->sha) != 0) {
		s->moved = true;
		return 0;
	}
	s->found = c;
	return 1;
}

/* Those that hold the commit; of one that only a fork has, the forge may know nothing. */
static int search_by_commit(struct forge *f, struct search *s, struct err *err)
{
	_cleanup_(buf_release) struct buf path = BUF_INIT;
	int r;

	forge_add_base(&path, f);
	f->kind->add_of_commit(&path, s->sha);
	r = forge_each(f, path.p, look_at_change, s, err);
	if (r < 0 && (f->status == 404 || f->status == 422)) {
		err_clear(err);
		return 0;
	}
	return r;
}

static int search(struct forge *f, struct search *s, struct err *err)
{
	_cleanup_(freep) char *open = path_of(f, f->kind->add_open);
	bool moved;
	int r = search_by_commit(f, s, err);

	if (r != 0)
		return r;
	moved = s->moved;
	r = forge_each(f, open, look_at_change, s, err);
	s->moved = moved; /* open requests of others are none that moved */
	return r;
}

static int look_up(struct forge *f, const char *sha, int64_t number, struct change *ret,
	enum forge_found *ret_found, struct err *err)
{
	_cleanup_(buf_release) struct buf path = BUF_INIT;
	_cleanup_(jv_freep) struct jv *v = NULL;
	struct forge_ask q = {.method = "GET", .right = f->kind->note_right, .repeatable = true};

	forge_add_base(&path, f);
	f->kind->add_one(&path, number);
	q.path = path.p;
	if (forge_call(f, &q, &v, err) < 0)
		return -1;
	if (jv_kind(v) != JV_OBJECT || f->kind->read_change(v, ret, err) < 0) {
		err_set(err, ERR_FORMAT, "no %s", f->kind->request);
		return err_prefix(err, "what %s answers", f->kind->title);
	}
	if (ret->number != number)
		return err_set(err, ERR_FORMAT, "%s answers with another %s", f->kind->title,
			f->kind->request);
	*ret_found = !ret->open ? FORGE_CLOSED : strcmp(ret->head, sha) ? FORGE_MOVED : FORGE_FOUND;
	return 0;
}

int forge_find(struct forge *f, const char *sha, int64_t number, struct change *ret,
	enum forge_found *ret_found, struct err *err)
{
	struct search s = {.f = f, .sha = sha};
	int r;

	if (number)
		return look_up(f, sha, number, ret, ret_found, err);
	r = search(f, &s, err);
	if (r < 0)
		return -1;
	*ret = s.found;
	*ret_found = r > 0 ? FORGE_FOUND : s.moved ? FORGE_MOVED : FORGE_NONE;
	return 0;
}

/* ---- its comment ---- */

struct own_note {
	const struct forge_kind *kind;
	const char *marker, *login; /* login NULL: not known who the token is */
	int64_t id;                 /* 0: there is none */
	char *body;
};

static bool begins_with(const char *body, const char *marker)
{
	const size_t n = strlen(marker);

	return body && !strncmp(body, marker, n) &&
	       (!body[n] || body[n] == '\n' || body[n] == '\r');
}

/* Whoever else writes the marker gets no comment of ours. */
static bool is_own(const struct own_note *own, const struct note *n)
{
	if (!begins_with(n->body, own->marker))
		return false;
	if (own->login)
		return n->author && !strcmp(n->author, own->login);
	return !own->kind->bots_are_marked || n->bot;
}

static int look_at_note(void *ctx, const struct jv *v, struct err *err)
{
	struct own_note *own = ctx;
	struct note n;

	if (own->kind->read_note(v, &n, err) < 0)
		return -1;
	if (!is_own(own, &n))
		return 0;
	own->id = n.id;
	own->body = xstrdup(n.body);
	return 1;
}

/* Whose token it is, to be freed; NULL where it does not say, as those of GitHub's jobs. */
static char *who(struct forge *f)
{
	const struct forge_ask q = {
		.method = "GET", .path = "/user", .right = f->kind->note_right, .repeatable = true};
	_cleanup_(jv_freep) struct jv *v = NULL;
	struct err ignored = ERR_INIT;
	const char *login = NULL;

	if (forge_call(f, &q, &v, &ignored) < 0 || jv_kind(v) != JV_OBJECT ||
		jv_get_string(v, f->kind->login_key, &login, &ignored) < 0)
		return NULL;
	return login ? xstrdup(login) : NULL;
}

static int find_note(struct forge *f, const struct change *c, struct own_note *own, struct err *err)
{
	_cleanup_(buf_release) struct buf path = BUF_INIT;

	free(own->body);
	own->body = NULL;
	own->id = 0;
	forge_add_base(&path, f);
	f->kind->add_notes(&path, c->number);
	f->kind->add_notes_query(&path);
	return forge_each(f, path.p, look_at_note, own, err);
}

/* Servers change ends of lines, and cut blanks off the end. */
static bool same_text(const char *a, const char *b)
{
	for (;;) {
		while (*a == '\r')
			a++;
		while (*b == '\r')
			b++;
		if (*a != *b || !*a)
			break;
		a++;
		b++;
	}
	return !a[strspn(a, "\r\n \t")] && !b[strspn(b, "\r\n \t")];
}

static int send_note(struct forge *f, const struct change *c, const struct own_note *own,
	const char *body, struct err *err)
{
	_cleanup_(buf_release) struct buf path = BUF_INIT, json = BUF_INIT;
	struct forge_ask q = {.method = own->id ? f->kind->update_method : "POST",
		.right = f->kind->note_right,
		.repeatable = own->id != 0};

	forge_add_base(&path, f);
	if (own->id)
		f->kind->add_note(&path, c->number, own->id);
	else
		f->kind->add_notes(&path, c->number);
	buf_addch(&json, '{');
	json_string(&json, "body", body);
	buf_addch(&json, '}');
	q.path = path.p;
	q.body = json.p;
	return forge_call(f, &q, NULL, err);
}

/* Whether it is worth to look again: a new comment may have arrived though nobody said so, and an
 * old one may be gone. */
static bool look_again(const struct forge *f, const struct own_note *own)
{
	return own->id ? f->status == 404 : f->unsure;
}

static int write_note(struct forge *f, const struct change *c, struct own_note *own,
	const char *body, enum forge_wrote *ret, struct err *err)
{
	struct err trouble = ERR_INIT;
	bool tried = false;
	int i;

	for (i = 0; i < WRITES; i++) {
		if (find_note(f, c, own, err) < 0)
			break;
		if (own->id && same_text(own->body, body)) {
			*ret = tried ? FORGE_CREATED : FORGE_UNCHANGED;
			return 0;
		}
		*ret = own->id ? FORGE_UPDATED : FORGE_CREATED;
		err_clear(&trouble);
		if (send_note(f, c, own, body, &trouble) == 0)
			return 0;
		tried = !own->id;
		if (!look_again(f, own))
			break;
	}
	if (trouble.code)
		*err = trouble;
	return -1;
}

int forge_comment(struct forge *f, const struct change *c, const char *marker, const char *body,
	enum forge_wrote *ret, struct err *err)
{
	_cleanup_(freep) char *login = who(f);
	struct own_note own = {.kind = f->kind, .marker = marker, .login = login};
	int r = write_note(f, c, &own, body, ret, err);

	free(own.body);
	return r;
}

/* ---- a status ---- */

int forge_set_status(struct forge *f, const char *sha, int status, const char *context,
	const char *description, struct err *err)
{
	const struct forge_kind *kind = f->kind;
	_cleanup_(buf_release) struct buf path = BUF_INIT, json = BUF_INIT;
	_cleanup_(freep) char *cut = xstrndup(description, (size_t)kind->description_max);
	struct forge_ask q = {.method = "POST", .right = kind->status_right, .repeatable = true};

	forge_add_base(&path, f);
	kind->add_status(&path, sha);
	buf_addch(&json, '{');
	json_string(&json, "state", kind->state(status));
	json_string(&json, kind->context_key, context);
	json_string(&json, "description", cut);
	if (f->link)
		json_string(&json, "target_url", f->link);
	buf_addch(&json, '}');
	q.path = path.p;
	q.body = json.p;
	return forge_call(f, &q, NULL, err);
}
