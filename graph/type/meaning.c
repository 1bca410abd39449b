#include "graph/type/meaning.h"

static unsigned means(enum oro_type type, enum oro_unit unit)
{
    switch (type) {
    case ORO_VECTOR:
        return ORO_MEANS_VECTOR;
    case ORO_IMAGE:
        return ORO_MEANS_IMAGE;
    case ORO_NETWORK:
        return ORO_MEANS_NETWORK;
    case ORO_UPLIFT:
        return ORO_MEANS_UPLIFT;
    case ORO_FIELD:
    case ORO_FLOAT:
        return unit == ORO_METRE          ? ORO_MEANS_TERRAIN
               : unit == ORO_SQUARE_METRE ? ORO_MEANS_AREA
                                          : ORO_MEANS_FIELD;
    default:
        return 0;
    }
}

/* What a node makes of any raster is what the raster was. */
static const unsigned any_field = ORO_MEANS_TERRAIN | ORO_MEANS_AREA | ORO_MEANS_FIELD;

unsigned oro_output_means(const struct oro_output *output)
{
    if (output->role == ORO_ROLE_TERRAIN)
        return ORO_MEANS_TERRAIN;
    return output->role == ORO_ROLE_FIELD && output->unit == ORO_NO_UNIT ? any_field
                                                                         : means(output->type, output->unit);
}

unsigned oro_input_means(const struct oro_input *input)
{
    if (input->role == ORO_ROLE_UPLIFT)
        return ORO_MEANS_RISE;
    if (input->role == ORO_ROLE_LIKE || input->role == ORO_ROLE_SIZE)
        return 0; /* takes any raster, and reads none */
    return input->role == ORO_ROLE_TERRAIN ? ORO_MEANS_TERRAIN : means(input->type, input->unit);
}

/* Maps are mostly numbers, unless a node begins with one; so are masks that merely hold an effect back. */
unsigned oro_type_wants(const struct oro_node_type *type)
{
    unsigned wants = 0;
    for (const struct oro_input *input = type->inputs; input && input->name; input++) {
        unsigned one = oro_input_means(input);
        if (input == type->inputs)
            wants |= one == ORO_MEANS_FIELD ? any_field : one;
        else if (input->type != ORO_FLOAT || one == ORO_MEANS_RISE)
            wants |= input->role == ORO_ROLE_MASK ? 0 : one;
    }
    return wants;
}

unsigned oro_type_gives(const struct oro_node_type *type)
{
    unsigned gives = 0;
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        gives |= oro_output_means(output);
    return gives;
}

int oro_meaning_suits(unsigned given, unsigned wanted)
{
    if ((given & ORO_MEANS_UPLIFT) && (wanted & ORO_MEANS_RISE))
        return ORO_SUITS_BEST;
    return given & wanted ? 2 : 1;
}
