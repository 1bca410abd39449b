#include "editor/view/views.h"

#include <string.h>

#include <GLES3/gl31.h>

#include "base/memory.h"
#include "editor/view/pane.h"

static bool is_software(void)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "SwiftShader", "lavapipe"};
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    for (size_t i = 0; renderer && i < sizeof names / sizeof names[0]; i++)
        if (strstr(renderer, names[i]))
            return true;
    return false;
}

struct ed_views *ed_views_create(struct ed_project *project, struct oro_error *err)
{
    struct ed_views *views = oro_alloc(1, sizeof *views);
    if (!views) {
        oro_fail(err, ORO_E_MEMORY, "not enough memory for the views");
        return NULL;
    }
    views->share = 0.5f;
    views->wish = (struct ed_picture_wish){.preset = 1, .frames = 120};
    views->handles = true;
    views->software = is_software();
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        ed_pane_begin(&views->panes[i], i);
        ok = ok && (views->panes[i].map = ed_map_create(err)) &&
             (views->panes[i].in_depth = ed_scene_create(err));
    }
    views->measure = ed_measure_create();
    views->handle_tool = ed_handle_create();
    views->paint = ed_paint_create(project);
    views->sketch = ed_sketch_create();
    views->region = ed_region_create();
    if (ok && (!views->measure || !views->handle_tool || !views->paint || !views->sketch || !views->region))
        ok = oro_fail(err, ORO_E_MEMORY, "not enough memory for the views");
    if (ok)
        return views;
    ed_views_destroy(views);
    return NULL;
}

void ed_views_destroy(struct ed_views *views)
{
    if (!views)
        return;
    ed_screenshot_free(views);
    ed_measure_destroy(views->measure);
    ed_handle_destroy(views->handle_tool);
    ed_paint_destroy(views->paint);
    ed_sketch_destroy(views->sketch);
    ed_region_destroy(views->region);
    for (int i = 0; i < 2; i++)
        ed_pane_free(&views->panes[i]);
    oro_free(views);
}

void ed_views_reset(struct ed_session *session)
{
    struct ed_views *views = session->views;
    for (int i = 0; i < 2; i++)
        ed_pane_forget(&views->panes[i]);
    views->tool = ED_TOOL_NONE;
    ed_screenshot_free(views);
    ed_measure_reset(views->measure);
    ed_handle_reset(views->handle_tool);
    ed_paint_reset(views->paint);
    ed_sketch_reset(views->sketch);
    ed_region_reset(views->region);
}

/* ---- How depth looks ---- */

/* What belongs to the ground is not kept for other documents. */
static void begin_looks(struct ed_session *session)
{
    struct ed_views *views = session->views;
    for (int i = 0; i < 2; i++) {
        struct ed_scene_look *look = &views->panes[i].scene_look;
        ed_look_read(look, session->settings.look);
        look->water = false;
        look->exaggeration = 1;
    }
    views->kept_look = views->panes[0].scene_look;
    views->looks_read = true;
}

/* The settings have the look that was changed last. */
static void keep_look(struct ed_session *session, const struct ed_scene_look *look)
{
    struct oro_text text = {0};
    ed_look_write(look, &text);
    if (text.failed) {
        oro_text_free(&text);
        return;
    }
    oro_free(session->settings.look);
    session->settings.look = text.data;
    session->views->kept_look = *look;
}

static void follow_looks(struct ed_session *session)
{
    struct ed_views *views = session->views;
    if (!views->looks_read)
        begin_looks(session);
    const struct ed_scene_look *look = &views->panes[views->split ? views->active : 0].scene_look;
    if (!ed_look_same(look, &views->kept_look))
        keep_look(session, look);
}

/* ---- Wants ---- */

static void add_want(struct ed_views *views, const struct ed_slot *slot)
{
    if (!slot->want.node[0])
        return;
    for (size_t i = 0; i < views->want_count; i++)
        if (strcmp(views->wants[i].node, slot->want.node) == 0 &&
            strcmp(views->wants[i].output, slot->want.output) == 0 && views->wants[i].derive == slot->derive)
            return;
    if (views->want_count < ED_VIEWS_MAX)
        views->wants[views->want_count++] =
            (struct ed_want){slot->want.node, slot->want.output, slot->derive};
}

/* The active pane comes first, and panes' main pictures before overlays. */
static void collect_wants(struct ed_views *views)
{
    static const enum ed_slot_kind order[] = {ED_SLOT_MAIN,  ED_SLOT_GROUND, ED_SLOT_SECOND,
                                              ED_SLOT_LAYER, ED_SLOT_COLOUR, ED_SLOT_WATER};
    views->want_count = 0;
    for (size_t k = 0; k < ED_SLOTS; k++)
        for (int i = 0; i < (views->split ? 2 : 1); i++) {
            int pane = views->split && views->active == 1 ? 1 - i : i;
            add_want(views, &views->panes[pane].slots[order[k]]);
        }
}

size_t ed_views_wants(const struct ed_session *session, struct ed_want wants[ED_VIEWS_MAX])
{
    struct ed_views *views = session->views;
    for (int i = 0; i < (views->split ? 2 : 1); i++)
        ed_slots_resolve(session, &views->panes[i]);
    collect_wants(views);
    memcpy(wants, views->wants, views->want_count * sizeof *wants);
    return views->want_count;
}

/* ---- Drawing ---- */

/* Between two panes: dragged. */
static void splitter(struct ed_views *views, struct ui_rect rect, float at)
{
    float width = 5 * ui_scale();
    ui_cursor_set((struct ui_vec){at, rect.y});
    ui_name("splitter:views");
    ui_area("##split", width, rect.h);
    bool hot = ui_item_hovered() || ui_item_active();
    if (hot)
        ui_pointer(UI_SIZE_X);
    ui_rect_fill(ui_draw_here(), (struct ui_rect){at + 2, rect.y, width - 4, rect.h},
                 ui_colour(hot ? UI_ACCENT : UI_BORDER), 0);
    if (!ui_item_active())
        return;
    views->share = (ui_mouse().x - rect.x) / rect.w;
    views->share = views->share < 0.2f ? 0.2f : views->share > 0.8f ? 0.8f : views->share;
}

static void draw_panes(struct ed_session *session, struct ui_rect rect)
{
    struct ed_views *views = session->views;
    if (!views->split) {
        views->active = 0;
        ed_pane_draw(session, &views->panes[0], rect);
        return;
    }
    float gap = 5 * ui_scale(), left = (float)(int)((rect.w - gap) * views->share);
    ed_pane_draw(session, &views->panes[0], (struct ui_rect){rect.x, rect.y, left, rect.h});
    splitter(views, rect, rect.x + left);
    ed_pane_draw(session, &views->panes[1],
                 (struct ui_rect){rect.x + left + gap, rect.y, rect.w - left - gap, rect.h});
}

void ed_views_draw(struct ed_session *session, struct ui_rect rect)
{
    struct ed_views *views = session->views;
    views->rect = rect;
    follow_looks(session);
    ed_screenshot_tick(session);
    bool shown = ui_panel_begin("##views", rect, UI_NO_PADDING | UI_NO_SCROLL) && rect.w > 40 && rect.h > 40;
    views->hovered = shown && ui_inside(rect, ui_mouse()) && !ui_any_popup();
    if (shown) {
        ed_describe_item("view", rect.x, rect.y, rect.w, rect.h, true);
        draw_panes(session, rect);
        ed_picture_dialog(session);
        ed_describe_state("picture", "%s", ed_screenshot_busy(views) ? "drawn" : "");
        ed_describe_state("sharp", "%d", !ed_views_busy(session));
    }
    ui_panel_end();
    ed_paint_tick(session);
    ed_sketch_tick(session);
}

bool ed_views_hovered(const struct ed_session *session)
{
    return session->views->hovered;
}

bool ed_views_take_keys(const struct ed_session *session)
{
    const struct ed_views *views = session->views;
    if (ed_paint_painting(views->paint) || ed_sketch_busy(views->sketch) || ed_region_busy(views->region))
        return true;
    /* When frames are slow, keys come before the pane has seen the button. */
    bool pressed = views->hovered && ui_mouse_down(1);
    for (int i = 0; i < (views->split ? 2 : 1); i++)
        if (views->panes[i].scene && (views->panes[i].drag == 2 || pressed))
            return true;
    return false;
}

bool ed_views_end_tool(struct ed_session *session)
{
    bool had = session->views->tool != ED_TOOL_NONE;
    session->views->tool = ED_TOOL_NONE;
    return had;
}

bool ed_views_busy(const struct ed_session *session)
{
    const struct ed_views *views = session->views;
    for (int i = 0; i < (views->split ? 2 : 1); i++)
        if (!views->panes[i].sharp)
            return true;
    return ed_paint_busy(views->paint) || ed_screenshot_busy(views);
}

uint64_t ed_views_shown(const struct ed_session *session)
{
    const struct ed_picture *picture = session->views->panes[0].slots[ED_SLOT_MAIN].picture;
    return picture ? picture->revision : 0;
}

/* ---- Commands ---- */

/* The pane under the pointer, else the one clicked last. */
static struct ed_pane *active(const struct ed_session *session)
{
    if (session->views->split && session->views->hovered)
        for (int i = 0; i < 2; i++)
            if (ui_inside(session->views->panes[i].rect, ui_mouse()))
                return &session->views->panes[i];
    return &session->views->panes[session->views->split ? session->views->active : 0];
}

void ed_views_frame(struct ed_session *session)
{
    ed_pane_frame(active(session));
}

void ed_views_toggle_scene(struct ed_session *session)
{
    active(session)->scene = !active(session)->scene;
}

void ed_views_next_lighting(struct ed_session *session)
{
    struct ed_scene_look *look = &active(session)->scene_look;
    int next = ed_lighting_of(look) + 1;
    ed_lighting_use(look, ed_lighting_name(next) ? next : 0);
    ed_message(&session->messages, ED_NOTICE, NULL, "Lighting: %s", ed_lighting_name(ed_lighting_of(look)));
}

void ed_views_split(struct ed_session *session)
{
    struct ed_views *views = session->views;
    views->split = !views->split;
    /* The second pane begins with the same output seen the other way. */
    if (views->split && !views->panes[1].slots[ED_SLOT_MAIN].picture)
        views->panes[1].scene = !views->panes[0].scene;
}

void ed_views_pin(struct ed_session *session)
{
    ed_pane_pin(session, active(session), !active(session)->pinned);
}

void ed_views_wipe(struct ed_session *session)
{
    ed_pane_wipe(session, active(session), !active(session)->wipe);
}

static void toggle_tool(struct ed_views *views, enum ed_tool tool)
{
    views->tool = views->tool == tool ? ED_TOOL_NONE : tool;
}

void ed_views_sketch(struct ed_session *session)
{
    toggle_tool(session->views, ED_TOOL_SKETCH);
}

void ed_views_region(struct ed_session *session)
{
    toggle_tool(session->views, ED_TOOL_REGION);
}

bool ed_views_is_sketching(const struct ed_session *session)
{
    return session->views->tool == ED_TOOL_SKETCH;
}

bool ed_views_is_copying(const struct ed_session *session)
{
    return session->views->tool == ED_TOOL_REGION;
}

void ed_views_screenshot(struct ed_session *session)
{
    session->views->wish.film = false;
    ed_picture_ask(session, active(session));
}

void ed_views_film(struct ed_session *session)
{
    session->views->wish.film = true;
    ed_picture_ask(session, active(session));
}

bool ed_views_can_film(const struct ed_session *session)
{
    return active(session)->scene;
}

void ed_views_stop_picture(struct ed_session *session)
{
    ed_screenshot_stop(session);
}

bool ed_views_makes_picture(const struct ed_session *session)
{
    return ed_screenshot_busy(session->views);
}

bool ed_views_is_scene(const struct ed_session *session)
{
    return active(session)->scene;
}

bool ed_views_is_split(const struct ed_session *session)
{
    return session->views->split;
}

bool ed_views_is_pinned(const struct ed_session *session)
{
    return active(session)->pinned;
}

bool ed_views_is_wiped(const struct ed_session *session)
{
    return active(session)->wipe;
}
