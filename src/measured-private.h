/*
 * measured-private: what filling measurements (measured-load.c) needs of the collection
 * (measured.c).
 */
#ifndef MEASURED_PRIVATE_H
#define MEASURED_PRIVATE_H

#include "measured.h"

/* The series with this number in the store, or of a document with these names; made when there is
 * none yet. */
struct measured *measured_stored(
	struct measurements *m, const struct series_key *k, int64_t id, const char *component);
struct measured *measured_of_document(
	struct measurements *m, const struct series_key *k, const char *component);

/* Sessions come newest first; session is from names_keep(). pair: 0 of none. Absences count in the
 * newest only. */
void measured_add_value(struct measurements *m, struct measured *x, const char *session, int pair,
	struct num value);
void measured_add_absence(
	struct measured *x, const char *session, const char *status, const char *reason);

/* Notes that a suite and component were run on a runner. */
void measured_cover(struct measurements *m, const struct coverage *c);

#endif
