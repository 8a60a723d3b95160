#include "runner.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *alias, *name;
} architectures[] = {
	{"arm64", "aarch64"},
	{"amd64", "x86_64"},
	{"x64", "x86_64"},
	{"x86-64", "x86_64"},
	{"x86_64", "x86_64"},
	{"aarch64", "aarch64"},
};

static const char *architecture(const char *arch)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(architectures); i++)
		if (!strcasecmp(arch, architectures[i].alias))
			return architectures[i].name;
	return arch;
}

static void add_part(struct buf *out, size_t start)
{
	if (out->len > start)
		buf_addch(out, '/');
}

/* Appends the words of s with one space between them, as a part of its own when there are any. */
static void add_words(struct buf *out, size_t start, const char *s)
{
	static const char space[] = " \t\r\n\f\v";
	bool first = true;
	size_t n;

	for (s += strspn(s, space); *s; s += strspn(s, space)) {
		n = strcspn(s, space);
		if (first)
			add_part(out, start);
		else
			buf_addch(out, ' ');
		buf_add(out, s, n);
		s += n;
		first = false;
	}
}

static unsigned long long memory_class(int64_t bytes)
{
	const unsigned long long gib = 1ull << 30;
	unsigned long long class = 1;

	while (class * gib < (unsigned long long)bytes)
		class *= 2;
	return class;
}

void runner_key(
	struct buf *out, const char *arch, const char *cpu, int64_t cores, int64_t memory_bytes)
{
	size_t start = out->len;

	if (arch)
		add_words(out, start, architecture(arch));
	if (cpu)
		add_words(out, start, cpu);
	if (cores > 0) {
		add_part(out, start);
		buf_addf(out, "%lld cores", (long long)cores);
	}
	if (memory_bytes > 0) {
		add_part(out, start);
		buf_addf(out, "%lluGiB", memory_class(memory_bytes));
	}
}
