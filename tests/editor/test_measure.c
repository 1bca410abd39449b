/* Distances, slopes and profiles over a picture. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "editor/tools/measure.h"
#include "tests/support/test.h"

/* A plane that rises by `east` and `south` per metre, 40 x 30 cells of 10 m. */
static struct ed_picture *plane(double east, double south)
{
    struct ed_picture like = {
        .type = ORO_FIELD, .unit = ORO_METRE, .terrain = true, .grid = {40, 30, 10, 0, 0}, .channels = 1};
    float *data = oro_alloc(40 * 30, sizeof *data);
    assert_non_null(data);
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++)
            data[y * 40 + x] = (float)(100 + (x + 0.5) * 10 * east + (y + 0.5) * 10 * south);
    struct ed_picture *picture = ed_picture_create(&like, data, NULL);
    assert_non_null(picture);
    return picture;
}

static void near(double got, double wanted, double within)
{
    if (!(fabs(got - wanted) <= within))
        fail_msg("%g, not %g", got, wanted);
}

TEST(distances)
{
    struct ed_picture *picture = plane(0.5, 0);
    const double a[2] = {50, 100}, b[2] = {350, 100}, out[2] = {900, 100};
    struct ed_distance d = ed_distance_of(picture, a, b);
    assert_true(d.has_height);
    near(d.length, 300, 1e-9);
    near(d.rise, 150, 1e-3);
    near(d.slope, atan(0.5) * 180 / M_PI, 1e-3);
    near(d.over_ground, hypot(300, 150), 1e-2);
    near(ed_distance_of(picture, b, a).rise, -150, 1e-3);
    assert_false(ed_distance_of(picture, a, out).has_height);
    near(ed_distance_of(NULL, a, b).length, 300, 1e-9);
    assert_false(ed_distance_of(NULL, a, b).has_height);
    near(ed_distance_of(picture, a, a).slope, 0, 0);
    ed_picture_release(picture);
}

TEST(slopes)
{
    struct ed_picture *picture = plane(0.3, 0.4);
    near(ed_slope_at(picture, 200, 150), atan(0.5) * 180 / M_PI, 1e-3);
    assert_true(isnan(ed_slope_at(picture, -5, 150)));
    assert_true(isnan(ed_slope_at(NULL, 5, 5)));
    ed_picture_release(picture);
}

TEST(sections)
{
    static struct ed_section section;
    struct ed_picture *picture = plane(1, 0);
    const double bent[] = {55, 155, 255, 155, 255, 55}, same[] = {5, 5, 5, 5}, out[] = {200, 100, 600, 100};
    ed_section_of(picture, bent, 3, &section);
    assert_int_equal(section.count, ED_PROFILE_SAMPLES);
    near(section.length, 300, 1e-9);
    near(section.low, 155, 1e-3);
    near(section.high, 355, 1e-3);
    near((double)section.values[0], 155, 1e-3);
    near((double)section.values[section.count - 1], 355, 1e-3); /* level on the second piece */
    near((double)section.values[section.count / 2], 305, 1);
    ed_section_of(picture, same, 2, &section);
    assert_int_equal(section.count, 0);
    ed_section_of(NULL, bent, 3, &section);
    assert_int_equal(section.count, 0);
    ed_section_of(picture, out, 2, &section);
    assert_true(isnan(section.values[section.count - 1]));
    near(section.high, 500, 6);
    ed_picture_release(picture);
}

TEST(along)
{
    const double bent[] = {0, 0, 100, 0, 100, 50};
    double place[2];
    ed_along(bent, 3, 120, place);
    near(place[0], 100, 1e-9);
    near(place[1], 20, 1e-9);
    ed_along(bent, 3, 40, place);
    near(place[0], 40, 1e-9);
    ed_along(bent, 3, 1000, place);
    near(place[1], 50, 1e-9);
}

TEST(steps)
{
    near(ed_round_step(1000, 5), 200, 1e-9);
    near(ed_round_step(0.9, 2), 0.5, 1e-9);
    near(ed_round_step(70, 1), 50, 1e-9);
    near(ed_round_step(0, 4), 1, 0);
}
