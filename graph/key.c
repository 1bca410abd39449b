/* Cache keys: everything that a result depends on, and nothing else (design, section 4). */
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/plan_private.h"
#include "network/network.h"

/* KEY_VERSION is raised when the engine itself (preamble, binding, resuming) changes what kernels compute. */
enum { INPUT_FILE_MAX_MIB = 8192, KEY_VERSION = 1 };

static bool add_file(struct oro_hasher *hasher, const char *path, bool required, struct oro_error *err)
{
    void *data = NULL;
    size_t size = 0;
    struct oro_error problem = {0};
    if (!oro_file_read(path, (size_t)INPUT_FILE_MAX_MIB << 20, &data, &size, &problem))
        return (!required && problem.code == ORO_E_FILE) || oro_fail(err, problem.code, "%s", problem.text);
    oro_hash_bytes(hasher, data, size);
    oro_free(data);
    return true;
}

/* An input file's meaning depends on its sidecar too (range, size). */
bool oro_plan_file_digest(const char *path, struct oro_hash *digest, struct oro_error *err)
{
    struct oro_hasher *hasher = oro_hasher_create();
    struct oro_text sidecar = {0};
    oro_text_addf(&sidecar, "%s.json", path);
    bool ok = hasher && !sidecar.failed;
    if (!ok)
        oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    ok = ok && add_file(hasher, path, true, err) && add_file(hasher, sidecar.data, false, err);
    if (hasher)
        *digest = oro_hasher_end(hasher);
    oro_text_free(&sidecar);
    return ok;
}

/* What is drawn counts, not how it is written. */
static bool add_network(struct oro_hasher *hasher, const char *text, struct oro_error *err)
{
    struct oro_network *network = text ? oro_network_parse(text, err) : NULL;
    if (network)
        oro_hash_bytes(hasher, network, oro_network_bytes(network));
    oro_free(network);
    return network || !text;
}

static bool add_literal(struct oro_hasher *hasher, const struct oro_input *input, const void *params,
                        struct oro_error *err)
{
    const char *at = (const char *)params + input->offset;
    const char *text = NULL;
    struct oro_hash digest;
    struct oro_profile profile;
    switch (input->type) {
    case ORO_FLOAT:
    case ORO_INT:
    case ORO_CHOICE:
        oro_hash_bytes(hasher, at, 4);
        return true;
    case ORO_BOOL:
        oro_hash_int(hasher, *(const bool *)(const void *)at);
        return true;
    case ORO_COLOUR:
        oro_hash_bytes(hasher, at, 4 * sizeof(float));
        return true;
    case ORO_POINT:
        oro_hash_bytes(hasher, at, 2 * sizeof(float));
        return true;
    case ORO_PROFILE:
        memcpy(&profile, at, sizeof profile);
        oro_hash_bytes(hasher, profile.x, (size_t)profile.count * sizeof(float));
        oro_hash_bytes(hasher, profile.y, (size_t)profile.count * sizeof(float));
        return true;
    case ORO_NETWORK:
        memcpy(&text, at, sizeof text);
        return add_network(hasher, text, err);
    default:
        memcpy(&text, at, sizeof text);
        if (input->type != ORO_FILE || input->writes || !text || !text[0]) {
            oro_hash_string(hasher, text);
            return true;
        }
        if (!oro_plan_file_digest(text, &digest, err))
            return false;
        oro_hash_digest(hasher, digest);
        return true;
    }
}

static bool add_kernels(struct oro_hasher *hasher, const struct oro_planner *planner,
                        const struct oro_node_type *type)
{
    struct oro_device *device = planner->device;
    struct oro_hash digest;
    if (type->kernel) {
        if (!device->ops->kernel_digest(device, type->kernel, &digest, planner->err))
            return false;
        oro_hash_digest(hasher, digest);
    }
    for (int i = 0; type->kernels && type->kernels[i]; i++) {
        if (!device->ops->kernel_digest(device, type->kernels[i], &digest, planner->err))
            return false;
        oro_hash_digest(hasher, digest);
    }
    oro_hash_string(hasher, device->info.name);
    oro_hash_string(hasher, device->info.version);
    return true;
}

static void add_grid(struct oro_hasher *hasher, const struct oro_grid *grid)
{
    oro_hash_int(hasher, grid->width);
    oro_hash_int(hasher, grid->height);
    oro_hash_number(hasher, grid->cell);
    oro_hash_number(hasher, grid->x);
    oro_hash_number(hasher, grid->y);
}

static bool add_inputs(struct oro_hasher *hasher, const struct oro_planner *planner,
                       const struct oro_step *step, const char *left_out)
{
    for (size_t i = 0; step->type->inputs[i].name; i++) {
        const struct oro_input *input = &step->type->inputs[i];
        if (left_out && strcmp(input->name, left_out) == 0)
            continue;
        oro_hash_string(hasher, input->name);
        if (step->sources[i].step >= 0) {
            oro_hash_digest(hasher, planner->plan->steps[step->sources[i].step].key);
            oro_hash_int(hasher, step->sources[i].output);
        } else if (oro_input_has_literal(input) && !add_literal(hasher, input, step->params, planner->err)) {
            return false;
        }
    }
    return true;
}

static bool compute(struct oro_planner *planner, const struct oro_step *step, const char *left_out,
                    struct oro_hash *key)
{
    struct oro_hasher *hasher = oro_hasher_create();
    if (!hasher)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory for a cache key");
    oro_hash_int(hasher, KEY_VERSION);
    oro_hash_string(hasher, step->type->id);
    oro_hash_int(hasher, step->type->version);
    oro_hash_string(hasher, left_out);
    add_grid(hasher, &step->grid);
    bool ok = add_kernels(hasher, planner, step->type) && add_inputs(hasher, planner, step, left_out);
    struct oro_hash digest = oro_hasher_end(hasher);
    if (ok)
        *key = digest;
    return ok;
}

bool oro_plan_key(struct oro_planner *planner, struct oro_step *step)
{
    if (!compute(planner, step, NULL, &step->key))
        return false;
    return !step->type->iterations || compute(planner, step, step->type->iterations, &step->resume_key);
}
