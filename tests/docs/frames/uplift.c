#include "graph/type/node.h"
#include "terrain/network/network.h"
#include "terrain/uplift/uplift.h"

struct params {
    float weight;
    const struct oro_network *ridges;
};
struct oro_uplift *raised_along(const struct oro_uplift *tree, const struct oro_network *ridges, struct oro_error *err);
@
