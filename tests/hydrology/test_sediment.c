/* Sediment along the drainage tree: the equation cell by cell, its balance, what rises and what leaves, lakes
 * that fill, and standing water. */
#include "tests/hydrology/terrains.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/hydrology/sediment.h"

enum { SIDE = 40 };

static void near(double a, double b, double tolerance, int line)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("line %d: %.9g is not %.9g", line, a, b);
}
#define assert_near(a, b, tolerance) near((double)(a), (double)(b), tolerance, __LINE__)

static const double cell_size = 100, coefficient = 0.002, concavity = 0.4;

/* A ground with all that a step needs. */
struct scene {
    int width, height;
    struct oro_ground ground;
    struct oro_routing routing;
    struct oro_sediment step;
    struct oro_sediment_scratch room;
    float *z, *sea, *area, *lift, *strength, *settling, *after;
    double *flux;
};

static float *floats(int cells)
{
    float *made = oro_alloc((size_t)cells, sizeof *made);
    assert_non_null(made);
    return made;
}

static struct scene scene_of(int width, int height, float (*z)(int, int), double uplift)
{
    int cells = width * height;
    struct scene s = {.width = width, .height = height};
    s.z = floats(cells);
    s.sea = floats(cells);
    s.area = floats(cells);
    s.lift = floats(cells);
    s.strength = floats(cells);
    s.settling = floats(cells);
    s.after = floats(cells);
    s.flux = oro_alloc((size_t)cells, sizeof *s.flux);
    assert_non_null(s.flux);
    for (int i = 0; i < cells; i++) {
        s.z[i] = z(i % width, i / width);
        s.lift[i] = (float)uplift;
    }
    return s;
}

static void scene_end(struct scene *s)
{
    oro_free(s->z);
    oro_free(s->sea);
    oro_free(s->area);
    oro_free(s->lift);
    oro_free(s->strength);
    oro_free(s->settling);
    oro_free(s->after);
    oro_free(s->flux);
    oro_routing_free(&s->routing);
    oro_sediment_scratch_free(&s->room);
}

/* Routes, and takes a step; returns the number of walks. */
static int take(struct scene *s, double n, double g, double years)
{
    struct oro_error err;
    int walks;
    s->ground = (struct oro_ground){.width = s->width, .height = s->height, .z = s->z, .sea = s->sea};
    oro_routing_free(&s->routing);
    assert_true(oro_route(&s->ground, &s->routing, &err));
    assert_true(oro_drainage_area(&s->routing, cell_size, NULL, s->area, &err));
    for (int i = 0; i < s->width * s->height; i++) {
        s->strength[i] = (float)(coefficient * pow((double)s->area[i] * 1e-6, concavity * n));
        s->settling[i] = (float)(g * cell_size * cell_size / (double)s->area[i]);
    }
    s->step = (struct oro_sediment){.ground = &s->ground,
                                    .routing = &s->routing,
                                    .cell = cell_size,
                                    .years = years,
                                    .n = n,
                                    .steepest = 5,
                                    .lift = s->lift,
                                    .strength = s->strength,
                                    .settling = s->settling};
    assert_true(oro_sediment_step(&s->step, &s->room, s->after, s->flux, &walks, &err));
    return walks;
}

static double run_to(const struct scene *s, int i)
{
    int to = (int)s->routing.receiver[i], away = abs(to - i);
    return cell_size * (away == 1 || away == s->width ? 1 : sqrt(2));
}

/* What is left of the equation for a cell that is not below its receiver: metres. */
static double residual(const struct scene *s, int i, double n, double years)
{
    int to = (int)s->routing.receiver[i];
    double slope = ((double)s->after[i] - (double)s->after[to]) / run_to(s, i);
    double carved = (double)s->strength[i] * pow(slope, n), laid = (double)s->settling[i] * s->flux[i];
    return (double)s->after[i] - (double)s->z[i] - years * ((double)s->lift[i] - carved) - laid;
}

static bool is_dry(const struct scene *s, int i)
{
    int to = (int)s->routing.receiver[i];
    return to != i && s->after[i] > s->after[to] + 1e-3f;
}

/* ---- The equation ---- */

static float slope_at(int x, int y)
{
    return (float)(3 * x + 5 * y) + noise_at(x, y) / 50;
}

/* What comes down is summed up anew, from what every cell upstream has lost. */
static void expect_flux(const struct scene *s, double years)
{
    double *sum = oro_alloc((size_t)s->width * (size_t)s->height, sizeof *sum);
    for (int i = s->width * s->height; i-- > 0;) {
        uint32_t cell = s->routing.order[i], to = s->routing.receiver[cell];
        if (to != cell) {
            sum[cell] += (double)s->lift[cell] * years + (double)s->z[cell] - (double)s->after[cell];
            sum[to] += sum[cell];
        }
        assert_near(s->flux[cell], sum[cell], 1e-9 * fabs(sum[cell]) + 1e-9);
    }
    oro_free(sum);
}

static void expect_equation(double n, double g, double years)
{
    struct scene s = scene_of(SIDE, SIDE, slope_at, 0.001);
    int dry = 0, walks = take(&s, n, g, years);
    expect_flux(&s, years);
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (!is_dry(&s, i))
            continue;
        dry++;
        if (!(fabs(residual(&s, i, n, years)) < 2e-4))
            fail_msg("n %g, G %g, %g years: cell %d is off by %g m", n, g, years, i,
                     residual(&s, i, n, years));
    }
    assert_true(dry > SIDE * SIDE * 3 / 4);
    assert_true(walks <= 16);
    scene_end(&s);
}

TEST(a_step_solves_the_equation)
{
    static const double exponents[] = {1, 2, 1.5, 0.7};
    for (int i = 0; i < 4; i++) {
        expect_equation(exponents[i], 0, 2000);
        expect_equation(exponents[i], 0.5, 500);
        expect_equation(exponents[i], 1, 5000);
        expect_equation(exponents[i], 8, 5000); /* where the paper's way hardly ends */
    }
}

/* For n = 1 and no lakes the walks are exact: the second one only sees that the first was. */
TEST(linear_steps_need_two_walks)
{
    struct scene s = scene_of(SIDE, SIDE, plane_at, 0.001);
    assert_true(take(&s, 1, 2, 5000) <= 2);
    scene_end(&s);
}

/* s = (u (1 + G) / k)^(1/n) a^(-m/n) under uniform uplift (Yuan 2019, eq. 8). */
static void expect_balance(double n, double g)
{
    struct scene s = scene_of(SIDE, SIDE, slope_at, 0.0005);
    for (int i = 0; i < 400; i++) {
        take(&s, n, g, 1e5);
        memcpy(s.z, s.after, SIDE * SIDE * sizeof *s.z);
    }
    take(&s, n, g, 1e5);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int to = (int)s.routing.receiver[i];
        double slope = ((double)s.after[i] - (double)s.after[to]) / run_to(&s, i);
        double known = pow(0.0005 * (1 + g) / coefficient, 1 / n) * pow((double)s.area[i] * 1e-6, -concavity);
        if (to != i)
            assert_near(slope, known, 2e-3 * known);
    }
    scene_end(&s);
}

TEST(in_balance_slopes_are_those_known)
{
    expect_balance(1, 0);
    expect_balance(1, 1);
    expect_balance(2, 1);
    expect_balance(2, 0.3);
}

TEST(what_comes_down_in_balance_is_what_rises)
{
    struct scene s = scene_of(SIDE, SIDE, slope_at, 0.0005);
    take(&s, 1, 2, 1000);
    oro_sediment_in_balance(&s.routing, s.lift, s.settling, s.after, s.flux);
    for (int i = 0; i < SIDE * SIDE; i++)
        if ((int)s.routing.receiver[i] != i) {
            assert_near(s.after[i], 2 * 0.0005, 1e-8);
            assert_near(s.flux[i], 0.0005 * (double)s.area[i] / (cell_size * cell_size), 1e-6);
        }
    scene_end(&s);
}

/* ---- Mass ---- */

static double volume_of(const struct scene *s, const float *z)
{
    double sum = 0;
    for (int i = 0; i < s->width * s->height; i++)
        sum += (double)z[i];
    return sum;
}

static double risen(const struct scene *s, double years)
{
    double sum = 0;
    for (int i = 0; i < s->width * s->height; i++)
        sum += (int)s->routing.receiver[i] == i ? 0 : (double)s->lift[i] * years;
    return sum;
}

static double left(const struct scene *s)
{
    double sum = 0;
    for (int i = 0; i < s->width * s->height; i++)
        sum += (int)s->routing.receiver[i] == i ? s->flux[i] : 0;
    return sum;
}

/* Over rough ground with many hollows: nothing is lost, and no outlet gives. */
TEST(what_rises_leaves_or_stays)
{
    static float (*const grounds[])(int, int) = {hills_at, noise_at, nested_at, slope_at, terraces_at};
    for (int k = 0; k < 5; k++) {
        struct scene s = scene_of(SIDE, SIDE, grounds[k], 0.001);
        double before = volume_of(&s, s.z), up = 0, out = 0;
        for (int i = 0; i < 20; i++) {
            take(&s, 2, 1, 3000);
            up += risen(&s, 3000);
            out += left(&s);
            for (int c = 0; c < SIDE * SIDE; c++) {
                if ((int)s.routing.receiver[c] == c)
                    assert_true(s.flux[c] > -1e-4); /* heights are floats */
                memcpy(&s.z[c], &s.after[c], sizeof *s.z);
            }
        }
        assert_near(volume_of(&s, s.z) - before + out, up, 1e-8 * (up + before));
        scene_end(&s);
    }
}

/* A slope that ends in a deep trough between walls, behind a sill. */
static float trough_at(int x, int y)
{
    float wall = x < 3 || x > SIDE - 4 || y < 2 ? 600 : 0;
    float floor = y < 20 ? (float)(400 - 10 * y) : y < 30 ? 100 : y < 38 ? 220 : (float)(257 - y);
    return wall > floor ? wall : floor;
}

/* Rows behind the sill fill, and beyond it nothing arrives while they have room. */
TEST(lakes_keep_what_they_have_room_for)
{
    struct scene s = scene_of(SIDE, SIDE, trough_at, 0);
    take(&s, 1, 1, 2000);
    double deposited = 0, beyond = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;
        double change = (double)s.after[i] - (double)s.z[i];
        bool inside = x >= 3 && x <= SIDE - 4, low = inside && y >= 20 && y < 30;
        deposited += low ? change : 0;
        beyond += (int)s.routing.receiver[i] == i && y == SIDE - 1 && inside ? s.flux[i] : 0;
        assert_true(!low || change > -1e-3);
    }
    /* Water crosses the trough to its middle and from there to the sill, and spares some of it. */
    if (!(deposited > 50 && beyond < 0.25 * deposited))
        fail_msg("%g m kept, %g beyond", deposited, beyond);
    scene_end(&s);
}

/* ---- The same for any number of threads ---- */

TEST(the_same_bits_for_any_number_of_threads)
{
    enum { WIDE = 230, HIGH = 210 };
    float *first = NULL;
    static const int threads[] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        oro_parallel_force(threads[k]);
        struct scene s = scene_of(WIDE, HIGH, hills_at, 0.001);
        for (int i = 0; i < 3; i++) {
            take(&s, 2, 1, 5000);
            memcpy(s.z, s.after, WIDE * HIGH * sizeof *s.z);
        }
        if (first)
            assert_memory_equal(first, s.z, WIDE * HIGH * sizeof *first);
        oro_free(first);
        first = s.z;
        s.z = NULL;
        scene_end(&s);
    }
    oro_parallel_force(0);
    oro_free(first);
}

/* ---- Standing water ---- */

static struct oro_standing_water pond(uint32_t *body, float *level, float *floor)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        body[i] = i % SIDE < SIDE / 2 ? 1 : 2;
        level[i] = 50;
        floor[i] = 20;
    }
    return (struct oro_standing_water){SIDE, SIDE, cell_size, body, level, floor, NULL};
}

static double gained(const float *floor)
{
    double sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        sum += (double)floor[i] - 20;
    return sum;
}

TEST(deltas_are_cones)
{
    static uint32_t body[SIDE * SIDE];
    static float level[SIDE * SIDE], floor[SIDE * SIDE];
    struct oro_standing_water water = pond(body, level, floor);
    struct oro_standing_scratch room = {0};
    double volume = 200;
    assert_true(oro_standing_settle(&water, &room, 20 * SIDE + 2, &volume, NULL));
    assert_near(volume, 0, 0);
    assert_near(gained(floor), 200 - room.rounded, 1e-9);
    assert_near(floor[20 * SIDE + 2], 50, 0); /* the mouth is land now */
    for (int i = 0; i < SIDE * SIDE; i++) {
        double away = cell_size * hypot(i % SIDE - 2, i / SIDE - 20);
        assert_true((double)floor[i] <= fmax(50 - ORO_DELTA_FRONT * away, 20) + 1e-4);
        assert_true(body[i] == 1 || floor[i] <= 20);
    }
    volume = 1e6; /* more than there is room for */
    assert_true(oro_standing_settle(&water, &room, 20 * SIDE + 2, &volume, NULL));
    assert_near(gained(floor), 30.0 * SIDE * SIDE / 2, 1e-3);
    assert_near(volume, 1e6 + 200 - 30.0 * SIDE * SIDE / 2, 1e-3);
    oro_standing_scratch_free(&room);
}

/* What settles takes the cells nearest to the mouth, as the crow flies: no square, as counted in steps. */
TEST(deltas_are_round)
{
    static uint32_t body[SIDE * SIDE];
    static float level[SIDE * SIDE], floor[SIDE * SIDE];
    struct oro_standing_water water = pond(body, level, floor);
    struct oro_standing_scratch scratch = {0};
    double volume = 50000, farthest = 0, nearest = HUGE_VAL;
    for (int i = 0; i < SIDE * SIDE; i++)
        level[i] = 500; /* so deep that the cone is far from full */
    assert_true(oro_standing_settle(&water, &scratch, 20 * SIDE + 2, &volume, NULL));
    assert_near(volume, 0, 0);
    for (int i = 0; i < SIDE * SIDE; i++) {
        double away = hypot(i % SIDE - 2, i / SIDE - 20);
        if (floor[i] > 20)
            farthest = fmax(farthest, away);
        else if (body[i] == 1)
            nearest = fmin(nearest, away);
    }
    assert_true(farthest > 5);
    assert_true(farthest <= nearest);
    oro_standing_scratch_free(&scratch);
}

TEST(full_basins_rise_evenly)
{
    static uint32_t body[SIDE * SIDE];
    static float level[SIDE * SIDE], floor[SIDE * SIDE];
    struct oro_standing_water water = pond(body, level, floor);
    struct oro_standing_scratch room = {0};
    floor[0] = 500; /* stands above */
    double rose = oro_standing_raise(&water, &room, 1, 799 * 3.0);
    assert_near(rose, 23, 1e-4);
    assert_near(floor[0], 500, 0);
    assert_near(floor[5], 23, 1e-4);
    assert_near(floor[SIDE - 1], 20, 0);
    assert_near(gained(floor) - 480, 799 * 3.0 - room.rounded, 1e-6);
}
