// What the ground lacks near level ground, with water standing upon it at that level: land, of its mean; level ground, of being
// covered everywhere. Where little of a cell is land, its ground has to rise by more than its mean.
#include "lib/shore.glsl"

const float COVERING = 4.0;   // for what stands out of level ground
const float LEAST_LAND = 0.25; // share of a cell

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int side = int(pass.side), i = oro_index(p);
    vec2 here = shore[i];
    float sum = 0.0, land = 0.0;
    for (int k = 0; k < side * side && is_near(here); k++) {
        float above = ground[oro_source_cell(p * side + ivec2(k % side, k / side))] - here.y;
        sum += max(above, 0.0);
        land += above > 0.0 ? 1.0 : 0.0;
    }
    float cells = float(side * side), lack = (reference[i] - here.y) - sum / cells;
    missing[i] = !is_near(here)    ? 0.0
                 : is_level(here) ? COVERING * min(lack, 0.0)
                                  : lack / max(land / cells, LEAST_LAND);
}
