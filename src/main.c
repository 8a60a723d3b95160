#include "command.h"

#include "buf.h"
#include "stage.h"
#include "term.h"
#include "text.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The commands. To add one: its file src/cmd-NAME.c with one const struct command, a line here and
 * in src/local.mk, a script tests/cmd-NAME.sh and a section in docs/perfgate.1. tests/tables.sh
 * checks that nothing of it is lacking.
 */
extern const struct command cmd_ingest, cmd_gate, cmd_diff, cmd_measure, cmd_bisect, cmd_probe,
	cmd_comment, cmd_log, cmd_show, cmd_trend, cmd_publish, cmd_store, cmd_policy, cmd_accept,
	cmd_init, cmd_selftest, cmd_formats, cmd_env, cmd_help;

const struct command *const commands[] = {&cmd_ingest, &cmd_gate, &cmd_diff, &cmd_measure,
	&cmd_bisect, &cmd_probe, &cmd_comment, &cmd_log, &cmd_show, &cmd_trend, &cmd_publish,
	&cmd_store, &cmd_policy, &cmd_accept, &cmd_init, &cmd_selftest, &cmd_formats, &cmd_env,
	&cmd_help, NULL};

static void complain_text(const char *text, size_t len)
{
	_cleanup_(buf_release) struct buf safe = BUF_INIT;
	_cleanup_(freep) char *line = NULL;

	text_escape(&safe, text, len);
	line = xasprintf("perfgate: %s", buf_str(&safe));
	term_line(stderr, line);
}

void complain(const char *fmt, ...)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	complain_text(buf_str(&b), b.len);
}

void note(const char *fmt, ...)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	complain("note: %s", buf_str(&b));
}

void print_line(const char *fmt, ...)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT, safe = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	text_escape(&safe, buf_str(&b), b.len);
	term_line(stdout, buf_str(&safe));
}

void command_help(const struct command *c, const char *parent, FILE *out)
{
	size_t i;

	fprintf(out, "usage: perfgate %s%s%s%s%s\n\n%s\n", parent, c->name,
		c->opts ? " [option...]" : "", c->args && *c->args ? " " : "",
		c->args ? c->args : "", c->summary);
	if (c->help)
		fprintf(out, "\n%s\n", c->help);
	if (c->subcommands) {
		fputs("\ncommands:\n", out);
		for (i = 0; c->subcommands[i]; i++)
			fprintf(out, "  %-10s %s\n", c->subcommands[i]->name,
				c->subcommands[i]->summary);
		return;
	}
	fputs("\noptions:\n", out);
	opt_help(c->opts, out);
}

const struct command *command_find(const struct command *const *table, const char *name)
{
	for (; *table; table++)
		if (!strcmp((*table)->name, name))
			return *table;
	return NULL;
}

const char *command_nearest(const struct command *const *table, const char *name)
{
	const char *names[64];
	size_t n;

	for (n = 0; table[n] && n < ARRAY_LEN(names); n++)
		names[n] = table[n]->name;
	return text_nearest(name, names, n);
}

static int unknown_command(
	const struct command *const *table, const char *parent, const char *name, struct err *err)
{
	const char *near = command_nearest(table, name);

	if (near)
		return err_set(err, ERR_USAGE, "no command '%s%.100s'; did you mean '%s%s'?",
			parent, name, parent, near);
	return err_set(err, ERR_USAGE, "no command '%s%.100s'; 'perfgate %s%s' lists them", parent,
		name, parent, *parent ? "-h" : "help");
}

static int check_operands(const struct command *c, const char *parent, int n, struct err *err)
{
	if (n >= c->min_args && (c->max_args < 0 || n <= c->max_args))
		return 0;
	return err_set(err, ERR_USAGE, "%s: perfgate %s%s%s %s",
		n < c->min_args ? "too few arguments" : "too many arguments", parent, c->name,
		c->opts ? " [option...]" : "", c->args ? c->args : "");
}

static int run_command(
	const struct command *c, const char *parent, int argc, char **argv, struct err *err)
{
	_cleanup_(freep) void *values = NULL;
	bool help = false;
	int n, status = 0;

	PERFGATE_SCOPE_COPY(c->name);
	if (c->subcommands) {
		_cleanup_(freep) char *path = xasprintf("%s%s ", parent, c->name);
		const struct command *sub;

		if (argc < 1)
			return err_set(err, ERR_USAGE,
				"which one? 'perfgate %s-h' lists the commands", path);
		if (!strcmp(argv[0], "-h") || !strcmp(argv[0], "--help")) {
			command_help(c, parent, stdout);
			return 0;
		}
		sub = command_find(c->subcommands, argv[0]);
		return sub ? run_command(sub, path, argc - 1, argv + 1, err)
			   : unknown_command(c->subcommands, path, argv[0], err);
	}
	values = xcalloc(1, c->values_size);
	if (c->defaults)
		memcpy(values, c->defaults, c->values_size);
	n = opt_parse(c->opts, argc, argv, values, &help, err);
	if (n >= 0 && help)
		command_help(c, parent, stdout);
	else if (n >= 0)
		status = check_operands(c, parent, n, err) < 0 ? -1 : c->run(values, argv, n, err);
	opt_release(c->opts, values);
	return n < 0 ? -1 : status;
}

/* Takes "--trace FILE" or "--trace=FILE" off the arguments; *ret is NULL without. */
static int take_trace(int *argc, char ***argv, const char **ret, struct err *err)
{
	static const char option[] = "--trace";
	const size_t len = sizeof(option) - 1;
	char **v = *argv;
	int used = 1;

	*ret = NULL;
	if (*argc < 2 || strncmp(v[1], option, len) || (v[1][len] && v[1][len] != '='))
		return 0;
	if (v[1][len])
		*ret = v[1] + len + 1;
	else if (*argc > 2)
		*ret = v[++used];
	if (!*ret || !**ret || *argc < used + 2)
		return err_set(err, ERR_USAGE,
			"--trace needs a file, and a command behind it: perfgate --trace FILE COMMAND");
	v[used] = v[0];
	*argv += used;
	*argc -= used;
	return 0;
}

static int dispatch(int argc, char **argv, struct err *err)
{
	const struct command *c;

	if (argc < 2 || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		c = command_find(commands, "help");
		return run_command(c, "", 0, argv, err) == 0 ? (argc < 2 ? 2 : 0) : -1;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("perfgate " PACKAGE_VERSION);
		return 0;
	}
	c = command_find(commands, argv[1]);
	if (!c)
		return unknown_command(commands, "", argv[1], err);
	return run_command(c, "", argc - 2, argv + 2, err);
}

/* The command, in a trace where one is asked for. */
static int carry_out(int argc, char **argv, struct err *err)
{
	struct err late = ERR_INIT;
	const char *trace;
	int status;

	if (take_trace(&argc, &argv, &trace, err) < 0)
		return -1;
	if (!trace)
		return dispatch(argc, argv, err);
	if (stage_trace(trace, err) < 0)
		return -1;
	status = dispatch(argc, argv, err);
	if (stage_trace_end(trace, &late) == 0)
		return status;
	if (status >= 0)
		*err = late;
	return -1;
}

/* perfgate log | head: nobody's trouble. */
static bool reader_is_gone(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO};

	return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	bool told;
	int status;

	signal(SIGXFSZ,
		SIG_IGN); /* a file that may not grow is an error to report, not to die of */
	/* widths of characters; numbers stay in the C locale */
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		setlocale(LC_CTYPE, "");
	status = carry_out(argc, argv, &err);
	told = status < 0;
	if (told && err.code != ERR_PIPE)
		complain_text(err.msg, strlen(err.msg));
	if (told)
		status = 2;
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		if (!told && !reader_is_gone())
			complain("cannot write the output%s%s", errno ? ": " : "",
				errno ? strerror(errno) : "");
		status = 2;
	}
	return status;
}
