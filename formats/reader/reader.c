#include "formats/reader/reader.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/finite.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/decode.h"
#include "formats/numbers.h"
#include "formats/raw/samples.h"
#include "formats/reader/reader_private.h"
#include "formats/signature.h"

/* What is too large is refused for the size that it has. */
bool oro_reader_check_options(const char *path, const struct oro_read_options *options,
                              enum oro_windows least, struct oro_error *err)
{
    bool moves = options->crs || options->window.given || options->max_side > 0 || options->channel;
    if (least == ORO_WINDOWS_BLOCKS && moves)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' is read by windows, cell for cell: another system, a part or another size "
                        "need the whole",
                        path);
    if (options->width < 0 || options->height < 0 || options->width > ORO_RASTER_SIDE_MAX ||
        options->height > ORO_RASTER_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "'%s' cannot be %dx%d: sides are 1..%d", path, options->width,
                        options->height, ORO_RASTER_SIDE_MAX);
    return oro_unit_check(path, ORO_E_USAGE, options->unit, err) &&
           oro_check_range(path, options->has_range, options->low, options->high, err);
}

/* ---- Formats of ours ---- */

/* The shape of a headerless file: from the options, else from the sidecar if the file's length fits the size
 * there; else the facts are dropped. */
static void take_told_shape(struct oro_reader *reader)
{
    const struct oro_read_options *options = &reader->options;
    struct oro_facts *facts = &reader->facts;
    struct oro_raster_shape told = {
        .width = facts->width, .height = facts->height, .largest = reader->codec->written.largest};
    oro_facts_keep_own(facts, reader->path, options->width, options->height, options->log);
    if (facts->width > 0 && oro_samples_size(&told) != reader->file.size)
        oro_facts_drop(facts, reader->path, options->log);
    bool sizes = options->width == 0 && options->height == 0;
    reader->shape = (struct oro_raster_shape){.width = sizes ? facts->width : options->width,
                                              .height = sizes ? facts->height : options->height,
                                              .big_endian = options->big_endian || facts->big_endian,
                                              .south_first = options->south_first || facts->south_first};
}

static bool take_told_place(struct oro_reader *reader, struct oro_error *err)
{
    const struct oro_facts *facts = &reader->facts;
    struct oro_place *place = &reader->about.field.place;
    if (!facts->crs[0] || facts->width == 0)
        return true;
    *place = (struct oro_place){oro_copy_text(facts->crs), facts->west, facts->north};
    return place->crs || oro_fail(err, ORO_E_MEMORY, "no memory for a coordinate system");
}

/* The options and the sidecar's facts give the samples their meaning. */
static void find_meaning(struct oro_reader *reader)
{
    const struct oro_read_options *options = &reader->options;
    const struct oro_facts *facts = &reader->facts;
    struct oro_account *account = &reader->about.field.account;
    bool given = options->has_range && !options->range_assumed, told;
    double unit = oro_unit_metres(options->unit, &told);
    bool levels = reader->shape.largest > 0 && (!told || given || facts->has_range);
    account->range = !levels              ? ORO_UNTOLD
                     : given              ? ORO_GIVEN
                     : facts->has_range   ? ORO_TOLD
                     : options->has_range ? ORO_ASSUMED
                                          : ORO_UNTOLD;
    struct oro_numbers *meaning = &reader->meaning;
    *meaning = (struct oro_numbers){
        .largest = levels ? reader->shape.largest : 0,
        .shares = !levels && given,
        .range = account->range == ORO_TOLD ? facts->range
                 : options->has_range       ? (struct oro_height_range){options->low, options->high}
                                            : (struct oro_height_range){0, 1},
        .scale = 1,
        .unit = unit,
        .has_none = facts->has_nodata || options->has_nodata,
        .none = facts->has_nodata ? facts->nodata : options->nodata,
        .usual = !facts->has_nodata && !options->has_nodata && !options->not_heights,
    };
    meaning->tolerance = levels ? (meaning->range.high - meaning->range.low) / meaning->largest / 2
                                : 1e-6 * fabs(meaning->none);
    told = told || oro_decodes_metres(options->decode);
    account->unit = levels ? ORO_UNTOLD : told ? ORO_GIVEN : facts->found ? ORO_TOLD : ORO_ASSUMED;
    account->unit_unused = levels && told && account->range == ORO_GIVEN;
    account->largest = meaning->largest;
    account->low = meaning->range.low;
    account->high = meaning->range.high;
}

static enum oro_whence whence(bool given, bool told)
{
    return given ? ORO_GIVEN : told ? ORO_TOLD : ORO_ASSUMED;
}

/* Once the place is known. */
static void take_account(struct oro_reader *reader)
{
    const struct oro_read_options *options = &reader->options;
    const struct oro_facts *facts = &reader->facts;
    struct oro_heightfield *field = &reader->about.field;
    struct oro_account *account = &field->account;
    bool headerless = reader->codec->headerless;
    account->width = field->width;
    account->height = field->height;
    account->big_endian = reader->shape.big_endian;
    account->size = whence(headerless && (options->width || options->height), !headerless || facts->width);
    account->order = whence(headerless && options->big_endian, !headerless || facts->found);
    account->rows =
        whence(options->south_first, reader->codec->written.south_first || facts->found || field->place.crs);
    account->cell = field->cell > 0 ? ORO_TOLD : ORO_UNTOLD;
    account->cell_size = field->cell;
    account->system = field->place.crs ? ORO_TOLD : ORO_UNTOLD;
}

static void describe(struct oro_reader *reader)
{
    const struct oro_facts *facts = &reader->facts;
    const struct oro_raster_shape *shape = &reader->shape;
    reader->about = (struct oro_reader_about){
        .block_width = 1,
        .block_height = 1,
        .field = {.width = shape->width,
                  .height = shape->height,
                  .cell = facts->cell,
                  .has_sea_level = facts->has_sea && facts->width > 0 && !reader->options.no_sea,
                  .sea_level = facts->sea},
    };
    find_meaning(reader);
    reader->about.holes = reader->meaning.has_none || reader->meaning.largest <= 0;
    reader->about.field.metres =
        reader->meaning.largest <= 0 || reader->about.field.account.range != ORO_UNTOLD;
}

static bool open_own(struct oro_reader *reader, enum oro_windows least, struct oro_error *err)
{
    const struct oro_read_options *options = &reader->options;
    const struct oro_codec *codec = reader->codec;
    struct oro_raster_file *file = &reader->file;
    struct oro_raster_shape *shape = &reader->shape;
    if (!oro_raster_open(file, reader->path, options->log, err))
        return false;
    file->channel = options->channel;
    file->decode = options->decode;
    if (!options->no_sidecar && !oro_sidecar_read(reader->path, options->log, &reader->facts, err))
        return false;
    if (codec->headerless)
        take_told_shape(reader);
    if (!codec->header(file, shape, err) ||
        (least < ORO_WINDOWS_BLOCKS &&
         !oro_raster_check_size(file, (uint64_t)shape->width, (uint64_t)shape->height, err)))
        return false;
    oro_facts_keep_own(&reader->facts, reader->path, shape->width, shape->height, options->log);
    describe(reader);
    if (!take_told_place(reader, err) ||
        (codec->describe && !codec->describe(file, &reader->about.field, err)))
        return false;
    take_account(reader);
    return true;
}

/* ---- Any ---- */

/* Whether the name fits what the bytes say, which is what counts. */
static bool name_fits(const char *path, const struct oro_signature *signature)
{
    const struct oro_codec *named = oro_codec_of(path);
    return signature->reader == ORO_SIGNATURE_UNKNOWN || signature->codec == named || !named ||
           (!signature->codec && !named->read);
}

/* Tells a name that lies, and refuses what is not read. */
static bool check_signature(const char *path, const struct oro_signature *signature,
                            const struct oro_read_options *options, struct oro_error *err)
{
    if (signature->reader == ORO_SIGNATURE_NONE)
        return oro_fail(
            err, ORO_E_FILE,
            "'%s' is %s, which is not read: 'gdal_translate -b 1 %s OUT.tif' makes a heightfield of "
            "its first channel",
            path, signature->name, path);
    if (signature->reader == ORO_SIGNATURE_TRUSTED && !options->any_path)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' is %s, which can name any other file: one that you trust is read by 'orograph "
                        "convert --allow-path %s OUT.tif', or made a GeoTIFF by 'gdal_translate %s OUT.tif'",
                        path, signature->name, path, path);
    if (!name_fits(path, signature))
        oro_note(options->log, ORO_WARNING,
                 "'%s' is %s by its bytes, and is read as one whatever its name says", path, signature->name);
    return true;
}

static bool open_file(struct oro_reader *reader, enum oro_windows least, struct oro_error *err)
{
    bool blocks = least == ORO_WINDOWS_BLOCKS;
    struct oro_account *account = &reader->about.field.account;
    if (reader->codec && !open_own(reader, least, err))
        return false;
    if (!reader->codec)
        reader->gdal = oro_gdal_open_file(reader->path, &reader->options, blocks, &reader->about,
                                          &reader->meaning, &reader->facts, err);
    snprintf(account->file, sizeof account->file, "%s", oro_path_name(reader->path));
    if (reader->options.cell > 0) {
        reader->about.field.cell = account->cell_size = reader->options.cell;
        account->cell = ORO_GIVEN;
    }
    return reader->codec || reader->gdal;
}

/* Whether floats are shares of a range takes a look at all of them. */
static bool look_for_shares(struct oro_reader *reader, struct oro_error *err)
{
    enum { CELLS = 1 << 22 };
    const struct oro_heightfield *field = &reader->about.field;
    struct oro_height_range all = {(double)INFINITY, -(double)INFINITY};
    struct oro_cell_window rows = {0, 0, field->width, CELLS / field->width + reader->about.block_height};
    float *samples = oro_alloc((size_t)rows.width * (size_t)rows.height, sizeof *samples);
    bool ok = samples || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", reader->path);
    for (; ok && rows.y < field->height; rows.y += rows.height) {
        rows.height = rows.height < field->height - rows.y ? rows.height : field->height - rows.y;
        ok = oro_reader_samples(reader, &rows, samples, err);
        struct oro_height_range range =
            oro_range_of(samples, ok ? oro_cell_count(rows.width, rows.height) : 0);
        all = (struct oro_height_range){fmin(all.low, range.low), fmax(all.high, range.high)};
    }
    oro_free(samples);
    if (ok)
        oro_numbers_take_shares(&reader->meaning, all, &reader->about.field.account);
    return ok;
}

static const struct oro_codec *codec_by(const char *path, const struct oro_signature *signature)
{
    const struct oro_codec *codec =
        signature->reader == ORO_SIGNATURE_UNKNOWN ? oro_codec_of(path) : signature->codec;
    if (codec == &oro_codec_png && oro_gdal_is_told_beside(path))
        return NULL;
    return codec && (codec->read || codec->write_mesh) ? codec : NULL;
}

const struct oro_codec *oro_codec_to_read(const char *path)
{
    const struct oro_signature signature = oro_signature_of(path);
    return codec_by(path, &signature);
}

bool oro_reader_begin(struct oro_reader *reader, const char *path, const struct oro_read_options *options,
                      enum oro_windows least, struct oro_error *err)
{
    const struct oro_signature signature = oro_signature_of(path);
    const struct oro_codec *codec = codec_by(path, &signature);
    reader->path = path;
    reader->options = *options;
    reader->codec = codec;
    if (oro_is_tiles(path) || (codec && codec->reads < least))
        return oro_fail_windows(path, err);
    return check_signature(path, &signature, options, err) &&
           oro_reader_check_options(path, options, least, err) && open_file(reader, least, err) &&
           (least < ORO_WINDOWS_BLOCKS || !reader->meaning.shares || look_for_shares(reader, err));
}

void oro_reader_end(struct oro_reader *reader)
{
    oro_gdal_close_file(reader->gdal);
    if (reader->codec && reader->codec->end)
        reader->codec->end(&reader->file);
    oro_raster_close(&reader->file);
    oro_free(reader->about.field.place.crs);
}

struct oro_reader *oro_reader_open(const char *path, const struct oro_read_options *options,
                                   enum oro_windows least, struct oro_error *err)
{
    static const struct oro_read_options defaults = {0};
    struct oro_reader *reader = oro_alloc(1, sizeof *reader);
    char *own = reader ? oro_copy_text(path) : NULL;
    if (!own) {
        oro_free(reader);
        oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
        return NULL;
    }
    reader->own_path = own;
    if (oro_reader_begin(reader, own, options ? options : &defaults, least, err))
        return reader;
    oro_reader_close(reader);
    return NULL;
}

const struct oro_reader_about *oro_reader_about(const struct oro_reader *reader)
{
    return &reader->about;
}

bool oro_reader_samples(struct oro_reader *reader, const struct oro_cell_window *window, float *samples,
                        struct oro_error *err)
{
    return reader->gdal ? oro_gdal_read_window(reader->gdal, window, samples, err)
                        : reader->codec->read(&reader->file, &reader->shape, window, samples, err);
}

/* Once all cells were seen, nothing is counted twice. */
static void give_meaning(struct oro_reader *reader, const struct oro_cell_window *window, float *samples)
{
    const struct oro_heightfield *field = &reader->about.field;
    struct oro_account *account = &reader->about.field.account, seen = {0};
    size_t count = oro_cell_count(window->width, window->height);
    bool looks = !reader->options.not_heights && account->cells < oro_cell_count(field->width, field->height);
    if (looks && reader->codec && reader->codec->headerless)
        oro_account_compare_orders(account, samples, window->width, window->height,
                                   reader->shape.largest > 0);
    oro_numbers_apply(&reader->meaning, samples, count, looks ? account : &seen);
    if (looks)
        oro_account_look(account, samples, count);
}

void oro_reader_give_meaning(struct oro_reader *reader, float *samples, int rows)
{
    const struct oro_heightfield *field = &reader->about.field;
    const struct oro_cell_window window = {0, 0, field->width, rows};
    if (reader->meaning.shares && rows == field->height)
        oro_numbers_take_shares(&reader->meaning, oro_range_of(samples, oro_cell_count(field->width, rows)),
                                &reader->about.field.account);
    give_meaning(reader, &window, samples);
}

/* Tells the first cell that has no height. */
static bool check_heights(const struct oro_reader *reader, const struct oro_cell_window *window,
                          const float *heights, struct oro_error *err)
{
    size_t count = oro_cell_count(window->width, window->height);
    size_t bad = oro_first_not_finite(heights, count, false);
    if (bad == count)
        return true;
    int x = window->x + (int)(bad % (size_t)window->width),
        y = window->y + (int)(bad / (size_t)window->width);
    return oro_fail(err, ORO_E_FILE,
                    "'%s' has no height in cell %d,%d: to interpolate it takes the whole, which is "
                    "not read by windows; gdal_fillnodata.py fills holes",
                    reader->path, x, y);
}

bool oro_reader_window(struct oro_reader *reader, const struct oro_cell_window *window, bool holes,
                       float *heights, struct oro_error *err)
{
    if (!oro_check_window(reader->path, &reader->about.field, window, err) ||
        !oro_reader_samples(reader, window, heights, err))
        return false;
    give_meaning(reader, window, heights);
    reader->was_read = true;
    return holes || check_heights(reader, window, heights, err);
}

void oro_reader_close(struct oro_reader *reader)
{
    if (!reader)
        return;
    if (reader->was_read && !reader->options.not_heights)
        oro_account_note(&reader->about.field.account, reader->options.log);
    oro_reader_end(reader);
    oro_free(reader->own_path);
    oro_free(reader);
}
