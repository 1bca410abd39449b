/* The palette: all that can be added, by category. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/panels/panels_private.h"
#include "graph/reuse/preset.h"

/* ---- Sets of names: what is folded */

static char *find_name(char set[ED_FOLDED_MAX][64], const char *name)
{
    for (int i = 0; i < ED_FOLDED_MAX; i++)
        if (strncmp(set[i], name, 63) == 0)
            return set[i];
    return NULL;
}

static void toggle_name(char set[ED_FOLDED_MAX][64], const char *name)
{
    char *at = find_name(set, name);
    if (at) {
        at[0] = '\0';
        return;
    }
    at = find_name(set, "");
    if (at)
        snprintf(at, 64, "%s", name);
}

/* ---- Tooltip */

static void sockets_line(const char *title, unsigned types)
{
    char line[200];
    size_t used = (size_t)snprintf(line, sizeof line, "%s", title);
    bool any = false;
    for (int type = ORO_FIELD; type <= ORO_NETWORK; type++)
        if (types & 1u << type && used < sizeof line - 20) {
            used += (size_t)snprintf(line + used, sizeof line - used, "%s %s", any ? "," : "",
                                     oro_type_name((enum oro_type)type));
            any = true;
        }
    if (any)
        ui_text_coloured(ui_colour(UI_MUTED), "%s", line);
}

static void draw_large(struct ed_session *session, const struct ed_asset *asset)
{
    float side = 128 * ui_scale();
    ui_area("##picture", side, side);
    ed_sample_draw(session, asset, ui_draw_here(), ui_item_rect());
}

static void draw_tooltip(struct ed_session *session, const struct ed_asset *asset)
{
    char doc[400], fault[300];
    ui_tooltip_begin();
    ui_font_push(UI_BOLD);
    ui_text("%s", asset->label);
    ui_font_pop();
    ui_text("%s", ed_summary(asset->doc, doc, sizeof doc));
    if (session->settings.show_pictures && asset->shows)
        draw_large(session, asset);
    if (ed_sample_fault(session, asset, fault, sizeof fault) && !asset->broken)
        ui_text_coloured(ui_colour(UI_BAD), "%s", fault);
    if (asset->own && asset->words[0])
        ui_text_coloured(ui_colour(UI_MUTED), "Tags: %s", asset->words);
    if (asset->known && !asset->broken) {
        sockets_line("Takes", asset->takes & ~(1u << ORO_ANY));
        sockets_line("Gives", asset->gives);
    }
    ui_tooltip_end();
}

/* ---- Rows */

static void add_chosen(struct ed_session *session, const struct ed_asset *asset)
{
    double x, y;
    session->services->find_place(session, NULL, &x, &y);
    ed_asset_add(session, asset, x, y, NULL, NULL);
}

static void row_mouse(struct ed_session *session, const struct ed_asset *asset, bool clicked)
{
    struct ed_node_palette *palette = &session->panels->palette;
    if (clicked)
        snprintf(palette->chosen, sizeof palette->chosen, "%s", asset->key);
    if (ui_item_hovered() && ui_mouse_double(0))
        add_chosen(session, asset);
    if (ui_item_began())
        snprintf(palette->pressed, sizeof palette->pressed, "%s", asset->key);
    if (ui_item_active() && ui_mouse_dragging(0) && !asset->broken && !palette->dragged[0] &&
        strcmp(palette->pressed, asset->key) == 0) {
        snprintf(palette->dragged, sizeof palette->dragged, "%s", asset->key);
        palette->dragged_at = ed_project_revision(session->project);
        snprintf(session->dragged.type, sizeof session->dragged.type, "%s", asset->type);
        snprintf(session->dragged.href, sizeof session->dragged.href, "%s", asset->href ? asset->href : "");
    }
    if (ui_item_clicked(1))
        ed_shelf_ask(session, asset);
    if (ui_item_hovered() && !palette->dragged[0])
        draw_tooltip(session, asset);
}

/* Returns how far the row's text moves to the right. */
static float draw_picture(struct ed_session *session, const struct ed_asset *asset, struct ui_vec at,
                          float height, struct ui_draw *draw)
{
    float scale = ui_scale(), side = height - 3 * scale;
    struct ui_rect rect = {at.x, at.y + (height - side) / 2, side, side};
    if (!ed_sample_draw(session, asset, draw, rect))
        ui_rect_fill(draw, rect, ui_faded(ed_category_colour(asset->category), 0.15f), 3 * scale);
    return side;
}

static void draw_row(struct ed_session *session, size_t index, float indent, bool has_variants)
{
    struct ed_node_palette *palette = &session->panels->palette;
    const struct ed_asset *asset = &session->panels->assets.items[index];
    float scale = ui_scale(), height = ui_line_height() + (session->settings.show_pictures ? 19 : 5) * scale;
    ui_id_push_index((int)index);
    ui_name("palette:%s", asset->key);
    bool clicked = ui_selectable("##row", strcmp(palette->chosen, asset->key) == 0, height);
    struct ui_rect rect = ui_item_rect();
    struct ui_draw *draw = ui_draw_here();
    float side = ui_line_height() + 5 * scale;
    struct ui_rect arrow = {rect.x + rect.w - side, rect.y, side, rect.h};
    if (clicked && has_variants && ui_inside(arrow, ui_mouse()))
        toggle_name(palette->unfolded, asset->key);
    row_mouse(session, asset, clicked);
    struct ui_vec dot = {rect.x + indent + 8 * scale, rect.y + rect.h / 2};
    char fault[300];
    bool seen = rect.y + rect.h > palette->rows.y && rect.y < palette->rows.y + palette->rows.h;
    bool broken = seen && ed_sample_fault(session, asset, fault, sizeof fault);
    uint32_t colour = broken ? ui_colour(UI_BAD) : ed_category_colour(asset->category);
    if (seen && session->settings.show_pictures)
        dot.x +=
            draw_picture(session, asset, (struct ui_vec){rect.x + indent + 2 * scale, rect.y}, rect.h, draw);
    if (ed_asset_is_variant(asset))
        ui_circle_line(draw, dot, 3 * scale, colour, 1.5f * scale);
    else
        ui_circle_fill(draw, dot, 3.5f * scale, colour);
    struct ui_vec at = {dot.x + 10 * scale, rect.y + (rect.h - ui_font_size(UI_NORMAL)) / 2};
    ed_draw_elided(draw, UI_NORMAL, at, ui_colour(broken ? UI_MUTED : UI_TEXT), asset->label,
                   rect.x + rect.w - at.x - (has_variants ? side : 2 * scale));
    if (has_variants) {
        bool open = find_name(palette->unfolded, asset->key) != NULL;
        ui_icon(draw, open ? UI_ICON_DOWN : UI_ICON_RIGHT, arrow, ui_colour(UI_MUTED));
    }
    ui_id_pop();
}

static int favour(const void *session, const struct ed_asset *asset)
{
    return ed_asset_liked(session, asset);
}

static void draw_found(struct ed_session *session)
{
    struct ed_node_palette *palette = &session->panels->palette;
    const struct ed_assets *assets = &session->panels->assets;
    struct ed_assets_found *found = &palette->found;
    if (palette->serial != assets->serial || strcmp(palette->listed, palette->typed) != 0) {
        ed_assets_search(assets, palette->typed, favour, session, found);
        snprintf(palette->listed, sizeof palette->listed, "%s", palette->typed);
        palette->serial = assets->serial;
    }
    for (size_t i = 0; i < found->count; i++)
        draw_row(session, found->items[i].index, 0, false);
    if (found->count == 0)
        ui_text_coloured(ui_colour(UI_MUTED), "Nothing is like that.");
    else if (ui_window_focused() && ui_key_pressed(SDL_SCANCODE_RETURN) && palette->focus)
        add_chosen(session, &assets->items[found->items[0].index]);
}

static bool draw_category(struct ed_node_palette *palette, const char *category)
{
    char name[64];
    float scale = ui_scale(), height = ui_line_height() + 7 * scale;
    bool open = !find_name(palette->closed, category);
    ui_id_push(category);
    ui_name("palette:category:%s", category);
    if (ui_selectable("##category", false, height)) {
        toggle_name(palette->closed, category);
        open = !open;
    }
    ui_id_pop();
    struct ui_rect rect = ui_item_rect();
    struct ui_draw *draw = ui_draw_here();
    struct ui_rect arrow = {rect.x, rect.y, rect.h * 0.8f, rect.h};
    struct ui_rect bar = {rect.x + arrow.w, rect.y + rect.h - 1.5f * scale, rect.w - arrow.w, 1.5f * scale};
    uint32_t colour = ed_category_colour(category);
    ui_icon(draw, open ? UI_ICON_DOWN : UI_ICON_RIGHT, arrow, ui_colour(UI_MUTED));
    struct ui_vec at = {rect.x + arrow.w, rect.y + (rect.h - ui_font_size(UI_BOLD)) / 2};
    const char *title = ed_category_title(category, name, sizeof name);
    ui_draw_text(draw, UI_BOLD, 0, at, colour, title, NULL);
    ui_rect_fill(draw, bar, ui_faded(colour, 0.35f), 0);
    return open;
}

static void draw_favourites(struct ed_session *session)
{
    const struct ed_assets *assets = &session->panels->assets;
    bool any = false, open = false;
    if (!ed_shelf_has_favourites(session))
        return;
    ui_id_push("favourites");
    for (size_t i = 0; i < assets->count; i++) {
        if (!ed_shelf_favourite(session, &assets->items[i]))
            continue;
        open = any ? open : draw_category(&session->panels->palette, "favourites");
        any = true;
        if (open)
            draw_row(session, i, 8 * ui_scale(), false);
    }
    ui_id_pop();
}

static void draw_all(struct ed_session *session)
{
    struct ed_node_palette *palette = &session->panels->palette;
    const struct ed_assets *assets = &session->panels->assets;
    const char *category = "";
    bool open = false, variants = false;
    float indent = 8 * ui_scale();
    for (size_t i = 0; i < assets->count; i++) {
        const struct ed_asset *asset = &assets->items[i];
        if (strcmp(category, asset->category) != 0)
            open = draw_category(palette, asset->category);
        category = asset->category;
        if (!open)
            continue;
        if (ed_asset_is_variant(asset)) {
            if (variants)
                draw_row(session, i, indent + 14 * ui_scale(), false);
            continue;
        }
        bool has = i + 1 < assets->count && ed_asset_is_variant(&assets->items[i + 1]);
        draw_row(session, i, indent, has);
        variants = has && find_name(palette->unfolded, asset->key);
    }
}

/* ---- What is chosen */

static void draw_chosen(struct ed_session *session, const struct ed_asset *asset)
{
    char doc[400];
    ui_separator();
    ui_font_push(UI_BOLD);
    ui_text("%s", asset->label);
    ui_font_pop();
    if (ui_child_begin("doc", 0, ui_line_height() * 3.3f, 0)) {
        ui_font_push(UI_SMALL);
        ui_text_wrapped(ed_summary(asset->doc, doc, sizeof doc));
        ui_font_pop();
    }
    ui_child_end();
    ui_name("palette_add");
    if (ui_button("Add", 0, 0))
        add_chosen(session, asset);
    ui_tooltip("Adds it where the canvas is looked at; a double click does, too");
    ui_same_line(-1);
    ui_name("palette_help");
    if (ui_button("Help", 0, 0))
        ed_help_open(session, asset->key);
    ui_same_line(-1);
    char *example = asset->kind == ED_ASSET_TYPE ? ed_example_of(asset->category, asset->type) : NULL;
    const char *path = example ? example : asset->kind == ED_ASSET_GRAPH ? asset->path : NULL;
    ui_disabled_begin(!path);
    ui_name("palette_example");
    if (ui_button(asset->kind == ED_ASSET_GRAPH ? "Open" : "Example", 0, 0) && path)
        ed_open_example(session, path);
    ui_tooltip(asset->kind == ED_ASSET_GRAPH ? "Opens the graph as a copy"
                                             : "Opens a document that shows it");
    ui_disabled_end();
    oro_free(example);
}

void ed_palette_draw(struct ed_session *session, struct ui_rect rect)
{
    struct ed_node_palette *palette = &session->panels->palette;
    struct ed_assets *assets = ed_panels_assets(session);
    if (ui_panel_begin("##palette", rect, 0)) {
        ui_item_width(-1);
        ui_name("palette");
        ui_input("##search", "Search", palette->typed, sizeof palette->typed, 0);
        palette->focus = ui_item_active();
        const struct ed_asset *chosen = ed_assets_find(assets, palette->chosen);
        float below = chosen ? ui_line_height() * 4.8f + ui_widget_height() + 26 * ui_scale() : 0;
        struct ui_rect left = ui_content();
        palette->rows = left;
        if (ui_child_begin("rows", 0, left.h - below > 60 ? left.h - below : 60, 0)) {
            if (palette->typed[strspn(palette->typed, " ")])
                draw_found(session);
            else {
                draw_favourites(session);
                draw_all(session);
            }
        }
        ui_child_end();
        if (chosen)
            draw_chosen(session, chosen);
    }
    ui_panel_end();
}

/* ---- Dragging */

static void draw_dragged(const struct ed_asset *asset)
{
    struct ui_draw *draw = ui_draw_above();
    struct ui_vec mouse = ui_mouse();
    float scale = ui_scale(), width = ui_text_extent(UI_BOLD, 0, asset->label, 0).x + 28 * scale;
    struct ui_rect rect = {mouse.x + 10 * scale, mouse.y + 6 * scale, width,
                           ui_font_size(UI_BOLD) + 12 * scale};
    struct ui_rect bar = {rect.x + 6 * scale, rect.y + 6 * scale, 4 * scale, rect.h - 12 * scale};
    ui_rect_fill(draw, rect, ui_faded(ui_colour(UI_RAISED), 0.95f), 5 * scale);
    ui_rect_line(draw, rect, ui_colour(UI_ACCENT), 5 * scale, 1.5f);
    ui_rect_fill(draw, bar, ed_category_colour(asset->category), 2 * scale);
    struct ui_vec at = {rect.x + 17 * scale, rect.y + 6 * scale};
    ui_draw_text(draw, UI_BOLD, 0, at, ui_colour(UI_TEXT), asset->label, NULL);
}

/* Sets up what was dropped: the canvas, or a view, has already added a node of its type, and chosen
 * it. */
static void drop_variant(struct ed_session *session, const struct ed_asset *asset)
{
    const struct oro_doc_node *node = ed_selected_node(session);
    if (ed_project_revision(session->project) == session->panels->palette.dragged_at || !node ||
        strcmp(node->type, asset->type) != 0)
        return;
    struct oro_error err;
    char id[128]; /* a copy, since edits rebuild the node */
    snprintf(id, sizeof id, "%s", node->id);
    ed_tell(session, ed_asset_apply(session, asset, id, &session->log, &err), &err);
}

void ed_palette_end(struct ed_session *session)
{
    struct ed_node_palette *palette = &session->panels->palette;
    if (!palette->dragged[0])
        return;
    const struct ed_asset *asset = ed_assets_find(&session->panels->assets, palette->dragged);
    if (asset && ui_mouse_down(0)) {
        if (!ui_inside(session->arranged.parts[ED_PART_GRAPH],
                       ui_mouse())) /* the canvas shows the node to be */
            draw_dragged(asset);
        return;
    }
    if (asset && ed_asset_is_variant(asset) && ui_mouse_released(0))
        drop_variant(session, asset);
    ed_gesture_end(session->project); /* a drop and its setting up are one step */
    palette->dragged[0] = session->dragged.type[0] = '\0';
}
