/*
 * forge-private: what the files of forge share.
 */
#ifndef FORGE_PRIVATE_H
#define FORGE_PRIVATE_H

#include "forge.h"
#include "http.h"

struct forge {
	const struct forge_kind *kind;
	struct http *http;
	char *api, *repository;
	char *link; /* the page of the CI system's job; or NULL */
	char *token;
	const char *token_name, *auth;
	int64_t timeout_s, deadline; /* deadline: CLOCK_MONOTONIC ns */
	int status;
	bool unsure;
};

/* Fills kind, api, repository and link. Returns 0, or -1 with err set (ERR_USAGE). */
int forge_place(struct forge *f, const struct forge_options *o, struct err *err);

/* "/repos/OWNER/NAME" or alike, to which a path is added. */
void forge_add_base(struct buf *b, const struct forge *f);

void forge_add_encoded(struct buf *b, const char *s); /* percent-encoded */

#endif
