/* What is said of elevation constraints: before a run, of those that contradict each other; after it, of
 * those that are not met, and of those that ground beside them outdoes. */
#include <math.h>

#include "base/memory.h"
#include "nodes/erosion/stream_power_constraints.h"

/* Coarse levels do not warn: a finer one may do what they cannot. */
enum oro_level oro_constraints_loudness(const struct oro_stream_power *sp)
{
    return sp->params->coarse ? ORO_DEBUG : ORO_WARNING;
}

struct oro_constraint_place oro_constraints_place(const struct oro_stream_power *sp,
                                                  const struct oro_constraint_point *p)
{
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    return (struct oro_constraint_place){(double)p->x + grid->x, (double)p->y + grid->y};
}

static bool meet(const struct oro_constraint_point *a, const struct oro_constraint_point *b)
{
    return hypotf(a->x - b->x, a->y - b->y) < a->radius + b->radius;
}

/* ---- Contradictions ---- */

/* Constraints sorted into square bins, as wide as any two that contradict each other can be apart. */
struct bins {
    const struct oro_stream_power *sp;
    float size, steepest;
    int columns, rows;
    int *first, *member; /* of each bin where its members begin, and where the last one's end; the members */
    int found;
};

static int bin_of(const struct bins *b, const struct oro_constraint_point *p)
{
    int column = (int)fminf(p->x / b->size, (float)(b->columns - 1));
    int row = (int)fminf(p->y / b->size, (float)(b->rows - 1));
    return row * b->columns + column;
}

/* A bin is at least as wide as makes 256 of them in a row. */
static void measure_bins(struct bins *b)
{
    enum { MOST = 256 };
    const struct oro_stream_power_constraints *c = b->sp->constraints;
    const struct oro_grid *grid = oro_eval_grid(b->sp->eval);
    float low = INFINITY, high = -INFINITY, reach = 0;
    for (int i = 0; i < c->count; i++) {
        low = fminf(low, c->points[i].elevation);
        high = fmaxf(high, c->points[i].elevation);
        reach = fmaxf(reach, 2 * c->points[i].radius);
    }
    float width = (float)(grid->width * grid->cell), height = (float)(grid->height * grid->cell);
    b->steepest = fminf(tanf(b->sp->params->slope_limit * 0.01745329F), 1.5F);
    b->size = fmaxf(fminf(reach, (high - low) / b->steepest), (float)grid->cell);
    b->size = fmaxf(b->size, fmaxf(width, height) / MOST);
    b->columns = (int)fminf(ceilf(width / b->size), MOST);
    b->rows = (int)fminf(ceilf(height / b->size), MOST);
}

static bool sort_into_bins(struct bins *b)
{
    const struct oro_stream_power_constraints *c = b->sp->constraints;
    int bins = b->columns * b->rows;
    b->first = oro_alloc((size_t)bins + 2, sizeof *b->first);
    b->member = oro_alloc((size_t)c->count, sizeof *b->member);
    if (!b->first || !b->member)
        return false;
    for (int i = 0; i < c->count; i++)
        b->first[bin_of(b, &c->points[i]) + 2]++;
    for (int i = 1; i < bins + 2; i++)
        b->first[i] += b->first[i - 1];
    for (int i = 0; i < c->count; i++)
        b->member[b->first[bin_of(b, &c->points[i]) + 1]++] = i;
    return true;
}

static void compare(struct bins *b, int i, int j)
{
    const struct oro_constraint_point *p = &b->sp->constraints->points[i],
                                      *q = &b->sp->constraints->points[j];
    float distance = hypotf(p->x - q->x, p->y - q->y);
    float least = fmaxf(distance, (float)oro_eval_grid(b->sp->eval)->cell);
    if (!meet(p, q) || !(fabsf(p->elevation - q->elevation) > b->steepest * least))
        return;
    struct oro_constraint_place at = oro_constraints_place(b->sp, p), other = oro_constraints_place(b->sp, q);
    oro_note(oro_eval_log(b->sp->eval), oro_constraints_loudness(b->sp),
             "constraints at (%g, %g) and (%g, %g) ask for %g and %g m, %g m apart: they may not both be met",
             at.x, at.y, other.x, other.y, (double)p->elevation, (double)q->elevation, (double)distance);
    b->found++;
}

static void compare_with_bin(struct bins *b, int i, int column, int row)
{
    if (column < 0 || row < 0 || column >= b->columns || row >= b->rows)
        return;
    int bin = row * b->columns + column;
    for (int k = b->first[bin]; k < b->first[bin + 1] && b->found < ORO_CONSTRAINTS_REPORTED; k++)
        if (b->member[k] > i)
            compare(b, i, b->member[k]);
}

bool oro_constraints_compare(struct oro_stream_power *sp)
{
    struct bins b = {.sp = sp};
    measure_bins(&b);
    bool ok = sort_into_bins(&b) || oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for constraints");
    for (int i = 0; ok && i < sp->constraints->count; i++) {
        int bin = bin_of(&b, &sp->constraints->points[i]);
        for (int k = 0; k < 9; k++)
            compare_with_bin(&b, i, bin % b.columns + k % 3 - 1, bin / b.columns + k / 3 - 1);
    }
    oro_free(b.first);
    oro_free(b.member);
    return ok;
}

/* ---- After the run ---- */

static const struct oro_constraint_point *neighbour_of(const struct oro_stream_power *sp, int i)
{
    const struct oro_stream_power_constraints *c = sp->constraints;
    const struct oro_constraint_point *worst = NULL, *own = &c->points[i];
    for (int j = 0; j < c->count; j++)
        if (j != i && meet(own, &c->points[j]) &&
            (!worst ||
             fabsf(c->points[j].elevation - own->elevation) > fabsf(worst->elevation - own->elevation)))
            worst = &c->points[j];
    return worst;
}

/* Why a constraint is not met though no other is near, and what helps. */
static const char *reason_for(const struct oro_stream_power *sp, bool too_high)
{
    if (too_high && !sp->params->subsidence)
        return "'subsidence' lowers the river below it, too";
    if (sp->params->step > 0)
        return "with a 'step' in years the ground answers late, and rivers may still be shifting: with "
               "'step' "
               "0 it is met in balance";
    if (sp->params->method)
        return "explicit steps may swing about it while rivers shift: the method implicit meets it";
    if (sp->constraints->creep > 0)
        return "creep ('hillslope') evens what is raised and lowered: less of it, or a larger radius, helps";
    return too_high ? "a larger radius gives it more ground to lower"
                    : "a larger radius gives it more ground to raise";
}

static void warn_unmet(const struct oro_stream_power *sp, int i, double elevation)
{
    const struct oro_constraint_point *p = &sp->constraints->points[i], *other = neighbour_of(sp, i);
    struct oro_constraint_place at = oro_constraints_place(sp, p),
                                there = oro_constraints_place(sp, other ? other : p);
    double wanted = (double)p->elevation;
    if (other && fabsf(other->elevation - p->elevation) > 0.01f * p->scale)
        oro_note(
            oro_eval_log(sp->eval), oro_constraints_loudness(sp),
            "constraint at (%g, %g): %g m instead of %g; the one at (%g, %g) asks for %g m within its reach: "
            "make their radii smaller, or their elevations more alike",
            at.x, at.y, elevation, wanted, there.x, there.y, (double)other->elevation);
    else
        oro_note(oro_eval_log(sp->eval), oro_constraints_loudness(sp),
                 "constraint at (%g, %g): %g m instead of %g; %s", at.x, at.y, elevation, wanted,
                 reason_for(sp, elevation > wanted));
}

/* Whether a cell is nearer to constraint i than to any other whose reach it lies in. */
static bool is_nearest(const struct oro_stream_power *sp, int i, int column, int row)
{
    const struct oro_stream_power_constraints *c = sp->constraints;
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    int columns = (grid->width + ORO_CONSTRAINT_BLOCK - 1) / ORO_CONSTRAINT_BLOCK;
    int block = row / ORO_CONSTRAINT_BLOCK * columns + column / ORO_CONSTRAINT_BLOCK;
    float x = (float)(((double)column + 0.5) * grid->cell), y = (float)(((double)row + 0.5) * grid->cell);
    float own = hypotf(x - c->points[i].x, y - c->points[i].y);
    for (uint32_t k = c->lists[block]; k < c->lists[block + 1]; k++) {
        const struct oro_constraint_point *other = &c->points[c->lists[k]];
        if (other->controller >= 0 && hypotf(x - other->x, y - other->y) < own)
            return false;
    }
    return own <= c->points[i].radius / 2;
}

/* The highest cell within half the radius of a constraint that is nearer to it than to any other; and the
 * mean height of all such cells. */
static size_t highest_beside(const struct oro_stream_power *sp, int i, const float *height, float *mean)
{
    const struct oro_constraint_point *p = &sp->constraints->points[i];
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    size_t width = (size_t)grid->width, best = (size_t)p->row * width + (size_t)p->column;
    int reach = (int)fmin((double)p->radius / 2 / grid->cell, 1e6);
    double sum = 0, cells = 0;
    int left = (int)fmaxf(p->column - (float)reach, 0), top = (int)fmaxf(p->row - (float)reach, 0);
    for (int row = top; row < grid->height && row <= (int)p->row + reach; row++)
        for (int column = left; column < grid->width && column <= (int)p->column + reach; column++) {
            size_t cell = (size_t)row * width + (size_t)column;
            if (!is_nearest(sp, i, column, row))
                continue;
            best = height[cell] > height[best] ? cell : best;
            sum += (double)height[cell];
            cells++;
        }
    *mean = (float)(sum / fmax(cells, 1));
    return best;
}

/* Of all that lie high on their ground, the one that ground beside it outdoes most. */
static void note_outdone(const struct oro_stream_power *sp, const float *height)
{
    const struct oro_stream_power_constraints *c = sp->constraints;
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    int of = -1, outdone = 0;
    size_t most = 0;
    float by = 0;
    if (sp->params->coarse)
        return;
    for (int i = 0; i < c->count; i++) {
        float mean = 0;
        size_t cell = highest_beside(sp, i, height, &mean);
        float above = height[cell] - c->points[i].elevation;
        if (c->points[i].elevation < mean || above < 0.01F * c->points[i].scale)
            continue;
        outdone++;
        if (above > by) {
            of = i;
            by = above;
            most = cell;
        }
    }
    if (of < 0)
        return;
    struct oro_constraint_place at = oro_constraints_place(sp, &c->points[of]);
    size_t width = (size_t)grid->width;
    oro_note(
        oro_eval_log(sp->eval), ORO_NOTICE,
        "the constraint at (%g, %g), %g m, is no summit: ground beside it reaches %.0f m at (%.0f, %.0f). A "
        "summit is best asked for there, on the crest (so it is with %d of %d constraints)",
        at.x, at.y, (double)c->points[of].elevation, (double)height[most],
        grid->x + ((double)(most % width) + 0.5) * grid->cell,
        grid->y + ((double)(most / width) + 0.5) * grid->cell, outdone, c->count);
}

bool oro_stream_power_constraints_report(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    if (!oro_stream_power_constraints_count(sp))
        return true;
    float *height = oro_alloc(sp->cells, sizeof *height);
    bool ok = height && oro_eval_download(sp->eval, sp->height[0], height, sp->cells * sizeof *height);
    int unmet = 0, width = oro_eval_grid(sp->eval)->width;
    double worst = 0;
    for (int i = 0; ok && i < c->count; i++) {
        const struct oro_constraint_point *p = &c->points[i];
        double elevation = (double)height[(size_t)p->row * (size_t)width + (size_t)p->column];
        double error = fabs(elevation - (double)p->elevation);
        worst = fmax(worst, error);
        if (error > 0.01 * (double)p->scale && unmet++ < ORO_CONSTRAINTS_REPORTED)
            warn_unmet(sp, i, elevation);
    }
    if (ok)
        note_outdone(sp, height);
    oro_eval_figure(sp->eval, "constraints", c->count, "");
    oro_eval_figure(sp->eval, "constraints_unmet", unmet, "");
    oro_eval_figure(sp->eval, "constraints_worst", worst, "m");
    if (!height)
        oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for %zu cells", sp->cells);
    oro_free(height);
    return ok;
}
