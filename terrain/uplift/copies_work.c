/*
 * How much there is to do at one point at the most, where copies are made of copies. A point in a copy is
 * looked up where the copy comes from, among the copies that were there before, and so on: if they all lie
 * upon each other, with each of them the work doubles.
 *
 * So it is counted for whole squares of the map: the square is taken to where each copy comes from that it
 * meets, cut down to the copy's region, and so on. What is counted is a bound for all its points, and exact
 * if it is small. Squares for which it is too much are quartered.
 */
#include <math.h>

#include "terrain/uplift/compile_private.h"

/* Quarterings until it is too much for good, and for a bound that is worth having. */
enum { CORNERS = 48, QUARTERINGS = 10, REFINED = 5, TESTS_MAX = 1 << 26 };

/* A convex piece of the map. */
struct patch {
    int count;
    double at[CORNERS][2];
};

struct work {
    const struct oro_copies *copies;
    size_t budget; /* of evaluations at one point */
    size_t tests;  /* made so far */
    size_t most;   /* evaluations, and */
    int depth;     /* how many of them are within each other, in squares that are not too much */
    double place[2];
};

static void box_of(const struct patch *patch, double box[4])
{
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    for (int i = 0; i < patch->count; i++)
        for (int k = 0; k < 2; k++) {
            double at = patch->at[i][k];
            box[k] = at < box[k] ? at : box[k];
            box[2 + k] = at > box[2 + k] ? at : box[2 + k];
        }
}

static void set_box(struct patch *patch, const double box[4])
{
    static const int corners[4][2] = {{0, 1}, {2, 1}, {2, 3}, {0, 3}};
    patch->count = 4;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            patch->at[i][k] = box[corners[i][k]];
}

/* Keeps what lies on one side of a line: sign * coordinate <= sign * limit. */
static void clip(struct patch *patch, int axis, double sign, double limit)
{
    struct patch kept = {.count = 0};
    for (int i = 0; i < patch->count; i++) {
        const double *a = patch->at[i], *b = patch->at[(i + 1) % patch->count];
        double from = sign * (a[axis] - limit), to = sign * (b[axis] - limit);
        if (from <= 0)
            memcpy(kept.at[kept.count++], a, sizeof kept.at[0]);
        if ((from < 0 && to > 0) || (from > 0 && to < 0))
            for (int k = 0; k < 2; k++)
                kept.at[kept.count][k] = a[k] + from / (from - to) * (b[k] - a[k]);
        if ((from < 0 && to > 0) || (from > 0 && to < 0))
            kept.count++;
    }
    *patch = kept;
}

/* Where the part of a patch comes from that lies in a copy. */
static void take_back(const struct oro_copy *copy, const struct patch *from, struct patch *patch)
{
    double m[ORO_AFFINE_WORDS];
    for (int i = 0; i < ORO_AFFINE_WORDS; i++)
        m[i] = (double)oro_float_of(copy->affine[i]);
    patch->count = from->count;
    for (int i = 0; i < from->count; i++) {
        double x = from->at[i][0] - m[0], y = from->at[i][1] - m[1];
        patch->at[i][0] = m[6] + m[2] * x + m[3] * y;
        patch->at[i][1] = m[7] + m[4] * x + m[5] * y;
    }
    for (int i = 0; i < 4; i++) {
        if (patch->count > CORNERS / 2) { /* a larger one will do */
            double box[4];
            box_of(patch, box);
            set_box(patch, box);
        }
        clip(patch, i % 2, i < 2 ? -1 : 1, copy->box[i]);
    }
}

/* Counts evaluations for a patch. False: it is too much, or too deep. */
static bool count_patch(struct work *w, const struct patch *patch, uint32_t limit, int depth, size_t *count)
{
    double box[4];
    if (++*count > w->budget || depth > ORO_FRAMES_MAX || w->tests > TESTS_MAX)
        return false;
    w->depth = depth > w->depth ? depth : w->depth;
    box_of(patch, box);
    w->tests += limit;
    for (uint32_t i = 0; i < limit; i++) {
        const struct oro_copy *copy = &w->copies->items[i];
        const double *t = copy->target;
        if (!copy->affine || box[0] > t[2] || box[1] > t[3] || box[2] < t[0] || box[3] < t[1])
            continue;
        struct patch source;
        take_back(copy, patch, &source);
        if (source.count > 0 && !count_patch(w, &source, copy->limit, depth + 1, count))
            return false;
    }
    return true;
}

static bool count_square(struct work *w, const double box[4], int level)
{
    struct patch patch;
    size_t count = 0;
    int depth = w->depth;
    set_box(&patch, box);
    bool fine = count_patch(w, &patch, (uint32_t)w->copies->count, 1, &count);
    if (fine && (count <= w->budget / 16 + 1 || level >= REFINED)) {
        w->most = count > w->most ? count : w->most;
        return true;
    }
    w->depth = depth;
    double x = 0.5 * (box[0] + box[2]), y = 0.5 * (box[1] + box[3]);
    w->place[0] = x;
    w->place[1] = y;
    const double quarters[4][4] = {
        {box[0], box[1], x, y}, {x, box[1], box[2], y}, {box[0], y, x, box[3]}, {x, y, box[2], box[3]}};
    for (int i = 0; i < 4; i++)
        if (level == QUARTERINGS || w->tests > TESTS_MAX || !count_square(w, quarters[i], level + 1))
            return false;
    return true;
}

bool oro_copies_work(const struct oro_copies *copies, size_t each, size_t *steps, int *depth,
                     struct oro_error *err)
{
    double box[4] = {0, 0, 0, 0};
    struct work w = {
        .copies = copies, .budget = each < ORO_STEPS_MAX ? ORO_STEPS_MAX / each : 1, .depth = 1, .most = 1};
    for (size_t i = 0; i < copies->count; i++)
        for (int k = 0; k < 4; k++) {
            double at = copies->items[i].target[k];
            box[k] = i == 0 ? at : k < 2 ? fmin(box[k], at) : fmax(box[k], at);
        }
    bool ok = copies->count == 0 || count_square(&w, box, 0);
    *steps = w.most * each;
    *depth = w.depth;
    return ok || oro_fail(err, ORO_E_LIMIT,
                          "too many copies of copies lie upon each other near %.0f, %.0f (metres east and "
                          "south): at most %zu can be looked up at one place, and %d within each other; move "
                          "them apart, or use fewer",
                          w.place[0], w.place[1], w.budget, ORO_FRAMES_MAX);
}
