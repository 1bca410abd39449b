#include "terrain/drainage/certificate.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/steps.h"
#include "terrain/drainage/tile_private.h"

/* ---- A tile ---- */

struct survey {
    const struct oro_tiled_course *course;
    const float *z, *level;
    uint8_t *spilled; /* of cells of the window: 1 where water of this tile spills over them */
    struct oro_tiled_lakes lakes;
};

static double depth_at(const struct survey *s, size_t cell)
{
    return (double)s->level[cell] - (double)oro_height(s->z[cell]);
}

static void measure_row(struct survey *s, size_t first, size_t end)
{
    struct oro_offsets offsets = oro_offsets_of(s->course->tile->window.width);
    for (size_t i = first; i < end; i++) {
        double depth = depth_at(s, i);
        if (depth <= 0)
            continue;
        size_t next = i + (size_t)offsets.to[s->course->tile->direction[i]];
        s->lakes.wet++;
        oro_exact_add(&s->lakes.volume, depth);
        s->lakes.deepest = depth > s->lakes.deepest ? depth : s->lakes.deepest;
        if (depth_at(s, next) <= 0)
            s->spilled[next] = 1;
    }
}

static void measure(struct survey *s)
{
    const struct oro_tiled_tile *tile = s->course->tile;
    size_t width = (size_t)tile->block.width;
    for (int y = tile->block.y; y < tile->block.y + tile->block.height; y++) {
        size_t row = oro_tiled_in_window(tile, (struct oro_tiled_cell){tile->block.x, y});
        measure_row(s, row, row + width);
    }
    for (int y = tile->block.y; y < tile->block.y + tile->block.height; y++) {
        size_t row = oro_tiled_in_window(tile, (struct oro_tiled_cell){tile->block.x, y});
        for (size_t i = row; i < row + width; i++)
            s->lakes.lakes += s->spilled[i];
    }
}

static void write_numbers(struct oro_tiled_bytes *bytes, const uint32_t *numbers, uint32_t count)
{
    uint32_t before = 0;
    oro_tiled_put(bytes, count);
    for (uint32_t i = 0; i < count; i++) {
        oro_tiled_put(bytes, numbers[i] - before);
        before = numbers[i];
    }
}

/* Exits that water spills over, and entries that water of this tile spills over. */
static bool write_spills(const struct survey *s, struct oro_tiled_bytes *message)
{
    const struct oro_tiled_course *course = s->course;
    uint32_t *numbers = oro_alloc((size_t)course->exit_count + course->entry_count, sizeof *numbers),
             count = 0;
    for (uint32_t i = 0; numbers && i < course->exit_count; i++)
        if (depth_at(s, oro_tiled_course_cell(course, course->exits[i])) > 0 &&
            depth_at(s, oro_tiled_course_beyond(course, i)) <= 0)
            numbers[count++] = 8 * course->exits[i] +
                               course->tile->direction[oro_tiled_course_cell(course, course->exits[i])];
    if (numbers)
        write_numbers(message, numbers, count);
    count = 0;
    for (uint32_t i = 0; numbers && i < course->entry_count; i++)
        if (s->spilled[oro_tiled_course_cell(course, course->entries[i])])
            numbers[count++] = course->entries[i];
    if (numbers)
        write_numbers(message, numbers, count);
    oro_free(numbers);
    return numbers && !message->failed;
}

bool oro_tiled_tell_spills(const struct oro_tiled_course *course, const float *z, const float *level,
                           struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct survey s = {.course = course, .z = z, .level = level};
    uint64_t deepest;
    s.spilled = oro_alloc(oro_tiled_window_cells(&course->tile->window), 1);
    if (!s.spilled)
        return oro_tiled_no_memory(&course->tile->block, err);
    measure(&s);
    memcpy(&deepest, &s.lakes.deepest, sizeof deepest);
    oro_tiled_put_head(message, ORO_TILED_SPILLS, &course->tile->block);
    oro_tiled_put(message, s.lakes.lakes);
    oro_tiled_put(message, s.lakes.wet);
    oro_tiled_put(message, deepest);
    for (int i = 0; i < ORO_EXACT_LIMBS; i++)
        oro_tiled_put(message, s.lakes.volume.limb[i]);
    bool ok = write_spills(&s, message);
    oro_free(s.spilled);
    return ok || oro_tiled_no_memory(&course->tile->block, err);
}

/* ---- All of them ---- */

/* Cells that water of other tiles spills over, as column and row in one number; and such as are known to
 * their own tile. */
struct spills {
    uint64_t *cells;
    size_t count, room;
    bool failed;
};

static void add_spill(struct spills *spills, struct oro_tiled_cell cell)
{
    void *cells = spills->cells;
    if (spills->failed || !oro_reserve(&cells, &spills->room, spills->count + 1, sizeof *spills->cells)) {
        spills->failed = true;
        return;
    }
    spills->cells = cells;
    spills->cells[spills->count++] = (uint64_t)(uint32_t)cell.y << 32 | (uint32_t)cell.x;
}

static bool read_spills(const struct oro_tiled_grid *grid, const struct oro_tiled_block *block,
                        struct oro_tiled_reader *reader, struct spills *from, struct spills *known)
{
    struct oro_tiled_block all = oro_tiled_all(grid);
    uint64_t rim = oro_tiled_rim_count(block), at = 0;
    uint32_t count = oro_tiled_take_count(reader, 1);
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        at += oro_tiled_take(reader, 8 * rim - 1 - at);
        struct oro_tiled_cell cell = oro_tiled_rim_cell(block, (uint32_t)(at / 8));
        cell = oro_tiled_neighbour(cell, (int)(at & 7));
        if (!oro_tiled_has(&all, cell.x, cell.y))
            reader->failed = true;
        add_spill(from, cell);
    }
    count = oro_tiled_take_count(reader, 1);
    at = 0;
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        at += oro_tiled_take(reader, rim - 1 - at);
        add_spill(known, oro_tiled_rim_cell(block, (uint32_t)at));
    }
    return !reader->failed;
}

static bool read_tile(const struct oro_tiled_grid *grid, int tile, struct oro_tiled_view message,
                      struct oro_tiled_lakes *lakes, struct spills *from, struct spills *known,
                      struct oro_error *err)
{
    struct oro_tiled_block block = oro_tiled_tile(grid, tile);
    struct oro_tiled_reader reader = oro_tiled_read(message);
    struct oro_exact_sum volume;
    double deepest;
    oro_tiled_take_head(&reader, ORO_TILED_SPILLS, &block);
    lakes->lakes += oro_tiled_take(&reader, UINT32_MAX);
    lakes->wet += oro_tiled_take(&reader, UINT32_MAX);
    uint64_t bits = oro_tiled_take(&reader, UINT64_MAX);
    memcpy(&deepest, &bits, sizeof deepest);
    lakes->deepest = deepest > lakes->deepest ? deepest : lakes->deepest;
    for (int i = 0; i < ORO_EXACT_LIMBS; i++)
        volume.limb[i] = oro_tiled_take(&reader, UINT64_MAX);
    oro_exact_join(&lakes->volume, &volume);
    read_spills(grid, &block, &reader, from, known);
    return oro_tiled_read_all(&reader, "lakes", &block, err);
}

static int compare(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

/* Different cells of the first that are not in the second. */
static uint64_t count_new(struct spills *from, struct spills *known)
{
    uint64_t count = 0;
    size_t k = 0;
    if (from->count)
        qsort(from->cells, from->count, sizeof *from->cells, compare);
    if (known->count)
        qsort(known->cells, known->count, sizeof *known->cells, compare);
    for (size_t i = 0; i < from->count; i++) {
        uint64_t cell = from->cells[i];
        while (k < known->count && known->cells[k] < cell)
            k++;
        bool is_known = k < known->count && known->cells[k] == cell;
        count += !is_known && (i == 0 || from->cells[i - 1] != cell);
    }
    return count;
}

bool oro_tiled_count_lakes(const struct oro_tiled_grid *grid, const struct oro_tiled_view *messages,
                           struct oro_tiled_lakes *lakes, struct oro_error *err)
{
    struct spills from = {0}, known = {0};
    bool ok = true;
    *lakes = (struct oro_tiled_lakes){0};
    for (int i = 0; ok && i < oro_tiled_tiles(grid); i++)
        ok = read_tile(grid, i, messages[i], lakes, &from, &known, err);
    if (ok && (from.failed || known.failed))
        ok = oro_fail(err, ORO_E_MEMORY, "no memory to count the lakes of %d x %d cells", grid->width,
                      grid->height);
    if (ok)
        lakes->lakes += count_new(&from, &known);
    oro_free(from.cells);
    oro_free(known.cells);
    return ok;
}
