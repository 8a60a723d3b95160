#include "go.h"

#include "intern.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* Log output may look like configuration: a bound keeps it from filling the store. */
enum { KEYS_MAX = 32, VALUES_MAX = 64, UNITS_MAX = 256, LENGTH_MAX = 256 };

struct key {
	char *name;
	char *values[VALUES_MAX];
	size_t n;
};

struct unit {
	char *metric;
	bool directed, exact, used, late;
	enum direction direction;
};

struct go_facts {
	struct key keys[KEYS_MAX];
	size_t n_keys;
	bool more;
	struct unit *units;
	size_t n_units, cap_units;
};

struct go_facts *go_facts_new(void)
{
	return xcalloc(1, sizeof(struct go_facts));
}

void go_facts_free(struct go_facts *f)
{
	size_t i, k;

	if (!f)
		return;
	for (i = 0; i < f->n_keys; i++) {
		free(f->keys[i].name);
		for (k = 0; k < f->keys[i].n; k++)
			free(f->keys[i].values[k]);
	}
	for (i = 0; i < f->n_units; i++)
		free(f->units[i].metric);
	free(f->units);
	free(f);
}

/* ---- configuration ---- */

static char *clean_copy(struct text t)
{
	struct buf b = BUF_INIT;

	text_sanitize(&b, t.p, text_len(t));
	return buf_take(&b);
}

static struct key *find_key(struct go_facts *f, struct text name)
{
	size_t i;

	for (i = 0; i < f->n_keys; i++)
		if (text_is(name, f->keys[i].name))
			return &f->keys[i];
	if (f->n_keys == KEYS_MAX) {
		f->more = true;
		return NULL;
	}
	f->keys[f->n_keys].name = clean_copy(name);
	return &f->keys[f->n_keys++];
}

void go_facts_config(struct go_facts *f, struct text key, struct text value)
{
	struct key *k;
	size_t i;

	if (text_len(key) > LENGTH_MAX || text_len(value) > LENGTH_MAX || !text_len(value) ||
		!utf8_valid(key.p, text_len(key)))
		return;
	k = find_key(f, key);
	for (i = 0; k && i < k->n; i++)
		if (text_is(value, k->values[i]))
			return;
	if (k && k->n < VALUES_MAX)
		k->values[k->n++] = clean_copy(value);
	else
		f->more = true;
}

/* ---- units ---- */

static struct unit *find_unit(struct go_facts *f, const char *metric, bool add)
{
	size_t i;

	for (i = 0; i < f->n_units; i++)
		if (!strcmp(f->units[i].metric, metric))
			return &f->units[i];
	if (!add || f->n_units == UNITS_MAX)
		return NULL;
	f->units = xgrow(f->units, f->n_units, &f->cap_units, sizeof(*f->units));
	f->units[f->n_units] = (struct unit){.metric = xstrdup(metric)};
	return &f->units[f->n_units++];
}

static int set_direction(struct unit *u, enum direction d, struct err *err)
{
	if (u->directed && u->direction != d)
		return err_set(err, ERR_FORMAT,
			"unit '%.100s' is said to be better %s, and before to be better %s",
			u->metric, direction_name(d), direction_name(u->direction));
	u->late |= u->used && !u->directed;
	u->directed = true;
	u->direction = d;
	return 0;
}

static int set_word(struct unit *u, struct text word, struct err *err)
{
	if (text_is(word, "better=higher"))
		return set_direction(u, DIRECTION_HIGHER, err);
	if (text_is(word, "better=lower"))
		return set_direction(u, DIRECTION_LOWER, err);
	u->exact |= text_is(word, "assume=exact");
	return 0;
}

int go_facts_unit(struct go_facts *f, struct text rest, struct err *err)
{
	struct text name = text_word(&rest), word = text_word(&rest);
	_cleanup_(freep) char *unit = NULL;
	struct metric m;
	struct unit *u;
	int shift;

	/* a line of prose that begins with "Unit" says nothing of a unit */
	if (!text_len(word) || !memchr(word.p, '=', text_len(word)) || text_len(name) > LENGTH_MAX)
		return 0;
	unit = clean_copy(name);
	go_metric(unit, &m, &shift);
	u = find_unit(f, m.name, true);
	for (; u && text_len(word); word = text_word(&rest))
		if (set_word(u, word, err) < 0)
			return -1;
	return 0;
}

void go_facts_apply(struct go_facts *f, const char *metric, enum direction *direction)
{
	struct unit *u = find_unit(f, metric, true);

	if (!u)
		return;
	u->used = true;
	if (u->directed && !u->late)
		*direction = u->direction;
}

/* ---- what is kept of it ---- */

static void write_values(struct buf *out, const struct key *k)
{
	size_t i;

	text_json_str(out, k->name);
	buf_addstr(out, k->n > 1 ? ":[" : ":");
	for (i = 0; i < k->n; i++) {
		if (i)
			buf_addch(out, ',');
		text_json_str(out, k->values[i]);
	}
	if (k->n > 1)
		buf_addch(out, ']');
}

static void write_exact(const struct go_facts *f, struct buf *out)
{
	const char *between = ",\"exact\":[";
	size_t i;

	for (i = 0; i < f->n_units; i++) {
		if (!f->units[i].exact)
			continue;
		buf_addstr(out, between);
		text_json_str(out, f->units[i].metric);
		between = ",";
	}
	if (between[1] == '\0')
		buf_addch(out, ']');
}

void go_facts_write(const struct go_facts *f, struct buf *out)
{
	size_t i;

	buf_addstr(out, "{\"configuration\":{");
	for (i = 0; i < f->n_keys; i++) {
		buf_addstr(out, i ? "," : "");
		write_values(out, &f->keys[i]);
	}
	buf_addch(out, '}');
	write_exact(f, out);
	buf_addch(out, '}');
}

void go_facts_note(const struct go_facts *f, struct sink *sink)
{
	size_t i;

	for (i = 0; i < f->n_keys; i++)
		if (f->keys[i].n > 1)
			sink->note(sink,
				"'%s' has %zu values ('%s', '%s'%s); what was measured under them is taken together",
				f->keys[i].name, f->keys[i].n, f->keys[i].values[0],
				f->keys[i].values[1], f->keys[i].n > 2 ? ", ..." : "");
	if (f->more)
		sink->note(sink, "there is more configuration than is kept (%d keys of %d values)",
			KEYS_MAX, VALUES_MAX);
	for (i = 0; i < f->n_units; i++)
		if (f->units[i].late)
			sink->note(sink,
				"the line that says which '%s' is better comes behind results of it and is not used",
				f->units[i].metric);
}
