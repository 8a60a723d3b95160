#include "crypto.h"

#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "pool.h"

#if !defined(__x86_64__) && !defined(__aarch64__)
const struct crypto_kernel *const crypto_all[] = {NULL};
#endif

const uint32_t sha256_constants[64] = {
	0x428a2f98,
	0x71374491,
	0xb5c0fbcf,
	0xe9b5dba5,
	0x3956c25b,
	0x59f111f1,
	0x923f82a4,
	0xab1c5ed5,
	0xd807aa98,
	0x12835b01,
	0x243185be,
	0x550c7dc3,
	0x72be5d74,
	0x80deb1fe,
	0x9bdc06a7,
	0xc19bf174,
	0xe49b69c1,
	0xefbe4786,
	0x0fc19dc6,
	0x240ca1cc,
	0x2de92c6f,
	0x4a7484aa,
	0x5cb0a9dc,
	0x76f988da,
	0x983e5152,
	0xa831c66d,
	0xb00327c8,
	0xbf597fc7,
	0xc6e00bf3,
	0xd5a79147,
	0x06ca6351,
	0x14292967,
	0x27b70a85,
	0x2e1b2138,
	0x4d2c6dfc,
	0x53380d13,
	0x650a7354,
	0x766a0abb,
	0x81c2c92e,
	0x92722c85,
	0xa2bfe8a1,
	0xa81a664b,
	0xc24b8b70,
	0xc76c51a3,
	0xd192e819,
	0xd6990624,
	0xf40e3585,
	0x106aa070,
	0x19a4c116,
	0x1e376c08,
	0x2748774c,
	0x34b0bcb5,
	0x391c0cb3,
	0x4ed8aa4a,
	0x5b9cca4f,
	0x682e6ff3,
	0x748f82ee,
	0x78a5636f,
	0x84c87814,
	0x8cc70208,
	0x90befffa,
	0xa4506ceb,
	0xbef9a3f7,
	0xc67178f2,
};

/* FIPS 197 A.1: the key 2b7e151628aed2a6abf7158809cf4f3c, expanded. */
static const uint8_t aes_keys[AES_KEYS][16] = {
	{0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f,
		0x3c},
	{0xa0, 0xfa, 0xfe, 0x17, 0x88, 0x54, 0x2c, 0xb1, 0x23, 0xa3, 0x39, 0x39, 0x2a, 0x6c, 0x76,
		0x05},
	{0xf2, 0xc2, 0x95, 0xf2, 0x7a, 0x96, 0xb9, 0x43, 0x59, 0x35, 0x80, 0x7a, 0x73, 0x59, 0xf6,
		0x7f},
	{0x3d, 0x80, 0x47, 0x7d, 0x47, 0x16, 0xfe, 0x3e, 0x1e, 0x23, 0x7e, 0x44, 0x6d, 0x7a, 0x88,
		0x3b},
	{0xef, 0x44, 0xa5, 0x41, 0xa8, 0x52, 0x5b, 0x7f, 0xb6, 0x71, 0x25, 0x3b, 0xdb, 0x0b, 0xad,
		0x00},
	{0xd4, 0xd1, 0xc6, 0xf8, 0x7c, 0x83, 0x9d, 0x87, 0xca, 0xf2, 0xb8, 0xbc, 0x11, 0xf9, 0x15,
		0xbc},
	{0x6d, 0x88, 0xa3, 0x7a, 0x11, 0x0b, 0x3e, 0xfd, 0xdb, 0xf9, 0x86, 0x41, 0xca, 0x00, 0x93,
		0xfd},
	{0x4e, 0x54, 0xf7, 0x0e, 0x5f, 0x5f, 0xc9, 0xf3, 0x84, 0xa6, 0x4f, 0xb2, 0x4e, 0xa6, 0xdc,
		0x4f},
	{0xea, 0xd2, 0x73, 0x21, 0xb5, 0x8d, 0xba, 0xd2, 0x31, 0x2b, 0xf5, 0x60, 0x7f, 0x8d, 0x29,
		0x2f},
	{0xac, 0x77, 0x66, 0xf3, 0x19, 0xfa, 0xdc, 0x21, 0x28, 0xd1, 0x29, 0x41, 0x57, 0x5c, 0x00,
		0x6e},
	{0xd0, 0x14, 0xf9, 0xa8, 0xc9, 0xee, 0x25, 0x89, 0xe1, 0x3f, 0x0c, 0xc8, 0xb6, 0x63, 0x0c,
		0xa6},
};

/* ---- against published vectors ---- */

/* Under that key: FIPS 197 B, then SP 800-38A F.1.1. */
static const struct {
	uint8_t plain[16], cipher[16];
} aes_vectors[] = {
	{{0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07,
		 0x34},
		{0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a,
			0x0b, 0x32}},
	{{0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17,
		 0x2a},
		{0x3a, 0xd7, 0x7b, 0xb4, 0x0d, 0x7a, 0x36, 0x60, 0xa8, 0x9e, 0xca, 0xf3, 0x24, 0x66,
			0xef, 0x97}},
	{{0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03, 0xac, 0x9c, 0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e,
		 0x51},
		{0xf5, 0xd3, 0xd5, 0x85, 0x03, 0xb9, 0x69, 0x9d, 0xe7, 0x85, 0x89, 0x5a, 0x96, 0xfd,
			0xba, 0xaf}},
	{{0x30, 0xc8, 0x1c, 0x46, 0xa3, 0x5c, 0xe4, 0x11, 0xe5, 0xfb, 0xc1, 0x19, 0x1a, 0x0a, 0x52,
		 0xef},
		{0x43, 0xb1, 0xcd, 0x7f, 0x59, 0x8e, 0xce, 0x23, 0x88, 0x1b, 0x00, 0xe3, 0xed, 0x03,
			0x06, 0x88}},
	{{0xf6, 0x9f, 0x24, 0x45, 0xdf, 0x4f, 0x9b, 0x17, 0xad, 0x2b, 0x41, 0x7b, 0xe6, 0x6c, 0x37,
		 0x10},
		{0x7b, 0x0c, 0x78, 0x5e, 0x27, 0xe8, 0xad, 0x3f, 0x82, 0x23, 0x20, 0x71, 0x04, 0x72,
			0x5d, 0xd4}},
};

static int check_aes(const struct crypto_kernel *k, struct err *err)
{
	enum { N = 2 * AES_STEP / 16 };
	_Alignas(64) uint8_t data[N][16];

	for (size_t i = 0; i < N; i++)
		memcpy(data[i], aes_vectors[i % ARRAY_LEN(aes_vectors)].plain, 16);
	k->aes(data[0], sizeof(data), aes_keys);
	for (size_t i = 0; i < N; i++)
		if (memcmp(data[i], aes_vectors[i % ARRAY_LEN(aes_vectors)].cipher, 16))
			return err_set(
				err, ERR_FORMAT, "%s encrypts block %zu wrongly", k->name, i);
	return 0;
}

static const uint32_t sha_begin[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
	0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* FIPS 180-4 has its examples in a document of their own: "SHA256", examples 1 and 2. */
static const uint32_t sha_short[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3,
	0x96177a9c, 0xb410ff61, 0xf20015ad},
		      sha_long[8] = {0x248d6a61, 0xd20638b8, 0xe5c02693, 0x0c3e6039, 0xa33ce459,
			      0x64ff2167, 0xf6ecedd4, 0x19db06c1};

/* The message and its padding. */
static void sha_pad(uint8_t *blocks, size_t n_blocks, const char *message)
{
	size_t n = strlen(message), size = n_blocks * SHA_BLOCK;

	memset(blocks, 0, size);
	memcpy(blocks, message, n);
	blocks[n] = 0x80;
	blocks[size - 1] = (uint8_t)(n * 8 & 0xff);
	blocks[size - 2] = (uint8_t)(n * 8 >> 8);
}

static int check_sha256(const struct crypto_kernel *k, struct err *err)
{
	uint8_t one[SHA_BLOCK], two[2 * SHA_BLOCK];
	uint32_t state[SHA_MESSAGES][8], right = 0;

	sha_pad(one, 1, "abc");
	sha_pad(two, 2, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
	for (int m = 0; m < SHA_MESSAGES; m++) {
		const uint8_t *data[SHA_MESSAGES] = {two, two};
		memcpy(state[0], sha_begin, sizeof(sha_begin));
		memcpy(state[1], sha_begin, sizeof(sha_begin));
		data[m] = one;
		k->sha256(state, data, 1);
		right += !memcmp(state[m], sha_short, sizeof(sha_short));
		data[0] = data[1] = two + SHA_BLOCK;
		k->sha256(state, data, 1);
		right += !memcmp(state[!m], sha_long, sizeof(sha_long));
		memcpy(state[0], sha_begin, sizeof(sha_begin));
		data[0] = data[1] = two;
		k->sha256(state, data, 2);
		right += !memcmp(state[0], sha_long, sizeof(sha_long));
	}
	if (right != 3 * SHA_MESSAGES)
		return err_set(err, ERR_FORMAT, "%s has a wrong digest", k->name);
	return 0;
}

static int check_crc(const struct crypto_kernel *k, const uint8_t *const data[CRC_MESSAGES],
	size_t n, const uint32_t expected[CRC_MESSAGES], struct err *err)
{
	uint32_t state[CRC_MESSAGES] = {~0u, ~0u, ~0u};

	k->crc32c(state, data, n);
	for (int m = 0; m < CRC_MESSAGES; m++)
		if (~state[m] != expected[m])
			return err_set(err, ERR_FORMAT, "%s has the check value %08x, not %08x",
				k->name, ~state[m], expected[m]);
	return 0;
}

static int check_crc32c(const struct crypto_kernel *k, struct err *err)
{
	static const uint8_t digits[] = "123456789";
	uint8_t zeroes[32] = {0}, ones[32], counting[32];

	memset(ones, 0xff, sizeof(ones));
	for (int i = 0; i < 32; i++)
		counting[i] = (uint8_t)i;
	check_crc(k, (const uint8_t *const[]){digits, digits, digits}, 9,
		(const uint32_t[]){0xe3069283, 0xe3069283, 0xe3069283}, err);
	return check_crc(k, (const uint8_t *const[]){zeroes, ones, counting}, 32,
		(const uint32_t[]){0x8a9136aa, 0x62a8ab43, 0x46dd794e}, err);
}

int crypto_check(const struct crypto_kernel *k, struct err *err)
{
	if (k->aes)
		check_aes(k, err);
	if (k->sha256)
		check_sha256(k, err);
	if (k->crc32c)
		check_crc32c(k, err);
	return err->code ? -1 : 0;
}

/* ---- the readings ---- */

/* A multiple of what any kernel takes; a thread's L1 cache holds it. */
enum { BYTES = 24 * AES_STEP };

struct desk {
	_Alignas(64) uint8_t data[BYTES];
	uint32_t sha[SHA_MESSAGES][8], crc[CRC_MESSAGES];
};

struct office {
	const struct crypto_kernel *k;
	struct desk *desks; /* one a thread */
	int threads;
};

static void work_once(const struct crypto_kernel *k, struct desk *d)
{
	if (k->aes)
		k->aes(d->data, BYTES, aes_keys);
	else if (k->sha256)
		k->sha256(d->sha, (const uint8_t *const[]){d->data, d->data + BYTES / 2},
			BYTES / 2 / SHA_BLOCK);
	else
		k->crc32c(d->crc,
			(const uint8_t *const[]){
				d->data, d->data + BYTES / 3, d->data + 2 * (BYTES / 3)},
			BYTES / 3);
}

static void slice(void *arg, int thread, int64_t iterations)
{
	const struct office *o = arg;

	for (; iterations > 0; iterations--)
		work_once(o->k, &o->desks[thread]);
}

static int batch(void *arg, int64_t iterations, double *ret_seconds, struct err *err)
{
	struct office *o = arg;

	(void)err;
	*ret_seconds = pool_run(o->threads, slice, o, iterations);
	return 0;
}

static void measure(
	const struct crypto_kernel *k, int threads, const struct settings *s, struct outcome *ret)
{
	struct office o = {.k = k, .threads = threads};
	struct err err = ERR_INIT;

	if (crypto_check(k, &err) < 0) {
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
		return;
	}
	o.desks = aligned_alloc(64, (size_t)threads * sizeof(*o.desks));
	if (!o.desks) {
		outcome_refuse(ret, OUTCOME_ERROR, "cannot have %zu bytes",
			(size_t)threads * sizeof(*o.desks));
		return;
	}
	memset(o.desks, 0x5a, (size_t)threads * sizeof(*o.desks));
	outcome_rate(ret, s, batch, &o, BYTES, 0);
	free(o.desks);
}

static void measure_one(const void *data, const struct settings *s, struct outcome *ret)
{
	measure(data, 1, s, ret);
}

static void measure_all(const void *data, const struct settings *s, struct outcome *ret)
{
	measure(data, pool_threads(), s, ret);
}

static void measure_none(const void *data, const struct settings *s, struct outcome *ret)
{
	(void)s;
	outcome_refuse(ret, OUTCOME_UNSUPPORTED, "this CPU has no instructions for %s",
		(const char *)data);
}

/* ---- the group ---- */

static bool has_aes_kernel(const struct crypto_kernel *k)
{
	return k->aes;
}

static bool has_sha256_kernel(const struct crypto_kernel *k)
{
	return k->sha256;
}

static bool has_crc32c_kernel(const struct crypto_kernel *k)
{
	return k->crc32c;
}

static const struct kind {
	const char *test, *title, *what, *description, *one, *all;
	bool (*has)(const struct crypto_kernel *k);
} kinds[] = {
	{"aes_encrypt", "AES-128 encrypt", "AES", "blocks on their own (ECB), 8 vectors at a time",
		"aes ST", "aes MT", has_aes_kernel},
	{"sha256_hash", "SHA-256 hash", "SHA-256", "two messages at a time", "sha256 ST",
		"sha256 MT", has_sha256_kernel},
	{"crc32c", "CRC32-C checksum", "CRC32C", "three messages at a time", "crc32c ST",
		"crc32c MT", has_crc32c_kernel},
};

static void list_kind(struct plan *plan, const struct kind *kind, const struct crypto_kernel *k)
{
	plan_test(plan, &(struct test){.id = kind->test,
				.variant = k ? k->name : NULL,
				.title = kind->title,
				.category = "crypto",
				.homogeneous = true,
				.axis = "threads",
				.unit = "bps",
				.description = kind->description});
	plan_reading(plan, &(struct reading){.id = kind->one,
				   .measure = k ? measure_one : measure_none,
				   .data = k ? (const void *)k : kind->what});
	plan_reading(plan, &(struct reading){.id = kind->all,
				   .measure = k ? measure_all : measure_none,
				   .data = k ? (const void *)k : kind->what});
}

static void list(struct plan *plan, const struct settings *s)
{
	size_t kind, i;
	bool any;

	(void)s;
	for (kind = 0; kind < ARRAY_LEN(kinds); kind++) {
		any = false;
		for (i = 0; crypto_all[i]; i++)
			if (kinds[kind].has(crypto_all[i]) && isa_has(crypto_all[i]->needs)) {
				list_kind(plan, &kinds[kind], crypto_all[i]);
				any = true;
			}
		if (!any)
			list_kind(plan, &kinds[kind], NULL);
	}
}

const struct cpu_group cpu_crypto = {.name = "crypto", .list = list};
