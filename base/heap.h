/* A queue of whole numbers from which the lowest comes first. */
#ifndef ORO_BASE_HEAP_H
#define ORO_BASE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/* Starts as {0}; emptied by a `count` of 0. The caller frees `keys`. Each entry has four children, which lie
 * side by side: fewer steps, each of one read of memory, than with two. */
struct oro_heap {
    uint64_t *keys;
    size_t count, capacity;
};

/* False: no memory. */
static inline bool oro_heap_put(struct oro_heap *heap, uint64_t key)
{
    void *keys = heap->keys;
    if (!oro_reserve(&keys, &heap->capacity, heap->count + 1, sizeof *heap->keys))
        return false;
    heap->keys = keys;
    size_t i = heap->count++;
    for (; i && heap->keys[(i - 1) / 4] > key; i = (i - 1) / 4)
        heap->keys[i] = heap->keys[(i - 1) / 4];
    heap->keys[i] = key;
    return true;
}

/* Of a heap that is not empty. */
static inline uint64_t oro_heap_take(struct oro_heap *heap)
{
    uint64_t *keys = heap->keys, lowest = keys[0], last = keys[--heap->count];
    size_t i = 0, child;
    while ((child = 4 * i + 1) < heap->count) {
        size_t least = child, end = child + 4 < heap->count ? child + 4 : heap->count;
        while (++child < end)
            least = keys[child] < keys[least] ? child : least;
        if (keys[least] > last)
            break;
        keys[i] = keys[least];
        i = least;
    }
    keys[i] = last;
    return lowest;
}

#endif
