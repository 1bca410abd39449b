/* Rasters in tiles give the bits that they give as wholes. */
#include <stdlib.h>
#include <string.h>

#include "tests/spread/support.h"

static const struct oro_grid fine = {.width = 201, .height = 157, .cell = 10};
static const struct oro_grid coarse = {.width = 101, .height = 79, .cell = 20};

struct fields {
    struct oro_device *device;
    struct oro_buffer *a, *b, *c, *small, *small_too, *weights;
};

static bool make_fields(struct fields *f, struct oro_error *err)
{
    f->a = new_field(f->device, &fine, err);
    f->b = new_field(f->device, &fine, err);
    f->c = new_field(f->device, &fine, err);
    f->small = new_field(f->device, &coarse, err);
    f->small_too = new_field(f->device, &coarse, err);
    f->weights = f->device->ops->buffer_create(f->device, 10 * sizeof(float), err);
    return f->a && f->b && f->c && f->small && f->small_too && f->weights;
}

static void free_fields(struct fields *f)
{
    struct oro_buffer *const all[] = {f->a, f->b, f->c, f->small, f->small_too, f->weights};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        f->device->ops->buffer_destroy(f->device, all[i]);
}

static bool make_noise(struct fields *f, const struct oro_grid *grid, struct oro_buffer *to, float seed,
                       struct oro_error *err)
{
    return run_job(f->device,
                   &(struct job){.text = kernel_noise,
                                 .grid = *grid,
                                 .reach = ORO_REACH_CELL,
                                 .numbers = {seed},
                                 .bound = {{"to", to, 'w'}}},
                   err);
}

static bool run_stencil(struct fields *f, const struct oro_grid *grid, int reach, struct oro_buffer *from,
                        struct oro_buffer *other, struct oro_buffer *to, struct oro_error *err)
{
    return run_job(f->device,
                   &(struct job){.text = kernel_stencil,
                                 .grid = *grid,
                                 .reach = reach ? reach : ORO_REACH_CELL,
                                 .numbers = {(float)reach},
                                 .bound = {{"from", from, 'r'}, {"other", other, 'r'}, {"to", to, 'w'}}},
                   err);
}

static bool run_update(struct fields *f, int reach, struct oro_buffer *from, struct oro_buffer *to,
                       struct oro_error *err)
{
    return run_job(f->device,
                   &(struct job){.text = kernel_update,
                                 .grid = fine,
                                 .reach = reach,
                                 .numbers = {(float)reach},
                                 .bound = {{"from", from, 'r'}, {"to", to, 'u'}}},
                   err);
}

static bool run_resample(struct fields *f, const struct oro_grid *source, struct oro_buffer *from,
                         const struct oro_grid *grid, struct oro_buffer *other, struct oro_buffer *to,
                         struct oro_error *err)
{
    return run_job(f->device,
                   &(struct job){.text = kernel_resample,
                                 .grid = *grid,
                                 .source = *source,
                                 .reach = ORO_REACH_CELL,
                                 .source_reach = 2,
                                 .numbers = {0, 0, 0.4f},
                                 .bound = {{"from", from, 'r'}, {"other", other, 'r'}, {"to", to, 'w'}}},
                   err);
}

static size_t download(struct fields *f, struct oro_buffer *from, size_t cells, float *out,
                       struct oro_error *err)
{
    return f->device->ops->download(f->device, from, out, cells * sizeof(float), err) ? cells : 0;
}

static const size_t fine_cells = (size_t)201 * 157, coarse_cells = (size_t)101 * 79;

/* A simulation: two buffers take turns. */
static size_t simulate(struct oro_device *device, const void *user, float *out, size_t room,
                       struct oro_error *err)
{
    struct fields f = {.device = device};
    int reach = *(const int *)user;
    bool ok = room >= 2 * fine_cells && make_fields(&f, err) && make_noise(&f, &fine, f.a, 1, err) &&
              make_noise(&f, &fine, f.c, 2, err);
    for (int i = 0; ok && i < 41; i++) {
        ok = run_stencil(&f, &fine, reach, f.a, f.c, f.b, err) && device->ops->pace(device, err);
        struct oro_buffer *was = f.a;
        f.a = f.b;
        f.b = was;
    }
    size_t count = ok && device->ops->finish(device, err) ? download(&f, f.a, fine_cells, out, err) : 0;
    if (count)
        count += download(&f, f.b, fine_cells, out + count, err);
    free_fields(&f);
    return count;
}

TEST(simulations)
{
    for (int reach = 0; reach <= 2; reach++)
        for (int tile = 32; tile <= 96; tile += 32)
            for (int depth = 32; depth <= 64; depth += 32) {
                struct oro_spread_counts counts = assert_same(
                    simulate, &reach, 2 * fine_cells,
                    &(struct oro_spread_options){.whole = 1, .tile = tile, .depth = depth, .poison = true});
                /* The noises belong to the first chain. */
                uint64_t steps = (uint64_t)(depth / (reach ? reach : 1));
                assert_int_equal(counts.chains, reach ? (41 + steps - 1) / steps : 1);
            }
}

/* What the next dispatch overwrites is not stored, so a simulation stores one state of its two. */
TEST(old_states_are_not_stored)
{
    int reach = 2;
    struct oro_spread_counts counts =
        assert_same(simulate, &reach, 2 * fine_cells,
                    &(struct oro_spread_options){.whole = 1, .tile = 96, .depth = 32, .poison = true});
    uint64_t field = fine_cells * sizeof(float);
    assert_int_equal(counts.chains, 3);
    /* One state and the other noise from the first chain, one from the second, both at the end. */
    assert_int_equal(counts.stored_bytes, 5 * field);
}

/* Every kind of step, with what lies between them. */
static bool run_all(struct fields *f, struct oro_error *err)
{
    float weights[10];
    struct oro_device *device = f->device;
    for (int i = 0; i < 10; i++)
        weights[i] = 1.0f / (float)(3 + i * i);
    struct job smooth = {.text = kernel_blur, .grid = fine, .reach = 9, .numbers = {1, 0}};
    struct bound across[] = {{"from", f->a, 'r'}, {"weights", f->weights, 'r'}, {"to", f->b, 'w'}};
    memcpy(smooth.bound, across, sizeof across);
    struct job carve = {.text = kernel_strips, .grid = fine, .reach = 2, .group_rows = 8};
    struct bound carved[] = {{"from", f->b, 'r'}, {"to", f->a, 'w'}};
    memcpy(carve.bound, carved, sizeof carved);
    return make_noise(f, &fine, f->a, 3, err) &&
           device->ops->upload(device, f->weights, weights, sizeof weights, err) &&
           run_job(device, &smooth, err) && run_job(device, &carve, err) &&
           device->ops->copy(device, f->a, f->c, fine_cells * sizeof(float), err) &&
           run_update(f, 3, f->b, f->c, err) && make_noise(f, &coarse, f->small_too, 5, err) &&
           run_resample(f, &fine, f->c, &coarse, f->small_too, f->small, err) &&
           run_stencil(f, &coarse, 3, f->small, f->small, f->small_too, err) &&
           run_stencil(f, &coarse, 40, f->small_too, f->small, f->small, err) &&
           run_resample(f, &coarse, f->small, &fine, f->a, f->b, err) && run_update(f, 1, f->b, f->c, err);
}

static size_t all_steps(struct oro_device *device, const void *user, float *out, size_t room,
                        struct oro_error *err)
{
    struct fields f = {.device = device};
    size_t count = 0, more = 1;
    (void)user;
    bool ok = room >= 2 * fine_cells + coarse_cells && make_fields(&f, err) && run_all(&f, err);
    struct oro_buffer *const fields[] = {f.b, f.c, f.small};
    for (int i = 0; ok && more && i < 3; i++)
        count += more = download(&f, fields[i], i == 2 ? coarse_cells : fine_cells, out + count, err);
    free_fields(&f);
    return ok && more ? count : 0;
}

TEST(kinds_of_steps)
{
    for (int tile = 32; tile <= 224; tile += 64)
        for (int depth = 8; depth <= 64; depth *= 2)
            assert_same(
                all_steps, NULL, 3 * fine_cells,
                &(struct oro_spread_options){.whole = 1, .tile = tile, .depth = depth, .poison = true});
}

/* The coarse grid is small enough to be whole, but comes to be written by dispatches on tiles. */
TEST(small_rasters_become_spread)
{
    assert_same(all_steps, NULL, 3 * fine_cells,
                &(struct oro_spread_options){.whole = 10000, .tile = 64, .depth = 32, .poison = true});
}

TEST(all_whole)
{
    struct oro_spread_counts counts =
        assert_same(all_steps, NULL, 3 * fine_cells, &(struct oro_spread_options){.poison = true});
    assert_int_equal(counts.chains, 0);
}

TEST(on_disk)
{
    struct oro_spread_options options = {
        .whole = 1, .tile = 64, .depth = 16, .device_bytes = 700000, .host_bytes = 100000, .poison = true};
    struct oro_spread_counts counts = assert_same(all_steps, NULL, 3 * fine_cells, &options);
    assert_true(counts.to_host_bytes > 0 && counts.from_host_bytes > 0);
    assert_true(counts.to_disk_bytes > 0 && counts.from_disk_bytes > 0);
    assert_in_range(counts.peak_device_bytes, 1, 700000);
    assert_in_range(counts.peak_host_bytes, 1, 100000);
    options.host_bytes = 1; /* no tile fits: all go from the device to the disk */
    counts = assert_same(all_steps, NULL, 3 * fine_cells, &options);
    assert_int_equal(counts.peak_host_bytes, 0);
    int reach = 2;
    options.depth = 32;
    assert_same(simulate, &reach, 2 * fine_cells, &options);
}

/* The same where kernels do not reach the host's memory. */
TEST(on_disk_by_plain_memory)
{
    without_host_buffers = true;
    struct oro_spread_options options = {
        .whole = 1, .tile = 64, .depth = 16, .device_bytes = 750000, .host_bytes = 100000, .poison = true};
    struct oro_spread_counts counts = assert_same(all_steps, NULL, 3 * fine_cells, &options);
    assert_true(counts.to_disk_bytes > 0 && counts.from_disk_bytes > 0);
    without_host_buffers = false;
}

/* A small raster that was found from a large one is cut, too: otherwise all of the large one would be its
 * window. */
TEST(windows_of_reductions_are_no_whole_rasters)
{
    static const struct oro_grid wide = {.width = 8192, .height = 32, .cell = 1},
                                 narrow = {.width = 256, .height = 1, .cell = 32};
    const struct oro_spread_options options = {.whole = (size_t)256 * 256, .tile = 256};
    struct oro_error err = {0};
    struct fields f = {.device = open_spread(&options)};
    struct oro_buffer *large = new_field(f.device, &wide, &err), *small = new_field(f.device, &narrow, &err),
                      *other = new_field(f.device, &narrow, &err);
    assert_ok(make_noise(&f, &wide, large, 3, &err), err);
    assert_ok(make_noise(&f, &narrow, other, 4, &err), err);
    assert_ok(run_resample(&f, &wide, large, &narrow, other, small, &err), err);
    assert_ok(f.device->ops->finish(f.device, &err), err);
    struct oro_spread_counts counts = oro_spread_counts(f.device);
    size_t raster = sizeof(float) * 8192 * 32;
    assert_in_range(counts.peak_device_bytes, raster, raster + raster / 2);
    f.device->ops->buffer_destroy(f.device, large);
    f.device->ops->buffer_destroy(f.device, small);
    f.device->ops->buffer_destroy(f.device, other);
    f.device->ops->destroy(f.device);
}
