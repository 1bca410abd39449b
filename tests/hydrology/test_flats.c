/* Level ground: where its water goes, and that it is the same in tiles, on any number of threads. */
#include "tests/hydrology/flats.h"

#include <string.h>

#include "base/parallel.h"
#include "tests/hydrology/tiled.h"

struct floor {
    struct site site;
    struct oro_routing routing;
    uint32_t *cells; /* that drain through each */
};

static struct floor route_floor(float (*at)(int x, int y), int width, int height)
{
    const struct terrain terrain = {"floor", at};
    struct floor f = {.site = make_site(&terrain, width, height, OPEN)};
    struct oro_error err = {0};
    if (!oro_route(&f.site.ground, &f.routing, &err))
        fail_msg("%s", err.text);
    f.cells = room_for(f.site.cells, sizeof *f.cells);
    oro_drainage_cells(&f.routing, f.cells);
    return f;
}

static void free_floor(struct floor *f)
{
    oro_routing_free(&f->routing);
    free(f->cells);
    free_site(&f->site);
}

static int width_of(const struct floor *f)
{
    return f->site.ground.width;
}

/* The direction of a cell's way, 0..7; 8: it is its own receiver. */
static int direction_of(const struct floor *f, size_t cell)
{
    size_t there;
    for (int k = 0; k < 8; k++)
        if (has_neighbour(&f->site, cell, k, &there) && there == f->routing.receiver[cell])
            return k;
    return 8;
}

/* ---- A level floor between walls, with one outlet ---- */

enum { FLOOR = 141, DEEP = 161, WALL = 30 };

/* The floor has columns 1..139 and rows 1..159; its outlet is in the middle of the south. */
static float floor_at(int x, int y)
{
    if (y == DEEP - 1 && x == FLOOR / 2)
        return 99;
    return x == 0 || y == 0 || x == FLOOR - 1 || y == DEEP - 1 ? 130 : 100;
}

static bool on_floor(const struct floor *f, size_t cell)
{
    return f->site.z[cell] == 100;
}

TEST(water_of_a_floor_gathers_towards_its_outlet)
{
    struct floor f = route_floor(floor_at, FLOOR, DEEP);
    size_t outlet = (size_t)(DEEP - 1) * FLOOR + FLOOR / 2, floor = 0, shares[9] = {0};
    for (size_t i = 0; i < f.site.cells; i++)
        if (on_floor(&f, i)) {
            floor++;
            shares[direction_of(&f, i)]++;
        }
    assert_in_range(f.cells[outlet], floor, f.site.cells);
    /* West and east have the same share, but for chance; few run away from the outlet, and none stay. */
    static const int mirrored[][2] = {{0, 2}, {3, 4}, {5, 7}};
    for (int k = 0; k < 3; k++) {
        double west = (double)shares[mirrored[k][0]], east = (double)shares[mirrored[k][1]];
        assert_true(fabs(west - east) < 0.02 * (double)floor);
    }
    assert_true(shares[0] + shares[1] + shares[2] < floor / 10);
    assert_true(shares[5] + shares[6] + shares[7] > floor / 2);
    assert_int_equal(shares[8], 0);
    free_floor(&f);
}

/* How many cells the way goes on in the direction that it begins in. */
static int straight_run(const struct floor *f, size_t cell)
{
    int direction = direction_of(f, cell), run = 0;
    for (; direction_of(f, cell) == direction && direction < 8; run++)
        cell = f->routing.receiver[cell];
    return run;
}

/* And the halves of the floor drain alike through a row near the outlet, in rivers, not side by side. */
TEST(ways_over_a_floor_are_no_ruled_lines)
{
    struct floor f = route_floor(floor_at, FLOOR, DEEP);
    uint64_t west = 0, east = 0;
    uint32_t largest = 0;
    for (size_t i = 0; i < f.site.cells; i++)
        if (on_floor(&f, i))
            assert_true(straight_run(&f, i) <= 30);
    for (int x = 1; x < FLOOR - 1; x++) {
        uint32_t cells = f.cells[(DEEP - 30) * FLOOR + x];
        *(x < FLOOR / 2 ? &west : &east) += cells;
        largest = cells > largest ? cells : largest;
    }
    assert_true(largest > 139 * 10);
    assert_true(west > east / 3 && east > west / 3);
    free_floor(&f);
}

/* ---- Other flats ---- */

/* A floor with outlets at its two ends, which are as high as itself. */
static float two_ends_at(int x, int y)
{
    bool end = (x == 0 || x == 80) && y == 20;
    return !end && (x == 0 || y == 0 || x == 80 || y == 40) ? 20 : 10;
}

TEST(each_half_drains_to_its_own_outlet)
{
    struct floor f = route_floor(two_ends_at, 81, 41);
    uint32_t *watershed = room_for(f.site.cells, sizeof *watershed);
    oro_watersheds(&f.routing, watershed);
    uint32_t west = watershed[20 * 81], east = watershed[20 * 81 + 80];
    for (int y = 1; y < 40; y++)
        for (int x = 1; x < 80; x++)
            if (x < 25 || x > 55)
                assert_int_equal(watershed[y * 81 + x], x < 25 ? west : east);
    free(watershed);
    free_floor(&f);
}

/* A round island in a lake that is filled to its sill. */
static float island_at(int x, int y)
{
    if (x == 99 && y == 30)
        return 10;
    if (x == 0 || y == 0 || x == 99 || y == 59 || hypot(x - 60, y - 30) < 12)
        return 15;
    return 10;
}

TEST(ways_keep_off_an_island_and_walls)
{
    struct floor f = route_floor(island_at, 100, 60);
    uint32_t beside = 0, largest = 0;
    size_t there;
    for (size_t i = 0; i < f.site.cells; i++) {
        if (f.site.z[i] != 10 || i % 100 > 90)
            continue;
        bool wall = false;
        for (int k = 0; k < 8; k++)
            wall |= has_neighbour(&f.site, i, k, &there) && f.site.z[there] > 10;
        uint32_t *most = wall ? &beside : &largest;
        *most = f.cells[i] > *most ? f.cells[i] : *most;
    }
    assert_true(largest > 500);
    assert_true(beside < largest / 10);
    free_floor(&f);
}

/* Steps of 12 cells, each a flat that drains over its lower edge. */
static float stairs_at(int x, int y)
{
    (void)y;
    return (float)(10 - x / 12);
}

TEST(stairs_are_crossed_straight_down)
{
    struct floor f = route_floor(stairs_at, 96, 64);
    for (int y = 14; y < 50; y++)
        for (int x = 13; x < 84; x++) {
            size_t cell = (size_t)y * 96 + (size_t)x, to = cell;
            for (int i = 0; i < 24 && f.site.z[to] == f.site.z[cell]; i++)
                to = f.routing.receiver[to];
            assert_true(f.site.z[to] == f.site.z[cell] - 1);
        }
    free_floor(&f);
}

/* A gorge one cell wide in windings. */
static float gorge_at(int x, int y)
{
    bool open = y % 2 == 0 ? x > 0 && x < 39 : x == (y % 4 == 1 ? 38 : 1);
    return open && y > 0 && y < 39 ? 5 : x == 1 && y == 39 ? 5 : 50;
}

TEST(a_gorge_of_one_cell_is_one_way)
{
    struct floor f = route_floor(gorge_at, 40, 40);
    uint32_t most = 0;
    for (size_t i = 0; i < f.site.cells; i++)
        if (f.site.z[i] == 5)
            most = f.cells[i] > most ? f.cells[i] : most;
    assert_int_equal(f.cells[39 * 40 + 1], most);
    assert_true(most > 19 * 38);
    free_floor(&f);
}

/* A pan without an outlet: it drains to its middle, and from there over its rim. */
static float pan_at(int x, int y)
{
    if (x == 0 || y == 0 || x == 60 || y == 60)
        return 0;
    return hypot(x - 30, y - 30) < 20 ? 5 : x > 45 && y == 30 ? 8 : 20;
}

TEST(a_closed_pan_gathers_its_water)
{
    struct floor f = route_floor(pan_at, 61, 61);
    uint32_t inside = 0;
    size_t pan = 0;
    for (size_t i = 0; i < f.site.cells; i++)
        pan += f.site.z[i] == 5;
    for (int y = 25; y <= 35; y++)
        for (int x = 25; x <= 35; x++)
            inside = f.cells[y * 61 + x] > inside ? f.cells[y * 61 + x] : inside;
    assert_true(inside > pan / 2);
    assert_true(f.cells[30 * 61 + 50] > pan); /* all leaves by the gap */
    free_floor(&f);
}

/* ---- The same whatever the tiles and threads ---- */

static void expect_in_tiles(const struct floor *f, int tile_width, int tile_height)
{
    int width = width_of(f);
    struct oro_error err = {0};
    struct raster z = {width, f->site.z};
    struct directions directions = {width, room_for(f->site.cells, sizeof(uint32_t))};
    struct oro_tiled_direction_sink sink = {store_receivers, &directions};
    struct oro_tiled_ground ground = {
        .grid = {width, f->site.ground.height, tile_width, tile_height, f->site.ground.walls},
        .z = {load_window, &z},
        .budget = (size_t)(tile_width % 2) * 5000};
    struct oro_tiled_drainage *drainage = oro_tiled_route(&ground, &err);
    if (!drainage || !oro_tiled_directions(drainage, &sink, &err))
        fail_msg("%s", err.text);
    const uint32_t *receiver = directions.receiver;
    assert_same(receiver, f->routing.receiver, &f->site);
    oro_tiled_drainage_free(drainage);
    free(directions.receiver);
}

static void expect_rules(struct floor *f)
{
    uint32_t *receiver = room_for(f->site.cells, sizeof *receiver);
    steepest_receivers(&f->site, f->site.z, receiver);
    if (flat_receivers(&f->site, receiver) == 0)
        assert_same(receiver, f->routing.receiver, &f->site);
    free(receiver);
}

TEST(tiles_and_threads_change_nothing)
{
    static float (*const grounds[])(int, int) = {floor_at,  two_ends_at, island_at,
                                                 stairs_at, gorge_at,    pan_at};
    static const int sizes_of[][2] = {{FLOOR, DEEP}, {81, 41}, {100, 60}, {96, 64}, {40, 40}, {61, 61}};
    static const int tiles[][2] = {{1000, 1000}, {64, 64}, {31, 17}, {9, 50}, {7, 7}};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 5; k++) {
            oro_parallel_force(1 + k % 3);
            struct floor f = route_floor(grounds[i], sizes_of[i][0], sizes_of[i][1]);
            expect_in_tiles(&f, tiles[k][0], tiles[k][1]);
            if (k == 0)
                expect_rules(&f);
            free_floor(&f);
            oro_parallel_force(0);
        }
}
