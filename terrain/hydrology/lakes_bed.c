/* The shape of beds and banks: by the distance from the shore, exactly (Felzenszwalb and Huttenlocher 2012).
 */
#include <math.h>

#include "base/memory.h"
#include "terrain/hydrology/lakes_private.h"

/* For each cell the nearest cell whose id is 0 (`of_land`), or is not. */
struct nearest {
    const uint32_t *id;
    size_t width, height;
    bool of_land;
    uint32_t *cell; /* UINT32_MAX: there is none */
    /* For one row: columns whose parabolas are the lowest from `from` on. */
    size_t *column;
    double *from;
};

/* Finds the nearest row along the columns, there and back. */
static void search_columns(struct nearest *n)
{
    size_t w = n->width, cells = w * n->height;
    for (size_t i = 0; i < cells; i++) {
        bool is_one = (n->id[i] == 0) == n->of_land;
        n->cell[i] = is_one ? (uint32_t)i : i >= w ? n->cell[i - w] : UINT32_MAX;
    }
    for (size_t i = cells - w; i-- > 0;) {
        uint32_t below = n->cell[i + w], own = n->cell[i];
        if (below != UINT32_MAX && (own == UINT32_MAX || below / w - i / w < i / w - own / w))
            n->cell[i] = below;
    }
}

static double rise(const struct nearest *n, size_t row, size_t x)
{
    double rows = (double)(n->cell[row * n->width + x] / n->width) - (double)row;
    return rows * rows;
}

/* Finds the nearest cell of each in a row, by the lower envelope of parabolas. */
static void search_row(struct nearest *n, size_t row, uint32_t *result)
{
    size_t count = 0, at = 0;
    for (size_t x = 0; x < n->width; x++) {
        if (n->cell[row * n->width + x] == UINT32_MAX)
            continue;
        double place = -INFINITY, u = (double)x;
        while (count > 0) {
            double v = (double)n->column[count - 1];
            place = (rise(n, row, x) - rise(n, row, n->column[count - 1]) + u * u - v * v) / (2 * (u - v));
            if (place > n->from[count - 1])
                break;
            count--;
        }
        n->from[count] = count ? place : -INFINITY;
        n->column[count++] = x;
    }
    for (size_t x = 0; x < n->width; x++) {
        while (at + 1 < count && n->from[at + 1] < (double)x)
            at++;
        result[x] = count ? n->cell[row * n->width + n->column[at]] : UINT32_MAX;
    }
}

/* The caller frees. */
static uint32_t *nearest_cells(const struct oro_lake_making *m, bool of_land)
{
    size_t width = m->strips.width;
    struct nearest n = {.id = m->id,
                        .width = width,
                        .height = m->cells / width,
                        .of_land = of_land,
                        .cell = oro_alloc(m->cells, sizeof *n.cell),
                        .column = oro_alloc(width, sizeof *n.column),
                        .from = oro_alloc(width, sizeof *n.from)};
    uint32_t *row = oro_alloc(width, sizeof *row);
    bool ok = n.cell && n.column && n.from && row;
    if (ok)
        search_columns(&n);
    for (size_t y = 0; ok && y < n.height; y++) {
        search_row(&n, y, row);
        for (size_t x = 0; x < width; x++)
            n.cell[y * width + x] = row[x];
    }
    oro_free(n.column);
    oro_free(n.from);
    oro_free(row);
    if (ok)
        return n.cell;
    oro_free(n.cell);
    return NULL;
}

/* Metres from the middle of `cell` to the edge of the cell `to`. */
static double distance(const struct oro_lake_making *m, size_t cell, uint32_t to)
{
    size_t w = m->strips.width;
    double x = (double)(to % w) - (double)(cell % w), y = (double)(to / w) - (double)(cell / w);
    return (sqrt(x * x + y * y) - 0.5) * m->options->cell;
}

bool oro_lakes_dig(struct oro_lake_making *m, struct oro_error *err)
{
    const struct oro_lake_options *o = m->options;
    uint32_t *land = nearest_cells(m, true);
    if (!land)
        return oro_no_memory(m->ground, err);
    for (size_t i = 0; i < m->cells; i++) {
        if (!m->id[i])
            continue;
        double shore = (double)oro_lake_number_at(&o->shore, i), t = 1;
        if (land[i] != UINT32_MAX && shore > 0)
            t = fmin(distance(m, i, land[i]) / shore, 1);
        float depth = oro_lake_number_at(&o->depth, i) * oro_lake_number_at(&o->mask, i);
        m->z[i] = fminf(m->z[i], m->lakes[m->id[i] - 1].level - depth * (float)(t * t * (3 - 2 * t)));
    }
    oro_free(land);
    return true;
}

static bool has_banks(const struct oro_lake_making *m)
{
    for (uint32_t i = 0; i < m->lake_count; i++)
        if (!m->lakes[i].hollow)
            return true;
    return false;
}

bool oro_lakes_grade(struct oro_lake_making *m, struct oro_error *err)
{
    const struct oro_lake_options *o = m->options;
    uint32_t *water = has_banks(m) ? nearest_cells(m, false) : NULL;
    if (!water)
        return !has_banks(m) || oro_no_memory(m->ground, err);
    for (size_t i = 0; i < m->cells; i++) {
        const struct oro_lake *lake = &m->lakes[m->id[water[i]] - 1];
        double bank = (double)oro_lake_number_at(&o->bank, i) * (3.14159265358979323846 / 180);
        if (m->id[i] || lake->hollow || bank > 1.57)
            continue;
        double most = (double)lake->level + tan(bank) * distance(m, i, water[i]);
        double cut = fmax((double)m->z[i] - most, 0) * (double)oro_lake_number_at(&o->mask, i);
        m->z[i] = (float)((double)m->z[i] - cut);
    }
    oro_free(water);
    return true;
}
