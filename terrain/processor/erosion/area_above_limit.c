/* Marks which of the cells that are looked at have reached the bound of the drainage area. */
#include "terrain/processor/lib/stream_power.h"

ORO_PROCESSOR(erosion, area_above_limit)
{
    const float *area = oro_run_buffer(run, "area");
    float *above = oro_run_buffer(run, "above");
    size_t stride = (size_t)oro_run_number(run, "stride"), columns = (size_t)run->source.width;
    struct oro_power_law law = oro_power_law_of(run);
    size_t width = (size_t)run->grid.width, height = (size_t)run->grid.height;
    for (size_t y = 0; oro_run_ready(run) && y < height; y++)
        for (size_t x = 0; x < width; x++)
            above[y * width + x] = area[stride * (y * columns + x)] >= law.largest ? 1 : 0;
}
