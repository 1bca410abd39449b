// Means along the rows, for constraint_erosion_gradient.comp. The cells next to those within reach count `rim`.
void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int reach = int(pass.reach), first = max(p.x - reach, 0), end = min(p.x + reach, grid.size.x - 1);
    float sum = 0.0;
    for (int x = first; x <= end; x++)
        sum += difference[oro_index(ivec2(x, p.y))];
    float weight = float(end - first + 1);
    if (first > 0) {
        sum += pass.rim * difference[oro_index(ivec2(first - 1, p.y))];
        weight += pass.rim;
    }
    if (end + 1 < grid.size.x) {
        sum += pass.rim * difference[oro_index(ivec2(end + 1, p.y))];
        weight += pass.rim;
    }
    rows[oro_index(p)] = sum / weight;
}
