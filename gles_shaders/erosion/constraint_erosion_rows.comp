// Means along the rows, for constraint_erosion_gradient.comp.
void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int reach = int(pass.reach), first = max(p.x - reach, 0), end = min(p.x + reach, grid.size.x - 1);
    float sum = 0.0;
    for (int x = first; x <= end; x++)
        sum += difference[oro_index(ivec2(x, p.y))];
    rows[oro_index(p)] = sum / float(end - first + 1);
}
