#include "conf-edit.h"

#include "pattern.h"
#include "tap.h"

#include <stdlib.h>

/* What a test does to a text; c is its parsed form. */
typedef void changes(struct conf_edit *e, const struct conf *c);

static void is(const char *text, changes *change, const char *expected, const char *what)
{
	struct err err = ERR_INIT;
	struct conf *c = conf_parse("f", text, strlen(text), &err);
	struct conf_edit *e = conf_edit_new(text, strlen(text));
	_cleanup_(buf_release) struct buf got = BUF_INIT;

	OK(c != NULL, what);
	if (c)
		change(e, c);
	conf_edit_text(e, &got);
	IS_STR(buf_str(&got), expected, what);
	conf_edit_free(e);
	conf_free(c);
}

static void nothing(struct conf_edit *e, const struct conf *c)
{
	(void)e;
	(void)c;
}

static void test_nothing(void)
{
	static const char *const texts[] = {"", "\n", "[gate]", "[gate]\n",
		"[gate]\r\n\tbase = x\r\n", "\xEF\xBB\xBF[gate]\nbase=x", "# c\n\n\n ; d \n[a]\n",
		"[gate]\n\n\n"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(texts); i++)
		is(texts[i], nothing, texts[i], "nothing to change");
}

static void set_to(struct conf_edit *e, const struct conf *c)
{
	conf_edit_set(e, &c->sections[0], "to", "7");
}

static void test_set(void)
{
	is("[accept \"x\"]\n\tto = 5\n", set_to, "[accept \"x\"]\n\tto = 7\n", "a value");
	is("[accept \"x\"]\n  to=5  \nreason = a = b", set_to,
		"[accept \"x\"]\n  to=7\nreason = a = b", "no newline at the end, no blanks");
	is("[accept \"x\"]\r\n\tto =\t5\r\n# c\r\n", set_to,
		"[accept \"x\"]\r\n\tto =\t7\r\n# c\r\n", "CR LF");
	is("[accept \"x\"]\nto =\n", set_to, "[accept \"x\"]\nto = 7\n", "an empty value");
	is("[accept \"x\"]\n", set_to, "[accept \"x\"]\n\tto = 7\n", "the first key");
	is("[accept \"x\"]\n    # why\n    metric = =\n# next\n[gate]\n", set_to,
		"[accept \"x\"]\n    # why\n    metric = =\n    to = 7\n# next\n[gate]\n",
		"a further key, indented like the one before");
	is("[accept \"x\"]\n\tmetric = a", set_to, "[accept \"x\"]\n\tmetric = a\n\tto = 7\n",
		"a further key after a last line without newline");
	is("[accept \"x\"]", set_to, "[accept \"x\"]\n\tto = 7\n", "a heading without newline");
}

static void append(struct conf_edit *e, const struct conf *c)
{
	(void)c;
	conf_edit_append(e, "[b]\n\tx = 1\n");
}

static void append_two(struct conf_edit *e, const struct conf *c)
{
	append(e, c);
	conf_edit_append(e, "[c]\n");
}

static void set_and_append(struct conf_edit *e, const struct conf *c)
{
	set_to(e, c);
	append(e, c);
}

static void test_append(void)
{
	is("", append, "[b]\n\tx = 1\n", "to nothing");
	is("[a]\n", append, "[a]\n\n[b]\n\tx = 1\n", "an empty line between");
	is("[a]\n\n", append, "[a]\n\n[b]\n\tx = 1\n", "an empty line is there");
	is("[a]", append, "[a]\n\n[b]\n\tx = 1\n", "a last line without newline");
	is("[a]\r\n", append, "[a]\r\n\r\n[b]\r\n\tx = 1\r\n", "CR LF");
	is("[a]\n", append_two, "[a]\n\n[b]\n\tx = 1\n\n[c]\n", "two sections");
	is("[a]\n\tk = v", set_and_append, "[a]\n\tk = v\n\tto = 7\n\n[b]\n\tx = 1\n",
		"after a key that was added at the end");
}

static void drop_second(struct conf_edit *e, const struct conf *c)
{
	conf_edit_drop(e, &c->sections[1]);
}

static void drop_all(struct conf_edit *e, const struct conf *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		conf_edit_drop(e, &c->sections[i]);
}

static void drop_and_append(struct conf_edit *e, const struct conf *c)
{
	drop_all(e, c);
	append(e, c);
}

static void test_drop(void)
{
	is("[a]\n\tx = 1\n\n[b]\n\ty = 1\n\n[c]\n", drop_second, "[a]\n\tx = 1\n\n[c]\n",
		"from the middle");
	is("[a]\n\tx = 1\n\n[b]\n\ty = 1\n", drop_second, "[a]\n\tx = 1\n", "the last one");
	is("[a]\n# of a\n\n# of b\n; too\n[b]\n\ty = 1\n\t# in b\n\tz = 2\n# of c\n[c]\n",
		drop_second, "[a]\n# of a\n\n# of c\n[c]\n", "the comments above it, and in it");
	is("[a]\n[b]\n[c]", drop_second, "[a]\n[c]", "without empty lines");
	is("# c\n[a]\n\tx = 1\n", drop_all, "", "the only one");
	is("\xEF\xBB\xBF[a]\n\n[b]\n", drop_all, "\xEF\xBB\xBF", "a byte order mark stays");
	is("# head\n\n[a]\n\n[b]\n\n[c]\n", drop_all, "# head\n", "several, to the end");
	is("[a]\n[b]\n", drop_and_append, "[b]\n\tx = 1\n", "all of them, and a new one");
}

static void name_is(const char *text, const char *expected, const char *what)
{
	_cleanup_(buf_release) struct buf got = BUF_INIT;

	conf_edit_name(&got, text);
	IS_STR(buf_str(&got), expected, what);
}

static void test_free_names(void)
{
	static const char *const expected[] = {"a", "a (2)", "a (3)"};
	struct intern *names = intern_new();
	size_t i;

	for (i = 0; i < ARRAY_LEN(expected); i++) {
		_cleanup_(buf_release) struct buf got = BUF_INIT;
		conf_edit_free_name(&got, names, "a");
		IS_STR(buf_str(&got), expected[i], "a name that is free");
	}
	intern_free(names);
}

static void test_names(void)
{
	char text[400];
	_cleanup_(buf_release) struct buf got = BUF_INIT;

	name_is("parse \"it\"", "parse \"it\"", "a name");
	name_is("a\nb\x1b[31m",
		"a\\x0a"
		"b\\x1b[31m",
		"controls");
	name_is("  x", "x", "blanks before it");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	conf_edit_name(&got, text);
	OK(got.len == 163, "a long name is cut");
	test_free_names();
}

static void exactly(const char *name, const char *expected, const char *other)
{
	_cleanup_(buf_release) struct buf got = BUF_INIT;
	struct err err = ERR_INIT;
	struct pattern *p;

	OK(pattern_exact(&got, &name, 1, &err) == 0, "a name can be quoted");
	IS_STR(buf_str(&got), expected, "... as it should be");
	p = pattern_new(buf_str(&got), &err);
	OK(p && pattern_match(p, name, strlen(name), &err) == 1, "... and matches the name");
	OK(p && pattern_match(p, other, strlen(other), &err) == 0, "... but not another");
	pattern_free(p);
}

/* What looks like an exact name, but is none, keeps its meaning. */
static void test_no_literals(void)
{
	static const struct {
		const char *pattern, *name;
		int match;
	} cases[] = {{"^a", "ab", 1}, {"a$", "ba", 1}, {"^a.$", "ab", 1}, {"^a\\.$", "a.", 1},
		{"^a\\d$", "a7", 1}, {"^a\\x41$", "aA", 1}, {"^a|b$", "ax", 1}, {"^a\\$", "a$x", 1},
		{"^a\\$", "a", 0}, {"^a\\$$", "a$", 1}, {"^\\Aa\\z$", "a", 1}, {"^a]}$", "a]}", 1},
		{"^\\x{1F600}$", "\xF0\x9F\x98\x80", 1}, {"^\\x{7ff}$", "\xDF\xBF", 1},
		{"^\\x{800}$", "\xE0\xA0\x80", 1}, {"^a$", "\xFF", 0}, {"^$", "", 1}, {"", "x", 1}};
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct err err = ERR_INIT;
		struct pattern *p = pattern_new(cases[i].pattern, &err);
		const char *s = cases[i].name;
		OK(p && pattern_match(p, s, strlen(s), &err) == cases[i].match, cases[i].pattern);
		pattern_free(p);
	}
}

static void test_patterns(void)
{
	static const char *const two[] = {"a.b", "c|d"};
	_cleanup_(buf_release) struct buf got = BUF_INIT, long_name = BUF_INIT;
	struct err err = ERR_INIT;
	const char *name = "\xFF";

	exactly("parse", "^parse$", "parse2");
	exactly("parse", "^parse$", "parse\n");
	exactly("", "^$", "x");
	exactly("a.b*[c]{2}(d|e)+?^$\\", "^a\\.b\\*\\[c\\]\\{2\\}\\(d\\|e\\)\\+\\?\\^\\$\\\\$",
		"axb");
	exactly(" a b ", "^\\x{20}a b\\x{20}$", "a b");
	exactly("a\nb", "^a\\x{a}b$", "a b");
	exactly("\x1b[31m#", "^\\x{1b}\\[31m#$", "[31m#");
	exactly("\\E\\Q", "^\\\\E\\\\Q$", "");
	exactly("\xC3\xBC\xE2\x80\xAE", "^\xC3\xBC\\x{202e}$", "\xC3\xBC");
	exactly("\xF0\x9F\x98\x80\xF3\xA0\x80\x81", "^\xF0\x9F\x98\x80\\x{e0001}$",
		"\xF0\x9F\x98\x80");
	test_no_literals();
	OK(pattern_exact(&got, two, 2, &err) == 0, "two names");
	IS_STR(buf_str(&got), "^(?:a\\.b|c\\|d)$", "... are alternatives");
	OK(pattern_exact(&got, &name, 1, &err) < 0 && strstr(err.msg, "UTF-8"), "no UTF-8");
	err_clear(&err);
	while (long_name.len < 4100)
		buf_addch(&long_name, 'x');
	name = long_name.p;
	OK(pattern_exact(&got, &name, 1, &err) < 0 && strstr(err.msg, "4 KiB"), "too long");
}

int main(void)
{
	test_nothing();
	test_set();
	test_append();
	test_drop();
	test_names();
	test_patterns();
	return tap_done();
}
