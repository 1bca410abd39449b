// How much the last explicit step changed.
void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        rate[oro_index(p)] = abs(after[oro_index(p)] - before[oro_index(p)]);
}
