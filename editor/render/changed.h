/*
 * All that a picture was drawn from, as a row of numbers, so that it is redrawn only when one of them
 * changes.
 */
#ifndef ED_RENDER_CHANGED_H
#define ED_RENDER_CHANGED_H

#include <stdbool.h>
#include <stddef.h>

enum { ED_KEY_MAX = 160 };

struct ed_key {
    double values[ED_KEY_MAX];
    size_t count;
};

static inline void ed_key_add(struct ed_key *key, double value)
{
    if (key->count < ED_KEY_MAX)
        key->values[key->count++] = value;
}

/* NaN equals NaN. */
static inline bool ed_key_same(const struct ed_key *a, const struct ed_key *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->values[i] == b->values[i] || (a->values[i] != a->values[i] && b->values[i] != b->values[i]);
    return same;
}

#endif
