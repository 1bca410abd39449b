/* Writes a terrain or a picture to a file. */
#include <strings.h>

#include "base/file.h"
#include "formats/format.h"
#include "graph/node.h"
#include "nodes/range.h"

struct params {
    const char *file;
    float low, high;
    int preset;
    bool big_endian;
};

/* The words of oro_size_presets; a test holds the two lists together. */
static const char *const presets[] = {
    "as_is", "power_of_two", "power_of_two_plus_one", "unreal", "unity", "godot", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("terrain", .optional = true, .unit = ORO_METRE,
                 .doc = "Elevation, or any other raster, to write"),
    ORO_IN_IMAGE("image", .optional = true,
                 .doc = "Picture to write, as a PNG. Either this or `terrain` is linked"),
    ORO_IN_FILE(struct params, file, "", .writes = true,
                .doc = "File to write, beside the document. The ending decides the format: .png and .r16 or "
                       ".raw are 16-bit, "
                       ".r32 and .pfm are float metres"),
    ORO_IN_FLOAT(
        struct params, low, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
        .unit = ORO_METRE, .group = "Range",
        .doc =
            "Elevation that becomes 0 in a 16-bit file. `low` equal to `high` takes the terrain's own range. "
            "The range is written into FILE.json"),
    ORO_IN_FLOAT(struct params, high, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
                 .unit = ORO_METRE, .group = "Range", .doc = "Elevation that becomes 65535"),
    ORO_IN_CHOICE(struct params, preset, 0, presets, .group = "Size",
                  .doc = "Resamples each side to the nearest size that a program expects. as_is: no change"),
    ORO_IN_BOOL(struct params, big_endian, false, .group = "Format",
                .doc = "Byte order of .r16, .raw and .r32 files"),
    {0},
};
static const struct oro_output outputs[] = {{0}};

static bool write_image(struct oro_eval *e, const struct params *p)
{
    struct oro_error err = {0};
    const struct oro_grid *grid = oro_eval_input_grid(e, "image");
    const float *rgba = oro_eval_input_host(e, "image");
    if (!grid || !rgba)
        return false;
    if (!oro_image_write(p->file, grid->width, grid->height, rgba, &err))
        return oro_eval_failed(e, &err);
    oro_note(oro_eval_log(e), ORO_NOTICE, "wrote %s (%d x %d)", p->file, grid->width, grid->height);
    return true;
}

static bool write_field(struct oro_eval *e, const struct params *p, const struct oro_heightfield *field)
{
    struct oro_error err = {0};
    char digest[ORO_HASH_TEXT];
    struct oro_origin origin = oro_eval_origin(e);
    float range[2] = {p->low, p->high};
    if (p->low == p->high)
        oro_range(field->data, (size_t)field->width * (size_t)field->height, range);
    struct oro_write_options options = {.has_range = p->low != p->high,
                                        .low = (double)p->low,
                                        .high = (double)p->high,
                                        .big_endian = p->big_endian,
                                        .sidecar = {.seed = origin.seed,
                                                    .graph_digest = oro_hash_text(origin.graph, digest),
                                                    .document = origin.document},
                                        .log = oro_eval_log(e)};
    if (!oro_heightfield_write(p->file, field, &options, &err))
        return oro_eval_failed(e, &err);
    oro_note(oro_eval_log(e), ORO_NOTICE, "wrote %s (%d x %d, %g..%g m)", p->file, field->width,
             field->height, (double)range[0], (double)range[1]);
    return true;
}

static bool write_terrain(struct oro_eval *e, const struct params *p)
{
    struct oro_error err = {0};
    const struct oro_grid *grid = oro_eval_input_grid(e, "terrain");
    const float *data = oro_eval_input_host(e, "terrain");
    if (!grid || !data)
        return false;
    /* The input's values are only read: writing and resampling take the heightfield as const. */
    struct oro_heightfield field = {.width = grid->width,
                                    .height = grid->height,
                                    .data = (float *)data,
                                    .cell = grid->cell,
                                    .metres = true};
    int width = oro_size_preset(presets[p->preset], grid->width);
    int height = oro_size_preset(presets[p->preset], grid->height);
    if (width == grid->width && height == grid->height)
        return write_field(e, p, &field);
    struct oro_heightfield resized = {0};
    if (!oro_heightfield_resize(&field, width, height, &resized, &err))
        return oro_eval_failed(e, &err);
    bool ok = write_field(e, p, &resized);
    oro_heightfield_free(&resized);
    return ok;
}

/* What is missing is said before the work on the terrain is done, not after. */
static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    struct oro_error err = {0};
    bool terrain = oro_shape_input(s, "terrain"), image = oro_shape_input(s, "image");
    (void)grid;
    if (terrain == image)
        oro_fail(&err, ORO_E_DOCUMENT, "%s",
                 terrain ? "both 'terrain' and 'image' are linked: link one of them"
                         : "nothing to write: link 'terrain' or 'image'");
    else if (!p->file || !p->file[0])
        oro_fail(&err, ORO_E_DOCUMENT, "no file given: set 'file' to a name, for example \"terrain.png\"");
    else if (image && strcasecmp(oro_path_extension(p->file), "png") != 0)
        oro_fail(&err, ORO_E_DOCUMENT, "a picture is written as PNG: end the name '%s' with .png", p->file);
    else if (!oro_format_writable(p->file))
        oro_fail(&err, ORO_E_DOCUMENT, "'%s' has no known format; known are %s", p->file, oro_format_names);
    else if (p->low > p->high)
        oro_fail(&err, ORO_E_DOCUMENT, "'low' is %g and must not be above 'high', %g", (double)p->low,
                 (double)p->high);
    return !err.code || oro_shape_failed(s, &err);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    return oro_eval_linked(e, "image") ? write_image(e, p) : write_terrain(e, p);
}

const struct oro_node_type oro_node_export = {
    .id = "export",
    .version = 1,
    .category = "output",
    .doc = "Writes a terrain, a mask or a picture to a file. Beside a terrain goes FILE.json, which keeps "
           "what a 16-bit "
           "file cannot: its range in metres, its cell size and where it came from.",
    .inputs = inputs,
    .outputs = outputs,
    .params_size = sizeof(struct params),
    .sink = true,
    .shape = shape,
    .eval = eval,
};
