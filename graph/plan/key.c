/* Cache keys: everything that a result depends on, and nothing else (design, section 4). */
#include <string.h>

#include "graph/plan/file_digests.h"
#include "graph/plan/plan_private.h"
#include "terrain/network/network.h"

/* KEY_VERSION is raised when the engine itself (preamble, binding, resuming) changes what kernels compute. */
enum { KEY_VERSION = 2 };

/* ---- The bytes of a key ---- They are gathered and digested at once, which takes a fraction of the time of
 * feeding them to a hasher part by part; what they are, and so the digest, is the same. */

/* Makes room for `size` more bytes. */
static bool make_room(struct oro_planner *planner, size_t size)
{
    struct oro_key_bytes *bytes = &planner->key;
    void *data = bytes->data;
    bool ok = oro_reserve(&data, &bytes->capacity, bytes->length + size, 1);
    bytes->data = data;
    return ok || oro_fail(planner->err, ORO_E_MEMORY, "no memory for a cache key");
}

/* There must be room for the part and its length. */
static inline void add_part(struct oro_key_bytes *bytes, const void *part, size_t size)
{
    const uint64_t length = size;
    memcpy(bytes->data + bytes->length, &length, sizeof length);
    if (size)
        memcpy(bytes->data + bytes->length + sizeof length, part, size);
    bytes->length += sizeof length + size;
}

static inline void add_int(struct oro_key_bytes *bytes, int64_t number)
{
    add_part(bytes, &number, sizeof number);
}

static inline void add_number(struct oro_key_bytes *bytes, double number)
{
    if (number == 0)
        number = 0; /* -0 equals 0 */
    add_part(bytes, &number, sizeof number);
}

/* Parts that may be long make their own room. */
static bool add_long(struct oro_planner *planner, const void *part, size_t size)
{
    if (!make_room(planner, size + sizeof(uint64_t)))
        return false;
    add_part(&planner->key, part, size);
    return true;
}

static bool add_text(struct oro_planner *planner, const char *text)
{
    return text ? add_long(planner, text, strlen(text)) : add_long(planner, &(int64_t){-1}, sizeof(int64_t));
}

/* Adds the lines that are drawn, whatever their spelling. */
static bool add_network(struct oro_planner *planner, const char *text)
{
    struct oro_network *network = text ? oro_network_parse(text, planner->err) : NULL;
    bool ok = network && add_long(planner, network, oro_network_bytes(network));
    oro_free(network);
    return ok || !text;
}

static bool add_file(struct oro_planner *planner, const char *path)
{
    struct oro_hash digest;
    return oro_file_digest(planner->registry->digests, path, &planner->files, &digest, planner->err) &&
           add_long(planner, &digest, sizeof digest);
}

static bool add_companions(struct oro_planner *planner, const struct oro_input *input, const char *path)
{
    struct oro_file_list others = {0};
    bool ok =
        oro_file_companions(planner->registry->digests, input, path, &planner->files, &others, planner->err);
    for (size_t i = 0; ok && i < others.count; i++)
        ok = add_file(planner, others.items[i].path);
    oro_file_list_free(&others);
    return ok;
}

static bool add_literal(struct oro_planner *planner, const struct oro_input *input, const void *params)
{
    const char *at = (const char *)params + input->offset, *text = NULL;
    struct oro_profile profile;
    struct oro_gradient gradient;
    switch (input->type) {
    case ORO_FLOAT:
    case ORO_INT:
    case ORO_CHOICE:
        add_part(&planner->key, at, 4);
        return true;
    case ORO_BOOL:
        add_int(&planner->key, *(const bool *)(const void *)at);
        return true;
    case ORO_COLOUR:
        add_part(&planner->key, at, 4 * sizeof(float));
        return true;
    case ORO_POINT:
        add_part(&planner->key, at, 2 * sizeof(float));
        return true;
    case ORO_PROFILE:
        memcpy(&profile, at, sizeof profile);
        return add_long(planner, profile.x, (size_t)profile.count * sizeof(float)) &&
               add_long(planner, profile.y, (size_t)profile.count * sizeof(float));
    case ORO_GRADIENT:
        memcpy(&gradient, at, sizeof gradient);
        return add_long(planner, gradient.position, (size_t)gradient.count * sizeof(float)) &&
               add_long(planner, gradient.colour, (size_t)gradient.count * sizeof gradient.colour[0]);
    case ORO_NETWORK:
        memcpy(&text, at, sizeof text);
        return add_network(planner, text);
    default:
        memcpy(&text, at, sizeof text);
        bool reads = input->type == ORO_FILE && !input->writes && text && text[0];
        return reads ? add_file(planner, text) && add_companions(planner, input, text)
                     : add_text(planner, text);
    }
}

/* ---- Types ---- */

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
    struct oro_hasher *hasher = oro_hasher_create();
    const struct oro_node_type *type = facts->type;
    if (!hasher)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory for a cache key");
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
    facts->digest = oro_hasher_end(hasher);
    facts->digested = ok;
    return ok;
}

bool oro_plan_types_same(struct oro_planner *planner)
{
    for (size_t i = 0; i < ORO_PLAN_TYPE_BUCKETS; i++)
        for (struct oro_type_facts *facts = planner->types[i]; facts; facts = facts->next) {
            const struct oro_hash before = facts->digest;
            if (facts->digested && (!digest_type(planner, facts) || !oro_hash_equal(facts->digest, before)))
                return false;
        }
    return true;
}

/* ---- Steps ---- */

static void add_grid(struct oro_key_bytes *bytes, const struct oro_grid *grid)
{
    add_int(bytes, grid->width);
    add_int(bytes, grid->height);
    add_number(bytes, grid->cell);
    add_number(bytes, grid->x);
    add_number(bytes, grid->y);
}

/* Adds the inputs in the order of the type, whose digest includes their names. Where the iterations are left
 * out, so is the duration that they may follow from. */
static bool add_inputs(struct oro_planner *planner, const struct oro_type_facts *facts,
                       const struct oro_step *step, const struct oro_input *left_out)
{
    enum { SHORT_PARTS_MAX = 64 }; /* bytes that an input takes, unless it has long ones */
    struct oro_key_bytes *bytes = &planner->key;
    for (size_t i = 0; i < facts->input_count; i++) {
        const struct oro_input *input = &step->type->inputs[i];
        struct oro_plan_source source = step->sources[i];
        if (!make_room(planner, SHORT_PARTS_MAX))
            return false;
        if (left_out && (input == left_out || input->role == ORO_ROLE_DURATION)) {
            if (input->role == ORO_ROLE_DURATION)
                add_int(bytes, oro_step_iterations(step) > 0); /* those of a duration need not be alike */
            continue;
        }
        add_int(bytes, source.step >= 0);
        if (source.step >= 0) {
            add_part(bytes, &planner->plan->steps[source.step].key, sizeof(struct oro_hash));
            add_int(bytes, source.output);
        } else if ((facts->flags[i] & ORO_FACT_LITERAL) && !add_literal(planner, input, step->params)) {
            return false;
        }
    }
    return true;
}

/* A world that lies nowhere in particular adds nothing. */
static bool add_place(struct oro_planner *planner, const struct oro_place *place)
{
    enum { NUMBERS_MAX = 64 };
    if (!place->crs)
        return true;
    if (!add_text(planner, place->crs) || !make_room(planner, NUMBERS_MAX))
        return false;
    add_number(&planner->key, place->west);
    add_number(&planner->key, place->north);
    return true;
}

static bool compute(struct oro_planner *planner, struct oro_type_facts *facts, const struct oro_step *step,
                    const struct oro_input *left_out, struct oro_hash *key)
{
    enum { HEAD_MAX = 256 };
    struct oro_key_bytes *bytes = &planner->key;
    bytes->length = 0;
    if ((!facts->digested && !digest_type(planner, facts)) || !make_room(planner, HEAD_MAX))
        return false;
    add_int(bytes, KEY_VERSION);
    add_part(bytes, &facts->digest, sizeof facts->digest);
    if (!add_text(planner, left_out ? left_out->name : NULL) || !make_room(planner, HEAD_MAX))
        return false;
    add_grid(bytes, &step->grid);
    if ((step->type->placed && !add_place(planner, &planner->plan->place)) ||
        !add_inputs(planner, facts, step, left_out))
        return false;
    *key = oro_hash_of(bytes->data, bytes->length);
    return true;
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

bool oro_plan_all_differ(struct oro_planner *planner)
{
    if (planner->known_size > 0)
        memset(planner->known, 0, planner->known_size * sizeof *planner->known);
    for (size_t i = 0; i < planner->plan->step_count; i++) {
        const struct oro_step *step = &planner->plan->steps[i];
        size_t *place = step->type->sink ? NULL : place_of(planner, step->key);
        if (place && *place)
            return false;
        if (place)
            *place = i + 1;
    }
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
