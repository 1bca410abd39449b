// The changed terrain, as far as the mask lets it be; how far it was changed, and where.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float was = before[i], now = changed[i], strength = mask_at(p);
    if (strength < 1.0)
        now = clamp(mix(was, now, strength), min(was, now), max(was, now));
    changed[i] = now;
    depth[i] = abs(was - now);
    changed_mask[i] = now != was ? 1.0 : 0.0;
}
