/* Drainage by tiles: cell by cell the same as of the whole. */
#include "tests/hydrology/tiled.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

struct tiling {
    struct site *site;
    struct raster z, sea, rain, out, spills;
    struct oro_tiled_ground ground;
    float fall; /* least gradient of carved channels */
};

static struct oro_tiled_source source_of(struct raster *raster)
{
    return (struct oro_tiled_source){load_window, raster};
}

static void begin(struct tiling *t, struct site *site, int tile_width, int tile_height)
{
    int width = site->ground.width;
    *t = (struct tiling){.site = site,
                         .z = {width, site->z},
                         .sea = {width, site->sea},
                         .rain = {width, site->rain},
                         .out = {width, room_for(site->cells, sizeof(float))},
                         .spills = {width, room_for(site->cells, sizeof(float))}};
    t->ground.grid =
        (struct oro_tiled_grid){width, site->ground.height, tile_width, tile_height, site->ground.walls};
    t->ground.z = source_of(&t->z);
    if (site->ground.sea)
        t->ground.sea = source_of(&t->sea);
    t->ground.budget = SIZE_MAX / 2;
}

static void must(bool ok, const struct oro_error *err)
{
    if (!ok)
        fail_msg("%s", err->text);
}

static void check_receivers(struct tiling *t, struct oro_tiled_drainage *drainage,
                            const struct oro_routing *whole)
{
    struct oro_error err = {0};
    struct directions directions = {t->z.width, room_for(t->site->cells, sizeof(uint32_t))};
    struct oro_tiled_direction_sink sink = {store_receivers, &directions};
    must(oro_tiled_directions(drainage, &sink, &err), &err);
    const uint32_t *receiver = directions.receiver;
    assert_same(receiver, whole->receiver, t->site);
    free(directions.receiver);
}

static void check_same(struct tiling *t, const float *want)
{
    const float *out = t->out.values;
    assert_same(out, want, t->site);
    memset(t->out.values, 0xa5, t->site->cells * sizeof(float));
}

static void check_area(struct tiling *t, struct oro_tiled_drainage *drainage, const struct oro_routing *whole,
                       float *want)
{
    struct oro_error err = {0};
    struct oro_tiled_sink sink = {store_tile, &t->out};
    struct oro_tiled_source rain = source_of(&t->rain);
    must(oro_drainage_area(whole, 12.3, NULL, want, &err), &err);
    must(oro_tiled_area(drainage, 12.3, NULL, &sink, &err), &err);
    check_same(t, want);
    must(oro_drainage_area(whole, 12.3, t->site->rain, want, &err), &err);
    must(oro_tiled_area(drainage, 12.3, &rain, &sink, &err), &err);
    check_same(t, want);
}

static void check_breach(struct tiling *t, struct oro_tiled_drainage *drainage,
                         const struct oro_routing *whole, float *want, const struct oro_breaching *how)
{
    struct oro_error err = {0}, other = {0};
    struct oro_tiled_sink sink = {store_tile, &t->out};
    size_t gentle = 0;
    struct oro_breaching counting = {.fall = how->fall, .gentle = &gentle};
    bool ok = oro_breach(&t->site->ground, whole, how, want, &err);
    assert_int_equal(oro_tiled_breach(drainage, &counting, &sink, &other), ok);
    assert_string_equal(other.text, err.text);
    if (!ok)
        return;
    check_same(t, want);
    if (how->gentle)
        assert_int_equal(gentle, *how->gentle);
}

static void check_fill(struct tiling *t, struct oro_tiled_drainage *drainage, const struct oro_routing *whole,
                       float *want)
{
    struct oro_error err = {0}, other = {0};
    struct oro_tiled_sink sink = {store_tile, &t->out};
    must(oro_fill(&t->site->ground, whole, false, want, &err), &err);
    must(oro_tiled_fill(drainage, false, &sink, &err), &err);
    check_same(t, want);
    bool ok = oro_fill(&t->site->ground, whole, true, want, &err);
    assert_int_equal(oro_tiled_fill(drainage, true, &sink, &other), ok);
    assert_int_equal(other.code, err.code);
    if (ok)
        check_same(t, want);
}

/* As floats, which is what tiles give. */
static void check_numbers(struct tiling *t, const uint32_t *numbers, float *want)
{
    for (size_t i = 0; i < t->site->cells; i++)
        want[i] = (float)numbers[i];
    check_same(t, want);
}

static void check_water(struct tiling *t, struct oro_tiled_drainage *drainage,
                        const struct oro_routing *whole, float *want)
{
    struct oro_error err = {0};
    struct oro_tiled_sink sink = {store_tile, &t->out}, spilling = {store_tile, &t->spills};
    uint32_t *numbers = room_for(t->site->cells, sizeof *numbers), count = 0;
    must(oro_tiled_watersheds(drainage, &sink, &count, &err), &err);
    assert_int_equal(count, oro_watersheds(whole, numbers));
    check_numbers(t, numbers, want);
    must(oro_tiled_lakes(drainage, &sink, &spilling, &count, &err), &err);
    oro_flood_levels(&t->site->ground, whole, want);
    assert_int_equal(count, oro_lakes(&t->site->ground, whole, want, numbers));
    check_numbers(t, numbers, want);
    for (size_t i = 0; i < t->site->cells; i++)
        want[i] = 0;
    for (size_t i = 0; i < t->site->cells; i++)
        if (numbers[i] && !numbers[whole->receiver[i]])
            want[whole->receiver[i]] = (float)numbers[i];
    const float *spills = t->spills.values;
    assert_same(spills, want, t->site);
    free(numbers);
}

static void check_certificate(struct tiling *t)
{
    struct oro_error err = {0};
    struct oro_certificate want, got;
    must(oro_certify(&t->site->ground, &want, &err), &err);
    must(oro_tiled_certify(&t->ground, &got, &err), &err);
    assert_int_equal(got.pits, want.pits);
    assert_int_equal(got.flats, want.flats);
    assert_int_equal(got.depressions, want.depressions);
    assert_int_equal(got.undrained, want.undrained);
    assert_memory_equal(&got.share_ending_in_pit, &want.share_ending_in_pit, sizeof want.share_ending_in_pit);
    assert_memory_equal(&got.deepest, &want.deepest, sizeof want.deepest);
    assert_memory_equal(&got.fill_volume, &want.fill_volume, sizeof want.fill_volume);
}

static void check_all(struct tiling *t)
{
    struct oro_error err = {0};
    struct oro_routing whole;
    float *want = room_for(t->site->cells, sizeof *want);
    must(oro_route(&t->site->ground, &whole, &err), &err);
    struct oro_tiled_drainage *drainage = oro_tiled_route(&t->ground, &err);
    must(drainage != NULL, &err);
    check_receivers(t, drainage, &whole);
    check_area(t, drainage, &whole, want);
    check_breach(t, drainage, &whole, want, &(struct oro_breaching){0});
    size_t gentle;
    check_breach(t, drainage, &whole, want, &(struct oro_breaching){.fall = t->fall, .gentle = &gentle});
    check_fill(t, drainage, &whole, want);
    check_water(t, drainage, &whole, want);
    check_certificate(t);
    oro_tiled_drainage_free(drainage);
    oro_routing_free(&whole);
    free(want);
}

/* ---- Random terrains in random tiles ---- */

struct dice {
    uint32_t state;
};

static int roll(struct dice *dice, int low, int high)
{
    dice->state = dice->state * 1664525u + 1013904223u;
    return low + (int)((dice->state >> 8) % (uint32_t)(high - low + 1));
}

static void run_fuzz(uint32_t seed)
{
    struct dice dice = {seed * 7919 + 1};
    int most = roll(&dice, 0, 3) ? 40 : 110;
    int width = roll(&dice, 1, most), height = roll(&dice, 1, most);
    int tile_width = roll(&dice, 1, 40), tile_height = roll(&dice, 0, 2) ? tile_width : roll(&dice, 1, 40);
    struct site site = make_site(&terrains[roll(&dice, 0, TERRAINS - 1)], width, height,
                                 (enum borders)roll(&dice, 0, BORDERS - 1));
    struct tiling t;
    while (width * height > 300 * tile_width * tile_height) {
        tile_width *= 2;
        tile_height *= 2;
    }
    begin(&t, &site, tile_width, tile_height);
    t.ground.budget = roll(&dice, 0, 2) ? SIZE_MAX / 2 : (size_t)roll(&dice, 0, 3000);
    t.ground.last = roll(&dice, 0, 2) ? 0 : roll(&dice, 1, 9);
    t.fall = (float)roll(&dice, 1, 40) / 8;
    oro_parallel_force(roll(&dice, 1, 3));
    check_all(&t);
    oro_parallel_force(0);
    free(t.out.values);
    free(t.spills.values);
    free_site(&site);
}

TEST(tiles_drain_as_the_whole)
{
    for (uint32_t seed = 0; seed < 480; seed++)
        run_fuzz(seed);
}

/* Tiles that are large enough for several threads each. */
TEST(large_tiles_drain_as_the_whole)
{
    for (int i = 0; i < TERRAINS; i++) {
        struct site site = make_site(&terrains[i], 450, 400, (enum borders)(i % BORDERS));
        struct tiling t;
        begin(&t, &site, 300, 260);
        t.fall = 0.5f;
        oro_parallel_force(3);
        check_all(&t);
        oro_parallel_force(0);
        free(t.out.values);
        free(t.spills.values);
        free_site(&site);
    }
}

/* ---- What cannot be done ---- */

static struct oro_error must_fail(struct tiling *t)
{
    struct oro_error err = {0}, other = {0};
    struct oro_certificate certificate;
    assert_null(oro_tiled_route(&t->ground, &err));
    assert_false(oro_tiled_certify(&t->ground, &certificate, &other));
    assert_int_equal(err.code, other.code);
    return err;
}

static bool always(void *user)
{
    (void)user;
    return true;
}

TEST(what_cannot_be_drained_is_said)
{
    struct site site = make_site(&terrains[1], 40, 40, OPEN);
    struct tiling t;
    begin(&t, &site, 10, 10);
    site.z[21 * 40 + 33] = NAN;
    assert_string_equal(must_fail(&t).text, "the terrain is not a number at cell 33, 21");
    site.z[21 * 40 + 33] = INFINITY;
    assert_string_equal(must_fail(&t).text, "the terrain is infinite at cell 33, 21");
    site.z[21 * 40 + 33] = 1;
    t.ground.grid.walls = true;
    assert_non_null(strstr(must_fail(&t).text, "water has nowhere to go"));
    t.ground.grid.tile_width = t.ground.grid.tile_height = 40;
    assert_non_null(strstr(must_fail(&t).text, "water has nowhere to go"));
    t.ground.grid.walls = false;
    t.ground.stop = always;
    assert_int_equal(must_fail(&t).code, ORO_E_CANCELLED);
    t.ground.stop = NULL;
    t.ground.grid.tile_width = 0;
    assert_int_equal(must_fail(&t).code, ORO_E_EVALUATE);
    t.ground.grid = (struct oro_tiled_grid){131073, 40, 10, 10, false};
    assert_int_equal(must_fail(&t).code, ORO_E_LIMIT);
    t.ground.grid = (struct oro_tiled_grid){131072, 131072, 131072, 131072, false};
    assert_int_equal(must_fail(&t).code, ORO_E_LIMIT);
    t.ground.grid = (struct oro_tiled_grid){131072, 131072, 1, 1, false};
    assert_int_equal(must_fail(&t).code, ORO_E_LIMIT);
    free(t.out.values);
    free(t.spills.values);
    free_site(&site);
}

/* A hole in the lowest ground that there is, far from the border: ways out of it would go below. */
static float abyss_at(int x, int y)
{
    return x == 20 && y == 20 ? -FLT_MAX : 0;
}

TEST(ground_too_deep_is_refused_as_in_the_whole)
{
    const struct terrain abyss = {"abyss", abyss_at};
    struct site site = make_site(&abyss, 40, 40, OPEN);
    struct tiling t;
    struct oro_error err = {0}, want = {0};
    struct oro_routing routing;
    begin(&t, &site, 7, 9);
    struct oro_tiled_sink sink = {store_tile, &t.out};
    struct oro_tiled_drainage *drainage = oro_tiled_route(&t.ground, &err);
    assert_non_null(drainage);
    assert_true(oro_route(&site.ground, &routing, NULL));
    for (int i = 0; i < 2; i++) {
        struct oro_breaching how = {.fall = (float)i};
        assert_false(oro_breach(&site.ground, &routing, &how, t.out.values, &want));
        assert_false(oro_tiled_breach(drainage, &how, &sink, &err));
        assert_int_equal(err.code, want.code);
        assert_string_equal(err.text, want.text);
    }
    assert_false(
        oro_tiled_breach(drainage, &(struct oro_breaching){.method = ORO_BREACH_FLOOD}, &sink, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
    oro_routing_free(&routing);
    oro_tiled_drainage_free(drainage);
    free(t.out.values);
    free(t.spills.values);
    free_site(&site);
}

static bool do_all(struct tiling *t, struct oro_error *err)
{
    struct oro_tiled_sink sink = {store_tile, &t->out};
    struct oro_certificate certificate;
    uint32_t count;
    struct oro_tiled_drainage *drainage = oro_tiled_route(&t->ground, err);
    bool ok = drainage && oro_tiled_area(drainage, 1, &t->ground.z, &sink, err) &&
              oro_tiled_breach(drainage, &(struct oro_breaching){.fall = 1}, &sink, err) &&
              oro_tiled_fill(drainage, true, &sink, err) &&
              oro_tiled_lakes(drainage, &sink, &sink, &count, err) &&
              oro_tiled_certify(&t->ground, &certificate, err);
    oro_tiled_drainage_free(drainage);
    return ok;
}

static void run_out_of_memory(const struct terrain *terrain)
{
    struct site site = make_site(terrain, 23, 19, OPEN_AND_SEA);
    struct tiling t;
    begin(&t, &site, 8, 8);
    t.ground.budget = 300;
    t.ground.last = 3;
    oro_parallel_force(1);
    bool ok = false;
    for (size_t n = 1; !ok; n += 1 + n / 50) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        ok = do_all(&t, &err);
        oro_memory_fail_at(0);
        assert_true(ok || err.code == ORO_E_MEMORY);
    }
    oro_parallel_force(0);
    free(t.out.values);
    free(t.spills.values);
    free_site(&site);
}

TEST(memory_that_runs_out_is_an_error)
{
    run_out_of_memory(&terrains[1]);
    run_out_of_memory(&terrains[2]); /* with flats */
}
