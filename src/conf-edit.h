/*
 * conf-edit: changes the text of a perfgate.conf and keeps every byte that is not meant as it is.
 *
 * Lines are counted from 1, as conf.h counts them. Changes are collected, and conf_edit_text()
 * makes them all, so that numbers stay those of the text that was read. The text is one that
 * conf_parse() took; what is put in is one line each, without blanks at its ends. New lines end as
 * the text's first line does.
 */
#ifndef CONF_EDIT_H
#define CONF_EDIT_H

#include "buf.h"
#include "conf.h"
#include "intern.h"

struct conf_edit;

struct conf_edit *conf_edit_new(const char *text, size_t len); /* text is borrowed */
void conf_edit_free(struct conf_edit *e);                      /* NULL is fine */

/* Sets a key of a section: its entry in place, else a new line below its last one. */
void conf_edit_set(
	struct conf_edit *e, const struct conf_section *s, const char *key, const char *value);

/* Takes a section away from its heading to its last entry, with the comment lines directly above
 * the heading, and one of the empty lines that then meet. */
void conf_edit_drop(struct conf_edit *e, const struct conf_section *s);

/* At the end, after an empty line: a section as text whose lines end in "\n". */
void conf_edit_append(struct conf_edit *e, const char *section);

void conf_edit_text(const struct conf_edit *e, struct buf *ret);

/* Appends text fit for the name of a section: escaped, and cut to a length that people read. */
void conf_edit_name(struct buf *ret, const char *text);
/* The same, with "(2)", "(3)" behind it where names has it; it is in names afterwards. */
void conf_edit_free_name(struct buf *ret, struct intern *names, const char *wish);

#endif
