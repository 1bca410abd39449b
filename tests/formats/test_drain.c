/* Terrains that are made to drain while they are written: what the files hold, what the sidecars say. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <jansson.h>

#include "base/memory.h"

enum { SIZE = 96 };
static const char *const names[] = {"d.png", "d.r16", "d.r32", "d.pfm", "d.exr"};
enum { NAMES = sizeof names / sizeof names[0] };

static bool is_float(const char *name)
{
    return strstr(name, "r32") || strstr(name, "pfm") || strstr(name, "exr");
}

/* Hills in terraces, as 8-bit files have them, with hollows. */
static struct oro_heightfield make_terraces(void)
{
    struct oro_heightfield field = make_hills(SIZE, SIZE);
    for (int i = 0; i < SIZE * SIZE; i++)
        field.data[i] = floorf(field.data[i] / 8) * 8;
    return field;
}

/* The levels at which water would stand, by lowering them until nothing changes: slow, but certain. */
static float *flood(const struct oro_heightfield *field)
{
    int width = field->width, height = field->height;
    float *level = oro_alloc((size_t)width * (size_t)height, sizeof *level);
    for (int i = 0; i < width * height; i++) {
        int x = i % width, y = i / width;
        level[i] = x == 0 || y == 0 || x == width - 1 || y == height - 1 ? field->data[i] : FLT_MAX;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = width + 1; i < width * (height - 1) - 1; i++) {
            float lowest = FLT_MAX;
            for (int k = 0; k < 9; k++)
                lowest = fminf(lowest, level[i + (k / 3 - 1) * width + k % 3 - 1]);
            lowest = fmaxf(lowest, field->data[i]);
            if (i % width != 0 && i % width != width - 1 && lowest < level[i]) {
                level[i] = lowest;
                changed = true;
            }
        }
    }
    return level;
}

static size_t count_flooded(const struct oro_heightfield *field)
{
    size_t flooded = 0;
    float *level = flood(field);
    for (int i = 0; i < field->width * field->height; i++)
        flooded += level[i] > field->data[i];
    oro_free(level);
    return flooded;
}

/* Inner cells with no lower neighbour. */
static size_t count_pits(const struct oro_heightfield *field)
{
    size_t pits = 0;
    for (int y = 1; y < field->height - 1; y++)
        for (int x = 1; x < field->width - 1; x++) {
            int i = y * field->width + x;
            bool lower = false;
            for (int k = 0; k < 9; k++)
                lower = lower || field->data[i + (k / 3 - 1) * field->width + k % 3 - 1] < field->data[i];
            pits += !lower;
        }
    return pits;
}

static json_t *hydrology_of(const char *path)
{
    char name[600];
    snprintf(name, sizeof name, "%s.json", path);
    json_t *root = json_load_file(name, 0, NULL);
    json_t *hydrology = json_incref(json_object_get(root, "hydrology"));
    assert_non_null(hydrology);
    json_decref(root);
    return hydrology;
}

static double number_at(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    if (!json_is_number(number))
        fail_msg("'%s' is missing", key);
    return json_number_value(number);
}

/* The sidecar describes what the file holds. */
static void assert_certificate(const char *path, const struct oro_heightfield *again, const char *method)
{
    json_t *hydrology = hydrology_of(path);
    size_t flooded = count_flooded(again);
    assert_int_equal(number_at(hydrology, "undrained_cells"), flooded);
    assert_int_equal(number_at(hydrology, "closed_depressions") > 0, flooded > 0);
    assert_int_equal(json_is_true(json_object_get(hydrology, "drained")), flooded == 0);
    assert_int_equal(number_at(hydrology, "pits"), count_pits(again));
    assert_string_equal(json_string_value(json_object_get(hydrology, "method")), method);
    json_decref(hydrology);
}

TEST(check)
{
    struct oro_heightfield field = make_terraces();
    assert_true(count_flooded(&field) > 100);
    for (size_t k = 0; k < NAMES; k++) {
        struct oro_written written;
        struct oro_write_options options = {.written = &written};
        write_field(in_folder(names[k]), &field, &options);
        struct oro_heightfield again = read_field(in_folder(names[k]), NULL);
        assert_certificate(in_folder(names[k]), &again, "none");
        assert_int_equal(written.measure.drainage.undrained, count_flooded(&again));
        assert_int_equal(written.cost.cells, 0);
        oro_heightfield_free(&again);
    }
    oro_heightfield_free(&field);
}

/* Carving only, and no more than the sidecar says. */
static void assert_carved(const char *path, const struct oro_heightfield *from,
                          const struct oro_heightfield *to, double step)
{
    json_t *hydrology = hydrology_of(path);
    double deepest = 0, volume = 0;
    for (int i = 0; i < SIZE * SIZE; i++) {
        double cut = (double)from->data[i] - (double)to->data[i];
        assert_true(cut >= -step);
        deepest = fmax(deepest, cut);
        volume += cut;
    }
    assert_true(fabs(number_at(hydrology, "deepest_cut") - deepest) <= step);
    double square = from->cell * from->cell;
    assert_true(fabs(number_at(hydrology, "cut_volume") - volume * square) <= step * SIZE * SIZE * square);
    assert_true(number_at(hydrology, "highest_raise") == 0 && deepest > 1);
    json_decref(hydrology);
}

TEST(repair)
{
    struct oro_heightfield field = make_terraces();
    struct oro_write_options options = {
        .drain = ORO_DRAIN_REPAIR, .require_drained = true, .drain_limit = 1e-9};
    for (size_t k = 0; k < NAMES; k++) {
        const char *path = in_folder(names[k]);
        write_field(path, &field, &options);
        struct oro_heightfield again = read_field(path, NULL);
        assert_certificate(path, &again, "repair");
        assert_int_equal(count_flooded(&again), 0);
        assert_carved(path, &field, &again, is_float(names[k]) ? 1e-6 : 1000.0 / 65535);
        if (is_float(names[k]))
            assert_int_equal(count_pits(&again), 0);
        oro_heightfield_free(&again);
    }
    oro_heightfield_free(&field);
}

/* In a coarse range, rounding makes flats of the carved ways, and strict ones have none. */
/* What drains is carved again once it is another size; what does not, or is no terrain, is left alone. */
TEST(kept)
{
    struct oro_heightfield hollow = make_terraces(), drained, sized;
    struct oro_written written = {0};
    char text[ORO_DRAIN_KEPT_TEXT];
    write_field(in_folder("d.r32"), &hollow, &(struct oro_write_options){.drain = ORO_DRAIN_REPAIR});
    drained = read_field(in_folder("d.r32"), NULL);
    static const int sides[][2] = {{127, 127}, {50, 61}, {96, 200}};
    for (size_t i = 0; i < NAMES * 3; i++) {
        const char *path = in_folder(names[i % NAMES]);
        struct oro_write_options options = {.written = &written, .require_drained = true};
        assert_true(oro_drain_keep(&drained, &options, NULL));
        assert_true(options.drains_again && options.drain == ORO_DRAIN_REPAIR);
        assert_true(oro_heightfield_resize(&drained, sides[i / NAMES][0], sides[i / NAMES][1],
                                           ORO_RESAMPLE_MONOTONE, &sized, NULL));
        assert_true(oro_heightfield_write(path, &sized, &options, NULL));
        assert_int_equal(written.measure.drainage.depressions, 0);
        assert_true(written.drains_again && written.cost.cells > 0);
        assert_non_null(strstr(oro_drain_kept_text(&written, text), "was carved open again: "));
        oro_heightfield_free(&sized);
    }
    struct oro_write_options options = {.not_terrain = true};
    assert_true(oro_drain_keep(&drained, &options, NULL) && !options.drains_again);
    options = (struct oro_write_options){.drain = ORO_DRAIN_STRICT};
    assert_true(oro_drain_keep(&drained, &options, NULL) && options.drain == ORO_DRAIN_STRICT);
    options = (struct oro_write_options){0};
    assert_true(oro_drain_keep(&hollow, &options, NULL) && options.drain == ORO_DRAIN_NONE);
    /* With a sea that covers the hollows, the same ground drains. */
    options = (struct oro_write_options){.has_sea = true, .sea = 1e4};
    assert_true(oro_drain_keep(&hollow, &options, NULL) && options.drains_again);
    oro_heightfield_free(&hollow);
    oro_heightfield_free(&drained);
}

TEST(strict)
{
    struct oro_heightfield field = make_terraces();
    struct oro_write_options options = {.drain = ORO_DRAIN_STRICT, .require_drained = true};
    for (size_t k = 0; k < NAMES; k++) {
        const char *path = in_folder(names[k]);
        struct oro_written written;
        options.written = &written;
        write_field(path, &field, &options);
        struct oro_heightfield again = read_field(path, NULL);
        assert_certificate(path, &again, "strict");
        assert_int_equal(count_pits(&again), 0);
        double most = 0, step = is_float(names[k]) ? 1e-6 : 1000.0 / 65535;
        for (int i = 0; i < SIZE * SIZE; i++)
            most = fmax(most, fabs((double)field.data[i] - (double)again.data[i]));
        assert_true(fabs(most - fmax(written.cost.deepest_cut, written.cost.highest_raise)) <= step);
        assert_true(most > 1);
        /* The limit: a little above is enough, a little below is not. */
        struct oro_error err = {0};
        struct oro_write_options limited = options;
        limited.drain_limit = fmax(written.cost.deepest_cut, written.cost.highest_raise) * 1.001;
        write_field(path, &field, &limited);
        limited.drain_limit *= 0.99;
        const char *refused = in_folder(is_float(names[k]) ? "refused.pfm" : "refused.png");
        assert_false(oro_heightfield_write(refused, &field, &limited, &err));
        assert_int_equal(err.code, ORO_E_WRITE);
        assert_non_null(strstr(err.text, "more than the limit of"));
        assert_false(file_exists(refused));
        oro_heightfield_free(&again);
    }
    oro_heightfield_free(&field);
}

TEST(required)
{
    struct oro_heightfield field = make_terraces();
    struct oro_error err = {0};
    struct oro_write_options options = {.require_drained = true, .drain_advice = "dig"};
    for (size_t k = 0; k < NAMES; k++) {
        char name[64];
        snprintf(name, sizeof name, "no_%s", names[k]);
        put_text(in_folder(name), "old");
        size_t before = files_in_folder(), size;
        assert_false(oro_heightfield_write(in_folder(name), &field, &options, &err));
        assert_int_equal(err.code, ORO_E_WRITE);
        assert_non_null(strstr(err.text, " closed depressions ("));
        assert_non_null(strstr(err.text, "m: dig"));
        assert_int_equal(files_in_folder(), before);
        unsigned char *old = get_file(in_folder(name), &size);
        assert_string_equal((char *)old, "old");
        oro_free(old);
    }
    oro_heightfield_free(&field);
}

/* Levels that cannot hold a way down. */
TEST(strict_refuses)
{
    struct oro_heightfield plane = make_field(40, 40, NULL);
    struct oro_error err = {0};
    struct oro_write_options options = {.drain = ORO_DRAIN_STRICT};
    assert_false(oro_heightfield_write(in_folder("p.png"), &plane, &options, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_non_null(strstr(err.text, "a level plane has no way down"));
    options.has_range = true;
    options.low = -100;
    options.high = 100;
    write_field(in_folder("p.png"), &plane, &options);
    struct oro_heightfield again = read_field(in_folder("p.png"), NULL);
    assert_int_equal(count_pits(&again), 0);
    oro_heightfield_free(&again);
    write_field(in_folder("p.pfm"), &plane, &options);
    again = read_field(in_folder("p.pfm"), NULL);
    assert_int_equal(count_pits(&again), 0);
    oro_heightfield_free(&again);
    oro_heightfield_free(&plane);
}

/* Every size and kind of ground that has no inside, or nothing to drain. */
TEST(small)
{
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {2, 9}, {3, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct oro_heightfield field = make_hills(sizes[i][0], sizes[i][1]);
        for (int drain = ORO_DRAIN_NONE; drain <= ORO_DRAIN_STRICT; drain++)
            for (size_t k = 0; k < NAMES; k++) {
                struct oro_write_options options = {.drain = (enum oro_drain)drain};
                write_field(in_folder(names[k]), &field, &options);
                struct oro_heightfield again = read_field(in_folder(names[k]), NULL);
                assert_int_equal(again.width, field.width);
                assert_true(drain == ORO_DRAIN_NONE || count_pits(&again) == 0);
                oro_heightfield_free(&again);
            }
        oro_heightfield_free(&field);
    }
}

TEST(too_deep)
{
    struct oro_heightfield field = make_field(5, 5, NULL);
    struct oro_error err = {0};
    struct oro_write_options options = {.drain = ORO_DRAIN_REPAIR};
    field.data[12] = -FLT_MAX;
    assert_false(oro_heightfield_write(in_folder("deep.pfm"), &field, &options, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
    assert_non_null(strstr(err.text, "deep.pfm' is not written: cell 2, 2 is too deep to be drained"));
    assert_false(file_exists(in_folder("deep.pfm")));
    oro_heightfield_free(&field);
}

static bool stop_now(void *user)
{
    *(int *)user += 1;
    return true;
}

TEST(cancelled)
{
    struct oro_heightfield field = make_hills(300, 300);
    struct oro_error err = {0};
    int asked = 0;
    struct oro_write_options options = {.drain = ORO_DRAIN_REPAIR, .stop = stop_now, .stop_user = &asked};
    assert_false(oro_heightfield_write(in_folder("stop.pfm"), &field, &options, &err));
    assert_int_equal(err.code, ORO_E_CANCELLED);
    assert_true(asked > 0);
    assert_false(file_exists(in_folder("stop.pfm")));
    oro_heightfield_free(&field);
}

TEST(words)
{
    char text[ORO_DRAINAGE_TEXT];
    assert_string_equal(oro_drainage_text(&(struct oro_certificate){0}, text), "drains");
    assert_string_equal(oro_drainage_text(&(struct oro_certificate){.pits = 1, .flats = 1}, text),
                        "drains across 1 flat cell");
    assert_string_equal(
        oro_drainage_text(&(struct oro_certificate){.pits = 9, .depressions = 1, .undrained = 2}, text),
        "1 closed depression (2 cells)");
}

/* The real 8-bit terrain: nothing but terraces. */
TEST(real)
{
    struct oro_read_options read = {.has_range = true, .high = 3000};
    struct oro_heightfield field = read_field(real_data("mountains_8bit_256.png"), &read);
    struct oro_write_options options = {.drain = ORO_DRAIN_REPAIR};
    write_field(in_folder("real.png"), &field, &options);
    struct oro_heightfield again = read_field(in_folder("real.png"), NULL);
    assert_int_equal(count_flooded(&again), 0);
    oro_heightfield_free(&again);
    write_field(in_folder("real.pfm"), &field, &options);
    again = read_field(in_folder("real.pfm"), NULL);
    assert_int_equal(count_pits(&again), 0);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

TEST_GROUP(folder_setup, folder_teardown);
