#include "base/memory.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <malloc.h>
#endif

#include "base/budget.h"

static atomic_size_t allocations;
static atomic_size_t fail_at; /* value of `allocations` at which one allocation fails; 0 is never */

void oro_memory_fail_at(size_t n)
{
    atomic_store(&fail_at, n ? atomic_load(&allocations) + n : 0);
}

size_t oro_memory_count(void)
{
    return atomic_load(&allocations);
}

static bool refused(size_t count, size_t size)
{
    size_t number = atomic_fetch_add(&allocations, 1) + 1;
    return (size && count > SIZE_MAX / size) || number == atomic_load(&fail_at);
}

/* What a block counts in the budget: what the C library says that it has, and says again when it is freed.
 * Where no library tells, a block is only held to what is left. */
static size_t counted(void *memory)
{
#ifdef __linux__
    size_t bytes = memory ? malloc_usable_size(memory) : 0;
    return bytes >= ORO_BUDGET_BLOCK ? bytes : 0;
#else
    (void)memory;
    return 0;
#endif
}

static size_t as_block(size_t bytes)
{
    return bytes >= ORO_BUDGET_BLOCK ? bytes : 0;
}

void *oro_alloc(size_t count, size_t size)
{
    if (refused(count, size) || !oro_budget_take(as_block(count * size)))
        return NULL;
    void *memory = calloc(count ? count : 1, size ? size : 1);
    oro_budget_settle(as_block(count * size), counted(memory));
    if (!memory)
        oro_budget_note(count * size);
    return memory;
}

void *oro_resize(void *memory, size_t count, size_t size)
{
    if (refused(count, size))
        return NULL;
    size_t bytes = count * size, before = counted(memory);
    size_t more = as_block(bytes) > before ? as_block(bytes) - before : 0;
    if (!oro_budget_take(more))
        return NULL;
    void *moved = realloc(memory, bytes ? bytes : 1);
    oro_budget_settle(before + more, moved ? counted(moved) : before);
    if (!moved)
        oro_budget_note(bytes);
    return moved;
}

void oro_free(void *memory)
{
    oro_budget_settle(counted(memory), 0);
    free(memory);
}

char *oro_copy_text(const char *text)
{
    if (!text)
        return NULL;
    size_t length = strlen(text) + 1;
    char *copy = oro_alloc(length, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

bool oro_reserve(void *items, size_t *capacity, size_t wanted, size_t item_size)
{
    if (wanted <= *capacity)
        return true;
    size_t grown = *capacity + *capacity / 2 + 8;
    if (grown < wanted)
        grown = wanted;
    void *now;
    memcpy(&now, items, sizeof now);
    void *moved = oro_resize(now, grown, item_size);
    if (!moved)
        return false;
    memcpy(items, &moved, sizeof moved);
    *capacity = grown;
    return true;
}

bool oro_budget_fits(double bytes, struct oro_error *err, const char *what, ...)
{
    char text[700];
    va_list args;
    if (bytes <= (double)oro_budget_left())
        return true;
    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    static const double mib = 1 << 20;
    return oro_fail(err, ORO_E_LIMIT,
                    "%s takes about %.0f MiB of memory; %.0f of %.0f MiB are left (--memory MB allows more)",
                    text, bytes / mib, (double)oro_budget_left() / mib, (double)oro_budget() / mib);
}

struct block {
    struct block *next;
    max_align_t data[];
};

struct oro_arena {
    struct block *blocks;
    unsigned char *free_from;
    size_t free_bytes;
};

#define BLOCK_BYTES ((size_t)16384)

struct oro_arena *oro_arena_create(void)
{
    return oro_alloc(1, sizeof(struct oro_arena));
}

void oro_arena_destroy(struct oro_arena *arena)
{
    if (!arena)
        return;
    while (arena->blocks) {
        struct block *next = arena->blocks->next;
        oro_free(arena->blocks);
        arena->blocks = next;
    }
    oro_free(arena);
}

static void *new_block(struct oro_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(struct block))
        return NULL;
    struct block *block = oro_alloc(1, sizeof *block + bytes);
    if (!block)
        return NULL;
    block->next = arena->blocks;
    arena->blocks = block;
    return block->data;
}

void *oro_arena_alloc(struct oro_arena *arena, size_t count, size_t size)
{
    const size_t align = sizeof(max_align_t);
    if (size && count > (SIZE_MAX - align) / size)
        return NULL;
    size_t bytes = (count * size + align - 1) / align * align;
    if (bytes == 0)
        bytes = align; /* NULL would mean that memory is out */
    if (bytes > BLOCK_BYTES / 4)
        return new_block(arena, bytes);
    if (bytes > arena->free_bytes) {
        unsigned char *data = new_block(arena, BLOCK_BYTES);
        if (!data)
            return NULL;
        arena->free_from = data;
        arena->free_bytes = BLOCK_BYTES;
    }
    void *memory = arena->free_from;
    arena->free_from += bytes;
    arena->free_bytes -= bytes;
    return memory;
}

char *oro_arena_text(struct oro_arena *arena, const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = oro_arena_alloc(arena, length, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *oro_arena_textf(struct oro_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : oro_arena_alloc(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}
