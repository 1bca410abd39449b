/* Parts of curves, the points of a profile and the stops of a gradient: choosing, dragging, removing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/inspector/fields.h"
#include "graph/type/literal.h"

static bool is_of(const struct ed_field *field, const char *id, const char *part)
{
    return strcmp(id, field->node->id) == 0 && strcmp(part, field->input->name) == 0;
}

/* ---- The literal ---- */

void ed_part_read(const struct oro_input *input, const char *text, void *curve)
{
    struct oro_input alone = *input;
    alone.offset = 0;
    oro_literal_parse(&alone, text, curve, NULL);
}

void ed_part_set(const struct ed_field *field, struct oro_text *text)
{
    if (text->failed)
        ed_change_lost(field->session);
    else
        ed_field_later(field, ed_act_set, text->data);
    oro_text_free(text);
}

/* ---- What is chosen ---- */

void ed_part_choose(const struct ed_field *field, int part)
{
    struct ed_inspector *inspector = field->session->inspector;
    snprintf(inspector->selected_a, sizeof inspector->selected_a, "%s", field->node->id);
    snprintf(inspector->selected_b, sizeof inspector->selected_b, "%s", field->input->name);
    inspector->selected = part;
}

int ed_part_chosen(const struct ed_field *field, int count)
{
    const struct ed_inspector *inspector = field->session->inspector;
    bool mine = is_of(field, inspector->selected_a, inspector->selected_b);
    return mine && inspector->selected < count ? inspector->selected : -1;
}

/* ---- Dragging ---- */

bool ed_drag_moves(struct ed_value_drag *drag)
{
    struct ui_vec from = ui_mouse_pressed_at(0), at = ui_mouse();
    if (hypotf(at.x - from.x, at.y - from.y) >= 4)
        drag->moved = true;
    return drag->moved;
}

void ed_part_press(const struct ed_field *field, int part, bool fresh)
{
    struct ed_value_drag *drag = &field->session->inspector->drag;
    char name[300];
    ed_part_choose(field, part);
    *drag = (struct ed_value_drag){.pressed = true, .index = part, .fresh = fresh};
    snprintf(drag->id, sizeof drag->id, "%s", field->node->id);
    snprintf(drag->part, sizeof drag->part, "%s", field->input->name);
    snprintf(name, sizeof name, "Change %s", field->input->name);
    ed_field_later(field, ed_act_begin, name);
}

bool ed_part_dragged(const struct ed_field *field)
{
    const struct ed_value_drag *drag = &field->session->inspector->drag;
    return drag->pressed && is_of(field, drag->id, drag->part);
}

bool ed_part_follows(const struct ed_field *field)
{
    struct ed_value_drag *drag = &field->session->inspector->drag;
    if (!ui_key_pressed(SDL_SCANCODE_ESCAPE))
        return ed_drag_moves(drag);
    drag->pressed = false;
    ed_field_later(field, ed_act_cancel, NULL);
    return false;
}

void ed_part_release(const struct ed_field *field)
{
    struct ed_value_drag *drag = &field->session->inspector->drag;
    if (!drag->pressed || ui_mouse_down(0))
        return;
    drag->pressed = false;
    ed_field_later(field, ed_act_end, NULL);
}

/* ---- Removing ---- */

int ed_part_removed(const struct ed_field *field, int under, int chosen)
{
    if (under >= 0 && ui_mouse_pressed(1)) {
        field->session->inspector->menu_taken = field->session->frame;
        return under;
    }
    return ui_key_pressed(SDL_SCANCODE_DELETE) && !ui_typing() ? chosen : -1;
}

bool ed_part_remove_button(const struct ed_field *field, const char *tooltip)
{
    ui_same_line(4 * ui_scale());
    ui_name("remove:%s.%s", field->node->id, field->input->name);
    return ui_icon_button("##remove", UI_ICON_CLOSE, false, tooltip);
}

/* ---- Numbers of what is chosen ---- */

void ed_part_number(const struct ed_field *field, const char *axis, double value,
                    const struct ed_range *range, ed_action *commit, float width)
{
    char key[128], name[300];
    snprintf(key, sizeof key, "%.100s %s", field->input->name, axis);
    snprintf(name, sizeof name, "input:%s.%s.%s", field->node->id, field->input->name, axis);
    struct ed_number number = {.name = name,
                               .id = field->node->id,
                               .part = key,
                               .value = value,
                               .prefix = axis,
                               .range = *range,
                               .commit = commit,
                               .width = width};
    ed_number_draw(field->session, &number);
}

void ed_part_refused(const struct ed_field *field, const char *axis)
{
    char key[128];
    snprintf(key, sizeof key, "%.100s %s", field->input->name, axis);
    ed_refused_draw(field->session, field->node->id, key);
}

bool ed_part_typed(struct ed_session *session, const struct ed_change *change, struct ed_part_typed *out)
{
    const char *axis = strchr(change->part, ' ');
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), change->id);
    const struct oro_node_type *type = node ? ed_type_of(session, node) : NULL;
    struct oro_error err = {0};
    *out = (struct ed_part_typed){.axis = axis ? axis[1] : 'x', .text = session->inspector->scratch};
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(change->part, " "), change->part);
    out->input = type ? oro_type_input(type, out->name) : NULL;
    if (!out->input || !ed_input_text(node, out->input, session->inspector->scratch, ED_EDIT_BYTES))
        return false;
    enum oro_unit unit = out->axis == 'y' || out->input->type == ORO_POINT ? out->input->unit : ORO_NO_UNIT;
    if (!change->text || !ed_number_parse(change->text, unit, &out->value, &err)) {
        ed_refuse(session, change, err.text);
        return false;
    }
    ed_unrefuse(session, change->id, change->part);
    return true;
}

void ed_part_commit(struct ed_session *session, const char *node, const struct ed_part_typed *typed,
                    struct oro_text *text)
{
    if (text->failed)
        ed_change_lost(session);
    else
        ed_act_set(session, &(struct ed_change){.id = node, .part = typed->name, .text = text->data});
    oro_text_free(text);
}
