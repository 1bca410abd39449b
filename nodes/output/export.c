/* Writes a terrain or a picture to a file. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/format.h"
#include "formats/nodata.h"
#include "formats/spread/spread_file.h"
#include "graph/type/node.h"
#include "nodes/lib/range.h"

struct params {
    const char *file;
    float low, high;
    int preset, engine, resampling, drain;
    float drain_limit;
    int bits, compress;
    bool big_endian, half, tiled, cog;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.optional = true, .doc = "Elevation, or any other raster, to write"),
    ORO_IN_IMAGE("image", .optional = true,
                 .doc = "Picture to write, as a PNG. Either this or `terrain` is linked"),
    ORO_IN_FILE(struct params, file, "", .writes = true,
                .doc =
                    "File to write, beside the document. The ending decides the format: .png and .r16 or "
                    ".raw are 16-bit, "
                    ".r32, .pfm, .exr, .tif (GeoTIFF), .zarr (a folder) and .asc (ESRI ASCII) are float "
                    "metres, .ter (Terragen) "
                    "fits 16 bits to the range; .glb, .obj, .stl and .ply are meshes, of the whole grid or "
                    "2097152 triangles"),
    {.name = "for",
     .type = ORO_CHOICE,
     .offset = offsetof(struct params, engine),
     .choices = oro_engine_names,
     .doc = "Whom the file is for: the format is checked, the terrain resampled to the nearest size that it "
            "takes, rows are put in its order, and what to enter there is said and written into FILE.json "
            "(docs/engines.md)"},
    ORO_IN_FLOAT(
        struct params, low, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
        .unit = ORO_METRE, .group = "Range",
        .doc =
            "Elevation that becomes 0 in a 16-bit file. `low` equal to `high` takes the terrain's own range. "
            "The range is written into FILE.json"),
    ORO_IN_FLOAT(struct params, high, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
                 .unit = ORO_METRE, .group = "Range", .doc = "Elevation that becomes 65535"),
    ORO_IN_CHOICE(struct params, preset, 0, oro_size_presets, .role = ORO_ROLE_CELLS, .group = "Size",
                  .doc = "Resamples each side to the nearest size that a program expects. as_is: no change"),
    ORO_IN_CHOICE(
        struct params, resampling, ORO_RESAMPLE_MONOTONE, oro_resampling_words, .group = "Size",
        .doc =
            "The surface through the cells where `preset` or `for` make them smaller, as `method` of resize"),
    ORO_IN_CHOICE(
        struct params, drain, ORO_DRAIN_NONE, oro_drain_words, .group = "Drainage",
        .doc =
            "What is done so that water finds its way out of the file. check: nothing, except that a terrain "
            "that drains is carved open again where it is resampled here; closed depressions are counted, "
            "here and in FILE.json. repair: carves at the size that is written; float files "
            "have neither pits nor flats then, 16-bit files no closed depression, but level stretches "
            "where the ground falls by less than one step of the file. strict: in 16-bit files every "
            "cell is a step lower than the one before, all the way to the border"),
    ORO_IN_FLOAT(
        struct params, drain_limit, ORO_DRAIN_LIMIT, .when = "drain=strict", .min = 0, .max = 1e6,
        .soft_max = 100, .unit = ORO_METRE, .group = "Drainage",
        .doc = "With strict: nothing is written where a cell would change by more; 0: no limit. Hilly ground "
               "that was breached takes less than 10 m, up to 4096 cells a side; plains take more"),
    ORO_IN_FIELD(
        "sea", .role = ORO_ROLE_SEA, .optional = true, .group = "Drainage",
        .doc =
            "Where this mask is above 0.5, water has arrived: the sea, or what is no ground. `drain` leads "
            "water there, and strict never raises the sea. Not linked, it is what the terrain comes with: "
            "the "
            "world's `sea`, or an output of that name, of a node above or of the interface"),
    ORO_IN_BOOL(struct params, big_endian, false, .group = "Format",
                .doc = "Byte order of .r16, .raw and .r32 files"),
    ORO_IN_CHOICE(
        struct params, bits, 0, oro_bits_words, .group = "Format",
        .doc = "Of .tif and .zarr files: 32 are floats in metres, 16 are levels of the range, which the file "
               "tells"),
    ORO_IN_CHOICE(struct params, compress, 0, oro_compress_words, .group = "Format",
                  .doc = "Of .tif files: how they are compressed. deflate: every program reads it. zstd: "
                         "newer programs alone do"),
    ORO_IN_BOOL(struct params, cog, false, .group = "Format",
                .doc = "Of .tif files: a cloud optimized GeoTIFF, of which parts are quickly read from afar, "
                       "with overviews"),
    ORO_IN_BOOL(struct params, half, false, .group = "Format",
                .doc = "Of .exr files: half floats, in half the space. Their steps grow with the height: "
                       "half a metre from 512 m on, two metres from 2048 m on. `drain` goes by these steps"),
    ORO_IN_BOOL(struct params, tiled, false, .group = "Format",
                .doc = "Of .exr files: tiles of 64 x 64 cells, for programs that read parts of a file"),
    {0},
};
static const struct oro_output outputs[] = {{0}};

static bool write_image(struct oro_eval *e, const struct params *p)
{
    enum { CHANNELS = 4 };
    struct oro_error err = {0};
    const struct oro_grid *grid = oro_eval_input_grid(e, "image");
    const float *rgba = oro_eval_input_host(e, "image");
    const struct oro_world_region *region = oro_eval_region(e);
    if (!grid || !rgba)
        return false;
    struct oro_window part = {0, 0, grid->width, grid->height};
    if (region)
        part = oro_grid_window(grid, region);
    size_t line = (size_t)part.width * CHANNELS;
    float *cut = region ? oro_alloc((size_t)part.height * line, sizeof *cut) : NULL;
    if (region && !cut)
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory for %d x %d cells", part.width, part.height);
    for (int y = 0; cut && y < part.height; y++)
        memcpy(cut + (size_t)y * line,
               rgba + ((size_t)(part.y + y) * (size_t)grid->width + (size_t)part.x) * CHANNELS,
               line * sizeof *cut);
    bool ok = oro_image_write(p->file, part.width, part.height, cut ? cut : rgba, &err);
    oro_free(cut);
    if (ok)
        oro_note(oro_eval_log(e), ORO_NOTICE, "wrote %s (%d x %d)", p->file, part.width, part.height);
    return ok || oro_eval_failed(e, &err);
}

/* What to do about a terrain that does not drain, and which node is to blame. */
static const char *drain_advice(const struct oro_lineage *lineage, char *out, size_t size)
{
    const char *by = lineage->drained_by, *changed = lineage->changed_by;
    if (!by)
        snprintf(out, size, "put a breach node before it, or set 'drain' to repair");
    else if (lineage->resampled)
        snprintf(out, size,
                 "the terrain was resampled after '%s', so its drainage is no longer certain; set 'drain' to "
                 "repair",
                 by);
    else if (changed)
        snprintf(out, size,
                 "node '%s' changed the terrain after '%s', so its drainage is no longer certain; put '%s' "
                 "after it, or set 'drain' to repair",
                 changed, by, by);
    else
        snprintf(
            out, size,
            "'%s' left them, because of its sea, borders or mask; link its sea to 'sea' here, or set 'drain' "
            "to repair where that is not meant",
            by);
    return out;
}

static void tell_notices(const void *said, const struct oro_log *log)
{
    oro_said_tell(said, false, log);
}

static struct oro_sidecar sidecar_of(struct oro_eval *e, const struct oro_lineage *lineage,
                                     char digest[ORO_HASH_TEXT])
{
    struct oro_origin origin = oro_eval_origin(e);
    return (struct oro_sidecar){.seed = origin.seed,
                                .graph_digest = oro_hash_text(origin.graph, digest),
                                .document = origin.document,
                                .device = origin.device,
                                .breach_node = lineage->has_figures ? lineage->drained_by : NULL,
                                .breach_deepest_cut = lineage->deepest_cut,
                                .breach_cut_volume = lineage->cut_volume,
                                .notices = tell_notices,
                                .notices_user = origin.said};
}

/* `range` is that of the terrain. */
static void say_written(struct oro_eval *e, const struct params *p, const float range[2],
                        const struct oro_write_options *options)
{
    char text[ORO_DRAINAGE_TEXT];
    const struct oro_measure *measure = &options->written->measure;
    const struct oro_certificate *drainage = &measure->drainage;
    const float given[2] = {p->low, p->high};
    if (p->low != p->high)
        range = given;
    oro_drainage_text(drainage, text);
    bool drains = !options->not_terrain && drainage->depressions == 0; /* else a warning says more */
    oro_note(oro_eval_log(e), ORO_NOTICE, "wrote %s (%d x %d, %g..%g%s)%s%s", p->file, measure->width,
             measure->height, (double)range[0], (double)range[1], options->not_terrain ? "" : " m",
             drains ? ", " : "", drains ? text : "");
    if (drainage->depressions > 0)
        oro_note(oro_eval_log(e), ORO_WARNING, "%s: %s: %s", p->file, text, options->drain_advice);
    char kept[ORO_DRAIN_KEPT_TEXT];
    if (oro_drain_kept_text(options->written, kept)[0])
        oro_note(oro_eval_log(e), ORO_NOTICE, "%s: %s", p->file, kept);
}

static void say_figures(struct oro_eval *e, const char *file, const struct oro_write_options *options)
{
    struct oro_text text = {0};
    oro_engine_say(&options->written->figures, &text);
    if (options->written->figures.count > 0 && !text.failed)
        oro_note(oro_eval_log(e), ORO_NOTICE, "%s: for %s: %s", file, options->engine->title, text.data);
    oro_text_free(&text);
}

/* A size that was chosen comes before the one that the engine would take. */
static int side_of(const struct params *p, int side)
{
    return p->preset ? oro_size_preset(oro_size_presets[p->preset], side)
                     : oro_engine_side(oro_engine_at(p->engine), side);
}

/* How the file is encoded, where its format leaves a choice. */
static void encode(const struct params *p, struct oro_write_options *options)
{
    options->bits = oro_bits_of(p->bits);
    options->zstd = p->compress == ORO_COMPRESS_ZSTD;
    options->cog = p->cog;
    options->half = p->half;
    options->tiled = p->tiled;
}

/* What the options point to. */
struct texts {
    char digest[ORO_HASH_TEXT], advice[512];
};

/* `range` is that of the terrain. */
static struct oro_write_options options_of(struct oro_eval *e, const struct params *p,
                                           const struct oro_lineage *lineage, const float range[2],
                                           struct texts *texts)
{
    struct oro_write_options options = {
        .has_range = p->low != p->high,
        .low = (double)p->low,
        .high = (double)p->high,
        .big_endian = p->big_endian,
        .engine = oro_engine_at(p->engine),
        .sidecar = sidecar_of(e, lineage, texts->digest),
        .log = oro_eval_log(e),
        .not_terrain = p->drain == ORO_DRAIN_NONE && !oro_lineage_is_terrain(lineage, range, 2),
        .drain = (enum oro_drain)p->drain,
        .drain_limit = (double)p->drain_limit,
        .require_drained = oro_eval_require_drained(e),
        .drain_advice = drain_advice(lineage, texts->advice, sizeof texts->advice),
        .stop = oro_eval_stopped,
        .stop_user = e};
    options.has_sea = oro_eval_sea(e, &options.sea);
    encode(p, &options);
    if (options.not_terrain || options.engine)
        options.channel = "Y"; /* of .exr: every program shows it, in grey */
    return options;
}

/* `before`: the terrain before it was resampled; NULL: it was not. */
static bool write_field(struct oro_eval *e, const struct params *p, const struct oro_heightfield *field,
                        const struct oro_heightfield *before, const struct oro_lineage *lineage)
{
    struct oro_error err = {0};
    struct oro_written written = {0};
    struct texts texts;
    float range[2];
    oro_range(field->data, (size_t)field->width * (size_t)field->height, range);
    struct oro_write_options options = options_of(e, p, lineage, range, &texts);
    options.written = &written;
    if ((before && !oro_drain_keep(before, &options, &err)) ||
        !oro_heightfield_write(p->file, field, &options, &err))
        return oro_eval_failed(e, &err);
    say_written(e, p, range, &options);
    say_figures(e, p->file, &options);
    return true;
}

static bool write_sized(struct oro_eval *e, const struct params *p, const struct oro_heightfield *field)
{
    struct oro_error err = {0};
    struct oro_lineage lineage;
    if (!oro_eval_lineage(e, "terrain", &lineage))
        return false;
    int width = side_of(p, field->width);
    int height = side_of(p, field->height);
    if (width == field->width && height == field->height)
        return write_field(e, p, field, NULL, &lineage);
    struct oro_heightfield resized = {0};
    oro_engine_note_stretch(p->preset ? NULL : oro_engine_at(p->engine), p->file,
                            (const int[]){field->width, field->height}, (const int[]){width, height},
                            oro_eval_log(e));
    if (!oro_heightfield_resize(field, width, height, (enum oro_resampling)p->resampling, &resized, &err))
        return oro_eval_failed(e, &err);
    lineage.resampled = lineage.resampled || !lineage.changed_by;
    bool ok = write_field(e, p, &resized, field, &lineage);
    oro_heightfield_free(&resized);
    return ok;
}

static bool write_terrain(struct oro_eval *e, const struct params *p)
{
    struct oro_error err = {0};
    const struct oro_grid *grid = oro_eval_input_grid(e, "terrain");
    const float *data = oro_eval_input_host(e, "terrain");
    const float *sea = oro_eval_linked(e, "sea") ? oro_eval_input_host(e, "sea") : NULL;
    if (!grid || !data || (!sea && oro_eval_linked(e, "sea")))
        return false;
    /* The input's values are only read: writing and resampling take the heightfield as const. */
    struct oro_heightfield field = {.width = grid->width,
                                    .height = grid->height,
                                    .data = (float *)data,
                                    .cell = grid->cell,
                                    .metres = true,
                                    .place = oro_place_within(oro_eval_place(e), grid->x, grid->y)};
    bool ok = !sea || oro_heightfield_mark(&field, sea, &err);
    ok = ok ? write_sized(e, p, &field) : oro_eval_failed(e, &err);
    oro_free(field.sea);
    return ok;
}

static bool write_fitting_tiles(struct oro_eval *e, const struct params *p,
                                const struct oro_spread_raster *raster, bool *done, struct oro_error *err)
{
    struct oro_lineage lineage;
    struct oro_height_range range;
    struct texts texts;
    struct oro_written written = {0};
    if (!oro_eval_lineage(e, "terrain", &lineage) || !oro_spread_raster_range(raster, &range, err))
        return false;
    const float ends[2] = {(float)range.low, (float)range.high};
    struct oro_write_options options = options_of(e, p, &lineage, ends, &texts);
    struct oro_heightfield about = {.cell = raster->grid.cell,
                                    .metres = true,
                                    .place =
                                        oro_place_within(oro_eval_place(e), raster->grid.x, raster->grid.y)};
    options.written = &written;
    *done = oro_spread_file_fits(p->file, raster, &about, &range, &options);
    if (*done && !oro_spread_file_write(p->file, raster, &about, &range, &options, done, err))
        return false;
    if (written.measure.width > 0) { /* rank 0 knows what was written, if anything was */
        say_written(e, p, ends, &options);
        say_figures(e, p->file, &options);
    }
    return true;
}

/* A mask of the sea that is nowhere above 0.5, as that of a file without holes. */
static bool is_dry(struct oro_eval *e, bool *dry, struct oro_error *err)
{
    struct oro_height_range range = {0};
    struct oro_spread_raster sea = {.buffer =
                                        oro_eval_linked(e, "sea") ? oro_eval_input_tiles(e, "sea") : NULL,
                                    .device = oro_eval_device(e),
                                    .stop = oro_eval_stopped,
                                    .stop_user = e};
    *dry = !oro_eval_linked(e, "sea");
    if (!sea.buffer)
        return true;
    sea.grid = *oro_eval_input_grid(e, "sea");
    if (!oro_spread_raster_range(&sea, &range, err))
        return false;
    *dry = range.high <= 0.5;
    return true;
}

/* The sea, and another size, take the whole. */
static bool eval_tiles(struct oro_eval *e, const void *data, bool *done)
{
    bool dry;
    const struct params *p = data;
    struct oro_error err = {0};
    struct oro_spread_raster raster = {.buffer = oro_eval_input_tiles(e, "terrain"),
                                       .device = oro_eval_device(e),
                                       .stop = oro_eval_stopped,
                                       .stop_user = e};
    if (!raster.buffer)
        return true;
    if (!is_dry(e, &dry, &err))
        return oro_eval_failed(e, &err);
    if (!dry)
        return true;
    raster.grid = *oro_eval_input_grid(e, "terrain");
    if (side_of(p, raster.grid.width) != raster.grid.width ||
        side_of(p, raster.grid.height) != raster.grid.height)
        return true;
    return write_fitting_tiles(e, p, &raster, done, &err) || oro_eval_failed(e, &err);
}

/* Reports what is missing before the work on the terrain is done, not after. */
static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    struct oro_error err = {0};
    struct oro_write_options encoded = {0};
    encode(p, &encoded);
    bool terrain = oro_shape_input(s, "terrain"), image = oro_shape_input(s, "image");
    (void)grid;
    if (terrain == image)
        oro_fail(&err, ORO_E_DOCUMENT, "%s",
                 terrain ? "both 'terrain' and 'image' are linked: link one of them"
                         : "nothing to write: link 'terrain' or 'image'");
    else if (!p->file || !p->file[0])
        oro_fail(&err, ORO_E_DOCUMENT, "no file given: set 'file' to a name, for example \"terrain.png\"");
    else if (image && !oro_image_writable(p->file))
        oro_fail(&err, ORO_E_DOCUMENT, "a picture is written as PNG: end the name '%s' with .png", p->file);
    else if (!oro_format_writable(p->file))
        oro_fail(&err, ORO_E_DOCUMENT, "'%s' has no known format; known are %s", p->file, oro_format_names);
    else if (terrain && oro_write_options_fit(p->file, &encoded, &err) && p->engine)
        oro_engine_takes(oro_engine_at(p->engine), p->file, &err);
    if (!err.code && p->low > p->high)
        oro_fail(&err, ORO_E_DOCUMENT, "'low' is %g and must not be above 'high', %g", (double)p->low,
                 (double)p->high);
    if (err.code == ORO_E_USAGE)
        err.code = ORO_E_DOCUMENT;
    return !err.code || oro_shape_failed(s, &err);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    return oro_eval_linked(e, "image") ? write_image(e, p) : write_terrain(e, p);
}

static const struct oro_use uses[] = {
    {.id = "unreal",
     .label = "Export for Unreal",
     .words = "Unreal Engine, UE5, game engine, landscape",
     .set = {{"for", "unreal"}}},
    {.id = "unity",
     .label = "Export for Unity",
     .words = "Unity terrain, game engine",
     .set = {{"for", "unity"}}},
    {.id = "godot", .label = "Export for Godot", .words = "game engine", .set = {{"for", "godot"}}},
    {.id = "blender", .label = "Export for Blender", .set = {{"for", "blender"}}},
    {.id = "houdini", .label = "Export for Houdini", .words = "heightfield", .set = {{"for", "houdini"}}},
    {0},
};

ORO_NODE(
    export, .version = 1, .category = "output",
    .words = "output, save, write, file output, bake, tile output, GeoTIFF, PNG, EXR, RAW, R16, heightmap, "
             "mesh, OBJ, GLB, glTF, STL, game engine, 3D print",
    .uses = uses,
    .doc = "Writes a terrain, a mask or a picture to a file. Beside a terrain goes FILE.json, which keeps "
           "what a 16-bit "
           "file cannot: its range in metres, its cell size, where it came from, and whether water finds its "
           "way out of it.",
    .sink = true, .shape = shape, .spread = ORO_SPREAD_HOST, .eval_tiles = eval_tiles, .eval = eval);
