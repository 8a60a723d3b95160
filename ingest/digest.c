#include "digest.h"

#include "sha256.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void digest_canonical(
	struct buf *out, const char *benchmark, const struct metric *m, const char *variant)
{
	const char *fields[] = {
		benchmark, m->name, m->unit, m->quantity, direction_name(m->direction), variant};
	size_t i;

	for (i = 0; i < ARRAY_LEN(fields); i++) {
		if (i)
			buf_addch(out, '\0');
		buf_addstr(out, fields[i]);
	}
}

int digest_compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int c = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return c ? c : (a_len > b_len) - (a_len < b_len);
}

static void digest_int(struct sha256 *h, int64_t v)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)v);
	sha256_add_field(h, text);
}

struct sha256 *digest_new(const struct run_head *head)
{
	struct sha256 *h = sha256_new();

	sha256_add_field(h, "perfgate run 1");
	sha256_add_field(h, head->suite);
	sha256_add_field(h, head->component ? head->component : "");
	sha256_add_field(h, head->format);
	sha256_add_field(h, head->format_version ? head->format_version : "");
	sha256_add_field(h, head->tool_version ? head->tool_version : "");
	digest_int(h, head->started_at);
	return h;
}

static void digest_key(struct sha256 *h, char kind, const char *canonical, size_t len)
{
	unsigned char head[5] = {(unsigned char)kind, (unsigned char)(len >> 24),
		(unsigned char)(len >> 16), (unsigned char)(len >> 8), (unsigned char)len};

	sha256_add(h, head, sizeof(head));
	sha256_add(h, canonical, len);
}

void digest_series(struct sha256 *h, const char *canonical, size_t len)
{
	digest_key(h, 'S', canonical, len);
}

void digest_value(struct sha256 *h, struct num value)
{
	unsigned char out[9];
	uint64_t bits;
	int i;

	memcpy(&bits, &value.i, sizeof(bits));
	out[0] = value.is_int ? 'i' : 'd';
	for (i = 0; i < 8; i++)
		out[1 + i] = (unsigned char)(bits >> (56 - 8 * i));
	sha256_add(h, out, sizeof(out));
}

void digest_absence(struct sha256 *h, const char *canonical, size_t len, enum sink_status status,
	const char *reason)
{
	digest_key(h, 'A', canonical, len);
	sha256_add_field(h, sink_status_name(status));
	sha256_add_field(h, reason);
}

/* ---- judgements ---- */

static void digest_number(struct sha256 *h, double v)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (!isnan(v))
		num_format(&b, num_real(v));
	sha256_add_field(h, buf_str(&b));
}

static void digest_verdict(struct sha256 *h, const struct verdict_fact *v)
{
	const char *const texts[] = {v->suite, v->benchmark, v->metric, v->unit, v->variant,
		v->runner, v->class_, v->verdict, v->gates ? "gates" : "", v->base, v->reason};
	size_t i;

	for (i = 0; i < ARRAY_LEN(texts); i++)
		sha256_add_field(h, texts[i]);
	digest_number(h, v->base_median);
	digest_number(h, v->head_median);
	digest_number(h, v->change);
}

void digest_judgement(const struct judgement_fact *j, char ret[65])
{
	const char *const texts[] = {
		"perfgate judgement 1", j->head, j->tree_state, j->base, j->policy};
	struct sha256 *h = sha256_new();
	size_t i;

	for (i = 0; i < ARRAY_LEN(texts); i++)
		sha256_add_field(h, texts[i]);
	digest_int(h, j->made_at);
	digest_int(h, j->exit_status);
	digest_int(h, (int64_t)j->n_counts);
	for (i = 0; i < j->n_counts; i++) {
		sha256_add_field(h, j->counts[i].verdict);
		digest_int(h, j->counts[i].series);
	}
	for (i = 0; i < j->n_verdicts; i++)
		digest_verdict(h, &j->verdicts[i]);
	sha256_end(h, ret);
}
