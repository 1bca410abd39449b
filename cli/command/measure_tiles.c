#define _GNU_SOURCE /* for O_TMPFILE */
#include "cli/command/measure_tiles.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/file.h"
#include "base/folder_digest.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/transfer.h"
#include "cli/engine/interrupt.h"
#include "formats/reader/reader.h"
#include "terrain/drainage/tiled.h"

/* Where rows and windows come from: a file that can be read by windows, or all rows of another one, in
 * metres, in a temporary file. */
struct source {
    const char *path;
    struct oro_reader *reader;    /* NULL: the rows */
    int rows;                     /* open; -1 */
    struct oro_heightfield about; /* no values; its place is the source's */
};

static bool fail_memory(const struct source *source, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to measure '%s' by tiles", source->path);
}

/* ---- Rows that are kept ---- */

/* Without a name. Where large temporary files belong, which may be no disk in memory. */
static int open_temporary(struct oro_error *err)
{
    const char *folder = getenv("TMPDIR");
    struct oro_text name = {0};
    if (!folder || !*folder)
        folder = "/var/tmp";
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    oro_text_addf(&name, "%s/orograph-measure-XXXXXX", folder);
    file = name.failed ? -1 : mkostemp(name.data, O_CLOEXEC);
    if (file < 0)
        oro_fail(err, ORO_E_WRITE, "cannot make a temporary file in '%s': %s", folder, strerror(errno));
    else
        unlink(name.data);
    oro_text_free(&name);
    return file;
}

static bool keep_row(void *user, const struct oro_heightfield *file, int y, float *row, struct oro_error *err)
{
    struct source *source = user;
    size_t size = (size_t)file->width * sizeof *row;
    source->about = (struct oro_heightfield){
        .width = file->width, .height = file->height, .cell = file->cell, .metres = file->metres};
    if (!oro_write_at(source->rows, row, size, (uint64_t)y * size))
        return oro_fail(err, ORO_E_WRITE, "cannot keep the rows of '%s': %s", source->path, strerror(errno));
    return cli_interrupt_none(err);
}

/* A part of the rows, as it lies in the file. */
static bool read_kept(const struct source *source, const struct oro_cell_window *window, float *out,
                      struct oro_error *err)
{
    size_t size = (size_t)window->width * sizeof *out;
    for (int y = 0; y < window->height; y++) {
        size_t cell = (size_t)(window->y + y) * (size_t)source->about.width + (size_t)window->x;
        if (oro_read_at(source->rows, out + (size_t)y * (size_t)window->width, size, cell * sizeof *out) !=
            (ssize_t)size)
            return oro_fail(err, ORO_E_FILE, "cannot read the rows of '%s' again", source->path);
    }
    return true;
}

/* ---- The source ---- */

static bool read_window(struct source *source, const struct oro_cell_window *window, float *out,
                        struct oro_error *err)
{
    return source->reader ? oro_reader_window(source->reader, window, false, out, err)
                          : read_kept(source, window, out, err);
}

static bool keep_rows(struct source *source, const struct oro_read_options *asked, struct oro_error *err)
{
    struct oro_heightfield field = {0};
    struct oro_read_options read = *asked;
    read.fit_width = read.fit_height = 1;
    read.row = keep_row;
    read.row_user = source;
    off_t bytes = (off_t)source->about.width * source->about.height * (off_t)sizeof(float);
    oro_heightfield_free(&source->about);
    source->rows = open_temporary(err);
    if (source->rows < 0)
        return false;
    int problem = posix_fallocate(source->rows, 0, bytes);
    if (problem)
        return oro_fail(err, ORO_E_WRITE, "cannot keep %jd MiB of rows of '%s' in TMPDIR, or /var/tmp: %s",
                        (intmax_t)(bytes >> 20), source->path, strerror(problem));
    if (!oro_heightfield_read(source->path, &read, &field, err))
        return false;
    source->about.place = field.place;
    source->about.account = field.account;
    field.place.crs = NULL;
    bool ground =
        !field.sea ||
        oro_fail(err, ORO_E_MEMORY,
                 "'%s' has cells that are no ground, and is measured as a whole, which "
                 "takes %zu MiB",
                 source->path,
                 (size_t)source->about.width * (size_t)source->about.height * CLI_MEASURE_CELL_BYTES >> 20);
    oro_heightfield_free(&field);
    return ground;
}

static bool add_bytes(void *user, const char *path)
{
    *(uint64_t *)user += oro_stamp_of(path).size;
    return true;
}

static bool add_chunk(void *user, const char *path, const char *name, struct oro_error *err)
{
    (void)name;
    (void)err;
    return add_bytes(user, path);
}

/* A few bytes can stand for a billion cells, as of one colour: nobody meant such a file to keep the program
 * busy. What reads the whole refuses it at once. */
static bool is_worth_measuring(const struct source *source)
{
    enum { CELLS_PER_BYTE = 500 };
    uint64_t cells = (uint64_t)source->about.width * (uint64_t)source->about.height, bytes = 0;
    if (oro_path_is_array(source->path))
        oro_folder_visit(source->path, add_chunk, &bytes, NULL);
    else if (add_bytes(&bytes, source->path))
        oro_heightfield_companions(source->path, add_bytes, &bytes);
    return cells / CELLS_PER_BYTE <= bytes;
}

/* Sides and cell, where that can be told. The place is the source's. */
static bool look(struct source *source, const struct oro_read_options *asked)
{
    struct oro_read_options quiet = *asked;
    quiet.log = NULL;
    source->reader = oro_reader_open(source->path, &quiet, ORO_WINDOWS_BLOCKS, NULL);
    if (source->reader) {
        source->about = oro_reader_about(source->reader)->field;
        char *crs = oro_copy_text(source->about.place.crs);
        bool fits = !crs == !source->about.place.crs;
        source->about.place.crs = crs;
        return fits;
    }
    quiet.shape_only = true;
    return oro_heightfield_read(source->path, &quiet, &source->about, NULL);
}

/* This time it says what there is to say of it. */
static bool open_again(struct source *source, const struct oro_read_options *asked, struct oro_error *err)
{
    oro_reader_close(source->reader);
    source->reader = oro_reader_open(source->path, asked, ORO_WINDOWS_BLOCKS, err);
    return source->reader != NULL;
}

static bool has_room(const struct oro_heightfield *about)
{
    double bytes = (double)about->width * about->height * CLI_MEASURE_CELL_BYTES;
    return about->width <= ORO_HEIGHTFIELD_SIDE_MAX && about->height <= ORO_HEIGHTFIELD_SIDE_MAX &&
           bytes <= (double)oro_budget_left();
}

/* ---- Row after row ---- */

static bool each_strip(struct source *source, void (*take)(void *user, const float *row, size_t width),
                       void *user, struct oro_error *err)
{
    size_t width = (size_t)source->about.width, row = width * sizeof(float);
    size_t most = oro_budget_left() / 16 / row;
    int step = most < 1 ? 1 : most > 64 ? 64 : (int)most;
    struct oro_cell_window strip = {0, 0, source->about.width, step};
    float *cells = oro_alloc(width * (size_t)step, sizeof *cells);
    bool ok = cells || fail_memory(source, err);
    for (; ok && strip.y < source->about.height; strip.y += step) {
        if (strip.height > source->about.height - strip.y)
            strip.height = source->about.height - strip.y;
        ok = cli_interrupt_none(err) && read_window(source, &strip, cells, err);
        for (int y = 0; ok && y < strip.height; y++)
            take(user, cells + (size_t)y * width, width);
    }
    oro_free(cells);
    return ok;
}

struct totals {
    struct oro_row_measure all;
    struct oro_hypsometry hypsometry;
};

static void add_row(void *user, const float *row, size_t width)
{
    struct totals *totals = user;
    struct oro_row_measure of = oro_measure_row(row, NULL, width);
    oro_measure_add_row(&totals->all, &of);
    oro_hypsometry_range(&totals->hypsometry, row, NULL, width);
}

static void count_row(void *user, const float *row, size_t width)
{
    oro_hypsometry_count(&((struct totals *)user)->hypsometry, row, NULL, width);
}

static bool measure_rows(struct source *source, struct cli_measured *measured, struct oro_error *err)
{
    struct totals totals = {.all = oro_measure_no_rows(), .hypsometry = oro_hypsometry_begin()};
    if (!each_strip(source, add_row, &totals, err))
        return false;
    measured->of = oro_measure_of_rows(&source->about, &totals.all);
    if (!each_strip(source, count_row, &totals, err))
        return false;
    oro_hypsometry_end(&totals.hypsometry, &measured->metrics);
    return true;
}

/* ---- Tile after tile ---- */

static bool load(void *user, const struct oro_tiled_block *block, float *out, struct oro_error *err)
{
    const struct oro_cell_window window = {block->x, block->y, block->width, block->height};
    return read_window(user, &window, out, err);
}

static bool stops(void *user)
{
    (void)user;
    return !cli_interrupt_none(NULL);
}

/* Cells along a side of a tile, of which some 64 bytes each are needed at once. */
static int side_for(const struct oro_heightfield *about, size_t bytes)
{
    size_t cells = (size_t)about->width * (size_t)about->height, side = 2048;
    while (side > 128 && side * side * 64 > bytes && cells / (side * side / 4) < ORO_TILED_TILES_MAX / 2)
        side /= 2;
    return (int)side;
}

static bool measure_drainage(struct source *source, struct cli_measured *measured, struct oro_error *err)
{
    int side = side_for(&source->about, oro_budget_left() / 4);
    struct oro_tiled_ground ground = {.grid = {source->about.width, source->about.height, side, side, false},
                                      .z = {load, source},
                                      .budget = oro_budget_left() / 8,
                                      .at_once = 1, /* readers belong to one thread */
                                      .stop = stops};
    return oro_tiled_certify(&ground, &measured->metrics.certificate, err);
}

/* ---- All together ---- */

static bool takes_the_whole(const struct cli_measure_request *request)
{
    return request->sea || request->drainage || request->plot;
}

bool cli_measure_tiles(const struct cli_measure_request *request, struct cli_measured *measured,
                       struct oro_place *place, bool *done, struct oro_error *err)
{
    struct source source = {.path = request->path, .rows = -1};
    bool ok = true;
    *done = !takes_the_whole(request) && look(&source, &request->read) && !source.about.has_sea_level &&
            !has_room(&source.about) && is_worth_measuring(&source);
    if (*done)
        ok = source.reader ? open_again(&source, &request->read, err)
                           : keep_rows(&source, &request->read, err);
    if (*done && ok) {
        *measured = (struct cli_measured){.metres = source.about.metres,
                                          .by_tiles = true,
                                          .theta = request->theta > 0 ? request->theta : ORO_METRICS_THETA,
                                          .realism = {.count = 1}};
        ok = measure_rows(&source, measured, err) && measure_drainage(&source, measured, err);
        measured->account =
            source.reader ? oro_reader_about(source.reader)->field.account : source.about.account;
        *place = source.about.place;
        source.about.place.crs = NULL;
    }
    oro_reader_close(source.reader);
    if (source.rows >= 0)
        close(source.rows);
    oro_heightfield_free(&source.about);
    return ok;
}
