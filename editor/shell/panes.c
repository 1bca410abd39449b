#include "editor/shell/panes.h"

#include <stdio.h>

#include "editor/canvas/canvas.h"
#include "editor/inspector/inspector.h"
#include "editor/panels/panels.h"
#include "editor/session/panes.h"
#include "editor/ui/describe.h"
#include "editor/view/views.h"

static enum ed_pane_part menu_of, menu_asked; /* whose menu is open, or to be opened */

/* ---- Gaps */

static void drag_gaps(struct ed_session *session)
{
    static int dragged; /* 1 + the split's place; 0: none */
    const struct ed_arrangement *arranged = &session->arranged;
    for (int i = 0; i < arranged->gap_count; i++) {
        const struct ed_gap *gap = &arranged->gaps[i];
        bool across = session->workspace.places[gap->place].split == ED_ACROSS;
        bool over = ui_inside(gap->rect, ui_mouse()) && !ui_any_popup();
        char name[24];
        snprintf(name, sizeof name, "gap:%d", i);
        ed_describe_item(name, gap->rect.x, gap->rect.y, gap->rect.w, gap->rect.h, true);
        if (over && ui_mouse_pressed(0))
            dragged = gap->place + 1;
        else if (dragged == gap->place + 1) /* the pointer's way to the gap does not count */
            ed_workspace_drag(&session->workspace, gap, across ? ui_mouse().x : ui_mouse().y, ui_scale());
        if (over || dragged == gap->place + 1)
            ui_pointer(across ? UI_SIZE_X : UI_SIZE_Y);
    }
    if (!ui_mouse_down(0))
        dragged = 0;
}

/* ---- Menus */

static void command_item(struct ed_session *session, const char *id)
{
    const struct ed_command *command = ed_command_find(session, id);
    ui_name("pane-menu:%s", id);
    if (ui_menu_item(command->label, ed_command_key_text(session, id), ed_command_checked(session, command),
                     ed_command_enabled(session, command))) {
        session->keys_in = menu_of; /* the command is for this pane, wherever the pointer is */
        ed_command_run(session, id);
        session->keys_in = ED_PART_NONE;
    }
}

static void draw_menu(struct ed_session *session, enum ed_pane_part part)
{
    static const enum ed_pane_part order[] = {
        ED_PART_GRAPH,    ED_PART_VIEW,      ED_PART_VIEW + 1, ED_PART_VIEW + 2,
        ED_PART_VIEW + 3, ED_PART_INSPECTOR, ED_PART_PALETTE,  ED_PART_LOG,
    };
    menu_of = part;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        ui_name("pane-menu:%s", ed_part_title(order[i]));
        if (ui_menu_item(ed_part_title(order[i]), NULL, order[i] == part, true) && order[i] != part) {
            ed_workspace_swap(&session->workspace, part, order[i]);
            session->maximised = session->maximised ? order[i] : ED_PART_NONE;
        }
        ui_tooltip("%s", ed_workspace_has(&session->workspace, order[i]) && order[i] != part
                             ? "Swaps the two panes"
                             : "What this pane shows");
    }
    ui_separator();
    static const char *const commands[] = {"maximise", "split-across", "split-down", "swap-panes",
                                           "close-pane"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        command_item(session, commands[i]);
}

void ed_pane_menu_open(struct ed_session *session)
{
    menu_asked = ed_part_active(session);
}

/* ---- Heads */

/* A small button with an icon at the right of a head. */
static bool head_button(const char *id, int icon, struct ui_rect head, float right, const char *tooltip)
{
    struct ui_rect rect = {right - head.h, head.y, head.h, head.h};
    ui_cursor_set((struct ui_vec){rect.x, rect.y});
    bool pressed = ui_area(id, rect.w, rect.h);
    if (ui_item_hovered())
        ui_rect_fill(ui_draw_here(), rect, ui_colour(UI_HOVERED), 3 * ui_scale());
    ui_icon(ui_draw_here(), icon, rect, ui_colour(ui_item_hovered() ? UI_TEXT : UI_MUTED));
    ui_tooltip("%s", tooltip);
    return pressed;
}

/* The title, which opens the menu; a double click beside it maximises. Returns its right end. */
static float draw_title(enum ed_pane_part part, struct ui_rect head)
{
    const char *title = ed_part_title(part);
    float pad = 6 * ui_scale(), arrow = head.h * 0.8f;
    float width = ui_text_extent(UI_SMALL, 0, title, 0).x + arrow + 2 * pad;
    struct ui_rect rect = {head.x, head.y, width < head.w ? width : head.w, head.h};
    ui_cursor_set((struct ui_vec){rect.x, rect.y});
    ui_name("head:%s", title);
    if (ui_area("##title", rect.w, rect.h) || ui_item_clicked(1))
        menu_asked = part;
    bool hovered = ui_item_hovered();
    if (hovered)
        ui_rect_fill(ui_draw_here(), rect, ui_colour(UI_HOVERED), 3 * ui_scale());
    ui_tooltip("What the pane shows; split, swap and close it");
    uint32_t colour = ui_colour(hovered ? UI_TEXT : UI_MUTED);
    ui_icon(ui_draw_here(), UI_ICON_DOWN, (struct ui_rect){rect.x + pad / 2, rect.y, arrow, rect.h}, colour);
    struct ui_rect text = {rect.x + pad + arrow, rect.y, rect.w - pad - arrow, rect.h};
    ui_draw_text_in(ui_draw_here(), UI_SMALL, 0, text, 0, colour, title);
    return rect.x + rect.w;
}

static void draw_head(struct ed_session *session, enum ed_pane_part part, struct ui_rect head)
{
    char id[24];
    snprintf(id, sizeof id, "##head%d", (int)part);
    if (ui_panel_begin(id, head, UI_NO_PADDING | UI_NO_SCROLL)) {
        float right = head.x + head.w, title = draw_title(part, head);
        bool several = session->workspace.count > 1 && right - title > 2 * head.h;
        menu_of = part;
        if (several) {
            ui_name("head-close:%s", ed_part_title(part));
            if (head_button("##close", UI_ICON_CLOSE, head, right, "Close the pane")) {
                session->maximised = ED_PART_NONE;
                ed_workspace_close(&session->workspace, part);
            }
            ui_name("head-maximise:%s", ed_part_title(part));
            if (head_button("##maximise", UI_ICON_FRAME, head, right - head.h,
                            ed_text_with_key(session, "All of the window, and back", "maximise")))
                session->maximised = session->maximised ? ED_PART_NONE : part;
            right -= 2 * head.h;
        }
        ui_cursor_set((struct ui_vec){title, head.y});
        ui_area("##rest", right - title > 1 ? right - title : 1, head.h);
        if (several && ui_item_hovered() && ui_mouse_double(0))
            session->maximised = session->maximised ? ED_PART_NONE : part;
        if (ui_item_clicked(1))
            menu_asked = part;
        if (menu_asked == part)
            ui_popup_open("##pane");
        menu_asked = menu_asked == part ? ED_PART_NONE : menu_asked;
        if (ui_popup_begin("##pane")) {
            draw_menu(session, part);
            ui_popup_end();
        }
    }
    ui_panel_end();
}

/* ---- Panes */

static void draw_part(struct ed_session *session, enum ed_pane_part part, struct ui_rect rect)
{
    if (ed_part_is_view(part))
        ed_view_draw(session, (int)(part - ED_PART_VIEW), rect);
    else if (part == ED_PART_GRAPH)
        ed_canvas_draw(session, rect);
    else if (part == ED_PART_INSPECTOR)
        ed_inspector_draw(session, rect);
    else if (part == ED_PART_PALETTE)
        ed_palette_draw(session, rect);
    else
        ed_log_draw(session, rect);
}

static void draw_pane(struct ed_session *session, enum ed_pane_part part)
{
    struct ui_rect rect = session->arranged.parts[part], head = rect;
    head.h = ui_font_size(UI_SMALL) + 5 * ui_scale();
    draw_head(session, part, head);
    rect.y += head.h;
    rect.h = rect.h > head.h + 1 ? rect.h - head.h : 1;
    draw_part(session, part, rect);
    if (session->keys_in == part)
        ui_rect_line(ui_draw_above(), session->arranged.parts[part], ui_colour(UI_ACCENT), 0, 2 * ui_scale());
}

/* The keyboard stays where it was moved until the pointer is used again. */
static void follow_keyboard(struct ed_session *session)
{
    static const char *const panels[ED_PARTS] = {
        [ED_PART_INSPECTOR] = "##inspector", [ED_PART_PALETTE] = "##palette", [ED_PART_LOG] = "##log"};
    struct ui_vec moved = ui_mouse_moved();
    bool pressed = ui_mouse_pressed(0) || ui_mouse_pressed(1) || ui_mouse_pressed(2);
    if (pressed && !ui_any_popup()) {
        session->keys_in = ED_PART_NONE;
        session->pressed = ed_part_active(session);
    }
    if (session->keys_moved)
        ui_walk(panels[session->keys_in]);
    else if (session->keys_in && (moved.x != 0 || moved.y != 0 || !ed_part_shown(session, session->keys_in)))
        session->keys_in = ED_PART_NONE;
    if (!session->keys_in)
        ui_walk(NULL);
    session->keys_moved = false;
}

static void arrange(struct ed_session *session, struct ui_rect all)
{
    session->panes_in = all;
    if (!ed_workspace_has(&session->workspace, session->maximised))
        session->maximised = ED_PART_NONE;
    if (!session->maximised) {
        ed_workspace_arrange(&session->workspace, all, ui_scale(), &session->arranged);
        return;
    }
    session->arranged = (struct ed_arrangement){0};
    session->arranged.parts[session->maximised] = all;
}

void ed_panes_draw(struct ed_session *session, struct ui_rect all)
{
    arrange(session, all);
    follow_keyboard(session);
    drag_gaps(session);
    ed_views_begin(session);
    for (enum ed_pane_part part = ED_PART_NONE + 1; part < ED_PARTS; part++)
        if (ed_part_shown(session, part))
            draw_pane(session, part);
    ed_views_end(session);
}
