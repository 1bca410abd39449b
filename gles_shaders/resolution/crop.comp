/* Takes the cells of `terrain` from (pass.east, pass.south) on. */
void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        set_terrain(p, terrain_at(p + ivec2(pass.east, pass.south)));
}
