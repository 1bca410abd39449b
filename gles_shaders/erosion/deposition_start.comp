// The state to start from: the sediment that can be taken up, and none on its way yet.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    sediment_out[oro_index(p)] = 0.0;
    source_out[oro_index(p)] = max(sediment_at(p), 0.0);
}
