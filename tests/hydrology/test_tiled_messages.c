/* Drainage by tiles over several processes, which threads stand for here; and messages that come damaged. */
#include "tests/hydrology/tiled.h"

#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

static struct oro_tiled_ground ground_of(struct site *site, struct raster *z, struct raster *sea, int tile)
{
    struct oro_tiled_ground ground = {
        .grid = {site->ground.width, site->ground.height, tile, tile, site->ground.walls},
        .z = {load_window, z}};
    if (site->ground.sea)
        ground.sea = (struct oro_tiled_source){load_window, sea};
    return ground;
}

static struct oro_tiled_bytes copy_of(const struct oro_tiled_bytes *bytes, size_t count)
{
    struct oro_tiled_bytes copy = {oro_alloc(count, 1), count, count, false};
    assert_non_null(copy.data);
    if (count)
        memcpy(copy.data, bytes->data, count);
    return copy;
}

/* ---- Ranks: tile i belongs to rank i % RANKS, and the last one is the root ---- */

enum { RANKS = 3, ROOT = RANKS - 1 };

struct world {
    struct site *site;
    struct raster z, sea, out;
    pthread_barrier_t barrier;
    int tiles;
    struct oro_tiled_bytes *bytes[RANKS];
    bool ok[RANKS];
    struct oro_error errors[RANKS];
    bool fails; /* where a tile in the first row is loaded */
};

struct rank {
    struct world *world;
    int number;
    bool ok;
    struct oro_error err;
    struct oro_certificate certificate;
};

static bool owns(void *user, int tile)
{
    return tile % RANKS == ((const struct rank *)user)->number;
}

/* Tells what every rank holds; nobody changes anything before all have seen it. */
static bool meet(struct rank *rank, bool ok, struct oro_tiled_bytes *bytes, struct oro_error *err)
{
    struct world *world = rank->world;
    bool all = true;
    world->ok[rank->number] = ok;
    world->bytes[rank->number] = bytes;
    if (!ok)
        world->errors[rank->number] = *err;
    pthread_barrier_wait(&world->barrier);
    for (int i = RANKS; i-- > 0;)
        if (!world->ok[i]) {
            *err = world->errors[i];
            all = false;
        }
    return all;
}

static bool gather(void *user, bool ok, struct oro_tiled_bytes *messages, struct oro_error *err)
{
    struct rank *rank = user;
    struct world *world = rank->world;
    ok = meet(rank, ok, messages, err);
    for (int i = 0; ok && messages && rank->number == ROOT && i < world->tiles; i++)
        if (i % RANKS != ROOT)
            messages[i] = copy_of(&world->bytes[i % RANKS][i], world->bytes[i % RANKS][i].count);
    pthread_barrier_wait(&world->barrier);
    return ok;
}

static bool scatter(void *user, bool ok, struct oro_tiled_bytes *answers, struct oro_error *err)
{
    struct rank *rank = user;
    struct world *world = rank->world;
    ok = meet(rank, ok, answers, err);
    for (int i = 0; ok && rank->number != ROOT && i < world->tiles; i++)
        if (owns(rank, i))
            answers[i] = copy_of(&world->bytes[ROOT][i], world->bytes[ROOT][i].count);
    pthread_barrier_wait(&world->barrier);
    return ok;
}

static bool any(void *user, bool mine)
{
    struct rank *rank = user;
    struct oro_error err = {0};
    bool none = meet(rank, !mine, NULL, &err);
    pthread_barrier_wait(&rank->world->barrier);
    return !none;
}

static bool load_or_fail(void *user, const struct oro_tiled_block *window, float *out, struct oro_error *err)
{
    struct world *world = user;
    if (world->fails && window->x <= 20 && window->x + window->width > 20 && window->y == 0)
        return oro_fail(err, ORO_E_FILE, "no such window");
    return load_window(&world->z, window, out, err);
}

static void *run_rank(void *user)
{
    struct rank *rank = user;
    struct world *world = rank->world;
    struct oro_tiled_ranks ranks = {owns, gather, scatter, any, rank->number == ROOT, rank};
    struct oro_tiled_ground ground = ground_of(world->site, &world->z, &world->sea, 11);
    struct oro_tiled_sink sink = {store_tile, &world->out};
    ground.z = (struct oro_tiled_source){load_or_fail, world};
    ground.ranks = &ranks;
    ground.last = 3;
    ground.at_once = 1;
    struct oro_tiled_drainage *drainage = oro_tiled_route(&ground, &rank->err);
    rank->ok = drainage &&
               oro_tiled_breach(drainage, &(struct oro_breaching){.fall = 0.5f}, &sink, &rank->err) &&
               oro_tiled_certify(&ground, &rank->certificate, &rank->err);
    oro_tiled_drainage_free(drainage);
    return NULL;
}

static void run_ranks(struct world *world, struct rank *ranks)
{
    pthread_t threads[RANKS];
    pthread_barrier_init(&world->barrier, NULL, RANKS);
    world->tiles =
        oro_tiled_count(world->site->ground.width, 11) * oro_tiled_count(world->site->ground.height, 11);
    for (int i = 0; i < RANKS; i++) {
        ranks[i] = (struct rank){.world = world, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_rank, &ranks[i]), 0);
    }
    for (int i = 0; i < RANKS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&world->barrier);
}

static struct world world_of(struct site *site)
{
    int width = site->ground.width;
    return (struct world){.site = site,
                          .z = {width, site->z},
                          .sea = {width, site->sea},
                          .out = {width, room_for(site->cells, sizeof(float))}};
}

TEST(processes_drain_as_one)
{
    for (int i = 0; i < TERRAINS; i++) {
        struct site site = make_site(&terrains[i], 70, 51, OPEN_AND_SEA);
        struct world world = world_of(&site);
        struct rank ranks[RANKS];
        struct oro_routing routing;
        struct oro_certificate certificate;
        float *want = room_for(site.cells, sizeof *want);
        const float *out = world.out.values;
        assert_true(oro_route(&site.ground, &routing, NULL));
        bool ok = oro_breach(&site.ground, &routing, &(struct oro_breaching){.fall = 0.5f}, want, NULL);
        run_ranks(&world, ranks);
        for (int k = 0; k < RANKS; k++)
            assert_int_equal(ranks[k].ok, ok);
        if (ok) {
            assert_same(out, want, &site);
            assert_true(oro_certify(&site.ground, &certificate, NULL));
            assert_memory_equal(&ranks[ROOT].certificate, &certificate, sizeof certificate);
        }
        oro_routing_free(&routing);
        free(want);
        free(world.out.values);
        free_site(&site);
    }
}

TEST(an_error_in_one_process_is_everybodys)
{
    struct site site = make_site(&terrains[1], 70, 51, OPEN);
    struct world world = world_of(&site);
    world.fails = true;
    struct rank ranks[RANKS];
    run_ranks(&world, ranks);
    for (int i = 0; i < RANKS; i++) {
        assert_false(ranks[i].ok);
        assert_string_equal(ranks[i].err.text, "no such window");
    }
    free(world.out.values);
    free_site(&site);
}

/* ---- Damage. One process, whose messages to itself are damaged: exactly one of them. ---- */

enum damage { TRUNCATED, LONGER, FLIPPED, RANDOM, SWAPPED, DAMAGES };

struct mail {
    uint32_t state;
    enum damage damage;
    int tiles, exchange, wanted, tile; /* counted; the one that is damaged */
    bool done;
};

static uint32_t roll(struct mail *mail, uint32_t count)
{
    mail->state = mail->state * 1664525u + 1013904223u;
    return (mail->state >> 8) % count;
}

static bool owns_all(void *user, int tile)
{
    (void)user;
    (void)tile;
    return true;
}

static void damage(struct mail *mail, struct oro_tiled_bytes *bytes)
{
    struct oro_tiled_bytes *one = &bytes[mail->tile], *other = &bytes[(mail->tile + 1) % mail->tiles];
    struct oro_tiled_bytes old = *one;
    if (old.count == 0) /* tiles without flats at their rims tell nothing of them */
        return;
    mail->done = true;
    if (mail->damage == TRUNCATED)
        *one = copy_of(&old, roll(mail, (uint32_t)old.count));
    if (mail->damage == SWAPPED) {
        *one = *other;
        *other = old;
        return;
    }
    if (mail->damage == LONGER) {
        *one = copy_of(&old, old.count);
        oro_tiled_put(one, roll(mail, 1000));
    }
    if (mail->damage == FLIPPED)
        old.data[roll(mail, (uint32_t)old.count)] ^= (unsigned char)(1u << roll(mail, 8));
    for (size_t i = 6 + roll(mail, 40); mail->damage == RANDOM && i < old.count; i++)
        old.data[i] = (unsigned char)roll(mail, 256);
    if (one->data != old.data)
        oro_tiled_bytes_free(&old);
}

static bool pass_on(void *user, bool ok, struct oro_tiled_bytes *bytes, struct oro_error *err)
{
    struct mail *mail = user;
    (void)err;
    if (ok && bytes && mail->exchange++ == mail->wanted)
        damage(mail, bytes);
    return ok;
}

static bool as_is(void *user, bool mine)
{
    (void)user;
    return mine;
}

/* Everything that has messages. Returns whether all went well. */
static bool run_all(struct oro_tiled_ground *ground, struct raster *out, struct oro_error *err)
{
    struct oro_tiled_sink sink = {store_tile, out};
    struct oro_certificate certificate;
    struct oro_tiled_drainage *drainage = oro_tiled_route(ground, err);
    bool ok = drainage && oro_tiled_area(drainage, 1, NULL, &sink, err) &&
              oro_tiled_area(drainage, 1, &ground->z, &sink, err) &&
              oro_tiled_breach(drainage, &(struct oro_breaching){.fall = 1}, &sink, err) &&
              oro_tiled_fill(drainage, true, &sink, err) && oro_tiled_fill(drainage, false, &sink, err) &&
              oro_tiled_certify(ground, &certificate, err);
    oro_tiled_drainage_free(drainage);
    return ok;
}

/* Where there are no flats; what flats take comes besides. */
enum { EXCHANGES = 2 * (1 + 1 + 1 + 4 + 1 + 1 + 1 + 1) + 1, FLAT_EXCHANGES = 32 };

TEST(damaged_messages_are_refused)
{
    int errors = 0, runs = 0;
    oro_parallel_force(1);
    for (uint32_t seed = 0; seed < 6; seed++)
        for (int wanted = 0; wanted < EXCHANGES + (seed == 2 || seed == 3 ? FLAT_EXCHANGES : 0); wanted++)
            for (int how = 0; how < DAMAGES; how++, runs++) {
                struct site site = make_site(&terrains[seed % 6], 33, 29, (enum borders)(seed % BORDERS));
                struct raster z = {33, site.z}, sea = {33, site.sea}, out = {33, room_for(site.cells, 4)};
                struct oro_tiled_ground ground = ground_of(&site, &z, &sea, 9 + (int)seed % 5);
                struct mail mail = {.state = seed * 1000 + (uint32_t)wanted, .damage = how, .wanted = wanted};
                struct oro_tiled_ranks ranks = {owns_all, pass_on, pass_on, as_is, true, &mail};
                struct oro_error err = {0};
                mail.tiles = oro_tiled_tiles(&ground.grid);
                mail.tile = (int)roll(&mail, (uint32_t)mail.tiles);
                ground.ranks = &ranks;
                ground.last = 2 + (int)seed % 4;
                bool ok = run_all(&ground, &out, &err);
                assert_true(ok || err.text[0]);
                errors += !ok;
                if (how == TRUNCATED || how == LONGER || how == SWAPPED)
                    assert_true(!ok || !mail.done);
                free(out.values);
                free_site(&site);
            }
    oro_parallel_force(0);
    assert_true(errors > runs / 2);
}
