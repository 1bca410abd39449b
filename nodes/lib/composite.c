#include "nodes/lib/composite.h"

void oro_forward_all(struct oro_build *build, int node, const char *const *names)
{
    for (; *names; names++)
        oro_build_forward(build, node, *names, *names);
}

void oro_add_to_sum(struct oro_build *build, struct oro_part_output *sum, struct oro_part_output part,
                    const char *name)
{
    if (sum->node < 0) {
        *sum = part;
        return;
    }
    int node = oro_build_node(build, "combine", name);
    oro_build_link(build, node, "a", part.node, part.output);
    oro_build_link(build, node, "b", sum->node, sum->output);
    *sum = (struct oro_part_output){node, "field"};
}
