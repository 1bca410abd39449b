/* Tiles of other programs: found by the pattern of their names, put together as their edges tell. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/reader/pattern.h"
#include "formats/sidecar/sidecar.h"

/* How a program names and counts its tiles. */
struct naming {
    const char *format; /* of x and y, or of y and x */
    const char *pattern;
    bool y_first, y_north;
    int from; /* the number of the first */
};

static const struct naming namings[] = {
    {"unreal_x%d_y%d", "unreal_x{x}_y{y}", false, false, 0},
    {"machine_x%d_y%d", "machine_x{x}_y{y}", false, true, 0},
    {"gaea_y%d_x%d", "gaea_y{y}_x{x}", true, false, 0},
    {"retile_%d_%d", "retile_{y}_{x}", true, false, 1},
    {"padded_x%03d-y%03d end", "padded_x{x}-y{y} end", false, true, 7},
    {"%d.%d", "{x}.{y}", false, false, 41},
};
enum { NAMINGS = sizeof namings / sizeof namings[0] };

static const char *tile_path(const struct naming *naming, const char *extension, int x, int y)
{
    static char name[100];
    int first = naming->y_first ? y : x, second = naming->y_first ? x : y, length = 0;
    /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): from the table above */
    length = snprintf(name, sizeof name, naming->format, first + naming->from, second + naming->from);
    snprintf(name + length, sizeof name - (size_t)length, ".%s", extension);
    return in_folder(name);
}

static const char *pattern_path(const struct naming *naming, const char *extension)
{
    static char name[100];
    snprintf(name, sizeof name, "%s.%s", naming->pattern, extension);
    return in_folder(name);
}

static bool remove_tile(void *user, const char *path)
{
    (void)user;
    return remove(path) == 0;
}

/* Cuts `columns` by `rows` tiles of a field; older ones are gone. */
static void put_tiles(const struct oro_heightfield *field, const struct naming *naming, const char *extension,
                      int side, int overlap, int columns, int rows)
{
    struct oro_heightfield tile = make_field(side, side, NULL);
    const struct oro_write_options options = {.has_range = true, .high = 65535, .not_terrain = true};
    oro_pattern_visit(pattern_path(naming, extension), remove_tile, NULL);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            for (int i = 0; i < side * side; i++)
                tile.data[i] = field->data[(row * (side - overlap) + i / side) * field->width +
                                           column * (side - overlap) + i % side];
            int y = naming->y_north ? rows - 1 - row : row;
            write_field(tile_path(naming, extension, column, y), &tile, &options);
            char *sidecar = oro_sidecar_path(tile_path(naming, extension, column, y));
            remove(sidecar);
            oro_free(sidecar);
        }
    oro_heightfield_free(&tile);
}

static const struct oro_read_options levels = {.has_range = true, .high = 65535};

/* Hills in whole metres, so that 16 bits hold them. */
static struct oro_heightfield make_whole(int width, int height)
{
    struct oro_heightfield field = make_hills(width, height);
    for (int i = 0; i < width * height; i++)
        field.data[i] = (float)(int)(field.data[i] * 5);
    return field;
}

static void expect_whole(const char *path, const struct oro_heightfield *whole)
{
    struct notes notes;
    notes_begin(&notes);
    struct oro_read_options options = levels;
    options.log = &notes.log;
    struct oro_heightfield read = read_field(path, &options);
    assert_int_equal(read.width, whole->width);
    assert_int_equal(read.height, whole->height);
    assert_memory_equal(read.data, whole->data, (size_t)whole->width * (size_t)whole->height * sizeof(float));
    if (notes.count > 0)
        fail_msg("%s", notes.text);
    oro_heightfield_free(&read);
}

static void expect_tiles(const struct naming *naming, const char *extension, int side, int overlap,
                         int columns, int rows)
{
    int step = side - overlap;
    struct oro_heightfield whole = make_whole(overlap + columns * step, overlap + rows * step);
    put_tiles(&whole, naming, extension, side, overlap, columns, rows);
    expect_whole(pattern_path(naming, extension), &whole);
    oro_heightfield_free(&whole);
}

TEST(names_of_programs)
{
    for (size_t i = 0; i < NAMINGS; i++)
        expect_tiles(&namings[i], "png", 17, 1, 3, 2);
}

TEST(formats_and_overlaps)
{
    expect_tiles(&namings[0], "r32", 16, 0, 2, 3);
    expect_tiles(&namings[1], "r16", 16, 0, 3, 3);
    expect_tiles(&namings[2], "pfm", 17, 3, 2, 2);
    expect_tiles(&namings[1], "exr", 12, 5, 1, 4);
    expect_tiles(&namings[3], "png", 9, 1, 4, 1);
    expect_tiles(&namings[0], "pfm", 8, 1, 1, 1);
#ifdef OROGRAPH_GDAL
    expect_tiles(&namings[4], "tif", 17, 1, 2, 2);
    expect_tiles(&namings[5], "asc", 10, 2, 2, 2);
#endif
}

TEST(manifests_are_written)
{
    struct oro_heightfield whole = make_whole(31, 61);
    struct oro_error err = {0};
    char *written;
    put_tiles(&whole, &namings[1], "png", 16, 1, 2, 4);
    char *pattern = oro_copy_text(pattern_path(&namings[1], "png"));
    if (!oro_pattern_write(pattern, NULL, &levels, &written, &err))
        fail_msg("%s", err.text);
    assert_string_equal(written, in_folder("machine.tiles.json"));
    struct oro_heightfield read = read_field(written, NULL); /* it tells the range */
    assert_memory_equal(read.data, whole.data, (size_t)31 * 61 * sizeof(float));
    oro_heightfield_free(&read);
    oro_free(written);
    assert_false(oro_pattern_write(pattern, NULL, &levels, &written, &err));
    assert_non_null(strstr(err.text, "is there already"));
    oro_free(written);
    assert_true(oro_pattern_write(pattern, in_folder("machine.tiles.json"), &levels, &written, &err));
    oro_free(written);
    assert_false(oro_pattern_write(pattern, "elsewhere.tiles.json", &levels, &written, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    oro_free(written);
    oro_free(pattern);
    oro_heightfield_free(&whole);
}

static void expect_note(const char *path, const char *part)
{
    struct notes notes;
    notes_begin(&notes);
    struct oro_heightfield read =
        read_field(path, &(struct oro_read_options){.has_range = true, .high = 1, .log = &notes.log});
    if (!strstr(notes.text, part))
        fail_msg("'%s' does not say '%s'", notes.text, part);
    oro_heightfield_free(&read);
}

TEST(edges_that_do_not_tell)
{
    struct oro_heightfield flat = make_field(64, 64, NULL), hills = make_whole(33, 33);
    put_tiles(&flat, &namings[0], "r32", 16, 0, 2, 2);
    expect_note(pattern_path(&namings[0], "r32"), "level edges do not tell");
    put_tiles(&hills, &namings[1], "pfm", 17, 1, 2, 2);
    for (int i = 0; i < 33 * 33; i++)
        hills.data[i] = 40000 - hills.data[i];
    put_tiles(&hills, &namings[0], "pfm", 17, 1, 2, 2);
    char *other = oro_copy_text(tile_path(&namings[0], "pfm", 0, 0)); /* of another terrain */
    assert_int_equal(rename(other, tile_path(&namings[1], "pfm", 0, 0)), 0);
    oro_free(other);
    expect_note(pattern_path(&namings[1], "pfm"), "heights jump between them");
    oro_heightfield_free(&flat);
    oro_heightfield_free(&hills);
}

TEST(tiles_that_are_wrong)
{
    struct oro_heightfield hills = make_whole(33, 33), oblong = make_whole(17, 9);
    const struct naming *naming = &namings[0];
    char *pattern = oro_copy_text(pattern_path(naming, "pfm"));
    expect_refused(in_folder("none_x{x}_y{y}.png"), NULL, ORO_E_FILE, "names no file");
    expect_refused(in_folder("{x}{y}.png"), NULL, ORO_E_USAGE, "digits between");
    expect_refused("no-such-folder/{x}_{y}.png", NULL, ORO_E_FILE, "cannot read the folder");
    put_tiles(&hills, naming, "pfm", 17, 1, 2, 2);
    remove(tile_path(naming, "pfm", 1, 0));
    expect_refused(pattern, NULL, ORO_E_FILE, "x 1, y 0 is missing");
    write_field(tile_path(naming, "pfm", 1, 0), &oblong, &(struct oro_write_options){.not_terrain = true});
    expect_refused(pattern, NULL, ORO_E_FILE, "squares");
    put_text(tile_path(naming, "pfm", 1, 0), "junk");
    expect_refused(pattern, NULL, ORO_E_FILE, "unreal_x1_y0.pfm");
    put_tiles(&hills, naming, "pfm", 17, 1, 2, 2);
    put_text(in_folder("unreal_x1_y00.pfm"), "junk");
    expect_refused(pattern, NULL, ORO_E_FILE, "are one tile");
    remove(in_folder("unreal_x1_y00.pfm"));
    put_text(in_folder("unreal_x999999999_y999999999.pfm"), "junk");
    expect_refused(pattern, NULL, ORO_E_FILE, "is missing");
    remove(in_folder("unreal_x999999999_y999999999.pfm"));
    put_text(in_folder("unreal_x99999999999999999999_y0.pfm"), "junk"); /* no number of a tile */
    expect_whole(pattern, &hills);
    oro_free(pattern);
    oro_heightfield_free(&hills);
    oro_heightfield_free(&oblong);
}

TEST(the_pattern_of_a_name)
{
    static const struct {
        const char *name, *pattern;
    } cases[] = {
        {"a/alps_x0_y3.png", "a/alps_x{x}_y{y}.png"},
        {"Out_y00_x12.r16", "Out_y{y}_x{x}.r16"},
        {"X3-Y4.tif", "X{x}-Y{y}.tif"},
        {"max2_y1.png", NULL},
        {"alps.png", NULL},
        {"x1/y2.png", NULL},
        {"alps_x_y.png", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *pattern = oro_pattern_of(cases[i].name);
        if (cases[i].pattern ? !pattern || strcmp(pattern, cases[i].pattern) != 0 : pattern != NULL)
            fail_msg("%s: %s", cases[i].name, pattern ? pattern : "none");
        oro_free(pattern);
    }
}

static bool count(void *user, const char *path)
{
    assert_true(file_exists(path));
    return --*(int *)user != 0;
}

TEST(companions)
{
    struct oro_heightfield hills = make_whole(33, 33);
    int left = 100;
    put_tiles(&hills, &namings[2], "pfm", 17, 1, 2, 2);
    assert_true(oro_heightfield_companions(pattern_path(&namings[2], "pfm"), count, &left));
    assert_int_equal(left, 96);
    left = 2;
    assert_false(oro_heightfield_companions(pattern_path(&namings[2], "pfm"), count, &left));
    oro_heightfield_free(&hills);
}

TEST_GROUP(folder_setup, folder_teardown);
