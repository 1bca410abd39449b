/*
 * Step 2: drainage. From every cell that nothing drains to, water is added downwards as long as the next cell
 * has got all that drains to it: first within strips, on all processors, afterwards below where it crosses
 * from one strip to another (as in order.c). The order of the sums depends on the terrain alone.
 */
#include <string.h>

#include "terrain/hydrology/constraint_private.h"

/* A neighbour k drains here if its direction is 7 - k. No cell of the east border drains east, and so on, so
 * that going on in the next row does no harm. */
static void find_upstream(const struct oro_constraint_scratch *scratch, size_t first, size_t count)
{
    uint8_t *restrict upstream = scratch->upstream + first;
    memset(upstream, 0, count);
    for (int k = 0; k < 8; k++) {
        const uint8_t *restrict direction = scratch->direction + ((ptrdiff_t)first + scratch->offsets.to[k]);
        for (size_t x = 0; x < count; x++)
            upstream[x] = (uint8_t)(upstream[x] | (direction[x] == 7 - k) << k);
    }
}

static void begin_cells(void *user, size_t cell, size_t count)
{
    const struct oro_constraint_erosion *run = user;
    find_upstream(run->scratch, cell, count);
    memcpy(run->scratch->awaited + cell, run->scratch->upstream + cell, count);
    float *drainage = run->drainage + cell, local = (float)run->scale.local;
    oro_constraint_values(&run->moisture, cell, count, drainage);
    for (size_t x = 0; x < count; x++)
        drainage[x] *= local;
}

/* What water is added along. */
struct flow {
    ptrdiff_t to[10];
    const uint8_t *direction;
    uint8_t *awaited;
    float *drainage, kept;
};

static struct flow flow_of(const struct oro_constraint_erosion *run)
{
    const struct oro_constraint_scratch *scratch = run->scratch;
    struct flow flow = {
        .direction = scratch->direction, .awaited = scratch->awaited, .drainage = run->drainage};
    flow.kept = (float)run->scale.kept;
    memcpy(flow.to, scratch->offsets.to, sizeof flow.to);
    return flow;
}

/* Adds a cell's water to its receiver. Returns whether that was the last to come. */
static inline bool pass_on(const struct flow *flow, size_t cell, size_t next)
{
    flow->drainage[next] += flow->kept * flow->drainage[cell];
    unsigned awaited = flow->awaited[next] & ~(128u >> flow->direction[cell]);
    flow->awaited[next] = (uint8_t)awaited;
    return !awaited;
}

/* The cells of a strip in order, and, backwards from the end of its part, those that drain to another. */
struct placing {
    size_t first, cells; /* the strip */
    uint32_t *placed, *leaving;
};

/* Adds water from a cell that nothing drains to, on down. */
static inline void add_way(const struct flow *flow, struct placing *placing, size_t cell)
{
    for (;;) {
        size_t next = cell + (size_t)flow->to[flow->direction[cell]];
        if (next - placing->first >= placing->cells) {
            *--placing->leaving = (uint32_t)cell;
            return;
        }
        *placing->placed++ = (uint32_t)cell;
        if (next == cell || !pass_on(flow, cell, next))
            return;
        cell = next;
    }
}

static void add_piece(const struct oro_constraint_scratch *scratch, const struct flow *flow,
                      struct placing *placing, size_t cell, size_t count)
{
    for (size_t x = 0; x < count; x++)
        if (scratch->upstream[cell + x] == 0)
            add_way(flow, placing, cell + x);
}

static void add_strip(void *user, size_t strip)
{
    struct oro_constraint_erosion *run = user;
    struct oro_constraint_scratch *scratch = run->scratch;
    struct flow flow = flow_of(run);
    size_t first = oro_strip_first(scratch->strips, strip),
           cells = oro_strip_end(scratch->strips, strip) - first;
    uint32_t *begin = scratch->order + first, *end = begin + cells;
    struct placing placing = {first, cells, begin, end};
    oro_constraint_pieces(scratch->strips, strip, begin_cells, run);
    for (size_t done = 0; done < cells; done += ORO_CONSTRAINT_COLUMNS) {
        size_t left = cells - done;
        add_piece(scratch, &flow, &placing, first + done,
                  left < ORO_CONSTRAINT_COLUMNS ? left : ORO_CONSTRAINT_COLUMNS);
    }
    scratch->placed[strip] = (size_t)(placing.placed - begin);
    scratch->leaving[strip] = (size_t)(end - placing.leaving);
}

/* Adds water from the cells that leave a strip, on down. */
static void add_below(const struct oro_constraint_erosion *run, size_t strip)
{
    struct oro_constraint_scratch *scratch = run->scratch;
    struct flow flow = flow_of(run);
    const uint32_t *end = scratch->order + oro_strip_end(scratch->strips, strip);
    for (size_t i = 1; i <= scratch->leaving[strip]; i++)
        for (size_t cell = *(end - i), next;; cell = next) {
            next = cell + (size_t)flow.to[flow.direction[cell]];
            scratch->head[scratch->head_count++] = (uint32_t)cell;
            if (next == cell || !pass_on(&flow, cell, next))
                break;
        }
}

static void list_minima(struct oro_constraint_scratch *scratch)
{
    const uint8_t *first = scratch->direction, *end = first + scratch->strips.cells, *at = first;
    scratch->minima_count = 0;
    while (at < end && (at = memchr(at, ORO_TO_PIT, (size_t)(end - at))) != NULL)
        scratch->minima[scratch->minima_count++] = (uint32_t)(at++ - first);
}

void oro_constraint_add_water(struct oro_constraint_erosion *run)
{
    oro_constraint_strips(run->scratch->strips, add_strip, run);
    run->scratch->head_count = 0;
    for (size_t strip = 0; strip < run->scratch->strips.count; strip++)
        add_below(run, strip);
    list_minima(run->scratch);
}
