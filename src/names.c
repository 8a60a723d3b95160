#include "names.h"

#include <stdlib.h>
#include <string.h>

void names_init(struct names *n)
{
	n->strings = intern_new();
	n->identities = intern_new();
	n->names = intern_new();
	n->runners = intern_new();
	n->by_id = NULL;
	n->n_by_id = 0;
	n->renames = NULL;
}

void names_release(struct names *n)
{
	intern_free(n->strings);
	intern_free(n->identities);
	intern_free(n->names);
	intern_free(n->runners);
	free(n->by_id);
}

const char *names_keep(struct names *n, const char *s)
{
	return intern_get(n->strings, intern_add(n->strings, s, strlen(s)), NULL);
}

static uint32_t number(struct intern *in, const char *const *fields, size_t n)
{
	char fixed[1024];
	struct buf b = BUF_INIT;
	size_t i, len = 0;
	uint32_t id;

	for (i = 0; i < n; i++)
		len += strlen(fields[i]) + 1;
	if (len > sizeof(fixed)) {
		for (i = 0; i < n; i++)
			buf_add(&b, fields[i], strlen(fields[i]) + 1);
		id = intern_add(in, b.p, b.len);
		buf_release(&b);
		return id;
	}
	for (i = 0, len = 0; i < n; i++) {
		size_t k = strlen(fields[i]) + 1;
		memcpy(fixed + len, fields[i], k);
		len += k;
	}
	return intern_add(in, fixed, len);
}

uint32_t names_identity(struct names *n, const struct series_key *k)
{
	const char *fields[] = {k->suite, k->benchmark, k->metric, k->unit, k->quantity,
		direction_name(k->direction), k->variant};

	return number(n->identities, fields, ARRAY_LEN(fields));
}

uint32_t names_name(struct names *n, const char *suite, const char *benchmark, const char *metric)
{
	const char *fields[] = {suite, benchmark, metric};

	return number(n->names, fields, ARRAY_LEN(fields));
}

uint32_t names_stored_identity(struct names *n, const struct series_key *k, int64_t id)
{
	uint32_t identity;

	if (id > 0)
		n->by_id = xgrow_to(n->by_id, &n->n_by_id, (size_t)id, sizeof(*n->by_id));
	if (id > 0 && n->by_id[id])
		return n->by_id[id] - 1;
	identity = names_identity(n, k);
	if (id > 0)
		n->by_id[id] = identity + 1;
	return identity;
}

/* ---- what is stored ---- */

struct series_key stored_key(const struct store_series *x, const char *runner)
{
	return (struct series_key){.suite = x->suite,
		.benchmark = x->benchmark,
		.metric = x->metric.name,
		.unit = x->metric.unit,
		.quantity = x->metric.quantity,
		.direction = x->metric.direction,
		.variant = x->variant,
		.runner = runner};
}

int names_present_key(struct names *n, const struct store_series *x, const char *runner,
	struct series_key *ret, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	int r = n->renames ? policy_rename(n->renames, x->suite, x->benchmark, &name, err) : 0;

	if (r < 0)
		return -1;
	*ret = stored_key(x, runner);
	if (r)
		ret->benchmark = names_keep(n, buf_str(&name));
	return r;
}
