// Where water ends for good: the sea, borders, and hollows that no rain reaches. AGAIN: the last ones, but for hollows
// that rain has reached over the ways carved since.
#include "lib/constraint_erosion.glsl"

bool is_lowest(ivec2 p)
{
    float own = height[oro_index(p)];
    for (int k = 0; k < 9; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1;
        if (k != 4 && oro_inside(p + d) && height[oro_index(p + d)] < own)
            return false;
    }
    return true;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    bool dry = drained[i] <= pass.trickle;
#if AGAIN
    bool hollow = outlets[i] > 0.5;
#else
    bool hollow = is_lowest(p);
#endif
    outlets[i] = is_outlet(p, height[i]) || (dry && hollow) ? 1.0 : 0.0;
}
