// How much a value changed, relative to what it is now.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    change[i] = abs(after[i] - before[i]) / max(abs(after[i]), 1e-30);
}
