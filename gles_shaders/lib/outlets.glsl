// Outlets: where water has arrived (terrain/hydrology/ground.h).

#ifdef OUTLETS
bool is_outlet(ivec2 p)
{
    return outlets[oro_index(p)] > 0.5;
}
#else
#ifdef RING
// Of a part of a terrain: only where the terrain ends as well.
bool on_border(ivec2 p)
{
    return on_side(p, int(pass.borders));
}
#else
bool on_border(ivec2 p)
{
    return any(equal(p, ivec2(0))) || any(equal(p, grid.size - 1));
}
#endif

// For a node with the inputs `sea` and `borders`.
bool is_outlet(ivec2 p)
{
    return (on_border(p) && params.borders != BORDERS_WALLS) || sea_at(p) > 0.5;
}
#endif
