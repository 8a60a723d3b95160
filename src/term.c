#include "term.h"

#include "ci.h"
#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

bool term_colour(FILE *f)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(f)) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

/* What COLUMNS says; 0: nothing that makes sense. */
static int columns_asked_for(void)
{
	const char *columns = getenv("COLUMNS");
	long n = columns ? strtol(columns, NULL, 10) : 0;

	return n >= 20 && n <= 1000 ? (int)n : 0;
}

bool term_fits(FILE *f)
{
	return columns_asked_for() || isatty(fileno(f));
}

int term_width(FILE *f)
{
	const int asked = columns_asked_for();
	struct winsize w;

	if (asked)
		return asked;
	if (isatty(fileno(f)) && ioctl(fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_col >= 20)
		return w.ws_col;
	return 80;
}

void term_line(FILE *f, const char *line)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (ci_present()) {
		text_defuse(&b, line);
		line = buf_str(&b);
	}
	fputs(line, f);
	fputc('\n', f);
}

/* ---- progress ---- */

struct progress {
	char *what;
	int64_t started, shown; /* ns */
};

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct progress *progress_start(const char *what)
{
	struct progress *p;
	struct buf b = BUF_INIT;

	if (!isatty(STDERR_FILENO))
		return NULL;
	p = xcalloc(1, sizeof(*p));
	text_escape(&b, what, strlen(what) < 60 ? strlen(what) : 60);
	p->what = buf_take(&b);
	p->started = now();
	return p;
}

void progress_update(struct progress *p, double done, double total)
{
	int64_t t;

	if (!p)
		return;
	t = now();
	if (t - p->started < 1000000000 || t - p->shown < 100000000)
		return;
	p->shown = t;
	if (total > 0)
		fprintf(stderr, "\r\033[K%s  %3.0f %%", p->what, 100 * done / total);
	else
		fprintf(stderr, "\r\033[K%s  %.0f", p->what, done);
	fflush(stderr);
}

void progress_say(struct progress *p, const char *fmt, ...)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT, safe = BUF_INIT;
	va_list ap;

	if (!p)
		return;
	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	text_escape(&safe, buf_str(&b), b.len);
	p->shown = now();
	fprintf(stderr, "\r\033[K%s%s", p->what, buf_str(&safe));
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (!p)
		return;
	if (p->shown) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	free(p->what);
	free(p);
}

void progress_callback(void *p, double done, double total)
{
	progress_update(p, done, total);
}

/* ---- tables ---- */

enum { COLUMNS_MAX = 16, GAP = 2, NARROWEST = 6, PADDED_MAX = 100 };

struct table {
	size_t n_columns;
	bool right[COLUMNS_MAX], whole[COLUMNS_MAX];
	char **cells;
	size_t n, cap;
	const char **paints; /* by row; NULL: none */
	size_t n_paints;
};

static void add_cell(struct table *t, char *text)
{
	t->cells = xgrow(t->cells, t->n, &t->cap, sizeof(*t->cells));
	t->cells[t->n++] = text;
}

struct table *table_new(const char *headings, ...)
{
	struct table *t = xcalloc(1, sizeof(*t));
	const char *h;
	va_list ap;

	va_start(ap, headings);
	for (h = headings; h && t->n_columns < COLUMNS_MAX; h = va_arg(ap, const char *))
		table_heading(t, h);
	va_end(ap);
	return t;
}

void table_heading(struct table *t, const char *heading)
{
	const bool marked = *heading == '>' || *heading == '=';

	if (t->n_columns == COLUMNS_MAX)
		return;
	t->right[t->n_columns] = *heading == '>';
	t->whole[t->n_columns++] = marked;
	add_cell(t, xstrdup(heading + marked));
}

void table_paint(struct table *t, const char *sgr)
{
	const size_t row = (t->n - 1) / t->n_columns;

	t->paints = xgrow_to(t->paints, &t->n_paints, row, sizeof(*t->paints));
	t->paints[row] = sgr;
}

void table_cell(struct table *t, const char *fmt, ...)
{
	_cleanup_(buf_release) struct buf raw = BUF_INIT;
	struct buf safe = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&raw, fmt, ap);
	va_end(ap);
	text_escape(&safe, buf_str(&raw), raw.len);
	add_cell(t, buf_take(&safe));
}

/* The widest column gives way, a column of the terminal at a time, until all fit. */
static void shrink(const struct table *t, size_t *widths, size_t total, size_t width)
{
	size_t i, widest;

	for (; total > width; total--) {
		widest = COLUMNS_MAX;
		for (i = 0; i < t->n_columns; i++)
			if (!t->whole[i] && (widest == COLUMNS_MAX || widths[i] > widths[widest]))
				widest = i;
		if (widest == COLUMNS_MAX || widths[widest] <= NARROWEST)
			return;
		widths[widest]--;
	}
}

static void column_widths(const struct table *t, size_t *widths, size_t width)
{
	size_t i, total = 0;

	for (i = 0; i < t->n; i++) {
		size_t w = text_width(t->cells[i], strlen(t->cells[i])), c = i % t->n_columns;
		w = width == SIZE_MAX && w > PADDED_MAX ? PADDED_MAX : w;
		widths[c] = w > widths[c] ? w : widths[c];
	}
	for (i = 0; i < t->n_columns; i++)
		total += widths[i] + (i ? GAP : 0);
	shrink(t, widths, total, width);
}

/* Goes on over the next character and returns its width. */
static size_t step(const char *s, size_t len, size_t *at)
{
	size_t from = *at, n = utf8_sequence(s + from, len - from);

	n = n ? n : 1;
	*at += n;
	return text_width(s + from, n);
}

/* s, w columns wide, cut in its middle to at most that width. */
static void cut(struct buf *b, const char *s, size_t w, size_t width)
{
	size_t len = strlen(s), head = 0, taken = 0, next = 0, tail;

	for (;;) {
		size_t more = step(s, len, &next);
		if (taken + more > (width - 3) / 2)
			break;
		taken += more;
		head = next;
	}
	w -= taken;
	for (tail = head; tail < len && w > width - 3 - taken;)
		w -= step(s, len, &tail);
	buf_add(b, s, head);
	buf_addstr(b, "...");
	buf_add(b, s + tail, len - tail);
}

static void pad(struct buf *b, size_t columns)
{
	while (columns-- > 0)
		buf_addch(b, ' ');
}

static void add_padded(struct buf *b, const char *s, size_t width, bool right, bool last)
{
	const size_t w = text_width(s, strlen(s)), room = w < width ? width - w : 0;

	pad(b, right ? room : 0);
	buf_addstr(b, s);
	pad(b, right || last ? 0 : room);
}

/* The row's cells, cut where they are wider than a table that has to fit allows. */
static void write_row(const struct table *t, size_t row, const size_t *widths, bool fit, FILE *out)
{
	_cleanup_(buf_release) struct buf line = BUF_INIT, shorter = BUF_INIT;
	const char *sgr = row < t->n_paints && term_colour(out) ? t->paints[row] : NULL;
	size_t c;

	for (c = 0; c < t->n_columns; c++) {
		const bool last = c == t->n_columns - 1;
		const char *s = t->cells[row * t->n_columns + c];
		const size_t w = text_width(s, strlen(s));

		buf_clear(&shorter);
		if (fit && w > widths[c]) {
			cut(&shorter, s, w, widths[c]);
			s = shorter.p;
		}
		if (sgr && c == 0)
			buf_addf(&line, "\033[%sm", sgr);
		add_padded(&line, s, widths[c], t->right[c], last);
		if (sgr && c == 0)
			buf_addstr(&line, "\033[m");
		pad(&line, last ? 0 : GAP);
	}
	while (line.len && line.p[line.len - 1] == ' ')
		line.p[--line.len] = '\0';
	term_line(out, buf_str(&line));
}

void table_write(struct table *t, FILE *out)
{
	const bool fit = term_fits(out);
	size_t widths[COLUMNS_MAX] = {0}, i;

	column_widths(t, widths, fit ? (size_t)term_width(out) : SIZE_MAX);
	for (i = 0; i < t->n / t->n_columns; i++)
		write_row(t, i, widths, fit, out);
	table_free(t);
}

void table_free(struct table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		free(t->cells[i]);
	free(t->cells);
	free(t->paints);
	free(t);
}
