/*
 * ci: what the CI system that runs this process says, from its documented environment variables.
 */
#ifndef CI_H
#define CI_H

#include "buf.h"

struct ci {
	const char *name; /* "github", "gitlab", ...; NULL outside CI */
	const char *sha;  /* the commit built, or NULL */
	char *branch;     /* or NULL */
	char *target;     /* the branch a change request wants to be merged into, or NULL */
	bool merge;       /* HEAD is a merge that the system made for a change request or a queue */
	bool queue;       /* ... for a queue: it may then have one parent */
	char *session;    /* a job and its attempt, or NULL */
	/* Where its change requests are, unchecked; NULL: it does not say. */
	const char *api, *repository;
	char *link; /* the page of this job or run, unchecked; or NULL */
};

void ci_detect(struct ci *ret);
/* Whether any of them is around, so that what is printed goes to its log. */
bool ci_present(void);

void ci_release(struct ci *ci);

#endif
