/* Valleys for elevation constraints that lie low. A river falls all the way from a constraint to an outlet:
 * where it leaves the constraint's reach too high, no uplift within can lower the constraint far enough. Its
 * controller then lowers the way down as well, everywhere by the same share of the uplift. */
#include <math.h>

#include "base/memory.h"
#include "nodes/erosion/stream_power_paths.h"

enum { DIGS = 4 };
/* Response times in which the way was too high: before a valley is dug, and how many more before water that
 * has since gone elsewhere gets another one in its place. */
static const float sure = 8, more = 24;

static float distance(const struct oro_constraint_point *a, const struct oro_constraint_point *b)
{
    return hypotf(a->x - b->x, a->y - b->y);
}

/* A place of the valley of `from`. Between other constraints a valley is narrow. */
static struct oro_constraint_point place_of(const struct oro_flow_paths *w,
                                            const struct oro_constraint_point *from, uint32_t cell)
{
    struct oro_constraint_point place = *from;
    uint32_t width = (uint32_t)w->ground->width;
    float clearance = oro_flow_paths_clearance(w, (int)from->controller, cell), least = 3 * (float)w->cell;
    place.column = (float)(cell % width);
    place.row = (float)(cell / width);
    place.x = (float)(((double)(cell % width) + 0.5) * w->cell);
    place.y = (float)(((double)(cell / width) + 0.5) * w->cell);
    place.radius = fminf(from->radius, fmaxf(clearance, least));
    return place;
}

static bool dig(struct oro_stream_power *sp, struct oro_flow_paths *w, int i)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    struct oro_constraint_point from = c->points[i], last = from;
    if (!oro_flow_paths_find(w, i))
        return oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for valleys");
    for (size_t k = 0; k < w->count && c->total < ORO_CONSTRAINT_POINTS; k++) {
        struct oro_constraint_point place = place_of(w, &from, w->cells[k]);
        if (distance(&place, &last) < fminf(place.radius, last.radius))
            continue;
        last = place;
        place.controller = -1 - (float)i;
        place.elevation = fmaxf(c->heard[(size_t)ORO_RESPONSE * (size_t)i + ORO_RESPONSE_UPLIFT], 1e-9F);
        if (!oro_ground_is_outlet(w->ground, w->cells[k]) && !oro_constraints_add(sp, place))
            return false;
    }
    return true;
}

static void fill(struct oro_stream_power_constraints *c, int i)
{
    int kept = c->count;
    for (int k = c->count; k < c->total; k++)
        if ((int)c->points[k].controller != -1 - i)
            c->points[kept++] = c->points[k];
    c->total = kept;
}

static float *waited(const struct oro_stream_power_constraints *c, int i)
{
    return &c->control[ORO_CONTROL_POINTS + (size_t)ORO_CONTROL_POINT * (size_t)i + ORO_CONTROL_HIGH];
}

static bool is_needed(const struct oro_stream_power_constraints *c, int i)
{
    return c->valleys[i] < DIGS && *waited(c, i) >= sure + more * (float)c->valleys[i];
}

static bool dig_all(struct oro_stream_power *sp, struct oro_flow_paths *w)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    for (int i = 0; i < c->count; i++) {
        if (!is_needed(c, i))
            continue;
        fill(c, i);
        c->valleys[i]++;
        *waited(c, i) = 0;
        if (!dig(sp, w, i))
            return false;
    }
    return oro_constraints_upload(sp);
}

static bool are_needed(const struct oro_stream_power_constraints *c)
{
    for (int i = 0; i < c->count; i++)
        if (is_needed(c, i))
            return true;
    return false;
}

bool oro_constraints_dig_valleys(struct oro_stream_power *sp)
{
    if (!sp->params->subsidence || !are_needed(sp->constraints))
        return true;
    struct oro_ground ground;
    struct oro_buffer *receivers =
        oro_drainage_tree_route(&sp->tree, sp->height[0]) ? oro_drainage_tree_receivers(&sp->tree) : NULL;
    if (!receivers || !oro_constraints_ground(sp, &ground))
        return false;
    struct oro_flow_paths paths = {
        .constraints = sp->constraints, .ground = &ground, .cell = oro_eval_grid(sp->eval)->cell};
    float *z = oro_alloc(sp->cells, sizeof *z);
    bool ok = oro_flow_paths_begin(&paths, sp->cells) && z;
    paths.z = z;
    if (!ok)
        oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for %zu cells", sp->cells);
    ok = ok && oro_eval_download(sp->eval, receivers, paths.receiver, sp->cells * sizeof *paths.receiver) &&
         oro_eval_download(sp->eval, sp->height[0], z, sp->cells * sizeof *z) && dig_all(sp, &paths);
    oro_flow_paths_end(&paths);
    oro_free(z);
    return ok;
}
