// Drainage to start from: what is given (perhaps of another resolution), but at least the cell's own rain.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float own = grid.cell * grid.cell * rain_at(p);
    if (HAS_DRAINAGE != 0)
        own = max(own, drainage_at(p));
    area_out[oro_index(p)] = own;
}
