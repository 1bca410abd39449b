/* One element of a tensor field, laid over the field so far: the kernel says what tensors are. */
#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { REGULAR, RADIAL, CIRCULAR, SADDLE, LOOP, TRISECTOR, RIDGE };
enum { ADD, OVER };

#define PI 3.14159265F
#define DEGREES 57.2957795F

struct vector {
    float x, y;
};

struct element {
    struct oro_run_grid grid, source;
    struct oro_map angle, weight;
    const float *before; /* or NULL */
    const float (*segments)[4];
    int segment_count, method, blend;
    float centre_x, centre_y, decay;
    float *tensor, *direction, *angle_out;
};

/* Cells of a row: where they are, what the element is there before it is turned, and how far away its centre.
 */
struct row {
    float x[ORO_TILE_WIDTH], tensor_x[ORO_TILE_WIDTH], tensor_y[ORO_TILE_WIDTH], distance[ORO_TILE_WIDTH];
};

/* The tensor of a direction with that angle, clockwise from east. */
ORO_INLINE struct vector tensor_of(float angle)
{
    struct oro_turn turn = oro_sincos(2 * angle);
    return (struct vector){turn.cosine, turn.sine};
}

/* Directions at `turns` times the angle of the place about the centre; none at the centre itself. */
ORO_INLINE struct vector singular(float x, float y, int turns)
{
    float d = sqrtf(x * x + y * y), size = oro_max(d, 1e-37F), ux = x / size, uy = y / size;
    if (turns == 1 || turns == -1)
        return (struct vector){ux, (float)turns * uy};
    return (struct vector){ux * ux - uy * uy, ux * uy * (float)turns};
}

ORO_INLINE void around_centre(const struct element *k, int width, float y, int turns, float sign,
                              struct row *row)
{
#pragma omp simd
    for (int i = 0; i < width; i++) {
        float x = row->x[i] - k->centre_x;
        struct vector t = singular(x, y - k->centre_y, turns);
        row->tensor_x[i] = sign * t.x;
        row->tensor_y[i] = sign * t.y;
        row->distance[i] = sqrtf(x * x + (y - k->centre_y) * (y - k->centre_y));
    }
}

/* ---- Along the curve ---- */

ORO_INLINE float distance_to(const float segment[4], float x, float y)
{
    float ax = segment[2] - segment[0], ay = segment[3] - segment[1], px = x - segment[0],
          py = y - segment[1];
    float t = oro_clamp((px * ax + py * ay) / oro_max(ax * ax + ay * ay, 1e-30F), 0, 1);
    float dx = x - (segment[0] + t * ax), dy = y - (segment[1] + t * ay);
    return sqrtf(dx * dx + dy * dy);
}

/* A segment's direction, in proportion to its length and to the fourth power of its nearness. */
ORO_INLINE void add_segment(const struct element *k, const float segment[4], int width, float y,
                            const struct row *row, float *line_x, float *line_y)
{
    float cell = k->grid.cell;
#pragma omp simd
    for (int i = 0; i < width; i++) {
        float least = oro_max(row->distance[i], 1e-3F * cell);
        float nearness = least / oro_max(distance_to(segment, row->x[i], y), least);
        float share = nearness * nearness * nearness * nearness;
        line_x[i] += share * (segment[2] - segment[0]);
        line_y[i] += share * (segment[3] - segment[1]);
    }
}

/* The tensors of lines are added, and lines begin anew. */
ORO_INLINE void add_lines(int width, struct row *row, float *line_x, float *line_y)
{
#pragma omp simd
    for (int i = 0; i < width; i++) {
        float x = line_x[i], y = line_y[i], size = sqrtf(x * x + y * y), whole = oro_max(size, 1e-37F);
        row->tensor_x[i] += (x * x - y * y) / whole;
        row->tensor_y[i] += 2 * x * y / whole;
        line_x[i] = line_y[i] = 0;
    }
}

ORO_INLINE void find_distances(const struct element *k, int width, float y, struct row *row)
{
    for (int i = 0; i < width; i++)
        row->distance[i] = 3e38F;
    for (int s = 0; s < k->segment_count; s++) {
#pragma omp simd
        for (int i = 0; i < width; i++)
            row->distance[i] = oro_min(row->distance[i], distance_to(k->segments[s], row->x[i], y));
    }
}

ORO_INLINE void along_curve(const struct element *k, int width, float y, struct row *row)
{
    float line_x[ORO_TILE_WIDTH] = {0}, line_y[ORO_TILE_WIDTH] = {0};
    memset(row->tensor_x, 0, sizeof row->tensor_x);
    memset(row->tensor_y, 0, sizeof row->tensor_y);
    find_distances(k, width, y, row);
    for (int s = 0; s < k->segment_count; s++) {
        const float *now = k->segments[s], *last = s > 0 ? k->segments[s - 1] : now;
        if (s > 0 && (now[0] != last[2] || now[1] != last[3]))
            add_lines(width, row, line_x, line_y);
        add_segment(k, now, width, y, row, line_x, line_y);
    }
    add_lines(width, row, line_x, line_y);
#pragma omp simd
    for (int i = 0; i < width; i++) {
        float x = row->tensor_x[i], t = row->tensor_y[i], size = oro_max(sqrtf(x * x + t * t), 1e-37F);
        row->tensor_x[i] = x / size;
        row->tensor_y[i] = t / size;
    }
}

/* ---- The field ---- */

ORO_INLINE void find_element(const struct element *k, int width, float y, struct row *row)
{
    if (k->method == RIDGE)
        along_curve(k, width, y, row);
    else if (k->method == CIRCULAR)
        around_centre(k, width, y, 2, -1, row);
    else if (k->method == SADDLE)
        around_centre(k, width, y, -2, 1, row);
    else if (k->method == LOOP)
        around_centre(k, width, y, 1, 1, row);
    else if (k->method == TRISECTOR)
        around_centre(k, width, y, -1, 1, row);
    else
        around_centre(k, width, y, 2, 1, row);
}

/* Turns the element, and lays it over the field so far. */
ORO_INLINE void lay(const struct element *k, int width, const float *angle, const float *weight,
                    float *tensor, const struct row *row)
{
    const int regular = k->method == REGULAR, over = k->blend == OVER, decays = k->decay > 0;
#pragma omp simd
    for (int i = 0; i < width; i++) {
        float turn = angle[i] / DEGREES, share = row->distance[i] / oro_max(k->decay, 1e-37F);
        struct vector turned = tensor_of(regular ? turn - 0.5F * PI : turn);
        float ex = regular ? 1 : row->tensor_x[i], ey = regular ? 0 : row->tensor_y[i];
        float x = ex * turned.x - ey * turned.y, y = ex * turned.y + ey * turned.x;
        float fallen = oro_exp(-oro_min(share * share, 80)), w = weight[i] * (decays ? fallen : 1);
        float before_x = tensor[2 * i], before_y = tensor[2 * i + 1], part = oro_min(w, 1);
        tensor[2 * i] = over ? oro_mix(before_x, x, part) : before_x + w * x;
        tensor[2 * i + 1] = over ? oro_mix(before_y, y, part) : before_y + w * y;
    }
}

ORO_INLINE void show(int width, const float *tensor, float *direction, float *angle_out)
{
#pragma omp simd
    for (int i = 0; i < width; i++) {
        float x = tensor[2 * i], y = tensor[2 * i + 1], angle = 0.5F * oro_atan2(y, x);
        float bearing = angle * DEGREES + 90, within = bearing - 180;
        struct oro_turn turn = oro_sincos(angle);
        int some = x * x + y * y >= 1e-24F;
        direction[2 * i] = some ? turn.cosine : 0;
        direction[2 * i + 1] = some ? turn.sine : 0;
        float from_north = bearing >= 180 ? within : bearing;
        angle_out[i] = some ? from_north : 0;
    }
}

/* The field so far, as tensor_at. */
ORO_INLINE void copy_before(const struct element *k, const struct oro_tile *tile, int y, float *tensor)
{
    if (!k->before)
        memset(tensor, 0, (size_t)tile->width * 2 * sizeof *tensor);
    int last = k->source.width - 1, row = y < k->source.height ? y : k->source.height - 1;
    for (int i = 0; k->before && i < tile->width; i++) {
        int x = tile->x + i < last ? tile->x + i : last;
        memcpy(tensor + 2 * (size_t)i, k->before + 2 * ((size_t)row * (size_t)k->source.width + (size_t)x),
               2 * sizeof *tensor);
    }
}

static ORO_CLONES void lay_element(const void *user, const struct oro_tile *tile)
{
    const struct element *k = user;
    float angle_scratch[ORO_TILE_WIDTH], weight_scratch[ORO_TILE_WIDTH];
    struct row row;
    for (int i = 0; i < tile->width; i++)
        row.x[i] = k->grid.x + ((float)(tile->x + i) + 0.5F) * k->grid.cell;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *angle = oro_map_row(&k->angle, tile->x, y, tile->width, angle_scratch);
        const float *weight = oro_map_row(&k->weight, tile->x, y, tile->width, weight_scratch);
        size_t at = (size_t)y * (size_t)k->grid.width + (size_t)tile->x;
        float *tensor = k->tensor + 2 * at;
        find_element(k, tile->width, k->grid.y + ((float)y + 0.5F) * k->grid.cell, &row);
        copy_before(k, tile, y, tensor);
        lay(k, tile->width, angle, weight, tensor, &row);
        show(tile->width, tensor, k->direction + 2 * at, k->angle_out + at);
    }
}

ORO_PROCESSOR(uplift, tensor_field)
{
    const float *centre = oro_run_literal(run, "centre");
    struct element k = {.grid = run->grid,
                        .source = run->source,
                        .angle = oro_run_map(run, "angle"),
                        .weight = oro_run_map(run, "weight"),
                        .before = oro_run_optional(run, "tensor"),
                        .segments = oro_run_buffer(run, "segments"),
                        .segment_count = (int)oro_run_number(run, "segments"),
                        .method = oro_run_int(run, "method"),
                        .blend = oro_run_int(run, "blend"),
                        .decay = oro_run_float(run, "decay"),
                        .tensor = oro_run_buffer(run, "tensor_out"),
                        .direction = oro_run_buffer(run, "direction_out"),
                        .angle_out = oro_run_buffer(run, "angle_out")};
    if (!oro_run_ready(run))
        return;
    k.centre_x = centre[0];
    k.centre_y = centre[1];
    oro_run_tiles(run, lay_element, &k);
}
