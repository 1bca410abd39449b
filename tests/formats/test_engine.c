/* Files for engines: what is entered there must bring the heights back, and the order of rows is the
 * engine's. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

static const struct oro_engine *engine_named(const char *name)
{
    int index = 0;
    while (oro_engine_names[index] && strcmp(oro_engine_names[index], name) != 0)
        index++;
    assert_non_null(oro_engine_names[index]);
    return oro_engine_at(index);
}

static double figure(const struct oro_engine_figures *figures, const char *key)
{
    for (size_t i = 0; i < figures->count; i++)
        if (strcmp(figures->items[i].key, key) == 0)
            return figures->items[i].value;
    fail_msg("there is no figure '%s'", key);
    return 0;
}

static struct oro_engine_figures write_for(const char *name, const char *path,
                                           const struct oro_heightfield *field)
{
    struct oro_written written = {0};
    struct oro_write_options options = {.engine = engine_named(name), .written = &written};
    write_field(path, field, &options);
    return written.figures;
}

TEST(every_name_has_its_engine)
{
    assert_null(oro_engine_at(0));
    for (int i = 1; oro_engine_names[i]; i++)
        assert_string_equal(oro_engine_at(i)->name, oro_engine_names[i]);
}

/* As Unreal places the vertices of a landscape, from what its user is told to enter. */
static void expect_unreal_heights(double lift, double stretch)
{
    struct oro_heightfield field = make_hills(127, 127);
    size_t size, cells = 127 * 127;
    double low = INFINITY, high = -INFINITY;
    field.cell = 9.91;
    field.metres = true;
    for (size_t i = 0; i < cells; i++) {
        field.data[i] = (float)(lift + stretch * (double)field.data[i]);
        low = fmin(low, (double)field.data[i]);
        high = fmax(high, (double)field.data[i]);
    }
    struct oro_engine_figures figures = write_for("unreal", in_folder("u.r16"), &field);
    unsigned char *bytes = get_file(in_folder("u.r16"), &size);
    assert_int_equal(size, 2 * cells);
    double worst = 0, step = (high - low) / 65535;
    for (size_t i = 0; i < cells; i++) {
        int level = bytes[2 * i] | bytes[2 * i + 1] << 8;
        double centimetres =
            (level - 32768) / 128.0 * figure(&figures, "z_scale") + figure(&figures, "z_location");
        worst = fmax(worst, fabs(centimetres / 100 - (double)field.data[i]));
    }
    if (worst > step * 0.5001)
        fail_msg("heights are off by %g steps", worst / step);
    assert_float_equal(figure(&figures, "xy_scale"), 991, 1e-9);
    oro_free(bytes);
    oro_heightfield_free(&field);
}

TEST(unreal_heights_are_within_half_a_step)
{
    expect_unreal_heights(0, 1);
    expect_unreal_heights(-400, 3.1);
    expect_unreal_heights(2500, 0.01);
}

/* Z scale 390.6 for 2000 m. */
TEST(unreal_scale)
{
    struct oro_engine_figures figures = {0};
    const struct oro_engine_terrain terrain = {1009, 1009, 9.91, 0, 2000, true};
    struct oro_text text = {0};
    engine_named("unreal")->figures(&terrain, &figures);
    oro_engine_say(&figures, &text);
    assert_true(strncmp(text.data, "Z scale 390.63", 14) == 0);
    assert_non_null(strstr(text.data, "X/Y scale 991, "));
    oro_text_free(&text);
}

/* Its importer takes the size of a file without a header from NAME.json. */
TEST(unreal_finds_the_size)
{
    struct oro_heightfield field = make_hills(253, 127);
    write_for("unreal", in_folder("size.raw"), &field);
    size_t size;
    char *text = (char *)get_file(in_folder("size.json"), &size);
    assert_memory_equal(text, "{\"width\": 253, \"height\": 127, \"bpp\": 16}", size - 1);
    oro_free(text);
    assert_true(file_exists(in_folder("size.raw.json")));
    write_for("unreal", in_folder("with_header.png"), &field);
    assert_false(file_exists(in_folder("with_header.json")));
    oro_heightfield_free(&field);
}

TEST(unity_begins_in_the_south)
{
    struct oro_heightfield field = make_hills(33, 33);
    size_t size, other;
    field.metres = true;
    field.cell = 10;
    struct oro_engine_figures figures = write_for("unity", in_folder("south.raw"), &field);
    write_field(in_folder("north.raw"), &field, NULL);
    unsigned char *south = get_file(in_folder("south.raw"), &size),
                  *north = get_file(in_folder("north.raw"), &other);
    assert_int_equal(size, other);
    for (size_t y = 0; y < 33; y++)
        assert_memory_equal(south + y * 66, north + (32 - y) * 66, 66);
    struct oro_heightfield a = read_field(in_folder("south.raw"), NULL),
                           b = read_field(in_folder("north.raw"), NULL);
    assert_same_values(&a, &b, 0);
    assert_float_equal(figure(&figures, "terrain_width"), 320, 1e-9);
    assert_float_equal(figure(&figures, "resolution"), 33, 0);
    oro_free(south);
    oro_free(north);
    oro_heightfield_free(&a);
    oro_heightfield_free(&b);
    oro_heightfield_free(&field);
}

static void refused(const char *engine, const char *file, int width, int height, bool big, const char *part)
{
    struct oro_heightfield field = make_hills(width, height);
    struct oro_write_options options = {.engine = engine_named(engine), .big_endian = big};
    struct oro_error err = {0};
    assert_false(oro_heightfield_write(in_folder(file), &field, &options, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    if (!strstr(err.text, part))
        fail_msg("'%s' does not say '%s'", err.text, part);
    assert_false(file_exists(in_folder(file)));
    oro_heightfield_free(&field);
}

TEST(what_an_engine_does_not_read)
{
    refused("godot", "g.png", 64, 64, false, "only 8 bits of a PNG; end the name with .exr");
    refused("unity", "u.png", 33, 33, false, "end the name with .raw");
    refused("unreal", "u.exr", 127, 127, false, "end the name with .png");
    refused("blender", "b.raw", 9, 9, false, "end the name with .exr");
    refused("unity", "u.raw", 40, 33, false, "the nearest size it takes is 33 x 33");
    refused("unity", "u.raw", 65, 33, false, "--size 65x33 --tiles 33");
    refused("unreal", "x.raw", 127, 127, true, "little-endian");
}

/* --- weights --- */

TEST(weights_add_up)
{
    static const float a[] = {1, 1, 0, 5, -1, 0.333f}, b[] = {1, 0, 0, 5, 2, 0.333f},
                       c[] = {1, 0, 0, 0, NAN, 0.334f};
    const struct oro_weight_maps maps = {3, (const char *const[]){"a", "b", "c"},
                                         (const float *const[]){a, b, c}};
    static const unsigned char wanted[][3] = {
        {85, 85, 85}, {255, 0, 0}, {255, 0, 0}, {128, 127, 0}, {0, 255, 0}};
    unsigned char levels[3];
    for (size_t i = 0; i < 6; i++) {
        oro_weights_levels(&maps, i, levels);
        assert_int_equal(levels[0] + levels[1] + levels[2], 255);
        if (i < 5)
            assert_memory_equal(levels, wanted[i], 3);
    }
}

TEST(weights_are_written)
{
    struct oro_heightfield field = make_hills(64, 64);
    float *masks[5];
    for (int i = 0; i < 5; i++) {
        masks[i] = oro_alloc(64 * 64, sizeof(float));
        masks[i][i] = 1;
    }
    const struct oro_weight_maps maps = {5, (const char *const[]){"a", "b", "c", "d", "e"},
                                         (const float *const *)masks};
    struct oro_write_options options = {.engine = engine_named("godot"), .weights = &maps};
    write_field(in_folder("w.exr"), &field, &options);
    assert_true(file_exists(in_folder("w_weights0.png")));
    assert_true(file_exists(in_folder("w_weights1.png")));
    options.engine = NULL;
    write_field(in_folder("w.r32"), &field, &options);
    struct oro_heightfield e = read_field(in_folder("w_e.png"), NULL);
    assert_int_equal(e.width, 64);
    assert_true(e.data[4] == 1 && e.data[3] == 0);
    oro_heightfield_free(&e);
    for (int i = 0; i < 5; i++)
        oro_free(masks[i]);
    oro_heightfield_free(&field);
}

TEST_GROUP(folder_setup, folder_teardown);
