#include "editor/view/pane_popups.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/ui/search.h"
#include "graph/derived/assets.h"

/* ---- Choosing an output ---- */

static bool fits(const struct ed_session *session, const struct oro_doc_node *node,
                 const struct oro_output *output, enum oro_type wanted)
{
    struct oro_graph graph = {ed_project_shown(session->project), ed_project_root(session->project)};
    enum oro_type type = output->type;
    if (type == ORO_ANY)
        type = oro_output_type(ed_project_registry(session->project), &graph, node, output);
    if (wanted == ORO_ANY)
        return type == ORO_ANY || type == ORO_UPLIFT || oro_is_raster(type);
    return type == wanted;
}

/* `enter`: Enter was pressed, which takes the first output offered. */
static bool offer(const struct ed_session *session, const struct oro_doc_node *node, struct ed_choice *choice,
                  enum oro_type type, const char *filter, bool enter)
{
    bool changed = false;
    const struct oro_node_type *of = ed_type_of(session, node);
    for (const struct oro_output *o = of ? of->outputs : NULL; o && o->name; o++) {
        char label[300];
        snprintf(label, sizeof label, "%s \xc2\xb7 %s", node->id, o->name);
        if (!ed_text_holds(label, filter) || !fits(session, node, o, type))
            continue;
        bool is = strcmp(choice->node, node->id) == 0 && strcmp(choice->output, o->name) == 0;
        ui_name("choose:%s.%s", node->id, o->name);
        if (!ui_selectable(label, is, 0) && !(enter && !changed))
            continue;
        snprintf(choice->node, sizeof choice->node, "%s", node->id);
        snprintf(choice->output, sizeof choice->output, "%s", o->name);
        changed = true;
    }
    return changed;
}

/* A list of outputs of the shown graph, to be put into an open popup. `type` ORO_ANY: all. True: another was
 * chosen. */
static bool choose_output(struct ed_session *session, struct ed_choice *choice, enum oro_type type,
                          const char *none)
{
    /* Two lists may be shown at once: of images, and of the rest. */
    static char filters[2][64];
    static uint64_t drawn[2];
    int which = type == ORO_IMAGE;
    const struct oro_document *doc = ed_project_shown(session->project);
    bool changed = false;
    float width = 230 * ui_scale();
    ui_item_width(width);
    if (session->frame > drawn[which] + 1) { /* it was just opened */
        filters[which][0] = '\0';
        if (which == 0)
            ui_focus_next();
    }
    drawn[which] = session->frame;
    const char *filter = filters[which];
    bool enter = ui_input("##filter", "Search", filters[which], sizeof filters[which], UI_ENTER);
    if (ui_key_pressed(SDL_SCANCODE_ESCAPE)) /* otherwise only the field would take it */
        ui_popup_close();
    if (none && ui_selectable(none, !choice->node[0], 0)) {
        choice->node[0] = choice->output[0] = '\0';
        changed = true;
    }
    ui_child_begin("##outputs", width, 190 * ui_scale(), 0);
    for (size_t i = 0; i < oro_document_node_count(doc); i++)
        changed =
            offer(session, oro_document_node(doc, i), choice, type, filter, enter && !changed) || changed;
    ui_child_end();
    return changed;
}

/* ---- Light ---- */

/* The sky as seen from below: the middle is overhead, the rim is the horizon, north is up. */
static bool sun_dial(float *azimuth, float *altitude)
{
    float side = 130 * ui_scale(), radius = side / 2 - 8 * ui_scale();
    struct ui_vec at = ui_cursor(), centre = {at.x + side / 2, at.y + side / 2};
    struct ui_draw *draw = ui_draw_here();
    ui_name("dial:sun");
    ui_area("##dial", side, side);
    bool dragged = ui_item_active() && ui_mouse_down(0);
    if (dragged) {
        double x = (double)(ui_mouse().x - centre.x), y = (double)(ui_mouse().y - centre.y);
        double away = fmin(1, hypot(x, y) / (double)radius);
        *azimuth = (float)fmod(atan2(x, -y) * 57.29577951308232 + 360, 360);
        *altitude = (float)fmax(1, 90 * (1 - away));
    }
    double turn = (double)*azimuth / 57.29577951308232, away = (1 - (double)*altitude / 90) * (double)radius;
    struct ui_vec sun = ed_vec((double)centre.x + away * sin(turn), (double)centre.y - away * cos(turn));
    ui_circle_fill(draw, centre, radius, ui_colour(UI_BACKGROUND));
    ui_circle_line(draw, centre, radius, ui_colour(UI_MUTED), 1);
    ui_circle_line(draw, centre, radius / 2, ui_colour(UI_GRID), 1);
    ui_line(draw, centre, sun, ui_faded(ui_colour(UI_WARNING), 0.5f), 1);
    ui_circle_fill(draw, sun, 6 * ui_scale(), ui_colour(UI_WARNING));
    ui_draw_text(draw, UI_SMALL, 0, (struct ui_vec){centre.x - 4, centre.y - radius - 2}, ui_colour(UI_MUTED),
                 "N", NULL);
    return dragged;
}

static bool slide(const char *label, float *value, double low, double high, const char *format)
{
    double wide = (double)*value;
    ui_item_width(150 * ui_scale());
    bool changed = ui_slider(label, &wide, low, high, format, UI_CLAMP);
    if (changed)
        *value = (float)wide;
    return changed || ui_item_active();
}

static bool sun(struct ed_pane *pane)
{
    bool dragged = sun_dial(&pane->map_look.azimuth, &pane->map_look.altitude);
    dragged = slide("Azimuth", &pane->map_look.azimuth, 0, 360, "%.0f\xc2\xb0") || dragged;
    return slide("Altitude", &pane->map_look.altitude, 1, 90, "%.0f\xc2\xb0") || dragged;
}

static bool lightings(struct ed_scene_look *look)
{
    const char *shown = ed_lighting_name(ed_lighting_of(look));
    bool chosen = false;
    ui_item_width(150 * ui_scale());
    if (!ui_combo_begin("Lighting", shown ? shown : "own"))
        return false;
    for (int i = 0; ed_lighting_name(i); i++) {
        ui_name("lighting:%s", ed_lighting_name(i));
        if (ui_selectable(ed_lighting_name(i), i == ed_lighting_of(look), 0)) {
            ed_lighting_use(look, i);
            chosen = true;
        }
        ui_tooltip("%s", ed_lighting_doc(i));
    }
    ui_combo_end();
    return chosen;
}

static bool time_of_day(struct ed_scene_look *look)
{
    double day = look->day;
    bool moved = slide("Hour", &look->hour, 0, 24, "%.1f h");
    ui_tooltip("Solar time: at 12 the sun is highest");
    ui_item_width(150 * ui_scale());
    moved = ui_slider("Day of the year", &day, 1, 365, "%.0f", UI_CLAMP) || ui_item_active() || moved;
    look->day = (int)day;
    moved = slide("Latitude", &look->latitude, -90, 90, "%.0f\xc2\xb0") || moved;
    if (moved)
        ed_look_set_time(look);
    return moved;
}

static bool light_and_air(struct ed_pane *pane)
{
    struct ed_scene_look *look = &pane->scene_look;
    bool dragged = lightings(look);
    dragged = sun_dial(&look->azimuth, &look->altitude) || dragged;
    dragged = slide("Azimuth", &look->azimuth, 0, 360, "%.0f\xc2\xb0") || dragged;
    dragged = slide("Altitude", &look->altitude, -12, 90, "%.0f\xc2\xb0") || dragged;
    dragged = slide("Softness", &look->softness, 0.1, 20, "%.1f\xc2\xb0") || dragged;
    dragged = slide("Exposure", &look->exposure, -4, 4, "%+.1f") || dragged;
    ui_separator();
    dragged = time_of_day(look) || dragged;
    ui_separator();
    dragged = slide("Haze", &look->haze, 0, 1, "%.2f") || dragged;
    dragged = slide("In the valleys", &look->low, 0, 1, "%.2f") || dragged;
    ui_tooltip("0: haze reaches above the summits; 1: it lies low");
    dragged = slide("Clouds", &look->clouds, 0, 1, "%.2f") || dragged;
    ui_checkbox("Moonlight", &look->night);
    ui_checkbox("Shadows", &look->shadows);
    ui_checkbox("Ambient occlusion", &look->occlusion);
    ui_checkbox("Sky", &look->sky);
    ui_tooltip("Off: a plain background");
    return dragged;
}

/* ---- Water ---- */

static void offer_water(struct ed_session *session, struct ed_pane *pane)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = ed_type_of(session, node);
        for (const struct oro_output *o = type ? type->outputs : NULL; o && o->name; o++) {
            if (o->type != ORO_FIELD ||
                (!ed_text_holds(o->name, "water") && !ed_text_holds(o->name, "level")))
                continue;
            char label[300];
            snprintf(label, sizeof label, "%s \xc2\xb7 %s", node->id, o->name);
            bool is = strcmp(pane->water_choice.node, node->id) == 0 &&
                      strcmp(pane->water_choice.output, o->name) == 0;
            if (!ui_selectable(label, is, 0))
                continue;
            snprintf(pane->water_choice.node, sizeof pane->water_choice.node, "%s", node->id);
            snprintf(pane->water_choice.output, sizeof pane->water_choice.output, "%s", o->name);
        }
    }
}

static bool water(struct ed_session *session, struct ed_pane *pane)
{
    struct ed_scene_look *look = &pane->scene_look;
    const struct ed_picture *ground = ed_pane_ground(pane);
    double low = ground ? (double)ground->low : 0, high = ground ? (double)ground->high : 1000;
    bool dragged = false;
    if (ui_checkbox("Sea", &look->water)) {
        bool dry = (double)look->water_level < low + (high - low) * 0.01 || (double)look->water_level > high;
        pane->sea_chosen = true;
        if (look->water && dry)
            look->water_level = (float)(low + (high - low) * 0.15);
    }
    ui_disabled_begin(!look->water);
    dragged = slide("Level", &look->water_level, fmin(low, 0), high, "%.1f m");
    ui_disabled_end();
    ui_separator();
    ui_text_coloured(ui_colour(UI_MUTED), "Lakes");
    if (ui_selectable("none", !pane->water_choice.node[0], 0))
        pane->water_choice.node[0] = pane->water_choice.output[0] = '\0';
    offer_water(session, pane);
    return dragged;
}

/* ---- Layers and scales ---- */

static void layers(struct ed_session *session, struct ed_pane *pane)
{
    ui_text_coloured(ui_colour(UI_MUTED), "Mask laid over the terrain");
    ui_id_push("mask");
    choose_output(session, &pane->layer_choice, ORO_FIELD, "no mask");
    ui_id_pop();
    if (!pane->scene)
        return;
    ui_separator();
    ui_text_coloured(ui_colour(UI_MUTED), "Image as the colour of the ground");
    ui_id_push("image");
    if (choose_output(session, &pane->colour_choice, ORO_IMAGE, "no image"))
        pane->scene_look.material = pane->colour_choice.node[0] ? ED_MATERIAL_IMAGE : ED_MATERIAL_NATURAL;
    ui_id_pop();
}

static bool range(struct ed_pane *pane)
{
    struct ed_map_look *look = &pane->map_look, shown = ed_pane_map_look(pane);
    const struct ed_picture *picture = pane->slots[ED_SLOT_MAIN].picture;
    struct ed_map_scale scale;
    bool dragged = false, fixed = ed_pane_has_range(pane, picture);
    if (!picture || !picture->data)
        return false;
    ed_map_scale_of(&shown, picture, &scale);
    bool ranged = scale.valued && scale.mode != ED_MAP_SLOPE;
    ui_disabled_begin(!ranged);
    if (ui_checkbox("Fixed range of colours", &fixed)) {
        look->fixed_range = fixed;
        look->low = scale.low;
        look->high = scale.high;
        pane->range_unit = picture->unit;
    }
    ui_disabled_end();
    if (!ranged)
        ui_tooltip("These colours have no range");
    if (!ranged || !fixed)
        return false;
    double low = (double)look->low, high = (double)look->high, speed = fmax(1e-4, (high - low) / 200);
    ui_item_width(150 * ui_scale());
    dragged = ui_drag("Low", &low, speed, -1e6, 1e6, "%.4g", 0);
    ui_item_width(150 * ui_scale());
    dragged = ui_drag("High", &high, speed, -1e6, 1e6, "%.4g", 0) || dragged;
    look->low = (float)low;
    look->high = (float)fmax(high, low + 1e-6 * fmax(1, fabs(low)));
    return dragged;
}

static bool scales(struct ed_pane *pane)
{
    bool dragged = false;
    struct ed_scene_look *scene = &pane->scene_look;
    if (pane->scene) {
        dragged = slide("Exaggeration", &scene->exaggeration, 0.25, 5, "%.2f\xc3\x97");
        ui_disabled_begin(scene->material != ED_MATERIAL_NATURAL);
        dragged = slide("Snow", &scene->snow, -1, 1, "%+.2f") || dragged;
        dragged = slide("Green", &scene->green, -1, 1, "%+.2f") || dragged;
        ui_disabled_end();
        return dragged;
    }
    dragged = slide("Exaggeration of shade", &pane->map_look.exaggeration, 0.25, 10, "%.2f\xc3\x97");
    dragged = slide("Contours every", &pane->map_look.contours, 0, 500,
                    pane->map_look.contours > 0 ? "%.0f m" : "none") ||
              dragged;
    ui_checkbox("Cells as squares", &pane->map_look.sharp);
    return range(pane) || dragged;
}

static bool compare(struct ed_session *session, struct ed_pane *pane)
{
    ui_text_coloured(ui_colour(UI_MUTED), "Compare with");
    if (choose_output(session, &pane->wipe_choice, ORO_ANY, NULL))
        ui_popup_close();
    return false;
}

void ed_pane_popups(struct ed_session *session, struct ed_pane *pane)
{
    bool dragged = false;
    if (ui_popup_begin("##sun")) {
        dragged = pane->scene ? light_and_air(pane) : sun(pane);
        ui_popup_end();
    }
    if (ui_popup_begin("##water")) {
        dragged = water(session, pane) || dragged;
        ui_popup_end();
    }
    if (ui_popup_begin("##layers")) {
        layers(session, pane);
        ui_popup_end();
    }
    if (ui_popup_begin("##look")) {
        dragged = scales(pane) || dragged;
        ui_popup_end();
    }
    if (pane->wipe && !pane->wipe_choice.node[0] && !ui_popup_is_open("##wipe") && pane->asking_wipe)
        ui_popup_open("##wipe");
    pane->asking_wipe = false;
    if (ui_popup_begin("##wipe")) {
        compare(session, pane);
        ui_popup_end();
    } else if (pane->wipe && !pane->wipe_choice.node[0])
        pane->wipe = false;
    if (dragged)
        pane->moved_at = session->now;
}

/* ---- Commands ---- */

void ed_pane_wipe(struct ed_session *session, struct ed_pane *pane, bool on)
{
    const struct ed_pane *other = NULL;
    static const struct ed_choice none;
    for (int i = ED_VIEW_PANES - 1; i >= 0; i--)
        if (i != pane->index && session->views->panes[i].pinned)
            other = &session->views->panes[i];
    pane->wipe = on;
    pane->wipe_choice = none;
    if (!on)
        return;
    /* A pinned pane is compared with the viewed node, another with another's pinned node; without
     * these, asks. */
    if (pane->pinned) {
        snprintf(pane->wipe_choice.node, sizeof pane->wipe_choice.node, "%s", session->viewed);
        snprintf(pane->wipe_choice.output, sizeof pane->wipe_choice.output, "%s", session->viewed_output);
    } else if (other)
        pane->wipe_choice = other->pin;
    pane->asking_wipe = !pane->wipe_choice.node[0];
}

void ed_pane_pin(struct ed_session *session, struct ed_pane *pane, bool on)
{
    const struct ed_choice *want = &pane->slots[ED_SLOT_MAIN].want;
    if (on && !want->node[0])
        return;
    if (on)
        pane->pin = *want;
    pane->pinned = on;
    (void)session;
}
