/* One iteration of hydraulic and thermal erosion by virtual pipes (Jako 2011, with the corrections that
 * nodes/erosion/hydraulic_erosion.c lists). */
#include "terrain/processor/lib/pipes_erosion.h"
#include "terrain/processor/lib/pipes_slides.h"

/* A tile while it is stepped: its rows, and those of the maps. Maps that are numbers are filled in once. */
struct stepped {
    struct oro_pipes_rows rows;
    int32_t rain[ORO_PIPES_COLUMNS];
    float evaporation[ORO_PIPES_COLUMNS], capacity[ORO_PIPES_COLUMNS], deposition[ORO_PIPES_COLUMNS];
    float erosion_depth[ORO_PIPES_COLUMNS], slide_rate[ORO_PIPES_COLUMNS], talus_bias[ORO_PIPES_COLUMNS];
    float mask[ORO_PIPES_COLUMNS];
};

ORO_INLINE void fill(const struct oro_map *map, float *row)
{
    for (int x = 0; x < ORO_PIPES_COLUMNS; x++)
        row[x] = map->number;
}

static inline void begin(const struct oro_pipes *k, struct stepped *s)
{
    for (int x = 0; x < ORO_PIPES_COLUMNS; x++)
        s->rain[x] = k->rain;
    fill(&k->evaporation, s->evaporation);
    fill(&k->capacity, s->capacity);
    fill(&k->deposition, s->deposition);
    fill(&k->erosion_depth, s->erosion_depth);
    fill(&k->slide_rate, s->slide_rate);
    fill(&k->talus_bias, s->talus_bias);
    fill(&k->mask, s->mask);
    memset(s->rows.slid, 0, sizeof s->rows.slid);
    memset(s->rows.moving, 0, sizeof s->rows.moving);
}

/* What cells outside give: nothing, but what the sea has. */
ORO_INLINE void give_outside(int y, int x, struct oro_pipes_rows *t)
{
    int row = y & 3, at = x + ORO_PIPES_FIRST;
    t->left[row][at] = t->held[row][at] > 0 ? 1 : 0;
    t->load[row][at] = 0;
    t->share[row][at] = t->talus[row][at] = t->strength[row][at] = 0;
}

/* What the cells of a row with one ring give. */
ORO_INLINE void give(const struct oro_pipes *k, const struct oro_tile *tile, int y, int pipes,
                     struct stepped *s)
{
    struct oro_pipes_rows *t = &s->rows;
    struct oro_span ring = oro_pipes_inside(k, tile, y);
    ring.first = ring.first < -1 ? -1 : ring.first;
    ring.end = ring.end > tile->width + 1 ? tile->width + 1 : ring.end;
    for (int x = -2; x < (ring.first < ring.end ? ring.first : tile->width + 2); x++)
        give_outside(y, x, t);
    for (int x = ring.end; x < tile->width + 2; x++)
        give_outside(y, x, t);
    if (k->flow)
        oro_pipes_give(k, ring, y, pipes, t);
    if (!k->thermal)
        return;
    const float *mask = oro_pipes_map(&k->mask, tile, y, s->mask);
    float *strength = t->strength[y & 3] + ORO_PIPES_FIRST;
    for (int x = ring.first; x < ring.end; x++)
        strength[x] = oro_guarded(mask[x]);
    oro_pipes_loosen(k, ring, y, oro_pipes_map(&k->slide_rate, tile, y, s->slide_rate),
                     oro_pipes_map(&k->talus_bias, tile, y, s->talus_bias), t);
}

/* What goes between the cells of a row, and from them to those below. */
ORO_INLINE void exchange_between(const struct oro_pipes *k, const struct oro_tile *tile, int y, int pipes,
                                 struct oro_pipes_rows *t)
{
    const struct oro_span faces = {-1, tile->width + 1};
    for (int pipe = 0; k->flow && pipe < pipes; pipe++)
        oro_pipes_send_row(faces, y, pipe, t);
    if (k->thermal)
        oro_pipes_steep_row((struct oro_span){-2, tile->width + 1}, y, t);
    for (int pipe = 0; k->thermal && pipe < 4; pipe++)
        oro_pipes_slide_row(faces, y, pipe, t);
}

/* Stores a row of cells. */
ORO_INLINE void store(const struct oro_pipes *k, const struct oro_tile *tile, int y,
                      const struct oro_pipes_row *row)
{
    ptrdiff_t index = oro_pipes_index(k, tile, y);
    int32_t *cells = k->cells_out + ORO_CELL_WORDS * index, *bed = k->bed + index;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        int32_t ground = row->ground[x], lowest = bed[x];
        cells[4 * x + ORO_GROUND] = ground;
        cells[4 * x + ORO_WATER] = row->water[x];
        cells[4 * x + ORO_SEDIMENT] = row->sediment[x];
        cells[4 * x + ORO_SOFTNESS] = oro_bits(row->softness[x]);
        bed[x] = ground < lowest ? ground : lowest;
    }
}

/* Water that stays where it is. */
ORO_INLINE void keep_water(const struct oro_pipes *k, const struct oro_tile *tile, int y, int pipes,
                           const struct oro_pipes_rows *t, struct oro_pipes_row *row)
{
    size_t count = (size_t)tile->width * sizeof(int32_t);
    ptrdiff_t index = oro_pipes_index(k, tile, y);
    memcpy(row->water, t->water[y & 3] + ORO_PIPES_FIRST, count);
    memcpy(row->sediment, t->sediment[y & 3] + ORO_PIPES_FIRST, count);
    memset(k->flux_out + pipes * index, 0, (size_t)pipes * count);
    memset(k->ahead_out + index, 0, count);
}

ORO_INLINE void step_row(const struct oro_pipes *k, const struct oro_tile *tile, int y, int pipes,
                         struct stepped *s)
{
    struct oro_pipes_rows *t = &s->rows;
    struct oro_pipes_row row;
    const struct oro_pipes_maps maps = {
        .evaporation = oro_pipes_map(&k->evaporation, tile, y, s->evaporation),
        .capacity = oro_pipes_map(&k->capacity, tile, y, s->capacity),
        .deposition = oro_pipes_map(&k->deposition, tile, y, s->deposition),
        .erosion_depth = oro_pipes_map(&k->erosion_depth, tile, y, s->erosion_depth),
        .mask = oro_pipes_map(&k->mask, tile, y, s->mask),
    };
    memcpy(row.ground, t->ground[y & 3] + ORO_PIPES_FIRST, sizeof row.ground);
    memcpy(row.softness, t->softness[y & 3] + ORO_PIPES_FIRST, sizeof row.softness);
    if (k->flow) {
        oro_pipes_collect(k, tile, y, pipes, t, &row);
        oro_pipes_book_row(k, tile, y, t);
    } else {
        keep_water(k, tile, y, pipes, t, &row);
    }
    if (k->flow && k->erosion && k->collision > 0)
        oro_pipes_exchange(k, tile->width, y, &maps, t, &row, true);
    else if (k->flow && k->erosion)
        oro_pipes_exchange(k, tile->width, y, &maps, t, &row, false);
    if (k->thermal)
        oro_pipes_slid_away(tile, y, t, row.ground);
    if (k->flow)
        oro_pipes_dry(k, tile->width, &maps, &row);
    store(k, tile, y, &row);
}

/* Each stage follows the one before by a row, because cells depend on the rows around them. */
ORO_INLINE void step_tile(const struct oro_pipes *k, const struct oro_tile *tile, int pipes)
{
    struct stepped s;
    begin(k, &s);
    for (int y = -2; y < tile->height + 2; y++) {
        oro_pipes_load(k, tile, y, s.rain + ORO_PIPES_FIRST, &s.rows);
        if (y >= -1 && k->flow)
            oro_pipes_accelerate(k, tile, y - 1, pipes, &s.rows);
        if (y >= 0)
            give(k, tile, y - 1, pipes, &s);
        if (y >= 1)
            exchange_between(k, tile, y - 2, pipes, &s.rows);
        if (y >= 2)
            step_row(k, tile, y - 2, pipes, &s);
    }
}

static ORO_CLONES void step_with_4(const void *user, const struct oro_tile *tile)
{
    step_tile(user, tile, 2);
}

static ORO_CLONES void step_with_8(const void *user, const struct oro_tile *tile)
{
    step_tile(user, tile, 4);
}

static void read_numbers(struct oro_run *run, struct oro_pipes *k)
{
    k->rain = (int32_t)oro_run_number(run, "rain");
    k->sea = (int32_t)oro_run_number(run, "sea");
    k->acceleration = oro_run_number(run, "acceleration");
    k->damping = oro_run_number(run, "damping");
    k->drag = oro_run_number(run, "drag");
    k->speed = oro_run_number(run, "speed");
    k->time_step = oro_run_number(run, "time_step");
    k->unit = oro_run_number(run, "unit");
    k->metre = oro_run_number(run, "metre");
    k->slope = oro_run_number(run, "slope");
    k->film = oro_run_number(run, "film");
    k->meeting = oro_run_number(run, "meeting");
    k->least_sine = oro_run_number(run, "least_sine");
    k->slides = oro_run_number(run, "slides");
    k->drop = oro_run_number(run, "drop");
}

static void read_inputs(struct oro_run *run, struct oro_pipes *k)
{
    k->borders = oro_run_int(run, "borders");
    k->flow = oro_run_flag(run, "flow");
    k->erosion = oro_run_flag(run, "erosion");
    k->thermal = oro_run_flag(run, "thermal");
    k->exchange = oro_run_flag(run, "exchange");
    k->suspension = oro_run_float(run, "suspension");
    k->softening = oro_run_float(run, "softening");
    k->collision = oro_run_float(run, "collision");
    k->talus_hardness = oro_run_float(run, "talus_hardness");
    k->evaporation = oro_run_map(run, "evaporation");
    k->capacity = oro_run_map(run, "capacity");
    k->deposition = oro_run_map(run, "deposition");
    k->erosion_depth = oro_run_map(run, "erosion_depth");
    if (!oro_run_flag(run, "limit_depth"))
        k->erosion_depth = (struct oro_map){.number = INFINITY};
    k->slide_rate = oro_run_map(run, "slide_rate");
    k->talus_bias = oro_run_map(run, "talus_bias");
    k->mask = oro_run_map(run, "mask");
}

ORO_PROCESSOR(erosion, hydraulic_erosion)
{
    struct oro_pipes k = {.grid = run->grid,
                          .fallen = oro_run_optional(run, "fallen"),
                          .terrain = oro_run_optional(run, "terrain"),
                          .cells = oro_run_buffer(run, "cells"),
                          .flux = oro_run_buffer(run, "pipes"),
                          .ahead = oro_run_buffer(run, "ahead"),
                          .cells_out = oro_run_buffer(run, "cells_out"),
                          .flux_out = oro_run_buffer(run, "pipes_out"),
                          .ahead_out = oro_run_buffer(run, "ahead_out"),
                          .bed = oro_run_buffer(run, "bed"),
                          .gone = oro_run_buffer(run, "gone")};
    read_numbers(run, &k);
    read_inputs(run, &k);
    if (oro_run_ready(run))
        oro_run_tiles(run, oro_run_defined(run, "PIPES") == 4 ? step_with_8 : step_with_4, &k);
}
