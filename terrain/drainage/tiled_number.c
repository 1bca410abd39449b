/* Watersheds and lakes by tiles: which end the way of each cell comes to. */
#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/numbers.h"
#include "terrain/drainage/steps.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

struct numbering {
    bool lakes; /* else watersheds */
    const struct oro_tiled_sink *out, *spills;
    /* Flood levels beyond exits; ends that other tiles have found; numbers. */
    struct oro_tiled_bytes *levels, *marks, *numbers;
    struct oro_tiled_bytes *messages; /* of the step at hand */
    _Atomic uint32_t count;
};

/* The ways of a tile, over its window. */
struct ways {
    struct oro_tiled_hold hold;
    bool *ends;       /* where ways end: in outlets; or in dry cells */
    uint32_t *marked; /* ends that get a number: which they are in their row, from 1 */
    uint32_t *end;    /* of every cell: where its way ends, or the cell by which it leaves the tile */
};

static size_t cells_of(const struct ways *w)
{
    return oro_tiled_window_cells(&w->hold.tile.window);
}

static void find_outlets(struct ways *w)
{
    for (size_t i = 0; i < cells_of(w); i++)
        w->marked[i] = w->ends[i] = w->hold.tile.direction[i] == ORO_TO_OUTLET;
}

/* Of cells in the ring, the levels of those beyond exits are known, and they alone are looked at. */
static bool find_shores(const struct numbering *n, int which, struct ways *w, struct oro_error *err)
{
    struct oro_tiled_hold *hold = &w->hold;
    const uint32_t *receiver = hold->course.routing.receiver;
    struct oro_tiled_values *beyond = oro_tiled_take_answer(hold, ORO_TILED_LEVEL, &n->levels[which], err);
    float *level = beyond ? oro_alloc(cells_of(w), sizeof *level) : NULL;
    if (beyond && !level)
        oro_tiled_no_memory(&hold->tile.block, err);
    if (level)
        oro_tiled_flood(&hold->course, hold->z, beyond, level, NULL);
    for (size_t i = 0; level && i < cells_of(w); i++)
        w->ends[i] = level[i] <= oro_height(hold->z[i]);
    for (size_t i = 0; level && i < cells_of(w); i++)
        if (!w->ends[i] && w->ends[receiver[i]])
            w->marked[receiver[i]] = 1;
    oro_free(beyond);
    oro_free(level);
    return level;
}

/* Shores that other tiles' water comes to. */
static bool take_marks(const struct numbering *n, int which, struct ways *w, struct oro_error *err)
{
    const struct oro_tiled_tile *tile = &w->hold.tile;
    const struct oro_tiled_block *block = &tile->block;
    if (!n->marks)
        return true;
    struct oro_tiled_reader reader = oro_tiled_read(oro_tiled_view(&n->marks[which]));
    oro_tiled_take_head(&reader, ORO_TILED_MARKS, block);
    while (!reader.failed && reader.at < reader.end) {
        struct oro_tiled_cell cell;
        cell.x = (int)oro_tiled_take(&reader, ORO_TILED_SIDE_MAX);
        cell.y = (int)oro_tiled_take(&reader, ORO_TILED_SIDE_MAX);
        reader.failed = reader.failed || !oro_tiled_has(block, cell.x, cell.y);
        if (!reader.failed)
            w->marked[oro_tiled_in_window(tile, cell)] = 1;
    }
    return oro_tiled_read_all(&reader, "marks", block, err);
}

static void number_rows(struct ways *w)
{
    const struct oro_tiled_block *window = &w->hold.tile.window;
    size_t i = 0;
    for (int y = 0; y < window->height; y++) {
        uint32_t count = 0;
        for (int x = 0; x < window->width; x++, i++)
            w->marked[i] = w->marked[i] && !oro_tiled_in_ring(&w->hold.tile, i) ? ++count : 0;
    }
}

/* Down each way to what is known, and again to write that down. */
static void find_ends(struct ways *w)
{
    const uint32_t *receiver = w->hold.course.routing.receiver;
    for (uint32_t i = 0; i < cells_of(w); i++)
        w->end[i] = w->ends[i] || oro_tiled_in_ring(&w->hold.tile, receiver[i]) ? i : ORO_TILED_NONE;
    for (uint32_t i = 0; i < cells_of(w); i++) {
        uint32_t at = i;
        while (w->end[at] == ORO_TILED_NONE)
            at = receiver[at];
        uint32_t end = w->end[at];
        for (at = i; w->end[at] == ORO_TILED_NONE; at = receiver[at])
            w->end[at] = end;
    }
}

static bool take_ways(struct oro_tiled_drainage *d, int which, const struct numbering *n, struct ways *w,
                      struct oro_error *err)
{
    *w = (struct ways){0};
    if (!oro_tiled_take_tile(d, which, n->lakes, &w->hold, err) ||
        !oro_tiled_course_order(&w->hold.course, err))
        return false;
    w->ends = oro_alloc(cells_of(w), sizeof *w->ends);
    w->marked = oro_alloc(cells_of(w), sizeof *w->marked);
    w->end = oro_alloc(cells_of(w), sizeof *w->end);
    if (!w->ends || !w->marked || !w->end)
        return oro_tiled_no_memory(&w->hold.tile.block, err);
    if (n->lakes && (!find_shores(n, which, w, err) || !take_marks(n, which, w, err)))
        return false;
    if (!n->lakes)
        find_outlets(w);
    number_rows(w);
    find_ends(w);
    return true;
}

static void give_back(struct oro_tiled_drainage *d, int which, struct ways *w)
{
    oro_free(w->ends);
    oro_free(w->marked);
    oro_free(w->end);
    oro_tiled_give_back(d, which, &w->hold);
}

/* ---- What a tile tells ---- */

/* Shores in other tiles that its lakes spill over. */
static bool tell_marks(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct numbering *n = user;
    struct oro_tiled_bytes *message = &n->messages[which];
    struct ways w;
    bool ok = take_ways(d, which, n, &w, err);
    const struct oro_tiled_course *course = &w.hold.course;
    if (ok)
        oro_tiled_put_head(message, ORO_TILED_MARKS, &w.hold.tile.block);
    for (uint32_t i = 0; ok && i < course->exit_count; i++) {
        size_t own = oro_tiled_course_cell(course, course->exits[i]);
        size_t beyond = oro_tiled_course_beyond(course, i);
        struct oro_tiled_cell cell = oro_tiled_of_window(&w.hold.tile, beyond);
        if (w.ends[own] || !w.ends[beyond])
            continue;
        oro_tiled_put(message, (uint64_t)cell.x);
        oro_tiled_put(message, (uint64_t)cell.y);
    }
    ok = ok && (!message->failed || oro_tiled_no_memory(&w.hold.tile.block, err));
    give_back(d, which, &w);
    return ok;
}

/* The number of an exit. */
static uint32_t exit_at(const struct ways *w, size_t cell)
{
    const struct oro_tiled_course *course = &w->hold.course;
    uint32_t rim = oro_tiled_rim_index(&w->hold.tile.block, oro_tiled_of_window(&w->hold.tile, cell));
    uint32_t low = 0, high = course->exit_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (course->exits[middle] <= rim)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static struct oro_tiled_end end_of(const struct ways *w, size_t cell)
{
    const struct oro_tiled_tile *tile = &w->hold.tile;
    uint32_t end = w->end[cell];
    if (!w->ends[end])
        return (struct oro_tiled_end){ORO_TILED_BY_EXIT, exit_at(w, end), 0};
    if (!w->marked[end])
        return (struct oro_tiled_end){ORO_TILED_NO_END, 0, 0};
    uint32_t row = (uint32_t)(oro_tiled_of_window(tile, end).y - tile->block.y);
    return (struct oro_tiled_end){ORO_TILED_IN_ROW, row, w->marked[end] - 1};
}

static uint32_t count_row(const struct ways *w, int y)
{
    const struct oro_tiled_block *block = &w->hold.tile.block;
    size_t first = oro_tiled_in_window(&w->hold.tile, (struct oro_tiled_cell){block->x, y});
    uint32_t count = 0;
    for (size_t i = first; i < first + (size_t)block->width; i++)
        count += w->marked[i] != 0;
    return count;
}

static bool tell_ends(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct numbering *n = user;
    struct oro_tiled_bytes *message = &n->messages[which];
    struct ways w;
    bool ok = take_ways(d, which, n, &w, err);
    const struct oro_tiled_course *course = &w.hold.course;
    const struct oro_tiled_tile *tile = &w.hold.tile;
    if (ok) {
        oro_tiled_put_head(message, ORO_TILED_ENDS, &tile->block);
        for (int y = 0; y < tile->block.height; y++)
            oro_tiled_put(message, count_row(&w, tile->block.y + y));
        oro_tiled_put(message, course->entry_count);
        for (uint32_t i = 0; i < course->entry_count; i++) {
            struct oro_tiled_end end = end_of(&w, oro_tiled_course_cell(course, course->entries[i]));
            oro_tiled_put(message, course->entries[i]);
            oro_tiled_put_end(message, &end);
        }
        oro_tiled_put(message, course->exit_count);
        for (uint32_t i = 0; i < course->exit_count; i++) {
            oro_tiled_put(message, course->exits[i]);
            oro_tiled_put(message, tile->direction[oro_tiled_course_cell(course, course->exits[i])]);
        }
        ok = !message->failed || oro_tiled_no_memory(&tile->block, err);
    }
    give_back(d, which, &w);
    return ok;
}

/* ---- What cells get ---- */

/* The answer to a tile. */
struct answer {
    uint32_t count, *before, *beyond; /* of all; of each row; of each exit */
};

static bool read_answer(const struct numbering *n, int which, const struct ways *w, struct answer *a,
                        struct oro_error *err)
{
    const struct oro_tiled_block *block = &w->hold.tile.block;
    uint32_t exits = w->hold.course.exit_count;
    struct oro_tiled_reader reader = oro_tiled_read(oro_tiled_view(&n->numbers[which]));
    a->before = oro_alloc((size_t)block->height, sizeof *a->before);
    a->beyond = oro_alloc((size_t)exits + 1, sizeof *a->beyond);
    if (!a->before || !a->beyond)
        return oro_tiled_no_memory(block, err);
    oro_tiled_take_head(&reader, ORO_TILED_NUMBERS, block);
    a->count = (uint32_t)oro_tiled_take(&reader, UINT32_MAX);
    for (int i = 0; i < block->height; i++)
        a->before[i] = (uint32_t)oro_tiled_take(&reader, a->count);
    for (uint32_t i = 0; i < exits; i++)
        a->beyond[i] = (uint32_t)oro_tiled_take(&reader, a->count);
    return oro_tiled_read_all(&reader, "numbers", block, err);
}

static uint32_t number_of(const struct ways *w, const struct answer *a, size_t cell)
{
    struct oro_tiled_end end = end_of(w, cell);
    return end.what == ORO_TILED_BY_EXIT  ? a->beyond[end.at]
           : end.what == ORO_TILED_IN_ROW ? a->before[end.at] + end.nth + 1
                                          : 0;
}

/* Ends themselves: outlets belong to their watersheds; dry cells to no lake, but have it spill over them. */
static bool store_numbers(const struct numbering *n, const struct ways *w, const struct answer *a,
                          bool spills, struct oro_error *err)
{
    const struct oro_tiled_tile *tile = &w->hold.tile;
    float *out = oro_alloc(cells_of(w), sizeof *out);
    if (!out)
        return oro_tiled_no_memory(&tile->block, err);
    for (size_t i = 0; i < cells_of(w); i++)
        if (!oro_tiled_in_ring(tile, i) && (!n->lakes || w->ends[i] == spills))
            out[i] = (float)number_of(w, a, i);
    bool ok = oro_tiled_store(spills ? n->spills : n->out, tile, out, err);
    oro_free(out);
    return ok;
}

static bool finish(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    struct numbering *n = user;
    struct ways w;
    struct answer a = {0};
    bool ok = take_ways(d, which, n, &w, err) && read_answer(n, which, &w, &a, err) &&
              store_numbers(n, &w, &a, false, err) && (!n->spills || store_numbers(n, &w, &a, true, err));
    n->count = a.count; /* all tiles are told the same */
    oro_free(a.before);
    oro_free(a.beyond);
    give_back(d, which, &w);
    return ok;
}

/* ---- All tiles ---- */

typedef bool join_work(const struct oro_tiled_grid *grid, const struct oro_tiled_bytes *messages,
                       struct oro_tiled_bytes *answers, struct oro_error *err);

/* Messages of all tiles to the root, joined there; the answers, which the caller frees. NULL: failed. */
static struct oro_tiled_bytes *ask(struct oro_tiled_drainage *d, struct numbering *n, oro_tiled_work *tell,
                                   join_work *join, struct oro_error *err)
{
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    struct oro_tiled_bytes *answers = oro_alloc((size_t)d->tiles, sizeof *answers);
    struct oro_tiled_view *views = NULL;
    bool ok = answers || oro_fail(err, ORO_E_MEMORY, "no memory to number the ends of ways");
    ok = oro_tiled_agree(&d->ground, ok, err) && ok;
    ok = ok && oro_tiled_gather(d, tell, n, &n->messages, &views, err);
    if (ok) {
        bool joined = (ranks && !ranks->is_root) || join(&d->ground.grid, n->messages, answers, err);
        ok = ranks ? ranks->scatter(ranks->user, joined, answers, err) : joined;
    }
    oro_tiled_free_all(n->messages, d->tiles);
    oro_free(views);
    n->messages = NULL;
    if (ok)
        return answers;
    oro_tiled_free_all(answers, d->tiles);
    return NULL;
}

static bool number(struct oro_tiled_drainage *d, struct numbering *n, uint32_t *count, struct oro_error *err)
{
    bool ok = (n->numbers = ask(d, n, tell_ends, oro_tiled_join_numbers, err)) != NULL &&
              oro_tiled_for_tiles(d, finish, n, err);
    *count = n->count;
    oro_tiled_free_all(n->numbers, d->tiles);
    oro_tiled_free_all(n->marks, d->tiles);
    oro_tiled_free_all(n->levels, d->tiles);
    return ok;
}

bool oro_tiled_watersheds(struct oro_tiled_drainage *d, const struct oro_tiled_sink *out, uint32_t *count,
                          struct oro_error *err)
{
    struct numbering n = {.out = out};
    return number(d, &n, count, err);
}

bool oro_tiled_lakes(struct oro_tiled_drainage *d, const struct oro_tiled_sink *out,
                     const struct oro_tiled_sink *spills, uint32_t *count, struct oro_error *err)
{
    struct numbering n = {.lakes = true, .out = out, .spills = spills};
    if (!(n.levels = oro_tiled_levels_through(d, err)))
        return false;
    if ((n.marks = ask(d, &n, tell_marks, oro_tiled_sort_marks, err)))
        return number(d, &n, count, err);
    oro_tiled_free_all(n.levels, d->tiles);
    return false;
}
