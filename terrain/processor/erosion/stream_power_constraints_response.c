/* How high the ground is at each constraint, and how much every controller raises it. */
#include "base/parallel.h"
#include "terrain/processor/lib/constraints.h"
#include "terrain/processor/lib/incision.h"
#include "terrain/processor/lib/outlets.h"

/* Of a point, and what a constraint's record has. */
enum { COLUMN, ROW, ELEVATION = 4, POINT = ORO_CONSTRAINTS_POINT };
enum { HEIGHT, LIFT, COUNT, EXIT, UPLIFT, PAIRS, MOST = 32, RECORD = PAIRS + 2 * MOST };

struct respond {
    struct oro_constraints of;
    struct oro_incision law;
    struct oro_outlets outlets;
    struct oro_map height;
    const float *area;
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

/* The neighbour that the steepest slope leads to; the cell itself in a pit. */
static struct place below(const struct respond *k, struct place p)
{
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

/* Adds what happens between the cell and the next one on its way, `run` metres on. */
static void step_down(const struct respond *k, float *record, struct place p, float run)
{
    const float least = 0.05F;
    const struct oro_incision *law = &k->law;
    float mask = oro_map_at(&law->mask, p.x, p.y), erodibility = oro_map_at(&law->erodibility, p.x, p.y);
    float uplift = oro_map_at(&law->uplift, p.x, p.y) + oro_map_at(&law->correction, p.x, p.y);
    struct oro_incision_row at = {.mask = &mask, .erodibility = &erodibility};
    float area = k->area[(size_t)p.y * (size_t)k->of.grid.width + (size_t)p.x];
    float rising = oro_max(uplift, least * k->reference);
    float slope = oro_balanced_slope(law, oro_strength(law, &at, 0, area), mask * rising);
    if (!(slope < law->slope_limit))
        return;
    int block = oro_constraints_block(&k->of, p.x, p.y);
    for (uint32_t i = k->of.reach[block]; i < k->of.reach[block + 1]; i++) {
        const float *point = k->of.points + (size_t)k->of.reach[i] * POINT;
        bool lowers = oro_constraint_lowers_only(point);
        float share = lowers ? oro_map_at(&law->uplift, p.x, p.y) / point[ELEVATION] : 1;
        float worth = oro_constraint_weight(oro_constraint_distance(&k->of, point, p.x, p.y)) * share;
        if (worth > 0 && (!lowers || oro_constraint_setting(&k->of, point) <= 0))
            add(record, oro_constraint_controller(point), run * slope / (law->n * rising) * worth);
    }
}

static bool ends_at(const struct respond *k, struct place p)
{
    return oro_is_outlet(&k->outlets, p.x, p.y, oro_map_at(&k->outlets.sea, p.x, p.y)) ||
           !(oro_map_at(&k->law.mask, p.x, p.y) > 0);
}

static void respond_to(const struct respond *k, const float *point, float *record)
{
    const float within = 0.7F; /* of the radius */
    struct place p = {(int)point[COLUMN], (int)point[ROW]}, to;
    float cell = k->of.grid.cell;
    bool left = false;
    record[HEIGHT] = oro_map_at(&k->height, p.x, p.y);
    record[LIFT] = oro_map_at(&k->law.uplift, p.x, p.y) + oro_map_at(&k->law.correction, p.x, p.y);
    record[UPLIFT] = oro_map_at(&k->law.uplift, p.x, p.y);
    record[COUNT] = 0;
    for (int step = 0; step < 8 * (k->of.grid.width + k->of.grid.height); step++, p = to) {
        if (!left)
            record[EXIT] = oro_map_at(&k->height, p.x, p.y);
        left = left || oro_constraint_distance(&k->of, point, p.x, p.y) > within;
        to = below(k, p);
        if ((to.x == p.x && to.y == p.y) || ends_at(k, p))
            return;
        step_down(k, record, p, cell * (is_diagonal(p, to) ? 1.41421356F : 1));
    }
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
                        .response = oro_run_buffer(run, "response"),
                        .reference = oro_run_number(run, "reference")};
    size_t count = (size_t)oro_run_number(run, "count");
    if (oro_run_ready(run))
        oro_parallel(count, 16, respond, &k);
}
