/*
 * The order of cells. Donors are peeled off: the walk goes from every cell without donors down as long as the
 * next one has lost its last, so it stays near in memory. First it does so within strips, on all processors;
 * then comes what is left, below where water crosses from one strip to another.
 */
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/routing_private.h"

enum { PLACED = 255 }; /* stands in place of the number of donors */

struct ordering {
    const struct oro_ground *ground;
    const uint8_t *direction;
    struct oro_strips strips;
    struct oro_offsets offsets;
    struct oro_routing *routing;
    uint8_t *donors; /* that are not yet placed, of every cell */
    size_t *placed;  /* in each strip, cells that the strip places: kept at the end of its receivers */
    size_t *leaving; /* those of its cells that drain to another strip next: at the beginning */
};

static size_t receiver_of(const struct ordering *o, size_t cell)
{
    return cell + (size_t)o->offsets.to[o->direction[cell]];
}

/* Donors of the cells of a row, from the rows around it. A neighbour k is a donor if its direction is 7 - k.
 */
static void count_row(const struct ordering *o, size_t row)
{
    size_t width = o->strips.width;
    uint8_t *donors = o->donors + row;
    memset(donors, 0, width);
    for (int k = 0; k < 8; k++) {
        static const int dx[] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[] = {-1, -1, -1, 0, 0, 1, 1, 1};
        if ((dy[k] < 0 && row == 0) || (dy[k] > 0 && row + width == o->strips.cells))
            continue;
        size_t there = row + (size_t)o->offsets.to[k]; /* before the first cell, where x begins at 1 */
        size_t first = dx[k] < 0, end = width - (dx[k] > 0);
        for (size_t x = first; x < end; x++)
            donors[x] = (uint8_t)(donors[x] + (o->direction[there + x] == 7 - k));
    }
}

/* The cells of a strip that were placed so far, in the room of its receivers, which are not in use yet. */
struct placing {
    size_t first, end; /* of the strip */
    uint32_t *leaving; /* the end of the cells that drain to another strip; grows upwards */
    uint32_t *placed;  /* the beginning of the others; grows downwards */
};

/* Places the cells from a leaf of the tree on down, in the strip. */
static void place_way(const struct ordering *o, struct placing *p, size_t cell)
{
    for (;;) {
        size_t next = receiver_of(o, cell);
        if (next < p->first || next >= p->end) {
            *p->leaving++ = (uint32_t)cell;
            return;
        }
        *--p->placed = (uint32_t)cell;
        if (next == cell || --o->donors[next])
            return;
        o->donors[next] = PLACED;
        cell = next;
    }
}

static void place_strip(const struct ordering *o, size_t strip)
{
    uint32_t *scratch = o->routing->receiver;
    struct placing p = {.first = oro_strip_first(o->strips, strip), .end = oro_strip_end(o->strips, strip)};
    p.leaving = scratch + p.first;
    p.placed = scratch + p.end;
    for (size_t row = p.first; row < p.end; row += o->strips.width)
        count_row(o, row);
    for (size_t i = p.first; i < p.end; i++)
        if (o->donors[i] == 0)
            place_way(o, &p, i);
    o->leaving[strip] = (size_t)(p.leaving - (scratch + p.first));
    o->placed[strip] = (size_t)(scratch + p.end - p.placed);
}

static void place_strips(void *user, size_t first, size_t end)
{
    for (size_t strip = first; strip < end; strip++)
        place_strip(user, strip);
}

/* Places a cell that drains to another strip, and what is complete with it on down, from `left` downwards. */
static size_t place_on(const struct ordering *o, size_t cell, size_t left)
{
    uint32_t *order = o->routing->order;
    size_t next = receiver_of(o, cell);
    order[--left] = (uint32_t)cell;
    while (next != cell && --o->donors[next] == 0) {
        order[--left] = (uint32_t)next;
        cell = next;
        next = receiver_of(o, cell);
    }
    return left;
}

static bool place_head(const struct ordering *o, struct oro_error *err)
{
    size_t left = o->routing->parts[0];
    for (size_t strip = 0; strip < o->strips.count; strip++) {
        const uint32_t *leaving = o->routing->receiver + oro_strip_first(o->strips, strip);
        for (size_t i = 0; i < o->leaving[strip]; i++) {
            if (oro_ground_stops(o->ground, i * 64, err))
                return false;
            left = place_on(o, leaving[i], left);
        }
    }
    return left == 0 || oro_fail(err, ORO_E_EVALUATE, "the ways of %zu cells lead in a circle", left);
}

static void find_parts(const struct ordering *o)
{
    size_t *parts = o->routing->parts;
    parts[o->strips.count] = o->strips.cells;
    for (size_t strip = o->strips.count; strip-- > 0;)
        parts[strip] = parts[strip + 1] - o->placed[strip];
}

/* Brings the strips' cells to their place, then fills the receivers. */
static void finish_strips(void *user, size_t first, size_t end)
{
    const struct ordering *o = user;
    for (size_t strip = first; strip < end; strip++) {
        size_t last = oro_strip_end(o->strips, strip), placed = o->placed[strip];
        uint32_t *receiver = o->routing->receiver;
        memcpy(o->routing->order + o->routing->parts[strip], receiver + last - placed,
               placed * sizeof *receiver);
        for (size_t i = oro_strip_first(o->strips, strip); i < last; i++)
            receiver[i] = (uint32_t)receiver_of(o, i);
    }
}

bool oro_order_cells(const struct oro_ground *ground, const uint8_t *direction, struct oro_routing *routing,
                     struct oro_error *err)
{
    struct ordering o = {.ground = ground,
                         .direction = direction,
                         .strips = oro_strips_of(ground->width, ground->height),
                         .offsets = oro_offsets_of(ground->width),
                         .routing = routing};
    routing->width = ground->width;
    routing->height = ground->height;
    if (!routing->receiver)
        routing->receiver = oro_alloc(o.strips.cells, sizeof *routing->receiver);
    routing->order = oro_alloc(o.strips.cells, sizeof *routing->order);
    routing->parts = oro_alloc(o.strips.count + 1, sizeof *routing->parts);
    o.donors = oro_alloc(o.strips.cells, sizeof *o.donors);
    o.placed = oro_alloc(o.strips.count, sizeof *o.placed);
    o.leaving = oro_alloc(o.strips.count, sizeof *o.leaving);
    bool ok = routing->receiver && routing->order && routing->parts && o.donors && o.placed && o.leaving;
    if (!ok)
        oro_no_memory(ground, err);
    ok = ok && oro_strips_run(o.strips, ground, place_strips, &o, err);
    if (ok)
        find_parts(&o);
    ok = ok && place_head(&o, err) && oro_strips_run(o.strips, ground, finish_strips, &o, err);
    oro_free(o.donors);
    oro_free(o.placed);
    oro_free(o.leaving);
    return ok;
}
