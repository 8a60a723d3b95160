/*
 * machine: the machine this process runs on.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#include "buf.h"
#include "ci.h"

/* The model of the processor as the system names it; "" when it does not. */
void machine_cpu(char *out, size_t size);

int64_t machine_memory(void); /* bytes; 0 when it is not known */

/* The runner key of this machine (runner.h). */
void machine_runner(struct buf *out);

/* The session: the CI job and its attempt, else the boot and the login. */
void machine_session(struct buf *out, const struct ci *ci);

/* The machine as a document of clpeak describes it: no name of it, "" and 0 where it does not tell.
 */
struct machine_host {
	char os[32], os_version[128], arch[80], cpu[512];
	int64_t logical_cores, memory_bytes;
};
void machine_host(struct machine_host *ret);

/* What is worth knowing later and is no part of any key, as a JSON object. */
void machine_facts(struct buf *out, const struct ci *ci);

#endif
