#include "editor/view/toolbar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/pane/bar.h"
#include "editor/session/bindings.h"
#include "editor/session/panes.h"
#include "editor/tools/paint_tool.h"
#include "editor/tools/region_tool.h"
#include "editor/tools/sketch_tool.h"
#include "editor/view/pane_popups.h"
#include "editor/view/picture_dialog.h"

static void gap(struct ed_flow *flow)
{
    if (flow->x > flow->left)
        flow->x += 7 * ui_scale();
}

static bool icon(struct ed_flow *flow, const char *id, enum ui_icon_kind kind, bool on, const char *tooltip)
{
    ed_flow_place(flow, ui_widget_height());
    return ui_icon_button(id, (int)kind, on, tooltip);
}

/* ---- What is shown ---- */

static void pick_output(struct ed_session *session, struct ed_pane *pane, const char *output)
{
    const struct ed_choice *want = &pane->slots[ED_SLOT_MAIN].want;
    if (pane->pinned)
        snprintf(pane->pin.output, sizeof pane->pin.output, "%s", output);
    else {
        char node[128];
        snprintf(node, sizeof node, "%s", want->node);
        ed_look_at(session, node, output);
    }
}

static void outputs(struct ed_session *session, struct ed_pane *pane)
{
    const struct ed_choice *want = &pane->slots[ED_SLOT_MAIN].want;
    const struct oro_doc_node *node =
        want->node[0] ? oro_document_find(ed_project_shown(session->project), want->node) : NULL;
    const struct oro_node_type *type = node ? ed_type_of(session, node) : NULL;
    char shown[280];
    snprintf(shown, sizeof shown, node ? "%s \xc2\xb7 %s" : "nothing", want->node, want->output);
    if (!ui_combo_begin("##output", shown)) {
        ui_tooltip("What is shown: the outputs of %s", node ? want->node : "the chosen node");
        return;
    }
    for (const struct oro_output *o = type ? type->outputs : NULL; o && o->name; o++) {
        ui_name("output:%s", o->name);
        if (ui_selectable(o->name, strcmp(o->name, want->output) == 0, 0))
            pick_output(session, pane, o->name);
        if (o->doc)
            ui_tooltip("%s", o->doc);
    }
    ui_combo_end();
}

/* ---- How ---- */

static void modes(struct ed_pane *pane)
{
    int at = pane->scene ? (int)pane->scene_look.material : (int)pane->map_look.mode;
    int count = pane->scene ? ED_MATERIALS : ED_MAP_MODES;
    const char *shown =
        pane->scene ? ed_material_name(pane->scene_look.material) : ed_map_mode_name(pane->map_look.mode);
    if (!ui_combo_begin("##mode", shown)) {
        ui_tooltip("%s", pane->scene ? "What the ground is made of" : "How values become colours");
        return;
    }
    for (int i = 0; i < count; i++) {
        const char *name =
            pane->scene ? ed_material_name((enum ed_material)i) : ed_map_mode_name((enum ed_map_mode)i);
        if (!ui_selectable(name, i == at, 0))
            continue;
        if (pane->scene)
            pane->scene_look.material = (enum ed_material)i;
        else
            pane->map_look.mode = (enum ed_map_mode)i;
    }
    ui_combo_end();
}

static bool has_palette(const struct ed_pane *pane)
{
    enum ed_map_mode mode = pane->map_look.mode;
    if (pane->scene)
        return pane->scene_look.material == ED_MATERIAL_ELEVATION;
    return mode == ED_MAP_AUTO || mode == ED_MAP_HEIGHT || mode == ED_MAP_SHADED;
}

/* Shows the palettes as stripes of their colours. */
static void palettes(struct ed_pane *pane)
{
    enum ed_palette *palette = pane->scene ? &pane->scene_look.palette : &pane->map_look.palette;
    if (!ui_combo_begin("##palette", ed_palette_name(*palette))) {
        ui_tooltip("Colours of values");
        return;
    }
    for (int i = 0; i < ED_PALETTES; i++)
        if (ui_selectable(ed_palette_name((enum ed_palette)i), i == (int)*palette, 0))
            *palette = (enum ed_palette)i;
    ui_combo_end();
}

static void what_and_how(struct ed_session *session, struct ed_pane *pane, struct ed_flow *flow)
{
    /* The lists give way first, so that all stays in one row for as long as it can. */
    enum { ICONS = 16, GAPS = 40, LISTS = 158 };
    float unit = ui_scale(), room = flow->right - flow->left;
    float left = room - (float)ICONS * (ui_widget_height() + 2 * unit) - (float)(GAPS + LISTS) * unit;
    float wide = fminf(200 * unit, fmaxf(100 * unit, left)),
          slack = fminf(1, fmaxf(0, left / unit - 150) / 50);
    float mode = (84 + 16 * slack) * unit, palette = (74 + 18 * slack) * unit;
    if (icon(flow, "depth", UI_ICON_SCENE, pane->scene,
             ed_text_with_key(session,
                              pane->scene ? "Seen in depth: press for the map"
                                          : "Seen from above: press for the view in depth",
                              "scene")))
        pane->scene = !pane->scene;
    ed_flow_place(flow, wide);
    ui_item_width(wide);
    outputs(session, pane);
    ed_flow_place(flow, mode);
    ui_item_width(mode);
    modes(pane);
    if (!has_palette(pane))
        return;
    ed_flow_place(flow, palette);
    ui_item_width(palette);
    palettes(pane);
}

static void arrangement(struct ed_session *session, struct ed_pane *pane, struct ed_flow *flow)
{
    if (icon(flow, "pin", UI_ICON_PIN, pane->pinned,
             ed_text_with_key(session, "Keep showing this node, whatever is chosen", "pin")))
        ed_pane_pin(session, pane, !pane->pinned);
    if (icon(flow, "split", UI_ICON_GRID, ed_panes_views_are_split(session),
             ed_text_with_key(session, "Two views side by side", "split")))
        ed_panes_split_views(session);
    if (icon(flow, "wipe", UI_ICON_WIPE, pane->wipe,
             ed_text_with_key(session, "Compare with another node", "wipe")))
        ed_pane_wipe(session, pane, !pane->wipe);
    if (icon(flow, "frame-view", UI_ICON_FRAME, false,
             ed_text_with_key(session, "See all of the terrain", "frame-all")))
        ed_pane_frame(pane);
}

static void looks(struct ed_pane *pane, struct ed_flow *flow)
{
    if (icon(flow, "sun", UI_ICON_SUN, false, pane->scene ? "Light, sky and haze" : "Sun"))
        ui_popup_open("##sun");
    if (pane->scene && icon(flow, "water", UI_ICON_WATER,
                            pane->scene_look.water || pane->water_choice.node[0], "Sea and lakes"))
        ui_popup_open("##water");
    if (icon(flow, "layers", UI_ICON_LAYERS, pane->layer_choice.node[0] != '\0',
             "Lay a mask or an image over the terrain"))
        ui_popup_open("##layers");
    if (icon(flow, "look", UI_ICON_GEAR, false,
             pane->scene ? "Exaggeration, snow and green" : "Exaggeration, contours, range of colours"))
        ui_popup_open("##look");
}

static void tool(struct ed_views *views, struct ed_flow *flow, const char *id, enum ui_icon_kind kind,
                 enum ed_tool tool, const char *tooltip)
{
    if (icon(flow, id, kind, views->tool == tool, tooltip))
        views->tool = views->tool == tool ? ED_TOOL_NONE : tool;
}

static void tools(struct ed_session *session, const struct ed_pane *pane, struct ed_flow *flow)
{
    struct ed_views *views = session->views;
    tool(views, flow, "measure", UI_ICON_RULER, ED_TOOL_MEASURE, "Measure a distance: drag a line");
    tool(views, flow, "profile", UI_ICON_PROFILE, ED_TOOL_PROFILE,
         "Heights along a line: click its points, double click the last");
    if (icon(flow, "handles", UI_ICON_HANDLES, views->handles,
             "Handles of the chosen node: points, lines, radii, directions"))
        views->handles = !views->handles;
    tool(views, flow, "sketch", UI_ICON_PEN, ED_TOOL_SKETCH,
         ed_text_with_key(session, "Draw ranges, valleys, rivers, ridges and folds", "sketch"));
    tool(views, flow, "region", UI_ICON_REGION, ED_TOOL_REGION,
         ed_text_with_key(session, "Copy, move and erase parts of mountains", "region"));
    tool(views, flow, "brush", UI_ICON_BRUSH, ED_TOOL_BRUSH, "Paint masks and heights");
    if (icon(flow, "screenshot", UI_ICON_CAMERA, false,
             ed_text_with_key(session, "Save a picture of this view, or a film around it", "screenshot")))
        ed_picture_ask(session, pane);
}

void ed_toolbar_draw(struct ed_session *session, struct ed_pane *pane)
{
    struct ui_rect rect = pane->rect;
    float pad = 4 * ui_scale();
    struct ed_flow flow = {rect.x + pad, rect.x + rect.w - pad, rect.x + pad, rect.y + pad};
    what_and_how(session, pane, &flow);
    gap(&flow);
    arrangement(session, pane, &flow);
    gap(&flow);
    looks(pane, &flow);
    gap(&flow);
    tools(session, pane, &flow);
    float below = flow.y + ui_widget_height() + pad;
    /* The bar is always in the first view, whichever is active: if a picture moved under a stroke's first
     * press, the stroke would be bent. */
    static void (*const bars[ED_TOOLS])(struct ed_session * session, struct ed_pane * pane) = {
        [ED_TOOL_BRUSH] = ed_paint_bar, [ED_TOOL_SKETCH] = ed_sketch_bar, [ED_TOOL_REGION] = ed_region_bar};
    enum ed_tool used = session->views->tool;
    if (bars[used] && pane == ed_view_first(session)) {
        pane->rect = (struct ui_rect){rect.x, below, rect.w, rect.y + rect.h - below};
        bars[used](session, pane);
        below = pane->rect.y;
    }
    float height = rect.y + rect.h - below;
    pane->rect = (struct ui_rect){rect.x, below, rect.w, height > 1 ? height : 1};
}
