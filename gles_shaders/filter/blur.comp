/* One stage of a Gaussian blur along one axis. nodes/filter/blur.c plans the stages. */

/* Mirrors an index at both ends of 0..n-1, as often as it takes. */
int mirrored(int i, int n)
{
    if (i >= 0 && i < n)
        return i;
    int period = 2 * n;
    i -= period * int(floor(float(i) / float(period)));
    i += i < 0 ? period : i >= period ? -period : 0;
    return i < n ? i : period - 1 - i;
}

float from_beyond(ivec2 p)
{
    return from_at(ivec2(mirrored(p.x, grid.size.x), mirrored(p.y, grid.size.y)));
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 stride = ivec2(pass.east, pass.south);
    int count = int(pass.count);
    float middle = from_at(p), change = 0.0; /* relative to the middle: level ground stays exactly level */
    for (int i = 1; i < count; i++) {
        float before = from_beyond(p - i * stride), after = from_beyond(p + i * stride);
        change += weights[i] * ((before - middle) + (after - middle));
    }
    float smoothed = middle + change;
    set_field(p, pass.last != 0.0 ? mix(original_at(p), smoothed, mask_at(p)) : smoothed);
}
