/* Valleys for elevation constraints that lie low. A river falls all the way from a constraint to an outlet:
 * where it leaves the constraint's reach too high, no uplift within can lower the constraint far enough. Its
 * controller then lowers the way down as well, everywhere by the same share of the uplift. */
#include <math.h>

#include "base/memory.h"
#include "nodes/erosion/stream_power_constraints.h"
#include "terrain/hydrology/ground.h"

static const float sure = 8; /* response times in which the way was too high */

struct walk {
    const struct oro_ground *ground;
    const uint32_t *next; /* every cell's receiver */
    const struct oro_stream_power_constraints *constraints;
    double cell;
    int of; /* the constraint whose valley it is */
    struct oro_constraint_point place;
};

static size_t number_of(const struct walk *w)
{
    return (size_t)w->place.row * (size_t)w->ground->width + (size_t)w->place.column;
}

/* Goes on to the receiver. False: this is an outlet. */
static bool step(struct walk *w)
{
    size_t here = number_of(w), to = w->next[here], width = (size_t)w->ground->width;
    w->place.column = (float)(to % width);
    w->place.row = (float)(to / width);
    w->place.x = (float)(((double)(to % width) + 0.5) * w->cell);
    w->place.y = (float)(((double)(to / width) + 0.5) * w->cell);
    return to != here;
}

static float distance(const struct oro_constraint_point *a, const struct oro_constraint_point *b)
{
    return hypotf(a->x - b->x, a->y - b->y);
}

/* Whether another constraint sees to the way from here on. */
static bool is_seen_to(const struct walk *w)
{
    const struct oro_stream_power_constraints *c = w->constraints;
    for (int i = 0; i < c->count; i++)
        if (i != w->of && distance(&w->place, &c->points[i]) < 0.5F * c->points[i].radius)
            return true;
    return false;
}

static bool dig(struct oro_stream_power *sp, const struct oro_ground *ground, const uint32_t *next, int i)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    struct oro_constraint_point last = c->points[i];
    struct walk w = {.ground = ground,
                     .next = next,
                     .constraints = c,
                     .cell = oro_eval_grid(sp->eval)->cell,
                     .of = i,
                     .place = last};
    w.place.controller = -1 - (float)i;
    w.place.elevation = fmaxf(c->heard[(size_t)ORO_RESPONSE * (size_t)i + ORO_RESPONSE_UPLIFT], 1e-9F);
    while (c->total < ORO_CONSTRAINT_POINTS && step(&w)) {
        if (distance(&w.place, &last) < last.radius)
            continue;
        if (oro_ground_is_outlet(ground, number_of(&w)) || is_seen_to(&w))
            break;
        if (!oro_constraints_add(sp, w.place))
            return false;
        last = w.place;
    }
    return true;
}

static bool dig_all(struct oro_stream_power *sp, const struct oro_ground *ground, const uint32_t *next)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    int before = c->total;
    for (int i = 0; i < c->count; i++) {
        const float *words = c->control + ORO_CONTROL_POINTS + (size_t)ORO_CONTROL_POINT * (size_t)i;
        if (c->has_valley[i] || words[ORO_CONTROL_HIGH] < sure)
            continue;
        c->has_valley[i] = true;
        if (!dig(sp, ground, next, i))
            return false;
    }
    return c->total == before || oro_constraints_upload(sp);
}

static bool are_needed(const struct oro_stream_power_constraints *c)
{
    for (int i = 0; i < c->count; i++)
        if (!c->has_valley[i] &&
            c->control[ORO_CONTROL_POINTS + ORO_CONTROL_POINT * i + ORO_CONTROL_HIGH] >= sure)
            return true;
    return false;
}

bool oro_constraints_dig_valleys(struct oro_stream_power *sp)
{
    if (!sp->params->subsidence || !are_needed(sp->constraints))
        return true;
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    bool sea = oro_eval_linked(sp->eval, "sea");
    struct oro_ground ground = {.width = grid->width,
                                .height = grid->height,
                                .sea = sea ? oro_eval_input_host(sp->eval, "sea") : NULL,
                                .walls = sp->tree.walls};
    struct oro_buffer *receivers =
        oro_drainage_tree_route(&sp->tree, sp->height[0]) ? oro_drainage_tree_receivers(&sp->tree) : NULL;
    if (!receivers || (sea && !ground.sea))
        return false;
    uint32_t *next = oro_alloc(sp->cells, sizeof *next);
    bool ok = next ? oro_eval_download(sp->eval, receivers, next, sp->cells * sizeof *next) &&
                         dig_all(sp, &ground, next)
                   : oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for %zu cells", sp->cells);
    oro_free(next);
    return ok;
}
