/* Step 5: B, the mean of c - h around, weighted by relief, by sums of tiles. */
#include "base/parallel.h"
#include "terrain/hydrology/constraint_private.h"

enum { COLUMNS = ORO_CONSTRAINT_COLUMNS, LEAST_TILES = 4096 };

/* ---- Sums ---- */

/* Down the columns of a piece of a row of tiles, then along them. */
static void sum_piece(const struct oro_constraint_erosion *run, size_t cell, size_t rows, size_t columns,
                      struct oro_constraint_tile *tile)
{
    float sum[COLUMNS] = {0}, weight[COLUMNS] = {0};
    size_t side = (size_t)run->scale.tile;
    for (size_t y = 0; y < rows; y++, cell += (size_t)run->width) {
        const float *c = run->constraint + cell, *h = run->h + cell, *relief = run->relief + cell;
        for (size_t x = 0; x < columns; x++) {
            sum[x] += relief[x] * (c[x] - h[x]);
            weight[x] += relief[x];
        }
    }
    for (size_t first = 0; first < columns; first += side, tile++) {
        *tile = (struct oro_constraint_tile){0};
        for (size_t x = first; x < columns && x < first + side; x++) {
            tile->sum += (double)sum[x];
            tile->weight += (double)weight[x];
        }
    }
}

static void sum_rows(void *user, size_t first, size_t end)
{
    const struct oro_constraint_erosion *run = user;
    const struct oro_constraint_scratch *scratch = run->scratch;
    size_t side = (size_t)run->scale.tile, width = (size_t)run->width, height = (size_t)run->height;
    for (size_t row = first; row < end; row++)
        for (size_t x = 0; x < width; x += COLUMNS) {
            size_t left = width - x, below = height - row * side;
            sum_piece(run, row * side * width + x, below < side ? below : side,
                      left < COLUMNS ? left : COLUMNS,
                      scratch->tile + row * (size_t)scratch->tile_columns + x / side);
        }
}

/* Sums over `count` tiles, `step` apart, within a distance of each. */
static void sum_line(const struct oro_constraint_tile *in, size_t count, size_t step, size_t distance,
                     struct oro_constraint_tile *out)
{
    struct oro_constraint_tile sum = {0};
    for (size_t i = 0; i < distance && i < count; i++) {
        sum.sum += in[i * step].sum;
        sum.weight += in[i * step].weight;
    }
    for (size_t i = 0; i < count; i++) {
        if (i + distance < count) {
            sum.sum += in[(i + distance) * step].sum;
            sum.weight += in[(i + distance) * step].weight;
        }
        if (i > distance) {
            sum.sum -= in[(i - distance - 1) * step].sum;
            sum.weight -= in[(i - distance - 1) * step].weight;
        }
        out[i * step] = sum;
    }
}

/* Twice over: along rows, and down columns. */
static void sum_along_rows(void *user, size_t first, size_t end)
{
    const struct oro_constraint_erosion *run = user;
    const struct oro_constraint_scratch *scratch = run->scratch;
    size_t columns = (size_t)scratch->tile_columns, distance = (size_t)run->scale.tiles_around;
    for (size_t row = first * columns; row < end * columns; row += columns) {
        sum_line(scratch->tile + row, columns, 1, distance, scratch->tile_row + row);
        sum_line(scratch->tile_row + row, columns, 1, distance, scratch->tile + row);
    }
}

static void sum_down_columns(void *user, size_t first, size_t end)
{
    const struct oro_constraint_erosion *run = user;
    const struct oro_constraint_scratch *scratch = run->scratch;
    size_t rows = (size_t)scratch->tile_rows, step = (size_t)scratch->tile_columns,
           distance = (size_t)run->scale.tiles_around;
    for (size_t column = first; column < end; column++) {
        sum_line(scratch->tile + column, rows, step, distance, scratch->tile_row + column);
        sum_line(scratch->tile_row + column, rows, step, distance, scratch->tile + column);
    }
}

void oro_constraint_sum_tiles(struct oro_constraint_erosion *run)
{
    size_t rows = (size_t)run->scratch->tile_rows, columns = (size_t)run->scratch->tile_columns;
    oro_parallel(rows, 1, sum_rows, run);
    oro_parallel(rows, 1 + LEAST_TILES / columns, sum_along_rows, run);
    oro_parallel(columns, 1 + LEAST_TILES / rows, sum_down_columns, run);
}

/* ---- Between the middles of tiles ---- */

struct between {
    const struct oro_constraint_tile *above, *below; /* rows of tiles */
    double share;                                    /* of the one below */
    size_t columns;
};

/* The rows of tiles that row y is between; or one twice, at the outermost. */
static struct between rows_around(const struct oro_constraint_erosion *run, size_t y)
{
    const struct oro_constraint_scratch *scratch = run->scratch;
    size_t side = (size_t)run->scale.tile, columns = (size_t)scratch->tile_columns, place = y + side / 2;
    size_t below = place / side, above = below ? below - 1 : 0, last = (size_t)scratch->tile_rows - 1;
    if (below > last)
        below = last;
    return (struct between){scratch->tile + above * columns, scratch->tile + below * columns,
                            ((double)(place % side) + 0.5) / (double)side, columns};
}

static struct oro_constraint_tile mean_of(const struct between *rows, size_t column)
{
    size_t i = column < rows->columns ? column : rows->columns - 1;
    const struct oro_constraint_tile *a = rows->above + i, *b = rows->below + i;
    return (struct oro_constraint_tile){a->sum + (b->sum - a->sum) * rows->share,
                                        a->weight + (b->weight - a->weight) * rows->share};
}

void oro_constraint_broad(const struct oro_constraint_erosion *run, size_t cell, size_t count, float *mean)
{
    size_t width = (size_t)run->width, side = (size_t)run->scale.tile, x = cell % width + side / 2;
    struct between rows = rows_around(run, cell / width);
    for (size_t done = 0, part; done < count; done += part, x += part) {
        size_t east = x / side, at = x % side;
        struct oro_constraint_tile a = mean_of(&rows, east ? east - 1 : 0), b = mean_of(&rows, east);
        float sum = (float)a.sum, more = (float)(b.sum - a.sum), step = 1.0f / (float)side;
        float weight = (float)a.weight, more_weight = (float)(b.weight - a.weight);
        part = side - at < count - done ? side - at : count - done;
        for (size_t i = 0; i < part; i++) {
            float share = ((float)(int)(at + i) + 0.5f) * step, n = weight + more_weight * share;
            mean[done + i] = n > 0 ? (sum + more * share) / n : 0;
        }
    }
}
