#include <math.h>
#include <string.h>

#include "editor/live/live_private.h"
#include "editor/live/mask.h"
#include "graph/plan/unit.h"
#include "graph/type/registry.h"
#include "terrain/drainage/routing.h"

static void *copy_of(const void *data, size_t bytes, struct oro_error *err)
{
    void *copy = oro_alloc(bytes ? bytes : 1, 1);
    if (copy)
        memcpy(copy, data, bytes);
    else
        oro_fail(err, ORO_E_MEMORY, "no memory for a picture of %zu MiB", (bytes >> 20) + 1);
    return copy;
}

static double number_of(const struct oro_step *step, const char *name)
{
    float value = 0;
    const struct oro_input *input = oro_type_input(step->type, name);
    if (input && input->type == ORO_FLOAT)
        memcpy(&value, (const char *)step->params + input->offset, sizeof value);
    return (double)value;
}

static bool gives_painted_mask(const struct oro_step *step)
{
    const char *path = NULL;
    const struct oro_input *file = oro_type_input(step->type, "file");
    if (file && file->type == ORO_FILE)
        memcpy(&path, (const char *)step->params + file->offset, sizeof path);
    return ed_is_painted_mask(step->type->id, path, number_of(step, "low"), number_of(step, "high"));
}

struct ed_picture *ed_picture_of_value(struct oro_value *value, const struct oro_plan *plan,
                                       const struct ed_picture *like, struct oro_error *err)
{
    const struct oro_step *step = &plan->steps[plan->targets[0].step];
    const struct oro_output *output = &step->type->outputs[plan->targets[0].output];
    struct ed_picture picture = *like, *made = NULL;
    const void *data = oro_value_host(value, err);
    bool network = value->type == ORO_NETWORK;
    if (!data || (network && !oro_network_of(data, oro_value_bytes(value), err)))
        return NULL;
    picture.type = value->type;
    picture.unit = oro_plan_unit(plan, plan->targets[0]);
    picture.terrain =
        value->type == ORO_FIELD && (picture.unit == ORO_METRE || output->role == ORO_ROLE_TERRAIN);
    if (gives_painted_mask(step)) {
        picture.terrain = false;
        picture.unit = ORO_NO_UNIT;
    }
    picture.grid = value->grid;
    picture.channels = value->channels;
    void *copy = copy_of(data, oro_value_bytes(value), err);
    if (copy)
        made = ed_picture_create(&picture, network ? NULL : copy, network ? copy : NULL);
    if (copy && !made) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a picture");
        oro_free(copy);
    }
    return made;
}

/* Drainage needs numbers everywhere: holes in the ground are put at its lowest height. */
static float *solid_ground(const struct ed_picture *terrain)
{
    size_t cells = oro_grid_cells(&terrain->grid);
    float *ground = oro_alloc(cells, sizeof *ground);
    for (size_t i = 0; ground && i < cells; i++)
        ground[i] = isfinite(terrain->data[i]) ? terrain->data[i] : terrain->low;
    return ground;
}

static bool drain(const struct oro_ground *ground, double cell, float *area, struct oro_error *err)
{
    struct oro_routing routing = {0};
    bool ok = oro_route(ground, &routing, err) && oro_drainage_area(&routing, cell, NULL, area, err);
    oro_routing_free(&routing);
    return ok;
}

struct ed_picture *ed_picture_of_drainage(const struct ed_picture *terrain, bool (*stop)(void *user),
                                          void *user, struct oro_error *err)
{
    const struct oro_grid *grid = &terrain->grid;
    struct ed_picture like = *terrain, *made = NULL;
    if (terrain->channels != 1) {
        oro_fail(err, ORO_E_EVALUATE, "only of a terrain it can be told where water runs");
        return NULL;
    }
    float *ground = solid_ground(terrain), *area = oro_alloc(oro_grid_cells(grid), sizeof *area);
    struct oro_ground solid = {
        .width = grid->width, .height = grid->height, .z = ground, .stop = stop, .user = user};
    bool ok = ground && area ? drain(&solid, grid->cell, area, err)
                             : oro_fail(err, ORO_E_MEMORY, "no memory for the drainage");
    oro_free(ground);
    like.unit = ORO_SQUARE_METRE;
    like.terrain = false;
    if (ok)
        made = ed_picture_create(&like, area, NULL);
    if (ok && !made)
        oro_fail(err, ORO_E_MEMORY, "no memory for a picture");
    if (!made)
        oro_free(area);
    return made;
}
