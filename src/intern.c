#include "intern.h"

#include "buf.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_MIN = 1024, CHUNK_MAX = 64 * 1024 };

struct entry {
	const char *key;
	uint32_t len;
	uint32_t hash;
};

struct chunk {
	struct chunk *next;
	size_t used, size;
	char data[];
};

struct intern {
	struct entry *entries;
	size_t cap;
	uint32_t count;
	uint32_t *slots; /* id + 1; 0 = free */
	uint32_t mask;
	struct chunk *chunks;
	size_t bytes;
};

/* FNV-1a, 64 bits folded. Documents choose the keys, so the seed differs from process to process
 * only by the address of the table: enough to keep a fixed set of colliding keys from being useful.
 */
static uint32_t hash_bytes(const struct intern *in, const char *s, size_t len)
{
	uint64_t h = 14695981039346656037ull ^ (uint64_t)(uintptr_t)in;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 1099511628211ull;
	h ^= h >> 29;
	return (uint32_t)(h ^ h >> 32);
}

struct intern *intern_new(void)
{
	struct intern *in = xcalloc(1, sizeof(*in));

	in->mask = 63;
	in->slots = xcalloc(in->mask + 1u, sizeof(*in->slots));
	return in;
}

void intern_free(struct intern *in)
{
	struct chunk *c, *next;

	if (!in)
		return;
	for (c = in->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	free(in->entries);
	free(in->slots);
	free(in);
}

static const char *keep(struct intern *in, const void *key, size_t len)
{
	struct chunk *c = in->chunks;
	char *p;

	if (!c || c->size - c->used < len + 1) {
		size_t size = !c ? CHUNK_MIN : c->size < CHUNK_MAX / 2 ? 2 * c->size : CHUNK_MAX;
		size = len + 1 > size ? len + 1 : size;
		c = xmalloc(sizeof(*c) + size);
		c->next = in->chunks;
		c->used = 0;
		c->size = size;
		in->chunks = c;
		in->bytes += size;
	}
	p = c->data + c->used;
	memcpy(p, key, len);
	p[len] = '\0';
	c->used += len + 1;
	return p;
}

static uint32_t *slot_of(const struct intern *in, const void *key, size_t len, uint32_t hash)
{
	uint32_t i = hash & in->mask;

	while (in->slots[i]) {
		const struct entry *e = &in->entries[in->slots[i] - 1];
		if (e->hash == hash && e->len == len && !memcmp(e->key, key, len))
			break;
		i = (i + 1) & in->mask;
	}
	return &in->slots[i];
}

static void grow_slots(struct intern *in)
{
	uint32_t id, i;

	free(in->slots);
	in->mask = in->mask * 2 + 1;
	in->slots = xcalloc(in->mask + 1u, sizeof(*in->slots));
	for (id = 0; id < in->count; id++) {
		for (i = in->entries[id].hash & in->mask; in->slots[i]; i = (i + 1) & in->mask)
			;
		in->slots[i] = id + 1;
	}
}

uint32_t intern_add(struct intern *in, const void *key, size_t len)
{
	uint32_t hash = hash_bytes(in, key, len);
	uint32_t *slot = slot_of(in, key, len, hash);

	if (*slot)
		return *slot - 1;
	in->entries = xgrow(in->entries, in->count, &in->cap, sizeof(*in->entries));
	in->entries[in->count] =
		(struct entry){.key = keep(in, key, len), .len = (uint32_t)len, .hash = hash};
	*slot = ++in->count;
	if (in->count > in->mask / 2)
		grow_slots(in);
	return in->count - 1;
}

uint32_t intern_find(const struct intern *in, const void *key, size_t len)
{
	uint32_t *slot = slot_of(in, key, len, hash_bytes(in, key, len));

	return *slot ? *slot - 1 : INTERN_NONE;
}

const char *intern_get(const struct intern *in, uint32_t id, size_t *ret_len)
{
	if (ret_len)
		*ret_len = in->entries[id].len;
	return in->entries[id].key;
}

uint32_t intern_count(const struct intern *in)
{
	return in->count;
}

size_t intern_bytes(const struct intern *in)
{
	return in->bytes + in->cap * sizeof(*in->entries) + (in->mask + 1u) * sizeof(*in->slots);
}
