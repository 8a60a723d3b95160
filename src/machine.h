/*
 * machine: the machine this process runs on.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "buf.h"
#include "ci.h"

/* The runner key of this machine (runner.h). */
void machine_runner(struct buf *out);

/* The session: the CI job and its attempt, else the boot and the login. */
void machine_session(struct buf *out, const struct ci *ci);

/* What is worth knowing later and is no part of any key, as a JSON object. */
void machine_facts(struct buf *out, const struct ci *ci);

#endif
