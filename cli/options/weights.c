#include "cli/options/weights.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/options/deliver.h"

bool cli_weights_add(struct cli_weights *weights, const char *name, const float *mask, struct oro_error *err)
{
    size_t number = weights->weights.count;
    if (number == ORO_WEIGHTS_MOST)
        return oro_fail(err, ORO_E_USAGE, "--weights takes at most %d masks", ORO_WEIGHTS_MOST);
    char *own = oro_copy_text(name);
    if (!own)
        return oro_fail(err, ORO_E_MEMORY, "no memory for weight maps");
    for (char *c = own; *c; c++)
        if (!oro_in_word(*c))
            *c = '_';
    weights->names[number] = weights->own_names[number] = own;
    weights->masks[number] = mask;
    weights->weights = (struct oro_weight_maps){number + 1, weights->names, weights->masks};
    return true;
}

/* Takes over a field's values in place of a mask. */
static void own(struct cli_weights *weights, size_t number, struct oro_heightfield *field)
{
    oro_free(weights->own_masks[number]);
    weights->masks[number] = weights->own_masks[number] = field->data;
    field->data = NULL;
    oro_heightfield_free(field);
}

static bool resize_one(struct cli_weights *weights, size_t number, const struct oro_heightfield *from,
                       int width, int height, struct oro_error *err)
{
    struct oro_heightfield to = {0};
    if (!oro_heightfield_resize(from, width, height, ORO_RESAMPLE_MONOTONE, &to, err))
        return false;
    own(weights, number, &to);
    return true;
}

bool cli_weights_resize(struct cli_weights *weights, int width, int height, int to_width, int to_height,
                        struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < weights->weights.count; i++) {
        struct oro_heightfield from = {.width = width, .height = height, .data = (float *)weights->masks[i]};
        ok = resize_one(weights, i, &from, to_width, to_height, err);
    }
    return ok;
}

static bool read_one(struct cli_weights *weights, const char *path, int width, int height,
                     const struct oro_log *log, struct oro_error *err)
{
    struct oro_heightfield field = {0};
    struct oro_text name = {0};
    const char *file = oro_path_name(path), *dot = strrchr(file, '.');
    oro_text_add_bytes(&name, file, dot ? (size_t)(dot - file) : strlen(file));
    bool ok = !name.failed || oro_fail(err, ORO_E_MEMORY, "no memory for weight maps");
    ok = ok &&
         oro_heightfield_read(path, &(struct oro_read_options){.not_heights = true, .log = log}, &field,
                              err) &&
         cli_weights_add(weights, name.data, field.data, err);
    if (ok && field.width == width && field.height == height)
        own(weights, weights->weights.count - 1, &field);
    else
        ok = ok && resize_one(weights, weights->weights.count - 1, &field, width, height, err);
    oro_heightfield_free(&field);
    oro_text_free(&name);
    return ok;
}

bool cli_weights_read(struct cli_weights *weights, const char *list, int width, int height,
                      const struct oro_log *log, struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < cli_list_count(list); i++) {
        char *path = cli_list_item(list, i);
        ok = path ? read_one(weights, path, width, height, log, err)
                  : oro_fail(err, ORO_E_MEMORY, "no memory for weight maps");
        oro_free(path);
    }
    return ok;
}

void cli_weights_free(struct cli_weights *weights)
{
    for (size_t i = 0; i < weights->weights.count; i++) {
        oro_free(weights->own_names[i]);
        oro_free(weights->own_masks[i]);
    }
    *weights = (struct cli_weights){0};
}
