/* Makes the canvas' items and links from a document. */
#include "editor/canvas/model.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/ui/category.h"
#include "graph/derived/assets.h"

/* An output that a link names, but that the node's type does not have. */
struct ghost {
    size_t item;
    const char *name;
};
struct build {
    struct ed_model *model;
    const struct ed_model_source *source;
    struct ghost *ghosts;
    size_t ghost_count, ghost_capacity;
    bool failed;
};

static char *keep(struct build *build, const char *text)
{
    char *copy = oro_arena_text(build->model->arena, text ? text : "");
    build->failed |= !copy;
    return copy;
}

static void *room(struct build *build, size_t count, size_t size)
{
    void *memory = oro_arena_alloc(build->model->arena, count ? count : 1, size);
    build->failed |= !memory;
    return memory;
}

/* ---- Nodes ---- */

static const char *note_text(const struct oro_doc_node *node)
{
    const struct oro_doc_input *text = oro_doc_node_input(node, "text");
    return text && text->value ? text->value : "";
}

static float note_side(const struct oro_doc_node *node, const char *name, float standard)
{
    const struct oro_doc_input *input = oro_doc_node_input(node, name);
    double side = 0;
    bool given = input && input->value && oro_parse_number(input->value, &side);
    return given && side >= 20 && side <= 10000 ? (float)side : standard;
}

static enum ed_item_kind kind_of(const struct oro_node_type *type)
{
    if (!type)
        return ED_ITEM_BROKEN;
    if (!strcmp(type->id, "note"))
        return ED_ITEM_NOTE;
    return !strcmp(type->id, "reroute") ? ED_ITEM_REROUTE : ED_ITEM_NODE;
}

static void name_item(struct build *build, struct ed_item *item, const struct oro_doc_node *node)
{
    char label[128];
    const char *title = NULL;
    struct oro_graph graph;
    if (item->graph && oro_graph_find(build->source->registry, build->source->root, node, &graph, NULL))
        title = oro_document_title(graph.doc);
    if (!title || !title[0]) {
        title = item->graph && node->href ? ed_pretty_graph(node->href, label, sizeof label)
                                          : ed_pretty_name(node->type, label, sizeof label);
    }
    item->label = keep(build, title);
}

static void begin_item(struct build *build, struct ed_item *item, const struct oro_doc_node *node)
{
    item->type = oro_type_of(build->source->registry, build->source->root, node, NULL);
    item->kind = kind_of(item->type);
    item->id = keep(build, node->id);
    item->graph = oro_node_is_graph(node);
    item->group = item->graph && node->href && node->href[0] == '#' && item->type;
    item->muted = node->mute;
    item->collapsed = node->collapsed && item->kind != ED_ITEM_REROUTE && item->kind != ED_ITEM_NOTE;
    item->picture =
        item->kind == ED_ITEM_NODE && item->type && item->type->outputs && item->type->outputs[0].name;
    item->unfolded = build->source->unfolded && ed_names_have(build->source->unfolded, node->id);
    item->x = node->x;
    item->y = node->y;
    name_item(build, item, node);
    if (item->kind == ED_ITEM_NOTE) {
        item->text = keep(build, note_text(node));
        item->w = note_side(node, "width", 240);
        item->h = note_side(node, "height", 120);
    }
}

/* ---- Sockets ---- */

static void add_input(struct build *build, struct ed_item *item, const struct oro_input *input)
{
    struct ed_socket *socket = &item->inputs[item->input_count++];
    char label[128];
    ed_pretty_name(input->name, label, sizeof label);
    socket->name = keep(build, input->name);
    socket->text = keep(build, input->label ? input->label : label);
    socket->input = input;
    socket->type = input->type == ORO_FLOAT ? ORO_FIELD : input->type;
    socket->needed = oro_input_required(input);
}

static bool has_input(const struct ed_item *item, const char *name)
{
    for (size_t i = 0; i < item->input_count; i++)
        if (!strcmp(item->inputs[i].name, name))
            return true;
    return false;
}

static void add_broken(struct build *build, struct ed_socket *sockets, size_t *count, const char *name)
{
    struct ed_socket *socket = &sockets[(*count)++];
    socket->name = keep(build, name);
    socket->text = socket->name;
}

static void make_inputs(struct build *build, struct ed_item *item, const struct oro_doc_node *node)
{
    size_t known = item->type ? oro_type_input_count(item->type) : 0;
    if (known > SIZE_MAX - node->input_count)
        return;
    item->inputs = room(build, known + node->input_count, sizeof *item->inputs);
    for (size_t i = 0; !build->failed && i < known; i++)
        if (oro_input_linkable(&item->type->inputs[i]))
            add_input(build, item, &item->type->inputs[i]);
    for (size_t i = 0; !build->failed && i < node->input_count; i++)
        if (node->inputs[i].from_node && !has_input(item, node->inputs[i].name))
            add_broken(build, item->inputs, &item->input_count, node->inputs[i].name);
}

static void find_ghosts(struct build *build)
{
    const struct oro_document *doc = build->source->doc;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        for (size_t k = 0; k < node->input_count; k++) {
            const struct oro_doc_input *input = &node->inputs[k];
            size_t from = input->from_node ? oro_document_find_index(doc, input->from_node) : SIZE_MAX;
            if (from == SIZE_MAX || !input->from_output)
                continue;
            const struct oro_node_type *type = build->model->items[from].type;
            if (type && oro_type_output(type, input->from_output))
                continue;
            if (!oro_reserve((void **)&build->ghosts, &build->ghost_capacity, build->ghost_count + 1,
                             sizeof *build->ghosts)) {
                build->failed = true;
                return;
            }
            build->ghosts[build->ghost_count++] = (struct ghost){from, input->from_output};
        }
    }
}

static size_t output_index(const struct ed_item *item, const char *name)
{
    for (size_t i = 0; i < item->output_count; i++)
        if (!strcmp(item->outputs[i].name, name))
            return i;
    return ED_NO_INDEX;
}

static void make_outputs(struct build *build, size_t index, const struct oro_doc_node *node)
{
    struct ed_item *item = &build->model->items[index];
    size_t known = item->type ? oro_type_output_count(item->type) : 0, ghosts = 0;
    for (size_t i = 0; i < build->ghost_count; i++)
        ghosts += build->ghosts[i].item == index;
    item->outputs = room(build, known + ghosts, sizeof *item->outputs);
    struct oro_graph graph = {build->source->doc, build->source->root};
    for (size_t i = 0; !build->failed && i < known; i++) {
        const struct oro_output *output = &item->type->outputs[i];
        struct ed_socket *socket = &item->outputs[item->output_count++];
        char label[128];
        ed_pretty_name(output->name, label, sizeof label);
        socket->name = keep(build, output->name);
        socket->text = keep(build, label);
        socket->output = output;
        socket->type = oro_output_type(build->source->registry, &graph, node, output);
    }
    for (size_t i = 0; !build->failed && i < build->ghost_count; i++)
        if (build->ghosts[i].item == index && output_index(item, build->ghosts[i].name) == ED_NO_INDEX)
            add_broken(build, item->outputs, &item->output_count, build->ghosts[i].name);
}

/* ---- Links ---- */

static size_t input_index(const struct ed_item *item, const char *name)
{
    for (size_t i = 0; i < item->input_count; i++)
        if (!strcmp(item->inputs[i].name, name))
            return i;
    return ED_NO_INDEX;
}

static void add_wire(struct build *build, size_t to, const struct oro_doc_input *input)
{
    struct ed_model *model = build->model;
    struct ed_wire *wire = &model->wires[model->wire_count];
    size_t from = oro_document_find_index(build->source->doc, input->from_node);
    *wire = (struct ed_wire){.from = from, .output = ED_NO_INDEX, .to = to};
    wire->input = input_index(&model->items[to], input->name);
    if (wire->input == ED_NO_INDEX)
        return; /* the input takes no links: oro_check says so */
    struct ed_socket *end = &model->items[to].inputs[wire->input];
    end->linked = true;
    model->items[to].link_count++;
    wire->wrong = from == SIZE_MAX || !end->input;
    if (from != SIZE_MAX) {
        wire->output = output_index(&model->items[from], input->from_output ? input->from_output : "");
        model->items[from].link_count++;
    }
    if (wire->output != ED_NO_INDEX) {
        struct ed_socket *begin = &model->items[from].outputs[wire->output];
        begin->linked = true;
        wire->type = begin->type;
        wire->wrong |= !begin->output;
    }
    model->wire_count++;
}

static void make_wires(struct build *build)
{
    const struct oro_document *doc = build->source->doc;
    size_t count = 0;
    for (size_t i = 0; i < build->model->count; i++)
        count += oro_document_node(doc, i)->input_count;
    build->model->wires = room(build, count, sizeof *build->model->wires);
    for (size_t i = 0; !build->failed && i < build->model->count; i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        for (size_t k = 0; k < node->input_count; k++)
            if (node->inputs[k].from_node)
                add_wire(build, i, &node->inputs[k]);
    }
}

/* ---- All ---- */

static void make_items(struct build *build)
{
    struct ed_model *model = build->model;
    const struct oro_document *doc = build->source->doc;
    size_t count = oro_document_node_count(doc);
    model->items = room(build, count, sizeof *model->items);
    for (size_t i = 0; !build->failed && i < count; i++)
        begin_item(build, &model->items[i], oro_document_node(doc, i));
    if (!build->failed) {
        model->count = count;
        find_ghosts(build);
    }
    for (size_t i = 0; !build->failed && i < count; i++) {
        make_inputs(build, &model->items[i], oro_document_node(doc, i));
        make_outputs(build, i, oro_document_node(doc, i));
    }
}

static void mark_exposed(struct build *build)
{
    const struct oro_document *doc = build->source->doc;
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        size_t at = port->node[0] ? oro_document_find_index(doc, port->node) : SIZE_MAX;
        if (at == SIZE_MAX)
            continue;
        struct ed_item *item = &build->model->items[at];
        size_t k = port->is_output ? output_index(item, port->socket) : input_index(item, port->socket);
        if (k != ED_NO_INDEX && port->is_output)
            item->outputs[k].exposed = true;
        else if (k != ED_NO_INDEX)
            item->inputs[k].exposed = true;
    }
}

static void make_frames(struct build *build)
{
    struct ed_model *model = build->model;
    size_t count = oro_document_frame_count(build->source->doc);
    model->frames = room(build, count, sizeof *model->frames);
    for (size_t i = 0; !build->failed && i < count; i++) {
        const struct oro_doc_frame *frame = oro_document_frame(build->source->doc, i);
        model->frames[i].title = keep(build, frame->title);
        model->frames[i].box = ed_frame_box(frame);
        model->frame_count = i + 1;
    }
}

bool ed_model_build(struct ed_model *model, const struct ed_model_source *source)
{
    ed_model_free(model);
    model->arena = oro_arena_create();
    if (!model->arena)
        return false;
    struct build build = {.model = model, .source = source};
    make_items(&build);
    if (!build.failed)
        make_wires(&build);
    if (!build.failed) {
        mark_exposed(&build);
        make_frames(&build);
    }
    oro_free(build.ghosts);
    if (build.failed) {
        ed_model_free(model);
        return false;
    }
    model->bounds = ed_no_area;
    for (size_t i = 0; i < model->count; i++) {
        struct ed_item *item = &model->items[i];
        ed_item_layout(item, item->unfolded);
        ed_area_add(&model->bounds, item->x, item->y);
        ed_area_add(&model->bounds, item->x + (double)item->w, item->y + (double)item->h);
    }
    for (size_t i = 0; i < model->frame_count; i++) {
        ed_area_add(&model->bounds, model->frames[i].box.x0, model->frames[i].box.y0);
        ed_area_add(&model->bounds, model->frames[i].box.x1, model->frames[i].box.y1);
    }
    return true;
}

void ed_model_free(struct ed_model *model)
{
    oro_arena_destroy(model->arena);
    *model = (struct ed_model){.bounds = ed_no_area};
}
