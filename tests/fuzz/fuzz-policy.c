/*
 * fuzz-policy: any bytes at all as perfgate.conf, then a few series decided, turned and renamed by
 * it. A form feed on a line of its own ends the file and begins another one: the two are grafted
 * and compared.
 */
#include "buf.h"
#include "rules.h"
#include "text.h"
#include "unit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct series_key keys[] = {
	{"kpi", "parse", "allocs_per_op", "count", "count", DIRECTION_LOWER, "",
		"x86_64/Example 9000"},
	{"kpi", "tui_scroll", "wall_ns_per_op", "ns", "time", DIRECTION_LOWER, "", "ci"},
	{"kpi", "parse", "bytes_per_op", "B", "bytes", DIRECTION_LOWER, "", "ci"},
	{"kpi", "parse", "cache_hit_rate", "ratio", "ratio", DIRECTION_HIGHER, "", "ci"},
	{"clpeak", "CPU/x#0/fp64", "double", "FLOPS", "flops", DIRECTION_HIGHER, "avx2", "ci"},
	{"callgrind", "a::b::c", "Ir", "count", "count", DIRECTION_LOWER, "v2", "ci"},
	{"trace", "\xff\xfe", "self", "s", "time", DIRECTION_NONE, "", ""},
};

static const char *const targets[] = {NULL, "main", "release/1.2", ""};

static void require(bool good)
{
	if (!good)
		abort();
}

/* A message is there whenever something failed, and only then. */
static bool failed(int r, const struct err *err)
{
	require((r < 0) == (err->code != ERR_NONE));
	require(r >= 0 || err->msg[0]);
	return r < 0;
}

static void decide(struct policy *p, const struct series_key *key)
{
	struct err err = ERR_INIT;
	struct decision d;
	int a;

	if (failed(policy_decide(p, key, &d, &err), &err))
		return;
	for (a = 0; a < ATTR_COUNT; a++) {
		require(d.by[a] >= -1 && d.by[a] < (int)p->n);
		require(policy_rule_name(p, d.by[a]) != NULL);
	}
	require(decimal_sign(d.floor) >= 0 && decimal_sign(d.tolerance) >= 0);
	require(d.by[ATTR_CREEP] < 0 || decimal_sign(d.creep) >= 0);
}

static void check_turn(struct policy *p, const struct turn *t, bool turns)
{
	require(policy_section_name(p, t->section)[0]);
	require(p->sections[t->section].line > 0);
	require(!policy_section_reason(p, t->section) || policy_section_reason(p, t->section)[0]);
	if (turns)
		policy_turned(p, t->section);
}

static void turn(struct policy *p, const struct series_key *key)
{
	struct err err = ERR_INIT;
	struct turn t;
	int r = policy_accept(p, key, &t, &err);

	if (!failed(r, &err) && r == 1)
		check_turn(p, &t, true);
	err_clear(&err);
	r = policy_waive(p, key, &t, &err);
	if (!failed(r, &err) && r == 1) {
		check_turn(p, &t, false);
		require(t.until > 0 && policy_section_reason(p, t.section));
	}
	err_clear(&err);
	r = policy_retire(p, key, &t, &err);
	if (!failed(r, &err) && r == 1)
		check_turn(p, &t, false);
}

static void rename_one(struct policy *p, const struct series_key *key)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT, again = BUF_INIT;
	struct err err = ERR_INIT;
	int r = policy_rename(p, key->suite, key->benchmark, &name, &err);

	require(r <= 0 || policy_renames(p));
	if (failed(r, &err) || r == 0)
		return;
	require(name.len > 0 && name.len <= 4096 && !text_has_control(name.p, name.len));
	require(utf8_valid(name.p, name.len) && strcmp(name.p, key->benchmark) != 0);
	require(policy_renamed_by(p, key->suite, key->benchmark, &err) >= 0);
	/* it is the end of the chain, and asking again changes nothing */
	require(policy_rename(p, key->suite, name.p, &again, &err) == 0);
	require(policy_rename(p, key->suite, key->benchmark, &again, &err) == 1);
	require(!strcmp(name.p, again.p));
}

static void check_lists(const struct policy *p)
{
	_cleanup_(freep) const char **unused = NULL;
	_cleanup_(freep) int *idle = NULL;
	const char *const *v;
	size_t i, n = policy_unused(p, &unused);

	for (i = 0; i < n; i++)
		require(unused[i][0]);
	n = policy_idle(p, &idle);
	for (i = 0; i < n; i++)
		require(policy_section_name(p, idle[i])[0]);
	n = policy_expected(p, &v);
	for (i = 0; i < n; i++)
		require(policy_expects(p, v[i]));
	require(policy_max_distance(p) >= 1 && policy_max_distance(p) <= 100000);
	require(!policy_reference(p) || policy_reference(p)[0] != '-');
}

static void use(struct policy *p)
{
	size_t t, i;

	for (t = 0; t < ARRAY_LEN(targets); t++) {
		policy_set_target(p, targets[t]);
		for (i = 0; i < ARRAY_LEN(keys); i++) {
			decide(p, &keys[i]);
			turn(p, &keys[i]);
			rename_one(p, &keys[i]);
		}
		check_lists(p);
	}
}

static size_t difference(const char *a, size_t a_len, const char *b, size_t b_len)
{
	char **v;
	size_t n = policy_diff(a, a_len, b, b_len, &v), i;

	for (i = 0; i < n; i++) {
		require(v[i][0]);
		free(v[i]);
	}
	free(v);
	return n;
}

static void combine(const char *base, size_t base_len, const char *head, size_t head_len)
{
	struct err err = ERR_INIT;
	char *text = policy_graft(base, base_len, head, head_len, &err);
	struct policy *p;

	require(!text == (err.code != ERR_NONE));
	free(text);
	err_clear(&err);
	p = policy_new_grafted("conf", base, base_len, head, head_len, &err);
	require(!p == (err.code != ERR_NONE));
	if (p)
		use(p);
	policy_free(p);
	difference(base, base_len, head, head_len);
	require(difference(head, head_len, head, head_len) == 0);
}

static void convert(const char *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup(data, size < 200 ? size : 200);
	const struct unit *unit;
	struct err err = ERR_INIT;
	struct decimal d;
	size_t i;

	if (failed(unit_parse(text, &d, &unit, &err), &err))
		return;
	for (i = 0; i < units_count; i++) {
		_cleanup_(buf_release) struct buf b = BUF_INIT;
		struct decimal to;
		err_clear(&err);
		if (failed(unit_convert(d, unit, units[i].name, &to, &err), &err))
			continue;
		require(decimal_sign(to) == decimal_sign(d));
		decimal_format(&b, to);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *data = (const char *)bytes, *cut = memmem(bytes, size, "\n\f\n", 3);
	size_t first = cut ? (size_t)(cut - data) : size;
	struct err err = ERR_INIT;
	struct policy *p = policy_new("conf", data, first, &err);

	require(!p == (err.code != ERR_NONE));
	if (p)
		use(p);
	policy_free(p);
	if (cut)
		combine(data, first, cut + 3, size - first - 3);
	else
		combine(NULL, 0, data, size);
	convert(data, size);
	return 0;
}
