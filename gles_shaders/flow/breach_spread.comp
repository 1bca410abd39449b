// Spreads what breaching carves, along the rows and then along the columns, where it is taken off the ground (Schott 2024,
// 5.2: T - (T - B(T)) * g). The weights are normalised over the cells inside, so that nothing is lost at a border. Beyond
// the paper, no cell is brought below the bed of the channels that it is carved for, their heights weighted alike: else the
// hollow that is to drain sinks with the ground around it, and its way out has to be cut ever deeper.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p), side = int(pass.side);
    vec2 sum = vec2(0.0); // depth; depth times height of the bed
    float total = 0.0;
#if DOWN
    for (int y = max(p.y - side, 0); y <= min(p.y + side, grid.size.y - 1); y++) {
        float weight = weights[abs(y - p.y)];
        sum += weight * rows[y * grid.size.x + p.x];
        total += weight;
    }
    float bed = sum.x > 0.0 ? sum.y / sum.x : ground[i];
    ground[i] = max(ground[i] - sum.x / total, min(ground[i], bed));
#else
    for (int x = max(p.x - side, 0); x <= min(p.x + side, grid.size.x - 1); x++) {
        float weight = weights[abs(x - p.x)];
        int j = p.y * grid.size.x + x;
        float depth = ground[j] - breached[j];
        sum += weight * depth * vec2(1.0, breached[j]);
        total += weight;
    }
    rows[i] = sum / total;
#endif
}
