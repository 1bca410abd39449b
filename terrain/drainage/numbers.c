#include "terrain/drainage/numbers.h"

#include "base/memory.h"

/* What a tile has told. */
struct told {
    struct oro_tiled_block block;
    uint32_t *before; /* of each row: first its ends, then all ends before those */
    uint32_t entry_count, exit_count;
    uint32_t *entry_rim;
    struct oro_tiled_end *entries;
    struct oro_tiled_cell *beyond; /* of each exit */
    uint32_t *number;              /* of each exit; UNKNOWN */
};

enum { END_BYTES = 2, EXIT_BYTES = 2 };
static const uint32_t UNKNOWN = UINT32_MAX;

struct numbering {
    const struct oro_tiled_grid *grid;
    struct told *told;
    int tiles;
    uint64_t total, exits;
};

/* ---- Reading ---- */

void oro_tiled_put_end(struct oro_tiled_bytes *bytes, const struct oro_tiled_end *end)
{
    oro_tiled_put_byte(bytes, end->what);
    if (end->what != ORO_TILED_NO_END)
        oro_tiled_put(bytes, end->at);
    if (end->what == ORO_TILED_IN_ROW)
        oro_tiled_put(bytes, end->nth);
}

static struct oro_tiled_end take_end(struct oro_tiled_reader *reader)
{
    struct oro_tiled_end end = {(enum oro_tiled_way_end)oro_tiled_take_byte(reader), 0, 0};
    if (end.what > ORO_TILED_BY_EXIT)
        reader->failed = true;
    if (end.what != ORO_TILED_NO_END)
        end.at = (uint32_t)oro_tiled_take(reader, UINT32_MAX);
    if (end.what == ORO_TILED_IN_ROW)
        end.nth = (uint32_t)oro_tiled_take(reader, ORO_TILED_SIDE_MAX);
    return end;
}

static bool is_sound(const struct told *t)
{
    for (uint32_t i = 0; i < t->entry_count; i++) {
        const struct oro_tiled_end *end = &t->entries[i];
        if (end->what == ORO_TILED_IN_ROW &&
            (end->at >= (uint32_t)t->block.height || end->nth >= t->before[end->at]))
            return false;
        if (end->what == ORO_TILED_BY_EXIT && end->at >= t->exit_count)
            return false;
    }
    return true;
}

static bool read_ways(struct told *t, struct oro_tiled_reader *reader)
{
    uint32_t rim = oro_tiled_rim_count(&t->block);
    t->entry_count = oro_tiled_take_count(reader, END_BYTES);
    t->entry_rim = oro_alloc(t->entry_count + 1, sizeof *t->entry_rim);
    t->entries = oro_alloc(t->entry_count + 1, sizeof *t->entries);
    for (uint32_t i = 0; t->entry_rim && t->entries && i < t->entry_count; i++) {
        t->entry_rim[i] = (uint32_t)oro_tiled_take(reader, rim - 1);
        t->entries[i] = take_end(reader);
    }
    t->exit_count = oro_tiled_take_count(reader, EXIT_BYTES);
    t->beyond = oro_alloc(t->exit_count + 1, sizeof *t->beyond);
    t->number = oro_alloc(t->exit_count + 1, sizeof *t->number);
    for (uint32_t i = 0; t->beyond && t->number && i < t->exit_count; i++) {
        uint32_t index = (uint32_t)oro_tiled_take(reader, rim - 1);
        t->beyond[i] =
            oro_tiled_neighbour(oro_tiled_rim_cell(&t->block, index), (int)oro_tiled_take(reader, 7));
        t->number[i] = UNKNOWN;
    }
    return t->entry_rim && t->entries && t->beyond && t->number;
}

static bool read_told(struct told *t, struct oro_tiled_view message, struct oro_error *err)
{
    struct oro_tiled_reader reader = oro_tiled_read(message);
    oro_tiled_take_head(&reader, ORO_TILED_ENDS, &t->block);
    t->before = oro_alloc((size_t)t->block.height, sizeof *t->before);
    for (int i = 0; t->before && i < t->block.height; i++)
        t->before[i] = (uint32_t)oro_tiled_take(&reader, (uint64_t)t->block.width);
    if (!t->before || !read_ways(t, &reader))
        return oro_fail(err, ORO_E_MEMORY, "no memory to number the ends of ways");
    reader.failed = reader.failed || !is_sound(t);
    return oro_tiled_read_all(&reader, "ends of ways", &t->block, err);
}

/* ---- Joining ---- */

/* Row by row through the whole terrain. */
static bool count_rows(struct numbering *n, struct oro_error *err)
{
    int columns = oro_tiled_count(n->grid->width, n->grid->tile_width);
    for (int first = 0; first < n->tiles; first += columns)
        for (int row = 0; row < n->told[first].block.height; row++)
            for (int i = first; i < first + columns; i++) {
                uint32_t own = n->told[i].before[row];
                n->told[i].before[row] = (uint32_t)n->total;
                n->total += own;
            }
    return n->total < UNKNOWN ||
           oro_fail(err, ORO_E_LIMIT, "there are more than %u ends of ways to be numbered", UNKNOWN - 1);
}

static int tile_of(const struct oro_tiled_grid *grid, struct oro_tiled_cell cell)
{
    if (cell.x < 0 || cell.y < 0 || cell.x >= grid->width || cell.y >= grid->height)
        return -1;
    return cell.y / grid->tile_height * oro_tiled_count(grid->width, grid->tile_width) +
           cell.x / grid->tile_width;
}

static const struct oro_tiled_end *find_entry(const struct told *t, uint32_t rim)
{
    uint32_t low = 0, high = t->entry_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->entry_rim[middle] < rim)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->entry_count && t->entry_rim[low] == rim ? &t->entries[low] : NULL;
}

/* The next exit of a way, or the number of its end. False: the messages do not fit together. */
static bool step(const struct numbering *n, int *tile, uint32_t *exit, uint32_t *number)
{
    struct oro_tiled_cell beyond = n->told[*tile].beyond[*exit];
    int next = tile_of(n->grid, beyond);
    if (next < 0 || next == *tile)
        return false;
    const struct told *t = &n->told[next];
    const struct oro_tiled_end *end = find_entry(t, oro_tiled_rim_index(&t->block, beyond));
    if (!end)
        return false;
    *tile = next;
    *exit = end->at;
    *number = end->what == ORO_TILED_IN_ROW   ? t->before[end->at] + end->nth + 1
              : end->what == ORO_TILED_NO_END ? 0
                                              : t->number[end->at];
    return true;
}

/* Goes down the way to what is known, then again to write that down. */
static bool resolve(const struct numbering *n, int tile, uint32_t exit)
{
    int at = tile;
    uint32_t by = exit, number = n->told[tile].number[exit];
    for (uint64_t steps = 0; number == UNKNOWN; steps++)
        if (steps > n->exits || !step(n, &at, &by, &number))
            return false;
    for (uint32_t known = n->told[tile].number[exit]; known == UNKNOWN;) {
        uint32_t *here = &n->told[tile].number[exit];
        step(n, &tile, &exit, &known);
        *here = number;
    }
    return true;
}

static bool answer(const struct numbering *n, const struct told *t, struct oro_tiled_bytes *bytes,
                   struct oro_error *err)
{
    oro_tiled_put_head(bytes, ORO_TILED_NUMBERS, &t->block);
    oro_tiled_put(bytes, n->total);
    for (int i = 0; i < t->block.height; i++)
        oro_tiled_put(bytes, t->before[i]);
    for (uint32_t i = 0; i < t->exit_count; i++)
        oro_tiled_put(bytes, t->number[i]);
    return !bytes->failed || oro_fail(err, ORO_E_MEMORY, "no memory to number the ends of ways");
}

static bool join(struct numbering *n, const struct oro_tiled_bytes *messages, struct oro_tiled_bytes *answers,
                 struct oro_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < n->tiles; i++) {
        n->told[i].block = oro_tiled_tile(n->grid, i);
        ok = read_told(&n->told[i], oro_tiled_view(&messages[i]), err);
        n->exits += n->told[i].exit_count;
    }
    ok = ok && count_rows(n, err);
    for (int i = 0; ok && i < n->tiles; i++)
        for (uint32_t k = 0; ok && k < n->told[i].exit_count; k++)
            ok = resolve(n, i, k) ||
                 oro_fail(err, ORO_E_EVALUATE, "the ways of tile %d do not go on in another one", i);
    for (int i = 0; ok && i < n->tiles; i++)
        ok = answer(n, &n->told[i], &answers[i], err);
    return ok;
}

bool oro_tiled_join_numbers(const struct oro_tiled_grid *grid, const struct oro_tiled_bytes *messages,
                            struct oro_tiled_bytes *answers, struct oro_error *err)
{
    struct numbering n = {.grid = grid, .tiles = oro_tiled_tiles(grid)};
    n.told = oro_alloc((size_t)n.tiles, sizeof *n.told);
    bool ok = n.told ? join(&n, messages, answers, err)
                     : oro_fail(err, ORO_E_MEMORY, "no memory to number the ends of ways");
    for (int i = 0; n.told && i < n.tiles; i++) {
        oro_free(n.told[i].before);
        oro_free(n.told[i].entry_rim);
        oro_free(n.told[i].entries);
        oro_free(n.told[i].beyond);
        oro_free(n.told[i].number);
    }
    oro_free(n.told);
    return ok;
}

/* ---- Marks ---- */

static bool sort_marks_of(const struct oro_tiled_grid *grid, int tile, const struct oro_tiled_bytes *message,
                          struct oro_tiled_bytes *answers, struct oro_error *err)
{
    struct oro_tiled_block block = oro_tiled_tile(grid, tile);
    struct oro_tiled_reader reader = oro_tiled_read(oro_tiled_view(message));
    oro_tiled_take_head(&reader, ORO_TILED_MARKS, &block);
    while (!reader.failed && reader.at < reader.end) {
        struct oro_tiled_cell cell;
        cell.x = (int)oro_tiled_take(&reader, (uint64_t)grid->width - 1);
        cell.y = (int)oro_tiled_take(&reader, (uint64_t)grid->height - 1);
        struct oro_tiled_bytes *to = &answers[tile_of(grid, cell)];
        oro_tiled_put(to, (uint64_t)cell.x);
        oro_tiled_put(to, (uint64_t)cell.y);
    }
    return oro_tiled_read_all(&reader, "marks", &block, err);
}

bool oro_tiled_sort_marks(const struct oro_tiled_grid *grid, const struct oro_tiled_bytes *messages,
                          struct oro_tiled_bytes *answers, struct oro_error *err)
{
    bool ok = true;
    int tiles = oro_tiled_tiles(grid);
    for (int i = 0; i < tiles; i++) {
        struct oro_tiled_block block = oro_tiled_tile(grid, i);
        oro_tiled_put_head(&answers[i], ORO_TILED_MARKS, &block);
    }
    for (int i = 0; ok && i < tiles; i++)
        ok = sort_marks_of(grid, i, &messages[i], answers, err);
    for (int i = 0; ok && i < tiles; i++)
        ok = !answers[i].failed || oro_fail(err, ORO_E_MEMORY, "no memory to number the ends of ways");
    return ok;
}
