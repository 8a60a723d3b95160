#include "forge-private.h"

#include "num.h"
#include "text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TOKEN_MIN = 8,
	TOKEN_MAX = 4096,
	ATTEMPTS = 4,
	PAGES_MAX = 40,
	ONE_REQUEST_MS = 30000,
	FIRST_WAIT_MS = 500,
	SAID_MAX = 200
};

static int64_t left_ms(const struct forge *f)
{
	return (f->deadline - clock_ns(CLOCK_MONOTONIC)) / 1000000;
}

/* ---- the token ---- */

/* Printable, so that it cannot end its header. */
static bool is_token(const char *s)
{
	const size_t len = strlen(s);
	size_t i;

	for (i = 0; i < len && s[i] > ' ' && s[i] < 0x7f; i++)
		;
	return i == len && len >= TOKEN_MIN && len <= TOKEN_MAX;
}

static void find_token(struct forge *f)
{
	const struct forge_kind *kind = f->kind;
	size_t i;

	for (i = 0; kind->tokens[i] && !f->token; i++) {
		const char *value = getenv(kind->tokens[i]);
		if (!value || !*value)
			continue;
		f->token = xstrdup(value);
		f->token_name = kind->tokens[i];
		f->auth = kind->job_token && !strcmp(kind->job_token, kind->tokens[i])
				  ? kind->job_auth
				  : "Authorization: Bearer";
	}
}

/* 1, 0 there is none, -1. */
static int take_token(struct forge *f, struct err *err)
{
	_cleanup_(buf_release) struct buf names = BUF_INIT;
	size_t i;

	find_token(f);
	if (f->token && !is_token(f->token))
		return err_set(err, ERR_USAGE,
			"%s holds no token: %d to %d printable characters without blanks",
			f->token_name, TOKEN_MIN, TOKEN_MAX);
	if (f->token)
		return 1;
	for (i = 0; f->kind->tokens[i]; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", f->kind->tokens[i]);
	err_set(err, ERR_IO, "no token for %s: none of %s is set; it takes %s", f->kind->title,
		names.p, f->kind->note_right);
	return 0;
}

int forge_open(struct forge **ret, const struct forge_options *o, struct err *err)
{
	struct forge *f = xcalloc(1, sizeof(*f));
	int r;

	*ret = f;
	f->timeout_s = o->timeout_s;
	f->deadline = clock_ns(CLOCK_MONOTONIC) + o->timeout_s * 1000000000;
	r = forge_place(f, o, err) < 0 ? -1 : take_token(f, err);
	if (r > 0)
		f->http = http_open(err);
	return r > 0 && !f->http ? -1 : r;
}

void forge_close(struct forge *f)
{
	if (!f)
		return;
	http_close(f->http);
	free(f->api);
	free(f->repository);
	free(f->link);
	free(f->token);
	free(f);
}

const struct forge_kind *forge_kind_of(const struct forge *f)
{
	return f->kind;
}

const char *forge_repository(const struct forge *f)
{
	return f->repository;
}

int forge_status(const struct forge *f)
{
	return f->status;
}

bool forge_unsure(const struct forge *f)
{
	return f->unsure;
}

/* ---- what a server says ---- */

/* A string, or what stands in its place. */
static void add_value(struct buf *b, const struct jv *v)
{
	if (jv_kind(v) == JV_STRING)
		buf_addstr(b, jv_string(v, NULL));
	else if (jv_kind(v) != JV_NULL)
		jv_dump(b, v);
}

/* {"message": ..., "errors": [{"message" or "code": ...}]}, {"error": ...} */
static void add_members(struct buf *b, const struct jv *v)
{
	const struct jv *said = jv_get(v, "message"), *errors = jv_get(v, "errors"), *first;

	if (!said)
		said = jv_get(v, "error");
	if (said)
		add_value(b, said);
	first = errors && jv_kind(errors) == JV_ARRAY ? jv_at(errors, 0) : NULL;
	if (first && jv_kind(first) == JV_OBJECT)
		first = jv_get(first, jv_get(first, "message") ? "message" : "code");
	if (first) {
		buf_addstr(b, b->len ? ": " : "");
		add_value(b, first);
	}
}

/* The first line of it, in few words and without what steers a terminal. */
static void add_said(struct buf *b, const struct http_answer *a)
{
	_cleanup_(buf_release) struct buf said = BUF_INIT;
	struct err ignored = ERR_INIT;
	struct jv *v = a->body.len ? jv_load_text("", a->body.p, a->body.len, &ignored) : NULL;
	size_t len, n, one;

	if (v && jv_kind(v) == JV_OBJECT)
		add_members(&said, v);
	jv_free(v);
	if (!said.len)
		return;
	len = strcspn(said.p, "\r\n");
	for (n = 0; n < SAID_MAX && (one = utf8_sequence(said.p + n, len - n)) > 0;)
		n += one;
	buf_addstr(b, ": ");
	text_escape(b, said.p, n);
}

static bool is_redirection(int status)
{
	return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static bool is_limit(const struct http_answer *a)
{
	return a->status == 429 ||
	       (a->status == 403 && (a->wait_s || (a->remaining && !strcmp(a->remaining, "0"))));
}

static int explain(const struct forge *f, const struct forge_ask *q, const struct http_answer *a,
	struct err *err)
{
	_cleanup_(buf_release) struct buf said = BUF_INIT;
	const char *title = f->kind->title;

	add_said(&said, a);
	if (is_redirection(a->status))
		return err_set(err, ERR_IO,
			"%s answers %d: it is at another address, %.200s; no token is sent there: give it as --api or --repository",
			title, a->status, a->location ? a->location : "which it does not name");
	if (is_limit(a))
		return err_set(err, ERR_IO, "%s answers %d%s: its rate limit is used up", title,
			a->status, buf_str(&said));
	if (a->status == 401)
		return err_set(err, ERR_IO, "%s does not take the token in %s (401%s); it takes %s",
			title, f->token_name, buf_str(&said), q->right);
	if (a->status == 403 || a->status == 404)
		return err_set(err, ERR_IO,
			"%s answers %d%s: is '%.100s' the repository? Then the token in %s lacks a right; it takes %s",
			title, a->status, buf_str(&said), f->repository, f->token_name, q->right);
	return err_set(err, ERR_IO, "%s answers %d to %s %.200s%s", title, a->status, q->method,
		q->path, buf_str(&said));
}

/* ---- one call ---- */

/* What the server asks to be left alone for, ms; 0: nothing. */
static int64_t asked_pause(const struct http_answer *a)
{
	const int64_t now = clock_ns(CLOCK_REALTIME) / 1000000000;
	struct err ignored = ERR_INIT;
	int64_t s = a->wait_s, reset;

	if (s <= 0 && is_limit(a) && a->reset &&
		num_parse_int(a->reset, strlen(a->reset), 0, INT64_MAX, &reset, &ignored) == 0)
		s = reset - now + 1;
	return s <= 0 ? 0 : s < INT_MAX ? s * 1000 : INT_MAX;
}

/* Whether it is worth asking again, and does no harm. */
static bool may_repeat(
	struct forge *f, const struct forge_ask *q, enum http_end end, const struct http_answer *a)
{
	const int status = end == HTTP_ANSWERED ? a->status : 0;
	const bool server = status == 500 || status == 502 || status == 503 || status == 504;

	f->unsure = end == HTTP_UNSURE || server;
	if (f->unsure)
		return q->repeatable;
	return end == HTTP_UNSENT || (end == HTTP_ANSWERED && is_limit(a));
}

static void sleep_ms(int64_t ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

static enum http_end send_once(
	struct forge *f, const struct forge_ask *q, struct http_answer *a, struct err *err)
{
	_cleanup_(freep) char *url = xasprintf("%s%s", f->api, q->path);
	const int64_t left = left_ms(f);
	const struct http_request r = {.method = q->method,
		.url = url,
		.headers = f->kind->headers,
		.auth = f->auth,
		.secret = f->token,
		.body = q->body,
		.timeout_ms = left < ONE_REQUEST_MS ? left : ONE_REQUEST_MS};
	enum http_end end;

	if (left <= 0) {
		*a = (struct http_answer){0};
		err_set(err, ERR_IO, "%s: no answer within %lld s (--timeout)", f->kind->title,
			(long long)f->timeout_s);
		return HTTP_NEVER;
	}
	end = http_send(f->http, &r, a, err);
	f->status = end == HTTP_ANSWERED ? a->status : 0;
	if (end != HTTP_ANSWERED)
		err_prefix(err, "%s: %s %.200s", f->kind->title, q->method, url);
	return end;
}

static bool is_success(enum http_end end, const struct http_answer *a)
{
	return end == HTTP_ANSWERED && a->status >= 200 && a->status < 300;
}

/* Until it is answered, or there is no time left for another try. */
static int call(struct forge *f, const struct forge_ask *q, struct http_answer *a, struct err *err)
{
	int64_t wait = FIRST_WAIT_MS, pause;
	int i;

	for (i = 1;; i++) {
		enum http_end end;
		err_clear(err);
		end = send_once(f, q, a, err);
		if (is_success(end, a))
			return 0;
		if (end == HTTP_ANSWERED)
			explain(f, q, a, err);
		if (!may_repeat(f, q, end, a) || i == ATTEMPTS)
			return -1;
		pause = asked_pause(a);
		if (pause && pause >= left_ms(f))
			return err_prefix(err,
				"it asks to wait for %lld s, and there is no time for that (--timeout)",
				(long long)pause / 1000);
		pause = pause > wait ? pause : wait;
		if (pause >= left_ms(f))
			return -1;
		http_answer_release(a);
		sleep_ms(pause);
		wait *= 2;
	}
}

static int take_json(
	const struct forge *f, const struct http_answer *a, struct jv **ret, struct err *err)
{
	if (!ret)
		return 0;
	*ret = jv_load_text("its answer", buf_str(&a->body), a->body.len, err);
	return *ret ? 0
		    : err_prefix(err, "%s answers with something that is no JSON", f->kind->title);
}

int forge_call(struct forge *f, const struct forge_ask *q, struct jv **ret, struct err *err)
{
	struct http_answer a = {0};
	int r;

	f->status = 0;
	f->unsure = false;
	r = call(f, q, &a, err);
	if (r == 0)
		r = take_json(f, &a, ret, err);
	http_answer_release(&a);
	return r;
}

/* ---- lists ---- */

/* path with another page's number, in place of the one that it may end with. */
static char *numbered(const char *path, const char *number)
{
	const char *old = strstr(path, "&page=");
	_cleanup_(freep) char *first = old ? xstrndup(path, (size_t)(old - path)) : xstrdup(path);

	return xasprintf("%s&page=%s", first, number);
}

/* The path of the next page; the caller frees. NULL: there is none, or err is set. */
static char *next_page(
	struct forge *f, const char *path, const struct http_answer *a, struct err *err)
{
	_cleanup_(freep) char *url = http_next_link(a->link);
	const size_t api = strlen(f->api), digits = a->next_page ? strlen(a->next_page) : 0;

	if (digits && digits < 10 && strspn(a->next_page, "0123456789") == digits)
		return numbered(path, a->next_page);
	if (!url)
		return NULL;
	if (http_same_origin(url, f->api) && !strncmp(url, f->api, api) && url[api] == '/')
		return xstrdup(url + api);
	err_set(err, ERR_IO, "%s names another server's next page, %.200s; no token is sent there",
		f->kind->title, url);
	return NULL;
}

static int visit_page(struct forge *f, const struct http_answer *a, forge_visit *visit, void *ctx,
	struct err *err)
{
	struct jv *page = NULL;
	size_t i;
	int r = take_json(f, a, &page, err);

	if (r == 0 && jv_kind(page) != JV_ARRAY)
		r = err_set(err, ERR_FORMAT, "%s answers with %s, expected an array",
			f->kind->title, jv_kind_name(jv_kind(page)));
	for (i = 0; r == 0 && i < jv_len(page); i++) {
		const struct jv *v = jv_at(page, i);
		r = jv_kind(v) == JV_OBJECT
			    ? visit(ctx, v, err)
			    : err_set(err, ERR_FORMAT, "an element is %s, expected an object",
				      jv_kind_name(jv_kind(v)));
		if (r < 0)
			err_prefix(err, "what %s answers", f->kind->title);
	}
	jv_free(page);
	return r;
}

int forge_each(struct forge *f, const char *path, forge_visit *visit, void *ctx, struct err *err)
{
	char *at = xstrdup(path);
	int r = 0, pages;

	f->status = 0;
	f->unsure = false;
	for (pages = 0; at && r == 0; pages++) {
		const struct forge_ask q = {.method = "GET",
			.path = at,
			.right = f->kind->note_right,
			.repeatable = true};
		struct http_answer a = {0};
		char *next = NULL;
		r = pages < PAGES_MAX ? call(f, &q, &a, err)
				      : err_set(err, ERR_IO, "%s: a list of more than %d pages",
						f->kind->title, PAGES_MAX);
		if (r == 0)
			r = visit_page(f, &a, visit, ctx, err);
		if (r == 0)
			next = next_page(f, at, &a, err);
		http_answer_release(&a);
		free(at);
		at = next;
		r = r == 0 && err->code ? -1 : r;
	}
	free(at);
	return r;
}
