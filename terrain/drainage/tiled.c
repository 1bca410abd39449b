#include "terrain/drainage/tiled.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

static bool no_memory(const struct oro_tiled_grid *grid, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to drain %d x %d cells by tiles", grid->width,
                    grid->height);
}

void oro_tiled_free_all(struct oro_tiled_bytes *bytes, int count)
{
    for (int i = 0; bytes && i < count; i++)
        oro_tiled_bytes_free(&bytes[i]);
    oro_free(bytes);
}

bool oro_tiled_agree(const struct oro_tiled_ground *ground, bool ok, struct oro_error *err)
{
    const struct oro_tiled_ranks *ranks = ground->ranks;
    return ranks ? ranks->gather(ranks->user, ok, NULL, err) : ok;
}

/* ---- Every tile: lanes, as many as are worked on at once, take the next one until none is left ---- */

struct lane {
    struct oro_error err;
    int failed; /* tile, or -1 */
};

struct lanes {
    struct oro_tiled_drainage *drainage;
    oro_tiled_work *work;
    void *user;
    struct lane *lanes;
    atomic_int next;
    atomic_bool ends, asking;
};

static bool stops(struct lanes *l, struct oro_error *err)
{
    const struct oro_tiled_ground *ground = &l->drainage->ground;
    if (!ground->stop || atomic_exchange(&l->asking, true))
        return false;
    bool stop = ground->stop(ground->user);
    atomic_store(&l->asking, false);
    if (stop)
        oro_fail(err, ORO_E_CANCELLED, "cancelled");
    return stop;
}

static void run_lanes(void *user, size_t first, size_t end)
{
    struct lanes *l = user;
    const struct oro_tiled_ranks *ranks = l->drainage->ground.ranks;
    for (size_t i = first; i < end; i++) {
        struct lane *lane = &l->lanes[i];
        lane->failed = -1;
        while (lane->failed < 0 && !atomic_load(&l->ends)) {
            int tile = atomic_fetch_add(&l->next, 1);
            if (tile >= l->drainage->tiles)
                break;
            if (ranks && !ranks->owns(ranks->user, tile))
                continue;
            if (stops(l, &lane->err) || !l->work(l->drainage, tile, l->user, &lane->err)) {
                lane->failed = tile;
                atomic_store(&l->ends, true);
            }
        }
    }
}

static int count_lanes(const struct oro_tiled_drainage *d)
{
    int lanes = d->ground.at_once > 0 ? d->ground.at_once : oro_parallel_threads();
    return lanes < d->tiles ? lanes : d->tiles;
}

bool oro_tiled_for_tiles(struct oro_tiled_drainage *d, oro_tiled_work *work, void *user,
                         struct oro_error *err)
{
    int count = count_lanes(d);
    struct lanes l = {.drainage = d, .work = work, .user = user};
    l.lanes = oro_alloc((size_t)count, sizeof *l.lanes);
    if (!l.lanes)
        return no_memory(&d->ground.grid, err);
    oro_parallel((size_t)count, 1, run_lanes, &l);
    const struct lane *failed = NULL;
    for (int i = 0; i < count; i++)
        if (l.lanes[i].failed >= 0 && (!failed || l.lanes[i].failed < failed->failed))
            failed = &l.lanes[i];
    if (failed && err)
        *err = failed->err;
    oro_free(l.lanes);
    return !failed;
}

/* ---- Rasters ---- */

float *oro_tiled_load(const struct oro_tiled_source *source, const struct oro_tiled_block *window,
                      struct oro_error *err)
{
    float *values = oro_alloc(oro_tiled_window_cells(window), sizeof *values);
    if (!values)
        oro_tiled_no_memory(window, err);
    if (values && source->load(source->user, window, values, err))
        return values;
    oro_free(values);
    return NULL;
}

/* The values of rows before are no longer needed where a row goes. */
bool oro_tiled_store(const struct oro_tiled_sink *sink, const struct oro_tiled_tile *tile, float *values,
                     struct oro_error *err)
{
    const struct oro_tiled_block *block = &tile->block;
    size_t width = (size_t)block->width;
    for (int y = 0; y < block->height; y++) {
        struct oro_tiled_cell cell = {block->x, block->y + y};
        memmove(values + (size_t)y * width, values + oro_tiled_in_window(tile, cell), width * sizeof *values);
    }
    return sink->store(sink->user, block, values, err);
}

/* ---- Tiles, kept or made anew ---- */

static size_t tile_bytes(const struct oro_tiled_tile *tile)
{
    return oro_tiled_window_cells(&tile->window) + tile->edge_count * sizeof *tile->edges +
           oro_tiled_rim_count(&tile->block);
}

static size_t routing_bytes(const struct oro_tiled_tile *tile)
{
    return oro_tiled_window_cells(&tile->window) * 2 * sizeof(uint32_t);
}

static bool reserve(atomic_size_t *used, size_t bytes, size_t budget)
{
    if (atomic_fetch_add(used, bytes) + bytes <= budget)
        return true;
    atomic_fetch_sub(used, bytes);
    return false;
}

/* Either is empty afterwards. */
static void keep(struct oro_tiled_drainage *d, int which, struct oro_tiled_tile *tile,
                 struct oro_routing *routing)
{
    struct oro_tiled_kept *kept = &d->kept[which];
    if (!reserve(&d->kept_bytes, tile_bytes(tile), d->ground.budget)) {
        oro_tiled_tile_free(tile);
        oro_routing_free(routing);
        return;
    }
    kept->tile = *tile;
    if (routing->order && reserve(&d->routing_bytes, routing_bytes(tile), d->routing_budget))
        kept->routing = *routing;
    else
        oro_routing_free(routing);
    *tile = (struct oro_tiled_tile){0};
    *routing = (struct oro_routing){0};
}

/* Takes what was kept. False: nothing. */
static bool take_kept(struct oro_tiled_drainage *d, int which, struct oro_tiled_tile *tile,
                      struct oro_routing *routing)
{
    struct oro_tiled_kept *kept = &d->kept[which];
    *tile = kept->tile;
    *routing = kept->routing;
    if (!tile->direction)
        return false;
    atomic_fetch_sub(&d->kept_bytes, tile_bytes(tile));
    if (routing->order)
        atomic_fetch_sub(&d->routing_bytes, routing_bytes(tile));
    *kept = (struct oro_tiled_kept){0};
    return true;
}

static void free_kept(struct oro_tiled_kept *kept)
{
    oro_tiled_tile_free(&kept->tile);
    oro_routing_free(&kept->routing);
}

/* `message` gets the tile's graph; NULL: nobody asks. */
static bool route_tile(const struct oro_tiled_drainage *d, int which, const float *z,
                       struct oro_tiled_tile *tile, struct oro_tiled_bytes *message, struct oro_error *err)
{
    const struct oro_tiled_ground *ground = &d->ground;
    struct oro_tiled_block block = oro_tiled_tile(&ground->grid, which);
    struct oro_tiled_block window = oro_tiled_ringed(&ground->grid, &block);
    float *sea = ground->sea.load ? oro_tiled_load(&ground->sea, &window, err) : NULL;
    if (ground->sea.load && !sea)
        return false;
    struct oro_tiled_window rasters = {z, sea, d->ring[which]};
    bool ok = oro_tiled_tile_route(tile, &ground->grid, &block, &rasters, d->water, message, err);
    oro_free(sea);
    return ok;
}

bool oro_tiled_take_tile(struct oro_tiled_drainage *d, int which, bool heights, struct oro_tiled_hold *hold,
                         struct oro_error *err)
{
    struct oro_routing routing;
    *hold = (struct oro_tiled_hold){0};
    bool kept = take_kept(d, which, &hold->tile, &routing), ok = true;
    if (!kept || heights) {
        struct oro_tiled_block block = oro_tiled_tile(&d->ground.grid, which);
        block = oro_tiled_ringed(&d->ground.grid, &block);
        hold->z = oro_tiled_load(&d->ground.z, &block, err);
        ok = hold->z != NULL;
    }
    if (ok && !kept) {
        struct oro_tiled_bytes unused = {0};
        ok = route_tile(d, which, hold->z, &hold->tile, &unused, err);
        oro_tiled_bytes_free(&unused);
    }
    if (ok && !hold->tile.entry)
        ok = oro_tiled_tile_turn(&hold->tile, oro_tiled_view(&d->answers[which]), err);
    ok = ok && oro_tiled_course_begin(&hold->course, &hold->tile, err);
    hold->course.routing = routing;
    return ok;
}

struct oro_tiled_values *oro_tiled_take_answer(const struct oro_tiled_hold *hold, enum oro_tiled_flow flow,
                                               const struct oro_tiled_bytes *answer, struct oro_error *err)
{
    const struct oro_tiled_course *course = &hold->course;
    uint32_t count = oro_tiled_flow_goes_up(flow) ? course->exit_count : course->entry_count;
    return oro_tiled_answer_read(count, flow, &hold->tile.block, oro_tiled_view(answer), err);
}

void oro_tiled_give_back(struct oro_tiled_drainage *d, int which, struct oro_tiled_hold *hold)
{
    oro_free(hold->z);
    hold->z = NULL;
    if (hold->tile.entry)
        keep(d, which, &hold->tile, &hold->course.routing);
    else
        oro_tiled_tile_free(&hold->tile);
    oro_tiled_course_free(&hold->course);
}

/* ---- The drainage ---- */

static bool tell_graph(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    struct oro_tiled_bytes *messages = user;
    struct oro_tiled_block block = oro_tiled_tile(&d->ground.grid, which);
    struct oro_tiled_block window = oro_tiled_ringed(&d->ground.grid, &block);
    struct oro_tiled_tile tile = {0};
    float *z = oro_tiled_load(&d->ground.z, &window, err);
    bool ok = z && route_tile(d, which, z, &tile, &messages[which], err);
    oro_free(z);
    if (ok && tile.crossing && !d->ring[which])
        ok = oro_tiled_ring_begin(d, which, err);
    if (ok)
        keep(d, which, &tile, &(struct oro_routing){0});
    else
        oro_tiled_tile_free(&tile);
    return ok;
}

static void *join_graphs(const void *how, const struct oro_tiled_family *family,
                         const struct oro_tiled_view *messages, struct oro_tiled_bytes *message,
                         struct oro_error *err)
{
    (void)how;
    return oro_tiled_join(family, messages, message, err);
}

static bool part_graphs(void *joined, const struct oro_tiled_view *answer, struct oro_tiled_bytes *answers,
                        struct oro_error *err)
{
    return oro_tiled_part(joined, answer, answers, err);
}

static void free_joined(void *joined)
{
    oro_tiled_join_free(joined);
}

static void look_at_ending(void *user, const void *joined)
{
    *(struct oro_tiled_ending *)user = oro_tiled_join_ending(joined);
}

static uint64_t count_bytes(const struct oro_tiled_bytes *bytes, int count)
{
    uint64_t total = 0;
    for (int i = 0; i < count; i++)
        total += bytes[i].count;
    return total;
}

struct traffic {
    uint64_t *up, *down;
};

/* From the messages of this process's tiles to the answers to them. `ok`: all tiles have told theirs. */
static bool ask(struct oro_tiled_drainage *d, bool ok, const struct oro_tiled_joining *joining,
                struct oro_tiled_bytes *messages, struct oro_tiled_bytes *answers, struct traffic traffic,
                struct oro_error *err)
{
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    if (!oro_tiled_agree(&d->ground, ok, err) || !ok ||
        (ranks && !ranks->gather(ranks->user, true, messages, err)))
        return false;
    if (!ranks || ranks->is_root) {
        *traffic.up += count_bytes(messages, d->tiles);
        ok = oro_tiled_exchange(&d->ground, joining, messages, answers, err);
        *traffic.down += count_bytes(answers, d->tiles);
    }
    return ranks ? ranks->scatter(ranks->user, ok, answers, err) : ok;
}

static void forget_tiles(struct oro_tiled_drainage *d, struct oro_tiled_bytes *messages)
{
    for (int i = 0; i < d->tiles; i++) {
        oro_tiled_bytes_free(&messages[i]);
        free_kept(&d->kept[i]);
        d->kept[i] = (struct oro_tiled_kept){0};
    }
    atomic_store(&d->kept_bytes, 0);
    atomic_store(&d->routing_bytes, 0);
}

/* Tiles whose flats go on beyond them are told of it; then all tell their graphs anew. */
static bool cross_flats(struct oro_tiled_drainage *d, struct oro_tiled_bytes *messages, struct oro_error *err)
{
    if (d->water || !oro_tiled_has_rings(d))
        return true;
    forget_tiles(d, messages);
    return oro_tiled_find_rings(d, err) && oro_tiled_for_tiles(d, tell_graph, messages, err);
}

static bool route(struct oro_tiled_drainage *d, struct oro_error *err)
{
    struct oro_tiled_joining joining = {join_graphs,    part_graphs, free_joined,
                                        look_at_ending, NULL,        &d->ending};
    struct oro_tiled_bytes *messages = oro_alloc((size_t)d->tiles, sizeof *messages);
    struct traffic traffic = {&d->traffic.route_up, &d->traffic.route_down};
    bool ok = messages ? oro_tiled_for_tiles(d, tell_graph, messages, err) : no_memory(&d->ground.grid, err);
    ok = oro_tiled_agree(&d->ground, ok, err) && ok && cross_flats(d, messages, err);
    ok = ask(d, ok, &joining, messages, d->answers, traffic, err);
    oro_tiled_free_all(messages, d->tiles);
    return ok;
}

static void plan_budget(struct oro_tiled_drainage *d)
{
    size_t tiles = 0;
    for (int i = 0; i < d->tiles; i++) {
        struct oro_tiled_tile tile = {.block = oro_tiled_tile(&d->ground.grid, i)};
        tile.window = oro_tiled_ringed(&d->ground.grid, &tile.block);
        d->traffic.rim_cells += oro_tiled_rim_count(&tile.block);
        tiles += tile_bytes(&tile);
    }
    d->routing_budget = d->ground.budget > tiles ? d->ground.budget - tiles : 0;
}

struct oro_tiled_drainage *oro_tiled_route_for(const struct oro_tiled_ground *ground, bool water,
                                               struct oro_error *err)
{
    if (!oro_tiled_grid_check(&ground->grid, err))
        return NULL;
    int tiles = oro_tiled_tiles(&ground->grid);
    struct oro_tiled_drainage *d = oro_alloc(1, sizeof *d);
    bool ok = d != NULL;
    if (ok) {
        *d = (struct oro_tiled_drainage){.ground = *ground, .water = water, .tiles = tiles};
        d->kept = oro_alloc((size_t)tiles, sizeof *d->kept);
        d->answers = oro_alloc((size_t)tiles, sizeof *d->answers);
        d->ring = oro_alloc((size_t)tiles, sizeof *d->ring);
        ok = d->kept && d->answers && d->ring;
        plan_budget(d);
    }
    if (!ok)
        no_memory(&ground->grid, err);
    if (oro_tiled_agree(ground, ok, err) && ok && route(d, err))
        return d;
    oro_tiled_drainage_free(d);
    return NULL;
}

struct oro_tiled_drainage *oro_tiled_route(const struct oro_tiled_ground *ground, struct oro_error *err)
{
    return oro_tiled_route_for(ground, false, err);
}

void oro_tiled_drainage_free(struct oro_tiled_drainage *d)
{
    if (!d)
        return;
    for (int i = 0; d->kept && i < d->tiles; i++)
        free_kept(&d->kept[i]);
    for (int i = 0; d->ring && i < d->tiles; i++)
        oro_free(d->ring[i]);
    oro_free(d->ring);
    oro_free(d->kept);
    oro_tiled_free_all(d->answers, d->tiles);
    oro_free(d);
}

struct oro_tiled_traffic oro_tiled_traffic(const struct oro_tiled_drainage *d)
{
    return d->traffic;
}

/* ---- Flows ---- */

struct telling {
    oro_tiled_teller *tell;
    void *user;
    struct oro_tiled_bytes *messages;
};

static bool tell_flow(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct telling *telling = user;
    return telling->tell(d, which, telling->user, &telling->messages[which], err);
}

static void *join_flows(const void *how, const struct oro_tiled_family *family,
                        const struct oro_tiled_view *messages, struct oro_tiled_bytes *message,
                        struct oro_error *err)
{
    return oro_tiled_flow_join(family, *(const enum oro_tiled_flow *)how, messages, message, err);
}

static bool part_flows(void *joined, const struct oro_tiled_view *answer, struct oro_tiled_bytes *answers,
                       struct oro_error *err)
{
    return oro_tiled_flow_part(joined, answer, answers, err);
}

static void free_flows(void *joined)
{
    oro_tiled_flow_free(joined);
}

bool oro_tiled_turns_for(const struct oro_tiled_ground *ground, bool ok, struct oro_tiled_bytes *messages,
                         struct oro_tiled_bytes *answers, struct oro_error *err)
{
    struct oro_tiled_drainage d = {.ground = *ground, .tiles = oro_tiled_tiles(&ground->grid)};
    struct oro_tiled_joining joining = {join_graphs,    part_graphs, free_joined,
                                        look_at_ending, NULL,        &d.ending};
    struct traffic traffic = {&d.traffic.route_up, &d.traffic.route_down};
    return ask(&d, ok, &joining, messages, answers, traffic, err);
}

bool oro_tiled_flows_for(const struct oro_tiled_ground *ground, enum oro_tiled_flow flow, bool ok,
                         struct oro_tiled_bytes *messages, struct oro_tiled_bytes *answers,
                         struct oro_error *err)
{
    struct oro_tiled_drainage d = {.ground = *ground, .tiles = oro_tiled_tiles(&ground->grid)};
    struct oro_tiled_joining joining = {join_flows, part_flows, free_flows, NULL, &flow, NULL};
    struct traffic traffic = {&d.traffic.flow_up, &d.traffic.flow_down};
    return ask(&d, ok, &joining, messages, answers, traffic, err);
}

struct oro_tiled_bytes *oro_tiled_flow_through(struct oro_tiled_drainage *d, enum oro_tiled_flow flow,
                                               oro_tiled_teller *tell, void *user, struct oro_error *err)
{
    struct oro_tiled_joining joining = {join_flows, part_flows, free_flows, NULL, &flow, NULL};
    struct oro_tiled_bytes *messages = oro_alloc((size_t)d->tiles, sizeof *messages);
    struct oro_tiled_bytes *answers = oro_alloc((size_t)d->tiles, sizeof *answers);
    struct telling telling = {tell, user, messages};
    bool room = messages && answers;
    struct traffic traffic = {&d->traffic.flow_up, &d->traffic.flow_down};
    bool ok = room ? oro_tiled_for_tiles(d, tell_flow, &telling, err) : no_memory(&d->ground.grid, err);
    ok = ask(d, ok, &joining, messages, answers, traffic, err);
    oro_tiled_free_all(messages, d->tiles);
    if (ok)
        return answers;
    oro_tiled_free_all(answers, d->tiles);
    return NULL;
}

bool oro_tiled_gather(struct oro_tiled_drainage *d, oro_tiled_work *work, void *user,
                      struct oro_tiled_bytes **messages, struct oro_error *err)
{
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    *messages = oro_alloc((size_t)d->tiles, sizeof **messages);
    bool ok = *messages ? oro_tiled_for_tiles(d, work, user, err) : no_memory(&d->ground.grid, err);
    return oro_tiled_agree(&d->ground, ok, err) && ok &&
           (!ranks || ranks->gather(ranks->user, true, *messages, err));
}

bool oro_tiled_report(struct oro_tiled_drainage *d, oro_tiled_work *work, void *user,
                      struct oro_tiled_bytes **messages, oro_tiled_look *look, void *result,
                      struct oro_error *err)
{
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    bool ok = oro_tiled_gather(d, work, user, messages, err);
    if (ok && (!ranks || ranks->is_root))
        ok = look(&d->ground.grid, *messages, result, err);
    ok = oro_tiled_agree(&d->ground, ok, err);
    oro_tiled_free_all(*messages, d->tiles);
    return ok;
}

/* ---- Directions ---- */

static bool store_directions(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct oro_tiled_direction_sink *sink = user;
    struct oro_tiled_hold hold;
    bool ok = oro_tiled_take_tile(d, which, false, &hold, err);
    const struct oro_tiled_block *block = &hold.tile.block;
    uint8_t *own = ok ? oro_alloc(oro_tiled_window_cells(block), 1) : NULL;
    if (ok && !own)
        ok = no_memory(&d->ground.grid, err);
    for (int y = 0; own && y < block->height; y++)
        memcpy(own + (size_t)y * (size_t)block->width,
               hold.tile.direction +
                   oro_tiled_in_window(&hold.tile, (struct oro_tiled_cell){block->x, block->y + y}),
               (size_t)block->width);
    ok = ok && sink->store(sink->user, block, own, err);
    oro_free(own);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

bool oro_tiled_directions(struct oro_tiled_drainage *d, const struct oro_tiled_direction_sink *out,
                          struct oro_error *err)
{
    struct oro_tiled_direction_sink sink = *out;
    return oro_tiled_for_tiles(d, store_directions, &sink, err);
}
