#include "tests/ref/ref_constraint_erosion.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

static size_t cells_of(const struct ref_constraint *run)
{
    return (size_t)run->width * (size_t)run->height;
}

static int column_of(const struct ref_constraint *run, size_t cell)
{
    return (int)(cell % (size_t)run->width);
}

static int row_of(const struct ref_constraint *run, size_t cell)
{
    return (int)(cell / (size_t)run->width);
}

/* Whether a cell has a neighbour k; then `there` is it. */
static bool neighbour(const struct ref_constraint *run, size_t cell, int k, size_t *there)
{
    int x = column_of(run, cell) + dx[k], y = row_of(run, cell) + dy[k];
    if (x < 0 || y < 0 || x >= run->width || y >= run->height)
        return false;
    *there = (size_t)y * (size_t)run->width + (size_t)x;
    return run->eight || dx[k] == 0 || dy[k] == 0;
}

static double held(double value, double least, double most)
{
    return value > least ? (value < most ? value : most) : least;
}

static bool under_water(const struct ref_constraint *run, double h)
{
    return h <= (double)run->sea_level;
}

static double total(const struct ref_constraint *run, double h)
{
    return fmax(h, (double)run->sea_level);
}

/* ---- What follows from the width of a cell ---- */

static double width_of(const struct ref_constraint *run)
{
    return run->cell / run->reference_cell;
}

static double kept_of(const struct ref_constraint *run)
{
    return pow(1 - run->rain_loss, width_of(run));
}

static double local_of(const struct ref_constraint *run)
{
    double x = width_of(run);
    return run->rain_loss > 0 ? x * (1 - kept_of(run)) / run->rain_loss : x * x;
}

static int rounds_of(const struct ref_constraint *run)
{
    return (int)held(round(1 / width_of(run)), 1, 16);
}

/* 0: the cells next to it. */
static int reach_of(const struct ref_constraint *run)
{
    double x = width_of(run);
    return x > 2.0 / 3 ? 0 : (int)held(round(-0.5 + sqrt(0.25 + 1.5 / (x * x))), 1, 24);
}

static int tile_of(const struct ref_constraint *run)
{
    int tile = 2;
    while (tile < 32 && tile * 2 <= run->breadth / (4 * run->cell))
        tile *= 2;
    return tile;
}

/* ---- 1. Receivers ---- */

static uint32_t hash(uint32_t x)
{
    uint32_t state = x * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

static void node(const struct ref_constraint *run, size_t cell, float at[2])
{
    uint32_t x = (uint32_t)column_of(run, cell), y = (uint32_t)row_of(run, cell);
    uint32_t h = hash(x + hash(y + hash((uint32_t)run->seed)));
    at[0] = ((float)(h & 0xffffu) / 65536.0f - 0.5f) * (0.7f * run->jitter);
    at[1] = ((float)(h >> 16) / 65536.0f - 0.5f) * (0.7f * run->jitter);
}

float ref_constraint_distance(const struct ref_constraint *run, size_t from, size_t to)
{
    float a[2], b[2];
    node(run, from, a);
    node(run, to, b);
    float x = (float)(column_of(run, to) - column_of(run, from)) + (b[0] - a[0]);
    float y = (float)(row_of(run, to) - row_of(run, from)) + (b[1] - a[1]);
    return sqrtf(x * x + y * y);
}

bool ref_constraint_outlet(const struct ref_constraint *run, const float *h, size_t cell)
{
    int x = column_of(run, cell), y = row_of(run, cell);
    bool border = x == 0 || y == 0 || x == run->width - 1 || y == run->height - 1;
    return under_water(run, (double)h[cell]) || (border && !run->walls);
}

void ref_constraint_receivers(const struct ref_constraint *run, const float *h, uint32_t *receiver)
{
    for (size_t p = 0; p < cells_of(run); p++) {
        float steepest = 0;
        receiver[p] = (uint32_t)p;
        for (int k = 0; k < 8; k++) {
            size_t q;
            if (under_water(run, (double)h[p]) || !neighbour(run, p, k, &q))
                continue;
            float drop = h[p] - fmaxf(h[q], run->sea_level);
            float slope = drop < FLT_MIN ? 0 : drop / ref_constraint_distance(run, p, q);
            if (slope > steepest) {
                steepest = slope;
                receiver[p] = (uint32_t)q;
            }
        }
    }
}

/* ---- 2. Drainage ---- */

/* D of a cell by that of all that drain to it; negative: not known yet. */
static double drainage_of(const struct ref_constraint *run, const uint32_t *receiver, size_t p,
                          double *drainage)
{
    if (drainage[p] >= 0)
        return drainage[p];
    double sum = 0;
    for (int k = 0; k < 8; k++) {
        size_t q;
        if (neighbour(run, p, k, &q) && receiver[q] == p)
            sum += drainage_of(run, receiver, q, drainage);
    }
    drainage[p] = local_of(run) * held((double)run->moisture[p], 0, 8) + kept_of(run) * sum;
    return drainage[p];
}

void ref_constraint_drainage(const struct ref_constraint *run, const uint32_t *receiver, double *drainage)
{
    for (size_t p = 0; p < cells_of(run); p++)
        drainage[p] = -1;
    for (size_t p = 0; p < cells_of(run); p++)
        drainage_of(run, receiver, p, drainage);
}

/* ---- 3. Gorges ---- */

static size_t end_of(const uint32_t *receiver, size_t p)
{
    while (receiver[p] != p)
        p = receiver[p];
    return p;
}

/* Nearer to zero than the least normal number is zero. */
static float normal(float h)
{
    return fabsf(h) < FLT_MIN ? 0 : h;
}

struct saddle {
    float level;
    size_t number, here, there;
    bool found;
};

/* The lowest saddle of the basin whose label is `minimum`; outlets' is SIZE_MAX. */
static struct saddle lowest_saddle(const struct ref_constraint *run, const float *h, const size_t *basin,
                                   size_t minimum)
{
    struct saddle best = {.found = false};
    for (size_t p = 0; p < cells_of(run); p++)
        for (int k = 4; k < 8; k++) {
            size_t q;
            if (!neighbour(run, p, k, &q) || basin[p] == basin[q] ||
                (basin[p] != minimum && basin[q] != minimum))
                continue;
            float level = normal(fmaxf(fmaxf(h[p], h[q]), run->sea_level));
            bool ours = basin[p] == minimum;
            struct saddle saddle = {level, 4 * p + (size_t)k - 4, ours ? p : q, ours ? q : p, true};
            if (!best.found || level < best.level || (level == best.level && saddle.number < best.number))
                best = saddle;
        }
    return best;
}

/* The path from the minimum up to the saddle and down; returns how many cells. */
static size_t find_path(const uint32_t *receiver, const struct saddle *saddle, size_t *path)
{
    size_t up = 0, count;
    for (size_t p = saddle->here;; p = receiver[p]) {
        path[up++] = p;
        if (receiver[p] == p)
            break;
    }
    for (size_t i = 0; i < up / 2; i++) {
        size_t p = path[i];
        path[i] = path[up - 1 - i];
        path[up - 1 - i] = p;
    }
    count = up;
    for (size_t p = saddle->there;; p = receiver[p]) {
        path[count++] = p;
        if (receiver[p] == p)
            return count;
    }
}

static void carve(const struct ref_constraint *run, const float *h, const size_t *path, size_t count,
                  double weight, double *carved, double *gorge)
{
    double whole = 0, s = 0, z0 = total(run, (double)h[path[0]]), z1 = total(run, (double)h[path[count - 1]]);
    if (ref_constraint_outlet(run, h, path[count - 1]))
        z1 = fmin(z1, z0);
    for (size_t i = 1; i < count; i++)
        whole += (double)ref_constraint_distance(run, path[i - 1], path[i]);
    for (size_t i = 0; i < count; i++) {
        double own = (double)h[path[i]];
        s += i ? (double)ref_constraint_distance(run, path[i - 1], path[i]) : 0;
        double ideal = z0 + (z1 - z0) * s / whole;
        if (own > ideal && !under_water(run, own))
            carved[path[i]] = fmin(carved[path[i]], own + weight * (ideal - own));
        gorge[path[i]] = fmax(gorge[path[i]], weight);
    }
}

void ref_constraint_gorges(const struct ref_constraint *run, const float *h, const uint32_t *receiver,
                           const double *drainage, double *carved, double *gorge)
{
    size_t cells = cells_of(run), *basin = malloc(cells * sizeof *basin);
    size_t *path = malloc(2 * cells * sizeof *path);
    for (size_t p = 0; p < cells; p++) {
        size_t end = end_of(receiver, p);
        basin[p] = ref_constraint_outlet(run, h, end) ? SIZE_MAX : end;
        carved[p] = (double)h[p];
        gorge[p] = 0;
    }
    for (size_t p = 0; p < cells; p++) {
        if (basin[p] != p || !(drainage[p] > 0))
            continue;
        double weight = fmin(run->gorge_strength * pow(drainage[p], run->gorge_exponent), 1);
        struct saddle saddle = lowest_saddle(run, h, basin, p);
        if (saddle.found && weight > 0)
            carve(run, h, path, find_path(receiver, &saddle, path), weight, carved, gorge);
    }
    free(basin);
    free(path);
}

/* ---- 4. Erosion ---- */

void ref_constraint_erode(const struct ref_constraint *run, const uint32_t *receiver, const double *drainage,
                          double *ground)
{
    size_t cells = cells_of(run);
    double *before = malloc(cells * sizeof *before);
    for (int round = 0; round < rounds_of(run); round++) {
        memcpy(before, ground, cells * sizeof *before);
        for (size_t p = 0; p < cells; p++) {
            size_t q = receiver[p];
            double drop = before[p] - total(run, before[q]);
            if (q == p || under_water(run, before[p]) || drop <= 0 || drainage[p] <= 0)
                continue;
            double slope = drop / ((double)ref_constraint_distance(run, p, q) * run->cell);
            double depth = held((double)run->erodibility[p], 0, 100) * run->reference_cell / rounds_of(run) *
                           pow(drainage[p] / sqrt(width_of(run)), run->drainage_exponent) *
                           pow(slope, run->slope_exponent);
            ground[p] = before[p] - fmin(drop, depth);
        }
    }
    free(before);
}

/* ---- 5. Constraints ---- */

struct tiles {
    int side, columns, rows, around;
    double *sum, *weight;
};

static void sum_tile(const struct ref_constraint *run, const float *h, const struct tiles *tiles, int tx,
                     int ty)
{
    int at = ty * tiles->columns + tx;
    tiles->sum[at] = tiles->weight[at] = 0;
    for (int y = ty * tiles->side; y < (ty + 1) * tiles->side && y < run->height; y++)
        for (int x = tx * tiles->side; x < (tx + 1) * tiles->side && x < run->width; x++) {
            size_t p = (size_t)y * (size_t)run->width + (size_t)x;
            tiles->sum[at] += (double)run->relief[p] * ((double)run->c[p] - (double)h[p]);
            tiles->weight[at] += (double)run->relief[p];
        }
}

/* Of every tile, the sum of `values` over the tiles within the distance. */
static void sum_around(const struct tiles *tiles, double *values)
{
    int count = tiles->columns * tiles->rows;
    double *sums = calloc((size_t)count, sizeof *sums);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (abs(k % tiles->columns - i % tiles->columns) <= tiles->around &&
                abs(k / tiles->columns - i / tiles->columns) <= tiles->around)
                sums[i] += values[k];
    memcpy(values, sums, (size_t)count * sizeof *sums);
    free(sums);
}

/* Bilinear between the middles of tiles. */
static double between(const struct tiles *tiles, const double *values, int column, int row)
{
    double x = held((column + 0.5) / tiles->side - 0.5, 0, tiles->columns - 1);
    double y = held((row + 0.5) / tiles->side - 0.5, 0, tiles->rows - 1), sum = 0;
    for (int ty = 0; ty < tiles->rows; ty++)
        for (int tx = 0; tx < tiles->columns; tx++)
            sum += fmax(1 - fabs(x - tx), 0) * fmax(1 - fabs(y - ty), 0) * values[ty * tiles->columns + tx];
    return sum;
}

void ref_constraint_broad(const struct ref_constraint *run, const float *h, double *mean)
{
    struct tiles tiles = {.side = tile_of(run)};
    tiles.around = (int)held(round(run->breadth / (2 * tiles.side * run->cell)), 1, 4096);
    tiles.columns = (run->width + tiles.side - 1) / tiles.side;
    tiles.rows = (run->height + tiles.side - 1) / tiles.side;
    size_t count = (size_t)tiles.columns * (size_t)tiles.rows;
    tiles.sum = malloc(count * sizeof *tiles.sum);
    tiles.weight = malloc(count * sizeof *tiles.weight);
    for (int ty = 0; ty < tiles.rows; ty++)
        for (int tx = 0; tx < tiles.columns; tx++)
            sum_tile(run, h, &tiles, tx, ty);
    for (int twice = 0; twice < 2; twice++) {
        sum_around(&tiles, tiles.sum);
        sum_around(&tiles, tiles.weight);
    }
    for (size_t p = 0; p < cells_of(run); p++) {
        int x = column_of(run, p), y = row_of(run, p);
        double weight = between(&tiles, tiles.weight, x, y);
        mean[p] = weight > 0 ? between(&tiles, tiles.sum, x, y) / weight : 0;
    }
    free(tiles.sum);
    free(tiles.weight);
}

/* The mean of h - c over what the gradient constraint takes for neighbours. */
static double mean_around(const struct ref_constraint *run, const double *h, size_t p)
{
    int reach = reach_of(run), x = column_of(run, p), y = row_of(run, p);
    double sum = 0, count = 0;
    for (int k = 0; k < 8 && !reach; k++) {
        size_t q;
        if (!neighbour(run, p, k, &q))
            continue;
        sum += h[q] - (double)run->c[q];
        count += 1;
    }
    for (int j = y - reach; j <= y + reach && reach; j++)
        for (int i = x - reach; i <= x + reach; i++) {
            if (i < 0 || j < 0 || i >= run->width || j >= run->height)
                continue;
            size_t q = (size_t)j * (size_t)run->width + (size_t)i;
            sum += h[q] - (double)run->c[q];
            count += 1;
        }
    return count > 0 ? sum / count : h[p] - (double)run->c[p];
}

void ref_constraint_hold(const struct ref_constraint *run, const double *broad, const double *gorge,
                         double *ground)
{
    size_t cells = cells_of(run);
    double *before = malloc(cells * sizeof *before), scale = reach_of(run) ? 1 : 1 / pow(width_of(run), 2);
    for (size_t p = 0; p < cells; p++) {
        ground[p] += held((double)run->value_strength[p], 0, 1) * ((double)run->c[p] - ground[p]);
        ground[p] += run->broad_strength * (1 - held((double)run->value_strength[p], 0, 1)) *
                     (double)run->relief[p] * broad[p];
        before[p] = ground[p];
    }
    for (size_t p = 0; p < cells; p++) {
        double g = fmin(0.9, held((double)run->gradient_strength[p], 0, 1) * scale);
        ground[p] += g * (1 - gorge[p]) * (mean_around(run, before, p) + (double)run->c[p] - before[p]);
        double coast = fmin((double)run->c[p], (double)run->sea_level + 0.001 * run->reference_cell);
        if (!under_water(run, (double)run->c[p]))
            ground[p] = fmax(ground[p], coast);
    }
    free(before);
}

/* ---- An iteration ---- */

void ref_constraint_iterate(const struct ref_constraint *run, float *h, uint32_t *receiver, double *drainage,
                            double *gorge)
{
    size_t cells = cells_of(run);
    double *ground = malloc(cells * sizeof *ground), *broad = malloc(cells * sizeof *broad);
    ref_constraint_receivers(run, h, receiver);
    ref_constraint_drainage(run, receiver, drainage);
    ref_constraint_gorges(run, h, receiver, drainage, ground, gorge);
    ref_constraint_broad(run, h, broad);
    ref_constraint_erode(run, receiver, drainage, ground);
    ref_constraint_hold(run, broad, gorge, ground);
    for (size_t p = 0; p < cells; p++)
        h[p] = (float)ground[p];
    free(ground);
    free(broad);
}
