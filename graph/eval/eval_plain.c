/* Inputs and outputs that are not rasters: uplifts and networks, plain bytes that are checked before use. */
#include <string.h>

#include "graph/eval/eval_private.h"
#include "terrain/network/network.h"
#include "terrain/uplift/uplift.h"

/* ---- Inputs ---- */

static struct oro_uplift *uplift_of_field(struct oro_value *field, struct oro_error *err)
{
    const struct oro_grid *grid = &field->grid;
    const float *data = oro_value_host(field, err);
    struct oro_uplift *uplift =
        data ? oro_uplift_raster(data, grid->width, grid->height, grid->cell, err) : NULL;
    if (!uplift || (grid->x == 0 && grid->y == 0))
        return uplift;
    const struct oro_affine place = {.move = {grid->x, grid->y}, .scale = {1, 1}};
    struct oro_uplift *placed = oro_uplift_transform(uplift, &place, err);
    oro_free(uplift);
    return placed;
}

const struct oro_uplift *oro_eval_uplift(struct oro_eval *eval, const char *name)
{
    int index = oro_eval_input_index(eval, name);
    struct oro_value *value = index < 0 || eval->failed ? NULL : eval->inputs[index];
    struct oro_error err = {0};
    if (!value)
        return NULL;
    if (value->type != ORO_UPLIFT && !eval->made[index])
        eval->made[index] = uplift_of_field(value, &err);
    const struct oro_uplift *uplift =
        value->type == ORO_UPLIFT ? oro_uplift_of(value->host, value->bytes, &err) : eval->made[index];
    if (!uplift)
        oro_eval_failed(eval, &err);
    return uplift;
}

/* The literal's text in the params struct; NULL: there is none. */
static const char *literal_of(const struct oro_eval *eval, int index)
{
    const char *text;
    memcpy(&text, (const char *)eval->step->params + eval->step->type->inputs[index].offset, sizeof text);
    return text;
}

const struct oro_network *oro_eval_network(struct oro_eval *eval, const char *name)
{
    int index = oro_eval_input_index(eval, name);
    struct oro_error err = {0};
    if (index < 0 || eval->failed)
        return NULL;
    const struct oro_value *value = eval->inputs[index];
    if (!value && !literal_of(eval, index))
        return NULL;
    if (!value && !eval->made[index])
        eval->made[index] = oro_network_parse(literal_of(eval, index), &err);
    const struct oro_network *network =
        value ? oro_network_of(value->host, value->bytes, &err) : eval->made[index];
    if (!network)
        oro_eval_failed(eval, &err);
    return network;
}

/* ---- Outputs ---- */

/* Takes over `bytes` in any case. */
static bool give(struct oro_eval *eval, const char *output, enum oro_type type, void *bytes, size_t size)
{
    int index = eval->failed ? -1 : oro_eval_output_index(eval, output, type);
    struct oro_error err = {0};
    struct oro_value *value = index < 0 ? NULL : oro_value_create_plain(type, bytes, size, &err);
    if (value)
        return oro_eval_put_output(eval, index, value);
    oro_free(bytes);
    return index < 0 ? false : oro_eval_failed(eval, &err);
}

bool oro_eval_give_uplift(struct oro_eval *eval, const char *output, struct oro_uplift *uplift,
                          const struct oro_error *err)
{
    if (!uplift)
        return oro_eval_failed(eval, err);
    return give(eval, output, ORO_UPLIFT, uplift, oro_uplift_bytes(uplift));
}

bool oro_eval_give_network(struct oro_eval *eval, const char *output, struct oro_network *network,
                           const struct oro_error *err)
{
    if (!network)
        return oro_eval_failed(eval, err);
    return give(eval, output, ORO_NETWORK, network, oro_network_bytes(network));
}
