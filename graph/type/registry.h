/* What a program offers to documents: its node types, a sorted table that is generated at build time
 * (nodes/); graphs that are used as nodes; the language of expressions; and scripts that define types. */
#ifndef ORO_GRAPH_TYPE_REGISTRY_H
#define ORO_GRAPH_TYPE_REGISTRY_H

#include <stddef.h>

#include "graph/type/node.h"

struct oro_assets;
struct oro_file_digests;
struct oro_language;
struct oro_scripts;

struct oro_registry {
    const struct oro_node_type *const *types; /* sorted by id */
    size_t count;
    struct oro_assets *assets;           /* graph/derived/assets.h; NULL: no node is a graph */
    const struct oro_language *language; /* graph/document/expression.h; NULL: there are no expressions */
    struct oro_scripts *scripts;         /* graph/derived/scripts.h; NULL: no script defines a type */
    struct oro_file_digests *digests;    /* graph/plan/file_digests.h; NULL: files are read for every plan */
};

/* NULL: no such type. */
const struct oro_node_type *oro_registry_find(const struct oro_registry *registry, const char *id);
/* The node type that rasterises uplifts (descriptor: rasterizes), or NULL. */
const struct oro_node_type *oro_registry_rasterizer(const struct oro_registry *registry);
/* The nearest id to a misspelt one, or NULL. */
const char *oro_registry_suggest(const struct oro_registry *registry, const char *id);

/* NULL: no such input or output. */
const struct oro_input *oro_type_input(const struct oro_node_type *type, const char *name);
const struct oro_output *oro_type_output(const struct oro_node_type *type, const char *name);
/* The first input or output with a role, or a handle; or NULL. */
const struct oro_input *oro_type_input_as(const struct oro_node_type *type, enum oro_role role);
const struct oro_output *oro_type_output_as(const struct oro_node_type *type, enum oro_role role);
const struct oro_input *oro_type_input_of_handle(const struct oro_node_type *type, enum oro_handle handle);
/* Sets the roles and handles that follow from the names that the built-in nodes use, for types whose authors
 * declare none. Both lists end with a zeroed entry. Roles and handles that are already set stay. */
void oro_roles_by_name(struct oro_input *inputs, struct oro_output *outputs);
/* "terrain", "seed", ...; "" for none. */
const char *oro_role_name(enum oro_role role);
/* "none", "point", "radius", ...; "" for ORO_HANDLE_BY_TYPE. */
const char *oro_handle_name(enum oro_handle handle);
bool oro_handle_parse(const char *name, enum oro_handle *handle); /* false: there is no such handle */
const char *const *oro_handle_names(size_t *count);
/* The handle of an input: the one declared, or else the one that its type has. */
enum oro_handle oro_input_handle(const struct oro_input *input);
/* Whether the handle is a set of points, of a network or of a text that is written like one. */
bool oro_handle_is_network(enum oro_handle handle);
/* Whether it is a distance from a place. */
bool oro_handle_is_distance(enum oro_handle handle);
/* Of a condition (`when` of an input): how long the name is with which it begins, that of another input; and
 * whether it holds where that has this word. Not for two points. */
size_t oro_condition_input(const char *condition);
bool oro_condition_holds(const char *condition, const char *word);
/* Whether handle and condition declared for an input make sense among the inputs of its type. `err` may be
 * NULL. */
bool oro_handle_check(const struct oro_input *inputs, const struct oro_input *input, struct oro_error *err);
/* The input or output that a name means: the one of that name, or, as a terrain and a plain raster are called
 * differently but are both what a node works on, the only one of the names `terrain` and `field`. NULL: none.
 */
const struct oro_input *oro_type_input_meant(const struct oro_node_type *type, const char *name);
const struct oro_output *oro_type_output_meant(const struct oro_node_type *type, const char *name);
/* The nearest name to a misspelt one, or NULL. */
const char *oro_type_suggest_input(const struct oro_node_type *type, const char *name);
const char *oro_type_suggest_output(const struct oro_node_type *type, const char *name);
size_t oro_type_input_count(const struct oro_node_type *type);
size_t oro_type_output_count(const struct oro_node_type *type);

/* "field", "float", ... and "m", "deg", ... (empty for no unit). */
const char *oro_type_name(enum oro_type type);
/* What an input takes along a link, or an output gives, as messages call it: "a field", "an uplift". */
const char *oro_type_phrase(enum oro_type type);
const char *oro_unit_name(enum oro_unit unit);
bool oro_unit_parse(const char *name, enum oro_unit *unit); /* false: there is no such unit */
/* A value with cells: field, vector, image. */
bool oro_is_raster(enum oro_type type);
/* Whether an input takes links at all, and whether it takes one from an output of this type. */
bool oro_input_linkable(const struct oro_input *input);
bool oro_input_accepts(const struct oro_input *input, enum oro_type from);
/* Whether an input takes a field as a raster, so that an uplift linked to it must be rasterised. */
bool oro_input_takes_field(const struct oro_input *input);
/* A float, int, bool, choice, ... : has a literal form. */
bool oro_input_has_literal(const struct oro_input *input);
/* Has a literal when none is given: true for all types with a literal form, except networks without a
 * default. */
bool oro_input_has_default(const struct oro_input *input);
/* Must be linked; or, if it has a literal form, be linked or given. */
bool oro_input_required(const struct oro_input *input);

/* All node types built into the program; generated from nodes/. */
extern const struct oro_registry oro_builtin_nodes;

#endif
