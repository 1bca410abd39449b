/* Networks as GeoJSON: round trips, files of other programs, and files that are no network. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "formats/network/network_file.h"
#include "tests/formats/support.h"

static const char *network_file(void)
{
    return in_folder("network.geojson");
}

static struct oro_network *read_text(const char *text, struct oro_error *err)
{
    put_text(network_file(), text);
    return oro_network_file_read(network_file(), NULL, NULL, err);
}

static struct oro_network *read_good(const char *text)
{
    struct oro_error err = {0};
    struct oro_network *network = read_text(text, &err);
    if (!network)
        fail_msg("%s", err.text);
    return network;
}

/* ---- There and back ---- */

static void assert_comes_back(const struct oro_network *network)
{
    struct oro_error err = {0};
    if (!oro_geojson_write(network, NULL, network_file(), &err))
        fail_msg("%s", err.text);
    struct oro_network *back = oro_network_file_read(network_file(), NULL, NULL, &err);
    if (!back)
        fail_msg("%s", err.text);
    assert_int_equal(oro_network_bytes(back), oro_network_bytes(network));
    assert_memory_equal(back, network, oro_network_bytes(network));
    oro_free(back);
}

TEST(round_trip)
{
    struct oro_network_builder b = {0};
    struct oro_vertex v[5];
    for (int i = 0; i < 5; i++)
        v[i] = oro_vertex_at(0.1f + (float)i * 1e5f / 3, -(float)i / 7);
    v[0].elevation = 2049.7f;
    v[0].prominence = INFINITY;
    v[0].kind = ORO_VERTEX_PEAK;
    v[1].elevation = nextafterf(1000, 2000);
    v[1].kind = ORO_VERTEX_SADDLE;
    v[2].drainage = 1.23456789e12f;
    v[2].width = 0;
    v[2].order = 7;
    v[3].width = 1e-30f;
    v[4].elevation = -0.25f;
    v[4].kind = ORO_VERTEX_OUTLET;
    for (int i = 0; i < 5; i++)
        oro_network_add_vertex(&b, v[i]);
    oro_network_add_line(&b, (uint32_t[]){0, 1, 2}, 3);
    oro_network_add_line(&b, (uint32_t[]){3, 1}, 2);
    oro_network_add_line(&b, (uint32_t[]){4, 4}, 2);
    struct oro_network *network = oro_network_finish(&b, NULL);
    assert_comes_back(network);
    oro_free(network);
}

#define LINE(properties, coordinates)                                                                        \
    "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": " properties   \
    ", \"geometry\": {\"type\": \"LineString\", \"coordinates\": " coordinates "}}]}"

/* Numbers are numbers or null, so that GIS programs see columns of one type. */
TEST(infinite_prominence)
{
    struct oro_network_builder b = {0};
    struct oro_vertex v[2] = {oro_vertex_at(0, 0), oro_vertex_at(5, 5)};
    v[0].prominence = INFINITY;
    v[1].prominence = 12;
    for (int i = 0; i < 2; i++)
        oro_network_add_vertex(&b, v[i]);
    oro_network_add_line(&b, (uint32_t[]){0, 1}, 2);
    struct oro_network *network = oro_network_finish(&b, NULL);
    assert_comes_back(network);
    size_t size;
    char *text = (char *)get_file(network_file(), &size);
    assert_non_null(strstr(text, "\"prominence\":[null,12.0]"));
    assert_non_null(strstr(text, "\"highest\":[true,null]"));
    oro_free(text);
    oro_free(network);
    network = read_good(LINE("{\"prominence\": [\"infinite\", 3]}", "[[0, 0], [1, 1]]"));
    assert_true(isinf(oro_network_vertices(network)[0].prominence)); /* as it was written before */
    oro_free(network);
}

TEST(literals_round_trip)
{
    static const char *const texts[] = {"", "1 2", "0 0 5, 10 0 6 2; 10 0, 20 5; 3 3",
                                        "0.1 0.2, 0.3 1e-9 1e9 3.3333333, 0.1 0.2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct oro_network *network = oro_network_parse(texts[i], NULL);
        assert_comes_back(network);
        oro_free(network);
    }
}

TEST(cannot_be_written)
{
    struct oro_network *network = oro_network_parse("1 2, 3 4", NULL);
    struct oro_error err = {0};
    assert_false(oro_geojson_write(network, NULL, in_folder("none/x.geojson"), &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    oro_free(network);
}

/* ---- Files of other programs ---- */

TEST(foreign)
{
    struct oro_network *n = read_good(
        "\xef\xbb\xbf{\"type\": \"FeatureCollection\", \"crs\": {\"type\": \"name\"}, \"features\": ["
        "{\"type\": \"Feature\", \"geometry\": null, \"properties\": null},"
        "{\"type\": \"Feature\", \"properties\": {\"name\": \"Rhein\", \"width\": 12, \"kind\": \"river\","
        " \"elevation\": [9, 8, null], \"order\": \"?\", \"drainage\": null},"
        " \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[0, 0, 1, 7], [1, 0], [2, 1, 3]]}},"
        "{\"type\": \"Feature\", \"properties\": {\"width\": [[5, 6], [7, 8]], \"order\": 2},"
        " \"geometry\": {\"type\": \"MultiLineString\", \"coordinates\": [[[2, 1], [4, 4]], [[6, 6], [4, "
        "4]]]}},"
        "{\"type\": \"Feature\", \"geometry\": {\"type\": \"MultiPoint\", \"coordinates\": [[8, 8], [9, 9]]},"
        " \"properties\": {\"width\": [1, 2], \"kind\": [\"peak\", \"hill\"]}}]}");
    const struct oro_vertex *v = oro_network_vertices(n);
    assert_int_equal(n->line_count, 5);
    assert_int_equal(n->vertex_count, 7);
    assert_true(v[0].elevation == 9 && v[0].width == 12 && v[0].order == 0 && v[0].kind == ORO_VERTEX_PLAIN);
    assert_true(v[1].elevation == 8 && v[2].elevation == 3); /* without the property, the third coordinate */
    assert_true(v[2].width == 12 && v[2].order == 2);        /* what the first line does not say */
    assert_true(v[3].width == 6 && v[4].width == 7);
    assert_true(v[5].kind == ORO_VERTEX_PEAK && v[6].width == 2 && v[6].kind == ORO_VERTEX_PLAIN);
    assert_true(isnan(v[5].elevation) && isnan(v[0].drainage));
    oro_free(n);
}

TEST(bare)
{
    static const struct {
        const char *text;
        uint32_t lines, vertices;
    } cases[] = {
        {"{\"type\": \"Point\", \"coordinates\": [1, 2]}", 1, 1},
        {"{\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4]]}", 1, 2},
        {"{\"type\": \"LineString\", \"coordinates\": []}", 0, 0},
        {"{\"type\": \"LineString\", \"coordinates\": [[1, 2]]}", 1, 1},
        {"{\"type\": \"FeatureCollection\", \"features\": []}", 0, 0},
        {"{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [1, 2, 3]}}", 1, 1},
        {"{\"type\": \"GeometryCollection\", \"geometries\": [{\"type\": \"Point\", \"coordinates\": [1, 2]},"
         "{\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4], [3, 4]]}]}",
         2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct oro_network *n = read_good(cases[i].text);
        assert_int_equal(n->line_count, cases[i].lines);
        assert_int_equal(n->vertex_count, cases[i].vertices);
        oro_free(n);
    }
}

/* ---- What is wrong ---- */

TEST(wrong)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "JSON"},
        {"{\"type\": ", "not JSON: line 1"},
        {"[]", "not GeoJSON"},
        {"7", "not JSON"},
        {"{}", "no \"type\""},
        {"{\"type\": 5}", "no \"type\""},
        {"{\"type\": \"Topology\"}", "a Topology is not read"},
        {"{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [1, 1], [1, 0], [0, 0]]]}", "a Polygon"},
        {"{\"type\": \"FeatureCollection\"}", "features"},
        {"{\"type\": \"FeatureCollection\", \"features\": {}}", "features"},
        {"{\"type\": \"FeatureCollection\", \"features\": [null]}", "feature 1: it has no \"geometry\""},
        {"{\"type\": \"Feature\"}", "geometry"},
        {"{\"type\": \"LineString\"}", "no array"},
        {"{\"type\": \"MultiLineString\", \"coordinates\": 3}", "no array"},
        {"{\"type\": \"MultiLineString\", \"coordinates\": [[1, 2]]}", "position"},
        {"{\"type\": \"LineString\", \"coordinates\": [[1, 2], [3]]}", "position"},
        {"{\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, \"4\"]]}", "position"},
        {"{\"type\": \"LineString\", \"coordinates\": [[1, 2], [3, 4, null]]}", "position"},
        {"{\"type\": \"Point\", \"coordinates\": [1e10, 0]}", "within 1e9"},
        {"{\"type\": \"Point\", \"coordinates\": [1e999, 0]}", "not JSON"},
        {"{\"type\": \"Point\", \"coordinates\": [NaN, 0]}", "not JSON"},
        {LINE("{\"width\": [1]}", "[[0, 0], [1, 1]]"), "feature 1: 'width' has 1 values for 2 vertices"},
        {LINE("{\"width\": [1, \"x\"]}", "[[0, 0], [1, 1]]"), "'width' of vertex 2"},
        {LINE("{\"width\": -1}", "[[0, 0], [1, 1]]"), "width"},
        {LINE("{\"drainage\": 1e40}", "[[0, 0], [1, 1]]"), "drainage"},
        {LINE("{\"elevation\": \"infinite\"}", "[[0, 0], [1, 1]]"), "infinitely high"},
        {LINE("{\"order\": -1}", "[[0, 0], [1, 1]]"), "order"},
        {LINE("{\"order\": [1, 1e9]}", "[[0, 0], [1, 1]]"), "order"},
        {LINE("{\"kind\": [\"peak\"]}", "[[0, 0], [1, 1]]"), "kind"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct oro_error err = {0};
        assert_null(read_text(cases[i].text, &err));
        assert_true(err.code == ORO_E_FILE || err.code == ORO_E_EVALUATE);
        if (!strstr(err.text, cases[i].says))
            fail_msg("%s: %s", cases[i].text, err.text);
    }
    struct oro_error err = {0};
    assert_null(oro_network_file_read(in_folder("none.geojson"), NULL, NULL, &err));
    assert_int_equal(err.code, ORO_E_FILE);
}

static void add_times(struct oro_text *text, const char *more, int times)
{
    for (int i = 0; i < times; i++)
        oro_text_add(text, more);
}

TEST(deep)
{
    for (int depth = 5; depth < 200000; depth = depth * 10 + 1) {
        struct oro_text text = {0};
        struct oro_error err = {0};
        add_times(&text, "{\"type\": \"GeometryCollection\", \"geometries\": [", depth);
        oro_text_add(&text, "{\"type\": \"Point\", \"coordinates\": [1, 2]}");
        add_times(&text, "]}", depth);
        struct oro_network *n = read_text(text.data, &err);
        assert_true(depth == 5 ? n != NULL : err.code == ORO_E_FILE);
        oro_free(n);
        oro_text_free(&text);
    }
}

/* ---- On Earth ---- */

TEST(a_place_on_earth)
{
    struct oro_error err = {0};
    struct oro_place world = {"EPSG:32632", 399960, 5100000};
    struct oro_network_builder b = {0};
    const struct oro_vertex v[] = {oro_vertex_at(0.25f, 10), oro_vertex_at(54321.5f, 98765.25f)};
    oro_network_add_line(&b, (uint32_t[]){oro_network_add_vertex(&b, v[0]), oro_network_add_vertex(&b, v[1])},
                         2);
    struct oro_network *network = oro_network_finish(&b, &err);
    assert_true(oro_geojson_write(network, &world, network_file(), &err));
    size_t size = 0;
    char *text = (char *)get_file(network_file(), &size);
    assert_non_null(strstr(text, "urn:ogc:def:crs:EPSG::32632"));
    assert_non_null(strstr(text, "[[399960.25,5099990.0],[454281.5,5001234.75]]"));
    oro_free(text);

    struct oro_network *back = oro_network_file_read(network_file(), &world, NULL, &err);
    assert_non_null(back);
    assert_memory_equal(back, network, oro_network_bytes(network));
    oro_free(back);
    oro_free(network);
}

static const char point[] = "{\"type\":\"Feature\"%s%s%s,\"geometry\":{\"type\":\"LineString\","
                            "\"coordinates\":[[%.10g,%.10g],[%.10g,%.10g]]}}";

static struct oro_network *read_line(const char *crs, double x, double y, const struct oro_place *world,
                                     struct oro_error *err)
{
    char text[512];
    snprintf(text, sizeof text, point, crs ? ",\"crs\":{\"properties\":{\"name\":\"" : "", crs ? crs : "",
             crs ? "\"}}" : "", x, y, x, y + (y < 100 ? 0.01 : 1000));
    put_text(network_file(), text);
    *err = (struct oro_error){0};
    return oro_network_file_read(network_file(), world, NULL, err);
}

#ifdef OROGRAPH_GDAL
static void expect_at(const char *crs, double x, double y, const struct oro_place *world, double east,
                      double south)
{
    struct oro_error err = {0};
    struct oro_network *network = read_line(crs, x, y, world, &err);
    if (!network)
        fail_msg("%s", err.text);
    const struct oro_vertex *v = oro_network_vertices(network);
    assert_true(fabs((double)v->x - east) < 0.1 && fabs((double)v->y - south) < 0.1);
    oro_free(network);
}

/* 9 degrees east is the middle of the zone, at 500 km, where the equator's distance is that along a meridian.
 */
TEST(other_systems)
{
    struct oro_error err;
    const struct oro_place world = {"EPSG:32632", 499000, 5100000};
    static const char wkt[] =
        "GEOGCS[\\\"WGS 84\\\",DATUM[\\\"WGS_1984\\\",SPHEROID[\\\"WGS 84\\\",6378137,298.257223563]],"
        "PRIMEM[\\\"Greenwich\\\",0],UNIT[\\\"degree\\\",0.0174532925199433]]";
    const double north = 5094047.49; /* of 46 degrees, by 0.9996 along the meridian */
    expect_at(NULL, 9, 46, &world, 1000, 5100000 - north);
    expect_at("urn:ogc:def:crs:OGC:1.3:CRS84", 9, 46, &world, 1000, 5100000 - north);
    expect_at("urn:ogc:def:crs:EPSG::4326", 9, 46, &world, 1000, 5100000 - north);
    expect_at("EPSG:4326", 9, 46, &world, 1000, 5100000 - north);
    expect_at(wkt, 9, 46, &world, 1000, 5100000 - north);
    expect_at("urn:ogc:def:crs:EPSG:9.9:25832", 500000, 5095000, &world, 1000, 5000);
    /* Nothing is told, and these are no degrees: the world's metres. In the world's own they stay. */
    expect_at(NULL, 9, 460, &world, 9, 460);
    expect_at("EPSG:32632", 499009, 46, &world, 9, 5100000 - 46);

    assert_null(read_line("urn:ogc:def:crs:EPSG::99999", 9, 46, &world, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    assert_non_null(strstr(err.text, "there is no coordinate system 'EPSG:99999'"));
    assert_null(read_line("/etc/passwd", 9, 46, &world, &err));
    assert_non_null(strstr(err.text, "there is no coordinate system"));
    assert_null(read_line("EPSG:4326", 9, 1e7, &world, &err));
    assert_non_null(strstr(err.text, "does not reach"));
    /* Without a place the world's metres are meant, whatever the file says. */
    expect_at("EPSG:4326", 9, 46, &(struct oro_place){0}, 9, 46);
}
#else
TEST(other_systems)
{
    struct oro_error err;
    const struct oro_place world = {"EPSG:32632", 499000, 5100000};
    assert_null(read_line("EPSG:2056", 2600000, 1200000, &world, &err));
    assert_non_null(strstr(err.text, "built without GDAL"));
}
#endif

/* More than the limit is refused without reading it. */
TEST(huge)
{
    struct oro_error err = {0};
    FILE *file = fopen(network_file(), "wb");
    assert_non_null(file);
    assert_int_equal(fseek(file, (1L << 27) + 1, SEEK_SET), 0);
    assert_int_equal(fputc(' ', file), ' ');
    assert_int_equal(fclose(file), 0);
    assert_null(oro_network_file_read(network_file(), NULL, NULL, &err));
    assert_int_equal(err.code, ORO_E_FILE);
}

TEST_GROUP(folder_setup, folder_teardown);
