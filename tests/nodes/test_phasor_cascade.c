/* phasor, its levels and its crests, on an inclined plane: ravines within ravines run down the slopes of
 * these (Grenier 2023, eq. 11), as many times closer as asked; crests are rough, and nothing else (eq. 10).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"

enum { SIDE = 512, CELLS = SIDE * SIDE }; /* of 6.25 m */
static const double pi = 3.14159265358979323846;
/* Of the profile, by eq. 6. */
static const double epsilon = 0.1, mean = 0.42425;

/* Ravines every 500 m; the same by way of a map, in which that varies by 5 %. */
#define EVEN IN("frequency", "0.002")
#define VARIED LINK("frequency", "f.field")

/* Ravines on a plane of 32 x 32 cells that rises towards a compass direction, 5 m in 12. */
static struct harness_raster on_plane(int towards, int seed, const char *inputs, const char *output)
{
    char text[4096];
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"3200\" resolution=\"32\" seed=\"%d\"",
                              NODE("m", "ramp", IN("high", "1333") IN("angle", "%d"))
                                  NODE("f", "ramp", IN("low", "0.0019") IN("high", "0.0021"))
                                      NODE("p", "phasor",
                                           LINK("terrain", "m.field") IN("rivers", "false")
                                               IN("scale", "16") "%s")),
             seed, towards, inputs);
    struct harness_raster raster = harness_run(&h, text, "p", output);
    assert_int_equal(raster.grid.width, SIDE);
    return raster;
}

/* Without roughness, and sharp where ravines part. */
#define ALONE IN("crest", "0") IN("c", "100")

/* The height of the first level in its detail: 0 in bottoms, 1 on crests. */
static double height_of(float detail, double amplitude)
{
    return (double)detail / amplitude + mean;
}

/* ---- Ravines within ravines ---- */

/* The second level alone, as high everywhere as it would be on crests: so only its own waves have slopes. NaN
 * near the bottoms, where there is none of it. */
static void take_second(const char *frequency, int seed, int ratio, double amplitude, float second[CELLS])
{
    char given[512];
    struct harness_raster level[2];
    for (int i = 0; i < 2; i++) {
        snprintf(given, sizeof given, "%s" ALONE IN("ratio", "%d") IN("amplitude", "%g") IN("levels", "%d"),
                 frequency, ratio, amplitude, i + 1);
        level[i] = on_plane(0, seed, given, "detail");
    }
    for (int i = 0; i < CELLS; i++) {
        double height = height_of(level[0].data[i], amplitude);
        second[i] = height > 0.2 ? (float)((double)(level[1].data[i] - level[0].data[i]) / height) : NAN;
    }
    harness_free(&level[0]);
    harness_free(&level[1]);
}

/* Where the terrain with the first level falls away to one side of the plane's slope, and to the other: the
 * mean of its turn there, and the turn of the second level's crests, in degrees clockwise from the plane's.
 */
struct turn {
    double ground, crests;
    int cells;
};

static struct turn turn_where(const float *second, const struct harness_raster *gradient, double from,
                              double to)
{
    struct turn turn = {0};
    double xx = 0, xy = 0, yy = 0;
    for (int i = 0; i < CELLS - SIDE; i++) {
        double ground = atan2((double)gradient->data[2 * i], -(double)gradient->data[2 * i + 1]) * 180 / pi;
        double east = (double)(second[i + 1] - second[i]), south = (double)(second[i + SIDE] - second[i]);
        if (i % SIDE == SIDE - 1 || ground < from || ground >= to || !isfinite(east + south))
            continue;
        turn.ground += ground;
        turn.cells++;
        xx += east * east;
        xy += east * south;
        yy += south * south;
    }
    turn.ground /= turn.cells;
    turn.crests = 0.5 * atan2(2 * xy, xx - yy) * 180 / pi;
    return turn;
}

TEST(second_level_runs_down_the_first)
{
    need_device();
    static float second[CELLS];
    take_second(EVEN, 1, 6, 50, second);
    struct harness_raster gradient =
        on_plane(0, 1, EVEN ALONE IN("levels", "1") IN("amplitude", "50"), "gradient");
    struct turn east = turn_where(second, &gradient, 15, 45), west = turn_where(second, &gradient, -45, -15);
    assert_true(east.cells > CELLS / 8 && west.cells > CELLS / 8);
    assert_true(east.ground > 20 && west.ground < -20);
    assert_near(east.crests, east.ground, 7);
    assert_near(west.crests, west.ground, 7);
    harness_free(&gradient);
}

/* Zero crossings along rows, across the ravines, tell the frequency, in 1/m. */
static double crossings(const float *values)
{
    int found = 0, pairs = 0;
    for (int i = 0; i < CELLS; i++) {
        if (i % SIDE == SIDE - 1 || !isfinite(values[i] + values[i + 1]))
            continue;
        pairs++;
        found += (values[i] < 0) != (values[i + 1] < 0);
    }
    return 0.5 * found / (pairs * 6.25);
}

TEST(next_level_is_closer_by_the_ratio)
{
    need_device();
    static float second[CELLS];
    struct harness_raster first = on_plane(0, 2, EVEN ALONE IN("levels", "1") IN("amplitude", "5"), "detail");
    double wide = crossings(first.data);
    assert_near(wide / 0.002, 1, 0.1);
    for (int ratio = 3; ratio <= 5; ratio += 2)
        for (int varied = 0; varied < 2; varied++) {
            take_second(varied ? VARIED : EVEN, 2, ratio, 5, second);
            assert_near(crossings(second) / wide, ratio, 0.05 * ratio);
        }
    harness_free(&first);
}

/* ---- Crests ---- */

/* Eq. 10, of the phase that eq. 6 gives this height. */
static double crest_mask(double height)
{
    double root = sqrt(epsilon), y = fmax(height, 0) + root;
    double phase = sqrt((y * y - epsilon) / (1 + 2 * root)); /* in pi */
    double t = fmin(fmax((phase - 0.25) / 0.5, 0), 1);
    return t * t * (3 - 2 * t);
}

/* The first level's mask, and what roughness adds to it. */
static void take_crests(int towards, double mask[CELLS], float noise[CELLS])
{
#define SHARP EVEN IN("levels", "1") IN("amplitude", "60") IN("c", "1000")
    struct harness_raster bare = on_plane(towards, 0, SHARP IN("crest", "0"), "detail");
    struct harness_raster rough = on_plane(towards, 0, SHARP IN("crest", "0.5"), "detail");
    for (int i = 0; i < CELLS; i++) {
        mask[i] = crest_mask(height_of(bare.data[i], 60));
        noise[i] = rough.data[i] - bare.data[i];
    }
    harness_free(&bare);
    harness_free(&rough);
}

/* The noise is the same on a plane that rises north and on one that rises east, whose ravines cross: so where
 * crests cross it says how far each lets it through. Where ravines part the height does not tell the phase:
 * there are few such places. */
TEST(only_crests_are_rough)
{
    need_device();
    static double mask[2][CELLS];
    static float noise[2][CELLS];
    int smooth = 0, crests = 0, off = 0;
    double square = 0;
    for (int k = 0; k < 2; k++)
        take_crests(90 * k, mask[k], noise[k]);
    for (int i = 0; i < CELLS; i++) {
        double north = (double)noise[0][i], east = (double)noise[1][i];
        off += fabs(north * mask[1][i] - east * mask[0][i]) > 0.1;
        smooth += mask[0][i] == 0;
        assert_true(mask[0][i] > 0 || fabs(north) < 1e-4);
        assert_true(fabs(north) <= 30);
        if (mask[0][i] < 1)
            continue;
        crests++;
        square += north * north;
    }
    assert_true(smooth > CELLS / 6 && crests > CELLS / 6);
    assert_true(off < CELLS / 500);
    assert_near(sqrt(square / crests), 0.17 * 30, 0.6);
}

TEST_GROUP(open_harness, close_harness);
