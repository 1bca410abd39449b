/* Constraint erosion on the processor: its steps by hand, and its laws. */
#include "tests/hydrology/terrains.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/hydrology/constraint_erosion.h"

/* An erosion with all its arrays. */
struct basin {
    struct oro_constraint_params params;
    struct oro_constraint_erosion run;
    size_t cells;
    float *c, *relief, *moisture, *value_strength, *gradient_strength, *erodibility;
};

struct setting {
    const char *name;
    double x;
    bool four, walls, gorgeless;
    float sea, jitter, rain_loss, broad_strength, breadth, drainage_exponent, slope_exponent, gorge_exponent;
};
static const struct setting settings[] = {
    {"as in the paper", 1, true, false, false, -200, 1, 0.32f, 0, 0, 1, 2, 1},
    {"8 neighbours", 1, false, false, false, 20, 1, 0.32f, 0.3f, 1000, 1, 2, 1},
    {"small cells", 0.25, false, false, false, 10, 1, 0.32f, 0.3f, 300, 1, 2, 1},
    {"small cells, 4 neighbours", 0.6, true, true, false, 10, 0.5f, 0.1f, 0.2f, 2000, 1, 2, 1},
    {"large cells", 2, false, false, false, 10, 1, 0.32f, 0.3f, 3000, 1, 2, 1},
    {"g is held", 0.7, false, false, false, 10, 1, 0.32f, 0.3f, 1000, 1, 2, 1},
    {"no loss", 1, false, false, false, 30, 0, 0, 0.3f, 1000, 1, 2, 0.5f},
    {"all is lost", 0.25, false, true, false, 30, 1, 1, 0, 0, 1, 2, 1},
    {"walls, no sea", 1, false, true, false, -1000, 1, 0.2f, 0.3f, 900, 1, 2, 1},
    {"other exponents", 1, true, true, false, 5, 1, 0.3f, 0.1f, 700, 0.6f, 1.3f, 0.7f},
    {"no gorges", 1, false, false, true, 5, 1, 0.3f, 0.1f, 700, 2, 1, 1},
    {"under the sea", 1, false, false, false, 1000, 1, 0.3f, 0.1f, 700, 1, 2, 1},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static struct oro_constraint_params params_of(const struct setting *setting)
{
    return (struct oro_constraint_params){
        .broad_strength = setting->broad_strength,
        .breadth = setting->breadth,
        .rain_loss = setting->rain_loss,
        .drainage_exponent = setting->drainage_exponent,
        .slope_exponent = setting->slope_exponent,
        .gorge_strength = setting->gorgeless ? 0 : 0.1f,
        .gorge_exponent = setting->gorge_exponent,
        .sea_level = setting->sea,
        .borders = setting->walls ? ORO_CONSTRAINT_WALLS : ORO_CONSTRAINT_OUTFLOW,
        .neighbours = setting->four ? ORO_CONSTRAINT_NEIGHBOURS_4 : ORO_CONSTRAINT_NEIGHBOURS_8,
        .jitter = setting->jitter,
        .reference_cell = 40,
        .seed = 7,
    };
}

/* The start is not the constraint, so that there is something to hold. */
static struct basin make_basin(const struct terrain *terrain, int width, int height,
                               const struct setting *setting)
{
    struct basin b = {.params = params_of(setting), .cells = (size_t)width * (size_t)height};
    float **const arrays[] = {
        &b.c,           &b.relief, &b.moisture,     &b.value_strength, &b.gradient_strength,
        &b.erodibility, &b.run.h,  &b.run.drainage, &b.run.gorge};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = room_for(b.cells, sizeof **arrays[i]);
    for (size_t i = 0; i < b.cells; i++) {
        int x = (int)(i % (size_t)width), y = (int)(i / (size_t)width);
        b.c[i] = terrain->at(x, y);
        b.run.h[i] = b.c[i] + 20 * sinf((float)x / 5) - noise_at(y, x) / 10;
        b.relief[i] = b.c[i] > b.params.sea_level && x % 11 ? fminf(noise_at(x + 2, y) / 60, 1) : 0;
        b.moisture[i] = noise_at(x + 5, y) / 60 - 0.3f; /* some below 0, some above 1 */
        b.value_strength[i] = noise_at(x, y + 9) / 200;
        b.gradient_strength[i] = noise_at(x + 31, y) / 80 - 0.1f;
        b.erodibility[i] = i % 97 ? noise_at(x, y + 77) / 90 : 1e3f;
    }
    b.moisture[b.cells / 3] = NAN;
    b.run.width = width;
    b.run.height = height;
    b.run.cell = setting->x * (double)b.params.reference_cell;
    b.run.constraint = b.c;
    b.run.relief = b.relief;
    b.run.moisture = (struct oro_constraint_map){b.moisture, 0, ORO_CONSTRAINT_MOISTURE};
    b.run.value_strength = (struct oro_constraint_map){b.value_strength, 0, 1};
    b.run.gradient_strength = (struct oro_constraint_map){b.gradient_strength, 0, 1};
    b.run.erodibility = (struct oro_constraint_map){b.erodibility, 0, ORO_CONSTRAINT_ERODIBILITY};
    oro_constraint_scale(&b.params, b.run.cell, b.cells, false, &b.run.scale);
    return b;
}

static void free_basin(struct basin *b)
{
    oro_constraint_free(&b->run);
    assert_null(b->run.scratch);
    float *const arrays[] = {
        b->c,           b->relief, b->moisture,     b->value_strength, b->gradient_strength,
        b->erodibility, b->run.h,  b->run.drainage, b->run.gorge};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

static void must_iterate(struct basin *b)
{
    struct oro_error err = {0};
    b->run.params = &b->params;
    if (!oro_constraint_iterate(&b->run, &err))
        fail_msg("%s", err.text);
}

static void assert_near(const char *what, size_t cell, double have, double want, double tolerance)
{
    if (!(fabs(have - want) <= tolerance))
        fail_msg("%s of cell %zu is %.9g, not %.9g", what, cell, have, want);
}

/* ---- Step by step, by hand ---- */

/* Without sea, jitter and gorges, with the same rain everywhere, and nothing that erodes or holds. */
static struct setting plain_setting(double x)
{
    return (struct setting){"plain",
                            x,
                            .walls = true,
                            .gorgeless = true,
                            .sea = -1000,
                            .drainage_exponent = 1,
                            .slope_exponent = 2,
                            .gorge_exponent = 1};
}

static void set_all(float *array, size_t cells, float value)
{
    for (size_t i = 0; i < cells; i++)
        array[i] = value;
}

static struct basin make_plain(int width, int height, const struct setting *setting)
{
    struct basin b = make_basin(&(struct terrain){"flat", flat_at}, width, height, setting);
    set_all(b.relief, b.cells, 0);
    set_all(b.moisture, b.cells, 1);
    set_all(b.value_strength, b.cells, 0);
    set_all(b.gradient_strength, b.cells, 0);
    set_all(b.erodibility, b.cells, 0);
    return b;
}

/* Of a river along one row of cells: what drains, and what `rounds` of erosion carve. */
static void check_river(const struct setting *setting)
{
    enum { LENGTH = 560 };
    struct basin b = make_plain(LENGTH, 1, setting);
    double x = setting->x, cell = 40 * x, loss = (double)setting->rain_loss, h[LENGTH], d[LENGTH];
    double kept = pow(1 - loss, x), local = loss > 0 ? x * (1 - kept) / loss : x * x;
    for (int i = 0; i < LENGTH; i++) {
        b.run.h[i] = (float)(4 * (LENGTH - i) + i % 4);
        b.moisture[i] = (float)(i % 12) / 6 - 0.5f; /* below 0 counts as 0 */
        b.erodibility[i] =
            i % 97 == 5 ? 1000 : 0.1f * (float)(i % 12); /* held at 100: down to the receiver */
        h[i] = (double)b.run.h[i];
        d[i] = local * fmax((double)b.moisture[i], 0) + (i ? kept * d[i - 1] : 0);
    }
    must_iterate(&b);
    int rounds = (int)fmax(round(1 / x), 1);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < LENGTH - 1; i++) {
            double drop = h[i] - h[i + 1];
            double depth = fmin((double)b.erodibility[i], 100) * 40 / rounds *
                           pow(d[i] / sqrt(x), (double)setting->drainage_exponent) *
                           pow(drop / cell, (double)setting->slope_exponent);
            h[i] -= fmin(drop, depth);
        }
    for (size_t i = 0; i < LENGTH; i++) {
        assert_near("drainage", i, (double)b.run.drainage[i], d[i], 1e-5 * (1 + d[i]));
        assert_near("height", i, (double)b.run.h[i], h[i], 1e-3);
    }
    free_basin(&b);
}

TEST(rivers)
{
    struct setting setting = plain_setting(1);
    check_river(&setting);
    setting.rain_loss = 0.32f;
    for (double x = 0.25; x <= 2; x *= 2) {
        setting.x = x;
        check_river(&setting);
    }
    setting.drainage_exponent = 0.6f;
    setting.slope_exponent = 1.3f;
    check_river(&setting);
}

/* On planes that fall to the east, and less to the south: all goes straight on, or across where the fall is
 * steeper by the longer way. */
TEST(receivers)
{
    enum { WIDTH = 560, HEIGHT = 9 };
    static const struct {
        bool four, across;
        int east, south; /* falls */
    } planes[] = {{false, true, 8, 6}, {false, false, 12, 4}, {true, false, 8, 6}};
    for (int k = 0; k < 3; k++) {
        int east = planes[k].east, south = planes[k].south;
        struct setting setting = plain_setting(1);
        setting.four = planes[k].four;
        setting.rain_loss = 0.2f;
        struct basin b = make_plain(WIDTH, HEIGHT, &setting);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            b.run.h[i] = (float)(east * (WIDTH - i % WIDTH) + south * (HEIGHT - i / WIDTH));
            b.erodibility[i] = 1;
        }
        must_iterate(&b);
        for (int y = 0; y < HEIGHT - 1; y++)
            for (int x = 0; x < WIDTH - 1; x++) {
                int above = planes[k].across && y < x ? y : x, i = WIDTH * y + x;
                double d = (1 - pow(0.8, above + 1)) / 0.2, drop = planes[k].across ? east + south : east;
                double slope = drop / (planes[k].across ? 40 * sqrt(2) : 40);
                double before = east * (WIDTH - x) + south * (HEIGHT - y);
                assert_near("drainage", (size_t)i, (double)b.run.drainage[i], d, 1e-5 * d);
                assert_near("height", (size_t)i, (double)b.run.h[i],
                            before - fmin(40 * d * slope * slope, drop), 1e-3);
            }
        free_basin(&b);
    }
}

/* A hollow between two saddles: over the lower one, the eastern, its gorge falls evenly from its bottom to
 * the end of the valley, but never up to an outlet that is higher. */
TEST(gorges)
{
    enum { LENGTH = 9, BOTTOM = 4 };
    static const float ends[] = {-50, 40}; /* in the sea; at an open border */
    static const float valley[LENGTH] = {-50, 30, 80, 40, 20, 70, 66, 50, 0};
    for (int k = 0; k < 4; k++) {
        struct setting setting = plain_setting(1);
        setting.walls = setting.gorgeless = false;
        setting.sea = 0;
        setting.gorge_exponent = 0.5f;
        struct basin b = make_plain(LENGTH, 3, &setting);
        float *z = b.run.h + LENGTH, end = ends[k % 2];
        b.params.gorge_strength = k / 2 ? 100 : 0.1f;
        set_all(b.run.h, b.cells, 500);
        memcpy(z, valley, sizeof valley);
        z[LENGTH - 1] = end;
        memcpy(b.c, b.run.h, b.cells * sizeof *b.c);
        must_iterate(&b);
        double weight =
                   fmin((double)b.params.gorge_strength * sqrt((double)b.run.drainage[LENGTH + BOTTOM]), 1),
               last = end > 0 ? 20 : 0;
        assert_near("drainage", BOTTOM, (double)b.run.drainage[LENGTH + BOTTOM], 9, 0);
        for (int i = 0; i < LENGTH; i++) {
            double own = i < LENGTH - 1 ? (double)valley[i] : (double)end;
            double ideal = 20 + (last - 20) * (i - BOTTOM) / (LENGTH - 1 - BOTTOM);
            bool carved = i >= BOTTOM && own > ideal;
            assert_near("gorge", (size_t)i, (double)b.run.gorge[LENGTH + i], i < BOTTOM ? 0 : weight, 1e-6);
            assert_near("height", (size_t)i, (double)z[i], carved ? own + weight * (ideal - own) : own, 1e-4);
        }
        free_basin(&b);
    }
}

/* Each cell goes toward its constraint by its strength, which is held within 0 and 1. */
TEST(values)
{
    static const float strengths[] = {0, 0.25f, 1, 1.5f, -1, NAN}, held[] = {0, 0.25f, 1, 1, 0, 0};
    const struct setting setting = plain_setting(1);
    struct basin b = make_plain(6, 4, &setting);
    set_all(b.run.h, b.cells, 100);
    for (size_t i = 0; i < b.cells; i++) {
        b.c[i] = noise_at((int)i, 3);
        b.value_strength[i] = strengths[i % 6];
    }
    must_iterate(&b);
    for (size_t i = 0; i < b.cells; i++)
        assert_near("height", i, (double)b.run.h[i], 100 + (double)(held[i % 6] * (b.c[i] - 100)), 1e-4);
    free_basin(&b);
}

struct spread {
    double x;
    bool four;
    int reach;
    double scale; /* of g */
};

/* h += g (mean over neighbours of (h - c) + c - h), within the border; over a square, if cells are small. */
static void check_gradient(const struct spread *spread, int width, int height)
{
    struct setting setting = plain_setting(spread->x);
    setting.four = spread->four;
    struct basin b = make_plain(width, height, &setting);
    double *before = room_for(b.cells, sizeof *before); /* less the constraint */
    for (size_t i = 0; i < b.cells; i++) {
        b.run.h[i] = noise_at((int)i, 5);
        b.c[i] = noise_at((int)i, 8);
        b.gradient_strength[i] = noise_at((int)i, 2) / 100;
        before[i] = (double)b.run.h[i] - (double)b.c[i];
    }
    must_iterate(&b);
    for (int i = 0; i < width * height; i++) {
        int reach = spread->reach ? spread->reach : 1, x = i % width, y = i / width;
        double sum = 0, count = 0, g = fmin((double)b.gradient_strength[i] * spread->scale, 0.9);
        for (int v = y - reach; v <= y + reach; v++)
            for (int u = x - reach; u <= x + reach; u++) {
                bool beside = spread->four ? (u == x) != (v == y) : u != x || v != y;
                if (u < 0 || v < 0 || u >= width || v >= height || !(spread->reach || beside))
                    continue;
                sum += before[v * width + u];
                count++;
            }
        double mean = count > 0 ? sum / count : before[i];
        assert_near("height", (size_t)i, (double)b.run.h[i],
                    (double)b.c[i] + before[i] + g * (mean - before[i]), 1e-4);
    }
    free(before);
    free_basin(&b);
}

TEST(gradients)
{
    static const struct spread spreads[] = {
        {1, false, 0, 1}, {1, true, 0, 1}, {2, false, 0, 0.25}, {0.8, true, 0, 1.5625}, {0.25, true, 4, 1}};
    static const int grids[][2] = {{1, 1}, {1, 30}, {30, 1}, {2, 2}, {3, 5}, {560, 9}, {9, 90}};
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++)
        for (size_t k = 0; k < sizeof grids / sizeof *grids; k++)
            check_gradient(&spreads[i], grids[k][0], grids[k][1]);
}

/* Where ground is to rise by 100 m west of a line: the mean around is what squares give that are laid over
 * squares, by tiles of 4 cells. Without relief nothing counts, and nothing is held. */
TEST(breadth)
{
    enum { WIDTH = 1040, HEIGHT = 30, TILE = 4, AROUND = 2, LINE = WIDTH / 2 };
    struct setting setting = plain_setting(1);
    setting.broad_strength = 0.3f;
    setting.breadth = 640;
    struct basin b = make_plain(WIDTH, HEIGHT, &setting);
    assert_int_equal(b.run.scale.tile, TILE);
    assert_int_equal(b.run.scale.tiles_around, AROUND);
    set_all(b.value_strength, b.cells, 0.4f);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        b.relief[i] = i % TILE != 1 || i / WIDTH % TILE != 2; /* as much in every tile */
        b.run.h[i] = 50;
        b.c[i] = b.relief[i] <= 0 ? -300 : i % WIDTH < LINE ? 150 : 50;
    }
    must_iterate(&b);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int x = i % WIDTH;
        if (x < 40 || x >= WIDTH - 40)
            continue;
        double rise = 0, at = (x + 0.5) / TILE - 0.5;
        for (int tile = 0; tile < LINE / TILE; tile++) /* a triangle of weights around, a little wider */
            for (int side = 0; side < 2; side++) {
                double part = side ? at - floor(at) : 1 - (at - floor(at)),
                       away = fabs(floor(at) + side - tile);
                rise += 100 * part * fmax(2 * AROUND + 1 - away, 0) / pow(2 * AROUND + 1, 2);
            }
        double own = 50 + 0.4 * ((double)b.c[i] - 50);
        assert_near("height", (size_t)i, (double)b.run.h[i], own + 0.3 * 0.6 * (double)b.relief[i] * rise,
                    1.5);
    }
    free_basin(&b);
}

/* What the sea would have comes out a thousandth of a reference cell above it, or as far as the constraint.
 */
TEST(land_stays_land)
{
    struct setting setting = plain_setting(1);
    setting.sea = 20;
    struct basin b = make_plain(4, 1, &setting);
    static const float constraints[] = {100, 20.01f, 20, 0}, want[] = {20.04f, 20.01f, 10, 10};
    memcpy(b.c, constraints, sizeof constraints);
    set_all(b.run.h, b.cells, 10);
    must_iterate(&b);
    for (size_t i = 0; i < 4; i++)
        assert_near("height", i, (double)b.run.h[i], (double)want[i], 1e-5);
    free_basin(&b);
}

/* ---- Threads ---- */

TEST(threads)
{
    static const int threads[] = {1, 2, 3, 7};
    for (int s = 0; s < SETTINGS; s++) {
        struct basin b[2];
        for (int k = 0; k < 4; k++) {
            struct basin *now = &b[k != 0];
            oro_parallel_force(threads[k]);
            *now = make_basin(&terrains[s % 2], 700, 240, &settings[s]);
            for (int i = 0; i < 4; i++)
                must_iterate(now);
            if (k) {
                size_t bytes = now->cells * sizeof(float);
                assert_memory_equal(now->run.h, b[0].run.h, bytes);
                assert_memory_equal(now->run.drainage, b[0].run.drainage, bytes);
                assert_memory_equal(now->run.gorge, b[0].run.gorge, bytes);
                free_basin(now);
            }
        }
        oro_parallel_force(0);
        free_basin(&b[0]);
    }
}

/* ---- Laws ---- */

/* Without rain, terrain that does not differ from the constraint stays the same to the bit. */
TEST(no_rain)
{
    for (int s = 0; s < SETTINGS; s++) {
        struct basin b = make_basin(&terrains[1], 64, 48, &settings[s]);
        b.run.moisture = (struct oro_constraint_map){NULL, 0, ORO_CONSTRAINT_MOISTURE};
        b.run.value_strength = b.run.gradient_strength = (struct oro_constraint_map){NULL, 0.7f, 1};
        memcpy(b.run.h, b.c, b.cells * sizeof *b.c);
        for (int i = 0; i < 3; i++)
            must_iterate(&b);
        assert_memory_equal(b.run.h, b.c, b.cells * sizeof *b.c);
        free_basin(&b);
    }
}

/* Without constraints all land sinks, but not below the lowest ground; ground under the sea stays. */
TEST(unheld)
{
    for (int s = 0; s < SETTINGS; s++) {
        struct basin b = make_basin(&terrains[0], 64, 48, &settings[s]);
        b.params.broad_strength = 0;
        b.run.value_strength = b.run.gradient_strength = (struct oro_constraint_map){NULL, 0, 1};
        memset(b.c, 0, b.cells * sizeof *b.c);
        float *before = room_for(b.cells, sizeof *before), lowest = INFINITY;
        size_t sunk = 0;
        memcpy(before, b.run.h, b.cells * sizeof *before);
        for (size_t i = 0; i < b.cells; i++)
            lowest = fminf(lowest, before[i]);
        for (int i = 0; i < 20; i++)
            must_iterate(&b);
        for (size_t i = 0; i < b.cells; i++) {
            assert_true(b.run.h[i] <= before[i] && b.run.h[i] >= lowest - 1e-4f); /* but for rounding */
            assert_true(b.run.h[i] == before[i] || before[i] > settings[s].sea);
            sunk += b.run.h[i] < before[i];
        }
        assert_true(settings[s].sea >= 1000 ? sunk == 0 : sunk > b.cells / 4);
        free(before);
        free_basin(&b);
    }
}

TEST(finite)
{
    for (int t = 0; t < TERRAINS; t++)
        for (int s = 0; s < SETTINGS; s++) {
            struct basin b = make_basin(&terrains[t], 64, 48, &settings[s]);
            for (int i = 0; i < 5; i++)
                must_iterate(&b);
            for (size_t i = 0; i < b.cells; i++) {
                assert_true(isfinite(b.run.h[i]) && b.run.drainage[i] >= 0);
                assert_true(b.run.gorge[i] >= 0 && b.run.gorge[i] <= 1);
            }
            free_basin(&b);
        }
}

/* ---- What follows from the width of a cell ---- */

static struct oro_constraint_scale scale_at(double x, float rain_loss)
{
    struct oro_constraint_params params = {.reference_cell = 80, .breadth = 2000, .rain_loss = rain_loss};
    struct oro_constraint_scale scale;
    oro_constraint_scale(&params, 80 * x, 10000, false, &scale);
    return scale;
}

TEST(scale)
{
    static const struct {
        double x;
        int rounds, reach, tile, tiles_around;
        double gradient;
        bool cut;
    } want[] = {
        {5, 1, 0, 2, 1, 0.04, false},
        {2, 1, 0, 2, 3, 0.25, false},
        {1, 1, 0, 4, 3, 1, false},
        {0.7, 1, 0, 8, 2, 1 / 0.49, false},
        {0.6, 2, 2, 8, 3, 1, false},
        {0.25, 4, 4, 16, 3, 1, false},
        {1.0 / 16, 16, 19, 32, 6, 1, false},
        {1.0 / 17, 16, 20, 32, 7, 1, true},
        {1.0 / 100, 16, 24, 32, 39, 1, true},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct oro_constraint_scale scale = scale_at(want[i].x, 0.5f);
        assert_true(scale.x == want[i].x);
        assert_int_equal(scale.rounds, want[i].rounds);
        assert_int_equal(scale.reach, want[i].reach);
        assert_int_equal(scale.tile, want[i].tile);
        assert_int_equal(scale.tiles_around, want[i].tiles_around);
        assert_near("gradient", i, scale.gradient, want[i].gradient, 1e-12);
        assert_int_equal(scale.cut, want[i].cut);
        assert_near("kept", i, scale.kept, pow(0.5, want[i].x), 1e-12);
        assert_near("sharing", i, scale.sharing, pow(want[i].x, -0.5), 1e-12);
    }
}

/* Where resolutions are to agree, the neighbourhood spreads as far as the square of three reference cells. */
TEST(even_spread)
{
    static const double widths[] = {0.66, 0.5, 0.488, 0.3, 0.244, 0.1, 1.0 / 16};
    struct oro_constraint_params params = {.reference_cell = 80, .neighbours = ORO_CONSTRAINT_NEIGHBOURS_8};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct oro_constraint_scale scale;
        oro_constraint_scale(&params, 80 * widths[i], 10000, true, &scale);
        double weights = 0, squares = 0;
        for (int k = -scale.reach - 1; k <= scale.reach + 1; k++) {
            double weight = abs(k) > scale.reach ? scale.rim : 1;
            weights += weight;
            squares += weight * k * k;
        }
        assert_near("spread", i, squares / weights * widths[i] * widths[i], 2.0 / 3, 1e-9);
        assert_near("gradient", i, scale.gradient, 0.75, 0);
        assert_int_equal(scale.factor, (int)round(1 / widths[i]));
    }
}

/* What follows from the loss of rain: with hardly any loss, nearly the same as without. */
TEST(rain_loss)
{
    assert_near("local", 0, scale_at(0.5, 0).local, 0.25, 0);
    assert_near("local", 1, scale_at(0.5, 1e-12f).local, 0.25, 1e-9);
    assert_near("local", 2, scale_at(0.5, 1).local, 0.5, 0);
    assert_near("local", 3, scale_at(1, 0.32f).local, 1, 1e-12);
    assert_near("kept", 0, scale_at(0.5, 0).kept, 1, 0);
    assert_near("kept", 1, scale_at(0.5, 1).kept, 0, 0);
    assert_near("bound", 0, scale_at(0.5, 0).bound, 10000, 0);
    assert_near("bound", 1, scale_at(0.5, 1).bound, 1, 0);
    assert_near("bound", 2, scale_at(1, 0.5f).bound, 17, 1e-9);
}

/* ---- Failures ---- */

static bool ask(void *user)
{
    int *left = user;
    return (*left)-- == 0;
}

/* Wherever it is cancelled, and whichever memory is missing. */
TEST(failures)
{
    struct oro_error err = {0};
    for (int k = 0, ok = 0; !ok; k++) {
        struct basin b = make_basin(&terrains[0], 40, 30, &settings[2]);
        int left = k;
        b.run.stop = ask;
        b.run.user = &left;
        b.run.params = &b.params;
        ok = oro_constraint_iterate(&b.run, &err);
        assert_true(ok ? k > 6 : err.code == ORO_E_CANCELLED);
        free_basin(&b);
    }
    for (size_t k = 1, ok = 0; !ok; k++) {
        struct basin b = make_basin(&terrains[0], 40, 30, &settings[2]);
        b.run.params = &b.params;
        oro_memory_fail_at(k);
        ok = oro_constraint_iterate(&b.run, &err);
        oro_memory_fail_at(0);
        assert_true(ok ? k > 10 : err.code == ORO_E_MEMORY && !b.run.scratch);
        free_basin(&b);
    }
}

/* Nothing is allocated after the first iteration, and draining alone gives what an iteration has. */
TEST(again)
{
    struct basin b[2];
    for (int k = 0; k < 2; k++) {
        b[k] = make_basin(&terrains[0], 64, 48, &settings[1]);
        must_iterate(&b[k]);
    }
    size_t allocations = oro_memory_count();
    must_iterate(&b[0]);
    b[1].run.params = &b[1].params;
    assert_true(oro_constraint_drain(&b[1].run, NULL));
    assert_int_equal(oro_memory_count(), allocations);
    assert_memory_equal(b[0].run.drainage, b[1].run.drainage, b[0].cells * sizeof(float));
    for (int k = 0; k < 2; k++)
        free_basin(&b[k]);
}
