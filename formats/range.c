#include "formats/range.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/parallel.h"

bool oro_range_valid(struct oro_height_range range)
{
    return isfinite(range.low) && isfinite(range.high) && fabs(range.low) <= (double)FLT_MAX &&
           fabs(range.high) <= (double)FLT_MAX && range.low <= range.high;
}

#define LEAST ((size_t)1 << 16) /* values that are worth a thread */

/* ---- Least and greatest ---- */

/* Parts whose ends depend on the number of values alone, and are put together in their order: of equal values
 * that differ in their sign the first counts, whatever the threads. */
enum { PARTS = 64 };

struct extremes {
    const float *metres;
    size_t count;
    float low[PARTS], high[PARTS];
};

static void find_extremes(void *user, size_t first, size_t end)
{
    struct extremes *e = user;
    for (size_t part = first; part < end; part++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = e->count * part / PARTS; i < e->count * (part + 1) / PARTS; i++) {
            float z = e->metres[i];
            low = isfinite(z) && z < low ? z : low;
            high = isfinite(z) && z > high ? z : high;
        }
        e->low[part] = low;
        e->high[part] = high;
    }
}

struct oro_height_range oro_range_of(const float *metres, size_t count)
{
    struct extremes e = {.metres = metres, .count = count};
    oro_parallel(PARTS, PARTS * LEAST / (count + 1) + 1, find_extremes, &e);
    float low = INFINITY, high = -INFINITY;
    for (int part = 0; part < PARTS; part++) {
        low = e.low[part] < low ? e.low[part] : low;
        high = e.high[part] > high ? e.high[part] : high;
    }
    return low <= high ? (struct oro_height_range){low, high} : (struct oro_height_range){0, 0};
}

/* ---- Levels ---- */

struct conversion {
    double low, high, largest;
    const float *from;
    float *to;
    atomic_size_t clipped;
};

/* floor(x) of 0 <= x < 2^24 is x as an integer; written so that compilers make vectors of it. */
static void find_levels(void *user, size_t first, size_t end)
{
    struct conversion *c = user;
    double low = c->low, span = c->high - c->low, largest = c->largest;
    const float *from = c->from;
    float *to = c->to;
    size_t clipped = 0;
    for (size_t i = first; i < end; i++) {
        double level = ((double)from[i] - low) / span * largest + 0.5;
        clipped += level < 0 || level >= largest + 1;
        level = level > 0 ? level : 0;
        level = level < largest ? level : largest;
        to[i] = (float)(int32_t)level;
    }
    atomic_fetch_add(&c->clipped, clipped);
}

size_t oro_range_to_levels(struct oro_height_range range, double largest, const float *metres, size_t count,
                           float *levels)
{
    struct conversion c = {range.low, range.high, largest, metres, levels, 0};
    if (range.high > range.low)
        oro_parallel(count, LEAST, find_levels, &c);
    else
        memset(levels, 0, count * sizeof *levels);
    return atomic_load(&c.clipped);
}

static void find_metres(void *user, size_t first, size_t end)
{
    const struct conversion *c = user;
    double low = c->low, high = c->high, span = high - low, largest = c->largest;
    const float *from = c->from;
    float *to = c->to;
    for (size_t i = first; i < end; i++) {
        double level = from[i], metres = low + span * (level / largest);
        metres = level >= largest ? high : metres;
        to[i] = (float)(metres > high ? high : metres); /* NaN stays */
    }
}

void oro_range_to_metres(struct oro_height_range range, double largest, float *samples, size_t count)
{
    struct conversion c = {range.low, range.high, largest, samples, samples, 0};
    if (count < LEAST)
        find_metres(&c, 0, count);
    else
        oro_parallel(count, LEAST, find_metres, &c);
}
