#include "terrain/processor/lib/bicubic.h"
#include "terrain/processor/lib/terrain.h"

/* What lies of the source under the cells of an axis: from `low` to `high`, in its cells. */
struct axis {
    float scale, shift;
    int cells; /* of the source */
    bool placed;
};

struct resample {
    struct oro_map field;
    struct axis east, south;
    int width;
    float *out;
};

struct covered {
    float low, high, middle;
};

static struct covered covered_by(const struct axis *axis, int cell)
{
    float low = (float)cell * axis->scale, high = ((float)cell + 1) * axis->scale;
    if (!axis->placed)
        return (struct covered){low, high, ((float)cell + 0.5F) * axis->scale};
    float count = (float)axis->cells, middle;
    low = low + axis->shift;
    high = low + axis->scale;
    middle = oro_clamp(0.5F * (low + high), 0, count);
    /* What lies further out than the source reaches is like its edge. */
    low = oro_clamp(low, -1, count);
    return (struct covered){low, oro_clamp(high, low + oro_min(axis->scale, 1), count + 1), middle};
}

/* Sums are relative to a cell: constants stay exact, and large numbers do not cost the small ones. */
static float average(const struct oro_map *field, const struct covered *east, const struct covered *south)
{
    int first_x = (int)oro_floor(east->low), last_x = (int)-oro_floor(-east->high) - 1;
    int first_y = (int)oro_floor(south->low), last_y = (int)-oro_floor(-south->high) - 1;
    float middle = oro_map_at(field, (first_x + last_x) / 2, (first_y + last_y) / 2), sum = 0, area = 0;
    for (int y = first_y; y <= last_y; y++) {
        float down = oro_min(south->high, (float)(y + 1)) - oro_max(south->low, (float)y);
        for (int x = first_x; x <= last_x; x++) {
            float across = oro_min(east->high, (float)(x + 1)) - oro_max(east->low, (float)x);
            sum += across * down * (oro_map_at(field, x, y) - middle);
            area += across * down;
        }
    }
    return middle + sum / area;
}

static void find_averages(const void *user, const struct oro_tile *tile)
{
    const struct resample *k = user;
    struct covered east[ORO_TILE_WIDTH];
    for (int x = 0; x < tile->width; x++)
        east[x] = covered_by(&k->east, tile->x + x);
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct covered south = covered_by(&k->south, y);
        float *out = k->out + (size_t)y * (size_t)k->width + tile->x;
        for (int x = 0; x < tile->width; x++)
            out[x] = average(&k->field, &east[x], &south);
    }
}

static ORO_CLONES void find_surface(const void *user, const struct oro_tile *tile)
{
    const struct resample *k = user;
    struct oro_taps_row taps = {0};
    float samples[4][ORO_TAPS_COLUMNS];
    for (int x = 0; x < tile->width; x++)
        oro_taps_put(&taps, x, oro_catmull_rom_taps(covered_by(&k->east, tile->x + x).middle - 0.5F));
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct oro_taps down = oro_catmull_rom_taps(covered_by(&k->south, y).middle - 0.5F);
        for (int i = 0; i < 4; i++)
            oro_terrain_row(&k->field, taps.start, down.first + i, taps.count, samples[i]);
        oro_surface_row(&taps, &down, tile->width, samples, k->out + (size_t)y * (size_t)k->width + tile->x);
    }
}

static struct axis axis_of(struct oro_run *run, bool placed, const char *shift, int cells, int source_cells)
{
    float scale = placed ? run->grid.cell / run->source.cell : (float)source_cells / (float)cells;
    return (struct axis){scale, oro_run_number(run, shift), source_cells, placed};
}

ORO_PROCESSOR(lib, resample)
{
    bool placed = oro_run_defined(run, "PLACED") == 1;
    float *field = oro_run_optional(run, "field_out");
    struct resample k = {.field = {.values = oro_run_buffer(run, "field"),
                                   .width = run->source.width,
                                   .height = run->source.height},
                         .east = axis_of(run, placed, "east", run->grid.width, run->source.width),
                         .south = axis_of(run, placed, "south", run->grid.height, run->source.height),
                         .width = run->grid.width,
                         .out = field ? field : oro_run_buffer(run, "terrain_out")};
    bool coarser = k.east.scale > 1 || k.south.scale > 1;
    if (oro_run_ready(run))
        oro_run_tiles(run, coarser ? find_averages : find_surface, &k);
}
