/* Edits of everything but nodes: world, title, frames, interface, variables, groups. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/document/document_private.h"
#include "graph/document/variable.h"

/* ---- World and title ---- */

bool oro_edit_world(struct oro_document *doc, const struct oro_world *world, struct oro_error *err)
{
    static const char *const names[] = {"extent", "resolution", "aspect", "seed",
                                        "sea",    "crs",        "origin", "from"};
    enum { NAMES = sizeof names / sizeof names[0] };
    if (!oro_world_valid(world, err) || !oro_edit_need_text(world->crs, err) ||
        !oro_edit_need_text(world->from, err))
        return false;
    for (int i = 0; i < ORO_WORLD_NUMBERS; i++)
        if (!oro_edit_need_text(world->exprs[i], err))
            return false;
    bool same = oro_world_same(oro_document_world(doc), world);
    for (size_t i = 0; i < NAMES && doc->world; i++)
        same = same && !oro_attributes_have(&doc->world->other, names[i]);
    if (same)
        return true;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *item =
        doc->world ? oro_edit_clone(&edit, doc->world)
                   : oro_edit_insert(&edit, doc->about ? doc->about->place + 1 : 0, ORO_ITEM_WORLD);
    bool ok = item && oro_item_set_world(item, world);
    for (size_t i = 0; i < NAMES && ok; i++)
        oro_attributes_remove(&item->other, names[i]);
    return oro_edit_finish(&edit, ok, "Change world", err);
}

/* What is "" is not said. */
static bool set_part(char **part, const char *text)
{
    return oro_set_text(part, text && *text ? text : NULL);
}

static bool change_about(struct oro_document *doc, const struct oro_doc_about *about, const char *name,
                         struct oro_error *err)
{
    const struct oro_doc_about before = oro_document_about(doc);
    const char *const old[] = {before.title, before.category, before.doc, before.words};
    const char *const wanted[] = {about->title, about->category, about->doc, about->words};
    bool same = true;
    for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) {
        if (!oro_edit_need_text(wanted[i], err))
            return false;
        same = same && oro_same_text(old[i] ? old[i] : "", wanted[i] ? wanted[i] : "");
    }
    if (same)
        return true;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *item =
        doc->about ? oro_edit_clone(&edit, doc->about) : oro_edit_insert(&edit, 0, ORO_ITEM_ABOUT);
    bool ok = item && set_part(&item->about.title, about->title) &&
              set_part(&item->about.category, about->category) && set_part(&item->about.doc, about->doc) &&
              set_part(&item->about.words, about->words);
    return oro_edit_finish(&edit, ok, name, err);
}

bool oro_edit_title(struct oro_document *doc, const char *title, struct oro_error *err)
{
    struct oro_doc_about about = oro_document_about(doc);
    about.title = (char *)title; /* only read */
    return change_about(doc, &about, "Change title", err);
}

bool oro_edit_about(struct oro_document *doc, const struct oro_doc_about *about, struct oro_error *err)
{
    return change_about(doc, about, "Change description", err);
}

/* ---- Frames ---- */

static bool need_frame(const struct oro_doc_frame *frame, struct oro_error *err)
{
    const double numbers[] = {frame->x, frame->y, frame->width, frame->height};
    return oro_edit_need_finite(numbers, 4, err) && oro_edit_need_text(frame->title, err);
}

static bool set_frame(struct oro_item *item, const struct oro_doc_frame *frame)
{
    static const char *const names[] = {"x", "y", "width", "height"};
    if (!item || !oro_set_text(&item->frame.title, frame->title))
        return false;
    item->frame.x = frame->x;
    item->frame.y = frame->y;
    item->frame.width = frame->width;
    item->frame.height = frame->height;
    for (size_t i = 0; i < 4; i++)
        oro_attributes_remove(&item->frame.other, names[i]);
    return true;
}

bool oro_edit_add_frame(struct oro_document *doc, const struct oro_doc_frame *frame, struct oro_error *err)
{
    if (!need_frame(frame, err))
        return false;
    struct oro_edit edit = {.doc = doc};
    size_t place = doc->frame_count ? doc->frames[doc->frame_count - 1]->place + 1 : doc->item_count;
    return oro_edit_finish(&edit, set_frame(oro_edit_insert(&edit, place, ORO_ITEM_FRAME), frame),
                           "Add frame", err);
}

bool oro_edit_frame(struct oro_document *doc, size_t index, const struct oro_doc_frame *frame,
                    struct oro_error *err)
{
    if (index >= doc->frame_count)
        return oro_edit_refuse(err, NULL, "there is no frame %zu", index);
    if (!need_frame(frame, err))
        return false;
    struct oro_edit edit = {.doc = doc};
    return oro_edit_finish(&edit, set_frame(oro_edit_clone(&edit, doc->frames[index]), frame), "Change frame",
                           err);
}

bool oro_edit_remove_frame(struct oro_document *doc, size_t index, struct oro_error *err)
{
    if (index >= doc->frame_count)
        return oro_edit_refuse(err, NULL, "there is no frame %zu", index);
    struct oro_edit edit = {.doc = doc};
    struct oro_item *item = doc->frames[index];
    return oro_edit_finish(&edit, oro_edit_change(&edit, item->place, item, NULL), "Remove frame", err);
}

/* ---- Interface ---- */

static size_t find_port(const struct oro_document *doc, bool is_output, const char *name)
{
    size_t count = oro_document_port_count(doc), i = 0;
    while (i < count && (doc->interface->ports.items[i].is_output != is_output ||
                         strcmp(doc->interface->ports.items[i].name, name) != 0))
        i++;
    return i;
}

static size_t place_for_interface(const struct oro_document *doc)
{
    if (doc->variable_count > 0)
        return doc->variables[doc->variable_count - 1]->place + 1;
    const struct oro_item *before = doc->world ? doc->world : doc->about;
    return before ? before->place + 1 : 0;
}

/* Whether the interface, without the entry to be replaced, already has what the new entry would add. */
static bool has_port(const struct oro_document *doc, const struct oro_doc_port *port, size_t replaced)
{
    for (size_t i = find_port(doc, port->is_output, port->name); i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *other = oro_document_port(doc, i);
        bool same =
            i != replaced && other->is_output == port->is_output && strcmp(other->name, port->name) == 0;
        if (same && (port->is_output ||
                     (strcmp(other->node, port->node) == 0 && strcmp(other->socket, port->socket) == 0)))
            return true;
    }
    return false;
}

static bool need_port(const struct oro_document *doc, const struct oro_doc_port *port, size_t replaced,
                      struct oro_error *err)
{
    bool to_variable = !port->is_output && !*port->node;
    if (!oro_edit_need_name(port->name, "an interface entry", err) ||
        !oro_edit_need_name(port->socket, "a node's input or output", err))
        return false;
    for (int i = 0; i < ORO_PORT_TEXTS; i++)
        if (!oro_edit_need_text(port->texts[i], err))
            return false;
    if (to_variable && !oro_document_find_variable(doc, port->socket))
        return oro_edit_refuse(err, NULL, "there is no variable '%.100s'", port->socket);
    if (!to_variable && !oro_edit_need_node(doc, port->node, err))
        return false;
    return !has_port(doc, port, replaced) ||
           oro_edit_refuse(err, NULL, "the interface has an %s '%s' already",
                           port->is_output ? "output" : "input", port->name);
}

static bool fill_port(struct oro_doc_port *to, const struct oro_doc_port *from)
{
    to->is_output = from->is_output;
    for (int i = 0; i < ORO_PORT_TEXTS; i++)
        if (!oro_set_text(&to->texts[i], from->texts[i]))
            return false;
    return oro_set_text(&to->name, from->name) && oro_set_text(&to->node, from->node) &&
           oro_set_text(&to->socket, from->socket);
}

bool oro_edit_add_port(struct oro_document *doc, const struct oro_doc_port *port, struct oro_error *err)
{
    if (!need_port(doc, port, SIZE_MAX, err))
        return false;
    if (oro_document_port_count(doc) >= ORO_DOCUMENT_PORTS_MAX)
        return oro_fail(err, ORO_E_LIMIT, "an interface holds at most %d entries", ORO_DOCUMENT_PORTS_MAX);
    struct oro_edit edit = {.doc = doc};
    struct oro_item *item =
        doc->interface ? oro_edit_clone(&edit, doc->interface)
                       : oro_edit_insert(&edit, place_for_interface(doc), ORO_ITEM_INTERFACE);
    struct oro_doc_port *added = item ? oro_item_add_port(item) : NULL;
    return oro_edit_finish(&edit, added && fill_port(added, port), "Add to the interface", err);
}

static bool need_entry(const struct oro_document *doc, size_t index, struct oro_error *err)
{
    return index < oro_document_port_count(doc) ||
           oro_edit_refuse(err, NULL, "the interface has no entry %zu", index);
}

static bool same_port(const struct oro_doc_port *a, const struct oro_doc_port *b)
{
    for (int i = 0; i < ORO_PORT_TEXTS; i++)
        if (!oro_same_text(a->texts[i], b->texts[i]))
            return false;
    return a->is_output == b->is_output && oro_same_text(a->name, b->name) &&
           oro_same_text(a->node, b->node) && oro_same_text(a->socket, b->socket);
}

bool oro_edit_port(struct oro_document *doc, size_t index, const struct oro_doc_port *port,
                   struct oro_error *err)
{
    if (!need_entry(doc, index, err) || !need_port(doc, port, index, err))
        return false;
    if (same_port(oro_document_port(doc, index), port))
        return true;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *clone = oro_edit_clone(&edit, doc->interface);
    return oro_edit_finish(&edit, clone && fill_port(&clone->ports.items[index], port),
                           "Change the interface", err);
}

bool oro_edit_drop_port(struct oro_document *doc, size_t index, struct oro_error *err)
{
    if (!need_entry(doc, index, err))
        return false;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *clone = oro_edit_clone(&edit, doc->interface);
    if (clone)
        oro_item_remove_port(clone, index);
    return oro_edit_finish(&edit, clone, "Remove from the interface", err);
}

bool oro_edit_remove_port(struct oro_document *doc, bool is_output, const char *name, struct oro_error *err)
{
    if (find_port(doc, is_output, name) == oro_document_port_count(doc))
        return oro_edit_refuse(err, NULL, "the interface has no %s '%.100s'", is_output ? "output" : "input",
                               name);
    struct oro_edit edit = {.doc = doc};
    struct oro_item *clone = oro_edit_clone(&edit, doc->interface);
    for (size_t i = clone ? clone->ports.count : 0; i-- > 0;)
        if (clone->ports.items[i].is_output == is_output && strcmp(clone->ports.items[i].name, name) == 0)
            oro_item_remove_port(clone, i);
    return oro_edit_finish(&edit, clone, "Remove from the interface", err);
}

/* ---- Variables ---- */

static struct oro_item *variable_item(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < doc->variable_count; i++)
        if (strcmp(doc->variables[i]->variable.name, name) == 0)
            return doc->variables[i];
    return NULL;
}

/* After the last variable; without variables, after about and world. */
static size_t place_for_variable(const struct oro_document *doc)
{
    if (doc->variable_count > 0)
        return doc->variables[doc->variable_count - 1]->place + 1;
    const struct oro_item *before = doc->world ? doc->world : doc->about;
    return before ? before->place + 1 : 0;
}

static bool need_variable(const struct oro_document *doc, const struct oro_doc_variable *variable,
                          struct oro_error *err)
{
    double number;
    const char *const texts[] = {variable->expr, variable->unit, variable->label, variable->doc};
    if (!oro_is_variable_name(variable->name))
        return oro_edit_refuse(err, NULL, "'%.100s' cannot be the name of a variable", variable->name);
    if (!variable->value == !variable->expr)
        return oro_edit_refuse(err, NULL, "variable '%s' needs a value or an expression", variable->name);
    if (variable->value && !oro_parse_number(variable->value, &number))
        return oro_edit_refuse(err, NULL, "'%.60s' is not a number", variable->value);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!oro_edit_need_text(texts[i], err))
            return false;
    if (!variable_item(doc, variable->name) && doc->variable_count >= ORO_DOCUMENT_VARIABLES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "a document holds at most %d variables",
                        ORO_DOCUMENT_VARIABLES_MAX);
    return true;
}

static bool same_variable(const struct oro_doc_variable *a, const struct oro_doc_variable *b)
{
    return oro_same_text(a->value, b->value) && oro_same_text(a->expr, b->expr) &&
           oro_same_text(a->unit, b->unit) && oro_same_text(a->label, b->label) &&
           oro_same_text(a->doc, b->doc) && !oro_attributes_have(&a->other, "expr");
}

bool oro_edit_variable(struct oro_document *doc, const struct oro_doc_variable *variable,
                       struct oro_error *err)
{
    if (!need_variable(doc, variable, err))
        return false;
    struct oro_item *old = variable_item(doc, variable->name);
    if (old && same_variable(&old->variable, variable))
        return true;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *item =
        old ? oro_edit_clone(&edit, old) : oro_edit_insert(&edit, place_for_variable(doc), ORO_ITEM_VARIABLE);
    struct oro_doc_variable *to = item ? &item->variable : NULL;
    bool ok = to && oro_set_text(&to->name, variable->name) && oro_set_text(&to->value, variable->value) &&
              oro_set_text(&to->expr, variable->expr) && oro_set_text(&to->unit, variable->unit) &&
              oro_set_text(&to->label, variable->label) && oro_set_text(&to->doc, variable->doc);
    if (to)
        oro_attributes_remove(&to->other, "expr");
    char name[128];
    snprintf(name, sizeof name, "Set variable %.100s", variable->name);
    return oro_edit_finish(&edit, ok, name, err);
}

static bool remove_item(struct oro_document *doc, struct oro_item *item, const char *name,
                        struct oro_error *err)
{
    struct oro_edit edit = {.doc = doc};
    return oro_edit_finish(&edit, oro_edit_change(&edit, item->place, item, NULL), name, err);
}

bool oro_edit_remove_variable(struct oro_document *doc, const char *name, struct oro_error *err)
{
    struct oro_item *item = variable_item(doc, name);
    return item ? remove_item(doc, item, "Remove variable", err)
                : oro_edit_refuse(err, NULL, "there is no variable '%.100s'", name);
}

/* ---- Builds ---- */

static struct oro_item *build_item(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < doc->build_count; i++)
        if (strcmp(doc->builds[i]->build.name, name) == 0)
            return doc->builds[i];
    return NULL;
}

/* After the last build; without builds, as a variable's, behind the interface. */
static size_t place_for_build(const struct oro_document *doc)
{
    if (doc->build_count > 0)
        return doc->builds[doc->build_count - 1]->place + 1;
    return doc->interface ? doc->interface->place + 1 : place_for_variable(doc);
}

static bool same_build(const struct oro_doc_build *a, const struct oro_doc_build *b)
{
    return oro_same_text(a->resolution, b->resolution) && oro_same_text(a->engine, b->engine) &&
           oro_same_text(a->outputs, b->outputs);
}

bool oro_edit_build(struct oro_document *doc, const struct oro_doc_build *build, struct oro_error *err)
{
    struct oro_item *old = build_item(doc, build->name);
    if (!oro_edit_need_name(build->name, "a build", err) || !oro_edit_need_text(build->resolution, err) ||
        !oro_edit_need_text(build->engine, err) || !oro_edit_need_text(build->outputs, err))
        return false;
    if (old && same_build(&old->build, build))
        return true;
    if (!old && doc->build_count >= ORO_DOCUMENT_BUILDS_MAX)
        return oro_fail(err, ORO_E_LIMIT, "a document holds at most %d builds", ORO_DOCUMENT_BUILDS_MAX);
    struct oro_edit edit = {.doc = doc};
    struct oro_item *item =
        old ? oro_edit_clone(&edit, old) : oro_edit_insert(&edit, place_for_build(doc), ORO_ITEM_BUILD);
    struct oro_doc_build *to = item ? &item->build : NULL;
    bool ok = to && oro_set_text(&to->name, build->name) &&
              oro_set_text(&to->resolution, build->resolution) && oro_set_text(&to->engine, build->engine) &&
              oro_set_text(&to->outputs, build->outputs);
    char name[128];
    snprintf(name, sizeof name, "Set build %.100s", build->name);
    return oro_edit_finish(&edit, ok, name, err);
}

bool oro_edit_remove_build(struct oro_document *doc, const char *name, struct oro_error *err)
{
    struct oro_item *item = build_item(doc, name);
    return item ? remove_item(doc, item, "Remove build", err)
                : oro_edit_refuse(err, NULL, "there is no build '%.100s'", name);
}

/* ---- Groups ---- */

static struct oro_item *group_item(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < doc->group_count; i++)
        if (strcmp(doc->groups[i]->group.name, name) == 0)
            return doc->groups[i];
    return NULL;
}

/* After the last group; without groups, before the nodes, which use them. */
static size_t place_for_group(const struct oro_document *doc)
{
    if (doc->group_count > 0)
        return doc->groups[doc->group_count - 1]->place + 1;
    if (doc->node_count > 0)
        return doc->nodes[0]->place;
    return doc->interface ? doc->interface->place + 1 : place_for_variable(doc);
}

bool oro_edit_group(struct oro_document *doc, const char *name, const struct oro_document *body,
                    struct oro_error *err)
{
    struct oro_item *old = group_item(doc, name);
    if (!oro_edit_need_name(name, "a group", err))
        return false;
    if (body->group_count > 0)
        return oro_edit_refuse(err, NULL, "a group cannot hold groups of its own");
    if (!old && doc->group_count >= ORO_DOCUMENT_GROUPS_MAX)
        return oro_fail(err, ORO_E_LIMIT, "a document holds at most %d groups", ORO_DOCUMENT_GROUPS_MAX);
    struct oro_edit edit = {.doc = doc};
    struct oro_item *item =
        old ? oro_edit_clone(&edit, old) : oro_edit_insert(&edit, place_for_group(doc), ORO_ITEM_GROUP);
    bool ok = item && oro_set_text(&item->group.name, name);
    if (ok) {
        oro_document_destroy(item->group.body);
        item->group.body = oro_document_clone(body);
        ok = item->group.body && oro_document_set_path(item->group.body, doc->path);
    }
    char title[128];
    snprintf(title, sizeof title, "Set group %.100s", name);
    return oro_edit_finish(&edit, ok, title, err);
}

bool oro_edit_remove_group(struct oro_document *doc, const char *name, struct oro_error *err)
{
    struct oro_item *item = group_item(doc, name);
    return item ? remove_item(doc, item, "Remove group", err)
                : oro_edit_refuse(err, NULL, "there is no group '%.100s'", name);
}
