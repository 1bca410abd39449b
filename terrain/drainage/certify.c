/* Whether ground drains: pits and flats from the steepest ways; closed depressions, where these cannot
 * exclude them, from exact ones. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact_sum.h"
#include "base/memory.h"
#include "terrain/drainage/certificate.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

/* ---- The lakes of a tile ---- */

struct lakes {
    uint64_t lakes, wet;
    double deepest;
    struct oro_exact_sum volume; /* exact, so that it is the same by tiles */
};

/* Strips of cells have sums of their own. */
struct survey {
    const struct oro_tiled_course *course; /* with an order */
    struct oro_strips strips;
    const float *z, *level;
    _Atomic uint8_t *spilled; /* of cells of the window: 1 where water of this tile spills over them */
    struct lakes *of;         /* strips */
};

static double depth_at(const struct survey *s, size_t cell)
{
    return (double)s->level[cell] - (double)oro_height(s->z[cell]);
}

/* Calls body for the tile's cells in the rows of some strips. */
static inline void for_own_cells(const struct survey *s, size_t first, size_t end,
                                 void (*body)(const struct survey *s, struct lakes *of, size_t cell))
{
    const struct oro_tiled_tile *tile = s->course->tile;
    const struct oro_tiled_block *block = &tile->block;
    for (size_t strip = first; strip < end; strip++)
        for (size_t row = oro_strip_first(s->strips, strip); row < oro_strip_end(s->strips, strip);
             row += s->strips.width) {
            int y = oro_tiled_of_window(tile, row).y;
            size_t west = row + (size_t)(block->x - tile->window.x);
            for (size_t i = west;
                 y >= block->y && y < block->y + block->height && i < west + (size_t)block->width; i++)
                body(s, &s->of[strip], i);
        }
}

/* Water that spills over one cell is one lake (oro_lakes). */
static inline void measure_depth(const struct survey *s, struct lakes *of, size_t cell)
{
    double depth = depth_at(s, cell);
    size_t next = s->course->routing.receiver[cell];
    if (depth <= 0)
        return;
    of->wet++;
    oro_exact_add(&of->volume, depth);
    of->deepest = depth > of->deepest ? depth : of->deepest;
    if (depth_at(s, next) <= 0)
        atomic_store_explicit(&s->spilled[next], 1, memory_order_relaxed);
}

static void measure_depths(void *user, size_t first, size_t end)
{
    for_own_cells(user, first, end, measure_depth);
}

static inline void count_lake(const struct survey *s, struct lakes *of, size_t cell)
{
    of->lakes += atomic_load_explicit(&s->spilled[cell], memory_order_relaxed);
}

static void count_lakes(void *user, size_t first, size_t end)
{
    for_own_cells(user, first, end, count_lake);
}

/* Frees of the survey: end_survey. */
static bool begin_survey(struct survey *s, const struct oro_tiled_course *course, const float *z,
                         const float *level, struct oro_error *err)
{
    const struct oro_tiled_block *window = &course->tile->window;
    *s = (struct survey){
        .course = course, .strips = oro_strips_of(window->width, window->height), .z = z, .level = level};
    s->spilled = oro_alloc(s->strips.cells, 1);
    s->of = oro_alloc(s->strips.count, sizeof *s->of);
    return (s->spilled && s->of) || oro_tiled_no_memory(&course->tile->block, err);
}

static void end_survey(struct survey *s)
{
    oro_free(s->spilled);
    oro_free(s->of);
}

static bool survey(struct survey *s, struct lakes *lakes, struct oro_error *err)
{
    *lakes = (struct lakes){0};
    if (!oro_strips_run(s->strips, s->course->asks, measure_depths, s, err) ||
        !oro_strips_run(s->strips, s->course->asks, count_lakes, s, err))
        return false;
    for (size_t strip = 0; strip < s->strips.count; strip++) {
        const struct lakes *of = &s->of[strip];
        lakes->lakes += of->lakes;
        lakes->wet += of->wet;
        oro_exact_join(&lakes->volume, &of->volume);
        lakes->deepest = of->deepest > lakes->deepest ? of->deepest : lakes->deepest;
    }
    return true;
}

static void certify_lakes(struct oro_certificate *certificate, const struct lakes *lakes)
{
    certificate->depressions = lakes->lakes;
    certificate->undrained = lakes->wet;
    certificate->deepest = lakes->deepest;
    certificate->fill_volume = oro_exact_total(&lakes->volume);
}

/* ---- The whole ---- */

static bool measure_pits(const struct oro_ground *ground, struct oro_certificate *certificate, bool *drained,
                         struct oro_error *err)
{
    struct oro_pits pits;
    if (!oro_measure_pits(ground, &pits, err))
        return false;
    certificate->pits = pits.pits;
    certificate->flats = pits.flats;
    certificate->share_ending_in_pit = (double)pits.ending / ((double)ground->width * (double)ground->height);
    *drained = pits.drained;
    return true;
}

static bool measure_lakes(const struct oro_ground *ground, const struct oro_routing *routing,
                          struct oro_certificate *certificate, struct oro_error *err)
{
    struct oro_tiled_whole whole;
    struct oro_tiled_course *course = oro_tiled_whole(routing, &whole);
    struct survey s;
    struct lakes lakes;
    float *level = oro_alloc((size_t)ground->width * (size_t)ground->height, sizeof *level);
    course->asks = ground;
    bool ok = begin_survey(&s, course, ground->z, level, err);
    if (ok && !level)
        ok = oro_no_memory(ground, err);
    ok = ok && oro_tiled_flood(course, ground->z, NULL, level, err) && survey(&s, &lakes, err);
    if (ok)
        certify_lakes(certificate, &lakes);
    end_survey(&s);
    oro_free(level);
    return ok;
}

bool oro_certify_routed(const struct oro_ground *ground, const struct oro_routing *routing,
                        struct oro_certificate *certificate, struct oro_error *err)
{
    bool drained = true;
    *certificate = (struct oro_certificate){0};
    return routing->pits == 0 || (measure_pits(ground, certificate, &drained, err) &&
                                  (drained || measure_lakes(ground, routing, certificate, err)));
}

/* Most ground that asks for a certificate was breached: it needs no routing. */
bool oro_certify(const struct oro_ground *ground, struct oro_certificate *certificate, struct oro_error *err)
{
    struct oro_routing routing = {0};
    bool drained = true;
    *certificate = (struct oro_certificate){0};
    if (!oro_ground_check(ground, err) || !measure_pits(ground, certificate, &drained, err))
        return false;
    if (drained)
        return true;
    bool ok = oro_route_steepest(ground, &routing, err) && measure_lakes(ground, &routing, certificate, err);
    oro_routing_free(&routing);
    return ok;
}

/* A pit that is no flat is a depression; of others the pits alone cannot always tell. */
bool oro_drains(const struct oro_ground *ground, bool *drained, struct oro_error *err)
{
    struct oro_certificate certificate = {0};
    if (!oro_ground_check(ground, err) || !measure_pits(ground, &certificate, drained, err))
        return false;
    if (*drained || certificate.pits > certificate.flats)
        return true;
    bool ok = oro_certify(ground, &certificate, err);
    *drained = ok && certificate.depressions == 0;
    return ok;
}

/* ---- Tiles: each tells sums of standing water, and where it spills over to and from others, since lakes are
 * counted by the cells that they spill over ---- */

/* Exits that water spills over, and entries that water of this tile spills over. */
static bool write_spills(const struct survey *s, struct oro_tiled_bytes *message)
{
    const struct oro_tiled_course *course = s->course;
    uint64_t *numbers = oro_alloc((size_t)course->exit_count + course->entry_count, sizeof *numbers);
    size_t count = 0;
    if (!numbers)
        return false;
    for (uint32_t i = 0; i < course->exit_count; i++) {
        size_t cell = oro_tiled_course_cell(course, course->exits[i]);
        if (depth_at(s, cell) > 0 && depth_at(s, oro_tiled_course_beyond(course, i)) <= 0)
            numbers[count++] = 8 * (uint64_t)course->exits[i] + course->tile->direction[cell];
    }
    oro_tiled_put_ascending(message, numbers, count);
    count = 0;
    for (uint32_t i = 0; i < course->entry_count; i++)
        if (s->spilled[oro_tiled_course_cell(course, course->entries[i])])
            numbers[count++] = course->entries[i];
    oro_tiled_put_ascending(message, numbers, count);
    oro_free(numbers);
    return !message->failed;
}

static bool tell_spills(struct survey *s, struct oro_tiled_bytes *message, struct oro_error *err)
{
    const struct oro_tiled_block *block = &s->course->tile->block;
    struct lakes lakes;
    uint64_t deepest;
    if (!survey(s, &lakes, err))
        return false;
    memcpy(&deepest, &lakes.deepest, sizeof deepest);
    oro_tiled_put_head(message, ORO_TILED_SPILLS, block);
    oro_tiled_put(message, lakes.lakes);
    oro_tiled_put(message, lakes.wet);
    oro_tiled_put(message, deepest);
    for (int i = 0; i < ORO_EXACT_LIMBS; i++)
        oro_tiled_put(message, lakes.volume.limb[i]);
    return write_spills(s, message) || oro_tiled_no_memory(block, err);
}

/* Cells that water of other tiles spills over, as column and row in one number; and such as are known to
 * their own tile. */
struct spills {
    uint64_t *cells;
    size_t count, capacity;
    bool failed;
};

static void add_spill(struct spills *spills, struct oro_tiled_cell cell)
{
    void *cells = spills->cells;
    if (spills->failed || !oro_reserve(&cells, &spills->capacity, spills->count + 1, sizeof *spills->cells)) {
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
                      struct lakes *lakes, struct spills *from, struct spills *known, struct oro_error *err)
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

static bool join_lakes(const struct oro_tiled_grid *grid, const struct oro_tiled_bytes *messages,
                       void *result, struct oro_error *err)
{
    struct lakes *lakes = result;
    struct spills from = {0}, known = {0};
    bool ok = true;
    *lakes = (struct lakes){0};
    for (int i = 0; ok && i < oro_tiled_tiles(grid); i++)
        ok = read_tile(grid, i, oro_tiled_view(&messages[i]), lakes, &from, &known, err);
    if (ok && (from.failed || known.failed))
        ok = oro_fail(err, ORO_E_MEMORY, "no memory to count the lakes of %d x %d cells", grid->width,
                      grid->height);
    if (ok)
        lakes->lakes += count_new(&from, &known);
    oro_free(from.cells);
    oro_free(known.cells);
    return ok;
}

/* Most ground that asks for a certificate was breached. */
struct search {
    const struct oro_tiled_ground *ground;
    atomic_bool found;
};

static bool look_for_pits(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    struct search *search = user;
    const struct oro_tiled_ground *ground = search->ground;
    struct oro_tiled_block block = oro_tiled_tile(&ground->grid, which);
    struct oro_tiled_block window = oro_tiled_ringed(&ground->grid, &block);
    (void)d;
    if (atomic_load(&search->found))
        return true;
    float *z = oro_tiled_load(&ground->z, &window, err), *sea = NULL;
    bool ok = z && (!ground->sea.load || (sea = oro_tiled_load(&ground->sea, &window, err)) != NULL);
    bool pits = false;
    ok = ok && oro_tiled_tile_has_pits(&ground->grid, &block, z, sea, &pits, err);
    if (pits)
        atomic_store(&search->found, true);
    oro_free(z);
    oro_free(sea);
    return ok;
}

struct surveying {
    struct oro_tiled_bytes *answers, *messages;
};

static bool survey_tile(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct surveying *surveying = user;
    struct oro_tiled_hold hold;
    struct oro_tiled_values *beyond = NULL;
    struct survey s = {0};
    bool ok =
        oro_tiled_take_tile(d, which, true, &hold, err) &&
        (beyond = oro_tiled_take_answer(&hold, ORO_TILED_LEVEL, &surveying->answers[which], err)) != NULL &&
        oro_tiled_course_order(&hold.course, err);
    float *level = ok ? oro_alloc(oro_tiled_window_cells(&hold.tile.window), sizeof *level) : NULL;
    if (ok && !level)
        ok = oro_tiled_no_memory(&hold.tile.block, err);
    ok = ok && oro_tiled_flood(&hold.course, hold.z, beyond, level, err) &&
         begin_survey(&s, &hold.course, hold.z, level, err) &&
         tell_spills(&s, &surveying->messages[which], err);
    end_survey(&s);
    oro_free(beyond);
    oro_free(level);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

static bool survey_tiles(struct oro_tiled_drainage *d, struct lakes *lakes, struct oro_error *err)
{
    struct surveying s = {oro_tiled_levels_through(d, err), NULL};
    bool ok = s.answers && oro_tiled_report(d, survey_tile, &s, &s.messages, join_lakes, lakes, err);
    oro_tiled_free_all(s.answers, d->tiles);
    return ok;
}

static bool certify(const struct oro_tiled_ground *ground, struct oro_certificate *certificate,
                    struct oro_error *err)
{
    struct lakes lakes = {0};
    struct oro_tiled_drainage *d = oro_tiled_route_for(ground, true, err);
    bool ok = d && survey_tiles(d, &lakes, err);
    if (ok) {
        certificate->pits = d->ending.pits;
        certificate->flats = d->ending.flats;
        certificate->share_ending_in_pit =
            (double)d->ending.ending / ((double)ground->grid.width * (double)ground->grid.height);
        certify_lakes(certificate, &lakes);
    }
    oro_tiled_drainage_free(d);
    return ok;
}

bool oro_tiled_certify(const struct oro_tiled_ground *ground, struct oro_certificate *certificate,
                       struct oro_error *err)
{
    struct search search = {.ground = ground};
    *certificate = (struct oro_certificate){0};
    if (!oro_tiled_grid_check(&ground->grid, err))
        return false;
    struct oro_tiled_drainage tiles = {.ground = *ground, .tiles = oro_tiled_tiles(&ground->grid)};
    bool ok = oro_tiled_for_tiles(&tiles, look_for_pits, &search, err), pits = atomic_load(&search.found);
    if (!oro_tiled_agree(ground, ok, err))
        return false;
    if (ground->ranks)
        pits = ground->ranks->any(ground->ranks->user, pits);
    return !pits || certify(ground, certificate, err);
}
