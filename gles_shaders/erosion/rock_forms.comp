// Of every block: the squares of what is narrower than some 3 blocks, and of what is between 3 and 6 blocks wide (Gaussians
// with half response at 2.8 and 5.7 blocks), the fall over a block, and how far it lies below the wider mean.
const int REACH = 4;
const float NARROW = 0.53, WIDE = 1.06; // standard deviations

float mean_at_block(ivec2 q)
{
    return means[oro_index(q)];
}

// Beyond the border the ground goes on as its image turned about the border's block: slopes go on.
float mean_beyond(ivec2 q)
{
    ivec2 last = grid.size - 1, edge = clamp(q, ivec2(0), last);
    float h = mean_at_block(edge);
    return edge == q ? h : 2.0 * h - mean_at_block(clamp(2 * edge - q, ivec2(0), last));
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float here = mean_at_block(p), narrow = 0.0, narrow_total = 0.0, wide = 0.0, wide_total = 0.0;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            float away = float(x * x + y * y), h = mean_beyond(p + ivec2(x, y)) - here;
            float n = exp(away / (-2.0 * NARROW * NARROW)), w = exp(away / (-2.0 * WIDE * WIDE));
            narrow += n * h;
            narrow_total += n;
            wide += w * h;
            wide_total += w;
        }
    float small = narrow / narrow_total, form = small - wide / wide_total;
    vec2 fall = vec2(mean_beyond(p + ivec2(1, 0)) - mean_beyond(p - ivec2(1, 0)),
                     mean_beyond(p + ivec2(0, 1)) - mean_beyond(p - ivec2(0, 1)));
    forms[oro_index(p)] = vec4(small * small, form * form, 0.5 * length(fall), wide / wide_total);
}
