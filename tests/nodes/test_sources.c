/* Sources: noise, constant, ramp, bumps, import. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/format.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

/* Evaluates one node without links. `inputs` is XML. */
static struct harness_raster source(const char *world, const char *type, const char *inputs,
                                    const char *output)
{
    char text[2048];
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("%s", "<node id=\"n\" type=\"%s\" x=\"0\" y=\"0\">%s</node>\n"), world, type,
             inputs);
    return harness_run(&h, text, "n", output);
}

static void statistics(const struct harness_raster *raster, double *mean, double *low, double *high)
{
    size_t cells = oro_grid_cells(&raster->grid);
    *mean = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < cells; i++) {
        double value = (double)raster->data[i];
        assert_true(isfinite(value));
        *mean += value / (double)cells;
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"

TEST(noise_is_bounded)
{
    need_device();
    static const char *const methods[] = {"perlin", "simplex", "value", "worley"};
    static const char *const fractals[] = {"none", "fbm", "ridged", "billow"};
    for (int i = 0; i < 16; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs,
                 IN("method", "%s") IN("fractal", "%s") IN("feature", "100") IN("amplitude", "50")
                     IN("offset", "10"),
                 methods[i / 4], fractals[i % 4]);
        struct harness_raster noise = source("extent=\"10000\" resolution=\"256\"", "noise", inputs, "field");
        double mean, low, high;
        statistics(&noise, &mean, &low, &high);
        assert_true(low >= -40.001 && high <= 60.001);
        assert_true(high - low > 20);
        if (i / 4 < 3 && i % 4 < 2) /* odd in its gradients or values: the mean is 0 */
            assert_true(fabs(mean - 10) < 1.5);
        harness_free(&noise);
    }
}

/* A coarse cell's centre is a corner of four finer ones, and the centre of the middle one of nine. */
TEST(noise_does_not_depend_on_resolution)
{
    need_device();
    static const char *const kinds[] = {IN("method", "perlin"), IN("method", "simplex"),
                                        IN("method", "worley"), IN("fractal", "ridged") IN("warp", "700")};
    for (int kind = 0; kind < 4; kind++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, "%s" IN("feature", "1500") IN("amplitude", "1"), kinds[kind]);
        struct harness_raster coarse = source("extent=\"9000\" resolution=\"50\"", "noise", inputs, "field");
        struct harness_raster fine = source("extent=\"9000\" resolution=\"150\"", "noise", inputs, "field");
        for (int y = 0; y < 50; y++)
            for (int x = 0; x < 50; x++)
                assert_near(coarse.data[50 * y + x], fine.data[150 * (3 * y + 1) + 3 * x + 1], 1e-3);
        harness_free(&coarse);
        harness_free(&fine);
    }
}

/* Without a size, features are a share of the world's width, on any raster in it. */
TEST(sizes_follow_the_world)
{
    need_device();
    static const struct {
        const char *type, *output, *given, *stated, *other;
    } sources[] = {
        {"noise", "field", "", IN("feature", "3600"), IN("feature", "4000")},
        {"noise", "field", IN("feature", "3600") IN("warp", "900"), IN("warp_feature", "3600"),
         IN("warp_feature", "4000")},
        {"diamond_square", "field", "", IN("feature", "9000"), IN("feature", "10000")},
        {"bumps", "terrain", "", IN("radius_low", "1080") IN("radius_high", "2520"),
         IN("radius_low", "1200") IN("radius_high", "2800")},
        {"gabor", "field", "", IN("frequency", "0.0022222222222222"), IN("frequency", "0.002")},
        {"phasor_noise", "field", "", IN("frequency", "0.0022222222222222"), IN("frequency", "0.002")},
    };
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        const char *world = "extent=\"9000\" resolution=\"128\"", *output = sources[i].output;
        const char *added[3] = {"", sources[i].stated, sources[i].other};
        struct harness_raster results[3];
        for (int k = 0; k < 3; k++) {
            char inputs[512];
            snprintf(inputs, sizeof inputs, "%s%s", sources[i].given, added[k]);
            results[k] = source(world, sources[i].type, inputs, output);
        }
        assert_memory_equal(results[0].data, results[1].data, 128 * 128 * sizeof(float));
        assert_memory_not_equal(results[0].data, results[2].data, 128 * 128 * sizeof(float));
        for (int k = 0; k < 3; k++)
            harness_free(&results[k]);
    }
}

/* A part of the world has what the whole has there, and a coarser world the same forms. */
TEST(shares_of_the_world_do_not_depend_on_the_raster)
{
    need_device();
#define PARTS                                                                                                \
    "<node id=\"whole\" type=\"noise\" version=\"1\"/>"                                                      \
    "<node id=\"part\" type=\"crop\"><in name=\"terrain\" from=\"whole.field\"/>" IN("x", "1000")            \
        IN("y", "2000") IN("width", "3000")                                                                  \
            IN("height", "3000") "</node>"                                                                   \
                                 "<node id=\"like\" type=\"noise\" version=\"1\"><in name=\"like\" "         \
                                 "from=\"part.terrain\"/></node>"
    static const char document[] = HARNESS_DOCUMENT("extent=\"9000\" resolution=\"90\"", PARTS);
    struct harness_raster part = harness_run(&h, document, "part", "terrain");
    struct harness_raster like = harness_run(&h, document, "like", "field");
    assert_int_equal(like.grid.width, 30);
    for (int i = 0; i < 30 * 30; i++)
        assert_near(part.data[i], like.data[i], 1);
    struct harness_raster coarse = source("extent=\"9000\" resolution=\"30\"", "noise", "", "field");
    struct harness_raster whole = harness_run(&h, document, "whole", "field");
    for (int i = 0; i < 30 * 30; i++)
        assert_near(coarse.data[i], whole.data[90 * (3 * (i / 30) + 1) + 3 * (i % 30) + 1], 1);
    harness_free(&part);
    harness_free(&like);
    harness_free(&coarse);
    harness_free(&whole);
}

static double difference(const struct harness_raster *a, const struct harness_raster *b)
{
    double sum = 0;
    for (size_t i = 0; i < oro_grid_cells(&a->grid); i++)
        sum += fabs((double)a->data[i] - (double)b->data[i]);
    return sum / (double)oro_grid_cells(&a->grid);
}

TEST(seeds_differ)
{
    need_device();
    static const char *const types[] = {"noise", "bumps"};
    static const char *const outputs[] = {"field", "terrain"};
    for (int i = 0; i < 2; i++) {
        struct harness_raster first = source("extent=\"10000\" resolution=\"64\"", types[i], "", outputs[i]);
        struct harness_raster same =
            source("extent=\"10000\" resolution=\"64\"", types[i], IN("seed", "0"), outputs[i]);
        struct harness_raster other =
            source("extent=\"10000\" resolution=\"64\"", types[i], IN("seed", "1"), outputs[i]);
        struct harness_raster world =
            source("extent=\"10000\" resolution=\"64\" seed=\"5\"", types[i], "", outputs[i]);
        assert_memory_equal(first.data, same.data, 64 * 64 * sizeof(float));
        assert_true(difference(&first, &other) > 20);
        assert_true(difference(&first, &world) > 20);
        harness_free(&first);
        harness_free(&same);
        harness_free(&other);
        harness_free(&world);
    }
}

/* Steps between neighbours are as small far into a large world as at its corner. */
TEST(noise_keeps_its_precision)
{
    need_device();
    struct harness_raster noise = source(
        "extent=\"1000000\" resolution=\"16384\" aspect=\"0.001\"", "noise",
        IN("method", "perlin") IN("fractal", "none") IN("feature", "10000") IN("amplitude", "1"), "field");
    double roughest[2] = {0, 0};
    for (int x = 1; x < 1000; x++)
        for (int side = 0; side < 2; side++) {
            const float *at = noise.data + (side ? noise.grid.width - 1001 : 1) + x;
            double bend = fabs((double)at[-1] - 2 * (double)at[0] + (double)at[1]);
            roughest[side] = fmax(roughest[side], bend);
        }
    assert_true(roughest[1] < 3 * roughest[0] + 1e-6);
    harness_free(&noise);
}

TEST(constant_is_constant)
{
    need_device();
    struct harness_raster field =
        source("extent=\"100\" resolution=\"7\" aspect=\"0.43\"", "constant", IN("value", "12.5"), "field");
    assert_int_equal(field.grid.height, 3);
    for (int i = 0; i < 21; i++)
        assert_true(field.data[i] == 12.5f);
    harness_free(&field);
}

TEST(ramp_rises_where_it_points)
{
    need_device();
    struct harness_raster east =
        source("extent=\"100\" resolution=\"10\"", "ramp", IN("high", "100"), "field");
    struct harness_raster north =
        source("extent=\"100\" resolution=\"10\"", "ramp", IN("high", "100") IN("angle", "0"), "field");
    struct harness_raster points =
        source("extent=\"100\" resolution=\"10\"", "ramp",
               IN("low", "10") IN("high", "20") IN("start", "20 0") IN("end", "60 0"), "field");
    for (int i = 0; i < 10; i++) {
        assert_near(east.data[10 * 3 + i], 10 * i + 5, 1e-3);
        assert_near(north.data[10 * i + 3], 95 - 10 * i, 1e-3);
        assert_near(points.data[i], 10 + 10 * fmin(fmax((10 * i + 5 - 20) / 40.0, 0), 1), 1e-3);
    }
    harness_free(&east);
    harness_free(&north);
    harness_free(&points);
}

TEST(radial_ramp_is_a_cone)
{
    need_device();
    struct harness_raster cone = source("extent=\"90\" resolution=\"9\"", "ramp",
                                        IN("method", "radial") IN("low", "45") IN("high", "0"), "field");
    for (int y = 0; y < 9; y++)
        for (int x = 0; x < 9; x++)
            assert_near(cone.data[9 * y + x], fmax(45 - 10 * hypot(x - 4, y - 4), 0), 1e-3);
    harness_free(&cone);
}

/* A lone round bump: its height at the centre, an eighth (exp(-2)) of it at its radius. */
TEST(bump_has_its_radius)
{
    need_device();
    struct harness_raster bump =
        source("extent=\"2010\" resolution=\"201\"", "bumps",
               IN("count", "1") IN("radius_low", "300") IN("radius_high", "300") IN("height_low", "100")
                   IN("height_high", "100") IN("elongation", "1") IN("roughness", "0") IN("blend", "max")
                       IN("margin", "45"),
               "terrain");
    int top = 0;
    for (int i = 1; i < 201 * 201; i++)
        top = bump.data[i] > bump.data[top] ? i : top;
    assert_near(bump.data[top], 100, 0.1);
    assert_near(bump.data[top + 30], 100 * exp(-2), 1.5);
    assert_near(bump.data[top - 30 * 201], 100 * exp(-2), 1.5);
    harness_free(&bump);
}

TEST(sources_take_the_size_of_another)
{
    need_device();
    struct harness_raster noise = harness_run(
        &h,
        HARNESS_DOCUMENT(
            "extent=\"100\" resolution=\"16\"",
            "<node id=\"a\" type=\"bumps\" x=\"0\" y=\"0\"/>"
            "<node id=\"b\" type=\"upsample\" x=\"0\" y=\"0\"><in name=\"terrain\" from=\"a.terrain\"/>"
            "<in name=\"factor\" value=\"3\"/></node>"
            "<node id=\"n\" type=\"noise\" x=\"0\" y=\"0\"><in name=\"like\" from=\"b.terrain\"/></node>\n"),
        "n", "field");
    assert_int_equal(noise.grid.width, 48);
    harness_free(&noise);
}

static void store_grey(const char *name, int width, int height, char path[128])
{
    float data[64];
    for (int i = 0; i < width * height; i++)
        data[i] = (float)i / (float)(width * height - 1);
    struct oro_heightfield field = {.width = width, .height = height, .data = data};
    struct oro_write_options options = {.has_range = true, .low = 0, .high = 1};
    char sidecar[160];
    assert_true(oro_heightfield_write(harness_path(&h, name, path), &field, &options, &h.err));
    snprintf(sidecar, sizeof sidecar, "%s.json", path);
    assert_int_equal(remove(sidecar), 0);
}

TEST(import_scales_to_the_range)
{
    need_device();
    char path[128], inputs[512];
    store_grey("grey.png", 4, 4, path);
    snprintf(inputs, sizeof inputs, IN("file", "%s") IN("low", "100") IN("high", "250"), path);
    struct harness_raster given = source("extent=\"100\" resolution=\"4\"", "import", inputs, "terrain");
    assert_near(given.data[0], 100, 1e-3);
    assert_near(given.data[15], 250, 1e-3);
    snprintf(inputs, sizeof inputs, IN("file", "%s"), path);
    struct harness_raster assumed = source("extent=\"100\" resolution=\"4\"", "import", inputs, "terrain");
    assert_near(assumed.data[15], 1000, 1e-2);
    assert_non_null(strstr(h.warnings, "set low and high"));
    harness_free(&given);
    harness_free(&assumed);
}

TEST(import_sizes)
{
    need_device();
    char path[128], inputs[512];
    store_grey("wide.png", 8, 4, path);
    snprintf(inputs, sizeof inputs, IN("file", "%s") IN("high", "1") IN("size", "file"), path);
    struct harness_raster own = source("extent=\"100\" resolution=\"16\"", "import", inputs, "terrain");
    assert_int_equal(own.grid.width, 8);
    assert_int_equal(own.grid.height, 4);
    assert_near(own.grid.cell, 12.5, 1e-9);
    assert_null(strstr(h.warnings, "aspect"));
    snprintf(inputs, sizeof inputs, IN("file", "%s") IN("high", "1"), path);
    struct harness_raster fitted = source("extent=\"100\" resolution=\"16\"", "import", inputs, "terrain");
    assert_int_equal(fitted.grid.height, 16);
    assert_non_null(strstr(h.warnings, "aspect to 0.5"));
    harness_free(&own);
    harness_free(&fitted);
}

TEST(import_keeps_float_files)
{
    need_device();
    const float data[6] = {-1.5f, 2.25f, 1e4f, 3, 0.1f, 8848.86f};
    char path[128], inputs[512];
    harness_store(&h, "metres.pfm", 3, 2, data, path);
    snprintf(inputs, sizeof inputs, IN("file", "%s") IN("size", "file"), path);
    struct harness_raster terrain = source("extent=\"100\" resolution=\"16\"", "import", inputs, "terrain");
    assert_memory_equal(terrain.data, data, sizeof data);
    harness_free(&terrain);
}

TEST(import_knows_where_no_ground_is)
{
    need_device();
    const float data[6] = {7, 5, -9999, 8, 6, 3};
    char path[128], inputs[512];
    harness_store(&h, "coast.pfm", 3, 2, data, path);
    for (int k = 0; k < 2; k++) {
        snprintf(inputs, sizeof inputs, IN("file", "%s") IN("size", "file") "%s", path,
                 k ? IN("nodata", "8") : "");
        struct harness_raster terrain =
            source("extent=\"100\" resolution=\"16\"", "import", inputs, "terrain");
        struct harness_raster sea = source("extent=\"100\" resolution=\"16\"", "import", inputs, "sea");
        for (int i = 0; i < 6; i++) {
            bool none = data[i] == (k ? 8.0f : -9999.0f);
            assert_true(sea.data[i] == (none ? 1.0f : 0.0f));
            assert_true(none ? terrain.data[i] < (k ? 6.0f : 3.0f) : terrain.data[i] == data[i]);
        }
        harness_free(&terrain);
        harness_free(&sea);
    }
}

#ifdef OROGRAPH_GDAL
/* Files beside that of a heightfield, whose path is given. */
static void put_beside(const char *path, const char *name, const char *text)
{
    char beside[256];
    snprintf(beside, sizeof beside, "%.*s%s", (int)(strrchr(path, '/') - path) + 1, path, name);
    FILE *stream = fopen(beside, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

#define GRID(corner, middle)                                                                                 \
    "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n" corner " 4 5\n6 " middle \
    " 8\n3 2 9\n"

/* A hole in the middle is filled; a corner without ground is sea; the mask has both. */
TEST(import_fills_holes)
{
    need_device();
    char path[128], inputs[512];
    harness_store(&h, "any.pfm", 1, 1, (float[]){0}, path);
    for (int k = 0; k < 2; k++) {
        put_beside(path, "holes.asc", k ? GRID("-9999.0", "7") : GRID("4", "-9999.0"));
        snprintf(inputs, sizeof inputs, IN("file", "%.*s/holes.asc") IN("size", "file"),
                 (int)(strrchr(path, '/') - path), path);
        struct harness_raster terrain =
            source("extent=\"100\" resolution=\"16\"", "import", inputs, "terrain");
        struct harness_raster sea = source("extent=\"100\" resolution=\"16\"", "import", inputs, "sea");
        struct harness_raster mask = source("extent=\"100\" resolution=\"16\"", "import", inputs, "mask");
        for (int i = 0; i < 9; i++) {
            assert_true(sea.data[i] == (k && i == 0 ? 1.0f : 0.0f));
            assert_true(mask.data[i] == (i == (k ? 0 : 4) ? 1.0f : 0.0f));
        }
        assert_true(terrain.data[4] > 2 && terrain.data[4] < 9 && terrain.data[8] == 9);
        harness_free(&terrain);
        harness_free(&sea);
        harness_free(&mask);
    }
}

/* The mosaic itself stays as it is. */
TEST(import_follows_the_rasters_of_a_mosaic)
{
    need_device();
    char path[128], inputs[512];
    harness_store(&h, "any.pfm", 1, 1, (float[]){0}, path);
    put_beside(
        path, "m.vrt",
        "<VRTDataset rasterXSize=\"3\" rasterYSize=\"3\"><VRTRasterBand dataType=\"Float32\" band=\"1\">"
        "<SimpleSource><SourceFilename relativeToVRT=\"1\">part.asc</SourceFilename></SimpleSource>"
        "</VRTRasterBand></VRTDataset>");
    snprintf(inputs, sizeof inputs, IN("file", "%.*s/m.vrt") IN("size", "file"),
             (int)(strrchr(path, '/') - path), path);
    for (int k = 0; k < 2; k++) {
        put_beside(path, "part.asc", k ? GRID("1.5", "7") : GRID("1.5", "100"));
        struct harness_raster terrain =
            source("extent=\"100\" resolution=\"16\"", "import", inputs, "terrain");
        assert_true(terrain.data[0] == 1.5f && terrain.data[4] == (k ? 7.0f : 100.0f));
        harness_free(&terrain);
    }
}
#endif

TEST(import_without_a_file_says_what_to_do)
{
    need_device();
    struct harness_raster raster = {0};
    const char *document = HARNESS_DOCUMENT("extent=\"100\" resolution=\"8\"",
                                            "<node id=\"n\" type=\"import\" x=\"0\" y=\"0\"/>\n");
    assert_false(harness_try(&h, document, "n", "terrain", &raster));
    assert_non_null(strstr(h.err.text, "set 'file'"));
}

TEST_GROUP(open_harness, close_harness);
