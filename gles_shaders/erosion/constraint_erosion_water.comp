// Water on the result, and what drains through it in m^2.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float side = params.reference_cell;
    depth[i] = max(params.sea_level - height[i], 0.0);
    drained[i] *= side * side;
}
