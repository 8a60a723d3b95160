/*
 * crypto: AES, SHA-256 and CRC32C by the instructions that a CPU has for them, in memory that its
 * L1 cache holds.
 *
 * Several blocks or messages at a time, since one instruction takes longer than it keeps the next
 * one waiting. A CPU without the instructions is told so: plain C shows no peak of it.
 */
#ifndef CRYPTO_H
#define CRYPTO_H

#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "isa.h"

extern const struct cpu_group cpu_crypto;

enum {
	AES_STEP = 512, /* bytes; a multiple of what any kernel encrypts at a time */
	AES_KEYS = 11,  /* of AES-128 */
	SHA_MESSAGES = 2,
	SHA_BLOCK = 64,
	CRC_MESSAGES = 3
};

/* An instruction set with one of the three kernels, the others NULL. */
struct crypto_kernel {
	const char *name;
	enum isa needs;
	/* Encrypts each block of 16 bytes, in place; bytes is a multiple of AES_STEP. */
	void (*aes)(uint8_t *data, size_t bytes, const uint8_t keys[AES_KEYS][16]);
	/* Goes on with SHA_MESSAGES messages, of that many blocks each. */
	void (*sha256)(uint32_t state[SHA_MESSAGES][8], const uint8_t *const data[SHA_MESSAGES],
		size_t blocks);
	/* Goes on with CRC_MESSAGES messages, of that many bytes each. */
	void (*crc32c)(uint32_t state[CRC_MESSAGES], const uint8_t *const data[CRC_MESSAGES],
		size_t bytes);
};

/* What this architecture has, widest first; ends with NULL. */
extern const struct crypto_kernel *const crypto_all[];

extern const uint32_t sha256_constants[64]; /* FIPS 180-4, 4.2.2 */

/* Compares a kernel with published vectors: FIPS 197 B and SP 800-38A F.1.1, FIPS 180-4, and the
 * check value of CRC-32C (RFC 3720 B.4, and "123456789"). -1 with err set. */
int crypto_check(const struct crypto_kernel *k, struct err *err);

#endif
