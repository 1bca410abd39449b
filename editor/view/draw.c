#include "editor/view/draw.h"

#include <math.h>
#include <stdio.h>

#include "editor/pane/lines.h"
#include "editor/pane/navigate.h"
#include "editor/pane/slots.h"
#include "editor/session/bindings.h"
#include "editor/tools/drop_tool.h"
#include "editor/tools/handle_tool.h"
#include "editor/tools/measure_tool.h"
#include "editor/tools/paint_tool.h"
#include "editor/tools/region_tool.h"
#include "editor/tools/sketch_tool.h"
#include "editor/view/legend.h"
#include "editor/view/pane_popups.h"
#include "editor/view/readout.h"
#include "editor/view/render.h"
#include "editor/view/screenshot.h"
#include "editor/view/toolbar.h"
#include "editor/view/wipe.h"

/* In depth, the ground below the pointer is only looked for when the pointer rests, or when a tool needs it
 * at once. */
static void find_pointer(struct ed_session *session, struct ed_pane *pane)
{
    struct ui_vec at = ui_mouse();
    if (at.x != pane->pointer.x || at.y != pane->pointer.y) {
        pane->pointer = at;
        pane->rested_at = session->now;
    }
    bool rests = session->now - pane->rested_at > 0.08;
    if (pane->scene && !rests && session->views->tool == ED_TOOL_NONE) {
        if (pane->drag)
            pane->has_place = false;
        return;
    }
    pane->has_place = pane->hovered && ed_pane_place(pane, at, &pane->place[0], &pane->place[1]);
    const struct ed_picture *ground = ed_pane_ground(pane);
    if (pane->has_place)
        pane->place[2] =
            ground ? (double)ed_picture_sample(ground, pane->place[0], pane->place[1], 0) : (double)NAN;
}

static void notice(const struct ed_pane *pane, struct ui_draw *draw, const char *text, uint32_t colour)
{
    float wrap = pane->rect.w * 0.8f;
    struct ui_vec size = ui_text_extent(UI_NORMAL, 0, text, wrap);
    struct ui_vec at = {pane->rect.x + (pane->rect.w - size.x) / 2,
                        pane->rect.y + (pane->rect.h - size.y) / 2};
    float pad = 12 * ui_scale();
    ui_rect_fill(draw, (struct ui_rect){at.x - pad, at.y - pad, size.x + 2 * pad, size.y + 2 * pad},
                 ui_faded(ui_colour(UI_PANEL), 0.85f), 6 * ui_scale());
    ui_draw_text_wrapped(draw, UI_NORMAL, 0, at, colour, text, wrap);
}

static void draw_waiting(struct ed_session *session, const struct ed_pane *pane, struct ui_draw *draw)
{
    struct ed_live_status status;
    ed_live_status(session->live, &status);
    if (status.problem[0] && !status.busy && !status.opening)
        notice(pane, draw, status.problem, ui_colour(UI_BAD));
    else if (session->paused)
        notice(pane, draw, ed_text_with_key(session, "Paused: goes on from the menu View", "pause"),
               ui_colour(UI_MUTED));
    else
        notice(pane, draw, "Computing\xe2\x80\xa6", ui_colour(UI_MUTED));
}

/* Why there is nothing to see. */
static void draw_notice(struct ed_session *session, const struct ed_pane *pane, struct ui_draw *draw)
{
    const struct ed_slot *main = &pane->slots[ED_SLOT_MAIN];
    struct ed_node_state state = {0};
    if (pane->failed.text[0])
        notice(pane, draw, pane->failed.text, ui_colour(UI_BAD));
    else if (!main->want.node[0] && pane->pinned)
        notice(pane, draw, "The pinned node is not in this graph", ui_colour(UI_MUTED));
    else if (!main->want.node[0])
        notice(pane, draw, "Double click a node to see what it gives", ui_colour(UI_MUTED));
    else {
        ed_live_node(session->live, main->want.node, &state);
        if (state.phase == ED_NODE_FAILED && state.text[0])
            notice(pane, draw, state.text, ui_colour(UI_BAD));
        else if (main->raster && ed_raster_refused(main->raster))
            notice(pane, draw, "The graphics card has no room for this picture", ui_colour(UI_BAD));
        else if (!main->picture || (pane->scene && !ed_pane_ground(pane)))
            draw_waiting(session, pane, draw);
    }
}

static void draw_picture(struct ed_pane *pane, struct ui_draw *draw)
{
    ui_rect_fill(draw, pane->rect, ui_colour(UI_BACKGROUND), 0);
    unsigned texture = pane->scene ? pane->target_depth.texture : pane->target.texture;
    if (!pane->slots[ED_SLOT_MAIN].picture || !texture || (pane->scene && !ed_pane_ground(pane)))
        return;
    ui_draw_image(draw, texture, pane->rect, false);
    if (pane->scene && pane->wipe && pane->target_second.texture) {
        float cut = pane->rect.w * pane->wipe_at;
        ui_clip_push(draw,
                     (struct ui_rect){pane->rect.x + cut, pane->rect.y, pane->rect.w - cut, pane->rect.h});
        ui_draw_image(draw, pane->target_second.texture, pane->rect, false);
        ui_clip_pop(draw);
    }
}

/* What is seen is not the result yet, and nothing is under way that would make it so. It lies over the
 * picture, which must not move when work goes on. True: it has the mouse. */
static bool draw_stopped(struct ed_session *session, const struct ed_pane *pane, struct ui_draw *draw,
                         bool free)
{
    struct ed_node_state state = {0};
    struct ed_live_status status;
    const char *node = pane->slots[ED_SLOT_MAIN].want.node;
    ed_live_status(session->live, &status);
    if (!node[0] || status.busy)
        return false;
    ed_live_node(session->live, node, &state);
    if (state.falls != ED_SHORT_STOPPED && !session->paused)
        return false;
    const char *text = ed_text_with_key(
        session, session->paused ? "Paused, not up to date: Resume" : "Stopped, not the result yet: Resume",
        "resume");
    float s = ui_scale();
    struct ui_vec size = ui_text_extent(UI_BOLD, 0, text, 0);
    struct ui_rect chip = {pane->rect.x + (pane->rect.w - size.x) / 2 - 12 * s, pane->rect.y + 10 * s,
                           size.x + 24 * s, size.y + 10 * s};
    bool over = free && ui_inside(chip, ui_mouse());
    ui_rect_fill(draw, chip, ui_colour(over ? UI_HOVERED : UI_RAISED), 5 * s);
    ui_rect_line(draw, chip, ui_colour(UI_WARNING), 5 * s, 1.5f * s);
    ui_draw_text_in(draw, UI_BOLD, 0, chip, 0.5f, ui_colour(UI_WARNING), text);
    if (over)
        ui_pointer(UI_HAND);
    if (over && ui_mouse_pressed(0))
        ed_command_run(session, "resume");
    if (ed_describing()) {
        char name[32];
        snprintf(name, sizeof name, "resume:%d", pane->index);
        ed_describe_item(name, chip.x, chip.y, chip.w, chip.h, true);
    }
    return over;
}

/* Draws all that lies over the picture; the first that wants the mouse gets it. */
static void draw_over(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool active,
                      bool wiping)
{
    bool shown = pane->slots[ED_SLOT_MAIN].picture != NULL, taken = wiping;
    ui_clip_push(draw, pane->rect);
    if (shown) {
        ed_lines_draw(pane, draw);
        bool free = pane->hovered && !pane->drag && !ui_alt(); /* with Alt the camera is moved */
        taken = draw_stopped(session, pane, draw, free && !taken) || taken;
        ed_wipe_draw(pane, draw, wiping);
        taken = ed_profile_over(session, pane) || taken;
        taken = ed_drop_use(session, pane, draw) || taken;
        taken = ed_handle_use(session, pane, draw, free && !taken) || taken;
        taken = ed_sketch_use(session, pane, draw, free && !taken) || taken;
        taken = ed_region_use(session, pane, draw, free && !taken) || taken;
        taken = ed_paint_use(session, pane, draw, free && !taken) || taken;
        taken = ed_measure_use(session, pane, draw, free && !taken) || taken;
        ed_legend_draw(pane, draw);
        pane->covered = ed_profile_draw(session, pane, draw);
    }
    draw_notice(session, pane, draw);
    ed_screenshot_note(session, pane, draw);
    ed_readout_draw(session, pane, draw);
    ui_clip_pop(draw);
    ed_pane_navigate(session, pane, active, taken);
}

static void describe(const struct ed_session *session, const struct ed_pane *pane)
{
    if (!ed_describing())
        return;
    char key[40];
    const struct ed_slot *main = &pane->slots[ED_SLOT_MAIN];
    snprintf(key, sizeof key, "view%d", pane->index);
    ed_describe_state(key, "%s.%s", main->want.node, main->want.output);
    snprintf(key, sizeof key, "view%d_mode", pane->index);
    ed_describe_state(key, "%s",
                      pane->scene ? ed_material_name(pane->scene_look.material)
                                  : ed_map_mode_name(pane->map_look.mode));
    snprintf(key, sizeof key, "view%d_depth", pane->index);
    ed_describe_state(key, "%d", pane->scene);
    const char *lighting = ed_lighting_name(ed_lighting_of(&pane->scene_look));
    snprintf(key, sizeof key, "view%d_lighting", pane->index);
    ed_describe_state(key, "%s", lighting ? lighting : "");
    snprintf(key, sizeof key, "view%d_serial", pane->index);
    ed_describe_state(key, "%llu", main->picture ? (unsigned long long)main->picture->serial : 0ull);
    snprintf(key, sizeof key, "view%d_level", pane->index);
    ed_describe_state(key, "%d", main->picture ? main->picture->level : 0);
    (void)session;
}

void ed_pane_draw(struct ed_session *session, struct ed_pane *pane, struct ui_rect rect)
{
    struct ed_views *views = session->views;
    int shown = 0;
    for (int i = 0; i < ED_VIEW_PANES; i++)
        shown += ed_view_shown(session, &views->panes[i]);
    double seconds = (views->software ? 0.025 : 0.012) / (shown > 0 ? shown : 1);
    ui_id_push_index(pane->index);
    ui_cursor_set((struct ui_vec){rect.x, rect.y});
    if (ui_child_begin("##pane", rect.w, rect.h, UI_NO_PADDING | UI_NO_SCROLL)) {
        ui_rect_fill(ui_draw_here(), rect, ui_colour(UI_PANEL), 0);
        ui_clip_push(ui_draw_here(), rect);
        pane->rect = rect;
        ed_toolbar_draw(session, pane);
        ed_slots_resolve(session, pane);
        ed_slots_update(session, pane, seconds / 3);
        ed_pane_follow_ground(pane);
        ed_pane_follow_sea(session, pane);
        ui_cursor_set((struct ui_vec){pane->rect.x, pane->rect.y});
        ui_name("view:%d", pane->index);
        ui_area("##picture", pane->rect.w, pane->rect.h);
        bool active = ui_item_active();
        pane->hovered = ui_item_hovered() && ui_inside(pane->rect, ui_mouse());
        if (pane->hovered && (ui_mouse_pressed(0) || ui_mouse_pressed(1) || ui_mouse_pressed(2)))
            views->active = pane->index;
        find_pointer(session, pane);
        bool wiping = ed_wipe_drag(pane, pane->hovered && !pane->drag);
        ed_pane_render(session, pane, seconds * 2 / 3);
        draw_picture(pane, ui_draw_here());
        draw_over(session, pane, ui_draw_here(), active, wiping);
        ed_pane_popups(session, pane);
        ui_clip_pop(ui_draw_here());
        describe(session, pane);
    }
    ui_child_end();
    ui_id_pop();
}
