/* Look-ups in the table of node types, and the rules of what can be linked to what. */
#include "graph/type/registry.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

const struct oro_node_type *oro_registry_find(const struct oro_registry *registry, const char *id)
{
    size_t low = 0, high = registry ? registry->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *other = registry->types[middle]->id;
        int order = (unsigned char)*id - (unsigned char)*other;
        if (order == 0)
            order = strcmp(id, other);
        if (order == 0)
            return registry->types[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const struct oro_node_type *oro_registry_rasterizer(const struct oro_registry *registry)
{
    for (size_t i = 0; registry && i < registry->count; i++)
        if (registry->types[i]->rasterizes)
            return registry->types[i];
    return NULL;
}

const char *oro_registry_suggest(const struct oro_registry *registry, const char *id)
{
    if (!registry)
        return NULL;
    const char **names = oro_alloc(registry->count, sizeof *names);
    if (!names)
        return NULL; /* a suggestion is a courtesy; going without one is no failure */
    for (size_t i = 0; i < registry->count; i++)
        names[i] = registry->types[i]->id;
    const char *nearest = oro_suggest(id, names, registry->count);
    oro_free(names);
    return nearest;
}

const struct oro_input *oro_type_input(const struct oro_node_type *type, const char *name)
{
    for (const struct oro_input *input = type->inputs; input && input->name; input++)
        if (*input->name == *name && strcmp(input->name, name) == 0)
            return input;
    return NULL;
}

const struct oro_output *oro_type_output(const struct oro_node_type *type, const char *name)
{
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        if (*output->name == *name && strcmp(output->name, name) == 0)
            return output;
    return NULL;
}

size_t oro_type_input_count(const struct oro_node_type *type)
{
    size_t count = 0;
    while (type->inputs && type->inputs[count].name)
        count++;
    return count;
}

size_t oro_type_output_count(const struct oro_node_type *type)
{
    size_t count = 0;
    while (type->outputs && type->outputs[count].name)
        count++;
    return count;
}

const char *oro_type_suggest_input(const struct oro_node_type *type, const char *name)
{
    size_t count = oro_type_input_count(type);
    const char **names = oro_alloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = type->inputs[i].name;
    const char *nearest = names ? oro_suggest(name, names, count) : NULL;
    oro_free(names);
    return nearest;
}

/* The other of the two names of what a node works on; NULL: it is another name. */
static const char *other_name(const char *name)
{
    bool terrain = strcmp(name, "terrain") == 0, field = strcmp(name, "field") == 0;
    return terrain ? "field" : field ? "terrain" : NULL;
}

const struct oro_input *oro_type_input_meant(const struct oro_node_type *type, const char *name)
{
    const struct oro_input *input = oro_type_input(type, name);
    const char *other = input ? NULL : other_name(name);
    return other ? oro_type_input(type, other) : input;
}

const struct oro_output *oro_type_output_meant(const struct oro_node_type *type, const char *name)
{
    const struct oro_output *output = oro_type_output(type, name);
    const char *other = output ? NULL : other_name(name);
    return other ? oro_type_output(type, other) : output;
}

const char *oro_type_suggest_output(const struct oro_node_type *type, const char *name)
{
    size_t count = oro_type_output_count(type);
    const char **names = oro_alloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = type->outputs[i].name;
    const char *nearest = names ? oro_suggest(name, names, count) : NULL;
    oro_free(names);
    return nearest;
}

const char *oro_type_name(enum oro_type type)
{
    switch (type) {
    case ORO_ANY:
        return "any";
    case ORO_FIELD:
        return "field";
    case ORO_VECTOR:
        return "vector";
    case ORO_IMAGE:
        return "image";
    case ORO_UPLIFT:
        return "uplift";
    case ORO_NETWORK:
        return "network";
    case ORO_FLOAT:
        return "float";
    case ORO_INT:
        return "int";
    case ORO_BOOL:
        return "bool";
    case ORO_CHOICE:
        return "choice";
    case ORO_TEXT:
        return "text";
    case ORO_FILE:
        return "file";
    case ORO_COLOUR:
        return "colour";
    case ORO_POINT:
        return "point";
    case ORO_PROFILE:
        return "profile";
    case ORO_GRADIENT:
        return "gradient";
    case ORO_NONE:
        break;
    }
    return "none";
}

const char *oro_type_phrase(enum oro_type type)
{
    switch (type) {
    case ORO_ANY:
        return "anything";
    case ORO_VECTOR:
        return "a vector";
    case ORO_IMAGE:
        return "an image";
    case ORO_UPLIFT:
        return "an uplift";
    case ORO_NETWORK:
        return "a network";
    default: /* a map takes a field */
        return "a field";
    }
}

const char *oro_unit_name(enum oro_unit unit)
{
    switch (unit) {
    case ORO_METRE:
        return "m";
    case ORO_SQUARE_METRE:
        return "m2";
    case ORO_DEGREE:
        return "deg";
    case ORO_PERCENT:
        return "%";
    case ORO_CELL:
        return "cells";
    case ORO_PER_METRE:
        return "1/m";
    case ORO_METRE_PER_YEAR:
        return "m/yr";
    case ORO_YEAR:
        return "yr";
    case ORO_SECOND:
        return "s";
    case ORO_ID:
        return "id";
    case ORO_NO_UNIT:
    case ORO_UNIT_COUNT:
        break;
    }
    return "";
}

bool oro_unit_parse(const char *name, enum oro_unit *unit)
{
    for (int i = ORO_NO_UNIT; i < ORO_UNIT_COUNT; i++) {
        if (strcmp(oro_unit_name((enum oro_unit)i), name) == 0) {
            *unit = (enum oro_unit)i;
            return true;
        }
    }
    return false;
}

bool oro_is_raster(enum oro_type type)
{
    return type == ORO_FIELD || type == ORO_VECTOR || type == ORO_IMAGE;
}

bool oro_input_linkable(const struct oro_input *input)
{
    bool carried = oro_is_raster(input->type) || input->type == ORO_UPLIFT || input->type == ORO_NETWORK ||
                   input->type == ORO_ANY;
    return carried || (input->type == ORO_FLOAT && input->map);
}

bool oro_input_accepts(const struct oro_input *input, enum oro_type from)
{
    if (!oro_input_linkable(input))
        return false;
    if (input->type == ORO_ANY || from == ORO_ANY)
        return true; /* the actual type is known when it is planned */
    if (input->type == ORO_FIELD || input->type == ORO_FLOAT || input->type == ORO_UPLIFT)
        return from == ORO_FIELD || from == ORO_UPLIFT;
    return from == input->type;
}

bool oro_input_takes_field(const struct oro_input *input)
{
    return input->type == ORO_FIELD || (input->type == ORO_FLOAT && input->map && !input->takes_uplift);
}

bool oro_input_has_literal(const struct oro_input *input)
{
    return input->type != ORO_NONE && input->type != ORO_ANY && input->type != ORO_UPLIFT &&
           !oro_is_raster(input->type);
}

bool oro_input_has_default(const struct oro_input *input)
{
    return oro_input_has_literal(input) && (input->type != ORO_NETWORK || input->text);
}

bool oro_input_required(const struct oro_input *input)
{
    return !input->optional && !oro_input_has_default(input);
}
