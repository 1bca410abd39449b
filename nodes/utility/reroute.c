/* A bend in a link. */
#include "graph/type/node.h"

static const struct oro_input inputs[] = {
    {.name = "value", .type = ORO_ANY, .doc = "Anything that a link carries"},
    {0},
};
static const struct oro_output outputs[] = {
    {.name = "value", .type = ORO_ANY, .doc = "The same"},
    {0},
};

static bool expand(struct oro_build *build, const void *params)
{
    (void)params;
    oro_build_output_of_input(build, "value", "value");
    return true;
}

ORO_NODE_WITH(
    reroute, 0, .version = 1, .category = "utility",
    .words = "dot, elbow, wire, pass through, relay, null, portal",
    .doc = "Passes on what is linked to it: a bend in a link, or one place for what many nodes take. Costs "
           "nothing: no "
           "work is done and no memory taken.",
    .expand = expand);
