#include "conf.h"

#include "buf.h"
#include "tap.h"

#include <stdlib.h>

/* The parsed text, or its error. The caller frees. */
static char *parsed_bytes(const char *text, size_t len)
{
	struct err err = ERR_INIT;
	struct conf *c = conf_parse("f", text, len, &err);
	struct buf b = BUF_INIT;
	size_t i, j;

	if (!c)
		return xasprintf("%d %s", err.code == ERR_POLICY, err.msg);
	for (i = 0; i < c->n; i++) {
		const struct conf_section *s = &c->sections[i];
		buf_addf(&b, "%u[%s|%s]", s->line, s->kind, s->name ? s->name : "-");
		for (j = 0; j < s->n; j++)
			buf_addf(&b, "%u(%s|%s)", s->entries[j].line, s->entries[j].key,
				s->entries[j].value);
	}
	conf_free(c);
	return buf_take(&b);
}

static void is(const char *text, const char *expected, const char *what)
{
	_cleanup_(freep) char *got = parsed_bytes(text, strlen(text));

	IS_STR(got, expected, what);
}

static void test_good(void)
{
	is("", "", "an empty file");
	is("# nothing\n; here\n\n \t \n", "", "comments and empty lines");
	is("[gate]\n\tbase = main\n", "1[gate|-]2(base|main)", "a section and a key");
	is("[gate]\nbase=main", "1[gate|-]2(base|main)", "no newline at the end");
	is("[gate]\r\nbase = main\r\n", "1[gate|-]2(base|main)", "CR LF");
	is("\xEF\xBB\xBF[gate]\n", "1[gate|-]", "a byte order mark");
	is("[rule \"a \"b\" ]\"]\n", "1[rule|a \"b\" ]]", "a name runs to its last quote");
	is("[ gate ]\n  [rule  \"x\" ]  \n", "1[gate|-]2[rule|x]",
		"blanks around what is in brackets");
	is("[rule \"x\"]\nbenchmark = ^a = b # not a comment ; nor this\n",
		"1[rule|x]2(benchmark|^a = b # not a comment ; nor this)",
		"a value is the rest of its line");
	is("[rule \"x\"]\nmetric = \"quoted\"\n", "1[rule|x]2(metric|\"quoted\")",
		"quotes are literal");
	is("[gate]\nbase =\n", "1[gate|-]2(base|)", "an empty value");
	is("[gate]\n[rule \"gate\"]\n[rule \"b\"]\n", "1[gate|-]2[rule|gate]3[rule|b]",
		"sections of one kind");
	is("[rule \"gr\xC3\xBC\xC3\x9F\"]\n", "1[rule|gr\xC3\xBC\xC3\x9F]", "UTF-8");
}

static void test_bad(void)
{
	is("base = main\n", "1 f:1: a key before the first section: 'base'", "no section");
	is("[gate]\nbase main\n",
		"1 f:2: expected a comment, [section] or key = value: 'base main'",
		"no equals sign");
	is("[gate]\nBase = main\n",
		"1 f:2: a key has to be made of lower-case letters, digits and '-': 'Base = main'",
		"an upper-case key");
	is("[gate]\nbase main = x\n",
		"1 f:2: a key has to be made of lower-case letters, digits and '-': 'base main = x'",
		"two words before the equals sign");
	is("[gate]\n= main\n",
		"1 f:2: a key has to be made of lower-case letters, digits and '-': '= main'",
		"no key");
	is("[gate\n", "1 f:1: a section has to end with ']': '[gate'", "an open bracket");
	is("[]\n",
		"1 f:1: a section has to be [section] or [section \"name\"], in lower case: '[]'",
		"an empty section");
	is("[\n", "1 f:1: a section has to end with ']': '['", "a bracket alone");
	is("[Gate]\n",
		"1 f:1: a section has to be [section] or [section \"name\"], in lower case: '[Gate]'",
		"an upper-case section");
	is("[gate]x\n", "1 f:1: a section has to end with ']': '[gate]x'", "text after a section");
	is("[rule wobble]\n",
		"1 f:1: the name of a section goes between double quotes: '[rule wobble]'",
		"a name without quotes");
	is("[rule\"wobble\"]\n",
		"1 f:1: a section has to be [section] or [section \"name\"], in lower case: "
		"'[rule\"wobble\"]'",
		"no blank before a name");
	is("[rule \"]\n", "1 f:1: the name of a section goes between double quotes: '[rule \"]'",
		"one quote");
	is("[rule \"\"]\n", "1 f:1: the name of a section is empty: '[rule \"\"]'",
		"an empty name");
	is("[gate]\n[rule \"a\"]\n[gate]\n", "1 f:3: [gate] is there already, at line 1",
		"a repeated section");
	is("[rule \"a\"]\n[rule \"a\"]\n", "1 f:2: [rule \"a\"] is there already, at line 1",
		"a repeated name");
	is("[gate]\nbase = a\n\nbase = b\n", "1 f:4: 'base' is set already, at line 2",
		"a repeated key");
	is("[gate]\nbase = \xFF\n", "1 f:2: not valid UTF-8: 'base = \xFF'", "invalid UTF-8");
}

static void test_limits(void)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	_cleanup_(freep) char *nul = parsed_bytes("[gate]\nba\0se = 1\n", 17);
	char *got;
	int i;

	IS_STR(nul, "1 f:2: a NUL byte", "a NUL byte");
	buf_addstr(&b, "[gate]\nbase = ");
	for (i = 0; i < 65536; i++)
		buf_addch(&b, 'x');
	got = parsed_bytes(b.p, b.len);
	OK(strstr(got, "1 f:2: a line of more than 64 KiB: 'base = xxx") == got, "a long line");
	free(got);
	buf_clear(&b);
	while (b.len <= 1 << 20)
		buf_addstr(&b, "# 15 characters\n");
	got = parsed_bytes(b.p, b.len);
	IS_STR(got, "1 f:1: more than 1 MiB", "a long file");
	free(got);
}

/* Linear: a quadratic search for repetitions would take minutes. */
static void test_many(void)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct err err = ERR_INIT;
	struct conf *c;
	int i;

	for (i = 0; b.len < 500000; i++)
		buf_addf(&b, "[r \"%d\"]\n", i);
	buf_addstr(&b, "[gate]\n");
	for (i = 0; b.len < 1000000; i++)
		buf_addf(&b, "k%d=\n", i);
	c = conf_parse("f", b.p, b.len, &err);
	OK(c && c->n > 40000 && c->sections[c->n - 1].n > 50000,
		"as many sections and keys as fit");
	conf_free(c);
}

int main(void)
{
	test_good();
	test_bad();
	test_limits();
	test_many();
	return tap_done();
}
