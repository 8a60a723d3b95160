#include "command.h"

/*
 * The subcommands of store. To add one: its file src/cmd-store-NAME.c, a line here and in
 * src/local.mk, a test (tests/cmd-store*.sh) and a section in docs/perfgate.1.
 */
extern const struct command cmd_store_info, cmd_store_check, cmd_store_snapshot, cmd_store_merge,
	cmd_store_export, cmd_store_drop, cmd_store_prune, cmd_store_push, cmd_store_fetch;

static const struct command *const subcommands[] = {&cmd_store_info, &cmd_store_check,
	&cmd_store_snapshot, &cmd_store_merge, &cmd_store_export, &cmd_store_drop, &cmd_store_prune,
	&cmd_store_push, &cmd_store_fetch, NULL};

const struct command cmd_store = {.name = "store",
	.args = "COMMAND",
	.summary =
		"look after the store: info, check, snapshot, merge, export, drop, prune, push, fetch",
	.subcommands = subcommands};
