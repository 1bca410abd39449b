// For every cell the highest of those around it, along one axis and as far as nodes/erosion/retarget.c has come. Of equal ones the
// one with the lowest number, so that a plateau has one.

void take(ivec2 p, inout int best)
{
    int i = oro_index(clamp(p, ivec2(0), grid.size - 1));
    int other = pass.first != 0.0 ? i : highest[i];
    float h = height[other], b = height[best];
    best = h > b || (h == b && other < best) ? other : best;
}

void main()
{
    ivec2 p = oro_cell(), away = ivec2(pass.east, pass.south);
    if (!oro_inside(p))
        return;
    int i = oro_index(p), best = pass.first != 0.0 ? i : highest[i];
    take(p - away, best);
    take(p + away, best);
    highest_out[i] = best;
}
