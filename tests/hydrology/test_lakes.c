/* Lakes: one level, a whole shore, a way out, and ground that drains around them. */
#include "tests/hydrology/terrains.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/hydrology/lakes.h"
#include "terrain/hydrology/metrics.h"

enum { WISHES_MAX = 64 };

static struct oro_lake_options usual(void)
{
    return (struct oro_lake_options){.cell = 10,
                                     .level = {.least = -1e6f, .most = 1e6f},
                                     .radius = {.value = 50, .most = 1e6f},
                                     .depth = {.value = 4, .most = 1e6f},
                                     .shore = {.value = 20, .most = 1e6f},
                                     .bank = {.value = 90, .most = 90},
                                     .mask = {.value = 1, .most = 1}};
}

static struct oro_lake_wish wish_at(size_t cell)
{
    return (struct oro_lake_wish){.cell = cell, .elevation = NAN};
}

/* ---- Laws of all lakes ---- */

static size_t neighbours(const struct oro_ground *g, size_t cell, size_t around[8])
{
    size_t count = 0, width = (size_t)g->width;
    for (int k = 0; k < 9; k++) {
        long x = (long)(cell % width) + k % 3 - 1, y = (long)(cell / width) + k / 3 - 1;
        if (k != 4 && x >= 0 && y >= 0 && x < g->width && y < g->height)
            around[count++] = (size_t)y * width + (size_t)x;
    }
    return count;
}

/* Lakes are whole, numbered by their first cells; the bed is nowhere above the water. */
static void check_lakes(const struct oro_ground *g, const struct oro_lakes_made *made)
{
    size_t cells = (size_t)g->width * (size_t)g->height, around[8];
    size_t *stack = room_for(cells, sizeof *stack);
    uint8_t *seen = oro_alloc(cells, 1);
    uint32_t found = 0;
    for (size_t i = 0; i < cells; i++) {
        uint32_t id = made->id[i];
        assert_true(id <= made->count);
        assert_true(id ? made->level[i] == made->lakes[id - 1].level && made->terrain[i] <= made->level[i]
                       : made->terrain[i] == made->level[i]);
        if (!id || seen[i])
            continue;
        assert_int_equal(id, ++found); /* a second piece would have a number already seen */
        assert_int_equal(made->lakes[id - 1].first, i);
        size_t depth = 0, size = 0;
        stack[depth++] = i;
        seen[i] = 1;
        while (depth) {
            size_t count = neighbours(g, stack[--depth], around);
            size++;
            for (size_t k = 0; k < count; k++) {
                assert_true(made->id[around[k]] == id || !made->id[around[k]]);
                if (made->id[around[k]] && !seen[around[k]]) {
                    seen[around[k]] = 1;
                    stack[depth++] = around[k];
                }
            }
        }
        assert_int_equal(size, made->lakes[id - 1].cells);
    }
    assert_int_equal(found, made->count);
    free(stack);
    oro_free(seen);
}

/* The shore is above the water but at the outlet; land falls to a neighbour, or is an outlet. */
static void check_land(const struct oro_ground *g, const struct oro_lakes_made *made)
{
    size_t around[8];
    for (size_t i = 0; i < (size_t)g->width * (size_t)g->height; i++) {
        if (made->id[i]) {
            assert_false(oro_ground_is_outlet(g, i));
            continue;
        }
        bool falls = oro_ground_is_outlet(g, i);
        size_t count = neighbours(g, i, around);
        for (size_t k = 0; k < count; k++) {
            uint32_t id = made->id[around[k]];
            falls = falls || made->level[around[k]] < made->level[i];
            if (id && made->lakes[id - 1].outlet != i && !(made->terrain[i] > made->level[around[k]]))
                fail_msg("cell %zu at %.9g is below its lake at %.9g", i, (double)made->terrain[i],
                         (double)made->level[around[k]]);
        }
        if (!falls)
            fail_msg("cell %zu at %.9g is a pit", i, (double)made->terrain[i]);
    }
}

/* From an outlet ever down, outside of the lake, to a lower lake, or out. */
static void check_way_out(const struct oro_ground *g, const struct oro_lakes_made *made, uint32_t id)
{
    const struct oro_lake *lake = &made->lakes[id - 1];
    size_t cell = lake->outlet, around[8], cells = (size_t)g->width * (size_t)g->height;
    assert_true(made->terrain[cell] <= lake->level && !made->id[cell]);
    assert_true(made->terrain[cell] == lake->outlet_elevation);
    bool shore = false;
    size_t count = neighbours(g, cell, around);
    for (size_t k = 0; k < count; k++)
        shore |= made->id[around[k]] == id;
    assert_true(shore);
    for (size_t length = 0; !oro_ground_is_outlet(g, cell); length++) {
        size_t next = cell;
        assert_true(length < cells);
        count = neighbours(g, cell, around);
        for (size_t k = 0; k < count; k++)
            if (made->id[around[k]] != id && made->level[around[k]] < made->level[next])
                next = around[k];
        if (next == cell)
            fail_msg("lake %u: its way ends in cell %zu", id, cell);
        cell = next;
        if (made->id[cell])
            break;
    }
    assert_true(!made->id[cell] || made->level[cell] < lake->level);
}

static void check_all(const struct oro_ground *g, const struct oro_lakes_made *made)
{
    struct oro_ground surface = *g;
    struct oro_certificate certificate;
    struct oro_error err;
    check_lakes(g, made);
    if (made->count == 0) {
        assert_memory_equal(made->terrain, g->z, (size_t)g->width * (size_t)g->height * sizeof *g->z);
        return;
    }
    check_land(g, made);
    for (uint32_t id = 1; id <= made->count; id++)
        check_way_out(g, made, id);
    surface.z = made->level;
    assert_true(oro_certify(&surface, &certificate, &err));
    assert_int_equal(certificate.depressions, 0);
    assert_int_equal(certificate.undrained, 0);
}

static struct oro_lakes_made make(const struct oro_ground *g, const struct oro_lake_options *options,
                                  struct oro_lake_wish *wishes, size_t count)
{
    struct oro_lakes_made made;
    struct oro_error err = {0};
    if (!oro_lakes_make(g, options, wishes, count, &made, &err))
        fail_msg("%s", err.text);
    check_all(g, &made);
    for (size_t i = 0; i < count; i++)
        assert_true((wishes[i].state == ORO_LAKE_MADE) == (wishes[i].lake > 0));
    return made;
}

/* ---- Any terrain, any wishes ---- */

struct tally {
    size_t lakes, hollows, merged, given_up, held;
};

static void try_wishes(const struct site *site, unsigned seed, struct tally *tally)
{
    struct oro_lake_wish wishes[WISHES_MAX];
    struct oro_lake_options options = usual();
    size_t count = seed % 4 == 3 ? WISHES_MAX : 5;
    for (size_t i = 0; i < count; i++) {
        float at = chance((uint32_t)(seed * 7919 + i * 31)), high = chance((uint32_t)(seed * 101 + i * 77));
        wishes[i] = wish_at((size_t)(at * (float)site->cells) % site->cells);
        if (seed % 5 == 4)
            wishes[i].elevation = site->z[wishes[i].cell] + 40 * (high - 0.5f);
    }
    options.level.value = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 6 : -6;
    options.radius.value = 10 + 90 * chance(seed);
    options.bank.value = seed % 2 ? 30 : 90;
    options.area_most = seed % 6 == 5 ? 3000 : 0;
    options.where = seed % 7 == 6 ? site->rain : NULL;
    struct oro_lakes_made made = make(&site->ground, &options, wishes, count);
    tally->lakes += made.count;
    tally->given_up += made.given_up;
    for (uint32_t i = 0; i < made.count; i++) {
        tally->hollows += made.lakes[i].hollow;
        tally->merged += made.lakes[i].bodies > 1;
    }
    for (size_t i = 0; i < count; i++) {
        tally->given_up += wishes[i].state == ORO_LAKE_NO_WAY_OUT;
        tally->held += wishes[i].held;
    }
    oro_lakes_made_free(&made);
}

/* The laws hold for any wishes, and every kind of outcome occurs. */
TEST(lakes_are_consistent)
{
    struct tally tally = {0};
    for (int t = 0; t < TERRAINS; t++)
        for (int borders = 0; borders < BORDERS; borders++) {
            if (strcmp(terrains[t].name, "huge") == 0)
                continue;
            struct site site = make_site(&terrains[t], 61, 47, (enum borders)borders);
            for (unsigned seed = 0; seed < 42; seed++)
                try_wishes(&site, seed, &tally);
            free_site(&site);
        }
    print_message("%zu lakes, %zu in hollows, %zu merged, %zu given up, %zu held\n", tally.lakes,
                  tally.hollows, tally.merged, tally.given_up, tally.held);
    assert_true(tally.lakes > 2000 && tally.hollows > 500 && tally.merged > 200 && tally.given_up > 20 &&
                tally.held > 20);
}

/* ---- One lake ---- */

enum { SIDE = 60, CELLS = SIDE * SIDE };

/* A slope to the west with a round hollow, whose rim is lowest in the west. */
static float bowl_at(int x, int y)
{
    float away = hypotf((float)x - 30, (float)y - 30), slope = 200 + 0.5f * (float)x;
    return away < 12 ? slope - 2 * (12 - away) : slope;
}

static struct site site_of(float (*at)(int x, int y))
{
    return make_site(&(struct terrain){"", at}, SIDE, SIDE, OPEN);
}

static float flood_level(const struct oro_ground *g, size_t cell)
{
    struct oro_routing routing;
    struct oro_error err;
    float *level = room_for(CELLS, sizeof *level);
    assert_true(oro_route(g, &routing, &err));
    oro_flood_levels(g, &routing, level);
    oro_routing_free(&routing);
    float result = level[cell];
    free(level);
    return result;
}

/* What is lower than the spill is under water, and nothing else: exactly the depression. */
TEST(a_hollow_fills_up_to_its_spill)
{
    struct site site = site_of(bowl_at);
    struct oro_lake_options options = usual();
    options.depth.value = 0;
    struct oro_lake_wish wish = wish_at(22 * SIDE + 35); /* on its side */
    float spill = flood_level(&site.ground, 30 * SIDE + 30);
    struct oro_lakes_made made = make(&site.ground, &options, &wish, 1);
    assert_int_equal(made.count, 1);
    assert_true(made.lakes[0].level == spill && made.lakes[0].hollow && !wish.held);
    for (int i = 0; i < CELLS; i++) {
        bool inside = hypotf((float)(i % SIDE) - 30, (float)(i / SIDE) - 30) < 12;
        assert_int_equal(made.id[i] != 0, inside && site.z[i] < spill);
        /* A shore cell at the very level of the water is raised by a step. */
        assert_true(fabsf(made.terrain[i] - site.z[i]) < 1e-4f);
    }
    assert_true(made.lakes[0].outlet_elevation == spill);
    oro_lakes_made_free(&made);
    free_site(&site);
}

/* The lake is drawn down and its outlet cut; or dammed, and stands higher than the hollow's rim. */
TEST(levels_are_raised_and_lowered)
{
    struct site site = site_of(bowl_at);
    float spill = flood_level(&site.ground, 30 * SIDE + 30);
    size_t natural = 0;
    for (int i = 0; i < 5; i++) {
        static const float levels[] = {0, -5, 3, NAN, NAN};
        struct oro_lake_options options = usual();
        struct oro_lake_wish wish = wish_at(30 * SIDE + 30);
        float level = i == 3 ? 197.25f : i == 4 ? 213.5f : spill + levels[i];
        options.level.value = isnan(levels[i]) ? 1 : levels[i]; /* an elevation overrules it */
        wish.elevation = i >= 3 ? level : NAN;
        struct oro_lakes_made made = make(&site.ground, &options, &wish, 1);
        assert_int_equal(made.count, 1);
        assert_true(made.lakes[0].level == level);
        natural = i ? natural : made.lakes[0].cells;
        assert_true(i == 0 || (level > spill) == (made.lakes[0].cells > natural));
        assert_true(made.lakes[0].cells < 2 * natural); /* the low ground beyond the dam stays dry */
        oro_lakes_made_free(&made);
    }
    free_site(&site);
}

TEST(area_most_keeps_lakes_small)
{
    struct site site = site_of(bowl_at);
    size_t before = 0;
    for (int most = 400; most >= 25; most /= 2) {
        struct oro_lake_options options = usual();
        struct oro_lake_wish wish = wish_at(30 * SIDE + 30);
        options.radius.value = 20;
        options.area_most = most * 100.0;
        struct oro_lakes_made made = make(&site.ground, &options, &wish, 1);
        assert_true(made.count == 1 && made.lakes[0].cells <= (size_t)most);
        assert_true(made.lakes[0].cells > (size_t)most / 2);
        assert_true(wish.held == (most < 300));
        assert_true(before == 0 || made.lakes[0].cells < before);
        before = made.lakes[0].cells;
        oro_lakes_made_free(&made);
    }
    free_site(&site);
}

static float slope_at(int x, int y)
{
    (void)y;
    return 100 + 0.1f * (float)x;
}

/* On even ground a round bed; it falls from the shore to its depth, and no further. */
TEST(beds_are_dug_where_there_is_no_hollow)
{
    struct site site = site_of(slope_at);
    struct oro_lake_options options = usual();
    struct oro_lake_wish wish = wish_at(30 * SIDE + 30);
    options.radius.value = 100;
    options.shore.value = 40;
    struct oro_lakes_made made = make(&site.ground, &options, &wish, 1);
    const struct oro_lake *lake = &made.lakes[0];
    assert_true(made.count == 1 && !lake->hollow && lake->level < 102.1f && lake->level > 101.8f);
    for (int i = 0; i < CELLS; i++) {
        float x = (float)(i % SIDE) - 30, y = (float)(i / SIDE) - 30, away = hypotf(x, y);
        float depth = made.level[i] - made.terrain[i];
        /* 0.1 m a cell, eightfold, of cells of 10 m: 0.08 cells up for each east. */
        assert_int_equal(made.id[i], hypotf(away, 0.08f * x) <= 10);
        assert_true(depth <= 4.0001f && (away > 5 || depth > 3.999f));
        assert_true(away < 9.5f || depth < 0.5f);
        int other = (60 - i / SIDE) * SIDE + i % SIDE; /* both shores are alike */
        assert_true(i < SIDE || depth == made.level[other] - made.terrain[other]);
    }
    assert_true(lake->outlet % SIDE == 19 || lake->outlet % SIDE == 20);
    oro_lakes_made_free(&made);
    free_site(&site);
}

static float wall_at(int x, int y)
{
    return slope_at(x, y) + (x > 34 ? 60.0f : 0.0f);
}

/* Cliffs at a shore are cut down to the steepest bank. */
TEST(banks_are_graded)
{
    struct site site = site_of(wall_at);
    float highest[2];
    for (int graded = 0; graded < 2; graded++) {
        struct oro_lake_options options = usual();
        struct oro_lake_wish wish = wish_at(30 * SIDE + 30);
        options.bank.value = graded ? 45 : 90;
        struct oro_lakes_made made = make(&site.ground, &options, &wish, 1);
        highest[graded] = made.terrain[30 * SIDE + 36] - made.lakes[0].level;
        assert_true(made.terrain[30 * SIDE + 50] == site.z[30 * SIDE + 50]);
        oro_lakes_made_free(&made);
    }
    assert_true(highest[0] > 60 && highest[1] > 5 && highest[1] < 25);
    free_site(&site);
}

/* Two hollows. */
static float holes_at(int x, int y)
{
    float z = 100 + 0.1f * (float)y;
    float first = hypotf((float)x - 30, (float)y - 20), second = hypotf((float)x - 30, (float)y - 38);
    return first < 8 ? z - 20 : second < 6 ? z - 20 : z;
}

TEST(the_nearest_hollow_is_taken)
{
    struct site site = site_of(holes_at);
    for (int y = 26; y <= 31; y++) {
        struct oro_lake_options options = usual();
        struct oro_lake_wish wish = wish_at((size_t)y * SIDE + 30);
        if (y == 30)
            continue; /* both are as near */
        options.radius.value = 70;
        struct oro_lakes_made made = make(&site.ground, &options, &wish, 1);
        assert_int_equal(made.count, 1);
        assert_int_equal(made.id[20 * SIDE + 30], y <= 29);
        assert_int_equal(made.id[38 * SIDE + 30], y > 29);
        oro_lakes_made_free(&made);
    }
    free_site(&site);
}

/* A broad hollow, whose rim is lowest towards a lake that stands higher than its floor. */
static float basin_at(int x, int y)
{
    bool lake = x > 14 && x < 24 && y > 24 && y<36, basin = x> 25 && x < 45 && y > 15 && y < 45;
    return lake                 ? 60.0f
           : basin              ? 75.0f
           : x == 24 || x == 25 ? 90 + (y == 30 ? -1.0f : 0.0f)
                                : 91 + 0.01f * (float)x;
}

/* Filling it would take most of the ground there is: a ditch around the lake takes less. */
TEST(broad_hollows_are_drained_around_lakes)
{
    struct site site = site_of(basin_at);
    struct oro_lake_options options = usual();
    struct oro_lake_wish wish = wish_at(30 * SIDE + 19);
    wish.elevation = 89;
    struct oro_lakes_made made = make(&site.ground, &options, &wish, 1);
    assert_int_equal(made.count, 1);
    assert_true(made.terrain[30 * SIDE + 35] < 75.1f && !made.id[30 * SIDE + 35]);
    oro_lakes_made_free(&made);
    free_site(&site);
}

/* ---- Several ---- */

TEST(pieces_of_a_mask_become_lakes)
{
    struct site site = site_of(slope_at);
    float *where = oro_alloc(CELLS, sizeof *where);
    struct oro_lake_options options = usual();
    for (int i = 0; i < CELLS; i++)
        where[i] = (i % SIDE < 20 && i / SIDE < 20) || (i % SIDE > 40 && i / SIDE > 40) ? 1.0f : 0.5f;
    options.where = where;
    struct oro_lake_wish wish = wish_at(50 * SIDE + 50);
    wish.elevation = 103;
    struct oro_lakes_made made = make(&site.ground, &options, &wish, 1);
    assert_int_equal(made.count, 2);
    assert_int_equal(made.lakes[0].cells, 19 * 19); /* the border stays dry */
    assert_int_equal(made.lakes[1].cells, 18 * 18);
    assert_true(made.lakes[0].level == 100 && made.lakes[1].level == 103 && wish.lake == 2);
    oro_lakes_made_free(&made);
    oro_free(where);
    free_site(&site);
}

TEST(lakes_that_touch_are_one)
{
    struct site site = site_of(slope_at);
    struct oro_lake_options options = usual();
    for (int apart = 8; apart <= 14; apart += 6) {
        struct oro_lake_wish wishes[] = {wish_at(30 * SIDE + 24), wish_at(30 * SIDE + 24 + (size_t)apart)};
        struct oro_lakes_made made = make(&site.ground, &options, wishes, 2);
        assert_int_equal(made.count, apart == 8 ? 1 : 2);
        assert_true((wishes[0].lake == wishes[1].lake) == (apart == 8));
        assert_true(made.lakes[0].level < 102 && made.lakes[0].bodies == (apart == 8 ? 2 : 1));
        assert_true(apart == 8 || made.lakes[1].level > made.lakes[0].level + 1);
        oro_lakes_made_free(&made);
    }
    free_site(&site);
}

/* A plain, on which no lake stands lower than another: each has its own way out. */
TEST(lakes_on_a_plain_pass_each_other)
{
    struct site site = site_of(flat_at);
    struct oro_lake_options options = usual();
    struct oro_lake_wish wishes[] = {wish_at(10 * SIDE + 30), wish_at(30 * SIDE + 12),
                                     wish_at(30 * SIDE + 30), wish_at(30 * SIDE + 48),
                                     wish_at(50 * SIDE + 30)};
    struct oro_lakes_made made = make(&site.ground, &options, wishes, 5);
    assert_int_equal(made.count, 5);
    oro_lakes_made_free(&made);
    free_site(&site);
}

TEST(lakes_without_room_or_a_way_out_are_told)
{
    struct site site = make_site(&(struct terrain){"", plane_at}, SIDE, SIDE, OPEN_AND_SEA);
    float *mask = oro_alloc(CELLS, sizeof *mask);
    size_t sea = 10 * SIDE + 10;
    while (site.sea[sea] <= 0.5f || sea % SIDE < 3 || sea % SIDE > SIDE - 3)
        sea++;
    for (int i = 0; i < CELLS; i++)
        mask[i] = i / SIDE > 50 ? 0 : 1;
    struct oro_lake_options options = usual();
    options.mask = (struct oro_lake_number){.map = mask, .most = 1};
    struct oro_lake_wish wishes[] = {wish_at(sea), wish_at(sea - 1), wish_at(5), wish_at(55 * SIDE + 30)};
    struct oro_lakes_made made = make(&site.ground, &options, wishes, 4);
    assert_int_equal(made.count, 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(wishes[i].state, ORO_LAKE_NO_ROOM);
    oro_lakes_made_free(&made);
    free_site(&site);

    /* Within a lake that is a ring, and stands higher. */
    site = site_of(flat_at);
    float *ring = oro_alloc(CELLS, sizeof *ring);
    for (int i = 0; i < CELLS; i++) {
        float away = hypotf((float)(i % SIDE) - 30, (float)(i / SIDE) - 30);
        ring[i] = away > 15 && away < 20;
    }
    options = usual();
    options.where = ring;
    struct oro_lake_wish inner[] = {wish_at(30 * SIDE + 30)};
    inner[0].elevation = 1;
    made = make(&site.ground, &options, inner, 1);
    assert_int_equal(made.count, 1);
    assert_int_equal(inner[0].state, ORO_LAKE_NO_WAY_OUT);
    oro_lakes_made_free(&made);
    oro_free(ring);
    oro_free(mask);
    free_site(&site);
}

TEST(memory_may_be_out)
{
    struct site site = site_of(basin_at);
    struct oro_lake_options options = usual();
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        struct oro_lake_wish wishes[] = {wish_at(30 * SIDE + 19), wish_at(50 * SIDE + 50)};
        struct oro_lakes_made made;
        struct oro_error err = {0};
        wishes[0].elevation = 89;
        oro_memory_fail_at(n);
        bool ok = oro_lakes_make(&site.ground, &options, wishes, 2, &made, &err);
        oro_memory_fail_at(0);
        if (ok) {
            oro_lakes_made_free(&made);
            break;
        }
        failures++;
        assert_int_equal(err.code, ORO_E_MEMORY);
        assert_true(!made.lakes && !made.terrain && !made.level && !made.id);
    }
    assert_true(failures > 20);
    free_site(&site);
}
