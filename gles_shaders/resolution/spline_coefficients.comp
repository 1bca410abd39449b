/* Along one axis, the coefficients of the cubic B-spline that passes through the values (Unser 1999, Splines: a perfect
 * fit for signal and image processing): the inverse of the filter (1, 4, 1) / 6. Its weights fall by POLE with each
 * cell. */

#include "lib/spline.glsl"

const float POLE = -0.26794919; /* sqrt(3) - 2 */
const int REACH = 13;           /* where they are as small as rounding */

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 along = ivec2(pass.east, pass.south);
    float middle = terrain_at(p), change = 0.0; /* relative to the middle: level ground stays exactly level */
    float weight = 1.73205081;
    for (int i = 1; i <= REACH; i++) {
        weight *= POLE;
        change += weight * ((terrain_turned(p - i * along) - middle) + (terrain_turned(p + i * along) - middle));
    }
    coefficients[oro_index(p)] = middle + change;
}
