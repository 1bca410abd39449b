/* Cutting a terrain into strips of rows. */
#include "base/parallel.h"
#include "terrain/drainage/routing_private.h"

#define STRIPS ((size_t)32)
#define LEAST_ROWS ((size_t)8)
#define MOST_CELLS ((size_t)1 << 21)  /* so that stopping is prompt: some ms */
#define LEAST_CELLS ((size_t)1 << 14) /* that are worth a thread */
#define ASK_EVERY ((size_t)1 << 18)

struct oro_strips oro_strips_of(int width, int height)
{
    struct oro_strips strips = {.width = (size_t)width, .cells = (size_t)width * (size_t)height};
    size_t rows = ((size_t)height + STRIPS - 1) / STRIPS;
    if (rows < LEAST_ROWS)
        rows = LEAST_ROWS;
    if (rows > MOST_CELLS / strips.width)
        rows = MOST_CELLS / strips.width;
    strips.rows = rows ? rows : 1;
    strips.count = ((size_t)height + strips.rows - 1) / strips.rows;
    return strips;
}

size_t oro_strip_first(struct oro_strips strips, size_t strip)
{
    return strip * strips.rows * strips.width;
}

size_t oro_strip_end(struct oro_strips strips, size_t strip)
{
    size_t end = oro_strip_first(strips, strip + 1);
    return end < strips.cells ? end : strips.cells;
}

struct batch {
    void (*body)(void *user, size_t first, size_t end);
    void *user;
    size_t first;
};

static void run_batch(void *data, size_t first, size_t end)
{
    const struct batch *batch = data;
    batch->body(batch->user, batch->first + first, batch->first + end);
}

bool oro_strips_run(struct oro_strips strips, const struct oro_ground *ground,
                    void (*body)(void *user, size_t first, size_t end), void *user, struct oro_error *err)
{
    struct batch batch = {.body = body, .user = user};
    size_t least = (LEAST_CELLS + strips.rows * strips.width - 1) / (strips.rows * strips.width);
    size_t size = 2 * least * (size_t)oro_parallel_threads();
    for (; batch.first < strips.count; batch.first += size) {
        size_t left = strips.count - batch.first;
        if (ground && oro_ground_stops(ground, 0, err))
            return false;
        oro_parallel(left < size ? left : size, least, run_batch, &batch);
    }
    return true;
}

bool oro_ground_stops(const struct oro_ground *ground, size_t count, struct oro_error *err)
{
    if (count % ASK_EVERY || !ground->stop || !ground->stop(ground->user))
        return false;
    oro_fail(err, ORO_E_CANCELLED, "cancelled");
    return true;
}

bool oro_no_memory(const struct oro_ground *ground, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to drain %d x %d cells", ground->width, ground->height);
}
