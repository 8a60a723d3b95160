/*
 * tables: what the pages list, for programs: Markdown, CSV, JSON, OpenMetrics. Also the files that
 * the scripts read.
 */
#ifndef TABLES_H
#define TABLES_H

#include "site.h"

/* Of a suite: markdown has the rows of its page, the others all series. */
void suite_markdown(struct buf *b, const struct site *s, const struct site_lists *l,
	const struct site_suite *x);
void suite_csv(struct buf *b, const struct site *s, const struct site_lists *l,
	const struct site_suite *x);
void suite_json(struct buf *b, const struct site *s, const struct site_lists *l,
	const struct site_suite *x);
void suite_openmetrics(struct buf *b, const struct site *s, const struct site_lists *l,
	const struct site_suite *x);

/* Of what moved; OpenMetrics: how many series of each suite are in which state. */
void overview_markdown(struct buf *b, const struct site *s, const struct site_lists *l);
void overview_csv(struct buf *b, const struct site *s, const struct site_lists *l);
void overview_json(struct buf *b, const struct site *s, const struct site_lists *l);
void overview_openmetrics(struct buf *b, const struct site *s, const struct site_lists *l);

/* For scripts: data/commits.json, data/search.json, data/series.json (with series in the order of
 * order, which has n_series numbers). */
void data_commits(struct buf *b, const struct site *s);
void data_search(struct buf *b, const struct site_lists *l);
void data_series(struct buf *b, const struct site_lists *l, const uint32_t *order);

#endif
