#include "probe-private.h"

#include "pattern.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void probe_device_name(struct buf *b, const struct probed *p, size_t device)
{
	const int index = p->plan.devices[device].device_index;

	buf_addf(b, "%s:%zu", p->flag, index >= 0 ? (size_t)index : device);
}

/* ---- devices ---- */

/* cpu, cpu:0, or what the driver calls it. */
static bool is_called(const struct probed *p, size_t device, const char *name)
{
	_cleanup_(buf_release) struct buf own = BUF_INIT;

	probe_device_name(&own, p, device);
	return !strcasecmp(name, p->flag) || !strcasecmp(name, own.p) ||
	       !strcasecmp(name, p->plan.devices[device].name);
}

static bool is_known(const struct record *r, const char *name)
{
	size_t i, d;

	for (i = 0; i < r->n_back_ends; i++)
		for (d = 0; d < r->back_ends[i].plan.n_devices; d++)
			if (is_called(&r->back_ends[i], d, name))
				return true;
	return false;
}

/* The words of a list between commas. A name that has one in itself is a list as well, and is meant
 * as a whole where a device is called so. */
static char **split_devices(const struct record *r, const char *list)
{
	char **names = xcalloc(strlen(list) + 2, sizeof(*names));
	size_t n = 0, len;

	if (is_known(r, list)) {
		names[0] = xstrdup(list);
		return names;
	}
	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (len)
			names[n++] = xstrndup(list, len);
	}
	return names;
}

static void free_names(char ***names)
{
	size_t i;

	for (i = 0; *names && (*names)[i]; i++)
		free((*names)[i]);
	free(*names);
}

static int check_names(const struct record *r, char *const *names, struct err *err)
{
	for (; *names; names++)
		if (!is_known(r, *names))
			return err_set(err, ERR_USAGE,
				"--devices: there is no device '%.100s'; perfgate probe --list-devices names them",
				*names);
	return 0;
}

static bool device_wanted(const struct probed *p, size_t device, char *const *names)
{
	if (!names)
		return true;
	for (; *names; names++)
		if (is_called(p, device, *names))
			return true;
	return false;
}

/* ---- tests ---- */

/* A reading is called ID[@VARIANT]/READING, and is meant as well by what is before the last slash.
 */
static int test_wanted(
	struct pattern *pattern, const struct test *t, const struct reading *r, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	size_t len;
	int match;

	if (!pattern)
		return 1;
	buf_addf(&name, "%s%s%s", t->id, t->variant ? "@" : "", t->variant ? t->variant : "");
	len = name.len;
	buf_addf(&name, "/%s", r->id);
	match = pattern_match(pattern, name.p, name.len, err);
	return match ? match : pattern_match(pattern, name.p, len, err);
}

static int choose_reading(const struct probe *o, struct probed *p, size_t i, char *const *names,
	struct pattern *pattern, struct err *err)
{
	const struct reading *r = &p->plan.readings[i];
	const struct test *t = &p->plan.tests[r->test];
	int match;

	if ((o->quick && !r->quick) || !device_wanted(p, t->device, names))
		return 0;
	match = test_wanted(pattern, t, r, err);
	p->chosen[i] = match > 0;
	return match;
}

static int nothing_left(const struct probe *o, const struct record *r, struct err *err)
{
	size_t i, n = 0;

	for (i = 0; i < r->n_back_ends; i++)
		n += r->back_ends[i].plan.n_readings;
	if (!n)
		return 0;
	return err_set(err, ERR_USAGE,
		"none of the %zu readings is one that %s%s%s; perfgate probe --list-tests names them",
		n,
		o->tests     ? "--tests asks for"
		: o->devices ? "--devices asks for"
			     : "is quick",
		o->tests && o->devices ? " on these devices" : "",
		o->quick && (o->tests || o->devices) ? " and that is quick" : "");
}

static int choose_all(const struct probe *o, struct record *r, char *const *names,
	struct pattern *pattern, struct err *err)
{
	size_t i, k, n = 0;
	int match;

	for (i = 0; i < r->n_back_ends; i++)
		for (k = 0; k < r->back_ends[i].plan.n_readings; k++) {
			match = choose_reading(o, &r->back_ends[i], k, names, pattern, err);
			if (match < 0)
				return -1;
			n += match > 0;
		}
	r->narrowed = o->tests || o->quick;
	return n ? 0 : nothing_left(o, r, err);
}

int probe_choose(const struct probe *o, struct record *r, struct err *err)
{
	_cleanup_(free_names) char **names = o->devices ? split_devices(r, o->devices) : NULL;
	struct pattern *pattern = NULL;
	int ret;

	if (names && check_names(r, names, err) < 0)
		return -1;
	if (o->tests && !(pattern = pattern_new(o->tests, err))) {
		err->code = ERR_USAGE;
		return err_prefix(err, "--tests");
	}
	ret = choose_all(o, r, names, pattern, err);
	pattern_free(pattern);
	return ret;
}
