/* Roles and handles: their words, which inputs they fit, and which ones follow from names where none are
 * declared. */
#include <string.h>

#include "graph/type/registry.h"

const struct oro_input *oro_type_input_as(const struct oro_node_type *type, enum oro_role role)
{
    for (const struct oro_input *input = type->inputs; input && input->name; input++)
        if (input->role == role)
            return input;
    return NULL;
}

const struct oro_output *oro_type_output_as(const struct oro_node_type *type, enum oro_role role)
{
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        if (output->role == role)
            return output;
    return NULL;
}

const struct oro_input *oro_type_input_of_handle(const struct oro_node_type *type, enum oro_handle handle)
{
    for (const struct oro_input *input = type->inputs; input && input->name; input++)
        if (input->handle == handle)
            return input;
    return NULL;
}

/* ---- Words ---- */

static const char *const role_names[] = {
    [ORO_ROLE_NONE] = "",
    [ORO_ROLE_TERRAIN] = "terrain",
    [ORO_ROLE_FIELD] = "field",
    [ORO_ROLE_MASK] = "mask",
    [ORO_ROLE_LIKE] = "like",
    [ORO_ROLE_SIZE] = "size",
    [ORO_ROLE_UPLIFT] = "uplift",
    [ORO_ROLE_SEA] = "sea",
    [ORO_ROLE_SEA_LEVEL] = "sea_level",
    [ORO_ROLE_SEED] = "seed",
    [ORO_ROLE_VARIANT] = "variant",
    [ORO_ROLE_GRAPH_SEED] = "graph_seed",
    [ORO_ROLE_GRAPH_VARY] = "graph_vary",
    [ORO_ROLE_ITERATIONS] = "iterations",
    [ORO_ROLE_DURATION] = "duration",
    [ORO_ROLE_CELLS] = "cells",
};

const char *oro_role_name(enum oro_role role)
{
    return role_names[role];
}

static const char *const handle_names[ORO_HANDLE_COUNT] = {
    [ORO_HANDLE_BY_TYPE] = "",
    [ORO_HANDLE_NONE] = "none",
    [ORO_HANDLE_POINT] = "point",
    [ORO_HANDLE_OFFSET] = "offset",
    [ORO_HANDLE_ARROW] = "arrow",
    [ORO_HANDLE_LINE] = "line",
    [ORO_HANDLE_BOX] = "box",
    [ORO_HANDLE_CURVE] = "curve",
    [ORO_HANDLE_OUTLINE] = "outline",
    [ORO_HANDLE_POINTS] = "points",
    [ORO_HANDLE_SPOTS] = "spots",
    [ORO_HANDLE_PLACES] = "places",
    [ORO_HANDLE_RADIUS] = "radius",
    [ORO_HANDLE_RADIUS_X] = "radius_x",
    [ORO_HANDLE_RADIUS_Y] = "radius_y",
    [ORO_HANDLE_WIDTH] = "width",
    [ORO_HANDLE_ROTATION] = "rotation",
    [ORO_HANDLE_RECT_X] = "rect_x",
    [ORO_HANDLE_RECT_Y] = "rect_y",
    [ORO_HANDLE_RECT_WIDTH] = "rect_width",
    [ORO_HANDLE_RECT_HEIGHT] = "rect_height",
};

const char *oro_handle_name(enum oro_handle handle)
{
    return handle_names[handle];
}

const char *const *oro_handle_names(size_t *count)
{
    *count = ORO_HANDLE_COUNT - 1;
    return handle_names + 1;
}

bool oro_handle_parse(const char *name, enum oro_handle *handle)
{
    for (int i = ORO_HANDLE_NONE; i < ORO_HANDLE_COUNT; i++)
        if (strcmp(handle_names[i], name) == 0) {
            *handle = (enum oro_handle)i;
            return true;
        }
    return false;
}

/* ---- Handles ---- */

enum oro_handle oro_input_handle(const struct oro_input *input)
{
    if (input->handle != ORO_HANDLE_BY_TYPE)
        return input->handle;
    return input->type == ORO_POINT     ? ORO_HANDLE_POINT
           : input->type == ORO_NETWORK ? ORO_HANDLE_CURVE
                                        : ORO_HANDLE_NONE;
}

bool oro_handle_is_network(enum oro_handle handle)
{
    return handle >= ORO_HANDLE_CURVE && handle <= ORO_HANDLE_PLACES;
}

bool oro_handle_is_distance(enum oro_handle handle)
{
    return handle >= ORO_HANDLE_RADIUS && handle <= ORO_HANDLE_WIDTH;
}

static const struct oro_input *find(const struct oro_input *inputs, const char *name, size_t length)
{
    for (; inputs->name; inputs++)
        if (strlen(inputs->name) == length && strncmp(inputs->name, name, length) == 0)
            return inputs;
    return NULL;
}

static bool is_point(const struct oro_input *input)
{
    return input && input->type == ORO_POINT;
}

/* Whether a name stands for a place: a point, a network, or "from-to". */
static bool is_place(const struct oro_input *inputs, const char *name)
{
    size_t length = strcspn(name, "-");
    const struct oro_input *input = find(inputs, name, length);
    if (name[length])
        return is_point(input) && is_point(find(inputs, name + length + 1, strlen(name + length + 1)));
    return input && (is_point(input) || oro_handle_is_network(oro_input_handle(input)));
}

static bool has_word(const struct oro_input *input, const char *word, size_t length)
{
    static const char *const switched[] = {"true", "false", NULL};
    const char *const *words = input->type == ORO_BOOL ? switched : input->choices;
    for (; words && *words; words++)
        if (strlen(*words) == length && strncmp(*words, word, length) == 0)
            return true;
    return false;
}

/* Whether a text is a condition: "method=ridge|fold", "method!=ridge", "paste=true", "start=end". */
static bool is_condition(const struct oro_input *inputs, const char *text)
{
    size_t length = oro_condition_input(text);
    const char *right = text + length + (text[length] == '!');
    const struct oro_input *input = find(inputs, text, length);
    if (!input || *right++ != '=')
        return false;
    if (is_point(input))
        return is_point(find(inputs, right, strlen(right)));
    for (;;) {
        size_t word = strcspn(right, "|");
        if (!has_word(input, right, word))
            return false;
        if (!right[word])
            return true;
        right += word + 1;
    }
}

size_t oro_condition_input(const char *condition)
{
    return strcspn(condition, "!=");
}

bool oro_condition_holds(const char *condition, const char *word)
{
    const char *sign = condition + oro_condition_input(condition);
    bool wanted = *sign == '=', found = false;
    const char *right = sign + (wanted ? 1 : 2);
    for (size_t length = strlen(word); !found && *right;) {
        size_t next = strcspn(right, "|");
        found = next == length && strncmp(right, word, length) == 0;
        right += next + (right[next] == '|');
    }
    return found == wanted;
}

static const char *wanted_by(enum oro_handle handle)
{
    if (handle >= ORO_HANDLE_POINT && handle <= ORO_HANDLE_BOX)
        return "a point";
    if (oro_handle_is_network(handle))
        return "a network";
    if (oro_handle_is_distance(handle))
        return "a float in metres";
    return handle == ORO_HANDLE_ROTATION ? "a float in degrees" : "a float";
}

static bool fits(const struct oro_input *input)
{
    enum oro_handle handle = input->handle;
    if (handle == ORO_HANDLE_BY_TYPE || handle == ORO_HANDLE_NONE)
        return true;
    if (handle <= ORO_HANDLE_BOX)
        return input->type == ORO_POINT;
    if (oro_handle_is_network(handle))
        return input->type == ORO_NETWORK || input->type == ORO_TEXT;
    return input->type == ORO_FLOAT && (!oro_handle_is_distance(handle) || input->unit == ORO_METRE) &&
           (handle != ORO_HANDLE_ROTATION || input->unit == ORO_DEGREE);
}

static bool condition_fits(const struct oro_input *inputs, const char *name, const char *condition,
                           struct oro_error *err)
{
    return !condition || is_condition(inputs, condition) ||
           oro_fail(err, ORO_E_DOCUMENT,
                    "'%s' must be a choice and some of its words, \"method=ridge|fold\" or "
                    "\"method!=ridge\", a switch: \"paste=true\", or two points: \"start=end\"",
                    name);
}

bool oro_handle_check(const struct oro_input *inputs, const struct oro_input *input, struct oro_error *err)
{
    const char *word = oro_handle_name(input->handle);
    bool anchored = oro_handle_is_distance(input->handle) ||
                    (input->handle >= ORO_HANDLE_ARROW && input->handle <= ORO_HANDLE_BOX);
    if (!fits(input))
        return oro_fail(err, ORO_E_DOCUMENT, "the handle '%s' is for %s", word, wanted_by(input->handle));
    if (input->handle_at && !is_place(inputs, input->handle_at))
        return oro_fail(err, ORO_E_DOCUMENT,
                        "'handle_at' must name a point, a network, or two points as in \"from-to\"");
    if (anchored && !input->handle_at)
        return oro_fail(err, ORO_E_DOCUMENT, "the handle '%s' needs 'handle_at', the place that it is at",
                        word);
    return condition_fits(inputs, "when", input->when, err) &&
           condition_fits(inputs, "handle_when", input->handle_when, err);
}

/* ---- Names ---- The built-in nodes follow these rules, too, although they declare their roles. */

static enum oro_role input_role(const struct oro_input *input)
{
    if (strcmp(input->name, "terrain") == 0)
        return ORO_ROLE_TERRAIN;
    if (strcmp(input->name, "mask") == 0)
        return ORO_ROLE_MASK;
    if (strcmp(input->name, "like") == 0)
        return ORO_ROLE_LIKE;
    if (strcmp(input->name, "sea") == 0)
        return ORO_ROLE_SEA;
    if (strcmp(input->name, "sea_level") == 0)
        return ORO_ROLE_SEA_LEVEL;
    if (strcmp(input->name, "uplift") == 0 && input->type == ORO_FLOAT && input->map)
        return ORO_ROLE_UPLIFT;
    return strcmp(input->name, "seed") == 0 && input->type == ORO_INT ? ORO_ROLE_VARIANT : ORO_ROLE_NONE;
}

static enum oro_role output_role(const struct oro_output *output)
{
    if (strcmp(output->name, "terrain") == 0)
        return ORO_ROLE_TERRAIN;
    if (strcmp(output->name, "sea") == 0)
        return ORO_ROLE_SEA;
    return strcmp(output->name, "field") == 0 ? ORO_ROLE_FIELD : ORO_ROLE_NONE;
}

/* Handles by name. The place is the first of `at` that the type has. */
static const struct {
    const char *name;
    enum oro_type type;
    enum oro_unit unit;
    enum oro_handle handle;
    const char *at[6];
} named_handles[] = {
    {"constraints", ORO_NETWORK, ORO_NO_UNIT, ORO_HANDLE_SPOTS, {NULL}},
    {"constraint_radius", ORO_FLOAT, ORO_METRE, ORO_HANDLE_RADIUS, {"constraints"}},
    {"radius_x", ORO_FLOAT, ORO_METRE, ORO_HANDLE_RADIUS_X, {"centre", "from"}},
    {"radius_y", ORO_FLOAT, ORO_METRE, ORO_HANDLE_RADIUS_Y, {"centre", "from"}},
    {"radius", ORO_FLOAT, ORO_METRE, ORO_HANDLE_RADIUS, {"centre", "pivot", "from-to", "curve", "points"}},
    {"width", ORO_FLOAT, ORO_METRE, ORO_HANDLE_WIDTH, {"centre", "pivot", "from-to", "curve", "points"}},
    {"size", ORO_FLOAT, ORO_METRE, ORO_HANDLE_RADIUS, {"centre"}},
    {"falloff", ORO_FLOAT, ORO_METRE, ORO_HANDLE_RADIUS, {"centre"}},
    {"length", ORO_FLOAT, ORO_METRE, ORO_HANDLE_RADIUS, {"centre"}},
    {"decay", ORO_FLOAT, ORO_METRE, ORO_HANDLE_RADIUS, {"centre"}},
    {"angle", ORO_FLOAT, ORO_DEGREE, ORO_HANDLE_ROTATION, {"centre"}},
    {"azimuth", ORO_FLOAT, ORO_DEGREE, ORO_HANDLE_ROTATION, {"centre"}},
    {"direction", ORO_FLOAT, ORO_DEGREE, ORO_HANDLE_ROTATION, {"centre"}},
    {"rotation", ORO_FLOAT, ORO_DEGREE, ORO_HANDLE_ROTATION, {"centre", "pivot"}},
    {"twist", ORO_FLOAT, ORO_DEGREE, ORO_HANDLE_ROTATION, {"centre", "pivot"}},
    {"wind", ORO_FLOAT, ORO_DEGREE, ORO_HANDLE_ROTATION, {NULL}},
    {"end", ORO_POINT, ORO_NO_UNIT, ORO_HANDLE_ARROW, {"start"}},
    {"to", ORO_POINT, ORO_NO_UNIT, ORO_HANDLE_ARROW, {"from"}},
};

static void handle_by_name(const struct oro_input *inputs, struct oro_input *input)
{
    for (size_t i = 0; i < sizeof named_handles / sizeof named_handles[0]; i++) {
        struct oro_input draggable = *input;
        if (strcmp(named_handles[i].name, input->name) != 0 || named_handles[i].type != input->type ||
            (input->type == ORO_FLOAT && named_handles[i].unit != input->unit))
            continue;
        draggable.handle = named_handles[i].handle;
        for (const char *const *at = named_handles[i].at; *at && !draggable.handle_at; at++)
            draggable.handle_at = is_place(inputs, *at) ? *at : NULL;
        if (oro_handle_check(inputs, &draggable, NULL))
            *input = draggable;
    }
}

void oro_roles_by_name(struct oro_input *inputs, struct oro_output *outputs)
{
    for (struct oro_input *input = inputs; input && input->name; input++) {
        if (input->role == ORO_ROLE_NONE)
            input->role = input_role(input);
        if (input->handle == ORO_HANDLE_BY_TYPE)
            handle_by_name(inputs, input);
    }
    for (; outputs && outputs->name; outputs++)
        if (outputs->role == ORO_ROLE_NONE)
            outputs->role = output_role(outputs);
}
