#include "base/least_squares.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { ROUNDS = 8, STEPS = 100 };
static const double precision = 1e-6; /* of what is left over, relative to what was there */

/* Vectors over the columns, and one over the rows. */
struct room {
    double *diagonal, *residual, *direction, *image, *free, *of_rows;
};

/* to = A x */
static void multiply(const struct oro_least_squares *p, const double *x, double *to)
{
    for (size_t i = 0; i < p->rows; i++) {
        to[i] = 0;
        for (uint32_t k = p->starts[i]; k < p->starts[i + 1]; k++)
            to[i] += p->value[k] * x[p->column[k]];
    }
}

/* to = A^T rows */
static void multiply_back(const struct oro_least_squares *p, const double *rows, double *to)
{
    memset(to, 0, p->columns * sizeof *to);
    for (size_t i = 0; i < p->rows; i++)
        for (uint32_t k = p->starts[i]; k < p->starts[i + 1]; k++)
            to[p->column[k]] += p->value[k] * rows[i];
}

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void find_diagonal(const struct oro_least_squares *p, double *diagonal)
{
    memset(diagonal, 0, p->columns * sizeof *diagonal);
    for (size_t k = 0; k < p->starts[p->rows]; k++)
        diagonal[p->column[k]] += p->value[k] * p->value[k];
}

/* image = (A^T A + regularisation D^2) direction, where x is free. */
static void apply(const struct oro_least_squares *p, struct room *r)
{
    multiply(p, r->direction, r->of_rows);
    multiply_back(p, r->of_rows, r->image);
    for (size_t j = 0; j < p->columns; j++)
        r->image[j] = r->free[j] * (r->image[j] + p->regularisation * r->diagonal[j] * r->direction[j]);
}

/* residual = A^T (wanted - A x) - regularisation D^2 x, where x is free. */
static void find_residual(const struct oro_least_squares *p, const double *x, struct room *r)
{
    multiply(p, x, r->of_rows);
    for (size_t i = 0; i < p->rows; i++)
        r->of_rows[i] = p->wanted[i] - r->of_rows[i];
    multiply_back(p, r->of_rows, r->residual);
    for (size_t j = 0; j < p->columns; j++)
        r->residual[j] = r->free[j] * (r->residual[j] - p->regularisation * r->diagonal[j] * x[j]);
}

/* residual . residual / D^2; `direction` becomes residual / D^2 + share * direction. */
static double precondition(const struct oro_least_squares *p, struct room *r, double before)
{
    double now = 0;
    for (size_t j = 0; j < p->columns; j++)
        now += r->diagonal[j] > 0 ? r->residual[j] * r->residual[j] / r->diagonal[j] : 0;
    double share = before > 0 ? now / before : 0;
    for (size_t j = 0; j < p->columns; j++)
        r->direction[j] =
            (r->diagonal[j] > 0 ? r->residual[j] / r->diagonal[j] : 0) + share * r->direction[j];
    return now;
}

static void descend(const struct oro_least_squares *p, double *x, struct room *r)
{
    find_residual(p, x, r);
    double size = precondition(p, r, 0), enough = size * precision * precision;
    for (int step = 0; step < STEPS && size > enough; step++) {
        apply(p, r);
        double along = dot(r->direction, r->image, p->columns);
        if (!(along > 0))
            return;
        for (size_t j = 0; j < p->columns; j++) {
            x[j] += size / along * r->direction[j];
            r->residual[j] -= size / along * r->image[j];
        }
        size = precondition(p, r, size);
    }
}

/* Puts what is beyond a bound there, and keeps it. Returns how many were. */
static size_t hold(const struct oro_least_squares *p, double *x, double *free)
{
    size_t held = 0;
    for (size_t j = 0; j < p->columns; j++) {
        double inside = fmin(fmax(x[j], p->low[j]), p->high[j]);
        bool beyond = inside < x[j] || inside > x[j];
        free[j] = beyond ? 0 : free[j];
        x[j] = inside;
        held += beyond;
    }
    return held;
}

bool oro_least_squares(const struct oro_least_squares *p, double *x)
{
    enum { OF_COLUMNS = 5 };
    double *memory = oro_alloc(OF_COLUMNS * p->columns + p->rows, sizeof *memory);
    if (!memory)
        return false;
    struct room r = {memory,
                     memory + p->columns,
                     memory + 2 * p->columns,
                     memory + 3 * p->columns,
                     memory + 4 * p->columns,
                     memory + OF_COLUMNS * p->columns};
    find_diagonal(p, r.diagonal);
    for (size_t j = 0; j < p->columns; j++) {
        x[j] = 0;
        r.free[j] = p->low[j] < p->high[j] ? 1 : 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        descend(p, x, &r);
        if (hold(p, x, r.free) == 0)
            break;
    }
    oro_free(memory);
    return true;
}
