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

/* The item at `i` of a line that goes on beyond its ends, turned about them by half a turn. */
static double item_at(const float *line, ptrdiff_t count, ptrdiff_t stride, ptrdiff_t i)
{
    if (i < 0)
        return 2 * (double)line[0] - (double)line[-i * stride];
    if (i >= count)
        return 2 * (double)line[(count - 1) * stride] - (double)line[(2 * (count - 1) - i) * stride];
    return (double)line[i * stride];
}

/* Rows or columns from `first` to `end`, one after the other. */
static void blur_lines(const struct blur *b, bool columns, size_t first, size_t end)
{
    ptrdiff_t stride = columns ? (ptrdiff_t)b->width : 1, next = columns ? 1 : (ptrdiff_t)b->width;
    ptrdiff_t count = (ptrdiff_t)(columns ? b->height : b->width), radius = (ptrdiff_t)b->radius;
    for (size_t line = first; line < end; line++) {
        const float *from = b->from + (ptrdiff_t)line * next;
        float *to = b->to + (ptrdiff_t)line * next;
        for (ptrdiff_t i = 0; i < count; i++) {
            double sum = b->weight[0] * (double)from[i * stride];
            bool within = i >= radius && i + radius < count;
            for (ptrdiff_t k = 1; k <= radius; k++)
                sum += b->weight[k] *
                       (within ? (double)from[(i - k) * stride] + (double)from[(i + k) * stride]
                               : item_at(from, count, stride, i - k) + item_at(from, count, stride, i + k));
            to[i * stride] = (float)sum;
        }
    }
}

static void blur_rows(void *user, size_t first, size_t end)
{
    blur_lines(user, false, first, end);
}

static void blur_columns(void *user, size_t first, size_t end)
{
    blur_lines(user, true, first, end);
}

/* Farther than this many standard deviations a Gaussian is nothing. */
#define REACH 4.0

float *oro_realism_blurred(const struct oro_realism_site *site, double sigma)
{
    size_t shorter = site->width < site->height ? site->width : site->height;
    double cells = sigma / site->cell, radius = fmin(ceil(REACH * cells), (double)(shorter - 1));
    struct blur b = {.width = site->width, .height = site->height, .radius = (size_t)radius};
    double *weight = make_weights(cells, b.radius);
    float *rows = oro_alloc(b.width * b.height, sizeof *rows);
    float *both = oro_alloc(b.width * b.height, sizeof *both);
    bool ok = weight && rows && both;
    if (ok) {
        b.weight = weight;
        b.from = site->z;
        b.to = rows;
        oro_parallel(b.height, 16, blur_rows, &b);
        b.from = rows;
        b.to = both;
        oro_parallel(b.width, 16, blur_columns, &b);
    }
    oro_free(weight);
    oro_free(rows);
    if (!ok)
        oro_free(both);
    return ok ? both : NULL;
}
