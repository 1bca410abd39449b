/* Reads a terrain from a file. */
#include <float.h>
#include <math.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/format.h"
#include "graph/type/node.h"
#include "nodes/source/import_windows.h"

/* Height in metres that is assumed for a file without a range. */
static const double assumed_high = 1000;

/* By default any of the numbers count that usually stand for none. */
static const float usual_nodata = -9999;

struct params {
    const char *file, *channel, *unit;
    float low, high, nodata;
    int decode, size, width, height;
    bool big_endian;
};

static const char *const sizes[] = {"world", "file", NULL};
enum { SIZE_FILE = 1 };

static const struct oro_input inputs[] = {
    ORO_IN_FILE(
        struct params, file, "", .companions = oro_heightfield_companions,
        .doc =
            "Heightfield to read, beside the document: .png (8 or 16-bit), .r16 or .raw, .r32, .pfm, .exr; "
            "elevation data as .tif (GeoTIFF), .hgt (SRTM), .asc, .dem, .ter, .img, .bil, or a mosaic "
            "of several as .vrt; .zarr; tiles as the .json that lists them, or by the pattern of "
            "their names, alps_x{x}_y{y}.png; and whatever else GDAL reads as one raster, such as .nc, "
            ".gpkg, .grib. What a "
            "file's bytes say counts, not its name. Degrees are warped to "
            "metres"),
    ORO_IN_TEXT(
        struct params, channel, "",
        .doc = "Of an .exr file, the channel to read. Empty: that of the heights, which is the one that the "
               "header names, else `height`, the only one, `Y`, `Z` or `R`"),
    ORO_IN_FLOAT(
        struct params, low, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
        .unit = ORO_METRE, .group = "Range",
        .doc =
            "Elevation of the value 0 in a picture, or in a file of floats that all lie within 0..1. With "
            "`low` "
            "equal to `high` the range comes from FILE.json; without one it is taken to be 0..1000 m. A file "
            "that names a unit, or whole numbers that lie somewhere on Earth, are elevations already"),
    ORO_IN_FLOAT(struct params, high, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
                 .unit = ORO_METRE, .group = "Range",
                 .doc = "Elevation of the largest value the file can hold (65535 in 16 bits)"),
    ORO_IN_FLOAT(
        struct params, nodata, -9999, .min = -FLT_MAX, .max = FLT_MAX, .soft_min = -32768, .soft_max = 0,
        .unit = ORO_METRE, .group = "Range",
        .doc =
            "Cells of this height have none, as have those that are not a number, are transparent, or that "
            "the "
            "file itself says so of. With -9999 other numbers count as well that usually stand for none, "
            "such as "
            "-32768, where the file names no other. What the border leads to, beyond a coast or a survey, is "
            "shown by `sea`, and `terrain` continues the ground there; holes with ground all around are "
            "filled"),
    ORO_IN_TEXT(
        struct params, unit, "", .group = "Range",
        .doc = "Unit of a file of elevations: m, ft, us-ft, km, ..., or how many metres one is. Empty: the "
               "file's own, or metres"),
    ORO_IN_CHOICE(
        struct params, decode, 0, oro_decode_words, .group = "Range",
        .doc = "Of a picture in colours. none: it is refused. terrarium, terrain-rgb: elevations packed into "
               "red, green and blue, as web maps have them. luminance: its brightness, from `low` to `high`"),
    ORO_IN_CHOICE(
        struct params, size, 0, sizes, .role = ORO_ROLE_CELLS, .group = "Size",
        .doc = "world: resampled to the world's base resolution. file: as many cells as the file has, spread "
               "over the world's extent"),
    ORO_IN_INT(struct params, width, 0, .role = ORO_ROLE_CELLS, .min = 0, .max = ORO_GRID_MAX,
               .unit = ORO_CELL, .group = "Raw files",
               .doc = "Columns of a file without a header: 0 takes them from FILE.json, or assumes a square"),
    ORO_IN_INT(struct params, height, 0, .role = ORO_ROLE_CELLS, .min = 0, .max = ORO_GRID_MAX,
               .unit = ORO_CELL, .group = "Raw files", .doc = "Rows of a file without a header"),
    ORO_IN_BOOL(struct params, big_endian, false, .group = "Raw files",
                .doc = "Byte order of a file without a header"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.doc = "Elevation"),
    ORO_OUT_FIELD("sea", .role = ORO_ROLE_SEA,
                  .doc = "1 where the file has no ground, else 0: for the input `sea` of nodes that drain "
                         "the terrain, and of `export`"),
    ORO_OUT_FIELD("mask",
                  .doc = "1 where the heights are not the file's: beyond its ground, as in `sea`, and in "
                         "holes within it, which are interpolated from their rims"),
    {0},
};

/* Of a raster too large to be read whole, twice the cells that are wanted are read: averages of whole cells
 * are better than those of parts. */
static int side_to_read(const struct params *p, const struct oro_grid *grid)
{
    int longer = grid->width > grid->height ? grid->width : grid->height;
    return p->size == SIZE_FILE                    ? 0
           : longer < ORO_HEIGHTFIELD_SIDE_MAX / 2 ? 2 * longer
                                                   : ORO_HEIGHTFIELD_SIDE_MAX;
}

static const char *channel_of(const struct params *p)
{
    return p->channel && p->channel[0] ? p->channel : NULL;
}

/* The same of a file that is too large to be read whole, and can be read by windows. */
static bool read_large_site(const struct params *p, const struct oro_read_options *options,
                            struct oro_heightfield *field)
{
    struct oro_reader *reader = oro_import_open(p->file, options, NULL);
    if (!reader)
        return false;
    *field = oro_reader_about(reader)->field;
    bool large = field->width > ORO_HEIGHTFIELD_SIDE_MAX || field->height > ORO_HEIGHTFIELD_SIDE_MAX;
    field->place.crs = large && field->place.crs ? oro_copy_text(field->place.crs) : NULL;
    oro_reader_close(reader);
    if (!large)
        *field = (struct oro_heightfield){0};
    return large;
}

/* What a file says of its size and place, without its heights. */
static bool read_site(const struct params *p, struct oro_heightfield *field, struct oro_error *err)
{
    const struct oro_read_options options = {.width = p->width,
                                             .height = p->height,
                                             .unit = p->unit,
                                             .channel = channel_of(p),
                                             .decode = (enum oro_decode)p->decode,
                                             .max_side = ORO_HEIGHTFIELD_SIDE_MAX,
                                             .shape_only = true};
    struct oro_read_options plain = options;
    plain.max_side = 0;
    return read_large_site(p, &plain, field) || oro_heightfield_read(p->file, &options, field, err);
}

/* The part of the Earth that the world covers, where that is known. */
static struct oro_map_window window_of(const struct oro_place *place, const struct oro_grid *grid)
{
    return (struct oro_map_window){.given = place->crs,
                                   .whole = true,
                                   .west = place->west + grid->x,
                                   .east = place->west + grid->x + grid->width * grid->cell,
                                   .north = place->north - grid->y,
                                   .south = place->north - grid->y - grid->height * grid->cell};
}

/* A range that nobody gives is assumed. */
static struct oro_read_options read_options(const struct params *p, const struct oro_place *place,
                                            const struct oro_grid *grid, const struct oro_log *log)
{
    bool given = p->low != p->high;
    return (struct oro_read_options){.crs = place->crs,
                                     .window = window_of(place, grid),
                                     .where_known = true,
                                     .channel = channel_of(p),
                                     .decode = (enum oro_decode)p->decode,
                                     .has_range = true,
                                     .range_assumed = !given,
                                     .low = given ? (double)p->low : 0,
                                     .high = given ? (double)p->high : assumed_high,
                                     .unit = p->unit,
                                     .width = p->width,
                                     .height = p->height,
                                     .big_endian = p->big_endian,
                                     .no_sea = true, /* `sea` is where the file has no ground */
                                     .has_nodata = p->nodata != usual_nodata,
                                     .nodata = (double)p->nodata,
                                     .max_side = side_to_read(p, grid),
                                     .log = log};
}

static bool has_file(const struct params *p)
{
    return p->file && p->file[0];
}

static const char no_file[] =
    "no file given: set 'file' to a heightfield beside the document, for example \"dem.png\"";

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    *grid = *oro_shape_world(s);
    if (p->size != SIZE_FILE)
        return true;
    if (!has_file(p))
        return oro_shape_fail(s, "%s", no_file);
    struct oro_error err = {0};
    struct oro_heightfield field = {0};
    struct oro_read_options options = read_options(p, oro_shape_place(s), grid, NULL);
    options.shape_only = true;
    if (!oro_heightfield_read(p->file, &options, &field, &err) && !read_large_site(p, &options, &field))
        return oro_shape_failed(s, &err);
    double extent = grid->width * grid->cell;
    grid->width = field.width;
    grid->height = field.height;
    grid->cell = extent / field.width;
    oro_heightfield_free(&field);
    return true;
}

/* For worlds that lie where the file does. */
static bool site(const void *data, struct oro_site *site, struct oro_error *err)
{
    const struct params *p = data;
    struct oro_heightfield field = {0};
    if (!has_file(p))
        return oro_fail(err, ORO_E_DOCUMENT, "%s", no_file);
    if (!read_site(p, &field, err))
        return false;
    *site = (struct oro_site){
        .columns = field.width, .rows = field.height, .cell = field.cell, .place = field.place};
    return true;
}

static void warn_of_aspect(struct oro_eval *e, const char *file, const struct oro_heightfield *field)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    double of_file = (double)field->height / field->width, of_world = (double)grid->height / grid->width;
    if (fabs(of_file / of_world - 1) > 0.01)
        oro_note(oro_eval_result_log(e), ORO_WARNING,
                 "'%s' is %d x %d and is stretched to the world's %d x %d: set the world's aspect to %.4g to "
                 "keep its "
                 "proportions",
                 oro_path_name(file), field->width, field->height, grid->width, grid->height, of_file);
}

/* A file that tells how large its cells are, and lies nowhere, in a world that does not follow it. */
static void warn_of_scale(struct oro_eval *e, const char *file, const struct oro_heightfield *field)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    double of_file = field->width * field->cell, of_world = grid->width * grid->cell;
    bool lies = field->place.crs && oro_eval_place(e)->crs;
    if (field->cell > 0 && !lies && fabs(of_world / of_file - 1) > 0.01)
        oro_note(
            oro_eval_result_log(e), ORO_WARNING,
            "'%s' has cells of %.6g m and is spread from %.6g m over the world's %.6g m: slopes become %.3g "
            "times as steep; set the world's extent to %.6g, or 'from' to this node",
            oro_path_name(file), field->cell, of_file, of_world, of_file / of_world, of_file);
}

struct reading {
    struct oro_eval *eval;
    const char *file;
};

/* Refuses what is no elevation. */
static bool take_row(void *user, const struct oro_heightfield *field, int y, float *row,
                     struct oro_error *err)
{
    const struct reading *reading = user;
    bool beyond = false;
    if (oro_eval_stopped(reading->eval))
        return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    for (int x = 0; x < field->width; x++)
        beyond |= fabsf(row[x]) > ORO_IMPORT_HIGHEST;
    for (int x = 0; beyond && x < field->width; x++)
        if (fabsf(row[x]) > ORO_IMPORT_HIGHEST)
            return oro_fail(err, ORO_E_FILE, "'%s': cell %d,%d is %g m; elevations lie within %g m",
                            reading->file, x, y, (double)row[x], (double)ORO_IMPORT_HIGHEST);
    if (y == field->height - 1) {
        warn_of_aspect(reading->eval, reading->file, field);
        warn_of_scale(reading->eval, reading->file, field);
    }
    return true;
}

/* A mask, or one that is 0 everywhere where there is none. */
static bool give_mask(struct oro_eval *e, const char *output, float *mask, size_t cells)
{
    mask = mask ? mask : oro_alloc(cells, sizeof *mask);
    return mask ? oro_eval_give_host(e, output, mask)
                : oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu cells", cells);
}

/* Gives what was read, and frees it. */
static bool give(struct oro_eval *e, struct oro_heightfield *field)
{
    size_t cells = (size_t)field->width * (size_t)field->height;
    struct oro_heightfield own = *field;
    if (!own.filled && own.sea)
        own.filled = oro_alloc(cells, sizeof *own.filled);
    for (size_t i = 0; own.sea && own.filled && i < cells; i++)
        own.filled[i] = fmaxf(own.filled[i], own.sea[i]);
    bool ok = !own.sea || own.filled || oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu cells", cells);
    *field = (struct oro_heightfield){.place = own.place};
    oro_heightfield_free(field);
    ok = oro_eval_give_host(e, "terrain", own.data) && ok;
    ok = give_mask(e, "sea", own.sea, cells) && ok;
    return give_mask(e, "mask", own.filled, cells) && ok;
}

static bool read_whole(struct oro_eval *e, const struct params *p, const struct oro_read_options *options)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    struct reading reading = {e, p->file};
    struct oro_read_options fitting = *options;
    struct oro_heightfield field = {0};
    struct oro_error err = {0};
    fitting.fit_width = grid->width;
    fitting.fit_height = grid->height;
    fitting.row = take_row;
    fitting.row_user = &reading;
    return oro_heightfield_read(p->file, &fitting, &field, &err) ? give(e, &field) : oro_eval_failed(e, &err);
}

/* The file, if it has as many cells as the raster. NULL: `why` says what is in the way. */
static struct oro_reader *open_fitting(const struct params *p, const struct oro_read_options *options,
                                       const struct oro_grid *grid, struct oro_error *why)
{
    struct oro_read_options quiet = *options;
    quiet.log = NULL; /* what is wrong with the sidecar is said when the file is read */
    struct oro_reader *reader = oro_import_open(p->file, &quiet, why);
    if (!reader)
        return NULL;
    const struct oro_heightfield *field = &oro_reader_about(reader)->field;
    bool fits = field->width == grid->width && field->height == grid->height;
    if (!fits)
        oro_fail(why, ORO_E_FILE,
                 "'%s' has %d x %d cells and the raster %d x %d, and to resample it takes the whole: set the "
                 "world's resolution and aspect to its own, or 'size' to \"file\"",
                 p->file, field->width, field->height, grid->width, grid->height);
    oro_reader_close(reader);
    return fits ? oro_import_open(p->file, options, why) : NULL;
}

/* Window by window; `*done` stays false where that takes the whole, and `why` says what is in the way. All
 * ranks go the way of the first. */
static bool read_windows(struct oro_eval *e, const struct params *p, const struct oro_read_options *options,
                         bool *done, struct oro_error *why)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    const struct oro_device *device = oro_eval_device(e);
    bool tiles = device->tiles && device->tiles->cuts(device, grid), ok = true;
    struct oro_reader *reader = open_fitting(p, options, grid, why);
    if (!oro_eval_decide(e, reader != NULL)) {
        oro_reader_close(reader);
        return true;
    }
    if (!reader)
        return oro_eval_failed(e, why);
    if (tiles)
        ok = oro_import_tiles(e, p->file, reader, done, why);
    else
        ok = *done = oro_import_large(e, p->file, reader);
    oro_reader_close(reader);
    return ok;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_grid(e);
    const struct oro_device *device = oro_eval_device(e);
    bool large = oro_grid_longer(grid) > ORO_HEIGHTFIELD_SIDE_MAX, done = false;
    struct oro_error why = {0};
    if (!has_file(p))
        return oro_eval_fail(e, ORO_E_DOCUMENT, "%s", no_file);
    struct oro_read_options options = read_options(p, oro_eval_place(e), grid, oro_eval_result_log(e));
    if (large || (device->tiles && device->tiles->cuts(device, grid))) {
        if (!read_windows(e, p, &options, &done, &why) || done)
            return done;
        if (large)
            return why.code
                       ? oro_eval_failed(e, &why)
                       : oro_eval_fail(e, ORO_E_FILE, "another rank cannot read '%s' by windows", p->file);
    }
    return read_whole(e, p, &options);
}

ORO_NODE(
    import, .version = 1, .category = "source",
    .words = "heightmap, DEM, read file, load, heightfield, real terrain, elevation data, file input, image, "
             "GeoTIFF, SRTM, lidar, PNG, EXR, TIFF, RAW",
    .doc = "Reads a terrain from a file and fits it to the world. Smooth interpolation where the world is "
           "finer than the "
           "file, averages where it is coarser. Where the world lies somewhere on Earth, files that say "
           "where they "
           "lie, by themselves or by FILE.json, are put where they belong in it; others are spread over it.",
    .placed = true, .site = site, .shape = shape, .spread = ORO_SPREAD_TILES, .eval = eval);
