#include "arith.h"
#include "back-end.h"
#include "cpu.h"
#include "pool.h"

#include "atomics.h"
#include "branch.h"
#include "cache-bandwidth.h"
#include "crypto.h"
#include "dram.h"
#include "forward.h"
#include "latency.h"

#include <stddef.h>

/* What the CPU's probe measures, in the order of the document. To add a group: its file, a line
 * here and in probes/local.mk. */
static const struct cpu_group *const groups[] = {
	&cpu_arith,
	&cpu_dram,
	&cpu_cache,
	&cpu_latency,
	&cpu_atomics,
	&cpu_branch,
	&cpu_forward,
	&cpu_crypto,
	NULL,
};

static int list(struct plan *plan, const struct settings *s, struct err *err)
{
	size_t i;

	cpu_device(plan);
	for (i = 0; groups[i]; i++)
		groups[i]->list(plan, s);
	(void)err;
	return 0;
}

static const struct back_end cpu = {.name = "CPU", .list = list, .close = pool_close};

int main(int argc, char **argv)
{
	return back_end_main(argc, argv, &cpu);
}
