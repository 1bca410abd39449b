/* Maps a raster from its own range to a given one. */
void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float value = field_at(p), span = pass.top - pass.bottom;
    /* Both ends may be one value, where much is clipped: that is the low end, and what lies above it the high one. */
    float t = span > 0.0 ? clamp((value - pass.bottom) / span, 0.0, 1.0) : value > pass.top ? 1.0 : 0.0;
    set_field(p, mix(value, mix(low_at(p), high_at(p), t), mask_at(p)));
}
