/* Chooses one of its inputs. */
#include "graph/type/node.h"

struct params {
    int index;
};

static const struct oro_input inputs[] = {
    ORO_IN_INT(
        struct params, index, 0, .min = 0, .max = 7,
        .doc =
            "Which input is passed on, counted from 0; one that is not linked gives the nearest linked one "
            "before it, or else behind it"),
    {.name = "value0", .type = ORO_ANY, .optional = true, .doc = "Passed on for 0"},
    {.name = "value1", .type = ORO_ANY, .optional = true, .doc = "Passed on for 1"},
    {.name = "value2", .type = ORO_ANY, .optional = true, .doc = "Passed on for 2"},
    {.name = "value3", .type = ORO_ANY, .optional = true, .doc = "Passed on for 3"},
    {.name = "value4", .type = ORO_ANY, .optional = true, .doc = "Passed on for 4"},
    {.name = "value5", .type = ORO_ANY, .optional = true, .doc = "Passed on for 5"},
    {.name = "value6", .type = ORO_ANY, .optional = true, .doc = "Passed on for 6"},
    {.name = "value7", .type = ORO_ANY, .optional = true, .doc = "Passed on for 7"},
    {0},
};
static const struct oro_output outputs[] = {
    {.name = "value", .type = ORO_ANY, .doc = "What is chosen"},
    {0},
};

enum { CHOICES = 8 };

static bool expand(struct oro_build *build, const void *data)
{
    const struct params *p = data;
    int chosen = p->index;
    while (chosen > 0 && !oro_build_linked(build, inputs[1 + chosen].name))
        chosen--;
    while (chosen < CHOICES - 1 && !oro_build_linked(build, inputs[1 + chosen].name))
        chosen++;
    if (!oro_build_linked(build, inputs[1 + chosen].name))
        chosen = 0; /* none is linked: the first is reported */
    oro_build_output_of_input(build, "value", inputs[1 + chosen].name);
    return true;
}

ORO_NODE(switch, .version = 1, .category = "utility",
         .words = "chooser, select input, choose, variants, multiplexer, toggle, if",
         .doc =
             "Passes on one of up to eight inputs of one kind: variants of a graph side by side, chosen by a "
             "number, by an "
             "expression, or by an input of the interface. Only what is chosen is evaluated.",
         .expand = expand);
