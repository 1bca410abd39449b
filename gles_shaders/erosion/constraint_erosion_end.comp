// The result, as far as the mask lets it be, and where gorges are: those of the last iteration, and those that connected
// what was still closed.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float h = connected[i], strength = mask_at(p);
    float weight = h < height[i] ? 1.0 : uintBitsToFloat(gorge[i]);
    result[i] = strength < 1.0 ? mix(terrain[i], h, strength) : h;
    weights[i] = weight * strength;
}
