#include "formats/heightfield.h"

#include "base/memory.h"

void oro_heightfield_free(struct oro_heightfield *field)
{
    if (!field)
        return;
    oro_free(field->data);
    *field = (struct oro_heightfield){0};
}
