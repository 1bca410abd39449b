/* One iteration of deposition (Schott 2024, 4.4, with a budget): sediment is taken up, moves one cell on with
 * the water, and settles. The laws of both methods are explained in the kernel. */
#include "terrain/processor/lib/stream_power.h"
#include "terrain/processor/lib/water.h"

enum { HOLLOWS, PLAINS }; /* as the dispatch defines PLAINS */

struct deposition {
    struct oro_water water;
    struct oro_power_law law;
    struct oro_map mask;
    bool plains;
    float least;         /* the least drop per cell width */
    float unit, inverse; /* log2 of what a stream of power 1 can carry; 1 / slope exponent */
    float most_bend;     /* by how much a cell gets steeper on the way down */
    float creation, settling, spread;
    const float *sediment, *source;
    float *height_out, *area_out, *sediment_out, *source_out;
};

/* Rows of the cells that settle, from the tile's first column on. */
struct settling_row {
    const float *height; /* in a tile */
    const float *givers; /* in a tile: how steeply a cell has to fall to the one that it gives to */
    const float *water, *came, *out_sum, *sediment, *source, *mask;
    float *height_out, *sediment_out, *source_out;
};

/* The steepest way down from every cell, in one ring: ways that fall as steeply lead to those that rise
 * carefully. */
ORO_INLINE void find_givers(const struct oro_tile *tile, oro_flow_array height, oro_flow_array givers)
{
    for (int row = 1; row < tile->height + 3; row++) {
        const float *here = height[row], *above = height[row - 1], *below = height[row + 1];
        float *to = givers[row];
#pragma omp simd
        for (int x = 8 - 1; x < 8 + tile->width + 1; x++) {
            float low = oro_lowest(here[x + 1], here[x - 1], below[x], above[x]);
            float low_across = oro_lowest(below[x + 1], below[x - 1], above[x + 1], above[x - 1]);
            float steepest = oro_max(here[x] - low, 0.70710678F * (here[x] - low_across));
            to[x] = oro_max(0.99999F * steepest, 0);
        }
    }
}

/* How far a cell may rise below a neighbour, if that gives to it. */
ORO_INLINE float room_below(float rise, float fall, float giver, float least)
{
    return fall > giver ? rise - oro_max(least, 0.001F * rise) : 3e38F;
}

/* Below all its neighbours: the least drop stays on the ways down to it. */
ORO_INLINE float room_below_givers(const float *height, const float *givers, float least)
{
    const int row = ORO_FLOW_COLUMNS, straight[4] = {1, -1, row, -row},
              across[4] = {row + 1, row - 1, 1 - row, -row - 1};
    float room = 3e38F;
    for (int k = 0; k < 4; k++) {
        float rise = height[straight[k]] - height[0], rise_across = height[across[k]] - height[0];
        room = oro_min(room, room_below(rise, rise, givers[straight[k]], least));
        room = oro_min(
            room, room_below(rise_across, 0.70710678F * rise_across, givers[across[k]], 1.41421356F * least));
    }
    return oro_max(room, 0);
}

ORO_INLINE float settled_on_plain(const struct deposition *k, struct oro_flow_ground g, float room,
                                  float water, float transported)
{
    float can_carry = oro_area_part(&k->law, water) + k->unit;
    float load = oro_log2(oro_max(transported, 1e-37F));
    float graded = oro_exp2(oro_clamp((load - can_carry) * k->inverse, -100, 100));
    float steep = oro_min(graded, k->law.steepest);
    float to_grade = oro_min(g.straight + steep, g.across + 1.41421356F * steep) - g.height;
    float to_bend = 0.5F * (g.rise - g.drop) + k->most_bend;
    float carried =
        oro_exp2(oro_min(k->law.slope_exponent * oro_log2(oro_max(g.drop, 1e-37F)) + can_carry, load));
    float settled = oro_min(oro_min(k->settling * (transported - carried), to_grade), to_bend);
    settled = ((graded > g.drop) & (settled > 0)) ? oro_min(settled, room) : 0;
    return g.drop <= 0 ? oro_min(transported, g.lowest - g.height + k->least) : settled;
}

ORO_INLINE float settled_in_hollow(const struct deposition *k, struct oro_flow_ground g, float transported,
                                   float carried)
{
    float room = g.above < 1e38F ? g.above - g.height : 0;
    float hollow = 0.5F * oro_max(oro_min(g.mean - g.height, room - k->least), 0);
    float settled = oro_clamp(k->settling * (transported - carried), 0, transported);
    return g.drop <= 0 ? oro_min(transported, room + k->least) : oro_min(settled, hollow);
}

/* How much of `depth` (>= 0) can be added to a height without rounding: whole spacings between floats. */
ORO_INLINE float addable(float depth, float height)
{
    int32_t power = oro_bits(oro_max(oro_max(oro_abs(height), height + depth), 1e-20F)) & 0x7f800000;
    return oro_floor(depth * oro_of_bits((int32_t)((277U << 23) - (uint32_t)power))) *
           oro_of_bits(power - (23 << 23));
}

ORO_INLINE void settle_row(const struct deposition *k, int width, const struct settling_row *row, bool plains)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct oro_flow_ground g = oro_ground_at(row->height + x);
        float water = row->water[x], source = row->source[x], stayed = row->sediment[x];
        float transported = row->came[x] + (oro_stays(stayed, row->out_sum[x]) ? stayed : 0);
        float power = oro_stream_power(&k->law, g.drop, water) / k->spread, settled;
        if (plains)
            settled = settled_on_plain(k, g, room_below_givers(row->height + x, row->givers + x, k->least),
                                       water, transported);
        else
            settled = settled_in_hollow(k, g, transported, power);
        float created = oro_min(k->creation * power, source) * row->mask[x];
        settled = addable(settled * row->mask[x], g.height);
        row->height_out[x] = g.height + settled;
        row->sediment_out[x] = created + transported - settled;
        row->source_out[x] = source - created;
    }
}

ORO_INLINE void settle(const struct deposition *k, const struct oro_tile *tile, const struct oro_flow_tile *t,
                       oro_flow_array share, oro_flow_array givers, bool plains)
{
    for (int y = 0; y < tile->height; y++) {
        float came[ORO_TILE_WIDTH], mask[ORO_TILE_WIDTH];
        size_t at = (size_t)(tile->y + y) * (size_t)k->water.flow.grid.width + (size_t)tile->x;
        oro_flow_collect_row(tile->width, y + 2, t, share, came);
        settle_row(k, tile->width,
                   &(struct settling_row){
                       .height = &t->height[y + 2][8],
                       .givers = &givers[y + 2][8],
                       .water = k->area_out + at,
                       .came = came,
                       .out_sum = &t->out_sum[y + 2][8],
                       .sediment = k->sediment + at,
                       .source = k->source + at,
                       .mask = oro_map_row(&k->mask, tile->x, tile->y + y, tile->width, mask),
                       .height_out = k->height_out + at,
                       .sediment_out = k->sediment_out + at,
                       .source_out = k->source_out + at,
                   },
                   plains);
    }
}

static ORO_CLONES void deposit(const void *user, const struct oro_tile *tile)
{
    const struct deposition *k = user;
    struct oro_flow_tile t;
    oro_flow_array water, sediment;
    oro_water_prepare(&k->water, tile, &t, water);
    for (int y = 0; y < tile->height; y++)
        oro_water_row(&k->water, tile, y, &t, water,
                      k->area_out + (size_t)(tile->y + y) * (size_t)k->water.flow.grid.width + tile->x);
    oro_flow_carried(&k->water.flow, tile, k->sediment, sediment);
    oro_flow_shares(tile, &t, sediment);
    if (k->plains) {
        find_givers(tile, t.height, water);
        settle(k, tile, &t, sediment, water, true);
    } else {
        settle(k, tile, &t, sediment, water, false);
    }
}

ORO_PROCESSOR(erosion, deposition)
{
    bool plains = oro_run_defined(run, "PLAINS") == PLAINS;
    float cell = run->grid.cell, reference = oro_run_float(run, "reference_cell");
    float creation = oro_run_float(run, "creation"), exponent = oro_run_float(run, "slope_exponent");
    float capacity = oro_max(oro_run_float(run, "capacity"), 1e-6F);
    struct deposition k = {
        .water = oro_water_of(run),
        .law = oro_power_law_of(run),
        .mask = oro_run_map(run, "mask"),
        .plains = plains,
        .least = oro_tangent(oro_radians(oro_run_float(run, "least_slope"))) * cell,
        .unit = oro_log2(capacity * reference / cell),
        .inverse = 1 / oro_max(exponent, 1e-3F),
        .most_bend = 0.01F * cell,
        .creation = plains ? oro_run_number(run, "creation") * creation * cell / reference
                           : oro_run_number(run, "hollows") * creation,
        .settling = oro_run_number(run, "settling"),
        .spread = plains ? 1 : oro_run_number(run, "spread"),
        .sediment = oro_run_buffer(run, "sediment_in"),
        .source = oro_run_buffer(run, "source_left"),
        .height_out = oro_run_buffer(run, "height_out"),
        .area_out = oro_run_buffer(run, "area_out"),
        .sediment_out = oro_run_buffer(run, "sediment_out"),
        .source_out = oro_run_buffer(run, "source_left_out"),
    };
    k.water.flow.rises = plains;
    if (oro_run_ready(run))
        oro_run_tiles(run, deposit, &k);
}
