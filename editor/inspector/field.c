#include "editor/inspector/fields.h"

#include <stdio.h>
#include <string.h>

static bool is_of(const struct ed_field *field, const char *a, const char *b)
{
    return strcmp(a, field->node->id) == 0 && strcmp(b, field->input->name) == 0;
}

void ed_part_choose(const struct ed_field *field, int part)
{
    struct ed_inspector *inspector = field->app->inspector;
    snprintf(inspector->selected_a, sizeof inspector->selected_a, "%s", field->node->id);
    snprintf(inspector->selected_b, sizeof inspector->selected_b, "%s", field->input->name);
    inspector->selected = part;
}

int ed_part_chosen(const struct ed_field *field, int count)
{
    const struct ed_inspector *inspector = field->app->inspector;
    bool mine = is_of(field, inspector->selected_a, inspector->selected_b);
    return mine && inspector->selected < count ? inspector->selected : -1;
}

bool ed_part_dragged(const struct ed_field *field)
{
    const struct ed_drag *drag = &field->app->inspector->drag;
    return drag->pressed && is_of(field, drag->a, drag->b);
}

void ed_field_draw(const struct ed_field *field)
{
    switch (field->input->type) {
    case ORO_FLOAT:
    case ORO_INT:
        ed_field_number(field);
        break;
    case ORO_BOOL:
        ed_field_bool(field);
        break;
    case ORO_CHOICE:
        ed_field_choice(field);
        break;
    case ORO_FILE:
        ed_field_file(field);
        break;
    case ORO_COLOUR:
        ed_field_colour(field);
        break;
    case ORO_POINT:
        ed_field_point(field);
        break;
    case ORO_PROFILE:
        ed_field_profile(field);
        break;
    case ORO_GRADIENT:
        ed_field_gradient(field);
        break;
    case ORO_NETWORK:
        ed_field_network(field);
        break;
    default:
        ed_field_text(field);
    }
}
