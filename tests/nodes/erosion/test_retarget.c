/* Retarget: places, the correction by its equation, and cells that it must leave alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { CELL = 20 };

/* A terrain and what it was before, with places marked in one of several ways. */
struct scene {
    int width, height, cells;
    struct site site;
    float *terrain, *reference, *marks;
};

enum marks { MARK_MANY, MARK_FEW, MARK_ONE, MARK_TWO, MARK_LINE, MARK_RING, MARK_BLOCK, MARK_PAIRS, MARKS };

static bool is_marked(const struct scene *s, enum marks marks, int x, int y)
{
    int middle = s->width * (s->height / 2) + s->width / 3, i = s->width * y + x;
    double radius = hypot(x - 0.5 * s->width, y - 0.5 * s->height), side = fmin(s->width, s->height);
    switch (marks) {
    case MARK_MANY:
        return i == middle || site_random(8, i) < 0.3;
    case MARK_FEW:
        return i == middle || site_random(9, i) < 0.02;
    case MARK_ONE:
        return i == middle;
    case MARK_TWO:
        return i == middle || i == 0;
    case MARK_LINE:
        return i == middle || 2 * x == 3 * y || y == s->height / 5;
    case MARK_RING:
        return i == middle || fabs(radius - side / 3) < 0.6;
    case MARK_BLOCK:
        return i == middle || (x < s->width / 3 && y < s->height / 4);
    default:
        return i == middle || ((x % 13 == 4 || x % 13 == 5) && y % 11 == 3);
    }
}

static struct scene scene_start(int width, int height, enum marks marks)
{
    struct scene s = {.width = width, .height = height, .cells = width * height};
    s.site = site_start(&h, width, height, CELL);
    s.terrain = site_rough(width, height, 16, 600, 0, 5);
    s.reference = site_rough(width, height, 24, 700, 50, 11);
    s.marks = site_uniform(width, height, 0);
    for (int i = 0; i < s.cells; i++)
        s.marks[i] = is_marked(&s, marks, i % width, i / width) ? 1 : 0;
    site_raster(&s.site, "ground", s.terrain);
    site_raster(&s.site, "before", s.reference);
    site_raster(&s.site, "marks", s.marks);
    return s;
}

static void scene_end(struct scene *s)
{
    oro_free(s->terrain);
    oro_free(s->reference);
    oro_free(s->marks);
}

#define GROUND LINK("terrain", "ground.terrain")
#define BEFORE LINK("reference", "before.terrain")
#define BY_FIELD IN("method", "field") LINK("constraints", "marks.terrain")

/* ---- The correction ---- */

struct range {
    double low, high;
};

static struct range range_of_corrections(const struct scene *s, double reach)
{
    struct range range = {reach > 0 ? 0 : INFINITY, reach > 0 ? 0 : -INFINITY};
    for (int i = 0; i < s->cells; i++)
        if (s->marks[i] > 0.5f) {
            range.low = fmin(range.low, (double)(s->reference[i] - s->terrain[i]));
            range.high = fmax(range.high, (double)(s->reference[i] - s->terrain[i]));
        }
    return range;
}

/* Places get exactly what was asked for; the correction never leaves the range of what places got. Elsewhere
 * lap E = E / reach^2, and no correction comes over the border: returns by how much not. */
static double residual(int width, int height, enum marks marks, double reach)
{
    struct scene s = scene_start(width, height, marks);
    site_node(&s.site, "n", "retarget", GROUND BEFORE BY_FIELD IN("reach", "%g"), reach);
    float *correction = site_take(&s.site, "n", "correction"), *after = site_take(&s.site, "n", "terrain");
    float *places = site_take(&s.site, "n", "constraints");
    struct range range = range_of_corrections(&s, reach);
    double most = 0;
    for (int i = 0; i < s.cells; i++) {
        int x = i % width, y = i / width;
        double e = (double)correction[i], sum = reach > 0 ? -e * CELL * CELL / (reach * reach) : 0;
        sum += x > 0 ? (double)correction[i - 1] - e : 0;
        sum += x < width - 1 ? (double)correction[i + 1] - e : 0;
        sum += y > 0 ? (double)correction[i - width] - e : 0;
        sum += y < height - 1 ? (double)correction[i + width] - e : 0;
        most = places[i] > 0 ? most : fmax(most, fabs(sum));
        assert_true(e >= range.low - 1e-3 && e <= range.high + 1e-3);
        assert_true(places[i] == s.marks[i]);
        assert_true(after[i] == (places[i] > 0 ? s.reference[i] : s.terrain[i] + correction[i]));
    }
    assert_true(harness_figure(&h, "n", "constraints") == site_sum(s.marks, s.cells));
    assert_string_equal(h.warnings, "");
    oro_free(correction);
    oro_free(after);
    oro_free(places);
    scene_end(&s);
    return most;
}

TEST(the_correction_is_smooth)
{
    need_device();
    static const int sizes[][2] = {{80, 80}, {65, 33}, {47, 70}, {40, 3}, {1, 50}, {61, 1}, {2, 2}, {1, 1}};
    static const double reaches[] = {0, 100, 1000};
    double most = 0;
    for (int size = 0; size < 8; size++)
        for (int marks = size > 1 ? size % 2 : 0; marks<MARKS; marks += size> 1 ? 2 : 1) {
            double reach = reaches[(size + marks) % 3];
            double error = residual(sizes[size][0], sizes[size][1], (enum marks)marks, reach);
            if (error > 5e-4)
                fail_msg("%d x %d, marks %d, reach %g: wrong by %g m", sizes[size][0], sizes[size][1], marks,
                         reach, error);
            most = fmax(most, error);
        }
    print_message("largest residual: %.2g m\n", most);
}

/* A wave along one axis that fades along the other, cos(a (y + 1/2)) cosh(b x), solves the equation of
 * differences where 2 cosh b - 2 = 2 - 2 cos a + (cell / reach)^2; it comes over no border to the north or
 * south. Held in the first and the last column, it is the correction everywhere. */
static void check_wave(int width, int height, int waves, double reach, bool turned, enum marks marks)
{
    struct scene s = turned ? scene_start(height, width, marks) : scene_start(width, height, marks);
    double a = acos(-1) * waves / height, ratio = reach > 0 ? CELL / reach : 0;
    double b = acosh(2 - cos(a) + ratio * ratio / 2);
    for (int i = 0; i < s.cells; i++) {
        int x = turned ? i / height : i % width, y = turned ? i % height : i / width;
        double wave = cos(a * (y + 0.5)) * cosh(b * (x - width / 3)) / cosh(b * (width - 1 - width / 3));
        s.reference[i] = (float)((double)s.terrain[i] + 300 * wave);
        s.marks[i] = x == 0 || x == width - 1 ? 1 : s.marks[i];
    }
    site_raster(&s.site, "wave", s.reference);
    site_raster(&s.site, "held", s.marks);
    site_node(&s.site, "n", "retarget",
              GROUND LINK("reference", "wave.terrain") LINK("constraints", "held.terrain")
                  IN("method", "field") IN("reach", "%g"),
              reach);
    float *after = site_take(&s.site, "n", "terrain");
    double error = site_difference(after, s.reference, s.cells);
    if (error > 2e-3)
        fail_msg("%d x %d, %d waves, reach %g: wrong by %g m", width, height, waves, reach, error);
    oro_free(after);
    scene_end(&s);
}

TEST(waves_are_found_again)
{
    need_device();
    for (int turned = 0; turned < 2; turned++) {
        check_wave(64, 64, 1, 0, turned, MARK_ONE);
        check_wave(49, 70, 3, 0, turned, MARK_FEW);
        check_wave(49, 70, 2, 300, turned, MARK_LINE);
        check_wave(80, 33, 0, 400, turned, MARK_ONE);
        check_wave(80, 33, 0, 1e5, turned, MARK_RING);
        check_wave(60, 1, 0, 200, turned, MARK_ONE);
        check_wave(3, 40, 1, 0, turned, MARK_TWO);
    }
}

/* One place lifts everything, without a reach. */
TEST(one_place_moves_the_whole_terrain)
{
    need_device();
    struct scene s = scene_start(50, 41, MARK_ONE);
    site_node(&s.site, "n", "retarget", GROUND BEFORE BY_FIELD);
    float *correction = site_take(&s.site, "n", "correction");
    int i = 50 * 20 + 16;
    for (int k = 0; k < s.cells; k++)
        assert_near(correction[k], s.reference[i] - s.terrain[i], 1e-3);
    oro_free(correction);
    scene_end(&s);
}

TEST(reach_fades_out)
{
    need_device();
    struct scene s = scene_start(80, 80, MARK_ONE);
    site_node(&s.site, "n", "retarget", GROUND BEFORE BY_FIELD IN("reach", "60"));
    float *correction = site_take(&s.site, "n", "correction");
    assert_true(fabsf(correction[0]) < 1e-3f);
    assert_true(fabsf(correction[80 * 40 + 26]) > 10);
    oro_free(correction);
    scene_end(&s);
}

/* A finer tolerance costs cycles, and one that floats cannot hold is owned up to. */
TEST(tolerance_is_kept_or_owned_up_to)
{
    need_device();
    struct scene s = scene_start(64, 64, MARK_FEW);
    site_node(&s.site, "loose", "retarget", GROUND BEFORE BY_FIELD IN("tolerance", "0.1"));
    site_node(&s.site, "tight", "retarget", GROUND BEFORE BY_FIELD IN("tolerance", "0.00001"));
    oro_free(site_take(&s.site, "loose", "terrain"));
    double cycles = harness_figure(&h, "loose", "cycles");
    assert_true(harness_figure(&h, "loose", "last_change") <= 0.1);
    assert_string_equal(h.warnings, "");
    oro_free(site_take(&s.site, "tight", "terrain"));
    assert_true(harness_figure(&h, "tight", "cycles") > cycles);
    assert_true(harness_figure(&h, "tight", "last_change") < 1e-3);
    assert_true((harness_figure(&h, "tight", "last_change") > 1e-5) ==
                (strstr(h.warnings, "32 bits") != NULL));
    scene_end(&s);
}

TEST(huge_heights_stay_finite)
{
    need_device();
    struct scene s = scene_start(40, 33, MARK_FEW);
    for (int i = 0; i < s.cells; i++)
        s.terrain[i] = i % 2 ? 9e8f : -9e8f;
    site_raster(&s.site, "huge", s.terrain);
    site_node(&s.site, "n", "retarget", LINK("terrain", "huge.terrain") BEFORE BY_FIELD);
    float *after = site_take(&s.site, "n", "terrain"); /* looks whether all is finite */
    for (int i = 0; i < s.cells; i++)
        assert_true(s.marks[i] < 0.5f || after[i] == s.reference[i]);
    oro_free(after);
    scene_end(&s);
}

TEST(mask_holds_the_terrain)
{
    need_device();
    struct scene s = scene_start(40, 33, MARK_FEW);
    float *mask = site_uniform(40, 33, 0);
    for (int i = 0; i < s.cells; i++)
        mask[i] = i % 40 < 10 ? 0 : i % 40 < 20 ? 0.5f : 1;
    site_raster(&s.site, "mask", mask);
    site_node(&s.site, "n", "retarget", GROUND BEFORE BY_FIELD LINK("mask", "mask.terrain"));
    site_node(&s.site, "all", "retarget", GROUND BEFORE BY_FIELD);
    float *part = site_take(&s.site, "n", "terrain"), *all = site_take(&s.site, "all", "terrain");
    for (int i = 0; i < s.cells; i++)
        if (mask[i] == 0 || mask[i] == 1)
            assert_true(part[i] == (mask[i] == 0 ? s.terrain[i] : all[i]));
        else
            assert_near(part[i], 0.5f * (s.terrain[i] + all[i]), 1e-3);
    oro_free(part);
    oro_free(all);
    oro_free(mask);
    scene_end(&s);
}

TEST(runs_repeat)
{
    need_device();
    struct scene s = scene_start(96, 75, MARK_FEW);
    site_node(&s.site, "n", "retarget", GROUND BEFORE);
    float *first = site_take(&s.site, "n", "terrain");
    struct oro_cache *cache = h.cache;
    h.cache = NULL;
    float *second = site_take(&s.site, "n", "terrain");
    h.cache = cache;
    assert_memory_equal(first, second, (size_t)s.cells * sizeof *first);
    oro_free(first);
    oro_free(second);
    scene_end(&s);
}

/* ---- Places ---- */

/* Ridges are where the settled drainage area is below the limit. Few steps of drainage find them all; what
 * they take for one besides is little. */
static void check_ridges(int width, int height, const char *inputs, double limit)
{
    struct scene s = scene_start(width, height, MARK_FEW);
    site_node(&s.site, "water", "drainage", GROUND IN("iterations", "60"));
    float *area = site_take(&s.site, "water", "drainage");
    site_node(&s.site, "n", "retarget", GROUND BEFORE IN("peak_radius", "0") "%s", inputs);
    float *places = site_take(&s.site, "n", "constraints");
    int ridges = 0, surplus = 0;
    for (int i = 0; i < s.cells; i++) {
        ridges += places[i] > 0;
        surplus += places[i] > 0 && (double)area[i] > 1.001 * limit;
        assert_true(places[i] > 0 || (double)area[i] > 0.999 * limit);
    }
    print_message("%d ridge cells of %d, %d of them by steps left out\n", ridges, s.cells, surplus);
    assert_true(ridges > 0 && ridges < s.cells && surplus * 200 <= ridges);
    oro_free(area);
    oro_free(places);
    scene_end(&s);
}

TEST(ridges_drain_little)
{
    need_device();
    check_ridges(70, 45, "", 2 * CELL * CELL);
    check_ridges(70, 45, IN("ridge_area", "4000"), 4000);
    check_ridges(1, 50, "", 2 * CELL * CELL);
}

TEST(ridges_follow_a_given_drainage)
{
    need_device();
    struct scene s = scene_start(30, 20, MARK_FEW);
    float *area = site_scatter(30, 20, 0, 2000, 3), *limit = site_scatter(30, 20, 100, 1500, 4);
    site_raster(&s.site, "area", area);
    site_raster(&s.site, "limit", limit);
    site_node(&s.site, "n", "retarget",
              GROUND BEFORE LINK("drainage", "area.terrain") LINK("ridge_area", "limit.terrain")
                  IN("peak_radius", "0"));
    float *places = site_take(&s.site, "n", "constraints");
    for (int i = 0; i < s.cells; i++)
        assert_true((places[i] > 0) == (area[i] < limit[i]));
    oro_free(area);
    oro_free(limit);
    oro_free(places);
    scene_end(&s);
}

/* No cell is higher up to `radius` cells away along either axis, and none as high comes first. */
static bool is_peak(const struct scene *s, int radius, int cell)
{
    for (int i = 0; i < s->cells; i++)
        if (abs(i % s->width - cell % s->width) <= radius && abs(i / s->width - cell / s->width) <= radius &&
            (s->reference[i] > s->reference[cell] || (i < cell && s->reference[i] == s->reference[cell])))
            return false;
    return true;
}

/* Against a search of every window. The reference has plateaus, at the edge and inside. */
TEST(peaks_are_the_highest_around)
{
    need_device();
    static const int sizes[][2] = {{53, 38}, {1, 40}, {64, 1}, {1, 1}};
    static const int radii[] = {1, 3, 5, 13, 500};
    for (int size = 0; size < 4; size++)
        for (int i = 0; i < 5; i++) {
            struct scene s = scene_start(sizes[size][0], sizes[size][1], MARK_ONE);
            for (int k = 0; k < s.cells; k++)
                s.reference[k] = 40 * floorf(s.reference[k] / 40);
            site_raster(&s.site, "steps", s.reference);
            site_node(&s.site, "n", "retarget",
                      GROUND LINK("reference", "steps.terrain") IN("method", "peaks") IN("peak_radius", "%d"),
                      radii[i] * CELL);
            float *places = site_take(&s.site, "n", "constraints");
            for (int k = 0; k < s.cells; k++)
                assert_true(places[k] == (is_peak(&s, radii[i], k) ? 1 : 0));
            oro_free(places);
            scene_end(&s);
        }
}

/* Whatever the method, peaks come with ridges, and points with all. */
TEST(places_add_up)
{
    need_device();
    struct scene s = scene_start(60, 48, MARK_FEW);
    site_node(&s.site, "ridges", "retarget", GROUND BEFORE IN("peak_radius", "0"));
    site_node(&s.site, "peaks", "retarget", GROUND BEFORE IN("method", "peaks") IN("peak_radius", "100"));
    site_node(&s.site, "all", "retarget", GROUND BEFORE IN("peak_radius", "100") IN("points", "601 2 99"));
    float *ridges = site_take(&s.site, "ridges", "constraints");
    float *peaks = site_take(&s.site, "peaks", "constraints");
    float *all = site_take(&s.site, "all", "constraints"), *after = site_take(&s.site, "all", "terrain");
    for (int i = 0; i < s.cells; i++)
        assert_true(all[i] == (i == 30 || ridges[i] > 0 || peaks[i] > 0 ? 1 : 0));
    assert_true(after[30] == 99);
    oro_free(ridges);
    oro_free(peaks);
    oro_free(all);
    oro_free(after);
    scene_end(&s);
}

TEST(points_get_their_elevation)
{
    need_device();
    struct scene s = scene_start(50, 30, MARK_ONE);
    site_node(&s.site, "n", "retarget",
              GROUND IN("method", "points") IN("points", " 0 0 -12.5; 1000 600 1e3;\n505.5 219.9 333.25;"
                                                         "505 205 333.25;"));
    float *after = site_take(&s.site, "n", "terrain"), *places = site_take(&s.site, "n", "constraints");
    assert_true(after[0] == -12.5f && after[50 * 30 - 1] == 1000 && after[50 * 10 + 25] == 333.25f);
    assert_true(site_sum(places, s.cells) == 3);
    oro_free(after);
    oro_free(places);
    scene_end(&s);
}

TEST(without_places_nothing_changes)
{
    need_device();
    static const char *const inputs[] = {
        IN("method", "points"), BEFORE IN("method", "peaks") IN("peak_radius", "0"),
        BEFORE IN("method", "field") IN("reach", "50") LINK("constraints", "none.terrain")};
    for (int i = 0; i < 3; i++) {
        struct scene s = scene_start(31, 22, MARK_ONE);
        float *none = site_uniform(31, 22, 0.5);
        site_raster(&s.site, "none", none);
        site_node(&s.site, "n", "retarget", GROUND "%s", inputs[i]);
        float *after = site_take(&s.site, "n", "terrain");
        assert_memory_equal(after, s.terrain, (size_t)s.cells * sizeof *after);
        assert_non_null(strstr(h.warnings, "no places to correct"));
        oro_free(none);
        oro_free(after);
        scene_end(&s);
    }
}

TEST(everything_may_be_a_place)
{
    need_device();
    struct scene s = scene_start(37, 41, MARK_ONE);
    site_node(&s.site, "n", "retarget", GROUND BEFORE IN("ridge_area", "1e12"));
    float *after = site_take(&s.site, "n", "terrain");
    assert_memory_equal(after, s.reference, (size_t)s.cells * sizeof *after);
    oro_free(after);
    scene_end(&s);
}

/* ---- Where it is used ---- */

/* The details of `terrain`: its heights less the mean of the cells up to `radius` away. */
static float *high_pass(const float *terrain, int side, int radius)
{
    float *detail = site_uniform(side, side, 0);
    for (int y = radius; y < side - radius; y++)
        for (int x = radius; x < side - radius; x++) {
            double sum = 0;
            for (int j = -radius; j <= radius; j++)
                for (int i = -radius; i <= radius; i++)
                    sum += (double)terrain[side * (y + j) + x + i];
            double mean = sum / ((2 * radius + 1) * (2 * radius + 1));
            detail[side * y + x] = (float)((double)terrain[side * y + x] - mean);
        }
    return detail;
}

/* Over cells that are no places. */
static double correlation(const float *a, const float *b, const float *places, int cells)
{
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < cells; i++)
        if (places[i] == 0) {
            ab += (double)a[i] * (double)b[i];
            aa += (double)a[i] * (double)a[i];
            bb += (double)b[i] * (double)b[i];
        }
    return ab / sqrt(aa * bb);
}

/* A sketch of 64 cells amplified to 128, and brought back: what an artist does. `inputs` chooses the places.
 */
static void check_detail(const char *inputs)
{
    enum { SIDE = 128 };
    struct site site = site_start(&h, 64, 64, 60);
    float *sketch = site_rough(64, 64, 20, 1500, 0, 21);
    site_raster(&site, "sketch", sketch);
    site_node(&site, "l1", "amplify",
              LINK("terrain", "sketch.terrain") IN("iterations", "150") IN("thermal_iterations", "40")
                  IN("deposition_iterations", "40"));
    site_node(&site, "fine", "upsample", LINK("terrain", "sketch.terrain"));
    site_node(&site, "n", "retarget", LINK("terrain", "l1.terrain") LINK("reference", "sketch.terrain") "%s",
              inputs);
    float *before = site_take(&site, "l1", "terrain"), *after = site_take(&site, "n", "terrain");
    float *places = site_take(&site, "n", "constraints"), *fine = site_take(&site, "fine", "terrain");
    float *detail = high_pass(before, SIDE, 4), *kept = high_pass(after, SIDE, 4);
    double r = correlation(detail, kept, places, SIDE * SIDE), most = 0, lowered = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        if (places[i] > 0) {
            most = fmax(most, fabs((double)after[i] - (double)fine[i]));
            lowered = fmax(lowered, fabs((double)before[i] - (double)fine[i]));
        }
    print_message("%g places of %d, moved by up to %.3g m, met to %.2g m; correlation of detail %.4f\n",
                  site_sum(places, SIDE * SIDE), SIDE * SIDE, lowered, most, r);
    assert_true(lowered > 1);
    assert_true(most <= 1e-3); /* the reference comes by the same bicubic as an upsample makes */
    assert_true(r >= 0.95);
    float *rasters[] = {sketch, before, after, places, fine, detail, kept};
    for (int i = 0; i < 7; i++)
        oro_free(rasters[i]);
}

TEST(detail_is_kept)
{
    need_device();
    check_detail(LINK("drainage", "l1.drainage"));
    check_detail("");
    check_detail(IN("method", "peaks") IN("peak_radius", "300"));
}

/* Places in a reference of any other resolution, finer ones too. */
TEST(reference_may_be_of_another_size)
{
    need_device();
    static const int sizes[][2] = {{16, 12}, {120, 90}, {40, 30}, {7, 5}, {1, 1}};
    for (int i = 0; i < 5; i++) {
        struct scene s = scene_start(40, 30, MARK_FEW);
        float *other = site_uniform(sizes[i][0], sizes[i][1], 1234.5);
        char path[128];
        harness_store(&h, "other.pfm", sizes[i][0], sizes[i][1], other, path);
        site_node(&s.site, "other", "import", IN("file", "%s") IN("size", "file"), path);
        site_node(&s.site, "n", "retarget", GROUND LINK("reference", "other.terrain") BY_FIELD);
        float *after = site_take(&s.site, "n", "terrain");
        for (int k = 0; k < s.cells; k++)
            assert_true(s.marks[k] < 0.5f || fabsf(after[k] - 1234.5f) < 1e-3f);
        oro_free(other);
        oro_free(after);
        scene_end(&s);
    }
}

/* ---- Mistakes ---- */

static bool try_it(struct site *site)
{
    static char text[SITE_TEXT_MAX + 512];
    struct harness_raster raster = {0};
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"%.17g\" resolution=\"16\"", "%s"),
             site->cell * site->width, site->nodes);
    bool ok = harness_try(&h, text, "n", "terrain", &raster);
    harness_free(&raster);
    return ok;
}

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\">" inputs "</node>\n"
#define BIG NODE("big", "constant", IN("value", "1e9"))
#define MOST NODE("most", "combine", LINK("a", "big.field") IN("b", "3e29") IN("method", "multiply"))
#define INF NODE("inf", "combine", LINK("a", "big.field") IN("b", "3e38") IN("method", "multiply"))
#define NAN_ NODE("nan", "combine", LINK("a", "inf.field") LINK("b", "inf.field") IN("method", "subtract"))

/* Nodes upstream may make values that are no heights. A message that there are no places would mislead. */
TEST(heights_that_are_none_are_named)
{
    need_device();
    static const char *const inputs[] = {
        LINK("terrain", "nan.field") LINK("reference", "big.field"),
        LINK("terrain", "big.field") LINK("reference", "nan.field"),
        LINK("terrain", "inf.field") LINK("reference", "inf.field") IN("method", "peaks"),
        LINK("terrain", "big.field") LINK("reference", "most.field"),
        LINK("terrain", "most.field") IN("method", "points") IN("points", "5 5 3"),
    };
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        char text[2048];
        struct harness_raster raster = {0};
        snprintf(text, sizeof text,
                 HARNESS_DOCUMENT("extent=\"160\" resolution=\"16\"",
                                  BIG MOST INF NAN_ NODE("n", "retarget", "%s")),
                 inputs[i]);
        assert_false(harness_try(&h, text, "n", "terrain", &raster));
        if (!strstr(h.err.text, "no height can be corrected: at cell 0, 0"))
            fail_msg("%zu: %s", i, h.err.text);
        assert_string_equal(h.warnings, "");
    }
}

TEST(mistakes_are_named)
{
    need_device();
    static const struct {
        const char *inputs, *words;
    } cases[] = {
        {"", "link 'reference'"},
        {IN("method", "peaks"), "link 'reference'"},
        {BEFORE IN("method", "field"), "link a field there"},
        {LINK("constraints", "marks.terrain") IN("method", "field"), "link 'reference'"},
        {IN("method", "points") IN("points", "1 2"), "point 1 has 2 numbers"},
        {IN("method", "points") IN("points", "1 2 3; 4"), "point 2 has 1 number;"},
        {IN("method", "points") IN("points", "1 2 3; 4 5 6 7"), "point 2 has 4 numbers"},
        {IN("method", "points") IN("points", "1 2 3;; 4 5 6"), "point 2 has 0 numbers"},
        {IN("method", "points") IN("points", "1 2 3; 4 5,5 6"), "point 2: '5,5' is not a number"},
        {IN("method", "points") IN("points", "1 2 nan"), "point 1: 'nan' is not a number"},
        {IN("method", "points") IN("points", "1 2 0.00000000000000000000000000000000000000000000001"), "..."},
        {IN("method", "points") IN("points", "1 2 3000000"),
         "point 1: the elevation 3e+06 is not within -1e+06 to 1e+06"},
        {IN("method", "points") IN("points", "1 2 3; -1 5 6"), "point 2 lies at -1 5, outside the terrain"},
        {IN("method", "points") IN("points", "1 440.1 3"),
         "outside the terrain, which is 0 to 620 and 0 to 440"},
        {IN("method", "points") IN("points", "1 2 3; 50 50 6; 19 19 4"),
         "points 1 and 3 lie in the same cell"},
        {BEFORE IN("points", "1 2 x"), "point 1: 'x' is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene s = scene_start(31, 22, MARK_ONE);
        site_node(&s.site, "n", "retarget", GROUND "%s", cases[i].inputs);
        if (try_it(&s.site))
            fail_msg("no error: %s", cases[i].inputs);
        if (!strstr(h.err.text, cases[i].words) || h.err.code != ORO_E_DOCUMENT || strchr(h.err.text, '\n'))
            fail_msg("'%s' does not say '%s'", h.err.text, cases[i].words);
        scene_end(&s);
    }
}

/* "x y 7; ..." for every cell's centre of the first `count`. */
static void write_points(char *text, size_t size, int width, int count)
{
    size_t used = 0;
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%d %d 7;", i % width * 2 + 1, i / width * 2 + 1);
    assert_true(used < size);
}

TEST(points_have_a_limit)
{
    need_device();
    static char points[64000], text[65000];
    for (int surplus = 0; surplus < 2; surplus++) {
        write_points(points, sizeof points, 100, 4096 + surplus);
        snprintf(
            text, sizeof text,
            HARNESS_DOCUMENT("extent=\"200\" resolution=\"100\"",
                             "<node id=\"c\" type=\"constant\" x=\"0\" y=\"0\"/>\n"
                             "<node id=\"n\" type=\"retarget\" x=\"0\" y=\"0\">" LINK("terrain", "c.field")
                                 IN("method", "points") IN("points", "%s") "</node>\n"),
            points);
        struct harness_raster raster = {0};
        assert_true(harness_try(&h, text, "n", "terrain", &raster) == !surplus);
        assert_int_equal(h.err.code, surplus ? ORO_E_DOCUMENT : ORO_OK);
        if (surplus)
            assert_non_null(strstr(h.err.text, "more than 4096 points"));
        else
            for (int i = 0; i < 100 * 100; i++)
                assert_near(raster.data[i], 7, 1e-3);
        harness_free(&raster);
    }
}

/* In a preview, points that the build tells apart may share a cell: there the mean counts, and it says so. */
TEST(previews_let_points_share_a_cell)
{
    need_device();
    const char *document = HARNESS_DOCUMENT(
        "extent=\"160\" resolution=\"8\"",
        "<node id=\"c\" type=\"constant\" x=\"0\" y=\"0\"/>\n"
        "<node id=\"u\" type=\"upsample\" x=\"0\" y=\"0\">" LINK(
            "terrain",
            "c.field") "</node>\n"
                       "<node id=\"n\" type=\"retarget\" x=\"0\" y=\"0\">" LINK("terrain", "u.terrain")
                           IN("method", "points") IN("points", "5 5 100; 15 5 300; 145 145 50") "</node>\n");
    struct harness_raster build = harness_run(&h, document, "n", "terrain");
    assert_true(build.grid.width == 16 && build.data[0] == 100 && build.data[1] == 300);
    assert_string_equal(h.warnings, "");
    h.options.max_resolution = 8;
    struct harness_raster preview = harness_run(&h, document, "n", "terrain");
    h.options.max_resolution = 0;
    assert_true(preview.grid.width == 8 && preview.data[0] == 200 && preview.data[8 * 7 + 7] == 50);
    assert_non_null(strstr(h.warnings, "share 1 cell at this resolution"));
    harness_free(&build);
    harness_free(&preview);
}

TEST_GROUP(open_harness, close_harness);
