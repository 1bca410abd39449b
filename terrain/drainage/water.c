/* Watersheds and lakes: which end the way of each cell comes to. Ends are outlets, or the dry cells that
 * lakes spill over. They are numbered row by row, and numbers go up the ways of a tile, from what lies beyond
 * its exits. */
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/numbers.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

/* The ways of a tile, over its window. */
struct ways {
    const struct oro_tiled_course *course; /* with an order */
    const float *z, *level;                /* of lakes; NULL: watersheds */
    uint32_t *number;                      /* of every cell; at first 1 in ends of lakes, else 0 */
};

static bool is_wet(const struct ways *w, size_t cell)
{
    return oro_height(w->level[cell]) > oro_height(w->z[cell]);
}

/* Dry cells that lakes spill over. Of the ring's cells, the levels of those beyond exits are known, and they
 * alone are looked at. */
static void mark_shores(const struct ways *w)
{
    const uint32_t *receiver = w->course->routing.receiver;
    size_t cells = oro_tiled_window_cells(&w->course->tile->window);
    for (size_t i = 0; i < cells; i++)
        if (is_wet(w, i) && !is_wet(w, receiver[i]))
            w->number[receiver[i]] = 1;
}

/* Numbers the ends of the tile. `before`: of each row, how many come before its own; NULL: as many as in the
 * rows above it, which are put into `above`, if that is not NULL. Returns how many there are. */
static uint32_t number_ends(const struct ways *w, const uint32_t *before, uint32_t *above)
{
    const struct oro_tiled_tile *tile = w->course->tile;
    const uint32_t *receiver = w->course->routing.receiver;
    uint32_t count = 0;
    for (int y = 0; y < tile->block.height; y++) {
        size_t row = oro_tiled_in_window(tile, (struct oro_tiled_cell){tile->block.x, tile->block.y + y});
        if (before)
            count = before[y];
        if (above)
            above[y] = count;
        for (size_t i = row; i < row + (size_t)tile->block.width; i++)
            if (w->level ? w->number[i] : receiver[i] == i)
                w->number[i] = ++count;
    }
    return count;
}

static void hand_up(void *user, const struct oro_drainage_tree_part *part)
{
    const struct ways *w = user;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        if (next != cell && (!w->level || is_wet(w, cell)))
            w->number[cell] = w->number[next];
    }
}

static void spread(struct ways *w)
{
    struct oro_drainage_tree_work work = {.part = hand_up, .user = w};
    oro_drainage_tree_up(&w->course->routing, NULL, &work, NULL);
}

/* ---- The whole ---- */

uint32_t oro_watersheds(const struct oro_routing *routing, uint32_t *watershed)
{
    struct oro_tiled_whole whole;
    struct ways w = {.course = oro_tiled_whole(routing, &whole), .number = watershed};
    uint32_t count = number_ends(&w, NULL, NULL);
    spread(&w);
    return count;
}

uint32_t oro_lakes(const struct oro_ground *ground, const struct oro_routing *routing, const float *level,
                   uint32_t *lake)
{
    struct oro_tiled_whole whole;
    struct ways w = {oro_tiled_whole(routing, &whole), ground->z, level, lake};
    size_t cells = (size_t)routing->width * (size_t)routing->height;
    memset(lake, 0, cells * sizeof *lake);
    mark_shores(&w);
    uint32_t count = number_ends(&w, NULL, NULL);
    spread(&w);
    for (size_t i = 0; i < cells; i++)
        lake[i] = is_wet(&w, i) ? lake[i] : 0;
    return count;
}

/* ---- Tiles ---- */

struct numbering {
    bool lakes; /* else watersheds */
    const struct oro_tiled_sink *out, *spills;
    /* Flood levels beyond exits; ends that other tiles have found; numbers. */
    struct oro_tiled_bytes *levels, *marks, *numbers;
    struct oro_tiled_bytes *messages; /* of the step at hand */
    _Atomic uint32_t count;
};

struct taken {
    struct oro_tiled_hold hold;
    float *level;
    struct ways ways;
};

/* Shores that other tiles' water comes to. */
static bool take_marks(const struct numbering *n, int which, struct taken *t, struct oro_error *err)
{
    const struct oro_tiled_tile *tile = &t->hold.tile;
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
            t->ways.number[oro_tiled_in_window(tile, cell)] = 1;
    }
    return oro_tiled_read_all(&reader, "marks", block, err);
}

static bool find_shores(const struct numbering *n, int which, struct taken *t, struct oro_error *err)
{
    struct oro_tiled_hold *hold = &t->hold;
    struct oro_tiled_values *beyond = oro_tiled_take_answer(hold, ORO_TILED_LEVEL, &n->levels[which], err);
    t->level = beyond ? oro_alloc(oro_tiled_window_cells(&hold->tile.window), sizeof *t->level) : NULL;
    if (beyond && !t->level)
        oro_tiled_no_memory(&hold->tile.block, err);
    bool ok = t->level && oro_tiled_flood(&hold->course, hold->z, beyond, t->level, err);
    oro_free(beyond);
    if (!ok)
        return false;
    t->ways.z = hold->z;
    t->ways.level = t->level;
    mark_shores(&t->ways);
    return take_marks(n, which, t, err);
}

static bool take(struct oro_tiled_drainage *d, int which, const struct numbering *n, struct taken *t,
                 struct oro_error *err)
{
    *t = (struct taken){.ways.course = &t->hold.course};
    if (!oro_tiled_take_tile(d, which, n->lakes, &t->hold, err) ||
        !oro_tiled_course_order(&t->hold.course, err))
        return false;
    t->ways.number = oro_alloc(oro_tiled_window_cells(&t->hold.tile.window), sizeof *t->ways.number);
    if (!t->ways.number)
        return oro_tiled_no_memory(&t->hold.tile.block, err);
    return !n->lakes || find_shores(n, which, t, err);
}

static void give_back(struct oro_tiled_drainage *d, int which, struct taken *t)
{
    oro_free(t->level);
    oro_free(t->ways.number);
    oro_tiled_give_back(d, which, &t->hold);
}

/* Shores in other tiles that its lakes spill over. */
static bool tell_marks(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct numbering *n = user;
    struct oro_tiled_bytes *message = &n->messages[which];
    struct taken t;
    bool ok = take(d, which, n, &t, err);
    const struct oro_tiled_course *course = &t.hold.course;
    if (ok)
        oro_tiled_put_head(message, ORO_TILED_MARKS, &t.hold.tile.block);
    for (uint32_t i = 0; ok && i < course->exit_count; i++) {
        size_t beyond = oro_tiled_course_beyond(course, i);
        struct oro_tiled_cell cell = oro_tiled_of_window(&t.hold.tile, beyond);
        if (!is_wet(&t.ways, oro_tiled_course_cell(course, course->exits[i])) || is_wet(&t.ways, beyond))
            continue;
        oro_tiled_put(message, (uint64_t)cell.x);
        oro_tiled_put(message, (uint64_t)cell.y);
    }
    ok = ok && (!message->failed || oro_tiled_no_memory(&t.hold.tile.block, err));
    give_back(d, which, &t);
    return ok;
}

/* Where a number stands for an end of the tile, of which there are `ends`, or, above that, for an exit.
 * `above`: of each row. */
static struct oro_tiled_end end_of(const struct taken *t, uint32_t number, uint32_t ends,
                                   const uint32_t *above)
{
    uint32_t low = 0, high = (uint32_t)t->hold.tile.block.height;
    if (!number)
        return (struct oro_tiled_end){ORO_TILED_NO_END, 0, 0};
    if (number > ends)
        return (struct oro_tiled_end){ORO_TILED_BY_EXIT, number - ends - 1, 0};
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (above[middle] < number)
            low = middle;
        else
            high = middle;
    }
    return (struct oro_tiled_end){ORO_TILED_IN_ROW, low, number - above[low] - 1};
}

static void write_ends(struct taken *t, uint32_t *above, struct oro_tiled_bytes *message)
{
    const struct oro_tiled_course *course = &t->hold.course;
    const struct oro_tiled_tile *tile = &t->hold.tile;
    uint32_t ends = number_ends(&t->ways, NULL, above);
    for (uint32_t i = 0; i < course->exit_count; i++)
        t->ways.number[oro_tiled_course_beyond(course, i)] = ends + 1 + i;
    spread(&t->ways);
    oro_tiled_put_head(message, ORO_TILED_ENDS, &tile->block);
    for (int y = 0; y < tile->block.height; y++)
        oro_tiled_put(message, (y + 1 < tile->block.height ? above[y + 1] : ends) - above[y]);
    oro_tiled_put(message, course->entry_count);
    for (uint32_t i = 0; i < course->entry_count; i++) {
        uint32_t number = t->ways.number[oro_tiled_course_cell(course, course->entries[i])];
        struct oro_tiled_end end = end_of(t, number, ends, above);
        oro_tiled_put(message, course->entries[i]);
        oro_tiled_put_end(message, &end);
    }
    oro_tiled_put(message, course->exit_count);
    for (uint32_t i = 0; i < course->exit_count; i++) {
        oro_tiled_put(message, course->exits[i]);
        oro_tiled_put(message, tile->direction[oro_tiled_course_cell(course, course->exits[i])]);
    }
}

static bool tell_ends(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct numbering *n = user;
    struct taken t;
    uint32_t *above = NULL;
    bool ok = take(d, which, n, &t, err);
    const struct oro_tiled_block *block = &t.hold.tile.block;
    if (ok && !(above = oro_alloc((size_t)block->height, sizeof *above)))
        ok = oro_tiled_no_memory(block, err);
    if (ok) {
        write_ends(&t, above, &n->messages[which]);
        ok = !n->messages[which].failed || oro_tiled_no_memory(block, err);
    }
    oro_free(above);
    give_back(d, which, &t);
    return ok;
}

/* Numbers as the answer says. `count` gets how many there are in all. */
static bool take_numbers(const struct numbering *n, int which, struct taken *t, uint32_t *count,
                         struct oro_error *err)
{
    const struct oro_tiled_block *block = &t->hold.tile.block;
    const struct oro_tiled_course *course = &t->hold.course;
    struct oro_tiled_reader reader = oro_tiled_read(oro_tiled_view(&n->numbers[which]));
    uint32_t *before = oro_alloc((size_t)block->height, sizeof *before);
    if (!before)
        return oro_tiled_no_memory(block, err);
    oro_tiled_take_head(&reader, ORO_TILED_NUMBERS, block);
    *count = (uint32_t)oro_tiled_take(&reader, UINT32_MAX);
    for (int i = 0; i < block->height; i++)
        before[i] = (uint32_t)oro_tiled_take(&reader, *count);
    for (uint32_t i = 0; i < course->exit_count; i++)
        t->ways.number[oro_tiled_course_beyond(course, i)] = (uint32_t)oro_tiled_take(&reader, *count);
    number_ends(&t->ways, before, NULL);
    spread(&t->ways);
    oro_free(before);
    return oro_tiled_read_all(&reader, "numbers", block, err);
}

/* Dry cells belong to no lake, but have it spill over them. */
static bool store_numbers(const struct numbering *n, const struct taken *t, bool spills,
                          struct oro_error *err)
{
    const struct oro_tiled_tile *tile = &t->hold.tile;
    size_t cells = oro_tiled_window_cells(&tile->window);
    float *out = oro_alloc(cells, sizeof *out);
    if (!out)
        return oro_tiled_no_memory(&tile->block, err);
    for (size_t i = 0; i < cells; i++)
        if (!n->lakes || is_wet(&t->ways, i) != spills)
            out[i] = (float)t->ways.number[i];
    bool ok = oro_tiled_store(spills ? n->spills : n->out, tile, out, err);
    oro_free(out);
    return ok;
}

static bool finish(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    struct numbering *n = user;
    struct taken t;
    uint32_t count = 0;
    bool ok = take(d, which, n, &t, err) && take_numbers(n, which, &t, &count, err) &&
              store_numbers(n, &t, false, err) && (!n->spills || store_numbers(n, &t, true, err));
    n->count = count; /* all tiles are told the same */
    give_back(d, which, &t);
    return ok;
}

typedef bool join_work(const struct oro_tiled_grid *grid, const struct oro_tiled_bytes *messages,
                       struct oro_tiled_bytes *answers, struct oro_error *err);

/* Messages of all tiles to the root, joined there; the answers, which the caller frees. NULL: failed. */
static struct oro_tiled_bytes *ask(struct oro_tiled_drainage *d, struct numbering *n, oro_tiled_work *tell,
                                   join_work *join, struct oro_error *err)
{
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    struct oro_tiled_bytes *answers = oro_alloc((size_t)d->tiles, sizeof *answers);
    bool ok = answers || oro_fail(err, ORO_E_MEMORY, "no memory to number the ends of ways");
    ok = oro_tiled_agree(&d->ground, ok, err) && ok;
    ok = ok && oro_tiled_gather(d, tell, n, &n->messages, err);
    if (ok) {
        bool joined = (ranks && !ranks->is_root) || join(&d->ground.grid, n->messages, answers, err);
        ok = ranks ? ranks->scatter(ranks->user, joined, answers, err) : joined;
    }
    oro_tiled_free_all(n->messages, d->tiles);
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
