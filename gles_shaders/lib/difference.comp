// How much was taken away: before - after, never negative.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    removed[i] = max(before[i] - after[i], 0.0);
}
