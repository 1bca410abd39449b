// Outlets: where water has arrived (terrain/hydrology/ground.h).

#ifdef OUTLETS
bool is_outlet(ivec2 p)
{
    return outlets[oro_index(p)] > 0.5;
}
#else
// For a node with the inputs `sea` and `borders`.
bool is_outlet(ivec2 p)
{
    bool border = any(equal(p, ivec2(0))) || any(equal(p, grid.size - 1));
    return (border && params.borders != BORDERS_WALLS) || sea_at(p) > 0.5;
}
#endif
