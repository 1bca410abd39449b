// Blends from the old height to the new one by the mask: where it is 1, exactly the new one, where it is 0, the old
// one.
float masked(ivec2 p, float old_height, float new_height)
{
    float m = mask_at(p);
    return m >= 1.0 ? new_height : mix(old_height, new_height, m);
}
