/* The search for something to add: opens at the pointer and takes typing at once. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/panels/panels_private.h"
#include "graph/derived/assets.h"
#include "graph/reuse/preset.h"
#include "graph/type/meaning.h"

/* Rows that are not assets: headings of categories, numbered by their first asset, and the heading of what
 * is offered first. */
#define HEADING ((size_t)1 << 40)
#define FIRST_HEADING ((size_t)1 << 41)

/* ---- Adding */

static bool apply_use(struct ed_session *session, const struct oro_use *use, const char *id,
                      struct oro_error *err)
{
    struct oro_document *doc = ed_edit_begin(session->project, "set up", err);
    bool ok = doc;
    for (size_t i = 0; ok && i < ORO_USE_SETS && use->set[i].input; i++)
        ok = oro_edit_set(doc, id, use->set[i].input, use->set[i].value, err);
    return ed_edit_end(session->project, ok, err);
}

bool ed_asset_apply(struct ed_session *session, const struct ed_asset *asset, const char *id,
                    const struct oro_log *log, struct oro_error *err)
{
    if (asset->use)
        return apply_use(session, asset->use, id, err);
    struct oro_document *preset = oro_preset_read(asset->path, &session->registry, err);
    if (!preset)
        return false;
    struct oro_document *doc = ed_edit_begin(session->project, "apply preset", err);
    bool ok = doc && oro_preset_apply(doc, id, preset, false, &session->registry, log, err);
    ok = ed_edit_end(session->project, ok, err);
    oro_document_destroy(preset);
    return ok;
}

int ed_asset_liked(const struct ed_session *session, const struct ed_asset *asset)
{
    int count = ed_settings_used(&session->settings, asset->key);
    return count >= 8 ? 14 : count >= 4 ? 11 : count >= 2 ? 8 : count ? 4 : 0;
}

/* Views show the new node if it is the first one, or continues what they show. */
static bool to_be_looked_at(const struct ed_session *session, const struct ed_asset *asset,
                            const struct ed_end *from)
{
    if (asset->known && asset->gives == 0)
        return false;
    bool first = oro_document_node_count(ed_project_shown(session->project)) == 1;
    return first || !session->viewed[0] || (from && strcmp(from->node, session->viewed) == 0);
}

/* By keyboard alone, nodes are added at the same place again and again: each goes beside the one before, so
 * as not to hide it. */
static double beside(const struct oro_document *doc, double x, double y)
{
    enum { NEAR = 40, STEP = 220 };
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        if (fabs(node->x - x) < NEAR && fabs(node->y - y) < NEAR)
            return beside(doc, node->x + STEP, y);
    }
    return x;
}

bool ed_asset_add(struct ed_session *session, const struct ed_asset *asset, double x, double y,
                  const struct ed_end *from, const struct ed_end *to)
{
    struct ed_asset copy = *asset; /* the list may be rebuilt meanwhile */
    struct oro_error err;
    char id[128] = "";
    if (asset->broken) {
        oro_fail(&err, ORO_E_DOCUMENT, "%s", asset->doc);
        ed_failed(session, &err);
        return false;
    }
    ed_settings_use(&session->settings, asset->key);
    bool variant = ed_asset_is_variant(asset);
    char name[200];
    snprintf(name, sizeof name, "Add %s", asset->label);
    if (variant)
        ed_gesture_begin(session->project, name);
    x = beside(ed_project_shown(session->project), x, y);
    bool ok = ed_add_node(session->project, asset->type, asset->href, x, y, from, to, id, &err);
    if (ok && variant)
        ok = ed_asset_apply(session, &copy, id, NULL, &err);
    if (variant)
        ed_gesture_end(session->project);
    if (!ok) {
        ed_failed(session, &err);
        return false;
    }
    ed_select(session, id, false);
    if (to_be_looked_at(session, &copy, from))
        ed_look_at(session, id, NULL);
    ed_wake(session);
    return true;
}

/* ---- What fits the link's end */

static void learn_ends(struct ed_session *session, const struct ed_end *from, const struct ed_end *to)
{
    struct ed_add *add = &session->panels->add;
    const struct oro_document *shown = ed_project_shown(session->project);
    const struct ed_end *end = from ? from : to;
    const struct oro_doc_node *node = end ? oro_document_find(shown, end->node) : NULL;
    const struct oro_node_type *type = node ? ed_type_of(session, node) : NULL;
    add->has_from = from && type && oro_type_output(type, end->socket);
    add->has_to = !from && to && type && oro_type_input(type, end->socket);
    add->from = add->to = add->meaning = 0;
    if (!add->has_from && !add->has_to)
        return;
    snprintf(add->node, sizeof add->node, "%s", end->node);
    snprintf(add->socket, sizeof add->socket, "%s", end->socket);
    if (add->has_from) {
        add->meaning = oro_output_means(oro_type_output(type, end->socket));
        struct oro_graph graph = {shown, ed_project_root(session->project)};
        add->from =
            1u << oro_output_type(&session->registry, &graph, node, oro_type_output(type, end->socket));
        return;
    }
    add->meaning = oro_input_means(oro_type_input(type, end->socket));
    for (int gives = ORO_ANY; gives <= ORO_NETWORK; gives++)
        if (oro_input_accepts(oro_type_input(type, end->socket), (enum oro_type)gives))
            add->to |= 1u << gives;
}

static bool fits(const struct ed_add *add, const struct ed_asset *asset)
{
    if (!add->has_from && !add->has_to)
        return true;
    return asset->known && !asset->broken &&
           (add->has_from ? asset->takes & add->from : asset->gives & add->to);
}

/* How well it fits the link's end. */
static int suits(const struct ed_add *add, const struct ed_asset *asset)
{
    return add->has_from ? oro_meaning_suits(add->meaning, asset->wanted)
           : add->has_to ? oro_meaning_suits(asset->given, add->meaning)
                         : 1;
}

/* What speaks for an asset: that it fits the link's end, and that the user likes to add it. */
static int favour(const void *user, const struct ed_asset *asset)
{
    const struct ed_session *session = user;
    const struct ed_add *add = &session->panels->add;
    return fits(add, asset) ? 5 * suits(add, asset) + ed_asset_liked(session, asset) : -1;
}

void ed_add_open(struct ed_session *session, struct ui_vec at, double x, double y, const struct ed_end *from,
                 const struct ed_end *to)
{
    struct ed_add *add = &session->panels->add;
    struct ui_vec window = ui_window_size();
    float scale = ui_scale(), width = 400 * scale, height = 470 * scale;
    add->rect = (struct ui_rect){at.x - 20 * scale, at.y - 20 * scale, width, height};
    if (add->rect.x + width > window.x)
        add->rect.x = window.x - width;
    if (add->rect.y + height > window.y)
        add->rect.y = window.y - height;
    add->rect.x = add->rect.x < 0 ? 0 : add->rect.x;
    add->rect.y = add->rect.y < 0 ? 0 : add->rect.y;
    add->x = x;
    add->y = y;
    add->open = add->fresh = add->stale = true;
    add->typed[0] = add->listed[0] = add->unfolded[0] = '\0';
    add->chosen = 0;
    learn_ends(session, from, to);
    ed_wake(session);
}

/* ---- The list */

static bool put(struct ed_assets_found *rows, size_t index)
{
    void *items = rows->items;
    bool ok = oro_reserve(&items, &rows->capacity, rows->count + 1, sizeof *rows->items);
    rows->items = items;
    if (ok)
        rows->items[rows->count++] = (struct oro_match){index, 0};
    return ok;
}

/* Without a link, what was added last. */
static void list_recent(struct ed_assets_found *rows, const struct ed_assets *assets,
                        const struct ed_settings *settings)
{
    size_t count = 0;
    for (size_t i = 0; i < settings->used_count && count < ED_SUGGESTED_MAX; i++) {
        const struct ed_asset *asset = ed_assets_find(assets, settings->used[i].key);
        if (!asset)
            continue;
        if (count++ == 0)
            put(rows, FIRST_HEADING);
        put(rows, (size_t)(asset - assets->items));
    }
}

/* With one, what is meant for it. */
static void list_suggested(struct ed_add *add, const struct ed_assets *assets,
                           const struct ed_session *session)
{
    struct ed_assets_found best = {0};
    size_t count = 0;
    ed_assets_search(assets, "", favour, session, &best);
    for (size_t i = 0; i < best.count && count < ED_SUGGESTED_MAX; i++) {
        const struct ed_asset *asset = &assets->items[best.items[i].index];
        if (suits(add, asset) < 2 || (ed_asset_is_variant(asset) && ed_asset_liked(session, asset) == 0))
            continue;
        if (count++ == 0)
            put(&add->rows, FIRST_HEADING);
        put(&add->rows, best.items[i].index);
    }
    oro_free(best.items);
}

static void list_categories(struct ed_add *add, const struct ed_assets *assets)
{
    const char *category = "";
    bool filtered = add->has_from || add->has_to;
    for (size_t i = 0; i < assets->count; i++) {
        const struct ed_asset *asset = &assets->items[i];
        if (ed_asset_is_variant(asset) || !fits(add, asset))
            continue;
        if (strcmp(category, asset->category) != 0)
            put(&add->rows, HEADING | i);
        category = asset->category;
        if (filtered || strcmp(add->unfolded, category) == 0)
            put(&add->rows, i);
    }
}

static bool is_heading(size_t row)
{
    return row >= HEADING;
}

static const char *category_of(const struct ed_assets *assets, size_t row)
{
    return assets->items[row & (HEADING - 1)].category;
}

/* Headings can be chosen if they can be unfolded. */
static bool can_choose(const struct ed_add *add, size_t row)
{
    return !is_heading(row) || (!(row & FIRST_HEADING) && !add->has_from && !add->has_to);
}

static void list_rows(struct ed_session *session)
{
    struct ed_add *add = &session->panels->add;
    const struct ed_assets *assets = &session->panels->assets;
    add->rows.count = 0;
    add->serial = assets->serial;
    add->stale = false;
    if (add->typed[strspn(add->typed, " ")]) {
        ed_assets_search(assets, add->typed, favour, session, &add->rows);
    } else {
        if (add->has_from || add->has_to)
            list_suggested(add, assets, session);
        else
            list_recent(&add->rows, assets, &session->settings);
        list_categories(add, assets);
    }
    if (add->chosen >= add->rows.count)
        add->chosen = 0;
    while (add->chosen + 1 < add->rows.count && !can_choose(add, add->rows.items[add->chosen].index))
        add->chosen++;
}

/* ---- Drawing */

static void close(struct ed_add *add)
{
    add->open = false;
}

static void take(struct ed_session *session, size_t row)
{
    struct ed_add *add = &session->panels->add;
    const struct ed_assets *assets = &session->panels->assets;
    if (is_heading(row)) {
        const char *category = category_of(assets, row);
        bool folded = strcmp(add->unfolded, category) != 0;
        snprintf(add->unfolded, sizeof add->unfolded, "%s", folded ? category : "");
        list_rows(session);
        for (size_t i = 0; i < add->rows.count; i++)
            if (add->rows.items[i].index & HEADING &&
                strcmp(category_of(assets, add->rows.items[i].index), category) == 0)
                add->chosen = i;
        return;
    }
    struct ed_end end = {add->node, add->socket};
    close(add);
    ed_asset_add(session, &assets->items[row], add->x, add->y, add->has_from ? &end : NULL,
                 add->has_to ? &end : NULL);
}

static void draw_heading(const struct ed_add *add, const struct ed_assets *assets, size_t row,
                         struct ui_rect rect)
{
    struct ui_draw *draw = ui_draw_here();
    float line = ui_font_size(UI_BOLD), scale = ui_scale();
    struct ui_vec at = {rect.x + 30 * scale, rect.y + (rect.h - line) / 2};
    if (row & FIRST_HEADING) {
        at.x = rect.x + 8 * scale;
        ui_draw_text(draw, UI_SMALL, 0, at, ui_colour(UI_MUTED), "Recently added", NULL);
        return;
    }
    char name[64];
    const char *category = category_of(assets, row);
    struct ui_rect dot = {rect.x + 10 * scale, rect.y + rect.h / 2 - 5 * scale, 10 * scale, 10 * scale};
    ui_rect_fill(draw, dot, ed_category_colour(category), 3 * scale);
    ui_draw_text(draw, UI_BOLD, 0, at, ui_colour(UI_TEXT), ed_category_title(category, name, sizeof name),
                 NULL);
    if (can_choose(add, row)) {
        struct ui_rect arrow = {rect.x + rect.w - rect.h, rect.y, rect.h, rect.h};
        bool open = strcmp(add->unfolded, category) == 0;
        ui_icon(draw, open ? UI_ICON_DOWN : UI_ICON_RIGHT, arrow, ui_colour(UI_MUTED));
    }
}

static void draw_asset(const struct ed_asset *asset, struct ui_rect rect)
{
    struct ui_draw *draw = ui_draw_here();
    float scale = ui_scale();
    char category[64], doc[300];
    struct ui_rect bar = {rect.x + 4 * scale, rect.y + 5 * scale, 4 * scale, rect.h - 10 * scale};
    ui_rect_fill(draw, bar, ed_category_colour(asset->category), 2 * scale);
    ed_pretty_name(asset->kind == ED_ASSET_PRESET ? "preset" : asset->category, category, sizeof category);
    float side = ui_text_extent(UI_SMALL, 0, category, 0).x;
    struct ui_vec at = {rect.x + 16 * scale, rect.y + 4 * scale};
    ed_draw_elided(draw, UI_BOLD, at, ui_colour(asset->broken ? UI_BAD : UI_TEXT), asset->label,
                   rect.w - side - 36 * scale);
    struct ui_vec right = {rect.x + rect.w - side - 8 * scale, at.y + 1};
    ui_draw_text(draw, UI_SMALL, 0, right, ui_colour(UI_MUTED), category, NULL);
    at.y += ui_font_size(UI_BOLD) + 2 * scale;
    ed_summary(asset->doc, doc, sizeof doc);
    ed_draw_elided(draw, UI_SMALL, at, ui_colour(UI_MUTED), doc, rect.w - 26 * scale);
}

/* True: it was clicked. */
static bool draw_row(struct ed_session *session, size_t i, bool moved, bool scroll)
{
    struct ed_add *add = &session->panels->add;
    const struct ed_assets *assets = &session->panels->assets;
    size_t row = add->rows.items[i].index;
    float height = is_heading(row) ? ui_widget_height()
                                   : ui_font_size(UI_BOLD) + ui_font_size(UI_SMALL) + 12 * ui_scale();
    if (row & FIRST_HEADING) {
        struct ui_vec at = ui_cursor();
        ui_dummy(10, height);
        draw_heading(add, assets, row, (struct ui_rect){at.x, at.y, 100, height});
        return false;
    }
    ui_id_push_index((int)i);
    ui_name(is_heading(row) ? "add:category:%s" : "add:%s",
            is_heading(row) ? category_of(assets, row) : assets->items[row].key);
    bool clicked = ui_selectable("##row", i == add->chosen, height) && can_choose(add, row);
    ui_id_pop();
    if (moved && ui_item_hovered() && can_choose(add, row))
        add->chosen = i;
    if (scroll && i == add->chosen)
        ui_scroll_here();
    if (is_heading(row))
        draw_heading(add, assets, row, ui_item_rect());
    else
        draw_asset(&assets->items[row], ui_item_rect());
    return clicked;
}

static bool move_choice(struct ed_add *add)
{
    size_t before = add->chosen;
    int step = ui_key_repeated(SDL_SCANCODE_DOWN) ? 1 : ui_key_repeated(SDL_SCANCODE_UP) ? -1 : 0;
    if (step == 0 || add->rows.count == 0)
        return false;
    size_t at = add->chosen;
    do {
        at = (at + add->rows.count + (size_t)(step + (int)add->rows.count)) % add->rows.count;
    } while (at != before && !can_choose(add, add->rows.items[at].index));
    add->chosen = at;
    return true;
}

static void draw_list(struct ed_session *session)
{
    struct ed_add *add = &session->panels->add;
    struct ui_vec mouse = ui_mouse();
    bool moved = !add->fresh && (mouse.x != add->mouse.x || mouse.y != add->mouse.y);
    bool scroll = move_choice(add);
    size_t clicked = SIZE_MAX;
    add->mouse = mouse;
    if (ui_child_begin("rows", 0, 0, 0)) {
        for (size_t i = 0; i < add->rows.count; i++)
            if (draw_row(session, i, moved, scroll))
                clicked = i;
        if (add->rows.count == 0)
            ui_text_coloured(ui_colour(UI_MUTED), "Nothing fits. Fewer letters?");
    }
    ui_child_end();
    if (clicked < add->rows.count)
        take(session, add->rows.items[clicked].index);
}

static void draw_title(const struct ed_add *add)
{
    if (!add->has_from && !add->has_to)
        return;
    ui_text_coloured(ui_colour(UI_MUTED), add->has_from ? "What takes %s of %s" : "What gives %s for %s",
                     add->socket, add->node);
}

static void draw_inside(struct ed_session *session)
{
    struct ed_add *add = &session->panels->add;
    draw_title(add);
    ui_item_width(-1);
    if (add->fresh)
        ui_focus_next();
    ui_name("add");
    bool enter = ui_input("##typed", "Search nodes, assets, scripts, presets", add->typed, sizeof add->typed,
                          UI_ENTER);
    if (strcmp(add->listed, add->typed) != 0) {
        snprintf(add->listed, sizeof add->listed, "%s", add->typed);
        add->chosen = 0;
        add->stale = true;
    }
    if (add->stale || add->serial != session->panels->assets.serial)
        list_rows(session);
    if (enter && add->chosen < add->rows.count) {
        bool heading = is_heading(add->rows.items[add->chosen].index);
        take(session, add->rows.items[add->chosen].index);
        add->fresh = heading; /* the field keeps the keyboard */
    } else {
        draw_list(session);
        add->fresh = false;
    }
}

void ed_add_draw(struct ed_session *session)
{
    struct ed_add *add = &session->panels->add;
    if (!add->open)
        return;
    struct ed_assets *assets = ed_panels_assets(session);
    if ((add->has_from || add->has_to) &&
        ed_assets_learn(assets, &session->registry, &session->listed, ed_project_root(session->project))) {
        add->stale = true;
        ed_wake(session);
    }
    bool fresh = add->fresh;
    if (ui_panel_begin("##add", add->rect, UI_ALWAYS_ON_TOP | UI_POPUP | UI_BORDERED | UI_NO_SCROLL))
        draw_inside(session);
    ui_panel_end();
    bool outside = (ui_mouse_pressed(0) || ui_mouse_pressed(1)) && !ui_inside(add->rect, ui_mouse());
    if (!fresh && (ui_key_pressed(SDL_SCANCODE_ESCAPE) || outside))
        close(add);
}

void ed_add_free(struct ed_add *add)
{
    oro_free(add->rows.items);
}
