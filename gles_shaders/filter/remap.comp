/* Maps one range to another through a curve. */
void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float span = pass.high - pass.low;
    float t = span == 0.0 ? 0.0 : (field_at(p) - pass.low) / span;
    float inside = clamp(t, 0.0, 1.0);
    float bent = profile_curve(inside) + (params.clamp ? 0.0 : t - inside);
    set_field(p, mix(params.to_low, params.to_high, bent));
}
