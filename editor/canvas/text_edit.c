/* Names of nodes, titles of frames and texts of notes, edited where they stand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/canvas/over.h"
#include "editor/session/inputs.h"

static bool note_of(const struct ed_canvas *canvas, size_t item)
{
    return item != ED_NO_INDEX && canvas->model.items[item].kind == ED_ITEM_NOTE;
}

void ed_text_edit_open(struct ed_session *session, const char *node, size_t frame)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_text_edit *edit = &canvas->edit;
    size_t item = node[0] ? ed_canvas_item(session, node) : ED_NO_INDEX;
    if (node[0] ? item == ED_NO_INDEX : frame >= canvas->model.frame_count)
        return;
    *edit = (struct ed_text_edit){.open = true, .began = true, .frame = frame};
    snprintf(edit->node, sizeof edit->node, "%s", node);
    edit->note = note_of(canvas, item);
    const char *text = !node[0]                          ? canvas->model.frames[frame].title
                       : edit->note                      ? canvas->model.items[item].text
                       : canvas->model.items[item].group ? canvas->model.items[item].label
                                                         : node;
    snprintf(edit->text, sizeof edit->text, "%s", text);
}

/* ---- Accepting the text ---- */

static bool title_frame(struct ed_session *session, const struct ed_text_edit *edit, struct oro_error *err)
{
    struct oro_document *doc = ed_edit_begin(session->project, "title frame", err);
    if (!doc)
        return false;
    const struct oro_doc_frame *old = oro_document_frame(doc, edit->frame);
    struct oro_doc_frame frame = old ? *old : (struct oro_doc_frame){0};
    frame.title = (char *)edit->text;
    return ed_edit_end(session->project, oro_edit_frame(doc, edit->frame, &frame, err), err);
}

/* For a group, changes the group's name, which is its title; for another node, the id. */
static void rename_node(struct ed_session *session, const struct ed_text_edit *edit)
{
    struct oro_error err;
    struct ed_canvas *canvas = session->canvas;
    char id[128];
    bool viewed = !strcmp(session->viewed, edit->node);
    size_t item = ed_canvas_refresh(session) ? ed_canvas_item(session, edit->node) : ED_NO_INDEX;
    bool group = item != ED_NO_INDEX && canvas->model.items[item].group;
    if (item == ED_NO_INDEX || !edit->text[strspn(edit->text, " ")] ||
        !strcmp(edit->text, group ? canvas->model.items[item].label : edit->node))
        return;
    if (!group)
        ed_clean_id(edit->text, id);
    bool ok = group ? ed_rename_group(session->project, edit->node, edit->text, id, &err)
                    : ed_rename(session->project, edit->node, id, &err);
    if (!ok) {
        ed_failed(session, &err);
        return;
    }
    ed_select(session, id, false);
    if (viewed)
        snprintf(session->viewed, sizeof session->viewed, "%.*s", (int)sizeof session->viewed - 1, id);
}

static void take(struct ed_session *session)
{
    struct ed_text_edit *edit = &session->canvas->edit;
    struct oro_error err = {0};
    edit->open = false;
    if (edit->note)
        ed_set_input(session, edit->node, "text", edit->text);
    else if (edit->node[0])
        rename_node(session, edit);
    else if (!title_frame(session, edit, &err))
        ed_failed(session, &err);
}

/* ---- The field ---- */

static bool place(struct ed_session *session, struct ui_rect *rect)
{
    struct ed_canvas *canvas = session->canvas;
    const struct ed_text_edit *edit = &canvas->edit;
    float scale = (float)ed_lens_scale(&canvas->camera);
    double x, y, w, h = ED_FRAME_TITLE;
    if (edit->node[0]) {
        size_t item = ed_canvas_item(session, edit->node);
        if (item == ED_NO_INDEX)
            return false;
        const struct ed_item *it = &canvas->model.items[item];
        x = it->x;
        y = it->y;
        w = (double)it->w;
        h = edit->note ? (double)it->h : ED_NODE_TITLE;
    } else {
        if (edit->frame >= canvas->model.frame_count)
            return false;
        const struct ed_area *box = &canvas->model.frames[edit->frame].box;
        x = box->x0;
        y = box->y0;
        w = box->x1 - box->x0;
    }
    struct ui_vec at = ed_lens_to(&canvas->camera, x, y);
    *rect = (struct ui_rect){at.x, at.y, fmaxf((float)w * scale, 150 * ui_scale()),
                             fmaxf((float)h * scale, ui_widget_height())};
    return true;
}

static void draw_note(struct ed_session *session, const struct ui_rect *rect)
{
    struct ed_text_edit *edit = &session->canvas->edit;
    char typed[sizeof edit->text];
    memcpy(typed, edit->text, sizeof typed);
    ui_name("note-text");
    ui_input_area("##note-text", edit->text, sizeof edit->text, rect->w, fmaxf(rect->h, 60 * ui_scale()), 0);
    bool away = ui_item_ended() || (ui_mouse_pressed(0) && !ui_inside(ui_item_rect(), ui_mouse()));
    bool escape = ui_key_pressed(SDL_SCANCODE_ESCAPE);
    if (escape) /* on Escape the field itself discards what was typed */
        memcpy(edit->text, typed, sizeof typed);
    if (escape || (away && !edit->began))
        take(session);
}

static void draw_line(struct ed_session *session, const struct ui_rect *rect)
{
    struct ed_text_edit *edit = &session->canvas->edit;
    ui_item_width(rect->w);
    ui_name("rename");
    bool entered = ui_input("##rename", edit->node[0] ? "name" : "title", edit->text, sizeof edit->text,
                            UI_ENTER | UI_SELECT_ALL);
    bool away = ui_item_ended() || (ui_mouse_pressed(0) && !ui_inside(ui_item_rect(), ui_mouse()));
    if (ui_key_pressed(SDL_SCANCODE_ESCAPE))
        edit->open = false;
    else if (entered || (away && !edit->began))
        take(session);
}

void ed_text_edit_draw(struct ed_session *session)
{
    struct ed_text_edit *edit = &session->canvas->edit;
    struct ui_rect rect;
    if (!edit->open)
        return;
    if (!place(session, &rect)) {
        edit->open = false;
        return;
    }
    ui_cursor_set((struct ui_vec){rect.x, rect.y});
    if (edit->began)
        ui_focus_next();
    if (edit->note)
        draw_note(session, &rect);
    else
        draw_line(session, &rect);
    edit->began = false;
}
