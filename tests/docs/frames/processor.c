#include "terrain/processor/lib/terrain.h"
#include "terrain/processor/vector.h"

static float steepest(const float *h, int width)
{
    return h[1] - h[0] + h[width];
}
@
