#include "editor/inspector/fields.h"

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
