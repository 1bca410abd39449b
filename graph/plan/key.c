/* Cache keys: everything that a result depends on, and nothing else (design, section 4). */
#include <string.h>

#include "graph/plan/file_digests.h"
#include "graph/plan/plan_private.h"
#include "terrain/network/network.h"

/* KEY_VERSION is raised when the engine itself (preamble, binding, resuming) changes what kernels compute. */
enum { KEY_VERSION = 2 };

/* Adds the lines that are drawn, whatever their spelling. */
static bool add_network(struct oro_hasher *hasher, const char *text, struct oro_error *err)
{
    struct oro_network *network = text ? oro_network_parse(text, err) : NULL;
    if (network)
        oro_hash_bytes(hasher, network, oro_network_bytes(network));
    oro_free(network);
    return network || !text;
}

static bool add_literal(struct oro_hasher *hasher, const struct oro_planner *planner,
                        const struct oro_input *input, const void *params)
{
    const char *at = (const char *)params + input->offset;
    const char *text = NULL;
    struct oro_hash digest;
    struct oro_profile profile;
    struct oro_gradient gradient;
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
    case ORO_GRADIENT:
        memcpy(&gradient, at, sizeof gradient);
        oro_hash_bytes(hasher, gradient.position, (size_t)gradient.count * sizeof(float));
        oro_hash_bytes(hasher, gradient.colour, (size_t)gradient.count * sizeof gradient.colour[0]);
        return true;
    case ORO_NETWORK:
        memcpy(&text, at, sizeof text);
        return add_network(hasher, text, planner->err);
    default:
        memcpy(&text, at, sizeof text);
        if (input->type != ORO_FILE || input->writes || !text || !text[0]) {
            oro_hash_string(hasher, text);
            return true;
        }
        if (!oro_file_digest(planner->registry->digests, text, &digest, planner->err))
            return false;
        oro_hash_digest(hasher, digest);
        return true;
    }
}

static bool add_kernel(struct oro_hasher *hasher, const struct oro_planner *planner, const char *kernel)
{
    struct oro_hash digest;
    if (!planner->device->ops->kernel_digest(planner->device, kernel, &digest, planner->err))
        return false;
    oro_hash_digest(hasher, digest);
    return true;
}

/* The digest of what all steps of one type have in common: the descriptor, the text of its kernels, the
 * device. */
static bool digest_type(const struct oro_planner *planner, struct oro_type_facts *facts)
{
    struct oro_hasher *hasher = planner->hasher;
    const struct oro_node_type *type = facts->type;
    oro_hash_string(hasher, type->id);
    oro_hash_int(hasher, type->version);
    for (const struct oro_input *input = type->inputs; input->name; input++)
        oro_hash_string(hasher, input->name);
    oro_hash_digest(hasher, type->source);
    bool ok = !type->kernel || add_kernel(hasher, planner, type->kernel);
    for (int i = 0; ok && type->kernels && type->kernels[i]; i++)
        ok = add_kernel(hasher, planner, type->kernels[i]);
    oro_hash_string(hasher, planner->device->info.name);
    oro_hash_string(hasher, planner->device->info.version);
    facts->digest = oro_hasher_digest(hasher);
    facts->digested = ok;
    return ok;
}

static void add_grid(struct oro_hasher *hasher, const struct oro_grid *grid)
{
    oro_hash_int(hasher, grid->width);
    oro_hash_int(hasher, grid->height);
    oro_hash_number(hasher, grid->cell);
    oro_hash_number(hasher, grid->x);
    oro_hash_number(hasher, grid->y);
}

/* Whether the steps are counted, and do not follow from a duration: the two need not be alike. */
static bool is_counted(const struct oro_step *step, const struct oro_input *iterations)
{
    int count;
    memcpy(&count, (const char *)step->params + iterations->offset, sizeof count);
    return count > 0;
}

/* Adds the inputs in the order of the type, whose digest includes their names. Where the iterations are left
 * out, so is the duration that they may follow from. */
static bool add_inputs(const struct oro_planner *planner, const struct oro_type_facts *facts,
                       const struct oro_step *step, const struct oro_input *left_out)
{
    struct oro_hasher *hasher = planner->hasher;
    for (size_t i = 0; i < facts->input_count; i++) {
        const struct oro_input *input = &step->type->inputs[i];
        if (left_out && (input == left_out || input->role == ORO_ROLE_DURATION)) {
            if (input->role == ORO_ROLE_DURATION)
                oro_hash_int(hasher, is_counted(step, left_out));
            continue;
        }
        oro_hash_int(hasher, step->sources[i].step >= 0);
        if (step->sources[i].step >= 0) {
            oro_hash_digest(hasher, planner->plan->steps[step->sources[i].step].key);
            oro_hash_int(hasher, step->sources[i].output);
        } else if ((facts->flags[i] & ORO_FACT_LITERAL) &&
                   !add_literal(hasher, planner, input, step->params)) {
            return false;
        }
    }
    return true;
}

static bool compute(struct oro_planner *planner, struct oro_type_facts *facts, const struct oro_step *step,
                    const struct oro_input *left_out, struct oro_hash *key)
{
    struct oro_hasher *hasher = planner->hasher;
    if (!facts->digested && !digest_type(planner, facts))
        return false;
    oro_hash_int(hasher, KEY_VERSION);
    oro_hash_digest(hasher, facts->digest);
    oro_hash_string(hasher, left_out ? left_out->name : NULL);
    add_grid(hasher, &step->grid);
    bool ok = add_inputs(planner, facts, step, left_out);
    *key = oro_hasher_digest(hasher);
    return ok;
}

bool oro_plan_key(struct oro_planner *planner, struct oro_type_facts *facts, struct oro_step *step)
{
    return compute(planner, facts, step, NULL, &step->key) &&
           (!facts->iterations || compute(planner, facts, step, facts->iterations, &step->resume_key));
}

/* ---- The same twice ---- */

static size_t *place_of(const struct oro_planner *planner, struct oro_hash key)
{
    size_t mask = planner->known_size - 1, i = (size_t)key.low & mask;
    while (planner->known[i] && !oro_hash_equal(planner->plan->steps[planner->known[i] - 1].key, key))
        i = (i + 1) & mask;
    return &planner->known[i];
}

static bool grow_known(struct oro_planner *planner)
{
    size_t size = planner->known_size ? 2 * planner->known_size : 256;
    while (size < 2 * planner->scope_nodes)
        size *= 2;
    size_t *known = oro_alloc(size, sizeof *known);
    if (!known)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory for a plan");
    oro_free(planner->known);
    planner->known = known;
    planner->known_size = size;
    for (size_t i = 0; i < planner->plan->step_count; i++)
        if (!planner->plan->steps[i].type->sink)
            *place_of(planner, planner->plan->steps[i].key) = i + 1;
    return true;
}

bool oro_plan_find_same(struct oro_planner *planner, const struct oro_step *step, int *same)
{
    *same = -1;
    if (2 * (planner->plan->step_count + 1) > planner->known_size && !grow_known(planner))
        return false;
    size_t *place = place_of(planner, step->key);
    if (*place)
        *same = (int)*place - 1;
    else
        *place = planner->plan->step_count + 1;
    return true;
}
