#include "editor/live/picture.h"

#include <math.h>
#include <stdatomic.h>

#include "base/memory.h"

/* The public part comes first, so that one pointer serves for both. */
struct counted {
    struct ed_picture picture;
    atomic_int references;
    struct ed_picture *owner; /* the picture that owns the data, if that is another one */
};

static atomic_uint_fast64_t serials;

static struct counted *counted_of(struct ed_picture *picture)
{
    return (struct counted *)(void *)picture;
}

static void find_range(struct ed_picture *picture)
{
    size_t cells = picture->data ? oro_grid_cells(&picture->grid) : 0;
    picture->low = INFINITY;
    picture->high = -INFINITY;
    for (size_t i = 0; i < cells; i++) {
        float value = picture->data[i * (size_t)picture->channels];
        if (!isfinite(value))
            continue;
        picture->low = value < picture->low ? value : picture->low;
        picture->high = value > picture->high ? value : picture->high;
    }
    if (picture->low > picture->high)
        picture->low = picture->high = 0;
}

struct ed_picture *ed_picture_create(const struct ed_picture *like, float *data, struct oro_network *network)
{
    struct counted *counted = oro_alloc(1, sizeof *counted);
    if (!counted)
        return NULL;
    counted->picture = *like;
    counted->picture.data = data;
    counted->picture.network = network;
    counted->picture.serial = atomic_fetch_add(&serials, 1) + 1;
    atomic_init(&counted->references, 1);
    find_range(&counted->picture);
    return &counted->picture;
}

struct ed_picture *ed_picture_again(struct ed_picture *picture, const struct ed_picture *as)
{
    struct counted *counted = oro_alloc(1, sizeof *counted);
    struct ed_picture *owner = counted_of(picture)->owner ? counted_of(picture)->owner : picture;
    if (!counted)
        return NULL;
    counted->picture = *picture;
    counted->picture.revision = as->revision;
    counted->picture.draft = as->draft;
    counted->picture.running = as->running;
    counted->picture.done = as->done;
    counted->picture.level = as->level;
    counted->picture.capped = as->capped;
    counted->owner = ed_picture_retain(owner);
    atomic_init(&counted->references, 1);
    return &counted->picture;
}

struct ed_picture *ed_picture_retain(struct ed_picture *picture)
{
    if (picture)
        atomic_fetch_add_explicit(&counted_of(picture)->references, 1, memory_order_relaxed);
    return picture;
}

void ed_picture_release(struct ed_picture *picture)
{
    if (!picture || atomic_fetch_sub_explicit(&counted_of(picture)->references, 1, memory_order_acq_rel) != 1)
        return;
    struct ed_picture *owner = counted_of(picture)->owner;
    if (!owner) {
        oro_free((void *)picture->data);
        oro_free((void *)picture->network);
    }
    oro_free(counted_of(picture));
    ed_picture_release(owner);
}

static float value_at(const struct ed_picture *picture, int x, int y, int channel)
{
    size_t cell = (size_t)y * (size_t)picture->grid.width + (size_t)x;
    return picture->data[cell * (size_t)picture->channels + (size_t)channel];
}

bool ed_picture_at(const struct ed_picture *picture, double x, double y, int channel, float *value)
{
    const struct oro_grid *grid = &picture->grid;
    double column = floor((x - grid->x) / grid->cell), row = floor((y - grid->y) / grid->cell);
    if (!picture->data || channel < 0 || channel >= picture->channels ||
        !(column >= 0 && column < grid->width && row >= 0 && row < grid->height))
        return false;
    *value = value_at(picture, (int)column, (int)row, channel);
    return true;
}

/* Turns a place into cells, measured between centres and clamped to the border; `near` and `far` are the
 * cells around it. */
static float between(double place, int count, int *near, int *far)
{
    double held = fmin(fmax(place - 0.5, 0), count - 1.0);
    *near = (int)held;
    *far = *near + 1 < count ? *near + 1 : *near;
    return (float)(held - *near);
}

static float mix(float a, float b, float t)
{
    return t > 0 ? a + (b - a) * t : a; /* at t = 0, `b` must not count even if it is NaN */
}

float ed_picture_sample(const struct ed_picture *picture, double x, double y, int channel)
{
    const struct oro_grid *grid = &picture->grid;
    int west, east, north, south;
    if (!picture->data || channel < 0 || channel >= picture->channels || isnan(x) || isnan(y))
        return NAN;
    float right = between((x - grid->x) / grid->cell, grid->width, &west, &east);
    float down = between((y - grid->y) / grid->cell, grid->height, &north, &south);
    float upper =
        mix(value_at(picture, west, north, channel), value_at(picture, east, north, channel), right);
    float lower =
        mix(value_at(picture, west, south, channel), value_at(picture, east, south, channel), right);
    return mix(upper, lower, down);
}
