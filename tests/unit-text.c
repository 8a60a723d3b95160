#include "text.h"

#include "tap.h"

#define REPLACEMENT "\xEF\xBF\xBD"

static const char *through(void (*f)(struct buf *, const char *, size_t), const char *s, size_t len)
{
	static char text[400];
	struct buf b = BUF_INIT;

	f(&b, s, len);
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	return text;
}

#define THROUGH(f, s) through(f, s, sizeof(s) - 1)

/* The rows are the classes of the Unicode standard, table 3-7 (well-formed UTF-8 byte sequences).
 */
static void utf8(void)
{
	OK(utf8_valid("", 0), "nothing is valid");
	OK(utf8_valid("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 10), "one to four bytes");
	OK(utf8_sequence("\xE2\x82\xAC", 3) == 3 && utf8_sequence("\xE2\x82\xAC", 2) == 0,
		"a cut sequence");
	OK(!utf8_valid("\xC0\xAF", 2) && !utf8_valid("\xE0\x80\xAF", 3) &&
			!utf8_valid("\xF0\x80\x80\xAF", 4),
		"overlong forms");
	OK(!utf8_valid("\xED\xA0\x80", 3), "a surrogate");
	OK(!utf8_valid("\xF4\x90\x80\x80", 4) && utf8_valid("\xF4\x8F\xBF\xBF", 4),
		"past U+10FFFF");
	OK(!utf8_valid("\x80", 1) && !utf8_valid("\xFF", 1), "bytes that begin nothing");
}

static void escaping(void)
{
	IS_STR(THROUGH(text_escape, "plain \xC3\xA9"), "plain \xC3\xA9", "plain text passes");
	IS_STR(THROUGH(text_escape, "a\x1b[31m\n\t\x7f"), "a\\x1b[31m\\x0a\\x09\\x7f",
		"controls do not");
	IS_STR(THROUGH(text_escape, "\xC2\x9B"
				    "1m"),
		"\\u{9b}1m", "C1 controls");
	IS_STR(THROUGH(text_escape, "\xE2\x80\xAE"
				    "abc"),
		"\\u{202e}abc", "bidirectional overrides");
	IS_STR(THROUGH(text_escape, "\xE2\x80\xA8"), "\\u{2028}", "line separators");
	IS_STR(THROUGH(text_escape, "a\xFF\xC3"), "a\\xff\\xc3", "invalid bytes");
	IS_STR(THROUGH(text_escape, "a\0b"), "a\\x00b", "a NUL");
	IS_STR(THROUGH(text_sanitize, "a\xFF\xE2\x82"), "a" REPLACEMENT REPLACEMENT REPLACEMENT,
		"sanitized");
}

static void json(void)
{
	struct buf b = BUF_INIT;

	IS_STR(THROUGH(text_json, "a\"b\\c\n\x01\x7f"), "\"a\\\"b\\\\c\\n\\u0001\\u007f\"",
		"a JSON string");
	IS_STR(THROUGH(text_json, "\xC3\xA9\xFF"), "\"\xC3\xA9\\ufffd\"", "in UTF-8 always");
	IS_STR(THROUGH(text_json, "a\0b"), "\"a\\u0000b\"", "a NUL in it");
	text_json_str(&b, NULL);
	IS_STR(buf_str(&b), "null", "nothing is null");
	buf_release(&b);
}

static const char *defused(const char *s)
{
	static char text[100];
	struct buf b = BUF_INIT;

	text_defuse(&b, s);
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	return text;
}

static void defusing(void)
{
	IS_STR(defused("a::b\n::c\n"), "a::b\n.::c\n", "a line that begins with ::");
	IS_STR(defused("  ::c"), "  .::c", "... behind blanks");
	IS_STR(defused("\u00a0\u3000::c"), "\u00a0\u3000.::c", "... of any kind");
	IS_STR(defused("a ##[c]##vso[d] #"), "a # #[c]# #vso[d] #", "commands amid a line");
}

static void nearest(void)
{
	static const char *const names[] = {"ingest", "gate", "diff", "log"};
	const char *r;

	OK(text_distance("gate", "gate") == 0, "no distance");
	OK(text_distance("", "abc") == 3, "three insertions");
	OK(text_distance("kitten", "sitting") == 3, "kitten, sitting");
	OK(text_distance("gaet", "gate") == 1, "a transposition is one");
	r = text_nearest("injest", names, 4);
	IS_STR(r, "ingest", "a slip of the finger");
	r = text_nearest("inge", names, 4);
	IS_STR(r, "ingest", "a beginning");
	OK(!text_nearest("publish", names, 4), "nothing is near");
	OK(!text_nearest("foo", names, 4), "two slips in three letters are no slips");
	IS_STR(text_nearest("lgo", names, 4), "log", "one is");
	OK(!text_nearest("x", names, 0), "no names");
}

int main(void)
{
	utf8();
	escaping();
	json();
	defusing();
	nearest();
	return tap_done();
}
