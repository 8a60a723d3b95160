#include "http.h"

#include "stage.h"

#include <curl/curl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { URL_MAX = 2048, HEADER_MAX = 4096, CONNECT_MS = 10000 };

struct http {
	CURL *easy;
	struct sigaction sigpipe;
	char trouble[CURL_ERROR_SIZE];
};

/* ---- addresses ---- */

static char *part(CURLU *u, CURLUPart what, unsigned flags)
{
	char *s = NULL, *ret = NULL;

	if (curl_url_get(u, what, &s, flags) == CURLUE_OK && s)
		ret = xstrdup(s);
	curl_free(s);
	return ret;
}

static CURLU *parse(const char *url)
{
	CURLU *u = curl_url();

	if (u && curl_url_set(u, CURLUPART_URL, url, 0) != CURLUE_OK) {
		curl_url_cleanup(u);
		return NULL;
	}
	return u;
}

static bool is_loopback(const char *host)
{
	return !strcmp(host, "localhost") || !strcmp(host, "127.0.0.1") || !strcmp(host, "[::1]");
}

static bool has(CURLU *u, CURLUPart what)
{
	_cleanup_(freep) char *s = part(u, what, 0);

	return s != NULL;
}

/* NULL, or why no request goes there. */
static const char *fault_of(CURLU *u)
{
	_cleanup_(freep) char *scheme = part(u, CURLUPART_SCHEME, 0);
	_cleanup_(freep) char *host = part(u, CURLUPART_HOST, 0);

	if (!scheme || !host || !*host)
		return "no address of a server";
	if (has(u, CURLUPART_USER) || has(u, CURLUPART_PASSWORD))
		return "it holds a user; the token comes from the environment";
	if (has(u, CURLUPART_QUERY) || has(u, CURLUPART_FRAGMENT))
		return "it has a query or a fragment";
	if (!strcmp(scheme, "https") || (!strcmp(scheme, "http") && is_loopback(host)))
		return NULL;
	return "it has to begin with https://";
}

static bool is_plain(const char *s)
{
	for (; *s; s++)
		if (*s <= ' ' || *s >= 0x7f || strchr("\"<>\\^`{|}", *s))
			return false;
	return true;
}

int http_check_url(const char *url, struct err *err)
{
	const char *fault = "no address of a server";
	CURLU *u = strlen(url) <= URL_MAX && is_plain(url) ? parse(url) : NULL;

	if (u)
		fault = fault_of(u);
	curl_url_cleanup(u);
	if (!fault)
		return 0;
	return err_set(err, ERR_USAGE, strchr(url, '@') ? "%s" : "%s: '%.200s'", fault, url);
}

static char *origin(const char *url)
{
	CURLU *u = parse(url);
	_cleanup_(freep) char *scheme = NULL, *host = NULL, *port = NULL;

	if (u) {
		scheme = part(u, CURLUPART_SCHEME, 0);
		host = part(u, CURLUPART_HOST, 0);
		port = part(u, CURLUPART_PORT, CURLU_DEFAULT_PORT);
	}
	curl_url_cleanup(u);
	return scheme && host && port ? xasprintf("%s://%s:%s", scheme, host, port) : NULL;
}

bool http_same_origin(const char *a, const char *b)
{
	_cleanup_(freep) char *of_a = origin(a), *of_b = origin(b);

	return of_a && of_b && !strcasecmp(of_a, of_b);
}

/* <URL>; rel="next", <URL>; rel="last" */
char *http_next_link(const char *link)
{
	const char *p = link, *end, *comma;

	while (p && (p = strchr(p, '<')) && (end = strchr(p, '>'))) {
		_cleanup_(freep) char *rest = NULL;
		comma = strchr(end, ',');
		rest = comma ? xstrndup(end, (size_t)(comma - end)) : xstrdup(end);
		if (strstr(rest, "rel=\"next\"") || strstr(rest, "rel=next"))
			return xstrndup(p + 1, (size_t)(end - p - 1));
		p = comma;
	}
	return NULL;
}

/* ---- a client ---- */

static void trust(CURL *easy)
{
	const char *bundle = getenv("CURL_CA_BUNDLE"), *folder = getenv("SSL_CERT_DIR");

	if (!bundle || !*bundle)
		bundle = getenv("SSL_CERT_FILE");
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (bundle && *bundle)
		curl_easy_setopt(easy, CURLOPT_CAINFO, bundle);
	if (folder && *folder)
		curl_easy_setopt(easy, CURLOPT_CAPATH, folder);
}

#if LIBCURL_VERSION_NUM >= 0x075500
static void restrict_protocols(CURL *easy)
{
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
}
#else
static void restrict_protocols(CURL *easy)
{
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}
#endif

struct http *http_open(struct err *err)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct http *h;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		err_set(err, ERR_IO, "libcurl cannot be used");
		return NULL;
	}
	h = xcalloc(1, sizeof(*h));
	sigaction(SIGPIPE, &ignore, &h->sigpipe);
	h->easy = curl_easy_init();
	if (!h->easy) {
		err_set(err, ERR_IO, "libcurl cannot be used");
		http_close(h);
		return NULL;
	}
	return h;
}

void http_close(struct http *h)
{
	if (!h)
		return;
	curl_easy_cleanup(h->easy);
	curl_global_cleanup();
	sigaction(SIGPIPE, &h->sigpipe, NULL);
	free(h);
}

/* ---- an answer ---- */

void http_answer_release(struct http_answer *a)
{
	buf_release(&a->body);
	free(a->link);
	free(a->next_page);
	free(a->location);
	free(a->remaining);
	free(a->reset);
	*a = (struct http_answer){0};
}

static size_t take_body(char *data, size_t size, size_t n, void *ctx)
{
	struct http_answer *a = ctx;

	if (buf_room(&a->body, size * n) < 0)
		return 0;
	buf_add(&a->body, data, size * n);
	return size * n;
}

static size_t take_header(char *data, size_t size, size_t n, void *ctx)
{
	struct http_answer *a = ctx;
	const struct {
		const char *name;
		char **at;
	} kept[] = {{"link:", &a->link}, {"x-next-page:", &a->next_page},
		{"location:", &a->location}, {"x-ratelimit-remaining:", &a->remaining},
		{"x-ratelimit-reset:", &a->reset}};
	const size_t len = size * n;
	size_t i, k, end = len;

	while (end && strchr("\r\n \t", data[end - 1]))
		end--;
	for (i = 0; i < ARRAY_LEN(kept); i++) {
		k = strlen(kept[i].name);
		if (end <= k || end > HEADER_MAX || strncasecmp(data, kept[i].name, k) != 0)
			continue;
		while (k < end && data[k] == ' ')
			k++;
		free(*kept[i].at);
		*kept[i].at = xstrndup(data + k, end - k);
	}
	return len;
}

/* What the server repeats of it is nobody's business. */
static void blot(char *text, size_t len, const char *secret)
{
	const size_t n = secret ? strlen(secret) : 0;
	char *p = text;

	while (text && n && (p = memmem(p, len - (size_t)(p - text), secret, n))) {
		memset(p, '*', n);
		p += n;
	}
}

static void blot_answer(struct http_answer *a, const char *secret)
{
	char *const texts[] = {a->link, a->next_page, a->location, a->remaining, a->reset};
	size_t i;

	blot(a->body.p, a->body.len, secret);
	for (i = 0; i < ARRAY_LEN(texts); i++)
		blot(texts[i], texts[i] ? strlen(texts[i]) : 0, secret);
}

/* ---- a request ---- */

static struct curl_slist *add_header(struct curl_slist *list, const char *line)
{
	struct curl_slist *longer = curl_slist_append(list, line);

	return longer ? longer : list;
}

static struct curl_slist *headers_of(const struct http_request *q)
{
	struct curl_slist *list = NULL;
	size_t i;

	for (i = 0; q->headers && q->headers[i]; i++)
		list = add_header(list, q->headers[i]);
	if (q->body)
		list = add_header(list, "Content-Type: application/json");
	list = add_header(list, "Expect:");
	if (q->secret) {
		_cleanup_(freep) char *line = xasprintf("%s %s", q->auth, q->secret);
		list = add_header(list, line);
		blot(line, strlen(line), q->secret);
	}
	return list;
}

static void prepare(struct http *h, const struct http_request *q, struct http_answer *ret)
{
	CURL *e = h->easy;

	curl_easy_reset(e); /* the connection stays */
	trust(e);
	restrict_protocols(e);
	curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(e, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(e, CURLOPT_ERRORBUFFER, h->trouble);
	curl_easy_setopt(e, CURLOPT_USERAGENT, "perfgate/" PACKAGE_VERSION);
	curl_easy_setopt(e, CURLOPT_URL, q->url);
	curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS,
		(long)(q->timeout_ms < CONNECT_MS ? q->timeout_ms : CONNECT_MS));
	curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)q->timeout_ms);
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, ret);
	curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(e, CURLOPT_HEADERDATA, ret);
	if (!strncasecmp(q->url, "http:", 5))
		curl_easy_setopt(e, CURLOPT_PROXY, "");
	if (q->body) {
		curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(q->body));
		curl_easy_setopt(e, CURLOPT_POSTFIELDS, q->body);
	}
	curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, q->method);
}

static enum http_end end_of(CURLcode code)
{
	switch (code) {
	case CURLE_OK:
		return HTTP_ANSWERED;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
		return HTTP_UNSENT;
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_PARTIAL_FILE:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		return HTTP_UNSURE;
	default:
		return HTTP_NEVER;
	}
}

static enum http_end finish(struct http *h, const struct http_request *q, CURLcode code,
	struct http_answer *ret, struct err *err)
{
	curl_off_t wait = 0;
	long status = 0;

	blot_answer(ret, q->secret);
	blot(h->trouble, strlen(h->trouble), q->secret);
	if (code == CURLE_WRITE_ERROR)
		err_set(err, ERR_IO, "the answer has more than %d MiB", HTTP_BODY_MAX >> 20);
	else if (code != CURLE_OK)
		err_set(err, ERR_IO, "%s", *h->trouble ? h->trouble : curl_easy_strerror(code));
	curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &status);
	if (curl_easy_getinfo(h->easy, CURLINFO_RETRY_AFTER, &wait) == CURLE_OK)
		ret->wait_s = wait;
	ret->status = (int)status;
	return end_of(code);
}

enum http_end http_send(
	struct http *h, const struct http_request *q, struct http_answer *ret, struct err *err)
{
	struct curl_slist *headers = headers_of(q);
	enum http_end end;

	PERFGATE_SCOPE("ask a server");
	*ret = (struct http_answer){.body.max = HTTP_BODY_MAX};
	*h->trouble = '\0';
	prepare(h, q, ret);
	curl_easy_setopt(h->easy, CURLOPT_HTTPHEADER, headers);
	end = finish(h, q, curl_easy_perform(h->easy), ret, err);
	curl_easy_setopt(h->easy, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(headers);
	return end;
}
