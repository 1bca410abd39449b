/* Drainage areas by tiles. */
#include "base/memory.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

struct measuring {
    const struct oro_tiled_source *rain; /* NULL: 1 everywhere */
    const struct oro_tiled_sink *out;
    float square; /* of a cell */
    struct oro_tiled_bytes *answers;
};

/* The sums of a tile; the caller frees them, whatever comes of it. */
static bool sum_tile(const struct measuring *m, struct oro_tiled_hold *hold, struct oro_tiled_sums *sums,
                     uint64_t **sum, const struct oro_tiled_values *inflow, struct oro_error *err)
{
    const struct oro_tiled_block *window = &hold->tile.window;
    float *rain = m->rain ? oro_tiled_load(m->rain, window, err) : NULL;
    *sum = oro_alloc(oro_tiled_window_cells(window), sizeof **sum);
    bool ok = *sum && (rain || !m->rain);
    if (!*sum)
        oro_tiled_no_memory(window, err);
    ok = ok && oro_tiled_course_order(&hold->course, err);
    *sums = (struct oro_tiled_sums){
        .rain = rain, .cells = m->rain ? NULL : *sum, .rain_sum = m->rain ? *sum : NULL};
    if (ok)
        oro_tiled_sum(&hold->course, sums, inflow);
    oro_free(rain);
    return ok;
}

static bool tell(struct oro_tiled_drainage *d, int which, void *user, struct oro_tiled_bytes *message,
                 struct oro_error *err)
{
    const struct measuring *m = user;
    struct oro_tiled_hold hold;
    struct oro_tiled_sums sums;
    uint64_t *sum = NULL;
    bool ok = oro_tiled_take_tile(d, which, false, &hold, err) &&
              sum_tile(m, &hold, &sums, &sum, NULL, err) &&
              oro_tiled_tell_sums(&hold.course, &sums, message, err);
    oro_free(sum);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

/* The areas take the place of the first halves of the sums. */
static float *areas_of(const struct measuring *m, uint64_t *sum, size_t cells)
{
    float *area = (float *)(void *)sum;
    for (size_t i = 0; i < cells; i++) {
        float value = (m->rain ? oro_rain_amount(sum[i]) : (float)sum[i]) * m->square;
        memcpy(&area[i], &value, sizeof value);
    }
    return area;
}

static bool finish(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct measuring *m = user;
    enum oro_tiled_flow flow = m->rain ? ORO_TILED_RAIN : ORO_TILED_CELLS;
    struct oro_tiled_hold hold;
    struct oro_tiled_sums sums;
    struct oro_tiled_values *inflow = NULL;
    uint64_t *sum = NULL;
    bool ok = oro_tiled_take_tile(d, which, false, &hold, err) &&
              (inflow = oro_tiled_take_answer(&hold, flow, &m->answers[which], err)) != NULL &&
              sum_tile(m, &hold, &sums, &sum, inflow, err);
    ok = ok && oro_tiled_store(m->out, &hold.tile,
                               areas_of(m, sum, oro_tiled_window_cells(&hold.tile.window)), err);
    oro_free(inflow);
    oro_free(sum);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

bool oro_tiled_area(struct oro_tiled_drainage *d, double cell, const struct oro_tiled_source *rain,
                    const struct oro_tiled_sink *out, struct oro_error *err)
{
    struct measuring m = {.rain = rain, .out = out, .square = (float)cell * (float)cell};
    m.answers = oro_tiled_flow_through(d, rain ? ORO_TILED_RAIN : ORO_TILED_CELLS, tell, &m, err);
    bool ok = m.answers && oro_tiled_for_tiles(d, finish, &m, err);
    oro_tiled_free_all(m.answers, d->tiles);
    return ok;
}
