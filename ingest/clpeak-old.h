/*
 * clpeak-old: recognises what clpeak writes and perfgate does not read: the XML and CSV documents
 * of its formats 1 and 2.
 */
#ifndef CLPEAK_OLD_H
#define CLPEAK_OLD_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

/* Refuses format 'version' (as the document gives it) with advice; place is "FILE" or "FILE:LINE".
 * Always -1. */
int clpeak_refuse(const char *place, const char *version, struct err *err);

bool clpeak_old(const char *head, size_t len);
/* Refuses such a document under the version it names. Always -1. */
int clpeak_refuse_old(const char *file, const char *head, size_t len, struct err *err);

#endif
