#include "formats/nodata.h"

#include <math.h>
#include <stdint.h>

#include "base/memory.h"
#include "terrain/drainage/steps.h"

static size_t cells_of(const struct oro_heightfield *field)
{
    return (size_t)field->width * (size_t)field->height;
}

static bool make_sea(struct oro_heightfield *field, struct oro_error *err)
{
    if (!field->sea)
        field->sea = oro_alloc(cells_of(field), sizeof *field->sea);
    return field->sea ||
           oro_fail(err, ORO_E_MEMORY, "no memory to mark %d x %d cells", field->width, field->height);
}

bool oro_heightfield_mark(struct oro_heightfield *field, const float *mask, struct oro_error *err)
{
    size_t cells = cells_of(field), i = 0;
    while (i < cells && !(mask[i] > 0.5f))
        i++;
    if (i == cells)
        return true;
    if (!make_sea(field, err))
        return false;
    for (; i < cells; i++)
        if (mask[i] > 0.5f)
            field->sea[i] = 1;
    return true;
}

/* ---- Continuing the ground: a pyramid of means on the way down, interpolated on the way up, and smoothed
 * ----
 */

struct plane {
    int width, height;
    float *z;
    uint8_t *known;
};

static size_t at(const struct plane *p, int x, int y)
{
    x = x < 0 ? 0 : x >= p->width ? p->width - 1 : x;
    y = y < 0 ? 0 : y >= p->height ? p->height - 1 : y;
    return (size_t)y * (size_t)p->width + (size_t)x;
}

static void reduce(const struct plane *fine, struct plane *coarse)
{
    for (int y = 0; y < coarse->height; y++)
        for (int x = 0; x < coarse->width; x++) {
            double sum = 0;
            int count = 0;
            for (int k = 0; k < 4; k++) {
                int u = 2 * x + (k & 1), v = 2 * y + (k >> 1);
                bool counts = u < fine->width && v < fine->height && fine->known[at(fine, u, v)];
                sum += counts ? (double)fine->z[at(fine, u, v)] : 0;
                count += counts;
            }
            coarse->known[at(coarse, x, y)] = count > 0;
            coarse->z[at(coarse, x, y)] = count > 0 ? (float)(sum / count) : 0;
        }
}

static void interpolate(const struct plane *coarse, struct plane *fine)
{
    for (int y = 0; y < fine->height; y++)
        for (int x = 0; x < fine->width; x++) {
            if (fine->known[at(fine, x, y)])
                continue;
            int u = (x + 1) / 2 - 1, v = (y + 1) / 2 - 1; /* the coarse cells before and behind the centre */
            float across = x & 1 ? 0.25f : 0.75f, down = y & 1 ? 0.25f : 0.75f;
            float above =
                coarse->z[at(coarse, u, v)] * (1 - across) + coarse->z[at(coarse, u + 1, v)] * across;
            float below =
                coarse->z[at(coarse, u, v + 1)] * (1 - across) + coarse->z[at(coarse, u + 1, v + 1)] * across;
            fine->z[at(fine, x, y)] = above * (1 - down) + below * down;
        }
}

static void smooth(struct plane *p)
{
    enum { SWEEPS = 4 };
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int y = 0; y < p->height; y++)
            for (int x = 0; x < p->width; x++)
                if (!p->known[at(p, x, y)])
                    p->z[at(p, x, y)] = (p->z[at(p, x - 1, y)] + p->z[at(p, x + 1, y)] +
                                         p->z[at(p, x, y - 1)] + p->z[at(p, x, y + 1)]) /
                                        4;
}

static bool fill(struct plane *fine)
{
    size_t cells = (size_t)fine->width * (size_t)fine->height, unknown = 0;
    for (size_t i = 0; i < cells; i++)
        unknown += !fine->known[i];
    if (unknown == 0)
        return true;
    struct plane coarse = {.width = (fine->width + 1) / 2, .height = (fine->height + 1) / 2};
    cells = (size_t)coarse.width * (size_t)coarse.height;
    coarse.z = oro_alloc(cells, sizeof *coarse.z);
    coarse.known = oro_alloc(cells, sizeof *coarse.known);
    bool ok = coarse.z && coarse.known;
    if (ok) {
        reduce(fine, &coarse);
        ok = fill(&coarse);
    }
    if (ok) {
        interpolate(&coarse, fine);
        smooth(fine);
    }
    oro_free(coarse.z);
    oro_free(coarse.known);
    return ok;
}

/* Water comes to the marked cells, so that none is as high as the ground beside it. */
static void lower_rim(struct oro_heightfield *field, const uint8_t *known)
{
    struct plane plane = {field->width, field->height, field->data, NULL};
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++) {
            size_t cell = at(&plane, x, y);
            for (int k = 0; k < 9 && field->sea[cell] > 0; k++) {
                size_t beside = at(&plane, x + k % 3 - 1, y + k / 3 - 1);
                if (known[beside] && field->data[beside] <= field->data[cell])
                    field->data[cell] = oro_step_height(oro_step_of(field->data[beside]) - 1);
            }
        }
}

/* ---- The sea at a level ---- */

struct flood {
    struct oro_heightfield *field;
    double level;
    size_t *waiting, count, capacity;
    bool failed;
};

static void wet(struct flood *flood, int x, int y)
{
    struct oro_heightfield *field = flood->field;
    if (x < 0 || y < 0 || x >= field->width || y >= field->height)
        return;
    size_t cell = (size_t)y * (size_t)field->width + (size_t)x;
    if (field->sea[cell] > 0.5f || (double)field->data[cell] > flood->level || flood->failed)
        return;
    if (!oro_reserve(&flood->waiting, &flood->capacity, flood->count + 1, sizeof *flood->waiting)) {
        flood->failed = true;
        return;
    }
    field->sea[cell] = 1;
    flood->waiting[flood->count++] = cell;
}

static void spread(struct flood *flood, size_t cell)
{
    int x = (int)(cell % (size_t)flood->field->width), y = (int)(cell / (size_t)flood->field->width);
    for (int k = 0; k < 9; k++)
        wet(flood, x + k % 3 - 1, y + k / 3 - 1);
}

/* From the border, and from cells that are marked already. */
static bool flood_from_border(struct oro_heightfield *field, double level, struct oro_error *err)
{
    struct flood flood = {.field = field, .level = level};
    if (!make_sea(field, err))
        return false;
    for (size_t i = 0; i < cells_of(field); i++) {
        int x = (int)(i % (size_t)field->width), y = (int)(i / (size_t)field->width);
        if (x == 0 || y == 0 || x == field->width - 1 || y == field->height - 1)
            wet(&flood, x, y);
        if (field->sea[i] > 0.5f)
            spread(&flood, i);
    }
    while (flood.count > 0 && !flood.failed)
        spread(&flood, flood.waiting[--flood.count]);
    oro_free(flood.waiting);
    return !flood.failed ||
           oro_fail(err, ORO_E_MEMORY, "no memory to flood %d x %d cells", field->width, field->height);
}

bool oro_heightfield_mark_sea(struct oro_heightfield *field, double level, struct oro_error *err)
{
    field->has_sea_level = true;
    field->sea_level = level;
    return flood_from_border(field, level, err);
}

/* ---- Cells without a height ---- */

/* Those that the border does not lead to are holes within the ground. `known` has the others. */
static bool tell_holes(struct oro_heightfield *field, const uint8_t *known, struct oro_error *err)
{
    size_t cells = cells_of(field), sea = 0;
    for (size_t i = 0; i < cells; i++) {
        bool hole = !known[i] && !(field->sea[i] > 0.5f);
        sea += field->sea[i] > 0.5f;
        field->account.filled += hole;
        if (hole && !field->filled)
            field->filled = oro_alloc(cells, sizeof *field->filled);
        if (hole && !field->filled)
            return oro_fail(err, ORO_E_MEMORY, "no memory to mark %zu cells", cells);
        if (hole)
            field->filled[i] = 1;
    }
    if (sea == 0) {
        oro_free(field->sea);
        field->sea = NULL;
    }
    return true;
}

static bool fill_unknown(struct oro_heightfield *field, uint8_t *known, struct oro_error *err)
{
    struct plane plane = {field->width, field->height, field->data, known};
    size_t cells = cells_of(field), ground = 0;
    for (size_t i = 0; i < cells; i++) {
        known[i] = (uint8_t)!isnan(field->data[i]);
        ground += known[i];
        if (!known[i])
            field->data[i] = -INFINITY;
    }
    if (ground == 0)
        return oro_fail(err, ORO_E_FILE, "no cell of the %d x %d has a height", field->width, field->height);
    if (!flood_from_border(field, -1e38, err) || !tell_holes(field, known, err))
        return false;
    if (!fill(&plane))
        return oro_fail(err, ORO_E_MEMORY, "no memory to fill %zu cells without height", cells - ground);
    if (field->sea)
        lower_rim(field, known);
    return true;
}

bool oro_heightfield_fill(struct oro_heightfield *field, struct oro_error *err)
{
    size_t cells = cells_of(field), i = 0;
    while (i < cells && !isnan(field->data[i]))
        i++;
    if (i == cells)
        return true;
    uint8_t *known = oro_alloc(cells, sizeof *known);
    bool ok =
        known ? fill_unknown(field, known, err)
              : oro_fail(err, ORO_E_MEMORY, "no memory to fill %d x %d cells", field->width, field->height);
    oro_free(known);
    return ok;
}

/* Whether those cells are marked that flooding up to the level marks; or all up to it, inland, too. */
static bool is_level(const struct oro_heightfield *field, double level, bool *same, bool *inland,
                     struct oro_error *err)
{
    struct oro_heightfield again = {.width = field->width, .height = field->height, .data = field->data};
    bool ok = oro_heightfield_mark_sea(&again, level, err);
    *same = *inland = ok;
    for (size_t i = 0; (*same || *inland) && i < cells_of(field); i++) {
        bool marked = field->sea[i] > 0.5f;
        *same = *same && marked == (again.sea[i] > 0.5f);
        *inland = *inland && marked == ((double)field->data[i] <= level);
    }
    *inland = *inland && !*same;
    oro_free(again.sea);
    return ok;
}

bool oro_heightfield_find_sea(struct oro_heightfield *field, struct oro_error *err)
{
    double highest = -(double)INFINITY;
    for (size_t i = 0; field->sea && i < cells_of(field); i++)
        if (field->sea[i] > 0.5f)
            highest = fmax(highest, (double)field->data[i]);
    const double levels[] = {field->has_sea_level ? field->sea_level : 0, highest};
    bool told = field->has_sea_level, found = false;
    for (int i = highest <= levels[0] ? 0 : 1; i < (told ? 1 : 2) && isfinite(highest) && !found; i++) {
        if (!is_level(field, levels[i], &found, &field->sea_inland, err))
            return false;
        found |= field->sea_inland;
        field->sea_level = told || found ? levels[i] : 0;
    }
    field->has_sea_level |= found;
    return true;
}
