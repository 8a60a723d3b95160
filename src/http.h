/*
 * http: requests with JSON to one server at a time. The only module that knows libcurl.
 *
 * A secret goes into one header of a request to the address that it was given for, and nowhere
 * else: redirections are not followed, there are no cookies, no .netrc and no other protocols, the
 * server's certificate is always verified, and what the server sends back of the secret is blotted
 * out. Proxies are those of the environment, but for a loopback address. Errors are ERR_IO.
 */
#ifndef HTTP_H
#define HTTP_H

#include <stdint.h>

#include "buf.h"
#include "err.h"

enum { HTTP_BODY_MAX = 16 << 20 }; /* bytes of an answer */

struct http;

/* Certificates are those that libcurl trusts, or those of CURL_CA_BUNDLE, SSL_CERT_FILE and
 * SSL_CERT_DIR. NULL with err set. */
struct http *http_open(struct err *err);
void http_close(struct http *h); /* NULL is fine */

/* Whether requests may go to a URL: https, or http to a loopback address; without user, query and
 * fragment. Returns 0, or -1 with err set (ERR_USAGE, which does not show a password). */
int http_check_url(const char *url, struct err *err);
bool http_same_origin(const char *a, const char *b); /* scheme, host and port */

struct http_request {
	const char *method, *url;
	const char *const *headers; /* "Name: value"; ends with NULL */
	const char *auth;           /* what stands before the secret: "Authorization: Bearer" */
	const char *secret;         /* NULL: none */
	const char *body;           /* NULL: none */
	int64_t timeout_ms;
};

struct http_answer {
	int status;
	struct buf body;
	char *link, *next_page, *location; /* headers; NULL: none */
	int64_t wait_s;                    /* Retry-After, in seconds; 0: none */
	char *remaining, *reset;           /* X-RateLimit-...; NULL: none */
};

enum http_end {
	HTTP_ANSWERED, /* whatever the status is */
	HTTP_UNSENT,   /* it did not arrive */
	HTTP_UNSURE,   /* it may have: no answer in time, or half of one */
	HTTP_NEVER     /* it would not do another time either: the certificate, an endless answer */
};

/* Fills ret, to be released whatever comes back; err is set unless it is HTTP_ANSWERED. */
enum http_end http_send(
	struct http *h, const struct http_request *q, struct http_answer *ret, struct err *err);
void http_answer_release(struct http_answer *a);

/* The URL of the next page that a Link header names; the caller frees. NULL: none. */
char *http_next_link(const char *link);

#endif
