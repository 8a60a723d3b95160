/*
 * export-judgement: the lines of recorded gates in perfgate's own export.
 */
#ifndef EXPORT_JUDGEMENT_H
#define EXPORT_JUDGEMENT_H

#include "json.h"
#include "sink.h"

int export_read_judgement(struct sink *sink, const struct jv *o, struct err *err);
/* Of the judgement before it, which there is. */
int export_read_verdict(struct sink *sink, const struct jv *o, struct err *err);

#endif
