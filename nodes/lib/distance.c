#include "nodes/lib/distance.h"

#include "base/memory.h"
#include "nodes/lib/distance_squares.h"

/* The largest power of two that is not above n. */
static int top_stride(int n)
{
    int stride = 1;
    while (stride <= n / 2)
        stride *= 2;
    return stride;
}

/* Finds the row of the nearest marked cell along each column, by jump flooding with falling strides. The
 * result is in nearest[0]. */
static bool flood_columns(struct oro_eval *e, struct oro_buffer *nearest[2])
{
    struct oro_dispatch flood = {
        .kernel = "lib/distance_columns.comp",
        .slots = {{"nearest", NULL, ORO_READ, "int"}, {"nearest_out", NULL, ORO_WRITE, "int"}},
        .constants = {{"stride"}}};
    for (int stride = top_stride(oro_eval_grid(e)->height); stride > 0; stride /= 2) {
        oro_bind(&flood, "nearest", nearest[0]);
        oro_bind(&flood, "nearest_out", nearest[1]);
        oro_set(&flood, "stride", stride);
        if (!oro_eval_dispatch(e, &flood))
            return false;
        struct oro_buffer *newer = nearest[1];
        nearest[1] = nearest[0];
        nearest[0] = newer;
    }
    return true;
}

/* Finds the column of the nearest marked cell along each row, first for few cells far apart, then for those
 * between. */
static bool search_rows(struct oro_eval *e, struct oro_buffer *nearest, struct oro_buffer *column)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_dispatch search = {
        .kernel = "lib/distance_rows.comp",
        .slots = {{"nearest", nearest, ORO_READ, "int"}, {"column", column, ORO_UPDATE, "int"}},
        .rows = grid->height,
        .constants = {{"stride"}}};
    for (int stride = top_stride(grid->width); stride > 0; stride /= 2) {
        search.columns = (grid->width / stride + 1) / 2;
        oro_set(&search, "stride", stride);
        if (!oro_eval_dispatch(e, &search))
            return false;
    }
    return true;
}

/* The nearest cell may lie in any tile. So where a raster is cut into tiles, all of it is looked through on
 * the host, in whole numbers, which come out the same there. `cells` gets the squares. */
static bool find_squares(struct oro_eval *e, struct oro_buffer *cells)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    size_t bytes = oro_grid_cells(grid) * sizeof(int32_t);
    int32_t *host = oro_alloc(bytes, 1);
    bool found = host && oro_eval_download(e, cells, host, bytes);
    bool ok = found && oro_distance_squares(host, grid->width, grid->height);
    if (!host || (found && !ok))
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for the distances of %d x %d cells", grid->width,
                      grid->height);
    ok = ok && oro_eval_upload(e, cells, host, bytes);
    oro_free(host);
    return ok;
}

static bool measure_by_squares(struct oro_eval *e, struct oro_buffer *marked, struct oro_buffer *distance)
{
    return find_squares(e, marked) &&
           oro_eval_dispatch(e, &(struct oro_dispatch){.kernel = "lib/distance.comp",
                                                       .slots = {{"squares", marked, ORO_READ, "int"},
                                                                 {"distance_out", distance, ORO_WRITE}},
                                                       .defines = "#define SQUARES 1\n",
                                                       .reach = ORO_REACH_CELL});
}

bool oro_distance(struct oro_eval *e, struct oro_buffer *marked, struct oro_buffer *distance)
{
    if (oro_eval_in_tiles(e, marked))
        return measure_by_squares(e, marked, distance);
    struct oro_buffer *nearest[] = {marked, oro_eval_field(e)};
    if (!flood_columns(e, nearest) || !oro_eval_progress(e, 1, 2) || !search_rows(e, nearest[0], nearest[1]))
        return false;
    return oro_eval_dispatch(e, &(struct oro_dispatch){.kernel = "lib/distance.comp",
                                                       .slots = {{"nearest", nearest[0], ORO_READ, "int"},
                                                                 {"column", nearest[1], ORO_READ, "int"},
                                                                 {"distance_out", distance, ORO_WRITE}},
                                                       .defines = "#define SQUARES 0\n"});
}
