/*
 * The tour leads from nothing to a first terrain. A card says what to do and a ring shows where; each step
 * ends when the user has done it, not when a button is pressed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/panels/panels_private.h"
#include "editor/session/commands.h"

enum place { AT_CANVAS, AT_VIEWS, AT_INSPECTOR, AT_MENU };

struct step {
    const char *title, *text;
    enum place place;
    bool (*done)(struct ed_session *session);
};

/* ---- Whether a step is done */

static const char *category_of(const struct ed_session *session, const struct oro_doc_node *node)
{
    const struct oro_node_type *type = node ? ed_type_of(session, node) : NULL;
    return type && type->category ? type->category : "";
}

static bool has_node(struct ed_session *session)
{
    const struct oro_document *shown = ed_project_shown(session->project);
    for (size_t i = 0; i < oro_document_node_count(shown); i++) {
        const struct oro_node_type *type = ed_type_of(session, oro_document_node(shown, i));
        if (type && oro_type_output_count(type) > 0)
            return true;
    }
    return false;
}

static bool sees_depth(struct ed_session *session)
{
    return ed_command_checked(session, ed_command_find(session, "scene"));
}

/* Whether some node is linked to an erosion node. */
static bool has_erosion(struct ed_session *session)
{
    const struct oro_document *shown = ed_project_shown(session->project);
    for (size_t i = 0; i < oro_document_node_count(shown); i++) {
        const struct oro_doc_node *node = oro_document_node(shown, i);
        if (strcmp(category_of(session, node), "erosion") != 0)
            continue;
        for (size_t k = 0; k < node->input_count; k++)
            if (node->inputs[k].from_node)
                return true;
    }
    return false;
}

static size_t count_values(const struct oro_document *doc)
{
    size_t count = oro_document_node_count(doc);
    for (size_t i = 0; i < oro_document_node_count(doc); i++)
        count += oro_document_node(doc, i)->input_count;
    return count;
}

/* Whether some input was changed: the document changed while the pointer is over the inspector, or an input
 * is set that was not. */
static bool changed_value(struct ed_session *session)
{
    const struct ed_tour *tour = &session->panels->tour;
    bool changed = ed_project_revision(session->project) != tour->revision;
    return changed && (ui_inside(session->arranged.parts[ED_PART_INSPECTOR], ui_mouse()) ||
                       count_values(ed_project_shown(session->project)) > tour->values);
}

static bool has_orbited(struct ed_session *session)
{
    return session->panels->tour.orbit > 60 * (double)ui_scale();
}

static bool is_saved(struct ed_session *session)
{
    return ed_project_path(session->project)[0] && !ed_project_changed(session->project);
}

static const struct step steps[] = {
    {"Uplift",
     "Mountains begin where the ground rises. With the pointer over the canvas, press Tab. Type "
     "\"uplift range\" and press Enter.",
     AT_CANVAS, has_node},
    {"In depth",
     "The view shows how fast the ground rises, from above. Press 3 to see it in depth. The blue handles "
     "can be dragged.",
     AT_VIEWS, sees_depth},
    {"Rivers",
     "Let rivers carve it: drag from the socket at the right of the node to an empty place. Type "
     "\"young range\" and press Enter.",
     AT_CANVAS, has_erosion},
    {"A slider",
     "The inspector shows what the node can do. Drag any of its sliders: the view follows at once, "
     "first coarse, then fine.",
     AT_INSPECTOR, changed_value},
    {"Look around", "Drag in the view to turn the terrain; the wheel brings it nearer.", AT_VIEWS,
     has_orbited},
    {"Save", "Keep it: press Ctrl+S, then Enter, or give it a better name first.", AT_MENU, is_saved},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* ---- From step to step */

static void enter(struct ed_session *session, int step)
{
    struct ed_tour *tour = &session->panels->tour;
    tour->step = step;
    tour->revision = ed_project_revision(session->project);
    tour->values = count_values(ed_project_shown(session->project));
    tour->orbit = 0;
    ed_wake(session);
}

static void remember(struct ed_session *session)
{
    session->settings.toured = true;
    ed_settings_save(&session->settings, NULL, NULL);
    ed_wake(session);
}

static void end(struct ed_session *session)
{
    session->panels->tour.shown = false;
    remember(session);
}

void ed_tour_start(struct ed_session *session)
{
    struct ed_panels *panels = session->panels;
    panels->tour = (struct ed_tour){.shown = true};
    panels->help.open = false;
    enter(session, 0);
    if (oro_document_node_count(ed_project_main(session->project)) > 0)
        ed_command_run(session, "new");
    ed_start_begin_tour(session);
}

static void follow_mouse(struct ed_session *session)
{
    struct ed_tour *tour = &session->panels->tour;
    struct ui_vec moved = ui_mouse_moved();
    if (ui_mouse_dragging(0) && ui_inside(session->arranged.parts[ED_PART_VIEW], ui_mouse_pressed_at(0)))
        tour->orbit += fabs((double)moved.x) + fabs((double)moved.y);
}

static void advance(struct ed_session *session)
{
    struct ed_tour *tour = &session->panels->tour;
    if (tour->back || tour->step >= STEPS)
        return;
    /* The step does not end while a slider is held: it would be pulled from under the pointer. */
    if (steps[tour->step].done(session) && !ui_mouse_down(0))
        enter(session, tour->step + 1);
    if (tour->step == STEPS)
        remember(session);
}

/* ---- Drawing */

static struct ui_rect target(const struct ed_session *session, enum place place)
{
    struct ui_vec window = ui_window_size();
    struct ui_rect menu = {0, 0, 60 * ui_scale(), ui_widget_height()};
    struct ui_rect rect = place == AT_CANVAS  ? session->arranged.parts[ED_PART_GRAPH]
                          : place == AT_VIEWS ? session->arranged.parts[ED_PART_VIEW]
                          : place == AT_MENU  ? menu
                                              : session->arranged.parts[ED_PART_INSPECTOR];
    if (rect.w <= 0)
        rect = (struct ui_rect){0, 0, window.x, window.y};
    return rect;
}

static struct ui_rect card_place(const struct ed_session *session, enum place place, float width,
                                 float height)
{
    if (place ==
        AT_INSPECTOR) /* the ring is in the inspector, but the slider's effect is seen in the views */
        place = AT_CANVAS;
    struct ui_rect at = target(session, place), card = {0, 0, width, height};
    struct ui_vec window = ui_window_size();
    float gap = 16 * ui_scale();
    card.x = (place == AT_MENU ? 0 : at.x) + gap;
    card.y = place == AT_CANVAS  ? at.y + at.h - height - gap /* new nodes go above, and to the right */
             : place == AT_VIEWS ? at.y + gap + ui_widget_height() * 1.5f
                                 : at.y + at.h + gap;
    card.x = card.x < 0 ? 0 : card.x + width > window.x ? window.x - width : card.x;
    card.y = card.y < 0 ? 0 : card.y + height > window.y ? window.y - height : card.y;
    return card;
}

static void draw_ring(struct ui_rect at)
{
    struct ui_draw *draw = ui_draw_above();
    float scale = ui_scale();
    for (int i = 0; i < 3; i++) {
        float in = (float)i * 1.5f * scale;
        struct ui_rect ring = {at.x + in, at.y + in, at.w - 2 * in, at.h - 2 * in};
        ui_rect_line(draw, ring, ui_faded(ui_colour(UI_ACCENT), 0.9f - 0.35f * (float)i), 6 * scale,
                     2 * scale);
    }
}

static void draw_dots(int step)
{
    struct ui_vec at = ui_cursor();
    float scale = ui_scale(), radius = 3.5f * scale;
    for (int i = 0; i < STEPS; i++) {
        struct ui_vec dot = {at.x + radius + (float)i * 13 * scale, at.y + ui_widget_height() / 2};
        if (i <= step)
            ui_circle_fill(ui_draw_here(), dot, radius, ui_colour(i < step ? UI_GOOD : UI_ACCENT));
        else
            ui_circle_line(ui_draw_here(), dot, radius, ui_colour(UI_MUTED), scale);
    }
    ui_dummy(STEPS * 13 * scale, ui_widget_height());
}

static void draw_buttons(struct ed_session *session)
{
    struct ed_tour *tour = &session->panels->tour;
    draw_dots(tour->step);
    ui_same_line(12 * ui_scale());
    ui_disabled_begin(tour->step == 0);
    ui_name("tour:back");
    if (ui_button("Back", 0, 0)) {
        tour->back = true;
        enter(session, tour->step - 1);
    }
    ui_disabled_end();
    if (tour->back) {
        ui_same_line(-1);
        ui_name("tour:next");
        if (ui_button_strong("Go on", 0, 0)) {
            enter(session, tour->step + 1);
            tour->back = tour->step + 1 < STEPS && steps[tour->step].done(session);
        }
    }
    ui_same_line(-1);
    ui_name("tour:skip");
    if (ui_button("Skip the tour", 0, 0))
        end(session);
}

static void draw_end(struct ed_session *session)
{
    ui_text_wrapped(
        "That is your first terrain. The palette has many more nodes; F1 tells about each of them, "
        "and the start screen has examples.");
    ui_spacing();
    ui_name("tour:finish");
    if (ui_button_strong("Finish", 0, 0))
        end(session);
    ui_same_line(-1);
    if (ui_button("Examples", 0, 0)) {
        end(session);
        ed_start_show(session, true);
    }
}

static void draw_card(struct ed_session *session)
{
    struct ed_tour *tour = &session->panels->tour;
    const struct step *step = &steps[tour->step < STEPS ? tour->step : STEPS - 1];
    float scale = ui_scale(), width = 340 * scale;
    const char *text = tour->step < STEPS ? step->text : "Three lines\nof text\nor so";
    float words = ui_text_extent(UI_NORMAL, 0, text, width - 28 * scale).y;
    float height = words + ui_font_size(UI_BOLD) + ui_widget_height() + 38 * scale;
    struct ui_rect card = card_place(session, tour->step < STEPS ? step->place : AT_CANVAS, width, height);
    bool covered = ui_any_popup() || ed_panels_open(session);
    if (tour->step < STEPS && !covered)
        draw_ring(target(session, step->place));
    if (ui_panel_begin("##tour", card, UI_POPUP | UI_BORDERED | UI_NO_SCROLL | UI_ALWAYS_ON_TOP)) {
        ui_font_push(UI_BOLD);
        if (tour->step < STEPS)
            ui_text("%d of %d: %s", tour->step + 1, (int)STEPS, step->title);
        else
            ui_text("Done");
        ui_font_pop();
        if (tour->step < STEPS) {
            ui_text_wrapped(step->text);
            ui_spacing();
            draw_buttons(session);
        } else {
            draw_end(session);
        }
    }
    ui_panel_end();
    if (!covered)
        ui_rect_line(ui_draw_above(), card, ui_colour(UI_ACCENT), 6 * scale, 1.5f * scale);
    ed_describe_item("tour", card.x, card.y, card.w, card.h, true);
}

void ed_tour_draw(struct ed_session *session)
{
    struct ed_tour *tour = &session->panels->tour;
    if (!tour->shown)
        return;
    if (ed_start_shown(session)) {
        tour->waiting = true;
        return;
    }
    /* A user who opens something instead does not begin from nothing: the tour ends. */
    if (tour->waiting && oro_document_node_count(ed_project_main(session->project)) > 0) {
        tour->shown = false;
        return;
    }
    tour->waiting = false;
    follow_mouse(session);
    advance(session);
    draw_card(session);
}
