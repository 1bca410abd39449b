#include "terrain/processor/lib/flow.h"

#include "terrain/hydrology/steady_drainage.h"
#include "terrain/processor/lib/border.h"

/* Words of the input `borders`. */
enum { OUTFLOW, WALLS };

struct oro_flow oro_flow_of(struct oro_run *run)
{
    struct oro_flow flow = {.grid = run->grid,
                            .height = oro_run_buffer(run, "height"),
                            .base = oro_run_optional(run, "base"),
                            .exponent = oro_run_float(run, "flow_exponent"),
                            .walls = oro_run_int(run, "borders") == WALLS,
                            .fourth = oro_run_defined(run, "FOURTH_POWER") == 1};
    flow.diagonal = ORO_ACROSS_SHARE * oro_exp2(-0.5F * flow.exponent);
    return flow;
}

static size_t index_of(const struct oro_flow *flow, int x, int y)
{
    size_t row = (size_t)oro_within(y, flow->grid.height);
    return row * (size_t)flow->grid.width + (size_t)oro_within(x, flow->grid.width);
}

/* The cell inside that is the mirror image of one outside. */
static size_t mirrored(const struct oro_flow *flow, int x, int y)
{
    int edge_x = oro_within(x, flow->grid.width), edge_y = oro_within(y, flow->grid.height);
    return index_of(flow, 2 * edge_x - x - oro_sign(edge_x - x), 2 * edge_y - y - oro_sign(edge_y - y));
}

static float outside_height(const struct oro_flow *flow, int x, int y)
{
    if (flow->walls || flow->held)
        return flow->height[mirrored(flow, x, y)];
    int edge_x = oro_within(x, flow->grid.width), edge_y = oro_within(y, flow->grid.height);
    int dx = oro_sign(edge_x - x), dy = oro_sign(edge_y - y);
    size_t edge = index_of(flow, edge_x, edge_y);
    float at_edge = flow->base[edge];
    float next = flow->base[index_of(flow, edge_x + dx, edge_y + dy)];
    float second = flow->base[index_of(flow, edge_x + 2 * dx, edge_y + 2 * dy)];
    float beyond = oro_ground_beyond(at_edge, next, second, flow->grid.cell);
    return flow->rises ? beyond + (flow->height[edge] - at_edge) : beyond;
}

/* Columns `first` to `end` of a row that lie in the grid are copied; returns them. */
struct span {
    int first, end;
};
static struct span copy_inside(const struct oro_flow *flow, const float *values, int y, struct span wanted,
                               float *row)
{
    struct span inside = {oro_within(wanted.first, flow->grid.width + 1),
                          oro_within(wanted.end, flow->grid.width + 1)};
    if (y < 0 || y >= flow->grid.height || inside.first >= inside.end)
        return (struct span){wanted.end, wanted.end};
    memcpy(row + (inside.first - wanted.first), values + index_of(flow, inside.first, y),
           (size_t)(inside.end - inside.first) * sizeof *row);
    return inside;
}

void oro_flow_heights(const struct oro_flow *flow, const struct oro_tile *tile, oro_flow_array height)
{
    struct span wanted = {tile->x - 3, tile->x + tile->width + 3};
    for (int row = 0; row < tile->height + 4; row++) {
        int y = tile->y + row - 2;
        float *to = height[row] + 8 - 3;
        struct span inside = copy_inside(flow, flow->height, y, wanted, to);
        for (int x = wanted.first; x < inside.first; x++)
            to[x - wanted.first] = outside_height(flow, x, y);
        for (int x = inside.end; x < wanted.end; x++)
            to[x - wanted.first] = outside_height(flow, x, y);
    }
}

void oro_flow_carried(const struct oro_flow *flow, const struct oro_tile *tile, const float *carried,
                      oro_flow_array array)
{
    struct span wanted = {tile->x - 1, tile->x + tile->width + 1};
    for (int row = 1; row < tile->height + 3; row++) {
        int y = tile->y + row - 2;
        float *to = array[row] + 8 - 1;
        struct span inside = copy_inside(flow, carried, y, wanted, to);
        for (int x = wanted.first; x < inside.first; x++)
            to[x - wanted.first] = flow->walls ? carried[mirrored(flow, x, y)] : 0;
        for (int x = inside.end; x < wanted.end; x++)
            to[x - wanted.first] = flow->walls ? carried[mirrored(flow, x, y)] : 0;
    }
}
