/* Carving without a drainage tree gives what carving along one does. */
#include "tests/hydrology/terrains.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/drainage/drain.h"
#include "terrain/drainage/steps.h"

static void must_carve(const struct oro_ground *ground, struct oro_carving_scratch *room, float *out)
{
    struct oro_error err = {0};
    if (!oro_carve(ground, room, out, &err))
        fail_msg("%s", err.text);
}

static void check_carve(struct site *site, void *user)
{
    (void)user;
    struct oro_carving_scratch room = {0};
    struct oro_routing routing;
    float *out = room_for(site->cells, sizeof *out), *want = room_for(site->cells, sizeof *want);
    assert_true(oro_route(&site->ground, &routing, NULL));
    assert_true(oro_breach(&site->ground, &routing, &(struct oro_breaching){0}, want, NULL));
    must_carve(&site->ground, &room, out);
    assert_same(out, want, site);
    memcpy(site->z, want,
           site->cells * sizeof *want); /* ground that drains is left alone; the room is used again */
    must_carve(&site->ground, &room, out);
    assert_same(out, want, site);
    oro_carving_scratch_free(&room);
    oro_routing_free(&routing);
    free(out);
    free(want);
}

TEST(as_along_the_tree)
{
    for_all_sites(check_carve, NULL);
}

TEST(threads)
{
    for (int terrain = 0; terrain < TERRAINS; terrain++) {
        struct site site = make_site(&terrains[terrain], 400, 300, OPEN);
        struct oro_carving_scratch room = {0};
        float *out[2] = {room_for(site.cells, sizeof **out), room_for(site.cells, sizeof **out)};
        oro_parallel_force(1);
        must_carve(&site.ground, &room, out[0]);
        oro_parallel_force(5);
        must_carve(&site.ground, &room, out[1]);
        assert_same(out[1], out[0], &site);
        oro_parallel_force(0);
        oro_carving_scratch_free(&room);
        free(out[0]);
        free(out[1]);
        free_site(&site);
    }
}

/* A pit at the lowest of floats, whose way out has to be lower. */
TEST(too_deep)
{
    struct oro_error err = {0}, along = {0};
    struct oro_carving_scratch room = {0};
    struct oro_routing routing;
    float z[25] = {0}, out[25];
    z[12] = -FLT_MAX;
    struct oro_ground ground = {.width = 5, .height = 5, .z = z};
    assert_true(oro_route(&ground, &routing, &along));
    assert_false(oro_breach(&ground, &routing, &(struct oro_breaching){0}, out, &along));
    assert_false(oro_carve(&ground, &room, out, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
    assert_string_equal(err.text, along.text);
    oro_routing_free(&routing);
    oro_carving_scratch_free(&room);
}

TEST(not_finite)
{
    struct oro_error err = {0};
    struct oro_carving_scratch room = {0};
    float z[25] = {0}, out[25];
    z[13] = NAN;
    struct oro_ground ground = {.width = 5, .height = 5, .z = z};
    assert_false(oro_carve(&ground, &room, out, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
    oro_carving_scratch_free(&room);
}

TEST(out_of_memory)
{
    struct site site = make_site(&terrains[0], 50, 60, OPEN);
    float *out = room_for(site.cells, sizeof *out);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        struct oro_error err = {0};
        struct oro_carving_scratch room = {0};
        assert_true(n < 10000);
        oro_memory_fail_at(n);
        done = oro_carve(&site.ground, &room, out, &err);
        oro_memory_fail_at(0);
        assert_true(done || err.code == ORO_E_MEMORY);
        oro_carving_scratch_free(&room);
    }
    free(out);
    free_site(&site);
}

static bool stops(void *user)
{
    int *left = user;
    return (*left)-- == 0;
}

TEST(stop)
{
    struct site site = make_site(&terrains[0], 120, 120, OPEN);
    float *out = room_for(site.cells, sizeof *out);
    struct oro_carving_scratch room = {0};
    struct oro_error err = {0};
    int left = 0, asked = 0;
    site.ground.stop = stops;
    site.ground.user = &left;
    while (!oro_carve(&site.ground, &room, out, &err)) {
        assert_int_equal(err.code, ORO_E_CANCELLED);
        left = ++asked;
    }
    assert_true(asked > 1);
    oro_carving_scratch_free(&room);
    free(out);
    free_site(&site);
}
