/* Points, as row and column of the cell, and elevation: their CORRECTIONS, or their ELEVATIONS where the mask
 * allows. */
#include "terrain/processor/lib/retarget.h"

struct point {
    int row, column;
    float elevation;
    int unused;
};

struct points {
    struct oro_map mask;
    const float *ground;
    float *fixed, *to;
    int width;
};

static size_t cell_of(const struct points *k, const struct point *point)
{
    return (size_t)point->row * (size_t)k->width + (size_t)point->column;
}

static void put_correction(const struct points *k, const struct point *point)
{
    size_t cell = cell_of(k, point);
    float difference = point->elevation - k->ground[cell];
    bool known = oro_is_correction(difference);
    k->fixed[cell] = known ? 1 : 0;
    k->to[cell] = known ? difference : 0;
}

static void put_elevation(const struct points *k, const struct point *point)
{
    size_t cell = cell_of(k, point);
    float mask = oro_map_at(&k->mask, point->column, point->row);
    if (k->fixed[cell] > 0.5F)
        k->to[cell] = oro_masked(mask, k->ground[cell], point->elevation);
}

ORO_PROCESSOR(erosion, retarget_points)
{
    const struct point *points = oro_run_buffer(run, "points");
    int count = (int)oro_run_number(run, "count");
    struct points k = {.mask = oro_run_map(run, "mask"),
                       .ground = oro_run_buffer(run, "ground"),
                       .fixed = oro_run_buffer(run, "fixed_out"),
                       .to = oro_run_buffer(run, "to"),
                       .width = run->grid.width};
    bool corrections = oro_run_defined(run, "CORRECTIONS") == 1;
    for (int i = 0; i < count && oro_run_ready(run); i++)
        corrections ? put_correction(&k, &points[i]) : put_elevation(&k, &points[i]);
}
