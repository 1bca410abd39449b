#include "editor/view/views.h"

#include <stdio.h>
#include <string.h>

#include <GLES3/gl31.h>

#include "base/memory.h"
#include "editor/pane/slots.h"
#include "editor/session/panes.h"
#include "editor/tools/handle_tool.h"
#include "editor/tools/measure_tool.h"
#include "editor/tools/paint_tool.h"
#include "editor/tools/region_tool.h"
#include "editor/tools/sketch_tool.h"
#include "editor/view/draw.h"
#include "editor/view/pane_popups.h"
#include "editor/view/picture_dialog.h"
#include "editor/view/screenshot.h"

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
    views->wish = (struct ed_picture_wish){.preset = 1, .frames = 120};
    views->handles = true;
    views->software = is_software();
    for (int i = 0; i < ED_VIEW_PANES; i++)
        ed_pane_begin(&views->panes[i], i);
    bool ok = ed_pane_make(&views->panes[0], err);
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
    for (int i = 0; i < ED_VIEW_PANES; i++)
        ed_pane_free(&views->panes[i]);
    oro_free(views);
}

void ed_views_reset(struct ed_session *session)
{
    struct ed_views *views = session->views;
    for (int i = 0; i < ED_VIEW_PANES; i++)
        ed_pane_forget(&views->panes[i]);
    views->tool = ED_TOOL_NONE;
    ed_screenshot_free(views);
    ed_measure_reset(views->measure);
    ed_handle_reset(views->handle_tool);
    ed_paint_reset(views->paint);
    ed_sketch_reset(views->sketch);
    ed_region_reset(views->region);
}

/* ---- Which are shown ---- */

/* The view with the keyboard or under the pointer, else the one clicked last. */
static struct ed_pane *active(const struct ed_session *session)
{
    struct ed_views *views = session->views;
    enum ed_pane_part part = ed_part_active(session);
    if (ed_part_is_view(part))
        return &views->panes[part - ED_PART_VIEW];
    struct ed_pane *first = ed_view_first(session);
    return ed_view_shown(session, &views->panes[views->active]) || !first ? &views->panes[views->active]
                                                                          : first;
}

/* ---- How depth looks ---- */

/* What belongs to the ground is not kept for other documents. */
static void begin_looks(struct ed_session *session)
{
    struct ed_views *views = session->views;
    for (int i = 0; i < ED_VIEW_PANES; i++) {
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
    const struct ed_scene_look *look = &views->panes[views->active].scene_look;
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

/* The view that was clicked last comes first, and panes' main pictures before overlays. */
static void collect_wants(const struct ed_session *session)
{
    static const enum ed_slot_kind order[] = {ED_SLOT_MAIN,  ED_SLOT_GROUND, ED_SLOT_SECOND,
                                              ED_SLOT_LAYER, ED_SLOT_COLOUR, ED_SLOT_WATER};
    struct ed_views *views = session->views;
    views->want_count = 0;
    for (size_t k = 0; k < ED_SLOTS; k++)
        for (int i = 0; i < ED_VIEW_PANES; i++) {
            const struct ed_pane *pane = &views->panes[(views->active + i) % ED_VIEW_PANES];
            if (ed_view_shown(session, pane))
                add_want(views, &pane->slots[order[k]]);
        }
}

size_t ed_views_wants(const struct ed_session *session, struct ed_want wants[ED_VIEWS_MAX])
{
    struct ed_views *views = session->views;
    for (int i = 0; i < ED_VIEW_PANES; i++)
        if (ed_view_shown(session, &views->panes[i]))
            ed_slots_resolve(session, &views->panes[i]);
    collect_wants(session);
    memcpy(wants, views->wants, views->want_count * sizeof *wants);
    return views->want_count;
}

/* ---- Drawing ---- */

void ed_views_begin(struct ed_session *session)
{
    session->views->hovered = false;
    follow_looks(session);
    ed_screenshot_tick(session);
}

/* A view that is shown for the first time shows what the first does, the other way. */
static void begin(struct ed_views *views, struct ed_pane *pane)
{
    if (!pane->begun && pane->index > 0)
        pane->scene = !views->panes[0].scene;
    pane->begun = true;
    ed_pane_make(pane, &pane->failed);
}

void ed_view_draw(struct ed_session *session, int index, struct ui_rect rect)
{
    struct ed_views *views = session->views;
    struct ed_pane *pane = &views->panes[index];
    char id[16];
    snprintf(id, sizeof id, "##view%d", index);
    begin(views, pane);
    bool shown = ui_panel_begin(id, rect, UI_NO_PADDING | UI_NO_SCROLL) && rect.w > 40 && rect.h > 40;
    if (shown && ui_inside(rect, ui_mouse()) && !ui_any_popup())
        views->hovered = true;
    if (shown && pane->in_depth) {
        if (pane == ed_view_first(session))
            ed_describe_item("view", rect.x, rect.y, rect.w, rect.h, true);
        ed_pane_draw(session, pane, rect);
    } else if (shown) {
        ui_text_wrapped(pane->failed.text);
    }
    ui_panel_end();
}

void ed_views_end(struct ed_session *session)
{
    struct ed_views *views = session->views;
    for (int i = 0; i < ED_VIEW_PANES; i++)
        if (!ed_view_shown(session, &views->panes[i])) {
            views->panes[i].hovered = false;
            views->panes[i].drag = 0;
        }
    ed_picture_dialog(session);
    ed_describe_state("picture", "%s", ed_screenshot_busy(views) ? "drawn" : "");
    if (ed_view_first(session))
        ed_describe_state("sharp", "%d", !ed_views_busy(session));
    ed_paint_tick(session);
    ed_sketch_tick(session);
}

bool ed_views_hovered(const struct ed_session *session)
{
    if (session->keys_in)
        return ed_part_is_view(session->keys_in);
    return session->views->hovered;
}

bool ed_views_take_keys(const struct ed_session *session)
{
    const struct ed_views *views = session->views;
    if (ed_paint_painting(views->paint) || ed_sketch_busy(views->sketch) || ed_region_busy(views->region))
        return true;
    /* When frames are slow, keys come before the pane has seen the button. */
    bool pressed = views->hovered && ui_mouse_down(1);
    for (int i = 0; i < ED_VIEW_PANES; i++)
        if (ed_view_shown(session, &views->panes[i]) && views->panes[i].scene &&
            (views->panes[i].drag == 2 || pressed))
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
    for (int i = 0; i < ED_VIEW_PANES; i++)
        if (ed_view_shown(session, &views->panes[i]) && !views->panes[i].sharp)
            return true;
    return ed_paint_busy(views->paint) || ed_screenshot_busy(views);
}

uint64_t ed_views_shown(const struct ed_session *session)
{
    const struct ed_pane *first = ed_view_first(session);
    const struct ed_picture *picture = first ? first->slots[ED_SLOT_MAIN].picture : NULL;
    return picture ? picture->revision : 0;
}

/* ---- Commands ---- */

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

bool ed_views_is_pinned(const struct ed_session *session)
{
    return active(session)->pinned;
}

bool ed_views_is_wiped(const struct ed_session *session)
{
    return active(session)->wipe;
}
