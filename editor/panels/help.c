/* Help: the guide, and a page for each node type, made from its descriptor. */
#include <stdio.h>
#include <string.h>

#include "editor/panels/guide.h"
#include "editor/panels/panels_private.h"
#include "graph/derived/assets.h"

void ed_help_open(struct ed_session *session, const char *type)
{
    struct ed_help *help = &session->panels->help;
    const struct oro_doc_node *node = type ? NULL : ed_selected_node(session);
    if (node)
        type = node->href ? node->href : node->type;
    if (type) {
        snprintf(help->type, sizeof help->type, "%s", type);
        help->page = -1;
    } else if (!help->type[0] && help->page < 0) {
        help->page = 0;
    }
    help->open = help->scroll = true;
    ed_wake(session);
}

/* ---- Left: the list */

static void draw_guide_list(struct ed_help *help)
{
    ui_font_push(UI_BOLD);
    ui_text_coloured(ui_colour(UI_ACCENT), "Guide");
    ui_font_pop();
    for (int i = 0; ed_guide[i].title; i++) {
        ui_name("help:guide:%d", i);
        if (ui_selectable(ed_guide[i].title, help->page == i, 0))
            help->page = i;
    }
}

static void draw_entry(struct ed_help *help, const struct ed_asset *asset)
{
    ui_id_push(asset->key);
    ui_name("help:%s", asset->key);
    bool here = help->page < 0 && strcmp(help->type, asset->key) == 0;
    if (ui_selectable(asset->label, here, 0)) {
        snprintf(help->type, sizeof help->type, "%s", asset->key);
        help->page = -1;
    }
    if (here && help->scroll)
        ui_scroll_here();
    ui_id_pop();
}

static void draw_all(struct ed_help *help, const struct ed_assets *assets)
{
    const char *category = "";
    char name[64];
    draw_guide_list(help);
    for (size_t i = 0; i < assets->count; i++) {
        const struct ed_asset *asset = &assets->items[i];
        if (ed_asset_is_variant(asset))
            continue;
        if (strcmp(category, asset->category) != 0) {
            ui_spacing();
            ui_font_push(UI_BOLD);
            ui_text_coloured(ed_category_colour(asset->category), "%s",
                             ed_category_title(asset->category, name, sizeof name));
            ui_font_pop();
        }
        category = asset->category;
        draw_entry(help, asset);
    }
}

static int no_presets(const void *user, const struct ed_asset *asset)
{
    (void)user;
    return asset->kind == ED_ASSET_PRESET ? -1 : 0;
}

/* Help is about the thing, however it is set up: a use leads to its type. */
static void draw_found(struct ed_help *help, const struct ed_assets *assets)
{
    if (help->serial != assets->serial || strcmp(help->listed, help->typed) != 0) {
        ed_assets_search(assets, help->typed, no_presets, NULL, &help->found);
        snprintf(help->listed, sizeof help->listed, "%s", help->typed);
        help->serial = assets->serial;
    }
    for (size_t i = 0; i < help->found.count; i++) {
        const struct ed_asset *asset = &assets->items[help->found.items[i].index];
        if (asset->use)
            asset = ed_assets_find(assets, asset->type);
        bool listed = false;
        for (size_t k = 0; k < i && !asset->href && !listed; k++)
            listed = strcmp(assets->items[help->found.items[k].index].type, asset->type) == 0;
        if (!listed)
            draw_entry(help, asset);
    }
}

static void draw_list(struct ed_session *session)
{
    struct ed_help *help = &session->panels->help;
    const struct ed_assets *assets = ed_panels_assets(session);
    if (help->typed[strspn(help->typed, " ")])
        draw_found(help, assets);
    else
        draw_all(help, assets);
    help->scroll = false;
}

/* ---- Right: a page */

static const char *number(double value, char *out, size_t size)
{
    snprintf(out, size, "%.6g", value);
    return out;
}

static const char *default_of(const struct oro_input *input, char *out, size_t size)
{
    if (input->text)
        snprintf(out, size, "%s", input->text);
    else if (input->type == ORO_CHOICE && input->choices)
        snprintf(out, size, "%s", input->choices[(size_t)input->value]);
    else if (input->type == ORO_BOOL)
        snprintf(out, size, "%s", input->value != 0 ? "true" : "false");
    else if (input->type == ORO_FLOAT || input->type == ORO_INT)
        number(input->value, out, size);
    else
        snprintf(out, size, "%s", input->optional ? "optional" : "");
    return out;
}

static const char *range_of(const struct oro_input *input, char *out, size_t size)
{
    char low[32], high[32];
    size_t used = 0;
    out[0] = '\0';
    if (input->type == ORO_CHOICE)
        for (const char *const *word = input->choices; word && *word && used < size - 1; word++) {
            int more = snprintf(out + used, size - used, "%s%s", used ? ", " : "", *word);
            used = more < 0 || used + (size_t)more >= size ? size - 1 : used + (size_t)more;
        }
    else if (input->min != 0 || input->max != 0)
        snprintf(out, size, "%s … %s", number(input->min, low, sizeof low),
                 number(input->max, high, sizeof high));
    return out;
}

static void draw_inputs(const struct oro_node_type *type)
{
    char text[300];
    if (!type->inputs || !type->inputs->name || !ui_table_begin("inputs", 4, UI_TABLE_ROWS | UI_TABLE_LINES))
        return;
    ui_table_column("Input", 150 * ui_scale());
    ui_table_column("Type", 92 * ui_scale());
    ui_table_column("Default", 110 * ui_scale());
    ui_table_column("What it does", 0);
    ui_table_headers();
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        ui_table_row();
        ui_table_next();
        ui_font_push(UI_MONO);
        ui_text("%s", input->name);
        ui_font_pop();
        ui_table_next();
        ui_text_coloured(ui_colour(UI_MUTED), "%s%s", oro_type_name(input->type), input->map ? ", map" : "");
        if (input->unit != ORO_NO_UNIT)
            ui_text_coloured(ui_colour(UI_MUTED), "%s", oro_unit_name(input->unit));
        ui_table_next();
        ui_text_wrapped(default_of(input, text, sizeof text));
        ui_table_next();
        if (input->doc)
            ed_draw_markdown(input->doc);
        range_of(input, text, sizeof text);
        if (text[0]) {
            ui_font_push(UI_SMALL);
            ui_text_wrapped(text);
            ui_font_pop();
        }
    }
    ui_table_end();
}

static void draw_outputs(const struct oro_node_type *type)
{
    if (!type->outputs || !type->outputs->name ||
        !ui_table_begin("outputs", 3, UI_TABLE_ROWS | UI_TABLE_LINES))
        return;
    ui_table_column("Output", 150 * ui_scale());
    ui_table_column("Type", 92 * ui_scale());
    ui_table_column("What it is", 0);
    ui_table_headers();
    for (const struct oro_output *output = type->outputs; output->name; output++) {
        ui_table_row();
        ui_table_next();
        ui_font_push(UI_MONO);
        ui_text("%s", output->name);
        ui_font_pop();
        ui_table_next();
        ui_text_coloured(ui_colour(UI_MUTED), "%s %s", oro_type_name(output->type),
                         oro_unit_name(output->unit));
        ui_table_next();
        if (output->doc)
            ed_draw_markdown(output->doc);
    }
    ui_table_end();
}

/* The node type that a key stands for: one that is built in, a script, or a graph. */
static const struct oro_node_type *type_of(struct ed_session *session, const char *key, struct oro_error *err)
{
    const struct oro_document *root = ed_project_root(session->project);
    const struct ed_asset *asset = ed_assets_find(&session->panels->assets, key);
    char id[] = "asset", type[] = ORO_GRAPH_TYPE;
    struct oro_doc_node node = {.id = id, .type = type, .version = 1, .href = (char *)key};
    if (asset ? asset->href != NULL : key[0] == '#')
        return oro_type_of(&session->registry, root, &node, err);
    return oro_type_named(&session->registry, oro_document_path(root), key, err);
}

static void draw_buttons(struct ed_session *session, const struct ed_asset *asset)
{
    char *example = asset->kind == ED_ASSET_TYPE ? ed_example_of(asset->category, asset->type) : NULL;
    const char *path = example ? example : asset->kind == ED_ASSET_GRAPH ? asset->path : NULL;
    if (path) {
        ui_name("help:example");
        if (ui_button(example ? "Open example" : "Open as a copy", 0, 0))
            ed_open_example(session, path);
    }
    oro_free(example);
}

static void draw_type(struct ed_session *session)
{
    const struct ed_help *help = &session->panels->help;
    const struct ed_asset *asset = ed_assets_find(&session->panels->assets, help->type);
    struct oro_error err = {0};
    char name[128];
    const struct oro_node_type *type = type_of(session, help->type, &err);
    ui_font_push(UI_LARGE);
    ui_text("%s", asset ? asset->label : ed_pretty_name(help->type, name, sizeof name));
    ui_font_pop();
    ui_font_push(UI_SMALL);
    ui_text_coloured(ui_colour(UI_MUTED), "%s%s%s", help->type, type ? ", version " : "", "");
    if (type) {
        ui_same_line(0);
        ui_text_coloured(ui_colour(UI_MUTED), "%d", type->version);
    }
    ui_font_pop();
    ui_spacing();
    if (!type) {
        ui_text_coloured(ui_colour(UI_BAD), "It cannot be used:");
        ui_text_wrapped(err.text);
        return;
    }
    if (type->doc)
        ed_draw_markdown(type->doc);
    if (type->paper) {
        ui_spacing();
        ui_text_coloured(ui_colour(UI_MUTED), "After %s", type->paper);
    }
    ui_spacing();
    if (asset)
        draw_buttons(session, asset);
    ui_spacing();
    draw_inputs(type);
    ui_spacing();
    draw_outputs(type);
}

static void draw_page(struct ed_session *session)
{
    const struct ed_help *help = &session->panels->help;
    if (help->page < 0) {
        draw_type(session);
        return;
    }
    ui_font_push(UI_LARGE);
    ui_text("%s", ed_guide[help->page].title);
    ui_font_pop();
    ui_spacing();
    ed_draw_markdown(ed_guide[help->page].text);
    if (help->page == 0) {
        ui_spacing();
        ui_name("help:tour");
        if (ui_button("Take the tour", 0, 0))
            ed_tour_start(session);
        ui_same_line(-1);
        if (ui_button("Keyboard and mouse", 0, 0))
            ed_keys_open(session);
    }
}

void ed_help_draw(struct ed_session *session)
{
    struct ed_help *help = &session->panels->help;
    if (!help->open)
        return;
    if (ui_window_begin("Help", &help->open, 900 * ui_scale(), 620 * ui_scale(), 0)) {
        if (ui_child_begin("left", 210 * ui_scale(), 0, 0)) {
            ui_item_width(-1);
            ui_name("help:search");
            if (ui_input("##search", "Search", help->typed, sizeof help->typed, 0))
                help->scroll = false;
            if (ui_child_begin("list", 0, 0, 0))
                draw_list(session);
            ui_child_end();
        }
        ui_child_end();
        ui_same_line(14 * ui_scale());
        ui_id_push(help->page < 0 ? help->type : ed_guide[help->page].title);
        if (ui_child_begin("page", 0, 0, 0))
            draw_page(session);
        ui_child_end();
        ui_id_pop();
    }
    ui_window_end();
}
