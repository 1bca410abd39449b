#include "graph/reuse/prepare.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "graph/derived/assets.h"

static bool no_memory(struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to prepare the document");
}

/* "write-1", ...: an id that no node has. NULL: memory is out. */
static const char *free_id(const struct oro_document *doc, const char *stem, struct oro_arena *arena)
{
    for (int i = 1;; i++) {
        const char *id = oro_arena_textf(arena, "%s-%d", stem, i);
        if (!id || !oro_document_find(doc, id))
            return id;
    }
}

/* ---- Nodes that write ---- */

/* The first input of a node type that writes files which takes such a result. */
static const struct oro_input *writing_input(const struct oro_registry *registry, enum oro_type wanted,
                                             const struct oro_node_type **type)
{
    enum oro_type taken = wanted == ORO_UPLIFT ? ORO_FIELD : wanted;
    for (size_t i = 0; i < registry->count; i++) {
        *type = registry->types[i];
        for (const struct oro_input *input = (*type)->inputs; oro_type_writes(*type) && input->name; input++)
            if (input->type == taken && !input->writes)
                return input;
    }
    return NULL;
}

const char *oro_prepare_writer(struct oro_document *doc, const struct oro_registry *registry,
                               const char *node, const char *output, struct oro_arena *arena,
                               struct oro_error *err)
{
    const struct oro_node_type *writer;
    enum oro_type type = oro_rendered_type(doc, registry, node, output, err);
    if (type == ORO_NONE)
        return NULL;
    const struct oro_input *input = writing_input(registry, type, &writer);
    if (!input) {
        oro_fail(err, ORO_E_DOCUMENT,
                 "output '%.100s' of node '%.100s' is of type %s, which no file format holds", output, node,
                 oro_type_name(type));
        return NULL;
    }
    const char *id = free_id(doc, "write", arena);
    if (!id)
        no_memory(err);
    return id && oro_edit_add_node(doc, id, writer->id, writer->version, 0, 0, err) &&
                   oro_edit_connect(doc, id, input->name, node, output, err)
               ? id
               : NULL;
}

/* ---- Builds ---- */

bool oro_prepare_world(struct oro_document *doc, const struct oro_doc_build *build, struct oro_error *err)
{
    struct oro_world world = *oro_document_world(doc);
    double resolution;
    if (!build->resolution)
        return true;
    if (build->resolution[0] == '=')
        world.exprs[ORO_WORLD_RESOLUTION] = build->resolution + 1;
    else if (!oro_parse_number(build->resolution, &resolution))
        return oro_fail(err, ORO_E_DOCUMENT,
                        "build '%.100s': resolution must be a number of cells or =EXPRESSION, not '%.60s'",
                        build->name, build->resolution);
    else
        oro_world_set(&world, ORO_WORLD_RESOLUTION, resolution);
    struct oro_error why = {0};
    return oro_edit_world(doc, &world, &why) ||
           oro_fail(err, why.code, "build '%.100s': %s", build->name, why.text);
}

/* ---- Regions ---- */

bool oro_world_region_parse(const char *text, struct oro_world_region *region, struct oro_error *err)
{
    double numbers[4];
    const char *rest = text;
    for (int i = 0; i < 4; i++) {
        char number[ORO_NUMBER_SIZE];
        size_t length = strcspn(rest, ",");
        bool last = rest[length] == '\0';
        snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), rest);
        if (last != (i == 3) || !oro_parse_number(number, &numbers[i]))
            return oro_fail(err, ORO_E_USAGE,
                            "--region takes X,Y,WIDTH,HEIGHT from the north-west corner, in metres or in "
                            "shares of the world up to 1, not '%.100s'",
                            text);
        rest += length + 1;
    }
    *region = (struct oro_world_region){
        .given = true, .x = numbers[0], .y = numbers[1], .width = numbers[2], .height = numbers[3]};
    region->shares = region->x <= 1 && region->y <= 1 && region->width <= 1 && region->height <= 1;
    if (region->x < 0 || region->y < 0 || !(region->width > 0) || !(region->height > 0))
        return oro_fail(err, ORO_E_USAGE,
                        "--region takes X,Y,WIDTH,HEIGHT: the corner lies in the world, and width and height "
                        "are above 0, not '%.100s'",
                        text);
    return !region->shares ||
           (region->x + region->width <= 1 + 1e-9 && region->y + region->height <= 1 + 1e-9) ||
           oro_fail(err, ORO_E_USAGE, "--region '%.100s' reaches beyond the world: shares end at 1", text);
}

static bool set_number(struct oro_document *doc, const char *node, const char *input, double value,
                       struct oro_error *err)
{
    char number[ORO_NUMBER_SIZE];
    return oro_edit_set(doc, node, input, oro_format_number(value, number), err);
}

/* Adds a node that cuts the region out of an output, and gives its id. */
static const char *add_crop(struct oro_document *doc, const struct oro_registry *registry,
                            const struct oro_world_region *region, const char *node, const char *output,
                            struct oro_arena *arena, struct oro_error *err)
{
    const struct oro_node_type *crop = oro_registry_find(registry, "crop");
    enum oro_type type = oro_rendered_type(doc, registry, node, output, err);
    if (type == ORO_NONE)
        return NULL;
    if (!crop || (type != ORO_FIELD && type != ORO_UPLIFT)) {
        oro_fail(err, ORO_E_USAGE,
                 "--region cuts rasters, and '%.60s.%.60s' is %s: choose others with --output", node, output,
                 oro_type_phrase(type));
        return NULL;
    }
    const char *id = free_id(doc, "region", arena);
    if (!id)
        no_memory(err);
    return id && oro_edit_add_node(doc, id, crop->id, crop->version, 0, 0, err) &&
                   oro_edit_set(doc, id, "method", region->shares ? "fractions" : "metres", err) &&
                   set_number(doc, id, "x", region->x, err) && set_number(doc, id, "y", region->y, err) &&
                   set_number(doc, id, "width", region->width, err) &&
                   set_number(doc, id, "height", region->height, err) &&
                   oro_edit_connect(doc, id, crop->inputs[0].name, node, output, err)
               ? id
               : NULL;
}

/* Edits replace the node, so that it is asked for again with every input. */
static bool crop_links(struct oro_document *doc, const struct oro_registry *registry,
                       const struct oro_world_region *region, const char *sink, struct oro_arena *arena,
                       struct oro_error *err)
{
    const struct oro_node_type *crop = oro_registry_find(registry, "crop");
    for (size_t i = 0; crop && i < oro_document_find(doc, sink)->input_count; i++) {
        const struct oro_doc_input *input = &oro_document_find(doc, sink)->inputs[i];
        enum oro_type type =
            input->from_node ? oro_rendered_type(doc, registry, input->from_node, input->from_output, NULL)
                             : ORO_NONE;
        if (type != ORO_FIELD && type != ORO_UPLIFT)
            continue;
        const char *name = oro_arena_text(arena, input->name);
        const char *id = add_crop(doc, registry, region, input->from_node, input->from_output, arena, err);
        if (!id || !name || !oro_edit_connect(doc, sink, name, id, crop->outputs[0].name, err))
            return false;
    }
    return true;
}

bool oro_prepare_region(struct oro_document *doc, const struct oro_registry *registry,
                        const struct oro_world_region *region, struct oro_rendered *one,
                        struct oro_arena *arena, struct oro_error *err)
{
    if (!one->output)
        return crop_links(doc, registry, region, one->node, arena, err);
    const char *id = add_crop(doc, registry, region, one->node, one->output, arena, err);
    if (!id)
        return false;
    one->node = id;
    one->output = oro_registry_find(registry, "crop")->outputs[0].name;
    return true;
}

/* ---- The sea ---- */

static const struct oro_doc_port *offered_sea(const struct oro_document *doc)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output && strcmp(port->name, oro_role_name(ORO_ROLE_SEA)) == 0)
            return port;
    }
    return NULL;
}

/* What is not offered with the sea may be another terrain, long before the sea is known. */
static bool is_offered(const struct oro_document *doc, const char *node, const char *output)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output && strcmp(port->node, node) == 0 && output && strcmp(port->socket, output) == 0)
            return true;
    }
    return false;
}

/* The node that the terrain of a node comes from. */
static const struct oro_doc_node *above(const struct oro_document *doc, const struct oro_doc_node *node,
                                        const struct oro_node_type *type)
{
    const struct oro_input *terrain = oro_type_input_as(type, ORO_ROLE_TERRAIN);
    const struct oro_doc_input *input = terrain ? oro_doc_node_input(node, terrain->name) : NULL;
    return input && input->from_node ? oro_document_find(doc, input->from_node) : NULL;
}

bool oro_sea_of(const struct oro_document *doc, const struct oro_registry *registry, const char *id,
                const char *output, struct oro_rendered *sea)
{
    const struct oro_doc_node *node = oro_document_find(doc, id);
    const char *name = oro_role_name(ORO_ROLE_SEA);
    for (size_t hops = 0; node && hops <= oro_document_node_count(doc); hops++) {
        const struct oro_node_type *type = oro_type_of(registry, doc, node, NULL);
        const struct oro_output *gives = type && !node->mute ? oro_type_output_as(type, ORO_ROLE_SEA) : NULL;
        if (gives && (hops > 0 || !output || strcmp(output, gives->name) != 0)) {
            *sea = (struct oro_rendered){name, node->id, gives->name};
            return true;
        }
        node = type ? above(doc, node, type) : NULL;
    }
    const struct oro_doc_port *port = offered_sea(doc);
    if (!port || !is_offered(doc, id, output) ||
        (strcmp(port->node, id) == 0 && output && strcmp(port->socket, output) == 0) ||
        oro_rendered_type(doc, registry, port->node, port->socket, NULL) != ORO_FIELD)
        return false;
    *sea = (struct oro_rendered){name, port->node, port->socket};
    return true;
}

bool oro_prepare_seas(struct oro_document *doc, const struct oro_registry *registry, struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_type_of(registry, doc, node, NULL);
        const struct oro_input *takes = type && type->sink ? oro_type_input_as(type, ORO_ROLE_SEA) : NULL;
        const struct oro_doc_input *terrain = takes ? oro_doc_node_input(node, "terrain") : NULL;
        const struct oro_doc_input *given = takes ? oro_doc_node_input(node, takes->name) : NULL;
        struct oro_rendered sea;
        if (!terrain || !terrain->from_node || (given && given->from_node) ||
            !oro_sea_of(doc, registry, terrain->from_node, terrain->from_output, &sea))
            continue;
        if (!oro_edit_connect(doc, node->id, takes->name, sea.node, sea.output, err))
            return false;
    }
    return true;
}
