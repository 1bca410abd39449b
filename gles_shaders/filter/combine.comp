/* Joins two rasters cell by cell. */

/* How far the polynomial smooth minimum lies below the minimum: a quadratic that is smooth at |a - b| = k. */
float rounding(float a, float b, float k)
{
    float overlap = k > 0.0 ? max(k - abs(a - b), 0.0) : 0.0;
    return k > 0.0 ? overlap * overlap / (4.0 * k) : 0.0;
}

float combined(float a, float b, float t)
{
    switch (params.method) {
    case METHOD_ADD:
        return a + b;
    case METHOD_SUBTRACT:
        return a - b;
    case METHOD_MULTIPLY:
        return a * b;
    case METHOD_MIN:
        return min(a, b);
    case METHOD_MAX:
        return max(a, b);
    case METHOD_SMOOTH_MIN:
        return min(a, b) - rounding(a, b, params.smoothness);
    case METHOD_SMOOTH_MAX:
        return max(a, b) + rounding(a, b, params.smoothness);
    default:
        return mix(a, b, t);
    }
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float a = a_at(p), joined = combined(a, b_at(p), t_at(p)), effect = mask_at(p);
    set_field(p, effect < 1.0 ? mix(a, joined, effect) : joined); // exactly: the highest of ground and water is level
}
