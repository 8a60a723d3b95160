#include "opt.h"

#include "buf.h"
#include "num.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static int unknown(const struct opt *opts, const char *given, size_t len, struct err *err)
{
	const char *names[64], *near;
	_cleanup_(freep) char *name = xstrndup(given, len);
	size_t n = 0;

	for (; opts && opts->name && n < ARRAY_LEN(names); opts++)
		if (opts->type != OPT_REST)
			names[n++] = opts->name;
	near = text_nearest(name, names, n);
	return err_set(err, ERR_USAGE,
		near ? "no option --%.100s; did you mean --%s?"
		     : "no option --%.100s (-h lists them)",
		name, near);
}

static int set(const struct opt *o, const char *value, void *values, struct err *err)
{
	char *at = (char *)values + o->offset;
	struct opt_list *list;

	if ((o->type == OPT_STRING || o->type == OPT_LIST) && !*value)
		return err_set(err, ERR_USAGE, "--%s needs a value, and it is empty", o->name);
	switch (o->type) {
	case OPT_FLAG:
		*(bool *)at = true;
		break;
	case OPT_STRING:
		*(const char **)at = value;
		break;
	case OPT_INT:
	case OPT_COUNT:
		if (num_parse_int(value, strlen(value), o->type == OPT_COUNT, INT64_MAX,
			    (int64_t *)at, err) < 0) {
			err->code = ERR_USAGE;
			return err_prefix(err, "--%s", o->name);
		}
		break;
	case OPT_LIST:
		list = (struct opt_list *)at;
		list->v = xgrow(list->v, list->n, &list->cap, sizeof(*list->v));
		list->v[list->n++] = value;
		break;
	case OPT_REST:
		break;
	}
	return 0;
}

static const struct opt *find_long(const struct opt *opts, const char *name, size_t len)
{
	for (; opts && opts->name; opts++)
		if (opts->type != OPT_REST && strlen(opts->name) == len &&
			!strncmp(opts->name, name, len))
			return opts;
	return NULL;
}

static const struct opt *find_letter(const struct opt *opts, char letter)
{
	for (; opts && opts->name; opts++)
		if (opts->letter == letter)
			return opts;
	return NULL;
}

/* --NAME, --NAME=VALUE, --NAME VALUE. Returns how many words were used. */
static int parse_long(const struct opt *opts, int left, char **argv, void *values, struct err *err)
{
	const char *name = argv[0] + 2, *value = strchr(name, '=');
	size_t len = value ? (size_t)(value - name) : strlen(name);
	const struct opt *o = find_long(opts, name, len);
	int used = 1;

	if (!o)
		return unknown(opts, name, len, err);
	if (o->type == OPT_FLAG && value)
		return err_set(err, ERR_USAGE, "--%s takes no value", o->name);
	if (o->type != OPT_FLAG && value)
		value++;
	else if (o->type != OPT_FLAG) {
		if (left < 2)
			return err_set(err, ERR_USAGE, "--%s needs a value: --%s %s", o->name,
				o->name, o->arg);
		value = argv[1];
		used = 2;
	}
	return set(o, value, values, err) < 0 ? -1 : used;
}

/* -x, -xVALUE, -x VALUE, and flags run together. */
static int parse_letters(
	const struct opt *opts, int left, char **argv, void *values, bool *help, struct err *err)
{
	const char *p;

	for (p = argv[0] + 1; *p; p++) {
		const struct opt *o = find_letter(opts, *p);
		if (*p == 'h') {
			*help = true;
			continue;
		}
		if (!o)
			return err_set(err, ERR_USAGE, "no option -%c (-h lists them)", *p);
		if (o->type == OPT_FLAG) {
			set(o, NULL, values, err);
			continue;
		}
		if (p[1])
			return set(o, p + 1, values, err) < 0 ? -1 : 1;
		if (left < 2)
			return err_set(err, ERR_USAGE, "-%c needs a value: -%c %s", *p, *p, o->arg);
		return set(o, argv[1], values, err) < 0 ? -1 : 2;
	}
	return 1;
}

/* What stands behind "--" where the command wants it apart: 1, or 0. */
static int take_rest(const struct opt *opts, int argc, char **argv, void *values)
{
	for (; opts && opts->name; opts++) {
		if (opts->type != OPT_REST)
			continue;
		*(struct opt_rest *)((char *)values + opts->offset) =
			(struct opt_rest){.v = argv, .n = argc};
		return 1;
	}
	return 0;
}

int opt_parse(
	const struct opt *opts, int argc, char **argv, void *values, bool *help, struct err *err)
{
	int i = 0, operands = 0, used;

	while (i < argc) {
		if (!strcmp(argv[i], "--")) {
			i++;
			if (take_rest(opts, argc - i, argv + i, values))
				break;
			for (; i < argc; i++)
				argv[operands++] = argv[i];
			break;
		}
		if (argv[i][0] != '-' || !argv[i][1]) {
			argv[operands++] = argv[i++];
			continue;
		}
		if (!strcmp(argv[i], "--help")) {
			*help = true;
			i++;
			continue;
		}
		used = argv[i][1] == '-'
			       ? parse_long(opts, argc - i, argv + i, values, err)
			       : parse_letters(opts, argc - i, argv + i, values, help, err);
		if (used < 0)
			return -1;
		i += used;
	}
	return operands;
}

void opt_release(const struct opt *opts, void *values)
{
	for (; opts && opts->name; opts++)
		if (opts->type == OPT_LIST)
			free(((struct opt_list *)((char *)values + opts->offset))->v);
}

void opt_help(const struct opt *opts, FILE *out)
{
	for (; opts && opts->name; opts++) {
		_cleanup_(buf_release) struct buf left = BUF_INIT;

		if (opts->type == OPT_REST)
			continue;
		if (opts->letter)
			buf_addf(&left, "-%c, ", opts->letter);
		buf_addf(&left, "--%s", opts->name);
		if (opts->arg)
			buf_addf(&left, " %s", opts->arg);
		fprintf(out, left.len > 24 ? "  %s\n  %-24s  %s\n" : "  %-24s%.0s  %s\n", left.p,
			"", opts->help);
	}
	fprintf(out, "  %-24s  %s\n", "-h, --help", "this text");
}
