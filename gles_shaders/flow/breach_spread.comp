// Spreads what breaching carves, along the rows and then along the columns, where it is taken off the ground (Schott 2024,
// 5.2: T - (T - B(T)) * g). The weights are normalised over the cells inside, so that nothing is lost at a border. Beyond
// the paper, no cell is brought below the bed of the channels that it is carved for, their heights weighted alike: else the
// hollow that is to drain sinks with the ground around it, and its way out has to be cut ever deeper.
//
// An invocation takes RUN cells, one after the other along the way, so that what it reads serves all of them. As many
// zeros follow the weights.

#if DOWN
const ivec2 WAY = ivec2(0, 1);
#else
const ivec2 WAY = ivec2(1, 0);
#endif

// The sum of the weights over the cells inside.
float total_at(int at, int size, int side)
{
    if (at >= side && at + side < size)
        return pass.total;
    float total = 0.0;
    for (int i = max(-at, -side); i <= min(size - 1 - at, side); i++)
        total += weights[abs(i)];
    return total;
}

// Depth, and depth times height of the bed, by a weight. `there` is what was read of a cell.
vec2 share_of(vec2 there, float weight)
{
#if DOWN
    return weight * there;
#else
    return weight * there.x * vec2(1.0, there.y);
#endif
}

vec2 read(int i)
{
#if DOWN
    return rows[i];
#else
    return vec2(ground[i] - breached[i], breached[i]);
#endif
}

void finish(int i, vec2 sum, float total)
{
#if DOWN
    float bed = sum.x > 0.0 ? sum.y / sum.x : ground[i];
    ground[i] = max(ground[i] - sum.x / total, min(ground[i], bed));
#else
    rows[i] = sum / total;
#endif
}

void main()
{
    ivec2 p = oro_cell() * (ivec2(1) + (RUN - 1) * WAY);
    if (!oro_inside(p))
        return;
    int side = int(pass.side), at = p.x * WAY.x + p.y * WAY.y, size = grid.size.x * WAY.x + grid.size.y * WAY.y;
    int pace = WAY.x + WAY.y * grid.oro_width, start = oro_index(p), first = max(at - side, 0);
    vec2 sums[RUN];
    float near[RUN]; // the weights of a place for the cells of the run
    for (int k = 0; k < RUN; k++) {
        sums[k] = vec2(0.0);
        near[k] = weights[abs(first - 1 - at - k)];
    }
    for (int from = first; from <= min(at + RUN - 1 + side, size - 1); from++) {
        vec2 there = read(start + (from - at) * pace);
        for (int k = RUN - 1; k > 0; k--)
            near[k] = near[k - 1];
        near[0] = weights[abs(from - at)];
        for (int k = 0; k < RUN; k++)
            sums[k] += share_of(there, near[k]);
    }
    for (int k = 0; k < RUN; k++)
        if (at + k < size)
            finish(start + k * pace, sums[k], total_at(at + k, size, side));
}
