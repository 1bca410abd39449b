/*
 * Memory: one overflow-checked allocation interface, and arenas for things that are freed together.
 * Thread-safe except for arenas, which belong to one owner at a time.
 */
#ifndef ORO_BASE_MEMORY_H
#define ORO_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Returns `count * size` zeroed bytes, or NULL when the product overflows or memory is out. */
void *oro_alloc(size_t count, size_t size);
/* Grows or shrinks; new bytes are not zeroed. On failure returns NULL and `memory` stays valid. */
void *oro_resize(void *memory, size_t count, size_t size);
void oro_free(void *memory);
char *oro_copy_text(const char *text); /* NULL gives NULL */

/* Makes sure that a list has room for `wanted` items, growing by halves; `items` is the address of the
 * pointer to them, of any type. False: memory is out, nothing changed. */
bool oro_reserve(void *items, size_t *capacity, size_t wanted, size_t item_size);

/* For what is about to be allocated piece by piece, or by a library: fails with ORO_E_LIMIT where `bytes` are
 * not left, and says what they are for: "to read 'a.png'". */
bool oro_budget_fits(double bytes, struct oro_error *err, const char *what, ...) ORO_PRINTF(3, 4);

/* Tests: the n-th allocation from now (1 is the next) fails, once. 0 switches this off. */
void oro_memory_fail_at(size_t n);
/* Tests: allocations made since the program began. */
size_t oro_memory_count(void);

/* An arena owns all that is allocated from it, and frees it at once. */
struct oro_arena;
struct oro_arena *oro_arena_create(void);
void oro_arena_destroy(struct oro_arena *arena);
void *oro_arena_alloc(struct oro_arena *arena, size_t count, size_t size); /* zeroed; NULL when out */
char *oro_arena_text(struct oro_arena *arena, const char *text);
char *oro_arena_textf(struct oro_arena *arena, const char *format, ...) ORO_PRINTF(2, 3);

#endif
