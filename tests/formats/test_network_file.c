/* Networks in the files of other programs: there and back, foreign ones, and what is no network. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/network/network_file.h"

#include "geo.h"

static struct oro_place world = {"EPSG:32632", 500000, 5200000};
static struct oro_place nowhere;

/* A river of three vertices, a line without heights where `heights` is false, and a peak. */
static struct oro_network *make_network(bool heights, bool points)
{
    struct oro_network_builder b = {0};
    struct oro_vertex v[6] = {oro_vertex_at(10, 20),      oro_vertex_at(200.125f, 300),
                              oro_vertex_at(400, 500.5f), oro_vertex_at(33, 0.5f),
                              oro_vertex_at(44, 55),      oro_vertex_at(77, 88)};
    for (int i = 0; i < 6; i++)
        v[i].elevation = heights || i == 1 ? 100.5f - (float)i : NAN;
    v[0].width = 1;
    v[2].width = 4;
    v[0].order = v[1].order = 1;
    v[2].order = 2;
    v[2].drainage = 1.25e6f;
    v[0].kind = ORO_VERTEX_SOURCE;
    v[5].kind = ORO_VERTEX_PEAK;
    v[5].prominence = 55.5f;
    for (int i = 0; i < 6; i++)
        oro_network_add_vertex(&b, v[i]);
    oro_network_add_line(&b, (uint32_t[]){0, 1, 2}, 3);
    oro_network_add_line(&b, (uint32_t[]){3, 4}, 2);
    if (points)
        oro_network_add_line(&b, (uint32_t[]){5, 5}, 2);
    else
        b.vertex_count--;
    return oro_network_finish(&b, NULL);
}

static void write_network(const struct oro_network *network, const struct oro_place *place, const char *path)
{
    struct oro_error err = {0};
    if (!oro_network_file_write(network, place, path, &err))
        fail_msg("%s", err.text);
}

static struct oro_network *read_network(const char *path, const struct oro_place *place)
{
    struct oro_error err = {0};
    struct oro_network *network = oro_network_file_read(path, place, NULL, &err);
    if (!network)
        fail_msg("%s", err.text);
    return network;
}

static void expect_unread(const char *path, const struct oro_place *place, const char *part)
{
    struct oro_error err = {0};
    struct oro_network *network = oro_network_file_read(path, place, NULL, &err);
    if (network || !strstr(err.text, part))
        fail_msg("'%s': '%s'; expected '%s'", path, network ? "read" : err.text, part);
}

/* ---- There and back ---- */

static void expect_everything(const char *name, const struct oro_place *place, bool heights)
{
    struct oro_network *network = make_network(heights, true);
    size_t before = files_in_folder();
    write_network(network, place, in_folder(name));
    assert_int_equal(files_in_folder(), before + 1);
    struct oro_network *back = read_network(in_folder(name), place);
    assert_int_equal(oro_network_bytes(back), oro_network_bytes(network));
    assert_memory_equal(back, network, oro_network_bytes(network));
    size_t size, again;
    unsigned char *bytes = get_file(in_folder(name), &size);
    write_network(network, place, in_folder(name)); /* replaced by equal bytes */
    unsigned char *same = get_file(in_folder(name), &again);
    assert_true(size == again && memcmp(bytes, same, size) == 0);
    oro_free(bytes);
    oro_free(same);
    remove(in_folder(name));
    oro_free(back);
    oro_free(network);
}

TEST(all_is_kept)
{
    need_gdal();
    for (int heights = 0; heights < 2; heights++) {
        expect_everything("a.svg", &nowhere, heights);
        expect_everything("a.svg", &world, heights);
        expect_everything("a.json", &world, heights);
        expect_everything("a.gpkg", &nowhere, heights);
        expect_everything("a.gpkg", &world, heights);
    }
}

static void expect_geometry(const struct oro_network *a, const struct oro_network *b, bool heights)
{
    const struct oro_vertex *v = oro_network_vertices(a), *w = oro_network_vertices(b);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->line_count, b->line_count);
    for (uint32_t i = 0; i < a->vertex_count; i++) {
        assert_true(fabsf(v[i].x - w[i].x) < 0.001f && fabsf(v[i].y - w[i].y) < 0.001f);
        assert_true(heights ? v[i].elevation == w[i].elevation : isnan(w[i].elevation));
    }
}

/* Degrees are no metres, but near enough; DXF has room for the geometry alone. */
TEST(the_geometry_is_kept)
{
    need_gdal();
    for (int heights = 0; heights < 2; heights++) {
        struct oro_network *network = make_network(heights, true);
        for (int i = 0; i < 3; i++) {
            const char *path = in_folder(i == 0 ? "a.kml" : "a.dxf");
            const struct oro_place *place = i < 2 ? &world : &nowhere;
            write_network(network, place, path);
            struct oro_network *back = read_network(path, place);
            if (i > 0 || heights)
                expect_geometry(network, back, heights);
            oro_free(back);
        }
        oro_free(network);
    }
}

/* One number for a line; points have a file of their own where there are lines. */
TEST(shapefiles)
{
    need_gdal();
    struct oro_network *network = make_network(true, true);
    write_network(network, &world, in_folder("s.shp"));
    assert_true(file_exists(in_folder("s.dbf")) && file_exists(in_folder("s.prj")));
    struct oro_network *back = read_network(in_folder("s.shp"), &world);
    struct oro_network *points = read_network(in_folder("s_points.shp"), &world);
    const struct oro_vertex *v = oro_network_vertices(back);
    assert_true(back->line_count == 2 && back->vertex_count == 5 && points->line_count == 1);
    assert_true(v[2].x == 400 && v[2].y == 500.5f && v[2].elevation == 98.5f);
    assert_true(v[0].width == 2.5f && v[1].order == 2 && v[1].drainage == 1.25e6f && isnan(v[3].width));
    v = oro_network_vertices(points);
    assert_true(v->kind == ORO_VERTEX_PEAK && v->prominence == 55.5f && v->elevation == 95.5f);
    oro_free(points);
    oro_free(back);
    oro_free(network);
    network = make_network(false, false);
    write_network(network, NULL, in_folder("flat.shp"));
    assert_false(file_exists(in_folder("flat_points.shp")) || file_exists(in_folder("flat.prj")));
    back = read_network(in_folder("flat.shp"), NULL);
    expect_geometry(network, back, false);
    oro_free(back);
    oro_free(network);
}

static bool count_file(void *user, const char *path)
{
    assert_true(file_exists(path));
    return --*(int *)user != 0;
}

TEST(files_beside)
{
    need_gdal();
    int left = 100;
    struct oro_network *network = make_network(true, false);
    write_network(network, &world, in_folder("beside.shp"));
    assert_true(oro_network_file_companions(in_folder("beside.shp"), count_file, &left));
    assert_in_range(left, 96, 97);
    left = 1;
    assert_false(oro_network_file_companions(in_folder("beside.shp"), count_file, &left));
    assert_true(oro_network_file_companions(in_folder("beside.gpkg"), count_file, &left));
    oro_free(network);
}

TEST(nothing_in_it)
{
    static const char *const names[] = {"e.svg", "e.gpkg", "e.shp", "e.kml", "e.geojson", "e.dxf"};
    need_gdal();
    struct oro_network *empty = oro_network_parse("", NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_network(empty, &world, in_folder(names[i]));
        struct oro_network *back = read_network(in_folder(names[i]), &world);
        assert_int_equal(back->line_count, 0);
        oro_free(back);
    }
    oro_free(empty);
}

TEST(not_written)
{
    static const struct {
        const char *name, *says;
    } cases[] = {{"a.kml", "the world lies nowhere"},
                 {"a.dwg", "end its name with one of"},
                 {"none/a.gpkg", "No such file"},
                 {"none/a.svg", "No such file"},
                 {"none/a.shp", "No such file"}};
    need_gdal();
    struct oro_network *network = make_network(true, true);
    size_t before = files_in_folder();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct oro_error err = {0};
        assert_false(oro_network_file_write(network, &nowhere, in_folder(cases[i].name), &err));
        if (!strstr(err.text, cases[i].says))
            fail_msg("%s: %s", cases[i].name, err.text);
    }
    assert_int_equal(files_in_folder(), before);
    oro_free(network);
}

/* ---- Files of other programs ---- */

TEST(names_that_lie)
{
    static const char *const names[][2] = {{"l.gpkg", "gpkg.geojson"},
                                           {"l.svg", "svg.shp"},
                                           {"l.geojson", "geojson.kml"},
                                           {"l.svg", "svg.dat"},
                                           {"l.dxf", "dxf.json"}};
    need_gdal();
    struct oro_network *network = make_network(true, true);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_network(network, NULL, in_folder(names[i][0]));
        size_t size;
        unsigned char *bytes = get_file(in_folder(names[i][0]), &size);
        put_file(in_folder(names[i][1]), bytes, size);
        struct oro_network *back = read_network(in_folder(names[i][1]), NULL);
        expect_geometry(network, back, true);
        oro_free(back);
        oro_free(bytes);
    }
    oro_free(network);
}

/* A layer with one feature of that geometry. */
static void add_layer(GDALDatasetH set, const char *name, int epsg, const char *wkt, bool fields)
{
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    OGRGeometryH geometry = NULL;
    char *text = (char *)wkt;
    assert_true(epsg == 0 || OSRImportFromEPSG(crs, epsg) == OGRERR_NONE);
    OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
    OGRLayerH layer = GDALDatasetCreateLayer(set, name, epsg ? crs : NULL, wkbUnknown, NULL);
    assert_non_null(layer);
    if (fields) {
        OGRFieldDefnH width = OGR_Fld_Create("WIDTH", OFTInteger), kind = OGR_Fld_Create("Kind", OFTString);
        OGR_L_CreateField(layer, width, TRUE);
        OGR_L_CreateField(layer, kind, TRUE);
        OGR_Fld_Destroy(width);
        OGR_Fld_Destroy(kind);
    }
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    assert_int_equal(OGR_G_CreateFromWkt(&text, NULL, &geometry), OGRERR_NONE);
    OGR_F_SetGeometryDirectly(feature, geometry);
    if (fields) {
        OGR_F_SetFieldInteger(feature, 0, 12);
        OGR_F_SetFieldString(feature, 1, "peak");
    }
    assert_int_equal(OGR_L_CreateFeature(layer, feature), OGRERR_NONE);
    OGR_F_Destroy(feature);
    OSRRelease(crs);
}

static const char *put_vectors(const char *driver, const char *name, int epsg, const char *wkt, bool fields)
{
    const char *path = in_folder(name);
    need_gdal();
    remove(path);
    GDALDatasetH set = GDALCreate(GDALGetDriverByName(driver), path, 0, 0, 0, GDT_Unknown, NULL);
    assert_non_null(set);
    add_layer(set, "lines", epsg, wkt, fields);
    GDALClose(set);
    return path;
}

/* 9 degrees east is the middle of the zone, at 500 km. */
static void expect_at(const char *path, double east, double south)
{
    struct oro_network *network = read_network(path, &world);
    const struct oro_vertex *v = oro_network_vertices(network);
    if (fabs((double)v->x - east) > 0.1 || fabs((double)v->y - south) > 0.1)
        fail_msg("'%s' at %g %g", path, (double)v->x, (double)v->y);
    oro_free(network);
}

TEST(systems)
{
    const double south = 5200000 - 5094047.49; /* of 46 degrees */
    expect_at(put_vectors("GPKG", "d.gpkg", 4326, "LINESTRING (9 46, 9 46.1)", false), 0, south);
    expect_at(put_vectors("ESRI Shapefile", "d.shp", 4326, "LINESTRING (9 46, 9 46.1)", false), 0, south);
    expect_at(put_vectors("KML", "d.kml", 4326, "LINESTRING (9 46, 9 46.1)", false), 0, south);
    expect_at(put_vectors("GPKG", "e.gpkg", 25832, "LINESTRING (500123 5199000, 0 0)", false), 123, 1000);
    expect_at(put_vectors("ESRI Shapefile", "e.shp", 0, "LINESTRING (500123 5199000, 0 0)", false), 123,
              1000);
    expect_at(put_vectors("DXF", "e.dxf", 0, "LINESTRING (500123 5199000, 0 0)", false), 123, 1000);
    GDALDatasetH set =
        GDALCreate(GDALGetDriverByName("GPKG"), in_folder("two.gpkg"), 0, 0, 0, GDT_Unknown, NULL);
    add_layer(set, "one", 4326, "LINESTRING (9 46, 9 46.1)", false);
    add_layer(set, "other", 25832, "LINESTRING (500123 5199000, 0 0)", false);
    GDALClose(set);
    expect_unread(in_folder("two.gpkg"), &world, "several coordinate systems");
}

TEST(foreign_fields_and_geometries)
{
    struct oro_network *n = read_network(
        put_vectors("GPKG", "f.gpkg", 0, "MULTILINESTRING ((0 0, 1 -1), (5 -5, 6 -6, 7 -7))", true), NULL);
    const struct oro_vertex *v = oro_network_vertices(n);
    assert_true(n->line_count == 2 && n->vertex_count == 5 && v[4].x == 7 && v[4].y == 7);
    assert_true(v[3].width == 12 && v[0].kind == ORO_VERTEX_PEAK);
    oro_free(n);
    n = read_network(put_vectors("GPKG", "c.gpkg", 0, "CIRCULARSTRING (0 0, 1 1, 2 0)", false), NULL);
    assert_true(n->line_count == 1 && n->vertex_count > 10);
    oro_free(n);
    n = read_network(put_vectors("ESRI Shapefile", "p.shp", 0, "MULTIPOINT ((1 -2), (3 -4))", true), NULL);
    assert_true(n->line_count == 2 && oro_network_vertices(n)[1].y == 4);
    oro_free(n);
    expect_unread(put_vectors("GPKG", "g.gpkg", 0, "POLYGON ((0 0, 1 0, 1 1, 0 0))", false), NULL,
                  "a Polygon is not read");
    put_text(in_folder("x.shp"), "no shapes");
    expect_unread(in_folder("x.shp"), NULL, "cannot read");
    put_text(in_folder("x.kml"), "<kml><Document><Placemark>");
    expect_unread(in_folder("x.kml"), NULL, "x.kml");
    expect_unread(in_folder("none.gpkg"), NULL, "cannot read");
    expect_unread(in_folder("none.svg"), NULL, "cannot read");
}

/* Each is where it is in the other's system, whichever comes first. */
TEST(two_to_compare)
{
    static const char *const names[] = {"t.geojson", "t.gpkg", "t.kml", "t.dxf"};
    enum { KML = 2, DXF };
    need_gdal();
    struct oro_network *network = make_network(true, true), *two[2];
    struct oro_error err = {0};
    for (int i = 0; i < 4; i++)
        write_network(network, &world, in_folder(names[i]));
    for (int i = 0; i < 16; i++) {
        bool metres = i % 4 < KML || i / 4 < KML || (i % 4 == DXF && i / 4 == DXF);
        bool ok = oro_network_file_read_two(
            (const char *const[]){in_folder(names[i % 4]), in_folder(names[i / 4])}, two, &err);
        if (ok != metres)
            fail_msg("%d: %s", i, err.text);
        for (int k = 0; k < 2 && !ok; k++)
            oro_free(two[k]);
        if (!ok)
            continue;
        const struct oro_vertex *v = oro_network_vertices(two[0]), *w = oro_network_vertices(two[1]);
        assert_true(hypot((double)v[1].x - (double)w[1].x, (double)v[1].y - (double)w[1].y) < 1);
        oro_free(two[0]);
        oro_free(two[1]);
    }
    assert_false(oro_network_file_read_two((const char *const[]){in_folder("t.kml"), in_folder("none.kml")},
                                           two, &err));
    oro_free(two[0]);
    assert_null(two[1]);
    oro_free(network);
}

/* ---- Drawings ---- */

static void expect_drawing(const char *elements, uint32_t lines, uint32_t vertices, float x, float y)
{
    char text[2000];
    snprintf(text, sizeof text,
             "<?xml version='1.0'?><!-- it's > --><svg xmlns='http://www.w3.org/2000/svg'>%s</svg>",
             elements);
    put_text(in_folder("drawing.svg"), text);
    struct oro_network *n = read_network(in_folder("drawing.svg"), &world);
    const struct oro_vertex *last = oro_network_vertices(n) + n->vertex_count - 1;
    if (n->line_count != lines || n->vertex_count != vertices || fabsf(last->x - x) > 1e-4f ||
        fabsf(last->y - y) > 1e-4f)
        fail_msg("%s: %u lines, %u vertices, the last at %g %g", elements, n->line_count, n->vertex_count,
                 (double)last->x, (double)last->y);
    oro_free(n);
}

TEST(drawings)
{
    expect_drawing("<path d='M1 2L3 4'/>", 1, 2, 3, 4);
    expect_drawing("<path d='m1,2 3,4 5,6'/>", 1, 3, 9, 12);
    expect_drawing("<path d='M.5.5-1-1h4v-3H0'/>", 1, 5, 0, -4);
    expect_drawing("<path d='M0 0L4 0L4 4z'/>", 1, 3, 4, 4);
    expect_drawing("<path d='M0 0L1 1M5 5L6 6'/>", 2, 4, 6, 6);
    expect_drawing("<path d='M0 0C0 1 1 1 1 0'/>", 1, 17, 1, 0);
    expect_drawing("<path d='M0 0c0 1 1 1 1 0s1-1 1 0'/>", 1, 33, 2, 0);
    expect_drawing("<path d='M0 0Q1 2 2 0t2 0'/>", 1, 33, 4, 0);
    expect_drawing("<path d='M0 0a10 10 0 0110 10'/>", 1, 33, 10, 10);
    expect_drawing("<polyline points='1,2 3,4, 5 6'/>", 1, 3, 5, 6);
    expect_drawing("<polygon points='0 0 1 0 1 1'/>", 1, 3, 1, 1);
    expect_drawing("<line x1='1' x2='2' y2='3'/>", 1, 2, 2, 3);
    expect_drawing("<circle cx='1e1' cy='+2' r='9'/>", 1, 1, 10, 2);
    expect_drawing("<g transform='translate(10,20) scale(2)'><path d='M1 1L3 4'/></g>", 1, 2, 16, 28);
    expect_drawing("<g transform='rotate(90)'><path transform='matrix(1 0 0 1 5 0)' d='M1 1L3 4'/></g>", 1, 2,
                   -4, 8);
    expect_drawing("<path transform='rotate(90 1 1) skewX(45)' d='M1 1L2 2'/>", 1, 2, 0, 4);
    expect_drawing("<defs><path d='M9 9L8 8'/></defs><path id=\"a>b\" d='M1 2L3 4'/>", 1, 2, 3, 4);
    expect_drawing("<svg:path xmlns:svg='http://www.w3.org/2000/svg' d='M1 2L3 4'/><text>a</text>", 1, 2, 3,
                   4);
}

/* A middle of the arc lies on the circle around 0, 10. */
TEST(arcs)
{
    put_text(in_folder("arc.svg"), "<svg><path d='M0 0A10 10 0 0 1 10 10'/></svg>");
    struct oro_network *n = read_network(in_folder("arc.svg"), NULL);
    for (uint32_t i = 0; i < n->vertex_count; i++) {
        const struct oro_vertex *v = oro_network_vertices(n) + i;
        assert_true(fabs(hypot((double)v->x, (double)v->y - 10) - 10) < 1e-4 && v->x >= 0 && v->y <= 10);
    }
    oro_free(n);
}

/* What an editor changed is read as it is, without what was known at vertices that are no more. */
TEST(edited_drawings)
{
    put_text(in_folder("edited.svg"),
             "<svg><polyline points='0 0 1 1' data-count=\"2\" "
             "data-vertices=\"{&quot;width&quot;:[3,4]}\"/>"
             "<polyline points='0 0 5 5 6 6' data-count='2' data-vertices='{\"width\":[3,4]}'/></svg>");
    struct oro_network *n = read_network(in_folder("edited.svg"), NULL);
    const struct oro_vertex *v = oro_network_vertices(n);
    assert_true(n->line_count == 2 && v[1].width == 4 && isnan(v[3].width));
    oro_free(n);
}

TEST(drawings_that_are_none)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"<svg", "ends within an element"},
        {"<svg><!-- ", "ends within an element"},
        {"<svg><path d='X1 1'/>", "a path has commands"},
        {"<svg><path d='L1 1'/>", "a path has commands"},
        {"<svg><path d='M1'/>", "a path has commands"},
        {"<svg><path d='M1 1L2 2z3'/>", "a path has commands"},
        {"<svg><path d='M1 1A1 1 0 2 2 3 3'/>", "a path has commands"},
        {"<svg><path d='M1 1L1e999 2'/>", "a path has commands"},
        {"<svg><path d='M1 1L1e99 2'/>", "within 1e9"},
        {"<svg><polyline points='1 2 3'/>", "no pairs"},
        {"<svg><g transform='spin(3)'/>", "a transform"},
        {"<svg><g transform='scale(3'/>", "a transform"},
        {"<svg><polyline points='0 0 1 1' data-count='2' data-vertices='{\"width\":[3]}'/></svg>",
         "1 values for 2"},
        {"<svg><polyline points='0 0 1 1' data-count='2' data-vertices='}'/></svg>", "not JSON"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_text(in_folder("none.svg"), cases[i].text);
        expect_unread(in_folder("none.svg"), NULL, cases[i].says);
    }
    char *deep = oro_alloc(4000, 1);
    int length = snprintf(deep, 4000, "<svg>");
    for (int i = 0; i < 1000; i++)
        length += snprintf(deep + length, 4000 - (size_t)length, "<g>");
    put_text(in_folder("none.svg"), deep);
    expect_unread(in_folder("none.svg"), NULL, "nest too deep");
    oro_free(deep);
}

TEST_GROUP(folder_setup, folder_teardown);
