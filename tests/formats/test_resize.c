/* Resampling and size presets. */
#include "support.h"

#include <math.h>

static struct oro_heightfield resized_by(const struct oro_heightfield *from, int width, int height,
                                         enum oro_resampling method)
{
    struct oro_heightfield to;
    struct oro_error err;
    if (!oro_heightfield_resize(from, width, height, method, &to, &err))
        fail_msg("%s", err.text);
    return to;
}

static struct oro_heightfield resized(const struct oro_heightfield *from, int width, int height)
{
    return resized_by(from, width, height, ORO_RESAMPLE_MONOTONE);
}

static const int sizes[][2] = {{1, 1}, {7, 5}, {16, 9}, {17, 10}, {31, 3}, {3, 31}, {100, 64}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

TEST(constant)
{
    struct oro_heightfield from = make_field(16, 9, NULL);
    for (int i = 0; i < 16 * 9; i++)
        from.data[i] = 1234.567F;
    from.cell = 10;
    for (int k = 0; k < SIZES; k++) {
        struct oro_heightfield to = resized(&from, sizes[k][0], sizes[k][1]);
        for (int i = 0; i < to.width * to.height; i++)
            assert_true(to.data[i] == 1234.567F);
        assert_true(to.cell == 160.0 / to.width && to.metres);
        oro_heightfield_free(&to);
    }
    oro_heightfield_free(&from);
}

TEST(same_size)
{
    struct oro_heightfield from = make_hills(16, 9), to = resized(&from, 16, 9);
    assert_same_values(&from, &to, 0);
    oro_heightfield_free(&to);
    oro_heightfield_free(&from);
}

/* Straight lines stay straight, wherever the four cells around lie inside. */
TEST(ramp)
{
    struct oro_heightfield from = make_field(16, 12, NULL);
    for (int i = 0; i < 16 * 12; i++)
        from.data[i] = (float)(3 * (i % 16 + 0.5) - 2 * (i / 16 + 0.5));
    struct oro_heightfield to = resized(&from, 50, 33);
    for (int y = 0; y < 33; y++) {
        for (int x = 0; x < 50; x++) {
            double at_x = (x + 0.5) * 16 / 50, at_y = (y + 0.5) * 12 / 33;
            if (at_x > 1.5 && at_x < 14.5 && at_y > 1.5 && at_y < 10.5)
                assert_true(fabs((double)to.data[y * 50 + x] - (3 * at_x - 2 * at_y)) < 1e-5);
        }
    }
    oro_heightfield_free(&to);
    oro_heightfield_free(&from);
}

/* Coarser by a whole number is the plain average; coarser by any keeps the mean. */
TEST(average)
{
    struct oro_heightfield from = make_field(4, 2, (float[]){1, 2, 3, 4, 5, 6, 7, 8});
    struct oro_heightfield to = resized(&from, 2, 1);
    assert_true(to.data[0] == 3.5F && to.data[1] == 5.5F);
    oro_heightfield_free(&to);
    to = resized(&from, 3, 2); /* a cell covers 1 and a third of the old */
    assert_true(fabs((double)to.data[0] - (1 * 0.75 + 2 * 0.25)) < 1e-6);
    oro_heightfield_free(&to);
    oro_heightfield_free(&from);

    from = make_hills(97, 61);
    struct oro_measure before, after;
    assert_true(oro_measure(&from, &before, NULL));
    static const int coarser[][2] = {{96, 60}, {50, 61}, {13, 7}, {97, 2}, {1, 1}};
    for (size_t k = 0; k < sizeof coarser / sizeof coarser[0]; k++) {
        to = resized(&from, coarser[k][0], coarser[k][1]);
        assert_true(oro_measure(&to, &after, NULL));
        assert_true(fabs(after.mean - before.mean) < 1e-4);
        assert_true(after.low >= before.low && after.high <= before.high);
        oro_heightfield_free(&to);
    }
    oro_heightfield_free(&from);
}

/* A mirrored terrain gives the mirrored result: centres are where they should be. */
TEST(symmetry)
{
    float values[10] = {1, 5, 2, 8, 3, /* mirrored */ 3, 8, 2, 5, 1};
    for (int size = 1; size < 23; size++) {
        struct oro_heightfield a = make_field(5, 1, values), b = make_field(5, 1, values + 5);
        struct oro_heightfield to_a = resized(&a, size, 1), to_b = resized(&b, size, 1);
        for (int i = 0; i < size; i++)
            assert_true(fabs((double)to_a.data[i] - (double)to_b.data[size - 1 - i]) < 1e-5);
        oro_heightfield_free(&a);
        oro_heightfield_free(&b);
        oro_heightfield_free(&to_a);
        oro_heightfield_free(&to_b);
    }
}

/* ---- The monotone surface ---- */

enum { W = 24, H = 17 };

/* The sea at 0 with a plateau behind a cliff, steps of a bench, single towers and pits, and noise of any
 * roughness. */
static struct oro_heightfield steep(int kind)
{
    struct oro_heightfield field = make_field(W, H, NULL);
    uint32_t noise = 7;
    for (int i = 0; i < W * H; i++) {
        int x = i % W, y = i / W;
        noise = noise * 1664525 + 1013904223;
        field.data[i] = kind == 0   ? 2 * x + y > 30 ? 200.0F : 0.0F
                        : kind == 1 ? 50.0F * (float)((x + y) / 5) + (float)((x + y) % 5)
                        : kind == 2 ? (i % 11 == 0   ? 3000.0F
                                       : i % 13 == 0 ? -400.0F
                                                     : 12.5F)
                                    : (float)(noise >> 20);
    }
    return field;
}

/* By how much a cell lies outside the range of the cells around, at the most: two along each axis, or three
 * where it lies on one. */
static float overshoot(const struct oro_heightfield *from, const struct oro_heightfield *to)
{
    const double tiny = 1e-4;
    float most = 0;
    for (int i = 0; i < to->width * to->height; i++) {
        double x = (i % to->width + 0.5) * from->width / to->width - 0.5;
        double y = (i / to->width + 0.5) * from->height / to->height - 0.5;
        float low = INFINITY, high = -INFINITY;
        for (int row = (int)floor(y - tiny); row <= (int)floor(y + tiny) + 1; row++)
            for (int column = (int)floor(x - tiny); column <= (int)floor(x + tiny) + 1; column++) {
                int at = (int)fmin(fmax(row, 0), from->height - 1) * from->width +
                         (int)fmin(fmax(column, 0), from->width - 1);
                low = fminf(low, from->data[at]);
                high = fmaxf(high, from->data[at]);
            }
        most = fmaxf(most, fmaxf(low - to->data[i], to->data[i] - high));
    }
    return most;
}

TEST(nothing_overshoots)
{
    static const int finer[][2] = {{2 * W, 2 * H}, {3 * W, 3 * H}, {W + 1, H + 1}, {127, 127}, {W, 5 * H}};
    for (int kind = 0; kind < 4; kind++)
        for (size_t k = 0; k < sizeof finer / sizeof finer[0]; k++) {
            struct oro_heightfield from = steep(kind);
            struct oro_heightfield limited = resized(&from, finer[k][0], finer[k][1]);
            struct oro_heightfield smooth =
                resized_by(&from, finer[k][0], finer[k][1], ORO_RESAMPLE_CATMULL_ROM);
            assert_true(overshoot(&from, &limited) <= 0);
            assert_true(overshoot(&from, &smooth) > 1); /* or the test would find nothing */
            oro_heightfield_free(&smooth);
            oro_heightfield_free(&limited);
            oro_heightfield_free(&from);
        }
}

/* A bench between steep slopes gets no hollow. */
TEST(what_rises_goes_on_rising)
{
    float profile[W], height = 0;
    for (int x = 0; x < W; x++)
        profile[x] = height += (float)(x * 37 % 5 == 0 ? 100 : x * 29 % 7);
    struct oro_heightfield from = make_field(W, H, NULL);
    for (int i = 0; i < W * H; i++)
        from.data[i] = profile[i % W];
    for (int times = 2; times < 9; times++) {
        struct oro_heightfield to = resized(&from, times * W, times * H);
        for (int i = 1; i < to.width * to.height; i++)
            assert_true(i % to.width == 0 || to.data[i] >= to.data[i - 1]);
        oro_heightfield_free(&to);
    }
    oro_heightfield_free(&from);
}

TEST(no_axis_is_preferred)
{
    for (int kind = 0; kind < 4; kind++) {
        struct oro_heightfield from = steep(kind), turned = make_field(H, W, NULL);
        for (int i = 0; i < W * H; i++)
            turned.data[i % W * H + i / W] = from.data[i];
        struct oro_heightfield to = resized(&from, 3 * W, 2 * H), other = resized(&turned, 2 * H, 3 * W);
        for (int i = 0; i < 6 * W * H; i++)
            assert_true(to.data[i] == other.data[i % to.width * to.height + i / to.width]);
        oro_heightfield_free(&from);
        oro_heightfield_free(&turned);
        oro_heightfield_free(&to);
        oro_heightfield_free(&other);
    }
}

/* What gets wider and lower at once is averaged along one axis and smooth along the other. */
TEST(finer_and_coarser)
{
    struct oro_heightfield from = make_field(4, 4, NULL);
    for (int i = 0; i < 16; i++)
        from.data[i] = (float)(10 * (i % 4) + i / 4);
    struct oro_heightfield to = resized(&from, 8, 2);
    assert_true(fabs((double)to.data[3] - (10 * 1.25 + 0.5)) < 1e-5);
    assert_true(fabs((double)to.data[8 + 4] - (10 * 1.75 + 2.5)) < 1e-5);
    oro_heightfield_free(&to);
    oro_heightfield_free(&from);
}

TEST(refused)
{
    struct oro_heightfield from = make_hills(4, 4), none = {0}, to;
    struct oro_error err;
    assert_false(oro_heightfield_resize(&from, 0, 4, ORO_RESAMPLE_MONOTONE, &to, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    assert_false(oro_heightfield_resize(&from, 4, 40000, ORO_RESAMPLE_MONOTONE, &to, &err));
    assert_false(oro_heightfield_resize(&none, 4, 4, ORO_RESAMPLE_MONOTONE, &to, &err));
    assert_null(to.data);
    oro_heightfield_free(&from);
}

TEST(presets)
{
    static const struct {
        const char *preset;
        int size, expected;
    } cases[] = {
        {"as_is", 777, 777},
        {"power_of_two", 1, 1},
        {"power_of_two", 700, 512},
        {"power_of_two", 768, 1024},
        {"power_of_two", 99999, 32768},
        {"power_of_two_plus_one", 512, 513},
        {"power_of_two_plus_one", 1, 2},
        {"power_of_two_plus_one", 99999, 16385},
        {"unreal", 1, 127},
        {"unreal", 512, 505},
        {"unreal", 4096, 4033},
        {"unreal", 99999, 8129},
        {"unity", 8, 33},
        {"unity", 8192, 4097},
        {"unity", 1000, 1025},
        {"godot", 10, 64},
        {"godot", 1025, 1024},
        {"godot", 99999, 16384},
        {"gadot", 512, 0},
        {"", 512, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(oro_size_preset(cases[i].preset, cases[i].size), cases[i].expected);
    assert_int_equal(oro_size_preset(NULL, 512), 0);
    for (const char *const *preset = oro_size_presets; *preset; preset++)
        assert_true(oro_size_preset(*preset, 512) > 0);
}

TEST_GROUP(folder_setup, folder_teardown);

/* As rows come or as a whole: the same bits, and rows are seen as they are in the file. */
static bool doubled(void *user, const struct oro_heightfield *file, int y, float *row, struct oro_error *err)
{
    int *next = user;
    (void)err;
    assert_int_equal(y, (*next)++);
    for (int x = 0; x < file->width; x++)
        row[x] *= 2;
    return true;
}

TEST(while_it_is_read)
{
    static const char *const names[] = {"fit.png", "fit.r16", "fit.r32", "fit.pfm", "fit.exr"};
    struct oro_heightfield hills = make_hills(61, 43);
    hills.cell = 10;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (int k = 0; k < SIZES; k++) {
            write_field(in_folder(names[i]), &hills, &(struct oro_write_options){.not_terrain = true});
            struct oro_heightfield whole = read_field(in_folder(names[i]), NULL);
            for (int c = 0; c < 61 * 43; c++)
                whole.data[c] *= 2;
            struct oro_heightfield expected = resized(&whole, sizes[k][0], sizes[k][1]);
            int next = 0;
            const struct oro_read_options fit = {.fit_width = sizes[k][0],
                                                 .fit_height = sizes[k][1],
                                                 .no_sea = true,
                                                 .row = doubled,
                                                 .row_user = &next};
            struct oro_heightfield fitted = read_field(in_folder(names[i]), &fit);
            assert_int_equal(next, 43);
            assert_same_values(&fitted, &expected, 0);
            assert_true(fitted.cell == expected.cell && fitted.metres == expected.metres);
            oro_heightfield_free(&fitted);
            oro_heightfield_free(&expected);
            oro_heightfield_free(&whole);
        }
    oro_heightfield_free(&hills);
}

/* A cell without a height takes the whole, and comes out as it does there. */
TEST(holes_while_it_is_read)
{
    struct oro_heightfield hills = make_hills(40, 30);
    hills.data[25 * 40 + 7] = -9999;
    struct oro_write_options options = {.not_terrain = true};
    write_field(in_folder("hole.r32"), &hills, &options);
    struct oro_read_options read = {.no_sea = true};
    struct oro_heightfield whole = read_field(in_folder("hole.r32"), &read),
                           expected = resized(&whole, 20, 15);
    int next = 0;
    read.fit_width = 20;
    read.fit_height = 15;
    read.row_user = &next;
    struct oro_heightfield fitted = read_field(in_folder("hole.r32"), &read);
    assert_same_values(&fitted, &expected, 0);
    assert_non_null(fitted.filled);
    oro_heightfield_free(&fitted);
    oro_heightfield_free(&expected);
    oro_heightfield_free(&whole);
    oro_heightfield_free(&hills);
}
