#include "callgrind.h"

#include "buf.h"

#include <stdlib.h>
#include <string.h>

enum { READ_SIZE = 65536, TEXT_WINDOW = 1 << 20, OVERLAP = 32 };

/* Where the removal of terminal escapes stands. */
enum escape { ESC_NONE, ESC_BEGUN, ESC_CONTROL, ESC_STRING, ESC_STRING_END };

struct summary_stream {
	struct input *in;
	char *raw;
	struct buf b; /* bytes without escapes; those before pos are done with */
	size_t pos;
	uint64_t dropped; /* bytes that left b */
	unsigned line;    /* of pos, from 1 */
	bool eof, fresh;  /* fresh: an object may begin at pos */
	enum escape escape;
	unsigned foreign;

	/* The first '{' whose object could not be read, and how far it reached: text up to there is
	 * judged by its fault. */
	struct err fault;
	uint64_t fault_end;
	bool fault_at_eof; /* the input ends inside it, and nothing complete came since */
};

struct summary_stream *summary_stream_open(struct input *in)
{
	struct summary_stream *s = xcalloc(1, sizeof(*s));

	s->in = in;
	s->raw = xmalloc(READ_SIZE);
	buf_room(&s->b, READ_SIZE);
	s->line = 1;
	s->fresh = true;
	return s;
}

void summary_stream_close(struct summary_stream *s)
{
	if (!s)
		return;
	buf_release(&s->b);
	free(s->raw);
	free(s);
}

void summary_stream_closep(struct summary_stream **s)
{
	summary_stream_close(*s);
}

unsigned summary_stream_foreign(const struct summary_stream *s)
{
	return s->foreign;
}

static unsigned count_lines(const char *p, size_t n)
{
	const char *end = p + n;
	unsigned lines = 0;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		lines++;
		p++;
	}
	return lines;
}

static void consume(struct summary_stream *s, size_t n)
{
	s->line += count_lines(s->b.p + s->pos, n);
	s->pos += n;
}

/* ECMA-48: ESC [ ... final byte is a control sequence, ESC ] ... BEL or ESC \ a string; any other
 * byte after ESC ends it. A sequence never outlives its line. */
static enum escape escape_step(enum escape e, unsigned char c)
{
	if (c == '\n')
		return ESC_NONE;
	switch (e) {
	case ESC_BEGUN:
		return c == '[' ? ESC_CONTROL : c == ']' ? ESC_STRING : ESC_NONE;
	case ESC_CONTROL:
		return c >= 0x40 && c <= 0x7e ? ESC_NONE : ESC_CONTROL;
	case ESC_STRING:
		return c == 0x07 ? ESC_NONE : c == 0x1b ? ESC_STRING_END : ESC_STRING;
	default:
		return ESC_NONE;
	}
}

/* Appends n raw bytes without their escapes. */
static void add_plain(struct summary_stream *s, const char *p, size_t n)
{
	const char *end = p + n;

	while (p < end) {
		if (s->escape == ESC_NONE) {
			const char *esc = memchr(p, 0x1b, (size_t)(end - p));
			const char *stop = esc ? esc : end;
			buf_add(&s->b, p, (size_t)(stop - p));
			if (!esc)
				return;
			s->escape = ESC_BEGUN;
			p = esc + 1;
		} else {
			s->escape = escape_step(s->escape, (unsigned char)*p);
			if (*p == '\n')
				buf_addch(&s->b, '\n');
			p++;
		}
	}
}

/* Reads more. Returns 1, 0 at the end, -1 with err set. */
static int fill(struct summary_stream *s, struct err *err)
{
	const char *nul;
	long n;

	if (s->eof)
		return 0;
	if (s->pos > s->b.len / 2) {
		memmove(s->b.p, s->b.p + s->pos, s->b.len - s->pos);
		s->b.len -= s->pos;
		s->dropped += s->pos;
		s->pos = 0;
	}
	n = input_read(s->in, s->raw, READ_SIZE, err);
	if (n < 0)
		return -1;
	if (n == 0) {
		s->eof = true;
		return 0;
	}
	nul = memchr(s->raw, 0, (size_t)n);
	if (nul)
		return err_set(err, ERR_FORMAT, "%s:%u: a NUL byte", input_name(s->in),
			s->line + count_lines(s->b.p + s->pos, s->b.len - s->pos) +
				count_lines(s->raw, (size_t)(nul - s->raw)));
	add_plain(s, s->raw, (size_t)n);
	return 1;
}

/* ---- text ---- */

/* Keys that only a summary has, so that a piece of one is never taken for noise. */
static bool holds_signature(const char *p, size_t n)
{
	static const char *const keys[] = {"\"module_path\"", "\"benchmark_exe\"",
		"\"callgrind_summary\"", "\"tool_summaries\""};
	size_t i;

	for (i = 0; i < ARRAY_LEN(keys); i++)
		if (memmem(p, n, keys[i], strlen(keys[i])))
			return true;
	return false;
}

static int check_text(struct summary_stream *s, size_t n, struct err *err)
{
	if (!holds_signature(s->b.p + s->pos, n))
		return 0;
	if (s->dropped + s->pos < s->fault_end) {
		*err = s->fault;
		return -1;
	}
	return err_set(err, ERR_FORMAT,
		"%s:%u: a piece of a summary in text, expected a JSON object that begins its line",
		input_name(s->in), s->line);
}

/* Passes over the rest of the line at pos. */
static int skip_text(struct summary_stream *s, struct err *err)
{
	size_t seen = 0;

	for (;;) {
		size_t held = s->b.len - s->pos;
		const char *p = s->b.p + s->pos,
			   *nl = held ? memchr(p + seen, '\n', held - seen) : NULL;
		size_t n = nl ? (size_t)(nl - p) + 1 : held;
		int r;

		if (nl || s->eof) {
			if (n && check_text(s, n, err) < 0)
				return -1;
			consume(s, n);
			s->fresh = true;
			return 0;
		}
		seen = held;
		if (held > TEXT_WINDOW) {
			if (check_text(s, held, err) < 0)
				return -1;
			consume(s, held - OVERLAP);
			seen = OVERLAP;
		}
		r = fill(s, err);
		if (r < 0)
			return -1;
	}
}

/* ---- objects ---- */

struct span {
	size_t done; /* bytes from the '{' */
	int depth;
	bool in_string, escaped;
	const char *why; /* the fault */
};

static void span_byte(struct span *sp, unsigned char c)
{
	if (sp->in_string) {
		if (c < 0x20)
			sp->why = "a string that its line does not close";
		else if (sp->escaped)
			sp->escaped = false;
		else if (c == '\\')
			sp->escaped = true;
		else if (c == '"')
			sp->in_string = false;
	} else if (c == '"') {
		sp->in_string = true;
	} else if (c == '{' || c == '[') {
		if (++sp->depth > JSON_DEPTH_MAX)
			sp->why = "nested deeper than 64 levels";
	} else if (c == '}' || c == ']') {
		sp->depth--;
	}
}

/* Finds the end of the balanced {...} at pos. Returns 1, 0 with sp->why set, -1 with err set. */
static int span_object(struct summary_stream *s, struct span *sp, struct err *err)
{
	for (;;) {
		while (s->pos + sp->done < s->b.len) {
			span_byte(sp, (unsigned char)s->b.p[s->pos + sp->done]);
			if (sp->why)
				return 0;
			sp->done++;
			if (sp->depth == 0)
				return 1;
		}
		if (sp->done > JSON_ELEMENT_MAX) {
			sp->why = "an object of more than 16 MiB";
			return 0;
		}
		int r = fill(s, err);
		if (r < 0)
			return -1;
		if (r == 0) {
			sp->why = "the document ends inside an object that begins here";
			return 0;
		}
	}
}

static void keep_fault(struct summary_stream *s, const struct span *sp, struct err *fault)
{
	uint64_t here = s->dropped + s->pos;

	if (here < s->fault_end)
		return;
	s->fault = *fault;
	s->fault_end = here + sp->done + 1;
}

/* Whether what follows the '{' reads like JSON: a key, or nothing at all. */
static bool begins_like_json(const struct summary_stream *s)
{
	size_t i = s->pos + 1;

	while (i < s->b.len && strchr(" \t\r\n", s->b.p[i]))
		i++;
	return i == s->b.len || s->b.p[i] == '"';
}

static void span_failed(struct summary_stream *s, const struct span *sp)
{
	struct err fault = ERR_INIT;
	bool at_eof = s->eof && s->pos + sp->done == s->b.len;
	unsigned line = s->line + (at_eof ? 0 : count_lines(s->b.p + s->pos, sp->done));

	err_set(&fault, ERR_FORMAT, "%s:%u: %s", input_name(s->in), line, sp->why);
	keep_fault(s, sp, &fault);
	if (at_eof && begins_like_json(s))
		s->fault_at_eof = true;
}

/* Turns ":LINE: TEXT" of a piece of the input into the place in the input. */
static void place_fault(const struct summary_stream *s, struct err *fault)
{
	char *end, text[sizeof(fault->msg)];
	unsigned long line = strtoul(fault->msg + 1, &end, 10);

	if (fault->msg[0] != ':' || *end != ':') {
		err_prefix(fault, "%s:%u", input_name(s->in), s->line);
		return;
	}
	memcpy(text, end, strlen(end) + 1);
	err_clear(fault);
	err_set(fault, ERR_FORMAT, "%s:%lu%s", input_name(s->in), s->line + line - 1, text);
}

/*
 * Loads the object at pos. Returns 1 with *ret and the object consumed, 0 when it cannot be read
 * as one, -1 with err set.
 */
static int load_object(struct summary_stream *s, struct jv **ret, struct err *err)
{
	struct span sp = {0};
	struct err fault = ERR_INIT;
	int r = span_object(s, &sp, err);

	if (r < 0)
		return -1;
	if (r == 0) {
		span_failed(s, &sp);
		return 0;
	}
	*ret = jv_load_text("", s->b.p + s->pos, sp.done, &fault);
	if (!*ret) {
		place_fault(s, &fault);
		keep_fault(s, &sp, &fault);
		return 0;
	}
	consume(s, sp.done);
	s->fresh = true;
	s->fault_at_eof = false;
	return 1;
}

/*
 * Logs of programs carry a module_path too. A summary has a benchmark_file in every version, and
 * may lack anything else that is looked for here.
 */
static bool is_summary(const struct jv *v)
{
	return jv_get(v, "module_path") &&
	       (jv_get(v, "benchmark_file") || jv_get(v, "callgrind_summary") ||
		       jv_get(v, "tool_summaries") || jv_get(v, "profiles"));
}

/* Skips what may stand before an object: blanks, and the brackets and commas of an array of
 * summaries. Returns the byte at pos, 0 at the end, -1 with err set. */
static int next_byte(struct summary_stream *s, struct err *err)
{
	for (;;) {
		while (s->pos < s->b.len) {
			char c = s->b.p[s->pos];
			bool skip = c == '\n' || (s->fresh && strchr(" \t\r[,", c));
			if (!skip)
				return (unsigned char)c;
			consume(s, 1);
			s->fresh |= c == '\n';
		}
		int r = fill(s, err);
		if (r <= 0)
			return r;
	}
}

static int skip_bom(struct summary_stream *s, struct err *err)
{
	while (s->b.len < 3) {
		int r = fill(s, err);
		if (r < 0)
			return -1;
		if (r == 0)
			return 0;
	}
	if (!memcmp(s->b.p, "\xEF\xBB\xBF", 3))
		s->pos = 3;
	return 0;
}

int summary_stream_next(
	struct summary_stream *s, struct jv **ret, unsigned *ret_line, struct err *err)
{
	struct jv *v = NULL;
	int c, r;

	if (s->dropped == 0 && s->pos == 0 && skip_bom(s, err) < 0)
		return -1;
	while ((c = next_byte(s, err)) > 0) {
		unsigned line = s->line;
		r = c == '{' ? load_object(s, &v, err) : 0;
		if (r < 0 || (r == 0 && skip_text(s, err) < 0))
			return -1;
		if (r > 0 && is_summary(v)) {
			*ret = v;
			*ret_line = line;
			return 1;
		}
		if (r > 0) {
			s->foreign++;
			jv_free(v);
		}
	}
	if (c < 0)
		return -1;
	if (s->fault_at_eof) {
		*err = s->fault;
		return -1;
	}
	return 0;
}
