/* Primitives of uplift trees against formulas written another way, and the arguments that they refuse. */
#include "tests/uplift/trees.h"

static const double pi = 3.14159265358979;

/* Eq. 6 by trying many points of the skeleton. */
TEST(ranges_fall_off_from_a_segment)
{
    uint32_t sequence = 3;
    for (int i = 0; i < 20; i++) {
        struct oro_uplift_segment r = random_range(&sequence, 1000, 400);
        struct oro_uplift *tree = MAKE(ranges, &r, 1);
        for (int k = 0; k < 50; k++) {
            double x = chance_of(&sequence, -300, 1300), y = chance_of(&sequence, -300, 1300);
            double nearest = INFINITY, at = 0;
            for (int step = 0; step <= 20000; step++) {
                double t = step / 20000.0, qx = (double)r.ax + t * ((double)r.bx - (double)r.ax);
                double qy = (double)r.ay + t * ((double)r.by - (double)r.ay);
                double d = (qx - x) * (qx - x) + (qy - y) * (qy - y);
                at = d < nearest ? t : at;
                nearest = fmin(nearest, d);
            }
            double radius = (double)r.radius_a + at * ((double)r.radius_b - (double)r.radius_a);
            double uplift = (double)r.uplift_a + at * ((double)r.uplift_b - (double)r.uplift_a);
            double expected = nearest < radius * radius ? uplift * pow(1 - nearest / radius / radius, 3) : 0;
            near_to(oro_uplift_at(tree, x, y), expected, 3e-7);
        }
        oro_free(tree);
    }
}

TEST(a_disc_is_eq_6)
{
    struct oro_uplift *tree = disc(500, 700, 100, 0.002);
    near_to(oro_uplift_at(tree, 500, 700), 0.002, 1e-9);
    near_to(oro_uplift_at(tree, 550, 700), 0.002 * 0.421875, 1e-9); /* (1 - 1/4)^3 */
    near_to(oro_uplift_at(tree, 500, 600.001), 0, 1e-9);
    near_to(oro_uplift_at(tree, 300, 700), 0, 0);
    oro_free(tree);
}

TEST(the_highest_of_many_counts)
{
    uint32_t sequence = 9;
    struct oro_uplift_segment ranges[30];
    for (int i = 0; i < 30; i++)
        ranges[i] = random_range(&sequence, 1000, 300);
    struct oro_uplift *all = MAKE(ranges, ranges, 30);
    for (int k = 0; k < 100; k++) {
        double x = chance_of(&sequence, 0, 1000), y = chance_of(&sequence, 0, 1000), highest = 0;
        for (int i = 0; i < 30; i++) {
            struct oro_uplift *one = MAKE(ranges, &ranges[i], 1);
            highest = fmax(highest, oro_uplift_at(one, x, y));
            oro_free(one);
        }
        near_to(oro_uplift_at(all, x, y), highest, 0);
    }
    assert_int_equal(oro_uplift_size(all), 30);
    oro_free(all);
}

TEST(valleys_follow_their_profile)
{
    float profile[ORO_VALLEY_POINTS];
    for (int i = 0; i < ORO_VALLEY_POINTS; i++)
        profile[i] = (float)(i * i) / 1024;
    struct oro_valley valleys[2] = {{100, 500, 900, 500, 50, 100, 1, 3}, {500, 100, 500, 900, 40, 40, 2, 2}};
    struct oro_uplift *tree = MAKE(valleys, valleys, 2, profile), *flat = MAKE(constant, 5);
    struct oro_uplift *carved = MAKE(combine, flat, tree, ORO_UPLIFT_CARVE);
    near_to(oro_uplift_at(carved, 300, 500), 0, 1e-9);
    near_to(oro_uplift_at(carved, 300, 500 + 31.25), 1.5 * 0.25, 1e-6); /* half the width of 62.5 there */
    near_to(oro_uplift_at(carved, 300, 500 + 62.6), 5, 1e-9);
    near_to(oro_uplift_at(carved, 900 + 50, 500), 3 * 0.25, 1e-6);
    near_to(oro_uplift_at(carved, 500, 480), 2 * 0, 1e-6); /* the lowest of both */
    near_to(oro_uplift_at(carved, 530, 500), 0, 1e-6);
    near_to(oro_uplift_at(tree, 300, 700), 0, 0);
    oro_free(tree);
    oro_free(flat);
    oro_free(carved);
}

/* A point of the uniform quadratic B-spline, by its basis functions. */
static void spline(const float (*points)[2], size_t count, double at, double out[2])
{
    size_t i = (size_t)at % count;
    double s = at - floor(at), w[3] = {0.5 * (1 - s) * (1 - s), 0.5 + s * (1 - s), 0.5 * s * s};
    for (int axis = 0; axis < 2; axis++) {
        out[axis] = 0;
        for (size_t k = 0; k < 3; k++)
            out[axis] += w[k] * (double)points[(i + k + count - 1) % count][axis];
    }
}

/* The distance to the boundary as a whole, from a fine polyline. */
static double whole_distance(const double p[2], const float (*points)[2], size_t count)
{
    double pull = 0;
    for (int i = 0; i < 2000 * (int)count; i++) {
        double a[2], b[2];
        spline(points, count, i / 2000.0, a);
        spline(points, count, (i + 1) / 2000.0, b);
        double d = hypot((a[0] + b[0]) / 2 - p[0], (a[1] + b[1]) / 2 - p[1]);
        pull += hypot(b[0] - a[0], b[1] - a[1]) / (d * d * d);
    }
    return sqrt(2 / pull);
}

/* The skeleton runs straight from 3000, 3000 to 6000, 3000: the integral along it is known, too. */
TEST(stars_fall_off_by_whole_distances)
{
    static const float skeleton[2][2] = {{3000, 3000}, {6000, 3000}};
    struct oro_uplift *tree = MAKE(star, skeleton, 2, kidney, 7, 0.001f);
    uint32_t sequence = 4;
    int inside = 0;
    for (int i = 0; i < 60; i++) {
        double p[2] = {chance_of(&sequence, 1000, 9000), chance_of(&sequence, 0, 6000)};
        double h = p[1] - 3000, a = p[0] - 3000, b = p[0] - 6000, ra = hypot(a, h), rb = hypot(b, h);
        double pull = (a / ra - b / rb) / (h * h) + 1 / (ra * ra) + 1 / (rb * rb), near = sqrt(2 / pull);
        double share = near / (near + whole_distance(p, kidney, 7)), value = oro_uplift_at(tree, p[0], p[1]);
        if (value <= 0)
            continue;
        near_to(value, 0.001 * pow(1 - share * share, 3), 3e-6);
        inside++;
    }
    assert_true(inside > 20);
    oro_free(tree);
}

/* The nearest point of a horseshoe jumps from one arm to the other, and so did what a ray from it met. */
TEST(stars_have_no_tears)
{
    static const float skeleton[4][2] = {{2500, 5500}, {4000, 3200}, {6500, 3500}, {7000, 5500}};
    static const float boundary[8][2] = {{1500, 4500}, {2500, 2600}, {5000, 2000}, {7500, 2400},
                                         {8800, 4500}, {7500, 7500}, {5000, 8500}, {2500, 7500}};
    struct oro_uplift *tree = MAKE(star, skeleton, 4, boundary, 8, 1);
    for (int j = 0; j < 100; j++)
        for (int i = 0; i < 2000; i++) {
            double x = 5 * i, y = 100 * j + 3, at = oro_uplift_at(tree, x, y);
            double bent = oro_uplift_at(tree, x - 5, y) + oro_uplift_at(tree, x + 5, y) - 2 * at;
            assert_true(fabs(bent) < 0.005);
        }
    oro_free(tree);
}

/* Around a point, with a circle as its boundary, it is the same in all directions, and falls all the way. */
TEST(a_round_star_is_round)
{
    float boundary[64][2], skeleton[1][2] = {{50000, 20000}};
    double pull = 1 / (0.75 + 0.25 * cos(2 * pi / 64)), before = 1; /* control points lie outside */
    for (int i = 0; i < 64; i++) {
        boundary[i][0] = (float)(50000 + 1000 * pull * cos(2 * pi * i / 64));
        boundary[i][1] = (float)(20000 + 1000 * pull * sin(2 * pi * i / 64));
    }
    struct oro_uplift *star = MAKE(star, (const float(*)[2])skeleton, 1, (const float(*)[2])boundary, 64, 1);
    for (int i = 0; i < 100; i++) {
        double east = oro_uplift_at(star, 50000 + 10 * i, 20000);
        near_to(oro_uplift_at(star, 50000 - 6 * i, 20000 + 8 * i), east, 1e-3);
        assert_true(east <= before && (i == 0 || east < 1));
        before = east;
    }
    near_to(oro_uplift_at(star, 50000, 20000), 1, 1e-9);
    near_to(before, 0, 1e-3);
    oro_free(star);
}

/* Eq. 6 beside a long straight curve; lower and tapering at its end; the points do not show. */
TEST(curves_are_smooth_ranges)
{
    struct oro_curve_point points[60];
    for (int i = 0; i < 60; i++)
        points[i] = (struct oro_curve_point){(float)(125 + 250 * i), 5000, 1000, 0.002f, ORO_CURVE_STEP};
    struct oro_uplift *tree = MAKE(curves, points, 60);
    for (int i = 0; i < 40; i++) {
        double x = 5000 + 17 * i, d = 25 * i / 1000.0;
        near_to(oro_uplift_at(tree, x, 5000 + 25 * i), 0.002 * pow(1 - d * d, 3), 1e-6);
    }
    near_to(oro_uplift_at(tree, 0, 5000), 0.002 * pow(0.5, 6.0 / 17), 1e-6);
    near_to(oro_uplift_at(tree, -900, 5000), 0, 2e-6);
    near_to(oro_uplift_at(tree, 5000, 6001), 0, 0);
    assert_int_equal(oro_uplift_size(tree), 60);
    oro_free(tree);
}

/* However short: from a disc to a range that is longer than it is wide. */
TEST(short_curves_are_as_high)
{
    double before = 0;
    for (int i = 0; i <= 40; i++) {
        double radii = 0.1 * i, value;
        size_t steps = (size_t)fmax(ceil(radii / ORO_CURVE_STEP), 1);
        struct oro_curve_point points[40];
        for (size_t k = 0; k < steps; k++)
            points[k] =
                (struct oro_curve_point){(float)(1000 * radii * (((double)k + 0.5) / (double)steps - 0.5)), 0,
                                         1000, 1, (float)oro_curve_length(radii, steps)};
        struct oro_uplift *tree = MAKE(curves, points, steps);
        near_to(oro_uplift_at(tree, 0, 0), 1, 0.015);
        value = oro_uplift_at(tree, 500, 0);
        assert_true(value >= before - 1e-3);
        before = value;
        oro_free(tree);
    }
}

/* Highest all along the skeleton, and nowhere else as high. */
TEST(a_bent_skeleton_is_the_crest)
{
    struct oro_uplift *tree = kidney_star(1);
    double bounds[4], most = 0;
    leaf_box(tree, bounds);
    near_to(oro_uplift_at(tree, 3000, 3000), 1, 1e-6);
    near_to(oro_uplift_at(tree, 6000, 3400), 1, 1e-6);
    near_to(oro_uplift_at(tree, 4600, 2500), 1, 1e-6); /* a joint */
    for (int j = 0; j < 80; j++)
        for (int i = 0; i < 100; i++) {
            double x = 100 * i, y = 80 * j, value = oro_uplift_at(tree, x, y);
            assert_true(value >= 0 && value <= 1);
            if (value > 0)
                assert_true(x > bounds[0] && y > bounds[1] && x < bounds[2] && y < bounds[3]);
            most = fmax(most, value);
        }
    assert_true(most > 0.95);
    oro_free(tree);
}

/* Degenerate pieces: several control points at one place, straight runs, a square. */
TEST(odd_control_points_are_fine)
{
    static const float skeleton[6][2] = {{40, 50}, {40, 50}, {50, 50}, {60, 50}, {60, 50}, {60, 50}};
    static const float square[9][2] = {{0, 0},     {50, 0},   {100, 0}, {100, 0}, {100, 100},
                                       {100, 100}, {50, 100}, {0, 100}, {0, 50}};
    struct oro_uplift *tree = MAKE(star, skeleton, 6, square, 9, 1);
    near_to(oro_uplift_at(tree, 50, 50), 1, 1e-9);
    near_to(oro_uplift_at(tree, 50, 25), pow(0.75, 3), 0.03);
    near_to(oro_uplift_at(tree, 80, 50), pow(0.75, 3), 0.1);
    near_to(oro_uplift_at(tree, 50, 101), 0, 0);
    oro_free(tree);
}

static void refused_star(const float (*skeleton)[2], size_t n, const float (*boundary)[2], size_t m,
                         const char *words)
{
    struct oro_error err = {0};
    assert_null(oro_uplift_star(skeleton, n, boundary, m, 1, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
    if (!strstr(err.text, words))
        fail_msg("'%s' does not say '%s'", err.text, words);
}

TEST(senseless_stars_are_refused)
{
    static const float middle[1][2] = {{50, 50}}, outside[1][2] = {{500, 50}};
    static const float leaving[2][2] = {{50, 50}, {200, 50}},
                       out_and_in[3][2] = {{50, 50}, {50, 400}, {60, 50}};
    static const float box[4][2] = {{0, 0}, {100, 0}, {100, 100}, {0, 100}};
    static const float eight[4][2] = {{0, 0}, {100, 100}, {100, 0}, {0, 100}};
    static const float line[3][2] = {{0, 0}, {100, 0}, {50, 0}}, dot[3][2] = {{5, 5}, {5, 5}, {5, 5}};
    static const float none[4][2] = {{0, 0}, {NAN, 0}, {100, 100}, {0, 100}};
    refused_star(outside, 1, box, 4, "within the boundary");
    refused_star(leaving, 2, box, 4, "within the boundary");
    refused_star(out_and_in, 3, box, 4, "within the boundary");
    refused_star(middle, 1, eight, 4, "crosses or touches itself");
    refused_star(middle, 1, line, 3, "crosses or touches itself");
    refused_star(middle, 1, dot, 3, "encloses nothing");
    refused_star(middle, 1, none, 4, "100,000 km");
    refused_star(middle, 1, box, 2, "3 to 64");
    refused_star(middle, 0, box, 4, "1 to 64");
    refused_star(middle, 65, box, 4, "1 to 64");
}

TEST(rasters_are_bilinear)
{
    struct oro_uplift *tree = small_raster();
    near_to(oro_uplift_at(tree, 1250, 1250), 0, 0);
    near_to(oro_uplift_at(tree, 2500, 1250), 0.5, 1e-9);
    near_to(oro_uplift_at(tree, 2500, 2500), (0 + 1 + 1 + 0.5) / 4, 1e-9);
    near_to(oro_uplift_at(tree, -9e6, 3750), 1, 0);
    near_to(oro_uplift_at(tree, 9e6, 9e6), 0.125, 0);
    oro_free(tree);
}

TEST(bad_numbers_are_refused)
{
    static const struct oro_uplift_segment bad[] = {
        {NAN, 0, 0, 0, 1, 1, 1, 1},  {0, INFINITY, 0, 0, 1, 1, 1, 1}, {0, 0, 2e8f, 0, 1, 1, 1, 1},
        {0, 0, 0, 0, 0, 1, 1, 1},    {0, 0, 0, 0, 1, -1, 1, 1},       {0, 0, 0, 0, 1, NAN, 1, 1},
        {0, 0, 0, 0, 1, 2e7f, 1, 1}, {0, 0, 0, 0, 1, 1, -1, 1},       {0, 0, 0, 0, 1, 1, 1, 1001},
        {0, 0, 0, 0, 1, 1, NAN, 1},
    };
    float profile[ORO_VALLEY_POINTS] = {0}, cells[2] = {0, NAN};
    struct oro_valley valley = {0, 0, 1, 1, 1, 1, 1, 1};
    struct oro_error err;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        err = (struct oro_error){0};
        assert_null(oro_uplift_ranges(&bad[i], 1, &err));
        assert_int_equal(err.code, ORO_E_EVALUATE);
        assert_true(strlen(err.text) > 10);
    }
    profile[5] = NAN;
    assert_null(oro_uplift_valleys(&valley, 1, profile, &err));
    assert_null(oro_uplift_raster(cells, 2, 1, 10, &err));
    assert_null(oro_uplift_raster(cells, 0, 1, 10, &err));
    assert_null(oro_uplift_raster(cells, 1, 1, -1, &err));
    assert_null(oro_uplift_constant(NAN, &err));
    assert_null(oro_uplift_constant(-1, &err));
    cells[0] = -4;
    struct oro_uplift *tree = MAKE(raster, cells, 1, 1, 10.0);
    near_to(oro_uplift_at(tree, 0, 0), 0, 0);
    oro_free(tree);
}
