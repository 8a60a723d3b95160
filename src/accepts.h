/*
 * accepts: the [accept] sections of a perfgate.conf, and what `perfgate accept` makes of them.
 * Pure: text in, text out.
 */
#ifndef ACCEPTS_H
#define ACCEPTS_H

#include "conf-edit.h"
#include "outcomes.h"

struct accept_section {
	const struct conf_section *s;
	struct pattern *fields[FIELD_COUNT]; /* NULL: matches everything */
	bool drop,
		unknown; /* for whoever tidies: it can go; the store has nothing that it is for */
};

struct accepts {
	struct conf *conf;
	struct conf_edit *edit;
	struct accept_section *v;
	size_t n, cap;
	struct intern *names; /* of the sections, new ones too */
	char **written;       /* names of the sections that were added or renewed */
	size_t n_written, cap_written, n_added;
};

/* text is borrowed until accepts_release(). -1: it is no perfgate.conf. name: for messages. */
int accepts_init(
	struct accepts *a, const char *name, const char *text, size_t len, struct err *err);
void accepts_release(struct accepts *a);

/* 1 the section is for this series, 0, -1 with err set (a match limit). */
int accepts_match(const struct accept_section *x, const struct series_key *k, struct err *err);

/*
 * Writes a section for every outcome that chosen says; others only help to tell series apart. One
 * that is for the same series alone gets `to` and `reason` renewed, else a new one comes at the
 * end. o has to be sorted. -1 with err set: a name that no pattern can hold, a series that is there
 * twice.
 */
int accepts_write(struct accepts *a, const struct outcomes *o, const bool *chosen,
	const char *reason, struct err *err);

/* The whole text as it is now. -1 with err set: what was written makes it too long. */
int accepts_text(const struct accepts *a, struct buf *ret, struct err *err);

/* Takes away the sections marked drop. */
void accepts_drop(struct accepts *a);

/* Whether --reason's text can be one: one line, not empty. -1 with err set (ERR_USAGE). */
int accepts_check_reason(const char *reason, struct err *err);

#endif
