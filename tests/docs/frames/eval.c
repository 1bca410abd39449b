#include "graph/type/node.h"
#include "nodes/lib/range.h"

struct params {
    float low, high;
    int iterations;
};
@
