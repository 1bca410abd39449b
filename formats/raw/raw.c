/* Headerless rasters: R16 or RAW (uint16) and R32F (float32). The size is given, or the raster is a
 * square. */
#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "formats/codec.h"
#include "formats/format.h"
#include "formats/raw/samples.h"

/* The side of a square of that many cells; 0: there is none. */
static uint64_t square_side(uint64_t cells)
{
    uint64_t side = (uint64_t)llround(sqrt((double)cells));
    return side * side == cells ? side : 0;
}

/* Adds up to three possible sizes for that many cells, the squarest first. */
static int add_fitting_sizes(struct oro_text *text, uint64_t cells)
{
    int found = 0;
    uint64_t height = (uint64_t)sqrt((double)cells);
    for (; height > 0 && found < 3; height--) {
        if (cells % height != 0)
            continue;
        uint64_t width = cells / height;
        if (width > ORO_RASTER_SIDE_MAX)
            break;
        oro_text_addf(text, "%s%" PRIu64 "x%" PRIu64, found ? ", " : "", width, height);
        if (width != height)
            oro_text_addf(text, ", %" PRIu64 "x%" PRIu64, height, width);
        found++;
    }
    return found;
}

static bool fail_size(const struct oro_raster_file *source, const struct oro_raster_shape *shape,
                      const char *wanted, struct oro_error *err)
{
    struct oro_text advice = {0};
    /* Lists sizes that the file could have. */
    uint64_t sample = (uint64_t)oro_sample_bytes(shape), cells = source->size / sample;
    struct oro_text sizes = {0};
    uint64_t most = (uint64_t)ORO_RASTER_SIDE_MAX * ORO_RASTER_SIDE_MAX;
    if (source->size % sample != 0)
        oro_text_addf(&advice, "not a whole number of %d-byte samples", (int)sample);
    else if (cells > most)
        oro_text_addf(&advice, "more than %dx%d samples", ORO_RASTER_SIDE_MAX, ORO_RASTER_SIDE_MAX);
    else if (add_fitting_sizes(&sizes, cells) > 0)
        oro_text_addf(&advice, "sizes that fit: %s", sizes.failed ? "?" : sizes.data);
    else
        oro_text_add(&advice, "no size fits");
    oro_text_free(&sizes);
    uint64_t other = 6 - sample, side = source->size % other ? 0 : square_side(source->size / other);
    if (side > 0 && side <= ORO_RASTER_SIDE_MAX)
        oro_text_addf(&advice, "; as %s it would be %" PRIu64 "x%" PRIu64,
                      other == 2 ? "16-bit .r16" : "float .r32", side, side);
    oro_fail(err, ORO_E_FILE, "'%s' has %" PRIu64 " bytes, %s: %s", source->path, source->size, wanted,
             advice.data ? advice.data : "give another size");
    oro_text_free(&advice);
    return false;
}

/* Derives unknown sides from the number of cells: both as those of a square, or one from the other. */
static bool derive_size(const struct oro_raster_file *source, struct oro_raster_shape *shape)
{
    uint64_t sample = (uint64_t)oro_sample_bytes(shape), cells = source->size / sample;
    if (source->size % sample != 0)
        return false;
    uint64_t known = (uint64_t)(shape->width ? shape->width : shape->height);
    uint64_t side = known ? cells / known : square_side(cells);
    if (side == 0 || side > ORO_RASTER_SIDE_MAX || (known && known * side != cells))
        return false;
    if (shape->width == 0)
        shape->width = (int)side;
    if (shape->height == 0)
        shape->height = (int)side;
    return true;
}

static bool find_size(struct oro_raster_file *source, struct oro_raster_shape *shape, struct oro_error *err)
{
    if (source->size == 0)
        return oro_fail(err, ORO_E_FILE, "'%s' is empty", source->path);
    if (shape->width > 0 && shape->height > 0) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "%dx%d needs %" PRIu64, shape->width, shape->height,
                 oro_samples_size(shape));
        return oro_samples_size(shape) == source->size || fail_size(source, shape, wanted, err);
    }
    const char *wanted = shape->width    ? "no whole rows of the given width"
                         : shape->height ? "no whole columns of the given height"
                                         : "and no size was given";
    return derive_size(source, shape) || fail_size(source, shape, wanted, err);
}

/* Whole numbers up to `top`, or floats. */
#define RAW(id, top, ...)                                                                                    \
    static bool header_##id(struct oro_raster_file *source, struct oro_raster_shape *shape,                  \
                            struct oro_error *err)                                                           \
    {                                                                                                        \
        shape->largest = (top);                                                                              \
        return find_size(source, shape, err);                                                                \
    }                                                                                                        \
    const struct oro_codec oro_codec_##id = {.name = #id,                                                    \
                                             .extensions = (const char *const[]){__VA_ARGS__, NULL},         \
                                             .headerless = true,                                             \
                                             .written = {.largest = (top)},                                  \
                                             .header = header_##id,                                          \
                                             .reads = ORO_WINDOWS_BLOCKS,                                    \
                                             .read = oro_samples_read,                                       \
                                             .writes = ORO_WINDOWS_BLOCKS,                                   \
                                             .write = oro_samples_write}
RAW(r16, 65535, "r16", "raw");
RAW(r32f, 0, "r32", "r32f");
