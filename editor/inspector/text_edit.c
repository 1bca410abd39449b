/* Text fields: at most one has the keyboard, and what was typed into it is kept here. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/inspector/fields.h"

static bool is_of(const struct ed_edit *edit, const char *id, const char *part)
{
    return edit->open && strcmp(edit->id, id) == 0 && strcmp(edit->part, part) == 0;
}

bool ed_text_is_open(const struct ed_session *session, const char *id, const char *part)
{
    return is_of(&session->inspector->edit, id, part);
}

static void finish(struct ed_session *session, bool keep)
{
    struct ed_edit *edit = &session->inspector->edit;
    if (!edit->open)
        return;
    edit->open = false;
    if (keep && strcmp(edit->text, edit->before) != 0)
        ed_later(session, &(struct ed_change){
                              .act = edit->commit, .id = edit->id, .part = edit->part, .text = edit->text});
    else if (!keep)
        ed_unrefuse(session, edit->id, edit->part);
}

void ed_text_open(struct ed_session *session, const char *id, const char *part, const char *text,
                  ed_action *commit)
{
    struct ed_edit *edit = &session->inspector->edit;
    finish(session, true);
    edit->open = true;
    edit->active = false;
    edit->waited = 0;
    edit->seen = session->frame;
    edit->commit = commit;
    snprintf(edit->id, sizeof edit->id, "%s", id);
    snprintf(edit->part, sizeof edit->part, "%s", part);
    snprintf(edit->text, ED_EDIT_BYTES, "%s", text);
    snprintf(edit->before, ED_EDIT_BYTES, "%s", text);
}

void ed_text_settle(struct ed_session *session)
{
    struct ed_edit *edit = &session->inspector->edit;
    if (edit->open && edit->seen + 1 < session->frame)
        finish(session, true);
}

/* Reads the field's state after it was drawn. */
static void follow(struct ed_session *session, const struct ed_text_field *field, bool mine)
{
    struct ed_edit *edit = &session->inspector->edit;
    bool active = ui_item_active();
    if (active && !mine) {
        ed_text_open(session, field->id, field->part, session->inspector->scratch, field->commit);
        edit->active = true;
        return;
    }
    if (!mine)
        return;
    edit->seen = session->frame;
    if (active && field->number && ui_key_pressed(SDL_SCANCODE_TAB)) {
        finish(session, true);
        session->inspector->open_next = true;
    } else if (active) {
        edit->active = true;
    } else if (edit->active) {
        finish(session, !ui_key_pressed(SDL_SCANCODE_ESCAPE));
    } else if (edit->waited++ > 3) { /* it never got the keyboard */
        finish(session, false);
    }
}

void ed_text_draw(struct ed_session *session, const struct ed_text_field *field)
{
    struct ed_inspector *inspector = session->inspector;
    bool mine = is_of(&inspector->edit, field->id, field->part);
    bool large = strlen(field->text) >= ED_EDIT_BYTES;
    char *text = mine ? inspector->edit.text : inspector->scratch;
    const char *refused = ed_refused_text(session, field->id, field->part);
    if (!mine)
        snprintf(inspector->scratch, ED_EDIT_BYTES, "%s", refused ? refused : field->text);
    ui_id_push(field->id);
    ui_id_push(field->part);
    if (field->mono)
        ui_font_push(UI_MONO);
    ui_name("%s", field->name);
    if (mine && !inspector->edit.active)
        ui_focus_next();
    if (field->lines > 1) {
        float height = (float)field->lines * ui_line_height() + 8 * ui_scale();
        ui_input_area("##text", text, ED_EDIT_BYTES, field->width, height,
                      UI_TAB | (large ? UI_READ_ONLY : 0));
    } else {
        ui_item_width(field->width);
        ui_input("##text", field->hint, text, ED_EDIT_BYTES, UI_SELECT_ALL | (large ? UI_READ_ONLY : 0));
    }
    follow(session, field, mine);
    if (field->mono)
        ui_font_pop();
    ui_id_pop();
    ui_id_pop();
}
