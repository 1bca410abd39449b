/* The way from the root to the group that is shown, at the upper left; each part leads back there. */
#include <stdio.h>
#include <string.h>

#include "editor/canvas/canvas.h"
#include "editor/canvas/over.h"

static const char *root_title(const struct ed_session *session)
{
    const char *title = oro_document_title(ed_project_main(session->project));
    const char *path = ed_project_path(session->project), *slash = strrchr(path, '/');
    if (title[0])
        return title;
    return path[0] ? slash ? slash + 1 : path : "Document";
}

static float crumb(struct ed_session *session, size_t level, struct ui_vec at, float height)
{
    const char *text = level ? ed_project_entered(session->project, level - 1) : root_title(session);
    bool last = level == ed_project_depth(session->project);
    char id[64];
    float width = ui_text_extent(UI_NORMAL, 0, text, 0).x;
    struct ui_rect rect = {at.x, at.y, width, height};
    snprintf(id, sizeof id, "crumb%zu", level);
    ui_cursor_set(at);
    ui_name("crumb:%zu", level);
    bool pressed = ui_area(id, width, height), hovered = ui_item_hovered();
    ui_draw_text_in(ui_draw_here(), last ? UI_BOLD : UI_NORMAL, 0,
                    (struct ui_rect){rect.x, rect.y, width + 20, height}, 0,
                    ui_colour(last || hovered ? UI_TEXT : UI_MUTED), text);
    if (hovered && !last)
        ui_pointer(UI_HAND);
    if (pressed && !last)
        ed_canvas_leave_to(session, level);
    return width;
}

static float widths(const struct ed_session *session, float arrow)
{
    float width = ui_text_extent(UI_NORMAL, 0, root_title(session), 0).x;
    for (size_t i = 0; i < ed_project_depth(session->project); i++)
        width += arrow + ui_text_extent(UI_BOLD, 0, ed_project_entered(session->project, i), 0).x;
    return width;
}

void ed_crumbs_draw(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    float one = ui_scale(), arrow = 20 * one, height = ui_font_size(UI_NORMAL) + 10 * one;
    size_t depth = ed_project_depth(session->project);
    struct ui_vec at = {canvas->camera.rect.x + 20 * one, canvas->camera.rect.y + 10 * one};
    canvas->crumbs = (struct ui_rect){0};
    if (!depth)
        return;
    canvas->crumbs = (struct ui_rect){at.x - 10 * one, at.y, widths(session, arrow) + 20 * one, height};
    ui_rect_fill(ui_draw_here(), canvas->crumbs, ui_faded(ui_colour(UI_PANEL), 0.92f), 5 * one);
    ui_rect_line(ui_draw_here(), canvas->crumbs, ui_colour(UI_BORDER), 5 * one, one);
    for (size_t level = 0; level <= depth && level <= ed_project_depth(session->project); level++) {
        if (level) {
            struct ui_rect mark = {at.x, at.y, arrow, height};
            ui_icon(ui_draw_here(), UI_ICON_RIGHT, mark, ui_colour(UI_MUTED));
            at.x += arrow;
        }
        at.x += crumb(session, level, at, height);
    }
}
