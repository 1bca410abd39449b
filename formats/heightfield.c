#include "formats/heightfield.h"

#include "base/memory.h"

void oro_heightfield_free(struct oro_heightfield *field)
{
    if (!field)
        return;
    oro_free(field->data);
    oro_free(field->sea);
    oro_free(field->filled);
    oro_free(field->place.crs);
    *field = (struct oro_heightfield){0};
}
