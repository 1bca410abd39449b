#include "nodes/lib/distance.h"

/* The largest power of two that is not above n. */
static int top_stride(int n)
{
    int stride = 1;
    while (stride <= n / 2)
        stride *= 2;
    return stride;
}

/* Along each column, the row of the nearest marked cell: jump flooding by falling strides. The result is in
 * nearest[0]. */
static bool flood_columns(struct oro_eval *e, struct oro_buffer *nearest[2])
{
    struct oro_pass pass = {.kernel = "lib/distance_columns.comp",
                            .slots = {{"nearest", ORO_READ, "int"}, {"nearest_out", ORO_WRITE, "int"}},
                            .constants = {"stride"}};
    for (int stride = top_stride(oro_eval_grid(e)->height); stride > 0; stride /= 2) {
        if (!oro_eval_run_with(e, &pass, nearest, (float[]){(float)stride}))
            return false;
        struct oro_buffer *newer = nearest[1];
        nearest[1] = nearest[0];
        nearest[0] = newer;
    }
    return true;
}

/* Along each row, the column of the nearest marked cell, first for few cells far apart, then for those
 * between. */
static bool search_rows(struct oro_eval *e, struct oro_buffer *nearest, struct oro_buffer *column)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_pass pass = {.kernel = "lib/distance_rows.comp",
                            .slots = {{"nearest", ORO_READ, "int"}, {"column", ORO_UPDATE, "int"}},
                            .rows = grid->height,
                            .constants = {"stride"}};
    struct oro_buffer *buffers[] = {nearest, column};
    for (int stride = top_stride(grid->width); stride > 0; stride /= 2) {
        pass.columns = (grid->width / stride + 1) / 2;
        if (!oro_eval_run_with(e, &pass, buffers, (float[]){(float)stride}))
            return false;
    }
    return true;
}

static bool measure(struct oro_eval *e, struct oro_buffer *nearest, struct oro_buffer *column,
                    struct oro_buffer *distance)
{
    struct oro_pass pass = {
        .kernel = "lib/distance.comp",
        .slots = {{"nearest", ORO_READ, "int"}, {"column", ORO_READ, "int"}, {"distance_out", ORO_WRITE}}};
    struct oro_buffer *buffers[] = {nearest, column, distance};
    return oro_eval_run(e, &pass, buffers);
}

bool oro_distance(struct oro_eval *e, struct oro_buffer *marked, struct oro_buffer *distance)
{
    struct oro_buffer *nearest[] = {marked, oro_eval_buffer(e, oro_grid_cells(oro_eval_grid(e)))};
    return flood_columns(e, nearest) && oro_eval_progress(e, 1, 2) &&
           search_rows(e, nearest[0], nearest[1]) && measure(e, nearest[0], nearest[1], distance);
}
