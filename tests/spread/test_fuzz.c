/* Random programs of dispatches, copies, uploads and downloads, on a driver and on a spread device over it.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/spread/support.h"

enum { FIELDS = 6, COARSE = 3, OPERATIONS = 60 };

struct state {
    uint32_t random;
    struct oro_grid grids[2]; /* fields 0..2 are of the first, the others of the second */
    struct oro_buffer *fields[FIELDS], *sums;
    struct oro_device *device;
    float *out;
    size_t room, count;
    struct oro_error *err;
};

static int random_below(struct state *s, int limit)
{
    s->random = s->random * 1664525u + 1013904223u;
    return (int)((s->random >> 8) % (uint32_t)limit);
}

static int grid_of(int field)
{
    return field >= COARSE;
}

/* A field of the same grid as `field` that is none of the two. */
static int another(struct state *s, int field, int besides)
{
    int first = grid_of(field) * COARSE, other = field;
    while (other == field || other == besides)
        other = first + random_below(s, COARSE);
    return other;
}

static bool fill(struct state *s, int field)
{
    return run_job(s->device,
                   &(struct job){.text = kernel_noise,
                                 .grid = s->grids[grid_of(field)],
                                 .reach = ORO_REACH_CELL,
                                 .numbers = {(float)random_below(s, 1000)},
                                 .bound = {{"to", s->fields[field], 'w'}}},
                   s->err);
}

static bool move(struct state *s, int from)
{
    static const int reaches[] = {0, 1, 1, 2, 2, 3, 7, 19, 33, 50};
    int reach = reaches[random_below(s, 10)], to = another(s, from, from), other = another(s, from, to);
    struct job job = {.grid = s->grids[grid_of(from)], .reach = reach ? reach : ORO_REACH_CELL};
    job.numbers[0] = (float)reach;
    struct bound made[] = {
        {"from", s->fields[from], 'r'}, {"other", s->fields[other], 'r'}, {"to", s->fields[to], 'w'}};
    struct bound updated[] = {{"from", s->fields[from], 'r'}, {"to", s->fields[to], 'u'}};
    struct bound carved[] = {{"from", s->fields[from], 'r'}, {"to", s->fields[to], 'w'}};
    switch (random_below(s, 3)) {
    case 0:
        job.text = kernel_stencil;
        memcpy(job.bound, made, sizeof made);
        break;
    case 1:
        job.text = kernel_update;
        memcpy(job.bound, updated, sizeof updated);
        break;
    default:
        job.text = kernel_strips;
        job.reach = 2;
        job.group_rows = 8;
        memcpy(job.bound, carved, sizeof carved);
    }
    return run_job(s->device, &job, s->err);
}

/* Onto the other grid, moved by some cells. */
static bool resample(struct state *s, int from)
{
    int to = grid_of(from) ? random_below(s, COARSE) : COARSE + random_below(s, COARSE);
    int other = another(s, to, to);
    float x = (float)random_below(s, 60) - 20, y = (float)random_below(s, 60) - 20;
    return run_job(s->device,
                   &(struct job){.text = kernel_resample,
                                 .grid = s->grids[grid_of(to)],
                                 .source = s->grids[grid_of(from)],
                                 .reach = ORO_REACH_CELL,
                                 .source_reach = 2,
                                 .corner = {x, y},
                                 .numbers = {x, y, 0.3f},
                                 .bound = {{"from", s->fields[from], 'r'},
                                           {"other", s->fields[other], 'r'},
                                           {"to", s->fields[to], 'w'}}},
                   s->err);
}

/* A field is made anew; the old one may be in use by what waits. */
static bool renew(struct state *s, int field)
{
    s->device->ops->buffer_destroy(s->device, s->fields[field]);
    s->fields[field] = new_field(s->device, &s->grids[grid_of(field)], s->err);
    return s->fields[field] && fill(s, field);
}

static bool upload(struct state *s, int field)
{
    size_t cells = oro_grid_cells(&s->grids[grid_of(field)]);
    size_t count = random_below(s, 2) ? cells : 1 + (size_t)random_below(s, (int)cells);
    float *data = calloc(cells, sizeof *data);
    for (size_t i = 0; i < count; i++)
        data[i] = (float)random_below(s, 4096) / 4096;
    bool ok = s->device->ops->upload(s->device, s->fields[field], data, count * sizeof *data, s->err);
    free(data);
    return ok;
}

static bool download(struct state *s, int field)
{
    size_t cells = oro_grid_cells(&s->grids[grid_of(field)]);
    size_t count = random_below(s, 2) ? cells : 1 + (size_t)random_below(s, (int)cells);
    if (s->count + count > s->room)
        return true;
    s->count += count;
    return s->device->ops->download(s->device, s->fields[field], s->out + s->count - count,
                                    count * sizeof(float), s->err);
}

/* Into the other's place; or through an array. */
static bool copy(struct state *s, int from)
{
    struct oro_device *device = s->device;
    size_t bytes = oro_grid_cells(&s->grids[grid_of(from)]) * sizeof(float);
    struct oro_buffer *to = s->fields[another(s, from, from)];
    if (random_below(s, 3))
        return device->ops->copy(device, s->fields[from], to, bytes, s->err);
    struct oro_buffer *array = device->ops->buffer_create(device, bytes, s->err);
    bool ok = array && device->ops->copy(device, s->fields[from], array, bytes, s->err) &&
              device->ops->copy(device, array, to, bytes / 2 / 4 * 4, s->err);
    device->ops->buffer_destroy(device, array);
    return ok;
}

/* Reads all of a field of the second grid, into an array: such a dispatch takes it whole. */
static bool add_up(struct state *s, int field)
{
    static const char text[] =
        "void main() {\n"
        "    ivec2 p = oro_cell();\n"
        "    if (p.x >= grid.size.x || p.y > 0) return;\n"
        "    float sum = 0.0;\n"
        "    for (int y = 0; y < grid.size.y; y++) sum += from[oro_index(ivec2(p.x, y))];\n"
        "    sums[p.x] = sum;\n"
        "}\n";
    const struct oro_grid *grid = &s->grids[1];
    size_t count = (size_t)grid->width;
    if (!grid_of(field) || s->count + count > s->room)
        return true;
    s->count += count;
    struct job job = {.text = text, .grid = *grid};
    struct bound bound[] = {{"from", s->fields[field], 'r'}, {"sums", s->sums, 'w'}};
    memcpy(job.bound, bound, sizeof bound);
    return run_job(s->device, &job, s->err) &&
           s->device->ops->download(s->device, s->sums, s->out + s->count - count, count * sizeof(float),
                                    s->err);
}

static bool operate(struct state *s, bool sums)
{
    int field = random_below(s, FIELDS), kind = random_below(s, 20);
    if (kind < 9)
        return move(s, field);
    if (kind < 12)
        return resample(s, field);
    switch (kind) {
    case 12:
        return upload(s, field);
    case 13:
    case 14:
        return download(s, field);
    case 15:
        return renew(s, field);
    case 16:
        return fill(s, field);
    case 17:
        return s->device->ops->finish(s->device, s->err);
    case 18:
        return sums ? add_up(s, field) : true;
    default:
        return copy(s, field);
    }
}

struct seed {
    uint32_t number;
    bool sums; /* the second grid is below the threshold */
};

static struct state begin(struct oro_device *device, const struct seed *seed)
{
    struct state s = {.random = seed->number * 2654435761u, .device = device};
    int width = 40 + random_below(&s, 200), height = 1 + random_below(&s, 180);
    s.grids[0] = (struct oro_grid){.width = width, .height = height, .cell = 10};
    s.grids[1] = (struct oro_grid){.width = (width + 1) / 2, .height = (height + 1) / 2, .cell = 20};
    return s;
}

static size_t random_program(struct oro_device *device, const void *user, float *out, size_t room,
                             struct oro_error *err)
{
    const struct seed *seed = user;
    struct state s = begin(device, seed);
    s.out = out;
    s.room = room;
    s.err = err;
    bool ok = (s.sums = device->ops->buffer_create(device, 4096, err)) != NULL;
    for (int i = 0; ok && i < FIELDS; i++) {
        s.fields[i] = new_field(device, &s.grids[grid_of(i)], err);
        ok = s.fields[i] && fill(&s, i);
    }
    for (int i = 0; ok && i < OPERATIONS; i++)
        ok = operate(&s, seed->sums);
    for (int i = 0; ok && i < FIELDS; i++)
        ok = download(&s, i);
    for (int i = 0; i < FIELDS; i++)
        device->ops->buffer_destroy(device, s.fields[i]);
    device->ops->buffer_destroy(device, s.sums);
    return ok ? s.count : 0;
}

static struct oro_spread_options options_for(const struct seed *seed)
{
    struct state s = begin(NULL, seed);
    struct oro_spread_options options = {.whole = seed->sums ? oro_grid_cells(&s.grids[1]) : 1,
                                         .tile = 32 * (1 + random_below(&s, 4)),
                                         .depth = 4 << random_below(&s, 5),
                                         .poison = true};
    if (random_below(&s, 2)) {
        options.device_bytes = (size_t)1800000;
        options.host_bytes = 60000;
    }
    return options;
}

enum { ROOM = 1 << 20 };

static uint32_t runs(uint32_t usual)
{
    const char *more = getenv("OROGRAPH_SPREAD_RUNS");
    return more ? (uint32_t)strtoul(more, NULL, 10) : usual;
}

static void run_seeds(uint32_t first, uint32_t count, bool sums)
{
    for (uint32_t i = first; i < first + count; i++) {
        struct seed seed = {i, sums};
        struct oro_spread_options options = options_for(&seed);
        assert_same(random_program, &seed, ROOM, &options);
    }
}

TEST(random_programs)
{
    run_seeds(1, runs(12), false);
}

TEST(with_a_small_grid)
{
    run_seeds(1000, runs(12), true);
}

TEST(on_ranks)
{
    for (uint32_t i = 0; i < runs(8); i++) {
        struct seed seed = {2000 + i, i % 2};
        struct oro_spread_options options = options_for(&seed);
        assert_same_on_ranks(2 + (int)i % 3, random_program, &seed, ROOM, &options);
    }
}
