/* How depth looks: lightings, the sun by time and place, the look as text, and the sky. */
#include <math.h>
#include <string.h>

#include "editor/render/sky.h"
#include "tests/support/test.h"

static void assert_close(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%g is not within %g of %g", value, tolerance, wanted);
}

TEST(looks_go_through_text)
{
    struct ed_scene_look look, read;
    struct oro_text text = {0};
    ed_look_begin(&look);
    look.material = ED_MATERIAL_CLAY;
    look.haze = 0.725f;
    look.night = true;
    look.day = 12;
    look.water_level = -31.5f;
    ed_look_write(&look, &text);
    assert_false(text.failed);
    ed_look_begin(&read);
    assert_false(ed_look_same(&look, &read));
    ed_look_read(&read, text.data);
    assert_true(ed_look_same(&look, &read));
    oro_text_free(&text);
}

TEST(what_makes_no_sense_in_a_look_is_passed_over)
{
    static const char *const texts[] = {
        "",
        " ",
        "=",
        "haze",
        "haze=",
        "=1",
        "haze=much",
        "haze=2",
        "haze=nan",
        "haze=-1e999",
        "material=77",
        "day=0",
        "unknown=1",
        "azimuth==3",
        "a-name-that-is-much-longer-than-any-that-the-program-would-ever-write=1"};
    struct ed_scene_look standard, look;
    ed_look_begin(&standard);
    ed_look_begin(&look);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ed_look_read(&look, texts[i]);
        assert_true(ed_look_same(&look, &standard));
    }
    ed_look_read(&look, NULL);
    assert_true(ed_look_same(&look, &standard));
    ed_look_read(&look, "haze=9  snow=0.5   green=x haze=0.25");
    assert_close((double)look.snow, 0.5, 0);
    assert_close((double)look.green, 0, 0);
    assert_close((double)look.haze, 0.25, 0);
}

TEST(lightings_are_told_apart_and_leave_the_ground_alone)
{
    struct ed_scene_look look;
    ed_look_begin(&look);
    assert_int_equal(ed_lighting_of(&look), 0);
    look.snow = 0.5f;
    look.exaggeration = 2;
    int count = 0;
    for (; ed_lighting_name(count); count++) {
        assert_non_null(ed_lighting_doc(count));
        ed_lighting_use(&look, count);
        assert_int_equal(ed_lighting_of(&look), count);
    }
    assert_true(count >= 6);
    assert_close((double)look.snow, 0.5, 0);
    assert_close((double)look.exaggeration, 2, 0);
    look.haze = 0.987f;
    assert_int_equal(ed_lighting_of(&look), -1);
}

TEST(the_sun_stands_where_it_should)
{
    struct ed_scene_look look;
    ed_look_begin(&look);
    look.latitude = 0;
    look.day = 81; /* the equinox */
    look.hour = 12;
    ed_look_set_time(&look);
    assert_close((double)look.altitude, 90, 1);
    look.latitude = 46;
    ed_look_set_time(&look);
    assert_close((double)look.altitude, 44, 1);
    assert_close((double)look.azimuth, 180, 1);
    look.hour = 6.05f;
    ed_look_set_time(&look);
    assert_close((double)look.azimuth, 90, 2);
    assert_close((double)look.altitude, 0, 1.5);
    look.hour = 16;
    ed_look_set_time(&look);
    assert_true(look.azimuth > 220 && look.azimuth < 270);
    look.latitude = -33; /* the sun is in the north */
    look.hour = 12;
    ed_look_set_time(&look);
    assert_true(look.azimuth < 2 || look.azimuth > 358);
    look.hour = 0;
    ed_look_set_time(&look);
    assert_close((double)look.altitude, -12, 0); /* no darker */
}

static struct ed_sky sky;

static void make(float altitude)
{
    struct ed_scene_look look;
    ed_look_begin(&look);
    look.clouds = 0;
    look.altitude = altitude;
    ed_sky_make(&sky, &look);
}

/* How much redder than blue. */
static double warmth(const double colour[3])
{
    return colour[0] / colour[2];
}

TEST(a_low_sun_is_red_and_the_sky_is_blue)
{
    make(60);
    double high = warmth(sky.sun);
    const float *zenith = sky.seen[ED_SKY_ROWS - 1][0];
    assert_true(zenith[2] > 1.3f * zenith[0]);
    assert_true(sky.ambient[0][2] > sky.ambient[0][0]);
    make(5);
    assert_true(warmth(sky.sun) > 1.5 * high);
    /* Around the sun it is brighter than opposite. */
    assert_true(sky.seen[6][1][1] > 1.15f * sky.seen[6][ED_SKY_COLUMNS - 1][1]);
    make(-8);
    assert_close(sky.sun[0] + sky.sun[1] + sky.sun[2], 0, 1e-9);
}

/* Level ground is about as bright at every hour. */
TEST(every_light_is_exposed)
{
    struct ed_scene_look look;
    ed_look_begin(&look);
    for (int k = 0; ed_lighting_name(k); k++) {
        ed_lighting_use(&look, k);
        ed_sky_make(&sky, &look);
        double up = fmax(0, sin((double)look.altitude * 3.14159265 / 180));
        double level = sky.sun[1] * up + sky.ambient[0][1] + sky.ambient[3][1];
        assert_true(level > 0.15 && level < 3);
        for (int row = 0; row < ED_SKY_ROWS; row++)
            for (int column = 0; column < ED_SKY_COLUMNS; column++)
                for (int i = 0; i < 3; i++)
                    assert_true(isfinite(sky.seen[row][column][i]) && sky.seen[row][column][i] >= 0);
    }
}

/* An even sky gives flat ground twice what it gives a wall, from whichever side. */
TEST(an_overcast_sky_lights_walls_alike)
{
    struct ed_scene_look look;
    ed_look_begin(&look);
    look.clouds = 1;
    ed_sky_make(&sky, &look);
    double wall = sky.ambient[0][1], side = hypot(sky.ambient[1][1], sky.ambient[2][1]);
    assert_true(side < 0.02 * wall);
    assert_true(sky.ambient[3][1] > 0.8 * wall && sky.ambient[3][1] < 1.5 * wall);
    assert_close(sky.sun[0] + sky.sun[1] + sky.sun[2], 0, 1e-9);
}
