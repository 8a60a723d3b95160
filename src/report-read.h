/*
 * report-read: a report in JSON (perfgate-formats(7)) back as a struct report, so that it can be
 * rendered where nothing but the file is: no store, no policy. The file may be anybody's.
 *
 * What comes back is a report like the gate's own but for samples (a side has n and its medians,
 * and no values) and for what the policy said beyond the consequence: judged.said holds the reason.
 * Verdicts are sorted, counted and checked anew: those that a file hides at its end come first.
 */
#ifndef REPORT_READ_H
#define REPORT_READ_H

#include "input.h"
#include "report.h"

struct read_report;

/*
 * Errors (ERR_FORMAT, ERR_IO) begin with the file's name and mostly the line. Refused are, besides
 * what json.h refuses: another schema or version, known keys of another type, words and numbers
 * that no verdict has, a name of more than 4 KiB, a text of more than 64 KiB, more than 250,000
 * series, 10,000 notes or 128 MiB of texts, and a file that contradicts itself: a verdict that
 * `gates` and could not, counts and an exit status that are not those of its verdicts. NULL with
 * err set.
 */
struct read_report *report_read(struct input *in, struct err *err);
void read_report_free(struct read_report *x); /* NULL is fine */
void read_report_freep(struct read_report **x);

const struct report *read_report_get(const struct read_report *x);

#endif
