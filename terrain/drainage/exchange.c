/* Messages of tiles up to the whole terrain, by blocks of two by two, and answers down again. */
#include <stdatomic.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/drainage/tiled_private.h"

enum { LEVELS = 24, LAST = 64 };

/* Blocks of one size. */
struct level {
    int width, height, count; /* of the blocks; how many there are */
    struct oro_tiled_bytes *messages, *answers;
    /* Its blocks as they were joined: families, each of which makes up a block of the next level. */
    void **joined;
    int families;
};

struct exchange {
    const struct oro_tiled_ground *ground;
    const struct oro_tiled_joining *joining;
    struct level level[LEVELS];
    int levels, at;
    struct oro_error *errors; /* of families */
    atomic_bool failed;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The family number `which` whose members are blocks of a level: a block of the next level; at the last one,
 * the whole terrain. */
static struct oro_tiled_family family_of(const struct exchange *x, int level, int which)
{
    const struct level *l = &x->level[level];
    struct oro_tiled_family family = {x->ground->grid, oro_tiled_all(&x->ground->grid), l->width, l->height};
    if (level + 1 < x->levels)
        family.block = oro_tiled_cut(&family.block, l[1].width, l[1].height, which);
    return family;
}

/* The number of a block among all of its level. */
static int number_of(const struct exchange *x, int level, const struct oro_tiled_block *block)
{
    const struct level *l = &x->level[level];
    return block->y / l->height * oro_tiled_count(x->ground->grid.width, l->width) + block->x / l->width;
}

static void fail_family(struct exchange *x)
{
    atomic_store(&x->failed, true);
}

/* ---- Up ---- */

static bool join_family(struct exchange *x, int which, struct oro_error *err)
{
    struct oro_tiled_family family = family_of(x, x->at, which);
    struct level *l = &x->level[x->at];
    bool last = x->at + 1 == x->levels;
    int count = oro_tiled_family_count(&family);
    struct oro_tiled_view *views = oro_alloc((size_t)count, sizeof *views);
    if (!views)
        return oro_fail(err, ORO_E_MEMORY, "no memory to join %d tiles", count);
    for (int i = 0; i < count; i++) {
        struct oro_tiled_block block = oro_tiled_family_block(&family, i);
        views[i] = oro_tiled_view(&l->messages[number_of(x, x->at, &block)]);
    }
    l->joined[which] =
        x->joining->join(x->joining->how, &family, views, last ? NULL : &l[1].messages[which], err);
    for (int i = 0; i < count; i++) {
        struct oro_tiled_block block = oro_tiled_family_block(&family, i);
        oro_tiled_bytes_free(&l->messages[number_of(x, x->at, &block)]);
    }
    oro_free(views);
    return l->joined[which] != NULL;
}

static void join_families(void *user, size_t first, size_t end)
{
    struct exchange *x = user;
    for (size_t i = first; i < end; i++)
        if (!join_family(x, (int)i, &x->errors[i]))
            fail_family(x);
}

/* ---- Down ---- */

static bool part_family(struct exchange *x, int which, struct oro_error *err)
{
    struct oro_tiled_family family = family_of(x, x->at, which);
    struct level *l = &x->level[x->at];
    bool last = x->at + 1 == x->levels;
    int count = oro_tiled_family_count(&family);
    struct oro_tiled_bytes *answers = oro_alloc((size_t)count, sizeof *answers);
    if (!answers)
        return oro_fail(err, ORO_E_MEMORY, "no memory to answer %d tiles", count);
    struct oro_tiled_view view = {0};
    if (!last)
        view = oro_tiled_view(&l[1].answers[which]);
    bool ok = x->joining->part(l->joined[which], last ? NULL : &view, answers, err);
    for (int i = 0; i < count; i++) {
        struct oro_tiled_block block = oro_tiled_family_block(&family, i);
        l->answers[number_of(x, x->at, &block)] = answers[i];
    }
    oro_free(answers);
    x->joining->free(l->joined[which]);
    l->joined[which] = NULL;
    if (!last)
        oro_tiled_bytes_free(&l[1].answers[which]);
    return ok;
}

static void part_families(void *user, size_t first, size_t end)
{
    struct exchange *x = user;
    for (size_t i = first; i < end; i++)
        if (!part_family(x, (int)i, &x->errors[i]))
            fail_family(x);
}

/* ---- Together ---- */

/* Levels up to one with few enough blocks. */
static void plan(struct exchange *x)
{
    const struct oro_tiled_grid *grid = &x->ground->grid;
    int most = x->ground->last > 0 ? x->ground->last : LAST;
    int width = least(grid->tile_width, grid->width), height = least(grid->tile_height, grid->height);
    for (;;) {
        struct level *l = &x->level[x->levels++];
        l->width = width;
        l->height = height;
        l->count = oro_tiled_count(grid->width, width) * oro_tiled_count(grid->height, height);
        if (x->levels > 1)
            l[-1].families = l->count;
        if (l->count <= most || x->levels == LEVELS) {
            l->families = 1;
            return;
        }
        width = least(2 * width, grid->width);
        height = least(2 * height, grid->height);
    }
}

static bool make_room(struct exchange *x)
{
    for (int i = 0; i < x->levels; i++) {
        struct level *l = &x->level[i];
        l->joined = oro_alloc((size_t)l->families, sizeof *l->joined);
        if (i > 0) {
            l->messages = oro_alloc((size_t)l->count, sizeof *l->messages);
            l->answers = oro_alloc((size_t)l->count, sizeof *l->answers);
        }
        if (!l->joined || !l->messages || !l->answers)
            return false;
    }
    x->errors = oro_alloc((size_t)x->level[0].families, sizeof *x->errors);
    return x->errors != NULL;
}

static void free_room(struct exchange *x)
{
    for (int i = 0; i < x->levels; i++) {
        struct level *l = &x->level[i];
        for (int k = 0; l->joined && k < l->families; k++)
            if (l->joined[k])
                x->joining->free(l->joined[k]);
        oro_free(l->joined);
        if (i > 0) {
            oro_tiled_free_all(l->messages, l->count);
            oro_tiled_free_all(l->answers, l->count);
        }
    }
    oro_free(x->errors);
}

static bool run(struct exchange *x, void (*body)(void *user, size_t first, size_t end), struct oro_error *err)
{
    int families = x->level[x->at].families;
    oro_parallel((size_t)families, 1, body, x);
    if (!atomic_load(&x->failed))
        return true;
    for (int i = 0; i < families; i++)
        if (x->errors[i].code) {
            if (err)
                *err = x->errors[i];
            break;
        }
    return false;
}

bool oro_tiled_exchange(const struct oro_tiled_ground *ground, const struct oro_tiled_joining *joining,
                        struct oro_tiled_bytes *messages, struct oro_tiled_bytes *answers,
                        struct oro_error *err)
{
    struct exchange x = {.ground = ground, .joining = joining};
    plan(&x);
    x.level[0].messages = messages;
    x.level[0].answers = answers;
    bool ok = make_room(&x);
    if (!ok)
        oro_fail(err, ORO_E_MEMORY, "no memory to join %d tiles", x.level[0].count);
    for (x.at = 0; ok && x.at < x.levels; x.at++)
        ok = run(&x, join_families, err);
    if (ok && joining->look)
        joining->look(joining->user, x.level[x.levels - 1].joined[0]);
    for (x.at = x.levels - 1; ok && x.at >= 0; x.at--)
        ok = run(&x, part_families, err);
    free_room(&x);
    return ok;
}
