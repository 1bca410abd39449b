/* How high the ground is at each constraint, and how much every controller raises it. */
#include "base/parallel.h"
#include "terrain/processor/lib/constraints.h"
#include "terrain/processor/lib/incision.h"
#include "terrain/processor/lib/outlets.h"

/* Of a point, and what a constraint's record has. */
enum { COLUMN, ROW, ELEVATION = 4, POINT = ORO_CONSTRAINTS_POINT };
enum {
    HEIGHT,
    LIFT,
    COUNT,
    EXIT,
    UPLIFT,
    BALANCED,
    BALANCED_EXIT,
    PAIRS,
    MOST = 32,
    RECORD = PAIRS + 2 * MOST
};

struct respond {
    struct oro_constraints of;
    struct oro_incision law;
    struct oro_outlets outlets;
    struct oro_map height;
    const float *area;
    const uint32_t *next; /* receivers; NULL: the steepest ways are followed */
    float *response, reference;
};

struct place {
    int x, y;
};

/* Those too many are the furthest downstream, which matter least. */
static void add(float *record, int controller, float raised)
{
    int count = (int)record[COUNT], k = 0;
    while (k < count && (int)record[PAIRS + 2 * k] != controller)
        k++;
    if (k == MOST)
        return;
    if (k == count) {
        record[PAIRS + 2 * k] = (float)controller;
        record[PAIRS + 2 * k + 1] = 0;
        record[COUNT] = (float)(count + 1);
    }
    record[PAIRS + 2 * k + 1] += raised;
}

static bool is_diagonal(struct place a, struct place b)
{
    return a.x != b.x && a.y != b.y;
}

/* The receiver, or the neighbour that the steepest slope leads to; the cell itself in a pit. */
static struct place below(const struct respond *k, struct place p)
{
    const uint32_t width = (uint32_t)k->of.grid.width;
    if (k->next) {
        uint32_t to = k->next[(uint32_t)p.y * width + (uint32_t)p.x];
        return (struct place){(int)(to % width), (int)(to / width)};
    }
    struct place best = p;
    float steepest = 0, h = oro_map_at(&k->height, p.x, p.y);
    for (int i = 0; i < 9; i++) {
        struct place q = {p.x + i % 3 - 1, p.y + i / 3 - 1};
        if (i == 4 || q.x < 0 || q.y < 0 || q.x >= k->of.grid.width || q.y >= k->of.grid.height)
            continue;
        float slope = (h - oro_map_at(&k->height, q.x, q.y)) * (is_diagonal(p, q) ? 0.70710678F : 1);
        if (slope > steepest) {
            steepest = slope;
            best = q;
        }
    }
    return best;
}

/* The slope in balance where the ground rises by so much. */
static float slope_at(const struct respond *k, struct place p, float rising)
{
    float mask = oro_map_at(&k->law.mask, p.x, p.y), erodibility = oro_map_at(&k->law.erodibility, p.x, p.y);
    struct oro_incision_row at = {.mask = &mask, .erodibility = &erodibility};
    float area = k->area[(size_t)p.y * (size_t)k->of.grid.width + (size_t)p.x];
    return oro_balanced_slope(&k->law, oro_strength(&k->law, &at, 0, area), mask * rising);
}

static float rise_at(const struct respond *k, struct place p)
{
    return oro_map_at(&k->law.uplift, p.x, p.y) + oro_map_at(&k->law.correction, p.x, p.y);
}

/* Adds what happens between the cell and the next one on its way, `run` metres on. */
static void step_down(const struct respond *k, const struct oro_constraint_sharing *all, int own,
                      float *record, struct place p, float run)
{
    const float least = 0.05F;
    float uplift = rise_at(k, p), rising = oro_max(uplift, least * k->reference);
    float slope = slope_at(k, p, rising);
    if (!(slope < k->law.slope_limit))
        return;
    int block = oro_constraints_block(&k->of, p.x, p.y);
    for (uint32_t i = k->of.reach[block]; i < k->of.reach[block + 1]; i++) {
        const float *point = k->of.points + (size_t)k->of.reach[i] * POINT;
        bool lowers = oro_constraint_lowers_only(point);
        float uplifts = lowers ? oro_map_at(&k->law.uplift, p.x, p.y) / point[ELEVATION] : 1;
        float worth = uplifts * oro_constraint_share(&k->of, all, point, p.x, p.y);
        if (worth > 0 && (uplift > 0 || oro_constraint_controller(point) == own))
            add(record, oro_constraint_controller(point), run * slope / (k->law.n * rising) * worth);
    }
}

/* How far the ground falls to the next cell in balance. */
static float fall(const struct respond *k, struct place p, float run)
{
    return run * oro_min(slope_at(k, p, oro_max(rise_at(k, p), k->law.least)), k->law.slope_limit);
}

static bool ends_at(const struct respond *k, struct place p)
{
    return oro_is_outlet(&k->outlets, p.x, p.y, oro_map_at(&k->outlets.sea, p.x, p.y)) ||
           !(oro_map_at(&k->law.mask, p.x, p.y) > 0);
}

/* Whether the water has come to the very place of a constraint that lies higher than it is to be itself. */
static bool is_barred(const struct respond *k, const float *point, struct place p)
{
    const float near = 0.25F;
    int block = oro_constraints_block(&k->of, p.x, p.y);
    for (uint32_t i = k->of.reach[block]; i < k->of.reach[block + 1]; i++) {
        const float *other = k->of.points + (size_t)k->of.reach[i] * POINT;
        if (!oro_constraint_lowers_only(other) && other[ELEVATION] > point[ELEVATION] &&
            oro_constraint_distance(&k->of, other, p.x, p.y) < near)
            return true;
    }
    return false;
}

/* Follows the way down from the point. */
static void walk(const struct respond *k, const float *point, struct place p, float *record)
{
    const float little = 0.2F;
    float fallen = 0, before_exit = 0;
    bool left = false, barred = false;
    for (int step = 0; step < 8 * (k->of.grid.width + k->of.grid.height); step++) {
        if (!left) {
            record[EXIT] = oro_map_at(&k->height, p.x, p.y);
            before_exit = fallen;
        }
        struct oro_constraint_sharing all = oro_constraint_sharing_at(&k->of, p.x, p.y);
        left = left || oro_constraint_share(&k->of, &all, point, p.x, p.y) < little;
        struct place to = below(k, p);
        if ((to.x == p.x && to.y == p.y) || ends_at(k, p))
            break;
        float run = k->of.grid.cell * (is_diagonal(p, to) ? 1.41421356F : 1);
        barred = barred || is_barred(k, point, p);
        if (!barred)
            step_down(k, &all, (int)point[7], record, p, run);
        fallen += fall(k, p, run);
        p = to;
    }
    record[BALANCED] = oro_map_at(&k->height, p.x, p.y) + fallen;
    record[BALANCED_EXIT] = oro_map_at(&k->height, p.x, p.y) + fallen - before_exit;
}

static void respond_to(const struct respond *k, const float *point, float *record)
{
    struct place p = {(int)point[COLUMN], (int)point[ROW]};
    record[HEIGHT] = oro_map_at(&k->height, p.x, p.y);
    record[LIFT] = rise_at(k, p);
    record[UPLIFT] = oro_map_at(&k->law.uplift, p.x, p.y);
    record[COUNT] = 0;
    walk(k, point, p, record);
}

static void respond(void *user, size_t first, size_t end)
{
    const struct respond *k = user;
    for (size_t i = first; i < end; i++)
        respond_to(k, k->of.points + POINT * i, k->response + RECORD * i);
}

ORO_PROCESSOR(erosion, stream_power_constraints_response)
{
    struct respond k = {.of = oro_constraints_of(run),
                        .law = oro_incision_of(run),
                        .outlets = oro_outlets_of(run),
                        .height = {.values = oro_run_buffer(run, "height"),
                                   .width = run->grid.width,
                                   .height = run->grid.height},
                        .area = oro_run_buffer(run, "area"),
                        .next = oro_run_optional(run, "next"),
                        .response = oro_run_buffer(run, "response"),
                        .reference = oro_run_number(run, "reference")};
    size_t count = (size_t)oro_run_number(run, "count");
    if (oro_run_ready(run))
        oro_parallel(count, 16, respond, &k);
}
