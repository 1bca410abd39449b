/* The node types of a program: a sorted table, generated at build time (nodes/); scripts will add to it. */
#ifndef ORO_GRAPH_REGISTRY_H
#define ORO_GRAPH_REGISTRY_H

#include <stddef.h>

#include "graph/node.h"

struct oro_registry {
    const struct oro_node_type *const *types; /* sorted by id */
    size_t count;
};

/* NULL: no such type. */
const struct oro_node_type *oro_registry_find(const struct oro_registry *registry, const char *id);
/* The nearest id to a misspelt one, or NULL. */
const char *oro_registry_suggest(const struct oro_registry *registry, const char *id);

/* NULL: no such input or output. */
const struct oro_input *oro_type_input(const struct oro_node_type *type, const char *name);
const struct oro_output *oro_type_output(const struct oro_node_type *type, const char *name);
size_t oro_type_input_count(const struct oro_node_type *type);
size_t oro_type_output_count(const struct oro_node_type *type);

/* "field", "float", ... and "m", "deg", ... (empty for no unit). */
const char *oro_type_name(enum oro_type type);
const char *oro_unit_name(enum oro_unit unit);
/* Whether an input takes links at all, and whether it takes one from an output of this type. */
bool oro_input_linkable(const struct oro_input *input);
bool oro_input_accepts(const struct oro_input *input, enum oro_type from);
/* A float, int, bool, choice, ... : has a literal form. */
bool oro_input_has_literal(const struct oro_input *input);

/* All node types built into the program; generated from nodes/. */
extern const struct oro_registry oro_builtin_nodes;

#endif
