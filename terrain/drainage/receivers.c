/* Rule 1: steepest receivers. */
#include <float.h>
#include <stdatomic.h>

#include "terrain/drainage/routing_private.h"
#include "terrain/drainage/steps.h"

enum { COLUMNS = 512 }; /* of a piece of a strip: three rows of it stay in the fastest memory */

/* Heights of three rows with a cell on either side. Outside of the terrain they are infinite. */
struct window {
    float above[COLUMNS + 2], here[COLUMNS + 2], below[COLUMNS + 2];
    int32_t direction[COLUMNS];
};

struct oro_offsets oro_offsets_of(int width)
{
    ptrdiff_t w = width;
    return (struct oro_offsets){{-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1, 0, 0}};
}

static void load_row(const struct oro_ground *ground, size_t y, size_t first, size_t count, float *row)
{
    size_t width = (size_t)ground->width;
    if (y >= (size_t)ground->height) { /* also above row 0 */
        for (size_t x = 0; x < count + 2; x++)
            row[x] = INFINITY;
        return;
    }
    const float *z = ground->z + y * width + first;
    row[0] = first ? oro_height(z[-1]) : INFINITY;
    for (size_t x = 0; x < count; x++)
        row[x + 1] = oro_height(z[x]);
    row[count + 1] = first + count < width ? oro_height(z[count]) : INFINITY;
}

/* Keeps the steeper of two ways down; written so that compilers make vectors of it. */
static inline void consider(float here, float there, float scale, int32_t k, float *best, int32_t *direction)
{
    float drop = here - there, scaled = drop * scale, slope = drop < FLT_MIN ? 0.0f : scaled;
    *direction = slope > *best ? k : *direction;
    *best = slope > *best ? slope : *best;
}

static void choose_row(struct window *w, size_t count)
{
    const float straight = 1.0f, diagonal = 0.70710678f;
    for (size_t x = 0; x < count; x++) {
        float z = w->here[x + 1], best = 0;
        int32_t direction = ORO_TO_PIT;
        consider(z, w->above[x], diagonal, 0, &best, &direction);
        consider(z, w->above[x + 1], straight, 1, &best, &direction);
        consider(z, w->above[x + 2], diagonal, 2, &best, &direction);
        consider(z, w->here[x], straight, 3, &best, &direction);
        consider(z, w->here[x + 2], straight, 4, &best, &direction);
        consider(z, w->below[x], diagonal, 5, &best, &direction);
        consider(z, w->below[x + 1], straight, 6, &best, &direction);
        consider(z, w->below[x + 2], diagonal, 7, &best, &direction);
        w->direction[x] = direction;
    }
}

/* Goes down a strip, `count` columns wide. */
static void choose_piece(const struct oro_ground *ground, size_t first, size_t end, size_t count,
                         uint8_t *direction)
{
    struct window w;
    size_t width = (size_t)ground->width, top = first / width, column = first % width;
    load_row(ground, top - 1, column, count, w.here);
    load_row(ground, top, column, count, w.below);
    for (size_t y = top; y * width < end; y++) {
        memcpy(w.above, w.here, sizeof w.above);
        memcpy(w.here, w.below, sizeof w.here);
        load_row(ground, y + 1, column, count, w.below);
        choose_row(&w, count);
        for (size_t x = 0; x < count; x++)
            direction[y * width + column + x] = (uint8_t)w.direction[x];
    }
}

static void mark_outlets(const struct oro_ground *ground, size_t first, size_t end, uint8_t *direction)
{
    size_t width = (size_t)ground->width, cells = width * (size_t)ground->height;
    for (size_t i = first; ground->sea && i < end; i++)
        if (ground->sea[i] > 0.5f)
            direction[i] = ORO_TO_OUTLET;
    if (ground->walls)
        return;
    for (size_t i = first; i < end; i += width) {
        direction[i] = direction[i + width - 1] = ORO_TO_OUTLET;
        if (i == 0 || i + width == cells)
            memset(direction + i, ORO_TO_OUTLET, width);
    }
}

size_t oro_steepest_strip(const struct oro_ground *ground, struct oro_strips strips, size_t strip,
                          uint8_t *direction)
{
    size_t first = oro_strip_first(strips, strip), end = oro_strip_end(strips, strip), pits = 0;
    for (size_t x = 0; x < strips.width; x += COLUMNS) {
        size_t left = strips.width - x;
        choose_piece(ground, first + x, end, left < COLUMNS ? left : COLUMNS, direction);
    }
    mark_outlets(ground, first, end, direction);
    for (size_t i = first; i < end; i++)
        pits += direction[i] == ORO_TO_PIT;
    return pits;
}

/* ---- Of all strips ---- */

struct steepest {
    const struct oro_ground *ground;
    struct oro_strips strips;
    uint8_t *direction;
    atomic_size_t pits;
};

static void choose_strips(void *user, size_t first, size_t end)
{
    struct steepest *s = user;
    for (size_t strip = first; strip < end; strip++)
        atomic_fetch_add(&s->pits, oro_steepest_strip(s->ground, s->strips, strip, s->direction));
}

bool oro_steepest(const struct oro_ground *ground, uint8_t *direction, size_t *pits, struct oro_error *err)
{
    struct steepest s = {
        .ground = ground, .strips = oro_strips_of(ground->width, ground->height), .direction = direction};
    bool ok = oro_strips_run(s.strips, ground, choose_strips, &s, err);
    *pits = atomic_load(&s.pits);
    return ok;
}
