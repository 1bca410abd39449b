/* Several ranks give the same bits as one device; errors and cancelling are everyone's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/spread/memory_ranks.h"
#include "tests/spread/support.h"

static const struct oro_grid grid = {.width = 201, .height = 157, .cell = 10};
static const struct oro_grid half = {.width = 101, .height = 79, .cell = 20};
enum { CELLS = 201 * 157, HALF = 101 * 79, RANKS_MAX = 4, STEPS = 40 };

static const char start[] =
    "void main() {\n"
    "    ivec2 p = oro_cell();\n"
    "    if (oro_inside(p)) to[oro_index(p)] = fract(sin(float(p.x * 7 + p.y * 13)) * 91.7);\n"
    "}\n";

static const char move[] =
    "void main() {\n"
    "    ivec2 p = oro_cell();\n"
    "    if (!oro_inside(p)) return;\n"
    "    float sum = from[near(p + ivec2(2, -2))] + from[near(p - ivec2(2, 1))] * 1.7;\n"
    "    to[oro_index(p)] = fract(sum + from[oro_index(p)] * 0.6);\n"
    "}\n";

/* Mirrored, so that most of it comes from other ranks. */
static const char take[] = "void main() {\n"
                           "    ivec2 p = oro_cell();\n"
                           "    if (oro_inside(p)) to[oro_index(p)] = from[oro_source_index(2 * p)];\n"
                           "}\n";

static const char sum[] = "void main() {\n"
                          "    ivec2 p = oro_cell();\n"
                          "    if (oro_inside(p)) sums[p.x] = from[oro_index(p)] * 0.5;\n"
                          "}\n";

struct run {
    struct oro_device *device;
    struct oro_buffer *a, *b, *small;
    struct oro_error *err;
};

static bool step(struct run *r, const char *text, const struct oro_grid *over, int reach,
                 struct oro_buffer *from, struct oro_buffer *to)
{
    struct job job = {.text = text,
                      .grid = *over,
                      .source = grid,
                      .reach = reach,
                      .source_reach = 2,
                      .bound = {{"to", to, 'w'}, {from ? "from" : NULL, from, 'r'}}};
    return run_job(r->device, &job, r->err);
}

static bool open_run(struct run *r, struct oro_device *device, struct oro_error *err)
{
    *r = (struct run){.device = device, .err = err};
    r->a = new_field(device, &grid, err);
    r->b = new_field(device, &grid, err);
    r->small = new_field(device, &half, err);
    return r->a && r->b && r->small;
}

static void close_run(struct run *r)
{
    r->device->ops->buffer_destroy(r->device, r->a);
    r->device->ops->buffer_destroy(r->device, r->b);
    r->device->ops->buffer_destroy(r->device, r->small);
}

static bool simulate(struct run *r)
{
    bool ok = step(r, start, &grid, ORO_REACH_CELL, NULL, r->a);
    for (int i = 0; ok && i < STEPS; i++) {
        ok = step(r, move, &grid, 2, r->a, r->b);
        struct oro_buffer *was = r->a;
        r->a = r->b;
        r->b = was;
    }
    return ok;
}

/* A simulation, uploaded again with other rows; then a coarse raster, and one that every rank needs whole. */
static size_t whole_run(struct oro_device *device, const void *user, float *out, size_t room,
                        struct oro_error *err)
{
    struct run r;
    (void)user;
    bool ok = room >= 2 * CELLS + HALF && open_run(&r, device, err) && simulate(&r) &&
              device->ops->download(device, r.a, out, CELLS * sizeof *out, err) &&
              device->ops->upload(device, r.a, out + 300, 9999 * sizeof *out, err) &&
              step(&r, move, &grid, 2, r.a, r.b) && step(&r, take, &half, ORO_REACH_CELL, r.b, r.small) &&
              device->ops->download(device, r.b, out + CELLS, CELLS * sizeof *out, err) &&
              device->ops->download(device, r.small, out + (size_t)2 * CELLS, HALF * sizeof *out, err);
    close_run(&r);
    return ok ? 2 * CELLS + HALF : 0;
}

struct ranked {
    struct oro_spread_options options;
    size_t (*run)(struct oro_device *device, const void *user, float *out, size_t room,
                  struct oro_error *err);
    int special;        /* this rank is another than the others */
    const char *folder; /* for its tiles alone, which do not fit its memory */
    float *out[RANKS_MAX];
    size_t counts[RANKS_MAX];
    struct oro_error errs[RANKS_MAX];
};

static void run_rank(void *user, struct oro_ranks *ranks)
{
    struct ranked *all = user;
    struct oro_error *err = &all->errs[ranks->rank];
    struct oro_spread_options options = all->options;
    options.ranks = ranks;
    if (all->folder && ranks->rank == all->special) {
        options.device_bytes = options.host_bytes = 1;
        options.folder = all->folder;
    }
    struct oro_device *inner = open_inner(err);
    struct oro_device *device = inner ? oro_spread_create(inner, &options, err) : NULL;
    if (!device)
        return;
    size_t count = all->run(device, all, all->out[ranks->rank], 3 * CELLS, err);
    bool ok = oro_spread_settle(device, count > 0, err);
    all->counts[ranks->rank] = ok ? count : 0;
    device->ops->destroy(device);
}

static void run_ranks(struct ranked *all, int count)
{
    for (int i = 0; i < count; i++)
        all->out[i] = calloc(3 * CELLS, sizeof(float));
    with_ranks(count, run_rank, all);
}

static void free_ranks(struct ranked *all)
{
    for (int i = 0; i < RANKS_MAX; i++)
        free(all->out[i]);
}

TEST(same_bits)
{
    for (int ranks = 1; ranks <= 4; ranks++)
        for (int small = 0; small < 2; small++)
            assert_same_on_ranks(ranks, whole_run, NULL, 3 * CELLS,
                                 &(struct oro_spread_options){
                                     .whole = small ? 10000 : 1, .tile = 64, .depth = 32, .poison = true});
}

/* Each rank takes another part, which lies in tiles of several; the last takes none. All of them together are
 * what is given back. */
static size_t fetched_run(struct oro_device *device, const void *user, float *out, size_t room,
                          struct oro_error *err)
{
    struct run r;
    (void)user, (void)room;
    bool ok = open_run(&r, device, err) && simulate(&r);
    if (ok && !device->tiles) { /* the one that they are compared with */
        ok = device->ops->download(device, r.a, out, CELLS * sizeof *out, err);
    } else if (ok) {
        struct oro_ranks *ranks = device->tiles->ranks(device);
        int rows = 157 / ranks->count, first = ranks->rank * rows;
        bool none = ranks->count > 1 && ranks->rank == ranks->count - 1;
        struct oro_window window = {3, first, none ? 0 : 198, 157 - first};
        float *part = malloc(CELLS * sizeof *part);
        ok = device->tiles->fetch(device, r.a, &window, part, err) &&
             device->ops->download(device, r.a, out, CELLS * sizeof *out, err);
        for (int y = 0; ok && !none && y < window.height; y++)
            for (int x = 0; x < window.width; x++)
                assert_true(part[y * 198 + x] == out[(first + y) * 201 + 3 + x]);
        free(part);
    }
    close_run(&r);
    return ok ? CELLS : 0;
}

TEST(fetched)
{
    for (int ranks = 1; ranks <= 4; ranks++)
        assert_same_on_ranks(ranks, fetched_run, NULL, CELLS,
                             &(struct oro_spread_options){.whole = 1, .tile = 64, .depth = 32});
}

TEST(more_ranks_than_tiles)
{
    assert_same_on_ranks(4, whole_run, NULL, 3 * CELLS,
                         &(struct oro_spread_options){.whole = 1, .tile = 160, .poison = true});
}

/* ---- Failing ---- */

static bool asked_to_stop(void *user)
{
    int *left = user;
    return --*left < 0;
}

/* One rank is asked to stop in the midst of its second chain. */
static size_t stopped_run(struct oro_device *device, const void *user, float *out, size_t room,
                          struct oro_error *err)
{
    struct run r;
    const struct ranked *all = user;
    int left = 8;
    (void)room;
    if (out == all->out[all->special]) {
        device->stop = asked_to_stop;
        device->stop_user = &left; /* cppcheck-suppress autoVariables; until the run has ended */
    }
    bool ok = open_run(&r, device, err) && simulate(&r) && device->ops->finish(device, err);
    close_run(&r);
    device->stop = NULL;
    return ok;
}

/* One rank fails by itself, outside of all chains, and the others go on to the next one. */
static size_t broken_run(struct oro_device *device, const void *user, float *out, size_t room,
                         struct oro_error *err)
{
    struct run r;
    const struct ranked *all = user;
    (void)room;
    bool ok = open_run(&r, device, err);
    if (out == all->out[all->special])
        ok = oro_fail(err, ORO_E_FILE, "the file is not here");
    ok = ok && simulate(&r) && device->ops->finish(device, err);
    close_run(&r);
    return ok;
}

static size_t uploaded_run(struct oro_device *device, const void *user, float *out, size_t room,
                           struct oro_error *err)
{
    struct run r;
    (void)user, (void)room;
    bool ok = open_run(&r, device, err) && device->ops->upload(device, r.a, out, CELLS * sizeof *out, err) &&
              device->ops->download(device, r.a, out, CELLS * sizeof *out, err);
    close_run(&r);
    return ok;
}

/* What no rank can spread. */
static size_t refused_run(struct oro_device *device, const void *user, float *out, size_t room,
                          struct oro_error *err)
{
    struct run r;
    (void)user, (void)out, (void)room;
    struct oro_buffer *sums = device->ops->buffer_create(device, 201 * sizeof(float), err);
    bool ok = sums && open_run(&r, device, err) && simulate(&r) &&
              run_job(device,
                      &(struct job){.text = sum,
                                    .grid = grid,
                                    .reach = ORO_REACH_CELL,
                                    .bound = {{"from", r.a, 'r'}, {"sums", sums, 'w'}}},
                      err);
    device->ops->buffer_destroy(device, sums);
    close_run(&r);
    return ok;
}

static void assert_all_fail(struct ranked *all, enum oro_code code, const char *text)
{
    all->options = (struct oro_spread_options){.whole = 1, .tile = 64, .depth = 32};
    run_ranks(all, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(all->counts[i], 0);
        assert_int_equal(all->errs[i].code, code);
        if (!strstr(all->errs[i].text, text))
            fail_msg("rank %d: %s", i, all->errs[i].text);
    }
    free_ranks(all);
}

TEST(cancelled)
{
    for (int special = 0; special < 4; special += 3) {
        struct ranked all = {.run = stopped_run, .special = special};
        assert_all_fail(&all, ORO_E_CANCELLED, "cancelled");
    }
}

TEST(one_rank_fails_alone)
{
    for (int special = 0; special < 4; special += 3) {
        struct ranked all = {.run = broken_run, .special = special};
        assert_all_fail(&all, ORO_E_FILE, special ? "rank 3: the file" : "rank 0: the file");
    }
}

TEST(one_rank_has_no_disk)
{
    for (int special = 0; special < 4; special += 3) {
        struct ranked all = {.run = uploaded_run, .special = special, .folder = "/nowhere"};
        assert_all_fail(
            &all, ORO_E_WRITE,
            special ? "rank 3: tiles that do not fit into memory cannot be kept in the folder '/nowhere'"
                    : "rank 0: tiles that do not fit into memory cannot be kept in the folder '/nowhere'");
    }
}

TEST(refused_by_all)
{
    struct ranked all = {.run = refused_run};
    assert_all_fail(&all, ORO_E_LIMIT, "cannot be spread: it writes an array");
}
