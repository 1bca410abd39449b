/* Gaussians. */
#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/realism/realism_private.h"

struct blur {
    size_t width, height;
    const float *from;
    float *to;
    const double *weight; /* of a distance of 0..radius cells */
    size_t radius;
    bool mirrored; /* beyond the borders, else turned by half a turn */
};

/* Weights of a sum that is 1. */
static double *make_weights(double sigma, size_t radius)
{
    double *weight = oro_alloc(radius + 1, sizeof *weight), sum = 0;
    for (size_t i = 0; weight && i <= radius; i++) {
        double at = (double)i / sigma;
        weight[i] = exp(-0.5 * at * at);
        sum += i == 0 ? weight[i] : 2 * weight[i];
    }
    for (size_t i = 0; weight && i <= radius; i++)
        weight[i] /= sum;
    return weight;
}

/* Rows or columns of the ground, one of them: `stride` from item to item. */
struct line {
    ptrdiff_t count, stride;
    bool mirrored;
};

/* The item at `i` of a line that goes on beyond its ends, mirrored at them or turned about them. */
static double item_at(const float *first, struct line line, ptrdiff_t i)
{
    ptrdiff_t end = i < 0 ? 0 : line.count - 1;
    if (i >= 0 && i <= end)
        return (double)first[i * line.stride];
    double inside = (double)first[(2 * end - i) * line.stride];
    return line.mirrored ? inside : 2 * (double)first[end * line.stride] - inside;
}

/* Cells of a row or of rows that are summed at once, so that compilers make vectors of them and memory is
 * read along rows. */
enum { COLUMNS = 64 };

/* Cells of a row whose neighbours are all there. */
static void blur_inside(const struct blur *b, const float *from, size_t count, float *to)
{
    double sum[COLUMNS];
    for (size_t i = 0; i < count; i++)
        sum[i] = b->weight[0] * (double)from[i];
    for (size_t k = 1; k <= b->radius; k++) {
        const float *west = from - k, *east = from + k;
        for (size_t i = 0; i < count; i++)
            sum[i] += b->weight[k] * ((double)west[i] + (double)east[i]);
    }
    for (size_t i = 0; i < count; i++)
        to[i] = (float)sum[i];
}

static float blur_near_end(const struct blur *b, const float *from, size_t x)
{
    struct line row = {(ptrdiff_t)b->width, 1, b->mirrored};
    double sum = b->weight[0] * (double)from[x];
    for (ptrdiff_t k = 1; k <= (ptrdiff_t)b->radius; k++)
        sum += b->weight[k] * (item_at(from, row, (ptrdiff_t)x - k) + item_at(from, row, (ptrdiff_t)x + k));
    return (float)sum;
}

static void blur_rows(void *user, size_t first, size_t end)
{
    const struct blur *b = user;
    for (size_t y = first; y < end; y++) {
        const float *from = b->from + y * b->width;
        float *to = b->to + y * b->width;
        for (size_t x = 0, count; x < b->width; x += count) {
            bool inside = x >= b->radius && x + b->radius < b->width;
            size_t left = inside ? b->width - b->radius - x : 1;
            count = left < COLUMNS ? left : COLUMNS;
            if (inside)
                blur_inside(b, from + x, count, to + x);
            else
                to[x] = blur_near_end(b, from, x);
        }
    }
}

static void blur_block(const struct blur *b, size_t x, size_t columns, size_t y)
{
    struct line column = {(ptrdiff_t)b->height, (ptrdiff_t)b->width, b->mirrored};
    ptrdiff_t radius = (ptrdiff_t)b->radius, at = (ptrdiff_t)y;
    const float *from = b->from + y * b->width + x;
    double sum[COLUMNS];
    for (size_t i = 0; i < columns; i++)
        sum[i] = b->weight[0] * (double)from[i];
    for (ptrdiff_t k = 1; k <= radius; k++) {
        const float *above = from - k * column.stride, *below = from + k * column.stride;
        if (at >= k && at + k < column.count)
            for (size_t i = 0; i < columns; i++)
                sum[i] += b->weight[k] * ((double)above[i] + (double)below[i]);
        else
            for (size_t i = 0; i < columns; i++)
                sum[i] += b->weight[k] * (item_at(b->from + x + i, column, at - k) +
                                          item_at(b->from + x + i, column, at + k));
    }
    for (size_t i = 0; i < columns; i++)
        b->to[y * b->width + x + i] = (float)sum[i];
}

static void blur_columns(void *user, size_t first, size_t end)
{
    const struct blur *b = user;
    for (size_t block = first; block < end; block++)
        for (size_t y = 0; y < b->height; y++) {
            size_t x = block * COLUMNS, left = b->width - x;
            blur_block(b, x, left < COLUMNS ? left : COLUMNS, y);
        }
}

/* Farther than this many standard deviations a Gaussian is nothing. */
#define REACH 4.0

static float *blur(const struct oro_realism_site *site, const float *from, bool mirrored, double sigma)
{
    size_t shorter = site->width < site->height ? site->width : site->height;
    double cells = sigma / site->cell, radius = fmin(ceil(REACH * cells), (double)(shorter - 1));
    struct blur b = {
        .width = site->width, .height = site->height, .radius = (size_t)radius, .mirrored = mirrored};
    double *weight = make_weights(cells, b.radius);
    float *rows = oro_alloc(b.width * b.height, sizeof *rows);
    float *both = oro_alloc(b.width * b.height, sizeof *both);
    bool ok = weight && rows && both;
    if (ok) {
        b.weight = weight;
        b.from = from;
        b.to = rows;
        oro_parallel(b.height, 16, blur_rows, &b);
        b.from = rows;
        b.to = both;
        oro_parallel((b.width + COLUMNS - 1) / COLUMNS, 1, blur_columns, &b);
    }
    oro_free(weight);
    oro_free(rows);
    if (!ok)
        oro_free(both);
    return ok ? both : NULL;
}

float *oro_realism_blurred(const struct oro_realism_site *site, double sigma)
{
    return blur(site, site->z, false, sigma);
}

float *oro_realism_averaged(const struct oro_realism_site *site, const float *values, double sigma)
{
    return blur(site, values, true, sigma);
}
