/* Text fields: at most one has the keyboard, and what was typed into it is kept here. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/inspector/fields.h"

static bool is_of(const struct ed_edit *edit, const char *a, const char *b)
{
    return edit->open && strcmp(edit->a, a) == 0 && strcmp(edit->b, b) == 0;
}

bool ed_text_is_open(const struct ed_app *app, const char *a, const char *b)
{
    return is_of(&app->inspector->edit, a, b);
}

static void finish(struct ed_app *app, bool keep)
{
    struct ed_edit *edit = &app->inspector->edit;
    if (!edit->open)
        return;
    edit->open = false;
    if (keep && strcmp(edit->text, edit->before) != 0)
        ed_later(app, edit->commit, edit->a, edit->b, edit->text);
    else if (!keep)
        ed_unrefuse(app, edit->a, edit->b);
}

void ed_text_open(struct ed_app *app, const char *a, const char *b, const char *text, ed_action *commit)
{
    struct ed_edit *edit = &app->inspector->edit;
    finish(app, true);
    edit->open = true;
    edit->active = false;
    edit->waited = 0;
    edit->seen = app->frame;
    edit->commit = commit;
    snprintf(edit->a, sizeof edit->a, "%s", a);
    snprintf(edit->b, sizeof edit->b, "%s", b);
    snprintf(edit->text, ED_EDIT_BYTES, "%s", text);
    snprintf(edit->before, ED_EDIT_BYTES, "%s", text);
}

void ed_text_settle(struct ed_app *app)
{
    struct ed_edit *edit = &app->inspector->edit;
    if (edit->open && edit->seen + 1 < app->frame)
        finish(app, true);
}

/* Follows the field's state after it was drawn. */
static void follow(struct ed_app *app, const struct ed_text_field *field, bool mine)
{
    struct ed_edit *edit = &app->inspector->edit;
    bool active = ui_item_active();
    if (active && !mine) {
        ed_text_open(app, field->a, field->b, app->inspector->scratch, field->commit);
        edit->active = true;
        return;
    }
    if (!mine)
        return;
    edit->seen = app->frame;
    if (active && field->number && ui_key_pressed(SDL_SCANCODE_TAB)) {
        finish(app, true);
        app->inspector->open_next = true;
    } else if (active) {
        edit->active = true;
    } else if (edit->active) {
        finish(app, !ui_key_pressed(SDL_SCANCODE_ESCAPE));
    } else if (edit->waited++ > 3) { /* it never got the keyboard */
        finish(app, false);
    }
}

void ed_text_draw(struct ed_app *app, const struct ed_text_field *field)
{
    struct ed_inspector *inspector = app->inspector;
    bool mine = is_of(&inspector->edit, field->a, field->b);
    bool large = strlen(field->text) >= ED_EDIT_BYTES;
    char *text = mine ? inspector->edit.text : inspector->scratch;
    const char *refused = ed_refused_text(app, field->a, field->b);
    if (!mine)
        snprintf(inspector->scratch, ED_EDIT_BYTES, "%s", refused ? refused : field->text);
    ui_id_push(field->a);
    ui_id_push(field->b);
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
    follow(app, field, mine);
    if (field->mono)
        ui_font_pop();
    ui_id_pop();
    ui_id_pop();
}
