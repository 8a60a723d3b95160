/* The stream's limits and refusals, and where its errors say they are. */
#include "json.h"

#include "tap.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char result[600];

/* Opens a stream on text as document "d". The input is freed by close_doc(). */
static struct js *open_doc(const void *text, size_t len, struct input **in, unsigned flags)
{
	*in = input_memory("d", text, len);
	return js_open(*in, flags);
}

static void close_doc(struct js *js, struct input *in)
{
	js_close(js);
	input_free(in);
}

/* Loads the document whole: its compact form, or the error. */
static const char *loaded_flags(const char *text, size_t len, unsigned flags)
{
	struct input *in;
	struct js *js = open_doc(text, len, &in, flags);
	struct err err = ERR_INIT;
	struct buf b = BUF_INIT;
	struct jv *v = js_load(js, &err);

	if (v && js_end(js, &err) == 0)
		jv_dump(&b, v);
	else
		buf_addstr(&b, err.msg);
	snprintf(result, sizeof(result), "%s", buf_str(&b));
	buf_release(&b);
	jv_free(v);
	close_doc(js, in);
	return result;
}

#define LOADED(s) loaded_flags(s, sizeof(s) - 1, 0)

/* Walks past it instead. "" or the error. */
static const char *skipped(const char *text, size_t len)
{
	struct input *in;
	struct js *js = open_doc(text, len, &in, 0);
	struct err err = ERR_INIT;

	if (js_skip(js, &err) == 0)
		js_end(js, &err);
	snprintf(result, sizeof(result), "%s", err.msg);
	close_doc(js, in);
	return result;
}

#define SKIPPED(s) skipped(s, sizeof(s) - 1)

static bool begins(const char *s, const char *with)
{
	bool good = !strncmp(s, with, strlen(with));

	if (!good)
		printf("# got: %s\n", s);
	return good;
}

static void values(void)
{
	IS_STR(LOADED(" {\"a\": [1, 2.5, \"x\", null, true]}\n"), "{\"a\":[1,2.5,\"x\",null,true]}",
		"a document");
	IS_STR(LOADED("9223372036854775807"), "9223372036854775807", "2^63 - 1");
	IS_STR(LOADED("[-9223372036854775808]"), "[-9223372036854775808]", "-2^63");
	OK(begins(LOADED("[9223372036854775808]"), "d:1: "), "2^63 is refused");
	OK(begins(LOADED("[1e400]"), "d:1: "), "an overflow is refused");
	OK(begins(LOADED("[NaN]"), "d:1: ") && begins(LOADED("[Infinity]"), "d:1: "),
		"NaN and infinity are");
	OK(begins(LOADED("[01]"), "d:1: ") && begins(LOADED("[+1]"), "d:1: "), "odd numbers are");
	OK(begins(LOADED("[1,]"), "d:1: ") && begins(LOADED("[1 2]"), "d:1: "), "odd lists are");
	OK(begins(LOADED("[\"\xff\"]"), "d:1: "), "invalid UTF-8 is");
	OK(begins(LOADED("[\"\x01\"]"), "d:1: a control character inside a string"),
		"a raw control is");
	IS_STR(LOADED(""), "d:1: the document ends early, expected a value", "an empty document");
	IS_STR(LOADED(" \n\n"), "d:3: the document ends early, expected a value", "a blank one");
	IS_STR(LOADED("{\"a\": 1"), "d:1: the document ends inside an object that begins here",
		"a cut one");
	IS_STR(LOADED("1 2"), "d:1: expected nothing after the document, not '2'", "a second one");
}

static void duplicates(void)
{
	struct input *in;
	struct js *js;
	struct err err = ERR_INIT;
	const char *key;
	static const char text[] = "{\"a\": 1,\n \"b\": 2,\n \"a\": 3}";

	OK(begins(LOADED("{\"a\":1,\"a\":2}"), "d:1: "), "duplicate keys of a loaded object");
	OK(begins(LOADED("[{\"x\":{\"a\":1,\n\"a\":2}}]"), "d:2: "),
		"of one deep inside, with its line");
	js = open_doc(text, sizeof(text) - 1, &in, 0);
	OK(js_enter(js, '{', &err) == 0 && js_more(js, &err) == 1 && js_key(js, &key, &err) == 0 &&
			js_skip(js, &err) == 0 && js_more(js, &err) == 1 &&
			js_key(js, &key, &err) == 0 && js_skip(js, &err) == 0 &&
			js_more(js, &err) == 1,
		"a walked object");
	OK(js_key(js, &key, &err) == -1, "its duplicate");
	IS_STR(err.msg, "d:3: duplicate key 'a'", "is named with its line");
	close_doc(js, in);
}

static void nul_bytes(void)
{
	IS_STR(LOADED("[1\0]"), "d:1: a NUL byte", "a NUL after a number");
	IS_STR(LOADED("[1,\n2\0]"), "d:2: a NUL byte", "on the second line");
	IS_STR(LOADED("[\"a\0\"]"), "d:1: a NUL byte", "in a string");
	IS_STR(LOADED("[\"\\\0\"]"), "d:1: a NUL byte", "escaped in a string");
	IS_STR(LOADED("1\0"), "d:1: a NUL byte", "after a lone number");
	IS_STR(LOADED("\0"), "d:1: a NUL byte", "at the start");
	IS_STR(SKIPPED("{\"a\":1\0}"), "d:1: a NUL byte", "in what is skipped");
	OK(begins(LOADED("{\"a\\u0000b\":1}"), "d:1: "), "an escaped one in a key");
}

static void depth(void)
{
	char text[2 * 66 + 1];
	size_t n;

	for (n = 64; n <= 65; n++) {
		memset(text, '[', n);
		memset(text + n, ']', n);
		loaded_flags(text, 2 * n, 0);
		if (n == 64)
			OK(result[0] == '[', "64 levels load");
		else
			IS_STR(result, "d:1: nested deeper than 64 levels", "65 do not");
		skipped(text, 2 * n);
		IS_STR(result, n == 64 ? "" : "d:1: nested deeper than 64 levels",
			"nor are they skipped");
	}
}

static void entering(void)
{
	struct input *in;
	char text[65];
	struct js *js;
	struct err err = ERR_INIT;
	int i, entered = 0;

	memset(text, '[', sizeof(text));
	js = open_doc(text, sizeof(text), &in, 0);
	for (i = 0; i < 64; i++)
		entered += js_enter(js, '[', &err) == 0 && js_more(js, &err) == 1;
	OK(entered == 64, "64 levels can be entered");
	OK(js_enter(js, '[', &err) == -1, "a 65th cannot");
	close_doc(js, in);
}

static void long_numbers(void)
{
	char text[80];

	memset(text, '0', sizeof(text));
	memcpy(text, "[1.", 3);
	text[65] = ']';
	OK(begins(loaded_flags(text, 66, 0), "[1.0]"), "a number of 64 bytes");
	IS_STR(skipped(text, 66), "", "is skipped as well");
	text[65] = '0';
	text[66] = ']';
	IS_STR(loaded_flags(text, 67, 0), "d:1: a number of more than 64 bytes", "one of 65");
	IS_STR(skipped(text, 67), "d:1: a number of more than 64 bytes", "is not even skipped");
}

static void large_elements(void)
{
	size_t n = JSON_ELEMENT_MAX;
	char *text = malloc(n + 1);

	memset(text, 'x', n + 1);
	text[0] = text[n - 1] = '"';
	loaded_flags(text, n, 0);
	OK(result[0] == '"', "an element of 16 MiB loads");
	text[n - 1] = 'x';
	text[n] = '"';
	IS_STR(loaded_flags(text, n + 1, 0), "d:1: an element of more than 16 MiB",
		"one byte more does not");
	IS_STR(skipped(text, n + 1), "", "but can be skipped");
	free(text);
}

/* One element of 256 MiB, through a pipe that a child fills. */
static void feed(int fd)
{
	static char block[65536];
	size_t sent, i;

	for (i = 0; i < sizeof(block); i += 8)
		memcpy(block + i, "\"ab\", 1,", 8);
	if (write(fd, "[", 1) != 1)
		_exit(1);
	for (sent = 0; sent < 256u << 20; sent += sizeof(block))
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			_exit(1);
	_exit(write(fd, "0]", 2) != 2);
}

static long peak_kib(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_maxrss;
}

/* What is skipped is refused wherever loading it would be. */
static void skipped_grammar(void)
{
	static const char *const good[] = {"{\"a\":[],\"b\":{},\"\":[1,-0,0.5,1e5,-1.5E-3]}",
		"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\ude00 \xc3\xa9\xf0\x9f\x98\x80\x7f\"]",
		" [ true , false , null ] ", "{\"a\\u0062\":1,\"b\":2}", "\"\"", "12", "1.25",
		"true", "[9223372036854775807,-9223372036854775808]"};
	static const char *const bad[] = {"{\"a\" 1}", "{\"a\":1,,\"b\":2}", "{\"a\":1,}", "{,}",
		"{\"a\":1 \"b\":2}", "{\"a\"}", "{a:1}", "{1:2}", "{\"a\":}", "[1,]", "[,1]",
		"[1 2]", "[1,,2]", "[1:2]", "[nope]", "[nul]", "[nulll]", "[truefalse]", "[True]",
		"[NaN]", "[01]", "[-]", "[+1]", "[1.]", "[.5]", "[1e]", "[1.5.5]", "[1-2]", "[--1]",
		"[1a]", "[\"\\x\"]", "[\"\\u12g4\"]", "[\"\\u12\"]", "[\"\\\"]", "[\"a\tb\"]",
		"[\"\xff\"]", "[\"\xc3\"]", "[\"\xed\xa0\x80\"]", "[1}", "{\"a\":1]", "[", "{",
		"[1", "{\"a\"", "{\"a\":", "{\"a\":1,\"a\":2}", "[{\"x\":{\"a\":1,\"\\u0061\":2}}]",
		"nope", "", "9223372036854775808", "1e400", "{\"a\" 1 ,,, nope}", "]", ",", "\"",
		"'a'"};
	int missed = 0;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		if (*skipped(good[i], strlen(good[i])))
			printf("# %s: %s\n", good[i], result);
		missed += *result != '\0';
	}
	OK(missed == 0, "what is good is skipped");
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		bool skips = !*skipped(bad[i], strlen(bad[i]));
		bool loads = !begins(loaded_flags(bad[i], strlen(bad[i]), 0), "d:1: ");
		if (skips || loads)
			printf("# %s: %s\n", bad[i], skips ? "is skipped" : "loads");
		missed += skips || loads;
	}
	OK(missed == 0, "what is bad is not");
	IS_STR(SKIPPED("[1,\n{\"a\" 1}]"), "d:2: expected ':', not '1'", "and where is said");
	IS_STR(SKIPPED("{\"a\":1,\n\"a\":2}"), "d:2: duplicate key 'a'", "a duplicate key too");
}

/* A skip that failed leaves the stream where a lenient reader can go on. */
static void skip_recovers(void)
{
	static const char text[] = "[[[ nope {\"a\":[1]}";
	struct input *in;
	struct js *js = open_doc(text, sizeof(text) - 1, &in, 0);
	struct err err = ERR_INIT;
	const char *key;
	int i;

	OK(js_skip(js, &err) == -1 && js_peek(js, &err) == 'n', "it fails where the fault is");
	err_clear(&err);
	OK(js_drop(js, 4, &err) == 0 && js_enter(js, '{', &err) == 0 && js_more(js, &err) == 1 &&
			js_key(js, &key, &err) == 0 && js_skip(js, &err) == 0 &&
			js_more(js, &err) == 0,
		"and what follows can be walked");
	close_doc(js, in);
	js = open_doc("{\"a\" 1 ,,, nope} 1", 19, &in, 0);
	OK(js_pass(js, &err) == 0 && js_peek(js, &err) == '1', "or passed without looking");
	for (i = 0; i < 3; i++)
		js_drop(js, 1, &err);
	close_doc(js, in);
}

/* More keys than are remembered: skipped all the same, walked not. */
static void many_keys(void)
{
	struct buf b = BUF_INIT;
	struct input *in;
	struct js *js;
	struct err err = ERR_INIT;
	const char *key;
	int i, r;

	for (i = 0; i < 70000; i++)
		buf_addf(&b, "%c\"k%d\":%d", i ? ',' : '{', i, i);
	buf_addch(&b, '}');
	IS_STR(skipped(b.p, b.len), "", "an object of 70,000 keys is skipped");
	js = open_doc(b.p, b.len, &in, 0);
	r = js_enter(js, '{', &err);
	while (r == 0 && js_more(js, &err) > 0)
		if ((r = js_key(js, &key, &err)) == 0)
			r = js_skip(js, &err);
	IS_STR(err.msg, "d:1: an object of more than 65536 keys", "and not walked");
	close_doc(js, in);
	buf_release(&b);
}

static void huge_skip(void)
{
	char path[32];
	int fds[2], status;
	struct input *in;
	struct js *js;
	struct err err = ERR_INIT;
	long before;
	pid_t child;

	fflush(stdout);
	if (pipe(fds) < 0 || (child = fork()) < 0) {
		OK(false, "a pipe and a child");
		return;
	}
	if (child == 0) {
		close(fds[0]);
		feed(fds[1]);
	}
	close(fds[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[0]);
	in = input_file(path);
	js = js_open(in, 0);
	before = peak_kib();
	OK(js_skip(js, &err) == 0 && js_end(js, &err) == 0, "256 MiB are skipped");
	OK(peak_kib() - before < 8192, "in the memory of a window");
	close_doc(js, in);
	close(fds[0]);
	waitpid(child, &status, 0);
	OK(status == 0, "all of them were sent");
}

static void places(void)
{
	struct input *in;
	static const char text[] = "[\n {\"a\": 1},\n\n {\"a\": }\n]";
	struct js *js = open_doc(text, sizeof(text) - 1, &in, 0);
	struct err err = ERR_INIT;
	struct jv *v;

	OK(js_enter(js, '[', &err) == 0 && js_more(js, &err) == 1, "the first element");
	OK(js_line(js) == 2, "is on line 2");
	v = js_load(js, &err);
	OK(v && js_more(js, &err) == 1 && js_line(js) == 4, "the second on line 4");
	jv_free(v);
	OK(!js_load(js, &err) && begins(err.msg, "d:4: "), "which its error says");
	err_clear(&err);
	js_error(js, &err, "too %s", "late");
	IS_STR(err.msg, "d:4: too late", "and a reader's own");
	err_clear(&err);
	err_set(&err, ERR_FORMAT, "'a' is odd");
	js_where(js, &err);
	IS_STR(err.msg, "d:4: 'a' is odd", "and a helper's");
	close_doc(js, in);
}

static void typed(void)
{
	struct err err = ERR_INIT;
	const char *s = "old";
	int64_t i = 42;
	struct num n = num_int(42);
	static const char text[] = "{\"s\":\"x\",\"i\":7,\"r\":1.5,\"n\":null,\"b\":true,\"a\":[]}";
	struct jv *v = jv_load_text("d", text, sizeof(text) - 1, &err);

	OK(v && jv_len(v) == 6, "six members");
	OK(jv_get_string(v, "s", &s, &err) == 1 && !strcmp(s, "x"), "a string");
	OK(jv_get_int(v, "i", &i, &err) == 1 && i == 7, "an integer");
	OK(jv_get_num(v, "r", &n, &err) == 1 && n.d == 1.5, "a real");
	OK(jv_get_int(v, "n", &i, &err) == 0 && jv_get_int(v, "none", &i, &err) == 0 && i == 7,
		"null and absent are neither value nor error");
	OK(jv_get_int(v, "r", &i, &err) == -1 && i == 7, "a real is no integer");
	IS_STR(err.msg, "'r' is a number with a fraction, expected an integer", "says the message");
	err_clear(&err);
	OK(jv_get_string(v, "a", &s, &err) == -1, "an array is no string");
	jv_free(v);
	jv_free(NULL);
}

static void members_in_order(void)
{
	struct err err = ERR_INIT;
	static const char text[] = "{\"z\":1,\"a\":2,\"m\":3}";
	struct jv *v = jv_load_text("d", text, sizeof(text) - 1, &err);
	char keys[8] = "";
	size_t n = 0;
	const void *it;

	for (it = jv_first(v); it && n < 7; it = jv_next(v, it))
		keys[n++] = jv_member_key(it)[0];
	IS_STR(keys, "zam", "members come in the document's order");
	jv_free(v);
}

static void raw_objects(void)
{
	struct input *in;
	static const char text[] = "noise {\"a\": \"}{\"} more {\"b\": {";
	struct js *js = open_doc(text, sizeof(text) - 1, &in, 0);
	struct err err = ERR_INIT;
	const char *p = NULL;
	size_t len = 0;

	OK(js_peek(js, &err) == 'n' && js_drop(js, 6, &err) == 0, "text before is dropped");
	OK(js_peek(js, &err) == '{' && js_raw_object(js, &p, &len, &err) == 1,
		"an object is found");
	OK(len == 11 && !memcmp(p, "{\"a\": \"}{\"}", 11), "a brace in a string is no brace");
	OK(js_drop(js, len, &err) == 0 && js_peek(js, &err) == 'm', "it can be dropped too");
	OK(js_drop(js, 5, &err) == 0 && js_raw_object(js, &p, &len, &err) == 0,
		"one that never ends is not");
	OK(err.code == ERR_NONE, "and that is no error");
	close_doc(js, in);
}

static void reals_as_text(void)
{
	static const char text[] = "[1, 2.50, 1e3, \"3.0\", {\"a\": -0.1}]";

	IS_STR(loaded_flags(text, sizeof(text) - 1, JS_REALS_AS_TEXT),
		"[1,\"2.50\",\"1e3\",\"3.0\",{\"a\":\"-0.1\"}]", "reals as text keep their digits");
}

/* The same document, whatever the place where the window ends. */
static void windows(void)
{
	static const char doc[] = "{\"key\":[12345.5e-1,\"a\\\"b\",true,\"\\u00e9\"]}";
	static char text[2 * 65536];
	size_t len = sizeof(doc) - 1, pad;
	int missed = 0;

	for (pad = 65536 - 40; pad < 65536 + 8; pad++) {
		memset(text, ' ', pad);
		memcpy(text + pad, doc, len);
		missed += strcmp(loaded_flags(text, pad + len, 0),
				  "{\"key\":[1234.55,\"a\\\"b\",true,\"\xc3\xa9\"]}") != 0;
		missed += *skipped(text, pad + len) != '\0';
	}
	OK(missed == 0, "a value across the end of a window");
}

int main(void)
{
	values();
	duplicates();
	nul_bytes();
	depth();
	entering();
	long_numbers();
	large_elements();
	skipped_grammar();
	skip_recovers();
	many_keys();
	huge_skip();
	places();
	typed();
	members_in_order();
	raw_objects();
	reals_as_text();
	windows();
	return tap_done();
}
